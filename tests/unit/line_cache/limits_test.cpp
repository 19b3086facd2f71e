// SPDX-License-Identifier: Apache-2.0
// How many there can be of what is under way, and when the next one goes.
#include "tests/unit/line_cache/bench.h"

namespace gen9::line_cache {
namespace {

// The limits, each by the first request that is above it.
TEST(LineCacheRules, SoManyLinesAreFetchedAtATime) {
    Bench b(Timing::Timed, {"cache.misses=2"});
    for (std::uint64_t line = 0; line < 3; ++line)
        b.unit.send(b.read(64 * line), 10);
    auto* const hit = b.unit.send(b.read(0, 4), 10);
    b.run(500);
    const std::uint64_t ends = 10 + 1 + b.memory.latency + 1;  // of the first fetch
    EXPECT_EQ(b.cycles_of(Activity::NoMiss), ends - 13);
    EXPECT_EQ(b.answered(hit), ends + 1 + 4) << "a lookup a cycle";
    EXPECT_EQ(b.cycles_of(Activity::Busy), 4u);
    b.expect_consistent();
}

TEST(LineCacheRules, SoManyRequestsWaitForLines) {
    Bench b(Timing::Timed, {"cache.waiting=2"});
    for (unsigned n = 0; n < 3; ++n)
        b.unit.send(b.read(0), 10);
    b.run(500);
    EXPECT_EQ(b.colors().merges.value(), 1u);
    EXPECT_EQ(b.colors().hits.value(), 1u) << "it has been held until the line was there";
    EXPECT_EQ(b.cycles_of(Activity::NoMiss), b.memory.latency - 1);
    for (unsigned n = 0; n < 2; ++n)
        b.unit.send(b.read(64));
    b.unit.send(b.read(128));  // a line of its own waits as well
    b.run(500);
    EXPECT_EQ(b.colors().merges.value(), 2u) << "those that were answered wait no more";
    EXPECT_EQ(b.cycles_of(Activity::NoMiss), 2 * (b.memory.latency - 1));
    b.expect_consistent();
}

TEST(LineCacheRules, SoManyWaitToLeave) {
    Bench b(Timing::Timed, {"cache.memory_queue=3"});
    b.memory.stalled = true;
    // Memory takes four, and holds one more; three wait to leave.
    for (std::uint64_t n = 0; n < 12; ++n)
        b.unit.send(b.of(b.unit.read(64 * n), Requester::StateCache));
    b.run(100);
    EXPECT_EQ(b.cache.stats().passed.value(), 4u + 1 + 3);
    const std::uint64_t before = b.cycles_of(Activity::NoRoom);
    b.run(100);
    EXPECT_EQ(b.cycles_of(Activity::NoRoom), before + 100);
    b.memory.resume();
    b.run(500);
    EXPECT_EQ(b.cache.progress(), 12u);
    EXPECT_EQ(b.cycles_of(Activity::Busy), 12u) << "one of each lookup";
    b.expect_consistent();
}

// The next one leaves in the cycle after memory has taken the one that it held.
TEST(LineCacheRules, AHeldQueueGoesOnAtOnce) {
    Bench b;
    b.memory.stalled = true;
    MemoryTransaction* last = nullptr;
    for (std::uint64_t n = 0; n < 6; ++n)
        last = b.unit.send(b.of(b.unit.read(64 * n), Requester::StateCache));
    b.run(100);
    b.memory.resume();
    b.run(500);
    EXPECT_EQ(b.answered(last), 100 + 6 + b.memory.latency - 1) << "memory serves one a cycle";
}

// Also what a call puts there.
TEST(LineCacheRules, AnEvictionByACallLeavesAtOnce) {
    Bench b;
    for (std::uint64_t n = 0; n < 3; ++n) {
        b.unit.block(b.write(n * b.kNextInSet, 64, 1));
        if (n < 2) b.run(5);  // nothing is left to be done
    }
    EXPECT_EQ(b.colors().evictions.value(), 1u);
    b.run(10);
    EXPECT_EQ(b.memory.seen.size(), 1u);
    EXPECT_FALSE(b.cache.idle()) << "its answer";
    b.run(200);
    b.expect_consistent();
}

TEST(LineCacheRules, LanesThatReadLeaveTheirLineAsItIs) {
    Bench b;
    for (const auto kind : {LaneAccess::Kind::Read, LaneAccess::Kind::Atomic}) {
        auto* const t = b.of(b.unit.atomic(0x1000, AtomicOp::Add, 4, 4, 1));
        t->attributes.lanes.kind = kind;
        b.unit.block(t);
        EXPECT_EQ(b.cache.dirty_lines(), kind == LaneAccess::Kind::Read ? 0u : 1u);
    }
}

// A line and what makes room for it are two that leave.
void needs_room(unsigned modified, std::uint64_t evictions_with_one_place) {
    Bench b(Timing::Timed, {"cache.memory_queue=2"});
    for (std::uint64_t n = 0; n < 2; ++n)
        b.unit.send(modified ? b.write(n * b.kNextInSet, modified, 1) : b.read(n * b.kNextInSet));
    b.run(300);
    b.memory.stalled = true;
    for (std::uint64_t n = 0; n < 6; ++n)  // five in memory, one on its way out
        b.unit.send(b.of(b.unit.read(64 * n), Requester::StateCache));
    b.unit.send(b.read(2 * b.kNextInSet));
    b.run(100);
    const auto left = [&] { return b.colors().evictions.value() + b.colors().replaced.value(); };
    EXPECT_EQ(left(), evictions_with_one_place);
    const std::uint64_t before = b.cycles_of(Activity::NoRoom);
    b.run(100);
    EXPECT_EQ(b.cycles_of(Activity::NoRoom), before + (evictions_with_one_place ? 0 : 100));
    b.memory.resume();
    b.run(500);
    EXPECT_EQ(left(), 1u);
    b.expect_consistent();
}
TEST(LineCacheRules, AMissThatMakesAModifiedLineLeaveNeedsRoomForBoth) {
    needs_room(64, 0);
}
TEST(LineCacheRules, AlsoWhereOneByteIsModified) {
    needs_room(1, 0);
}
TEST(LineCacheRules, AMissThatReplacesALineNeedsRoomForOne) {
    needs_room(0, 1);
}

// A modified line leaves before the one that is fetched into its place, a cycle each.
TEST(LineCacheRules, AMissBehindItsEvictionIsACycleLater) {
    Bench b;
    b.unit.send(b.write(0, 64, 1));
    b.unit.send(b.write(b.kNextInSet, 64, 1));
    auto* const miss = b.unit.send(b.read(2 * b.kNextInSet), 200);
    auto* const other = b.unit.send(b.read(64), 201);
    b.run(500);
    ASSERT_EQ(b.memory.seen.size(), 3u);
    EXPECT_TRUE(b.memory.seen[0].write);
    EXPECT_EQ(b.memory.seen[1].address, 2 * b.kNextInSet);
    EXPECT_EQ(b.answered(miss), 200u + 1 + 1 + b.memory.latency + 1 + 4);
    EXPECT_EQ(b.answered(other), b.answered(miss) + 1);
    b.expect_consistent();
}

}  // namespace
}  // namespace gen9::line_cache
