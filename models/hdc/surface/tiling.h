// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::hdc {

enum class Tiling : std::uint8_t { Linear, W, X, Y, Yf, Ys };

/// How the bytes of a two-dimensional surface lie in memory.
struct Layout {
    Tiling tiling = Tiling::Linear;
    std::uint32_t pitch_bytes = 0;
    std::uint8_t element_bytes = 1;  ///< TileYF and TileYS differ by it
};

/// Byte offset from the base of byte column `x` of row `y` (003:5332-5342; W: Public: mesa isl).
std::uint64_t tile_offset(const Layout& layout, std::uint64_t x, std::uint64_t y);

}  // namespace gen9::hdc
