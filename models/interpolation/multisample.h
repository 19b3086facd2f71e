// SPDX-License-Identifier: Apache-2.0
/// Where in a pixel its samples are, and how multisampling places the tests of coverage.
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/pixel_batch.h"

namespace gen9::interpolation {

/// A place in a pixel, in 1/16 of it.
struct SamplePlace {
    std::uint8_t x = 8, y = 8;
};

/// The samples of a draw's pixels.
struct Samples {
    std::uint8_t samples = 1;     ///< 1, 2, 4, 8 or 16: masks of a block
    bool at_each_sample = false;  ///< coverage is tested at `places`; else once, for all samples
    SamplePlace pixel;            ///< where a pixel is tested and interpolated
    std::array<SamplePlace, kMaxSamples> places{};
};
/// The first sample that an object covers; `whole` of a pixel that it covers whole or not at all.
SamplePlace centroid(const Samples& samples, std::uint32_t covered, SamplePlace whole);

/// Fields that the mode follows from (WM-16, WM-17).
struct MultisampleFields {
    std::uint8_t api = 0;  ///< 0 DX9 and OpenGL, 1 DX10.0, 2 DX10.1 and later
    std::uint8_t samples = 1;
    std::uint8_t forced_samples = 0;  ///< 0: off; coverage has a rate of its own
    bool dx_enable = false;
    bool forced = false;  ///< the field itself is the mode
    MultisampleMode field = MultisampleMode::OffPixel;
    bool hz_op = false;
};
MultisampleMode multisample_mode(const MultisampleFields& fields);
/// The samples that can be lit (WM-15).
std::uint16_t sample_mask(unsigned samples, std::uint16_t mask);
/// Where pixels are tested: their centre or their upper left corner (SF-20, WM-14).
SamplePlace pixel_place(bool upper_left, bool offset_enable, unsigned samples);
/// The places of so many samples in the eight DWords behind 3DSTATE_SAMPLE_PATTERN's header (WM-22).
std::array<SamplePlace, kMaxSamples> sample_places(const std::array<std::uint32_t, 8>& dwords,
                                                   unsigned samples);

}  // namespace gen9::interpolation
