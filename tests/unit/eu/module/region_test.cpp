// SPDX-License-Identifier: Apache-2.0
// Code run by regions in functional mode does what it does one instruction at a time. The
// instruction words were made with `iga64 -p=9 -a` from the text beside them.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "eu/jit/host.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

// clang-format off
/// r1.0 times round: a message to the sampler, which shows the cycle, and one to the data port.
constexpr std::uint64_t kRound[] = {
    0x2160060c00600001, 0x0000000000000000,  // (W) mov (8|M0) r11.0<1>:ud 0x0:ud
    0x2140060c00000001, 0x0000000000000000,  // (W) mov (1|M0) r10.0<1>:ud 0x0:ud
    0x2140020c00000040, 0x0000000106000140,  // (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x1:ud
    0x2180020c00600040, 0x00000003068d0160,  // (W) add (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud 0x3:ud
    0x2280020802600031, 0x02106e0406000180,  // send (8|M0) r20:ud r12 0x2 0x02106E04
    0x2160020800600040, 0x008d0280028d0160,  // add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r20.0<8;8,1>:ud
    0x22a002080c600031, 0x02106e0406000160,  // send (8|M0) r21:ud r11 0xC 0x02106E04
    0x2160020c00600040, 0x008d02a0028d0160,  // (W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r21.0<8;8,1>:ud
    0x2000020405000010, 0x0000002002000140,  // (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud r1.0<0;1,0>:ud
    0x3400000400010020, 0xffffff800e001400,  // (W&f0.0) jmpi to the first add
    0x2e00020c00600001, 0x00000000008d0160,  // (W) mov (8|M0) r112.0<1>:ud r11.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// A message to the gateway with an answer, in the middle.
constexpr std::uint64_t kAsk[] = {
    0x2160060c00600001, 0x0000000500000000,  // (W) mov (8|M0) r11.0<1>:ud 0x5:ud
    0x2180020c00600040, 0x00000003068d0160,  // (W) add (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud 0x3:ud
    0x2280020803600031, 0x0210000406000180,  // send (8|M0) r20:ud r12 0x3 0x02100004
    0x2160020c00600040, 0x008d0280028d0160,  // (W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r20.0<8;8,1>:ud
    0x22a002080c600031, 0x02106e0406000160,  // send (8|M0) r21:ud r11 0xC 0x02106E04
    0x2e00020c00600040, 0x008d02a0028d0160,  // (W) add (8|M0) r112.0<1>:ud r11.0<8;8,1>:ud r21.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// Two messages to no function: the second would have answered.
constexpr std::uint64_t kLost[] = {
    0x2160060c00600001, 0x0000000500000000,  // (W) mov (8|M0) r11.0<1>:ud 0x5:ud
    0x200002000e600031, 0x02006e0406000160,  // send (8|M0) null:ud r11 0xE 0x02006E04
    0x228002080e600031, 0x02106e0406000160,  // send (8|M0) r20:ud r11 0xE 0x02106E04
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// As most kernels begin: a write of cr0 behind the first instruction.
constexpr std::uint64_t kModes[] = {
    0x2160060c00600001, 0x0000000500000000,  // (W) mov (8|M0) r11.0<1>:ud 0x5:ud
    0x3000000400008006, 0x04c004c016001000,  // (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw {Switch}
    0x2180020c00600040, 0x00000003068d0160,  // (W) add (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud 0x3:ud
    0x21a0020c00600040, 0x00000003068d0180,  // (W) add (8|M0) r13.0<1>:ud r12.0<8;8,1>:ud 0x3:ud
    0x21c03aec00600041, 0x008d01803a8d01a0,  // (W) mul (8|M0) r14.0<1>:f r13.0<8;8,1>:f r12.0<8;8,1>:f
    0x21e0020c00600040, 0x00000003068d01c0,  // (W) add (8|M0) r15.0<1>:ud r14.0<8;8,1>:ud 0x3:ud
    0x2e00020c00600001, 0x00000000008d01e0,  // (W) mov (8|M0) r112.0<1>:ud r15.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// A jump over 256 bytes, and what follows these.
constexpr std::uint64_t kJump[] = {
    0x2160060c00600001, 0x0000000100000000,  // (W) mov (8|M0) r11.0<1>:ud 0x1:ud
    0x3400000400000020, 0x000001000e001400,  // (W) jmpi (1|M0) behind them
};
constexpr std::uint64_t kNeverRun[] = {
    0x21a0060c00600001, 0x0000000700000000,  // (W) mov (8|M0) r13.0<1>:ud 0x7:ud
};
constexpr std::uint64_t kBehind[] = {
    0x2160020c00600040, 0x00000001068d0160,  // (W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0x1:ud
    0x2160020c00600040, 0x00000001068d0160,  // (W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0x1:ud
    0x2e00020c00600001, 0x00000000008d0160,  // (W) mov (8|M0) r112.0<1>:ud r11.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// A number that is squared until it is too large.
constexpr std::uint64_t kNumber[] = {
    0x21603eec00600001, 0x3fc0000000000000,  // (W) mov (8|M0) r11.0<1>:f 1.5:f
    0x21803aec00600040, 0x008d01603a8d0160,  // (W) add (8|M0) r12.0<1>:f r11.0<8;8,1>:f r11.0<8;8,1>:f
    0x21a03aec00600041, 0x008d01603a8d0180,  // (W) mul (8|M0) r13.0<1>:f r12.0<8;8,1>:f r11.0<8;8,1>:f
};
constexpr std::uint64_t kSquare[] = {
    0x21a03aec00600041, 0x008d01a03a8d01a0,  // (W) mul (8|M0) r13.0<1>:f r13.0<8;8,1>:f r13.0<8;8,1>:f
};
constexpr std::uint64_t kShown[] = {
    0x2e003aec00600001, 0x00000000008d01a0,  // (W) mov (8|M0) r112.0<1>:f r13.0<8;8,1>:f
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
// clang-format on

enum class How : std::uint8_t { Watched, Unwatched, ModeMayChange };

/// What comes out of an EU in functional mode.
struct Result {
    std::vector<EuBench::Sent> sent;
    std::vector<EuBench::Ended> ended;
    std::uint64_t instructions = 0, messages = 0;
    auto operator<=>(const Result&) const = default;
};

/// An EU in functional mode, and whether it runs code by regions.
struct Machine {
    TestEnvironment test;
    EuBench bench;
    const How how;
    Machine(How way, const char* name, std::vector<std::string> settings)
        : test(Timing::Functional, std::move(settings)), bench(test, name), how(way) {
        if (how != How::Watched) bench.eu.observe(nullptr);
        if (how == How::ModeMayChange) bench.eu.expect_changes();
    }
    Result result() {
        EXPECT_FALSE(test.reporter.failed());
        EXPECT_TRUE(bench.eu.idle());
        EXPECT_EQ(bench.program.region_bytes() != 0, how != How::Watched);
        // Whether lines are fetched ahead, and so have ids, is no matter of regions.
        for (EuBench::Sent& sent : bench.sent)
            if (how == How::ModeMayChange) sent.trace_id = 0;
        return {bench.sent, bench.ended, bench.eu.stats().instructions.value(),
                bench.eu.stats().messages.value()};
    }
};

class EuRegion : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Quanta, EuRegion, testing::Values("1", "2", "7", "8", "9", "30", "4096"));

TEST_P(EuRegion, MessagesAndQuantaComeAtTheInstructionWhereSingleStepsHaveThem) {
    const std::vector<std::string> settings{std::string("eu.quantum_instructions=") + GetParam()};
    Machine watched(How::Watched, "watched", settings);
    Machine unwatched(How::Unwatched, "unwatched", settings);
    Machine mixed(How::ModeMayChange, "mixed", settings);
    for (Machine* const machine : {&watched, &unwatched, &mixed}) {
        EuBench& bench = machine->bench;
        bench.code(0, bytes(kRound));
        bench.answer = [](const Message& m, unsigned) { return 7 + m.sender->place.slot.value; };
        for (unsigned slot = 0; slot < 3; ++slot) {
            bench.payload = {0, 4 + 3 * slot};
            bench.dispatch(slot, 0);
        }
        // Regions are made of code that is run again: each slot has two threads.
        bench.on_end = [&bench](const EuBench::Ended& end) {
            if (bench.ended.size() > 3) return;
            bench.payload = {0, 5};
            bench.dispatch(end.slot, 0);
        };
    }
    watched.bench.run();
    Result expected = watched.result();
    EXPECT_EQ(expected.ended.size(), 6u);
    EXPECT_EQ(unwatched.result(), expected);
    for (EuBench::Sent& sent : expected.sent)
        sent.trace_id = 0;
    EXPECT_EQ(mixed.result(), expected);
}

// What stands before the write is compiled for other modes than what stands behind it: neither takes
// the other's place.
TEST(EuRegions, CodeOnBothSidesOfAWriteOfModesStaysCompiled) {
    constexpr unsigned kThreads = 400, kAfter = 4, kBehind = 6;
    if (eu::jit::host_level() == eu::jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    Machine machine(How::Unwatched, "machine", {"eu.jit_after=" + std::to_string(kAfter)});
    EuBench& bench = machine.bench;
    bench.code(0, bytes(kModes));
    bench.on_end = [&bench](const EuBench::Ended& end) {
        if (bench.ended.size() < kThreads) bench.dispatch(end.slot, 0);
    };
    bench.dispatch(0, 0);
    bench.run();
    ASSERT_EQ(machine.result().ended.size(), kThreads);
    // Region and code are made when instructions are run again.
    EXPECT_GE(bench.eu.stats().compiled_instructions.value(), kBehind * (kThreads - kAfter - 4));
}

/// Pieces of code, one behind the other.
std::vector<std::uint8_t> joined(const std::vector<std::span<const std::uint64_t>>& pieces) {
    std::vector<std::uint8_t> code;
    for (const auto piece : pieces) {
        const auto more = bytes(piece);
        code.insert(code.end(), more.begin(), more.end());
    }
    return code;
}

/// Runs threads in one slot, each behind the last.
void run_in_turn(EuBench& bench, unsigned threads, std::uint32_t ip = 0) {
    const std::size_t all = bench.ended.size() + threads;
    bench.on_end = [&bench, all, ip](const EuBench::Ended& end) {
        if (bench.ended.size() < all) bench.dispatch(end.slot, ip);
    };
    bench.dispatch(0, ip);
    bench.run();
    ASSERT_EQ(bench.ended.size(), all);
}

// Lines in between that nobody has run have never been fetched. They may be in two pages of memory.
TEST(EuRegions, CodeOnBothSidesOfWhatIsNeverRunIsCompiledAsOne) {
    constexpr unsigned kThreads = 40, kAfter = 4, kInstructions = 6;
    if (eu::jit::host_level() == eu::jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    Machine machine(How::Unwatched, "machine", {"eu.jit_after=" + std::to_string(kAfter)});
    EuBench& bench = machine.bench;
    std::vector<std::span<const std::uint64_t>> pieces(18, kNeverRun);
    pieces.front() = kJump;
    pieces.back() = kBehind;
    const auto begin = static_cast<std::uint32_t>(kPageBytes) - kLineBytes;
    bench.code(begin, joined(pieces));
    run_in_turn(bench, kThreads, begin);
    EXPECT_EQ(bench.eu.stats().instructions.value(), kInstructions * kThreads);
    EXPECT_EQ(bench.sent.back().first_value, 3u);
    EXPECT_EQ(bench.program.compiled().regions, 1u);
    EXPECT_GE(bench.eu.stats().compiled_instructions.value(),
              (kInstructions - 1) * (kThreads - kAfter - 4));
}

// Programs lie side by side. Each is compiled when it runs often, and not again with the next.
TEST(EuRegions, CodeIsCompiledUpToWhereItsThreadsEnd) {
    constexpr unsigned kThreads = 40, kInstructionBytes = 16;
    if (eu::jit::host_level() == eu::jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    Machine machine(How::Unwatched, "machine", {"eu.jit_after=4"});
    EuBench& bench = machine.bench;
    bench.code(0, joined({kBehind, kShown, kBehind}));
    std::uint64_t before = 0;
    for (const std::size_t ip : {sizeof kBehind, std::size_t{0}, sizeof kBehind + sizeof kShown}) {
        run_in_turn(bench, kThreads, static_cast<std::uint32_t>(ip));
        const std::uint64_t now = bench.eu.stats().compiled_instructions.value();
        EXPECT_GT(now, before);
        before = now;
    }
    EXPECT_EQ(bench.program.compiled().regions, 3u);
    EXPECT_EQ(bench.program.compiled().instructions,
              (2 * sizeof kBehind + sizeof kShown) / kInstructionBytes);
}

// Shaders of old OpenGL compute in it. No stepped region of singles runs in their mode.
TEST(EuRegions, CodeInTheAlternateModeIsCompiledAndKnowsNoInfinity) {
    GEN9_COVERS("EU-135");
    constexpr unsigned kThreads = 40, kAfter = 4, kSquares = 8, kInstructions = 5 + kSquares;
    if (eu::jit::host_level() == eu::jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    Machine machine(How::Unwatched, "machine", {"eu.jit_after=" + std::to_string(kAfter)});
    EuBench& bench = machine.bench;
    std::vector<std::span<const std::uint64_t>> pieces(kSquares + 2, kSquare);
    pieces.front() = kNumber;
    pieces.back() = kShown;
    bench.code(0, joined(pieces));
    bench.adjust = [](ThreadDispatch& thread) { thread.alternate_float = true; };
    run_in_turn(bench, kThreads);
    EXPECT_EQ(bench.eu.stats().instructions.value(), kInstructions * kThreads);
    for (const EuBench::Sent& sent : bench.sent)
        EXPECT_EQ(sent.first_value, 0x7F7FFFFFu);
    EXPECT_GT(bench.eu.stats().compiled_instructions.value(), kInstructions * kThreads / 2);
}

// Each draw invalidates the caches and has a few threads.
TEST(EuRegions, CodeThatRunsAFewTimesBetweenInvalidationsIsCompiled) {
    constexpr unsigned kRounds = 12, kThreads = 4, kAfter = 16;
    if (eu::jit::host_level() == eu::jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    Machine machine(How::Unwatched, "machine", {"eu.jit_after=" + std::to_string(kAfter)});
    EuBench& bench = machine.bench;
    bench.code(0, bytes(kModes));
    for (unsigned round = 0; round < kRounds; ++round) {
        bench.invalidate();
        for (unsigned slot = 0; slot < kThreads; ++slot)
            bench.dispatch(slot, 0);
        bench.run(1000);
    }
    ASSERT_EQ(machine.result().ended.size(), kRounds * kThreads);
    EXPECT_GT(bench.eu.stats().compiled_instructions.value(), 0u);
}

TEST(EuRegions, AThreadGoesOnBehindAMessageThatIsAnsweredLater) {
    Machine watched(How::Watched, "watched", {}), unwatched(How::Unwatched, "unwatched", {});
    const std::array machines{&watched, &unwatched};
    for (Machine* const machine : machines) {
        machine->bench.keep_gateway = true;
        machine->bench.code(0, bytes(kAsk));
    }
    for (unsigned round = 0; round < 4; ++round) {
        for (Machine* const machine : machines)
            machine->bench.dispatch(0, 0);
        watched.bench.run(1000);
        for (Machine* const machine : machines) {
            EuBench& bench = machine->bench;
            EXPECT_EQ(bench.ended.size(), round);
            EXPECT_EQ(bench.eu.stats().instructions.value(), 7 * round + 3);
            EXPECT_NE(bench.eu.describe_waiting().find("the answer to gateway"), std::string::npos)
                << bench.eu.describe_waiting();
            bench.notify(*bench.kept.at(round));
        }
        watched.bench.run(1000);
    }
    EXPECT_EQ(watched.bench.ended.size(), 4u);
    EXPECT_EQ(unwatched.result(), watched.result());
}

TEST(EuRegions, ALostMessageInsideEndsTheThreadThatWouldWaitForItsAnswer) {
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    bench.eu.observe(nullptr);
    bench.code(0, bytes(kLost));
    for (unsigned round = 0; round < 3; ++round) {
        bench.dispatch(0, 0);
        bench.run(1000);
    }
    ASSERT_EQ(bench.ended.size(), 3u);
    for (const EuBench::Ended& ended : bench.ended) {
        EXPECT_EQ(ended.instructions, 3u);
        EXPECT_EQ(ended.messages, 2u);
    }
    EXPECT_NE(bench.program.region_bytes(), 0u);
    EXPECT_EQ(test.reporter.guest_errors(), 6u);
}

TEST(EuRegions, CodeChangedByAnInvalidationIsRunAsItIsThen) {
    TestEnvironment test(Timing::Functional);
    EuBench bench(test);
    bench.eu.observe(nullptr);
    auto code = bytes(kAsk);
    for (const std::uint8_t value : {std::uint8_t{5}, std::uint8_t{6}}) {
        code[12] = value;  // the immediate of the first mov
        bench.code(0, code);
        bench.invalidate();
        EXPECT_EQ(bench.program.region_bytes(), 0u) << "its memory is given back at once";
        for (unsigned round = 0; round < 3; ++round)
            bench.dispatch(round, 0);
        bench.sent.clear();
        bench.run(1000);
        EXPECT_NE(bench.program.region_bytes(), 0u);
        for (const EuBench::Sent& sent : bench.sent)
            if (sent.port == static_cast<unsigned>(MessagePort::Gateway)) {
                EXPECT_EQ(sent.first_value, value + 3u);
            }
    }
}

}  // namespace
}  // namespace gen9::test
