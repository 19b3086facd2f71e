// SPDX-License-Identifier: Apache-2.0
// Several threads: which of them issues when.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/covers.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using eu::LatencyClass;
using eu::Pipe;
using Times = std::vector<std::uint64_t>;

/// Puts the code of all threads at hand by running one thread through each of `ips`, then starts
/// one thread per slot at the same cycle; that cycle is returned.
std::uint64_t start_together(EuBench& bench, const std::vector<std::uint32_t>& ips,
                             const std::vector<unsigned>& priorities = {}) {
    for (const std::uint32_t ip : ips) {
        bench.dispatch(0, ip);
        bench.run(5000);
    }
    bench.executed.clear();
    bench.ended.clear();
    const std::uint64_t at = bench.now() + 20;
    for (unsigned slot = 0; slot < ips.size(); ++slot)
        bench.dispatch(slot, ips[slot], at, slot < priorities.size() ? priorities[slot] : 0);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), ips.size());
    EXPECT_EQ(bench.uses(), bench.eu.stats().cycles.value());
    EXPECT_TRUE(bench.eu.idle());
    return at;
}

Times after(Times times, std::uint64_t start) {
    for (std::uint64_t& time : times)
        time -= start;
    return times;
}

FakeInstruction math(unsigned dst) {
    FakeInstruction i = add(dst, 2);
    i.pipe = Pipe::Em;
    i.latency = LatencyClass::Math;
    return i;
}

TEST(EuIssue, FourInstructionsOfFourThreadsGoToTheFourUnitsInOneCycle) {
    GEN9_COVERS("EU-306 EU-007 EU-008");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0x000, {add(10, 2), end_of_thread()});
    bench.code(0x100, {math(10), end_of_thread()});
    bench.code(0x200, {jump_if_less(2, 2, 0), end_of_thread()});
    bench.code(0x300, {load(Sfid::DataPort1, 20, 1, 2), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0x100, 0x200, 0x300});
    for (unsigned slot = 0; slot < 4; ++slot)
        EXPECT_EQ(bench.issue_cycles(slot)[0], at) << "slot " << slot;
    EXPECT_GT(bench.eu.stats().coissue_cycles.value(), 0u);
}

TEST(EuIssue, BothPipesTakeOrdinaryInstructionsAndAThirdThreadWaits) {
    GEN9_COVERS("EU-008");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {add(10, 2), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0, 0});
    EXPECT_EQ(bench.issue_cycles(0)[0], at);
    EXPECT_EQ(bench.issue_cycles(1)[0], at);
    EXPECT_EQ(bench.issue_cycles(2)[0], at + 2)
        << "a SIMD8 instruction occupies its pipe for two cycles";
}

TEST(EuIssue, ACompressedInstructionOccupiesItsPipeForFourCycles) {
    GEN9_COVERS("EU-307");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction wide = add(10, 2);
    wide.registers = 2;
    bench.code(0, {wide, end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0, 0});
    EXPECT_EQ(bench.issue_cycles(2)[0], at + 4);
}

// Published measurements have double precision at a quarter of single precision, on one FPU.
TEST(EuIssue, DoublesPassTheirPipeAtAQuarterOfTheRateOfSingles) {
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction wide = add(10, 2);  // eight doubles are two registers
    wide.registers = 2;
    wide.latency = LatencyClass::MadWide;
    wide.pipe = Pipe::Em;
    bench.code(0, {wide, end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0, 0});
    EXPECT_EQ(bench.issue_cycles(1)[0], at + 4) << "two singles of eight channels take two cycles";
    EXPECT_EQ(bench.issue_cycles(2)[0], at + 8);
}

TEST(EuIssue, OldestFirstKeepsTheRunningThreadUntilItMeetsADependency) {
    GEN9_COVERS("EU-005");
    TestEnvironment test;
    EuBench bench(test);
    // The third depends on the first; math occupies its unit for four cycles.
    FakeInstruction dependent = math(12);
    dependent.src0 = 11;
    bench.code(0, {math(10), math(11), dependent, end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0});
    const Times first = after(bench.issue_cycles(0), at), second = after(bench.issue_cycles(1), at);
    EXPECT_EQ(Times(first.begin(), first.begin() + 3), (Times{0, 4, 22}));
    // The younger runs when the older waits, and stays: at 22 the older's third is due, the
    // younger's waits for its own until 30.
    EXPECT_EQ(Times(second.begin(), second.begin() + 3), (Times{8, 12, 30}));
}

