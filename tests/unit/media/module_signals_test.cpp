// SPDX-License-Identifier: Apache-2.0
// What a waveform shows of the spawner, against what happened and against its counters.
#include <gtest/gtest.h>

#include "tests/support/signal_log.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

struct SignalBench : ModuleBench {
    using ModuleBench::ModuleBench;
    gen9::test::SignalLog log{env.environment.signals};
    std::uint64_t value(const std::string& name, Cycles at) const {
        return log.value(env.environment.signals[0]->path() + "." + name, at.value);
    }
};

TEST(SpawnerSignals, AThreadIsFollowedFromItsWalkerToItsEndByGroupAndNumber) {
    SignalBench bench;
    bench.lifetime = [](const auto& t) { return 700 + 90 * t.group[0] + 13 * t.local + t.walker; };
    bench.memory.put(0, {.group_threads = 3, .barrier = true});
    bench.preamble();
    const auto first = bench.add(walker_command(
        bench.state, {.threads = {3, 1, 1}, .start = {1, 0, 2}, .groups = {3, 2, 3}}));
    bench.add(walker_command(bench.state, {.threads = {3, 1, 1}, .groups = {2, 1, 1}}));
    bench.commands[first].trace_id = 0x77;
    bench.run(4000);
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 18u);
    EXPECT_EQ(bench.value("command_id", bench.threads[0].sent), 0x77u);
    std::map<Cycles, unsigned> ends;
    for (const auto& t : bench.threads)
        ++ends[t.end + SignalBench::kRetire];
    for (const auto& t : bench.threads) {
        const auto shows = [&](const std::string& what, Cycles at) {
            return bench.value(what + "_walker", at) == t.walker &&
                   bench.value(what + "_group_x", at) == t.group[0] &&
                   bench.value(what + "_group_y", at) == t.group[1] &&
                   bench.value(what + "_group_z", at) == t.group[2] &&
                   bench.value(what + "_thread", at) == t.local &&
                   bench.value(what + "_fftid", at) == t.fftid &&
                   bench.value(what + "_id", at) == t.id;
        };
        EXPECT_TRUE(shows("sent", t.sent));
        EXPECT_EQ(bench.value("sent", t.sent), 1u);
        EXPECT_EQ(bench.value("walker", t.sent), t.walker);
        EXPECT_EQ(bench.value("activity", t.sent), unsigned(SendState::Sending));
        const Cycles end = t.end + SignalBench::kRetire;
        EXPECT_EQ(bench.value("ended", end), ends[end]);
        EXPECT_TRUE(ends[end] > 1 || shows("ended", end));
    }
    EXPECT_EQ(bench.value("sent", bench.threads.back().sent + Cycles(1)), 0u);
}

TEST(SpawnerSignals, ActivityOverTheRunIsWhatTheCountersSay) {
    constexpr unsigned kCycles = 3000;
    SignalBench bench({1, 1, 8, 7}, Timing::Timed, {"spawner.walker_cycles=0"});
    bench.memory_latency = Cycles(0);
    bench.lifetime = [](const auto& t) { return 200 + t.group[0] * 13 % 70; };
    bench.memory.put(0, {.per_thread_rows = 7, .group_threads = 3, .slm_code = 5, .barrier = true});
    bench.memory.put(1, {.per_thread_rows = 7});
    bench.preamble(2, {.entries = 1, .entry_rows = 32});
    for (const unsigned descriptor : {0u, 1u, 1u})
        bench.add(walker_command(bench.state, {.descriptor = descriptor,
                                               .threads = {3, 1, 1},
                                               .groups = {18, 1, 1},
                                               .indirect_bytes = 21 * 32}));
    bench.run(kCycles);
    ASSERT_TRUE(bench.all_finished());
    bench.spawner.settle();
    std::array<std::uint64_t, kSendStates> seen{};
    for (unsigned cycle = 0; cycle < kCycles; ++cycle)
        ++seen[bench.value("activity", Cycles(cycle))];
    for (unsigned i = 0; i < kSendStates; ++i)
        EXPECT_EQ(seen[i], bench.spawner.stats().cycles[i].value()) << kSendStateWords[i];
    EXPECT_GT(seen[unsigned(SendState::WaitSlm)], 0u);
    EXPECT_GT(seen[unsigned(SendState::WaitDrain)], 0u);
    EXPECT_GT(seen[unsigned(SendState::WaitUrb)], 0u);
    EXPECT_EQ(bench.value("activity", Cycles(kCycles - 1)), unsigned(SendState::Idle));
    Cycles end;
    for (const Cycles finished : bench.finished)
        end = std::max(end, finished);
    EXPECT_EQ(bench.value("activity", end), unsigned(SendState::Idle)) << "from the last one's end";
}

