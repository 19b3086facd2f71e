// SPDX-License-Identifier: Apache-2.0
// What is counted by walker and by instruction. Cycles are those of latency_test.cpp.
#include "eu/profile.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using eu::CyclesByUse;
using eu::CycleUse;
using eu::InstructionUse;
using eu::IssueUnit;
using eu::Profile;

std::uint64_t of(const CyclesByUse& cycles, CycleUse use) {
    return cycles[static_cast<std::size_t>(use)];
}
std::uint64_t idle(const eu::WorkUse& work) {
    return of(work.cycles, CycleUse::NoThread);
}
std::uint64_t sum(const CyclesByUse& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

TEST(EuProfile, IdleCyclesGoToTheOwnerOfEachCycle) {
    Profile profile;
    profile.idle(Cycles(10), Cycles(30));
    profile.idle_belongs_to(0, Cycles(20));
    // The rest of what was told before waits until its owner is known.
    EXPECT_EQ(profile.outside().cycles[1], 10u);
    profile.idle_belongs_to(1, Cycles(25));
    EXPECT_EQ(idle(profile.work(0)), 5u);
    profile.idle_belongs_to(Profile::kNoWork, Cycles(40));
    EXPECT_EQ(idle(profile.work(1)), 5u);
    // What is told late is divided among those of then.
    profile.idle(Cycles(15), Cycles(45));
    profile.settle(Cycles(50));
    EXPECT_EQ(idle(profile.outside()), 10u + 5 + 5);
    EXPECT_EQ(idle(profile.work(0)), 5u + 5);
    EXPECT_EQ(idle(profile.work(1)), 5u + 15);
}

TEST(EuProfile, AWalkerThatBeginsInTheCycleOfAnothersEndOwnsIt) {
    Profile profile;
    profile.idle_belongs_to(0, Cycles(0));
    profile.idle_belongs_to(Profile::kNoWork, Cycles(8));
    profile.idle_belongs_to(1, Cycles(8));
    profile.idle(Cycles(0), Cycles(12));
    profile.settle(Cycles(12));
    EXPECT_EQ(idle(profile.work(0)), 8u);
    EXPECT_EQ(idle(profile.work(1)), 4u);
    EXPECT_EQ(sum(profile.outside().cycles), 0u);
}

TEST(EuProfile, AnotherInstructionAtAnAddressIsCountedApart) {
    Profile profile;
    eu::DecodedInstruction one, other;
    other.instruction.exec_size = 8;
    InstructionUse& waited = profile.at(GpuAddr(64), 0);
    EXPECT_EQ(&profile.executed(GpuAddr(64), one, 0), &waited);
    EXPECT_EQ(&profile.executed(GpuAddr(64), one, 1), &waited);
    EXPECT_NE(&profile.executed(GpuAddr(64), other, 2), &waited);
    EXPECT_EQ(profile.instructions().size(), 2u);
    EXPECT_EQ(profile.instructions()[1].work, 2u);
}

TEST(EuProfile, LatenciesAreCountedInBinsOfPowersOfTwo) {
    eu::WorkUse work;
    Message message;
    message.sfid = Sfid::DataPort1;
    message.descriptor = 1u << 14 | 3;  // an untyped read
    for (const std::uint64_t latency : {0u, 1u, 2u, 3u, 4u, 127u, 128u})
        work.answered(message, MessagePort::DataPort, Cycles(latency));
    message.descriptor = 1u << 14 | 0xFE;  // of SLM
    work.answered(message, MessagePort::DataPort, Cycles(9));
    ASSERT_EQ(work.latencies.size(), 2u);
    const eu::MessageLatency& first = work.latencies[0];
    EXPECT_EQ(first.count, 7u);
    EXPECT_EQ(first.cycles, 265u);
    EXPECT_EQ((std::vector<std::uint64_t>(first.bins.begin(), first.bins.begin() + 8)),
              (std::vector<std::uint64_t>{2, 2, 1, 0, 0, 0, 1, 1}));
    EXPECT_EQ(work.latencies[1].bins[3], 1u);
    EXPECT_EQ(work.ports[0].in_flight, 265u + 9);
}

/// An EU whose threads are of the walkers that the test says.
class EuProfiled : public ::testing::Test {
  protected:
    EuProfiled() {
        bench.eu.profile(profile);
        bench.adjust = [this](ThreadDispatch& dispatch) { dispatch.work = work; };
    }
    void finish() {
        bench.eu.settle();
        profile.settle(bench.clock.now());
    }
    /// The counters of the EU are the sum of what was counted by walker.
    void expect_sums() {
        CyclesByUse all_work = profile.outside().cycles, instructions{};
        std::uint64_t issues = 0, executions = 0;
        for (const eu::WorkUse& each : profile.all_work()) {
            for (std::size_t i = 0; i < all_work.size(); ++i)
                all_work[i] += each.cycles[i];
            issues = std::accumulate(each.issues.begin(), each.issues.end(), issues);
        }
        for (const InstructionUse& each : profile.instructions()) {
            for (std::size_t i = 0; i < instructions.size(); ++i)
                instructions[i] += each.cycles[i];
            executions += each.executions;
        }
        const eu::EuStats& stats = bench.eu.stats();
        const std::uint64_t counters[] = {stats.busy.value(),
                                          stats.idle.value(),
                                          stats.stall_scoreboard.value(),
                                          stats.stall_message.value(),
                                          stats.stall_barrier.value(),
                                          stats.stall_dependency.value(),
                                          stats.stall_fetch.value(),
                                          stats.stall_send_queue.value(),
                                          stats.stall_branch.value(),
                                          stats.stall_switch.value(),
                                          stats.stall_pipe.value()};
        for (std::size_t i = 0; i < all_work.size(); ++i) {
            EXPECT_EQ(all_work[i], counters[i]) << eu::kCycleUseWords[i];
            EXPECT_EQ(instructions[i], i == 1 ? 0 : counters[i]) << eu::kCycleUseWords[i];
        }
        EXPECT_EQ(issues, stats.instructions.value());
        EXPECT_EQ(executions, stats.instructions.value());
    }
    const InstructionUse& instruction(std::uint64_t ip) const {
        for (const InstructionUse& each : profile.instructions())
            if (each.address.value == kCodeBase + ip) return each;
        ADD_FAILURE() << "nothing at " << ip;
        return profile.instructions().front();
    }

    TestEnvironment test;
    EuBench bench{test};
    Profile profile;
    std::uint32_t work = 0;
};

TEST_F(EuProfiled, AnInstructionHasItsExecutionsAndTheCyclesTheOldestThreadWaitsAtIt) {
    // Twice: the second time the code is at hand.
    bench.code(0, {add(10, 2), add(40, 10), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(5000);
    work = 1;
    bench.dispatch(0, 0);
    bench.run(5000);
    finish();
    expect_sums();
    EXPECT_EQ(instruction(16).executions, 2u);
    EXPECT_EQ(instruction(16).lanes_active, 2u * 8);  // what the fake executor enables
    // Its result is there 10 cycles after issue; the unit was busy for 2 of them.
    const eu::WorkUse& second = profile.work(1);
    EXPECT_EQ(of(second.cycles, CycleUse::Scoreboard), 8u);
    EXPECT_EQ(of(instruction(16).cycles, CycleUse::Scoreboard), 16u);
    EXPECT_EQ(of(instruction(0).cycles, CycleUse::Scoreboard), 0u);
    EXPECT_EQ(of(instruction(0).cycles, CycleUse::Busy), 4u);
    EXPECT_EQ(second.issues[static_cast<std::size_t>(IssueUnit::Fpu)], 2u);
    EXPECT_EQ(second.issues[static_cast<std::size_t>(IssueUnit::Send)], 1u);
    EXPECT_EQ(second.unit_cycles[static_cast<std::size_t>(IssueUnit::Fpu)], 4u);
    EXPECT_EQ(second.classes[static_cast<std::size_t>(eu::LatencyClass::Simple)], 2u);
    EXPECT_EQ(second.classes[static_cast<std::size_t>(eu::LatencyClass::Send)], 1u);
}

TEST_F(EuProfiled, WalkersThatOverlapCountOnce) {
    bench.code(0, {load(Sfid::DataPort1, 20, 1, 0), add(30, 20), end_of_thread()});
    bench.code(0x100,
               {add(10, 2), add(11, 3), jump_if_less(10, 11, 0x100), add(12, 10), end_of_thread()});
    bench.response_latency = [](const Message&) { return 300u; };
    bench.dispatch(0, 0);
    work = 1;
    bench.dispatch(1, 0x100);
    bench.run();
    finish();
    expect_sums();
    const eu::WorkUse &first = profile.work(0), &second = profile.work(1);
    EXPECT_GT(of(first.cycles, CycleUse::Message), 200u) << "it is the older";
    EXPECT_EQ(of(second.cycles, CycleUse::Message), 0u);
    EXPECT_EQ(first.lanes_active, 3u * 8);
    ASSERT_EQ(first.latencies.size(), 2u) << "the read, and the end of the thread";
    EXPECT_EQ(first.latencies[0].cycles, 300u);
    EXPECT_EQ(first.ports[0].in_flight, 300u);
    EXPECT_EQ(first.ports[0].waiting, 16u);
    EXPECT_EQ(second.ports[0].in_flight, 0u);
}

}  // namespace
}  // namespace gen9::test
