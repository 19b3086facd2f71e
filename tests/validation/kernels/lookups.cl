// SPDX-License-Identifier: Apache-2.0
// Macroscopic cross sections of a material at an energy.
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

// W-44: by a binary search in the unionized grid of all nuclides and an interpolation for each
// nuclide of the material.
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

// W-9: by the poles of the energy's window, each broadened by temperature.
typedef struct {
    double2 energy, total, absorbed, fission;
    short order;
} Pole;
typedef struct {
    double total, absorbed, fission;
    int start, end;
} Window;

double2 product(double2 a, double2 b) {
    return (double2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
double2 quotient(double2 a, double2 b) {
    const double size = b.x * b.x + b.y * b.y;
    return (double2)((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}
double2 exponential(double2 z) {
    double e = 1.0 + z.x * 0.000244140625;
    for (int i = 0; i < 12; ++i) e *= e;
    return product((double2)(e, 0), (double2)(cos(z.y), sin(z.y)));
}
// The Faddeeva function, by ten terms near zero and by an asymptotic expansion of two elsewhere.
double2 broadened(double2 z) {
    const double2 i = (double2)(0, 1), one = (double2)(1, 0);
    if (sqrt(z.x * z.x + z.y * z.y) >= 6.0) {
        const double2 square = product(z, z);
        const double2 first =
            quotient((double2)(0.51242422475476846, 0), square - (double2)(0.27525512860841095, 0));
        const double2 second =
            quotient((double2)(0.05176535879298782, 0), square - (double2)(2.72474487139158905, 0));
        return product(product(z, i), first + second);
    }
    const double weights[10] = {2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02,
                                5.324414e-02, 2.505215e-02, 1.027747e-02, 3.676164e-03,
                                1.146494e-03, 3.117570e-04};
    const double squares[10] = {9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02,
                                2.467401e+02, 3.553058e+02, 4.836106e+02, 6.316547e+02,
                                7.994380e+02, 9.869604e+02};
    const double2 turn = exponential(product((double2)(0, 12), z));
    double2 result = quotient(product(i, one - turn), product((double2)(12, 0), z));
    double2 sum = 0;
    for (int n = 0; n < 10; ++n) {
        const double2 top = product((double2)(n % 2 ? 1 : -1, 0),
                                    exponential(product((double2)(0, 12), z))) - one;
        const double2 bottom =
            (double2)(squares[n], 0) - product((double2)(144, 0), product(z, z));
        sum += product((double2)(weights[n], 0), quotient(top, bottom));
    }
    return result + product((double2)(0, 81.24330), product(z, sum));
}

kernel void resonances(global const int* nuclides_of, global const double* density,
                       global const int* nuclide, int most, global const int* windows_of,
                       global const Pole* poles, int most_poles, global const Window* windows,
                       int most_windows, global const double* radius, constant double* share,
                       global int* out) {
    const int item = get_global_id(0);
    ulong state = skipped(1070, 2 * item);
    const double energy = number(&state);
    const int kind = material(&state, share);
    double sum[4] = {0};
    for (int j = 0; j < nuclides_of[kind]; ++j) {
        const int which = nuclide[kind * most + j];
        int place = (int)(energy / (1.0 / windows_of[which]));
        if (place == windows_of[which]) --place;
        double2 phases[4];
        for (int order = 0; order < 4; ++order) {
            double phase = radius[which * 4 + order] * sqrt(energy);
            if (order == 1)
                phase -= -atan(phase);
            else if (order == 2)
                phase -= atan(3.0 * phase / (3.0 - phase * phase));
            else if (order == 3)
                phase -= atan(phase * (15.0 - phase * phase) / (15.0 - 6.0 * phase * phase));
            phase *= 2.0;
            phases[order] = (double2)(cos(phase), -sin(phase));
        }
        const Window window = windows[which * most_windows + place];
        double total = energy * window.total, absorbed = energy * window.absorbed,
               fission = energy * window.fission;
        for (int k = window.start; k < window.end; ++k) {
            const Pole pole = poles[which * most_poles + k];
            const double2 value =
                broadened(product((double2)(energy, 0) - pole.energy, (double2)(0.5, 0)));
            total += product(pole.total, product(value, phases[pole.order])).x;
            absorbed += product(pole.absorbed, value).x;
            fission += product(pole.fission, value).x;
        }
        const double amount = density[kind * most + j];
        sum[0] += total * amount;
        sum[1] += absorbed * amount;
        sum[2] += fission * amount;
        sum[3] += (total - absorbed) * amount;
    }
    double best = -DBL_MAX;
    int best_place = 0;
    for (int k = 0; k < 4; ++k)
        if (sum[k] > best) {
            best = sum[k];
            best_place = k;
        }
    out[item] = best_place + 1;
}
