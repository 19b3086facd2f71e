// SPDX-License-Identifier: Apache-2.0
#include "sampler/state/sampled_surface.h"

#include <algorithm>

#include "packets/surface_state.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

void read_planes(SampledSurface& s, std::span<const std::uint32_t> dwords) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    s.raw.auxiliary = state::AUX_NONE;  // its place is taken
    s.separate_chroma = value(state::SeparateUVPlaneEnable) != 0;
    s.chroma_x = {value(state::XOffsetForUOrUVPlane), value(state::XOffsetForVPlane)};
    s.chroma_y = {value(state::YOffsetForUOrUVPlane), value(state::YOffsetForVPlane)};
}

const char* missing_part(const SampledSurface& s) {
    if (!s.format) return nullptr;
    if (!s.format->decode && !s.format->planar()) return "SMP-91";
    if (s.quilt != std::array<std::uint8_t, 2>{1, 1}) return "SMP-90";
    if (s.raw.compressed) return "DP-184";
    for (unsigned n = 0; n < s.raw.levels && s.raw.min_lod + n < surface::kLevels; ++n)
        if (!s.levels[s.raw.min_lod + n].place.known) return "DP-181";
    return nullptr;
}

}  // namespace

SampledSurface read_sampled_surface(std::span<const std::uint32_t> dwords) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    SampledSurface s;
    s.raw = surface::read_surface(dwords);
    s.astc = value(state::ASTCEnable) != 0;
    // A buffer without a format reads as R8G8B8A8 (SMP-84).
    constexpr unsigned kRgba8 = 0x0C7;
    const bool raw_buffer = s.raw.format == state::RAW && s.raw.buffer();
    s.format = find_format(raw_buffer ? kRgba8 : s.raw.format, s.astc);
    s.last_level = static_cast<std::uint8_t>(value(state::MIPCountLOD));
    s.resource_min_lod = static_cast<std::int32_t>(value(state::ResourceMinLOD));
    s.base_lod = static_cast<std::int32_t>(value(state::BaseMipLevel) << 7);
    s.cube_faces = static_cast<std::uint8_t>(value(state::CubeFaceEnables));
    s.slices = s.raw.array || s.cube() ? s.raw.depth : 1;
    s.rotated = value(state::RenderTargetAndSampleRotation) != 0;
    s.select = s.raw.select;
    s.identity = s.select == std::array<std::uint8_t, 4>{state::SCS_RED, state::SCS_GREEN,
                                                         state::SCS_BLUE, state::SCS_ALPHA};
    constexpr unsigned kAuxiliaryTile = 128;
    s.aux_pitch = (value(state::AuxiliarySurfacePitch) + 1) * kAuxiliaryTile;
    s.aux_qpitch = value(state::AuxiliarySurfaceQPitch) * 4;
    s.palette = static_cast<std::uint8_t>(value(state::MultisamplePositionPaletteIndex));
    s.quilt = {static_cast<std::uint8_t>(value(state::QuiltWidth) + 1),
               static_cast<std::uint8_t>(value(state::QuiltHeight) + 1)};
    s.clear = {value(state::RedClearColor), value(state::GreenClearColor),
               value(state::BlueClearColor), value(state::AlphaClearColor)};
    if (s.format && s.format->planar()) read_planes(s, dwords);
    const surface::Element element =
        s.format
            ? surface::Element{static_cast<std::uint8_t>(
                                   s.format->planar() ? s.format->plane_bytes() : s.format->bytes),
                               s.format->block_width, s.format->block_height}
            : surface::Element{};
    for (unsigned n = 0; n < surface::kLevels; ++n)
        s.levels[n] = {surface::minify(s.raw.width, n), surface::minify(s.raw.height, n),
                       s.volume() ? surface::minify(s.raw.depth, n) : 1,
                       surface::level_place(s.raw, n, element)};
    const bool control = s.raw.auxiliary == state::AUX_CCS_E || s.raw.auxiliary == state::AUX_CCS_D;
    // Mesa clears slices of volumes and faces of cubes as it clears those of arrays (CC-40).
    const bool slices = s.type() == state::SURFTYPE_2D || s.volume() || s.cube();
    s.has_clear_blocks = control && !s.raw.multisampled() && slices &&
                         (element.bytes == 4 || element.bytes == 8 || element.bytes == 16) &&
                         !(s.format && s.format->blocks());
    s.control = {s.raw.auxiliary_base, s.aux_pitch / kAuxiliaryTile, s.aux_qpitch, s.raw.width,
                 s.raw.height};
    s.not_modelled = missing_part(s);
    return s;
}

}  // namespace gen9::sampler
