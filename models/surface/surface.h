// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/surface_state.h"
#include "surface/format.h"
#include "surface/tiling.h"

namespace gen9::surface {

/// A surface as memory accesses use it: RENDER_SURFACE_STATE with the stored "minus one"s undone.
struct Surface {
    packets::render_surface_state::Type type = packets::render_surface_state::SURFTYPE_NULL;
    Tiling tiling = Tiling::Linear;
    std::uint16_t format = 0;
    const Format* typed = nullptr;  ///< null: not a format of the typed messages
    bool array = false;
    bool coherent = false;
    bool compressed = false;
    bool planar = true;        ///< multisampled: each sample has a plane of its own
    std::uint8_t samples = 1;  ///< per pixel
    std::uint8_t levels = 1;   ///< mip levels
    std::uint8_t min_lod = 0;  ///< the level that level 0 of a message means
    std::uint8_t align_width = 4, align_height = 4;  ///< of a mip level, blocks and rows of them
    std::uint8_t tail_level = 15;                    ///< TileYF, TileYS: the first of the mip tail
    std::uint8_t auxiliary = 0;                      ///< mode of the auxiliary surface
    std::uint64_t auxiliary_base = 0;                ///< or of the append counter
    std::uint8_t mocs = 0;
    std::uint8_t line_stride = 0, line_offset = 0;  ///< vertical line stride
    std::uint8_t boundary_mode = 0;                 ///< media boundary pixel mode, 0 normal
    std::uint64_t base = 0;
    std::uint64_t entries = 0;                       ///< buffers
    std::uint64_t size_bytes = 0;                    ///< buffers: all entries
    std::uint32_t width = 0, height = 0, depth = 0;  ///< pixels, rows, slices
    std::uint32_t pitch_bytes = 0;
    std::uint32_t qpitch_rows = 0;  ///< between array or depth slices
    std::uint32_t min_array_element = 0;
    std::uint32_t x_offset = 0, y_offset = 0;  ///< pixels, rows
    std::array<std::uint8_t, 4> select{};      ///< shader channel selects, R first
    bool selects = false;                      ///< and they are neither all zero nor in order
    bool plain = false;                        ///< a linear buffer, channels in order
    std::uint32_t first_dword = 0;             ///< of the state, for Read Surface Info

    bool null() const { return type == packets::render_surface_state::SURFTYPE_NULL; }
    bool buffer() const { return type == packets::render_surface_state::SURFTYPE_BUFFER; }
    bool structured() const { return type == packets::render_surface_state::SURFTYPE_STRBUF; }
    /// A buffer with nothing special about it: what nearly all messages use.
    bool plain_buffer() const { return plain; }
    bool standard_tiles() const { return tiling == Tiling::Yf || tiling == Tiling::Ys; }
    bool multisampled() const { return samples > 1; }
    /// Tiles and levels, for elements of the format, or bytes of a media surface.
    Layout layout(unsigned element_bytes) const {
        return {tiling, pitch_bytes, static_cast<std::uint8_t>(element_bytes)};
    }
};

/// Makes a surface out of the 16 DWords of its state.
Surface read_surface(std::span<const std::uint32_t> dwords);

}  // namespace gen9::surface
