// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using Times = std::vector<std::uint64_t>;

std::vector<FakeInstruction> adds(unsigned count) {
    std::vector<FakeInstruction> program(count, add(10, 2));
    for (unsigned i = 0; i < count; ++i)
        program[i].dst = static_cast<std::uint8_t>(10 + i);
    program.push_back(end_of_thread());
    return program;
}

TEST(EuFetch, TheFirstInstructionWaitsForItsLine) {
    TestEnvironment test;
    EuBench bench(test);
    bench.fetch_latency = 30;
    bench.code(0, adds(2));
    bench.dispatch(0, 0, 100);
    bench.run();
    EXPECT_EQ(bench.issue_cycles(0)[0], 130u);
    EXPECT_EQ(bench.eu.stats().stall_fetch.value(), 30u);
}

TEST(EuFetch, TheLinesAheadAreAskedForAtOnce) {
    GEN9_COVERS("EU-016");
    TestEnvironment test;
    EuBench bench(test);
    bench.fetch_latency = 40;
    bench.code(0, adds(11));
    bench.dispatch(0, 0, 100);
    bench.run();
    const Times times = bench.issue_cycles(0);
    ASSERT_EQ(times.size(), 12u);
    for (unsigned i = 0; i < 11; ++i)
        EXPECT_EQ(times[i], 140u + 2 * i) << i;
}

TEST(EuFetch, WhatFunctionalModeHasRunIsAtHandInTimedMode) {
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    bench.eu.expect_changes();
    bench.code(0, adds(11));
    // From its second run on it is a block.
    for (unsigned i = 0; i < 3; ++i) {
        bench.dispatch(0, 0);
        bench.run(1000);
    }
    const std::vector<std::uint64_t> lines = bench.fetched;
    bench.dispatch(1, 0);
    bench.run(1000);
    EXPECT_EQ(bench.fetched, lines) << "a line at hand is not fetched again";
    test.environment.timing = Timing::Timed;
    bench.eu.change_timing();
    const std::uint64_t begin = bench.now() + 100;
    bench.executed.clear();
    bench.dispatch(0, 0, begin);
    bench.run();
    EXPECT_EQ(bench.issue_cycles(0)[0], begin);
    EXPECT_EQ(bench.eu.stats().stall_fetch.value(), 0u);
    EXPECT_EQ(bench.fetched, lines);
    // The lines that timed mode asks for when it has none.
    bench.invalidate();
    bench.fetched.clear();
    bench.dispatch(0, 0, bench.now() + 100);
    bench.run();
    EXPECT_EQ(bench.fetched, lines);
}

// A thread's instructions are cycles of functional mode, which the clock need not have reached.
TEST(EuFetch, TheCyclesUpToAChangeOfModeAreTheClocks) {
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    bench.eu.expect_changes();
    bench.code(0, adds(11));
    bench.dispatch(0, 0);
    bench.run(test.environment.notice_cycles + 2);
    ASSERT_EQ(bench.eu.instructions(), 12u);
    ASSERT_LT(bench.now(), test.environment.notice_cycles + 12u);
    test.environment.timing = Timing::Timed;
    bench.eu.change_timing();
    bench.eu.settle();
    EXPECT_EQ(bench.uses(), bench.now());
    EXPECT_EQ(bench.eu.stats().idle.value(), bench.now());
}

TEST(EuFetch, WithoutPrefetchEachLineIsWaitedFor) {
    TestEnvironment test(Timing::Timed, {"eu.prefetch_lines=0"});
    EuBench bench(test);
    bench.fetch_latency = 40;
    bench.code(0, adds(7));
    bench.dispatch(0, 0, 100);
    bench.run();
    // Four instructions of 16 bytes in a line; the next line is asked for when the last has issued.
    EXPECT_EQ(bench.issue_cycles(0), (Times{140, 142, 144, 146, 186, 188, 190, 192}));
}

TEST(EuFetch, TheNextLineIsAskedForWhenTheRequestBeforeHasEnded) {
    TestEnvironment test;
    EuBench bench(test);
    bench.fetch_latency = 60;
    bench.fetch_accept_latency = 20;
    bench.code(0, adds(7));
    bench.dispatch(0, 0, 100);
    bench.run();
    EXPECT_EQ(bench.fetch_requests, (Times{100, 120, 140, 166}));
    EXPECT_EQ(bench.issue_cycles(0), (Times{160, 162, 164, 166, 180, 182, 184, 186}));
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuFetch, AResponseAlsoEndsTheRequest) {
    TestEnvironment test(Timing::Timed, {"eu.prefetch_lines=1"});
    EuBench bench(test);
    bench.fetch_latency = bench.fetch_accept_latency = 30;
    bench.code(0, adds(3));
    bench.dispatch(0, 0, 100);
    bench.run();
    EXPECT_EQ(bench.fetch_requests, (Times{100, 130}));
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuFetch, PrefetchDoesNotLeaveThePage) {
    GEN9_COVERS("EU-016");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0xFC0, adds(2));
    bench.dispatch(0, 0xFC0);
    bench.run();
    EXPECT_EQ(bench.fetched, (std::vector<std::uint64_t>{kCodeBase + 0xFC0}));
}

