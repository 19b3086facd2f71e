// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>

#include "common/params.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::platform {

/// How many of what a product has, and its clock (gpgpu-media-l3 guide 3.1).
struct Topology : ParamSet {
    using ParamSet::ParamSet;
    Param slices{*this,
                 {"slices", "", "Slices.", "Mesa device tables: SKL GT1/GT2 1, GT3 2, GT4 3"},
                 1,
                 1,
                 3};
    Param subslices{*this,
                    {"subslices", "", "Subslices of each slice.",
                     "Mesa device tables: SKL GT2 3, GT1 2; BXT 3 or 2"},
                    3,
                    1,
                    4};
    Param eus{*this,
              {"eus", "", "Execution units of each subslice.",
               "Mesa device tables: SKL 8 (GT1 6), BXT 6"},
              8,
              1,
              16};
    Param l3_banks{*this,
                   {"l3_banks", "", "L3 banks of each slice.",
                    "Mesa device tables: SKL 4 (GT1 2), BXT 2x6 1, 3x6 2"},
                   4,
                   1,
                   8};
    Param slm_banks{*this,
                    {"slm_banks", "",
                     "Shared local memories of each slice, which the data ports of all its "
                     "subslices reach; 0: each subslice has its own.",
                     "POOL-10 (000:933-939); one in each L3 bank"},
                    0,
                    0,
                    4};
    Param slm_kb{*this,
                 {"slm_kb", "KB",
                  "Shared local memory of a subslice that groups can be given; a group that asks "
                  "for more is an error of the program. Above 64 it is not saved.",
                  "SLM-01 (003:17348, 003:18921): 64; others for exploration"},
                 64,
                 1,
                 256};
    Param clock_hz{*this,
                   {"clock_hz", "Hz", "Clock of the render engine.",
                    "HD Graphics 530: 1.15 GHz maximum (public data sheet)"},
                   1'150'000'000,
                   1'000'000,
                   10'000'000'000};
    Param notice_cycles{
        *this,
        {"notice_cycles", "cycles",
         "Least notice an EU is given of what happens to it; it runs ahead by as much.",
         "Assumed: below the shortest latency of any shared function"},
        16,
        1,
        64};
    Param watchdog_cycles{
        *this,
        {"watchdog_cycles", "cycles",
         "Cycles without any command, dispatch, message, instruction or "
         "retirement after which the engine counts as hung; found at most 50,000 "
         "cycles later. Functional mode: more than the quantum of an EU's threads.",
         "Assumed: far above any latency of the machine"},
        200'000'000,
        100'000,
        1'000'000'000'000};
    Param jitter_cycles{*this,
                        {"jitter_cycles", "cycles",
                         "Most time by which each request of a data port and of an L3 bank, and "
                         "its answer, is held "
                         "up at random, to meet other orders of events; 0: none.",
                         "Model: exploration (docs/ordering.md)"},
                        0,
                        0,
                        100000};
    Param jitter_seed{*this,
                      {"jitter_seed", "", "Which random times; the same seed gives the same run.",
                       "Model: exploration"},
                      1,
                      0,
                      ~std::uint64_t{0} >> 1};

    /// Size of a subslice's array of shared local memory: at least the machine's 64 KB, and a power
    /// of two, for addresses wrap around in it.
    std::uint32_t slm_bytes() const {
        return 1024 * std::max(std::bit_ceil(static_cast<std::uint32_t>(slm_kb.get())), 64u);
    }
    ThreadTopology thread_topology(unsigned threads_per_eu) const {
        return {static_cast<unsigned>(slices), static_cast<unsigned>(subslices),
                static_cast<unsigned>(eus), threads_per_eu, static_cast<unsigned>(slm_banks)};
    }
    unsigned subslice_count() const { return static_cast<unsigned>(slices * subslices); }
    unsigned eus_per_subslice() const { return static_cast<unsigned>(eus); }
    unsigned eu_count() const { return static_cast<unsigned>(slices * subslices * eus); }
};

}  // namespace gen9::platform
