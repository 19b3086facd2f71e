// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"

namespace gen9::gateway {

struct GatewaySignals : SignalSet {
    explicit GatewaySignals(std::string path) : SignalSet(std::move(path)) {
        add("barriers_waiting", barriers_waiting, 32);
        add("threads_waiting", threads_waiting, 8);
        add("queued", queued, 8);
    }
    std::uint32_t barriers_waiting = 0;  ///< bit = barrier at which a thread waits
    std::uint32_t threads_waiting = 0;
    std::uint32_t queued = 0;  ///< messages announced and not yet worked on
};

}  // namespace gen9::gateway
