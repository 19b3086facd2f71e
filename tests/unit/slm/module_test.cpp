// SPDX-License-Identifier: Apache-2.0
#include "slm/module.h"

#include "l3/params.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/signal_log.h"

namespace gen9::slm {
namespace {

using sc_core::sc_start;

struct Bench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    Slm slm;
    test::MemoryInitiator from{"from", clock};

    explicit Bench(Timing timing, std::vector<std::string> settings = {})
        : environment(timing, std::move(settings)), slm("slm", environment.environment, clock) {
        from.mem_out.bind(slm.mem_in);
    }
    ~Bench() { from.clear(); }
    MemoryTransaction* lanes(LaneAccess::Kind kind, unsigned stride, std::uint64_t value = 0) {
        auto* t = from.atomic(0, AtomicOp::Add, 16, stride, value);
        t->attributes.lanes.kind = kind;
        return t;
    }
};
using Kind = LaneAccess::Kind;

TEST(Slm, ItsLatencyIsBelowThatOfAnL3HitAndAtMostATenthBelow) {
    GEN9_COVERS("L3-21");
    Bench bench(Timing::Timed);
    const l3::L3Params l3(bench.environment.environment.config, "l3");
    const std::uint64_t hit = l3.request_cycles + l3.bank_cycles + l3.return_cycles;
    EXPECT_LT(bench.slm.params.latency, hit);
    EXPECT_GE(10 * bench.slm.params.latency, 9 * hit);  // similar (white paper)
}

TEST(Slm, AnAccessTakesTheLatencyAndItsConflicts) {
    GEN9_COVERS("SLM-10");
    Bench bench(Timing::Timed);
    bench.from.send(bench.lanes(Kind::Read, 4), 10);
    bench.from.send(bench.lanes(Kind::Read, 64), 200);
    sc_start();
    ASSERT_EQ(bench.from.ended.size(), 2u);
    EXPECT_EQ(bench.from.ended[0].cycle, 10 + bench.slm.params.latency);
    EXPECT_EQ(bench.from.ended[1].cycle, 200 + bench.slm.params.latency + 15);
    EXPECT_EQ(bench.slm.stats.conflict_cycles.value(), 15u);
}

TEST(Slm, FunctionalAccessIsDirectToAllOfIt) {
    test::TestEnvironment environment(Timing::Functional);
    Clock clock{1'000'000'000};
    Slm slm("slm", environment.environment, clock, false, 128 * 1024);
    test::MemoryInitiator from{"from", clock};
    from.mem_out.bind(slm.mem_in);
    from.block(from.write(0x1FFC0, 64, 7));
    tlm::tlm_dmi dmi;
    dmi.set_start_address(64);  // of another memory
    MemoryTransaction* t = from.read(0);
    ASSERT_TRUE(from.mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), 0x1FFFFu);
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_EQ(dmi.get_dmi_ptr()[0x1FFFF], 7);
    EXPECT_EQ(dmi.get_dmi_ptr()[0xFFFF], 0);
    t->release();
    from.clear();
}

TEST(Slm, TheNumberOfBanksIsASetting) {
    for (const auto& [banks, cycles] : {std::pair{"1", 15u}, {"8", 1u}, {"64", 0u}}) {
        Bench bench(Timing::Timed, {std::string("slm.banks=") + banks});
        bench.from.block(bench.lanes(Kind::Read, 4));
        EXPECT_EQ(bench.slm.stats.conflict_cycles.value(), cycles) << banks;
    }
    EXPECT_THROW(Bench(Timing::Timed, {"slm.banks=12"}), UserError);
}

TEST(Slm, WithoutAPointerToByteEnablesAllBytesAreWritten) {
    Bench bench(Timing::Timed);
    auto* t = bench.from.write(0x40, 64, 7);
    t->set_byte_enable_length(64);
    bench.from.block(t);
    EXPECT_EQ(bench.from.block(bench.from.read(0x40))->data[63], 7);
}

TEST(Slm, ARowIsReadOrWrittenPerCycleAndAsManyAtomics) {
    GEN9_COVERS("L3-10 DP-220");
    Bench bench(Timing::Timed);
    std::uint64_t reads = 0, writes = 0;
    for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic}) {
        const std::size_t first = bench.from.ended.size();
        for (int i = 0; i < 100; ++i)
            bench.from.send(bench.lanes(kind, 4));
        sc_start();
        ASSERT_EQ(bench.from.ended.size(), first + 100);
        EXPECT_EQ(bench.from.ended.back().cycle - bench.from.ended[first].cycle, 99u);
        reads += kind == Kind::Write ? 0 : 100;
        writes += kind == Kind::Read ? 0 : 100;
        EXPECT_EQ(bench.slm.stats.read_busy_cycles.value(), reads);
        EXPECT_EQ(bench.slm.stats.write_busy_cycles.value(), writes);
    }
}

