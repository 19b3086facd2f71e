// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "common/params.h"
#include "memory/dram/dram_kinds.h"

namespace gen9::memory {

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
