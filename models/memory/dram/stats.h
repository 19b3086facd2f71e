// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/signals.h"
#include "common/stats.h"

namespace gen9::memory {

// A cycle is spent on the first of these that holds.
enum class DramActivity : std::uint8_t { Transferring, Waiting, Returning, Idle };
inline constexpr unsigned kDramActivities = 4;

struct DramStats : StatSet {
    using StatSet::StatSet;
    Counter read_bytes{*this, "read_bytes", "bytes", "Bytes read."};
    Counter written_bytes{*this, "written_bytes", "bytes", "Bytes written."};
    Counter busy_cycles{*this, "busy_cycles", "cycles",
                        "Cycles of data transfer, those of all channels added."};
    // A memory that is not flat counts these.
    Counter row_hits{*this, "row_hits", "bursts", "Bursts of an open row."};
    Counter row_misses{*this, "row_misses", "bursts", "Bursts that opened a row in a closed bank."};
    Counter row_conflicts{*this, "row_conflicts", "bursts",
                          "Bursts that closed another row before."};
    Counter refreshes{*this, "refreshes", "events", "Refreshes of a channel."};
    Counter turns{*this, "turns", "events", "Changes between reads and writes."};
    std::array<Counter, kDramActivities> cycles{{
        {*this, "transferring_cycles", "cycles", "Cycles in which any channel transferred data."},
        {*this, "waiting_cycles", "cycles",
         "Other cycles in which requests waited for rows, refreshes or turns."},
        {*this, "returning_cycles", "cycles", "Cycles with no more than answers on their way."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct DramSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 16, SignalForm::Decimal, "Requests in the queue."};
    Signal busy{*this, "busy", 4, SignalForm::Decimal, "Channels that transfer data."};
};

}  // namespace gen9::memory
