// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "dispatcher/policy_slot.h"
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::dispatcher {

struct DispatcherParams : ParamSet {
    using ParamSet::ParamSet;

    Param groups_per_subslice{*this,
                              {"groups_per_subslice", "groups",
                               "active groups with barrier or SLM that a subslice can track",
                               "003:17340; the barrier ids would allow 32"},
                              16,
                              1,
                              32};
    ChoiceParam slot_policy{
        *this,
        {"slot_policy", "", "which subslice and EU get the next group and thread",
         "Assumed: the seeds leave it open; the least loaded unit, then round robin"},
        SlotPolicy::names().front(),
        SlotPolicy::names()};
    ArbiterParams arbiter{*this, "which fixed function's threads are sent in a cycle",
                          "round_robin",
                          "Assumed: no public text; the media front end is alone so far"};
    Param patience{*this,
                   {"patience", "cycles",
                    "after which a request that finds no room keeps other fixed functions from "
                    "taking any",
                    "Assumed: rare, and below what software takes for a hang"},
                   4096,
                   1,
                   1000000};
    Param threads_per_clock{
        *this,
        {"threads_per_clock", "threads", "threads the dispatcher sends in a clock",
         "Assumed: no public figure (guide 3.12)"},
        1,
        1,
        64};
    Param back_to_back{
        *this,
        {"back_to_back", "threads",
         "functional mode: threads at most that a slot runs behind another in a step "
         "of its EU, while nobody else asks for slots; 0: each slot waits for the "
         "dispatcher",
         "of the host's time only"},
        128,
        0,
        60000};
    Param load_rows_per_clock{
        *this,
        {"load_rows_per_clock", "rows", "registers a subslice's dispatcher loads in a clock",
         "Assumed: the 64 bytes a subslice reads from L3 in a clock (guide 3.10)"},
        2,
        1,
        128};
    Param load_queue{
        *this,
        {"load_queue", "threads", "threads a subslice's dispatcher holds before it refuses more",
         "Assumed: enough to hide one group behind another"},
        8,
        1,
        512};
    Param dispatch_cycles{*this,
                          {"dispatch_cycles", "cycles",
                           "from loading the payload to the first instruction; at least the notice",
                           "Assumed: no public figure (guide 3.12)"},
                          16,
                          1,
                          10000};
    Param retire_cycles{
        *this,
        {"retire_cycles", "cycles", "from the end of a thread to its slot being free",
         "Assumed: one message hop"},
        4,
        1,
        1000};
    Param slm_save_alignment{*this,
                             {"slm_save_alignment", "KB",
                              "GPGPU_CSR_BASE_ADDRESS is a multiple, if shared local memory is "
                              "saved; else a note says so",
                              "PRE-21: 128 KB, 64 KB on GT1"},
                             128,
                             4,
                             1024};
};

}  // namespace gen9::dispatcher
