// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hdc/surface/format.h"
#include "hdc/surface/tiling.h"
#include "interconnect/message.h"
#include "packets/surface_state.h"

namespace gen9::hdc {

/// A surface as the data port uses it: RENDER_SURFACE_STATE with the stored "minus one"s undone.
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
    std::uint8_t align_width = 4, align_height = 4;  ///< of a mip level, pixels and rows
    std::uint8_t auxiliary = 0;                      ///< mode of the auxiliary surface
    std::uint64_t auxiliary_base = 0;                ///< or of the append counter
    std::uint8_t mocs = 0;
    std::uint8_t line_stride = 0, line_offset = 0;  ///< vertical line stride
    std::uint8_t boundary_mode = 0;                 ///< media boundary pixel mode, 0 normal
    std::uint64_t base = 0;
    std::uint64_t size_bytes = 0;  ///< buffers: entries of one byte (untyped), see entries
    std::uint64_t entries = 0;     ///< buffers
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

/// Reads state from memory for the resolver, with the cache control of the base it counts from
/// (DP-034). False: the address is not mapped.
class StateReader {
  public:
    virtual ~StateReader() = default;
    virtual bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) = 0;
};

/// Finds the surface behind a binding table index (DP-041, S-3) and keeps what it found until
/// the state cache is invalidated, or the bases are set anew, which software must do together
/// (L3-89).
class SurfaceResolver {
  public:
    /// The surface, or null when its table entry or state cannot be read.
    const Surface* resolve(const ThreadSideband& sender, std::uint8_t index, StateReader& reader);
    /// The surface if it is kept, null if it would have to be read first.
    const Surface* kept(const ThreadSideband& sender, std::uint8_t index) {
        if (sender.state != state_) [[unlikely]]
            change(sender.state);
        const std::uint64_t base = surface_base_of(sender);
        const std::uint64_t table_entry = base + sender.binding_table_offset + index * 4u;
        const Entry& entry = entry_of(table_entry);
        const bool kept = entry.table_entry == table_entry && entry.surface_base == base;
        return kept ? &entry.surface : nullptr;
    }
    /// The surface whose state lies at an offset from the bindless base (DP-053); null as well when
    /// the offset is beyond the last state.
    const Surface* resolve_bindless(const ThreadSideband& sender, std::uint32_t offset,
                                    StateReader& reader);
    void invalidate();
    std::uint64_t misses() const { return misses_; }

  private:
    static constexpr unsigned kEntries = 256;
    struct Entry {
        std::uint64_t table_entry = ~0ull;  ///< bindless: the state's address with bit 63 set
        std::uint64_t surface_base = 0;
        Surface surface;
    };
    static std::uint64_t surface_base_of(const ThreadSideband& sender) {
        return sender.state ? sender.state->surface_state_base.value : 0;
    }
    Entry& entry_of(std::uint64_t table_entry) { return entries_[(table_entry >> 2) % kEntries]; }
    void change(const PipelineStatePtr& state);
    const Surface* fetch(Entry& entry, std::uint64_t key, std::uint64_t base, std::uint64_t address,
                         std::uint8_t mocs, StateReader& reader);
    PipelineStatePtr state_;  ///< what the entries were found under
    std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
    std::uint64_t misses_ = 0;
};

}  // namespace gen9::hdc
