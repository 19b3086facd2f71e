// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/host.h"
#include "surface/tiling.h"

namespace gen9::surface {

// In linear, X and Y tiles the offset of a byte is the sum of a part of its column and a part of its
// row (003:5332-5342), which tile_offset gives for other tiles too. These are for loops over lanes.

template <Tiling tiling>
GEN9_INLINE std::uint32_t column_part(std::uint32_t x_bytes) {
    if constexpr (tiling == Tiling::Y) return (x_bytes & ~15u) << 5 | (x_bytes & 15);
    if constexpr (tiling == Tiling::X) return (x_bytes & ~511u) << 3 | (x_bytes & 511);
    return x_bytes;
}
template <Tiling tiling>
GEN9_INLINE std::uint32_t row_part(std::uint32_t y, std::uint32_t pitch) {
    if constexpr (tiling == Tiling::Y) return (y >> 5) * (pitch >> 7 << 12) | (y & 31) << 4;
    if constexpr (tiling == Tiling::X) return (y >> 3) * (pitch >> 9 << 12) | (y & 7) << 9;
    return y * pitch;
}

}  // namespace gen9::surface
