// SPDX-License-Identifier: Apache-2.0
#include "memory/llc/llc_tags.h"

#include "tests/support/covers.h"

namespace gen9::memory {
namespace {

TEST(LlcTags, ALineHitsUntilItsSetIsFilledByOthers) {
    LlcTags tags(64 * 4 * 2, 4);  // two sets of four ways
    EXPECT_FALSE(tags.access(0, false).hit);
    EXPECT_TRUE(tags.access(63, false).hit);
    for (std::uint64_t i = 1; i < 4; ++i)
        EXPECT_FALSE(tags.access(i * 128, false).hit);
    EXPECT_TRUE(tags.holds(0));
    EXPECT_FALSE(tags.access(4 * 128, false).hit);
    EXPECT_FALSE(tags.holds(0));
}

TEST(LlcTags, OnlyAModifiedVictimMustBeWritten) {
    LlcTags tags(64, 1);
    EXPECT_FALSE(tags.access(0x1000, true).evicted);
    const auto answer = tags.access(0x2000, false);
    EXPECT_TRUE(answer.evicted);
    EXPECT_EQ(answer.victim, 0x1000u);
    EXPECT_FALSE(tags.access(0x3000, false).evicted);
}

}  // namespace
}  // namespace gen9::memory
