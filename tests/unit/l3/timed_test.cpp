// SPDX-License-Identifier: Apache-2.0
// Latency, bandwidth and back-pressure of the L3.
#include <set>

#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {
TEST(L3Timed, AHitTakesTheHitLatencyAndAMissMemorysOnTop) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* miss = from.send(from.read(0x1000), 10);
    auto* hit = from.send(from.read(0x1020, 32), 1000);
    bench.run();
    ASSERT_EQ(from.ended.size(), 2u);
    EXPECT_EQ(from.ended[0].cycle - 10, bench.hit_cycles() + bench.memory.latency);
    EXPECT_EQ(from.ended[1].cycle - 1000, bench.hit_cycles());
    EXPECT_EQ(miss->data[63], static_cast<std::uint8_t>(0x1000 / 64 + 63));
    EXPECT_EQ(hit->data[0], static_cast<std::uint8_t>(0x1000 / 64 + 32));
    EXPECT_EQ(bench.sum("hits"), 1u);
    EXPECT_EQ(bench.sum("misses"), 1u);
}

TEST(L3Timed, LoadToUseThroughTheDataPortComesNearHardwares) {
    Bench bench(Timing::Timed);
    // The data port's 16 cycles in front, the 16 of notice behind, and some 6 in the EU.
    EXPECT_NEAR(static_cast<double>(bench.hit_cycles() + 16 + 16 + 6), 138, 138 * 0.2);
}

TEST(L3Timed, OneClientReadsALinePerCycle) {
    GEN9_COVERS("L3-11");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned i = 0; i < 128; ++i)
            from.send(from.read(0x1000 + i * 64), pass * 2000);
    bench.run();
    ASSERT_EQ(from.ended.size(), 256u);
    EXPECT_EQ(from.ended[255].cycle - from.ended[128].cycle, 127u);
}

TEST(L3Timed, WhatHasPiledUpAtAClientLeavesOneACycleWhateverItsBanks) {
    GEN9_COVERS("L3-11");
    Bench bench(Timing::Timed, 1, {"l3.bank_queue=1"});
    auto& from = *bench.from[0];
    for (unsigned bank = 0; bank < 4; ++bank)
        from.send(from.read(bank * 64));
    // The second atomic waits 16 cycles for bank 0's units, the third for its place in the queue,
    // and all behind it.
    for (unsigned i = 0; i < 3; ++i)
        from.send(from.atomic(0, AtomicOp::Inc, 16, 0, 0), 1000);
    std::vector<MemoryTransaction*> behind;
    for (unsigned i = 0; i < 6; ++i)
        behind.push_back(from.send(from.write((1 + i % 3) * 64, 64, 1), 1000));
    bench.run();
    for (unsigned i = 0; i < 6; ++i)
        EXPECT_EQ(bench.end_of(behind[i]), 1016 + 2 + i + bench.write_cycles());
}

TEST(L3Timed, DataOfTwoBanksComesBackToAClientOneLineACycle) {
    GEN9_COVERS("L3-11");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned bank = 0; bank < 2; ++bank)
        from.send(from.read(bank * 64));
    // An atomic of three cycles and, two cycles later, a read: ready at the same time.
    auto* slow = from.send(from.atomic(0, AtomicOp::Inc, 3, 0, 0), 1000);
    from.send(from.write(64, 4, 1), 1001);
    auto* fast = from.send(from.read(64), 1002);
    bench.run();
    EXPECT_EQ(bench.end_of(slow), 1002 + bench.hit_cycles());
    EXPECT_EQ(bench.end_of(fast), 1003 + bench.hit_cycles());
}

TEST(L3Timed, ThreeClientsReadThreeLinesPerCycleFromFourBanks) {
    GEN9_COVERS("L3-03 L3-10 L3-11");
    Bench bench(Timing::Timed, 3);
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned pass = 0; pass < 2; ++pass)
            for (unsigned i = 0; i < 256; ++i)
                bench.from[c]->send(bench.from[c]->read(c * 0x10040 + i * 64), pass * 5000);
    bench.run();
    std::uint64_t last = 0;
    for (auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    const double cycles = static_cast<double>(last - 5000 - bench.hit_cycles() + 1);
    EXPECT_GT(3 * 256 * 64 / cycles, 0.9 * 192);
}

