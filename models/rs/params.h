// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::rs {

struct RsParams : ParamSet {
    using ParamSet::ParamSet;
    Param fetch_bytes{*this,
                      {"fetch_bytes", "bytes",
                       "commands it keeps: a block of memory, a power of two; while a block is "
                       "parsed the next one is on its way",
                       "Assumed: as the command streamer's"},
                      256,
                      64,
                      4096};
    Param products_ahead{
        *this,
        {"products_ahead", "products",
         "binding tables, and as many gather buffers, that may wait for the command streamer",
         "Assumed: the counters' width is not public (RS-35)"},
        16,
        1,
        65536};
    Param ahead_bytes{
        *this,
        {"ahead_bytes", "bytes", "commands it parses at most before it is started again",
         "Assumed: bounds a batch without sync commands"},
        65536,
        64,
        1u << 30};
    Param parse_cycles{*this,
                       {"parse_cycles", "cycles", "least time a command occupies the parser",
                        "Assumed: one header a cycle, as in the command streamer"},
                       1,
                       1,
                       1000};
    Param dword_cycles{
        *this,
        {"dword_cycles", "cycles",
         "time each further DWord of a command that it executes occupies the parser; "
         "what it ignores is skipped by its length",
         "Assumed: one DWord a cycle"},
        1,
        0,
        1000};
    Param issue_cycles{*this,
                       {"issue_cycles", "cycles", "from one access to memory to the next",
                        "Assumed: one line a cycle"},
                       1,
                       0,
                       1000};
    Param message_cycles{
        *this,
        {"message_cycles", "cycles", "way of a message to or from the command streamer",
         "Assumed: the seeds give none"},
        4,
        0,
        1000};
    ChoiceParam handling{
        *this,
        {"handling", "",
         "what happens to fetched commands at MI_WAIT_FOR_EVENT and MI_SEMAPHORE_WAIT: dropped "
         "(no_perf) or kept (perf)",
         "003:2645-2658 (RS-06, RS-07); which of the columns Gen9 uses is not public"},
        "no_perf",
        {"no_perf", "perf"}};
    Param ahead_cycles{
        *this,
        {"ahead_cycles", "cycles", "most time its own clock runs ahead of everybody else's",
         "Model: as cs.ahead_cycles"},
        256,
        1,
        1000000};
};

}  // namespace gen9::rs
