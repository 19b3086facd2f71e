// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>

#include "sampler/format/format.h"
#include "surface/auxiliary.h"
#include "surface/layout.h"
#include "surface/surface.h"

namespace gen9::sampler {

/// A mip level of a surface.
struct Level {
    std::uint32_t width = 1, height = 1, depth = 1;  ///< texels; depth: slices of 3D surfaces
    surface::LevelPlace place;
};

/// RENDER_SURFACE_STATE as the sampler uses it, with everything found out that no message changes.
struct SampledSurface {
    surface::Surface raw;
    const Format* format = nullptr;  ///< null: cannot be sampled
    bool astc = false;
    std::array<Level, surface::kLevels> levels{};  ///< from level 0 of the surface on
    std::uint8_t last_level = 0;                   ///< MIP Count's field: levels - 1
    std::int32_t resource_min_lod = 0;             ///< 8 bits of fraction
    std::int32_t base_lod = 0;                     ///< base mip level, 8 bits of fraction
    std::uint8_t cube_faces = 0;                   ///< enables: bit 0 +Z, -Z, +Y, -Y, +X, bit 5 -X
    std::uint32_t slices = 1;                      ///< array slices or cubes
    std::array<std::uint8_t, 4> select{};          ///< shader channel selects
    bool identity = true;                          ///< which keep the channels as they are
    std::uint8_t palette = 0;                      ///< of sample positions
    std::array<std::uint8_t, 2> quilt{1, 1};       ///< slices across and down (SMP-90)
    std::array<std::uint32_t, 4> clear{};          ///< clear colour
    std::uint32_t aux_pitch = 0, aux_qpitch = 0;   ///< bytes, rows
    std::array<std::uint32_t, 2> chroma_x{}, chroma_y{};  ///< planar: of the planes, texels, rows
    bool has_clear_blocks = false;  ///< its control surface tells which they are (CC-33)
    surface::Auxiliary control;
    const char* not_modelled = nullptr;  ///< ledger row of what is missing
    bool rotated = false;                ///< sample_unorm turns it
    bool separate_chroma = false;        ///< planar: U and V have one each

    packets::render_surface_state::Type type() const { return raw.type; }
    bool cube() const { return type() == packets::render_surface_state::SURFTYPE_CUBE; }
    bool volume() const { return type() == packets::render_surface_state::SURFTYPE_3D; }
    /// The first level of the view, whose texels coordinates and derivatives are in.
    const Level& base() const { return levels[raw.min_lod < surface::kLevels ? raw.min_lod : 0]; }
    /// Dimensions that texel coordinates have, and so address modes.
    unsigned dimensions() const {
        return type() == packets::render_surface_state::SURFTYPE_1D ? 1u : volume() ? 3u : 2u;
    }
};

SampledSurface read_sampled_surface(std::span<const std::uint32_t> dwords);

}  // namespace gen9::sampler
