// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::setup {

struct SetupParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_depth{*this,
                      {"queue_depth", "batches", "Batches that wait at its input.",
                       "Assumed: no document gives the depth of a queue"},
                      2,
                      1,
                      64};
    Param batches{*this,
                  {"batches", "batches",
                   "Batches that it works on: attributes of the next ones are read meanwhile.",
                   "Assumed: reads are hidden behind work"},
                  2,
                  1,
                  64};
    Param object_cycles{*this,
                        {"object_cycles", "cycles", "From one object to the next.",
                         "Assumed: an object a clock; about 0.3 triangles a clock are known to "
                         "pass the whole pipe"},
                        1,
                        0,
                        1000};
    Param attributes_per_cycle{
        *this,
        {"attributes_per_cycle", "attributes",
         "Attributes whose deltas are made in a cycle; an object takes as many cycles as it needs.",
         "Assumed: no document says"},
        4,
        1,
        32};
    Param line_cycles{*this,
                      {"line_cycles", "cycles", "From one access of L3 to the next.",
                       "Assumed: one line a cycle"},
                      1,
                      1,
                      1000};
};

}  // namespace gen9::setup
