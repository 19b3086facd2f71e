// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::urb {

struct UrbSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "Messages announced and not started."};
    Signal in_flight{*this, "in_flight", 8, SignalForm::Decimal,
                     "Messages started and not answered."};
};

}  // namespace gen9::urb
