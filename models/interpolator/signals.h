// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::interpolator {

struct InterpolatorSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "Messages announced and not started."};
    Signal started{*this, "started", 8, SignalForm::Decimal, "Messages that start this cycle."};
};

}  // namespace gen9::interpolator
