// SPDX-License-Identifier: Apache-2.0
// What the front end does for children over time: their loads, the waveform, the cycles of messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/media/objects/spawn_bench.h"

namespace gen9::media::test {
namespace {

// A subslice's dispatcher holds so many threads as the child has registers to load, whatever those
// of the last command had.
TEST(SpawnLoads, AChildsOwnRowsAreQueued) {
    SpawnBench bench(Timing::Timed, {"spawner.load_queue=1", "spawner.load_rows_per_clock=1"},
                     {1, 1, 8, 7});
    bench.begin();
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        const Ask ask{.spawn = true, .handle = handle_of(d), .rows = 20, .descriptor = 1};
        return {{100, ask}, {100, ask}, {100, ask}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_EQ(bench.threads.size(), 4u);
    // 20 rows and two of the CURBE: the third finds the first two's 44 cycles ahead of it.
    EXPECT_EQ(bench.threads[1].registers, 22u);
    EXPECT_EQ(bench.threads[2].sent, bench.threads[1].sent + Cycles(1));
    EXPECT_EQ(bench.threads[3].sent, bench.threads[1].sent + Cycles(44 - 22 + 1));
}

// Each thread takes 128 registers, of 256 in its EU.
TEST(SpawnLoads, ChildrenTakeRegistersAsRootThreadsDo) {
    SpawnBench bench(Timing::Timed, {}, {1, 1, 1, 7}, {256, false, 1});
    bench.begin();
    bench.lifetime = [](const auto&) { return 2000u; };
    bench.script = [&](const ThreadDispatch& d) {
        std::vector<std::pair<unsigned, Ask>> asks;
        for (unsigned n = 0; first(d) && n < 5; ++n)
            asks.push_back({100, {.spawn = true, .handle = handle_of(d), .descriptor = 2}});
        return asks;
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 6u);
    EXPECT_EQ(bench.most_live, 2u);
}

TEST(SpawnSignals, ShowChildrenThatWaitAndTheirParentsEntry) {
    SpawnBench bench(Timing::Timed, {}, {1, 1, 1, 1});
    const gen9::test::SignalLog log(bench.env.environment.signals);
    const auto value = [&](const char* name, Cycles at) {
        return log.value(bench.env.environment.signals[0]->path() + "." + name, at.value);
    };
    bench.begin({.entries = 2, .entry_rows = 8, .curbe_rows = 4});
    bench.lifetime = [](const auto& t) { return t.sent.value < 1000 ? 900u : 100u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        const Ask child{.spawn = true, .handle = handle_of(d), .descriptor = 2};
        return {{100, child}, {200, child}, {500, {.handle = handle_of(d)}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.run(5000);
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 3u);
    const Cycles sent = bench.threads[0].sent;
    // A message takes a cycle; the script counts from the first instruction, at least 40 on.
    EXPECT_EQ(value("children", sent + Cycles(130)), 0u);
    EXPECT_EQ(value("children", sent + Cycles(150)), 1u);
    EXPECT_EQ(value("children", sent + Cycles(250)), 2u);
    EXPECT_EQ(value("children", bench.threads[1].sent), 1u);
    EXPECT_EQ(value("children", bench.threads[2].sent), 0u);
    EXPECT_EQ(value("free_urb_entries", sent), 1u);
    EXPECT_EQ(value("free_urb_entries", sent + Cycles(530)), 1u);
    EXPECT_EQ(value("free_urb_entries", sent + Cycles(550)), 2u);
    EXPECT_EQ(value("walkers", sent), 1u);
    // What the next child waits for is what an idle front end waits for.
    const auto activity = [&](Cycles at) { return SendState(value("activity", at)); };
    EXPECT_EQ(activity(sent), SendState::Sending);
    EXPECT_EQ(activity(sent + Cycles(1)), SendState::Idle);
    EXPECT_EQ(activity(sent + Cycles(130)), SendState::Idle);
    EXPECT_EQ(activity(sent + Cycles(150)), SendState::WaitSlot);
    EXPECT_EQ(activity(bench.threads[1].sent), SendState::Sending);
    EXPECT_EQ(activity(bench.threads[1].sent + Cycles(1)), SendState::WaitSlot);
    EXPECT_EQ(activity(bench.threads[2].sent), SendState::Sending);
    EXPECT_EQ(activity(bench.threads[2].sent + Cycles(1)), SendState::Idle);
    bench.spawner.settle();
    EXPECT_EQ(bench.spawner.stats().cycles[unsigned(SendState::Sending)].value(), 3u);
    EXPECT_EQ(value("walkers", Cycles(4999)), 0u);
}

// The command waits for the entry of a thread that runs, and is worked on for 32 cycles then.
TEST(SpawnSignals, ShowTheFrontEndAtWorkOnACommandThatHasWaited) {
    SpawnBench bench(Timing::Timed, {"spawner.walker_cycles=32"});
    const gen9::test::SignalLog log(bench.env.environment.signals);
    bench.begin({.entries = 1, .entry_rows = 8, .curbe_rows = 4});
    bench.lifetime = [](const auto&) { return 900u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {{500, {.handle = handle_of(d)}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 2, .inline_data = {7}});
    bench.run(5000);
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 2u);
    const Cycles sent = bench.threads[1].sent;
    EXPECT_EQ(sent, bench.threads[0].sent + Cycles(40 + 500 + 1 + 32));
    const auto activity = [&](Cycles at) {
        return SendState(
            log.value(bench.env.environment.signals[0]->path() + ".activity", at.value));
    };
    EXPECT_EQ(activity(sent - Cycles(33)), SendState::WaitUrb);
    EXPECT_EQ(activity(sent - Cycles(32)), SendState::FrontEnd);
    EXPECT_EQ(activity(sent - Cycles(1)), SendState::FrontEnd);
    EXPECT_EQ(activity(sent), SendState::Sending);
}

class SpawnTimes : public testing::TestWithParam<unsigned> {};

// An EU that has run ahead sends its messages early: a later message may be due before them.
TEST_P(SpawnTimes, AreThoseOfTheMessagesWheneverTheyAreSent) {
    SpawnBench bench;
    bench.begin();
    bench.lifetime = [](const auto&) { return 3000u; };
    std::mt19937 random(GetParam());
    std::vector<std::pair<Cycles, unsigned>> calls;  // when each is due, and its EU
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        const unsigned eu = d.sideband.fftid / bench.topology.threads;
        bench.fill_urb(handle_of(d), 0, 1, eu);
        const Cycles at(2000 + random() % 30);
        calls.emplace_back(at + Cycles(1), eu);
        return {{static_cast<unsigned>((at - bench.clock.now()).value - 40),
                 {.spawn = true,
                  .handle = handle_of(d),
                  .rows = 1,
                  .descriptor = 2,
                  .ahead = static_cast<unsigned>(random() % 300)}}};
    };
    for (unsigned i = 0; i < 8; ++i)
        bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(calls.size(), 8u);
    ASSERT_EQ(bench.threads.size(), 16u);
    ASSERT_LT(bench.threads[7].sent, Cycles(1700));
    std::ranges::sort(calls);
    Cycles free;
    for (unsigned i = 0; i < 8; ++i) {
        const auto [due, eu] = calls[i];
        EXPECT_EQ(bench.payloads[8 + i][0].bytes[0], eu) << i;
        EXPECT_EQ(bench.threads[8 + i].sent, std::max(due, free)) << i;
        free = bench.threads[8 + i].sent + Cycles(1);
    }
}
INSTANTIATE_TEST_SUITE_P(Random, SpawnTimes, testing::Range(0u, 4u));

class SpawnOrder : public testing::TestWithParam<bool> {};

// The order in which the kernel runs the EUs of a cycle must not be seen.
TEST_P(SpawnOrder, OfTheMessagesOfACycleIsThatOfTheEus) {
    SpawnBench bench;
    bench.last_first = GetParam();
    bench.begin();
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        bench.fill_urb(handle_of(d), 0, 1, 1 + d.sideband.fftid / bench.topology.threads);
        return {{static_cast<unsigned>(2000 - bench.clock.now().value),
                 {.spawn = true, .handle = handle_of(d), .rows = 1, .descriptor = 2}}};
    };
    for (unsigned i = 0; i < 5; ++i)
        bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.payloads.size(), 10u);
    for (unsigned i = 6; i < 10; ++i)
        EXPECT_GT(bench.payloads[i][0].bytes[0], bench.payloads[i - 1][0].bytes[0]) << i;
}

INSTANTIATE_TEST_SUITE_P(Either, SpawnOrder, testing::Bool());

}  // namespace
}  // namespace gen9::media::test
