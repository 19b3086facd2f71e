// SPDX-License-Identifier: Apache-2.0
#include "media/module.h"

#include <random>
#include <set>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

struct Observer : WorkObserver {
    std::vector<WorkRecord> began, ended;
    void work_began(const WorkRecord& w) override { began.push_back(w); }
    void work_ended(const WorkRecord& w) override { ended.push_back(w); }
};

TEST(Spawner, OneGroupOneThreadCommandToRetirement) {
    GEN9_COVERS("TD-01 TD-02 TD-37 TD-38");
    ModuleBench bench;
    Observer observer;
    bench.spawner.observer = &observer;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2});
    bench.preamble();
    bench.add(
        walker_command(bench.state, {.groups = {3, 2, 2}, .right = 0xFF, .indirect_bytes = 96}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 12u);
    std::set<unsigned> ids;
    for (unsigned i = 0; i < 12; ++i) {
        const auto& t = bench.threads[i];
        EXPECT_EQ(t.r0[1], i % 3);
        EXPECT_EQ(t.r0[6], i / 3 % 2);
        EXPECT_EQ(t.r0[7], i / 6);
        EXPECT_EQ(bits(t.r0[5], 9u, 9u), 1u);
        EXPECT_EQ(bits(t.r0[5], 8u, 0u), t.fftid);
        EXPECT_EQ(bits(t.r0[2], 29u, 28u), 0u);
        EXPECT_EQ(t.mask, 0xFFu);
        EXPECT_TRUE(ids.insert(t.fftid).second) << "all live at once";
    }
    ASSERT_EQ(observer.ended.size(), 1u);
    EXPECT_EQ(observer.began.size(), 1u);
    EXPECT_EQ(observer.ended[0].threads, 12u);
    EXPECT_EQ(observer.ended[0].instructions, 120u);
    EXPECT_EQ(observer.ended[0].messages, 24u);
    EXPECT_EQ(observer.ended[0].kernel_start.value, 0x100040u);
    EXPECT_GT(observer.ended[0].end, bench.threads.back().end);
    EXPECT_FALSE(bench.env.reporter.failed());
    EXPECT_EQ(bench.spawner.describe_waiting(), "");
}

TEST(Spawner, WalkerIsAcceptedWhenAllAreSentAndAnsweredWhenAllHaveEnded) {
    GEN9_COVERS("TD-16 MED-09");
    ModuleBench bench;
    bench.preamble();
    bench.lifetime = [](const auto&) { return 5000u; };
    const auto walker = bench.add(walker_command(bench.state, {.groups = {200, 1, 1}}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 200u);
    EXPECT_EQ(bench.accepted[walker], bench.threads.back().sent);
    Cycles last;
    for (const auto& t : bench.threads)
        last = std::max(last, t.end);
    EXPECT_GE(bench.finished[walker], last);
    EXPECT_LE(bench.finished[walker], last + Cycles(4));
    EXPECT_EQ(bench.most_live, 168u);
}

TEST(Spawner, ALoadWaitsForNoThreadWhateverItsReservedBitsSay) {
    ModuleBench bench;
    bench.preamble();
    bench.lifetime = [](const auto&) { return 5000u; };
    bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    PipelineCommand load = idd_load(bench.state);
    load.dwords[1] = ~0u;  // of MEDIA_STATE_FLUSH: what it is to wait for
    const auto behind = bench.add(load);
    bench.run();
    ASSERT_EQ(bench.threads.size(), 4u);
    EXPECT_LT(bench.accepted[behind], bench.threads[0].end);
}

TEST(Spawner, DispatchIsAnnouncedWithNotice) {
    GEN9_COVERS("TD-19");
    ModuleBench bench({}, Timing::Timed, {"spawner.dispatch_cycles=1"});
    bench.memory.put(0, {.per_thread_rows = 3, .cross_thread_rows = 4});
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {60, 1, 1}, .indirect_bytes = 224}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 60u);
    for (const auto& t : bench.threads)
        EXPECT_GE(t.start, t.sent + Cycles(16));
}

