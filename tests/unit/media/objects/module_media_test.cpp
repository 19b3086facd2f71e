// SPDX-License-Identifier: Apache-2.0
// Media objects through the whole spawner: scoreboard, groups, URB entries, order.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/support/covers.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

struct MediaBench : ModuleBench {
    explicit MediaBench(Timing timing = Timing::Timed, std::vector<std::string> settings = {},
                        const ThreadTopology& topology = {})
        : ModuleBench(topology, timing, std::move(settings)) {}
    void begin(const ScoreboardFields& scoreboard, const DescriptorFields& descriptor = {},
               const VfeFields& vfe = {.entries = 16, .entry_rows = 8, .curbe_rows = 8}) {
        memory.put(0, descriptor);
        auto c = vfe_command(state, vfe);
        set_scoreboard(c, scoreboard);
        add(c);
        add(idd_load(state, 64));
    }
    WalkVector at(const Thread& t) const {
        return {int(t.r0[1] & 0x7FF), int(t.r0[1] >> 16 & 0x7FF)};
    }
    const Thread* thread_at(int x, int y) const {
        for (const Thread& t : threads)
            if (at(t) == WalkVector{x, y}) return &t;
        return nullptr;
    }
    std::uint64_t cycles(SendState activity) const {
        return spawner.stats().cycles[unsigned(activity)].value();
    }
    void expect_every_cycle_counted() {
        spawner.settle();
        std::uint64_t sum = 0;
        for (const Counter& c : spawner.stats().cycles)
            sum += c.value();
        EXPECT_EQ(sum, clock.now().value);
    }
};

/// (-1, 0), (0, -1): each thread after its left and its upper neighbour.
constexpr ScoreboardFields kLeftAndAbove{.mask = 3, .deltas_low = 0xF00F};

MediaWalkerFields wavefront(int width, int height) {
    MediaWalkerFields f = raster(width, height);
    f.local_count = unsigned(width + height - 2);
    f.local_outer = {1, 0};
    f.local_inner = {-1, 1};
    f.scoreboard = true;
    f.mask = 0xFF;
    f.inline_data = {0xABCD};
    return f;
}

class MediaScoreboard : public testing::TestWithParam<Timing> {};

TEST_P(MediaScoreboard, AThreadStartsAfterTheEndsOfAllItDependsOn) {
    GEN9_COVERS("MED-30 MED-32 MED-43");
    MediaBench bench(GetParam());
    std::mt19937 random(3);
    bench.lifetime = [&](const auto&) { return 10 + unsigned(random() % 900); };
    bench.begin(kLeftAndAbove);
    bench.add(media_walker_command(bench.state, wavefront(9, 7)));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 63u);
    unsigned overlaps = 0;
    for (const auto& t : bench.threads) {
        const WalkVector at = bench.at(t);
        for (const WalkVector d : {WalkVector{-1, 0}, WalkVector{0, -1}}) {
            const auto* other = bench.thread_at(at.x + d.x, at.y + d.y);
            if (other != nullptr) {
                EXPECT_GE(t.sent, other->end);
            }
        }
        for (const auto& other : bench.threads)
            overlaps += other.sent < t.sent && other.end > t.sent;
    }
    EXPECT_GT(overlaps, 20u) << "others run beside it";
    if (GetParam() == Timing::Timed) {
        EXPECT_GT(bench.cycles(SendState::WaitScoreboard), 1000u);
        bench.expect_every_cycle_counted();
    }
}

