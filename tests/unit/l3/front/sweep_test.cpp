// SPDX-License-Identifier: Apache-2.0
// What flushes and invalidations hold back, and for how long.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

constexpr unsigned kSlices = 2, kBanks = 4;
constexpr std::uint64_t kStart = 1000;

/// Two slices of two banks; banks 0 and 1 are the first slice's. Two warm lines in each bank, and
/// so many modified ones in bank 0. All is quiet at kStart.
struct Machine : Bench {
    explicit Machine(unsigned modified) : Bench(Timing::Timed, 3, {}, kBanks, kSlices) {
        for (unsigned bank = 0; bank < 2 * kBanks; ++bank)
            from[0]->send(from[0]->read(warm(bank)));
        for (unsigned i = 0; i < modified; ++i)
            from[0]->send(from[0]->write(0x40000 + i * 64 * kBanks, 64, 1));
        run_to(kStart);
    }
    static std::uint64_t warm(unsigned bank) { return 0x1000 + bank * 64; }
    std::uint64_t walk(unsigned modified) const {
        // A line a cycle, the last one's way to memory, and the event itself.
        return (modified ? modified - 1 + memory.latency : 0) + l3.params.flush_cycles;
    }
};

TEST(L3Sweep, APipelineFlushHoldsEachSliceUntilItsOwnLinesAreDone) {
    GEN9_COVERS("L3-67");
    Machine m(20);
    CacheControl flush;
    flush.flush_data = true;
    EXPECT_EQ(m.apply(flush), m.walk(20));
    auto* here = m.from[0]->send(m.from[0]->read(Machine::warm(0)), kStart + 1);
    auto* there = m.from[1]->send(m.from[1]->read(Machine::warm(2)), kStart + 1);
    m.run();
    EXPECT_EQ(m.end_of(here), kStart + m.walk(20) + m.hit_cycles() - m.l3.params.request_cycles);
    EXPECT_EQ(m.end_of(there), kStart + m.walk(0) + m.hit_cycles() - m.l3.params.request_cycles);
    m.l3.settle();
    EXPECT_EQ(m.sum("flush_stalls"), m.walk(20) + m.walk(0) - 2 * m.l3.params.request_cycles - 2);
}

TEST(L3Sweep, WhatComesAfterAPipelineFlushIsQueuedInTheBankAndNotLookedUp) {
    GEN9_COVERS("L3-67");
    Machine m(20);
    m.flush();
    // The first slice is held longer than the second: its requests make room for those behind them.
    auto* held = m.from[0]->send(m.from[0]->read(Machine::warm(0)), kStart + 1);
    auto* behind = m.from[0]->send(m.from[0]->read(Machine::warm(2)), kStart + 2);
    const std::uint64_t misses = m.sum("misses"), hits = m.sum("hits");
    m.run_to(kStart + m.walk(0));
    EXPECT_EQ(m.sum("misses") + m.sum("hits"), misses + hits);
    m.run();
    EXPECT_LT(m.end_of(behind), m.end_of(held));
    EXPECT_EQ(m.sum("misses") + m.sum("hits"), misses + hits + 2);
    EXPECT_TRUE(m.l3.idle());
}

TEST(L3Sweep, ATopOfPipeInvalidationHoldsAllSlicesUntilTheSlowestIsDone) {
    GEN9_COVERS("L3-66");
    Machine m(20);
    CacheControl what = Bench::all_read_only();
    what.flush_data = what.invalidate_data = true;
    EXPECT_EQ(m.apply(what), m.walk(20));
    auto* here = m.from[0]->send(m.from[0]->read(Machine::warm(0)), kStart + 1);
    auto* there = m.from[1]->send(m.from[1]->read(Machine::warm(2)), kStart + 1);
    auto* urb = m.from[2]->read(Machine::warm(1));
    urb->attributes.space = AddressSpace::Urb;
    m.from[2]->send(urb, kStart + 1);
    m.run();
    const std::uint64_t after = kStart + m.walk(20) + m.hit_cycles() - m.l3.params.request_cycles;
    EXPECT_EQ(m.end_of(here), after + m.memory.latency);
    EXPECT_EQ(m.end_of(there), after + m.memory.latency);
    EXPECT_EQ(m.end_of(urb), after);
}

TEST(L3Sweep, TopOfPipeInvalidationDrainsQueuesAndPipesFirst) {
    GEN9_COVERS("L3-65 L3-66");
    Machine m(0);
    m.memory.latency = 500;
    // One request has left the queue and waits for its line, one still waits in it.
    auto* missing = m.from[0]->read(0x80000);
    missing->attributes.requester = Requester::ConstantCache;
    m.from[0]->send(missing, kStart);
    const std::uint64_t at = kStart + m.l3.params.request_cycles;
    auto* queued = m.from[1]->send(m.from[1]->write(Machine::warm(0), 4, 9), kStart + 10);
    m.run_to(at + 10);
    m.apply(Bench::all_read_only());
    auto* later = m.from[2]->send(m.from[2]->read(Machine::warm(3)), at + 11);
    m.run();
    EXPECT_EQ(m.end_of(queued), kStart + 10 + m.write_cycles());
    EXPECT_GT(m.end_of(missing), 0u);
    // What came later waits for the line that was on its way and for the walk.
    EXPECT_GE(m.end_of(later), m.end_of(missing) - m.l3.params.return_cycles + m.walk(0));
    // The line that came meanwhile was dropped as well.
    const std::size_t fetched = m.memory.seen.size();
    auto* again = m.from[0]->read(0x80000);
    again->attributes.requester = Requester::ConstantCache;
    m.from[0]->send(again);
    m.run();
    EXPECT_EQ(m.memory.seen.size(), fetched + 1);
}

