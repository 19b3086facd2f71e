// SPDX-License-Identifier: Apache-2.0
#include "surface/surface.h"

#include <algorithm>

namespace gen9::surface {

namespace state = packets::render_surface_state;

namespace {

constexpr ChannelSelects kInOrder{state::SCS_RED, state::SCS_GREEN, state::SCS_BLUE,
                                  state::SCS_ALPHA};

/// Alignment codes 1, 2 and 3 are 4, 8 and 16.
std::uint8_t alignment(std::uint32_t code) {
    return static_cast<std::uint8_t>(code == 0 ? 4 : 2u << code);
}

Tiling tiling(std::uint32_t mode, std::uint32_t tiled_resource) {
    if (tiled_resource == state::TRM_TILEYF) return Tiling::Yf;
    if (tiled_resource == state::TRM_TILEYS) return Tiling::Ys;
    switch (mode) {
        case state::WMAJOR:
            return Tiling::W;
        case state::XMAJOR:
            return Tiling::X;
        case state::YMAJOR:
            return Tiling::Y;
        default:
            return Tiling::Linear;
    }
}

}  // namespace

Surface read_surface(std::span<const std::uint32_t> dwords) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    Surface s;
    s.type = static_cast<state::Type>(value(state::SurfaceType));
    s.tiling = tiling(value(state::TileMode), value(state::TiledResourceMode));
    s.format = static_cast<std::uint16_t>(value(state::SurfaceFormat));
    s.typed = find_format(s.format);
    s.array = value(state::SurfaceArray);
    s.coherent = value(state::CoherencyType);
    s.samples = static_cast<std::uint8_t>(1u << std::min(value(state::NumberOfMultisamples), 4u));
    s.planar = value(state::MultisampledSurfaceStorageFormat) == 0;
    s.levels = static_cast<std::uint8_t>(value(state::MIPCountLOD) + 1);
    s.min_lod = static_cast<std::uint8_t>(value(state::SurfaceMinLOD));
    s.tail_level = static_cast<std::uint8_t>(value(state::MipTailStartLOD));
    s.align_width = alignment(value(state::SurfaceHorizontalAlignment));
    s.align_height = alignment(value(state::SurfaceVerticalAlignment));
    s.auxiliary = static_cast<std::uint8_t>(value(state::AuxiliarySurfaceMode));
    s.auxiliary_base = state::AuxiliarySurfaceBaseAddress.get(dwords);
    s.compressed = value(state::MemoryCompressionEnable);
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
    s.selects = s.select != ChannelSelects{} && s.select != kInOrder;
    s.plain = s.buffer() && s.tiling == Tiling::Linear && !s.selects;
    s.first_dword = dwords[0];
    // DP-058: size - 1 of a buffer is {Depth[10:0], Height[13:0], Width[6:0]}.
    s.entries = (std::uint64_t{value(state::Depth)} << 21 |
                 std::uint64_t{value(state::Height)} << 7 | (value(state::Width) & 0x7F)) +
                1;
    // D-46: entries of the state's pitch, which is 1 of raw buffers.
    s.size_bytes = s.entries * s.pitch_bytes;
    return s;
}

}  // namespace gen9::surface
