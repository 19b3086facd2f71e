// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "vme/message/shapes.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// Pixels on each side of a block that its fractional samples are made of.
inline constexpr std::int32_t kTapsBefore = 1, kTapsBehind = 2;

/// A patch with its half samples: predictions are read or averaged from them.
/// Spec     VME-16, VME-29; 003:9369. Taps, order and missing rounding terms are those of results of
///          parts
class Samples {
  public:
    Samples(const Patch& patch, bool bilinear);

    /// The prediction of a block at a place of the picture in quarter pixels; its taps lie in the
    /// patch. `out`: rows of 16.
    void predict(std::int32_t x, std::int32_t y, unsigned width, unsigned height,
                 std::uint8_t* out) const;

  private:
    void filter_rows(const std::uint8_t* from, std::uint8_t* to) const;
    void filter_columns(const std::uint8_t* from, std::uint8_t* to) const;
    /// The sample at a place in half pixels of the patch.
    const std::uint8_t* half(std::int32_t x, std::int32_t y) const {
        return planes_[static_cast<std::size_t>(y & 1) * 2 + static_cast<std::size_t>(x & 1)] +
               (y >> 1) * static_cast<std::int32_t>(width_) + (x >> 1);
    }

    const Patch& patch_;
    const std::uint32_t width_, height_;
    const bool bilinear_;
    std::vector<std::uint8_t> bytes_;
    std::array<const std::uint8_t*, 4> planes_{};  ///< by half in y, half in x
};

/// The half sample between the second and third of four pixels.
std::uint8_t half_sample(int a, int b, int c, int d);

/// The weighted mean of two predictions (VME-54); rows of 16. `weight`: of the backward one, of 64.
void mix(const std::uint8_t* forward, const std::uint8_t* backward, unsigned weight, unsigned width,
         unsigned height, std::uint8_t* out);

}  // namespace gen9::vme
