// SPDX-License-Identifier: Apache-2.0
#include "clip/decode.h"

#include <algorithm>
#include <bit>

#include "packets/draw/setup.h"
#include "packets/draw/shaders.h"

namespace gen9::clip {
namespace {

using Dwords = StageState::Dwords;

struct Masks {
    std::uint8_t clip = 0, cull = 0;
};
template <class Value>
constexpr std::uint8_t byte(Value value) {
    return static_cast<std::uint8_t>(value);
}

/// The masks are those of the last enabled stage (CL-05, CL-06).
Masks masks_of_last_stage(const PipelineState& state) {
    static const packets::CommandRow& gs = packets::command_named("3DSTATE_GS");
    static const packets::CommandRow& ds = packets::command_named("3DSTATE_DS");
    static const packets::CommandRow& vs = packets::command_named("3DSTATE_VS");
    const auto masks = [](Dwords words, const packets::Field& clip, const packets::Field& cull) {
        return Masks{byte(clip.get(words)), byte(cull.get(words))};
    };
    namespace GS = packets::STATE_GS;
    if (const Dwords words = latched(state, gs); GS::Enable.get(words))
        return masks(words, GS::UserClipDistanceClipTestEnableBitmask,
                     GS::UserClipDistanceCullTestEnableBitmask);
    namespace DS = packets::STATE_DS;
    if (const Dwords words = latched(state, ds); DS::Enable.get(words))
        return masks(words, DS::UserClipDistanceClipTestEnableBitmask,
                     DS::UserClipDistanceCullTestEnableBitmask);
    namespace VS = packets::STATE_VS;
    if (const Dwords words = latched(state, vs); VS::Enable.get(words))
        return masks(words, VS::UserClipDistanceClipTestEnableBitmask,
                     VS::UserClipDistanceCullTestEnableBitmask);
    return {};
}

float eighths(std::uint64_t value) {
    return static_cast<float>(value) / 8;
}

}  // namespace

DrawState decode(const PipelineState& state) {
    static const packets::CommandRow& clip_row = packets::command_named("3DSTATE_CLIP");
    static const packets::CommandRow& raster_row = packets::command_named("3DSTATE_RASTER");
    static const packets::CommandRow& sf_row = packets::command_named("3DSTATE_SF");
    static const packets::CommandRow& pointers_row =
        packets::command_named("3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP");
    const Dwords clip = latched(state, clip_row), raster = latched(state, raster_row),
                 sf = latched(state, sf_row), pointers = latched(state, pointers_row);
    namespace CLIP = packets::STATE_CLIP;
    DrawState out;
    out.enabled = CLIP::ClipEnable.get(clip);
    out.counts_objects = out.enabled && CLIP::StatisticsEnable.get(clip);
    out.counts_primitives = packets::STATE_SF::StatisticsEnable.get(sf);
    out.first_target = CLIP::ForceZeroRTAIndexEnable.get(clip);
    out.last_viewport = byte(CLIP::MaximumVPIndex.get(clip));
    out.least_point = eighths(CLIP::MinimumPointWidth.get(clip));
    out.most_point = eighths(CLIP::MaximumPointWidth.get(clip));
    out.provoking = {byte(CLIP::TriangleStripListProvokingVertexSelect.get(clip)),
                     byte(CLIP::LineStripListProvokingVertexSelect.get(clip)),
                     byte(CLIP::TriangleFanProvokingVertexSelect.get(clip))};
    out.viewports =
        state.dynamic_state_base +
        packets::STATE_VIEWPORT_STATE_POINTERS_SF_CLIP::SFClipViewportPointer.get(pointers);

    State& tests = out.tests;
    // Codes that Gen9 does not have (CL-26) count as the normal mode (Assumed).
    const auto mode = CLIP::ClipMode.get(clip);
    if (mode == 3 || mode == 4) tests.mode = static_cast<Mode>(mode);
    tests.divides = !CLIP::PerspectiveDivideDisable.get(clip);
    tests.viewport_xy = CLIP::ViewportXYClipTestEnable.get(clip);
    tests.guard_band = CLIP::GuardbandClipTestEnable.get(clip);
    tests.near = packets::STATE_RASTER::ViewportZNearClipTestEnable.get(raster);
    tests.far = packets::STATE_RASTER::ViewportZFarClipTestEnable.get(raster);
    tests.depth_from_zero = CLIP::APIMode.get(clip) == 1;
    const Masks last = masks_of_last_stage(state);
    tests.clip_mask = CLIP::ForceUserClipDistanceClipTestEnableBitmask.get(clip)
                          ? byte(CLIP::UserClipDistanceClipTestEnableBitmask.get(clip))
                          : last.clip;
    tests.cull_mask = CLIP::ForceUserClipDistanceCullTestEnableBitmask.get(clip)
                          ? byte(CLIP::UserClipDistanceCullTestEnableBitmask.get(clip))
                          : last.cull;
    out.masks_overlap = out.enabled && (tests.clip_mask & tests.cull_mask) != 0;
    return out;
}

Limits guard_band(std::span<const std::uint32_t> viewport) {
    namespace V = packets::SF_CLIP_VIEWPORT;
    const auto value = [&](const packets::Field& field) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(field.get(viewport)));
    };
    return {value(V::XMinClipGuardband), value(V::XMaxClipGuardband), value(V::YMinClipGuardband),
            value(V::YMaxClipGuardband)};
}

Vertex vertex_of(std::span<const std::uint32_t, kVertexDwords> entry, bool distances) {
    Vertex vertex;
    for (unsigned c = 0; c < 4; ++c)
        vertex.position[c] = std::bit_cast<float>(entry[4 + c]);
    if (distances)
        for (unsigned d = 0; d < 8; ++d)
            vertex.distance[d] = std::bit_cast<float>(entry[kHeaderDwords + d]);
    return vertex;
}

float point_width(const DrawState& state, std::span<const std::uint32_t, kVertexDwords> entry) {
    const auto width = std::bit_cast<float>(entry[3]);
    if (!state.enabled) return width;
    // Also of what is no number.
    return width > state.least_point ? std::min(width, state.most_point) : state.least_point;
}

unsigned viewport_index(const DrawState& state,
                        std::span<const std::uint32_t, kVertexDwords> entry) {
    return entry[2] <= state.last_viewport ? entry[2] : 0;
}

unsigned target_index(const DrawState& state, std::span<const std::uint32_t, kVertexDwords> entry) {
    constexpr std::uint32_t kLastTarget = 2047;
    return state.first_target || entry[1] > kLastTarget ? 0 : entry[1];
}

}  // namespace gen9::clip
