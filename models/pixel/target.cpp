// SPDX-License-Identifier: Apache-2.0
#include "pixel/target.h"

#include <algorithm>
#include <bit>

namespace gen9::pixel {

namespace state = packets::render_surface_state;

Target read_target(std::span<const std::uint32_t> dwords) {
    Target t;
    surface::Surface& s = t.surface;
    s = surface::read_surface(dwords);
    t.format = formats::find_format(s.format);
    t.level = static_cast<std::uint8_t>(s.levels - 1);
    t.width = surface::minify(s.width, t.level);
    t.height = surface::minify(s.height, t.level);
    t.samples = s.samples;
    if (s.null()) return t;

    // A linear row of elements: X alone counts.
    if (s.buffer()) {
        t.width = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.entries, ~0u));
        t.height = 1;
        s.tiling = surface::Tiling::Linear;
        s.x_offset = s.y_offset = 0;
        t.level = 0;
    }
    if (s.type == state::SURFTYPE_1D) t.height = 1;
    t.layers = static_cast<std::uint32_t>(state::RenderTargetViewExtent.get(dwords)) + 1;
    if (s.type != state::SURFTYPE_3D && !s.array && s.type != state::SURFTYPE_CUBE) t.layers = 1;
    if (s.selects)
        for (unsigned c = 0; c < 4; ++c)
            t.select[c] = static_cast<formats::Select>(s.select[c]);
    if (t.format) t.bytes = static_cast<std::uint8_t>(t.format->bytes());
    if (s.structured()) {
        t.problem = "a structured buffer cannot be a render target";
    } else if (!t.format || !t.format->supports(formats::kRenderTarget)) {
        t.problem = "its format cannot be that of a render target";
    } else if (t.format->coding != formats::Coding::Plain || !std::has_single_bit(t.bytes + 0u)) {
        t.not_modelled = "render targets of packed formats";
    }
    if (s.multisampled() && !s.planar)
        t.not_modelled = "render targets whose samples are interleaved";
    if (t.problem || t.not_modelled) return t;
    t.place = surface::level_place(s, t.level, {t.bytes, 1, 1});
    if (!t.place.known) t.not_modelled = "render targets of one dimension in standard tiles";

    // Such pairs never part: levels begin at even columns and rows, and tiles and their columns of
    // 16 bytes are as even.
    if (!s.standard_tiles() && s.line_stride == 0) {
        const bool y_tiles = s.tiling == surface::Tiling::Y;
        t.right = y_tiles && t.bytes == 16 ? 512u : t.bytes;
        t.below = y_tiles                               ? 16u
                  : s.tiling == surface::Tiling::X      ? 512u
                  : s.tiling == surface::Tiling::Linear ? s.pitch_bytes
                                                        : 0u;
        const bool tiles = y_tiles || s.tiling == surface::Tiling::X;
        t.paged =
            tiles && s.base % kPageBytes == 0 && s.line_offset == 0 && s.type != state::SURFTYPE_1D;
    }

    const bool has = s.auxiliary == state::AUX_CCS_D || s.auxiliary == state::AUX_CCS_E;
    if (has && s.samples > 1) t.auxiliary_use = AuxiliaryUse::Mcs;
    // Only elements of 32, 64 and 128 bits in Y tiles have one (CC-34, CC-37).
    else if (has && t.bytes >= 4 && s.tiling == surface::Tiling::Y)
        t.auxiliary_use = AuxiliaryUse::Ccs;
    if (t.auxiliary_use == AuxiliaryUse::Ccs)
        t.element_columns =
            static_cast<std::uint8_t>(std::countr_zero(surface::element_size(t.bytes).width));
    if (t.auxiliary_use == AuxiliaryUse::None) return t;
    t.auxiliary = {s.auxiliary_base,
                   static_cast<std::uint32_t>(state::AuxiliarySurfacePitch.get(dwords)) + 1,
                   static_cast<std::uint32_t>(state::AuxiliarySurfaceQPitch.get(dwords)) * 4,
                   s.width, s.height};
    t.clear_color = {static_cast<std::uint32_t>(state::RedClearColor.get(dwords)),
                     static_cast<std::uint32_t>(state::GreenClearColor.get(dwords)),
                     static_cast<std::uint32_t>(state::BlueClearColor.get(dwords)),
                     static_cast<std::uint32_t>(state::AlphaClearColor.get(dwords))};
    return t;
}

}  // namespace gen9::pixel
