// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

namespace gen9 {

/// How many of a block's 2x2 pixels have one of the mask (PixelBlock).
constexpr unsigned subspans(std::uint32_t mask) {
    return static_cast<unsigned>(
        std::popcount((mask | mask >> 1 | mask >> 8 | mask >> 9) & 0x00550055u));
}
/// The same of slots of threads, four to each 2x2 pixels (PixelRecord).
constexpr unsigned slot_subspans(std::uint32_t slots) {
    return static_cast<unsigned>(
        std::popcount((slots | slots >> 1 | slots >> 2 | slots >> 3) & 0x11111111u));
}

}  // namespace gen9
