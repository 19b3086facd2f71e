// SPDX-License-Identifier: Apache-2.0
#include "dispatch/place/dispatcher.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "common/check.h"

namespace gen9::dispatch {

Dispatcher::Dispatcher(const Topology& topology, const Settings& settings)
    : topology_(topology),
      settings_(settings),
      slots_(topology, settings.registers),
      tracker_(topology.total_subslices(), settings.groups_per_subslice),
      barriers_(topology.total_subslices()),
      slm_(topology.total_subslices(), SlmAllocator(settings.slm_kilobytes)),
      subslice_policy_(settings.slot_policy, topology.total_subslices()),
      pool_policy_(settings.slot_policy, Pools::kPools),
      eu_policy_(topology.total_subslices(), SlotPolicy(settings.slot_policy, topology.eus)),
      group_of_(topology.total_threads(), kNoGroup) {}

bool Dispatcher::must_drain(const Walk& walk) const {
    if (slots_.live() == 0 || settings_.descriptor_change == DescriptorChange::Overlap)
        return false;
    // Assumed: media threads without groups have nothing to recover. Were it otherwise, no
    // persistent root thread could see others of another descriptor run.
    if (!walk.splits_data() && !live_splits_) return false;
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
    live_splits_ = walk.splits_data();
    subslice_mask_ = walk.vfe.subslice_mask(topology_);
    slots_.use(walk.vfe.eus(topology_), walk.registers);
    const bool continues = held_ && walk.media &&
                           walk.media->command == MediaCommand::ObjectGrpid &&
                           walk.media->group_id == held_id_;
    const unsigned segments =
        settings_.split_lines ? static_cast<unsigned>(std::popcount(subslice_mask_)) : 1;
    cursor_ = WalkCursor(walk, segments, continues ? held_threads_ : std::uint16_t{0});
    gave_up_ = cursor_.given_up();
    open_ = continues;
    if (continues) {
        group_ = held_group_;
        shares_ = held_shares_;
    }
    if (!cursor_.done()) walk_ = &walk;
}

std::uint32_t Dispatcher::candidates(const Descriptor& d, unsigned threads, const VfeState& vfe,
                                     SendState& why) const {
    std::uint32_t with_slots = 0, with_barrier = 0, with_slm = 0;
    unsigned most_slots = 0;
    const std::uint32_t allowed = vfe.subslice_mask(topology_);
    if (slots_.live() + threads <= vfe.max_threads)
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            if (!(allowed >> s & 1)) continue;
            most_slots = std::max(most_slots, slots_.free_of_registers(s));
            if (slots_.per_subslice()[s] < threads) continue;
            with_slots |= 1u << s;
            if (!tracker_.has_room(s) || (d.barrier && !barriers_[s].can_allocate())) continue;
            with_barrier |= 1u << s;
            if (slm_[topology_.slm_of(s)].can_allocate(slm_kilobytes(d.slm_code)))
                with_slm |= 1u << s;
        }
    why = with_slm       ? SendState::Sending
          : with_barrier ? SendState::WaitSlm
          : with_slots   ? SendState::WaitBarrier
                         : lack(most_slots, threads);
    return with_slm;
}

SendState Dispatcher::room_for(const Descriptor& d, unsigned threads, const VfeState& vfe,
                               const Pools& pools, unsigned registers) {
    slots_.use(vfe.eus(topology_), registers);
    if (d.bound_to_subslice() && pools.enabled) return pool_room(d, threads, vfe, pools).why;
    if (!d.bound_to_subslice()) {
        if (slots_.live() >= vfe.max_threads) return SendState::WaitSlot;
        return slots_.free() ? SendState::Sending : lack(free_slots_of(~0u), 1);
    }
    SendState why;
    candidates(d, threads, vfe, why);
    return why;
}

void Dispatcher::stop() {
    GEN9_CHECK(walk_ && (!open_ || group_.index == kNoGroup), "a walk stops between two groups");
    walk_ = nullptr;
    open_ = false;
}

bool Dispatcher::can_save(std::uint32_t slm) const {
    if (held_ || (walk_ && walk_->media) || slm_subslices() & ~slm) return false;
    return std::ranges::none_of(tracker_.groups(),
                                [](const Group& group) { return group.live && group.subslices; });
}

std::uint32_t Dispatcher::slm_subslices() const {
    std::uint32_t with_slm = 0;
    for (const Group& group : tracker_.groups())
        if (group.live && group.slm_kilobytes) with_slm |= 1u << group.slm;
    return with_slm;
}

