// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::memory {

struct GtiParams : ParamSet {
    using ParamSet::ParamSet;
    ChoiceParam llc_mocs{
        *this,
        {"llc_mocs", "",
         "Whose control states the last level cache obeys: what is written to 0xC800, or what "
         "Linux would have written.",
         "A driver on the simulator socket writes a table of its own, in which OpenCL buffers "
         "pass the LLC by; all measurements are of Linux, whose table leaves them to the page"},
        "linux",
        {"linux", "registers"}};
    Param tlb_sets{*this,
                   {"tlb_sets", "sets", "Sets of the translation buffer.",
                    "Public: the value that Linux i915 writes into the register of the buffer's "
                    "shares, 4DD4h; its largest entry is 639 (511 on Broxton)"},
                   80,
                   1,
                   65536};
    Param tlb_ways{*this,
                   {"tlb_ways", "ways", "Ways of the translation buffer.",
                    "Assumed: any place of the buffer can hold any page there; eight come near"},
                   8,
                   1,
                   64};
    ArbiterParams initiators{*this, "Which initiator is offered the ring first.",
                             "least_recently_served",
                             "Assumed: no document says; fair also between reads and writes"};
    Param queue{*this,
                {"queue", "requests", "Requests held per initiator.", "Assumed: no public figure"},
                16,
                1,
                4096};
    Param request_cycles{*this,
                         {"request_cycles", "cycles",
                          "From a request's arrival to the ring, translation buffer hit included.",
                          "Assumed: with return_cycles and llc.hit_cycles makes the LLC 104 cycles "
                          "more than L3 (G-1, G-2)"},
                         10,
                         1,
                         1000};
    Param return_cycles{*this,
                        {"return_cycles", "cycles", "From the ring back to the initiator.",
                         "Assumed: as request_cycles"},
                        10,
                        0,
                        1000};
    Param pending{*this,
                  {"pending", "requests", "Requests that wait for page walks, besides the queues.",
                   "Public: ERROR_2 of the main arbiter counts pending translations that faulted "
                   "in six bits"},
                  64,
                  1,
                  4096};
    Param table_lines{*this,
                      {"table_lines", "lines",
                       "Lines of page tables the walker keeps; lines on their way take no place.",
                       "Assumed: no public figure; 8 entries of 8 bytes each"},
                      32,
                      1,
                      4096};
    Param walk_read_cycles{*this,
                           {"walk_read_cycles", "cycles",
                            "One read of the global table; of other tables, for blocking access.",
                            "Assumed: as long as the LLC's hit; the table is in stolen memory, "
                            "which the model does not hold. Timed reads of other tables take what "
                            "the LLC and memory take"},
                           104,
                           1,
                           1000};
    Param ring_bytes_per_cycle{
        *this,
        {"ring_bytes_per_cycle", "bytes",
         "What the ring carries per cycle of lines read, and as much of lines written.",
         "C-3: 64, of slice to GTI and of GTI to LLC; 32 a clock of the ring, whose clock is twice "
         "the engine's (public: Linux i915, table of ring frequencies). Other systems may choose "
         "another clock"},
        64,
        1,
        1024};
};

}  // namespace gen9::memory
