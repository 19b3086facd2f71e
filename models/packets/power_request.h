// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace gen9 {

/// R_PWR_CLK_STATE: slices, and subslices of each, that a context asks for (Public: Linux i915).
/// ~0: all there are. Assumed: a request for none is one for one.
constexpr unsigned requested_slices(std::uint32_t request) {
    const bool asked = (request >> 31 & 1) && (request >> 18 & 1);
    return asked ? std::max(request >> 15 & 7, 1u) : ~0u;
}
constexpr unsigned requested_subslices(std::uint32_t request) {
    const bool asked = (request >> 31 & 1) && (request >> 11 & 1);
    return asked ? std::max(request >> 8 & 7, 1u) : ~0u;
}

}  // namespace gen9