TEST(Slm, CountsEachAccessByItsKindWithItsBytes) {
    Bench bench(Timing::Timed);
    const SlmStats& s = bench.slm.stats;
    for (unsigned i = 0; i < 3; ++i)
        bench.from.block(bench.lanes(Kind::Read, 4));
    for (unsigned i = 0; i < 5; ++i)
        bench.from.block(bench.lanes(Kind::Write, 4));
    for (unsigned i = 0; i < 7; ++i)
        bench.from.block(bench.lanes(Kind::Atomic, 4));
    bench.from.block(bench.from.read(0, 32));
    bench.from.block(bench.from.write(0, 16, 1));
    bench.from.block(bench.from.write(0, 16, 1));
    EXPECT_EQ(s.reads.value(), 3u + 1);
    EXPECT_EQ(s.writes.value(), 5u + 2);
    EXPECT_EQ(s.atomics.value(), 7u);
    EXPECT_EQ(s.lanes.value(), 15u * 16);
    EXPECT_EQ(s.bytes.value(), 15u * 64 + 32 + 2 * 16);
    EXPECT_EQ(bench.environment.stats.sum("slm.bytes"), s.bytes.value()) << "they are in the list";
}

// One comes each cycle and is served for 16, so that the n-th waits 15 cycles n times.
TEST(Slm, CountsTheCyclesThatRequestsWait) {
    Bench bench(Timing::Timed);
    for (int i = 0; i < 5; ++i)
        bench.from.send(bench.lanes(Kind::Read, 64));
    sc_start();
    ASSERT_EQ(bench.from.ended.size(), 5u);
    EXPECT_EQ(bench.slm.stats.wait_cycles.value(), 15u * (1 + 2 + 3 + 4));
}

struct Accesses : AccessObserver {
    std::vector<Served> all;
    void served(const Served& access) override { all.push_back(access); }
};

// Whoever counts by walker is told of each access once.
TEST(Slm, EachAccessIsToldWithItsBytesAndItsConflicts) {
    Bench bench(Timing::Timed);
    Accesses told;
    bench.slm.accesses = &told;
    bench.from.block(bench.lanes(Kind::Read, 64));
    auto* atomic = bench.lanes(Kind::Atomic, 8);
    atomic->attributes.trace_id = 6;
    bench.from.block(atomic);
    bench.from.block(bench.from.write(0, 16, 1));
    ASSERT_EQ(told.all.size(), 3u);
    for (const AccessObserver::Served& access : told.all) {
        EXPECT_EQ(access.level, MemoryLevel::Slm);
        EXPECT_TRUE(access.hit);
    }
    EXPECT_EQ(told.all[0].bytes, 64u);
    EXPECT_EQ(told.all[0].extra_cycles, 15u);
    EXPECT_EQ(told.all[0].atomics, 0u);
    EXPECT_EQ(told.all[1].cause, 6u);
    EXPECT_EQ(told.all[1].atomics, 16u);
    EXPECT_EQ(told.all[1].extra_cycles, 1u);
    EXPECT_EQ(told.all[2].bytes, 16u);
    EXPECT_EQ(told.all[2].extra_cycles, 0u);
    EXPECT_TRUE(told.all[2].write);
    bench.slm.accesses = nullptr;
}

// Each keeps the banks for 16 cycles.
TEST(Slm, TheWaveformShowsTheRequestsThatWait) {
    Bench bench(Timing::Timed);
    test::SignalLog log({&bench.slm.signals});
    for (unsigned i = 0; i < 3; ++i)
        bench.from.send(bench.lanes(Kind::Read, 64), 10);
    sc_start();
    EXPECT_GE(log.value("slm.waiting", 20), 1u);
    EXPECT_EQ(log.value("slm.waiting", 30), 1u);
    EXPECT_EQ(log.value("slm.waiting", 60), 0u);
}

TEST(Slm, InTimedModeNobodyHasAPointer) {
    Bench bench(Timing::Timed);
    auto* t = bench.from.read(0, 4);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.from.mem_out->get_direct_mem_ptr(*t, dmi));
    t->release();
    EXPECT_FALSE(bench.slm.sockets().save.has_value()) << "nothing saves it";
    EXPECT_EQ(&bench.slm.sockets().mem_in, &bench.slm.mem_in);
}

TEST(Slm, ALocalMemoryIsOf64KbUnlessItIsSaidOtherwise) {
    EXPECT_EQ(SlmSetup{}.bytes, SlmCore::kBytes);
    EXPECT_FALSE(SlmSetup{}.saves);
}

// What a debugger may ask: reads and writes of so many bytes, which no counter sees.
TEST(Slm, ADebugAccessReadsAndWritesAndIsNotCounted) {
    Bench bench(Timing::Timed);
    auto* written = bench.from.write(0x100, 8, 0x5A);
    EXPECT_EQ(bench.from.mem_out->transport_dbg(*written), 8u);
    auto* read = bench.from.read(0x0FC, 16);
    EXPECT_EQ(bench.from.mem_out->transport_dbg(*read), 16u);
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(read->data[i], i >= 4 && i < 12 ? 0x5A : 0) << i;
    read->set_command(tlm::TLM_IGNORE_COMMAND);
    EXPECT_EQ(bench.from.mem_out->transport_dbg(*read), 0u);
    EXPECT_EQ(bench.slm.stats.reads.value() + bench.slm.stats.writes.value(), 0u);
    written->release();
    read->release();
}

