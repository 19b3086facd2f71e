// SPDX-License-Identifier: Apache-2.0
#include "surface/auxiliary.h"

#include "surface/layout.h"

namespace gen9::surface {

namespace {

constexpr std::uint32_t kLevelWidth = 128, kLevelHeight = 64;  ///< alignment of levels, in pixels
constexpr std::uint64_t kTileBytes = 4096;

std::uint64_t bit(std::uint64_t value, unsigned from, unsigned to) {
    return (value >> from & 1) << to;
}

/// Where the pixels of a level begin.
Corner corner_of(const Auxiliary& ccs, unsigned level) {
    Surface main;
    main.type = packets::render_surface_state::SURFTYPE_2D;
    main.width = ccs.width;
    main.height = ccs.height;
    main.align_width = kLevelWidth;
    main.align_height = kLevelHeight;
    return level_corner(main, level);
}

}  // namespace

ElementRange ccs_elements(const Auxiliary& ccs, unsigned pixel_bytes, unsigned level,
                          std::uint32_t slice, const PixelRectangle& pixels) {
    const Corner corner = level == 0 ? Corner{} : corner_of(ccs, level);
    const ElementSize size = element_size(pixel_bytes);
    const std::uint64_t x = corner.x + pixels.x,
                        y = corner.y + pixels.y + std::uint64_t{slice} * ccs.qpitch_rows;
    return {x / size.width, (x + pixels.width - 1) / size.width, y / size.height,
            (y + pixels.height - 1) / size.height};
}

std::uint64_t ccs_byte(const Auxiliary& ccs, std::uint64_t u, std::uint64_t v) {
    const std::uint64_t tile = (v >> 7) * ccs.tiles_per_row + (u >> 7);
    const std::uint64_t byte = bit(u, 6, 11) | bit(u, 5, 10) | bit(u, 4, 9) | bit(v, 6, 8) |
                               bit(v, 5, 7) | bit(v, 4, 6) | bit(v, 3, 5) | bit(v, 2, 4) |
                               bit(v, 1, 3) | bit(u, 3, 2) | bit(u, 2, 1) | bit(u, 1, 0);
    return ccs.base + tile * kTileBytes + byte;
}

std::uint64_t ccs_line(const Auxiliary& ccs, std::uint64_t column, std::uint64_t row) {
    constexpr std::uint64_t kLineMask = ElementRange::kLine - 1;
    return ccs_byte(ccs, column & ~kLineMask, row & ~kLineMask);
}

ElementPlace ccs_element_at(const Auxiliary& ccs, std::uint64_t column, std::uint64_t row) {
    return {ccs_byte(ccs, column, row),
            static_cast<std::uint8_t>(2 * (2 * (row & 1) + (column & 1)))};
}

ElementPlace ccs_element(const Auxiliary& ccs, unsigned pixel_bytes, unsigned level,
                         std::uint32_t slice, std::uint32_t x, std::uint32_t y) {
    const ElementRange at = ccs_elements(ccs, pixel_bytes, level, slice, {x, y, 1, 1});
    return ccs_element_at(ccs, at.first_column, at.first_row);
}

PixelRectangle ccs_clear_pixels(unsigned pixel_bytes, std::uint32_t x, std::uint32_t y) {
    const ElementSize size = element_size(pixel_bytes);
    const std::uint32_t width = 8u * size.width, height = 8u * size.height;
    return {x * width, y * height, width, height};
}

PixelRectangle mcs_clear_pixels(unsigned samples, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t width = samples <= 4 ? 8 : samples == 8 ? 2 : 1;
    return {x * width, y * 2, width, 2};
}

std::uint64_t mcs_texel(const Auxiliary& mcs, unsigned samples, std::uint32_t layer,
                        std::uint32_t x, std::uint32_t y) {
    const Layout layout{Tiling::Y, mcs.tiles_per_row * 128, 1};
    return mcs.base + tile_offset(layout, std::uint64_t{x} * mcs_bytes(samples),
                                  std::uint64_t{layer} * mcs.qpitch_rows + y);
}

bool mcs_holds(const Auxiliary& mcs, unsigned samples, std::uint32_t x, std::uint32_t y) {
    return (x + std::uint64_t{1}) * mcs_bytes(samples) <= std::uint64_t{mcs.tiles_per_row} * 128 &&
           (mcs.qpitch_rows == 0 || y < mcs.qpitch_rows);
}

}  // namespace gen9::surface
