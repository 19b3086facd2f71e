// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::cs {

/// What the streamer is doing; the value of the signal `activity`.
enum class Activity : std::uint32_t { Idle, Busy, Memory, Control, Accept, Drain, Poll, Stopped };

struct CsSignals : SignalSet {
    explicit CsSignals(std::string path) : SignalSet(std::move(path)) {
        add("activity", activity, 3);
        add("outstanding", outstanding, 8);
    }
    std::uint32_t activity = 0;     ///< an Activity
    std::uint32_t outstanding = 0;  ///< pipeline commands whose work has not ended
};

}  // namespace gen9::cs
