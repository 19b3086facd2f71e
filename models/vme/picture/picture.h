// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "surface/tiling.h"

namespace gen9::vme {

/// What a pixel of a patch is: a byte of luma, or a pair of Cb and Cr.
enum class Plane : std::uint8_t { Luma, Chroma };

/// MEDIA_SURFACE_STATE as motion estimation uses it, with the stored "minus one"s undone (VME-05).
struct Picture {
    static constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;
    std::uint32_t width = 0, height = 0;  ///< pixels and lines of luma
    std::uint64_t base = 0;
    surface::Layout layout;
    std::uint8_t mocs = 0;
    bool luma = false;         ///< the format has a plane of luma bytes
    bool chroma = false;       ///< and planes of chroma at half resolution in both directions
    bool interleaved = false;  ///< Cb and Cr alternate in one plane
    bool half_pitch = false;   ///< the pitch of planes of chroma is half that of luma
    std::uint32_t cb_x = 0, cb_y = 0;  ///< bytes and rows from the base
    std::uint32_t cr_x = 0, cr_y = 0;
    bool state_field = false;     ///< the state itself shows one field
    std::uint8_t first_line = 0;  ///< of that field
    bool unmodelled = false;      ///< compressed, or with an offset

    /// Address of a byte of luma.
    std::uint64_t luma_address(std::uint32_t x, std::uint32_t row) const {
        return (base + tile_offset(layout, x, row)) & kAddressMask;
    }
    /// Address of the Cb or Cr byte of a pixel of the chroma planes.
    std::uint64_t chroma_address(bool cr, std::uint32_t x, std::uint32_t row) const;
};

Picture read_picture(std::span<const std::uint32_t> dwords);

/// The lines of a picture that a message sees: all of them, or those of one field.
struct PictureView {
    Picture picture;
    std::uint32_t width = 0, height = 0;  ///< pixels and lines of luma that can be seen
    std::uint8_t first = 0, step = 1;     ///< row of line n: first + n * step
};

/// VME-11, VME-12. `field`: the message asks for one; a state that shows a field goes before it
/// (Assumed: no source says, and software uses one of them).
PictureView view_of(const Picture& picture, bool field, bool bottom);

}  // namespace gen9::vme
