// SPDX-License-Identifier: Apache-2.0
// URB entries: walkers take them, wait for them and give them back.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/covers.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

/// The least of params.h's dispatch_cycles and the notice: from the payload's last read to the
/// first instruction.
constexpr Cycles kAfterRead{16};

/// Two walkers of 20 threads with 8 registers each: 4 cycles of loading a thread.
struct UrbBench : ModuleBench {
    struct Load {
        unsigned handle;
        Cycles at;
    };
    std::vector<Load> loads;  ///< payload put into an entry

    explicit UrbBench(unsigned entries, Timing timing = Timing::Timed,
                      std::vector<std::string> settings = {},
                      const ThreadTopology& topology = kOneSubslice)
        : ModuleBench(topology, timing, std::move(settings)) {
        const auto take = mem_in.on_blocking;
        mem_in.on_blocking = [this, take](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
            if (attributes_of(p).space == AddressSpace::Urb)
                loads.push_back({unsigned(p.get_address() / 64), clock.now()});
            take(p, delay);
        };
        lifetime = [](const Thread&) { return 5000u; };
        memory.put(0, {.per_thread_rows = 3, .cross_thread_rows = 4});
        preamble(1, {.entries = entries, .entry_rows = 8});
    }
    void walkers(unsigned count, unsigned groups = 20) {
        for (unsigned i = 0; i < count; ++i)
            add(walker_command(state, {.groups = {groups, 1, 1}, .indirect_bytes = 224}));
    }
    /// Cycle in which the last thread of a walker has its payload.
    Cycles read_by(unsigned walker) const {
        Cycles last;
        for (const Thread& t : threads)
            if (t.walker == walker) last = std::max(last, t.start - kAfterRead);
        return last;
    }
    std::uint64_t waited() const {
        return spawner.stats().cycles[unsigned(SendState::WaitUrb)].value();
    }
};

TEST(SpawnerUrb, AWalkerWaitsUntilThreadsOfTheOneBeforeHaveReadTheOnlyEntry) {
    GEN9_COVERS("TD-31");
    UrbBench bench(1);
    bench.memory_latency = Cycles(0);
    bench.walkers(2);
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.loads.size(), 2u);
    EXPECT_EQ(bench.loads[0].handle, bench.loads[1].handle);
    // As soon as the entry is free, the second walker's data is read and put there.
    const unsigned walker_cycles = 32;
    EXPECT_EQ(bench.loads[1].at, bench.read_by(0) + Cycles(walker_cycles));
    EXPECT_GT(bench.waited(), 0u);
    EXPECT_LT(bench.loads[1].at, bench.threads[0].end) << "walkers overlap all the same";
}

TEST(SpawnerUrb, WithAnEntryForEachWalkerNoneWaits) {
    GEN9_COVERS("TD-31");
    UrbBench bench(2);
    bench.memory_latency = Cycles(0);
    bench.walkers(2);
    bench.run();
    ASSERT_EQ(bench.loads.size(), 2u);
    EXPECT_EQ(bench.loads[0].handle + 4, bench.loads[1].handle);
    EXPECT_EQ(bench.waited(), 0u);
}

// 003:17242: the CURBE's data is placed after the descriptors.
TEST(SpawnerUrb, ACurbeLoadAloneFillsTheCurbesRowsAndOnlyThoseOfItsData) {
    ModuleBench bench;
    std::vector<std::pair<std::uint64_t, unsigned>> writes;  // address, bytes
    const auto take = bench.mem_in.on_blocking;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        if (attributes_of(p).space == AddressSpace::Urb)
            writes.emplace_back(p.get_address(), p.get_data_length());
        take(p, delay);
    };
    bench.memory.put_rows(kDynamicBase + 0x400, 2, 50);
    bench.add(vfe_command(bench.state, {.curbe_rows = 4}));
    bench.add(idd_load(bench.state, 32));
    bench.add(curbe_load(bench.state, 64, 0x400));
    bench.add(idd_load(bench.state, 32));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(writes, (decltype(writes){{64 * 32, 64}}));
    EXPECT_EQ(bench.urb.at(65 * 32), 51);
}

