// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/stats.h"

namespace gen9::interpolator {

/// A cycle of the interpolator is spent on the first of these that holds.
enum class Activity : std::uint8_t { Busy, Returning, Idle };
inline constexpr unsigned kActivities = 3;
inline constexpr unsigned kPlaceKinds = 4;

struct InterpolatorStats : StatSet {
    using StatSet::StatSet;

    /// By PlaceOf.
    std::array<Counter, kPlaceKinds> messages{{
        {*this, "offset_messages", "messages", "messages with one offset for all slots"},
        {*this, "sample_messages", "messages", "messages that name a sample"},
        {*this, "centroid_messages", "messages", "messages that ask for centroids"},
        {*this, "slot_messages", "messages", "messages with an offset for each slot"},
    }};
    Counter slots{*this, "slots", "slots", "slots that were answered"};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "messages waited before they were started"};
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles", "a message was worked on"},
        {*this, "returning_cycles", "cycles", "otherwise an answer was on its way to an EU"},
        {*this, "idle_cycles", "cycles", "no message, or the first one arrived"},
    }};
};

}  // namespace gen9::interpolator
