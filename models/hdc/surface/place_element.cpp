// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface/place_element.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

bool layered(const Surface& s) {
    return s.array || s.type == state::SURFTYPE_3D || s.type == state::SURFTYPE_CUBE;
}

Refusal refuse_multisampled(const Surface& s, unsigned parameters, bool pair) {
    if (s.type != state::SURFTYPE_2D)
        return {"multisampled surface that is not 2D (DP-152)", nullptr};
    if (!s.planar || s.auxiliary != state::AUX_NONE)
        return {"multisampled surface that is not planar or has an auxiliary one (DP-152)",
                nullptr};
    if (s.standard_tiles()) return {nullptr, "DP-181"};
    if (parameters < (pair ? 2u : 5u))
        return {"sample, R or LOD missing on a multisampled surface (DP-063)", nullptr};
    return {};
}

Refusal refuse_tiling(const Surface& s, bool pair) {
    const bool linear = s.tiling == Tiling::Linear;
    if ((s.buffer() || s.type == state::SURFTYPE_1D) && !linear) {
        // One-dimensional standard tiles are laid out as the memory views volume says.
        if (s.type == state::SURFTYPE_1D && s.standard_tiles()) return {nullptr, "DP-181"};
        return {"tiled buffer or 1D surface (DP-057)", nullptr};
    }
    if (s.tiling == Tiling::X && s.type != state::SURFTYPE_2D)
        return {"TileX surface that is not 2D (DP-057)", nullptr};
    if (s.type == state::SURFTYPE_3D && s.standard_tiles()) return {nullptr, "DP-181"};
    constexpr unsigned kR8Uint = 0x143;
    if (s.tiling == Tiling::W && (s.format != kR8Uint || pair))
        return {"TileW surface that is not R8_UINT, or a SIMD4x2 message on one (DP-057)", nullptr};
    return {};
}

}  // namespace

Refusal refuse_typed(const Surface& s, unsigned parameters, bool pair) {
    if (s.null()) return {};
    if (s.structured()) return {"typed message on a structured buffer (DP-055)", nullptr};
    if (s.type > state::SURFTYPE_BUFFER) return {"reserved surface type", nullptr};
    if (!s.typed) return {"surface format without typed access (DP-071)", nullptr};
    if ((s.line_stride || s.line_offset) && (s.type != state::SURFTYPE_2D || s.array))
        return {"vertical line stride on a surface that is not a single 2D one (DP-065)", nullptr};
    if (const Refusal refusal = refuse_tiling(s, pair)) return refusal;
    return s.multisampled() ? refuse_multisampled(s, parameters, pair) : Refusal{};
}

Placed place_element(const Surface& s, const Coordinates& at, std::uint64_t& address) {
    const unsigned bytes = s.typed->bytes;
    if (s.buffer()) {
        if (at.u >= s.entries) return Placed::Outside;
        address = s.base + std::uint64_t{at.u} * bytes;
        return Placed::Inside;
    }
    // DP-095.
    if (at.lod >= s.levels || s.min_lod + at.lod >= kLevels) return Placed::Outside;
    const unsigned level = s.min_lod + at.lod;
    const bool one_dimensional = s.type == state::SURFTYPE_1D;
    const std::uint32_t slice = one_dimensional ? at.v : at.r;
    const std::uint32_t slices = s.type == state::SURFTYPE_3D ? minify(s.depth, level) : s.depth;
    if (at.u >= minify(s.width, level)) return Placed::Outside;
    if (!one_dimensional && at.v >= minify(s.height, level)) return Placed::Outside;
    if (layered(s) && slice >= slices) return Placed::Outside;
    if (at.sample >= s.samples) return Placed::Outside;
    // Levels of standard tiles begin on tiles and end in a mip tail (memory views volume).
    if (level && s.standard_tiles()) return Placed::NotModelled;

    const Corner corner = level_corner(s, level);
    const std::uint64_t plane =
        ((layered(s) ? std::uint64_t{slice} + s.min_array_element : 0) * s.samples + at.sample) *
        s.qpitch_rows;
    const std::uint64_t x = corner.x + at.u + s.x_offset;
    if (one_dimensional) {
        // The distance of array slices of a 1D surface counts elements (Public: mesa isl,
        // get_qpitch).
        address = s.base + (plane + x) * bytes;
        return Placed::Inside;
    }
    const std::uint64_t line = s.line_offset + (s.line_stride + 1ull) * at.v;
    address =
        s.base + tile_offset(s.layout(bytes), x * bytes, plane + corner.y + line + s.y_offset);
    return Placed::Inside;
}

}  // namespace gen9::hdc