TEST(L3Timed, OneBankReadsOneLinePerCycleHoweverManyAsk) {
    GEN9_COVERS("L3-07 L3-10 L3-30");
    Bench bench(Timing::Timed, 4);
    for (unsigned i = 0; i < 64; ++i)
        bench.from[0]->send(bench.from[0]->read(i * 256));
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 64; ++i)
            bench.from[c]->send(bench.from[c]->read((i + c * 8) % 64 * 256), 5000);
    bench.run();
    std::uint64_t last = 0;
    for (auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    const std::uint64_t cycles = last - 5000 - bench.hit_cycles() + 1;
    EXPECT_GE(cycles, 256u);
    EXPECT_LE(cycles, 270u);
}

TEST(L3Timed, OneBankReadsOneAndWritesOneLinePerCycle) {
    GEN9_COVERS("L3-07 L3-10 L3-30");
    Bench bench(Timing::Timed, 4);
    // Lines of bank 0 only, in different sets, brought in first.
    for (unsigned i = 0; i < 64; ++i)
        bench.from[0]->send(bench.from[0]->read(i * 256));
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 64; ++i) {
            const std::uint64_t address = (i + c * 8) % 64 * 256;
            bench.from[c]->send(
                c < 2 ? bench.from[c]->read(address) : bench.from[c]->write(address, 64, 1), 5000);
        }
    bench.run();
    std::uint64_t last = 0;
    for (auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    const std::uint64_t cycles = last - 5000 - bench.hit_cycles() + 1;
    EXPECT_GE(cycles, 128u);  // 128 reads and 128 writes
    EXPECT_LE(cycles, 140u);
}

// A read that the array had no port for goes with the write of the next cycle, whichever of the two
// the arbitration looks at first.
TEST(L3Timed, ARefusedReadGoesBesideAWrite) {
    GEN9_COVERS("L3-27 L3-30");
    Bench bench(Timing::Timed, 3);
    for (unsigned i = 0; i < 3; ++i)
        bench.from[0]->send(bench.from[0]->read(i * 256));
    for (const std::uint64_t start : {5000u, 6001u, 7002u}) {
        bench.from[0]->send(bench.from[0]->read(0), start);
        bench.from[1]->send(bench.from[1]->read(256), start);
        bench.from[2]->send(bench.from[2]->write(512, 64, 1), start + 1);
    }
    bench.run();
    for (std::size_t round = 0; round < 3; ++round) {
        const std::uint64_t start = 5000 + 1001 * round;
        const std::uint64_t first = bench.from[0]->ended[3 + round].cycle;
        const std::uint64_t second = bench.from[1]->ended[round].cycle;
        EXPECT_EQ(std::min(first, second), start + bench.hit_cycles());
        EXPECT_EQ(std::max(first, second), start + 1 + bench.hit_cycles());
        EXPECT_EQ(bench.from[2]->ended[round].cycle, bench.from[2]->ended[0].cycle + 1001 * round);
    }
}

TEST(L3Timed, ReadsOfOneLineOnItsWayMakeOneFetch) {
    GEN9_COVERS("L3-38");
    Bench bench(Timing::Timed, 2);
    for (unsigned i = 0; i < 4; ++i)
        for (auto& from : bench.from)
            from->send(from->read(0x2000 + i * 8, 8));
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), 1u);
    EXPECT_EQ(bench.sum("merges"), 7u);
    for (auto& from : bench.from)
        EXPECT_EQ(from->ended.size(), 4u);
}

TEST(L3Timed, AHitPassesAnOlderMissOfAnotherLine) {
    GEN9_COVERS("DP-024");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(from.read(0x1000), 0);
    auto* miss = from.send(from.read(0x8000), 1000);
    auto* hit = from.send(from.read(0x1000), 1001);
    bench.run();
    ASSERT_EQ(from.ended.size(), 3u);
    EXPECT_EQ(from.ended[1].transaction, hit);
    EXPECT_EQ(from.ended[2].transaction, miss);
    EXPECT_EQ(from.ended[1].cycle, 1001 + bench.hit_cycles());
}

