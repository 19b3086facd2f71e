// SPDX-License-Identifier: Apache-2.0
// Latencies and occupancies of one thread. Expected values are those of the hardware measurements
// guide, section 2 (M-1..M-19 and the intervals derived there), not the parameters' defaults.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using eu::LatencyClass;
using eu::Pipe;
using Times = std::vector<std::uint64_t>;

/// Issue times of a program on an idle EU that has its code at hand, from its first instruction on.
Times measure(EuBench& bench, std::vector<FakeInstruction> program) {
    program.push_back(end_of_thread());
    bench.code(0, program);
    bench.dispatch(0, 0);
    bench.run(5000);
    const std::size_t first = bench.executed.size();
    EXPECT_EQ(first, program.size());
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 2u);
    EXPECT_EQ(bench.uses(), bench.eu.stats().cycles.value());
    Times times = bench.issue_times(0, first);
    if (!times.empty()) times.pop_back();
    return times;
}

FakeInstruction of(LatencyClass latency, unsigned registers, FakeInstruction i) {
    i.latency = latency;
    i.registers = static_cast<std::uint8_t>(registers);
    if (latency == LatencyClass::Math || latency == LatencyClass::MathPow ||
        latency == LatencyClass::MathIntDiv)
        i.pipe = Pipe::Em;
    return i;
}

struct Row {
    const char* what;
    LatencyClass latency;
    unsigned registers;
    bool conflict;
    std::uint64_t dependent, independent;
};

class EuLatency : public ::testing::TestWithParam<Row> {};

TEST_P(EuLatency, FromIssueToDependentAndToIndependentIssue) {
    GEN9_COVERS("EU-307 EU-308 EU-309 EU-311 EU-313");
    const Row& row = GetParam();
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction first = of(row.latency, row.registers, add(10, 2));
    first.bank_conflict = row.conflict;
    const Times times = measure(bench, {first, add(30, 2), add(40, 10)});
    ASSERT_EQ(times.size(), 3u);
    EXPECT_EQ(times[1], row.independent) << row.what;
    EXPECT_EQ(times[2], row.dependent) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, EuLatency,
    ::testing::Values(Row{"add SIMD8 (M-1)", LatencyClass::Simple, 1, false, 10, 2},
                      Row{"add SIMD16 (M-1)", LatencyClass::Simple, 2, false, 12, 4},
                      Row{"64-bit SIMD8 (M-2)", LatencyClass::Wide64, 2, false, 20, 8},
                      Row{"DWxDW multiply SIMD8 (M-3)", LatencyClass::MulDword, 1, false, 16, 4},
                      Row{"mad SIMD8 (M-4)", LatencyClass::Mad, 1, false, 10, 2},
                      Row{"mad SIMD8, bank conflict (M-4)", LatencyClass::Mad, 1, true, 11, 3},
                      Row{"mad SIMD16, bank conflict (M-4)", LatencyClass::Mad, 2, true, 14, 6},
                      Row{"dp4 SIMD8 (M-6)", LatencyClass::Dot, 1, false, 14, 2},
                      Row{"pln SIMD8 (M-7)", LatencyClass::Interpolate, 1, false, 16, 4},
                      Row{"math SIMD8 (M-8)", LatencyClass::Math, 1, false, 18, 2},
                      Row{"math SIMD16 (M-8)", LatencyClass::Math, 2, false, 22, 6},
                      Row{"pow SIMD8 (M-9)", LatencyClass::MathPow, 1, false, 26, 2},
                      Row{"integer divide SIMD8 (M-10)", LatencyClass::MathIntDiv, 1, false, 30,
                          2}));

TEST(EuLatencyOf, TheAccumulatorFourAndAFlagTwelve) {
    GEN9_COVERS("EU-309");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction writes_flag = add(10, 2), reads_flag = add(11, 2);
    writes_flag.writes_flag = reads_flag.reads_flag = true;
    FakeInstruction writes_acc = add(12, 2), reads_acc = add(13, 2);
    writes_acc.writes_acc = reads_acc.reads_acc = true;
    EXPECT_EQ(measure(bench, {writes_flag, reads_flag, writes_acc, reads_acc}),
              (Times{0, 14, 16, 22}));
}

TEST(EuLatencyOf, FlowControlIsEightCycles) {
    GEN9_COVERS("EU-310");
    TestEnvironment test;
    EuBench bench(test);
    EXPECT_EQ(measure(bench, {jump_if_less(2, 2, 0), add(10, 2)}), (Times{0, 8}));
    EXPECT_GT(bench.eu.stats().stall_branch.value(), 0u);
}

TEST(EuLatencyOf, ASwitchIsTwentyCycles) {
    GEN9_COVERS("EU-312");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction first = add(10, 2);
    first.thread_switch = true;
    EXPECT_EQ(measure(bench, {first, add(11, 2)}), (Times{0, 20}));
    EXPECT_GT(bench.eu.stats().stall_switch.value(), 0u);
}

