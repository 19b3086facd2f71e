// SPDX-License-Identifier: Apache-2.0
/// Dispatcher: groups, resources and slots of the thread dispatcher (core half).
/// Role     reserves for each group a subslice, barrier and SLM where it needs them, gives each
///          thread a slot; takes retirements and frees what groups held
/// Params   number of group counters, choice of units
/// Order    of those who ask; a limit holds for each client by itself
/// Not here who is served (module.h); what threads are made of (the clients)
/// Spec     POOL-01, POOL-06, POOL-08, POOL-10, TD-07, TD-08, TD-43..51; 003:17338-17396
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dispatcher/barrier_allocator.h"
#include "dispatcher/group_tracker.h"
#include "dispatcher/policy_slot.h"
#include "dispatcher/slm_allocator.h"
#include "dispatcher/slots.h"
#include "interconnect/payload/thread_request.h"

namespace gen9::dispatcher {

/// The group whose threads are being sent.
struct OpenGroup {
    bool bound = false;         ///< to one subslice
    std::uint8_t subslice = 0;  ///< that one
    GroupIndex index = kNoGroup;
    /// It lies over several subslices, whose gateways share its barrier (TD-49, POOL-08).
    bool global = false;
    bool pooled = false;  ///< it may use these EUs only
    std::array<std::uint8_t, EuPools::kSubslices> pool_eus{};
    /// A group with a shared barrier has so many threads still to be placed, by subslice (TD-51).
    std::vector<std::uint16_t> shares;
    unsigned to_come = 0;           ///< threads it must have, and that have no place
    std::vector<ThreadPlace> kept;  ///< taken for threads to come (DispatcherCore::keep_places)
    // Its first request says this of these threads.
    std::uint32_t max_threads = 0;
    std::uint8_t of_eus = 0, registers = 0;

    std::uint32_t eus(unsigned of_subslice) const { return pooled ? pool_eus[of_subslice] : ~0u; }
};

class DispatcherCore {
  public:
    struct Settings {
        unsigned groups_per_subslice = 16;
        std::string slot_policy = SlotPolicy::names().front();
        unsigned slm_kilobytes = SlmAllocator::kGranules;  ///< of a subslice
        unsigned registers = 0;                            ///< of an EU, where threads take some
        unsigned clients = 1;
    };
    DispatcherCore(const ThreadTopology& topology, const Settings& settings);

    /// Could the request begin now? It is Sending if so, else what the request would wait for.
    SendState room_for(const ThreadRequest& request, unsigned client);
    /// Does its client's own limit keep it from a thread more, or from so many?
    bool over_limit(const ThreadRequest& request, unsigned client, unsigned threads = 1) const {
        return live_of_client_[client] + threads > request.max_threads;
    }
    /// Reserves what a request's group needs. It is Sending when done, else what the group waits for;
    /// a group
    /// with a barrier must then be announced to the gateway before its first thread is sent
    /// (TD-46).
    SendState open(const ThreadRequest& request, unsigned client, OpenGroup& group);
    /// Takes a slot for the next thread of a group, on a subslice of `ready`.
    SendState take_slot(const ThreadRequest& request, unsigned client, OpenGroup& group,
                        std::uint32_t ready, ThreadPlace& place);
    /// Takes places for the threads that a group is to get, as many as are free, before a thread of
    /// another client takes one: so what has begun can end, whoever waits for whom.
    void keep_places(unsigned client, OpenGroup& group);
    /// Gives up such places that no thread came for; true when there were any.
    bool give_back(unsigned client, OpenGroup& group);
    /// A thread of the group leaves for the slot that was taken. `last`: no other comes.
    void sent(unsigned fftid, const OpenGroup& group, bool last);

    struct Retirement {
        bool barrier_freed = false;
        std::uint32_t subslices = 0;  ///< where
        std::uint8_t barrier = 0;
    };
    Retirement retire(unsigned fftid);
    /// A group that has begun gets no more.
    Retirement end(unsigned client, OpenGroup& group);

