// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/stats.h"

namespace gen9::urb {

struct UrbStats : StatSet {
    using StatSet::StatSet;

    Counter messages{*this, "messages", "messages", "messages taken"};
    Counter reads{*this, "reads", "messages", "read messages"};
    Counter writes{*this, "writes", "messages", "write messages"};
    Counter atomics{*this, "atomics", "messages", "atomic messages"};
    Counter accesses{*this, "accesses", "lines", "accesses of L3 lines"};
    Counter queue_cycles{*this, "queue_cycles", "message cycles",
                         "messages waited before they were started"};
};

}  // namespace gen9::urb