TEST_P(MediaScoreboard, ObjectsWaitAsWalkersDo) {
    GEN9_COVERS("MED-32");
    MediaBench bench(GetParam());
    bench.lifetime = [](const auto& t) { return t.walker == 0 ? 3000u : 50u; };
    bench.begin(kLeftAndAbove);
    const auto object = [&](unsigned x, unsigned y, unsigned mask, bool use = true) {
        bench.add(object_command(
            bench.state,
            {.scoreboard = use, .x = x, .y = y, .mask = mask, .inline_data = {y << 16 | x}}));
    };
    object(0, 0, 3);
    object(1, 0, 2);         // asks above only
    object(1, 1, 3, false);  // asks nothing
    object(0, 1, 3);         // must wait for (0, 0)
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 4u);
    EXPECT_LT(bench.threads[1].sent, bench.threads[0].end);
    EXPECT_LT(bench.threads[2].sent, bench.threads[0].end);
    EXPECT_GE(bench.threads[3].sent, bench.threads[0].end);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST_P(MediaScoreboard, NonStallingThreadsAreSentWithWhatTheyDependOn) {
    GEN9_COVERS("MED-33");
    MediaBench bench(GetParam());
    bench.lifetime = [](const auto&) { return 4000u; };
    ScoreboardFields fields = kLeftAndAbove;
    fields.non_stalling = true;
    bench.begin(fields);
    bench.add(media_walker_command(bench.state, wavefront(4, 3)));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 12u);
    unsigned expected_notices = 0;
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const auto& t : bench.threads) {
        EXPECT_LT(t.sent, bench.threads[0].end) << "none waits";
        const WalkVector at = bench.at(t);
        const auto* left = bench.thread_at(at.x - 1, at.y);
        const auto* above = bench.thread_at(at.x, at.y - 1);
        EXPECT_EQ(t.dependency[0], left ? 0x8000 | left->fftid : 0);
        EXPECT_EQ(t.dependency[1], above ? 0x8000 | above->fftid : 0);
        for (unsigned i = 2; i < 8; ++i)
            EXPECT_EQ(t.dependency[i], 0);
        for (const auto* other : {left, above})
            if (other) pairs.emplace(t.fftid / 7, other->fftid);
    }
    expected_notices = unsigned(pairs.size());
    // Each EU with a thread that depends on one that ends is told once, with notice.
    EXPECT_EQ(bench.end_notices.size(), expected_notices);
    for (const auto& n : bench.end_notices) {
        EXPECT_TRUE(pairs.contains({n.eu, n.fftid}));
        for (const auto& t : bench.threads)
            if (t.fftid == n.fftid) {
                EXPECT_GE(n.at, t.end);
            }
        if (GetParam() == Timing::Timed) {
            EXPECT_GE(n.when, n.at + Cycles(16));
        }
    }
    EXPECT_EQ(bench.spawner.stats().dependencies.value(), 17u) << "3 * 3 left, 4 * 2 above";
    EXPECT_EQ(bench.cycles(SendState::WaitScoreboard), 0u);
}
INSTANTIATE_TEST_SUITE_P(Modes, MediaScoreboard, testing::Values(Timing::Timed, Timing::Functional),
                         [](const auto& info) {
                             return info.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST(SpawnerMedia, TwoThreadsAtOnePlaceAreReported) {
    MediaBench bench;
    bench.begin(kLeftAndAbove);
    for (unsigned i = 0; i < 2; ++i)
        bench.add(
            object_command(bench.state, {.scoreboard = true, .x = 5, .y = 6, .inline_data = {1}}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.env.reporter.guest_errors(), 1u);
}

TEST(SpawnerMedia, AHungScoreboardIsNamed) {
    MediaBench bench;
    bench.lifetime = [](const auto&) { return 100'000'000u; };
    bench.begin(kLeftAndAbove);
    bench.add(media_walker_command(bench.state, wavefront(2, 1)));
    bench.run(10'000);
    const std::string text = bench.spawner.describe_waiting();
    EXPECT_NE(text.find("waits for the scoreboard"), std::string::npos) << text;
    EXPECT_NE(text.find("the thread at (1, 0) depends on the threads with FFTID " +
                        std::to_string(bench.threads.at(0).fftid)),
              std::string::npos)
        << text;
}

TEST(SpawnerMedia, AWalkersInlineDataLiesInOneEntryThatAllItsThreadsAreGiven) {
    GEN9_COVERS("MED-43 TD-59");
    MediaBench bench;
    bench.begin({.enable = false});
    std::vector<std::uint32_t> words;
    bench.inspect = [&](ThreadDispatch& d) {
        words.push_back(load<std::uint32_t>(d.payload[1].bytes));
    };
    for (std::uint32_t data : {0x1111u, 0x2222u}) {
        auto f = raster(5, 3);
        f.inline_data = {data};
        bench.add(media_walker_command(bench.state, f));
    }
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(words.size(), 30u);
    std::set<unsigned> handles[2];
    for (unsigned i = 0; i < 30; ++i) {
        EXPECT_EQ(words[i], i < 15 ? 0x1111u : 0x2222u);
        handles[i / 15].insert(bench.threads[i].r0[0] & 0xFFFF);
        EXPECT_EQ(load<std::uint32_t>(&bench.urb[(bench.threads[i].r0[0] & 0xFFFF) * 64]),
                  words[i]);
    }
    EXPECT_EQ(handles[0].size(), 1u);
    EXPECT_EQ(handles[1].size(), 1u);
    EXPECT_NE(handles[0], handles[1]);
}

class MediaLines : public testing::TestWithParam<bool> {};
TEST_P(MediaLines, AreSplitBetweenTheSubslicesOrWalkedInSequence) {
    GEN9_COVERS("MED-27");
    const bool segments = GetParam();
    MediaBench bench(Timing::Timed,
                     {std::string("spawner.media_lines=") + (segments ? "segments" : "sequence")});
    bench.begin({.enable = false});
    auto f = raster(9, 4);
    f.inline_data = {1};
    bench.add(media_walker_command(bench.state, f));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 36u);
    for (unsigned i = 0; i < 36; ++i) {
        const WalkVector at = bench.at(bench.threads[i]);
        EXPECT_EQ(at.y, int(i / 9));
        EXPECT_EQ(at.x, int(segments ? i % 3 * 3 + i % 9 / 3 : i % 9));
        if (segments) {
            EXPECT_EQ(bench.threads[i].place.subslice.value, unsigned(at.x / 3));
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Both, MediaLines, testing::Bool());

TEST(SpawnerMedia, ObjectsCanBeForcedToASubslice) {
    MediaBench bench;
    bench.begin({.enable = false});
    for (unsigned i = 0; i < 60; ++i)
        bench.add(object_command(bench.state, {.force = true, .subslice = 2, .inline_data = {1}}));
    bench.lifetime = [](const auto&) { return 20'000u; };
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 60u);
    for (const auto& t : bench.threads)
        EXPECT_EQ(t.place.subslice.value, 2u);
    EXPECT_EQ(bench.most_live, 56u) << "though two subslices are empty";
}

TEST(SpawnerMedia, AGroupOfObjectsSharesBarrierAndSubsliceUntilItsLastThreadHasEnded) {
    GEN9_COVERS("MED-61");
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 3, .slm_code = 5, .barrier = true});
    bench.lifetime = [](const auto&) { return 2000u; };
    for (std::uint32_t group : {70u, 71u})
        for (unsigned i = 0; i < 3; ++i)
            bench.add(grpid_command(bench.state, {.x = i, .inline_data = {1}}, group, i == 2));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 6u);
    for (unsigned i = 0; i < 6; ++i) {
        const auto& t = bench.threads[i];
        const auto& first = bench.threads[i / 3 * 3];
        EXPECT_EQ(t.r0[7], 70 + i / 3);
        EXPECT_EQ(t.r0[2] >> 28, 7u);
        EXPECT_EQ(t.place.subslice.value, first.place.subslice.value);
        EXPECT_EQ(t.r0[2] >> 24, first.r0[2] >> 24);
        EXPECT_EQ(t.r0[0] >> 24, first.r0[0] >> 24);
        EXPECT_EQ(t.local, i % 3);
    }
    // Each barrier is set up once for three threads and given up after the last end.
    std::vector<ModuleBench::BarrierWrite> set, freed;
    for (const auto& w : bench.barriers)
        (w.count ? set : freed).push_back(w);
    ASSERT_EQ(set.size(), 2u);
    ASSERT_EQ(freed.size(), 2u);
    EXPECT_EQ(set[0].count, 3u);
    EXPECT_GE(freed[0].at, bench.threads[2].end);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST(SpawnerMedia, ThreadsOfAGroupOfObjectsDependOnEachOther) {
    GEN9_COVERS("MED-61");
    MediaBench bench;
    bench.begin({.mask = 1, .deltas_low = 0x0F},
                {.group_threads = 3, .slm_code = 5, .barrier = true});
    bench.lifetime = [](const auto&) { return 2000u; };
    for (unsigned i = 0; i < 3; ++i)
        bench.add(grpid_command(
            bench.state, {.scoreboard = true, .x = i, .mask = 1, .inline_data = {1}}, 70, i == 2));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 3u);
    for (unsigned i = 1; i < 3; ++i) {
        EXPECT_GE(bench.threads[i].sent, bench.threads[i - 1].end);
        EXPECT_EQ(bench.threads[i].place.subslice.value, bench.threads[0].place.subslice.value);
        EXPECT_EQ(bench.threads[i].r0[2] >> 24, bench.threads[0].r0[2] >> 24);
    }
    EXPECT_EQ(bench.barriers.size(), 2u) << "one barrier, kept while no thread of the group runs";
}

TEST(SpawnerMedia, AGroupOfObjectsWithAGlobalBarrierCrossesSubslices) {
    GEN9_COVERS("MED-61");
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 60, .barrier = true, .global_barrier = true});
    bench.lifetime = [](const auto&) { return 20'000u; };
    for (unsigned i = 0; i < 60; ++i)
        bench.add(grpid_command(bench.state, {.inline_data = {1}}, 70, i == 59));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 60u);
    std::set<unsigned> subslices, barriers;
    for (const auto& t : bench.threads) {
        subslices.insert(t.place.subslice.value);
        barriers.insert(t.r0[2] >> 24);
    }
    EXPECT_EQ(subslices.size(), 2u);
    EXPECT_EQ(barriers.size(), 1u);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST(SpawnerMedia, OneGroupOfObjectsAtATime) {
    GEN9_COVERS("MED-61");
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 2, .barrier = true});
    bench.add(grpid_command(bench.state, {.inline_data = {1}}, 1, false));
    bench.add(grpid_command(bench.state, {.inline_data = {1}}, 2, true));
    bench.add(grpid_command(bench.state, {.inline_data = {1}}, 1, true));
    bench.add(grpid_command(bench.state, {.inline_data = {1}}, 2, false));
    bench.add(vfe_command(bench.state));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 3u);
    EXPECT_TRUE(bench.commands[3].failed) << "while group 1 is open";
    EXPECT_EQ(bench.env.reporter.guest_errors(), 2u) << "and group 2 was never ended";
    unsigned live = 0;
    for (const auto& w : bench.barriers)
        live += w.count ? 1u : ~0u;
    EXPECT_EQ(live, 0u) << "its barrier is free again";
}

