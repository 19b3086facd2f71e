// SPDX-License-Identifier: Apache-2.0
// A thread's way through the system routine, and its age, in the module with the real executor. The
// instruction words were made with `iga64 -p=9 -a` from the text beside them.
#include <gtest/gtest.h>

#include <cstring>

#include "common/bits.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

// clang-format off
/// An illegal opcode, and from 0x50 a routine that steps over it.
constexpr std::uint64_t kIllegal[] = {
    0x2140060c00000001, 0x0000000100000000,  // (W) mov (1|M0) r10.0<1>:ud 0x1:ud
    0x0000000000000000, 0x0000000000000000,  // illegal
    0x2140020c00000040, 0x0000000206000140,  // (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x2:ud
    0x2e00020c00600001, 0x00000000008d0140,  // (W) mov (8|M0) r112.0<1>:ud r10.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
    0x2140020c00000040, 0x0000001006000140,  // (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x10:ud
    0x3008000400008040, 0x0000001006001008,  // (W) add (1|M0) cr0.2<1>:ud cr0.2<0;1,0>:ud 0x10:ud {Switch}
    0x3004000400008005, 0xf800f80016001004,  // (W) and (1|M0) cr0.1<1>:ud cr0.1<0;1,0>:ud 0xF800:uw {Switch}
    0x3000000400008005, 0x7fffffff06001000,  // (W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x7FFFFFFF:ud {Switch}
    0x000000000000007e, 0x0000000000000000,  // nop
};
// clang-format on

constexpr std::uint32_t kRoutine = 0x50;

void run_illegal(EuBench& bench, bool enabled) {
    bench.code(0, bytes(kIllegal));
    bench.system_routine(kRoutine);
    bench.adjust = [enabled](ThreadDispatch& d) { d.illegal_opcode_exception = enabled; };
    bench.dispatch(0, 0);
    bench.run(5000);
}

void expect_handled(const EuBench& bench) {
    ASSERT_EQ(bench.ended.size(), 1u);
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].first_value, 0x13u) << "before, in the routine, and after";
    EXPECT_EQ(bench.eu.stats().exceptions.value(), 2u) << "in and out";
    EXPECT_FALSE(bench.test.reporter.failed()) << "the program takes care of it";
}

TEST(EuException, TheSystemRoutineRunsAndReturnsInTimedMode) {
    GEN9_COVERS("EU-289 EU-291 EU-292");
    TestEnvironment test(Timing::Timed, {"eu.exception_front_end=40"});
    EuBench bench(test);
    run_illegal(bench, true);
    expect_handled(bench);
    std::vector<std::uint32_t> ips;
    for (const EuBench::Executed& e : bench.executed)
        ips.push_back(e.ip);
    EXPECT_EQ(ips, (std::vector<std::uint32_t>{0, 0x10, 0x50, 0x60, 0x70, 0x80, 0x20, 0x30, 0x40}));
    // Entering and leaving take the parameter's time; the lines were at hand from a first run.
    bench.run(5000);
    bench.dispatch(0, 0);
    bench.run(5000);
    const auto times = bench.issue_times(0, 9);
    ASSERT_EQ(times.size(), 9u);
    EXPECT_EQ(times[2] - times[1], 40u);
    EXPECT_EQ(times[6] - times[5], 40u);
    EXPECT_EQ(bench.uses(), bench.eu.stats().cycles.value());
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuException, MessagesSayWhetherTheSystemRoutineSendsThem) {
    GEN9_COVERS("DP-051");
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    // The thread ends by itself, or its first instruction is illegal and the routine ends it.
    const std::uint64_t end[] = {kIllegal[8], kIllegal[9]};
    std::vector<std::uint64_t> code(kRoutine / 8);
    code.insert(code.end(), std::begin(end), std::end(end));
    bench.code(0, bytes(code));
    bench.system_routine(kRoutine);
    bench.adjust = [](ThreadDispatch& d) { d.illegal_opcode_exception = true; };
    bench.dispatch(0, 0);
    bench.dispatch(1, kRoutine);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), 2u);
    for (const EuBench::Sent& sent : bench.sent)
        EXPECT_EQ(sent.system_routine, sent.slot == 0) << sent.slot;
}

TEST(EuException, TheSystemRoutineRunsAndReturnsInFunctionalMode) {
    GEN9_COVERS("EU-289 EU-291 EU-292");
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    run_illegal(bench, true);
    expect_handled(bench);
}

TEST(EuException, ADisabledOneIsReportedAndEndsTheThread) {
    GEN9_COVERS("EU-294");
    TestEnvironment test;
    EuBench bench(test);
    run_illegal(bench, false);
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_TRUE(bench.sent.empty());
    ASSERT_EQ(test.reporter.entries().size(), 1u);
    EXPECT_NE(test.reporter.entries()[0].kind.find("illegal instruction"), std::string::npos);
}

/// A thread that never ends by itself, and from 0x70 of kIllegal the end of a routine.
void run_endless(EuBench& bench) {
    const std::uint64_t endless[] = {0x2140060c00000001,
                                     0x0000000100000000,  // (W) mov (1|M0) r10.0<1>:ud 0x1:ud
                                     0x3400000400000020, 0xfffffff00e001400};  // (W) jmpi to itself
    bench.code(0, bytes(kIllegal));
    bench.code(0, bytes(endless));
    bench.system_routine(0x70);
    bench.dispatch(0, 0);
    bench.dispatch(3, 0);
    bench.run(1000);
    EXPECT_TRUE(bench.ended.empty());
    bench.save_threads(bench.now() + 100);
    bench.run(50000);
}

// 003:22285-22289.
void save_and_restore(Timing timing) {
    TestEnvironment test(timing);
    EuBench bench(test);
    run_endless(bench);
    ASSERT_EQ(bench.ended.size(), 2u);
    for (const EuBench::Ended& ended : bench.ended)
        EXPECT_TRUE(ended.saved);
    EXPECT_TRUE(bench.sent.empty());
    EXPECT_EQ(bench.executed.back().ip, 0x80u) << "what clears the master bit is the last";
    EXPECT_TRUE(bench.eu.idle());
    // Its registers are the routine's business. Here it goes on at 0x30.
    bench.adjust = [](ThreadDispatch& d) { d.restored = true; };
    const std::size_t before = bench.executed.size();
    bench.dispatch(0, 0x30);
    bench.run(5000);
    ASSERT_EQ(bench.ended.size(), 3u);
    EXPECT_FALSE(bench.ended[2].saved);
    std::vector<std::uint32_t> ips;
    for (std::size_t i = before; i < bench.executed.size(); ++i)
        ips.push_back(bench.executed[i].ip);
    EXPECT_EQ(ips, (std::vector<std::uint32_t>{0x70, 0x80, 0x30, 0x40}));
    EXPECT_FALSE(test.reporter.failed());
}
TEST(EuSave, ThreadsLeaveTheirSlotsAndComeBackInTimedMode) {
    save_and_restore(Timing::Timed);
}
TEST(EuSave, ThreadsLeaveTheirSlotsAndComeBackInFunctionalMode) {
    save_and_restore(Timing::Functional);
}

}  // namespace
}  // namespace gen9::test
