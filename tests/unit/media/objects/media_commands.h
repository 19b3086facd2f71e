// SPDX-License-Identifier: Apache-2.0
// The media pipe's work commands as a driver writes them, from the packet rows.
#pragma once
#include <vector>

#include "media/objects/media_walker.h"
#include "packets/media_object.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {

inline void append(PipelineCommand& command, unsigned from,
                   const std::vector<std::uint32_t>& inline_data) {
    for (std::size_t i = 0; i < inline_data.size(); ++i)
        command.dwords.at(from + i) = inline_data[i];
    command.length_dwords = from + static_cast<unsigned>(inline_data.size());
}

struct ObjectFields {
    unsigned descriptor = 0;
    unsigned indirect_bytes = 0, indirect_offset = 0;
    bool scoreboard = false, synchronized = false, children = false;
    unsigned x = 0, y = 0, mask = 0, color = 0;
    bool force = false;
    unsigned slice = 0, subslice = 0;
    std::vector<std::uint32_t> inline_data{};
};
inline PipelineCommand object_command(const PipelineStatePtr& state, const ObjectFields& f) {
    namespace p = packets::MEDIA_OBJECT;
    auto c = make_command(0x71000000, p::kInlineDword, state);
    p::InterfaceDescriptorOffset.set(c.dwords, f.descriptor);
    p::IndirectDataLength.set(c.dwords, f.indirect_bytes);
    p::IndirectDataStartAddress.set(c.dwords, f.indirect_offset);
    p::UseScoreboard.set(c.dwords, f.scoreboard);
    p::ThreadSynchronization.set(c.dwords, f.synchronized);
    p::ChildrenPresent.set(c.dwords, f.children);
    p::ScoreBoardX.set(c.dwords, f.x);
    p::ScoredBoardY.set(c.dwords, f.y);
    p::ScoreboardMask.set(c.dwords, f.mask);
    p::ScoreboardColor.set(c.dwords, f.color);
    p::ForceDestination.set(c.dwords, f.force);
    p::SliceDestinationSelect.set(c.dwords, f.slice & 3);
    p::SliceDestinationSelectMSBs.set(c.dwords, f.slice >> 2);
    p::SubSliceDestinationSelect.set(c.dwords, f.subslice);
    append(c, p::kInlineDword, f.inline_data);
    return c;
}

inline PipelineCommand grpid_command(const PipelineStatePtr& state, const ObjectFields& f,
                                     std::uint32_t group, bool end) {
    namespace p = packets::MEDIA_OBJECT_GRPID;
    ObjectFields without = f;
    without.inline_data.clear();
    auto c = object_command(state, without);
    c.row = packets::find_command(0x71060000);
    c.dwords[0] = 0x71060000;
    p::EndofThreadGroup.set(c.dwords, end);
    p::GroupID.set(c.dwords, group);
    append(c, p::kInlineDword, f.inline_data);
    return c;
}

struct PrtFields {
    unsigned descriptor = 0;
    bool children = false, fence = false, fence_vfe = false;
    std::vector<std::uint32_t> inline_data = std::vector<std::uint32_t>(12);
};
inline PipelineCommand prt_command(const PipelineStatePtr& state, const PrtFields& f) {
    namespace p = packets::MEDIA_OBJECT_PRT;
    auto c = make_command(0x7102000E, 16, state);
    p::InterfaceDescriptorOffset.set(c.dwords, f.descriptor);
    p::ChildrenPresent.set(c.dwords, f.children);
    p::PRTFenceNeeded.set(c.dwords, f.fence);
    p::PRTFenceType.set(c.dwords, f.fence_vfe);
    append(c, p::kInlineDword, f.inline_data);
    return c;
}

/// A walker over one block of `width` by `height` unless the rest is given.
struct MediaWalkerFields {
    unsigned descriptor = 0;
    bool scoreboard = false, synchronized = false;
    unsigned masked = 0, mask = 0, loop_select = 0;
    unsigned colors = 1, extra_steps = 0, local_count = 0, global_count = 0;
    WalkVector block{1, 1}, local_start{}, local_outer{0, 1}, middle{}, local_inner{1, 0};
    WalkVector global{1, 1}, global_start{}, global_outer{0, 1}, global_inner{1, 0};
    std::vector<std::uint32_t> inline_data{};
};
inline PipelineCommand media_walker_command(const PipelineStatePtr& state,
                                            const MediaWalkerFields& f) {
    namespace p = packets::MEDIA_OBJECT_WALKER;
    auto c = make_command(0x7103000F, p::kInlineDword, state);
    const auto set = [&](const packets::Field& x, const packets::Field& y, WalkVector v) {
        x.set(c.dwords, static_cast<std::uint64_t>(v.x));
        y.set(c.dwords, static_cast<std::uint64_t>(v.y));
    };
    p::InterfaceDescriptorOffset.set(c.dwords, f.descriptor);
    p::UseScoreboard.set(c.dwords, f.scoreboard);
    p::ThreadSynchronization.set(c.dwords, f.synchronized);
    p::MaskedDispatch.set(c.dwords, f.masked);
    p::ScoreboardMask.set(c.dwords, f.mask);
    p::GroupIDLoopSelect.set(c.dwords, f.loop_select);
    p::ColorCountMinusOne.set(c.dwords, f.colors - 1);
    p::MiddleLoopExtraSteps.set(c.dwords, f.extra_steps);
    p::LocalLoopExecCount.set(c.dwords, f.local_count);
    p::GlobalLoopExecCount.set(c.dwords, f.global_count);
    set(p::MidLoopUnitX, p::LocalMidLoopUnitY, f.middle);
    set(p::BlockResolutionX, p::BlockResolutionY, f.block);
    set(p::LocalStartX, p::LocalStartY, f.local_start);
    set(p::LocalOuterLoopStrideX, p::LocalOuterLoopStrideY, f.local_outer);
    set(p::LocalInnerLoopUnitX, p::LocalInnerLoopUnitY, f.local_inner);
    set(p::GlobalResolutionX, p::GlobalResolutionY, f.global);
    set(p::GlobalStartX, p::GlobalStartY, f.global_start);
    set(p::GlobalOuterLoopStrideX, p::GlobalOuterLoopStrideY, f.global_outer);
    set(p::GlobalInnerLoopUnitX, p::GlobalInnerLoopUnitY, f.global_inner);
    append(c, p::kInlineDword, f.inline_data);
    return c;
}
/// A raster of one block.
inline MediaWalkerFields raster(int width, int height) {
    MediaWalkerFields f;
    f.block = f.global = {width, height};
    f.local_count = static_cast<unsigned>(height - 1);
    f.global_outer = {width, 0};
    f.global_inner = {0, height};
    return f;
}

/// The scoreboard's part of MEDIA_VFE_STATE.
struct ScoreboardFields {
    bool enable = true, non_stalling = false;
    unsigned mask = 0xFF;
    std::uint32_t deltas_low = 0, deltas_high = 0;  ///< DWords 7 and 8
};
inline void set_scoreboard(PipelineCommand& vfe, const ScoreboardFields& f) {
    namespace p = packets::MEDIA_VFE_STATE;
    p::ScoreboardEnable.set(vfe.dwords, f.enable);
    p::ScoreboardType.set(vfe.dwords, f.non_stalling);
    p::ScoreboardMask.set(vfe.dwords, f.mask);
    vfe.dwords[7] = f.deltas_low;
    vfe.dwords[8] = f.deltas_high;
}

}  // namespace gen9::media::test
