// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter_params.h"

namespace gen9::sampler {

struct SamplerParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams senders{*this, "Which EU's message starts first.", "oldest_first",
                          "Assumed: SMP-271 has messages in order of arrival"};
    Param bindless_samplers{
        *this,
        {"bindless_samplers", "",
         "Does GT_MODE decide which base a sampler pointer counts from when the surface is "
         "bindless? 1: such messages are reported as not modelled.",
         "000:51-65, 000:148-163 (Broxton); on Skylake it counts from the dynamic state base"},
        0,
        0,
        1};
    Param messages_in_flight{
        *this,
        {"messages_in_flight", "messages", "Messages started and not yet answered.",
         "Assumed: enough to cover the latency of L3 at a SIMD16 message in four cycles"},
        64,
        1,
        256};
    Param front_end_cycles{
        *this,
        {"front_end_cycles", "cycles", "From the arrival of a message to its first lookup.",
         "Assumed: as the data port's"},
        16,
        0,
        1000};
    Param payload_registers{
        *this,
        {"payload_registers", "registers per cycle",
         "Registers of a message's payload taken per cycle; the next message starts behind them.",
         "Assumed: SMP-273 counts a phase a register and states no width"},
        2,
        1,
        16};
    Param lookups_per_cycle{*this,
                            {"lookups_per_cycle", "lines",
                             "Lines that the address generators look up in the texture cache, "
                             "each once for four pixels.",
                             "Calibrated: W-48 8x8, random reads of four lines (2.16 a clock; two "
                             "lines give 2.11, four 3.56)"},
                            2,
                            1,
                            16};
    Param places_per_cycle{
        *this,
        {"places_per_cycle", "places",
         "Bilinear places that the filter works on, of texels of up to 32 bits. Those of 64 take "
         "twice as long, of 128 four times; L, LA, I and A formats count as RGBA (SMP-86).",
         "Assumed: sampler guide 3.11, a subspan a clock"},
        4,
        1,
        16};
    Param return_cycles{
        *this,
        {"return_cycles", "cycles",
         "From the last filtered texel to the response at the EU, beyond the notice.",
         "Assumed: no document says"},
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
    Param cache_lines{*this,
                      {"cache_lines", "lines of 64 bytes",
                       "Size of the texture cache; a power of two times the ways.",
                       "Assumed: no document says (sampler guide 3.11)"},
                      256,
                      16,
                      65536};
    Param cache_ways{
        *this,
        {"cache_ways", "ways", "Lines in a set of the texture cache.", "Assumed: no document says"},
        4,
        1,
        16};
};

}  // namespace gen9::sampler
