// SPDX-License-Identifier: Apache-2.0
#include "cs/command/predicate.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::cs {
namespace {

TEST(Predicate, EveryCompareCombineAndLoad) {
    GEN9_COVERS("CS-01 CS-02");
    struct Case {
        std::uint64_t source0, source1, data;
        bool equal, delta;  // SRC0 == SRC1, SRC0 - SRC1 == DATA
    };
    const Case cases[] = {
        {5, 5, 0, true, true},
        {5, 5, 1, true, false},
        {9, 4, 5, false, true},
        {9, 4, 4, false, false},
        {4, 9, ~0ull - 4, false, true},       // the difference wraps
        {0x1'0000'0000, 0, 0, false, false},  // they differ in the high DWord only
        {0x1'0000'0000, 0, 0x1'0000'0000, false, true},
    };
    for (const Case& c : cases)
        for (const bool p : {false, true})
            for (unsigned compare = 0; compare < 4; ++compare)
                for (unsigned combine = 0; combine < 4; ++combine) {
                    const bool result[] = {true, false, c.equal, c.delta};
                    const bool r = result[compare];
                    const bool combined[] = {r, static_cast<bool>(p & r), static_cast<bool>(p | r),
                                             static_cast<bool>(p ^ r)};
                    const PredicateInputs in{c.source0, c.source1, c.data, p};
                    EXPECT_EQ(predicate_result(compare, combine, 0, in), p);
                    EXPECT_EQ(predicate_result(compare, combine, 2, in), combined[combine]);
                    EXPECT_EQ(predicate_result(compare, combine, 3, in), !combined[combine]);
                    EXPECT_EQ(predicate_result(compare, combine, 1, in), std::nullopt);
                }
}

TEST(Predicate, ModesOfMiSetPredicate) {
    for (const bool result : {false, true})
        for (const bool result2 : {false, true}) {
            EXPECT_EQ(predicate_mode_skips(0, result, result2, 1), false);
            EXPECT_EQ(predicate_mode_skips(1, result, result2, 1), !result2);
            EXPECT_EQ(predicate_mode_skips(2, result, result2, 1), result2);
            EXPECT_EQ(predicate_mode_skips(3, result, result2, 1), !result);
            EXPECT_EQ(predicate_mode_skips(4, result, result2, 1), result);
            EXPECT_EQ(predicate_mode_skips(15, result, result2, 1), true);
        }
    for (unsigned slices = 1; slices <= 3; ++slices)
        for (unsigned mode = 5; mode <= 7; ++mode)
            EXPECT_EQ(predicate_mode_skips(mode, false, false, slices), slices != mode - 4);
    for (unsigned mode = 8; mode < 15; ++mode)
        EXPECT_EQ(predicate_mode_skips(mode, false, false, 1), std::nullopt);
}

TEST(Semaphore, ComparesMemoryWithInlineDataUnsigned) {
    for (const std::uint32_t data : {1u, 100u, 0x80000000u, 0xFFFFFFFEu}) {
        const std::uint32_t below = data - 1, above = data + 1;
        const bool expected[6][3] = {{false, false, true}, {false, true, true},
                                     {true, false, false}, {true, true, false},
                                     {false, true, false}, {true, false, true}};
        for (unsigned compare = 0; compare < 6; ++compare) {
            EXPECT_EQ(semaphore_passes(compare, below, data), expected[compare][0]);
            EXPECT_EQ(semaphore_passes(compare, data, data), expected[compare][1]);
            EXPECT_EQ(semaphore_passes(compare, above, data), expected[compare][2]);
        }
    }
    EXPECT_TRUE(semaphore_passes(0, 0xFFFFFFFF, 0));
    EXPECT_FALSE(semaphore_passes(2, 0xFFFFFFFF, 0));
}

}  // namespace
}  // namespace gen9::cs
