// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "common/stats.h"
#include "interconnect/payload/work.h"

namespace gen9::media {

struct MediaStats : StatSet {
    using StatSet::StatSet;

    Counter commands{*this, "commands", "commands", "commands taken from the command streamer"};
    Counter walkers{*this, "walkers", "walkers", "walkers begun"};
    Counter groups{*this, "groups", "groups", "thread groups begun"};
    Counter threads{*this, "threads", "threads", "threads sent"};
    Counter threads_retired{*this, "threads_retired", "threads", "threads that have ended"};
    Counter threads_saved{*this, "threads_saved", "threads",
                          "threads that saved themselves for another context"};
    Counter threads_restored{*this, "threads_restored", "threads", "threads that came back"};
    Counter payload_registers{*this, "payload_registers", "registers",
                              "registers loaded into threads"};
    Counter memory_bytes{*this, "memory_bytes", "bytes",
                         "descriptors and payload read from memory"};
    Counter urb_bytes{*this, "urb_bytes", "bytes", "payload put into the URB"};
    Counter messages{*this, "messages", "messages", "messages to the thread spawner"};
    Counter media_threads{*this, "media_threads", "threads", "root threads of the media pipe sent"};
    Counter child_threads{*this, "child_threads", "threads", "child threads sent"};
    Counter dependencies{*this, "dependencies", "dependencies",
                         "threads in flight that a thread was sent with (non-stalling scoreboard)"};
    /// One counter per Activity, in its order; together they are all cycles.
    std::array<Counter, kSendStates> cycles{{
        {*this, "idle_cycles", "cycles", "no command at hand"},
        {*this, "sending_cycles", "cycles", "threads were sent"},
        {*this, "front_end_cycles", "cycles", "a command was worked on or its data read"},
        {*this, "wait_urb_cycles", "cycles", "no URB entry was free for a walker's payload"},
        {*this, "wait_slot_cycles", "cycles", "no thread slot was free"},
        {*this, "wait_registers_cycles", "cycles", "a thread slot was free, but no registers"},
        {*this, "wait_slm_cycles", "cycles", "no shared local memory was free"},
        {*this, "wait_barrier_cycles", "cycles", "no barrier or group counter was free"},
        {*this, "wait_handshake_cycles", "cycles", "the gateway had not accepted the barrier"},
        {*this, "wait_payload_cycles", "cycles",
         "the subslices' dispatchers were loading registers"},
        {*this, "wait_drain_cycles", "cycles", "running threads had to end first"},
        {*this, "wait_scoreboard_cycles", "cycles",
         "a thread that the next one depends on was in flight"},
        {*this, "wait_spawn_cycles", "cycles",
         "no message had called for the synchronized root thread"},
        {*this, "wait_fence_cycles", "cycles",
         "the persistent root thread had not released its fence"},
    }};
};

}  // namespace gen9::media
