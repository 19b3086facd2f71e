// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::gateway {

struct GatewaySignals : SignalSet {
    using SignalSet::SignalSet;
    Signal barriers_waiting{*this, "barriers_waiting", 32, SignalForm::Hex,
                            "Bit n: a thread waits at barrier n."};
    Signal threads_waiting{*this, "threads_waiting", 8, SignalForm::Decimal,
                           "Threads that wait at barriers."};
    Signal arrivals{*this, "arrivals", 8, SignalForm::Decimal,
                    "Threads whose arrival at a barrier is taken this cycle."};
    Signal releases{*this, "releases", 8, SignalForm::Decimal, "Barriers that open this cycle."};
    Signal barrier{*this, "barrier", 8, SignalForm::Decimal, "Barrier of the last arrival."};
    Signal barrier_count{*this, "barrier_count", 8, SignalForm::Decimal,
                         "Threads that had arrived there, the last one included."};
    Signal queued{*this, "queued", 8, SignalForm::Decimal,
                  "Messages announced and not yet worked on."};
};

}  // namespace gen9::gateway
