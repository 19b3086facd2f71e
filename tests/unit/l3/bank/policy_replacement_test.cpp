// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/policy_replacement.h"

#include <map>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::l3 {
namespace {

TEST(PseudoLru, ANewLineSurvivesAtLeastNMinus2FurtherFills) {
    GEN9_COVERS("L3-41");
    for (const unsigned ways : {2u, 4u, 16u, 64u}) {
        PseudoLru policy(2, ways);
        std::map<unsigned, unsigned> filled_at;
        for (unsigned fill = 1; fill < 500; ++fill) {
            const unsigned way = policy.fill(1);
            ASSERT_LT(way, ways);
            if (filled_at.count(way)) {
                EXPECT_GE(fill - filled_at[way] - 1, ways - 2);
            }
            filled_at[way] = fill;
        }
        EXPECT_EQ(filled_at.size(), ways);
    }
}

TEST(PseudoLru, HitsDoNotCount) {
    GEN9_COVERS("L3-41");
    PseudoLru touched(1, 8), left_alone(1, 8);
    for (unsigned i = 0; i < 40; ++i) {
        touched.hit(0, i % 8);
        EXPECT_EQ(touched.fill(0), left_alone.fill(0));
    }
}

TEST(PseudoLru, WayCountsThatAreNoPowerOfTwoHaveHotWays) {
    GEN9_COVERS("L3-43");
    PseudoLru policy(1, 48);
    std::vector<unsigned> fills(48);
    for (unsigned i = 0; i < 6400; ++i)
        ++fills[policy.fill(0)];
    unsigned least = ~0u, most = 0;
    for (const unsigned f : fills)
        least = std::min(least, f), most = std::max(most, f);
    EXPECT_GT(least, 0u);
    EXPECT_EQ(most, 2 * least);
}

TEST(OneBitLru, FillsGoThroughTheWaysInOrderAndStartAgain) {
    GEN9_COVERS("L3-42");
    OneBitLru policy(2, 6, false);
    for (unsigned i = 0; i < 13; ++i)
        EXPECT_EQ(policy.fill(0), i % 6);
    EXPECT_EQ(policy.fill(1), 0u);  // sets are apart
}

TEST(OneBitLru, AHitSparesItsWayWhereHitsCount) {
    OneBitLru counts(1, 4, true), ignores(1, 4, false);
    for (OneBitLru* policy : {&counts, &ignores}) {
        policy->fill(0);
        policy->hit(0, 1);
    }
    EXPECT_EQ(counts.fill(0), 2u);
    EXPECT_EQ(ignores.fill(0), 1u);
}

TEST(Replacement, IsChosenByName) {
    EXPECT_NE(make_replacement("pseudo_lru", 1, 4), nullptr);
    EXPECT_FALSE(make_replacement("one_bit_lru", 1, 4)->hits_count());
    EXPECT_TRUE(make_replacement("one_bit_lru_hits", 1, 4)->hits_count());
    EXPECT_EQ(make_replacement("random", 1, 4), nullptr);
}

}  // namespace
}  // namespace gen9::l3