TEST(L3Timed, AllOf512KBHitsTheSecondTimeAnd640KBDoesNot) {
    GEN9_COVERS("L3-05 L3-13");
    Bench bench(Timing::Timed, 1, {"l3.replacement=one_bit_lru"});
    bench.write_register(0x7034, 0x80000340);
    auto& from = *bench.from[0];
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned i = 0; i < 8192; ++i)
            from.send(from.read(i * 64), pass * 100000);
    bench.run();
    EXPECT_EQ(bench.sum("misses"), 8192u);
    EXPECT_EQ(bench.sum("hits"), 8192u);
    from.clear();
    for (unsigned pass = 2; pass < 4; ++pass)
        for (unsigned i = 0; i < 10240; ++i)
            from.send(from.read(0x100000 + i * 64), pass * 200000);
    bench.run();
    EXPECT_EQ(bench.sum("misses"), 8192u + 2 * 10240);
}

TEST(L3Timed, AFullQueueHoldsTheClientAndEachRequestEndsOnce) {
    Bench bench(Timing::Timed, 2, {"l3.bank_queue=2", "l3.super_queue=4", "l3.memory_queue=2"});
    bench.memory.stalled = true;
    for (auto& from : bench.from)
        for (unsigned i = 0; i < 200; ++i)
            from->send(i % 3 ? from->read(i * 320)
                             : from->write(i * 320, 16, static_cast<std::uint8_t>(i)));
    sc_core::sc_start(sc_core::sc_time(3000, sc_core::SC_NS));
    EXPECT_LT(bench.from[0]->sent, 100u);
    bench.memory.resume();
    bench.run();
    for (auto& from : bench.from) {
        std::set<void*> once;
        for (auto& e : from->ended)
            once.insert(e.transaction);
        EXPECT_EQ(once.size(), 200u);
        EXPECT_EQ(from->ended.size(), 200u);
        from->clear();
        EXPECT_EQ(from->pool.in_flight(), 0u);
    }
    EXPECT_EQ(bench.l3.in_flight(), 0u);
    EXPECT_TRUE(bench.l3.idle());
    EXPECT_GT(bench.sum("memory_queue_stalls") + bench.sum("super_queue_stalls"), 0u);
}

TEST(L3Timed, WhatARequestCausesCarriesItsId) {
    Bench bench(Timing::Timed, 1, {}, 1);
    auto& from = *bench.from[0];
    const auto with_id = [&](MemoryTransaction* t, TraceId id, std::uint64_t at) {
        t->attributes.trace_id = id;
        return from.send(t, at);
    };
    with_id(from.read(0x1000), 11, 10);  // a fetch
    with_id(from.write(0x2000, 64, 1), 12, 500);
    auto* uncached = from.read(0x2000);  // forces the written line out, and passes by
    uncached->attributes.uncached = true;
    with_id(uncached, 13, 1000);
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 3u);
    EXPECT_EQ(bench.memory.seen[0].attributes.trace_id, 11u);
    EXPECT_TRUE(bench.memory.seen[1].write);
    EXPECT_EQ(bench.memory.seen[1].attributes.trace_id, 13u);
    EXPECT_EQ(bench.memory.seen[2].attributes.trace_id, 13u);
    // Victims of the lines that come after: 96 lines of one set.
    with_id(from.write(0, 64, 1), 14, 2000);
    for (unsigned i = 1; i < 200; ++i)
        with_id(from.read(i * 64 * 32), 100 + i, 2000 + 200 * i);
    bench.run();
    unsigned victims = 0;
    for (std::size_t i = 3; i < bench.memory.seen.size(); ++i)
        if (bench.memory.seen[i].write) {
            ++victims;
            EXPECT_EQ(bench.memory.seen[i].attributes.trace_id,
                      bench.memory.seen[i - 1].attributes.trace_id);
        }
    EXPECT_EQ(victims, 1u);
}

TEST(L3Timed, AFlushAndABlockingAccessPassTheirIdsOn) {
    Bench bench(Timing::Timed, 1);
    auto& from = *bench.from[0];
    auto* write = from.write(0x2000, 64, 1);
    from.send(write, 10);
    bench.run();
    auto* flush = from.pool.get();
    flush->attributes.operation = MemoryAttributes::Operation::Control;
    flush->attributes.control.flush_data = true;
    flush->attributes.trace_id = 21;
    sc_core::sc_time delay;
    bench.control.mem_out->b_transport(*flush, delay);
    flush->release();
    EXPECT_EQ(bench.memory.blocking_attributes.trace_id, 21u);
    auto* read = from.read(0x5000);
    read->attributes.trace_id = 22;
    from.block(read);
    EXPECT_EQ(bench.memory.blocking_attributes.trace_id, 22u);
    from.clear();
}

