// SPDX-License-Identifier: Apache-2.0
// What tests of searches set in a message, and expect of its answer.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "tests/unit/vme/bench.h"

namespace gen9::vme::test {

/// The costs that a message has, for both sides.
inline motion::Costs set_costs(Words& w, const std::array<std::uint8_t, 8>& table, unsigned unit,
                               std::array<motion::Vector, 4> centre = {}) {
    motion::Costs costs;
    const std::uint8_t modes[5] = {0x4F, 0x59, 0x4D, 0x3F, 0x5C};  // 4 to 8
    for (unsigned i = 0; i < 5; ++i)
        w.byte(2, 4 + i, modes[i]);
    costs.s16x8 = motion::Costs::byte(modes[0]);
    costs.s8x8 = motion::Costs::byte(modes[1]);
    costs.s8x4 = motion::Costs::byte(modes[2]);
    costs.s4x4 = motion::Costs::byte(modes[3]);
    costs.s16x16 = motion::Costs::byte(modes[4]);
    for (unsigned i = 0; i < 8; ++i) {
        w.byte(2, 12 + i, table[i]);
        costs.table[i] = motion::Costs::byte(table[i]);
    }
    w.set(1, 7, 17, 16, unit);
    costs.unit = static_cast<int>(unit);
    for (unsigned i = 0; i < 4; ++i)
        w.dword(3, 2 * i, pair(centre[i].x, centre[i].y));
    costs.centre = centre;
    return costs;
}
inline constexpr std::array<std::uint8_t, 8> kLowTable{0x01, 0x04, 0x05, 0x09,
                                                       0x0A, 0x0C, 0x0E, 0x0F};
inline constexpr std::array<std::uint8_t, 8> kQp45{0x2B, 0x4B, 0x4E, 0x5D, 0x5E, 0x68, 0x6A, 0x6B};

/// Every return word that follows from vectors, shapes and distortions.
inline void expect_division(const Words& w, const motion::Division& d, const motion::Best& best) {
    EXPECT_EQ(w.answer(0, 0, 1, 0), static_cast<unsigned>(d.major));
    EXPECT_EQ(w.answer(0, 0, 28, 24), d.parts.size());
    EXPECT_EQ(w.answer(0, 2, 15, 0), static_cast<unsigned>(std::min(d.distortion, 0xFFFF)));
    for (unsigned q = 0; q < 4; ++q)
        EXPECT_EQ(w.answer(0, 6, 9 + 2 * q, 8 + 2 * q),
                  d.major == 3 ? static_cast<unsigned>(d.minor[q]) : 0u);
    std::array<unsigned, 16> distortion{};
    for (const motion::Part& part : d.parts) {
        const motion::Found& found = best.at(part);
        for (int y = part.y / 4; y < (part.y + part.h) / 4; ++y)
            for (int x = part.x / 4; x < (part.x + part.w) / 4; ++x)
                EXPECT_EQ(w.vector(block_at(static_cast<unsigned>(x), static_cast<unsigned>(y))),
                          found.vector);
        distortion[block_at(static_cast<unsigned>(part.x / 4), static_cast<unsigned>(part.y / 4))] =
            static_cast<unsigned>(found.distortion);
    }
    for (unsigned z = 0; z < 16; ++z)
        EXPECT_EQ(w.word(5, z), distortion[z]) << z;
}

/// A search of two references that streams out, and in.
inline Words dual_search(const Words& plain, bool in) {
    Words w(kSearch, in ? 2 : 0, 2);
    for (unsigned i = 0; i < 6; ++i)
        w.message.payload[i] = plain.message.payload[i];
    w.set(0, 3, 10, 8, 7).set(0, 3, 30, 24, 0x70);
    return w;
}

}  // namespace gen9::vme::test
