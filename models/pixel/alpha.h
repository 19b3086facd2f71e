// SPDX-License-Identifier: Apache-2.0
/// What a pixel's alpha does to its samples: coverage and test.
///
/// The order is that of 003:16433-16466: alpha to coverage, alpha to one, alpha test. So with alpha
/// to one the test sees 1.
#pragma once
#include <array>
#include <cstdint>

#include "formats/elements.h"
#include "pixel/color_state.h"

namespace gen9::pixel {

/// Masks of samples, of a row of pixels.
using SampleMasks = std::array<std::uint16_t, formats::kLanes>;
/// Float bits, of a row of pixels.
using AlphaRow = std::array<std::uint32_t, formats::kLanes>;

/// Samples that an alpha covers (CC-03); all of them if there is only one. The dither bit changes
/// nothing.
/// Source  Public: mesa, brw_nir_lower_alpha_to_coverage.c, which has the hardware's mask.
std::uint16_t alpha_coverage(float alpha, unsigned samples);
void alpha_to_coverage(const AlphaRow& alpha, unsigned samples, SampleMasks& masks);

/// Is alpha to coverage in use? A mask that the shader makes wins over it (CC-06).
constexpr bool covers_by_alpha(const ColorState& state, bool shader_mask, bool shader_disables) {
    return state.alpha_to_coverage && !shader_mask && !shader_disables;
}

/// Lanes whose alpha passes (CC-07, CC-08).
std::uint32_t alpha_test(const ColorState& state, const AlphaRow& alpha);

}  // namespace gen9::pixel
