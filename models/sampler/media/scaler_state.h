// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/sampler_state_8x8.h"

namespace gen9::sampler::media {

/// The filter of a channel in one direction, in 64ths.
inline constexpr unsigned kTaps = 8;
using Taps = std::array<std::int8_t, kTaps>;

/// SAMPLER_STATE_8x8_AVS, decoded once (SMP-250).
struct ScalerState {
    static constexpr unsigned kPhases = packets::sampler_state_8x8_avs_coefficients::kPhases;
    /// Coefficients of one table by direction (x, y) and phase.
    using Table = std::array<std::array<Taps, kPhases>, 2>;
    Table eight{};  ///< table 0
    Table four{};   ///< table 1, whose taps are 2 to 5
    Table inner{};  ///< taps 2 to 5 of table 0
    packets::sampler_state_8x8_avs::EightTap taps{};
    std::uint8_t sharpness = 0;
    bool adaptive = false;  ///< the filter depends on the pixels
    bool shuffled = false;  ///< Shuffle_OutputWriteback

    bool eight_taps(unsigned channel) const;
    /// The table of a channel, R first.
    const Table& table(unsigned channel) const;
};

ScalerState read_scaler_state(std::span<const std::uint32_t> dwords);

}  // namespace gen9::sampler::media
