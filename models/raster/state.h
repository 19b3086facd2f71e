// SPDX-License-Identifier: Apache-2.0
/// What the rasteriser knows of a draw's state, as values.
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/set_up_object.h"
#include "interpolation/multisample.h"

namespace gen9::raster {

using interpolation::SamplePlace;

struct State : interpolation::Samples {
    std::uint16_t sample_mask = 0xFFFF;
    bool conservative = false;
    bool inner = false;  ///< blocks tell which pixels lie wholly within a triangle
    std::array<std::uint32_t, 32> polygon_pattern{};
    std::uint8_t polygon_x = 0, polygon_y = 0;
    std::uint16_t line_pattern = 0xFFFF;
    std::uint16_t line_repeat = 1;  ///< 1 to 256
    bool legacy_diamonds = false;
};

}  // namespace gen9::raster
