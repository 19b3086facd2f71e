// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/signals.h"
#include "common/stats.h"

namespace gen9::icache {

/// A cycle of the cache is spent on the first of these that holds.
enum class Activity : std::uint8_t { Busy, Fetching, Returning, Idle };
inline constexpr unsigned kActivities = 4;

struct InstructionCacheStats : StatSet {
    using StatSet::StatSet;
    Counter hits{*this, "hits", "lines", "Requests whose line was there."};
    Counter misses{*this, "misses", "lines", "Requests that asked L3."};
    Counter joined{*this, "joined", "lines", "Requests whose line had been asked for already."};
    Counter invalidations{*this, "invalidations", "invalidations", "Times everything was dropped."};
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles", "Cycles in which a request was looked up."},
        {*this, "fetching_cycles", "cycles", "Other cycles in which L3 owed a line."},
        {*this, "returning_cycles", "cycles",
         "Cycles with no more than lines on their way to EUs."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct InstructionCacheSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 8, SignalForm::Decimal, "Requests not looked up yet."};
    Signal misses{*this, "misses", 8, SignalForm::Decimal, "Lines asked of L3."};
};

}  // namespace gen9::icache
