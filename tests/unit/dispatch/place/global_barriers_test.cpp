// SPDX-License-Identifier: Apache-2.0
#include "dispatch/place/global_barriers.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::dispatch::test {
namespace {

TEST(GlobalBarriers, ARoundIsCompleteWhenEachGatewayHasReported) {
    GEN9_COVERS("TD-52");
    GlobalBarriers barriers;
    barriers.begin(7, {10, 0, 20, 1});
    for (unsigned round = 0; round < 3; ++round) {
        EXPECT_EQ(barriers.report(7, 2), nullptr);
        EXPECT_EQ(barriers.report(7, 0), nullptr);
        EXPECT_EQ(barriers.report(7, 2), nullptr) << "it counts once";
        const auto* complete = barriers.report(7, 3);
        ASSERT_NE(complete, nullptr);
        EXPECT_EQ(complete->subslices, 0b1101u);
        EXPECT_EQ(complete->shares[2], 20);
    }
    EXPECT_EQ(barriers.report(7, 1), nullptr) << "it has no share";
    EXPECT_EQ(barriers.report(6, 0), nullptr);
}

TEST(GlobalBarriers, OneIdServesTwoGroupsInDifferentSubslices) {
    GEN9_COVERS("TD-50 TD-52");
    GlobalBarriers barriers;
    barriers.begin(0, {1, 1, 0, 0});
    barriers.begin(0, {0, 0, 1, 1});
    EXPECT_EQ(barriers.report(0, 0), nullptr);
    EXPECT_EQ(barriers.report(0, 2), nullptr);
    ASSERT_NE(barriers.report(0, 1), nullptr);
    EXPECT_TRUE(barriers.known(0, 1));
    EXPECT_TRUE(barriers.end(0, 1));
    EXPECT_FALSE(barriers.known(0, 1));
    EXPECT_FALSE(barriers.end(0, 1));
    ASSERT_NE(barriers.report(0, 3), nullptr);
}

}  // namespace
}  // namespace gen9::dispatch::test
