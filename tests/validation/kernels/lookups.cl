// SPDX-License-Identifier: Apache-2.0
// W-44: macroscopic cross sections of a material at an energy, by a binary search in the unionized
// grid of all nuclides and an interpolation for each nuclide of the material.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    double energy, section[5];
} Point;

ulong skipped(ulong state, ulong count) {
    ulong a = 2806196910506780709UL, c = 1, all_a = 1, all_c = 0;
    for (; count; count >>= 1) {
        if (count & 1) {
            all_a *= a;
            all_c = all_c * a + c;
        }
        c *= a + 1;
        a *= a;
    }
    return all_a * state + all_c & 0x7fffffffffffffffUL;
}
double number(ulong* state) {
    *state = *state * 2806196910506780709UL + 1 & 0x7fffffffffffffffUL;
    return *state / 9223372036854775808.0;
}
int material(ulong* state, constant double* share) {
    const double roll = number(state);
    for (int i = 0; i < 12; ++i) {
        double running = 0;
        for (int j = i; j > 0; --j) running += share[j];
        if (roll < running) return i;
    }
    return 0;
}

kernel void lookup(int nuclides, int points, global const double* energies,
                   global const int* places, global const Point* grid, constant double* share,
                   global const int* nuclides_of, global const int* nuclide,
                   global const double* density, int most, global int* out) {
    const int i = get_global_id(0);
    ulong state = skipped(1070, 2 * i);
    const double energy = number(&state);
    const int kind = material(&state, share);
    int low = 0, length = nuclides * points - 1;
    while (length > 1) {
        const int half_length = length / 2;
        if (energies[low + half_length] <= energy) low += half_length;
        length -= half_length;
    }
    double sum[5] = {0};
    for (int j = 0; j < nuclides_of[kind]; ++j) {
        const int which = nuclide[kind * most + j];
        const double amount = density[kind * most + j];
        int place = places[(long)low * nuclides + which];
        if (place == points - 1) --place;
        const global Point* p = &grid[which * points + place];
        const double f = (p[1].energy - energy) / (p[1].energy - p[0].energy);
        for (int k = 0; k < 5; ++k)
            sum[k] += (p[1].section[k] - f * (p[1].section[k] - p[0].section[k])) * amount;
    }
    int best = 0;
    for (int k = 1; k < 5; ++k)
        if (sum[k] > sum[best]) best = k;
    out[i] = best + 1;
}
