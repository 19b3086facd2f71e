// SPDX-License-Identifier: Apache-2.0
#include "surface/tiling.h"

#include <array>
#include <bit>

namespace gen9::surface {

namespace {

/// The letters of a 64 KB tile's address bits from bit 15 down, each the next higher bit of its
/// coordinate from the right; a 4 KB tile has the last twelve (003:5332-5342; 3D: Public: mesa
/// isl).
const char* tile_letters(unsigned element_bytes, bool volume) {
    if (volume)
        return element_bytes <= 2   ? "XYZXYZYZZZYYXXXX"
               : element_bytes <= 4 ? "XYZXYZXYZZYYXXXX"
                                    : "XYZXYZXXZZYYXXXX";
    return element_bytes == 1   ? "XYXYXYXYYYYYXXXX"
           : element_bytes <= 4 ? "XYXYXYXYXYYYXXXX"
                                : "XYXYXYXYXXYYXXXX";
}

/// The source of each address bit of a tile, and the tile's size.
struct StandardTile {
    unsigned bits = 12;
    unsigned width_log2 = 0, height_log2 = 0, depth_log2 = 0;
    std::uint8_t axis[16]{}, bit[16]{};
};

StandardTile make_tile(bool large, unsigned element_bytes, bool volume) {
    StandardTile tile;
    tile.bits = large ? 16 : 12;
    const char* const letters = tile_letters(element_bytes, volume);
    unsigned* const sizes[] = {&tile.width_log2, &tile.height_log2, &tile.depth_log2};
    for (unsigned n = 0; n < tile.bits; ++n) {
        tile.axis[n] = static_cast<std::uint8_t>(letters[15 - n] - 'X');
        tile.bit[n] = static_cast<std::uint8_t>((*sizes[tile.axis[n]])++);
    }
    return tile;
}

const StandardTile& find_tile(Tiling tiling, unsigned element_bytes, bool volume) {
    static const auto tiles = [] {
        std::array<StandardTile, 20> all;
        for (unsigned i = 0; i < all.size(); ++i)
            all[i] = make_tile(i & 1, 1u << (i >> 2), i >> 1 & 1);
        return all;
    }();
    const auto log2 = static_cast<unsigned>(std::bit_width(element_bytes)) - 1;
    return tiles[log2 << 2 | (volume ? 2u : 0u) | (tiling == Tiling::Ys ? 1u : 0u)];
}

std::uint64_t within_tile(const StandardTile& tile, std::uint64_t x, std::uint64_t y,
                          std::uint64_t z) {
    const std::uint64_t at[] = {x, y, z};
    std::uint64_t offset = 0;
    for (unsigned n = 0; n < tile.bits; ++n)
        offset |= (at[tile.axis[n]] >> tile.bit[n] & 1) << n;
    return offset;
}

std::uint64_t standard_offset(const Layout& layout, std::uint64_t x, std::uint64_t y) {
    const StandardTile& tile = find_tile(layout.tiling, layout.element_bytes, false);
    const std::uint64_t tiles_per_row = layout.pitch_bytes >> tile.width_log2;
    const std::uint64_t number = (x >> tile.width_log2) + (y >> tile.height_log2) * tiles_per_row;
    return number << tile.bits | within_tile(tile, x, y, 0);
}

/// 64 by 64 bytes, rows of 8 by 8 blocks, whose bits alternate between column and row. The pitch
/// counts two rows (Public: mesa isl, ISL_TILING_W).
std::uint64_t w_offset(std::uint32_t pitch, std::uint64_t x, std::uint64_t y) {
    const std::uint64_t number = (x >> 6) + (y >> 6) * (pitch >> 7);
    return number << 12 | (x >> 3 & 7) << 9 | (y >> 3 & 7) << 6 | (y >> 2 & 1) << 5 |
           (x >> 2 & 1) << 4 | (y >> 1 & 1) << 3 | (x >> 1 & 1) << 2 | (y & 1) << 1 | (x & 1);
}

}  // namespace

std::uint64_t tile_offset(const Layout& layout, std::uint64_t x, std::uint64_t y) {
    const std::uint32_t pitch = layout.pitch_bytes;
    switch (layout.tiling) {
        case Tiling::Y: {
            const TileByte at = in_y_tile(x, y);
            return (at.column + at.row * (pitch >> 7)) << 12 | at.offset;
        }
        case Tiling::X: {
            const TileByte at = in_x_tile(x, y);
            return (at.column + at.row * (pitch >> 9)) << 12 | at.offset;
        }
        case Tiling::W:
            return w_offset(pitch, x, y);
        case Tiling::Yf:
        case Tiling::Ys:
            return standard_offset(layout, x, y);
        case Tiling::Linear:
            break;
    }
    return y * pitch + x;
}

TileSize standard_tile(Tiling tiling, unsigned element_bytes, bool volume) {
    const StandardTile& tile = find_tile(tiling, element_bytes, volume);
    return {1u << tile.width_log2, 1u << tile.height_log2, 1u << tile.depth_log2};
}

TilePlace place_in_tile(Tiling tiling, unsigned element_bytes, bool volume, std::uint32_t offset) {
    const StandardTile& tile = find_tile(tiling, element_bytes, volume);
    std::uint32_t at[3]{};
    for (unsigned n = 0; n < tile.bits; ++n)
        at[tile.axis[n]] |= (offset >> n & 1) << tile.bit[n];
    return {at[0], at[1], at[2]};
}

std::uint64_t volume_offset(const Layout& layout, std::uint32_t qpitch_rows, std::uint64_t x,
                            std::uint64_t y, std::uint64_t z) {
    const StandardTile& tile = find_tile(layout.tiling, layout.element_bytes, true);
    const std::uint64_t tiles_per_row = layout.pitch_bytes >> tile.width_log2;
    const std::uint64_t row = y + (z >> tile.depth_log2) * qpitch_rows;
    const std::uint64_t number = (x >> tile.width_log2) + (row >> tile.height_log2) * tiles_per_row;
    return number << tile.bits | within_tile(tile, x, row, z);
}

}  // namespace gen9::surface
