// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"
#include "common/stats.h"

namespace gen9::icache {

struct InstructionCacheStats : StatSet {
    using StatSet::StatSet;
    Counter hits{*this, "hits", "lines", "Requests whose line was there."};
    Counter misses{*this, "misses", "lines", "Requests that asked L3."};
    Counter joined{*this, "joined", "lines", "Requests whose line had been asked for already."};
    Counter invalidations{*this, "invalidations", "invalidations", "Times everything was dropped."};
};

struct InstructionCacheSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal waiting{*this, "waiting", 8, SignalForm::Decimal, "Requests not looked up yet."};
    Signal misses{*this, "misses", 8, SignalForm::Decimal, "Lines asked of L3."};
};

}  // namespace gen9::icache
