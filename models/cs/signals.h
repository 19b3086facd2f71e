// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::cs {

/// What the streamer is doing; the value of the signal `activity`.
enum class Activity : std::uint32_t { Idle, Busy, Memory, Control, Accept, Drain, Poll, Stopped };
inline constexpr const char* kActivityWords[] = {"idle",   "busy",  "memory", "control",
                                                 "accept", "drain", "poll",   "stopped"};

struct CsSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal activity{*this, "activity", kActivityWords, "What the streamer is doing."};
    Signal outstanding{*this, "outstanding", 8, SignalForm::Decimal,
                       "Pipeline commands whose work has not ended."};
};

}  // namespace gen9::cs
