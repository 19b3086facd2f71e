// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "common/units.h"

namespace gen9 {

class Clock;
class Wakeup;

/// When the modules of a clock domain run next. One process of the kernel runs them all: the kernel
/// sees one event for each cycle in which something happens, not one for each module.
/// Modules of one cycle run in the order of their construction; no result may depend on it
/// (docs/architecture.md), which `shuffle` lets a test see.
/// While nothing else of the kernel is pending it may run on without the kernel, cycle after cycle
/// (`run_ahead`): the clock then tells the time, and the kernel's comes up with it before any other
/// process runs.
/// Beside strangers, that is processes it has not been told of (`knows`) and modules behind sockets
/// that are not ours, it does not: the kernel's time is then right in every call, the modules of a
/// cycle run when the others have done what they do at its beginning, and a call of a module may
/// wait.
class Agenda {
  public:
    explicit Agenda(const Clock& clock);
    Agenda(const Agenda&) = delete;
    Agenda& operator=(const Agenda&) = delete;

    /// Gives a module's wakeup its place.
    void join(Wakeup& wakeup);
    void leave(Wakeup& wakeup);
    /// Runs it at `when` instead of whenever it was to; if that is now, in the next delta cycle.
    void put(Wakeup& wakeup, Cycles when, Cycles now);
    /// Takes back what was put.
    void remove(Wakeup& wakeup);
    /// From now on cycles before `end` may be run ahead of the kernel's time, which must be let
    /// come up to `end`. Only where every module reckons by the clock (`Clock::now`,
    /// `Clock::notify`), none by the kernel's time, and nobody records what happens by it.
    void run_ahead(Cycles end) { ahead_end_ = end.value; }
    /// Tells of a process of the kernel that takes the time from the clock and notifies by it.
    void knows(const sc_core::sc_process_handle& process) {
        known_.push_back(process.get_process_object());
    }
    /// Are there no strangers? Asked after elaboration.
    bool alone() {
        if (!looked_) look_for_strangers();
        return alone_;
    }
    /// Is nothing put?
    bool empty() const { return next(0) == kNever; }
    /// For tests: from now on the modules of a cycle run in another order.
    void shuffle(std::uint64_t seed);

  private:
    static constexpr unsigned kSpan = 256;
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    using Word = std::uint64_t;
    Word* bucket(std::uint64_t cycle) { return &buckets_[cycle % kSpan * words_]; }
    void insert(const Wakeup& wakeup, std::uint64_t now);
    void bring_near(std::uint64_t now);
    void tick();
    void look_for_strangers();
    bool has_stranger(const sc_core::sc_object& object) const;
    void run_beside_strangers();
    void run_cycle(std::uint64_t cycle);
    /// The clock goes on to `cycle` without the kernel, if nothing of the kernel's comes before.
    bool go_ahead(std::uint64_t cycle);
    /// The first cycle from `now` on for which something is put, kNever if none.
    std::uint64_t next(std::uint64_t now) const;
    void notify(std::uint64_t cycle);
    void widen();

    const Clock* clock_;
    sc_core::sc_event event_;
    std::uint64_t notified_ = kNever;  ///< the cycle the event is notified for
    std::uint64_t ahead_end_ = 0;      ///< none from here on may be run ahead
    std::vector<const sc_core::sc_object*> known_;
    bool looked_ = false, alone_ = true;
    std::vector<Wakeup*> by_rank_;  ///< in the order of running
    // Sets of ranks.
    std::size_t words_ = 1;      ///< of a set
    std::vector<Word> buckets_;  ///< by cycle modulo kSpan, up to kSpan - 1 cycles from now
    std::array<Word, kSpan / 64> occupied_{};  ///< buckets
    std::vector<Word> due_;                    ///< of the tick that runs
    std::vector<Word> far_;                    ///< those beyond the span
    std::uint64_t nearest_far_ = kNever;
};

}  // namespace gen9
