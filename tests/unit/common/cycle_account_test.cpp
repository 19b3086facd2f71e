// SPDX-License-Identifier: Apache-2.0
// Each cycle has one reason: the first of those that hold, or the last of all.
#include "common/cycle_account.h"

#include <gtest/gtest.h>

namespace gen9 {
namespace {

enum class Reason : unsigned { Busy, Waiting, Idle };

struct Stats : StatSet {
    using StatSet::StatSet;
    std::array<Counter, 3> cycles{{
        {*this, "busy_cycles", "cycles", "."},
        {*this, "waiting_cycles", "cycles", "."},
        {*this, "idle_cycles", "cycles", "."},
    }};
};

struct Account : testing::Test {
    using Counts = std::array<std::uint64_t, 3>;
    static constexpr Cycles kOpen = CycleAccount<Reason, 3>::kOpen;
    Counts counts() const {
        return {stats.cycles[0].value(), stats.cycles[1].value(), stats.cycles[2].value()};
    }
    Stats stats{"block"};
    CycleAccount<Reason, 3> account{stats.cycles};
};

TEST_F(Account, WithoutAReasonIsTheLast) {
    account.settle(Cycles(7));
    EXPECT_EQ(counts(), (Counts{0, 0, 7}));
}

TEST_F(Account, AReasonHoldsFromTheCycleItIsSaidToBeforeItsEnd) {
    account.extend(Reason::Busy, Cycles(3), Cycles(5));
    account.settle(Cycles(4));
    EXPECT_EQ(counts(), (Counts{1, 0, 3}));
    account.settle(Cycles(5));
    EXPECT_EQ(counts(), (Counts{2, 0, 3}));
    account.settle(Cycles(6));
    EXPECT_EQ(counts(), (Counts{2, 0, 4}));
}

TEST_F(Account, OfTwoThatHoldTheFirstCounts) {
    account.set(Reason::Waiting, Cycles(0), Cycles(10));
    account.extend(Reason::Busy, Cycles(4), Cycles(6));
    account.settle(Cycles(12));
    EXPECT_EQ(counts(), (Counts{2, 8, 2}));
}

TEST_F(Account, WhatIsHeldHoldsUntilSomethingElseIs) {
    account.hold(Reason::Waiting, Cycles(2));
    account.extend(Reason::Busy, Cycles(4), Cycles(5));
    account.hold(Reason::Busy, Cycles(6));
    account.hold(Reason::Idle, Cycles(9));
    EXPECT_EQ(account.held(), Reason::Idle);
    account.settle(Cycles(10));
    EXPECT_EQ(counts(), (Counts{1 + 3, 2 + 1, 2 + 1}));
}

TEST_F(Account, AnotherThanTheLastMayBeTheRest) {
    Stats other{"other"};
    CycleAccount<Reason, 3, Reason::Busy> rest(other.cycles);
    rest.hold(Reason::Idle, Cycles(1));
    rest.hold(Reason::Busy, Cycles(3));
    rest.settle(Cycles(7));
    EXPECT_EQ(other.cycles[0].value(), 1u + 4u);
    EXPECT_EQ(other.cycles[2].value(), 2u);
}

TEST_F(Account, AnEndIsMovedByExtendToLaterOnlyAndBySetToAnything) {
    account.extend(Reason::Busy, Cycles(0), Cycles(8));
    account.extend(Reason::Busy, Cycles(1), Cycles(4));
    account.settle(Cycles(9));
    EXPECT_EQ(counts(), (Counts{8, 0, 1}));
    account.set(Reason::Busy, Cycles(9), Cycles(20));
    account.set(Reason::Busy, Cycles(10), Cycles(12));
    account.settle(Cycles(13));
    EXPECT_EQ(counts(), (Counts{11, 0, 2}));
}

// A queue that is empty says nothing of an access that passed it by.
TEST_F(Account, WhatIsExtendedHoldsWhateverIsSetBeside) {
    account.extend(Reason::Busy, Cycles(0), Cycles(5));
    account.set(Reason::Busy, Cycles(1), Cycles(1));
    account.extend(Reason::Busy, Cycles(1), Cycles(7), Cycles(9));
    account.set(Reason::Busy, Cycles(8), Cycles(8));
    account.settle(Cycles(12));
    EXPECT_EQ(counts(), (Counts{7, 0, 5}));
}

TEST_F(Account, UntilFurtherNotice) {
    account.set(Reason::Waiting, Cycles(2), kOpen);
    account.settle(Cycles(1000));
    EXPECT_EQ(counts(), (Counts{0, 998, 2}));
    account.set(Reason::Waiting, Cycles(1000), Cycles(1000));
    account.settle(Cycles(1001));
    EXPECT_EQ(counts(), (Counts{0, 998, 3}));
}

TEST_F(Account, ACycleIsCountedOnce) {
    account.settle(Cycles(5));
    account.settle(Cycles(5));
    account.extend(Reason::Busy, Cycles(5), Cycles(6));
    account.extend(Reason::Waiting, Cycles(5), Cycles(6));
    account.settle(Cycles(6));
    account.settle(Cycles(6));
    EXPECT_EQ(counts(), (Counts{1, 0, 5}));
}

TEST_F(Account, AReasonMayBeginLaterThanItIsSaid) {
    account.extend(Reason::Busy, Cycles(1), Cycles(10), Cycles(13));
    account.extend(Reason::Busy, Cycles(1), Cycles(4), Cycles(6));
    account.settle(Cycles(4));
    EXPECT_EQ(counts(), (Counts{0, 0, 4}));
    account.settle(Cycles(5));
    EXPECT_EQ(counts(), (Counts{1, 0, 4}));
    account.extend(Reason::Waiting, Cycles(5), Cycles(5), Cycles(12));
    account.settle(Cycles(20));
    EXPECT_EQ(counts(), (Counts{5, 4, 11})) << "4, 5 and 10 to 12; 6 to 9";
}

}  // namespace
}  // namespace gen9
