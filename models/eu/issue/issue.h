// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <memory>
#include <vector>

#include "eu/issue/policy_issue.h"
#include "eu/issue/ready_wheel.h"
#include "eu/issue/scoreboard.h"
#include "interconnect/payload/message.h"

namespace gen9::eu {

/// The next instruction of a thread, as the arbiter sees it.
struct Offer {
    Cycles at = kNever;                 ///< its own conditions are met from here on
    CycleUse reason = CycleUse::Fetch;  ///< what it waits for until then
    Pipe pipe = Pipe::None;
    MessagePort port = MessagePort::None;  ///< of Pipe::Send: it needs a credit of this port
    bool front_end_only = false;  ///< it waits only for its own previous instruction's slot
};

/// The number of units of each kind in an EU. The parts have one of each (EU-306).
struct UnitCounts {
    unsigned fpu = 1;  ///< beside EM; without one, EM takes all
    unsigned em = 1, branch = 1, send = 1;
};

/// Thread arbiter of one EU: up to `width` instructions a cycle, each from another thread, to the
/// FPU, EM, branch and send units (EU-005..EU-008, EU-306). Knows nothing of what they do.
class IssueArbiter {
  public:
    /// Units of a kind at most; the bits of `busy_units` are so many for each kind.
    static constexpr unsigned kMaxOfKind = 4;

    /// `credits`: messages of each port; `width`: instructions a cycle.
    IssueArbiter(std::unique_ptr<IssuePolicy> policy, unsigned credits, unsigned width = kKinds,
                 const UnitCounts& units = {});

    /// From now on another policy decides.
    void follow(std::unique_ptr<IssuePolicy> policy) {
        policy_ = std::move(policy);
        turns_ = IssueTurns(policy_->keeps_running());
    }

    void load(ThreadSlot slot, bool high_priority);
    void unload(ThreadSlot slot);
    bool loaded(ThreadSlot slot) const { return loaded_ >> slot.value & 1; }
    std::uint32_t loaded_mask() const { return loaded_; }

    void offer(ThreadSlot slot, const Offer& offer);
    /// The same for one that has been issued from in this cycle, for a cycle to come.
    void offer_again(ThreadSlot slot, const Offer& offer);
    const Offer& offer(ThreadSlot slot) const { return offers_[slot.value]; }

    void take_credit(MessagePort port) {
        if (--credits_[index(port)] <= 0 && !count_credits(port)) credits_changed(port);
    }
    void give_credit(MessagePort port) {
        if (++credits_[index(port)] == 1) credits_changed(port);
    }
    /// A credit comes back at a cycle to come.
    void give_credit(MessagePort port, Cycles at);
    /// The first credit of the port to come, taken from those that come by themselves; kNever if
    /// none is known.
    Cycles take_coming_credit(MessagePort port);
    /// Does a thread wait for a credit?
    bool starved() const { return starved_ != 0; }
    bool has_credit(MessagePort port) {
        return port == MessagePort::None || credits_[index(port)] > 0 || count_credits(port);
    }

    /// Earliest cycle from `from` on at which a thread may be issued, none before can be; kNever if
    /// that hangs on events.
    Cycles next(Cycles from) const;

    /// Begins a cycle; then `pick` gives the slots to issue from, one after the other, -1 at the
    /// end.
    void begin(Cycles now);
    /// The slot that `pick` gave has not been issued after all: it is to be picked again from a
    /// cycle on.
    void put_off(ThreadSlot slot, Cycles until) { wheel_.put(slot.value, until); }
    int pick();
    /// The slot that `pick` chose is issued and keeps its unit for `unit_cycles`.
    void issued(ThreadSlot slot, std::uint32_t unit_cycles, Cycles now);
    /// The thread's next instruction is to be issued before any other's ({Atomic}, EU-180).
    void make_atomic(ThreadSlot slot) { atomic_ = static_cast<std::int8_t>(slot.value); }
    /// The thread gives way to the others ({Switch}, EU-180).
    void leave(ThreadSlot slot) { turns_.leave(slot.value); }

    /// Units occupied at a cycle: bits 3:0 FPUs, 7:4 EM, 11:8 branch, 15:12 send.
    std::uint32_t busy_units(Cycles now) const;
    /// Is one of the kind occupied? `kind`: 0 FPU, 1 EM, 2 branch, 3 send.
    static bool busy_kind(std::uint32_t units, unsigned kind) {
        return (units >> kind * kMaxOfKind & ((1u << kMaxOfKind) - 1)) != 0;
    }
    /// First cycle from which a unit, by its bit of busy_units, is not occupied.
    Cycles unit_busy_until(unsigned unit) const { return free_[unit]; }
    /// The loaded thread that is first in line; there is one.
    ThreadSlot oldest() const { return ThreadSlot(by_age_[0]); }
    /// First cycle from which no unit is occupied.
    Cycles busy_until() const { return busy_until_; }
    /// First cycle after `now` in which a unit, or what a thread waits for, may differ by the
    /// passing of time alone; kNever if none.
    Cycles next_change(Cycles now) const;
    /// First cycle after `now` in which idle_use may differ; kNever if that hangs on events.
    Cycles use_changes(Cycles now) const;
    /// The use of a cycle without an occupied unit.
    CycleUse idle_use(Cycles now) const;
    /// The reason why a loaded thread waits.
    CycleUse waits_for(ThreadSlot slot, Cycles now) const;