TEST(SpawnerSignals, BarriersAndUrbEntriesShowWhatIsTaken) {
    SignalBench bench({1, 1, 8, 7});
    bench.lifetime = [](const auto&) { return 2000u; };
    bench.memory.put(0, {.per_thread_rows = 7, .group_threads = 4, .barrier = true});
    bench.preamble(1, {.entries = 3, .entry_rows = 32});
    bench.add(walker_command(
        bench.state, {.threads = {4, 1, 1}, .groups = {3, 1, 1}, .indirect_bytes = 28 * 32}));
    bench.run(6000);
    ASSERT_TRUE(bench.all_finished());
    const Cycles first = bench.threads.front().sent, last = bench.threads.back().sent;
    // 16 cycles after its payload has been read a thread begins.
    const Cycles read = bench.threads.back().start - Cycles(16);
    ASSERT_GT(read, last + Cycles(1));
    EXPECT_EQ(bench.value("free_urb_entries", Cycles(0)), 0u);
    EXPECT_EQ(bench.value("free_urb_entries", first), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", read - Cycles(1)), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", read), 3u);
    EXPECT_EQ(bench.value("barriers_subslice0", last), 3u);
    EXPECT_EQ(bench.value("threads_subslice0", last), 12u);
    EXPECT_EQ(bench.value("barriers_subslice0", Cycles(5999)), 0u);
}

// An object with data has an entry until its thread has read it; others have none.
TEST(SpawnerSignals, AnObjectsEntryIsTakenAndComesBack) {
    SignalBench bench({1, 1, 8, 7}, Timing::Timed, {"spawner.urb_entry_release=walker_end"});
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble(1, {.entries = 3, .entry_rows = 2, .curbe_rows = 4});
    bench.lifetime = [](const auto&) { return 500u; };
    bench.add(object_command(bench.state, {}));
    bench.add(object_command(bench.state, {.inline_data = {1}}));
    bench.add(object_command(bench.state, {.inline_data = std::vector<std::uint32_t>(80)}));
    bench.run(6000);
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.env.reporter.guest_errors(), 1u) << "ten rows are too many";
    ASSERT_EQ(bench.threads.size(), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", bench.threads[0].sent), 3u);
    const Cycles end = bench.threads[1].end + SignalBench::kRetire;
    EXPECT_EQ(bench.value("free_urb_entries", bench.threads[1].sent), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", end - Cycles(1)), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", end), 3u);
    EXPECT_EQ(bench.value("free_urb_entries", Cycles(5999)), 3u);
}

TEST(SpawnerSignals, IsIdleBeforeItsFirstCommand) {
    SignalBench bench;
    bench.run(1000);
    bench.preamble();
    bench.send_more();
    bench.run(1000);
    EXPECT_EQ(bench.value("activity", Cycles(999)), unsigned(SendState::Idle));
    bench.spawner.settle();
    // Of the two commands each takes four cycles, and one reads for 200.
    const auto& cycles = bench.spawner.stats().cycles;
    EXPECT_EQ(cycles[unsigned(SendState::FrontEnd)].value(), 4u + 4 + 200);
    EXPECT_EQ(cycles[unsigned(SendState::Idle)].value(), 2000u - 208);
    EXPECT_EQ(bench.spawner.describe_waiting(), "");
}

TEST(SpawnerSignals, AnEntryThatIsHeldToTheWalkersEndIsFreeThen) {
    SignalBench bench({1, 1, 8, 7}, Timing::Timed, {"spawner.urb_entry_release=walker_end"});
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble(1, {.entries = 3, .entry_rows = 32});
    const auto walker =
        bench.add(walker_command(bench.state, {.groups = {3, 1, 1}, .indirect_bytes = 32}));
    bench.run(6000);
    ASSERT_TRUE(bench.all_finished());
    const Cycles end = bench.threads.back().end + SignalBench::kRetire;
    EXPECT_GE(bench.finished[walker], end);
    EXPECT_EQ(bench.value("free_urb_entries", bench.threads.front().sent), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", end - Cycles(1)), 2u);
    EXPECT_EQ(bench.value("free_urb_entries", end), 3u);
}

}  // namespace
}  // namespace gen9::media::test
