// SPDX-License-Identifier: Apache-2.0
// The resource streamer's time: its engines, its order in memory, its counters and signals.
#include <set>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/rs/bench.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test {
namespace {

constexpr std::uint64_t kPool = 0x5000'0000, kGathers = 0x5010'0000, kSurfaces = 0x5020'0000,
                        kConstants = 0x5030'0000;
const Words kEnd = {0x05000000};
const Words kDraw = {0x7B000005, 0, 0, 0, 0, 0, 0};

Words operator+(Words a, const Words& b) {
    append(a, b);
    return a;
}
Words store(std::uint64_t address, std::uint32_t value) {
    return {0x15800002, low(address), high(address), value};
}

struct Bench : StreamersBench {
    explicit Bench(std::vector<std::string> settings = {}, Timing timing = Timing::Timed)
        : StreamersBench("bench", timing, std::move(settings)) {
        for (const std::uint64_t place : {kPool, kGathers, kSurfaces, kConstants})
            ppgtt.map(place, 0x10000);
        ppgtt.map(kPreamble, 0x4000);
    }
    /// The n-th access that is no fetch.
    const Access& work(unsigned n) {
        unsigned seen = 0;
        for (const Access& access : accesses)
            if (!access.fetch && seen++ == n) return access;
        ADD_FAILURE() << "no access " << n;
        static const Access none{};
        return none;
    }
    void buffers(unsigned count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            ppgtt.put(kSurfaces + 0x40 * (i + 1), buffer_surface(kConstants + 0x100 * i, 16, 16));
            ppgtt.put(kConstants + 0x100 * i, Words{0xA00 + i, 0xB00 + i, 0xC00 + i, 0xD00 + i});
        }
    }
};

const Words kSetUp = surface_base(kSurfaces) + table_pool(kPool, 4) + gather_pool(kGathers, 4);

TEST(RsTime, AMessageTakesItsTimeBeforeTheFirstFetch) {
    Bench bench({"bench.rs.message_cycles=7"});
    SignalLog log(bench.environment.environment.signals);
    bench.run_batch(kSetUp + kEnd);
    const auto begin =
        static_cast<std::uint64_t>(bench.accesses.at(0).begin.to_seconds() * 1e9 + 0.5);
    // The command streamer sends it when it has parsed the first command, of 19 DWords.
    std::uint64_t parsed = 0;
    while (parsed < begin && log.value("bench.cs.batch_address", parsed) != kPreamble)
        ++parsed;
    EXPECT_EQ(begin, parsed + 19 + 7);
}

TEST(RsTime, AnEngineDoesOneThingAfterTheOther) {
    Bench bench;
    bench.rs_latency = 300;
    bench.run_batch(kSetUp + edit(kVs, {1}) + pointers(kVs, 0) + pointers(kVs, 64) +
                    store(kConstants, 1) + kEnd);
    EXPECT_EQ(bench.work(1).begin, bench.work(0).end) << "two tables";
    EXPECT_LT(bench.work(2).begin, bench.work(1).end) << "another engine";
    EXPECT_GT(bench.rs.stats.engine_cycles.value(), 200u);
}

TEST(RsTime, LinesOfATableGoOutOneACycle) {
    Bench bench;
    bench.run_batch(kSetUp + edit(kVs, {255u << 16 | 1}) + pointers(kVs, 0) + kEnd);
    for (unsigned i = 1; i < 8; ++i)
        EXPECT_EQ(bench.work(i).begin, bench.work(i - 1).begin + Bench::cycles(1));
}

TEST(RsTime, ReadsGoOutOneACycleToo) {
    Bench bench;
    bench.buffers(8);
    Words entries, elements;
    for (std::uint32_t i = 0; i < 8; ++i) {
        entries.push_back(i << 16 | (i + 1));
        elements.push_back(element(i, 1, 0));
    }
    bench.run_batch(kSetUp + edit(kVs, entries) + gather(kVs, 0xFF, 0, elements) + kEnd);
    for (const unsigned first : {0u, 8u})  // the states, the constants
        for (unsigned i = first + 1; i < first + 8; ++i)
            EXPECT_EQ(bench.work(i).begin, bench.work(i - 1).begin + Bench::cycles(1)) << i;
}