    /// Can the groups that run be saved? Those over several subslices cannot; those with SLM can on
    /// the subslices of `slm` only.
    bool can_save(std::uint32_t slm) const;
    /// Groups hold SLM of these subslices.
    std::uint32_t slm_subslices() const;
    /// Writes what brings a thread back that has saved itself, but for what its client knows.
    void describe(unsigned fftid, SavedThread& saved) const;
    /// Begins a group of saved threads that come back, all of which had been sent; kNoGroup says that
    /// what it held is not free.
    GroupIndex begin_restored(unsigned subslice, const SavedThread& saved, std::uint32_t work);
    /// Takes the slot of its thread, which is free.
    void take_restored(const ThreadRequest& request, unsigned client, const ThreadPlace& place,
                       GroupIndex group, unsigned registers);

    const Slots& slots() const { return slots_; }
    /// Threads of a client that run, and places that are kept for others of it.
    unsigned live(unsigned client) const { return live_of_client_[client]; }
    const GroupTracker& tracker() const { return tracker_; }
    const BarrierAllocator& barriers(unsigned subslice) const { return barriers_[subslice]; }
    /// The memory is numbered by the flat subslice it is in.
    const SlmAllocator& slm(unsigned subslice) const { return slm_[subslice]; }

  private:
    std::uint32_t candidates(const ThreadRequest&, unsigned client, SendState& why) const;
    void use(unsigned eus, unsigned registers) {
        slots_.use(std::min(eus, topology_.eus), registers);
    }
    ThreadTopology topology_;
    Slots slots_;
    GroupTracker tracker_;
    std::vector<BarrierAllocator> barriers_;
    std::vector<SlmAllocator> slm_;
    SlotPolicy subslice_policy_, pool_policy_;
    std::vector<SlotPolicy> eu_policy_;  ///< by subslice
    // By FFTID.
    std::vector<ThreadPlace> places_;
    std::vector<GroupIndex> group_of_;
    std::vector<std::uint8_t> client_of_;
    std::vector<unsigned> live_of_client_;

    SendState reserve_bound(const ThreadRequest&, unsigned client, OpenGroup&);
    SendState reserve_global(const ThreadRequest&, unsigned client, OpenGroup&);
    SendState reserve_pool(const ThreadRequest&, unsigned client, OpenGroup&);
    /// Free slots of each subslice, and of each that belong to a pool.
    using Room = std::vector<std::uint16_t>;
    Room free_slots(std::uint32_t subslices) const;
    Room free_slots(std::uint32_t subslices, const EuPools& pools, unsigned pool) const;
    /// Pools with slots and SLM for a group, and the free slots of each by subslice.
    struct PoolRoom {
        std::uint32_t pools = 0;
        std::array<Room, EuPools::kPools> room;
        std::array<std::uint16_t, EuPools::kPools> free{};
        SendState why = SendState::Sending;  ///< it must wait, where there are none
    };
    PoolRoom pool_room(const ThreadRequest&, unsigned client) const;
    /// Threads that have not found room wait for registers where so many slots are free.
    static SendState lack(unsigned slots, unsigned threads) {
        return slots >= threads ? SendState::WaitRegisters : SendState::WaitSlot;
    }
    /// The slots of subslices, or of their EUs in a pool, that are free, registers or not.
    unsigned free_slots_of(std::uint32_t subslices) const;
    unsigned free_slots_of(std::uint32_t subslices, const EuPools& pools, unsigned pool) const;
    bool split(unsigned threads, Room room, OpenGroup& group, std::uint32_t& ids);
    SendState begin_shared(const ThreadRequest&, std::uint32_t ids, unsigned slm, OpenGroup&);
    Group group_of(const ThreadRequest& request) const;
    /// The subslices where the next thread of a group may go, of those allowed to its request.
    static std::uint32_t where(const OpenGroup& group, std::uint32_t allowed);
    SendState pick_place(OpenGroup& group, std::uint32_t allowed, std::uint32_t ready,
                         ThreadPlace& place);
    SendState pick_subslice(std::uint32_t allowed, std::uint32_t ready, unsigned& subslice);
    void count(const ThreadPlace& place, unsigned client) {
        client_of_[place.fftid(topology_)] = static_cast<std::uint8_t>(client);
        ++live_of_client_[client];
    }
    Retirement end_group(GroupIndex index);
};

}  // namespace gen9::dispatcher
