// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/scoreboard.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::eu {
namespace {

DecodedInstruction alu(RegisterRange writes, RegisterRange reads = {}) {
    DecodedInstruction d;
    d.writes = writes;
    d.reads[0] = reads;
    return d;
}

constexpr IssueTiming kTiming{
    .front_end = 2, .unit = 2, .result = 10, .accumulator = 6, .flag = 14, .payload = 12};

struct ScoreboardTest : ::testing::Test {
    Scoreboard scoreboard;
    void SetUp() override { scoreboard.reset(Cycles(0)); }
    void send(RegisterRange response, RegisterRange payload, Cycles now) {
        scoreboard.send(response, {&payload, 1}, kTiming.payload, now);
    }
    std::uint64_t at(const DecodedInstruction& d) const { return scoreboard.ready(d).at.value; }
};

TEST_F(ScoreboardTest, EachRegisterOfASourceAndOfTheDestinationIsChecked) {
    GEN9_COVERS("EU-173");
    scoreboard.issue(alu({10, 2}), kTiming, Cycles(100));
    EXPECT_EQ(at(alu({30, 1}, {9, 1})), 0u);
    EXPECT_EQ(at(alu({30, 1}, {9, 2})), 110u);
    EXPECT_EQ(at(alu({30, 1}, {11, 1})), 110u);
    EXPECT_EQ(at(alu({11, 1})), 110u);
    EXPECT_EQ(at(alu({12, 1}, {12, 1})), 0u);
}

TEST_F(ScoreboardTest, TheRegisterThatIsReadyLastIsNamed) {
    const RegisterUses uses(alu({20, 1}, {10, 2}));
    EXPECT_EQ(scoreboard.waited_for(uses, Cycles(0)), kNoRegister);
    scoreboard.send({20, 1}, {}, 0, Cycles(0));
    EXPECT_EQ(scoreboard.waited_for(uses, Cycles(0)), 20u);
    scoreboard.write_back(20, 1, Cycles(30), Cycles(1));
    scoreboard.send({11, 1}, {}, 0, Cycles(0));
    scoreboard.write_back(11, 1, Cycles(40), Cycles(1));
    EXPECT_EQ(scoreboard.waited_for(uses, Cycles(10)), 11u);
    EXPECT_EQ(scoreboard.waited_for(uses, Cycles(39)), 11u);
    EXPECT_EQ(scoreboard.waited_for(uses, Cycles(40)), kNoRegister);
    // What a send still reads must not be overwritten.
    send({}, {50, 1}, Cycles(40));
    EXPECT_EQ(scoreboard.waited_for(RegisterUses(alu({50, 1})), Cycles(45)), 50u);
}
TEST_F(ScoreboardTest, TheAddressRegisterIsOneBit) {
    GEN9_COVERS("EU-074");
    DecodedInstruction writes = alu({}), reads = alu({30, 1});
    writes.arf_writes = kArfAddress;
    reads.arf_reads = kArfAddress;
    scoreboard.issue(writes, kTiming, Cycles(100));
    EXPECT_EQ(at(reads), 110u);
    EXPECT_EQ(at(writes), 110u);
    writes.instruction.no_dd_check = true;
    EXPECT_EQ(at(writes), 0u);
}

TEST_F(ScoreboardTest, AccumulatorsAndFlagsHaveTimesOfTheirOwn) {
    GEN9_COVERS("EU-309");
    DecodedInstruction writes = alu({}), acc = alu({}), flag = alu({}), other = alu({});
    writes.arf_writes = kArfAcc0 | kArfFlag1;
    acc.arf_reads = kArfAcc0;
    flag.arf_reads = kArfFlag1;
    other.arf_reads = kArfAcc1 | kArfFlag0;
    scoreboard.issue(writes, kTiming, Cycles(100));
    EXPECT_EQ(at(acc), 106u);
    EXPECT_EQ(at(flag), 114u);
    EXPECT_EQ(at(other), 0u);
}

TEST_F(ScoreboardTest, ResponseRegistersAreInFlightUntilTheyAreWrittenBack) {
    GEN9_COVERS("EU-177");
    send({20, 3}, {2, 1}, Cycles(100));
    EXPECT_EQ(scoreboard.in_flight(), 3u);
    EXPECT_EQ(scoreboard.first_in_flight(), 20u);
    const Readiness waiting = scoreboard.ready(alu({30, 1}, {22, 1}));
    EXPECT_EQ(waiting.at, kNever);
    EXPECT_EQ(waiting.reason, CycleUse::Message);
    scoreboard.write_back(20, 3, Cycles(300), Cycles(1));
    EXPECT_EQ(scoreboard.in_flight(), 0u);
    EXPECT_EQ(at(alu({30, 1}, {20, 1})), 300u);
    EXPECT_EQ(at(alu({30, 1}, {22, 1})), 302u);
}

TEST_F(ScoreboardTest, ResponsesMayComeInAnyOrder) {
    GEN9_COVERS("EU-198");
    send({20, 1}, {2, 1}, Cycles(100));
    send({21, 1}, {2, 1}, Cycles(102));
    scoreboard.write_back(21, 1, Cycles(150), Cycles(0));
    EXPECT_EQ(at(alu({30, 1}, {21, 1})), 150u);
    EXPECT_EQ(at(alu({30, 1}, {20, 1})), kNever.value);
}

TEST_F(ScoreboardTest, NoDDClrLeavesTheDependencyForNoDDChkToClear) {
    GEN9_COVERS("EU-174");
    DecodedInstruction first = alu({10, 1}), last = first;
    first.instruction.no_dd_clear = true;
    last.instruction.no_dd_check = true;
    scoreboard.issue(first, kTiming, Cycles(100));
    EXPECT_EQ(at(alu({30, 1}, {10, 1})), kNever.value);
    EXPECT_EQ(at(last), 0u);
    scoreboard.issue(last, kTiming, Cycles(102));
    EXPECT_EQ(at(alu({30, 1}, {10, 1})), 112u);
}

TEST_F(ScoreboardTest, ThePayloadIsProtectedAgainstWritesOnly) {
    GEN9_COVERS("EU-178");
    send({}, {2, 2}, Cycles(100));
    EXPECT_EQ(at(alu({30, 1}, {3, 1})), 0u);
    EXPECT_EQ(at(alu({3, 1})), 112u);
    EXPECT_EQ(scoreboard.ready(alu({3, 1})).reason, CycleUse::Message);
    EXPECT_EQ(at(alu({4, 1})), 0u);
}

TEST_F(ScoreboardTest, RangesPastTheLastRegisterTouchNothingElse) {
    GEN9_COVERS("EU-025");
    send({120, 16}, {126, 15}, Cycles(100));
    EXPECT_EQ(scoreboard.in_flight(), 8u);
    scoreboard.write_back(120, 16, Cycles(200), Cycles(1));
    EXPECT_EQ(scoreboard.in_flight(), 0u);
    EXPECT_EQ(at(alu({0, 1})), 0u);
}

TEST_F(ScoreboardTest, ANewThreadInheritsNothing) {
    GEN9_COVERS("EU-205");
    send({20, 1}, {2, 1}, Cycles(100));
    scoreboard.reset(Cycles(150));
    EXPECT_EQ(scoreboard.in_flight(), 0u);
    EXPECT_EQ(at(alu({20, 1}, {2, 1})), 150u);
}

}  // namespace
}  // namespace gen9::eu
