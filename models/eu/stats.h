// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <iterator>

#include "common/stats.h"

namespace gen9::eu {

/// The use of an EU's cycle. Busy: a unit is occupied. NoThread: no thread is loaded. Otherwise no
/// unit is occupied, and the oldest thread waits for what the name says.
enum class CycleUse : std::uint8_t {
    Busy,
    NoThread,
    Scoreboard,  ///< the result of an earlier instruction of its own
    Message,     ///< a message's response, or its payload still being read
    Barrier,     ///< a notification
    Dependency,  ///< the end of another thread, at a sendc
    Fetch,       ///< its next instruction
    SendQueue,   ///< room in a shared function's queue
    Branch,      ///< the front end, after flow control
    Switch,      ///< the front end, after {Switch}
    Pipe,        ///< the front end, after any other instruction
    Count
};
inline constexpr std::size_t kCycleUses = static_cast<std::size_t>(CycleUse::Count);
inline constexpr const char* kCycleUseWords[] = {
    "busy",  "no thread",  "scoreboard", "message", "barrier", "dependency",
    "fetch", "send queue", "branch",     "switch",  "pipe"};
static_assert(std::size(kCycleUseWords) == kCycleUses);
constexpr const char* to_text(CycleUse use) {
    return kCycleUseWords[static_cast<std::size_t>(use)];
}

/// Counters of one EU. `cycles` is the sum of the other counters in cycles: each cycle has exactly
/// one use.
struct EuStats : StatSet {
    using StatSet::StatSet;
    Counter instructions{*this, "instructions", "instructions", "Instructions executed."};
    Counter messages{*this, "messages", "messages", "Messages sent."};
    Counter direct_messages{*this, "direct_messages", "messages",
                            "Messages sent as calls of their target, without a transaction."};
    Counter compiled_instructions{*this, "compiled_instructions", "instructions",
                                  "Instructions executed by compiled code."};
    Counter ahead_instructions{*this, "ahead_instructions", "instructions",
                               "Instructions executed ahead, by several threads of the host."};
    Counter threads_ahead{*this, "threads_ahead", "threads",
                          "Threads that have begun ahead, in the place of one that ended there."};
    Counter threads{*this, "threads", "threads", "Threads that have run."};
    Counter coissue_cycles{*this, "coissue_cycles", "cycles",
                           "Cycles that issued more than one instruction."};
    Counter fetches{*this, "fetches", "lines", "Instruction lines asked of the cache."};
    Counter exceptions{*this, "exceptions", "exceptions",
                       "Times threads entered or left the system routine."};

    Counter cycles{*this, "cycles", "cycles", "Cycles accounted for: busy, idle and stalled."};
    Counter busy{*this, "busy", "cycles", "A unit was occupied."};
    Counter idle{*this, "idle", "cycles", "No thread was loaded."};
    Counter stall_scoreboard{*this, "stall_scoreboard", "cycles",
                             "The oldest thread waited for a result of its own."};
    Counter stall_message{*this, "stall_message", "cycles",
                          "The oldest thread waited for a message."};
    Counter stall_barrier{*this, "stall_barrier", "cycles",
                          "The oldest thread waited for a notification."};
    Counter stall_dependency{*this, "stall_dependency", "cycles",
                             "The oldest thread waited for another thread's end."};
    Counter stall_fetch{*this, "stall_fetch", "cycles",
                        "The oldest thread waited for its next instruction."};
    Counter stall_send_queue{*this, "stall_send_queue", "cycles",
                             "The oldest thread waited for a shared function's queue."};
    Counter stall_branch{*this, "stall_branch", "cycles",
                         "The oldest thread was in the shadow of flow control."};
    Counter stall_switch{*this, "stall_switch", "cycles",
                         "The oldest thread was in the shadow of a thread switch."};
    Counter stall_pipe{*this, "stall_pipe", "cycles",
                       "The oldest thread was in the shadow of another instruction."};

    /// Counts `n` cycles of one use.
    void use(CycleUse what, std::uint64_t n) {
        static constexpr std::array<Counter EuStats::*, kCycleUses> kCounters{
            &EuStats::busy,
            &EuStats::idle,
            &EuStats::stall_scoreboard,
            &EuStats::stall_message,
            &EuStats::stall_barrier,
            &EuStats::stall_dependency,
            &EuStats::stall_fetch,
            &EuStats::stall_send_queue,
            &EuStats::stall_branch,
            &EuStats::stall_switch,
            &EuStats::stall_pipe};
        cycles += n;
        this->*kCounters[static_cast<std::size_t>(what)] += n;
    }
};

}  // namespace gen9::eu
