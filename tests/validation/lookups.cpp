// SPDX-License-Identifier: Apache-2.0
// Cross sections of the materials of a reactor: limited by memory, or by double precision.
#include <algorithm>
#include <numeric>

#include "validation.h"

namespace {

constexpr std::size_t kNuclides = 68, kMaterials = 12, kMost = 34;
const std::vector<cl_int> kCounts = {34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9};
const std::vector<double> kShares = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064,
                                     0.066, 0.055, 0.008, 0.015, 0.025, 0.013};

/// The nuclides of each material: no two alike, as published.
std::vector<cl_int> materials(Numbers& numbers) {
    std::vector<cl_int> nuclide;
    for (std::size_t i = 0; i < kMaterials; ++i) {
        std::vector<cl_int> all(kNuclides);
        std::iota(all.begin(), all.end(), 0);
        for (std::size_t j = 0; j < kMost; ++j)
            std::swap(all[j], all[j + numbers.below(static_cast<std::uint32_t>(kNuclides - j))]);
        nuclide.insert(nuclide.end(), all.begin(), all.begin() + kMost);
    }
    return nuclide;
}

}  // namespace

/// Grid points of a nuclide (11303 published), lookups: W-44, the small problem. The amount is
/// lookups.
void lookups(const Sizes& sizes) {
    const std::size_t points = sizes[0], all = kNuclides * points;
    struct Point {
        double energy, section[5];
    };
    Numbers numbers(6);
    std::vector<Point> grid(all);
    for (Point& point : grid) {
        point.energy = numbers.unit();
        for (double& section : point.section)
            section = numbers.unit();
    }
    for (std::size_t i = 0; i < kNuclides; ++i) {
        const auto first = grid.begin() + static_cast<std::ptrdiff_t>(i * points);
        std::sort(first, first + static_cast<std::ptrdiff_t>(points),
                  [](const Point& a, const Point& b) { return a.energy < b.energy; });
    }
    std::vector<cl_uint> order(all);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](cl_uint a, cl_uint b) { return grid[a].energy < grid[b].energy; });
    // For each energy the place of the next lower one in each nuclide's own grid.
    std::vector<double> energies;
    std::vector<cl_int> places(all * kNuclides), place(kNuclides, 0);
    for (std::size_t i = 0; i < all; ++i) {
        energies.push_back(grid[order[i]].energy);
        place[order[i] / points] = static_cast<cl_int>(order[i] % points);
        std::copy(place.begin(), place.end(),
                  places.begin() + static_cast<std::ptrdiff_t>(i * kNuclides));
    }
    const std::vector<cl_int> nuclide = materials(numbers);
    Measured program("lookups.cl");
    constexpr cl_int kUnionized = 0, kBins = 10000;  // the published ones
    const cl_mem out = program.buffer(std::vector<cl_int>(sizes[1]));
    const cl_mem energies_in = program.buffer(energies), places_in = program.buffer(places),
                 grid_in = program.buffer(grid), share_in = program.buffer(kShares),
                 counts_in = program.buffer(kCounts), nuclide_in = program.buffer(nuclide),
                 density_in = program.buffer(std::vector<double>(nuclide.size(), 0.5));
    for (const std::size_t items : {std::size_t{256}, sizes[1]})
        program.launch("lookup", {items}, {256}, static_cast<cl_int>(items),
                       static_cast<cl_long>(kNuclides), static_cast<cl_long>(points), kUnionized,
                       kBins, energies_in, places_in, grid_in, share_in, counts_in, nuclide_in,
                       density_in, static_cast<cl_int>(kMost), out);
    program.report("lookups", static_cast<double>(sizes[1]));
}

/// Lookups: W-9, the small problem, which is also their amount.
void resonances(const Sizes& sizes) {
    struct Pole {
        cl_double2 energy, total, absorbed, fission;
        cl_short order;
    };
    struct Window {
        double total, absorbed, fission;
        cl_int start, end;
    };
    Numbers numbers(8);
    // So many in all, one at least of each nuclide.
    const auto dealt = [&](std::size_t average) {
        std::vector<cl_int> counts(kNuclides, 1);
        for (std::size_t i = 0; i < kNuclides * average - kNuclides; ++i)
            ++counts[numbers.below(kNuclides)];
        return counts;
    };
    const std::vector<cl_int> poles_of = dealt(1000), windows_of = dealt(100);
    const auto most_poles = *std::max_element(poles_of.begin(), poles_of.end()),
               most_windows = *std::max_element(windows_of.begin(), windows_of.end());
    std::vector<Pole> poles(kNuclides * static_cast<std::size_t>(most_poles));
    constexpr double kFactor = 152.5;
    const auto pair = [&](double imaginary) {
        const double real = kFactor * numbers.unit();
        return cl_double2{{real, imaginary * numbers.unit()}};
    };
    for (Pole& pole : poles) {
        pole.energy = pair(kFactor);
        pole.total = pair(1), pole.absorbed = pair(1), pole.fission = pair(1);
        pole.order = static_cast<cl_short>(numbers.below(4));
    }
    std::vector<Window> windows(kNuclides * static_cast<std::size_t>(most_windows));
    for (std::size_t i = 0; i < kNuclides; ++i) {
        const cl_int each = poles_of[i] / windows_of[i], rest = poles_of[i] % windows_of[i];
        cl_int next = 0;
        for (cl_int j = 0; j < windows_of[i]; ++j) {
            // The published program leaves out the last pole of a window.
            const cl_int count = each + (j < rest);
            windows[i * static_cast<std::size_t>(most_windows) + static_cast<std::size_t>(j)] = {
                numbers.unit(), numbers.unit(), numbers.unit(), next, next + count - 1};
            next += count;
        }
    }
    const std::vector<cl_int> nuclide = materials(numbers);
    std::vector<double> density(nuclide.size()), radius(kNuclides * 4);
    for (double& one : density)
        one = numbers.unit();
    for (double& one : radius)
        one = numbers.unit();
    Measured program("lookups.cl");
    const cl_mem out = program.buffer(std::vector<cl_int>(sizes[0]));
    const cl_mem counts_in = program.buffer(kCounts), density_in = program.buffer(density),
                 nuclide_in = program.buffer(nuclide), windows_of_in = program.buffer(windows_of),
                 poles_in = program.buffer(poles), windows_in = program.buffer(windows),
                 radius_in = program.buffer(radius), shares_in = program.buffer(kShares);
    for (const std::size_t items : {std::size_t{256}, sizes[0]})
        program.launch("resonances", {items}, {256}, static_cast<cl_int>(items), 1, counts_in,
                       density_in, nuclide_in, static_cast<cl_int>(kMost), windows_of_in, poles_in,
                       most_poles, windows_in, most_windows, radius_in, shares_in, out);
    program.report("resonances", static_cast<double>(sizes[0]));
}
