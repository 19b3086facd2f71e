// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/issue.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/covers.h"

namespace gen9::eu {
namespace {

struct IssueTest : ::testing::Test {
    IssueArbiter arbiter{std::make_unique<OldestFirst>(), 2};
    /// A thread whose next instruction is ready at a cycle for a pipe.
    void thread(unsigned slot, Pipe pipe, std::uint64_t at = 0, bool high = false) {
        if (!arbiter.loaded(ThreadSlot(slot))) arbiter.load(ThreadSlot(slot), high);
        arbiter.offer(ThreadSlot(slot), {Cycles(at), CycleUse::Scoreboard, pipe});
    }
    /// Issues all that can be at a cycle, each for two cycles, and offers nothing more of them.
    std::vector<unsigned> cycle(std::uint64_t now) {
        std::vector<unsigned> slots;
        arbiter.begin(Cycles(now));
        for (int slot = arbiter.pick(); slot >= 0; slot = arbiter.pick()) {
            slots.push_back(static_cast<unsigned>(slot));
            arbiter.issued(ThreadSlot(slots.back()), 2, Cycles(now));
            arbiter.offer(ThreadSlot(slots.back()), Offer{});
        }
        return slots;
    }
};

using Slots = std::vector<unsigned>;

TEST_F(IssueTest, EachUnitTakesOneInstructionACycleAndOrdinaryOnesTakeEitherPipe) {
    GEN9_COVERS("EU-306 EU-008");
    thread(0, Pipe::AnyFpu);
    thread(1, Pipe::AnyFpu);
    thread(2, Pipe::AnyFpu);
    thread(3, Pipe::Branch);
    thread(4, Pipe::Send);
    thread(5, Pipe::Send);
    EXPECT_EQ(cycle(10), (Slots{0, 1, 3, 4}));
    EXPECT_EQ(arbiter.busy_units(Cycles(11)), 0x1111u);
    EXPECT_EQ(arbiter.next(Cycles(11)), Cycles(12));
    EXPECT_EQ(cycle(12), (Slots{2, 5}));
}

TEST_F(IssueTest, AnOrdinaryInstructionLeavesTheEmPipeToThoseThatNeedIt) {
    GEN9_COVERS("EU-008");
    thread(0, Pipe::AnyFpu);
    thread(1, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{0, 1}));
}

TEST_F(IssueTest, ANarrowArbiterIssuesTheRestLater) {
    arbiter = IssueArbiter(std::make_unique<OldestFirst>(), 2, 2);
    thread(0, Pipe::AnyFpu);
    thread(1, Pipe::AnyFpu);
    thread(2, Pipe::Branch);
    thread(3, Pipe::Send);
    EXPECT_EQ(cycle(10), (Slots{0, 1}));
    EXPECT_EQ(arbiter.next(Cycles(11)), Cycles(11));
    EXPECT_EQ(cycle(11), (Slots{2, 3}));
}

TEST_F(IssueTest, WithoutAnFpuTheEmPipeTakesAllOneAfterTheOther) {
    arbiter = IssueArbiter(std::make_unique<OldestFirst>(), 2, 4, UnitCounts{.fpu = 0});
    thread(0, Pipe::AnyFpu);
    thread(1, Pipe::Em);
    thread(2, Pipe::AnyFpu);
    thread(3, Pipe::Send);
    EXPECT_EQ(cycle(10), (Slots{0, 3}));
    EXPECT_EQ(arbiter.busy_units(Cycles(11)), 0x1010u);
    EXPECT_EQ(arbiter.next(Cycles(11)), Cycles(12));
    EXPECT_EQ(cycle(12), (Slots{1}));
    EXPECT_EQ(cycle(14), (Slots{2}));
    EXPECT_EQ(arbiter.busy_units(Cycles(20)), 0u);
}

TEST_F(IssueTest, EachOfSeveralUnitsTakesAnInstructionAndEmIsTakenLast) {
    arbiter = IssueArbiter(std::make_unique<OldestFirst>(), 2, 16, UnitCounts{.fpu = 2});
    for (unsigned slot = 0; slot < 4; ++slot)
        thread(slot, Pipe::AnyFpu);
    thread(4, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{0, 1, 2}));  // the third on EM
    EXPECT_EQ(arbiter.busy_units(Cycles(11)), 0x0013u);
    EXPECT_EQ(arbiter.next(Cycles(11)), Cycles(12));
    EXPECT_EQ(cycle(12), (Slots{3, 4}));
    EXPECT_EQ(arbiter.busy_units(Cycles(13)), 0x0011u);
    thread(5, Pipe::AnyFpu, 13);  // the second FPU is free before the first and EM
    EXPECT_EQ(arbiter.next(Cycles(13)), Cycles(13));
    EXPECT_EQ(cycle(13), (Slots{5}));
}

TEST_F(IssueTest, SeveralMathUnitsWorkSideBySideAndDoOrdinaryWorkToo) {
    arbiter = IssueArbiter(std::make_unique<OldestFirst>(), 2, 16, UnitCounts{.fpu = 0, .em = 2});
    thread(0, Pipe::Em);
    thread(1, Pipe::Em);
    thread(2, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{0, 1}));
    thread(3, Pipe::AnyFpu);
    EXPECT_EQ(arbiter.next(Cycles(11)), Cycles(12));
    EXPECT_EQ(cycle(12), (Slots{2, 3}));
}

