// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "common/bits.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

TestEnvironment functional(std::vector<std::string> settings = {}) {
    return TestEnvironment(Timing::Functional, std::move(settings));
}

TEST(EuFunctional, AThreadRunsFromItsDispatchToItsEndOfThreadMessage) {
    GEN9_COVERS("EU-004");
    auto test = functional();
    EuBench bench(test);
    bench.code(0x40, {add(1, 0, 0xFF, 5), add(112, 1, 0xFF, 1), end_of_thread(), add(3, 1)});
    bench.payload = {7};
    bench.dispatch(3, 0x40);
    bench.run();
    ASSERT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(bench.ended[0].slot, 3u);
    EXPECT_EQ(bench.ended[0].instructions, 3u);
    EXPECT_EQ(bench.ended[0].messages, 1u);
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].port, static_cast<unsigned>(MessagePort::Spawner));
    EXPECT_EQ(bench.sent[0].first_value, 13u);
    EXPECT_TRUE(bench.eu.idle());
    EXPECT_FALSE(test.reporter.failed());
}

TEST(EuFunctional, AMessagesResponseIsInTheRegistersForTheNextInstruction) {
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {load(Sfid::DataPort1, 20, 2, 0), add(112, 20, 21), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run();
    ASSERT_EQ(bench.sent.size(), 2u);
    EXPECT_EQ(bench.sent[1].first_value, 2001u);
}

TEST(EuFunctional, WaitStopsTheThreadUntilItsNotificationCountIsRaised) {
    GEN9_COVERS("EU-206");
    auto test = functional();
    EuBench bench(test);
    bench.keep_gateway = true;
    bench.code(0, {load(Sfid::Gateway, 0xFF, 0, 0), wait_n0(), end_of_thread()});
    bench.dispatch(0, 0);
    bench.dispatch(1, 0);
    bench.run(1000);
    EXPECT_TRUE(bench.ended.empty());
    ASSERT_EQ(bench.kept.size(), 2u);
    EXPECT_NE(bench.eu.describe_waiting().find("eu2.thread1 ip 00000010"), std::string::npos)
        << bench.eu.describe_waiting();
    bench.notify(*bench.kept[1]);
    bench.run(1000);
    ASSERT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(bench.ended[0].slot, 1u);
    bench.notify(*bench.kept[0]);
    bench.run(1000);
    EXPECT_EQ(bench.ended.size(), 2u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuFunctional, ANotificationBeforeWaitIsKept) {
    GEN9_COVERS("EU-206");
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {load(Sfid::Gateway, 0xFF, 0, 0), wait_n0(), end_of_thread()});
    bench.response_latency = [](const Message&) { return 16u; };
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 1u);
}

TEST(EuFunctional, ASpinningThreadLetsTheOthersRun) {
    auto test = functional({"eu.quantum_instructions=10"});
    EuBench bench(test);
    bench.code(0, {jump_if_less(0, 1, 0)});
    bench.code(0x100, {end_of_thread()});
    bench.payload = {0, 1};
    bench.dispatch(0, 0);
    bench.dispatch(1, 0x100);
    bench.run(1000);
    ASSERT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(bench.ended[0].slot, 1u);
    EXPECT_LE(bench.issue_cycles(1).at(0), 16u + 11u);
}

TEST(EuFunctional, OneInstructionCountsOneCycle) {
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {add(1, 1), add(1, 1), add(1, 1), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.issue_times(0), (std::vector<std::uint64_t>{0, 1, 2, 3}));
    EXPECT_EQ(bench.eu.stats().instructions.value(), 4u);
}

TEST(EuFunctional, CompactedInstructionsAndThoseThatCrossLinesAreFetchedWhole) {
    GEN9_COVERS("EU-301");
    auto test = functional();
    EuBench bench(test);
    FakeInstruction small = add(1, 1);
    small.compacted = true;
    // 8, 3 x 16, 16 (crosses the line at 0x40), end.
    bench.code(0, {small, add(1, 1, 0xFF, 1), add(1, 1, 0xFF, 1), add(1, 1, 0xFF, 1),
                   add(112, 1, 0xFF, 1), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run();
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].first_value, 4u);
    EXPECT_EQ(bench.fetched, (std::vector<std::uint64_t>{kCodeBase, kCodeBase + 0x40}));
}

TEST(EuFunctional, AnIllegalInstructionIsReportedAndEndsItsThread) {
    GEN9_COVERS("EU-294");
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {add(1, 1), FakeInstruction{.op = FakeInstruction::Op::Illegal}});
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 1u);
    ASSERT_EQ(test.reporter.entries().size(), 1u);
    EXPECT_EQ(test.reporter.entries()[0].place, "slice0.subslice1.eu2.thread0 ip 00000010");
    EXPECT_NE(test.reporter.entries()[0].text.find("no such opcode"), std::string::npos);
}

