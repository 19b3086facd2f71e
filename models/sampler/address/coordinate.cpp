// SPDX-License-Identifier: Apache-2.0
#include "sampler/address/coordinate.h"

#include <cmath>

namespace gen9::sampler {

namespace {
constexpr double kNear = 1 << 20;  ///< nearer numbers are left to the index, which is exact
}

double reduce(AddressMode mode, double u) {
    if (mode == AddressMode::MirrorOnce) return std::fabs(u);
    if (std::fabs(u) < kNear || (mode != AddressMode::Wrap && mode != AddressMode::Mirror))
        return u;
    if (!std::isfinite(u)) return 0;
    return u - 2 * std::floor(u / 2);  // two periods of WRAP are one of MIRROR
}

double reduce_texels(AddressMode mode, double t, std::int64_t size) {
    if (mode == AddressMode::MirrorOnce) return std::fabs(t);
    if (std::fabs(t) < kNear || (mode != AddressMode::Wrap && mode != AddressMode::Mirror))
        return t;
    return std::isfinite(t) ? std::fmod(t, 2.0 * static_cast<double>(size)) : 0;
}

std::uint32_t array_index(float index, std::uint32_t slices) {
    if (!(index > 0)) return 0;
    if (index >= static_cast<float>(slices - 1)) return slices - 1;
    const std::int64_t down = floor_of(double{index});
    const double rest = double{index} - static_cast<double>(down);
    const bool up = rest > 0.5 || (rest == 0.5 && (down & 1));
    return static_cast<std::uint32_t>(down + up);
}

}  // namespace gen9::sampler
