// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::icache {

/// Parameters of the instruction cache of one subslice.
struct InstructionCacheParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams eus{*this, "Which EU's request is looked up first.", "oldest_first",
                      "Assumed: no document says"};
    Param size_bytes{
        *this,
        {"size_bytes", "bytes", "Capacity; a power of two of 64-byte lines per way.",
         "Calibrated: W-8 half, 66 KB of code without a loop. The Skylake PRM (volume 4, product "
         "configuration) says 48 KB a subslice; with it that row is at 1.15 (silicon 1.72) "
         "whatever the ways, or with eu.prefetch_lines=3 as it is, but then the calibrated "
         "secp256k1 goes from 7 percent too slow to about 22 too fast"},
        65536,
        64,
        1u << 24};
    Param ways{
        *this,
        {"ways", "ways", "Associativity.",
         "Calibrated: W-8 half, 66 KB of code without a loop, 1.84 times the rate of float with 8, "
         "1.74 with 16, 1.61 with 32 (silicon 1.72). No public document gives it"},
        16,
        1,
        64};
    Param hit_latency{
        *this,
        {"hit_latency", "cycles", "From an EU's request to the line's arrival, on a hit.",
         "G-5: 14 (macsim params_intel); Assumed: 2 more on the way each way"},
        18,
        1,
        1024};
    Param fill_latency{*this,
                       {"fill_latency", "cycles", "From the line's arrival from L3 to the EU.",
                        "Assumed: as a hit"},
                       18,
                       1,
                       1024};
    Param misses{*this,
                 {"misses", "lines", "Lines asked of L3 at a time.", "Assumed: one per EU"},
                 8,
                 1,
                 256};
};

}  // namespace gen9::icache
