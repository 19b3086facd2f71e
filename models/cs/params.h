// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::cs {

struct CsParams : ParamSet {
    using ParamSet::ParamSet;
    Param fetch_bytes{
        *this,
        {"fetch_bytes", "bytes", "block of commands read from memory at a time; a power of two",
         "Assumed: a few cache lines, as a prefetcher would hold"},
        256,
        64,
        4096};
    Param parse_cycles{*this,
                       {"parse_cycles", "cycles", "least time a command occupies the parser",
                        "Assumed: one header a cycle"},
                       1,
                       0,
                       1000};
    Param dword_cycles{
        *this,
        {"dword_cycles", "cycles", "time each further DWord of a command occupies the parser",
         "Assumed: one DWord a cycle"},
        1,
        0,
        1000};
    Param context_switch_cycles{*this,
                                {"context_switch_cycles", "cycles",
                                 "time of a context load or save beyond its memory accesses",
                                 "Assumed: the seeds give none"},
                                500,
                                0,
                                1000000};
    Param poll_cycles{*this,
                      {"poll_cycles", "cycles", "time between two polls of a semaphore",
                       "Assumed: about a microsecond; SEMA_WAIT_POLL's unit is not public"},
                      1000,
                      1,
                      100000000};
    Param ahead_cycles{
        *this,
        {"ahead_cycles", "cycles", "most time the streamer runs ahead of everybody else",
         "Assumed: short against any host poll"},
        256,
        1,
        1000000};
    Param timestamp_hz{*this,
                       {"timestamp_hz", "Hz", "rate of TIMESTAMP and CTX_TIMESTAMP",
                        "003:1274: 83.333 ns on SKL; 19200000 on BXT (CS-19)"},
                       12000000,
                       1,
                       1000000000};
    Param slices{
        *this,
        {"slices", "slices", "enabled slices, for MI_SET_PREDICATE modes 5 to 7", "product data"},
        1,
        1,
        3};
    ChoiceParam strict{
        *this,
        {"strict", "",
         "report broken programming restrictions that hardware lets pass; interface descriptors "
         "are read once more for it, which takes time",
         "003:1660-1705 (CS-92)"},
        "off",
        {"off", "on"}};
    ChoiceParam stall_after_barrier{
        *this,
        {"stall_after_barrier", "",
         "media groups with which barriers want a stalling PIPE_CONTROL before MEDIA_VFE_STATE "
         "(`strict` reports where it is missing)",
         "003:17967 (GW-36); any on BXT: 000:700-702 (MED-60)"},
        "global",
        {"global", "any"}};
    ChoiceParam media_state_flush{
        *this,
        {"media_state_flush", "", "is MEDIA_STATE_FLUSH a preemption point?",
         "003:17099-17100: it is none in GPGPU work, unlike 003:17041 (PRE-16)"},
        "no_point",
        {"no_point", "point"}};
    ChoiceParam restore_hazard{
        *this,
        {"restore_hazard", "",
         "on: the loads that a restore replays for a stopped walker are lost, unless a workaround "
         "batch of the context stalls before",
         "003:17103-17105 (PRE-18): a fault to be asked for"},
        "off",
        {"off", "on"}};
    ChoiceParam resource_streamer{
        *this,
        {"resource_streamer", "",
         "off: a batch that asks for the resource streamer is reported and runs without it",
         "Model: for comparison (RS-03)"},
        "on",
        {"on", "off"}};
    ChoiceParam privilege{
        *this,
        {"privilege", "",
         "which registers a batch in the PPGTT may write: those of its list, or all",
         "cs-rs guide 2.8 (CS-144)"},
        "list",
        {"list", "all"}};
};

}  // namespace gen9::cs