GroupIndex Dispatcher::begin_restored(unsigned subslice, const SavedThread& saved,
                                      std::uint32_t walker) {
    if (!tracker_.has_room(subslice)) return kNoGroup;
    const unsigned id = saved.barrier % BarrierAllocator::kBarriers;
    if (saved.has_barrier && barriers_[subslice].used_ids() >> id & 1) return kNoGroup;
    const unsigned slm = topology_.slm_of(subslice);
    if (saved.slm_kilobytes && !slm_[slm].take(saved.slm_granule, saved.slm_kilobytes))
        return kNoGroup;
    Group group;
    group.slm = static_cast<std::uint8_t>(slm);
    group.slm_granule = saved.slm_granule;
    group.slm_kilobytes = saved.slm_kilobytes;
    group.subslice = static_cast<std::uint8_t>(subslice);
    group.threads = saved.group_threads;
    group.id = saved.group_id;
    group.walker = walker;
    group.complete = true;
    if (saved.has_barrier) {
        group.has_barrier = true;
        group.barrier = static_cast<std::uint8_t>(id);
        barriers_[subslice].take(id);
    }
    return tracker_.begin(group);
}

void Dispatcher::take_restored(const Walk& walk, const Place& place, GroupIndex group,
                               unsigned registers) {
    slots_.use(walk.vfe.eus(topology_), registers);
    slots_.take(place);
    group_of_[place.fftid(topology_)] = group;
    if (group != kNoGroup) tracker_.sent(group, true);
}

SendState Dispatcher::open_group() {
    GEN9_CHECK(walk_ && !open_, "no group to open");
    slots_.use(walk_->vfe.eus(topology_), walk_->registers);
    group_ = {};
    SendState why = SendState::Sending;
    if (walk_->global_barrier())
        why = reserve_global();
    else if (walk_->pooled())
        why = reserve_pool();
    else if (walk_->bound_to_subslice())
        why = reserve_bound();
    if (why != SendState::Sending) return why;
    open_ = true;
    ++groups_opened_;
    return SendState::Sending;
}

SendState Dispatcher::reserve_bound() {
    const Descriptor& d = walk_->descriptor;
    const unsigned threads = cursor_.group_threads(kMaxThreads);
    SendState why;
    std::uint32_t where = candidates(d, threads, walk_->vfe, why);
    if (walk_->media && walk_->media->force_destination) where &= destination();
    if (!where) return why == SendState::Sending ? SendState::WaitSlot : why;
    const unsigned s = subslice_policy_.pick(slots_.per_subslice(), where);
    Group group;
    group.subslice = static_cast<std::uint8_t>(s);
    group.threads = static_cast<std::uint16_t>(threads);
    group.id = cursor_.group();
    group.walker = walk_->number;
    if (d.barrier) {
        group.has_barrier = true;
        group.barrier = *barriers_[s].allocate();
    }
    if (d.slm_code) {
        group.slm_kilobytes = static_cast<std::uint16_t>(slm_kilobytes(d.slm_code));
        group.slm = static_cast<std::uint8_t>(topology_.slm_of(s));
        group.slm_granule = *slm_[group.slm].allocate(group.slm_kilobytes);
    }
    group_ = {true,      group.subslice,       group.barrier, group.slm_granule,
              group.slm, tracker_.begin(group)};
    return SendState::Sending;
}

Dispatcher::Room Dispatcher::free_slots(std::uint32_t subslices) const {
    Room room(topology_.total_subslices());
    for (unsigned s = 0; s < room.size(); ++s)
        if (subslices >> s & 1) room[s] = slots_.per_subslice()[s];
    return room;
}

Dispatcher::Room Dispatcher::free_slots(std::uint32_t subslices, const Pools& pools,
                                        unsigned pool) const {
    Room room(topology_.total_subslices());
    for (unsigned s = 0; s < room.size(); ++s)
        for (std::uint32_t left = subslices >> s & 1 ? pools.eus(pool, s) : 0; left;
             left &= left - 1)
            room[s] += slots_.per_eu(s)[static_cast<unsigned>(std::countr_zero(left))];
    return room;
}

unsigned Dispatcher::free_slots_of(std::uint32_t subslices) const {
    unsigned free = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (subslices >> s & 1) free += slots_.free_of_registers(s);
    return free;
}

unsigned Dispatcher::free_slots_of(std::uint32_t subslices, const Pools& pools,
                                   unsigned pool) const {
    unsigned free = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (subslices >> s & 1) free += slots_.free_of_registers(s, pools.eus(pool, s));
    return free;
}

// TD-51: one subslice is filled before the next, the one with the most room first, so that few take
// part. `ids`: the barriers that are free in all of them.
bool Dispatcher::split(unsigned threads, Room room, std::uint32_t& ids) {
    shares_.assign(room.size(), 0);
    ids = ~0u;
    while (threads != 0) {
        const auto best = std::ranges::max_element(room);
        if (*best == 0) return false;
        const auto s = static_cast<unsigned>(best - room.begin());
        const unsigned share = std::min<unsigned>(threads, *best);
        *best = 0;
        if (!tracker_.has_room(s)) continue;
        shares_[s] = static_cast<std::uint16_t>(share);
        threads -= share;
        ids &= ~barriers_[s].used_ids();
    }
    return true;
}