TEST(Spawner, ThreadsLeaveAtTheRateAndLoadAtTheirs) {
    GEN9_COVERS("TD-19");
    ModuleBench bench({}, Timing::Timed, {"spawner.load_queue=1"});
    // 8 registers at 2 a clock: 4 clocks of a subslice's dispatcher; three subslices.
    bench.memory.put(0, {.per_thread_rows = 3, .cross_thread_rows = 4});
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {9, 1, 1}, .indirect_bytes = 224}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 9u);
    for (unsigned i = 1; i < 3; ++i)
        EXPECT_EQ(bench.threads[i].sent, bench.threads[i - 1].sent + Cycles(1));
    for (unsigned i = 3; i < 9; ++i) {
        EXPECT_GE(bench.threads[i].start, bench.threads[i - 3].start + Cycles(4));
        EXPECT_LE(bench.threads[i].start, bench.threads[i - 3].start + Cycles(5));
    }
}

TEST(Spawner, NoThreadOfABarrierGroupStartsBeforeTheGatewaysAccept) {
    GEN9_COVERS("TD-46 GW-12 GW-13");
    ModuleBench bench;
    bench.gateway_latency = Cycles(300);
    bench.memory.put(0, {.group_threads = 4, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {4, 1, 1}, .groups = {5, 1, 1}}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 20u);
    std::vector<ModuleBench::BarrierWrite> setups;
    for (const auto& w : bench.barriers)
        if (w.count) setups.push_back(w);
    ASSERT_EQ(setups.size(), 5u);
    for (const auto& t : bench.threads) {
        const auto& setup = setups[t.group[0]];
        EXPECT_EQ(setup.count, 4u);
        EXPECT_EQ(setup.subslice, t.place.subslice.value);
        EXPECT_EQ(setup.id, bits(t.r0[2], 31u, 31u) << 4 | bits(t.r0[2], 27u, 24u));
        EXPECT_EQ(bits(t.r0[2], 29u, 29u), 1u);
        EXPECT_GE(t.sent, setup.at + Cycles(300));
    }
}

TEST(Spawner, BarrierIsFreedAtTheGatewayWhenTheGroupEnds) {
    GEN9_COVERS("TD-47 GW-15");
    ModuleBench bench;
    bench.memory.put(0, {.group_threads = 2, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {2, 1, 1}}));
    bench.run();
    ASSERT_EQ(bench.barriers.size(), 2u);
    EXPECT_EQ(bench.barriers[1].count, 0u);
    EXPECT_EQ(bench.barriers[1].id, bench.barriers[0].id);
    EXPECT_GE(bench.barriers[1].at, std::max(bench.threads[0].end, bench.threads[1].end));
}

