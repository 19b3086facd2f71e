// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace gen9 {

/// R_PWR_CLK_STATE: slices, subslices of each, and EUs of each, that a context asks for (Public:
/// Linux i915). ~0: all there are. Assumed: a request for no slice or subslice is one for one.
constexpr unsigned requested_slices(std::uint32_t request) {
    const bool asked = (request >> 31 & 1) && (request >> 18 & 1);
    return asked ? std::max(request >> 15 & 7, 1u) : ~0u;
}
constexpr unsigned requested_subslices(std::uint32_t request) {
    const bool asked = (request >> 31 & 1) && (request >> 11 & 1);
    return asked ? std::max(request >> 8 & 7, 1u) : ~0u;
}
/// The most it asks for: power being no matter here, the least has no effect. The field has no bit
/// of its own that says it counts. Assumed: 0 is no request.
constexpr unsigned requested_eus(std::uint32_t request) {
    const unsigned most = request >> 4 & 15;
    return (request >> 31 & 1) && most ? most : ~0u;
}

}  // namespace gen9
