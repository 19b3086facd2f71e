// SPDX-License-Identifier: Apache-2.0
#include "dispatcher/core.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "common/check.h"

namespace gen9::dispatcher {

DispatcherCore::DispatcherCore(const ThreadTopology& topology, const Settings& settings)
    : topology_(topology),
      slots_(topology, settings.registers),
      tracker_(topology.total_subslices(), settings.groups_per_subslice),
      barriers_(topology.total_subslices()),
      slm_(topology.total_subslices(), SlmAllocator(settings.slm_kilobytes)),
      subslice_policy_(settings.slot_policy, topology.total_subslices()),
      pool_policy_(settings.slot_policy, EuPools::kPools),
      eu_policy_(topology.total_subslices(), SlotPolicy(settings.slot_policy, topology.eus)),
      group_of_(topology.total_threads(), kNoGroup),
      client_of_(topology.total_threads()),
      live_of_client_(settings.clients) {
    for (unsigned fftid = 0; fftid < topology.total_threads(); ++fftid)
        places_.push_back(ThreadPlace::of_fftid(topology, fftid));
}

std::uint32_t DispatcherCore::candidates(const ThreadRequest& request, unsigned client,
                                         SendState& why) const {
    std::uint32_t with_slots = 0, with_barrier = 0, with_slm = 0;
    unsigned most_slots = 0;
    const unsigned threads = request.group_threads;
    if (!over_limit(request, client, threads))
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            if (!(request.subslices >> s & 1)) continue;
            most_slots = std::max(most_slots, slots_.free_of_registers(s));
            if (slots_.per_subslice()[s] < threads) continue;
            with_slots |= 1u << s;
            if (!tracker_.has_room(s) || (request.barrier && !barriers_[s].can_allocate()))
                continue;
            with_barrier |= 1u << s;
            if (slm_[topology_.slm_of(s)].can_allocate(request.slm_kilobytes)) with_slm |= 1u << s;
        }
    why = with_slm       ? SendState::Sending
          : with_barrier ? SendState::WaitSlm
          : with_slots   ? SendState::WaitBarrier
                         : lack(most_slots, threads);
    return with_slm;
}

SendState DispatcherCore::room_for(const ThreadRequest& request, unsigned client) {
    use(request.eus, request.registers);
    switch (request.group) {
        case ThreadRequest::Group::Pool:
            return pool_room(request, client).why;
        case ThreadRequest::Group::Subslice: {
            SendState why;
            candidates(request, client, why);
            return why;
        }
        default:
            if (over_limit(request, client, 1)) return SendState::WaitSlot;
            return slots_.free() ? SendState::Sending : lack(free_slots_of(~0u), 1);
    }
}

bool DispatcherCore::can_save(std::uint32_t slm) const {
    if (slm_subslices() & ~slm) return false;
    return std::ranges::none_of(tracker_.groups(),
                                [](const Group& group) { return group.live && group.subslices; });
}

std::uint32_t DispatcherCore::slm_subslices() const {
    std::uint32_t with_slm = 0;
    for (const Group& group : tracker_.groups())
        if (group.live && group.slm_kilobytes) with_slm |= 1u << group.slm;
    return with_slm;
}

void DispatcherCore::describe(unsigned fftid, SavedThread& saved) const {
    saved.registers = slots_.registers_of(fftid);
    saved.group = group_of_[fftid];
    if (saved.group == kNoGroup) return;
    const Group& group = tracker_[saved.group];
    saved.has_barrier = group.has_barrier;
    saved.barrier = group.barrier;
    saved.slm_granule = group.slm_granule;
    saved.slm_kilobytes = static_cast<std::uint8_t>(group.slm_kilobytes);
    saved.group_threads = group.threads;
}

GroupIndex DispatcherCore::begin_restored(unsigned subslice, const SavedThread& saved,
                                          std::uint32_t work) {
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
    group.work = work;
    if (saved.has_barrier) {
        group.has_barrier = true;
        group.barrier = static_cast<std::uint8_t>(id);
        barriers_[subslice].take(id);
    }
    return tracker_.begin(group);
}

