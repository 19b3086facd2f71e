// SPDX-License-Identifier: Apache-2.0
// The way to memory in timed mode: latencies, bandwidth, back-pressure.
#include <numeric>

#include "tests/support/memory_target.h"
#include "tests/support/signal_log.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {
using sc_core::sc_start;

constexpr std::uint64_t kAccountedCycles = 2000;

void settle(Bench& bench) {
    bench.gti.settle();
    bench.llc.settle();
    bench.dram.settle();
}
/// The cycles of a block by reason; those not named are the last one's.
template <class Counters>
void expect_cycles(const Counters& cycles, std::vector<std::uint64_t> expected) {
    expected.push_back(kAccountedCycles -
                       std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
    std::vector<std::uint64_t> counted;
    for (const Counter& counter : cycles)
        counted.push_back(counter.value());
    EXPECT_EQ(counted, expected);
}

TEST(MemoryTimed, AReadMissesThenHitsAtTheParametersLatencies) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto& gti = bench.gti.params;
    from.send(bench.global(from.read(0x1000)), 10);
    from.send(bench.global(from.read(0x1000)), 1000);
    sc_start();
    ASSERT_EQ(from.ended.size(), 2u);
    const std::uint64_t ring = gti.request_cycles + gti.return_cycles;
    const std::uint64_t hit = ring + bench.llc.params.hit_cycles;
    EXPECT_EQ(from.ended[1].cycle - 1000, hit);
    // 64 bytes take 2.9 cycles at 22 bytes per cycle; one table read.
    EXPECT_EQ(from.ended[0].cycle - 10, hit + gti.walk_read_cycles + bench.dram.params.latency + 3);
    EXPECT_EQ(bench.llc.stats.read_hits.value(), 1u);
    EXPECT_EQ(bench.llc.stats.read_misses.value(), 1u);
}

TEST(MemoryTimed, AnLlcHitIs104CyclesBeyondTheCacheThatMissed) {
    Bench bench(Timing::Timed);
    EXPECT_EQ(bench.gti.params.request_cycles + bench.gti.params.return_cycles +
                  bench.llc.params.hit_cycles,
              242u - 138u);
}

TEST(MemoryTimed, ReadBandwidthIsTheMemorysAndWithinWhatHardwareMeasured) {
    Bench bench(Timing::Timed, 4);
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned line = 0; line < 200; ++line)
            bench.from[i]->send(bench.global(bench.from[i]->read(i * 0x8000 + line * 64)));
    sc_start();
    std::uint64_t last = 0;
    for (auto& from : bench.from) {
        ASSERT_EQ(from->ended.size(), 200u);
        for (auto& e : from->ended)
            last = std::max(last, e.cycle);
    }
    const double bytes_per_cycle = 800 * 64.0 / static_cast<double>(last);
    EXPECT_GT(bytes_per_cycle, 15.0);
    EXPECT_LT(bytes_per_cycle, 22.0);
    EXPECT_EQ(bench.dram.stats.busy_cycles.value(), (800 * 64 + 21) / 22);
}

// The engine's clock is 1 GHz. What memory takes is told in its own cycles.
struct OwnClock {
    std::uint64_t hz, bytes_per_cycle;
    const char* kind = "flat";
};
struct Taken {
    std::uint64_t first;  ///< of a read: beyond the way to memory
    std::uint64_t busy;   ///< for 800 lines
};
Taken cycles_of(const OwnClock& own) {
    Bench bench(Timing::Timed, 4,
                {"dram.clock_hz=" + std::to_string(own.hz), std::string("dram.kind=") + own.kind,
                 "dram.bytes_per_cycle=" + std::to_string(own.bytes_per_cycle)});
    bench.from[0]->send(bench.global(bench.from[0]->read(0)), 0);
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned line = 0; line < 200; ++line)
            if (i + line != 0)
                bench.from[i]->send(bench.global(bench.from[i]->read(i * 0x8000 + line * 64)),
                                    2000);
    sc_start();
    const auto& gti = bench.gti.params;
    return {bench.from[0]->ended[0].cycle - gti.request_cycles - gti.return_cycles -
                gti.walk_read_cycles - bench.llc.params.hit_cycles,
            bench.dram.stats.busy_cycles.value()};
}
void expect_cycles_of(const OwnClock& own, const Taken& expected) {
    const Taken taken = cycles_of(own);
    EXPECT_EQ(taken.first, expected.first);
    EXPECT_EQ(taken.busy, expected.busy);
}