SendState Dispatcher::reserve_global() {
    const unsigned threads = cursor_.group_threads(kMaxThreads);
    std::uint32_t ids = 0;
    if (slots_.live() + threads > walk_->vfe.max_threads) return SendState::WaitSlot;
    if (!split(threads, free_slots(subslice_mask_), ids))
        return lack(free_slots_of(subslice_mask_), threads);
    group_ = {};
    return begin_shared(threads, ids);
}

Dispatcher::PoolRoom Dispatcher::pool_room(const Descriptor& d, unsigned threads,
                                           const VfeState& vfe, const Pools& pools) const {
    PoolRoom found;
    found.why = SendState::WaitSlot;
    if (slots_.live() + threads > vfe.max_threads) return found;
    for (unsigned pool = 0; pool < Pools::kPools; ++pool) {
        Room& room = found.room[pool];
        room = free_slots(vfe.subslice_mask(topology_), pools, pool);
        found.free[pool] = std::accumulate(room.begin(), room.end(), std::uint16_t{0});
        if (found.free[pool] < threads) {
            if (found.why == SendState::WaitSlot)
                found.why = lack(free_slots_of(vfe.subslice_mask(topology_), pools, pool), threads);
            continue;
        }
        found.why = SendState::WaitSlm;
        if (slm_[Pools::slm(pool, topology_)].can_allocate(slm_kilobytes(d.slm_code)))
            found.pools |= 1u << pool;
    }
    if (found.pools) found.why = SendState::Sending;
    return found;
}

// Assumed: the seeds leave open which pool takes a group, and which of its subslices. POOL-10:
// software says in the data port which EUs share an SLM, and the layout is not public; here each
// pool has one.
SendState Dispatcher::reserve_pool() {
    const unsigned threads = cursor_.group_threads(kMaxThreads);
    const PoolRoom found = pool_room(walk_->descriptor, threads, walk_->vfe, walk_->pools);
    if (!found.pools) return found.why;
    const unsigned pool = pool_policy_.pick(found.free, found.pools);
    std::uint32_t ids = 0;
    if (!split(threads, found.room[pool], ids)) return SendState::WaitBarrier;  // no group counter
    group_ = {};
    group_.pooled = true;
    for (unsigned s = 0; s < Pools::kSubslices; ++s)
        group_.pool_eus[s] = static_cast<std::uint8_t>(walk_->pools.eus(pool, s));
    return begin_shared(threads, ids, Pools::slm(pool, topology_));
}

SendState Dispatcher::begin_shared(unsigned threads, std::uint32_t ids, unsigned slm) {
    const Descriptor& d = walk_->descriptor;
    if (d.barrier && ids == 0) return SendState::WaitBarrier;  // TD-50: 003:17384
    Group group;
    group.threads = static_cast<std::uint16_t>(threads);
    group.id = cursor_.group();
    group.walker = walk_->number;
    group.has_barrier = d.barrier;
    if (d.barrier) group.barrier = static_cast<std::uint8_t>(std::countr_zero(ids));
    for (unsigned s = 0; s < shares_.size(); ++s)
        if (shares_[s]) {
            group.subslices |= 1u << s;
            if (d.barrier) barriers_[s].take(group.barrier);
        }
    if (d.slm_code) {
        group.slm = static_cast<std::uint8_t>(slm);
        group.slm_kilobytes = static_cast<std::uint16_t>(slm_kilobytes(d.slm_code));
        group.slm_granule = *slm_[slm].allocate(group.slm_kilobytes);
    }
    group.subslice = static_cast<std::uint8_t>(std::countr_zero(group.subslices));
    group_.subslice = group.subslice;
    group_.barrier = group.barrier;
    group_.slm_granule = group.slm_granule;
    group_.slm = group.slm;
    group_.index = tracker_.begin(group);
    group_.global = true;
    return SendState::Sending;
}

std::uint32_t Dispatcher::destination() const {
    const MediaObject& object = *walk_->media;
    return 1u << (object.slice * topology_.subslices + object.subslice);
}

SendState Dispatcher::pick_subslice(std::uint32_t allowed, std::uint32_t ready,
                                    unsigned& subslice) {
    std::uint32_t with_slots = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (slots_.per_subslice()[s]) with_slots |= 1u << s;
    with_slots &= allowed;
    if (!with_slots) return lack(free_slots_of(allowed), 1);
    if (!(with_slots & ready)) return SendState::WaitPayload;
    subslice = subslice_policy_.pick(slots_.per_subslice(), with_slots & ready);
    return SendState::Sending;
}