TEST(EuFunctional, CodeThatCannotBeFetchedIsReportedOnlyWhenIssued) {
    GEN9_COVERS("EU-016");
    auto test = functional();
    EuBench bench(test);
    bench.faulty_line = kCodeBase + 0x40;
    bench.code(0, {end_of_thread()});
    bench.code(0x30, {add(1, 1)});
    bench.dispatch(0, 0);
    bench.run(1000);
    EXPECT_FALSE(test.reporter.failed());
    bench.dispatch(0, 0x30);
    bench.run(1000);
    EXPECT_EQ(bench.ended.size(), 2u);
    ASSERT_EQ(test.reporter.entries().size(), 1u);
    EXPECT_NE(test.reporter.entries()[0].text.find("fetched"), std::string::npos);
}

TEST(EuFunctional, AMessageToNoFunctionIsLostAndReported) {
    GEN9_COVERS("EU-208");
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {load(Sfid::Null, 20, 1, 0), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_TRUE(bench.sent.empty());
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
}

TEST(EuFunctional, ALostMessageWithoutAnAnswerHoldsNobodyUp) {
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {load(Sfid::Null, 0xFF, 0, 0), add(112, 1, 0xFF, 4), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
    ASSERT_EQ(bench.sent.size(), 1u) << "its end of thread";
    EXPECT_EQ(bench.ended.at(0).instructions, 3u);
}

TEST(EuFunctional, TheTimestampCountsCycles) {
    GEN9_COVERS("EU-109");
    auto test = functional();
    EuBench bench(test);
    FakeInstruction stamp{.op = FakeInstruction::Op::Timestamp, .dst = 112};
    bench.code(0, {add(1, 1), add(1, 1), stamp, end_of_thread()});
    bench.dispatch(0, 0, 500);
    bench.run();
    EXPECT_EQ(bench.sent.at(0).first_value, 502u);
}

TEST(EuFunctional, TheTimestampHas64BitsAndNothingDisturbsIt) {
    GEN9_COVERS("EU-109");
    auto test = functional();
    EuBench bench(test);
    const auto stamp = [](unsigned dword) {
        FakeInstruction in{.op = FakeInstruction::Op::Timestamp, .dst = 112};
        in.immediate = static_cast<std::uint16_t>(dword);
        return in;
    };
    for (std::uint32_t dword = 0; dword < 3; ++dword)
        bench.code(dword * 0x100, {stamp(dword), end_of_thread()});
    constexpr std::uint64_t kLate = 0x2'0000'1000;
    for (std::uint32_t dword = 0; dword < 3; ++dword)
        bench.dispatch(dword, dword * 0x100, kLate);
    bench.run(kLate + 1000);
    ASSERT_EQ(bench.sent.size(), 3u);
    EXPECT_EQ(bench.sent[0].first_value, 0x1000u);
    EXPECT_EQ(bench.sent[1].first_value, 2u);
    EXPECT_EQ(bench.sent[2].first_value, 0u) << "no context switch, no change of the clock";
}

TEST(EuFunctional, AnInvalidationMakesChangedCodeSeen) {
    GEN9_COVERS("EU-017");
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {add(112, 1, 0xFF, 1), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(1000);
    bench.code(0, {add(112, 1, 0xFF, 2), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(1000);
    bench.invalidate();
    bench.dispatch(0, 0);
    bench.run(1000);
    ASSERT_EQ(bench.sent.size(), 3u);
    EXPECT_EQ(bench.sent[0].first_value, 1u);
    EXPECT_EQ(bench.sent[1].first_value, 1u);
    EXPECT_EQ(bench.sent[2].first_value, 2u);
}

TEST(EuFunctional, ASlotCanBeFilledAgainFromWithinTheReportOfItsEnd) {
    auto test = functional();
    EuBench bench(test);
    bench.code(0, {end_of_thread()});
    bench.on_end = [&](const EuBench::Ended& end) {
        if (bench.ended.size() < 5) bench.dispatch(end.slot, 0);
    };
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 5u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuFunctional, ASlotsNextThreadRunsInTheStepInWhichItComes) {
    auto test = functional(), mixed_test = functional();
    EuBench bench(test, "bench"), mixed(mixed_test, "mixed");
    mixed.eu.expect_changes();
    std::set<sc_core::sc_time> steps;
    for (EuBench* const each : {&bench, &mixed}) {
        each->code(0, {end_of_thread()});
        each->next = [&, each](ThreadDispatch& thread) {
            EXPECT_EQ(each, &bench) << "the mode may change between two threads";
            EXPECT_EQ(thread.retire.instructions, 1u);
            steps.insert(sc_core::sc_time_stamp());
            thread.repeats = each->ended.size() % 2 != 0;
            return each->ended.size() < 4;
        };
        each->dispatch(0, 0);
    }
    bench.run();
    ASSERT_EQ(bench.ended.size(), 5u);
    for (std::size_t n = 0; n < bench.ended.size(); ++n) {
        EXPECT_EQ(bench.ended[n].instructions, 1u);
        EXPECT_EQ(bench.ended[n].cycle, bench.ended[0].cycle + n);
    }
    EXPECT_EQ(steps.size(), 1u);
    EXPECT_EQ(mixed.ended.size(), 1u);
    EXPECT_EQ(bench.eu.stats().threads.value(), 5u);
    EXPECT_TRUE(bench.eu.idle());
}

}  // namespace
}  // namespace gen9::test
