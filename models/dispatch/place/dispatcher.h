// SPDX-License-Identifier: Apache-2.0
/// Dispatcher: groups, resources and slots of the thread spawner and thread dispatcher (core half).
/// Role     walks the groups and threads of a Walk; gives each group a subslice, barrier and SLM
///          where it needs them, each thread a slot; takes retirements and frees what groups held
/// Params   number of group counters, choice of units
/// Order    groups in walker order, each waiting for its resources before any later one (TD-48)
/// Not here commands and memory (front_end.h); time (module.h)
/// Spec     TD-07, TD-08, TD-17..27, TD-37..48, TD-62; 003:17338-17369
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "dispatch/place/barrier_allocator.h"
#include "dispatch/place/group_tracker.h"
#include "dispatch/place/policy_slot.h"
#include "dispatch/place/slm_allocator.h"
#include "dispatch/place/slots.h"
#include "dispatch/walk/payload.h"
#include "dispatch/walk/walk.h"

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
    };
    Dispatcher(const Topology& topology, const Settings& settings);

    /// Must the running threads end before this walk may begin?
    bool must_drain(const Walk& walk) const;
    /// Takes a walk, which must live until it is done.
    void begin(const Walk& walk);
    /// Are there groups or threads of the walk still to be sent?
    bool walking() const { return walk_ != nullptr; }

    /// Could a group with this descriptor begin now? Sending if so, else what it waits for.
    Activity room_for(const Descriptor& descriptor, unsigned threads, const VfeState& vfe) const;

    /// The group whose threads are being sent.
    struct OpenGroup {
        bool bound = false;  ///< to one subslice
        std::uint8_t subslice = 0;
        std::uint8_t barrier = 0;
        std::uint8_t slm_granule = 0;
        GroupIndex index = kNoGroup;
    };
    bool group_open() const { return open_; }
    const OpenGroup& group() const { return group_; }
    /// Reserves what the next group needs. Sending when done, else what it waits for; a group with
    /// a barrier must then be announced to the gateway before its first thread is sent (TD-46).
    Activity open_group();

    /// Takes a slot for the next thread of the open group, on a subslice of `ready`.
    Activity take_slot(std::uint32_t ready, Place& place);
    /// Fills in the next thread, for a slot that was taken, and steps the counters.
    void make_next(const Place& place, ThreadDispatch& dispatch);

    struct Retirement {
        bool barrier_freed = false;
        std::uint8_t subslice = 0;
        std::uint8_t barrier = 0;
    };
    Retirement retire(unsigned fftid);

    const Slots& slots() const { return slots_; }
    const GroupTracker& tracker() const { return tracker_; }
    const BarrierAllocator& barriers(unsigned subslice) const { return barriers_[subslice]; }
    const SlmAllocator& slm(unsigned subslice) const { return slm_[subslice]; }
    const std::array<std::uint32_t, 3>& next_group() const { return groups_.id(); }
    std::uint64_t groups_opened() const { return groups_opened_; }

  private:
    std::uint32_t candidates(const Descriptor&, unsigned threads, const VfeState&,
                             Activity& why) const;

    Topology topology_;
    Settings settings_;
    Slots slots_;
    GroupTracker tracker_;
    std::vector<BarrierAllocator> barriers_;
    std::vector<SlmAllocator> slm_;
    SlotPolicy subslice_policy_;
    std::vector<SlotPolicy> eu_policy_;  ///< by subslice
    std::vector<GroupIndex> group_of_;   ///< by FFTID

    const Walk* walk_ = nullptr;
    GroupCursor groups_;
    ThreadCursor threads_;
    bool open_ = false;
    OpenGroup group_;
    std::uint32_t subslice_mask_ = 0;
    std::uint64_t groups_opened_ = 0;
    Descriptor live_descriptor_;
    std::uint64_t live_instruction_base_ = 0;
};

}  // namespace gen9::dispatch
