// SPDX-License-Identifier: Apache-2.0
/// Dispatcher: groups, resources and slots of the thread spawner and thread dispatcher (core half).
/// Role     walks the groups and threads of a Walk; gives each group a subslice, barrier and SLM
///          where it needs them, each thread a slot; takes retirements and frees what groups held
/// Params   number of group counters, choice of units
/// Order    groups in walker order, each waiting for its resources before any later one (TD-48)
/// Not here commands and memory (front_end.h); time (module.h)
/// Spec     POOL-01, POOL-06, POOL-08, POOL-10, TD-07, TD-08, TD-17..27, TD-37..51, TD-62,
/// MED-24..27, MED-61; 003:17338-17396
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dispatch/place/barrier_allocator.h"
#include "dispatch/place/group_tracker.h"
#include "dispatch/place/policy_slot.h"
#include "dispatch/place/saved_thread.h"
#include "dispatch/place/slm_allocator.h"
#include "dispatch/place/slots.h"
#include "dispatch/walk/payload.h"
#include "dispatch/walk/walk.h"
#include "dispatch/walk/walk_cursor.h"

namespace gen9::dispatch {

/// What a request for another descriptor waits for (TD-62).
enum class DescriptorChange : std::uint8_t {
    Drain,        ///< all threads must have ended: 003:17350
    DrainForSlm,  ///< only where the old or the new descriptor uses SLM
    Overlap,      ///< nothing
};

class Dispatcher {
  public:
    struct Settings {
        unsigned groups_per_subslice = 16;
        std::string slot_policy = SlotPolicy::names().front();
        DescriptorChange descriptor_change = DescriptorChange::Drain;
        unsigned slm_kilobytes = SlmAllocator::kGranules;  ///< of a subslice
        unsigned registers = 0;   ///< of an EU, where threads take some (Walk::registers)
        bool split_lines = true;  ///< a media walker's lines are dealt out to subslices (MED-27)
    };
    Dispatcher(const Topology& topology, const Settings& settings);

    /// Must the running threads end before this walk may begin?
    bool must_drain(const Walk& walk) const;
    /// Takes a walk, which must live until it is done.
    void begin(const Walk& walk);
    /// Between two groups, or inside one that holds nothing: the rest of the walk, from
    /// next_group() and next_thread() on, is not sent.
    void stop();
    /// Are there groups or threads of the walk still to be sent?
    bool walking() const { return walk_ != nullptr; }

    /// Could a group with this descriptor begin now, whose threads take so many registers each?
    /// Sending if so, else what it waits for.
    SendState room_for(const Descriptor& descriptor, unsigned threads, const VfeState& vfe,
                       const Pools& pools, unsigned registers = 0);

    /// The group whose threads are being sent.
    struct OpenGroup {
        bool bound = false;  ///< to one subslice
        std::uint8_t subslice = 0;
        std::uint8_t barrier = 0;
        std::uint8_t slm_granule = 0;
        std::uint8_t slm = 0;  ///< Group::slm
        GroupIndex index = kNoGroup;
        /// Over several subslices, whose gateways share its barrier (TD-49, POOL-08).
        bool global = false;
        std::uint32_t eus(unsigned subslice) const { return pooled ? pool_eus[subslice] : ~0u; }
        bool pooled = false;  ///< it may use these EUs only
        std::array<std::uint8_t, Pools::kSubslices> pool_eus{};
    };
    /// Threads of a group with a shared barrier that run on each subslice (TD-51).
    const std::vector<std::uint16_t>& shares() const { return shares_; }
    bool group_open() const { return open_; }
    const OpenGroup& group() const { return group_; }
    /// Reserves what the next group needs. Sending when done, else what it waits for; a group with
    /// a barrier must then be announced to the gateway before its first thread is sent (TD-46).
    SendState open_group();

    /// Takes a slot for the next thread of the open group, on a subslice of `ready`.
    SendState take_slot(std::uint32_t ready, Place& place);
    /// Takes a slot for a thread that belongs to no walk: a child thread.
    SendState take_child_slot(std::uint32_t ready, const VfeState& vfe, unsigned registers,
                              Place& place);
    /// Fills in the next thread, for a slot that was taken, and steps the counters.
    void make_next(const Place& place, ThreadDispatch& dispatch,
                   std::span<const std::uint8_t> spawned = {});
    /// What the next thread says to the scoreboard.
    ScoreboardRequest scoreboard() const { return cursor_.scoreboard(); }
    /// The rest of the walk is dropped: it goes nowhere (MediaCursor::given_up).
    bool gave_up() const { return gave_up_; }

    /// MEDIA_OBJECT_GRPID: a group that is open between its objects (MED-61).
    bool group_held() const { return held_; }
    std::uint32_t held_group() const { return held_id_; }
    std::uint16_t held_threads() const { return held_threads_; }

