// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>

#include "common/units.h"

namespace gen9 {

/// How many registers an EU has for its threads, and how many of them each takes. Gen9 has 128 for
/// every thread (EU-002), which limit nothing; others are machines to explore.
struct RegisterFile {
    unsigned registers = 0;  ///< of an EU; 0: enough for all its threads
    bool by_use = false;     ///< a thread takes what its program names, in place of 128
    unsigned granule = 1;    ///< by use it takes a multiple of so many

    /// Can registers be what threads wait for, in an EU of so many?
    bool limits(unsigned threads) const {
        return registers != 0 && registers < threads * kGrfCount;
    }
    /// Registers that a thread takes whose program names so many.
    unsigned taken(unsigned named) const {
        if (!by_use) return kGrfCount;
        return std::max(1u, (named + granule - 1) / granule) * granule;
    }
};

}  // namespace gen9
