// SPDX-License-Identifier: Apache-2.0
#include "vme/picture/picture.h"

#include "packets/media_surface_state.h"

namespace gen9::vme {

namespace state = packets::media_surface_state;

std::uint64_t Picture::chroma_address(bool cr, std::uint32_t x, std::uint32_t row) const {
    if (interleaved)
        return (base + tile_offset(layout, cb_x + 2 * x + cr, cb_y + row)) & kAddressMask;
    surface::Layout plane = layout;
    if (half_pitch) plane.pitch_bytes /= 2;
    const std::uint64_t offset =
        tile_offset(plane, (cr ? cr_x : cb_x) + x, (cr ? cr_y : cb_y) + row);
    return (base + offset) & kAddressMask;
}

Picture read_picture(std::span<const std::uint32_t> dwords) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    Picture p;
    p.width = value(state::Width) + 1;
    p.height = value(state::Height) + 1;
    p.base = state::SurfaceBaseAddress.get(dwords);
    p.layout.pitch_bytes = value(state::SurfacePitch) + 1;
    switch (value(state::TileMode)) {
        case state::TILEMODE_XMAJOR:
            p.layout.tiling = surface::Tiling::X;
            break;
        case state::TILEMODE_YMAJOR:
            p.layout.tiling = surface::Tiling::Y;
            break;
        default:
            p.layout.tiling = surface::Tiling::Linear;
    }
    if (value(state::TiledResourceMode) == 1) p.layout.tiling = surface::Tiling::Yf;
    if (value(state::TiledResourceMode) == 2) p.layout.tiling = surface::Tiling::Ys;
    p.mocs = static_cast<std::uint8_t>(value(state::MemoryObjectControlState));
    const std::uint32_t format = value(state::SurfaceFormat);
    p.chroma = format == state::PLANAR_420_8;
    p.luma = p.chroma || format == state::PLANAR_422_8 || format == state::Y8_UNORM_VA ||
             format == state::Y8_UNORM;
    p.interleaved = value(state::InterleaveChroma) != 0;
    p.half_pitch = value(state::HalfPitchForChroma) != 0;
    p.cb_x = value(state::XOffsetForUCb);
    p.cb_y = value(state::YOffsetForUCb);
    p.cr_x = value(state::XOffsetForVCr);
    p.cr_y = value(state::YOffsetForVCr);
    p.unmodelled =
        value(state::MemoryCompressionEnable) || value(state::XOffset) || value(state::YOffset);
    const std::uint32_t structure = value(state::PictureStructure);
    if (structure == state::TOP_FIELD || structure == state::BOTTOM_FIELD) {
        // Assumed: Height counts the lines of the frame, as for a field that the message asks for.
        p.state_field = true;
        p.first_line = structure == state::BOTTOM_FIELD;
        p.height = (p.height + 1 - p.first_line) / 2;
    } else if (value(state::VerticalLineStride)) {
        // Height counts the lines that are left (as for the data port, 003:5322).
        p.state_field = true;
        p.first_line = value(state::VerticalLineStrideOffset) != 0;
    }
    return p;
}

PictureView view_of(const Picture& picture, bool field, bool bottom) {
    PictureView view{picture, picture.width, picture.height, 0, 1};
    if (picture.state_field) {
        view.first = picture.first_line;
        view.step = 2;
    } else if (field) {
        view.first = bottom;
        view.step = 2;
        view.height = (picture.height + 1 - view.first) / 2;
    }
    if (view.height == 0) view.height = 1;
    return view;
}

}  // namespace gen9::vme
