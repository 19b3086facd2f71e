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
    Signal queued{*this, "queued", 8, SignalForm::Decimal,
                  "Messages announced and not yet worked on."};
};

}  // namespace gen9::gateway