void DispatcherCore::take_restored(const ThreadRequest& request, unsigned client,
                                   const ThreadPlace& place, GroupIndex group, unsigned registers) {
    use(request.eus, registers);
    slots_.take(place);
    count(place, client);
    const unsigned fftid = place.fftid(topology_);
    group_of_[fftid] = group;
    if (group != kNoGroup) tracker_.sent(group, true);
}

SendState DispatcherCore::open(const ThreadRequest& request, unsigned client, OpenGroup& group) {
    use(request.eus, request.registers);
    group.bound = group.global = group.pooled = false;
    group.index = kNoGroup;
    group.to_come = request.group_threads;
    group.max_threads = request.max_threads;
    group.of_eus = request.eus;
    group.registers = request.registers;
    switch (request.group) {
        case ThreadRequest::Group::Machine:
            return reserve_global(request, client, group);
        case ThreadRequest::Group::Pool:
            return reserve_pool(request, client, group);
        case ThreadRequest::Group::Subslice:
            return reserve_bound(request, client, group);
        case ThreadRequest::Group::None:
            break;
    }
    return SendState::Sending;
}

Group DispatcherCore::group_of(const ThreadRequest& request) const {
    Group group;
    group.threads = request.group_threads;
    group.id = request.group_id;
    group.work = request.work;
    group.has_barrier = request.barrier;
    group.slm_kilobytes = request.slm_kilobytes;
    return group;
}

SendState DispatcherCore::reserve_bound(const ThreadRequest& request, unsigned client,
                                        OpenGroup& open) {
    SendState why;
    const std::uint32_t where = candidates(request, client, why);
    if (!where) return why;
    const unsigned s = subslice_policy_.pick(slots_.per_subslice(), where);
    Group group = group_of(request);
    group.subslice = static_cast<std::uint8_t>(s);
    if (request.barrier) group.barrier = *barriers_[s].allocate();
    if (request.slm_kilobytes) {
        group.slm = static_cast<std::uint8_t>(topology_.slm_of(s));
        group.slm_granule = *slm_[group.slm].allocate(group.slm_kilobytes);
    }
    open.bound = true;
    open.subslice = group.subslice;
    open.index = tracker_.begin(group);
    return SendState::Sending;
}

DispatcherCore::Room DispatcherCore::free_slots(std::uint32_t subslices) const {
    Room room(topology_.total_subslices());
    for (unsigned s = 0; s < room.size(); ++s)
        if (subslices >> s & 1) room[s] = slots_.per_subslice()[s];
    return room;
}

DispatcherCore::Room DispatcherCore::free_slots(std::uint32_t subslices, const EuPools& pools,
                                                unsigned pool) const {
    Room room(topology_.total_subslices());
    for (unsigned s = 0; s < room.size(); ++s)
        for (std::uint32_t left = subslices >> s & 1 ? pools.eus(pool, s) : 0; left;
             left &= left - 1)
            room[s] += slots_.per_eu(s)[static_cast<unsigned>(std::countr_zero(left))];
    return room;
}

unsigned DispatcherCore::free_slots_of(std::uint32_t subslices) const {
    unsigned free = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (subslices >> s & 1) free += slots_.free_of_registers(s);
    return free;
}

unsigned DispatcherCore::free_slots_of(std::uint32_t subslices, const EuPools& pools,
                                       unsigned pool) const {
    unsigned free = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (subslices >> s & 1) free += slots_.free_of_registers(s, pools.eus(pool, s));
    return free;
}