TEST(EuLatencyOf, TheUnitIsBusyFourCyclesPerRegisterOfMath) {
    GEN9_COVERS("EU-308");
    TestEnvironment test;
    EuBench bench(test);
    const FakeInstruction math = of(LatencyClass::Math, 1, add(10, 2));
    FakeInstruction other = math;
    other.dst = 11;
    EXPECT_EQ(measure(bench, {math, other}), (Times{0, 4}));
}

TEST(EuLatencyOf, AMessagesRegistersCanBeUsedOneAfterTheOther) {
    GEN9_COVERS("EU-177");
    TestEnvironment test;
    EuBench bench(test);
    bench.response_latency = [](const Message&) { return 100u; };
    EXPECT_EQ(
        measure(bench, {load(Sfid::DataPort1, 20, 4, 2), add(10, 3), add(30, 20), add(31, 23)}),
        (Times{0, 2, 100, 103}));
    EXPECT_GT(bench.eu.stats().stall_message.value(), 0u);
}

TEST(EuLatencyOf, AWriteToADestinationInFlightWaits) {
    GEN9_COVERS("EU-173");
    TestEnvironment test;
    EuBench bench(test);
    EXPECT_EQ(measure(bench, {load(Sfid::DataPort1, 20, 1, 2), add(20, 3)}), (Times{0, 100}));
}

TEST(EuLatencyOf, TheSecondWriteOfARegisterWaitsForTheFirst) {
    GEN9_COVERS("EU-173");
    TestEnvironment test;
    EuBench bench(test);
    EXPECT_EQ(measure(bench, {of(LatencyClass::Math, 1, add(10, 2)), add(10, 3)}), (Times{0, 18}));
}

TEST(EuLatencyOf, APayloadCanBeOverwrittenWhenItHasBeenRead) {
    GEN9_COVERS("EU-178");
    TestEnvironment test;
    EuBench bench(test);
    const FakeInstruction protected_send = load(Sfid::DataPort1, 0xFF, 0, 2, 2);
    // 8 + 2 per register (M-12).
    EXPECT_EQ(measure(bench, {protected_send, add(3, 10)}), (Times{0, 12}));
}

TEST(EuLatencyOf, WithNoSrcDepSetThePayloadIsNotProtected) {
    GEN9_COVERS("EU-178");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction send = load(Sfid::DataPort1, 0xFF, 0, 2, 2);
    send.no_src_dep_set = true;
    EXPECT_EQ(measure(bench, {send, add(3, 10, 0xFF, 9)}), (Times{0, 2}));
    EXPECT_EQ(bench.sent[0].first_value, 0u)
        << "the payload is what it was when the send was issued";
}

TEST(EuLatencyOf, ABlockOfNoDDInstructionsDoesNotWaitForItself) {
    GEN9_COVERS("EU-174 EU-175");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction first = add(10, 2), inner = first, last = first;
    first.no_dd_clear = true;
    inner.no_dd_clear = inner.no_dd_check = true;
    last.no_dd_check = true;
    EXPECT_EQ(measure(bench, {first, inner, last, add(11, 10)}), (Times{0, 2, 4, 14}));
}

TEST(EuLatencyOf, AnIndirectOperandWaitsForAllThatIsInFlight) {
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction indirect = add(0xFF, 3);
    indirect.indirect = true;
    // The load, the indirect write, and a register it may have written.
    EXPECT_EQ(measure(bench, {load(Sfid::DataPort1, 20, 1, 2), indirect, add(11, 40)}),
              (Times{0, 100, 110}));
}

TEST(EuLatency, ReadingTheTimestampTakesAsLongAsAnyMoveAndCountsTheEusCycles) {
    GEN9_COVERS("EU-314");
    TestEnvironment test;
    EuBench bench(test);
    const FakeInstruction first{.op = FakeInstruction::Op::Timestamp, .dst = 112};
    const FakeInstruction second{.op = FakeInstruction::Op::Timestamp, .dst = 113};
    FakeInstruction end = end_of_thread();
    end.message_length = 2;
    bench.code(0, {first, second, end});
    bench.dispatch(0, 0);
    bench.run(5000);
    bench.executed.clear();
    bench.sent.clear();
    bench.dispatch(0, 0);
    bench.run(5000);
    const std::vector<std::uint64_t> at = bench.issue_cycles(0);
    ASSERT_EQ(at.size(), 3u);
    EXPECT_EQ(at[1] - at[0], 2u) << "the front end of a SIMD8 move";
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].first_value, at[0]);
    EXPECT_EQ(bench.sent[0].last_value, at[1]);
}

}  // namespace
}  // namespace gen9::test
