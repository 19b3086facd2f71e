// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::memory {

struct LlcParams : ParamSet {
    using ParamSet::ParamSet;
    Param size_kb{*this,
                  {"size_kb", "KB", "Size; a power of two is not required.",
                   "Public: 8 MB of the Core i7-6700K (HD 530)"},
                  8192,
                  64,
                  131072};
    Param ways{*this,
               {"ways", "ways", "Associativity.", "Public: 16 ways of the Skylake client LLC"},
               16,
               1,
               64};
    Param queue{
        *this, {"queue", "requests", "Requests held.", "Assumed: no public figure"}, 32, 1, 4096};
    Param misses{*this,
                 {"misses", "lines", "Misses to memory whose line has not come.",
                  "Assumed: enough to fill the bandwidth of each dram.kind at its latency"},
                 128,
                 1,
                 4096};
    Param hit_cycles{*this,
                     {"hit_cycles", "cycles", "From a request's arrival to its data, hit.",
                      "G-2: 242 cycles load to use, less the way there"},
                     84,
                     1,
                     1000};
    Param miss_cycles{
        *this,
        {"miss_cycles", "cycles", "From a request's arrival to its departure to memory, miss.",
         "Assumed: the tag lookup's share of hit_cycles; the rest is the return"},
        40,
        1,
        1000};
};

}  // namespace gen9::memory
