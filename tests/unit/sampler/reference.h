// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

/// A second derivation of what samples of an image are: the formulas of the OpenCL C specification
/// (section 8.2, addressing and filter modes) in double arithmetic. Only the fraction of texel
/// coordinates, which the API leaves to the machine, is cut or rounded to `kSteps` a texel.
namespace gen9::sampler::test {

inline constexpr double kSteps = 256;

enum class Addressing { Repeat = 0, Mirrored = 1, ToEdge = 2, Clamp = 4 };

struct ReferenceImage {
    std::array<int, 3> size{1, 1, 1};
    std::function<double(int, int, int)> texel;
    double border = 0;

    double at(int x, int y, int z) const {
        if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) return border;
        return texel(x, y, z);
    }
};

struct ReferenceTaps {
    std::array<int, 2> index{};
    double share = 0;  ///< of the second
};

inline ReferenceTaps reference_axis(Addressing mode, double coordinate, bool normalized, int size,
                                    bool linear, bool round) {
    double u = coordinate * (normalized ? size : 1);
    if (mode == Addressing::Repeat && normalized) u = (coordinate - std::floor(coordinate)) * size;
    if (mode == Addressing::Mirrored && normalized) {
        const double nearest = 2 * std::rint(0.5 * coordinate);
        u = std::fabs(coordinate - nearest) * size;
    }
    u = std::floor(u * kSteps + (round ? 0.5 : 0)) / kSteps;
    const auto place = [&](int i) {
        switch (mode) {
            case Addressing::Repeat:
                return (i % size + size) % size;
            case Addressing::Clamp:
                return std::clamp(i, -1, size);
            default:
                return std::clamp(i, 0, size - 1);
        }
    };
    if (!linear) return {{place(static_cast<int>(std::floor(u))), 0}, 0};
    const double from = std::floor(u - 0.5);
    const int i = static_cast<int>(from);
    return {{place(i), place(i + 1)}, u - 0.5 - from};
}

/// A sample of `axes` dimensions.
inline double reference_sample(const ReferenceImage& image, const std::array<Addressing, 3>& modes,
                               const std::array<double, 3>& at, unsigned axes, bool normalized,
                               bool linear, bool round) {
    ReferenceTaps taps[3];
    for (unsigned a = 0; a < axes; ++a)
        taps[a] = reference_axis(modes[a], at[a], normalized, image.size[a], linear, round);
    double sum = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        double weight = 1;
        int place[3];
        for (unsigned a = 0; a < 3; ++a) {
            const unsigned second = corner >> a & 1;
            weight *= second ? taps[a].share : 1 - taps[a].share;
            place[a] = taps[a].index[second];
        }
        if (weight > 0) sum += weight * image.at(place[0], place[1], place[2]);
    }
    return sum;
}

}  // namespace gen9::sampler::test