TEST_F(IssueTest, SeveralBranchAndSendUnitsEachTakeOne) {
    arbiter =
        IssueArbiter(std::make_unique<OldestFirst>(), 2, 16, UnitCounts{.branch = 2, .send = 3});
    for (unsigned slot = 0; slot < 3; ++slot)
        thread(slot, Pipe::Branch);
    for (unsigned slot = 3; slot < 7; ++slot)
        thread(slot, Pipe::Send);
    EXPECT_EQ(cycle(10), (Slots{0, 1, 3, 4, 5}));
    EXPECT_EQ(arbiter.busy_units(Cycles(11)), 0x7300u);
    EXPECT_EQ(cycle(12), (Slots{2, 6}));
}

TEST_F(IssueTest, ThreadsOfABusyKindLeaveTheCycleToTheOthers) {
    arbiter = IssueArbiter(std::make_unique<OldestFirst>(), 2, 16, UnitCounts{.send = 2});
    thread(0, Pipe::Send);
    thread(1, Pipe::None);
    thread(2, Pipe::Em);
    thread(3, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{0, 1, 2}));
    EXPECT_EQ(arbiter.busy_units(Cycles(11)), 0x1010u);
}

TEST_F(IssueTest, TheOldestReadyThreadGoesFirst) {
    GEN9_COVERS("EU-005");
    thread(5, Pipe::Em);
    thread(2, Pipe::Em);
    thread(7, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{5}));
    EXPECT_EQ(cycle(12), (Slots{2}));
    EXPECT_EQ(cycle(14), (Slots{7}));
}

TEST_F(IssueTest, TheRunningThreadGoesOnBeforeAnOlderThatHasBecomeReady) {
    GEN9_COVERS("EU-005");
    thread(0, Pipe::Em, 11);
    thread(1, Pipe::Em, 0);
    EXPECT_EQ(cycle(10), (Slots{1}));
    thread(1, Pipe::Em, 12);
    EXPECT_EQ(cycle(12), (Slots{1}));
    thread(1, Pipe::Em, 30);  // a dependency
    EXPECT_EQ(cycle(14), (Slots{0}));
}

TEST_F(IssueTest, AThreadLoadedAgainIsTheNewest) {
    GEN9_COVERS("EU-010");
    thread(0, Pipe::Em);
    thread(1, Pipe::Em);
    arbiter.unload(ThreadSlot(0));
    thread(0, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{1}));
}

TEST_F(IssueTest, TheHighClassGoesBeforeTheRunningThread) {
    GEN9_COVERS("EU-010");
    thread(0, Pipe::Em);
    EXPECT_EQ(cycle(10), (Slots{0}));
    thread(0, Pipe::Em);
    thread(1, Pipe::Em, 0, true);
    EXPECT_EQ(cycle(12), (Slots{1}));
}

TEST_F(IssueTest, WithoutACreditASendIsNoEventToWaitFor) {
    arbiter.load(ThreadSlot(0), false);
    arbiter.offer(ThreadSlot(0),
                  {Cycles(0), CycleUse::Scoreboard, Pipe::Send, MessagePort::DataPort});
    arbiter.take_credit(MessagePort::DataPort);
    EXPECT_EQ(arbiter.next(Cycles(5)), Cycles(5));
    arbiter.take_credit(MessagePort::DataPort);
    EXPECT_EQ(arbiter.next(Cycles(5)), kNever);
    EXPECT_EQ(arbiter.idle_use(Cycles(5)), CycleUse::SendQueue);
    arbiter.give_credit(MessagePort::DataPort);
    EXPECT_EQ(arbiter.next(Cycles(6)), Cycles(6));
}

TEST_F(IssueTest, AnIdleCycleIsUsedForWhatTheOldestThreadWaitsFor) {
    EXPECT_EQ(arbiter.idle_use(Cycles(0)), CycleUse::NoThread);
    arbiter.load(ThreadSlot(3), false);
    arbiter.offer(ThreadSlot(3), {Cycles(50), CycleUse::Branch, Pipe::AnyFpu});
    arbiter.load(ThreadSlot(1), false);
    EXPECT_EQ(arbiter.idle_use(Cycles(10)), CycleUse::Branch);
    EXPECT_EQ(arbiter.use_changes(Cycles(10)), Cycles(50));
    arbiter.unload(ThreadSlot(3));
    EXPECT_EQ(arbiter.idle_use(Cycles(10)), CycleUse::Fetch);
}

TEST(RoundRobinPolicy, BeginsAfterTheThreadPlacedLast) {
    GEN9_COVERS("EU-006");
    const RoundRobin policy;
    IssueTurns turns(policy.keeps_running());
    const auto order = [&](std::uint32_t slots) {
        Slots all;
        for (turns.begin(false); slots != 0; slots &= ~(1u << all.back()))
            all.push_back(policy.choose(slots, {}, turns));
        return all;
    };
    turns.placed(3);
    EXPECT_EQ(order(0b1001001), (Slots{6, 0, 3}));
    turns.placed(0);
    EXPECT_EQ(order(0b1001001), (Slots{3, 6, 0}));
}

TEST_F(IssueTest, ALongWaitIsNotForgotten) {
    std::uint64_t now = 0;
    for (const std::uint64_t wait : {63u, 64u, 65u, 200u, 1000u}) {
        const std::uint64_t at = now + wait, later = at + wait;
        thread(0, Pipe::Em, at);
        thread(1, Pipe::Branch, later);
        EXPECT_EQ(arbiter.next(Cycles(now + wait / 2)), Cycles(at));
        EXPECT_EQ(cycle(at - 1), Slots{});
        EXPECT_EQ(cycle(at), Slots{0});
        EXPECT_EQ(arbiter.next(Cycles(at + 1)), Cycles(later));
        arbiter.offer(ThreadSlot(1), Offer{});
        EXPECT_EQ(arbiter.next(Cycles(at + 2)), kNever);
        now = later;
    }
}

}  // namespace
}  // namespace gen9::eu