  private:
    enum Kind : unsigned { kFpuKind, kEmKind, kBranchKind, kSendKind, kKinds };  ///< as Pipe
    enum Unit : unsigned {  ///< the first of each kind
        kFpu = kFpuKind * kMaxOfKind,
        kEm = kEmKind * kMaxOfKind,
        kBranch = kBranchKind * kMaxOfKind,
        kSend = kSendKind * kMaxOfKind,
        kUnits = kKinds * kMaxOfKind
    };
    /// Added to a Pipe where the EU has several units of a kind.
    static constexpr unsigned kSeveral = 8;
    static constexpr unsigned kPipes = static_cast<unsigned>(Pipe::None) + 1;
    static constexpr std::size_t index(MessagePort port) { return static_cast<std::size_t>(port); }
    static constexpr std::size_t index(Pipe pipe) { return static_cast<std::size_t>(pipe); }
    void describe(ThreadSlot slot, const Offer& offer);
    void credits_changed(MessagePort port);
    /// Counts the port's credits that have come, when it has none left; is there one now?
    bool count_credits(MessagePort port);
    /// Threads wait for credits, and the first has come.
    void feed();
    /// Slots whose unit is occupied.
    std::uint32_t on_busy_pipes(Cycles now) const {
        std::uint32_t slots = 0;
        for (unsigned pipe = 0; pipe < kKinds; ++pipe)
            slots |= pipe_free_[pipe] > now ? by_pipe_[pipe] : 0;
        return slots;
    }
    /// The free unit of a kind that is taken first; kUnits if none is.
    unsigned free_unit(Kind kind, Cycles now) const;
    /// `issued` for the unit of an EU that has several of a kind.
    void occupy_one_of_several(Pipe pipe, Cycles until, Cycles now);
    /// One of the several candidates.
    std::uint8_t choose() const;
    /// Waits for more than its own last instruction's time in the front end.
    bool stalled(std::uint8_t slot, Cycles now) const {
        const Offer& offer = offers_[slot];
        return (offer.at > now && !offer.front_end_only) || (starved_ >> slot & 1) != 0;
    }