TEST(EuIssue, OldestFirstKeepsTheRunningThreadThoughAnOlderBecomesReady) {
    GEN9_COVERS("EU-005");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction dependent = math(11);
    dependent.src0 = 10;
    bench.code(0x000, {math(10), dependent, end_of_thread()});
    bench.code(0x100, {math(10), math(11), math(12), math(13), math(14), math(15), math(16),
                       end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0x100});
    const Times older = after(bench.issue_cycles(0), at),
                younger = after(bench.issue_cycles(1), at);
    EXPECT_EQ(Times(younger.begin(), younger.begin() + 7), (Times{4, 8, 12, 16, 20, 24, 28}));
    EXPECT_EQ(older[1], 32u) << "ready at 18";
}

TEST(EuIssue, RoundRobinTakesTurns) {
    GEN9_COVERS("EU-006");
    TestEnvironment test(Timing::Timed, {"eu.policy=round_robin"});
    EuBench bench(test);
    bench.code(0, {math(10), math(11), math(12), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0});
    const Times a = after(bench.issue_cycles(0), at), b = after(bench.issue_cycles(1), at);
    const bool first = a[0] < b[0];
    EXPECT_EQ(Times((first ? a : b).begin(), (first ? a : b).begin() + 3), (Times{0, 8, 16}));
    EXPECT_EQ(Times((first ? b : a).begin(), (first ? b : a).begin() + 3), (Times{4, 12, 20}));
}

/// Issue cycles of three independent math instructions of two threads, without those of their end.
std::array<Times, 2> three_of_two(EuBench& bench) {
    bench.code(0, {math(10), math(11), math(12), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0});
    std::array<Times, 2> times{after(bench.issue_cycles(0), at), after(bench.issue_cycles(1), at)};
    for (Times& of_thread : times)
        of_thread.resize(3);
    return times;
}

Times one_after_the_other(bool second) {
    return second ? Times{12, 16, 20} : Times{0, 4, 8};
}

TEST(EuIssue, SoftwareChoosesRoundRobinByTheRegister) {
    GEN9_COVERS("EU-006");
    TestEnvironment test;
    EuBench bench(test);
    bench.write_register(0xE404, 0x100);
    std::array<Times, 2> times = three_of_two(bench);
    std::sort(times.begin(), times.end());
    EXPECT_EQ(times[0], (Times{0, 8, 16}));
    EXPECT_EQ(times[1], (Times{4, 12, 20}));
}

TEST(EuIssue, OldestFirstHoldsUntilSoftwareChoosesAndAgainWhenItTakesThatBack) {
    GEN9_COVERS("EU-005");
    TestEnvironment test;
    EuBench bench(test);
    for (const std::uint32_t before : {0u, 0x100u}) {
        bench.write_register(0xE404, before);
        bench.write_register(0xE404, 0);
        const std::array<Times, 2> times = three_of_two(bench);
        EXPECT_EQ(times[0], one_after_the_other(false)) << before;
        EXPECT_EQ(times[1], one_after_the_other(true)) << before;
    }
}

TEST(EuIssue, APolicyThatIsSetOutranksTheRegister) {
    TestEnvironment test(Timing::Timed, {"eu.policy=oldest"});
    EuBench bench(test);
    bench.write_register(0xE404, 0x100);
    const std::array<Times, 2> times = three_of_two(bench);
    EXPECT_EQ(times[0], one_after_the_other(false));
    EXPECT_EQ(times[1], one_after_the_other(true));
}

