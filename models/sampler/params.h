// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

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
         "Places of a level that the filter works on: texels of any width that it passes on, or "
         "bilinear ones of up to 32 bits; L, LA, I and A formats count as RGBA (SMP-86).",
         "Public: Skylake PRM, volume 4, product configuration: 12 texels a clock of 3 samplers, "
         "point of 32, 64 and 128 bits, bilinear of 32; with anisotropy each way is a place of two "
         "levels (3 texels a clock at 2x, 0.375 at 16x)"},
        4,
        1,
        16};
    Param bilinear_64_cycles{
        *this,
        {"bilinear_64_cycles", "cycles",
         "What the filter takes for places_per_cycle bilinear places of texels of 64 bits.",
         "Public: Skylake PRM, volume 4, product configuration: 12 texels a clock of 3 samplers"},
        1,
        1,
        64};
    Param bilinear_128_cycles{
        *this,
        {"bilinear_128_cycles", "cycles", "The same of 128 bits.",
         "Public: Skylake PRM, volume 4, product configuration: 3 texels a clock of 3 samplers"},
        4,
        1,
        64};
    Param trilinear_32_cycles{
        *this,
        {"trilinear_32_cycles", "cycles",
         "What the filter takes for places_per_cycle samples between two levels, of texels of up "
         "to 32 bits. With several ways a place takes no less than in one level.",
         "Public: Skylake PRM, volume 4, product configuration: 6 texels a clock of 3 samplers"},
        2,
        1,
        64};
    Param trilinear_64_cycles{
        *this,
        {"trilinear_64_cycles", "cycles", "The same of 64 bits.",
         "Public: Skylake PRM, volume 4, product configuration: 3 texels a clock of 3 samplers"},
        4,
        1,
        64};
    Param trilinear_128_cycles{
        *this,
        {"trilinear_128_cycles", "cycles", "The same of 128 bits.",
         "Public: Skylake PRM, volume 4, product configuration: 1.5 texels a clock of 3 samplers"},
        8,
        1,
        64};
    Param scaled_pixels_per_cycle{
        *this,
        {"scaled_pixels_per_cycle", "pixels",
         "Pixels of a sample_8x8 message that the filter makes in a cycle, all of their channels.",
         "Assumed: as many as bilinear samples; no document says"},
        4,
        1,
        64};
    Param buffer_cycles{
        *this,
        {"buffer_cycles", "cycles", "What eight loads of a buffer take, whatever its format.",
         "Calibrated: 3T-5, 4.95 cycles for 8 loads, of texels of one byte to four floats"},
        5,
        1,
        64};
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
