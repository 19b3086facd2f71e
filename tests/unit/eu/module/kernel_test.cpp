// SPDX-License-Identifier: Apache-2.0
// The module with the real executor. The instruction words were made with `iga64 -p=9 -a` from the
// text beside them.
#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "isa/text/assemble.h"
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using Times = std::vector<std::uint64_t>;

// clang-format off
constexpr std::uint64_t kDependent[] = {
    0x21403ae800600040, 0x008d00603a8d0040,  // add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f
    0x21603ae800600040, 0x008d00603a8d0140,  // add (8|M0) r11.0<1>:f r10.0<8;8,1>:f r3.0<8;8,1>:f
    0x21803ae800800040, 0x008d00403a000160,  // add (16|M0) r12.0<1>:f r11.0<0;1,0>:f r2.0<8;8,1>:f
    0x21c03ae800800040, 0x008d00403a8d0180,  // add (16|M0) r14.0<1>:f r12.0<8;8,1>:f r2.0<8;8,1>:f
    0x220032c800600040, 0x00690040320001c0,  // add (8|M0) r16.0<1>:df r14.0<0;1,0>:df r2.0<4;4,1>:df
    0x224032c800600040, 0x0069004032690200,  // add (8|M0) r18.0<1>:df r16.0<4;4,1>:df r2.0<4;4,1>:df
    0x22803ae801600038, 0x00000000008d0240,  // math.inv (8|M0) r20.0<1>:f r18.0<8;8,1>:f
    0x22c03ae801800038, 0x0000000000000280,  // math.inv (16|M0) r22.0<1>:f r20.0<0;1,0>:f
    0x23003ae800800001, 0x00000000008d02c0,  // mov (16|M0) r24.0<1>:f r22.0<8;8,1>:f
    0x1a1e00000060015b, 0x01472006390181c8,  // mad (8|M0) r26.0<1>:f r24.0<8;1>:f r3.0<8;1>:f r5.0<1>:f
    0x23600a2800600041, 0x008d00400a8d0340,  // mul (8|M0) r27.0<1>:d r26.0<8;8,1>:d r2.0<8;8,1>:d
    0x23800a2800600001, 0x00000000008d0360,  // mov (8|M0) r28.0<1>:d r27.0<8;8,1>:d
    0x20003ae005600010, 0x008d00603a8d0040,  // cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f
    0x23a03ae800610001, 0x00000000008d0040,  // (f0.0) mov (8|M0) r29.0<1>:f r2.0<8;8,1>:f
    0x2e00020800600001, 0x00000000008d0000,  // mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};

constexpr std::uint64_t kLoop[] = {
    0x2fe0020800600001, 0x00000000008d0000,  // mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
    0x3000000400008006, 0x04c004c016001000,  // (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw {Switch}
    0x2140060c00000001, 0x0000000000000000,  // (W) mov (1|M0) r10.0<1>:ud 0x0:ud
    0x2160060800600001, 0x0000000000000000,  // mov (8|M0) r11.0<1>:ud 0x0:ud
    0x228002080c600031, 0x02106e0406000020,  // send (8|M0) r20:ud r1 0xC 0x02106E04
    0x2160020800600040, 0x008d0280028d0160,  // add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r20.0<8;8,1>:ud
    0x2140020c00000040, 0x0000000106000140,  // (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x1:ud
    0x2000020405000010, 0x0000000a06000140,  // (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud 0xA:ud
    0x3400000400010020, 0xffffffb00e001400,  // (W&f0.0) jmpi L
    0x21a0060c00600001, 0x0000000000000000,  // (W) mov (8|M0) r13.0<1>:ud 0x0:ud
    0x3200060400008001, 0x0000000000000000,  // (W) mov (1|M0) n0.0<1>:ud 0x0:ud {Switch}
    0x21a8020c00000005, 0x8f00000006000008,  // (W) and (1|M0) r13.2<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud
    0x2000020403000031, 0x02000004060001a0,  // (W) send (1|M0) null r13 0x3 0x02000004
    0x3200000400000030, 0x0000000000001200,  // (W) wait n0:ud
    0x2040020800600001, 0x00000000008d0160,  // mov (8|M0) r2.0<1>:ud r11.0<8;8,1>:ud
    0x000020100c600033, 0x02026e0400000021,  // sends (8|M0) null:ud r1 r2 0x4C 0x02026E04
    0x2e00020800600001, 0x00000000008d0fe0,  // mov (8|M0) r112.0<1>:ud r127.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};

constexpr std::uint64_t kEndIntoRegisters[] = {
    0x2e00020800600001, 0x00000000008d0000,  // mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud
    0x2280020807600031, 0x8200001006000e00,  // send (8|M0) r20:ud r112 0x27 0x02000010 {EOT}
};

constexpr std::uint64_t kDescriptorInA0[] = {
    0x2208060400000001, 0x0000004c00000000,  // (W) mov (1|M0) a0.2<1>:ud 0x4C:ud
    0x2000201000600033, 0x02026e0400020020,  // sends (8|M0) null:ud r1 r2 a0.2 0x02026E04
    0x2000301000600033, 0x02026e0400020020,  // sends (8|M0) null:ud r1 r3 a0.2 0x02026E04
    0x2000401000600033, 0x02026e0400020020,  // sends (8|M0) null:ud r1 r4 a0.2 0x02026E04
    0x2e00020800600001, 0x00000000008d0000,  // mov (8|M0) r112.0<1>:ud r0.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
// clang-format on

TEST(EuKernel, DependentInstructionsOfAllClassesTakeTheMeasuredTimes) {
    GEN9_COVERS("EU-307 EU-308 EU-309 EU-311 EU-313");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, bytes(kDependent));
    bench.dispatch(0, 0);
    bench.run(5000);
    bench.dispatch(0, 0);
    bench.run(5000);
    ASSERT_EQ(bench.ended.size(), 2u);
    // Hardware measurements guide, section 2: add 10 and 12, double 20, math 18 and 22, mad 10 + 1
    // (r3 and r5 are in one bank), DWord multiply 16, flag 14.
    EXPECT_EQ(bench.issue_times(0, 16),
              (Times{0, 10, 20, 32, 44, 64, 84, 102, 124, 136, 147, 163, 165, 179, 181, 191}));
    EXPECT_FALSE(test.reporter.failed());
}

// 003:19409.
void expect_no_end(Timing timing) {
    TestEnvironment test(timing);
    EuBench bench(test);
    bench.code(0, bytes(kEndIntoRegisters));
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_TRUE(bench.sent.empty());
    const bool timed = timing == Timing::Timed;
    EXPECT_EQ(bench.ended.size(), timed ? 0u : 1u);
    EXPECT_NE(bench.eu.idle(), timed);
    EXPECT_EQ(bench.eu.describe_waiting().find("EU-201") != std::string::npos, timed)
        << bench.eu.describe_waiting();
    ASSERT_EQ(test.reporter.guest_errors(), 1u);
    EXPECT_NE(test.reporter.entries()[0].text.find("EU-201"), std::string::npos);
}

TEST(EuKernel, AnEndOfThreadIntoGeneralRegistersIsNeverIssuedAndHangs) {
    GEN9_COVERS("EU-201");
    expect_no_end(Timing::Timed);
}
TEST(EuKernel, InFunctionalModeTheThreadEndsSoThatTheRunEnds) {
    expect_no_end(Timing::Functional);
}

/// Ten loads summed, a barrier, a store of the sum, the end.
void run_loop(EuBench& bench) {
    bench.code(0, bytes(kLoop));
    bench.payload = {0, 0x100};
    for (unsigned slot = 0; slot < 7; ++slot)
        bench.dispatch(slot, 0);
    bench.run(50000);
}

void expect_loop_results(const EuBench& bench) {
    EXPECT_EQ(bench.ended.size(), 7u);
    unsigned stores = 0;
    for (const EuBench::Sent& sent : bench.sent)
        if (sent.registers == 2) {
            EXPECT_EQ(sent.first_value, 0x100u);
            EXPECT_EQ(sent.last_value, 10000u);
            ++stores;
        }
    EXPECT_EQ(stores, 7u);
    for (const EuBench::Ended& end : bench.ended) {
        EXPECT_EQ(end.instructions, 4u + 10 * 5 + 9);
        EXPECT_EQ(end.messages, 13u);
    }
}

TEST(EuKernel, ALoopWithLoadsAndABarrierInTimedMode) {
    TestEnvironment test;
    EuBench bench(test);
    run_loop(bench);
    expect_loop_results(bench);
    EXPECT_EQ(bench.uses(), bench.eu.stats().cycles.value());
    EXPECT_TRUE(bench.eu.idle());
    EXPECT_FALSE(test.reporter.failed());
}

TEST(EuKernel, ALoopWithLoadsAndABarrierInFunctionalMode) {
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    run_loop(bench);
    expect_loop_results(bench);
    EXPECT_TRUE(bench.eu.idle());
    EXPECT_FALSE(test.reporter.failed());
}

TEST(EuKernel, ASlotsNextThreadFindsWhatIsNotLoaded) {
    GEN9_COVERS("EU-021");
    // The loop leaves f0.0 with bit 0 clear; a thread that begins in the middle sees it and goes
    // on.
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    run_loop(bench);
    const std::size_t before = bench.ended.size();
    bench.dispatch(2, 8 * 16);
    bench.run(50000);
    ASSERT_EQ(bench.ended.size(), before + 1);
    EXPECT_EQ(bench.ended.back().instructions, 10u);
}

using isa::grf;
using isa::Inst;
using isa::Opcode;
using isa::Type;

Inst set(unsigned to, unsigned from) {
    return Inst(Opcode::Mov).exec(8).no_mask().dst(grf(to), Type::UD).src(grf(from), Type::UD);
}
/// Shows the register that it is given, and ends.
void show(isa::Program& program, unsigned from) {
    program << set(112, from)
            << Inst(Opcode::Send)
                   .exec(8)
                   .dst(isa::null(), Type::UD)
                   .src(grf(112), Type::UD)
                   .message(7, 0x02000010)
                   .eot();
}

TEST(EuKernel, WhatAThreadHasWrittenTheNextDoesNotFind) {
    GEN9_COVERS("EU-021");
    // A result and a response in one page of code, a result in the next, and a thread that is
    // given less than the one before: what it reads is not loaded.
    constexpr std::uint32_t kReads = 0x2000;
    const std::array<unsigned, 5> written{20, 30, 31, 40, 4};
    TestEnvironment quick(Timing::Functional), exact(Timing::Timed);
    EuBench functional(quick, "functional"), timed(exact, "timed");
    for (EuBench* const one : {&functional, &timed}) {
        EuBench& bench = *one;
        bench.eu.observe(nullptr);
        isa::Program writes;
        writes << set(20, 0)
               << Inst(Opcode::Send)  // an untyped read of two channels
                      .exec(8)
                      .dst(grf(30), Type::UD)
                      .src(grf(1), Type::UD)
                      .message(0xC, 0x02206C04)
               << set(20, 30) << set(20, 31) << set(40, 20);
        show(writes, 40);
        bench.code(0xFC0, writes.bytes());
        for (unsigned i = 0; i < written.size(); ++i) {
            isa::Program reads;
            show(reads, written[i]);
            bench.code(kReads + 0x100 * i, reads.bytes());
        }
        for (unsigned i = 0; i < written.size(); ++i) {
            bench.payload = {0, 1, 2, 3, 4};
            bench.dispatch(3, 0xFC0, bench.now() + 100);
            bench.run(5000);
            bench.payload = {0};
            bench.dispatch(3, kReads + 0x100 * i, bench.now() + 100);
            bench.run(5000);
            ASSERT_EQ(bench.ended.size(), 2 * i + 2);
            EXPECT_EQ(bench.sent.back().first_value, 0xFFA50000u | written[i] << 8)
                << bench.eu.name();
        }
    }
}

TEST(EuKernel, AThreadRightBehindItsLikeFindsNothingThatThatOneHasWritten) {
    GEN9_COVERS("EU-021");
    // It shows two registers and writes them behind that, the second in the next page of code.
    constexpr std::uint32_t kCode = 0xFD0;
    constexpr unsigned kThreads = 6;
    isa::Program code;
    code << set(112, 40) << set(113, 41) << set(40, 0) << set(41, 1)
         << Inst(Opcode::Send)
                .exec(8)
                .dst(isa::null(), Type::UD)
                .src(grf(112), Type::UD)
                .message(7, 0x04000010)
                .eot();
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    bench.eu.observe(nullptr);
    bench.code(kCode, code.bytes());
    bench.payload = {7, 8};
    bench.next = [&](ThreadDispatch& dispatch) {
        dispatch.repeats = true;
        return (bench.ended.size() + 1) % kThreads != 0;
    };
    for (unsigned round = 0; round < 2; ++round) {
        // Its code may be another one afterwards; it is not.
        if (round != 0) bench.invalidate();
        bench.dispatch(3, kCode);
        bench.run(5000);
    }
    ASSERT_EQ(bench.sent.size(), 2 * kThreads);
    for (const EuBench::Sent& sent : bench.sent) {
        EXPECT_EQ(sent.first_value, 0xFFA50000u | 40 << 8);
        EXPECT_EQ(sent.last_value, 0xFFA50000u | 41 << 8);
    }
}

/// Keeps DWords of registers that it is sent: the first ones, the last one of the third, and the second one
/// of the fourth.
struct Shown : DirectFunction {
    using Values = std::array<std::uint32_t, 6>;
    std::vector<Values> values;
    struct Site : DirectSite {
        Shown& shown;
        bool ends;
        Site(Shown& to, bool end) : shown(to), ends(end) {}
        bool run(const DirectSender&, std::uint32_t mask, const Grf* first, const Grf*,
                 Grf*) override {
            if (ends) return true;
            const auto at = [first](unsigned reg, unsigned dword) {
                return gen9::load<std::uint32_t>(first[reg].bytes + 4 * dword);
            };
            shown.values.push_back({at(0, 0), at(1, 0), at(2, 0), at(2, 7), at(3, 1), mask});
            return true;
        }
    };
    std::unique_ptr<DirectSite> site(const SendForm& form) override {
        return std::make_unique<Site>(*this, (form.extended_descriptor & 1u << 5) != 0);
    }
};

class FollowingThreads : public testing::TestWithParam<bool> {};

// Their registers are those of each: what the code has written is there for nobody, and what all are
// loaded with alike is there again.
TEST_P(FollowingThreads, BeginAsTheirDispatchSays) {
    constexpr unsigned kThreads = 200, kGroupThreads = 5;
    constexpr std::array<std::uint32_t, kGroupThreads> kMasks{~0u, ~0u, 0xFFFFFF0F, 0x81, ~0u};
    std::array<Grf, kGroupThreads> rows{};
    for (unsigned n = 0; n < kGroupThreads; ++n)
        store(rows[n].bytes, 100 + n);
    isa::Program code;
    code << set(112, 40) << set(113, 1)
         << Inst(Opcode::Mov).exec(8).dst(grf(114), Type::UD).src(grf(2), Type::UD) << set(115, 0)
         << set(116, 0)
         << Inst(Opcode::Send)
                .exec(8)
                .dst(isa::null(), Type::UD)
                .src(grf(112), Type::UD)
                .message(0xC, 0x08000000)
         << set(40, 0) << set(1, 3) << set(2, 3) << set(0, 3)
         << Inst(Opcode::Send)
                .exec(8)
                .no_mask()
                .dst(isa::null(), Type::UD)
                .src(grf(116), Type::UD)
                .message(7, 0x02000010)
                .eot();
    const auto ids_of = [](std::uint32_t group, std::uint32_t others) {
        Grf header;
        for (unsigned dword = 0; dword < 8; ++dword)
            store(header.bytes + 4 * dword, dword == 1 ? group : others);
        return header;
    };
    const bool foreseen = GetParam();
    TestEnvironment test(Timing::Functional, {"eu.jit_after=1"});
    EuBench bench(test, "bench");
    Shown shown;
    for (const MessagePort port : {MessagePort::DataPort, MessagePort::Spawner})
        bench.grant(port, &shown);
    bench.eu.observe(nullptr);
    bench.code(0, code.bytes());
    bench.payload = {7, 100, 9, 0x3333};
    unsigned begun = 1, told = 0, largest = 0;
    const auto fill = [&](ThreadDispatch& d) {
        d.repeats = true;
        store(d.payload[0].bytes + 4, begun / kGroupThreads);
        d.payload[1] = rows[begun % kGroupThreads];
        d.dispatch_mask = kMasks[begun % kGroupThreads];
    };
    bench.next = [&](ThreadDispatch& d) {
        if (begun == kThreads) return false;
        fill(d);
        ++begun;
        ++told;
        return true;
    };
    if (foreseen)
        bench.foresee = [&](unsigned most, ThreadFollowers& list) {
            list.count = std::min(most, kThreads - begun);
            list.first_thread = begun % kGroupThreads;
            list.group_threads = kGroupThreads;
            list.header_kept = ids_of(0, ~0u);
            list.first_row = list.row_count = 1;
            list.rows = rows[0].bytes;
            list.masks = kMasks.data();
            for (unsigned n = 0; n < list.groups.size(); ++n)
                list.groups[n].header = ids_of(begun / kGroupThreads + n, 0);
        };
    bench.followed = [&](const ThreadDispatch& d, unsigned count) {
        begun += count;
        largest = std::max(largest, count);
        EXPECT_EQ(gen9::load<std::uint32_t>(d.payload[0].bytes + 4), (begun - 1) / kGroupThreads);
    };
    bench.adjust = [&](ThreadDispatch& d) { d.dispatch_mask = kMasks[0]; };
    bench.dispatch(3, 0);
    bench.run(50000);
    ASSERT_EQ(shown.values.size(), kThreads);
    for (unsigned n = 0; n < kThreads; ++n) {
        const std::uint32_t mask = kMasks[n % kGroupThreads],
                            last = (mask & 0x80) != 0 ? 0 : 0xFFA50000u | 114 << 8 | 7;
        const Shown::Values expected{0xFFA50000u | 40 << 8,
                                     100 + n % kGroupThreads,
                                     9,
                                     last,
                                     n / kGroupThreads,
                                     mask & 0xFF};
        ASSERT_EQ(shown.values[n], expected) << n;
    }
    std::uint64_t instructions = 0, messages = 0;
    for (const EuBench::Ended& end : bench.ended) {
        instructions += end.instructions;
        messages += end.messages;
    }
    EXPECT_EQ(instructions, kThreads * 11u);
    EXPECT_EQ(messages, kThreads * 2u);
    EXPECT_EQ(bench.eu.stats().threads.value(), kThreads);
    EXPECT_EQ(bench.eu.stats().messages.value(), kThreads * 2u);
    if (foreseen && bench.eu.stats().compiled_instructions.value() != 0) {
        EXPECT_LT(told, 30u);
        EXPECT_EQ(largest, ThreadFollowers::kMost);
    } else if (!foreseen) {
        EXPECT_EQ(told, kThreads - 1);
    }
}

INSTANTIATE_TEST_SUITE_P(WithoutAndWithForesight, FollowingThreads, testing::Bool());

TEST(EuKernel, AFunctionIdFromARegisterKeepsToTheCreditsOfItsPort) {
    GEN9_COVERS("EU-183 EU-197");
    TestEnvironment test(Timing::Timed, {"eu.message_credits=1"});
    EuBench bench(test);
    SignalLog log(test.environment.signals);
    bench.payload = {0, 0x100, 2, 3, 4};
    bench.accept_latency = [](const Message&) { return 40u; };
    bench.code(0, bytes(kDescriptorInA0));
    bench.dispatch(0, 0);
    bench.run(5000);
    EXPECT_EQ(bench.ended.size(), 1u);
    ASSERT_EQ(bench.sent.size(), 4u);
    const auto& queued = bench.queued[static_cast<unsigned>(MessagePort::DataPort)];
    ASSERT_EQ(queued.size(), 3u);
    EXPECT_GE(queued[1].first, queued[0].second);
    EXPECT_GE(queued[2].first, queued[1].second);
    std::vector<std::uint32_t> stored;
    for (const EuBench::Sent& sent : bench.sent)
        if (sent.port == static_cast<unsigned>(MessagePort::DataPort))
            stored.push_back(sent.last_value);
    EXPECT_EQ(stored, (std::vector<std::uint32_t>{2, 3, 4}));
    EXPECT_TRUE(bench.eu.idle());
    EXPECT_EQ(log.value("bench.eu0.held_back", queued[0].first), 0u);
    EXPECT_GE(log.value("bench.eu0.held_back", queued[1].first - 1), 1u);
    EXPECT_EQ(log.value("bench.eu0.held_back", queued[2].first), 0u);
}

TEST(EuKernel, ReportsNameTheInstruction) {
    TestEnvironment test;
    EuBench bench(test);
    bench.keep_gateway = true;
    run_loop(bench);
    EXPECT_TRUE(bench.ended.empty());
    EXPECT_NE(bench.eu.describe_waiting().find("thread6 ip 000000d0 [(W) wait n0"),
              std::string::npos)
        << bench.eu.describe_waiting();
}

}  // namespace
}  // namespace gen9::test
