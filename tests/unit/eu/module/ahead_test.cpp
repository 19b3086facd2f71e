// SPDX-License-Identifier: Apache-2.0
// How far an EU runs ahead of the kernel cannot be seen in what it does and when.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "common/check.h"
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using eu::LatencyClass;
using eu::Pipe;

/// A random program: arithmetic of all classes, messages, barriers, a loop, an end.
std::vector<FakeInstruction> random_program(std::mt19937& random) {
    const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    std::vector<FakeInstruction> program;
    const unsigned length = 20 + pick(60);
    while (program.size() < length) {
        const unsigned kind = pick(20);
        if (kind < 11) {
            FakeInstruction i = add(4 + pick(30), 4 + pick(30), 4 + pick(30), pick(100));
            static constexpr LatencyClass kClasses[] = {
                LatencyClass::Simple, LatencyClass::Wide64, LatencyClass::Mad,
                LatencyClass::Dot,    LatencyClass::Math,   LatencyClass::MathPow};
            i.latency = kClasses[pick(6)];
            if (i.latency >= LatencyClass::Math || i.latency == LatencyClass::Wide64)
                i.pipe = Pipe::Em;
            i.registers = static_cast<std::uint8_t>(1 + pick(2));
            i.writes_flag = pick(8) == 0;
            i.reads_flag = pick(8) == 0;
            i.thread_switch = pick(16) == 0;
            i.indirect = pick(24) == 0;
            if (i.indirect) i.dst = 0xFF;
            program.push_back(i);
        } else if (kind < 17) {
            static constexpr Sfid kFunctions[] = {Sfid::DataPort0, Sfid::DataPort1, Sfid::Sampler,
                                                  Sfid::Urb};
            FakeInstruction i =
                load(kFunctions[pick(4)], 40 + pick(20), pick(4), 4 + pick(20), 1 + pick(3));
            if (i.response_length == 0) i.dst = 0xFF;
            i.no_src_dep_set = pick(4) == 0;
            i.atomic = pick(8) == 0;
            program.push_back(i);
            if (pick(2) && i.response_length != 0) program.push_back(add(4 + pick(30), i.dst));
        } else if (kind < 18) {
            program.push_back(load(Sfid::Gateway, 0xFF, 0, 4));
            program.push_back(wait_n0());
        } else if (kind < 19) {
            FakeInstruction small = add(4 + pick(30), 4 + pick(30));
            small.compacted = true;
            program.push_back(small);
        } else {
            program.push_back(jump_if_less(2, 2, 0));
        }
    }
    program.push_back(end_of_thread());
    return program;
}

/// Number below `n` that depends on the message alone, as whatever answers it would in hardware.
unsigned noise(const Message& message, unsigned n, unsigned salt) {
    std::uint32_t h = static_cast<std::uint32_t>(message.ip) * 2654435761u +
                      message.sender->place.slot.value * 40503u +
                      static_cast<unsigned>(message.sfid) * 97u + salt;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return h % n;
}

struct Outcome {
    std::vector<EuBench::Executed> executed;
    std::vector<EuBench::Sent> sent;
    std::vector<EuBench::Ended> ended;
};

void load_bench(EuBench& bench, unsigned seed) {
    std::mt19937 random(seed);
    bench.payload = {1, 2, 3, 4};
    bench.response_latency = [](const Message& m) { return 40 + noise(m, 200, 1); };
    bench.accept_latency = [](const Message& m) { return 20 + noise(m, 60, 2); };
    for (std::uint32_t program = 0; program < 8; ++program)
        bench.code(program * 0x1000, random_program(random));
    for (unsigned slot = 0; slot < 7; ++slot)
        bench.dispatch(slot, (random() % 8) * 0x1000, 20 + random() % 200, random() % 8 == 0);
    // As a spawner does, the slot is filled again some time after its thread has ended.
    bench.on_end = [&bench, left = 20u, slot_seed = seed](const EuBench::Ended& end) mutable {
        if (left == 0) return;
        --left;
        const auto hash = static_cast<std::uint32_t>(end.cycle * 31 + end.slot * 7 + slot_seed);
        bench.dispatch(end.slot, hash % 8 * 0x1000, end.cycle + 30 + hash % 50);
    };
}