TEST(MemoryTimed, MemoryOfTheEnginesClock) {
    expect_cycles_of({1'000'000'000, 22}, {100 + 3, (800 * 64 + 21) / 22});
}
TEST(MemoryTimed, MemoryOfHalfTheClockHasHalfTheRateAndTwiceTheLatency) {
    expect_cycles_of({500'000'000, 22}, {200 + 6, (800 * 64 + 10) / 11});
}
TEST(MemoryTimed, MemoryOfTwiceTheClockHasTwiceTheRateAndHalfTheLatency) {
    expect_cycles_of({2'000'000'000, 4}, {50 + 8, 800 * 64 / 8});
}
TEST(MemoryTimed, PartsOfACycleCountWhereClocksHaveNoCommonMeasure) {
    // 7 * 333333333 bytes a second: a line takes 27.43 cycles, the 799 behind it 21915.43.
    expect_cycles_of({333'333'333, 7}, {300 + 28, 28 + 21916});
}
TEST(MemoryTimed, LatencyOfChannelsIsInMemorysClockToo) {
    // The data of a line take 3.3 cycles, which begin between two of them.
    const auto first = static_cast<double>(cycles_of({500'000'000, 22, "ddr4-2400"}).first);
    EXPECT_NEAR(first, 200 + 3.3, 1);
}
TEST(MemoryTimed, AClockThatMakesNoMachineIsRefused) {
    EXPECT_THROW(Bench(Timing::Timed, 1, {"dram.clock_hz=1"}), UserError);
}

TEST(MemoryTimed, WhatLeavesTheLlcCarriesTheIdOfWhatMadeItLeave) {
    test::TestEnvironment environment(Timing::Timed);
    Clock clock{1'000'000'000};
    PhysicalMemory bytes;
    Llc llc("llc", environment.environment, clock, bytes);
    test::MemoryTarget memory("memory", clock, 1);
    test::MemoryInitiator from("from", clock);
    from.mem_out.bind(llc.mem_in);
    llc.mem_out.bind(memory.mem_in[0]);
    auto* write = from.write(0x1000, 64, 1);
    write->attributes.trace_id = 31;
    from.send(write, 10);
    auto* read = from.read(0x1000);
    read->attributes.trace_id = 32;
    read->attributes.llc = LlcPolicy::Uncached;  // forces the written line out
    from.send(read, 500);
    sc_start();
    ASSERT_EQ(memory.seen.size(), 2u);
    for (const auto& seen : memory.seen)
        EXPECT_EQ(seen.attributes.trace_id, 32u);
}

TEST(MemoryTimed, TheGtiShowsItsTranslations) {
    Bench bench(Timing::Timed, 2);
    const test::SignalLog log(bench.environment.environment.signals);
    bench.from[0]->send(bench.global(bench.from[0]->read(0x3040)), 999);
    bench.from[0]->send(bench.global(bench.from[0]->read(0x3080)), 1999);
    bench.from[1]->send(bench.global(bench.from[1]->read(0x30C0)), 1999);
    sc_start();
    EXPECT_EQ(log.value("gti.tlb_misses", 1000), 1u);
    EXPECT_EQ(log.value("gti.tlb_misses", 1001), 0u);
    EXPECT_EQ(log.value("gti.page", 1000), 0x3000u);
    EXPECT_EQ(log.value("gti.tlb_hits", 1999), 0u);
    EXPECT_EQ(log.value("gti.tlb_hits", 2000), 2u);
    EXPECT_EQ(log.value("gti.tlb_hits", 2001), 0u);
}

// Accesses that take no socket time share a cycle: the waveform counts them all.
TEST(MemoryTimed, TheWaveformCountsAsManyTranslationsOfACycleAsTheCounter) {
    Bench bench(Timing::Timed);
    const test::SignalLog log(bench.environment.environment.signals);
    for (unsigned i = 0; i < 301; ++i) {
        auto* read = bench.global(bench.from[0]->read(0x3000));
        sc_core::sc_time delay;
        bench.from[0]->mem_out->b_transport(*read, delay);
        read->release();
    }
    EXPECT_EQ(log.value("gti.tlb_misses", 0), bench.gti.stats.tlb_misses.value());
    EXPECT_EQ(log.value("gti.tlb_hits", 0), bench.gti.stats.tlb_hits.value());
    EXPECT_EQ(bench.gti.stats.tlb_hits.value(), 300u);
    EXPECT_TRUE(bench.gti.signals.tlb_hits.fits(log.value("gti.tlb_hits", 0)));
    EXPECT_TRUE(bench.gti.signals.tlb_misses.fits(300));
}

class GtiFairness : public testing::TestWithParam<const char*> {};

// Nine initiators of which three have work: an idle one's turn goes to no neighbour.
TEST_P(GtiFairness, InitiatorsWithEqualWorkFinishTogether) {
    Bench bench(Timing::Timed, 9, {std::string("gti.arbitration=") + GetParam()});
    for (const unsigned i : {1u, 2u, 3u})
        bench.from[i]->send(bench.global(bench.from[i]->write(i * 64, 64, 1)));
    sc_start();
    for (unsigned request = 0; request < 300; ++request)
        for (const unsigned i : {1u, 2u, 3u})
            bench.from[i]->send(bench.global(bench.from[i]->read(i * 64)), 2000);
    sc_start();
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const unsigned i : {1u, 2u, 3u}) {
        first = std::min(first, bench.from[i]->ended.back().cycle);
        last = std::max(last, bench.from[i]->ended.back().cycle);
    }
    EXPECT_LE(last - first, 2u);
    EXPECT_GE(last, 2000u + 900);
}

INSTANTIATE_TEST_SUITE_P(Policies, GtiFairness,
                         testing::Values("least_recently_served", "round_robin", "oldest_first",
                                         "age_weighted"),
                         [](const auto& test) { return std::string(test.param); });

TEST(MemoryTimed, AWriterTakesNoReadersTurnAtTheGti) {
    Bench bench(Timing::Timed, 3);
    for (unsigned i = 0; i < 3; ++i)
        bench.from[i]->send(bench.global(bench.from[i]->write(i * 64, 64, 1)));
    sc_start();
    for (unsigned request = 0; request < 300; ++request) {
        for (const unsigned i : {0u, 1u})
            bench.from[i]->send(bench.global(bench.from[i]->read(i * 64)), 2000);
        bench.from[2]->send(bench.global(bench.from[2]->write(2 * 64, 64, 2)), 2000);
    }
    sc_start();
    const auto end = [&](unsigned i) { return bench.from[i]->ended.back().cycle; };
    EXPECT_LE(std::max(end(0), end(1)) - std::min(end(0), end(1)), 2u);
    EXPECT_NEAR(static_cast<double>(end(0) - end(2)), 300, 30);
}

TEST(MemoryTimed, AFixedPriorityAtTheGtiIsByIndex) {
    Bench bench(Timing::Timed, 2, {"gti.arbitration=fixed_priority"});
    for (unsigned i = 0; i < 2; ++i)
        bench.from[i]->send(bench.global(bench.from[i]->write(i * 64, 64, 1)));
    sc_start();
    for (unsigned request = 0; request < 300; ++request)
        for (unsigned i = 0; i < 2; ++i)
            bench.from[i]->send(bench.global(bench.from[i]->read(i * 64)), 2000);
    sc_start();
    // The second one's first request comes after all of the first one's.
    EXPECT_GT(bench.from[1]->ended[1].cycle, bench.from[0]->ended.back().cycle);
}

/// A bench whose control state 1 has the value given, and whose accesses name it.
struct PolicyBench : Bench {
    explicit PolicyBench(std::uint32_t control)
        : Bench(Timing::Timed, 1, {"gti.llc_mocs=registers"}) {
        EXPECT_EQ(write_register(0xC804, control), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(read_register(0xC804), control);
    }
    MemoryTransaction* named(MemoryTransaction* t) {
        t->attributes.mocs = 1 << 1;
        return global(t);
    }
};

TEST(MemoryTimed, AnUncachedControlStatePassesTheLlcBy) {
    GEN9_COVERS("DP-034");
    PolicyBench bench(0x39);
    auto& from = *bench.from[0];
    from.send(bench.global(from.write(0x1000, 64, 7)), 10);  // entry 0: the page says write back
    from.send(bench.named(from.read(0x1000)), 1000);
    from.send(bench.named(from.write(0x1000, 64, 8)), 2000);
    from.send(bench.named(from.read(0x1000)), 3000);
    sc_start();
    EXPECT_EQ(bench.llc.stats.uncached.value(), 3u);
    EXPECT_EQ(bench.llc.stats.read_hits.value(), 0u);
    EXPECT_EQ(bench.llc.stats.evictions.value(), 1u) << "the modified line leaves once";
    EXPECT_EQ(bench.dram.stats.read_bytes.value(), 128u);
    EXPECT_EQ(from.ended[1].transaction->data[0], 7);
    EXPECT_EQ(from.ended[3].transaction->data[0], 8);
}

TEST(MemoryTimed, AWriteThroughControlStateWritesMemoryAndKeepsTheLine) {
    GEN9_COVERS("DP-034");
    PolicyBench bench(0x3A);
    auto& from = *bench.from[0];
    from.send(bench.named(from.write(0x1000, 64, 7)), 10);
    from.send(bench.named(from.read(0x1000)), 1000);
    sc_start();
    EXPECT_EQ(bench.dram.stats.written_bytes.value(), 64u);
    EXPECT_EQ(bench.llc.stats.read_hits.value(), 1u);
    EXPECT_EQ(from.ended[1].transaction->data[0], 7);
}

TEST(MemoryTimed, AControlStateOfZeroLeavesItToThePage) {
    GEN9_COVERS("DP-034");
    PolicyBench bench(0x38);
    EXPECT_EQ(bench.write_register(0x40E0, 0x03030300), tlm::TLM_OK_RESPONSE);  // attribute 0: UC
    auto& from = *bench.from[0];
    from.send(bench.named(from.read(0x1000)), 10);
    from.send(bench.named(from.read(0x1000)), 1000);
    sc_start();
    EXPECT_EQ(bench.llc.stats.uncached.value(), 2u);
}

TEST(MemoryTimed, LinuxsControlStatesHoldWhateverIsWritten) {
    GEN9_COVERS("DP-034");
    Bench bench(Timing::Timed);
    ASSERT_EQ(bench.write_register(0xC800 + 4 * 3, 0x39), tlm::TLM_OK_RESPONSE);
    auto& from = *bench.from[0];
    for (const std::uint8_t index : {0, 2, 3}) {
        auto* t = bench.global(from.read(0x1000));
        t->attributes.mocs = static_cast<std::uint8_t>(index << 1);
        from.send(t, 1000 * (index + 1));
    }
    sc_start();
    EXPECT_EQ(bench.llc.stats.uncached.value(), 1u) << "entry 0 only";
}

TEST(MemoryTimed, AFullQueueHoldsTheSenderAndNothingIsLostOrEndsTwice) {
    Bench bench(Timing::Timed, 2,
                {"gti.queue=1", "gti.pending=1", "llc.queue=1", "dram.queue=1", "llc.misses=2",
                 "dram.bytes_per_cycle=2"});
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned line = 0; line < 20; ++line)
            bench.from[i]->send(bench.global(bench.from[i]->read(i * 0x4000 + line * 64)));
    sc_start(sc_core::sc_time(200, sc_core::SC_NS));
    EXPECT_LT(bench.from[0]->sent, 12u);  // one each in flight, queued, owed; two misses
    sc_start();
    for (auto& from : bench.from) {
        EXPECT_EQ(from->sent, 20u);
        EXPECT_EQ(from->ended.size(), 20u);
        for (std::size_t i = 0; i < 20; ++i)
            EXPECT_EQ(from->ended[i].transaction->get_address() % 0x4000, i * 64)
                << "the virtual address is given back";
        from->clear();
        EXPECT_EQ(from->pool.in_flight(), 0u);
    }
    EXPECT_EQ(bench.gti.in_flight(), 0u);
    EXPECT_EQ(bench.llc.in_flight(), 0u);
    EXPECT_GT(bench.llc.stats.miss_stalls.value(), 0u);
    EXPECT_GT(bench.gti.stats.downstream_stalls.value(), 0u);
}

TEST(MemoryTimed, AFaultIsAnsweredAndDoesNotHoldOthers) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* bad = from.send(from.read(0x5'0000'0000));
    auto* good = from.send(bench.global(from.write(0x40, 64, 9)));
    sc_start();
    EXPECT_EQ(from.ended.size(), 2u);
    EXPECT_EQ(bad->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_TRUE(good->is_response_ok());
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
}

TEST(MemoryTimed, ModifiedVictimsCostBandwidthAndChangeNoData) {
    // One way per set: every second line of a set throws the first out.
    Bench bench(Timing::Timed, 1, {"llc.size_kb=64", "llc.ways=1"});
    auto& from = *bench.from[0];
    from.send(bench.global(from.write(0, 64, 1)));
    from.send(bench.global(from.write(64 * 1024, 64, 2)), 500);
    bench.gti.write_gtt(16, 0x300000 | 1);
    sc_start();
    EXPECT_EQ(bench.llc.stats.evictions.value(), 1u);
    EXPECT_EQ(bench.dram.stats.written_bytes.value(), 64u);
    EXPECT_EQ(bench.memory.page(PhysAddr(0x100000))[0], 1);
    EXPECT_EQ(bench.memory.page(PhysAddr(0x300000))[0], 2);
    EXPECT_EQ(bench.llc.in_flight(), 0u);
}

TEST(MemoryTimed, BlockingAccessGoesThroughTheSameTags) {
    Bench bench(Timing::Timed);
    sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    std::uint64_t miss = 0, hit = 0;
    from.block(bench.global(from.read(0x1000)), &miss);
    from.block(bench.global(from.read(0x1000)), &hit);
    EXPECT_GT(miss, hit);
    EXPECT_GE(hit, 104u);
    EXPECT_LE(hit, 106u);
}

TEST(MemoryTimed, DirectPointersAreRefused) {
    Bench bench(Timing::Timed);
    sc_start(sc_core::SC_ZERO_TIME);
    auto* t = bench.global(bench.from[0]->read(0));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.from[0]->mem_out->get_direct_mem_ptr(*t, dmi));
    t->release();
}

TEST(MemoryTimed, EachCycleOfAReadHasAReasonInEachBlock) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto& gti = bench.gti.params;
    const std::uint64_t hit = bench.llc.params.hit_cycles, latency = bench.dram.params.latency;
    const std::uint64_t walk = gti.walk_read_cycles, back = gti.return_cycles;
    // The first needs a walk and memory, the second neither. Each block takes a request in the
    // cycle after its arrival.
    from.send(bench.global(from.read(0x1000)), 10);
    from.send(bench.global(from.read(0x1000)), 1000);
    sc_start(bench.clock.time(Cycles(2000)));
    ASSERT_EQ(from.ended.size(), 2u);
    settle(bench);
    const std::uint64_t passed0 = 11 + walk, passed1 = 1001;
    const std::uint64_t back0 = from.ended[0].cycle - back, back1 = from.ended[1].cycle - back;
    expect_cycles(bench.gti.stats.cycles,
                  {0, 2, 0, walk, back0 - passed0 - 1 + back1 - passed1 - 1, 2 * back});
    const std::uint64_t fill = hit - bench.llc.params.miss_cycles;
    const std::uint64_t looked_up0 = passed0 + gti.request_cycles;
    expect_cycles(bench.llc.stats.cycles, {2, 0, back0 - fill - looked_up0 - 1, fill + hit - 2});
    expect_cycles(bench.dram.stats.cycles, {3, 0, latency - 1});
}

TEST(MemoryTimed, WhoWaitsForTheRingOrTheLlcIsInTheGtisAccount) {
    // All hit the same page and line. One read a cycle: each of four initiators waits for three.
    Bench ring(Timing::Timed, 4, {"gti.ring_bytes_per_cycle=64"});
    ring.from[0]->send(ring.global(ring.from[0]->read(0x1000)), 10);
    for (auto& from : ring.from)
        for (unsigned i = 0; i < 100; ++i)
            from->send(ring.global(from->read(0x1000)), 1000);
    sc_start();
    ring.gti.settle();
    const auto& cycles = ring.gti.stats.cycles;
    EXPECT_EQ(cycles[0].value() + cycles[1].value(), 401u) << "a read in each";
    EXPECT_EQ(cycles[0].value(), 399u) << "all but the last, and the one that was alone";
    EXPECT_EQ(cycles[2].value(), 0u);
}

// Reads of four initiators that all hit; with `writes`, as many writes of four others beside them.
std::uint64_t cycles_of_lines(std::uint64_t bytes_per_cycle, unsigned lines, bool writes) {
    Bench ring(Timing::Timed, 8,
               {"gti.ring_bytes_per_cycle=" + std::to_string(bytes_per_cycle),
                "gti.queue=" + std::to_string(2 * lines)});
    ring.from[0]->send(ring.global(ring.from[0]->write(0x1000, 64, 1)), 10);
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned line = 0; line < lines; ++line) {
            ring.from[i]->send(ring.global(ring.from[i]->read(0x1000)), 1000);
            if (writes)
                ring.from[4 + i]->send(ring.global(ring.from[4 + i]->write(0x1000, 64, 1)), 1000);
        }
    sc_start();
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const auto& from : ring.from)
        for (const auto& ended : from->ended)
            if (ended.cycle > 1000) {
                first = std::min(first, ended.cycle);
                last = std::max(last, ended.cycle);
            }
    return last - first;
}

