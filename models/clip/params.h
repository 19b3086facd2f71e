// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::clip {

struct ClipParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_depth{*this,
                      {"queue_depth", "batches", "Batches that wait at its input.",
                       "Assumed: no document gives the depth of a queue"},
                      2,
                      1,
                      64};
    Param batches{*this,
                  {"batches", "batches",
                   "Batches that it works on: vertices of the next ones are read meanwhile.",
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
    Param cut_cycles{
        *this,
        {"cut_cycles", "cycles", "More for each object that is cut.", "Assumed: no document says"},
        16,
        0,
        10000};
    Param line_cycles{*this,
                      {"line_cycles", "cycles", "From one access of L3 to the next.",
                       "Assumed: one line a cycle"},
                      1,
                      1,
                      1000};
};

}  // namespace gen9::clip
