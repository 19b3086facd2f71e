// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace gen9::vme {

/// How the difference of two 4x4 blocks is measured (VME-18, VME-29).
enum class Measure : std::uint8_t { Sad, Haar, HaarWithoutDc };
constexpr Measure measure_of(bool haar, bool without_dc) {
    return !haar ? Measure::Sad : without_dc ? Measure::HaarWithoutDc : Measure::Haar;
}

/// The distortion of a 4x4 block.
std::uint32_t distortion_4x4(const std::uint8_t* a, std::size_t a_stride, const std::uint8_t* b,
                             std::size_t b_stride, Measure measure);

/// The distortion of a block of whole 4x4 blocks; sizes in pixels.
std::uint32_t distortion(const std::uint8_t* a, std::size_t a_stride, const std::uint8_t* b,
                         std::size_t b_stride, unsigned width, unsigned height, Measure measure);

/// The sum of absolute coefficients of the Haar transform of 16 differences, scaled.
std::uint32_t haar_4x4(const std::int32_t (&difference)[16], bool without_dc);

}  // namespace gen9::vme
