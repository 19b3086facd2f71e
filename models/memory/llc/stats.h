// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/signals.h"
#include "common/stats.h"

namespace gen9::memory {

// A cycle is spent on the first of these that holds.
enum class LlcActivity : std::uint8_t { Busy, Stalled, Memory, Returning, Idle };
inline constexpr unsigned kLlcActivities = 5;

struct LlcStats : StatSet {
    using StatSet::StatSet;
    Counter read_hits{*this, "read_hits", "requests", "Reads that hit."};
    Counter read_misses{*this, "read_misses", "requests", "Reads that missed."};
    Counter writes{*this, "writes", "requests", "Writes, which allocate without a fetch."};
    Counter evictions{*this, "evictions", "lines", "Modified lines written to memory."};
    Counter uncached{*this, "uncached", "requests", "Requests that passed the cache by (DP-034)."};
    Counter written_through{*this, "written_through", "requests",
                            "Writes that went on to memory as well."};
    Counter miss_stalls{*this, "miss_stalls", "cycles",
                        "Cycles a miss waited because misses in flight were at their limit or "
                        "memory took no request."};
    std::array<Counter, kLlcActivities> cycles{{
        {*this, "busy_cycles", "cycles", "Cycles in which a request was served."},
        {*this, "stalled_cycles", "cycles",
         "Other cycles in which a request waited as in miss_stalls."},
        {*this, "memory_cycles", "cycles",
         "Other cycles in which memory owed an answer, or victims were on their way there."},
        {*this, "returning_cycles", "cycles", "Cycles with no more than answers on their way."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct LlcSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 16, SignalForm::Decimal, "Requests in the queue."};
    Signal misses{*this, "misses", 16, SignalForm::Decimal,
                  "Misses sent to memory whose line has not come."};
};

}  // namespace gen9::memory
