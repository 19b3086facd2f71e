// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>

#include "eu/policy_issue.h"
#include "eu/scoreboard.h"
#include "interconnect/message.h"

namespace gen9::eu {

/// The next instruction of a thread, as the arbiter sees it.
struct Offer {
    Cycles at = kNever;                 ///< its own conditions are met from here on
    CycleUse reason = CycleUse::Fetch;  ///< what it waits for until then
    Pipe pipe = Pipe::None;
    MessagePort port = MessagePort::None;  ///< a send: it needs a credit of this port
    bool front_end_only = false;  ///< it waits only for its own previous instruction's slot
};

/// Thread arbiter of one EU: up to four instructions a cycle, each from another thread, to the FPU,
/// EM, branch and send units (EU-005..EU-008, EU-306). Knows nothing of what they do.
class IssueArbiter {
  public:
    IssueArbiter(std::unique_ptr<IssuePolicy> policy, unsigned credits);

    void load(ThreadSlot slot, bool high_priority);
    void unload(ThreadSlot slot);
    bool loaded(ThreadSlot slot) const { return loaded_ >> slot.value & 1; }
    std::uint32_t loaded_mask() const { return loaded_; }

    void offer(ThreadSlot slot, const Offer& offer);
    const Offer& offer(ThreadSlot slot) const { return offers_[slot.value]; }

    void take_credit(MessagePort port) {
        --credits_[index(port)];
        credits_changed(port);
    }
    void give_credit(MessagePort port) {
        ++credits_[index(port)];
        credits_changed(port);
    }
    bool has_credit(MessagePort port) const {
        return port == MessagePort::None || credits_[index(port)] > 0;
    }

    /// Earliest cycle from `from` on at which a thread can be issued; kNever if that hangs on
    /// events.
    Cycles next(Cycles from);

    /// Begins a cycle; then `pick` gives the slots to issue from, one after the other, -1 at the
    /// end.
    void begin(Cycles now);
    int pick(Cycles now);
    /// What `pick` chose is issued and keeps its unit for `unit_cycles`.
    void issued(ThreadSlot slot, std::uint32_t unit_cycles, Cycles now);
    /// The thread's next instruction is to be issued before any other's ({Atomic}, EU-180).
    void make_atomic(ThreadSlot slot) { atomic_ = static_cast<std::int8_t>(slot.value); }
    /// The thread gives way to the others ({Switch}, EU-180).
    void leave(ThreadSlot slot) { policy_->leave(slot.value); }

    /// Units occupied at a cycle: bit 0 FPU, 1 EM, 2 branch, 3 send.
    std::uint32_t busy_units(Cycles now) const;
    /// First cycle from which no unit is occupied.
    Cycles busy_until() const { return busy_until_; }
    /// First change of busy_units after `now`; kNever if none.
    Cycles next_unit_change(Cycles now) const;
    /// First cycle after `now` in which idle_use may differ; kNever if that hangs on events.
    Cycles use_changes(Cycles now) const;
    /// What a cycle without an occupied unit is used for.
    CycleUse idle_use(Cycles now) const;
    /// What a loaded thread waits for.
    CycleUse waits_for(ThreadSlot slot, Cycles now) const;

  private:
    enum Unit : unsigned { kFpu, kEm, kBranch, kSend, kUnits };
    static constexpr std::size_t index(MessagePort port) { return static_cast<std::size_t>(port); }
    static constexpr std::uint32_t bit(ThreadSlot slot) { return 1u << slot.value; }
    void credits_changed(MessagePort port);
    /// Slots that can be issued from in a cycle.
    std::uint32_t due(Cycles now);
    std::uint32_t stalled(Cycles now) const;

    std::unique_ptr<IssuePolicy> policy_;
    std::array<Offer, kMaxThreads> offers_{};
    std::array<std::int32_t, kMessagePorts + 1> credits_{};
    std::array<Cycles, kUnits> free_{};
    std::array<Cycles, 5> pipe_free_{};  ///< by Pipe: when a unit that takes it is free
    Cycles busy_until_;
    // Sets of slots.
    std::uint32_t loaded_ = 0, high_ = 0;
    std::uint32_t timed_ = 0;     ///< their offer has a time
    std::uint32_t starved_ = 0;   ///< their offer needs a credit that is not there
    std::uint32_t shadowed_ = 0;  ///< Offer::front_end_only
    std::array<std::uint32_t, kMessagePorts + 1> senders_{};  ///< by port: their offer needs it
    std::uint32_t due_ = 0;  ///< can be issued from at `due_at_`, kNever: not known
    Cycles due_at_ = kNever;
    std::array<std::uint8_t, kMaxThreads>
        by_age_{};  ///< loaded slots: high class first, then oldest first
    std::array<std::uint8_t, kMaxThreads> order_{};  ///< of the slots due in this cycle
    unsigned count_ = 0;                             ///< of by_age_
    unsigned in_cycle_ = 0, position_ = 0;           ///< of order_
    bool placed_ = false;
    std::int8_t atomic_ = -1;
};

}  // namespace gen9::eu
