// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/draw.h"
#include "interconnect/payload/set_up_object.h"

namespace gen9 {

/// What a pixel thread has beside its registers, from its dispatch to its retirement. Pixel
/// dispatch owns it; render target and pixel interpolator find it by the message's sender.
struct PixelRecord {
    static constexpr unsigned kSubspans = 8;
    static constexpr unsigned kSlots = 4 * kSubspans;
    /// 2x2 pixels: slots 4 * n to 4 * n + 3, in the order of WM-23.
    struct Subspan {
        std::uint16_t x = 0, y = 0;  ///< the upper left pixel
        std::uint8_t sample = 0;     ///< that the slots are for, where each sample has its own
        bool used = false;
        std::array<std::uint16_t, 4> covered{};  ///< samples of each pixel, after early tests
        /// All samples of each pixel that the object covers, before any test: where the centroid is.
        std::array<std::uint16_t, 4> rasterised{};
    };
    const Draw* draw = nullptr;
    const SetUpObject* object = nullptr;
    std::uint64_t order = 0;  ///< of the object in the machine
    std::uint8_t slice = 0;
    std::uint8_t width = 8;  ///< slots: 8, 16 or 32
    std::uint8_t samples = 1;
    bool per_sample = false;  ///< a slot is a sample
    std::uint32_t lit = 0;    ///< slots of pixels that are to be drawn; others are helpers
    /// Depth and stencil have been tested and written: no message does it again.
    bool depth_done = true;
    std::array<Subspan, kSubspans> subspans;
};

}  // namespace gen9
