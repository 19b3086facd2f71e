// SPDX-License-Identifier: Apache-2.0
// The EU as a block: threads of their own, messages as the only way out, what dispatch brings
// along. The instruction words were made with `iga64 -p=9 -a` from the text beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "common/bits.h"
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

// clang-format off
/// What comes of r1.0 by singles, words, an accumulator and a flag: r1.0 and r1.0 + 5.
constexpr std::uint64_t kOwnState[] = {
    0x214002ec00800001, 0x0000000000000020,  // (W) mov (16|M0) r10.0<1>:f r1.0<0;1,0>:ud
    0x21803aec10800040, 0x3f0000003e8d0140,  // (W) add (16|M0) r12.0<1>:f r10.0<8;8,1>:f 0.5:f {AccWrEn}
    0x21c0164c00a00001, 0x0005000500000000,  // (W) mov (32|M0) r14.0<1>:uw 0x5:uw
    0x2600020400000001, 0x0000000000000020,  // (W) mov (1|M0) f0.0<1>:ud r1.0<0;1,0>:ud
    0x220038ec00800001, 0x00000000008d0400,  // (W) mov (16|M0) r16.0<1>:f acc0.0<8;8,1>:f
    0x2e003a0c00000001, 0x000000000000023c,  // (W) mov (1|M0) r112.0<1>:ud r17.7<0;1,0>:f
    0x2e20000c00000040, 0x000001fe12000600,  // (W) add (1|M0) r113.0<1>:ud f0.0<0;1,0>:ud r15.15<0;1,0>:uw
    0x2000020007600031, 0x8400001006000e00,  // send (8|M0) null r112 0x27 0x04000010 {EOT}
};
/// sr0.0 and pm0.
constexpr std::uint64_t kState[] = {
    0x2e00000c00008001, 0x0000000000000e00,  // (W) mov (1|M0) r112.0<1>:ud sr0.0<0;1,0>:ud {Switch}
    0x2e20000c00000001, 0x000000000000180c,  // (W) mov (1|M0) r113.0<1>:ud tm0.3<0;1,0>:ud
    0x2000020007600031, 0x8400001006000e00,  // send (8|M0) null r112 0x27 0x04000010 {EOT}
};
/// Ends when the threads before it have.
constexpr std::uint64_t kChecked[] = {
    0x2000020007600032, 0x8200001006000e00,  // sendc (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// r20 after a message that may answer nothing.
constexpr std::uint64_t kCommit[] = {
    0x2280060c00600001, 0x0000000700000000,  // (W) mov (8|M0) r20.0<1>:ud 0x7:ud
    0x228002080c600031, 0x02106e0406000020,  // send (8|M0) r20:ud r1 0xC 0x02106E04
    0x2e00020c00600001, 0x00000000008d0280,  // (W) mov (8|M0) r112.0<1>:ud r20.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// Two answers in flight to one register.
constexpr std::uint64_t kOverlap[] = {
    0x228002080c600031, 0x02106e0406000020,  // send (8|M0) r20:ud r1 0xC 0x02106E04
    0x228002080c600031, 0x02106e0406000020,  // send (8|M0) r20:ud r1 0xC 0x02106E04
    0x2e00020c00600001, 0x00000000008d0280,  // (W) mov (8|M0) r112.0<1>:ud r20.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// An exception inside a NoDDClr block; the routine at 0x50 needs its register.
constexpr std::uint64_t kBlock[] = {
    0x2280060c00600201, 0x0000000700000000,  // (W) mov (8|M0) r20.0<1>:ud 0x7:ud {NoDDClr}
    0x0000000000000000, 0x0000000000000000,  // illegal
    0x2280060c00600401, 0x0000000800000000,  // (W) mov (8|M0) r20.0<1>:ud 0x8:ud {NoDDChk}
    0x2e00020c00600001, 0x00000000008d0280,  // (W) mov (8|M0) r112.0<1>:ud r20.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
    0x2140020c00600001, 0x00000000008d0280,  // (W) mov (8|M0) r10.0<1>:ud r20.0<8;8,1>:ud
    0x000000000000007e, 0x0000000000000000,  // nop
};
/// A row that crosses into the next register.
constexpr std::uint64_t kBrokenRule[] = {
    0x21400a2c00600001, 0x00000000008d0050,  // (W) mov (8|M0) r10.0<1>:d r2.4<8;8,1>:d
    0x2e00020c00600001, 0x0000000000000150,  // (W) mov (8|M0) r112.0<1>:ud r10.4<0;1,0>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// A register whose message is lost, and the way to free it.
constexpr std::uint64_t kClear[] = {
    0x2280060c00600001, 0x0000000700000000,  // (W) mov (8|M0) r20.0<1>:ud 0x7:ud
    0x2600060400000001, 0x0000000000000000,  // (W) mov (1|M0) f0.0<1>:ud 0x0:ud
    0x228002080e600031, 0x02106e0406000020,  // send (8|M0) r20:ud r1 0xE 0x02106E04
    0x2280060c00610401, 0x0000000000000000,  // (W&f0.0) mov (8|M0) r20.0<1>:ud 0x0:ud {NoDDChk}
    0x2e00020c00600001, 0x00000000008d0280,  // (W) mov (8|M0) r112.0<1>:ud r20.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
// clang-format on

class EuBlock : public testing::TestWithParam<Timing> {};

TEST_P(EuBlock, ThreadsShareNothingAndReachTheWorldByMessages) {
    GEN9_COVERS("EU-001 EU-002");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kOwnState));
    for (unsigned slot = 0; slot < 7; ++slot) {
        bench.payload = {0, 100 * slot};
        bench.dispatch(slot, 0);
    }
    bench.run(50000);
    ASSERT_EQ(bench.sent.size(), 7u);
    for (const EuBench::Sent& sent : bench.sent) {
        EXPECT_EQ(sent.first_value, 100 * sent.slot);
        EXPECT_EQ(sent.last_value, 100 * sent.slot + 5);
        EXPECT_EQ(sent.port, static_cast<unsigned>(MessagePort::Spawner));
    }
    // Memory is asked for instructions only: the lines of the kernel, and in timed mode those
    // ahead.
    for (const std::uint64_t line : bench.fetched)
        EXPECT_LT(line - kCodeBase, sizeof kOwnState + 3 * kLineBytes);
    EXPECT_FALSE(test.reporter.failed());
}

TEST_P(EuBlock, TheStateRegisterSaysWhereTheThreadRunsAndHowOldItIs) {
    GEN9_COVERS("EU-003 EU-010 EU-094");
    TestEnvironment test(GetParam(), {"eu.threads=8"});
    EuBench bench(test);
    bench.code(0, bytes(kState));
    bench.adjust = [](ThreadDispatch& d) { d.ffid = 5; };
    std::uint64_t at = 100;  // a cycle apart: the first waits longer for its code
    for (const unsigned slot : {3u, 0u, 7u})
        bench.dispatch(slot, 0, at++, slot == 7);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), 3u);
    for (const EuBench::Sent& sent : bench.sent) {
        const std::uint32_t age = sent.slot == 3 ? 2 : sent.slot == 0 ? 1 : 0;
        const std::uint32_t priority = sent.slot == 7;
        // FFID, priority, age, subslice 1, EU 2, slot.
        EXPECT_EQ(sent.first_value,
                  5u << 24 | priority << 23 | age << 16 | 1u << 12 | 2u << 8 | sent.slot);
        EXPECT_EQ(sent.last_value, 0u) << "pm0 counts nothing (EU-110 is not modelled)";
    }
}

// Ten threads have the ages 0 to 7 and no room for more: the oldest share the last, and the bits
// above (priority, FFID) are what they were.
TEST_P(EuBlock, OnAnEuWithMoreThreadsThanAgesTheOldestShareOne) {
    TestEnvironment test(GetParam(), {"eu.threads=16"});
    EuBench bench(test);
    bench.code(0, bytes(kState));
    bench.adjust = [](ThreadDispatch& d) { d.ffid = 5; };
    constexpr unsigned kThreads = 10, kFirstSlot = 6;
    for (unsigned i = 0; i < kThreads; ++i)
        bench.dispatch(kFirstSlot + i, 0, 100 + i);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), kThreads);
    for (const EuBench::Sent& sent : bench.sent) {
        const std::uint32_t age = std::min(kFirstSlot + kThreads - 1 - sent.slot, 7u);
        EXPECT_EQ(sent.first_value, 5u << 24 | age << 16 | 1u << 12 | 2u << 8 | sent.slot);
    }
}

