// SPDX-License-Identifier: Apache-2.0
// Meshes of distortions against sums in plain words.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

TEST(Mesh, EveryPositionByFormula) {
    GEN9_COVERS("VME-43 VME-72 VME-73");
    const auto source = motion::texture(64, 64, 5), reference = motion::texture(64, 64, 6);
    Bench b(source, reference);
    for (const bool small : {false, true}) {
        Words w(kMesh);
        w.dword(0, 2, pair(20, 12)).dword(0, 0, pair(-9, -11)).set(1, 7, 23, 23, small);
        w.byte(2, 8, 0x13).byte(2, 5, 0x12);  // shape costs 6 and 4
        w.message.response[16].bytes[0] = 0xA5;
        b.run(w);
        EXPECT_EQ(w.message.response[16].bytes[0], 0xA5);  // the answer has 16 registers
        for (int g = 0; g < 16; ++g)
            for (int word = 0; word < 16; ++word) {
                const int unit = small ? g / 4 : g, wide = small ? 2 : 4, q = small ? g % 4 : 0;
                const Vector at{-9 + unit % wide * 4 + word % 4, -11 + unit / wide * 4 + word / 4};
                const motion::Part part{q % 2 * 8, q / 2 * 8, small ? 8 : 16, small ? 8 : 16};
                const int sum = motion::sad_whole(source, 20, 12, part, reference, at);
                ASSERT_EQ(w.word(static_cast<unsigned>(g), static_cast<unsigned>(word)),
                          static_cast<unsigned>(std::min(sum + (small ? 4 : 6), 0xFFFF)));
            }
    }
    // Masked pixels count nothing.
    Words w(kMesh);
    w.dword(0, 2, pair(20, 12)).dword(4, 0, 0xFFFFFFFE);
    for (unsigned i = 1; i < 8; ++i)
        w.dword(4, i, 0xFFFFFFFF);
    b.run(w);
    EXPECT_EQ(w.word(5, 6),
              static_cast<unsigned>(std::abs(source.at(20, 12) - reference.at(20 + 6, 12 + 5))));
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

// With a mask, weights, and the costs of vectors and references.
TEST(Mesh, EveryPositionWithAllThatCounts) {
    GEN9_COVERS("VME-25 VME-26 VME-43 VME-48 VME-72 VME-73");
    const auto source = motion::texture(48, 48, 7), reference = motion::texture(48, 48, 8);
    Bench b(source, reference);
    constexpr int kTimes[4] = {0, 1, 2, 3};  // of ids 0, 1, 3 and 7
    for (const bool small : {false, true}) {
        Words w(kMesh);
        w.dword(0, 2, pair(3, 30)).dword(0, 0, pair(-5, 4)).set(1, 7, 23, 23, small);
        w.set(1, 7, 17, 16, 1).set(1, 7, 20, 20, 1).byte(2, 10, 0x05).dword(1, 6, 0x0703'0100);
        motion::Costs costs;
        costs.unit = 1;
        for (unsigned i = 0; i < 8; ++i) {
            costs.table[i] = static_cast<int>(2 * i + 1);
            w.byte(2, 12 + i, static_cast<std::uint8_t>(costs.table[i]));
        }
        for (unsigned q = 0; q < 4; ++q) {
            costs.centre[q] = {static_cast<int>(8 * q) - 30, 9 - static_cast<int>(5 * q)};
            w.dword(3, 2 * q, pair(costs.centre[q].x, costs.centre[q].y));
        }
        unsigned rows[16], weights = 0;
        for (unsigned y = 0; y < 16; ++y) {
            rows[y] = (0x9E37u >> y % 7) & 0xFFFF;
            w.set(4, y / 2, 16 * (y % 2) + 15, 16 * (y % 2), rows[y]);
            weights |= (y * 5 / 3 % 4) << 2 * y;
        }
        w.dword(1, 3, weights);
        b.run(w);
        for (int g = 0; g < 16; ++g)
            for (int word = 0; word < 16; ++word) {
                const int unit = small ? g / 4 : g, wide = small ? 2 : 4, q = small ? g % 4 : 0;
                const Vector at{-5 + unit % wide * 4 + word % 4, 4 + unit / wide * 4 + word / 4};
                int sum = costs.vector({4 * at.x, 4 * at.y}, q) + 5 * kTimes[q];
                for (unsigned z = small ? 4u * static_cast<unsigned>(q) : 0u;
                     z < (small ? 4u * static_cast<unsigned>(q) + 4 : 16u); ++z) {
                    int block = 0;
                    for (int i = 0; i < 16; ++i) {
                        const int x = 4 * block_x(z) + i % 4, y = 4 * block_y(z) + i / 4;
                        if (rows[y] >> x & 1) continue;
                        block += std::abs(source.at(3 + x, 30 + y) -
                                          reference.at(3 + x + at.x, 30 + y + at.y));
                    }
                    sum += block >> (weights >> 2 * z & 3);
                }
                ASSERT_EQ(w.word(static_cast<unsigned>(g), static_cast<unsigned>(word)),
                          static_cast<unsigned>(sum))
                    << g << ", " << word << ", " << small;
            }
    }
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

}  // namespace
}  // namespace gen9::vme::test