// 003:2804, 2835.
TEST(RsTime, AFenceKeepsLaterWritesBackAndNotTheParser) {
    GEN9_COVERS("RS-09 RS-33");
    Bench bench;
    bench.rs_latency = 2000;
    Bench::Time edited;
    bench.on_access = [&](const StreamersBench::Access&) {
        if (bench.rs.stats.edits.value() == 2 && edited == Bench::Time())
            edited = sc_core::sc_time_stamp();
    };
    bench.run_batch(kSetUp + edit(kVs, {1}) + pointers(kVs, 0) + kDraw + edit(kPs, {2}) +
                    store(kConstants, 1) + kEnd);
    EXPECT_GE(bench.work(1).begin, bench.work(0).end);
    EXPECT_LT(edited, bench.work(0).end) << "the parser has gone on";
    EXPECT_EQ(bench.rs.stats.stops.value(), 1u) << "no sync command";
    EXPECT_EQ(bench.rs.stats.fences.value(), 1u);
}
// It waits for the last write, whichever engine has it.
TEST(RsTime, AFenceWaitsForStoresTablesAndGatherBuffers) {
    GEN9_COVERS("RS-33");
    Bench bench;
    bench.rs_latency = 2000;
    bench.buffers(1);
    const Words table = edit(kVs, {1}) + pointers(kVs, 0), number = store(kConstants + 0x800, 1);
    const Words buffer = edit(kVs, {1}) + gather(kVs, 1, 0, {element(0, 0xF, 0)});
    const Words behind = store(kConstants + 0x900, 2);
    for (const Words& before : {number, table, buffer, number + buffer, buffer + table}) {
        SCOPED_TRACE(testing::Message() << std::hex << before[0]);
        bench.accesses.clear();
        // An engine's own order would hide the fence: another engine writes behind it.
        const bool stores = before == number;
        bench.run_batch(kSetUp + before + kDraw +
                        (stores ? edit(kPs, {2}) + pointers(kPs, 64) : behind) + kEnd);
        std::vector<StreamersBench::Access> work;
        std::ranges::copy_if(bench.accesses, std::back_inserter(work),
                             [](const auto& access) { return !access.fetch; });
        ASSERT_GE(work.size(), 2u);
        const StreamersBench::Access last = work.back();
        EXPECT_EQ(last.address.value, stores ? kPool + 64 : kConstants + 0x900);
        work.pop_back();
        for (const auto& access : work)
            EXPECT_GE(last.begin, access.end) << access.address.value;
    }
}
TEST(RsTime, WithoutAFenceWritesMayReorder) {
    GEN9_COVERS("RS-33");
    Bench bench;
    bench.rs_latency = 2000;
    bench.run_batch(kSetUp + edit(kVs, {1}) + pointers(kVs, 0) + edit(kPs, {2}) +
                    store(kConstants, 1) + kEnd);
    EXPECT_LT(bench.work(1).begin, bench.work(0).begin + Bench::cycles(20));
}

