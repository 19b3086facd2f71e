// SPDX-License-Identifier: Apache-2.0
/// What EUs do for the threads of a stage: the events that EU_PERF_CNT_CTL0 to 6 choose for A7 to
/// A20.
///
/// A unit belongs to the stage of the instruction that occupies it. A cycle is active for a stage
/// if any unit belongs to it, and stalled if none does and a thread of the stage is loaded
/// (Assumed: both parts of an event see the stage's threads only). Functional mode has no units: an
/// instruction is an active cycle, and the other counters stand still.
///
/// Spec     3K-5; Public: Mesa's oa-sklgt2.xml (which events its sets choose, and for what)
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/stats.h"
#include "common/units.h"

namespace gen9::eu {

/// Whose threads: a stage's of the 3D pipe, or those of media and GPGPU work.
enum class ThreadStage : std::uint8_t { Vs, Hs, Ds, Gs, Ps, Media };
inline constexpr unsigned kThreadStages = 6;

/// Counters of a stage's threads on all EUs, or of all threads.
struct StageEvents : StatSet {
    using StatSet::StatSet;
    Counter fpu0_cycles{*this, "fpu0_cycles", "cycles", "FPU0 was occupied, summed over the EUs."};
    Counter fpu1_cycles{*this, "fpu1_cycles", "cycles",
                        "FPU1 (extended math) was occupied, summed over the EUs."};
    Counter send_cycles{*this, "send_cycles", "cycles",
                        "The send unit was occupied, summed over the EUs."};
    Counter fpus_cycles{*this, "fpus_cycles", "cycles",
                        "Both FPUs were occupied, summed over the EUs."};
    Counter active_cycles{*this, "active_cycles", "cycles",
                          "Any unit was occupied, summed over the EUs."};
    Counter stalled_cycles{*this, "stalled_cycles", "cycles",
                           "A thread was loaded and no unit was occupied, summed over the EUs."};
    Counter thread_cycles{*this, "thread_cycles", "cycles",
                          "Threads were loaded, summed over the threads of the EUs."};
};

/// The counters of all EUs of a machine.
struct EuEvents {
    static constexpr unsigned kSets = kThreadStages + 1;

    /// `stages`: by client of the thread dispatcher.
    EuEvents(StatRegistry& registry, const std::string& path, std::vector<ThreadStage> stages)
        : stage_of_client(std::move(stages)),
          sets{{StageEvents(path + ".all"), StageEvents(path + ".vs"), StageEvents(path + ".hs"),
                StageEvents(path + ".ds"), StageEvents(path + ".gs"), StageEvents(path + ".ps"),
                StageEvents(path + ".media")}} {
        for (StageEvents& set : sets)
            registry.add(set);
    }
    StageEvents& of_all() { return sets[0]; }
    StageEvents& of(ThreadStage stage) { return sets[1 + static_cast<unsigned>(stage)]; }

    const std::vector<ThreadStage> stage_of_client;
    /// Somebody reads them: timed mode counts from then on. Functional mode always does.
    bool read = false;
    std::array<StageEvents, kSets> sets;  ///< of all threads, then by stage
};

/// What an EU's units are occupied with, by stage (timed mode).
class StageActivity {
  public:
    /// Kinds of units, as the arbiter's.
    enum Unit : unsigned { kFpu0, kFpu1, kBranch, kSend, kNone };

    /// An instruction is issued and occupies a unit for some cycles.
    void issued(EuEvents& events, ThreadStage stage, Unit unit, Cycles now, Cycles until) {
        occupy(events.of_all(), of_[0], unit, now, until);
        occupy(events.of(stage), of_[1 + static_cast<unsigned>(stage)], unit, now, until);
    }
    /// Cycles have passed with these numbers of threads loaded, by stage.
    void passed(EuEvents& events, const std::array<unsigned, kThreadStages>& loaded, Cycles from,
                Cycles to) {
        unsigned all = 0;
        for (unsigned stage = 0; stage < kThreadStages; ++stage) {
            pass(events.sets[1 + stage], of_[1 + stage], loaded[stage], from, to);
            all += loaded[stage];
        }
        pass(events.of_all(), of_[0], all, from, to);
    }

  private:
    /// No unit of the kind, and no unit at all, belongs to the stage from then on.
    struct Stage {
        std::array<Cycles, kNone> until{};
        Cycles any_until;
    };
    /// Instructions are issued in the order of time, so that what is occupied from now on has no
    /// holes.
    static std::uint64_t more(Cycles& occupied, Cycles now, Cycles until) {
        const Cycles from = std::max(now, occupied);
        if (until <= from) return 0;
        occupied = until;
        return (until - from).value;
    }
    static void occupy(StageEvents& events, Stage& stage, Unit unit, Cycles now, Cycles until) {
        events.active_cycles += more(stage.any_until, now, until);
        if (unit == kSend) events.send_cycles += more(stage.until[kSend], now, until);
        if (unit != kFpu0 && unit != kFpu1) return;
        const Cycles other = stage.until[1 - unit], from = std::max(now, stage.until[unit]);
        if (std::min(until, other) > from)
            events.fpus_cycles += (std::min(until, other) - from).value;
        (unit == kFpu0 ? events.fpu0_cycles : events.fpu1_cycles) +=
            more(stage.until[unit], now, until);
    }
    static void pass(StageEvents& events, const Stage& stage, unsigned threads, Cycles from,
                     Cycles to) {
        if (threads == 0) return;
        events.thread_cycles += threads * (to - from).value;
        const Cycles idle = std::max(from, stage.any_until);
        if (to > idle) events.stalled_cycles += (to - idle).value;
    }

    std::array<Stage, EuEvents::kSets> of_;  ///< of all threads, then by stage
};

}  // namespace gen9::eu