// A thread already announced keeps the choice of its dispatch, however far the EU is ahead.
TEST(EuIssue, TheChoiceIsTakenWithTheDispatch) {
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {math(10), math(11), math(12), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(5000);
    bench.executed.clear();
    const std::uint64_t at = bench.now() + 20;
    bench.dispatch(0, 0, at);
    bench.dispatch(1, 0, at);
    bench.write_register(0xE404, 0x100);
    bench.run(5000);
    EXPECT_EQ(after(bench.issue_cycles(0), at)[1], 4u);
}

TEST(EuIssue, SevenThreadsRunAtATime) {
    GEN9_COVERS("EU-003");
    TestEnvironment test;
    EuBench bench(test);
    ASSERT_EQ(bench.eu.params().threads.get(), 7u);
    // Each waits long for its message: all are there together.
    bench.response_latency = [](const Message&) { return 500u; };
    FakeInstruction user = add(21, 20);
    bench.code(0, {load(Sfid::DataPort1, 20, 1, 2), user, end_of_thread()});
    const std::uint64_t at = start_together(bench, std::vector<std::uint32_t>(7, 0));
    for (unsigned slot = 0; slot < 7; ++slot) {
        EXPECT_LT(bench.issue_cycles(slot)[0], at + 100) << slot;
        EXPECT_GE(bench.issue_cycles(slot)[1], at + 500) << slot;
    }
}

TEST(EuIssue, TheHighPriorityClassGoesFirst) {
    GEN9_COVERS("EU-010");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {math(10), math(11), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0, 0}, {0, 0, 1});
    EXPECT_EQ(bench.issue_cycles(2)[0], at);
    EXPECT_EQ(bench.issue_cycles(2)[1], at + 4);
    EXPECT_EQ(bench.issue_cycles(0)[0], at + 8);
}

TEST(EuIssue, SwitchLetsAnotherThreadRun) {
    GEN9_COVERS("EU-180");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction switching = math(10);
    switching.thread_switch = true;
    bench.code(0, {switching, math(11), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0});
    EXPECT_EQ(bench.issue_cycles(0)[0], at);
    EXPECT_EQ(bench.issue_cycles(1)[0], at + 4);
    EXPECT_EQ(bench.issue_cycles(0)[1], at + 20);
    EXPECT_EQ(bench.issue_cycles(1)[1], at + 24);
}

TEST(EuIssue, AfterAnAtomicSendTheThreadsNextInstructionComesFirst) {
    GEN9_COVERS("EU-180");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction atomic = load(Sfid::DataPort1, 0xFF, 0, 2);
    atomic.atomic = true;
    bench.code(0x000, {math(10), math(11), math(12), end_of_thread()});
    bench.code(0x100, {atomic, math(10), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0, 0x100});
    EXPECT_EQ(after(bench.issue_cycles(1), at)[1], 4u) << "before the older thread's second";
    EXPECT_EQ(after(bench.issue_cycles(0), at)[1], 8u);
}

TEST(EuIssue, SendsWaitForRoomInTheFunctionsQueue) {
    TestEnvironment test(Timing::Timed, {"eu.message_credits=2"});
    EuBench bench(test);
    bench.accept_latency = [](const Message&) { return 40u; };
    bench.code(0,
               {load(Sfid::DataPort1, 20, 1, 2), load(Sfid::DataPort1, 21, 1, 2),
                load(Sfid::DataPort1, 22, 1, 2), load(Sfid::Sampler, 23, 1, 2), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0});
    EXPECT_EQ(after(bench.issue_cycles(0), at), (Times{0, 2, 40, 42, 44}));
    EXPECT_GT(bench.eu.stats().stall_send_queue.value(), 0u);
}

TEST(EuIssue, WaitGoesOnInTheCycleOfTheNotification) {
    GEN9_COVERS("EU-206");
    TestEnvironment test;
    EuBench bench(test);
    bench.response_latency = [](const Message&) { return 90u; };
    bench.code(0, {load(Sfid::Gateway, 0xFF, 0, 2), wait_n0(), end_of_thread()});
    const std::uint64_t at = start_together(bench, {0});
    EXPECT_EQ(after(bench.issue_cycles(0), at), (Times{0, 90, 92}));
    EXPECT_GT(bench.eu.stats().stall_barrier.value(), 0u);
}

}  // namespace
}  // namespace gen9::test
