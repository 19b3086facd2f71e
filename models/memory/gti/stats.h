// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/signals.h"
#include "common/stats.h"

namespace gen9::memory {

// A cycle is spent on the first of these that holds.
enum class GtiActivity : std::uint8_t {
    Bandwidth,
    Passing,
    Downstream,
    Walking,
    Memory,
    Returning,
    Idle
};
inline constexpr unsigned kGtiActivities = 7;

struct GtiStats : StatSet {
    using StatSet::StatSet;
    Counter reads{*this, "reads", "requests", "Read requests passed on."};
    Counter writes{*this, "writes", "requests", "Write requests passed on."};
    Counter tlb_hits{*this, "tlb_hits", "translations", "Found in the translation buffer."};
    Counter tlb_misses{*this, "tlb_misses", "translations",
                       "Needed a page walk, their own or one under way."};
    Counter walk_reads{*this, "walk_reads", "entries", "Table entries page walks went through."};
    Counter walk_fetches{*this, "walk_fetches", "lines",
                         "Lines of tables read from memory for page walks."};
    Counter faults{*this, "faults", "requests", "Requests that could not be translated."};
    Counter walk_stalls{*this, "walk_stalls", "request-cycles",
                        "Cycles of requests that waited for a page walk."};
    Counter bandwidth_stalls{*this, "bandwidth_stalls", "request-cycles",
                             "Cycles a translated head waited for the ring's bandwidth."};
    Counter downstream_stalls{*this, "downstream_stalls", "request-cycles",
                              "Cycles a translated head waited for the LLC to take a request."};
    Counter grants{
        *this, "grants", "pages",
        "Pages given out as direct memory pointers. How many are asked for is a matter of "
        "the host's speed, not of the machine."};
    Counter invalidations{*this, "invalidations", "events", "Times translations were dropped."};
    std::array<Counter, kGtiActivities> cycles{{
        {*this, "bandwidth_cycles", "cycles",
         "Cycles in which a translated request waited for the ring's bandwidth, which others "
         "used."},
        {*this, "passing_cycles", "cycles",
         "Other cycles in which a request or a read of a table was passed on, or a fault "
         "answered."},
        {*this, "downstream_cycles", "cycles",
         "Other cycles in which a translated request waited for the LLC to take it."},
        {*this, "walking_cycles", "cycles",
         "Other cycles in which requests waited for page walks."},
        {*this, "memory_cycles", "cycles", "Other cycles in which the LLC owed an answer."},
        {*this, "returning_cycles", "cycles",
         "Cycles with no more than answers on their way to initiators."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct GtiSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 16, SignalForm::Decimal, "Requests in the queues."};
    Signal walking{*this, "walking", 16, SignalForm::Decimal,
                   "Requests that wait for a page walk."};
    // Accesses of a cycle without a socket of its own, as those of a streamer that runs ahead of
    // the kernel, are not limited by the number of initiators.
    Signal tlb_hits{*this, "tlb_hits", 16, SignalForm::Decimal,
                    "Requests whose translation is found this cycle."};
    Signal tlb_misses{*this, "tlb_misses", 16, SignalForm::Decimal,
                      "Requests that begin a page walk this cycle."};
    Signal page{*this, "page", 64, SignalForm::Hex,
                "Graphics address of the page translated last."};
};

}  // namespace gen9::memory
