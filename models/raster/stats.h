// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/observe/stage_account.h"

namespace gen9::raster {

struct RasterStats : StageStats {
    using StageStats::StageStats;

    Counter objects{*this, "objects", "objects", "objects scanned"};
    Counter blocks{*this, "blocks", "blocks", "blocks of 8x4 pixels with a lit one"};
    Counter pixels{*this, "pixels", "pixels", "lit pixels of those"};
    Counter subspans{*this, "subspans", "blocks", "2x2 pixels with a lit one, of each sample"};
    Counter foreign{*this, "foreign", "blocks", "blocks of parts that another slice owns"};
};

}  // namespace gen9::raster