TEST(MemoryTimed, ALineTakesTheRingForItsBytes) {
    // 256 lines of 64 bytes at 48 bytes a cycle: the last begins after 255 * 64 / 48 cycles.
    EXPECT_EQ(cycles_of_lines(48, 64, false), 340u);
}
TEST(MemoryTimed, ALineMayTakeMoreThanACycleOfTheRing) {
    EXPECT_EQ(cycles_of_lines(20, 64, false), 255u * 64 / 20);
}
TEST(MemoryTimed, AFastRingCarriesMoreThanALineACycleAsFarAsTheLlcTakesThem) {
    EXPECT_EQ(cycles_of_lines(128, 64, false), 255u);
}
TEST(MemoryTimed, ReadsAndWritesHaveTheRingInTheirOwnDirection) {
    EXPECT_EQ(cycles_of_lines(32, 64, true), 2 * 255u);
}
TEST(MemoryTimed, ARingThatWasIdleCarriesNoMoreThanItsRate) {
    Bench ring(Timing::Timed, 1, {"gti.ring_bytes_per_cycle=32"});
    auto& from = *ring.from[0];
    from.send(ring.global(from.read(0x1000)), 10);
    for (unsigned line = 0; line < 3; ++line)
        from.send(ring.global(from.read(0x1000)), 5000);
    sc_start();
    ASSERT_EQ(from.ended.size(), 4u);
    EXPECT_EQ(from.ended[2].cycle - from.ended[1].cycle, 2u);
    EXPECT_EQ(from.ended[3].cycle - from.ended[2].cycle, 2u);
}