TEST(SpawnerMedia, AWalkersGroupsHaveTheirOwnBarriersAndTheNumbersOfTheirLoops) {
    GEN9_COVERS("MED-24 MED-25 MED-53");
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 6, .slm_code = 4, .barrier = true});
    auto f = raster(6, 8);
    f.loop_select = 2;
    f.inline_data = {1};
    bench.add(media_walker_command(bench.state, f));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 48u);
    std::map<unsigned, std::set<unsigned>> where;
    for (const auto& t : bench.threads) {
        const unsigned line = t.r0[1] >> 16;
        EXPECT_EQ(t.r0[7], line << 5) << "outer local count above five bits of the middle one";
        where[line].insert(t.place.subslice.value);
    }
    for (const auto& [line, subslices] : where)
        EXPECT_EQ(subslices.size(), 1u) << line;
    EXPECT_EQ(where.size(), 8u);
    EXPECT_EQ(bench.barriers.size(), 16u);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST(SpawnerMedia, ABarrierThatExpectsAnotherNumberIsReported) {
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 5, .barrier = true});
    auto f = raster(6, 2);
    f.loop_select = 2;
    f.inline_data = {1};
    bench.add(media_walker_command(bench.state, f));
    bench.run();
    EXPECT_EQ(bench.env.reporter.guest_errors(), 1u);
}

