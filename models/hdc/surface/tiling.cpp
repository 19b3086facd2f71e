// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface/tiling.h"

namespace gen9::hdc {

namespace {

/// Where address bit 6 + n of a tile comes from: bit `bit` of the column or of the row.
struct Source {
    bool row;
    std::uint8_t bit;
};
constexpr Source u(unsigned bit) {
    return {false, static_cast<std::uint8_t>(bit)};
}
constexpr Source v(unsigned bit) {
    return {true, static_cast<std::uint8_t>(bit)};
}
/// A 64 KB tile's address bits 6 to 15; a 4 KB tile has the first six of them. Bits 5:0 are
/// v1 v0 u3 u2 u1 u0 in all.
struct StandardTile {
    unsigned width_log2, height_log2;  ///< of the 4 KB tile
    Source bits[10];
};
constexpr StandardTile kBytes1{6, 6, {v(2), v(3), v(4), u(4), v(5), u(5), v(6), u(6), v(7), u(7)}};
constexpr StandardTile kBytes2And4{
    7, 5, {v(2), u(4), v(3), u(5), v(4), u(6), v(5), u(7), v(6), u(8)}};
constexpr StandardTile kBytes8And16{
    8, 4, {u(4), u(5), v(2), u(6), v(3), u(7), v(4), u(8), v(5), u(9)}};

std::uint64_t standard_offset(const Layout& layout, std::uint64_t x, std::uint64_t y) {
    const StandardTile& tile = layout.element_bytes == 1   ? kBytes1
                               : layout.element_bytes <= 4 ? kBytes2And4
                                                           : kBytes8And16;
    const bool large = layout.tiling == Tiling::Ys;
    const unsigned width = tile.width_log2 + (large ? 2 : 0);
    const unsigned height = tile.height_log2 + (large ? 2 : 0);
    const unsigned bits = large ? 10 : 6;
    std::uint64_t within = (y & 3) << 4 | (x & 15);
    for (unsigned n = 0; n < bits; ++n) {
        const Source& source = tile.bits[n];
        within |= ((source.row ? y : x) >> source.bit & 1) << (6 + n);
    }
    const std::uint64_t tiles_per_row = layout.pitch_bytes >> width;
    return ((x >> width) + (y >> height) * tiles_per_row) << (6 + bits) | within;
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
        case Tiling::Y: {  // 128 bytes by 32 rows, in columns of 16 bytes
            const std::uint64_t number = (x >> 7) + (y >> 5) * (pitch >> 7);
            return number << 12 | (x >> 4 & 7) << 9 | (y & 31) << 4 | (x & 15);
        }
        case Tiling::X: {  // 512 bytes by 8 rows
            const std::uint64_t number = (x >> 9) + (y >> 3) * (pitch >> 9);
            return number << 12 | (y & 7) << 9 | (x & 511);
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

}  // namespace gen9::hdc
