// SPDX-License-Identifier: Apache-2.0
// EXECLIST_STATUS through the life of two submissions (cs-rs guide 3.4): low [0] list that runs,
// [1] list to be written, [2] full, [3] list 1 valid, [4] list 0 valid, [13:5] last reason, [15:14]
// element, [16] arbitration, [17] list 1 active, [18] list 0 active; high the context's id.
#include "cs/context/execlists.h"

#include <gtest/gtest.h>

namespace gen9::cs {
namespace {

constexpr std::uint32_t kValidContext = 1;

void submit(Execlists& lists, std::uint32_t first_id, std::uint32_t second_id = 0) {
    EXPECT_FALSE(lists.write_port(second_id));
    EXPECT_FALSE(lists.write_port(second_id ? 0x2000 | kValidContext : 0));
    EXPECT_FALSE(lists.write_port(first_id));
    EXPECT_TRUE(lists.write_port(0x1000 | kValidContext));
}

TEST(Execlists, TheStatusTellsWhatRunsAndWhatWaits) {
    Execlists lists;
    EXPECT_EQ(lists.status_low(false), 1u) << "list 0 is the next to be written";
    submit(lists, 7, 8);
    EXPECT_EQ(lists.status_low(false), 1u | 1u << 4);
    lists.take_pending();
    EXPECT_EQ(lists.status_low(false), 1u << 1 | 1u << 4 | 1u << 18 | 1u << 14);
    EXPECT_EQ(lists.status_high(), 7u);
    submit(lists, 9);
    EXPECT_EQ(lists.status_low(true),
              1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 18 | 1u << 14 | 1u << 16);
    EXPECT_TRUE(lists.next_element());
    EXPECT_FALSE(lists.next_element());
    EXPECT_EQ(lists.status_low(false) >> 14 & 3, 2u);
    EXPECT_EQ(lists.status_high(), 8u);
    lists.note(kPreempted);
    lists.take_pending();
    EXPECT_EQ(lists.status_low(false), 1u | 1u << 3 | 1u << 17 | 1u << 14 | kPreempted << 5);
    EXPECT_EQ(lists.status_high(), 9u);
    lists.note(kActiveToIdle);
    lists.retire();
    EXPECT_EQ(lists.status_low(false), 1u | kActiveToIdle << 5);
    EXPECT_EQ(lists.status_high(), 9u) << "the last one's id stays";
    submit(lists, 10);
    EXPECT_EQ(lists.status_low(false) >> 5 & 0x1FF, 0u) << "a submission clears the reason";
}

TEST(Execlists, TheIdThatStaysIsThatOfTheSecondElementWhereThereWasOne) {
    Execlists lists;
    submit(lists, 7, 8);
    lists.take_pending();
    EXPECT_TRUE(lists.next_element());
    lists.retire();
    EXPECT_EQ(lists.status_high(), 8u);
}

TEST(Execlists, ASecondSubmissionBeforeTheFirstIsTakenReplacesIt) {
    Execlists lists;
    submit(lists, 1);
    EXPECT_FALSE(lists.overflowed());
    submit(lists, 2);
    EXPECT_TRUE(lists.overflowed());
    lists.take_pending();
    EXPECT_EQ(lists.running().context_id(), 2u);
    EXPECT_FALSE(lists.pending());
}

}  // namespace
}  // namespace gen9::cs
