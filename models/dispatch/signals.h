// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>

#include "common/signals.h"
#include "dispatch/types.h"

namespace gen9::dispatch {

inline constexpr const char* kActivityWords[] = {
    "idle",     "sending",      "front end",      "wait URB",     "wait slot",
    "wait SLM", "wait barrier", "wait handshake", "wait payload", "wait drain"};
static_assert(std::size(kActivityWords) == kActivities);

struct SpawnerSignals : SignalSet {
    SpawnerSignals(std::string path, const Topology& topology) : SignalSet(std::move(path)) {
        for (unsigned s = 0; s < topology.total_subslices(); ++s) {
            const std::string where = "_subslice" + std::to_string(s);
            threads.emplace_back(*this, "threads" + where, 8, SignalForm::Decimal,
                                 "Threads running.");
            groups.emplace_back(*this, "groups" + where, 6, SignalForm::Decimal, "Groups tracked.");
            slm_kilobytes.emplace_back(*this, "slm_kilobytes" + where, 7, SignalForm::Decimal,
                                       "Shared local memory given out.");
        }
    }
    Signal activity{*this, "activity", kActivityWords, "Why the next thread is not sent."};
    Signal walkers{*this, "walkers", 8, SignalForm::Decimal,
                   "Walkers with threads running or still to be sent."};
    /// By flat subslice number.
    std::deque<Signal> threads, groups, slm_kilobytes;
};

}  // namespace gen9::dispatch
