// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "surface/tiling.h"

namespace gen9::surface {

/// MEDIA_SURFACE_STATE as motion estimation and the media sampler use it, with the stored "minus
/// one"s undone (SMP-249, VME-05).
struct MediaSurface {
    static constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;
    std::uint32_t format = 0;
    std::uint32_t width = 0, height = 0;  ///< pixels and lines of luma, of a field its own
    std::uint64_t base = 0;
    Layout layout;
    std::uint8_t mocs = 0;
    bool interleaved = false;          ///< Cb and Cr alternate in one plane
    bool half_pitch = false;           ///< the pitch of planes of chroma is half that of luma
    std::uint32_t cb_x = 0, cb_y = 0;  ///< bytes and rows from the base
    std::uint32_t cr_x = 0, cr_y = 0;
    bool state_field = false;     ///< the state itself shows one field
    std::uint8_t first_line = 0;  ///< of that field
    std::uint8_t rotation = 0;    ///< quarter turns
    bool mirror = false;          ///< outside the picture; else its edge is repeated
    /// Where the first chroma lies, right of and below the first luma, in quarters of a pixel.
    std::array<std::uint8_t, 2> chroma_offset{};
    bool unmodelled = false;  ///< compressed, or with an offset

    /// Address of a byte of the first plane.
    std::uint64_t luma_address(std::uint32_t x, std::uint32_t row) const {
        return (base + tile_offset(layout, x, row)) & kAddressMask;
    }
    /// Address of the Cb or Cr byte of a pixel of the chroma planes.
    std::uint64_t chroma_address(bool cr, std::uint32_t x, std::uint32_t row) const;
};

MediaSurface read_media_surface(std::span<const std::uint32_t> dwords);

}  // namespace gen9::surface
