// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iterator>

#include "common/stats.h"

namespace gen9::sampler {

struct SamplerStats : StatSet {
    using StatSet::StatSet;
    Counter messages{*this, "messages", "messages", "Messages completed."};
    Counter samples{*this, "samples", "messages", "sample* messages."};
    Counter loads{*this, "loads", "messages", "ld* messages."};
    Counter gathers{*this, "gathers", "messages", "gather4* messages."};
    Counter unorms{*this, "unorms", "messages", "sample_unorm* messages."};
    Counter scalings{*this, "scalings", "messages", "sample_8x8 messages."};
    Counter queries{*this, "queries", "messages",
                    "Questions about a surface or a level of detail."};
    Counter flushes{*this, "flushes", "messages", "cache_flush messages."};
    Counter refused{*this, "refused", "messages",
                    "Messages that were illegal or are not modelled."};
    Counter pixels{*this, "pixels", "samples", "Samples that were executed."};
    Counter places{*this, "places", "places",
                   "Places that the filter worked on, of up to four texels each."};
    Counter texels{*this, "texels", "texels", "Texels read from surfaces."};
    Counter clamped_biases{*this, "clamped_biases", "samples",
                           "Samples whose message had a bias outside -16 to below 16."};
    Counter target_writes{*this, "target_writes", "messages",
                          "Messages whose results went to the render target."};
    Counter lookups{*this, "lookups", "lines", "Lookups of lines in the texture cache."};
    Counter misses{*this, "misses", "lines", "Lines that were fetched from L3."};
    Counter merged{*this, "merged", "lines", "Lookups of lines that were on their way already."};
    Counter state_reads{*this, "state_reads", "reads",
                        "Reads of binding table entries, surface and sampler states."};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "Messages waited before they were started."};

    Counter busy_cycles{*this, "busy_cycles", "cycles", "Cycles in which the filter worked."};
    Counter lookup_cycles{*this, "lookup_cycles", "cycles",
                          "Cycles the address generators worked and the filter did not."};
    Counter stall_memory_cycles{*this, "stall_memory_cycles", "cycles",
                                "Cycles a missing line waited for L3 to take its request."};
    Counter stall_full_cycles{*this, "stall_full_cycles", "cycles",
                              "Cycles with as many messages in flight as fit."};
    Counter waiting_cycles{*this, "waiting_cycles", "cycles",
                           "Cycles with nothing to do, but lines due from L3."};
    Counter front_end_cycles{*this, "front_end_cycles", "cycles",
                             "Cycles only messages on their way through the front end were there."};
    Counter return_cycles{*this, "return_cycles", "cycles",
                          "Cycles only answers on their way to the EUs were there."};
    Counter idle_cycles{*this, "idle_cycles", "cycles", "Cycles without any message."};
};

/// A cycle was spent on one of these; each has its counter in SamplerStats.
enum class Activity : std::uint8_t {
    Idle,
    Busy,
    Lookup,
    StallMemory,
    StallFull,
    Waiting,
    FrontEnd,
    Return
};
inline constexpr std::size_t kActivities = 8;
inline constexpr const char* kActivityWords[kActivities] = {
    "idle", "busy", "lookup", "stall memory", "stall full", "waiting", "front end", "return"};

}  // namespace gen9::sampler
