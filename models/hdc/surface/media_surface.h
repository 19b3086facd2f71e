// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/decode/decode.h"
#include "hdc/surface/place_element.h"
#include "hdc/surface/shared.h"

namespace gen9::hdc {

/// A surface as media messages see it: rows of bytes, lines of one field or of both, and pixels
/// outside that repeat the nearest one inside (003:5278-5344).
class MediaSurface {
  public:
    MediaSurface(const Decoded& decoded, const Surface& surface);

    /// Says why no media message may use it, for its format or shape; null when one may.
    const char* refuse() const;
    unsigned pixel_bytes() const { return pixel_; }
    bool inside(std::int64_t x, std::int64_t y) const {
        return x >= 0 && x < width_ && y >= 0 && y < height_;
    }
    /// Byte column x of row y, both inside, has this address.
    std::uint64_t address(std::int64_t x, std::int64_t y) const;
    /// A read finds a pixel wherever it looks (DP-096, DP-180).
    std::uint64_t nearest(std::int64_t x, std::int64_t y) const;

  private:
    std::int64_t nearest_column(std::int64_t x) const;
    std::int64_t nearest_line(std::int64_t y) const;
    std::uint64_t address_of_line(std::int64_t x, std::int64_t line) const;

    const Surface& s_;
    unsigned pixel_;               ///< bytes; 0: not a format of media messages
    std::int64_t width_, height_;  ///< bytes, addressable rows
    unsigned stride_, first_line_;
};

}  // namespace gen9::hdc
