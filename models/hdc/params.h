// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::hdc {

struct HdcParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_depth{
        *this,
        {"queue_depth", "messages", "Messages held per EU before the data port stops taking more.",
         "Assumed: the seeds state no depth (DP-223); four keeps an EU's credits from limiting a "
         "SIMD16 stream"},
        4,
        1,
        64};
    Param messages_in_flight{
        *this,
        {"messages_in_flight", "messages", "Messages started and not yet answered.",
         "Assumed: no seed (DP-223); enough to cover the latency of local memory at a message a "
         "cycle, for SLM is measured close to its peak (hardware-measurements C-2, section 7)"},
        128,
        1,
        1024};
    Param return_registers{
        *this,
        {"return_registers", "registers",
         "The room in which data of responses are put together: no message starts while those "
         "under way have as many registers.",
         "Assumed: no seed (DP-223); enough for any messages under way, so that only their number "
         "limits them"},
        4096,
        1,
        65536};
    Param front_end_cycles{*this,
                           {"front_end_cycles", "cycles",
                            "From the arrival of a message to its first request to L3 or SLM.",
                            "Assumed: splits the 100 cycles hardware-measurements M-14 gives an "
                            "untyped access with L3's share taken off"},
                           16,
                           0,
                           1000};
    Param return_cycles{
        *this,
        {"return_cycles", "cycles",
         "From the last data of a message to the response at the EU, beyond the notice.",
         "Assumed: as front_end_cycles"},
        0,
        0,
        1000};
    Param start_cycles{*this,
                       {"start_cycles", "cycles", "From the start of a message to the next one's.",
                        "hardware-measurements C-2: a message of 64 bytes a clock and subslice"},
                       1,
                       1,
                       64};
    Param request_cycles{
        *this,
        {"request_cycles", "cycles",
         "From the acceptance of a request by L3, or by local memory, to the next one's departure.",
         "hardware-measurements C-2: 64 bytes per clock and subslice"},
        1,
        1,
        64};
    Param batch_bytes{
        *this,
        {"batch_bytes", "bytes",
         "Data of a read whose slots share requests: slots with several words that touch one line "
         "have one request in each batch. 1024: in the message.",
         "Calibrated: 3T-8, loads of two words that neighbours make of neighbours, 1.97 cycles for "
         "eight. DP-078 and DP-224 leave it open"},
        64,
        16,
        1024};
    ChoiceParam write_merging{
        *this,
        {"write_merging", "",
         "What makes one request of a write with several channels to a slot: all bytes of a line "
         "(lines), or those of one channel, as the payload has them one after the other "
         "(channels).",
         "DP-078, DP-224, hardware-measurements C-6: lines; channels for exploration"},
        "lines",
        {"lines", "channels"}};
    Param writeback_registers{*this,
                              {"writeback_registers", "registers per cycle",
                               "Response registers sent to the EUs per cycle.",
                               "hardware-measurements C-2: 64 bytes per clock and subslice"},
                              2,
                              1,
                              16};
    Param surface_miss_cycles{
        *this,
        {"surface_miss_cycles", "cycles",
         "Added to the first message on a surface, besides the memory's own latency.",
         "Assumed: no seed"},
        4,
        0,
        1000};
    ArbiterParams queues{*this, "Which EU's message is started next.", "oldest_first",
                         "Assumed: no seed (DP-223); a message from each EU in order of arrival"};
    ChoiceParam local_thread_checking{
        *this,
        {"local_thread_checking", "",
         "Check of stateless offsets against the per thread scratch space (GT_MODE).",
         "dataport guide DP-098: the text contradicts itself, so a switch, off by default"},
        "off",
        {"off", "on"}};
};

}  // namespace gen9::hdc
