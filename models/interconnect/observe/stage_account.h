// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>

#include "common/cycle_account.h"
#include "common/signals.h"
#include "common/stats.h"
#include "interconnect/kernel/stage.h"

namespace gen9 {

/// Every stage of the 3D pipe counts these; a stage's own counters are members of a struct that
/// derives from this.
struct StageStats : StatSet {
    using StatSet::StatSet;

    Counter batches{*this, "batches", "batches", "batches taken from the stage before"};
    /// One for each StageActivity, in its order; together they are all cycles.
    std::array<Counter, kStageActivities> cycles{{
        {*this, "working_cycles", "cycles", "it worked on a batch"},
        {*this, "wait_memory_cycles", "cycles", "what it reads was not there yet"},
        {*this, "wait_urb_cycles", "cycles", "no URB entry was free"},
        {*this, "wait_threads_cycles", "cycles", "threads that it asked for had not ended"},
        {*this, "wait_next_cycles", "cycles", "the next stage had no room"},
        {*this, "idle_cycles", "cycles", "there was nothing to do"},
    }};
};

inline constexpr std::array<const char*, kStageActivities> kStageActivityWords = [] {
    std::array<const char*, kStageActivities> words{};
    for (std::size_t i = 0; i < kStageActivities; ++i)
        words[i] = to_text(static_cast<StageActivity>(i));
    return words;
}();

struct StageSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal activity{*this, "activity", kStageActivityWords, "what the stage's cycles are used for"};
    Signal draw{*this, "draw", 16, SignalForm::Decimal, "number of the draw that is worked on"};
};

/// Gives each cycle of a stage its activity, for counters and waveform alike.
class StageAccount {
  public:
    StageAccount(StageStats& stats, StageSignals& signals)
        : account_(stats.cycles), signals_(signals) {
        signals.activity.start_with(StageActivity::Idle);
    }
    /// From now on, until further notice.
    void hold(StageActivity activity, Cycles now) {
        account_.hold(activity, now);
        signals_.activity.set(activity, now);
    }
    void settle(Cycles now) { account_.settle(now); }

  private:
    CycleAccount<StageActivity, kStageActivities> account_;
    StageSignals& signals_;
};

}  // namespace gen9