std::uint32_t Dispatcher::free_eus(unsigned subslice) const {
    const auto free = slots_.per_eu(subslice);
    std::uint32_t eus = 0;
    for (unsigned e = 0; e < topology_.eus; ++e)
        if (free[e]) eus |= 1u << e;
    return eus;
}

Place Dispatcher::pick_eu(unsigned subslice, std::uint32_t eus) {
    return slots_.take(subslice, eu_policy_[subslice].pick(slots_.per_eu(subslice), eus));
}

SendState Dispatcher::take_slot(std::uint32_t ready, Place& place) {
    if (slots_.live() >= walk_->vfe.max_threads) return SendState::WaitSlot;
    slots_.use(walk_->vfe.eus(topology_), walk_->registers);
    std::uint32_t allowed = subslice_mask_;
    if (group_.bound) {
        allowed = 1u << group_.subslice;
    } else if (group_.global) {
        for (unsigned s = 0; s < shares_.size(); ++s)
            if (shares_[s]) {
                allowed = 1u << s;
                break;
            }
    } else if (walk_->media && walk_->media->force_destination) {
        allowed = destination();
    } else if (walk_->media && settings_.split_lines && cursor_.dealt_out()) {
        // MED-27: the segment's own subslice, the n-th of those in use.
        std::uint32_t left = subslice_mask_;
        for (unsigned n = cursor_.segment(); n != 0; --n)
            left &= left - 1;
        allowed = left & (~left + 1);
    }
    unsigned subslice = 0;
    const SendState why = pick_subslice(allowed, ready, subslice);
    if (why != SendState::Sending) return why;
    // A child thread may have taken a slot of the pool since the group began.
    const std::uint32_t eus = free_eus(subslice) & group_.eus(subslice);
    if (!eus) return lack(slots_.free_of_registers(subslice, group_.eus(subslice)), 1);
    if (group_.global && shares_[subslice]) --shares_[subslice];
    place = pick_eu(subslice, eus);
    return SendState::Sending;
}

SendState Dispatcher::take_child_slot(std::uint32_t ready, const VfeState& vfe, unsigned registers,
                                      Place& place) {
    if (slots_.live() >= vfe.max_threads) return SendState::WaitSlot;
    slots_.use(vfe.eus(topology_), registers);
    unsigned subslice = 0;
    const SendState why = pick_subslice(vfe.subslice_mask(topology_), ready, subslice);
    if (why != SendState::Sending) return why;
    place = pick_eu(subslice, free_eus(subslice));
    group_of_[place.fftid(topology_)] = kNoGroup;
    return SendState::Sending;
}

void Dispatcher::make_next(const Place& place, ThreadDispatch& dispatch,
                           std::span<const std::uint8_t> spawned) {
    ThreadFacts facts;
    facts.place = place;
    cursor_.describe(facts);
    facts.barrier = group_.barrier;
    facts.slm_granule = group_.slm_granule;
    facts.slm = group_.slm;
    facts.spawned = spawned;
    make_thread(*walk_, topology_, facts, dispatch);

    const bool last = cursor_.last_of_group();
    group_of_[place.fftid(topology_)] = group_.index;
    if (group_.index != kNoGroup) tracker_.sent(group_.index, last);
    const bool is_object = walk_->media && walk_->media->command == MediaCommand::ObjectGrpid;
    if (is_object) held_ = !last;
    if (is_object && held_) {
        held_id_ = walk_->media->group_id;
        held_threads_ = static_cast<std::uint16_t>(facts.local_thread + 1);
        held_group_ = group_;
        held_shares_ = shares_;
    }
    cursor_.next();
    if (last) open_ = false;
    gave_up_ = cursor_.given_up();
    if (cursor_.done()) {
        walk_ = nullptr;
        open_ = false;
    }
}

Dispatcher::Retirement Dispatcher::retire(unsigned fftid) {
    slots_.give(Place::of_fftid(topology_, fftid));
    const GroupIndex index = group_of_[fftid];
    if (index == kNoGroup || !tracker_.retired(index)) return {};
    return end_group(index);
}

Dispatcher::Retirement Dispatcher::end_held_group() {
    if (!held_) return {};
    held_ = false;
    const GroupIndex index = held_group_.index;
    if (index == kNoGroup || !tracker_.complete(index)) return {};
    return end_group(index);
}

Dispatcher::Retirement Dispatcher::end_group(GroupIndex index) {
    const Group group = tracker_[index];
    Retirement freed{group.has_barrier, 0, group.barrier};
    GroupTracker::for_each_subslice(group, [&](unsigned s) {
        freed.subslices |= 1u << s;
        if (group.has_barrier) barriers_[s].free(group.barrier);
    });
    if (group.slm_kilobytes) slm_[group.slm].free(group.slm_granule, group.slm_kilobytes);
    tracker_.end(index);
    return freed;
}

}  // namespace gen9::dispatch
