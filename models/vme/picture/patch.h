// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "vme/picture/picture.h"

namespace gen9::vme {

/// A rectangle of pixels around a block. What lies outside the picture has the nearest pixel of its
/// edge (VME-08).
struct Patch {
    PictureView view;
    Plane plane = Plane::Luma;
    std::int32_t x = 0, y = 0;  ///< its first pixel in the picture, lines counted by the view
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> bytes;  ///< row by row; a pixel of chroma is Cb, then Cr

    unsigned bytes_per_pixel() const { return plane == Plane::Chroma ? 2 : 1; }
    std::size_t stride() const { return std::size_t{width} * bytes_per_pixel(); }
    /// The pixel at a place of the picture, which lies in the patch.
    const std::uint8_t* at(std::int32_t px, std::int32_t py) const {
        return bytes.data() + static_cast<std::size_t>(py - y) * stride() +
               static_cast<std::size_t>(px - x) * bytes_per_pixel();
    }
};

/// Calls `run(place, address, bytes)` for each run of bytes of the patch that lie one after the
/// other within a line of memory; `place`: where they go in Patch::bytes. What lies outside the
/// picture is left out.
template <class Run>
void for_each_run(const Patch& patch, Run run) {
    const Picture& picture = patch.view.picture;
    const bool chroma = patch.plane == Plane::Chroma;
    const auto columns =
        static_cast<std::int32_t>(chroma ? (patch.view.width + 1) / 2 : patch.view.width);
    const auto lines =
        static_cast<std::int32_t>(chroma ? (patch.view.height + 1) / 2 : patch.view.height);
    const auto width = static_cast<std::int32_t>(patch.width);
    const auto height = static_cast<std::int32_t>(patch.height);
    // The columns and lines whose pixels are asked for, and those at the edge that stand for others.
    const std::int32_t first_x = std::clamp(patch.x, 0, columns - 1);
    const std::int32_t last_x = std::clamp(patch.x + width - 1, 0, columns - 1);
    const std::int32_t first_y = std::clamp(patch.y, 0, lines - 1);
    const std::int32_t last_y = std::clamp(patch.y + height - 1, 0, lines - 1);
    for (std::int32_t line = first_y; line <= last_y; ++line) {
        const auto row = static_cast<std::uint32_t>(patch.view.first + line * patch.view.step);
        const auto place_row = static_cast<std::size_t>(std::clamp(line - patch.y, 0, height - 1));
        const auto place = [&](std::int32_t column) {
            return place_row * patch.stride() +
                   static_cast<std::size_t>(std::clamp(column - patch.x, 0, width - 1)) *
                       patch.bytes_per_pixel();
        };
        if (chroma) {
            for (std::int32_t x = first_x; x <= last_x; ++x)
                for (unsigned cr = 0; cr < 2; ++cr)
                    run(place(x) + cr,
                        picture.chroma_address(cr != 0, static_cast<std::uint32_t>(x), row), 1u);
            continue;
        }
        // Every tiling keeps sixteen bytes of a row together.
        for (std::int32_t x = first_x; x <= last_x;) {
            const std::uint64_t address = picture.luma_address(static_cast<std::uint32_t>(x), row);
            const auto bytes = static_cast<std::uint32_t>(
                std::min<std::uint64_t>({std::uint64_t{16} - (static_cast<std::uint32_t>(x) & 15),
                                         kLineBytes - (address & (kLineBytes - 1)),
                                         static_cast<std::uint64_t>(last_x - x + 1)}));
            run(place(x), address, bytes);
            x += static_cast<std::int32_t>(bytes);
        }
    }
}

/// Gives the pixels outside the picture those of its edge; the others are there.
void replicate_edges(Patch& patch);

}  // namespace gen9::vme