TEST(MemoryTimed, WhoWaitsForAMissIsInTheAccountsOfLlcAndGti) {
    // One miss at a time, and room for one request.
    Bench bench(Timing::Timed, 1, {"llc.misses=1", "llc.queue=1"});
    auto& from = *bench.from[0];
    for (unsigned line = 0; line < 20; ++line)
        from.send(bench.global(from.read(line * 64)), 10);
    sc_start();
    bench.gti.settle();
    bench.llc.settle();
    const auto& llc = bench.llc.stats;
    EXPECT_EQ(llc.cycles[0].value(), 20u);
    EXPECT_EQ(llc.cycles[1].value(), llc.miss_stalls.value());
    EXPECT_GT(llc.cycles[1].value(), 18 * bench.llc.params.miss_cycles);
    EXPECT_GT(bench.gti.stats.cycles[2].value(), 16 * bench.llc.params.miss_cycles);
    EXPECT_LE(bench.gti.stats.cycles[2].value(), bench.gti.stats.downstream_stalls.value());
}

// The flat memory says 100 cycles ahead when its data come: the place is not free before.
TEST(MemoryTimed, AMissKeepsItsPlaceUntilItsLineHasCome) {
    Bench bench(Timing::Timed, 1, {"llc.misses=2"});
    auto& from = *bench.from[0];
    from.send(bench.global(from.write(0x8000, 64, 1)));  // the page's translation
    for (unsigned line = 0; line < 3; ++line)
        from.send(bench.global(from.read(0x8040 + line * 64)), 1000);
    sc_start();
    ASSERT_EQ(from.ended.size(), 4u);
    const auto& llc = bench.llc.params;
    const std::uint64_t back = llc.hit_cycles - llc.miss_cycles + bench.gti.params.return_cycles;
    // The first line is at the LLC `back` before its end. The third request is served in the cycle
    // after, as one that comes with that line, and has all of the way to memory before it.
    const std::uint64_t first_came = from.ended[1].cycle - back;
    const std::uint64_t alone = llc.miss_cycles + bench.dram.params.latency + 3;
    EXPECT_EQ(from.ended[3].cycle, first_came + alone + back);
    EXPECT_GT(bench.llc.stats.miss_stalls.value(), bench.dram.params.latency.get());
}

