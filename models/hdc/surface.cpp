// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface.h"

namespace gen9::hdc {

namespace state = packets::render_surface_state;

Surface read_surface(std::span<const std::uint32_t> dwords) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    Surface s;
    s.type = static_cast<state::Type>(value(state::SurfaceType));
    s.tile = static_cast<state::Tile>(value(state::TileMode));
    s.format = static_cast<std::uint16_t>(value(state::SurfaceFormat));
    s.typed = find_format(s.format);
    s.array = value(state::SurfaceArray);
    s.coherent = value(state::CoherencyType);
    s.multisampled = value(state::NumberOfMultisamples) != 0;
    s.compressed = value(state::MemoryCompressionEnable);
    s.tiled_resource = value(state::TiledResourceMode) != 0;
    s.mocs = static_cast<std::uint8_t>(value(state::MemoryObjectControlState));
    s.line_stride = static_cast<std::uint8_t>(value(state::VerticalLineStride));
    s.line_offset = static_cast<std::uint8_t>(value(state::VerticalLineStrideOffset));
    s.boundary_mode = static_cast<std::uint8_t>(value(state::MediaBoundaryPixelMode));
    s.base = state::SurfaceBaseAddress.get(dwords);
    s.width = value(state::Width) + 1;
    s.height = value(state::Height) + 1;
    s.depth = value(state::Depth) + 1;
    s.pitch_bytes = value(state::SurfacePitch) + 1;
    s.qpitch_rows = value(state::SurfaceQPitch) * 4;  // in units of four rows
    s.min_array_element = value(state::MinimumArrayElement);
    s.x_offset = value(state::XOffset) * 4;  // in units of four pixels, four rows
    s.y_offset = value(state::YOffset) * 4;
    s.select = {static_cast<std::uint8_t>(value(state::ShaderChannelSelectRed)),
                static_cast<std::uint8_t>(value(state::ShaderChannelSelectGreen)),
                static_cast<std::uint8_t>(value(state::ShaderChannelSelectBlue)),
                static_cast<std::uint8_t>(value(state::ShaderChannelSelectAlpha))};
    // DP-058: size - 1 of a buffer is {Depth[10:0], Height[13:0], Width[6:0]}.
    s.entries = (std::uint64_t{value(state::Depth)} << 21 |
                 std::uint64_t{value(state::Height)} << 7 | (value(state::Width) & 0x7F)) +
                1;
    s.size_bytes = s.entries;
    return s;
}

TiledPlace tile_place(state::Tile tile, std::uint32_t pitch, std::uint64_t x, std::uint64_t y) {
    const auto tiles_per_row = [pitch](unsigned width_log2) {
        return std::uint64_t{pitch} >> width_log2;
    };
    switch (tile) {
        case state::YMAJOR: {  // 128 bytes by 32 rows, in columns of 16 bytes
            const std::uint64_t number = (x >> 7) + (y >> 5) * tiles_per_row(7);
            return {number << 12 | (x >> 4 & 7) << 9 | (y & 31) << 4 | (x & 15),
                    static_cast<std::uint32_t>(16 - (x & 15))};
        }
        case state::XMAJOR: {  // 512 bytes by 8 rows
            const std::uint64_t number = (x >> 9) + (y >> 3) * tiles_per_row(9);
            return {number << 12 | (y & 7) << 9 | (x & 511),
                    static_cast<std::uint32_t>(512 - (x & 511))};
        }
        default:
            return {y * pitch + x, ~0u};
    }
}

const Surface* SurfaceResolver::resolve(const ThreadSideband& sender, std::uint8_t index,
                                        StateReader& reader) {
    const std::uint64_t base = sender.state ? sender.state->surface_state_base.value : 0;
    const std::uint64_t table_entry = base + sender.binding_table_offset + index * 4u;
    if (sender.state != state_) {
        invalidate();
        state_ = sender.state;
    }
    Entry& entry = entries_[(table_entry >> 2) % kEntries];
    if (entry.table_entry == table_entry && entry.surface_base == base) return &entry.surface;
    ++misses_;
    std::uint32_t pointer = 0;
    std::uint32_t dwords[state::kDwords]{};
    if (!reader.read_state(GpuAddr(table_entry), &pointer, sizeof pointer)) return nullptr;
    const std::uint64_t offset =
        packets::binding_table_state::SurfaceStatePointer.get({&pointer, 1});
    if (!reader.read_state(GpuAddr(base + offset), dwords, sizeof dwords)) return nullptr;
    entry = {table_entry, base, read_surface(dwords)};
    return &entry.surface;
}

void SurfaceResolver::invalidate() {
    for (Entry& entry : entries_)
        entry.table_entry = ~0ull;
}

}  // namespace gen9::hdc