    std::unique_ptr<IssuePolicy> policy_;
    IssueTurns turns_;
    unsigned width_, places_ = 0;  ///< instructions a cycle; those still free in this one
    std::array<Offer, kMaxThreads> offers_{};
    std::array<std::int32_t, kMessagePorts + 1> credits_{};
    unsigned several_ = 0;                    ///< kSeveral, or 0
    std::array<Cycles, kUnits> free_{};       ///< kNever: there is no such unit
    std::array<Cycles, kPipes> pipe_free_{};  ///< by Pipe: when a unit that takes it is free
    Cycles busy_until_;
    ReadyWheel wheel_;  ///< by Offer::at
    // Sets of slots.
    std::uint32_t loaded_ = 0, high_ = 0;
    std::uint32_t starved_ = 0;  ///< their offer needs a credit that is not there
    std::array<std::uint32_t, kMessagePorts + 1> by_port_{};  ///< their offer's port
    std::array<std::uint32_t, kPipes> by_pipe_{};             ///< their offer's pipe
    std::uint32_t candidates_ = 0;                            ///< of this cycle, not yet picked
    std::array<std::uint8_t, kMaxThreads>
        by_age_{};        ///< loaded slots: high class first, then oldest first
    unsigned count_ = 0;  ///< of by_age_
    bool placed_ = false;
    std::int8_t atomic_ = -1;
    /// The cycles in which credits of a port come or have come that `credits_` does not count,
    /// earliest first. While it has credits they are not looked at.
    struct Coming {
        std::vector<Cycles> at;  ///< ring; never more than a port has credits
        unsigned first = 0, end = 0;
        bool empty() const { return first == end; }
        Cycles& operator[](unsigned i) { return at[i & (at.size() - 1)]; }
    };
    std::array<Coming, kMessagePorts> coming_;
    Cycles next_credit_ = kNever;  ///< of ports without; one of them may come before it counts
};

// These run for every instruction.

inline void IssueArbiter::describe(ThreadSlot slot, const Offer& offer) {
    Offer& old = offers_[slot.value];
    if (old.pipe != offer.pipe || offer.pipe == Pipe::Send) {
        const std::uint32_t bit = 1u << slot.value;
        by_port_[index(old.port)] &= ~bit;
        by_port_[index(offer.port)] |= bit;
        starved_ = has_credit(offer.port) ? starved_ & ~bit : starved_ | bit;
        by_pipe_[index(old.pipe)] &= ~bit;
        by_pipe_[index(offer.pipe)] |= bit;
        old.pipe = offer.pipe;
        old.port = offer.port;
    }
    old.at = offer.at;  // one by one: as a whole it would be put together in memory first
    old.reason = offer.reason;
    old.front_end_only = offer.front_end_only;
}

inline void IssueArbiter::offer(ThreadSlot slot, const Offer& offer) {
    describe(slot, offer);
    wheel_.put(slot.value, offer.at);
}

inline void IssueArbiter::offer_again(ThreadSlot slot, const Offer& offer) {
    describe(slot, offer);
    wheel_.put_again(slot.value, offer.at);
}

inline Cycles IssueArbiter::next(Cycles from) const {
    const std::uint32_t ready = wheel_.ready() & ~starved_;
    std::uint64_t next = wheel_.next().value;
    if (next <= from.value) return from;
    if (ready != 0) {
        if (ready & by_pipe_[index(Pipe::None)]) return from;
        for (unsigned pipe = 0; pipe < kKinds; ++pipe)
            if (ready & by_pipe_[pipe]) next = std::min(next, pipe_free_[pipe].value);
    }
    // A credit may be for another port: then nothing is found to issue.
    if (starved_ != 0) [[unlikely]]
        next = std::min(next, next_credit_.value);
    return Cycles(std::max(from.value, next));
}

inline void IssueArbiter::begin(Cycles now) {
    wheel_.advance(now);
    if (starved_ != 0 && next_credit_ <= now) [[unlikely]]
        feed();
    candidates_ = wheel_.ready() & ~(starved_ | on_busy_pipes(now));
    if (candidates_ == 0) return;
    const std::uint8_t running = turns_.running();
    turns_.begin(running != IssueTurns::kNone && stalled(running, now));
    placed_ = false;
    places_ = width_;
}

inline std::uint8_t IssueArbiter::choose() const {
    // Whatever the policy says, the thread after an atomic send goes before all, and the high class
    // before the low one (EU-010).
    if (atomic_ >= 0 && (candidates_ >> atomic_ & 1)) [[unlikely]]
        return static_cast<std::uint8_t>(atomic_);
    const std::uint32_t high = candidates_ & high_, slots = high != 0 ? high : candidates_;
    const std::uint8_t running = turns_.running();
    if (running != IssueTurns::kNone && (slots >> running & 1)) return running;
    return policy_->choose(slots, {by_age_.data(), count_}, turns_);
}

inline int IssueArbiter::pick() {
    if (candidates_ == 0) return -1;
    const bool only = (candidates_ & (candidates_ - 1)) == 0;
    const unsigned slot = only ? static_cast<unsigned>(std::countr_zero(candidates_)) : choose();
    candidates_ &= ~(1u << slot);
    return static_cast<int>(slot);
}

inline void IssueArbiter::issued(ThreadSlot slot, std::uint32_t unit_cycles, Cycles now) {
    const Cycles until = now + Cycles(unit_cycles);
    const Pipe pipe = offers_[slot.value].pipe;
    switch (index(pipe) | several_) {
        // Leave the EM pipe, which can do what the other cannot, to those that need it.
        case index(Pipe::AnyFpu):
            free_[free_[kFpu] <= now ? kFpu : kEm] = until;
            pipe_free_[index(Pipe::AnyFpu)] = std::min(free_[kFpu], free_[kEm]);
            pipe_free_[index(Pipe::Em)] = free_[kEm];
            break;
        case index(Pipe::Em):
            free_[kEm] = pipe_free_[index(pipe)] = until;
            pipe_free_[index(Pipe::AnyFpu)] = std::min(free_[kFpu], until);
            break;
        case index(Pipe::Branch):
            free_[kBranch] = pipe_free_[index(pipe)] = until;
            break;
        case index(Pipe::Send):
            free_[kSend] = pipe_free_[index(pipe)] = until;
            break;
        case index(Pipe::None):
            break;
        default:
            occupy_one_of_several(pipe, until, now);
    }
    busy_until_ = std::max(busy_until_, until);
    // It may have taken the unit of others, or the last place of the cycle.
    if (candidates_ != 0) candidates_ = --places_ != 0 ? candidates_ & ~on_busy_pipes(now) : 0;
    if (!placed_) turns_.placed(slot.value);
    placed_ = true;
    if (atomic_ == slot.value) [[unlikely]]
        atomic_ = -1;
}

inline CycleUse IssueArbiter::waits_for(ThreadSlot slot, Cycles now) const {
    const Offer& offer = offers_[slot.value];
    if (offer.at > now) return offer.reason;
    return starved_ >> slot.value & 1 ? CycleUse::SendQueue : CycleUse::Pipe;
}

inline Cycles IssueArbiter::use_changes(Cycles now) const {
    if (count_ == 0) return kNever;
    const Cycles at = offers_[by_age_[0]].at;
    return at > now ? at : kNever;
}

inline CycleUse IssueArbiter::idle_use(Cycles now) const {
    return count_ == 0 ? CycleUse::NoThread : waits_for(ThreadSlot(by_age_[0]), now);
}

}  // namespace gen9::eu
