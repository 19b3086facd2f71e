// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/lod.h"

#include <algorithm>
#include <cmath>

namespace gen9::sampler {

namespace {

std::int32_t floor_lod(std::int32_t lod) {
    return lod & ~(kLodOne - 1);
}
std::int32_t ceil_lod(std::int32_t lod) {
    return floor_lod(lod + kLodOne - 1);
}

}  // namespace

std::int32_t lod_of_float(float lod) {
    if (std::isnan(lod)) return 0;
    const double steps =
        std::clamp(double{lod} * kLodOne, -double{kFarthestLod}, double{kFarthestLod});
    return static_cast<std::int32_t>(std::floor(steps + 0.5));
}

std::int32_t lod_of_length(double texels) {
    if (!(texels > 0)) return -kFarthestLod;
    const double steps =
        std::clamp(std::log2(texels) * kLodOne, -double{kFarthestLod}, double{kFarthestLod});
    return static_cast<std::int32_t>(std::floor(steps + 0.5));
}

LodChoice choose_lod(const SampledSurface& surface, const SamplerState& sampler, std::int32_t lod,
                     std::int32_t least) {
    // SMP-12.
    const std::int32_t count = surface.last_level * kLodOne;
    const std::int32_t min_lod = std::max(sampler.min_lod, least);
    const std::int32_t adjusted_max = std::min(sampler.max_lod, count);
    const std::int32_t resource_min = surface.resource_min_lod - surface.raw.min_lod * kLodOne;
    const std::int32_t adjusted_min = std::max(std::min(min_lod, count), resource_min);
    LodChoice choice;
    choice.out_of_bounds = resource_min > count;
    // SMP-14: the maximum first.
    if (sampler.pre_clamp == PreClamp::D3d)
        lod = std::max(std::min(lod, adjusted_max), adjusted_min);
    else if (sampler.pre_clamp == PreClamp::Ogl)
        lod = std::max(std::min(lod, sampler.max_lod), min_lod);
    choice.magnified = lod - surface.base_lod <= 0;
    if (sampler.mip == MipFilter::None || (choice.magnified && sampler.mag_clamp_none)) {
        lod = std::max(std::min(0, ceil_lod(adjusted_max)), floor_lod(adjusted_min));
    } else if (sampler.mip == MipFilter::Nearest) {
        lod = std::max(std::min(lod, ceil_lod(adjusted_max)), floor_lod(adjusted_min));
        lod = floor_lod(lod + kLodOne / 2);
    } else {
        lod = std::max(std::min(lod, adjusted_max), adjusted_min);
        choice.beta = static_cast<std::uint16_t>(lod & (kLodOne - 1));
    }
    if (choice.out_of_bounds) lod = choice.beta = 0;
    choice.clamped = lod;
    // SMP-19. Levels beyond the last that a surface can have do not exist.
    const std::int32_t level = (std::max(lod, 0) >> 8) + surface.raw.min_lod;
    constexpr std::int32_t kLast = surface::kLevels - 1;
    if (level >= kLast) choice.beta = 0;
    choice.level = static_cast<std::uint8_t>(std::min(level, kLast));
    return choice;
}

Axes isotropic_axes(const Gradients& g) {
    // Products of singles' differences and of sizes: their squares are far from a double's ends.
    const auto square = [](const double(&d)[3]) { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; };
    Axes axes;
    axes.lod_length = std::sqrt(std::max(square(g.dx), square(g.dy)));
    return axes;
}

Axes anisotropic_axes(const Gradients& g, unsigned max_ratio, bool ewa) {
    double major = std::hypot(g.dx[0], g.dx[1]), minor = std::hypot(g.dy[0], g.dy[1]);
    double x = g.dx[0], y = g.dx[1];
    if (ewa) {
        // The singular values of the matrix of derivatives, and the direction of the larger.
        const double xx = g.dx[0] * g.dx[0] + g.dy[0] * g.dy[0];
        const double yy = g.dx[1] * g.dx[1] + g.dy[1] * g.dy[1];
        const double xy = g.dx[0] * g.dx[1] + g.dy[0] * g.dy[1];
        const double mean = (xx + yy) / 2, spread = std::hypot((xx - yy) / 2, xy);
        major = std::sqrt(mean + spread);
        minor = std::sqrt(std::max(mean - spread, 0.0));
        const double angle = std::atan2(2 * xy, xx - yy) / 2;
        x = std::cos(angle);
        y = std::sin(angle);
    } else if (minor > major) {
        std::swap(major, minor);
        x = g.dy[0];
        y = g.dy[1];
    }
    Axes axes;
    if (!(major > 0) || std::isinf(major)) {
        axes.lod_length = major;
        return axes;
    }
    minor = std::max(minor, major / max_ratio);
    axes.ratio = major / minor;
    axes.lod_length = minor;
    const double length = std::hypot(x, y);
    axes.along[0] = x / length;
    axes.along[1] = y / length;
    return axes;
}

}  // namespace gen9::sampler
