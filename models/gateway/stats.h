// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/stats.h"

namespace gen9::gateway {

struct GatewayStats : StatSet {
    using StatSet::StatSet;

    Counter messages{*this, "messages", "messages",
                     "messages taken; each occupies the gateway for a cycle"};
    Counter barrier_arrivals{*this, "barrier_arrivals", "messages", "barrier messages"};
    Counter barrier_releases{*this, "barrier_releases", "releases", "barriers that opened"};
    Counter barrier_wait_cycles{*this, "barrier_wait_cycles", "thread cycles",
                                "from each thread's arrival to its barrier's last arrival"};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "messages waited for the gateway"};
    Counter timestamps{*this, "timestamps", "messages", "timestamps read"};
    Counter setups{*this, "setups", "writes", "barriers set up by the spawner"};
};

}  // namespace gen9::gateway
