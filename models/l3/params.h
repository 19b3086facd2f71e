// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::l3 {

/// Tag lookups of a bank in a cycle, on any machine that can be explored.
inline constexpr unsigned kMostLookups = 8;

struct L3Params : ParamSet {
    using ParamSet::ParamSet;
    Param ways{*this,
               {"ways", "ways",
                "Logical ways of 2 KB per bank, URB and SLM included. Ways beyond those that "
                "drivers give out, 32 and 64 units of L3CNTLREG, hold lines.",
                "L3-05, L3-06: 96; 160 on single-bank parts"},
               96,
               32,
               256};
    Param tagged_ways{*this,
                      {"tagged_ways", "ways", "Of these, ways that can hold lines.",
                       "L3-05, L3-06: 64; 96 on single-bank parts"},
                      64,
                      1,
                      128};
    Param ways_per_unit{*this,
                        {"ways_per_unit", "ways", "Bank ways per unit of L3CNTLREG.",
                         "gpgpu-media-l3 guide 3.5: 1; 2 on single-bank parts"},
                        1,
                        1,
                        4};
    Param sets{
        *this,
        {"sets", "sets",
         "Sets of a bank, a power of two: a way holds a line of each. The URB and shared local "
         "memory take ways of 2 KB whatever it is.",
         "L3-05 (003:18297): 32; others for exploration"},
        32,
        8,
        256};
    ChoiceParam replacement{*this,
                            {"replacement", "", "Which way takes the next line.",
                             "L3-09; which is the default is not public. Assumed: pseudo_lru"},
                            "pseudo_lru",
                            {"pseudo_lru", "one_bit_lru", "one_bit_lru_hits"}};
    ChoiceParam writes{*this,
                       {"writes", "",
                        "When memory gets what is written: when its line leaves (back), or with "
                        "each write (through); what atomics change always leaves with its line.",
                        "L3-40 (003:18553-18555): victims are written; through for exploration"},
                       "back",
                       {"back", "through"}};
    ChoiceParam write_misses{
        *this,
        {"write_misses", "",
         "A write of a part of a line that is not there passes to memory and is answered from "
         "there "
         "(pass), puts the line in without a fetch (allocate), or has the rest fetched (fetch). "
         "One "
         "of a whole line puts it in.",
         "L3-23, L3-39: writes are of whole lines, as fills are; no document says what happens to "
         "others. fetch makes the calibrated W-46 32 B worse, allocate needs valid bits for each "
         "byte, of which the PRM says nothing"},
        "pass",
        {"allocate", "pass", "fetch"}};
    Param lookups_per_cycle{
        *this,
        {"lookups_per_cycle", "lookups",
         "Tag lookups of a bank in a cycle, of different sets; hits take its one read and one "
         "write port besides.",
         "L3-25 (003:18489): two; others for exploration"},
        2,
        1,
        kMostLookups};
    ChoiceParam bank_hash{*this,
                          {"bank_hash", "", "How a line address chooses its bank.",
                           "Assumed: no document has the hash. With folded, atomics to a word "
                           "each reach their documented rate (S-26); the last level cache of "
                           "these processors spreads lines alike (public: McCalpin, 2021)"},
                          "folded",
                          {"modulo", "folded"}};
    ArbiterParams clients{
        *this, "Which client is offered a bank first.", "oldest_first",
        "Assumed: no document says (L3-23 to L3-27 order kinds of requests, not clients)"};
    Param bank_queue{*this,
                     {"bank_queue", "requests",
                      "Requests of a client that wait in front of a bank, besides those on their "
                      "way.",
                      "Assumed: 4, as the queue of the engine that saves SLM, the one whose depth "
                      "is documented (PRE-23; 003:18965)"},
                     4,
                     1,
                     1024};
    Param snoop_queue{
        *this,
        {"snoop_queue", "requests", "Snoops waiting at the banks.", "Assumed: no public figure"},
        8,
        1,
        1024};
    Param super_queue{*this,
                      {"super_queue", "requests", "Requests per bank waiting for lines.",
                       "Assumed: 64 credits, as L3SQCREG1 is programmed (guide 3.5)"},
                      64,
                      1,
                      4096};
    Param memory_queue{
        *this,
        {"memory_queue", "requests", "Fetches and victims per bank waiting to leave.",
         "Assumed: no public figure"},
        16,
        2,
        1024};
    Param request_cycles{*this,
                         {"request_cycles", "cycles", "From a client to the banks.",
                          "Assumed: a share of G-1's 138 cycles load to use, of which the data "
                          "port and the EU take 38"},
                         24,
                         1,
                         1000};
    Param bank_cycles{
        *this,
        {"bank_cycles", "cycles", "Tag and data access of a hit.", "Assumed: as request_cycles"},
        28,
        0,
        1000};
    Param return_cycles{
        *this,
        {"return_cycles", "cycles", "From the bank to the client.", "Assumed: as request_cycles"},
        48,
        1,
        1000};
    Param float_atomic_cycles{
        *this,
        {"float_atomic_cycles", "cycles", "The bank's float unit per lane of a float atomic.",
         "Assumed: one lane per cycle, since all of a bank serialize (L3-35)"},
        1,
        1,
        64};
    Param flush_cycles{
        *this,
        {"flush_cycles", "cycles", "A flush or invalidation that finds nothing to write.",
         "Assumed: no public figure"},
        100,
        0,
        100000};
};

}  // namespace gen9::l3
