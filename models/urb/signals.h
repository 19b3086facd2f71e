// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::urb {

struct UrbSignals : SignalSet {
    explicit UrbSignals(std::string path) : SignalSet(std::move(path)) {
        add("queued", queued, 8);
        add("in_flight", in_flight, 8);
    }
    std::uint32_t queued = 0;     ///< messages announced and not started
    std::uint32_t in_flight = 0;  ///< messages started and not answered
};

}  // namespace gen9::urb