Outcome sorted(const EuBench& bench) {
    Outcome outcome{bench.executed, bench.sent, bench.ended};
    std::sort(outcome.executed.begin(), outcome.executed.end());
    std::sort(outcome.sent.begin(), outcome.sent.end());
    std::sort(outcome.ended.begin(), outcome.ended.end());
    return outcome;
}

class EuAhead : public ::testing::TestWithParam<unsigned> {};

TEST_P(EuAhead, DoesNotChangeWhenAnythingHappens) {
    TestEnvironment full, half, one, wave;
    half.environment.notice_cycles = 5;
    one.environment.notice_cycles = 1;
    EuBench a(full, "full"), b(half, "half"), c(one, "one"), d(wave, "wave");
    const SignalLog signals(wave.environment.signals);
    for (EuBench* bench : {&a, &b, &c, &d})
        load_bench(*bench, GetParam());
    a.run(200000);
    const Outcome expected = sorted(a);
    EXPECT_EQ(expected.ended.size(), 27u);
    EXPECT_GT(expected.executed.size(), 500u);
    for (const EuBench* bench : {&b, &c, &d}) {
        const Outcome outcome = sorted(*bench);
        EXPECT_EQ(outcome.executed, expected.executed) << bench->name();
        EXPECT_EQ(outcome.sent, expected.sent) << bench->name();
        EXPECT_EQ(outcome.ended, expected.ended) << bench->name();
        for (std::size_t i = 0; i < bench->eu.stats().counters().size(); ++i) {
            const NamedCounter& x = bench->eu.stats().counters()[i];
            EXPECT_EQ(x.value(), a.eu.stats().counters()[i].value())
                << bench->name() << " " << x.name;
        }
        EXPECT_TRUE(bench->eu.idle());
    }
    EXPECT_TRUE(a.eu.idle());
    EXPECT_EQ(a.uses(), a.eu.stats().cycles.value());
}

INSTANTIATE_TEST_SUITE_P(Seeds, EuAhead, ::testing::Range(1u, 13u));

TEST(EuContract, EachRequestEndsOnceAndMessagesComeBack) {
    TestEnvironment test(Timing::Timed, {"eu.message_credits=2"});
    EuBench bench(test);
    load_bench(bench, 99);
    bench.run(200000);
    EXPECT_EQ(bench.ended.size(), 27u);
    for (const auto& port : bench.queued)
        for (const auto& message : port)
            EXPECT_LE(std::count_if(port.begin(), port.end(),
                                    [&](const auto& other) {
                                        return other.first <= message.first &&
                                               other.second > message.first;
                                    }),
                      2);
    EXPECT_TRUE(bench.eu.idle());
    std::uint64_t messages = 0, instructions = 0;
    for (const EuBench::Ended& end : bench.ended) {
        messages += end.messages;
        instructions += end.instructions;
    }
    EXPECT_EQ(messages, bench.sent.size());
    EXPECT_EQ(messages, bench.eu.stats().messages.value());
    EXPECT_EQ(instructions, bench.eu.stats().instructions.value());
}

TEST(EuContract, EveryCycleHasOneUse) {
    TestEnvironment test;
    EuBench bench(test);
    load_bench(bench, 7);
    bench.run(200000);
    bench.eu.settle();
    EXPECT_EQ(bench.eu.stats().cycles.value(), 200000u);
    EXPECT_EQ(bench.uses(), 200000u);
    EXPECT_GT(bench.eu.stats().busy.value(), 0u);
    EXPECT_GT(bench.eu.stats().idle.value(), 0u);
}

TEST(EuContract, BothModesLeaveTheSameRegisters) {
    // What a thread sends last depends on all it has computed.
    TestEnvironment timed, functional(Timing::Functional);
    EuBench a(timed, "timed"), b(functional, "functional");
    for (EuBench* bench : {&a, &b}) {
        load_bench(*bench, 5);
        bench->on_end = [](const EuBench::Ended&) {};
    }
    a.run(200000);
    const auto of_slot = [](const EuBench& bench, unsigned slot) {
        std::vector<std::pair<unsigned, std::uint32_t>> values;
        for (const EuBench::Sent& sent : bench.sent)
            if (sent.slot == slot) values.emplace_back(sent.port, sent.first_value);
        return values;
    };
    EXPECT_EQ(a.ended.size(), 7u);
    EXPECT_EQ(b.ended.size(), 7u);
    for (unsigned slot = 0; slot < 7; ++slot)
        EXPECT_EQ(of_slot(a, slot), of_slot(b, slot)) << "slot " << slot;
}

