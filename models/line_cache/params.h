// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "line_cache/interface.h"

namespace gen9::line_cache {

struct LineCacheParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue{
        *this,
        {"queue", "requests", "Requests that wait for their lookup.", "Assumed: no document says"},
        8,
        1,
        256};
    Param hit_cycles{*this,
                     {"hit_cycles", "cycles", "From a lookup that finds its bytes to the answer.",
                      "Assumed: no document says"},
                     4,
                     1,
                     1000};
    Param fill_cycles{
        *this,
        {"fill_cycles", "cycles", "From a line's arrival to the answer.", "Assumed: as a hit"},
        4,
        1,
        1000};
    Param misses{*this,
                 {"misses", "lines", "Lines that are being fetched at a time.",
                  "Assumed: the latency of memory at half a line a cycle"},
                 64,
                 1,
                 1024};
    Param waiting{*this,
                  {"waiting", "requests", "Requests that wait for lines.",
                   "Assumed: as many as lines are fetched, twice"},
                  128,
                  1,
                  4096};
    Param memory_queue{*this,
                       {"memory_queue", "lines", "Fetches and writes on their way out.",
                        "Assumed: no document says"},
                       8,
                       2,
                       256};
};

/// Of one part.
struct PartParams : ParamSet {
    PartParams(const Config& config, const std::string& cache, const PartSetup& setup)
        : ParamSet(config, cache + "." + setup.name),
          size_bytes{*this,
                     {"size_bytes", "bytes", "Capacity, in lines of 64 bytes.", setup.source},
                     setup.bytes,
                     64,
                     1u << 24},
          ways{*this,
               {"ways", "ways", "Associativity; the longest unused line makes room.",
                "Assumed: no document says"},
               setup.ways,
               1,
               1024} {}
    Param size_bytes, ways;
};

}  // namespace gen9::line_cache