TEST(SpawnerMedia, AGlobalBarriersGroupFillsOneSubsliceBeforeTheNext) {
    GEN9_COVERS("TD-49 TD-50 TD-51");
    MediaBench bench;
    bench.begin({.enable = false}, {.group_threads = 100, .barrier = true, .global_barrier = true});
    bench.lifetime = [](const auto&) { return 3000u; };
    auto f = raster(100, 2);
    f.loop_select = 2;
    f.inline_data = {1};
    bench.add(media_walker_command(bench.state, f));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 200u);
    std::size_t setups = 0;
    for (unsigned group = 0; group < 2; ++group) {
        std::map<unsigned, unsigned> shares;
        std::set<unsigned> ids;
        for (unsigned i = group * 100; i < group * 100 + 100; ++i) {
            ++shares[bench.threads[i].place.subslice.value];
            ids.insert(bench.threads[i].r0[2] >> 31 << 4 | (bench.threads[i].r0[2] >> 24 & 15));
        }
        EXPECT_EQ(ids.size(), 1u) << "one id for all";
        if (group == 0) {
            EXPECT_EQ(shares.size(), 2u) << "as few subslices as will do";
        }
        setups += shares.size();
        for (const auto& share : shares) {
            const auto setup = std::ranges::find_if(bench.barriers, [&](const auto& w) {
                return w.subslice == share.first && w.count == share.second && w.id == *ids.begin();
            });
            EXPECT_NE(setup, bench.barriers.end()) << "local count " << share.second;
        }
    }
    // 168 slots: the second group waits until all of it fits.
    EXPECT_GE(bench.threads[100].sent, bench.threads[0].end);
    EXPECT_EQ(bench.barriers.size(), 2 * setups);
}

