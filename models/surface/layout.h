// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "surface/surface.h"

namespace gen9::surface {

/// Levels a surface has at most (DP-064).
inline constexpr unsigned kLevels = 15;

/// The size of a dimension at a mip level.
constexpr std::uint32_t minify(std::uint32_t size, unsigned level) {
    return size >> level ? size >> level : 1;
}

/// A surface consists of elements: texels, or blocks of them.
struct Element {
    std::uint8_t bytes = 1;
    std::uint8_t block_width = 1, block_height = 1;
};

/// The place where a mip level begins within its slice, in elements and rows of them.
struct Corner {
    std::uint64_t x = 0, y = 0;
};
/// The corner of a level of a surface, with standard tiles: of one before the mip tail.
Corner level_corner(const Surface& surface, unsigned level, const Element& element = {});

/// The place of a level: its corner, and in a mip tail the place within the tail's tile.
struct LevelPlace {
    std::uint64_t x_bytes = 0, y = 0;
    std::uint32_t z = 0;
    bool known = true;  ///< false: not modelled
};
LevelPlace level_place(const Surface& surface, unsigned level, const Element& element);

/// The address of the element in byte column `x` and row `y` of a level's slice `slice` (array
/// slice or depth; those of an array count from the surface's first) and sample `sample`.
std::uint64_t element_address(const Surface& surface, const LevelPlace& level,
                              unsigned element_bytes, std::uint64_t x, std::uint64_t y,
                              std::uint64_t slice, unsigned sample = 0);

}  // namespace gen9::surface
