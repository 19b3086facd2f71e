// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/scaler_state.h"

#include "sampler/media/inputs.h"

namespace gen9::sampler::media {

bool ScalerState::eight_taps(unsigned channel) const {
    using enum packets::sampler_state_8x8_avs::EightTap;
    return taps == EIGHT_TAPS || taps == ADAPTIVE_8_TAP_ALL ||
           (taps == ADAPTIVE_8_TAP_G && channel == kGreen);
}

// Table 1 has four taps, so channels with eight have those of table 0 (Assumed).
const ScalerState::Table& ScalerState::table(unsigned channel) const {
    return eight_taps(channel) ? eight : channel == kGreen ? inner : four;
}

ScalerState read_scaler_state(std::span<const std::uint32_t> dwords) {
    namespace state = packets::sampler_state_8x8_avs;
    namespace coefficients = packets::sampler_state_8x8_avs_coefficients;
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    constexpr unsigned kFirstInner = 2, kInnerTaps = 4;
    ScalerState s;
    s.taps = static_cast<state::EightTap>(value(state::EightTapEnable));
    s.sharpness = static_cast<std::uint8_t>(value(state::DefaultSharpnessLevel));
    s.adaptive = s.taps != state::FOUR_TAPS && !(value(state::BypassXAdaptiveFiltering) &&
                                                 value(state::BypassYAdaptiveFiltering));
    s.shuffled = value(state::ShuffleOutputWriteback) != 0;
    for (unsigned phase = 0; phase < ScalerState::kPhases; ++phase) {
        const auto entry = dwords.subspan(coefficients::first_dword(phase), coefficients::kDwords);
        const auto tap = [&](const packets::FieldArray& row, unsigned i) {
            return static_cast<std::int8_t>(row.at(i).get(entry));
        };
        for (unsigned i = 0; i < kTaps; ++i) {
            s.eight[0][phase][i] = tap(coefficients::Table0XFilterCoefficient, i);
            s.eight[1][phase][i] = tap(coefficients::Table0YFilterCoefficient, i);
        }
        for (unsigned i = 0; i < kInnerTaps; ++i) {
            s.four[0][phase][kFirstInner + i] = tap(coefficients::Table1XFilterCoefficient, i);
            s.four[1][phase][kFirstInner + i] = tap(coefficients::Table1YFilterCoefficient, i);
            for (unsigned axis = 0; axis < 2; ++axis)
                s.inner[axis][phase][kFirstInner + i] = s.eight[axis][phase][kFirstInner + i];
        }
    }
    return s;
}

}  // namespace gen9::sampler::media