TEST(EuFetch, AFaultOfAPrefetchedLineDoesNotShow) {
    GEN9_COVERS("EU-016");
    TestEnvironment test;
    EuBench bench(test);
    bench.faulty_line = kCodeBase + 0x40;
    bench.code(0, adds(2));
    bench.dispatch(0, 0);
    bench.run(1000);
    EXPECT_EQ(bench.fetched.size(), 3u);
    EXPECT_FALSE(test.reporter.failed());
    bench.dispatch(0, 0x40);
    bench.run(1000);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
}

TEST(EuFetch, AnInstructionAcrossLinesWaitsForBoth) {
    GEN9_COVERS("EU-301");
    TestEnvironment test(Timing::Timed, {"eu.prefetch_lines=0"});
    EuBench bench(test);
    bench.fetch_latency = 40;
    FakeInstruction small = add(9, 2);
    small.compacted = true;
    std::vector<FakeInstruction> program = adds(4);
    program.insert(program.begin(), small);
    bench.code(0, program);
    bench.dispatch(0, 0, 100);
    bench.run();
    EXPECT_EQ(bench.issue_cycles(0), (Times{140, 142, 144, 146, 186, 188}));
}

TEST(EuFetch, TheThreadsOfAnEuShareItsLines) {
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, adds(2));
    for (unsigned slot = 0; slot < 7; ++slot)
        bench.dispatch(slot, 0, 100);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 7u);
    EXPECT_EQ(bench.fetched.size(), 3u);
}

TEST(EuFetch, ABufferTooSmallForTheCodeStillRunsIt) {
    TestEnvironment test(Timing::Timed, {"eu.buffer_lines=2", "eu.prefetch_lines=4"});
    EuBench bench(test);
    FakeInstruction small = add(9, 2);
    small.compacted = true;
    for (unsigned slot = 0; slot < 7; ++slot) {
        std::vector<FakeInstruction> program = adds(20);
        program.insert(program.begin() + slot, small);
        bench.code(slot * 0x1000, program);
        bench.dispatch(slot, slot * 0x1000, 100 + slot);
    }
    bench.run();
    EXPECT_EQ(bench.ended.size(), 7u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuFetch, AnInvalidationDropsTheLinesAndThoseOnTheirWay) {
    GEN9_COVERS("EU-017");
    TestEnvironment test;
    EuBench bench(test);
    bench.fetch_latency = 200;
    bench.code(0, {add(112, 1, 0xFF, 1), end_of_thread()});
    bench.dispatch(0, 0, 100);
    bench.at(150, [&] {
        bench.code(0, {add(112, 1, 0xFF, 2), end_of_thread()});
        bench.invalidate();
    });
    bench.run();
    ASSERT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(bench.sent[0].first_value, 2u);
    EXPECT_GE(bench.issue_cycles(0)[0], 350u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuWaveform, SignalsShowIssueUnitsAndWhatEachThreadWaitsFor) {
    TestEnvironment test;
    EuBench bench(test);
    const SignalLog signals(test.environment.signals);
    bench.code(0, {add(10, 2), load(Sfid::DataPort1, 20, 1, 2), add(11, 20), end_of_thread()});
    bench.dispatch(1, 0, 100);
    bench.run(400);
    const auto at = [&](std::uint64_t cycle) {
        return std::make_tuple(signals.value("bench.eu0.issued", cycle),
                               signals.value("bench.eu0.fpu0", cycle),
                               eu::CycleUse(signals.value("bench.eu0.thread1.state", cycle)));
    };
    using eu::CycleUse;
    // The line comes at 118, the response 100 cycles after the send at 120.
    EXPECT_EQ(at(117), std::make_tuple(0u, 0u, CycleUse::Fetch));
    EXPECT_EQ(at(118), std::make_tuple(1u, 1u, CycleUse::Busy));
    EXPECT_EQ(at(119), std::make_tuple(0u, 1u, CycleUse::Pipe));
    EXPECT_EQ(at(120), std::make_tuple(1u, 0u, CycleUse::Busy));
    EXPECT_EQ(at(121), std::make_tuple(0u, 0u, CycleUse::Message));
    EXPECT_EQ(at(219), std::make_tuple(0u, 0u, CycleUse::Message));
    EXPECT_EQ(at(220), std::make_tuple(1u, 1u, CycleUse::Busy));
    EXPECT_EQ(at(223), std::make_tuple(0u, 0u, CycleUse::NoThread));
    EXPECT_EQ(at(50), std::make_tuple(0u, 0u, CycleUse::NoThread));
    EXPECT_EQ(at(110), std::make_tuple(0u, 0u, CycleUse::Fetch));
    EXPECT_EQ(signals.value("bench.eu0.loaded", 110), 2u);
    EXPECT_EQ(signals.value("bench.eu0.loaded", 223), 0u);
}

}  // namespace
}  // namespace gen9::test
