// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"
#include "media/types.h"

namespace gen9::media {

struct MediaParams : ParamSet {
    using ParamSet::ParamSet;

    Param urb_rows{*this,
                   {"urb_rows", "rows", "URB rows of 32 bytes the media pipe may partition",
                    "gpgpu-media-l3 guide 3.5: the smallest partition drivers program is 128 KB"},
                   4096,
                   64,
                   65536};
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
        kMaxFftids,
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
    Param message_cycles{
        *this,
        {"message_cycles", "cycles", "from a message's arrival to its answer; at least the notice",
         "Assumed: as dispatch_cycles"},
        16,
        1,
        10000};
};

}  // namespace gen9::media