// 003:2833.
TEST(RsTime, AReadOfWhatWasWrittenWaitsForItAndReturnsIt) {
    GEN9_COVERS("RS-32");
    Bench bench;
    bench.rs_latency = 700;
    bench.buffers(2);
    bench.run_batch(kSetUp + edit(kVs, {0u << 16 | 1, 1u << 16 | 2}) + store(kConstants, 0xF00D) +
                    gather(kVs, 3, 0, {element(0, 1, 0), element(1, 1, 0)}) + kEnd);
    // A write; two states; two lines of constants, of which one was written; the buffer.
    const auto& written = bench.work(0);
    ASSERT_TRUE(written.write);
    EXPECT_LT(bench.work(1).begin, written.end) << "the states are elsewhere";
    EXPECT_LT(bench.work(2).begin, written.end);
    unsigned reads_of_it = 0;
    for (unsigned i = 1; i < 5; ++i) {
        if (bench.work(i).address.value != kConstants) continue;
        EXPECT_GE(bench.work(i).begin, written.end);
        ++reads_of_it;
    }
    EXPECT_EQ(reads_of_it, 1u);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers), 0xF00Du);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers + 4), 0xA01u);
}
TEST(RsTime, AReadOfAStateJustWrittenWaitsForIt) {
    GEN9_COVERS("RS-32");
    Bench bench;
    bench.rs_latency = 700;
    bench.buffers(1);
    bench.run_batch(kSetUp + edit(kVs, {1}) + store(kSurfaces + 0x40 + 0x20, low(kConstants) + 4) +
                    gather(kVs, 1, 0, {element(0, 1, 0)}) + kEnd);
    EXPECT_GE(bench.work(1).begin, bench.work(0).end);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers), 0xB00u) << "the buffer begins elsewhere";
}

// 003:2831.
TEST(RsTime, ReadsMayReturnInAnyOrderAndAreUsedInTheOrderOfTheProgram) {
    GEN9_COVERS("RS-31");
    Bench bench;
    bench.jitter = 3000;
    bench.buffers(16);
    Words entries, elements;
    for (std::uint32_t i = 0; i < 16; ++i) {
        entries.push_back(i << 16 | (i + 1));
        elements.push_back(element((i * 5) % 16, 1u << i % 4, 0));
    }
    bench.run_batch(kSetUp + edit(kVs, entries) + gather(kVs, 0xFFFF, 0, elements) + kEnd);
    bool reordered = false;
    for (unsigned i = 1; i < 16; ++i)
        reordered |= bench.work(i).end < bench.work(i - 1).end;
    EXPECT_TRUE(reordered);
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers + 4 * i),
                  0xA00 + 0x100 * (i % 4) + (i * 5) % 16);
    EXPECT_EQ(bench.trouble(), "");
}

TEST(RsTime, TheGatherBufferIsWrittenWhenItsConstantsHaveCome) {
    Bench bench;
    bench.rs_latency = 500;
    bench.buffers(1);
    bench.run_batch(kSetUp + edit(kVs, {1}) + gather(kVs, 1, 0, {element(0, 0xF, 0)}) + kEnd);
    EXPECT_EQ(bench.work(1).begin, bench.work(0).end) << "the constants after their surface state";
    EXPECT_EQ(bench.work(2).begin, bench.work(1).end);
    EXPECT_TRUE(bench.work(2).write);
}

TEST(RsTime, TheNextBlockIsOnItsWayWhileOneIsParsed) {
    Bench bench({"rs.fetch_bytes=64"});
    bench.cs_latency = 2;
    bench.rs_latency = 10;
    bench.run_batch(Words(16 * 8, 0) + kEnd);
    // Sixteen cycles to parse a block, ten to fetch one: only the first is waited for.
    EXPECT_EQ(bench.rs.stats.fetch_cycles.value(), 10u);
}

TEST(RsTime, OfAFarBlockTheRestOfItsWayIsWaitedFor) {
    Bench bench({"rs.fetch_bytes=64"});
    bench.cs_latency = 2;
    bench.rs_latency = 40;
    bench.run_batch(Words(16 * 8, 0) + kEnd);
    // Each of the eight blocks behind the first has been on its way for the sixteen cycles of one.
    EXPECT_EQ(bench.rs.stats.fetch_cycles.value(), 40u + 8 * (40 - 16));
}

