// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::raster {

struct RasterParams : ParamSet {
    using ParamSet::ParamSet;
    Param queue_depth{*this,
                      {"queue_depth", "batches", "Batches of objects that wait at its input.",
                       "Assumed: no document gives the depth of a queue"},
                      2,
                      1,
                      64};
    Param object_cycles{
        *this,
        {"object_cycles", "cycles", "Least time of an object.", "Assumed: an object a clock"},
        1,
        0,
        1000};
    Param block_cycles{*this,
                       {"block_cycles", "cycles", "From one block of 8x4 pixels to the next.",
                        "Assumed: 4x4 pixels a clock and slice; 8 pixels a clock are known to be "
                        "filled at least"},
                       2,
                       0,
                       1000};
    Param batch_blocks{
        *this,
        {"batch_blocks", "blocks", "Most blocks that leave together: of one batch of objects.",
         "Model: what passes between stages is a batch"},
        64,
        1,
        64};
    Param tile_pixels{
        *this,
        {"tile_pixels", "pixels",
         "Side of the square parts of the screen that one slice owns: a power of two. "
         "Neighbours belong to different slices.",
         "003:16821 (WM-35): 16x16 pixels are hashed over the slices"},
        16,
        8,
        4096};
};

}  // namespace gen9::raster
