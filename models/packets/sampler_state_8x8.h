// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "packets/overlap.h"

/// SAMPLER_STATE_8x8_AVS and its coefficients, as rows: the state of sample_8x8 messages that scale.
/// The seeds name the structures (003:10059-10075); their places are Public: Skylake PRM, volume 2d.
namespace gen9::packets {

namespace sampler_state_8x8_avs {
inline constexpr const char* kSource = "Public: Skylake PRM, volume 2d, SAMPLER_STATE_8x8_AVS";
inline constexpr unsigned kDwords = 280;
/// States lie this far apart: 128 elements of 16 bytes (003:10073-10075).
inline constexpr unsigned kSpacingBytes = 128 * 16;

// The edge filter and skin tones.
inline constexpr Field GainFactor{"GainFactor", 0, 5, 0, Kind::Uint, kSource};
inline constexpr Field WeakEdgeThreshold{"WeakEdgeThreshold", 0, 11, 6, Kind::Uint, kSource};
inline constexpr Field StrongEdgeThreshold{"StrongEdgeThreshold", 0, 17, 12, Kind::Uint, kSource};
inline constexpr Field R3xCoefficient{"R3xCoefficient", 0, 22, 18, Kind::Uint, kSource};
inline constexpr Field R3cCoefficient{"R3cCoefficient", 0, 27, 23, Kind::Uint, kSource};
inline constexpr Field GlobalNoiseEstimation{"GlobalNoiseEstimation", 2, 7, 0, Kind::Uint, kSource};
inline constexpr Field NonEdgeWeight{"NonEdgeWeight", 2, 10, 8, Kind::Uint, kSource};
inline constexpr Field RegularWeight{"RegularWeight", 2, 13, 11, Kind::Uint, kSource};
inline constexpr Field StrongEdgeWeight{"StrongEdgeWeight", 2, 16, 14, Kind::Uint, kSource};
inline constexpr Field R5xCoefficient{"R5xCoefficient", 2, 21, 17, Kind::Uint, kSource};
inline constexpr Field R5cxCoefficient{"R5cxCoefficient", 2, 26, 22, Kind::Uint, kSource};
inline constexpr Field R5cCoefficient{"R5cCoefficient", 2, 31, 27, Kind::Uint, kSource};

inline constexpr Field EightTapEnable{"EightTapEnable", 3, 29, 28, Kind::Enum, kSource};
inline constexpr Field SmoothEnable{"SmoothEnable", 3, 30, 30, Kind::Bool, kSource};
inline constexpr Field SkinToneTunedIEFEnable{
    "SkinToneTunedIEFEnable", 3, 31, 31, Kind::Bool, kSource};
inline constexpr Field ShuffleOutputWriteback{
    "ShuffleOutputWriteback", 4, 11, 11, Kind::Bool, kSource};

inline constexpr Field TransitionAreaWith8Pixels{
    "TransitionAreaWith8Pixels", 152, 2, 0, Kind::Uint, kSource};
inline constexpr Field TransitionAreaWith4Pixels{
    "TransitionAreaWith4Pixels", 152, 6, 4, Kind::Uint, kSource};
inline constexpr Field MaximumDerivative8Pixels{
    "MaximumDerivative8Pixels", 152, 15, 8, Kind::Uint, kSource};
inline constexpr Field MaximumDerivative4Pixels{
    "MaximumDerivative4Pixels", 152, 23, 16, Kind::Uint, kSource};
inline constexpr Field DefaultSharpnessLevel{
    "DefaultSharpnessLevel", 152, 31, 24, Kind::Uint, kSource};
inline constexpr Field RGBAdaptive{"RGBAdaptive", 153, 0, 0, Kind::Bool, kSource};
inline constexpr Field AdaptiveFilterForAllChannels{
    "AdaptiveFilterForAllChannels", 153, 1, 1, Kind::Bool, kSource};
inline constexpr Field BypassYAdaptiveFiltering{
    "BypassYAdaptiveFiltering", 153, 21, 21, Kind::Bool, kSource};
inline constexpr Field BypassXAdaptiveFiltering{
    "BypassXAdaptiveFiltering", 153, 22, 22, Kind::Bool, kSource};

inline constexpr std::array kFields{
    &GainFactor,
    &WeakEdgeThreshold,
    &StrongEdgeThreshold,
    &R3xCoefficient,
    &R3cCoefficient,
    &GlobalNoiseEstimation,
    &NonEdgeWeight,
    &RegularWeight,
    &StrongEdgeWeight,
    &R5xCoefficient,
    &R5cxCoefficient,
    &R5cCoefficient,
    &EightTapEnable,
    &SmoothEnable,
    &SkinToneTunedIEFEnable,
    &ShuffleOutputWriteback,
    &TransitionAreaWith8Pixels,
    &TransitionAreaWith4Pixels,
    &MaximumDerivative8Pixels,
    &MaximumDerivative4Pixels,
    &DefaultSharpnessLevel,
    &RGBAdaptive,
    &AdaptiveFilterForAllChannels,
    &BypassYAdaptiveFiltering,
    &BypassXAdaptiveFiltering,
};
inline constexpr Structure kStructure{"SAMPLER_STATE_8x8_AVS", kDwords, kFields};
static_assert(well_formed(kStructure));

enum EightTap : std::uint32_t {
    FOUR_TAPS = 0,           ///< in all channels
    ADAPTIVE_8_TAP_G = 1,    ///< eight in G, four in the others
    EIGHT_TAPS = 2,          ///< in all channels
    ADAPTIVE_8_TAP_ALL = 3,  ///< in all channels
};
}  // namespace sampler_state_8x8_avs

/// The coefficients of a phase. They have a sign, an integer bit and six bits of fraction.
namespace sampler_state_8x8_avs_coefficients {
inline constexpr const char* kSource =
    "Public: Skylake PRM, volume 2d, SAMPLER_STATE_8x8_AVS_COEFFICIENTS";
inline constexpr unsigned kDwords = 8, kPhases = 32, kOne = 64;
/// The DWord of the state in which a phase begins: 0 to 16 lie together, and so do the others.
constexpr unsigned first_dword(unsigned phase) {
    return phase <= 16 ? 16 + kDwords * phase : 160 + kDwords * (phase - 17);
}
inline constexpr FieldArray Table0XFilterCoefficient{
    {"Table0XFilterCoefficient", 0, 7, 0, Kind::Int, kSource}, 8, 16};
inline constexpr FieldArray Table0YFilterCoefficient{
    {"Table0YFilterCoefficient", 0, 15, 8, Kind::Int, kSource}, 8, 16};
// Taps 2 to 5.
inline constexpr FieldArray Table1XFilterCoefficient{
    {"Table1XFilterCoefficient", 4, 23, 16, Kind::Int, kSource}, 4, 8};
inline constexpr FieldArray Table1YFilterCoefficient{
    {"Table1YFilterCoefficient", 6, 23, 16, Kind::Int, kSource}, 4, 8};
}  // namespace sampler_state_8x8_avs_coefficients

}  // namespace gen9::packets