TEST_P(EuBlock, ALoneThreadStaysAsOldAsItIs) {
    GEN9_COVERS("EU-010");
    // 003:19943-19948: only a collision makes older.
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kState));
    bench.keep_gateway = true;
    bench.dispatch(0, 0);
    bench.dispatch(1, 0);
    // When the first (age 1) has ended, the second's age 0 is taken again by the third.
    bench.on_end = [&](const EuBench::Ended& end) {
        if (end.slot == 0) bench.dispatch(2, 0, bench.now() + 1000);
    };
    bench.run(50000);
    ASSERT_EQ(bench.sent.size(), 3u);
    EXPECT_EQ(bits(bench.sent[2].first_value, 18, 16), 0u);
}

TEST_P(EuBlock, SendcGoesWhenNoThreadIsBeforeItsOwn) {
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kChecked));
    // An FFTID without the valid bit is no dependency; GPGPU threads have none at all.
    bench.adjust = [](ThreadDispatch& d) { d.dependency[3] = 0x0105; };
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_FALSE(test.reporter.failed());
}

TEST_P(EuBlock, SendcWaitsUntilAllItDependsOnHaveEnded) {
    GEN9_COVERS("EU-108 MED-33");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kChecked));
    bench.adjust = [](ThreadDispatch& d) {
        d.dependency[3] = 0x8105;
        d.dependency[7] = 0x8006;
    };
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_TRUE(bench.ended.empty());
    EXPECT_NE(bench.eu.describe_waiting().find("the end of a thread it depends on"),
              std::string::npos)
        << bench.eu.describe_waiting();
    bench.thread_ended(0x105, bench.now() + 20);
    bench.thread_ended(0x104, bench.now() + 20);
    bench.run(5000);
    EXPECT_TRUE(bench.ended.empty()) << "the other has not ended";
    const std::uint64_t end = bench.now() + 40;
    bench.thread_ended(6, end);
    bench.run(5000);
    ASSERT_EQ(bench.ended.size(), 1u);
    if (GetParam() == Timing::Timed) {
        EXPECT_GE(bench.ended[0].cycle, end);
        EXPECT_LE(bench.ended[0].cycle, end + 20);
        EXPECT_GT(bench.eu.stats().stall_dependency.value(), 9000u);
    }
    EXPECT_FALSE(test.reporter.failed());
}

