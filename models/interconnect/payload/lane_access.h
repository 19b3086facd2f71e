// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "interconnect/payload/memory_request.h"

namespace gen9 {

/// Performs the lanes of an access, one after the other from lane 0, on a window of storage: lane i
/// touches the bytes at `base + offset[i]`. Positions wrap at the window's size, which is a power
/// of two, so nothing outside it is ever touched.
void perform_lanes(LaneAccess& lanes, std::span<std::uint8_t> window, std::uint32_t base);

/// Must no other access fall between its read and its write with a float unit (L3-35)?
constexpr bool is_float_atomic(AtomicOp op) {
    return op == AtomicOp::FMax || op == AtomicOp::FMin || op == AtomicOp::FCmpWr;
}

}  // namespace gen9
