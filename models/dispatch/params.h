// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "dispatch/place/policy_slot.h"
#include "dispatch/types.h"

namespace gen9::dispatch {

struct SpawnerParams : ParamSet {
    using ParamSet::ParamSet;

    Param urb_rows{*this,
                   {"urb_rows", "rows", "URB rows of 32 bytes the media pipe may partition",
                    "gpgpu-media-l3 guide 3.5: the smallest partition drivers program is 128 KB"},
                   4096,
                   64,
                   65536};
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
    ChoiceParam descriptor_change{
        *this,
        {"descriptor_change", "",
         "when a walker with another descriptor waits for all threads to end",
         "003:17350 says always"},
        "drain",
        {"drain", "drain_for_slm", "overlap"}};
    ChoiceParam urb_entry_release{
        *this,
        {"urb_entry_release", "", "when a walker's URB entry can hold the next walker's payload",
         "003:17242 says the thread dispatcher returns it; Assumed: as soon as it has read it. "
         "Public: mesa brw_fs_generator, a thread's end leaves it alone"},
        "payload_read",
        {"payload_read", "walker_end"}};
    ChoiceParam media_lines{
        *this,
        {"media_lines", "",
         "the order in which a line of a media walker's local loop is dispatched",
         "003:17730-17742: split between the subslices in use; with a dispatch mask, and for "
         "groups "
         "of more than a place, always in sequence"},
        "segments",
        {"segments", "sequence"}};
    ChoiceParam group_ids{
        *this,
        {"group_ids", "", "where the group ids X and Y of a walker return to after a row or plane",
         "003:17162, 003:17298-17300 say zero, for starts that resume a walker; "
         "drivers rely on the start (D-18)"},
        "start",
        {"start", "zero"}};
    Param message_queue{
        *this,
        {"message_queue", "messages",
         "spawn messages for child threads that wait before ends of threads wait behind them",
         "003:18153-18159 (MED-58); Assumed: no public figure, one for each thread of the largest "
         "machine"},
        kMaxThreads,
        1,
        65536};
    Param command_cycles{*this,
                         {"command_cycles", "cycles", "front end work on any command",
                          "Assumed: no public figure; small against memory reads"},
                         4,
                         1,
                         1000};
    Param walker_cycles{
        *this,
        {"walker_cycles", "cycles", "from a walker's data being there to its first thread",
         "Assumed: no public figure (guide 3.12)"},
        32,
        0,
        10000};
    Param threads_per_clock{*this,
                            {"threads_per_clock", "threads", "threads the spawner sends in a clock",
                             "Assumed: no public figure (guide 3.12)"},
                            1,
                            1,
                            64};
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
    Param message_cycles{
        *this,
        {"message_cycles", "cycles", "from a message's arrival to its answer; at least the notice",
         "Assumed: as dispatch_cycles"},
        16,
        1,
        10000};
    Param slm_save_alignment{*this,
                             {"slm_save_alignment", "KB",
                              "GPGPU_CSR_BASE_ADDRESS is a multiple, if shared local memory is "
                              "saved; else a note says so",
                              "PRE-21: 128 KB, 64 KB on GT1"},
                             128,
                             4,
                             1024};
};

}  // namespace gen9::dispatch
