// SPDX-License-Identifier: Apache-2.0
// W-41: a step of the lattice Boltzmann method (D3Q19, one relaxation time) that streams in place.
// Values of a direction lie together, 256^3 cells of each. Directions 2 k + 1 and 2 k + 2 are
// opposite; which of the two has a place changes with each step. Values are kept without their
// weight, so that a fluid at rest has zeros. As in the published program, two opposite directions
// share what is even in the velocity, places are numbers of 64 bits, and velocities are limited.
#pragma OPENCL FP_CONTRACT ON

#define DIRECTIONS 19
#ifndef SIDE
#define SIDE 256u
#endif
#define CELLS (SIDE * SIDE * SIDE)
#define RATE (1.0f / 3.5f)  // viscosity 1
#define FASTEST 0.57735027f  // the speed of sound

#ifdef HALF
typedef half Value;
float get(global const Value* f, ulong place) { return vload_half(place, f) * 0x1p-15f; }
void put(global Value* f, ulong place, float value) { vstore_half_rte(value * 0x1p15f, place, f); }
#elif defined(CUSTOM)
// A sign, 4 bits of exponent (bias 15, as a half of 5 bits) and 11 of fraction, which no
// instruction converts. Below the least exponent the fraction counts units of 2^-25: its leading
// one, which the conversion of an integer finds, becomes the one that is not written.
typedef ushort Value;
float get(global const Value* f, ulong place) {
    const ushort code = f[place];
    const uint exponent = code >> 11 & 15, fraction = (code & 0x7ffu) << 12;
    const uint found = as_uint((float)fraction) >> 23;
    const uint usual = (exponent + 112) << 23 | fraction;
    const uint small = (found - 37) << 23 | (fraction << (150 - found) & 0x7ff000);
    const uint magnitude = exponent ? usual : fraction ? small : 0;
    return as_float((code & 0x8000u) << 16 | magnitude);
}
void put(global Value* f, ulong place, float value) {
    const uint rounded = as_uint(value) + 0x800;
    const uint exponent = rounded >> 23 & 255, fraction = rounded & 0x7fffff;
    const uint usual = (exponent - 112 & 15) << 11 | fraction >> 12;
    const uint small = (((fraction + 0x7ff800) >> (124 - exponent)) + 1) >> 1;
    const uint magnitude = exponent > 112 ? usual : exponent > 100 ? small : 0;
    f[place] = rounded >> 16 & 0x8000u | magnitude;
}
#else
typedef float Value;
float get(global const Value* f, ulong place) { return f[place]; }
void put(global Value* f, ulong place, float value) { f[place] = value; }
#endif

constant int kX[] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0};
constant int kY[] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 1, -1};
constant int kZ[] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1, 1};

uint beside(uint x, uint y, uint z, uint i) {
    return (x + kX[i]) % SIDE + ((y + kY[i]) % SIDE + (z + kZ[i]) % SIDE * SIDE) * SIDE;
}
ulong place(uint i, uint cell) { return (ulong)i * CELLS + cell; }

kernel void lattice(global Value* f, global const uchar* flags, uint first, uint odd) {
    const uint n = get_global_id(0) + first;
    if (flags[n]) return;
    const uint x = n % SIDE, y = n / SIDE % SIDE, z = n / SIDE / SIDE;
    float value[DIRECTIONS];
    value[0] = get(f, n);
#pragma unroll
    for (uint i = 1; i < DIRECTIONS; i += 2) {
        value[i] = get(f, place(odd ? i : i + 1, n));
        value[i + 1] = get(f, place(odd ? i + 1 : i, beside(x, y, z, i)));
    }
    float density = 0, u = 0, v = 0, w = 0;
#pragma unroll
    for (uint i = 0; i < DIRECTIONS; ++i) {
        density += value[i];
        u += kX[i] * value[i];
        v += kY[i] * value[i];
        w += kZ[i] * value[i];
    }
    density += 1;
    u = clamp(u / density, -FASTEST, FASTEST);
    v = clamp(v / density, -FASTEST, FASTEST);
    w = clamp(w / density, -FASTEST, FASTEST);
    const float excess = density - 1, square = -3 * (u * u + v * v + w * w);
    value[0] = fma(1 - RATE, value[0], RATE * (fma(density, 0.5f * square, excess) * (1.0f / 3)));
#pragma unroll
    for (uint i = 1; i < DIRECTIONS; i += 2) {
        const float weight = 1.0f / (i < 7 ? 18 : 36);
        const float along = 3 * (kX[i] * u + kY[i] * v + kZ[i] * w);
        const float even = fma(along, along, square);
        const float here = fma(weight * density, fma(0.5f, even, along), weight * excess);
        const float there = fma(weight * density, fma(0.5f, even, -along), weight * excess);
        value[i] = fma(1 - RATE, value[i], RATE * here);
        value[i + 1] = fma(1 - RATE, value[i + 1], RATE * there);
    }
    put(f, n, value[0]);
#pragma unroll
    for (uint i = 1; i < DIRECTIONS; i += 2) {
        put(f, place(odd ? i + 1 : i, beside(x, y, z, i)), value[i]);
        put(f, place(odd ? i : i + 1, n), value[i + 1]);
    }
}
