// SPDX-License-Identifier: Apache-2.0
#include "media/walk/group_request.h"

namespace gen9::media {

void set_limits(const VfeState& vfe, const ThreadTopology& topology, unsigned registers,
                ThreadRequest& request) {
    request.max_threads = vfe.max_threads;
    request.subslices = vfe.subslice_mask(topology);
    request.eus = static_cast<std::uint8_t>(vfe.eus(topology));
    request.registers = static_cast<std::uint8_t>(registers);
}

void describe_group(const Walk& walk, const WalkCursor& cursor, const ThreadTopology& topology,
                    const HeldGroup& held, ThreadRequest& request) {
    using Group = ThreadRequest::Group;
    const Descriptor& d = walk.descriptor;
    set_limits(walk.vfe, topology, walk.registers, request);
    request.work = walk.number;
    request.load_rows = static_cast<std::uint16_t>(walk.payload_rows());
    request.threads = ThreadRequest::kOpen;
    request.group = walk.global_barrier()      ? Group::Machine
                    : walk.pooled()            ? Group::Pool
                    : walk.bound_to_subslice() ? Group::Subslice
                                               : Group::None;
    if (request.group != Group::None) {
        request.group_threads = static_cast<std::uint16_t>(cursor.group_threads(kMaxFftids));
        request.group_id = cursor.group();
        request.barrier = d.barrier;
        request.barrier_threads = d.group_threads;
        request.slm_kilobytes = static_cast<std::uint16_t>(slm_kilobytes(d.slm_code));
        request.pools = walk.pools;
    }
    request.back_to_back = !walk.media && request.group == Group::None;
    request.work_left = cursor.groups_left() * walk.walker.group_threads();
    if (!walk.media) return;
    const MediaObject& object = *walk.media;
    if (object.command != MediaCommand::ObjectWalker) request.threads = 1;
    if (object.command == MediaCommand::ObjectGrpid) {
        request.continues_group = held.takes(walk);
        request.leaves_group_open = !object.end_of_group;
    }
    if (object.force_destination)
        request.subslices = 1u << (object.slice * topology.subslices + object.subslice);
}

std::uint32_t segment_subslice(const Walk& walk, const WalkCursor& cursor,
                               const ThreadTopology& topology) {
    // The n-th of those in use.
    std::uint32_t left = walk.vfe.subslice_mask(topology);
    for (unsigned n = cursor.segment(); n != 0; --n)
        left &= left - 1;
    return left & (~left + 1);
}

bool LiveDescriptor::must_drain(const Walk& walk, unsigned live) const {
    if (live == 0 || change_ == DescriptorChange::Overlap) return false;
    // Assumed: media threads without groups have nothing to recover. Were it otherwise, no
    // persistent root thread could see others of another descriptor run.
    if (!walk.splits_data() && !splits_) return false;
    if (walk.descriptor == descriptor_ && walk.state->instruction_base.value == instruction_base_)
        return false;
    return change_ == DescriptorChange::Drain || walk.descriptor.slm_code || descriptor_.slm_code;
}

void LiveDescriptor::begin(const Walk& walk) {
    descriptor_ = walk.descriptor;
    instruction_base_ = walk.state->instruction_base.value;
    splits_ = walk.splits_data();
}

}  // namespace gen9::media
