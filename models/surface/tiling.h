// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::surface {

enum class Tiling : std::uint8_t { Linear, W, X, Y, Yf, Ys };

/// How the bytes of a two-dimensional surface lie in memory.
struct Layout {
    Tiling tiling = Tiling::Linear;
    std::uint32_t pitch_bytes = 0;
    std::uint8_t element_bytes = 1;  ///< TileYF and TileYS differ by it
};

/// The place of a byte column and row in tiles of 4 KB: the tile's own column and row, and the offset
/// in it.
struct TileByte {
    std::uint64_t column, row;
    std::uint32_t offset;
};
/// TileY: 128 bytes by 32 rows, in columns of 16 bytes.
constexpr TileByte in_y_tile(std::uint64_t x, std::uint64_t y) {
    return {x >> 7, y >> 5,
            static_cast<std::uint32_t>((x >> 4 & 7) << 9 | (y & 31) << 4 | (x & 15))};
}
/// TileX: 512 bytes by 8 rows.
constexpr TileByte in_x_tile(std::uint64_t x, std::uint64_t y) {
    return {x >> 9, y >> 3, static_cast<std::uint32_t>((y & 7) << 9 | (x & 511))};
}

/// Byte offset from the base of byte column `x` of row `y` (003:5332-5342; W: Public: mesa isl).
std::uint64_t tile_offset(const Layout& layout, std::uint64_t x, std::uint64_t y);

/// The size of a tile of TileYF or TileYS; `volume`: of a 3D surface.
struct TileSize {
    std::uint32_t width_bytes, height, depth;
};
TileSize standard_tile(Tiling tiling, unsigned element_bytes, bool volume);
/// The byte column, row and slice that a byte offset has in such a tile.
struct TilePlace {
    std::uint32_t x = 0, y = 0, z = 0;
};
TilePlace place_in_tile(Tiling tiling, unsigned element_bytes, bool volume, std::uint32_t offset);
/// Byte offset in a 3D surface of TileYF or TileYS. `qpitch_rows` lie between layers of tiles
/// (Assumed: no source says what they lie between).
std::uint64_t volume_offset(const Layout& layout, std::uint32_t qpitch_rows, std::uint64_t x,
                            std::uint64_t y, std::uint64_t z);

}  // namespace gen9::surface