TEST_P(EuBlock, WhatEndsBeforeAThreadHasStartedIsNotWaitedFor) {
    GEN9_COVERS("EU-108");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kChecked));
    bench.adjust = [](ThreadDispatch& d) { d.dependency[0] = 0x8005; };
    bench.dispatch(0, 0, 300);
    bench.thread_ended(5, 40);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 1u);
}

// The notice of an end is on its way for some cycles. Meanwhile the slot is another thread's, which
// threads dispatched since then wait for.
TEST_P(EuBlock, ANoticeIsNotOfALaterThreadOfTheSameSlot) {
    GEN9_COVERS("EU-108");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kChecked));
    bench.adjust = [](ThreadDispatch& d) { d.dependency[2] = 0x8005; };
    bench.thread_ended(5, bench.now() + 400);
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_TRUE(bench.ended.empty());
    bench.thread_ended(5, bench.now() + 20);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 1u);
}

TEST_P(EuBlock, AnAnswerWithoutDataOnlyFreesItsRegister) {
    GEN9_COVERS("EU-189");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kCommit));
    bench.enables = [](const Message&) { return 0u; };
    bench.payload = {0, 0};
    bench.dispatch(0, 0);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), 2u);
    EXPECT_EQ(bench.sent[1].first_value, 7u);
    EXPECT_FALSE(test.reporter.failed());
}

