// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "common/signals.h"

namespace gen9 {

/// Adds a module's signals to a waveform under its own name, which gives the scopes.
inline void trace(sc_core::sc_trace_file* file, const SignalSet& set) {
    for (const Signal& signal : set.signals())
        sc_core::sc_trace(file, *signal.value, set.path() + "." + signal.name,
                          static_cast<int>(signal.width_bits));
}

}  // namespace gen9