TEST(Spawner, FullSizeBarrierGroupRunsAndOneMoreThreadIsRefusedOnce) {
    GEN9_COVERS("TD-07");
    ModuleBench bench;
    bench.memory.put(0, {.group_threads = 56, .barrier = true});
    bench.memory.put(1, {.group_threads = 57, .barrier = true});
    bench.preamble(2);
    const auto good =
        bench.add(walker_command(bench.state, {.threads = {56, 1, 1}, .groups = {4, 1, 1}}));
    const auto bad =
        bench.add(walker_command(bench.state, {.descriptor = 1, .threads = {57, 1, 1}}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 224u);
    EXPECT_FALSE(bench.commands[good].failed);
    EXPECT_TRUE(bench.commands[bad].failed);
    EXPECT_EQ(bench.env.reporter.guest_errors(), 1u);
}

TEST(Spawner, WithoutThreadPoolsAGroupAndItsBarrierStayInASubslice) {
    GEN9_COVERS("POOL-06 GW-37");
    ModuleBench bench(ThreadTopology{1, 3, 6, 6});
    bench.lifetime = [](const auto&) { return 9000u; };
    bench.memory.put(0, {.group_threads = 20, .slm_code = 7, .barrier = true});
    bench.preamble(1, {.threads = 108});
    bench.add(walker_command(bench.state, {.threads = {20, 1, 1}, .groups = {4, 1, 1}}));
    // Without its enable bit the command leaves all as it was.
    const auto pools = bench.add(make_command(0x70050004, 6, bench.state));
    const auto second =
        bench.add(walker_command(bench.state, {.threads = {20, 1, 1}, .groups = {2, 1, 1}}));
    const auto large =
        bench.add(walker_command(bench.state, {.threads = {37, 1, 1}, .groups = {1, 1, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_FALSE(bench.commands[pools].failed);
    EXPECT_FALSE(bench.commands[second].failed);
    EXPECT_TRUE(bench.commands[large].failed) << "36 threads fit a subslice";
    ASSERT_EQ(bench.threads.size(), 6u * 20);
    for (std::size_t i = 0; i < 120; ++i)
        EXPECT_EQ(bench.threads[i].place.subslice, bench.threads[i / 20 * 20].place.subslice);
    // 108 - 60 threads are idle, but a subslice has one SLM of 64 KB, whoever is idle elsewhere.
    std::set<unsigned> first;
    for (std::size_t i = 0; i < 60; i += 20)
        first.insert(bench.threads[i].place.subslice.value);
    EXPECT_EQ(first.size(), 3u);
    EXPECT_GE(bench.threads[60].sent, bench.threads[0].end);
    for (const auto& write : bench.barriers)
        EXPECT_TRUE(write.count == 0 || write.count == 20) << "the whole group, at one gateway";
    EXPECT_EQ(bench.barriers.size(), 12u);
}

TEST(Spawner, GroupsStartAfterTheLastEndWhenOnlyOneFits) {
    GEN9_COVERS("TD-48 SLM-04");
    ModuleBench bench(kOneSubslice);
    bench.memory.put(0, {.slm_code = 7});
    bench.preamble();
    bench.lifetime = [](const auto& t) { return 50 + 37 * t.local; };
    bench.add(walker_command(bench.state, {.threads = {4, 1, 1}, .groups = {6, 1, 1}}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 24u);
    for (unsigned i = 4; i < 24; ++i) {
        EXPECT_EQ(bench.threads[i].group[0], i / 4);
        for (unsigned j = (i / 4 - 1) * 4; j < i / 4 * 4; ++j)
            EXPECT_GE(bench.threads[i].sent, bench.threads[j].end);
    }
}

TEST(Spawner, SecondWalkerOverlapsTheFirstUnlessItsDescriptorDiffers) {
    GEN9_COVERS("TD-62 TD-32");
    ModuleBench bench;
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.memory.put(0, {.kernel_start = 0x40});
    bench.memory.put(1, {.kernel_start = 0x80});
    bench.preamble(2);
    const auto first = bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    const auto same = bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    const auto other =
        bench.add(walker_command(bench.state, {.descriptor = 1, .groups = {4, 1, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 12u);
    EXPECT_LT(bench.threads[4].sent, bench.finished[first]);
    EXPECT_GE(bench.threads[8].sent, bench.finished[same]);
    EXPECT_GT(bench.finished[other], bench.finished[same]);
}

TEST(Spawner, VfeStateWaitsForRunningThreads) {
    GEN9_COVERS("MED-12 PRE-15");
    ModuleBench bench;
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {}));
    const auto state = bench.add(vfe_command(bench.state));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_GE(bench.accepted[state], bench.finished[walker]);
}

TEST(Spawner, PlainFlushDoesNotWaitForThreadsAndFlushToGoDoes) {
    GEN9_COVERS("MED-09 TD-11 CS-128 CS-129");
    ModuleBench bench;
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {}));
    const auto plain = bench.add(flush_command(bench.state));
    const auto to_go = bench.add(flush_command(bench.state, 0, false, true));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_LT(bench.finished[plain], bench.finished[walker]);
    EXPECT_GE(bench.finished[to_go], bench.finished[walker]);
}

TEST(Spawner, WatermarkFlushWaitsForTheDescriptorsResources) {
    GEN9_COVERS("TD-10");
    ModuleBench bench(kOneSubslice);
    bench.lifetime = [](const auto& t) { return t.group[0] == 0 ? 2000u : 6000u; };
    bench.memory.put(0, {.slm_code = 6});
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {.groups = {2, 1, 1}}));
    const auto flush = bench.add(flush_command(bench.state, 0, true));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_GE(bench.finished[flush], bench.threads[0].end);
    EXPECT_LT(bench.finished[flush], bench.finished[walker]);
}

// Two pools of nine EUs: a group of 54 threads fits one of them, and no subslice.
TEST(Spawner, AWatermarkFlushWaitsForAPool) {
    GEN9_COVERS("TD-10 POOL-01");
    ModuleBench bench(ThreadTopology{1, 3, 6, 6, 2});
    bench.lifetime = [](const auto& t) { return (t.group[0] == 0 ? 2000u : 8000u) + 40 * t.local; };
    bench.memory.put(0, {.group_threads = 54, .barrier = true});
    bench.add(vfe_command(bench.state, {.threads = 108}));
    bench.add(pool_command(bench.state));
    bench.add(idd_load(bench.state));
    bench.add(walker_command(bench.state, {.threads = {54, 1, 1}, .groups = {2, 1, 1}}));
    const auto flush = bench.add(flush_command(bench.state, 0, true));
    bench.run(100'000);
    ASSERT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();
    ASSERT_EQ(bench.threads.size(), 108u);
    EXPECT_GE(bench.finished[flush], bench.threads[53].end);
    EXPECT_LT(bench.finished[flush], bench.threads[54].end);
}

TEST(Spawner, AnEmptyWalkerCompletes) {
    GEN9_COVERS("TD-13");
    ModuleBench bench;
    bench.preamble();
    auto command = walker_command(bench.state, {.indirect_dimensions = true});
    command.indirect_dimensions = {4, 0, 1};
    bench.add(command);
    command.indirect_dimensions = {4, 2, 1};
    bench.add(command);
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 8u);
}

TEST(Spawner, IllegalCommandsAreReportedOnceAndStartNothing) {
    GEN9_COVERS("TD-14 TD-29 TD-03");
    ModuleBench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble();
    const auto payload = bench.add(walker_command(bench.state, {}));
    const auto urb = bench.add(vfe_command(bench.state, {.entries = 3, .entry_rows = 2000}));
    bench.commands[urb].address = GpuAddr(0x7100);
    const auto unknown = bench.add(make_command(0x71040000, 8, bench.state));
    const auto pools = bench.add(pool_command(bench.state));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_TRUE(bench.threads.empty());
    for (const auto i : {payload, urb, unknown, pools})
        EXPECT_TRUE(bench.commands[i].failed);
    EXPECT_EQ(bench.env.reporter.guest_errors(), 4u);
    EXPECT_EQ(bench.env.log.size(), 4u);
}

TEST(Spawner, MemoryThatRefusesFailsTheCommand) {
    GEN9_COVERS("TD-30");
    ModuleBench bench;
    auto far = std::make_shared<PipelineState>(*bench.state);
    far->dynamic_state_base = GpuAddr(0x900000);
    bench.add(vfe_command(bench.state));
    const auto load = bench.add(idd_load(far));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_TRUE(bench.commands[load].failed);
}

TEST(Spawner, CyclesAddUpByReason) {
    GEN9_COVERS("TD-48");
    ModuleBench bench(kOneSubslice);
    bench.lifetime = [](const auto& t) { return 100 + t.group[0] * 13 % 70; };
    bench.memory.put(0, {.group_threads = 3, .slm_code = 5, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {3, 1, 1}, .groups = {100, 1, 1}}));
    bench.add(flush_command(bench.state, 0, false, true));
    bench.run(50'000);
    ASSERT_TRUE(bench.all_finished());
    bench.spawner.settle();
    std::uint64_t sum = 0;
    for (const Counter& c : bench.spawner.stats().cycles)
        sum += c.value();
    EXPECT_EQ(sum, 50'000u);
    const auto& stats = bench.spawner.stats();
    EXPECT_EQ(stats.cycles[unsigned(SendState::Sending)].value(), 300u);
    EXPECT_GT(stats.cycles[unsigned(SendState::WaitSlm)].value(), 0u);
    EXPECT_GT(stats.cycles[unsigned(SendState::WaitHandshake)].value(), 0u);
    EXPECT_EQ(stats.threads.value(), 300u);
    EXPECT_EQ(stats.threads_retired.value(), 300u);
    EXPECT_EQ(stats.groups.value(), 100u);
    EXPECT_EQ(bench.spawner.media.progress(), 600u) << "each thread is sent, and retires";
}

TEST(Spawner, ReportOfAHangNamesGroupsAndTheirThreads) {
    GEN9_COVERS("GW-40");
    ModuleBench bench(kOneSubslice);
    bench.lifetime = [](const auto& t) { return t.local == 1 ? 100'000'000u : 10u; };
    bench.memory.put(0, {.group_threads = 2, .slm_code = 7, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {2, 1, 1}, .groups = {3, 1, 1}}));
    bench.run(10'000);
    const std::string text = bench.spawner.describe_waiting();
    EXPECT_NE(
        text.find("command 7105000d at 7000 waits for shared local memory, at group (1, 0, 0)"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find(
            "group (0, 0, 0) of walker 0 on subslice 0 with barrier 0: 1 of 2 threads running"),
        std::string::npos)
        << text;
}

TEST(Spawner, FunctionalModeFillsSlotsAtOnceAndNoMore) {
    GEN9_COVERS("TD-07 TD-19");
    ModuleBench bench({}, Timing::Functional);
    bench.memory.put(0, {.group_threads = 8, .slm_code = 3, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {8, 1, 1}, .groups = {100, 1, 1}}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 800u);
    EXPECT_EQ(bench.most_live, 168u);
    EXPECT_EQ(bench.threads[0].start, Cycles(0));
    EXPECT_EQ(bench.threads[167].start, Cycles(0));
}

TEST(Spawner, RandomLifetimesRunEveryThreadExactlyOnce) {
    GEN9_COVERS("TD-21 TD-38 TD-43");
    ModuleBench bench({}, Timing::Timed, {"spawner.threads_per_clock=4"});
    bench.memory.put(0, {.group_threads = 5, .slm_code = 4, .barrier = true});
    bench.memory.put(1, {});
    bench.preamble(2);
    unsigned seed = 12345;
    bench.lifetime = [&](const auto&) { return (seed = seed * 1664525u + 1013904223u) >> 22; };
    bench.add(walker_command(bench.state, {.threads = {5, 1, 1}, .groups = {7, 5, 3}}));
    bench.add(
        walker_command(bench.state, {.descriptor = 1, .threads = {2, 2, 2}, .groups = {11, 3, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    std::set<std::tuple<unsigned, std::array<std::uint32_t, 3>, unsigned>> seen;
    for (const auto& t : bench.threads)
        EXPECT_TRUE(seen.emplace(t.walker, t.group, t.local).second);
    EXPECT_EQ(seen.size(), 5u * 105 + 8u * 33);
    std::map<unsigned, Cycles> free_at;  // FFTID -> end of its last thread
    for (const auto& t : bench.threads) {
        EXPECT_GE(t.sent, free_at[t.fftid]);
        free_at[t.fftid] = t.end;
    }
}

TEST(Spawner, AMemoryThatWaitsLosesNothing) {
    GEN9_COVERS("TD-30");
    ModuleBench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.memory_latency = Cycles(0);
    const auto quick = bench.mem_in.on_blocking;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        sc_core::wait(bench.clock.time(Cycles(500)));
        quick(p, delay);
    };
    bench.lifetime = [](const auto& t) { return 50 + t.walker * 10; };
    bench.preamble();
    for (unsigned i = 0; i < 5; ++i)
        bench.add(walker_command(bench.state, {.groups = {20, 1, 1}, .indirect_bytes = 32}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 100u);
}

TEST(Spawner, FuzzedCommandsNeitherCrashNorStop) {
    GEN9_COVERS("TD-09");
    ModuleBench bench;
    std::mt19937 random(99);
    for (auto& byte : bench.memory.bytes)
        byte = static_cast<std::uint8_t>(random());
    for (unsigned i = 0; i < 64; ++i)
        bench.memory.put(i, {.per_thread_rows = unsigned(random() % 4),
                             .cross_thread_rows = unsigned(random() % 4),
                             .group_threads = unsigned(random() % 64),
                             .slm_code = unsigned(random() % 10),
                             .barrier = random() % 2 == 0});
    const std::uint32_t headers[] = {0x70000007, 0x70010002, 0x70020002, 0x70040000, 0x7105000D,
                                     0x7105040D, 0x71000004, 0x70050004, 0x7105000D, 0x12345678};
    bench.lifetime = [](const auto&) { return 3u; };
    for (unsigned i = 0; i < 2000; ++i) {
        if (i % 16 == 0) bench.preamble(64);
        auto command = make_command(headers[random() % 10], 2 + random() % 16, bench.state);
        if (random() % 50 == 0) command.state = nullptr;
        for (unsigned d = 1; d < 20; ++d)
            command.dwords[d] = random() >> random() % 32;
        if (command.dwords[0] >> 16 == 0x7105 && random() % 4) {
            // Near enough to a legal walk that many of them run, and small enough to end.
            command.dwords[1] &= 0x3F;
            command.dwords[2] = 0x200 | (command.dwords[2] & 0x3FF);
            command.dwords[3] &= 0xFFC0;
            command.dwords[4] &= 0xC0000003;
            for (unsigned d : {5u, 8u, 11u})
                command.dwords[d] &= 1;
        }
        if (command.dwords[0] >> 16 == 0x7105)
            for (unsigned d : {7u, 10u, 12u})
                command.dwords[d] &= 3;
        bench.add(command);
    }
    bench.run(10'000'000);
    EXPECT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();
    EXPECT_FALSE(bench.threads.empty());
}

TEST(Spawner, SignalsShowGroupsAndThreadsOfEachSubslice) {
    GEN9_COVERS("TD-43");
    ModuleBench bench(kOneSubslice);
    ASSERT_EQ(bench.env.environment.signals.size(), 2u) << "front end and dispatcher";
    const gen9::test::SignalLog signals(bench.env.environment.signals);
    bench.lifetime = [](const auto&) { return 5000u; };
    bench.memory.put(0, {.slm_code = 5});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {3, 1, 1}, .groups = {9, 1, 1}}));
    bench.run(3000);
    const auto value = [&](const std::string& name) {
        return signals.value(bench.env.environment.signals[0]->path() + "." + name, 3000);
    };
    EXPECT_EQ(value("threads_subslice0"), 12u);
    EXPECT_EQ(value("groups_subslice0"), 4u);
    EXPECT_EQ(value("slm_kilobytes_subslice0"), 64u);
    EXPECT_EQ(value("walkers"), 1u);
    EXPECT_EQ(value("activity"), std::uint32_t(SendState::WaitSlm));
}

TEST(Spawner, TooManyHardwareThreadsForTheirIdsIsAUserError) {
    GEN9_COVERS("TD-38");
    EXPECT_THROW(ModuleBench({4, 3, 8, 7}), UserError);
}

TEST(Spawner, OneHardwareThreadTooManyIsAUserError) {
    GEN9_COVERS("TD-38");
    EXPECT_THROW(ModuleBench({1, 1, 33, 1}), UserError);
}

TEST(Spawner, AsManyHardwareThreadsAsIdsAreRight) {
    EXPECT_EQ(ModuleBench({1, 1, 32, 1}).topology.total_threads(), 32u);
}

}  // namespace
}  // namespace gen9::media::test