    struct Retirement {
        bool barrier_freed = false;
        std::uint32_t subslices = 0;  ///< where
        std::uint8_t barrier = 0;
    };
    Retirement retire(unsigned fftid);
    /// The group that is open between its objects gets no more.
    Retirement end_held_group();

    const Slots& slots() const { return slots_; }
    const GroupTracker& tracker() const { return tracker_; }
    const BarrierAllocator& barriers(unsigned subslice) const { return barriers_[subslice]; }
    /// By the flat subslice it is in.
    const SlmAllocator& slm(unsigned subslice) const { return slm_[subslice]; }
    std::array<std::uint32_t, 3> next_group() const { return cursor_.group(); }
    unsigned next_thread() const { return cursor_.local_thread(); }

    /// Can all that runs be saved? Not groups of several subslices, nor media objects; groups with
    /// SLM on those of `slm` only.
    bool can_save(std::uint32_t slm) const;
    /// Those whose SLM groups hold.
    std::uint32_t slm_subslices() const;
    GroupIndex group_of(unsigned fftid) const { return group_of_[fftid]; }
    /// A group of saved threads that come back, all of which had been sent; kNoGroup when what it
    /// held is not free.
    GroupIndex begin_restored(unsigned subslice, const SavedThread& saved, std::uint32_t walker);
    /// Its thread, of a walk that may have no other group to send.
    void take_restored(const Walk& walk, const Place& place, GroupIndex group, unsigned registers);
    std::uint64_t groups_opened() const { return groups_opened_; }

  private:
    std::uint32_t candidates(const Descriptor&, unsigned threads, const VfeState&,
                             SendState& why) const;

    Topology topology_;
    Settings settings_;
    Slots slots_;
    GroupTracker tracker_;
    std::vector<BarrierAllocator> barriers_;
    std::vector<SlmAllocator> slm_;
    SlotPolicy subslice_policy_, pool_policy_;
    std::vector<SlotPolicy> eu_policy_;  ///< by subslice
    std::vector<GroupIndex> group_of_;   ///< by FFTID

    SendState reserve_bound();
    SendState reserve_global();
    SendState reserve_pool();
    /// Free slots of each subslice, and of each that belong to a pool.
    using Room = std::vector<std::uint16_t>;
    Room free_slots(std::uint32_t subslices) const;
    Room free_slots(std::uint32_t subslices, const Pools& pools, unsigned pool) const;
    /// Pools with slots and SLM for a group, and the free slots of each by subslice.
    struct PoolRoom {
        std::uint32_t pools = 0;
        std::array<Room, Pools::kPools> room;
        std::array<std::uint16_t, Pools::kPools> free{};
        SendState why = SendState::Sending;  ///< it must wait, where there are none
    };
    PoolRoom pool_room(const Descriptor&, unsigned threads, const VfeState&, const Pools&) const;
    /// What threads wait for that have not found room: registers, where so many slots are free.
    static SendState lack(unsigned slots, unsigned threads) {
        return slots >= threads ? SendState::WaitRegisters : SendState::WaitSlot;
    }
    /// The slots of subslices, or of their EUs in a pool, that are free, registers or not.
    unsigned free_slots_of(std::uint32_t subslices) const;
    unsigned free_slots_of(std::uint32_t subslices, const Pools& pools, unsigned pool) const;
    bool split(unsigned threads, Room room, std::uint32_t& ids);
    SendState begin_shared(unsigned threads, std::uint32_t ids, unsigned slm = 0);
    SendState pick_subslice(std::uint32_t allowed, std::uint32_t ready, unsigned& subslice);
    std::uint32_t free_eus(unsigned subslice) const;
    Place pick_eu(unsigned subslice, std::uint32_t eus);
    std::uint32_t destination() const;
    Retirement end_group(GroupIndex index);

    const Walk* walk_ = nullptr;
    WalkCursor cursor_;
    bool open_ = false, gave_up_ = false;
    OpenGroup group_;
    std::vector<std::uint16_t> shares_;  ///< by subslice: threads of a global group still to send
    // The group that is open between its objects.
    bool held_ = false;
    std::uint32_t held_id_ = 0;
    std::uint16_t held_threads_ = 0;  ///< sent so far
    OpenGroup held_group_;
    std::vector<std::uint16_t> held_shares_;
    std::uint32_t subslice_mask_ = 0;
    std::uint64_t groups_opened_ = 0;
    Descriptor live_descriptor_;
    std::uint64_t live_instruction_base_ = 0;
    bool live_splits_ = false;  ///< threads of GPGPU or of media groups were dispatched last
};

}  // namespace gen9::dispatch
