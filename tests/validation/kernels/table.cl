// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table that launch one kernel a hundred times, after their sources.

// heat2d: a step of the heat equation on a torus. Five divisions by numbers of the launch.
kernel void heat(global float* out, global const float* in, int columns, int rows, float norm,
                 float delta) {
    const int item = get_global_id(0), x = item % columns, y = item / columns;
    const int right = y * columns + (x + 1) % columns;
    const int left = y * columns + (columns + x - 1) % columns;
    const int below = (y + 1) % rows * columns + x;
    const int above = (rows + y - 1) % rows * columns + x;
    const int here = y * columns + x;
    out[here] = norm * in[here] + delta * (in[right] + in[left] + in[below] + in[above]);
}

// jenkins-hash: of strings of up to 60 bytes, 64 bytes apart.
#define MIX_ONE(x, y, z, count) x -= z; x ^= rotate(z, count); z += y
#define END_ONE(x, y, count) x ^= y; x -= rotate(y, count)
kernel void strings(global const uint* lengths, global const uint* starts,
                    global const uint* words, global uint* out, ulong count) {
    const ulong id = get_global_id(0);
    if (id >= count) return;
    uint length = lengths[id];
    global const uint* k = words + id * 16;
    uint a = 0xdeadbeef + length + starts[id], b = a, c = a;
    while (length > 12) {
        a += k[0];
        b += k[1];
        c += k[2];
        MIX_ONE(a, b, c, 4u);
        MIX_ONE(b, c, a, 6u);
        MIX_ONE(c, a, b, 8u);
        MIX_ONE(a, b, c, 16u);
        MIX_ONE(b, c, a, 19u);
        MIX_ONE(c, a, b, 4u);
        length -= 12;
        k += 3;
    }
    const uint first = k[0], second = k[1], third = k[2];
    switch (length) {
        case 12: c += third; b += second; a += first; break;
        case 11: c += third & 0xffffff; b += second; a += first; break;
        case 10: c += third & 0xffff; b += second; a += first; break;
        case 9: c += third & 0xff; b += second; a += first; break;
        case 8: b += second; a += first; break;
        case 7: b += second & 0xffffff; a += first; break;
        case 6: b += second & 0xffff; a += first; break;
        case 5: b += second & 0xff; a += first; break;
        case 4: a += first; break;
        case 3: a += first & 0xffffff; break;
        case 2: a += first & 0xffff; break;
        case 1: a += first & 0xff; break;
        case 0: out[id] = c; return;
    }
    END_ONE(c, b, 14u);
    END_ONE(a, c, 11u);
    END_ONE(b, a, 25u);
    END_ONE(c, b, 16u);
    END_ONE(a, c, 4u);
    END_ONE(b, a, 14u);
    END_ONE(c, b, 24u);
    out[id] = c;
}

// lombscargle: the power of a frequency in samples at given times. The
// compiler knows how many there are, as published.
#ifndef TIMES
#define TIMES 1
#define FREQUENCIES 1
#endif
kernel void periods(global float* power, global const float* times, global const float* samples,
                    global const float* frequencies, float factor) {
    const int stride = get_global_size(0);
    for (int i = get_global_id(0); i < FREQUENCIES; i += stride) {
        const float frequency = frequencies[i];
        float xc = 0, xs = 0, cc = 0, ss = 0, cs = 0, c;
        for (int j = 0; j < TIMES; ++j) {
            const float s = sincos(frequency * times[j], &c);
            xc += samples[j] * c;
            xs += samples[j] * s;
            cc += c * c;
            ss += s * s;
            cs += c * s;
        }
        const float tau = atan2(2.0f * cs, cc - ss) / (2.0f * frequency);
        float ct;
        const float st = sincos(frequency * tau, &ct);
        const float ct2 = ct * ct, st2 = st * st, cst = 2.0f * ct * st;
        power[i] = 0.5f *
                   ((ct * xc + st * xs) * (ct * xc + st * xs) / (ct2 * cc + cst * cs + st2 * ss) +
                    (ct * xs - st * xc) * (ct * xs - st * xc) / (ct2 * ss - cst * cs + st2 * cc)) *
                   factor;
    }
}

// matrix-rotate: a work-item turns a ring of the matrix by a right angle, of which these are `steps`
// steps from one on.
kernel void rings(global float* matrix, int n, int from, int steps) {
    const int ring = get_global_id(0);
    if (ring >= n / 2) return;
    const int first = ring, last = n - 1 - ring, end = min(last, first + from + steps);
    for (int i = first + from; i < end; ++i) {
        const int offset = i - first;
        const float top = matrix[first * n + i];
        matrix[first * n + i] = matrix[(last - offset) * n + first];
        matrix[(last - offset) * n + first] = matrix[last * n + (last - offset)];
        matrix[last * n + (last - offset)] = matrix[i * n + last];
        matrix[i * n + last] = top;
    }
}

// maxpool3d: the largest of two by two pixels.
kernel void pool(global const float* image, global float* out, int in_width, int in_height,
                 int out_width, int out_height, int across, int down, int pool_width,
                 int pool_height) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float most = 0;
    for (int r = 0; r < pool_height; ++r) {
        const int row = (z * in_height + down * y + r) * in_width + across * x;
        for (int c = 0; c < pool_width; ++c) most = fmax(most, image[row + c]);
    }
    out[(z * out_height + y) * out_width + x] = most;
}
