// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter_params.h"
#include "memory/dram_kinds.h"

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

struct DramParams : ParamSet {
    using ParamSet::ParamSet;
    static std::vector<std::string> kinds() {
        std::vector<std::string> names = {"flat"};
        for (const DramKind& kind : DramKind::all())
            names.push_back(kind.name);
        return names;
    }
    ChoiceParam kind{
        *this,
        {"kind", "",
         "128 bits of this memory, in channels with banks, rows and refresh; flat: one "
         "rate for all accesses.",
         "Public: JESD79-4, JESD209-3, JESD209-4; flat, because the memory of the parts behind "
         "bytes_per_cycle is not known"},
        "flat",
        kinds()};
    ChoiceParam ranks{
        *this,
        {"ranks", "", "Ranks of a channel; kind: two of DDR4, one of others. Not for flat.",
         "Public: DRAMA, 2016: modules of two ranks. Assumed: modules of one are as usual"},
        "kind",
        {"kind", "one", "two"}};
    Param channel_queue{*this,
                        {"channel_queue", "requests",
                         "Reads, and as many writes, that wait in a channel; not for flat.",
                         "Assumed: no public figure"},
                        32,
                        1,
                        1024};
    Param drain_from{
        *this,
        {"drain_from", "requests", "Writes of a channel that end the reads' turn; not for flat.",
         "Assumed: no public figure"},
        24,
        1,
        1024};
    Param drain_to{
        *this,
        {"drain_to", "requests", "Writes that are left when the reads' turn comes; not for flat.",
         "Assumed: no public figure"},
        8,
        0,
        1024};
    Param patience{
        *this,
        {"patience", "cycles",
         "A request that waits longer goes before open rows, once its bank's is open as long; not "
         "for flat.",
         "Assumed: no public figure"},
        1000,
        1,
        1000000};
    Param clock_hz{*this,
                   {"clock_hz", "Hz",
                    "Clock in whose cycles latency and bytes_per_cycle are, whatever the engine's "
                    "is; 0: the engine's. The other kinds' rates have clocks of their own.",
                    "A product's: the engine's clock there, for the sources of both are figures "
                    "in its cycles"},
                   0,
                   0,
                   10'000'000'000};
    Param latency{
        *this,
        {"latency", "cycles", "From a request's start to its data; from a closed row, if not flat.",
         "G-3: 100 cycles of 1.15 GHz beyond the LLC, 87 ns"},
        100,
        1,
        10000};
    Param bytes_per_cycle{
        *this,
        {"bytes_per_cycle", "bytes", "Bandwidth, reads and writes together; for flat.",
         "Measured: clpeak reads 15 to 26 bytes per GPU clock on HD 530, UHD 620, UHD 630"},
        22,
        1,
        1024};
    Param queue{
        *this, {"queue", "requests", "Requests held.", "Assumed: no public figure"}, 32, 1, 4096};
};

}  // namespace gen9::memory
