// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "sampler/state/sampled_surface.h"
#include "sampler/state/sampler_state.h"

namespace gen9::sampler {

/// Levels of detail are fixed point with 8 bits of fraction.
inline constexpr std::int32_t kLodOne = 256;
/// None is farther from 0.
inline constexpr std::int32_t kFarthestLod = 32 * kLodOne;

/// A level of detail given as a float: the nearest step, at most 32 levels away; NaN is 0.
std::int32_t lod_of_float(float lod);
/// log2 of a footprint's length in texels; of 0 the least level.
std::int32_t lod_of_length(double texels);

/// A sample takes its texels from these levels.
struct LodChoice {
    std::uint8_t level = 0;      ///< the first, of the surface
    std::uint16_t beta = 0;      ///< share of the next level, in 1/256
    bool magnified = false;      ///< the mag filter is used
    bool out_of_bounds = false;  ///< texels are replaced by zeros
    std::int32_t clamped = 0;    ///< what the LOD message returns
};

/// The PRM's pseudocode (003:3128-3200) from the sum with the bias on. `least`: the message's own
/// minimum, 0 without one.
LodChoice choose_lod(const SampledSurface& surface, const SamplerState& sampler, std::int32_t lod,
                     std::int32_t least);

/// The projection of a pixel on the base level of a surface, texels.
struct Gradients {
    double dx[3]{}, dy[3]{};  ///< change of u, v, r by a pixel to the right and down
};
/// The axes of that projection (SMP-32).
struct Axes {
    double lod_length = 0;  ///< its logarithm is the level of detail
    double ratio = 1;       ///< of major and minor axis, at most the sampler's maximum
    double along[2]{};      ///< unit vector of the major axis
};
/// Isotropic: the longer of the two derivatives (SMP-08).
Axes isotropic_axes(const Gradients& gradients);
/// Anisotropic: the lengths of the derivatives, or with `ewa` the axes of their ellipse.
Axes anisotropic_axes(const Gradients& gradients, unsigned max_ratio, bool ewa);

}  // namespace gen9::sampler
