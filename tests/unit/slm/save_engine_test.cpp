// SPDX-License-Identifier: Apache-2.0
#include "slm/save_engine.h"

#include <cstring>

#include "slm/module.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/memory_target.h"
#include "tests/support/signal_log.h"

namespace gen9::slm {
namespace {

constexpr std::uint64_t kBase = 0x100000;

struct SaveBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    Slm slm;
    test::MemoryInitiator threads{"threads", clock}, arbiter{"arbiter", clock};
    test::MemoryTarget memory{"memory", clock, 1};

    explicit SaveBench(Timing timing)
        : environment(timing), slm("slm", environment.environment, clock, true) {
        threads.mem_out.bind(slm.mem_in);
        arbiter.mem_out.bind(slm.save_engine->control_in);
        slm.save_engine->mem_out.bind(memory.mem_in[0]);
    }
    ~SaveBench() {
        threads.clear();
        arbiter.clear();
    }
    void order(std::uint64_t what, std::uint64_t base = kBase) {
        auto* t = arbiter.write(what, 8, 0);
        t->attributes.trace_id = 77;
        std::memcpy(t->data, &base, 8);
        arbiter.send(t);
    }
    void fill(std::uint8_t seed) {
        for (std::uint32_t line = 0; line < 1024; ++line)
            threads.block(threads.write(line * 64, 64, static_cast<std::uint8_t>(line * seed)));
    }
    std::uint8_t byte(std::uint32_t address) {
        return threads.block(threads.read(address, 1))->data[0];
    }
};

class SaveEngineTest : public testing::TestWithParam<Timing> {};

TEST_P(SaveEngineTest, AllOfItIsSavedLineByLineAndComesBack) {
    GEN9_COVERS("PRE-20");
    SaveBench bench(GetParam());
    bench.fill(7);
    bench.order(SaveEngine::kSave);
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 1u);
    EXPECT_EQ(bench.slm.save_engine->stats.lines_saved.value(), 1024u);
    for (std::uint32_t at = 0; at < 0x10000; at += 63)
        ASSERT_EQ(bench.memory.bytes[kBase + at], static_cast<std::uint8_t>(at / 64 * 7)) << at;
    EXPECT_EQ(bench.memory.bytes[kBase - 1], 0u);
    EXPECT_EQ(bench.memory.bytes[kBase + 0x10000], 0u);
    if (GetParam() == Timing::Timed) {
        ASSERT_EQ(bench.memory.seen.size(), 1024u);
        for (std::uint32_t line = 0; line < 1024; ++line) {
            ASSERT_EQ(bench.memory.seen[line].address, kBase + 64 * line);
            ASSERT_EQ(bench.memory.seen[line].enabled, ~std::uint64_t{0});
            ASSERT_EQ(bench.memory.seen[line].attributes.trace_id, 77u);
        }
    }
    bench.fill(1);
    bench.order(SaveEngine::kRestore);
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 2u);
    EXPECT_EQ(bench.slm.save_engine->transactions(), 0u);
    EXPECT_EQ(bench.slm.save_engine->stats.lines_restored.value(), 1024u);
    for (std::uint32_t at = 0; at < 0x10000; at += 63)
        ASSERT_EQ(bench.byte(at), static_cast<std::uint8_t>(at / 64 * 7)) << at;
}
INSTANTIATE_TEST_SUITE_P(Timings, SaveEngineTest,
                         testing::Values(Timing::Functional, Timing::Timed));

// It waits for L3 to take the requests, not for memory to answer them.
TEST(SaveEngineTiming, ASaveIsDoneWhenItsLastRequestHasBeenTaken) {
    GEN9_COVERS("PRE-22");
    SaveBench bench(Timing::Timed);
    bench.memory.latency = 5000;
    bench.order(SaveEngine::kSave);
    sc_core::sc_start(bench.clock.time(Cycles(600)));
    bench.memory.stalled = true;
    sc_core::sc_start(bench.clock.time(Cycles(2000)));
    EXPECT_EQ(bench.arbiter.ended.size(), 0u);
    bench.memory.resume();
    sc_core::sc_start(bench.clock.time(Cycles(1000)));
    ASSERT_EQ(bench.arbiter.ended.size(), 1u);
    EXPECT_LT(bench.arbiter.ended[0].cycle, 600 + 2000 + 1000u) << "before memory has answered";
}

