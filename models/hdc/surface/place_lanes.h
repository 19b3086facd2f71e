// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "hdc/surface/shared.h"

namespace gen9::hdc {

/// A part of a surface that lies in one piece of the host's memory.
struct ElementWindow {
    std::uint32_t begin = 0;  ///< bytes behind the surface's base
    std::uint32_t room = 0;   ///< an element may begin so many bytes behind, and no farther
    std::uint8_t* host = nullptr;
};

/// Finds where the elements of eight slots lie, all at once, on surfaces as most are: of two
/// dimensions or of slices of those, with one sample, in linear, X or Y tiles, at the level that
/// level 0 of a message means. place_element says the same of one slot, on all surfaces.
class LanePlacer {
  public:
    static constexpr unsigned kLanes = 8;
    using Lanes = std::array<std::uint32_t, kLanes>;

    /// `usable` is true of such a surface if its offsets have 32 bits, else false.
    LanePlacer() = default;
    explicit LanePlacer(const Surface& surface);
    bool usable() const { return usable_; }

    struct Places {
        std::uint32_t low;  ///< of the first element: bytes behind the surface's base
        std::uint32_t farthest;
        Lanes
            offset;  ///< bytes behind the first, at most `farthest`; of a slot that is off, any other's
    };
    /// Registers with U, V, R and LOD of the slots (DP-062).
    using Parameters = std::array<const std::uint8_t*, 4>;
    static constexpr std::uint8_t kNone[sizeof(Lanes)]{};  ///< of a parameter that is missing
    /// `active` is not 0. False: a slot lies outside, or has a level of its own.
    bool find(const Parameters& parameters, std::uint32_t active, Places& places) const;
    /// The same of a message all of whose slots are active and have their elements in a window:
    /// `offset` counts bytes from there on. False: it is no such message, or the host has no
    /// instructions for it.
    bool find_inside(const Parameters& parameters, const ElementWindow& window,
                     Lanes& offset) const {
        return by_eight_ && find_by_eight(parameters, window, offset);
    }

  private:
    bool find_by_eight(const Parameters& parameters, const ElementWindow& window,
                       Lanes& offset) const;

    bool by_eight_ = false;  ///< the surface is usable, and the host has AVX2
    bool usable_ = false, layered_ = false;
    surface::Tiling tiling_ = surface::Tiling::Linear;
    std::uint32_t width_ = 0, height_ = 0, slices_ = 0;
    std::uint32_t x_bytes_ = 0, y_ = 0;  ///< of the level's first element
    std::uint32_t element_bytes_ = 0, pitch_ = 0, slice_rows_ = 0;
};

}  // namespace gen9::hdc
