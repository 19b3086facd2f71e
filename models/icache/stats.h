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
    std::uint32_t waiting = 0, misses = 0;
    explicit InstructionCacheSignals(std::string path) : SignalSet(std::move(path)) {
        add("waiting", waiting, 8);
        add("misses", misses, 8);
    }
};

}  // namespace gen9::icache
