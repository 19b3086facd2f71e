// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::vme {

struct VmeParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams senders{*this, "Which EU's message starts first.", "oldest_first",
                          "Assumed: as the sampler, which it is a part of"};
    Param messages_in_flight{
        *this,
        {"messages_in_flight", "messages", "Messages started and not yet answered.",
         "Assumed: one that works and one whose pixels come, for each of the two engines"},
        4,
        1,
        64};
    Param payload_registers{
        *this,
        {"payload_registers", "registers per cycle",
         "Registers of a message's payload taken per cycle; the next message starts behind them.",
         "Assumed: as the sampler's"},
        2,
        1,
        16};
    Param front_end_cycles{
        *this,
        {"front_end_cycles", "cycles", "From the arrival of a message to its first line.",
         "Assumed: as the sampler's"},
        16,
        0,
        1000};
    Param search_unit_cycles{
        *this,
        {"search_unit_cycles", "cycles",
         "What a search unit of 16 positions takes, with all shapes; of a mesh as well.",
         "Assumed: a row of four positions a cycle; no document says"},
        4,
        1,
        1000};
    Param prediction_cycles{
        *this,
        {"prediction_cycles", "cycles",
         "What 16 blocks of 4x4 pixels take at one vector: interpolation and distortion.",
         "Assumed: four blocks a cycle; no document says"},
        4,
        1,
        1000};
    Param intra_cycles{
        *this,
        {"intra_cycles", "cycles",
         "What the intra prediction of a macroblock takes for each size of blocks.",
         "Assumed: the blocks of 4x4 depend on each other, two cycles each; no document says"},
        32,
        1,
        1000};
    Param chroma_cycles{*this,
                        {"chroma_cycles", "cycles", "What the intra prediction of chroma takes.",
                         "Assumed: half of luma's, for half of the pixels"},
                        16,
                        1,
                        1000};
    Param transform_cycles{
        *this,
        {"transform_cycles", "cycles", "What the forward transform of a macroblock takes.",
         "Assumed: a block of 4x4 a cycle (003:9361: it decreases performance marginally)"},
        16,
        0,
        1000};
    Param return_cycles{*this,
                        {"return_cycles", "cycles",
                         "From the end of the work to the response at the EU, beyond the notice.",
                         "Assumed: as the sampler's"},
                        40,
                        0,
                        1000};
    Param writeback_registers{
        *this,
        {"writeback_registers", "registers per cycle",
         "Response registers sent to the EUs per cycle.", "Assumed: as the data port's"},
        2,
        1,
        16};
};

}  // namespace gen9::vme
