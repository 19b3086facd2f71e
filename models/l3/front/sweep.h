// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "common/units.h"
#include "interconnect/payload/trace_id.h"
#include "l3/types.h"

namespace gen9::l3 {

/// A flush or invalidation of the cache, from the cycle it is asked for until its last node is
/// done.
struct Sweep {
    TraceId cause = 0;        ///< of the transaction that asked for it
    ClassSet dropped;         ///< classes whose lines go
    bool flush = false;       ///< modified data lines are written
    bool all_nodes = false;   ///< top of the pipe: no node goes on before all are done (L3-66)
    bool coherent = false;    ///< coherent lines as well
    bool walking = false;     ///< what came before it has been served; its lines are gone through
    Cycles asked;             ///< what reaches the banks after this cycle waits
    Cycles begin;             ///< the event before it is over
    std::vector<Cycles> end;  ///< by node
    Cycles last;              ///< the latest of these

    bool holds(unsigned node, Cycles now) const {
        return !walking || (all_nodes ? last : end[node]) > now;
    }
};

}  // namespace gen9::l3