TEST(L3Timed, EveryCycleOfABankHasOneReason) {
    Bench bench(Timing::Timed, 3);
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned i = 0; i < 300; ++i)
            bench.from[c]->send(
                i % 4 ? bench.from[c]->read(i * 64 * (c + 1))
                      : bench.from[c]->atomic(i * 64, AtomicOp::Inc, 16, i % 8 ? 4 : 0, 0));
    bench.from[0]->send(bench.from[0]->read(0), 20000);
    bench.from[0]->send(bench.from[0]->read(0), 20001);
    bench.run();
    // Also those after the last in which anything happened.
    sc_core::sc_start(bench.clock.time(Cycles(500)));
    bench.l3.settle();
    ASSERT_GE(bench.clock.now(), Cycles(20500));
    for (unsigned b = 0; b < 4; ++b) {
        const auto& s = bench.l3.bank_stats(b);
        const std::uint64_t total = s.busy_cycles.value() + s.idle_cycles.value() +
                                    s.port_stalls.value() + s.atomic_stalls.value() +
                                    s.super_queue_stalls.value() + s.memory_queue_stalls.value() +
                                    s.flush_stalls.value();
        EXPECT_EQ(total, bench.clock.now().value);
        EXPECT_GT(s.busy_cycles.value(), 0u);
    }
    EXPECT_GT(bench.sum("atomic_stalls"), 0u);
}

TEST(L3Timed, AtomicsOfOneWordTakeACyclePerLaneAndFloatOnesSerialize) {
    GEN9_COVERS("L3-10 L3-35 DP-221");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(from.read(0), 0);
    from.send(from.read(256), 0);
    const auto done = [&](MemoryTransaction* first, MemoryTransaction* second, std::uint64_t at) {
        from.ended.reserve(64);
        from.send(first, at);
        from.send(second, at);
    };
    done(from.atomic(0, AtomicOp::Add, 16, 4, 1), from.atomic(256, AtomicOp::Add, 16, 4, 1), 1000);
    done(from.atomic(0, AtomicOp::Add, 16, 0, 1), from.atomic(256, AtomicOp::Add, 16, 0, 1), 2000);
    done(from.atomic(0, AtomicOp::CmpWr, 16, 4, 1), from.atomic(256, AtomicOp::CmpWr, 16, 4, 1),
         3000);
    done(from.atomic(0, AtomicOp::FMax, 16, 4, 1), from.atomic(256, AtomicOp::FMax, 16, 4, 1),
         4000);
    bench.run();
    ASSERT_EQ(from.ended.size(), 10u);
    const auto apart = [&](unsigned pair) {
        return from.ended[3 + 2 * pair].cycle - from.ended[2 + 2 * pair].cycle;
    };
    EXPECT_EQ(apart(0), 1u);
    EXPECT_EQ(apart(1), 16u);
    EXPECT_EQ(apart(2), 2u);
    EXPECT_EQ(apart(3), 16u);
    EXPECT_EQ(from.ended[2].cycle - 1000, bench.hit_cycles());
}

TEST(L3Timed, AnAtomicTakesBothPortsOfItsBank) {
    GEN9_COVERS("L3-30");
    Bench bench(Timing::Timed, 2, {}, 1);
    for (unsigned set = 0; set < 2; ++set)
        bench.from[0]->send(bench.from[0]->read(set * 64));
    for (const unsigned first : {0u, 1u}) {
        const std::uint64_t at = 1000 + 1000 * first;
        auto& one = *bench.from[first];
        auto& other = *bench.from[1 - first];
        auto* atomic = one.send(one.atomic(0, AtomicOp::Inc, 1, 4, 0), at);
        auto* read = other.send(other.read(64), at);
        bench.run();
        EXPECT_EQ(std::min(bench.end_of(atomic), bench.end_of(read)), at + bench.hit_cycles());
        EXPECT_EQ(std::max(bench.end_of(atomic), bench.end_of(read)), at + 1 + bench.hit_cycles());
    }
}

