// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "common/cycle_account.h"
#include "common/enum_words.h"
#include "common/signals.h"
#include "common/stats.h"

namespace gen9::line_cache {

/// A cycle is spent on the first of these that holds.
enum class Activity : std::uint8_t {
    Busy,
    NoMiss,   ///< as many lines are fetched, or requests wait for them, as can be
    NoPlace,  ///< all lines of a set are being fetched
    NoRoom,   ///< as many fetches and writes wait to leave as can
    Waiting,  ///< nothing to look up, memory owes something
    Idle,
};
inline constexpr std::size_t kActivities = static_cast<std::size_t>(Activity::Idle) + 1;
constexpr const char* to_text(Activity activity) {
    switch (activity) {
        case Activity::Busy:
            return "busy";
        case Activity::NoMiss:
            return "no miss";
        case Activity::NoPlace:
            return "no place";
        case Activity::NoRoom:
            return "no room";
        case Activity::Waiting:
            return "waiting";
        case Activity::Idle:
            return "idle";
    }
    return nullptr;
}

struct LineCacheStats : StatSet {
    using StatSet::StatSet;
    Counter passed{*this, "passed", "requests", "Requests of data that has no part here."};
    Counter within_calls{
        *this, "within_calls", "lines",
        "Lines fetched and written within calls: L3 does not count these as bypasses."};
    Counter flushes{*this, "flushes", "events", "Times all lines were written back and dropped."};
    Counter flush_cycles{*this, "flush_cycles", "cycles",
                         "Cycles from their beginning until memory had the last line."};
    std::array<Counter, kActivities> cycles{{
        {*this, "busy_cycles", "cycles", "Cycles in which a request was looked up."},
        {*this, "no_miss_cycles", "cycles", "Cycles lost to fetches, as many as there can be."},
        {*this, "no_place_cycles", "cycles", "Cycles lost to a set that is being fetched."},
        {*this, "no_room_cycles", "cycles", "Cycles lost to a full queue to memory."},
        {*this, "waiting_cycles", "cycles", "Other cycles in which memory owed something."},
        {*this, "idle_cycles", "cycles", "Cycles without anything to do."},
    }};
};

/// Of one part. Requests = hits + places + misses + merges; lines that L3 is asked for = misses +
/// fetched_again, lines that it is given = evictions + flushed_lines.
struct PartStats : StatSet {
    using StatSet::StatSet;
    Counter reads{*this, "reads", "requests", "Reads looked up."};
    Counter writes{*this, "writes", "requests", "Writes looked up."};
    Counter hits{*this, "hits", "requests", "Requests whose line had the bytes they need."};
    Counter places{*this, "places", "requests", "Writes that put their line in."};
    Counter misses{*this, "misses", "requests", "Requests that fetched a line."};
    Counter merges{*this, "merges", "requests", "Requests whose line was on its way."};
    Counter fetched_again{*this, "fetched_again", "lines",
                          "Lines on their way that were fetched once more: they were dropped, or "
                          "asked for within a call."};
    Counter evictions{*this, "evictions", "lines", "Modified lines written to make room."};
    Counter replaced{*this, "replaced", "lines", "Unmodified lines that made room."};
    Counter flushed_lines{*this, "flushed_lines", "lines", "Modified lines written by flushes."};
    Counter dropped_lines{*this, "dropped_lines", "lines", "Lines that they dropped."};
};

struct LineCacheSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal activity{*this, "activity", kWordsOf<Activity>, "What the cycle is used for."};
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "Requests not looked up yet."};
    Signal misses{*this, "misses", 8, SignalForm::Decimal, "Lines that are being fetched."};
    Signal writing{*this, "writing", 8, SignalForm::Decimal, "Lines on their way to memory."};
};

}  // namespace gen9::line_cache
