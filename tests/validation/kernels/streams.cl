// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table that pass once over arrays larger than the LLC, after their sources.

// su3: the products of four matrices of each site of a lattice with four that all sites share. A
// work-item has an element of a product.
typedef struct {
    double real, imag;
} Complex;
typedef struct {
    Complex e[3][3];
} Matrix;
typedef struct {
    Matrix link[4];
    int x, y, z, t, index;
    char parity;
    int pad[10];
} __attribute__((aligned(16))) Site;

// A product of which both parts are no numbers, by the rules of C++ for infinities.
Complex infinite_product(double a, double b, double c, double d) {
    bool again = false;
    const bool left = isinf(a) || isinf(b), right = isinf(c) || isinf(d);
    if (left) {
        a = copysign(isinf(a) ? 1.0 : 0.0, a);
        b = copysign(isinf(b) ? 1.0 : 0.0, b);
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = true;
    }
    if (right) {
        c = copysign(isinf(c) ? 1.0 : 0.0, c);
        d = copysign(isinf(d) ? 1.0 : 0.0, d);
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        again = true;
    }
    if (!again && (isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c))) {
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = true;
    }
    Complex product = {a * c - b * d, a * d + b * c};
    if (again) {
        product.real *= INFINITY;
        product.imag *= INFINITY;
    }
    return product;
}

kernel void links(global const Site* sites, global const Matrix* shared, global Site* out,
                  ulong count) {
    const size_t id = get_global_id(0), site = id / 36;
    if (site >= count) return;
    const int j = id % 36 / 9, k = id % 9 / 3, l = id % 3;
    Complex sum = {0, 0};
    for (int m = 0; m < 3; ++m) {
        const Complex a = sites[site].link[j].e[k][m], b = shared[j].e[m][l];
        Complex product = {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
        if (isnan(product.real) && isnan(product.imag))
            product = infinite_product(a.real, a.imag, b.real, b.imag);
        sum.real += product.real;
        sum.imag += product.imag;
    }
    out[site].link[j].e[k][l] = sum;
}

// murmurhash3: 128 bits of hash of a key, whose bytes are put together one by one.
#define MURMUR_1 0x87c37b91114253d5ul
#define MURMUR_2 0x4cf5ad432745937ful
ulong eight_bytes(global const uchar* from, uint place) {
    ulong word = 0;
    for (uint n = 0; n < 8; ++n)
        word |= (ulong)from[8 * place + n] << (n * 8);
    return word;
}
ulong spread(ulong k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdul;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ul;
    return k ^ k >> 33;
}
ulong left_word(ulong k) { return rotate(k * MURMUR_1, 31ul) * MURMUR_2; }
ulong right_word(ulong k) { return rotate(k * MURMUR_2, 33ul) * MURMUR_1; }

kernel void keys(global const uchar* bytes, global const uint* starts, global const uint* lengths,
                 global ulong* out, uint count) {
    const int key = get_global_id(0);
    if (key >= count) return;
    global const uchar* from = bytes + starts[key];
    const uint length = lengths[key], blocks = length / 16, seed = key;
    ulong left = seed, right = seed;
    for (uint i = 0; i < blocks; ++i) {
        const ulong first = eight_bytes(from, i * 2), second = eight_bytes(from, i * 2 + 1);
        left ^= left_word(first);
        left = (rotate(left, 27ul) + right) * 5 + 0x52dce729;
        right ^= right_word(second);
        right = (rotate(right, 31ul) + left) * 5 + 0x38495ab5;
    }
    global const uchar* tail = from + blocks * 16;
    ulong k1 = 0, k2 = 0;
    switch (length & 15) {
        case 15: k2 ^= (ulong)tail[14] << 48;
        case 14: k2 ^= (ulong)tail[13] << 40;
        case 13: k2 ^= (ulong)tail[12] << 32;
        case 12: k2 ^= (ulong)tail[11] << 24;
        case 11: k2 ^= (ulong)tail[10] << 16;
        case 10: k2 ^= (ulong)tail[9] << 8;
        case 9: k2 ^= (ulong)tail[8]; right ^= right_word(k2);
        case 8: k1 ^= (ulong)tail[7] << 56;
        case 7: k1 ^= (ulong)tail[6] << 48;
        case 6: k1 ^= (ulong)tail[5] << 40;
        case 5: k1 ^= (ulong)tail[4] << 32;
        case 4: k1 ^= (ulong)tail[3] << 24;
        case 3: k1 ^= (ulong)tail[2] << 16;
        case 2: k1 ^= (ulong)tail[1] << 8;
        case 1: k1 ^= (ulong)tail[0]; left ^= left_word(k1);
    }
    left ^= length;
    right ^= length;
    left += right;
    right += left;
    left = spread(left);
    right = spread(right);
    left += right;
    right += left;
    out[key * 2] = left;
    out[key * 2 + 1] = right;
}

// pathfinder: the cheapest way down through rows of a wall. A group takes a few rows of a strip of
// columns; most groups lie behind the last column and wait at the barriers only.
kernel void strips(global const int* wall, global const int* from, global int* to,
                   global int* marks, local int* before, local int* after, int rows, int halo,
                   int border, int columns, int row) {
    const int width = get_local_size(0), group = get_group_id(0), item = get_local_id(0);
    const int strip = (width - rows * halo * 2) * group - border, last = strip + width - 1;
    const int column = strip + item;
    const int lowest = strip < 0 ? -strip : 0;
    const int highest = last > columns - 1 ? width - 1 - (last - columns + 1) : width - 1;
    const int left = max(item - 1, lowest), right = min(item + 1, highest);
    const bool valid = item >= lowest && item <= highest;
    if (column >= 0 && column <= columns - 1) before[item] = from[column];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool found;
    for (int i = 0; i < rows; ++i) {
        found = false;
        if (item >= i + 1 && item <= width - i - 2 && valid) {
            found = true;
            const int least = min(min(before[left], before[item]), before[right]);
            after[item] = least + wall[columns * (row + i) + column];
            if (item == 11 && i == 0) marks[from[column]] = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rows - 1) break;
        if (found) before[item] = after[item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (found) to[column] = after[item];
}

// projectile: how far and high a body flies, and how long, from its angle and its velocity.
typedef struct {
    float angle, velocity, range, time, height;
} Flight;
#define PI_HERE 3.1415f
#define GRAVITY 9.81f
kernel void flights(global const Flight* in, global Flight* out) {
    const int i = get_global_id(0);
    const float angle = in[i].angle, velocity = in[i].velocity;
    const float s = sin(angle * PI_HERE / 180.0f), c = cos(angle * PI_HERE / 180.0f);
    const float time = fabs(2 * velocity * s) / GRAVITY;
    const float range = fabs(velocity * time * c);
    const float height = velocity * velocity * s * s / 2.0f * GRAVITY;
    out[i].range = range;
    out[i].time = time;
    out[i].angle = angle;
    out[i].velocity = velocity;
    out[i].height = height;
}
