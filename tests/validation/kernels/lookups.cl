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

// The last place of those from `first` to `last` whose energy is not above; `stride` is in doubles.
long place_of(global const double* energies, long first, long last, long stride, double energy) {
    while (last - first > 1) {
        const long middle = first + (last - first) / 2;
        if (energies[middle * stride] > energy)
            last = middle;
        else
            first = middle;
    }
    return first;
}

// W-44: by a binary search in the unionized grid of all nuclides and an interpolation for each
// nuclide of the material. As published, places are of 64 bits, and the launch chooses one of three
// ways to the points of a nuclide, of which the other two are not gone: a search in its own grid,
// and one within a bin of equal width.
enum { kUnionized, kNuclide, kBins };
kernel void lookup(int lookups, long nuclides, long points, int way, int bins,
                   global const double* energies, global const int* places,
                   global const Point* grid, constant double* share,
                   global const int* nuclides_of, global const int* nuclide,
                   global const double* density, int most, global int* out) {
    const ulong i = get_global_id(0);
    if (i >= lookups) return;
    ulong state = skipped(1070, 2 * i);
    const double energy = number(&state);
    const int kind = material(&state, share);
    long low = -1;
    if (way == kUnionized)
        low = place_of(energies, 0, nuclides * points - 1, 1, energy);
    else if (way == kBins)
        low = energy / (1.0 / bins);
    global const double* own = (global const double*)grid;
    double sum[5] = {0};
    for (int j = 0; j < nuclides_of[kind]; ++j) {
        const int which = nuclide[kind * most + j];
        const double amount = density[kind * most + j];
        const long first = which * points;
        long place;
        if (way == kNuclide) {
            place = place_of(own, first, first + points - 1, 6, energy);
            if (place == points - 1) --place;
        } else if (way == kUnionized) {
            place = first + places[low * nuclides + which];
            if (places[low * nuclides + which] == points - 1) --place;
        } else {
            const int from = places[low * nuclides + which];
            const int to =
                low == bins - 1 ? (int)points - 1 : places[(low + 1) * nuclides + which] + 1;
            if (energy <= grid[first + from].energy)
                place = first;
            else if (energy >= grid[first + to].energy)
                place = first + points - 1;
            else
                place = place_of(own, first + from, first + to, 6, energy);
            if (place % points == points - 1) --place;
        }
        const Point lower = grid[place], upper = grid[place + 1];
        const double f = (upper.energy - energy) / (upper.energy - lower.energy);
        for (int k = 0; k < 5; ++k)
            sum[k] += (upper.section[k] - f * (upper.section[k] - lower.section[k])) * amount;
    }
    double best = -1;
    int best_place = 0;
    for (int k = 0; k < 5; ++k)
        if (sum[k] > best) {
            best = sum[k];
            best_place = k;
        }
    out[i] = best_place + 1;
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

// `broaden` is 1 in the published run; its kernel has the way without, too.
kernel void resonances(int lookups, int broaden, global const int* nuclides_of,
                       global const double* density, global const int* nuclide, int most, global const int* windows_of,
                       global const Pole* poles, int most_poles, global const Window* windows,
                       int most_windows, global const double* radius, constant double* share,
                       global int* out) {
    const ulong item = get_global_id(0);
    if (item >= lookups) return;
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
                broaden ? broadened(product((double2)(energy, 0) - pole.energy, (double2)(0.5, 0)))
                        : quotient(quotient((double2)(0, 1),
                                            pole.energy - (double2)(sqrt(energy), 0)),
                                   (double2)(energy, 0));
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
