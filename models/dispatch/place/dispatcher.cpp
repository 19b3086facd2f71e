// SPDX-License-Identifier: Apache-2.0
#include "dispatch/place/dispatcher.h"

#include "common/check.h"

namespace gen9::dispatch {

Dispatcher::Dispatcher(const Topology& topology, const Settings& settings)
    : topology_(topology),
      settings_(settings),
      slots_(topology),
      tracker_(topology.total_subslices(), settings.groups_per_subslice),
      barriers_(topology.total_subslices()),
      slm_(topology.total_subslices()),
      subslice_policy_(settings.slot_policy, topology.total_subslices()),
      eu_policy_(topology.total_subslices(), SlotPolicy(settings.slot_policy, topology.eus)),
      group_of_(topology.total_threads(), kNoGroup) {}

bool Dispatcher::must_drain(const Walk& walk) const {
    if (slots_.live() == 0 || settings_.descriptor_change == DescriptorChange::Overlap)
        return false;
    if (walk.descriptor == live_descriptor_ &&
        walk.state->instruction_base.value == live_instruction_base_)
        return false;
    return settings_.descriptor_change == DescriptorChange::Drain || walk.descriptor.slm_code ||
           live_descriptor_.slm_code;
}

void Dispatcher::begin(const Walk& walk) {
    GEN9_CHECK(!walk_, "a walk begins before the last one is done");
    live_descriptor_ = walk.descriptor;
    live_instruction_base_ = walk.state->instruction_base.value;
    groups_ = GroupCursor(walk.walker);
    subslice_mask_ = walk.vfe.subslice_mask(topology_);
    open_ = false;
    if (!groups_.done()) walk_ = &walk;
}

std::uint32_t Dispatcher::candidates(const Descriptor& d, unsigned threads, const VfeState& vfe,
                                     Activity& why) const {
    std::uint32_t with_slots = 0, with_barrier = 0, with_slm = 0;
    const std::uint32_t allowed = vfe.subslice_mask(topology_);
    if (slots_.live() + threads <= vfe.max_threads)
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            if (!(allowed >> s & 1) || slots_.per_subslice()[s] < threads) continue;
            with_slots |= 1u << s;
            if (!tracker_.has_room(s) || (d.barrier && !barriers_[s].can_allocate())) continue;
            with_barrier |= 1u << s;
            if (slm_[s].can_allocate(slm_kilobytes(d.slm_code))) with_slm |= 1u << s;
        }
    why = with_slm       ? Activity::Sending
          : with_barrier ? Activity::WaitSlm
          : with_slots   ? Activity::WaitBarrier
                         : Activity::WaitSlot;
    return with_slm;
}

Activity Dispatcher::room_for(const Descriptor& d, unsigned threads, const VfeState& vfe) const {
    if (!d.bound_to_subslice())
        return slots_.free() && slots_.live() < vfe.max_threads ? Activity::Sending
                                                                : Activity::WaitSlot;
    Activity why;
    candidates(d, threads, vfe, why);
    return why;
}

Activity Dispatcher::open_group() {
    GEN9_CHECK(walk_ && !open_, "no group to open");
    const Descriptor& d = walk_->descriptor;
    group_ = {};
    if (d.bound_to_subslice()) {
        const unsigned threads = walk_->walker.group_threads();
        Activity why;
        const std::uint32_t where = candidates(d, threads, walk_->vfe, why);
        if (!where) return why;
        const unsigned s = subslice_policy_.pick(slots_.per_subslice(), where);
        Group group;
        group.subslice = static_cast<std::uint8_t>(s);
        group.threads = static_cast<std::uint16_t>(threads);
        group.id = groups_.id();
        group.walker = walk_->number;
        if (d.barrier) {
            group.has_barrier = true;
            group.barrier = *barriers_[s].allocate();
        }
        if (d.slm_code) {
            group.slm_kilobytes = static_cast<std::uint8_t>(slm_kilobytes(d.slm_code));
            group.slm_granule = *slm_[s].allocate(group.slm_kilobytes);
        }
        group_ = {true, group.subslice, group.barrier, group.slm_granule, tracker_.begin(group)};
    }
    threads_ = ThreadCursor(walk_->walker);
    open_ = true;
    ++groups_opened_;
    return Activity::Sending;
}

Activity Dispatcher::take_slot(std::uint32_t ready, Place& place) {
    if (slots_.live() >= walk_->vfe.max_threads) return Activity::WaitSlot;
    unsigned subslice = group_.subslice;
    if (group_.bound) {
        // Its slots were free when it was opened and no other group is sent in between.
        if (!(ready >> subslice & 1)) return Activity::WaitPayload;
    } else {
        std::uint32_t with_slots = 0;
        for (unsigned s = 0; s < topology_.total_subslices(); ++s)
            if (slots_.per_subslice()[s]) with_slots |= 1u << s;
        with_slots &= subslice_mask_;
        if (!with_slots) return Activity::WaitSlot;
        if (!(with_slots & ready)) return Activity::WaitPayload;
        subslice = subslice_policy_.pick(slots_.per_subslice(), with_slots & ready);
    }
    const auto free = slots_.per_eu(subslice);
    std::uint32_t eus = 0;
    for (unsigned e = 0; e < topology_.eus; ++e)
        if (free[e]) eus |= 1u << e;
    place = slots_.take(subslice, eu_policy_[subslice].pick(free, eus));
    return Activity::Sending;
}

void Dispatcher::make_next(const Place& place, ThreadDispatch& dispatch) {
    ThreadFacts facts;
    facts.place = place;
    facts.group_id = groups_.id();
    facts.local_thread = threads_.index();
    facts.mask = threads_.mask();
    facts.barrier = group_.barrier;
    facts.slm_granule = group_.slm_granule;
    make_thread(*walk_, topology_, facts, dispatch);

    const bool last = threads_.last();
    group_of_[place.fftid(topology_)] = group_.index;
    if (group_.bound) tracker_.sent(group_.index, last);
    threads_.next();
    if (!last) return;
    open_ = false;
    groups_.next();
    if (groups_.done()) walk_ = nullptr;
}

Dispatcher::Retirement Dispatcher::retire(unsigned fftid) {
    slots_.give(Place::of_fftid(topology_, fftid));
    const GroupIndex index = group_of_[fftid];
    if (index == kNoGroup || !tracker_.retired(index)) return {};
    const Group group = tracker_[index];
    if (group.has_barrier) barriers_[group.subslice].free(group.barrier);
    if (group.slm_kilobytes) slm_[group.subslice].free(group.slm_granule, group.slm_kilobytes);
    tracker_.end(index);
    return {group.has_barrier, group.subslice, group.barrier};
}

}  // namespace gen9::dispatch