// TD-51: one subslice is filled before the next, the one with the most room first, so that few take
// part. `ids`: the barriers that are free in all of them.
bool DispatcherCore::split(unsigned threads, Room room, OpenGroup& group, std::uint32_t& ids) {
    group.shares.assign(room.size(), 0);
    ids = ~0u;
    while (threads != 0) {
        const auto best = std::ranges::max_element(room);
        if (*best == 0) return false;
        const auto s = static_cast<unsigned>(best - room.begin());
        const unsigned share = std::min<unsigned>(threads, *best);
        *best = 0;
        if (!tracker_.has_room(s)) continue;
        group.shares[s] = static_cast<std::uint16_t>(share);
        threads -= share;
        ids &= ~barriers_[s].used_ids();
    }
    return true;
}

SendState DispatcherCore::reserve_global(const ThreadRequest& request, unsigned client,
                                         OpenGroup& group) {
    std::uint32_t ids = 0;
    const unsigned threads = request.group_threads;
    if (over_limit(request, client, threads)) return SendState::WaitSlot;
    if (!split(threads, free_slots(request.subslices), group, ids))
        return lack(free_slots_of(request.subslices), threads);
    return begin_shared(request, ids, 0, group);
}

DispatcherCore::PoolRoom DispatcherCore::pool_room(const ThreadRequest& request,
                                                   unsigned client) const {
    PoolRoom found;
    found.why = SendState::WaitSlot;
    const unsigned threads = request.group_threads;
    if (over_limit(request, client, threads)) return found;
    for (unsigned pool = 0; pool < EuPools::kPools; ++pool) {
        Room& room = found.room[pool];
        room = free_slots(request.subslices, request.pools, pool);
        found.free[pool] = std::accumulate(room.begin(), room.end(), std::uint16_t{0});
        if (found.free[pool] < threads) {
            if (found.why == SendState::WaitSlot)
                found.why = lack(free_slots_of(request.subslices, request.pools, pool), threads);
            continue;
        }
        found.why = SendState::WaitSlm;
        if (slm_[EuPools::slm(pool, topology_)].can_allocate(request.slm_kilobytes))
            found.pools |= 1u << pool;
    }
    if (found.pools) found.why = SendState::Sending;
    return found;
}

// Assumed: the seeds leave open which pool takes a group, and which of its subslices. POOL-10:
// software says in the data port which EUs share an SLM, and the layout is not public; here each
// pool has one.
SendState DispatcherCore::reserve_pool(const ThreadRequest& request, unsigned client,
                                       OpenGroup& group) {
    const PoolRoom found = pool_room(request, client);
    if (!found.pools) return found.why;
    const unsigned pool = pool_policy_.pick(found.free, found.pools);
    std::uint32_t ids = 0;
    if (!split(request.group_threads, found.room[pool], group, ids))
        return SendState::WaitBarrier;  // no group counter
    group.pooled = true;
    for (unsigned s = 0; s < EuPools::kSubslices; ++s)
        group.pool_eus[s] = static_cast<std::uint8_t>(request.pools.eus(pool, s));
    return begin_shared(request, ids, EuPools::slm(pool, topology_), group);
}

SendState DispatcherCore::begin_shared(const ThreadRequest& request, std::uint32_t ids,
                                       unsigned slm, OpenGroup& open) {
    if (request.barrier && ids == 0) return SendState::WaitBarrier;  // TD-50: 003:17384
    Group group = group_of(request);
    if (request.barrier) group.barrier = static_cast<std::uint8_t>(std::countr_zero(ids));
    for (unsigned s = 0; s < open.shares.size(); ++s)
        if (open.shares[s]) {
            group.subslices |= 1u << s;
            if (request.barrier) barriers_[s].take(group.barrier);
        }
    if (request.slm_kilobytes) {
        group.slm = static_cast<std::uint8_t>(slm);
        group.slm_granule = *slm_[slm].allocate(group.slm_kilobytes);
    }
    group.subslice = static_cast<std::uint8_t>(std::countr_zero(group.subslices));
    open.index = tracker_.begin(group);
    open.global = true;
    return SendState::Sending;
}

