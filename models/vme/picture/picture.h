// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "surface/media_surface.h"

namespace gen9::vme {

/// What a pixel of a patch is: a byte of luma, or a pair of Cb and Cr.
enum class Plane : std::uint8_t { Luma, Chroma };

/// MEDIA_SURFACE_STATE as motion estimation uses it (VME-05).
struct Picture : surface::MediaSurface {
    bool luma = false;    ///< the format has a plane of luma bytes
    bool chroma = false;  ///< and planes of chroma at half resolution in both directions
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
