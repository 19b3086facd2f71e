// SPDX-License-Identifier: Apache-2.0
/// Compares what a launch left in a buffer on the model with what it leaves elsewhere.
/// Role     Integers are the same or differ. Floats agree that differ by no more than a number of
///          ulps: of the larger of the two, or of the middle one in size of the values that the
///          launch wrote there, because a sum that cancels out has the rounding of its terms. Two
///          NaN agree, 0 and -0, and what is less than the least normal number is as good as 0.
///          A difference of integers is near where floats that agree could have been converted to
///          them: it is 1, or of 4 bytes and more by that rule of floats. A word of unknown type
///          agrees also where both are floats that do.
/// Spec     OpenCL C 7.4: what built-in functions may round, and contraction
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "platform/host/checks/element_type.h"
#include "platform/host/checks/message.h"

namespace gen9::checks {

/// Float and double may differ by this unless the person says otherwise; half by a 256th of it.
inline constexpr unsigned kDefaultUlps = 4096;

struct Contents {
    std::span<const std::uint8_t> before, model, expected;  ///< of one size
};

/// Nothing where they agree. Only the members about elements and values are set.
std::optional<ArgumentDifference> compare(const Contents& contents, const ElementType& type,
                                          unsigned ulps);

}  // namespace gen9::checks