// A later walker can take the entry of one that had nothing to read, before the first has been
// read.
TEST(SpawnerUrb, AWalkerWithoutThreadsGivesItsEntryBackAtOnce) {
    UrbBench bench(2, Timing::Timed, {"spawner.walker_cycles=0"});
    bench.memory_latency = Cycles(0);
    bench.walkers(1);
    bench.add(walker_command(bench.state, {.groups = {0, 1, 1}, .indirect_bytes = 224}));
    bench.walkers(1);
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.loads.size(), 3u);
    EXPECT_EQ(bench.loads[2].handle, bench.loads[1].handle);
    EXPECT_LT(bench.loads[2].at, bench.read_by(0));
    EXPECT_EQ(bench.waited(), 0u);
}

class SpawnerUrbEntries : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

TEST_P(SpawnerUrbEntries, AreLoadedByNoWalkerWhileAnotherStillReadsThem) {
    const auto [entries, subslices] = GetParam();
    UrbBench bench(entries, Timing::Timed, {"spawner.walker_cycles=0"}, {1, subslices, 8, 7});
    bench.memory_latency = Cycles(0);
    std::mt19937 random(entries);
    bench.lifetime = [&](const auto&) { return 20 + unsigned(random() % 400); };
    for (unsigned i = 0; i < 40; ++i)
        bench.walkers(1, 1 + unsigned(random() % 12));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.loads.size(), 40u);
    std::map<unsigned, unsigned> last;  // handle -> walker
    for (unsigned w = 0; w < 40; ++w) {
        const auto& load = bench.loads[w];
        if (last.contains(load.handle)) {
            EXPECT_GE(load.at, bench.read_by(last[load.handle])) << "walker " << w;
        }
        last[load.handle] = w;
    }
    EXPECT_EQ(last.size(), entries);
    EXPECT_TRUE(entries > 1 || bench.waited() > 0);
}
INSTANTIATE_TEST_SUITE_P(Some, SpawnerUrbEntries,
                         testing::Combine(testing::Values(1, 2, 3, 7), testing::Values(1, 2, 3)));

TEST(SpawnerUrb, HeldToTheWalkersEndWhereAskedFor) {
    UrbBench bench(1, Timing::Timed, {"spawner.urb_entry_release=walker_end"});
    bench.walkers(2);
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    for (unsigned t = 0; t < 20; ++t)
        EXPECT_GE(bench.loads[1].at, bench.threads[t].end);
    EXPECT_GT(bench.waited(), 4000u);
    std::uint64_t sum = 0;
    bench.spawner.settle();
    for (const Counter& c : bench.spawner.stats().cycles)
        sum += c.value();
    EXPECT_EQ(sum, bench.clock.now().value);
}

TEST(SpawnerUrb, AnEntryThatNeverComesBackIsNamed) {
    UrbBench bench(1, Timing::Timed, {"spawner.urb_entry_release=walker_end"});
    bench.lifetime = [](const auto&) { return 100'000'000u; };
    bench.walkers(2);
    bench.run(10'000);
    const std::string text = bench.spawner.describe_waiting();
    EXPECT_NE(text.find("waits for a URB entry"), std::string::npos) << text;
    EXPECT_NE(text.find("walker 0: 20 of 20 threads sent are still running, holds URB entry 0"),
              std::string::npos)
        << text;
}

TEST(SpawnerUrb, FunctionalModeReadsAtOnceAndNeverWaits) {
    UrbBench bench(1, Timing::Functional);
    bench.walkers(5);
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 100u);
    EXPECT_EQ(bench.waited(), 0u);
}

}  // namespace
}  // namespace gen9::media::test
