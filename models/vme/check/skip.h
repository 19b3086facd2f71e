// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "vme/message/result.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// A block of a skip check: the whole source, or an 8x8 block of it.
struct SkipBlock {
    unsigned shape = 0;
    std::array<Vector, 2> vector{};
    std::array<const Patch*, 2> patch{};  ///< null: that direction is not enabled
};

/// The shape that skip pair `pair` belongs to.
unsigned skip_shape(const Inputs& in, unsigned pair);

/// The distortion of given vectors (VME-17, VME-30, VME-35, VME-67), and of the forward transform of
/// what is left (VME-33, VME-70).
void check_skip(const Inputs& in, const Patch& source, const std::vector<SkipBlock>& blocks,
                Result& result);

/// Coefficients of a 4x4 block of differences that are above their thresholds, and by how much.
struct Excess {
    std::uint32_t count = 0, sum = 0;
};
Excess transform_excess(const std::int32_t (&difference)[16],
                        const std::array<std::uint16_t, 7>& threshold);

}  // namespace gen9::vme
