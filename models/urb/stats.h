// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/stats.h"

namespace gen9::urb {

/// A cycle of the port is spent on the first of these that holds.
enum class Activity : std::uint8_t { Busy, Waiting, Returning, Idle };
inline constexpr unsigned kActivities = 4;

struct UrbStats : StatSet {
    using StatSet::StatSet;

    Counter messages{*this, "messages", "messages", "messages taken"};
    Counter reads{*this, "reads", "messages", "read messages"};
    Counter writes{*this, "writes", "messages", "write messages"};
    Counter atomics{*this, "atomics", "messages", "atomic messages"};
    Counter accesses{*this, "accesses", "lines", "accesses of L3 lines"};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "messages waited before they were started"};
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles", "a message was started or a line asked for"},
        {*this, "waiting_cycles", "cycles",
         "otherwise messages were in the front end or waited for L3"},
        {*this, "returning_cycles", "cycles", "no more than answers were on their way to EUs"},
        {*this, "idle_cycles", "cycles", "no message, or the first one arrived"},
    }};
};

}  // namespace gen9::urb