// L3 takes a request a cycle again when it has been held: the next one follows the cycle in which
// it took the last.
TEST(SaveEngineTiming, AHeldSaveGoesOnWhenItsRequestHasBeenTaken) {
    SaveBench bench(Timing::Timed);
    bench.memory.stalled = true;
    bench.order(SaveEngine::kSave);
    sc_core::sc_start(bench.clock.time(Cycles(600)));
    bench.memory.resume();
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 1u);
    // Four are in its queue and one is held: that one is taken at 601, and 1019 are left.
    EXPECT_EQ(bench.arbiter.ended[0].cycle, 601 + 1 + 1019u);
    EXPECT_EQ(bench.environment.stats.sum("slm.save.lines_saved"), 1024u) << "it is in the list";
}

TEST(SaveEngineTiming, AnOrderIsTakenInTheCallAndAnsweredLater) {
    SaveBench bench(Timing::Timed);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto* order = bench.arbiter.write(SaveEngine::kSave, 8, 0);
    std::memcpy(order->data, &kBase, 8);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(bench.arbiter.mem_out->nb_transport_fw(*order, phase, delay), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_REQ);
    EXPECT_EQ(order->get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(bench.slm.sockets().save.has_value());
    sc_core::sc_start();
    EXPECT_EQ(bench.arbiter.ended.size(), 1u);
}

// Its requests have no use for a path of data: one goes out a cycle, and the word to the state
// arbiter follows the last.
TEST(SaveEngineTiming, ASaveTakesACycleALine) {
    GEN9_COVERS("PRE-23");
    SaveBench bench(Timing::Timed);
    bench.memory.latency = 5000;
    bench.order(SaveEngine::kSave);
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 1u);
    EXPECT_EQ(bench.arbiter.ended[0].cycle, 1 + 1024u);
    ASSERT_EQ(bench.memory.seen.size(), 1024u);
    EXPECT_TRUE(bench.memory.seen[0].write);
    bench.order(SaveEngine::kRestore);
    sc_core::sc_start();
    ASSERT_EQ(bench.memory.seen.size(), 2048u);
    EXPECT_FALSE(bench.memory.seen[1024].write);
}

// One request a cycle; the answer to a restore comes with its last line.
TEST(SaveEngineTiming, ARestoreTakesACycleALineAndTheWayOfTheLast) {
    SaveBench bench(Timing::Timed);
    test::SignalLog log({&bench.slm.save_engine->signals});
    bench.order(SaveEngine::kRestore);
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 1u);
    EXPECT_EQ(bench.arbiter.ended[0].cycle, 1 + 1023 + bench.memory.latency);
    EXPECT_EQ(log.value("slm.save.lines_left", 1), 1023u);
    EXPECT_EQ(log.value("slm.save.lines_left", 501), 523u);
    EXPECT_EQ(log.value("slm.save.lines_left", 2000), 0u);
}

TEST(SaveEngineTiming, WhatIsNotMappedIsReported) {
    SaveBench bench(Timing::Timed);
    bench.fill(3);
    bench.order(SaveEngine::kSave, 64ull << 20);
    sc_core::sc_start();
    bench.order(SaveEngine::kRestore, 64ull << 20);
    sc_core::sc_start();
    EXPECT_EQ(bench.arbiter.ended.size(), 2u);
    EXPECT_GT(bench.environment.reporter.guest_errors(), 0u);
    ASSERT_FALSE(bench.environment.log.empty());
    EXPECT_NE(bench.environment.log[0].find("4000000"), std::string::npos)
        << bench.environment.log[0];
    EXPECT_EQ(bench.byte(64), 3u) << "left as it was";
}

// What is written to 0 is saved, to 8 restored: the dispatcher knows no more of it.
TEST(SaveEngineTiming, AnOrderItDoesNotKnowIsRefused) {
    SaveBench bench(Timing::Timed);
    for (const std::uint64_t what : {7, 9, 16})
        bench.order(what);
    bench.arbiter.send(bench.arbiter.read(SaveEngine::kSave, 8));
    bench.arbiter.send(bench.arbiter.write(SaveEngine::kSave, 4, 0));
    sc_core::sc_start();
    ASSERT_EQ(bench.arbiter.ended.size(), 5u);
    for (const auto& ended : bench.arbiter.ended)
        EXPECT_EQ(ended.transaction->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.memory.seen.size(), 0u);
    bench.order(8);
    sc_core::sc_start();
    EXPECT_FALSE(bench.arbiter.ended.back().transaction->is_response_error());
    EXPECT_EQ(bench.memory.seen.size(), 1024u);
}

}  // namespace
}  // namespace gen9::slm
