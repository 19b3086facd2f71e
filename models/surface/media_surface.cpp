// SPDX-License-Identifier: Apache-2.0
#include "surface/media_surface.h"

#include "packets/media_surface_state.h"

namespace gen9::surface {

std::uint64_t MediaSurface::chroma_address(bool cr, std::uint32_t x, std::uint32_t row) const {
    if (interleaved)
        return (base + tile_offset(layout, cb_x + 2 * x + cr, cb_y + row)) & kAddressMask;
    Layout plane = layout;
    if (half_pitch) plane.pitch_bytes /= 2;
    const std::uint64_t offset =
        tile_offset(plane, (cr ? cr_x : cb_x) + x, (cr ? cr_y : cb_y) + row);
    return (base + offset) & kAddressMask;
}

MediaSurface read_media_surface(std::span<const std::uint32_t> dwords) {
    namespace state = packets::media_surface_state;
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    MediaSurface s;
    s.format = value(state::SurfaceFormat);
    s.width = value(state::Width) + 1;
    s.height = value(state::Height) + 1;
    s.base = state::SurfaceBaseAddress.get(dwords);
    s.layout.pitch_bytes = value(state::SurfacePitch) + 1;
    switch (value(state::TileMode)) {
        case state::TILEMODE_XMAJOR:
            s.layout.tiling = Tiling::X;
            break;
        case state::TILEMODE_YMAJOR:
            s.layout.tiling = Tiling::Y;
            break;
        default:
            s.layout.tiling = Tiling::Linear;
    }
    if (value(state::TiledResourceMode) == 1) s.layout.tiling = Tiling::Yf;
    if (value(state::TiledResourceMode) == 2) s.layout.tiling = Tiling::Ys;
    s.mocs = static_cast<std::uint8_t>(value(state::MemoryObjectControlState));
    s.interleaved = value(state::InterleaveChroma) != 0;
    s.half_pitch = value(state::HalfPitchForChroma) != 0;
    s.cb_x = value(state::XOffsetForUCb);
    s.cb_y = value(state::YOffsetForUCb);
    s.cr_x = value(state::XOffsetForVCr);
    s.cr_y = value(state::YOffsetForVCr);
    s.rotation = static_cast<std::uint8_t>(value(state::Rotation));
    s.mirror = value(state::AddressControl) != 0;
    s.chroma_offset = {static_cast<std::uint8_t>(2 * value(state::CrCbPixelOffsetUDirection)),
                       static_cast<std::uint8_t>(4 * value(state::CrCbPixelOffsetVDirectionMSB) +
                                                 value(state::CrCbPixelOffsetVDirection))};
    s.unmodelled =
        value(state::MemoryCompressionEnable) || value(state::XOffset) || value(state::YOffset);
    const std::uint32_t structure = value(state::PictureStructure);
    if (structure == state::TOP_FIELD || structure == state::BOTTOM_FIELD) {
        // Assumed: Height counts the lines of the frame, as for a field that a message asks for.
        s.state_field = true;
        s.first_line = structure == state::BOTTOM_FIELD;
        s.height = (s.height + 1 - s.first_line) / 2;
    } else if (value(state::VerticalLineStride)) {
        // Height counts the lines that are left (as for the data port, 003:5322).
        s.state_field = true;
        s.first_line = value(state::VerticalLineStrideOffset) != 0;
    }
    return s;
}

}  // namespace gen9::surface
