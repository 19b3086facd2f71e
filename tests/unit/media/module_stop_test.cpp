// SPDX-License-Identifier: Apache-2.0
// Walkers that are stopped between two groups, and go on.
#include <set>
#include <tuple>

#include "media/module.h"
#include "tests/support/covers.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

constexpr ThreadTopology kOneEu{1, 1, 1, 7};
constexpr WalkerFields kWalk{.threads = {3, 1, 1}, .groups = {4, 3, 2}};

using Ids = std::multiset<std::pair<std::array<std::uint32_t, 3>, unsigned>>;
Ids sent(const ModuleBench& bench) {
    Ids ids;
    for (const auto& t : bench.threads)
        ids.insert({t.group, t.local});
    return ids;
}
Ids all_of_the_walk() {
    Ids ids;
    for (std::uint32_t n = 0; n < 24 * 3; ++n)
        ids.insert({{n / 3 % 4, n / 12 % 3, n / 36}, n % 3});
    return ids;
}
bool stopped(const PipelineCommand& command) {
    return command.remaining.has_value();
}

// PRE-05: exactly the groups that had not begun.
class StoppedWalk : public testing::TestWithParam<std::tuple<unsigned, bool>> {};

TEST_P(StoppedWalk, SendsWholeGroupsAndTheRestLater) {
    GEN9_COVERS("PRE-05");
    const auto [cycles, barrier] = GetParam();
    ModuleBench bench(kOneEu);
    bench.memory.put(0, {.group_threads = 3, .barrier = barrier});
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, kWalk));
    bench.run(cycles);
    bench.stop(walker);
    bench.run();
    ASSERT_NE(bench.finished[walker], ModuleBench::kNever);
    EXPECT_EQ(bench.threads.size() % 3, 0u);
    EXPECT_EQ(bench.live, 0u);
    if (!stopped(bench.commands[walker])) {
        EXPECT_EQ(sent(bench), all_of_the_walk());
        return;
    }
    EXPECT_LT(bench.threads.size(), 72u);
    bench.resume(walker);
    bench.send_more();
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_FALSE(stopped(bench.commands.back()));
    EXPECT_EQ(sent(bench), all_of_the_walk());
    EXPECT_FALSE(bench.env.reporter.failed());
}
INSTANTIATE_TEST_SUITE_P(Cycles, StoppedWalk,
                         testing::Combine(testing::Values(1, 300, 500, 515, 600, 777, 900, 1200,
                                                          1500, 1900, 2100, 2500, 4000),
                                          testing::Bool()));

TEST(StopWalk, ActsInTheCycleAfterItIsAsked) {
    ModuleBench bench(kOneEu, Timing::Timed, {"spawner.load_queue=64"});
    bench.memory.put(0, {});
    bench.preamble();
    bench.lifetime = [](const auto&) { return 100'000u; };
    const auto walker = bench.add(walker_command(bench.state, {.groups = {7, 1, 1}}));
    while (bench.threads.size() < 3)
        bench.run(1);
    const Cycles asked = bench.clock.now();
    bench.stop(walker);
    bench.run();
    // The thread of this cycle leaves, and no other.
    ASSERT_EQ(bench.threads.size(), 4u);
    EXPECT_EQ(bench.threads.back().sent, asked);
    EXPECT_EQ(bench.accepted[walker], asked + Cycles(1));
    EXPECT_TRUE(stopped(bench.commands[walker]));
    EXPECT_EQ(bench.commands[walker].remaining->group[0], 4u);
}

TEST(StopWalk, OfAWalkThatHasSentAllDoesNothing) {
    ModuleBench bench;
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    bench.lifetime = [](const auto&) { return 5000u; };
    while (bench.accepted.size() <= walker || bench.accepted[walker] == ModuleBench::kNever)
        bench.run(1);
    bench.stop(walker);
    const auto next = bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    bench.send_more();
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_FALSE(stopped(bench.commands[walker]));
    EXPECT_FALSE(stopped(bench.commands[next]));
    EXPECT_EQ(bench.threads.size(), 8u);
}

// 003:17903-17911: between commands only, so that the longest one is the latency. Seven threads at
// a time.
TEST(StopWalk, MediaThreadsAllRunBeforeTheAnswer) {
    GEN9_COVERS("PRE-26");
    ModuleBench bench(kOneEu);
    static constexpr unsigned kLifetime = 5000;
    bench.lifetime = [](const auto&) { return kLifetime; };
    bench.memory.put(0, {});
    bench.preamble(1, {.entries = 16, .entry_rows = 8, .curbe_rows = 8});
    MediaWalkerFields objects = raster(4, 4);
    objects.inline_data = {1};
    const auto walker = bench.add(media_walker_command(bench.state, objects));
    bench.run(1000);
    ASSERT_GT(bench.live, 0u);
    ASSERT_LT(bench.threads.size(), 16u);
    bench.stop(walker);
    bench.run(2 * kLifetime);
    EXPECT_EQ(bench.finished[walker], ModuleBench::kNever);
    bench.run();
    EXPECT_EQ(bench.threads.size(), 16u);
    EXPECT_GE(bench.finished[walker], Cycles(3 * kLifetime));
    EXPECT_TRUE(bench.all_finished());
    EXPECT_FALSE(bench.env.reporter.failed());
}

// 003:17037: nothing stands between a walker, the descriptors of the next, and that one. Groups
// that need all shared local memory of a subslice wait for it by themselves.
TEST(Walkers, NeedNoMediaStateFlushBetweenThem) {
    GEN9_COVERS("PRE-07");
    ModuleBench bench;
    constexpr unsigned kAllSlm = 7, kGroups = 9;
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.memory.put(0, {.slm_code = kAllSlm, .binding_table = 0x40});
    bench.memory.put(2, {.slm_code = kAllSlm, .binding_table = 0x80});
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {kGroups, 1, 1}}));
    bench.add(idd_load(bench.state, 32, 64));
    bench.add(walker_command(bench.state, {.groups = {kGroups, 1, 1}}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 2 * kGroups);
    for (unsigned i = 0; i < bench.threads.size(); ++i) {
        const ModuleBench::Thread& t = bench.threads[i];
        EXPECT_EQ(t.r0[4] & ~0x1Fu, i < kGroups ? 0x40u : 0x80u) << i;
        for (unsigned before = 0; before < i; ++before)
            if (bench.threads[before].place.subslice == t.place.subslice) {
                EXPECT_GE(t.start, bench.threads[before].end) << i;
            }
    }
    EXPECT_FALSE(bench.env.reporter.failed());
}

}  // namespace
}  // namespace gen9::media::test
