// SPDX-License-Identifier: Apache-2.0
#include "surface/layout.h"

namespace gen9::surface {

namespace {

namespace state = packets::render_surface_state;

/// One-dimensional levels begin at multiples of so many elements (Public: mesa isl, Gen9 1D).
constexpr std::uint32_t kAlign1d = 64;

std::uint32_t align_up(std::uint32_t value, std::uint32_t to) {
    return (value + to - 1) / to * to;
}

/// Byte offsets of a 64 KB tile's mip tail by slot; a 4 KB tile has those from slot 4 on (Public:
/// mesa isl).
constexpr std::uint16_t kTail2d[] = {32768, 16384, 8192, 4096, 2048, 1536, 1280, 1024,
                                     768,   512,   256,  192,  128,  64,   0};
constexpr std::uint16_t kTail3d[] = {32768, 16384, 8192, 4096, 2048, 1024, 768, 512,
                                     448,   384,   320,  256,  192,  128,  64,  0};

bool volume(const Surface& s) {
    return s.type == state::SURFTYPE_3D;
}

/// Levels of a one-dimensional surface lie in a row, and its slices count elements. With tiles it
/// lies as one of two dimensions that is a row high (Public: Mesa's isl; drivers have such for
/// depth, which has no other tiling).
bool row_of_levels(const Surface& s) {
    return s.type == state::SURFTYPE_1D && s.tiling == Tiling::Linear;
}

}  // namespace

/// Level 1 is below level 0, the others are in a column to the right of level 1 (DP-061 names the
/// offset; Public: mesa isl, Gen4 2D layout, which Gen9 has for 2D, cube and 3D surfaces). With
/// standard tiles each begins on a tile.
Corner level_corner(const Surface& s, unsigned level, const Element& element) {
    const auto columns = [&](unsigned n) {
        return (minify(s.width, n) + element.block_width - 1) / element.block_width;
    };
    const auto rows = [&](unsigned n) {
        return (minify(s.height, n) + element.block_height - 1) / element.block_height;
    };
    Corner corner;
    if (row_of_levels(s)) {
        for (unsigned n = 0; n < level; ++n)
            corner.x += align_up(columns(n), kAlign1d);
        return corner;
    }
    if (level == 0) return corner;
    std::uint32_t align_width = s.align_width, align_height = s.align_height;
    if (s.standard_tiles()) {
        const TileSize tile = standard_tile(s.tiling, element.bytes, volume(s));
        align_width = tile.width_bytes / element.bytes;
        align_height = tile.height;
    }
    corner.y = align_up(rows(0), align_height);
    if (level == 1) return corner;
    corner.x = align_up(columns(1), align_width);
    for (unsigned n = 2; n < level; ++n)
        corner.y += align_up(rows(n), align_height);
    return corner;
}

LevelPlace level_place(const Surface& s, unsigned level, const Element& element) {
    LevelPlace place;
    const bool standard = s.standard_tiles();
    // One-dimensional standard tiles and their samples: no source says how they lie.
    if (standard && (s.type == state::SURFTYPE_1D || s.multisampled())) {
        place.known = false;
        return place;
    }
    const bool tail = standard && level >= s.tail_level;
    const Corner corner = level_corner(s, tail ? s.tail_level : level, element);
    place.x_bytes = (corner.x + s.x_offset) * element.bytes;
    place.y = corner.y + s.y_offset;
    if (!tail) return place;
    const unsigned slot = level - s.tail_level + (s.tiling == Tiling::Yf ? 4 : 0);
    const unsigned slots = volume(s) ? std::size(kTail3d) : std::size(kTail2d);
    if (slot >= slots) {
        place.known = false;
        return place;
    }
    const TilePlace within =
        place_in_tile(s.tiling, element.bytes, volume(s), (volume(s) ? kTail3d : kTail2d)[slot]);
    place.x_bytes += within.x;
    place.y += within.y;
    place.z = within.z;
    return place;
}

std::uint64_t element_address(const Surface& s, const LevelPlace& level, unsigned element_bytes,
                              std::uint64_t x, std::uint64_t y, std::uint64_t slice,
                              unsigned sample) {
    // The samples of a pixel have planes of their own, or lie side by side in one.
    const std::uint64_t plane = (s.planar ? slice * s.samples + sample : slice) * s.qpitch_rows;
    // The distance of array slices of a 1D surface counts elements (Public: mesa isl, get_qpitch).
    if (row_of_levels(s)) return s.base + plane * element_bytes + level.x_bytes + x;
    const std::uint64_t line = s.line_offset + (s.line_stride + 1ull) * y;
    const Layout layout = s.layout(element_bytes);
    if (s.standard_tiles() && volume(s))
        return s.base + volume_offset(layout, s.qpitch_rows, level.x_bytes + x, level.y + line,
                                      level.z + slice);
    return s.base + tile_offset(layout, level.x_bytes + x, plane + level.y + line);
}

}  // namespace gen9::surface
