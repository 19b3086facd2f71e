// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/observe/stage_account.h"

namespace gen9::clip {

struct ClipStats : StageStats {
    using StageStats::StageStats;

    Counter objects{*this, "objects", "objects", "objects of those batches"};
    Counter accepted{*this, "accepted", "objects", "objects that went on as they are"};
    Counter rejected{*this, "rejected", "objects", "objects outside of a plane, or all rejected"};
    Counter bad{*this, "bad", "objects", "objects with a position or distance that is no number"};
    Counter cut{*this, "cut", "objects", "objects that were cut"};
    Counter pieces{*this, "pieces", "objects", "lines and triangles that are left of those"};
    Counter vertices{*this, "vertices", "vertices", "vertices read from the URB"};
};

}  // namespace gen9::clip