TEST(SpawnerMedia, ADescriptorChangeBetweenThreadsWithoutGroupsDrainsNothing) {
    MediaBench bench;
    bench.begin({.enable = false});
    bench.memory.put(1, {.kernel_start = 0x1000});
    bench.lifetime = [](const auto&) { return 3000u; };
    for (unsigned i = 0; i < 4; ++i)
        bench.add(object_command(bench.state, {.descriptor = i % 2, .inline_data = {1}}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 4u);
    EXPECT_EQ(bench.most_live, 4u);
    EXPECT_EQ(bench.cycles(SendState::WaitDrain), 0u);
}

TEST(SpawnerMedia, RefusedObjectsStartNothingAndLoseNoEntry) {
    GEN9_COVERS("TD-14");
    MediaBench bench;
    bench.begin({.enable = false}, {}, {.entries = 1, .entry_rows = 8, .curbe_rows = 8});
    for (unsigned i = 0; i < 5; ++i)
        bench.add(object_command(bench.state, {.indirect_bytes = 64, .indirect_offset = 0x30000}));
    bench.add(object_command(bench.state, {.inline_data = {1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 1u);
}

TEST(SpawnerMedia, RandomMediaCommandsNeitherHangNorCrash) {
    for (Timing timing : {Timing::Timed}) {
        MediaBench bench(timing);
        std::mt19937 random(11);
        bench.begin({.mask = 0xFF, .deltas_low = 0x1FF0F00F}, {.per_thread_rows = 1});
        bench.memory.put(1, {.group_threads = 3, .slm_code = 2, .barrier = true});
        for (unsigned i = 0; i < 200; ++i) {
            const std::uint32_t headers[] = {0x71000000, 0x71020000, 0x71030000, 0x71060000};
            PipelineCommand c =
                make_command(headers[random() % 4], 6 + unsigned(random() % 20), bench.state);
            for (unsigned d = 1; d < 30; ++d)
                c.dwords[d] = std::uint32_t(random()) & std::uint32_t(random()) & 0x00070007;
            // What only another message can end is left to its own tests.
            c.dwords[2] &= ~(1u << 24 | 1u << 23 | 1u << 31);
            bench.add(c);
        }
        bench.run(20'000'000);
        EXPECT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();
        bench.expect_every_cycle_counted();
    }
}

}  // namespace
}  // namespace gen9::media::test
