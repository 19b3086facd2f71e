// SPDX-License-Identifier: Apache-2.0
// secp256k1 of HeCBench's table: a sum of points of an elliptic curve, by one work-item. Numbers
// modulo p = 2^256 - 2^32 - 977 have ten limbs of 26 bits, which may be larger between products.
// The published program ends with an inversion of the result, 270 of its 6402 products and squares.
typedef struct {
    uint limb[10];
} Number;
typedef struct {
    Number x, y, z;  // stands for x / z^2, y / z^3
} Point;
#define UNROLLED __attribute__((opencl_unroll_hint))
#define MASK 0x3ffffffU
// 2^260 is LOW + HIGH x 2^26 modulo p.
#define LOW 0x3d10U
#define HIGH 0x400U

// The ten limbs of a product, of which `column` are the sums of a power of 2^26: from the upper
// half on, so that each carry of it is folded as the lower half is made.
#define REDUCE(column)                                                              \
    uint low[9];                                                                    \
    ulong c = 0, d = column(9);                                                     \
    const uint ninth = d & MASK;                                                    \
    d >>= 26;                                                                       \
    UNROLLED for (int k = 0; k < 9; ++k) {                                          \
        c += column(k);                                                             \
        d += column(k + 10);                                                        \
        const ulong folded = d & MASK;                                              \
        d >>= 26;                                                                   \
        c += folded * LOW;                                                          \
        low[k] = c & MASK;                                                          \
        c >>= 26;                                                                   \
        c += folded * HIGH;                                                         \
    }                                                                               \
    c += d * LOW + ninth;                                                           \
    Number result;                                                                  \
    result.limb[9] = c & (MASK >> 4);                                               \
    c >>= 22;                                                                       \
    c += d * (HIGH << 4);                                                           \
    d = c * (LOW >> 4) + low[0];                                                    \
    result.limb[0] = d & MASK;                                                      \
    d >>= 26;                                                                       \
    d += c * (HIGH >> 4) + low[1];                                                  \
    result.limb[1] = d & MASK;                                                      \
    d >>= 26;                                                                       \
    d += low[2];                                                                    \
    result.limb[2] = d;                                                             \
    UNROLLED for (int k = 3; k < 9; ++k) result.limb[k] = low[k];                   \
    return result

ulong column_of_product(const Number* a, const Number* b, int power) {
    ulong sum = 0;
    UNROLLED for (int i = 0; i < 10; ++i)
        if (power - i >= 0 && power - i < 10) sum += (ulong)a->limb[i] * b->limb[power - i];
    return sum;
}
ulong column_of_square(const Number* a, int power) {
    ulong sum = 0;
    UNROLLED for (int i = 0; i < 10; ++i) {
        const int other = power - i;
        if (other > i && other < 10) sum += (ulong)(a->limb[i] * 2) * a->limb[other];
        if (other == i) sum += (ulong)a->limb[i] * a->limb[i];
    }
    return sum;
}
Number product(Number a, Number b) {
#define COLUMN(power) column_of_product(&a, &b, power)
    REDUCE(COLUMN);
#undef COLUMN
}
Number square(Number a) {
#define COLUMN(power) column_of_square(&a, power)
    REDUCE(COLUMN);
#undef COLUMN
}
// Limbs of 26 bits, but for the last.
Number carried(Number a) {
    const uint above = a.limb[9] >> 22;
    a.limb[9] &= 0x3fffff;
    a.limb[0] += above * 0x3d1;
    a.limb[1] += above << 6;
    UNROLLED for (int k = 0; k < 9; ++k) {
        a.limb[k + 1] += a.limb[k] >> 26;
        a.limb[k] &= MASK;
    }
    return a;
}
Number sum(Number a, Number b) {
    UNROLLED for (int k = 0; k < 10; ++k) a.limb[k] += b.limb[k];
    return a;
}
// p's limbs often enough that none gets below zero.
Number negative(Number a, uint size) {
    a.limb[0] = 0x3fffc2fU * 2 * (size + 1) - a.limb[0];
    a.limb[1] = 0x3ffffbfU * 2 * (size + 1) - a.limb[1];
    UNROLLED for (int k = 2; k < 9; ++k)
        a.limb[k] = MASK * 2 * (size + 1) - a.limb[k];
    a.limb[9] = 0x3fffffU * 2 * (size + 1) - a.limb[9];
    return a;
}
Number doubled(Number a) {
    UNROLLED for (int k = 0; k < 10; ++k) a.limb[k] *= 2;
    return a;
}
// Eight words, the lowest first.
Number loaded(global const uint* words) {
    Number a;
    a.limb[0] = words[0] & MASK;
    a.limb[1] = words[0] >> 26 | (words[1] << 6 & MASK);
    a.limb[2] = words[1] >> 20 | (words[2] << 12 & MASK);
    a.limb[3] = words[2] >> 14 | (words[3] << 18 & MASK);
    a.limb[4] = words[3] >> 8 | (words[4] << 24 & MASK);
    a.limb[5] = words[4] >> 2 & MASK;
    a.limb[6] = words[4] >> 28 | (words[5] << 4 & MASK);
    a.limb[7] = words[5] >> 22 | (words[6] << 10 & MASK);
    a.limb[8] = words[6] >> 16 | (words[7] << 16 & MASK);
    a.limb[9] = words[7] >> 10;
    return a;
}
// 32 bytes, the highest first. A byte may hold bits of two limbs.
void store(global uchar* bytes, Number a) {
    UNROLLED for (int byte = 0; byte < 32; ++byte) {
        const int bit = 8 * (31 - byte), k = bit / 26, shift = bit % 26;
        uint value = a.limb[k] >> shift;
        if (shift > 18) value |= a.limb[k + 1] << (26 - shift);
        bytes[byte] = value & 0xff;
    }
}
// The sum of a point and one with z = 1: eight products and three squares.
Point added(Point a, Number x, Number y) {
    Point r;
    const Number z2 = square(a.z), u1 = carried(a.x), u2 = product(x, z2), s1 = carried(a.y);
    const Number s2 = product(product(y, z2), a.z);
    const Number h = sum(negative(u1, 1), u2), i = sum(negative(s1, 1), s2);
    const Number i2 = square(i), h2 = square(h), h3 = product(h, h2);
    r.z = product(a.z, h);
    const Number t = product(u1, h2);
    r.x = sum(negative(sum(doubled(t), h3), 3), i2);
    r.y = product(sum(negative(r.x, 5), t), i);
    r.y = sum(r.y, negative(product(h3, s1), 1));
    return r;
}

#ifndef POINTS
#define POINTS 2
#endif
kernel void curve(global uchar* result, global const uint* points) {
    if (get_global_id(0)) return;
    Point total = {loaded(points), loaded(points + 8), {{1}}};
    Number all = total.z;
    for (uint i = 1; i < POINTS; ++i) {
        total = added(total, loaded(points + 16 * i), loaded(points + 16 * i + 8));
        all = product(all, total.z);
    }
    store(result, all);
}
