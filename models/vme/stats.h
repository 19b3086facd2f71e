// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/stats.h"

namespace gen9::vme {

struct VmeStats : StatSet {
    using StatSet::StatSet;
    Counter messages{*this, "messages", "messages", "Messages taken."};
    Counter searches{*this, "searches", "messages", "Integer searches (IME)."};
    Counter refinements{*this, "refinements", "messages",
                        "Fractional and bidirectional refinements (FBR)."};
    Counter checks{*this, "checks", "messages", "Skip checks and intra predictions (SIC)."};
    Counter meshes{*this, "meshes", "messages", "Meshes of raw distortions (IDM)."};
    Counter refused{*this, "refused", "messages",
                    "Messages that were illegal or are not modelled."};
    Counter units{*this, "units", "units", "Search units searched, and units of meshes."};
    Counter blocks{*this, "blocks", "blocks",
                   "Blocks of 4x4 pixels that were predicted from vectors and measured."};
    Counter early_stops{*this, "early_stops", "messages", "Searches ended by their threshold."};
    Counter lines{*this, "lines", "lines", "Lines of pixels fetched from L3."};
    Counter state_reads{*this, "state_reads", "reads",
                        "Reads of binding table entries and surface states."};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "Messages waited before they were started."};

    Counter busy_cycles{*this, "busy_cycles", "cycles", "Cycles in which an engine worked."};
    Counter fetch_cycles{*this, "fetch_cycles", "cycles",
                         "Cycles lines were asked for and no engine worked."};
    Counter stall_memory_cycles{*this, "stall_memory_cycles", "cycles",
                                "Cycles a line waited for L3 to take its request."};
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

/// A cycle was spent on the first of these that holds; each has its counter in VmeStats.
enum class Activity : std::uint8_t {
    Idle,
    Busy,
    Fetch,
    StallMemory,
    StallFull,
    Waiting,
    FrontEnd,
    Return
};
inline constexpr std::size_t kActivities = 8;
inline constexpr const char* kActivityWords[kActivities] = {
    "idle", "busy", "fetch", "stall memory", "stall full", "waiting", "front end", "return"};

}  // namespace gen9::vme
