// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/observe/stage_account.h"

namespace gen9::setup {

struct SetupStats : StageStats {
    using StageStats::StageStats;

    Counter objects{*this, "objects", "objects", "points, lines, triangles and rectangles taken"};
    Counter made{*this, "made", "objects", "objects sent to the rasterisers"};
    Counter culled{*this, "culled", "objects", "triangles that face the wrong way"};
    Counter degenerate{*this, "degenerate", "objects", "objects without an area or a length"};
    Counter outside{*this, "outside", "objects",
                    "objects outside of scissor, viewport and drawing rectangle"};
    Counter bad{*this, "bad", "objects", "objects whose place on the screen is no number"};
    Counter vertices{*this, "vertices", "vertices", "vertices whose attributes were read"};
};

}  // namespace gen9::setup
