// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/stats.h"

namespace gen9::gateway {

/// A cycle of the gateway is spent on the first of these that holds.
enum class Activity : std::uint8_t { Busy, Returning, Barrier, Idle };
inline constexpr unsigned kActivities = 4;

struct GatewayStats : StatSet {
    using StatSet::StatSet;

    Counter messages{*this, "messages", "messages",
                     "messages taken; each occupies the gateway for a cycle"};
    Counter barrier_arrivals{*this, "barrier_arrivals", "messages", "barrier messages"};
    Counter barrier_releases{*this, "barrier_releases", "releases", "barriers that opened"};
    Counter barrier_wait_cycles{*this, "barrier_wait_cycles", "thread cycles",
                                "from each thread's arrival to its barrier's last arrival"};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "messages waited for the gateway"};
    Counter timestamps{*this, "timestamps", "messages", "timestamps read"};
    Counter setups{*this, "setups", "writes", "barriers set up by the spawner"};
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles", "a message was worked on"},
        {*this, "returning_cycles", "cycles", "otherwise an answer was on its way to an EU"},
        {*this, "barrier_cycles", "cycles", "threads waited at barriers, and nothing else"},
        {*this, "idle_cycles", "cycles", "no message, or the first one arrived"},
    }};
};

}  // namespace gen9::gateway