// Only the block behind the one that it has is on its way.
TEST(RsTime, ABlockBehindASkippedOneIsWaitedForAsLongAsItTakes) {
    Bench bench({"rs.fetch_bytes=64"});
    bench.cs_latency = 2;
    bench.rs_latency = 40;
    Words loads = {0x11000000 | (2 * 24 - 1)};  // it ignores them, and three blocks with them
    for (unsigned i = 0; i < 24; ++i)
        append(loads, {0x2600, i});  // a general-purpose register
    bench.run_batch(loads + kEnd);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 2u);
    EXPECT_EQ(bench.rs.stats.fetch_cycles.value(), 40u + 40);
}
TEST(RsTime, ABlockBehindAStopIsWaitedForAsLongAsItTakes) {
    Bench bench({"rs.fetch_bytes=64"});
    bench.cs_latency = 2;
    bench.rs_latency = 40;
    bench.run_batch(Words(15, 0) + Words{0x02800000} + Words(4, 0) + kEnd);
    EXPECT_EQ(bench.rs.stats.starts.value(), 2u);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 2u);
    EXPECT_EQ(bench.rs.stats.fetch_cycles.value(), 40u + 40);
}

TEST(RsTime, EveryCycleHasOneReasonAndTheSignalAgrees) {
    Bench bench({"rs.products_ahead=1"});
    SignalLog log(bench.environment.environment.signals);
    bench.buffers(4);
    bench.cs_latency = 150;
    bench.rs_latency = 60;
    bench.jitter = 40;
    Words batch = kSetUp;
    for (std::uint32_t i = 0; i < 6; ++i)
        append(batch, edit(kVs, {i << 16 | (i % 4 + 1)}) + pointers(kVs, 64 * i) +
                          gather(kVs, 1u << i, 64 * i, {element(i, 0xF, 0)}) +
                          (i == 3 ? Words{0x02800000} : Words{}));
    bench.run_batch(batch + kEnd, 0x500, 20'000);
    EXPECT_TRUE(bench.rs.idle());
    bench.rs.settle();
    EXPECT_EQ(bench.rs_cycles(), 20'000u);
    std::array<std::uint64_t, 7> sums{};
    for (std::uint64_t cycle = 0; cycle < 20'000; ++cycle)
        ++sums[log.value("bench.rs.activity", cycle)];
    const rs::RsStats& s = bench.rs.stats;
    const std::array<std::uint64_t, 7> counted{s.idle_cycles.value(),   s.busy_cycles.value(),
                                               s.fetch_cycles.value(),  s.engine_cycles.value(),
                                               s.room_cycles.value(),   s.drain_cycles.value(),
                                               s.context_cycles.value()};
    EXPECT_EQ(sums, counted);
    for (unsigned i = 0; i < 6; ++i)
        EXPECT_GT(counted[i], 0u) << rs::kActivityWords[i];
    // And so do the command streamer's.
    const cs::CsStats& c = bench.cs.stats;
    EXPECT_GT(c.streamer_cycles.value(), 0u);
    std::uint64_t waiting = 0;
    for (std::uint64_t cycle = 0; cycle < 20'000; ++cycle)
        waiting += log.value("bench.cs.activity", cycle) ==
                   static_cast<std::uint64_t>(cs::Activity::Streamer);
    EXPECT_EQ(waiting, c.streamer_cycles.value());
}

TEST(RsTime, WhatItDidIsCounted) {
    Bench bench({"rs.fetch_bytes=64"});
    bench.buffers(1);
    bench.run_batch(kSetUp + edit(kVs, {1, 1u << 16 | 2}) + pointers(kVs, 0) +
                    store(kConstants + 0x800, 1) + gather(kVs, 1, 0, {element(0, 0xF, 0)}) + kDraw +
                    kEnd);
    const rs::RsStats& s = bench.rs.stats;
    EXPECT_EQ(s.commands.value(), 3u + 5u);
    EXPECT_EQ(s.dwords.value(), (19u + 4 + 4) + (4 + 2 + 4 + 4 + 7));
    EXPECT_EQ(s.fetches.value(), (49u * 4 + 63) / 64);
    EXPECT_EQ(s.starts.value(), 1u);
    EXPECT_EQ(s.stops.value(), 1u);
    EXPECT_EQ(s.limits.value() + s.halts.value(), 0u);
    EXPECT_EQ(s.edits.value(), 2u);
    EXPECT_EQ(s.tables.value(), 1u);
    EXPECT_EQ(s.gathers.value(), 1u);
    EXPECT_EQ(s.gathered_dwords.value(), 4u);
    EXPECT_EQ(s.stores.value(), 1u);
    EXPECT_EQ(s.fences.value(), 1u);
    EXPECT_EQ(s.lines_read.value(), 2u) << "a state and its constants";
    EXPECT_EQ(s.lines_written.value(), 3u) << "a table, a word and a gather buffer";
}

TEST(RsTime, AnAccessHasTheIdOfItsCommandAndTheWaveformShowsIt) {
    Bench bench({"rs.fetch_bytes=256"});
    SignalLog log(bench.environment.environment.signals);
    bench.cs_latency = bench.rs_latency = 1;
    bench.run_batch(kSetUp + edit(kVs, {1}) + pointers(kVs, 0) + store(kConstants, 1) +
                    store(kConstants + 0x40, 2) + kEnd);
    ASSERT_EQ(bench.accesses.size(), 4u);
    EXPECT_EQ(bench.accesses[0].id, 0u) << "no command has been seen";
    std::set<TraceId> ids;
    const std::uint32_t headers[] = {pointers(kVs, 0)[0], store(0, 0)[0], store(0, 0)[0]};
    const std::uint64_t last = kPreamble + 4 * (19 + 4 + 4 + 3 + 2 + 4);
    for (unsigned i = 0; i < 3; ++i) {
        const StreamersBench::Access& access = bench.work(i);
        // It begins when its command has been parsed: in the cycle of the next one.
        const auto at = static_cast<std::uint64_t>(access.begin.to_seconds() * 1e9 + 0.5) - 1;
        EXPECT_EQ(log.value("bench.rs.command_id", at), access.id) << i;
        EXPECT_EQ(log.value("bench.rs.header", at), headers[i]) << i;
        if (i == 2) {
            EXPECT_EQ(log.value("bench.rs.address", at), last);
        }
        ids.insert(access.id);
    }
    EXPECT_EQ(ids.size(), 3u) << "each its own";
    EXPECT_FALSE(ids.contains(0));
}

TEST(RsTime, ConstantsThatCannotBeReadAreZeros) {
    Bench bench;
    bench.buffers(2);
    bench.ppgtt.put(kSurfaces + 0x40, buffer_surface(0x6666'0000, 16, 16));
    bench.ppgtt.put(kGathers, Words{9, 9, 9, 9, 9, 9});
    bench.run_batch(kSetUp + edit(kVs, {0u << 16 | 1, 1u << 16 | 2}) +
                    gather(kVs, 3, 0, {element(0, 0xF, 0), element(1, 1, 0)}) + kEnd);
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers + 4 * i), 0u) << i;
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kGathers + 16), 0xA01u);
}

TEST(RsTime, ARunIsTheSameTwice) {
    std::vector<std::uint64_t> first;
    Bench bench;
    bench.buffers(4);
    bench.run_batch(kSetUp + edit(kVs, {1, 1u << 16 | 2}) + pointers(kVs, 0) +
                    gather(kVs, 3, 0, {element(0, 3, 0), element(1, 3, 0)}) + kEnd);
    const auto begin = bench.accesses.front().begin, end = bench.accesses.back().end;
    bench.accesses.clear();
    const auto again = sc_core::sc_time_stamp();
    bench.run_batch(kSetUp + edit(kVs, {1, 1u << 16 | 2}) + pointers(kVs, 0) +
                    gather(kVs, 3, 0, {element(0, 3, 0), element(1, 3, 0)}) + kEnd);
    EXPECT_GE(bench.accesses.front().begin, again);
    EXPECT_EQ(bench.accesses.back().end - bench.accesses.front().begin, end - begin);
}

}  // namespace
}  // namespace gen9::test
