// SPDX-License-Identifier: Apache-2.0
/// A render target as its surface state describes it, and where its pixels lie.
///
/// Spec  RT-04, RT-34, CC-31; 003:7612-7616
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "formats/codec.h"
#include "surface/auxiliary.h"
#include "surface/layout.h"

namespace gen9::pixel {

/// What the auxiliary surface is to a target.
enum class AuxiliaryUse : std::uint8_t { None, Ccs, Mcs };

struct Target {
    surface::Surface surface;
    const formats::Format* format = nullptr;  ///< null: nothing can be written
    formats::Selects select = formats::kPlainSelects;
    std::uint8_t level = 0;
    std::uint32_t width = 0, height = 0;  ///< of the level
    std::uint32_t layers = 1;             ///< of the view
    std::uint8_t bytes = 0;               ///< of an element
    std::uint8_t samples = 1;
    surface::LevelPlace place;
    AuxiliaryUse auxiliary_use = AuxiliaryUse::None;
    surface::Auxiliary auxiliary;
    std::uint8_t element_columns = 0;  ///< log2 of the pixels across an element of a CCS
    std::array<std::uint32_t, 4> clear_color{};
    /// From a pixel of even column and row to its neighbours; 0: they are found each for itself.
    std::uint32_t right = 0, below = 0;
    bool paged = false;                  ///< a tile is a page: tile_byte says where in it
    const char* problem = nullptr;       ///< why nothing can be written
    const char* not_modelled = nullptr;  ///< and it is no mistake

    bool null() const { return surface.null(); }
    /// The slice of a layer of the draw (RT-34).
    std::uint32_t slice(std::uint32_t layer) const {
        return surface.min_array_element + (layer < layers ? layer : 0);
    }
    bool inside(std::uint32_t x, std::uint32_t y) const { return x < width && y < height; }
    /// The place of a pixel of a target with pages; `first_row` is that of the slice.
    surface::TileByte tile_byte(std::uint64_t first_row, std::uint32_t x, std::uint32_t y) const {
        const std::uint64_t column = place.x_bytes + std::uint64_t{x} * bytes, row = first_row + y;
        return surface.tiling == surface::Tiling::Y ? surface::in_y_tile(column, row)
                                                    : surface::in_x_tile(column, row);
    }
    std::uint64_t first_row(std::uint32_t slice) const {
        return std::uint64_t{slice} * surface.qpitch_rows + place.y;
    }
    std::uint64_t address(std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                          unsigned sample) const {
        const std::uint64_t at = surface::element_address(
            surface, place, bytes, std::uint64_t{x} * bytes, y, slice, sample);
        return at & kAddressMask & ~std::uint64_t(bytes - 1);
    }

    static constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48) - 1;
};
Target read_target(std::span<const std::uint32_t> dwords);

}  // namespace gen9::pixel