TEST(MemoryTimed, ABlockingAccessIsInTheAccountsOfGtiLlcAndMemory) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto& gti = bench.gti.params;
    const auto& llc = bench.llc.params;
    const std::uint64_t walk = gti.walk_read_cycles, ring = gti.request_cycles + gti.return_cycles;
    // Of 64 bytes at 22 a cycle, and one cycle for the line at the LLC.
    const std::uint64_t miss = 1 + llc.hit_cycles + bench.dram.params.latency + 3;
    const std::uint64_t hit = 1 + llc.hit_cycles;
    std::uint64_t taken = 0;
    from.block(bench.global(from.read(0x1000)), &taken);
    EXPECT_EQ(taken, ring + walk + miss);
    // Who runs ahead of the clock says by the delay when its access begins.
    sc_core::sc_time delay = bench.clock.time(Cycles(1000));
    auto* ahead = bench.global(from.read(0x1000));
    from.mem_out->b_transport(*ahead, delay);
    ahead->release();
    EXPECT_EQ(bench.clock.cycles(delay).value, 1000 + ring + hit);
    sc_start(bench.clock.time(Cycles(900)));
    bench.gti.settle();
    EXPECT_EQ(bench.gti.stats.cycles[1].value(), 1u) << "the second one has not begun";
    EXPECT_EQ(bench.gti.stats.walk_stalls.value(), walk);
    sc_start(bench.clock.time(Cycles(1100)));
    settle(bench);
    const std::uint64_t passed = gti.request_cycles - 1;
    expect_cycles(bench.gti.stats.cycles,
                  {0, 2, 0, walk, passed + miss + passed + hit, 2 * gti.return_cycles});
    const std::uint64_t back = llc.hit_cycles - llc.miss_cycles;
    expect_cycles(bench.llc.stats.cycles, {2, 0, miss - 1 - back, back + llc.hit_cycles});
    expect_cycles(bench.dram.stats.cycles, {3, 0, bench.dram.params.latency});
}