TEST(L3Timed, AFillWaitsForAPlaceForItsVictim) {
    GEN9_COVERS("L3-40");
    Bench bench(Timing::Timed, 1, {"l3.memory_queue=4"}, 1);
    bench.write_register(0x7034, 48u << 1 | 16u << 25);
    auto& from = *bench.from[0];
    // All 16 ways of set 0 modified.
    for (unsigned way = 0; way < 16; ++way)
        from.send(from.write(0x10000 + way * 64 * 32, 64, 7));
    bench.memory.latency = 400;
    // A line of set 0 is read past L3, and a write of it waits behind that; another line is read.
    auto* uncached = from.read(0x80000);
    uncached->attributes.uncached = true;
    from.send(uncached, 1000);
    auto* read = from.send(from.read(0x1000 + 64 * 5), 1001);
    auto* write = from.send(from.write(0x80000, 64, 7), 1002);
    bench.run_to(1000 + bench.l3.params.request_cycles + 20);
    // Memory takes five more, and three fetches wait in the bank's queue.
    bench.memory.stalled = true;
    for (unsigned i = 0; i < 8; ++i)
        from.send(from.read(0x20000 + 64 * (8 + i)));
    bench.run_to(2000);
    // The write's victim had the queue's last place when the other line came.
    EXPECT_NE(bench.end_of(uncached), 0u);
    EXPECT_NE(bench.end_of(write), 0u);
    EXPECT_EQ(bench.end_of(read), 0u);
    bench.memory.resume();
    bench.run();
    bench.l3.settle();
    EXPECT_GT(bench.end_of(read), 2000u);
    EXPECT_GT(bench.sum("memory_queue_stalls"), 400u);
    EXPECT_EQ(bench.sum("port_stalls"), 0u);
}

TEST(L3Timed, BytesAreCountedByDirection) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(from.read(0x1000, 48));
    from.send(from.write(0x2000, 20, 1));
    from.send(from.atomic(0x3000, AtomicOp::Inc, 3, 4, 0));
    bench.run();
    EXPECT_EQ(bench.sum("bytes_read"), 48u + 3 * 4);
    EXPECT_EQ(bench.sum("bytes_written"), 20u);
}

TEST(L3Timed, IsIdleWhenNothingIsUnderWay) {
    Bench bench(Timing::Timed);
    EXPECT_TRUE(bench.l3.idle());
    bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run_to(bench.l3.params.request_cycles - 1);
    EXPECT_FALSE(bench.l3.idle()) << "on its way to the bank";
    bench.run_to(bench.l3.params.request_cycles + 20);
    EXPECT_FALSE(bench.l3.idle()) << "its line is fetched";
    bench.run();
    EXPECT_TRUE(bench.l3.idle());
}

TEST(L3Timed, TheModuloHashGivesNeighbouringLinesToDifferentBanks) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 64; ++i)
        from.send(from.read(i * 64));
    bench.run();
    for (unsigned b = 0; b < 4; ++b)
        EXPECT_EQ(bench.l3.bank_stats(b).misses.value(), 16u);
}

TEST(L3Timed, TheFoldingHashSpreadsPowerOfTwoStrides) {
    Bench bench(Timing::Timed, 1, {"l3.bank_hash=folded"});
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 64; ++i)
        from.send(from.read(i * 256));
    bench.run();
    for (unsigned b = 0; b < 4; ++b)
        EXPECT_EQ(bench.l3.bank_stats(b).misses.value(), 16u);
}

/// Cycles beyond a hit's until two requests of two clients, issued together to warm lines, have
/// both ended.
std::uint64_t delay_of_pair(std::uint64_t read_address, std::uint64_t write_address) {
    Bench bench(Timing::Timed, 2);
    bench.from[0]->send(bench.from[0]->read(read_address));
    bench.from[0]->send(bench.from[0]->read(write_address));
    bench.from[0]->send(bench.from[0]->read(read_address), 1000);
    bench.from[1]->send(bench.from[1]->write(write_address, 64, 1), 1000);
    bench.run();
    return std::max(bench.from[0]->ended.back().cycle - bench.hit_cycles(),
                    bench.from[1]->ended.back().cycle - bench.write_cycles()) -
           1000;
}

TEST(L3Timed, TwoLookupsOfDifferentSetsShareACycle) {
    GEN9_COVERS("L3-25");
    EXPECT_EQ(delay_of_pair(0, 64 * 4), 0u);
}

TEST(L3Timed, TwoLookupsOfOneSetTakeTwoCycles) {
    GEN9_COVERS("L3-27");
    EXPECT_EQ(delay_of_pair(0, 64 * 4 * 32), 1u);
}

