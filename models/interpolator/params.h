// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::interpolator {

struct InterpolatorParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams senders{*this, "Which EU's message starts first.", "oldest_first",
                          "Assumed: no document says"};
    Param slots_per_clock{*this,
                          {"slots_per_clock", "slots", "Slots that are evaluated in a cycle.",
                           "Assumed: half a SIMD16 message, as a register of the answer holds"},
                          8,
                          1,
                          32};
    Param answer_cycles{
        *this,
        {"answer_cycles", "cycles",
         "From the start of a message to its answer at the EU; at least the notice.",
         "hardware-measurements I-9: 50 for a message (compiler's scheduling weight)"},
        50,
        1,
        10000};
};

}  // namespace gen9::interpolator