class MemoryOrder : public testing::TestWithParam<std::uint64_t> {};

// Requests that may be served in a cycle come before a blocking access of that cycle, in whatever
// order the kernel runs the modules and whoever makes that access.
TEST_P(MemoryOrder, ABlockingAccessComesAfterTheRequestsOfItsCycle) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto& gti = bench.gti.params;
    const std::uint64_t walk = gti.walk_read_cycles, hit = bench.llc.params.hit_cycles;
    const std::uint64_t way = gti.request_cycles + gti.return_cycles + 1, line_cycles = 3;
    const std::uint64_t latency = bench.dram.params.latency;
    struct Accessor {
        test::MemoryInitiator& from;
        std::uint64_t address, taken;
        void access() { from.block(Bench::global(from.read(address)), &taken); }
    } accessor{from, 0, 0};
    Wakeup wakeup(bench.clock);
    wakeup.runs<&Accessor::access>(&accessor);
    bench.clock.agenda().shuffle(GetParam());
    // How long an access takes that begins some cycles after a request has arrived.
    const auto run = [&](std::uint64_t request, std::uint64_t access, std::uint64_t after) {
        const std::uint64_t begin = bench.clock.now().value + 10;
        from.send(bench.global(from.read(request)), begin);
        accessor.address = access;
        wakeup.at(Cycles(begin + after));
        sc_start(bench.clock.time(Cycles(1000)));
        return accessor.taken;
    };
    // The translation buffer: the request's walk fills it.
    EXPECT_EQ(run(0x1000, 0x1040, 0), way + walk + hit + latency + line_cycles);
    EXPECT_EQ(run(0x2000, 0x2040, 1), way + hit + latency + line_cycles);
    // The LLC: the request brings the line.
    const std::uint64_t at_llc = 1 + gti.request_cycles;
    EXPECT_EQ(run(0x1080, 0x1080, at_llc - 1), way + hit + latency + line_cycles);
    EXPECT_EQ(run(0x10C0, 0x10C0, at_llc), way + hit);
    // The memory: the request's data come first.
    const std::uint64_t at_memory = at_llc + bench.llc.params.miss_cycles;
    EXPECT_EQ(run(0x1100, 0x1140, at_memory - 1), way + hit + latency + line_cycles);
    EXPECT_EQ(run(0x1180, 0x11C0, at_memory), way + hit + latency + 2 * line_cycles);
}

INSTANTIATE_TEST_SUITE_P(Orders, MemoryOrder, testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace gen9::memory