SendState DispatcherCore::pick_subslice(std::uint32_t allowed, std::uint32_t ready,
                                        unsigned& subslice) {
    const std::uint32_t with_slots = slots_.free_subslices() & allowed;
    if (!with_slots) return lack(free_slots_of(allowed), 1);
    if (!(with_slots & ready)) return SendState::WaitPayload;
    subslice = subslice_policy_.pick(slots_.per_subslice(), with_slots & ready);
    return SendState::Sending;
}

std::uint32_t DispatcherCore::where(const OpenGroup& group, std::uint32_t allowed) {
    if (group.bound) return 1u << group.subslice;
    if (group.global)
        for (unsigned s = 0; s < group.shares.size(); ++s)
            if (group.shares[s]) return 1u << s;
    return allowed;
}

SendState DispatcherCore::pick_place(OpenGroup& group, std::uint32_t allowed, std::uint32_t ready,
                                     ThreadPlace& place) {
    unsigned subslice = 0;
    const SendState why = pick_subslice(where(group, allowed), ready, subslice);
    if (why != SendState::Sending) return why;
    // Another thread of its client may have taken a slot of the pool since the group began.
    const std::uint32_t eus = slots_.free_eus(subslice) & group.eus(subslice);
    if (!eus) return lack(slots_.free_of_registers(subslice, group.eus(subslice)), 1);
    if (group.global && group.shares[subslice]) --group.shares[subslice];
    if (group.to_come) --group.to_come;
    SlotPolicy& policy = eu_policy_[subslice];
    place = slots_.take(subslice,
                        policy.next(policy.by_load() ? slots_.most_free(subslice, eus) : eus));
    return SendState::Sending;
}

SendState DispatcherCore::take_slot(const ThreadRequest& request, unsigned client, OpenGroup& group,
                                    std::uint32_t ready, ThreadPlace& place) {
    if (!group.kept.empty()) [[unlikely]] {
        const auto first = std::ranges::find_if(
            group.kept, [&](const ThreadPlace& kept) { return ready >> kept.subslice & 1; });
        if (first == group.kept.end()) return SendState::WaitPayload;
        place = *first;
        group.kept.erase(first);
        return SendState::Sending;
    }
    if (over_limit(request, client)) return SendState::WaitSlot;
    use(request.eus, request.registers);
    const SendState why = pick_place(group, request.subslices, ready, place);
    if (why == SendState::Sending) count(place, client);
    return why;
}

void DispatcherCore::keep_places(unsigned client, OpenGroup& group) {
    if (group.index == kNoGroup || group.to_come == 0) return;
    use(group.of_eus, group.registers);
    ThreadPlace place;
    while (group.to_come != 0 && live_of_client_[client] < group.max_threads &&
           pick_place(group, 0, ~0u, place) == SendState::Sending) {
        count(place, client);
        group.kept.push_back(place);
    }
}

bool DispatcherCore::give_back(unsigned client, OpenGroup& group) {
    for (const ThreadPlace& place : group.kept)
        slots_.give(place);
    live_of_client_[client] -= static_cast<unsigned>(group.kept.size());
    return !std::exchange(group.kept, {}).empty();
}

void DispatcherCore::sent(unsigned fftid, const OpenGroup& group, bool last) {
    group_of_[fftid] = group.index;
    if (group.index != kNoGroup) tracker_.sent(group.index, last);
}

DispatcherCore::Retirement DispatcherCore::retire(unsigned fftid) {
    slots_.give(places_[fftid]);
    --live_of_client_[client_of_[fftid]];
    const GroupIndex index = group_of_[fftid];
    if (index == kNoGroup || !tracker_.retired(index)) return {};
    return end_group(index);
}

DispatcherCore::Retirement DispatcherCore::end(unsigned client, OpenGroup& group) {
    give_back(client, group);
    if (group.index == kNoGroup || !tracker_.complete(group.index)) return {};
    return end_group(group.index);
}

DispatcherCore::Retirement DispatcherCore::end_group(GroupIndex index) {
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

}  // namespace gen9::dispatcher
