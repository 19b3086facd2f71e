// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/query.h"

#include "sampler/filter/gradients.h"
#include "sampler/filter/lod.h"

namespace gen9::sampler {

std::array<std::uint32_t, 4> resource_info(const SampledSurface& s, std::uint32_t lod) {
    namespace state = packets::render_surface_state;
    if (s.raw.buffer() || s.raw.structured())
        return {static_cast<std::uint32_t>(s.raw.entries), 0, 0, 0};
    const std::uint32_t levels = s.last_level + 1u;
    if (lod >= levels) return {0, 0, 0, levels};
    // Levels count from the view's first (Public: Mesa's driver asks for the size of a view by level 0
    // of its message, and has the view's first level in the surface state alone).
    const auto size = [&](std::uint32_t full) {
        return surface::minify(full, lod + s.raw.min_lod);
    };
    const std::uint32_t slices = s.raw.array ? s.raw.depth : 0;
    if (s.type() == state::SURFTYPE_1D) return {size(s.raw.width), slices, 0, levels};
    const std::uint32_t depth = s.volume() ? size(s.raw.depth) : slices;
    // A quilt has this many slices at each level (SMP-90).
    const bool quilted = s.type() == state::SURFTYPE_2D;
    const std::uint32_t across = quilted ? s.quilt[0] : 1, down = quilted ? s.quilt[1] : 1;
    return {size(s.raw.width) * across, size(s.raw.height) * down, depth, levels};
}

LodAnswer query_lod(const Request& q, unsigned sample) {
    const SamplerState& m = *q.sampler;
    const Gradients g = neighbour_gradients(q, sample);
    const bool anisotropic = m.min == Filter::Anisotropic && q.surface->dimensions() == 2;
    const Axes axes = anisotropic ? anisotropic_axes(g, m.max_ratio, m.ewa) : isotropic_axes(g);
    const std::int32_t lod = lod_of_length(axes.lod_length) + m.bias;
    constexpr float kStep = 1.0f / kLodOne;
    return {static_cast<float>(choose_lod(*q.surface, m, lod, 0).clamped) * kStep,
            static_cast<float>(lod) * kStep};
}

}  // namespace gen9::sampler