/// Cycles that a write behind atomics of 16 cycles each waits, and one behind it to the next bank
/// (reads would share the way back with the atomics). A client issues them all at once, and they
/// arrive one a cycle (L3-11).
struct Passing {
    std::uint64_t behind, elsewhere;
};
Passing past_atomics(unsigned atomics, std::vector<std::string> settings = {}) {
    Bench bench(Timing::Timed, 1, std::move(settings));
    auto& from = *bench.from[0];
    for (const unsigned line : {0, 1, 4})  // the second is the next bank's
        from.send(from.read(line * 64));
    for (unsigned i = 0; i < atomics; ++i)
        from.send(from.atomic(0, AtomicOp::Inc, 16, 0, 0), 1000);
    auto* behind = from.send(from.write(4 * 64, 64, 1), 1000);
    auto* elsewhere = from.send(from.write(64, 64, 1), 1000);
    bench.run();
    const std::uint64_t start = 1000 + bench.write_cycles();
    return {bench.end_of(behind) - start, bench.end_of(elsewhere) - start};
}

TEST(L3Timed, ABanksQueueIsNotReorderedAndHoldsNobodyWhoWantsAnother) {
    GEN9_COVERS("L3-04 L3-24");
    // The second atomic waits 16 cycles for the unit; the write behind it needs none.
    const Passing seen = past_atomics(2);
    EXPECT_EQ(seen.behind, 16u + 1);
    EXPECT_EQ(seen.elsewhere, 3u) << "the fourth request of its client";
}

TEST(L3Timed, ABanksQueueHasItsPlaces) {
    // One atomic is performed, three requests wait.
    EXPECT_EQ(past_atomics(3, {"l3.bank_queue=3"}).elsewhere, 4u);
}

TEST(L3Timed, WhoFindsABanksQueueFullHoldsThoseBehindIt) {
    // Of four the last waits until the second atomic has left, and enters a cycle later.
    EXPECT_EQ(past_atomics(4, {"l3.bank_queue=3"}).elsewhere, 16u + 2);
}

/// Cycles in which three clients read 4096 lines each, in an order of each client's own.
std::uint64_t cycles_of_streams(const char* hash) {
    Bench bench(Timing::Timed, 3, {hash});
    for (unsigned i = 0; i < 256; ++i)
        bench.from[0]->send(bench.from[0]->read(i * 64));
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned i = 0; i < 4096; ++i)
            bench.from[c]->send(bench.from[c]->read((i * (5 + 2 * c) + 7 * c) % 256 * 64), 5000);
    bench.run();
    std::uint64_t last = 0;
    for (const auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    return last - 5000 - bench.hit_cycles();
}

TEST(L3Timed, ThreeClientsReadALineACycleEachFromFourBanksInAnyOrder) {
    GEN9_COVERS("L3-03 L3-10 L3-11");
    EXPECT_LE(cycles_of_streams("l3.bank_hash=modulo"), 4096 * 102 / 100);
}

TEST(L3Timed, TheyDoSoWithTheFoldingHash) {
    EXPECT_LE(cycles_of_streams("l3.bank_hash=folded"), 4096 * 102 / 100);
}

TEST(L3Timed, AtomicsOnOneLineFollowEachOtherByACycleAndFetchItOnce) {
    GEN9_COVERS("L3-53");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 8; ++i)
        from.send(from.atomic(0, AtomicOp::Inc, 1, 0, 0), 1000);
    bench.run();
    ASSERT_EQ(from.ended.size(), 8u);
    EXPECT_EQ(bench.memory.seen.size(), 1u);
    EXPECT_EQ(from.ended.back().cycle - from.ended.front().cycle, 7u);
}

TEST(L3Timed, ASingleBankHolds192KBOfLines) {
    GEN9_COVERS("L3-06 L3-85");
    Bench bench(
        Timing::Timed, 1,
        {"l3.ways=160", "l3.tagged_ways=96", "l3.ways_per_unit=2", "l3.replacement=one_bit_lru"},
        1);
    bench.write_register(0x7034, 32u << 1 | 48u << 25);
    auto& from = *bench.from[0];
    const unsigned lines = 192 * 1024 / 64;
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned i = 0; i < lines; ++i)
            from.send(from.read(i * 64));
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), lines) << "the second pass hits";
}

}  // namespace
}  // namespace gen9::l3