TEST_P(EuBlock, OverlappingAnswersDoNotHoldTheThreadUp) {
    GEN9_COVERS("EU-179");
    TestEnvironment test(GetParam());
    EuBench bench(test);
    bench.code(0, bytes(kOverlap));
    unsigned number = 0;
    bench.answer = [&](const Message&, unsigned) { return 50 + number++ % 2; };
    bench.payload = {0, 0};
    bench.dispatch(0, 0);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), 3u);
    EXPECT_TRUE(bench.sent[2].first_value == 50 || bench.sent[2].first_value == 51);
}

TEST_P(EuBlock, ABrokenRuleIsReportedOnceAndExecutedByTheAddressFormula) {
    GEN9_COVERS("EU-026 EU-037 EU-297");
    TestEnvironment test(GetParam(), {"eu.strict=on"});
    EuBench bench(test);
    bench.code(0x100, bytes(kBrokenRule));
    bench.payload = {0, 1, 2, 3};
    for (unsigned slot = 0; slot < 3; ++slot)
        bench.dispatch(slot, 0x100);
    bench.run(5000);
    ASSERT_EQ(bench.sent.size(), 3u);
    for (const EuBench::Sent& sent : bench.sent)
        EXPECT_EQ(sent.first_value, 3u) << "r3.0, the fifth element from r2.4 on";
    ASSERT_EQ(test.reporter.entries().size(), 1u);
    EXPECT_EQ(test.reporter.entries()[0].kind, "instruction breaks EU-037");
    EXPECT_NE(test.reporter.entries()[0].place.find("ip 00000100"), std::string::npos);
    EXPECT_NE(test.reporter.entries()[0].text.find("r2.4<8;8,1>:d"), std::string::npos);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
}

TEST(EuSignals, NameTheOpcodeAtTheInstructionPointer) {
    TestEnvironment test;
    EuBench bench(test);
    SignalLog log(test.environment.signals);
    bench.code(0, bytes(kClear));
    bench.payload = {0, 0};
    bench.dispatch(0, 0);
    bench.run(5000);
    ASSERT_EQ(bench.ended.size(), 1u);
    const std::uint64_t end = bench.ended[0].cycle;
    EXPECT_STREQ(eu::opcode_words()[log.value("bench.eu0.thread0.opcode", end - 1)], "send");
    EXPECT_STREQ(eu::opcode_words()[log.value("bench.eu0.thread0.opcode", end + 1)], "none");
}

INSTANTIATE_TEST_SUITE_P(Modes, EuBlock, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& info) {
                             return info.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST(EuException, ARegisterOfANoDdClrBlockHoldsTheSystemRoutineUp) {
    GEN9_COVERS("EU-176");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, bytes(kBlock));
    bench.system_routine(0x50);
    bench.adjust = [](ThreadDispatch& d) { d.illegal_opcode_exception = true; };
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_TRUE(bench.ended.empty());
    ASSERT_FALSE(bench.executed.empty());
    EXPECT_EQ(bench.executed.back().ip, 0x10u) << "the routine's first instruction never issues";
    EXPECT_NE(bench.eu.describe_waiting().find("ip 00000050"), std::string::npos)
        << bench.eu.describe_waiting();
}

TEST(EuKernel, NoDdChkUnderAFalsePredicateFreesARegisterThatNeverReturns) {
    GEN9_COVERS("EU-181 EU-208");
    // 003:22488-22501. The data stays as it was.
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, bytes(kClear));
    bench.payload = {0, 0};
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 1u) << bench.eu.describe_waiting();
    ASSERT_EQ(bench.sent.size(), 1u);
    EXPECT_EQ(bench.sent[0].first_value, 7u);
}

}  // namespace
}  // namespace gen9::test
