// SPDX-License-Identifier: Apache-2.0
// W-41: a step of the lattice Boltzmann method (D3Q19, one relaxation time) that streams in place.
// Values of a direction lie together, 256^3 cells of each. Directions 2 k + 1 and 2 k + 2 are
// opposite; which of the two has a place changes with each step. Values are kept without their
// weight, so that a fluid at rest has zeros.
#pragma OPENCL FP_CONTRACT ON

#define DIRECTIONS 19
#define SIDE 256u
#define CELLS (SIDE * SIDE * SIDE)
#define RATE (1.0f / 3.5f)  // viscosity 1

#ifdef HALF
typedef half Value;
float get(global const Value* f, uint place) { return vload_half(place, f) * 0x1p-15f; }
void put(global Value* f, uint place, float value) { vstore_half_rte(value * 0x1p15f, place, f); }
#else
typedef float Value;
float get(global const Value* f, uint place) { return f[place]; }
void put(global Value* f, uint place, float value) { f[place] = value; }
#endif

constant int kX[] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0};
constant int kY[] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 1, -1};
constant int kZ[] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1, 1};

uint beside(uint x, uint y, uint z, uint i) {
    return (x + kX[i]) % SIDE + ((y + kY[i]) % SIDE + (z + kZ[i]) % SIDE * SIDE) * SIDE;
}

kernel void lattice(global Value* f, global const uchar* flags, uint first, uint odd) {
    const uint n = get_global_id(0) + first;
    if (flags[n]) return;
    const uint x = n % SIDE, y = n / SIDE % SIDE, z = n / SIDE / SIDE;
    float value[DIRECTIONS];
    value[0] = get(f, n);
#pragma unroll
    for (uint i = 1; i < DIRECTIONS; i += 2) {
        value[i] = get(f, (odd ? i : i + 1) * CELLS + n);
        value[i + 1] = get(f, (odd ? i + 1 : i) * CELLS + beside(x, y, z, i));
    }
    float density = 0, u = 0, v = 0, w = 0;
#pragma unroll
    for (uint i = 0; i < DIRECTIONS; ++i) {
        density += value[i];
        u += kX[i] * value[i];
        v += kY[i] * value[i];
        w += kZ[i] * value[i];
    }
    const float excess = density;
    density += 1;
    u /= density;
    v /= density;
    w /= density;
    const float square = 1.5f * (u * u + v * v + w * w);
#pragma unroll
    for (uint i = 0; i < DIRECTIONS; ++i) {
        const float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
        const float along = 3 * (kX[i] * u + kY[i] * v + kZ[i] * w);
        const float rest = weight * (density * (along + 0.5f * along * along - square) + excess);
        value[i] = (1 - RATE) * value[i] + RATE * rest;
    }
    put(f, n, value[0]);
#pragma unroll
    for (uint i = 1; i < DIRECTIONS; i += 2) {
        put(f, (odd ? i + 1 : i) * CELLS + beside(x, y, z, i), value[i]);
        put(f, (odd ? i : i + 1) * CELLS + n, value[i + 1]);
    }
}
