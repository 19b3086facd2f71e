// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "vme/message/result.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// A part of the macroblock that a refinement works on.
struct RefinePart {
    unsigned shape = 0, part = 0;    ///< of Partition::for_each_shape
    Direction direction = kForward;  ///< that it came with
    std::array<Vector, 2> start{};
    std::array<const Patch*, 2> patch{};  ///< around the start; null: that direction is not refined
};

/// The partition that a refinement was given (VME-32).
Partition partition_of(const Inputs& in);

/// Whole pixels that a refined vector can be away from its start, rounded up: three quarters.
inline constexpr std::int32_t kRefineReach = 1;

/// Refines each part by itself, then tries both directions together (VME-16, VME-54..VME-56).
Result refine(const Inputs& in, const Patch& source, const std::vector<RefinePart>& parts);

}  // namespace gen9::vme