TEST(L3Sweep, AFlushCoversWhatIsStillInTheQueues) {
    GEN9_COVERS("L3-65");
    Machine m(0);
    // Both are at the banks; the second waits for the atomic unit.
    m.from[0]->send(m.from[0]->atomic(Machine::warm(0), AtomicOp::Inc, 16, 0, 0), kStart);
    m.from[1]->send(m.from[1]->atomic(Machine::warm(4), AtomicOp::Add, 1, 0, 7), kStart + 1);
    auto* later = m.from[2]->send(m.from[2]->write(Machine::warm(0), 4, 9), kStart + 40);
    m.run_to(kStart + m.l3.params.request_cycles + 5);
    const std::uint32_t before = m.word(Machine::warm(4));
    m.flush();
    m.run();
    EXPECT_EQ(m.word(Machine::warm(4)), before + 7);
    EXPECT_NE(m.word(Machine::warm(0)), 0x09090909u) << "it came after the flush";
    EXPECT_GE(m.end_of(later), kStart + m.l3.params.request_cycles + 5 + m.walk(0));
}

TEST(L3Sweep, TheAskersDelayCountsACycleForEachRequestInFrontOfABank) {
    Machine m(0);
    // One is performed and leaves a modified line, two wait in the bank's queue for the unit.
    for (unsigned i = 0; i < 3; ++i)
        m.from[0]->send(m.from[0]->atomic(Machine::warm(0), AtomicOp::Inc, 16, 0, 0), kStart);
    m.run_to(kStart + m.l3.params.request_cycles + 5);
    CacheControl flush;
    flush.flush_data = true;
    EXPECT_EQ(m.apply(flush), m.walk(1) + 2);
}

TEST(L3Sweep, EventsFollowEachOther) {
    GEN9_COVERS("L3-66 L3-67");
    Machine m(0);
    EXPECT_EQ(m.apply(Bench::all_read_only()), m.walk(0));
    EXPECT_EQ(m.apply(Bench::all_read_only()), 2 * m.walk(0));
    CacheControl flush;
    flush.flush_data = true;
    EXPECT_EQ(m.apply(flush), 3 * m.walk(0));
    auto* read = m.from[0]->send(m.from[0]->read(Machine::warm(0)), kStart + 1);
    m.run();
    EXPECT_EQ(m.end_of(read), kStart + 3 * m.walk(0) + m.hit_cycles() - m.l3.params.request_cycles);
    EXPECT_EQ(m.apply(flush), m.walk(0)) << "all is over";
}

TEST(L3Sweep, OneThatBeginsLaterIsOverWhenItSays) {
    Machine m(0);
    CacheControl flush;
    flush.flush_data = true;
    auto* t = m.from[0]->fresh();
    t->set_command(tlm::TLM_IGNORE_COMMAND);
    t->attributes.operation = MemoryAttributes::Operation::Control;
    t->attributes.control = flush;
    sc_core::sc_time delay = m.clock.time(Cycles(50));
    m.control.mem_out->b_transport(*t, delay);
    t->release();
    EXPECT_EQ(m.clock.cycles(delay), Cycles(50 + m.walk(0)));
    // Nobody asked meanwhile, and who asks after it does not wait.
    const std::uint64_t after = kStart + 50 + m.walk(0) + 1;
    auto* read = m.from[0]->send(m.from[0]->read(Machine::warm(0)), after);
    m.run();
    EXPECT_EQ(m.end_of(read), after + m.hit_cycles());
}

TEST(L3Sweep, DataIsDroppedAtTheEndOfThePipeSoThatTheOtherSliceDoesNotWait) {
    GEN9_COVERS("L3-67");
    Machine m(20);
    CacheControl drop;
    drop.invalidate_data = true;
    EXPECT_EQ(m.apply(drop), m.walk(20));
    auto* there = m.from[1]->send(m.from[1]->read(Machine::warm(2)), kStart + 1);
    m.run();
    EXPECT_EQ(m.end_of(there),
              kStart + m.walk(0) + m.hit_cycles() - m.l3.params.request_cycles + m.memory.latency);
}

TEST(L3Sweep, AFullSuperQueueBehindAFlushHoldsTheRestAtTheNode) {
    Bench bench(Timing::Timed, 2, {"l3.super_queue=2"}, 1);
    bench.flush();
    for (unsigned c = 0; c < 2; ++c)
        for (unsigned i = 0; i < 20; ++i)
            bench.from[c]->send(i % 2 ? bench.from[c]->read(i * 64)
                                      : bench.from[c]->write(i * 64, 64, 3));
    bench.run();
    for (auto& from : bench.from)
        EXPECT_EQ(from->ended.size(), 20u);
    EXPECT_TRUE(bench.l3.idle());
}

}  // namespace
}  // namespace gen9::l3