TEST(Slm, ConflictsAreShownForAsManyCyclesAsAreCounted) {
    Bench bench(Timing::Timed);
    test::SignalLog log({&bench.slm.signals});
    unsigned id = 0;
    for (const unsigned stride : {64u, 4u, 8u, 32u})
        for (const Kind kind : {Kind::Read, Kind::Write, Kind::Atomic})
            bench.from.send(bench.lanes(kind, stride))->attributes.trace_id = ++id;
    sc_start();
    std::uint64_t shown = 0, reading = 0, writing = 0;
    for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
        shown += log.value("slm.conflicts", cycle);
        reading += log.value("slm.reading", cycle);
        writing += log.value("slm.writing", cycle);
    }
    EXPECT_GT(shown, 30u);
    EXPECT_EQ(shown, bench.slm.stats.conflict_cycles.value());
    EXPECT_EQ(reading, bench.slm.stats.read_busy_cycles.value());
    EXPECT_EQ(writing, bench.slm.stats.write_busy_cycles.value());
    EXPECT_EQ(log.value("slm.served_id", 2000), id);
}

TEST(Slm, AWriteDoesNotWaitForAConflictingReadBeforeItButAnAtomicDoes) {
    Bench bench(Timing::Timed);
    const auto latency = bench.slm.params.latency.get();
    bench.from.send(bench.lanes(Kind::Read, 64), 10);
    bench.from.send(bench.lanes(Kind::Write, 4), 11);
    bench.from.send(bench.lanes(Kind::Atomic, 4), 12);
    sc_start();
    ASSERT_EQ(bench.from.ended.size(), 3u);
    EXPECT_EQ(bench.from.ended[1].cycle, 11 + latency);
    EXPECT_EQ(bench.from.ended[2].cycle, 26 + latency);  // the read pipe is free again at 10 + 16
}

TEST(Slm, AccessesTakeEffectInOrderOfArrival) {
    GEN9_COVERS("SLM-11 L3-61");
    Bench bench(Timing::Timed);
    bench.from.send(bench.lanes(Kind::Write, 4, 5));
    auto* atomic = bench.from.send(bench.lanes(Kind::Atomic, 4, 2));
    bench.from.send(bench.lanes(Kind::Write, 4, 100));
    auto* read = bench.from.send(bench.lanes(Kind::Read, 4));
    sc_start();
    EXPECT_EQ(atomic->attributes.lanes.result[3], 5u);
    EXPECT_EQ(read->attributes.lanes.result[3], 100u);
}

TEST(Slm, AFullQueueHoldsTheSenderAndEachRequestEndsOnce) {
    Bench bench(Timing::Timed, {"slm.queue=2"});
    for (int i = 0; i < 30; ++i)
        bench.from.send(bench.lanes(Kind::Read, 64));
    sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_LE(bench.from.sent, 10u);  // one per 16 cycles, two queued, one owed
    sc_start();
    EXPECT_EQ(bench.from.ended.size(), 30u);
    EXPECT_EQ(bench.from.ended[29].cycle - bench.from.ended[0].cycle, 29 * 16u);
    bench.from.clear();
    EXPECT_EQ(bench.from.pool.in_flight(), 0u);
}

TEST(Slm, InFunctionalModeNothingTakesTimeAndAllFormsSeeTheSameBytes) {
    Bench bench(Timing::Functional);
    sc_start(sc_core::SC_ZERO_TIME);
    std::uint64_t cycles = 99;
    bench.from.block(bench.lanes(Kind::Write, 4, 7), &cycles);
    EXPECT_EQ(cycles, 0u);
    EXPECT_EQ(bench.from.block(bench.lanes(Kind::Atomic, 4, 1))->attributes.lanes.result[15], 7u);
    EXPECT_EQ(bench.from.block(bench.from.read(0x10000, 4))->data[0], 8);
    auto* t = bench.from.read(0, 4);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.from.mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_end_address(), 0xFFFFu);
    EXPECT_EQ(dmi.get_dmi_ptr()[60], 8);
    EXPECT_EQ(bench.from.mem_out->transport_dbg(*t), 4u);
    EXPECT_EQ(t->data[0], 8);
    t->release();
}

TEST(Slm, AConflictKeepsItBusyAndThenItsAnswerIsOnTheWay) {
    Bench bench(Timing::Timed);
    const auto& cycles = bench.slm.stats.cycles;
    bench.from.send(bench.lanes(Kind::Read, 64), 10);
    sc_start(bench.clock.time(Cycles(500)));
    bench.slm.settle();
    const std::uint64_t answered = bench.from.ended.at(0).cycle, taken = 11;
    EXPECT_EQ(cycles[0].value(), 16u) << "words of one bank";
    EXPECT_EQ(cycles[1].value(), answered - taken - 16);
    EXPECT_EQ(cycles[2].value(), taken + 500 - answered);
}

}  // namespace
}  // namespace gen9::slm