TEST(EuContract, AnswersAfterTheEndDoNotReachTheSlotsNextThread) {
    GEN9_COVERS("EU-205");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {load(Sfid::DataPort1, 1, 1, 2), end_of_thread()});
    bench.code(0x100, {load(Sfid::Gateway, 0xFF, 0, 2), wait_n0(), add(112, 1), end_of_thread()});
    bench.response_latency = [](const Message& m) {
        return m.sfid == Sfid::DataPort1 ? 300u : 400u;
    };
    bench.payload = {0, 77};
    bench.on_end = [&](const EuBench::Ended& end) {
        if (bench.ended.size() == 1) bench.dispatch(0, 0x100, end.cycle + 20);
    };
    bench.dispatch(0, 0);
    bench.run();
    ASSERT_EQ(bench.ended.size(), 2u);
    EXPECT_EQ(bench.sent.back().first_value, 77u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuContract, LessNoticeThanPromisedIsAnErrorOfTheModel) {
    TestEnvironment test;
    EuBench bench(test);
    std::vector<FakeInstruction> program(30, add(1, 2));
    for (unsigned i = 0; i < program.size(); ++i)
        program[i].dst = static_cast<std::uint8_t>(30 + i);
    program[0] = load(Sfid::Gateway, 0xFF, 0, 2);
    program.push_back(end_of_thread());
    bench.code(0, program);
    bench.keep_gateway = true;
    bench.dispatch(0, 0, 100);
    // Of its 62 cycles from 118 on, those up to 133 have been simulated at 118.
    bench.run(125);
    ASSERT_EQ(bench.kept.size(), 1u);
    bench.late_by = 15;
    EXPECT_THROW(bench.notify(*bench.kept[0]), InternalError);
}

TEST(EuContract, ALostMessageLeavesItsThreadWaitingAndTheOthersRunning) {
    GEN9_COVERS("EU-208 EU-022");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {load(Sfid::Null, 20, 1, 0), add(1, 20), end_of_thread()});
    bench.code(0x100, {add(1, 1), end_of_thread()});
    bench.dispatch(0, 0);
    bench.dispatch(1, 0x100);
    bench.run();
    ASSERT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(bench.ended[0].slot, 1u);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.eu.describe_waiting().find("thread0 ip 00000010"), std::string::npos)
        << bench.eu.describe_waiting();
    EXPECT_NE(bench.eu.describe_waiting().find("r20"), std::string::npos)
        << bench.eu.describe_waiting();
}

// The gateway frees what the thread held as the spawner does; it is named all the same (EU-203).
TEST(EuContract, AThreadEndsByAMessageToTheSpawnerOrToTheGateway) {
    GEN9_COVERS("TD-54");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction gateway = end_of_thread();
    gateway.sfid = static_cast<std::uint8_t>(Sfid::Gateway);
    bench.code(0, {end_of_thread()});
    bench.code(0x100, {gateway});
    bench.dispatch(0, 0);
    bench.dispatch(1, 0x100);
    bench.run(1000);
    EXPECT_EQ(bench.ended.size(), 2u);
    EXPECT_TRUE(bench.eu.idle());
}

TEST(EuContract, AnEndOfThreadToAFunctionThatCannotEndOneIsReported) {
    GEN9_COVERS("EU-203");
    TestEnvironment test;
    EuBench bench(test);
    FakeInstruction end = end_of_thread();
    end.sfid = static_cast<std::uint8_t>(Sfid::DataPort1);
    bench.code(0, {end});
    bench.code(0x100, {end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(1000);
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
    bench.dispatch(0, 0x100);
    bench.run(1000);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
}

TEST(EuContract, AnIllegalInstructionEndsItsThreadInTimedModeToo) {
    GEN9_COVERS("EU-294");
    TestEnvironment test;
    EuBench bench(test);
    bench.code(0, {add(1, 1), FakeInstruction{.op = FakeInstruction::Op::Illegal}});
    bench.dispatch(0, 0);
    bench.run();
    EXPECT_EQ(bench.ended.size(), 1u);
    EXPECT_EQ(test.reporter.guest_errors(), 1u);
    EXPECT_TRUE(bench.eu.idle());
}

}  // namespace
}  // namespace gen9::test
