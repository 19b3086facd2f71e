// SPDX-License-Identifier: Apache-2.0
/// The clipper knows this of a draw's state.
#pragma once
#include <span>

#include "clip/core.h"
#include "interconnect/payload/draw_state.h"
#include "packets/topology.h"

namespace gen9::clip {

struct DrawState {
    State tests;           ///< the guard band is that of an object's viewport
    bool enabled = false;  ///< else everything goes on as it is
    bool counts_objects = false, counts_primitives = false;
    bool first_target = false;  ///< RTAIndex counts as 0
    std::uint8_t last_viewport = 0;
    float least_point = 0, most_point = 0;  ///< pixels
    packets::ProvokingSelects provoking;
    GpuAddr viewports;  ///< SF_CLIP_VIEWPORT of viewport 0
    bool masks_overlap = false;

    /// Does it depend on what lies at `viewports`?
    bool reads_viewports() const { return enabled && tests.guard_band; }
    /// Does it depend on clip or cull distances?
    bool reads_distances() const { return enabled && (tests.clip_mask | tests.cull_mask) != 0; }
};
DrawState decode(const PipelineState& state);

inline constexpr unsigned kViewportDwords = 16;
Limits guard_band(std::span<const std::uint32_t> viewport);

/// A vertex' URB entry begins with its header, its position and its distances (CL-08).
inline constexpr unsigned kHeaderDwords = 8, kVertexDwords = 16;
Vertex vertex_of(std::span<const std::uint32_t, kVertexDwords> entry, bool distances);
/// The point width of the header, clamped if the clipper is enabled (CL-34).
float point_width(const DrawState& state, std::span<const std::uint32_t, kVertexDwords> entry);
unsigned viewport_index(const DrawState& state,
                        std::span<const std::uint32_t, kVertexDwords> entry);
unsigned target_index(const DrawState& state, std::span<const std::uint32_t, kVertexDwords> entry);

}  // namespace gen9::clip
