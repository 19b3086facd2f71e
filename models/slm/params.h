// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/params.h"
#include "common/signals.h"
#include "common/stats.h"

namespace gen9::slm {

struct SlmParams : ParamSet {
    using ParamSet::ParamSet;
    Param latency{
        *this,
        {"latency", "cycles", "From a request's arrival to its data, without conflicts.",
         "White paper: similar to L3's; L3-21 (003:18433): lower. Within this bound from W-20 (244 "
         "cycles a round, 146 to use): one cycle less than a hit of L3, 133 to use"},
        99,
        1,
        1000};
    Param banks{*this,
                {"banks", "banks", "Banks of 32-bit words; a power of two.",
                 "SLM-09 (003:18925-18931): 16; others for exploration"},
                16,
                1,
                64};
    Param queue{*this,
                {"queue", "requests", "Requests held.", "Assumed: no public figure (DP-223)"},
                8,
                1,
                1024};
};

struct SlmStats : StatSet {
    using StatSet::StatSet;
    Counter reads{*this, "reads", "requests", "Read requests."};
    Counter writes{*this, "writes", "requests", "Write requests."};
    Counter atomics{*this, "atomics", "requests", "Atomic requests."};
    Counter lanes{*this, "lanes", "lanes", "Lanes of these requests."};
    Counter bytes{*this, "bytes", "bytes", "Bytes read, written, or operated on."};
    Counter read_busy_cycles{*this, "read_busy_cycles", "cycles",
                             "Cycles the read pipe served requests; atomics count in both."};
    Counter write_busy_cycles{*this, "write_busy_cycles", "cycles",
                              "Cycles the write pipe served requests."};
    Counter conflict_cycles{*this, "conflict_cycles", "cycles",
                            "Cycles beyond the first that requests took for bank conflicts."};
    Counter wait_cycles{*this, "wait_cycles", "request-cycles",
                        "Cycles requests waited in the queue."};
};

/// A cycle of the memory is spent on the first of these that holds.
enum class Activity : std::uint8_t { Busy, Returning, Idle };
inline constexpr unsigned kActivities = 3;

/// With an account of all cycles.
struct AccountedSlmStats : SlmStats {
    using SlmStats::SlmStats;
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles",
         "Cycles in which a pipe served a request, with its conflicts of banks."},
        {*this, "returning_cycles", "cycles",
         "Cycles with no more than answers on their way to the data port."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct SlmSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 8, SignalForm::Decimal, "Requests in the queue."};
    Signal reading{*this, "reading", "The read pipe serves a request."};
    Signal writing{*this, "writing", "The write pipe serves a request."};
    Signal conflicts{*this, "conflicts", 2, SignalForm::Decimal,
                     "Requests whose lanes wait for each other's banks."};
    Signal served_id{*this, "served_id", 64, SignalForm::Hex,
                     "Trace id of the request served last."};
};

}  // namespace gen9::slm
