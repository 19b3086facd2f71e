// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::pixel {

struct DepthParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_batches{*this,
                        {"queue_batches", "batches", "Batches of pixels that wait for the unit.",
                         "Assumed: no document says"},
                        2,
                        1,
                        64};
    Param pixels_per_clock{*this,
                           {"pixels_per_clock", "pixels", "Pixels tested a cycle.",
                            "Skylake PRM vol. 4: 16 pixels a clock of intermediate Z"},
                           16,
                           1,
                           1024};
    Param clear_pixels_per_clock{*this,
                                 {"clear_pixels_per_clock", "pixels", "Pixels cleared a cycle.",
                                  "Skylake PRM vol. 4: 64 pixels a clock of HiZ and stencil"},
                                 64,
                                 1,
                                 1024};
    Param late_cycles{*this,
                      {"late_cycles", "cycles", "Latency of a test that a message asks for.",
                       "Assumed: no document says"},
                      8,
                      0,
                      1000};
};

struct PixelDispatchParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_batches{*this,
                        {"queue_batches", "batches", "Batches of pixels that wait for threads.",
                         "Assumed: no document says"},
                        2,
                        1,
                        64};
    Param pixels_per_clock{*this,
                           {"pixels_per_clock", "slots", "Slots of threads that leave a cycle.",
                            "Assumed: as the pixel fill rate of Skylake PRM vol. 4"},
                           8,
                           1,
                           64};
};

struct RenderTargetParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams senders{*this, "Which EU's message starts first.", "oldest_first",
                          "Assumed: no document says"};
    Param messages_in_flight{
        *this,
        {"messages_in_flight", "messages", "Messages started and not yet answered.",
         "Assumed: as the data port's"},
        64,
        1,
        1024};
    Param front_end_cycles{
        *this,
        {"front_end_cycles", "cycles", "From the start of a message to its first access of memory.",
         "Assumed: as the data port's"},
        16,
        0,
        1000};
    Param fill_pixels{*this,
                      {"fill_pixels", "pixels", "Pixels written a cycle without blending.",
                       "Skylake PRM vol. 4: pixel fill, 8 pixels a clock and slice"},
                      8,
                      1,
                      64};
    Param blend_pixels{*this,
                       {"blend_pixels", "pixels", "Pixels a cycle whose destination is read.",
                        "Skylake PRM vol. 4: pixel blend, 8 pixels a clock and slice"},
                       8,
                       1,
                       64};
    Param return_cycles{*this,
                        {"return_cycles", "cycles",
                         "From the last write of a message to the response at the EU, beyond the "
                         "notice.",
                         "Assumed: no document says"},
                        0,
                        0,
                        1000};
    ChoiceParam dither{
        *this,
        {"dither", "", "Whether narrow formats are dithered where the state asks for it.",
         "Assumed: the matrix is not published, and OpenGL allows to do nothing"},
        "on",
        {"on", "off"}};
};

}  // namespace gen9::pixel
