// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/line_cache/bench.h"

namespace gen9::line_cache {
namespace {

TEST(LineCache, WhatIsWrittenStaysUntilAFlush) {
    Bench b;
    b.unit.send(b.write(0x1000, 64, 0x55));
    b.run(300);
    EXPECT_EQ(b.memory.bytes[0x1000], 1) << "it is in the cache";
    EXPECT_EQ(b.cache.dirty_lines(), 1u);
    EXPECT_EQ(b.flush(&CacheControl::flush_depth), 0u) << "another cache's bit";
    EXPECT_EQ(b.memory.bytes[0x1000], 1);
    EXPECT_EQ(b.flush(), b.memory.latency) << "until memory has it";
    EXPECT_EQ(b.memory.bytes[0x1000], 0x55);
    EXPECT_EQ(b.flush(), 0u) << "nothing is left";
    // It is also dropped: what memory has by now is read.
    b.memory.bytes[0x1000] = 0x66;
    auto* again = b.unit.send(b.read(0x1000));
    b.run(300);
    EXPECT_EQ(again->data[0], 0x66);
    EXPECT_EQ(b.colors().flushed_lines.value(), 1u);
    EXPECT_EQ(b.colors().dropped_lines.value(), 1u);
    b.expect_consistent();
}

TEST(LineCache, AFlushWritesALineACycle) {
    Bench b;
    for (std::uint64_t line = 0; line < 6; ++line)
        b.unit.send(b.write(64 * line, 64, 0x55));
    b.run(300);
    EXPECT_EQ(b.flush(), 5 + b.memory.latency);
    EXPECT_EQ(b.memory.blocking_writes, 6u);
    b.expect_consistent();
}

TEST(LineCache, OnlyModifiedBytesAreWritten) {
    Bench b;
    b.unit.send(b.write(0x1008, 4, 0x55));
    b.run(20);
    b.memory.bytes[0x1000] = 0x77;  // another cache's part of the line
    auto* whole = b.unit.send(b.read(0x1000));
    b.run(300);
    EXPECT_EQ(whole->data[0], 0x77);
    EXPECT_EQ(whole->data[8], 0x55);
    EXPECT_EQ(whole->data[12], 13);
    b.memory.bytes[0x1000] = 0x78;
    b.flush();
    EXPECT_EQ(b.memory.bytes[0x1000], 0x78);
    EXPECT_EQ(b.memory.bytes[0x100B], 0x55);
    EXPECT_EQ(b.colors().places.value(), 1u);
    EXPECT_EQ(b.colors().misses.value(), 1u) << "the rest of the line";
    b.expect_consistent();
}

TEST(LineCache, AWriteTouchesTheBytesThatItEnables) {
    Bench b;
    auto* some = b.write(0x1000, 16, 0x55);
    some->enable_bytes(0x00F3, 16);
    b.unit.send(some);
    b.run(20);
    auto* whole = b.unit.send(b.read(0x1000));
    b.run(300);
    for (unsigned byte = 0; byte < 16; ++byte)
        EXPECT_EQ(whole->data[byte], 0x00F3 >> byte & 1 ? 0x55 : byte + 1) << byte;
    b.flush();
    EXPECT_EQ(b.memory.bytes[0x1001], 0x55);
    EXPECT_EQ(b.memory.bytes[0x1002], 3);
    b.expect_consistent();
}

TEST(LineCache, AFlushStaysBehindAnEarlierWriteOfTheLine) {
    Bench b;
    b.memory.stalled = true;
    b.unit.send(b.write(0, 64, 0x11));
    b.unit.send(b.write(b.kNextInSet, 64, 2));
    b.unit.send(b.write(2 * b.kNextInSet, 64, 3));  // the first leaves
    b.unit.send(b.write(0, 64, 0x22));              // and comes again
    b.run(100);
    b.flush();
    b.memory.resume();
    b.run(500);
    EXPECT_EQ(b.memory.bytes[0], 0x22);
    b.expect_consistent();
}

TEST(LineCache, DebugAccessesSeeAndChangeWhatItHolds) {
    Bench b;
    b.unit.send(b.write(0x1008, 8, 0x55));
    b.run(20);
    const auto debug = [&](MemoryTransaction* access) {
        EXPECT_EQ(b.unit.mem_out->transport_dbg(*access), 16u);
        return access;
    };
    auto* seen = debug(b.read(0x1000, 16));
    EXPECT_EQ(seen->data[7], 8);
    EXPECT_EQ(seen->data[8], 0x55);
    seen->release();
    debug(b.write(0x1000, 16, 0x66))->release();
    auto* again = debug(b.read(0x1000, 16));
    EXPECT_EQ(again->data[8], 0x66);
    again->release();
    b.flush();
    EXPECT_EQ(b.memory.bytes[0x1007], 0x66);
    EXPECT_EQ(b.memory.bytes[0x1008], 0x66);
}

TEST(LineCache, AHitIsAnsweredAfterItsTimeAndAMissAfterMemory) {
    Bench b;
    auto* miss = b.unit.send(b.read(0x1000), 10);
    auto* hit = b.unit.send(b.read(0x1020, 32), 400);
    b.run(600);
    // Arrival, lookup, way out; the line is used in the cycle after it came.
    EXPECT_EQ(b.answered(hit), 400u + 1 + 4);
    EXPECT_EQ(b.answered(miss), 10u + 1 + (b.memory.latency + 0) + 1 + 4);
    EXPECT_EQ(b.colors().hits.value(), 1u);
    EXPECT_EQ(b.colors().misses.value(), 1u);
    b.expect_consistent();
}

TEST(LineCache, TheLongestUnusedLineMakesRoom) {
    Bench b;
    b.unit.send(b.write(0, 64, 1));
    b.unit.send(b.write(b.kNextInSet, 64, 2));
    b.unit.send(b.read(0));
    b.unit.send(b.write(2 * b.kNextInSet, 64, 3));
    b.run(300);
    EXPECT_EQ(b.colors().evictions.value(), 1u);
    EXPECT_EQ(b.memory.bytes[b.kNextInSet], 2) << "it was written";
    EXPECT_EQ(b.memory.bytes[0], 1) << "as it was in memory before: the line stays";
    EXPECT_EQ(b.memory.bytes[2 * b.kNextInSet], 1);
    b.unit.send(b.read(3 * b.kNextInSet));
    b.run(300);
    EXPECT_EQ(b.memory.seen.size(), 3u) << "two evictions and a fetch";
    EXPECT_EQ(b.memory.seen.size(), b.colors().evictions.value() + b.colors().misses.value());
    b.expect_consistent();
}

TEST(LineCache, AccessesOfALineOnItsWayWaitInOrder) {
    Bench b;
    auto* first = b.unit.send(b.read(0x1000));
    b.unit.send(b.write(0x1000, 8, 0x55));
    auto* second = b.unit.send(b.read(0x1000));
    b.run(300);
    EXPECT_EQ(first->data[0], 1);
    EXPECT_EQ(second->data[0], 0x55);
    EXPECT_EQ(b.colors().merges.value(), 2u);
    EXPECT_EQ(b.memory.seen.size(), 1u);
    b.expect_consistent();
}

TEST(LineCache, ALineOnItsWayIsFetchedAgainForWhoAsksBehindAnInvalidation) {
    Bench b;
    auto* before = b.unit.send(b.read(0x1000));
    b.run(50);
    b.memory.bytes[0x1000] = 0x99;  // memory has served the fetch
    b.flush();
    auto* behind = b.unit.send(b.read(0x1000));
    b.run(400);
    EXPECT_EQ(before->data[0], 1);
    EXPECT_EQ(behind->data[0], 0x99);
    EXPECT_EQ(b.colors().fetched_again.value(), 1u);
    EXPECT_EQ(b.memory.seen.size(), 2u);
    b.expect_consistent();
}

TEST(LineCache, ALineThatWasWrittenBackIsReadBehindThat) {
    Bench b;
    b.unit.send(b.write(0, 64, 1));
    b.unit.send(b.write(b.kNextInSet, 64, 2));
    b.unit.send(b.write(2 * b.kNextInSet, 64, 3));  // makes the first go
    auto* again = b.unit.send(b.read(0));
    b.run(500);
    EXPECT_EQ(again->data[63], 1);
    b.expect_consistent();
}

TEST(LineCache, PartsAndStreamsHaveLinesOfTheirOwnAndOthersPass) {
    Bench b;
    b.unit.send(b.write(0x1000, 64, 0x55));
    auto* control = b.unit.send(b.of(b.unit.read(0x1000), Requester::RenderControl));
    auto* stream = b.unit.send(b.of(b.unit.read(0x1000), Requester::RenderTarget, 1));
    auto* state = b.unit.send(b.of(b.unit.read(0x1000), Requester::StateCache));
    b.run(300);
    for (const auto* other : {control, stream, state}) {
        EXPECT_EQ(other->data[0], 1);
        EXPECT_GT(b.answered(other), b.memory.latency);
    }
    EXPECT_EQ(b.cache.stats(1).misses.value(), 1u);
    EXPECT_EQ(b.colors().misses.value(), 1u);
    EXPECT_EQ(b.cache.stats().passed.value(), 1u);
    b.expect_consistent();
}

TEST(LineCache, BlockingAccessesSeeWhatItHoldsAndWhatIsOnItsWay) {
    Bench b;
    b.unit.send(b.write(0x1000, 64, 0x55));
    b.run(10);
    std::uint64_t cycles = 0;
    EXPECT_EQ(b.unit.block(b.read(0x1000), &cycles)->data[0], 0x55);
    EXPECT_EQ(cycles, 4u);
    b.unit.block(b.write(0x1000, 1, 0x44));
    EXPECT_EQ(b.unit.block(b.read(0x1040, 1), &cycles)->data[0], 0x41);
    EXPECT_EQ(cycles, b.memory.latency + 4);
    // Behind what waits for a line.
    auto* line = b.unit.send(b.read(0x2000));
    auto* changed = b.unit.send(b.write(0x2000, 4, 0x33));
    b.run(20);
    EXPECT_EQ(b.unit.block(b.read(0x2000, 4))->data[3], 0x33);
    b.unit.block(b.write(0x2000, 4, 0x22));
    b.run(300);
    EXPECT_EQ(line->data[0], 1);
    EXPECT_TRUE(changed->is_response_ok());
    EXPECT_EQ(b.unit.block(b.read(0x2000, 4))->data[0], 0x22);
    // And what it has given up and memory has not yet taken.
    b.memory.stalled = true;
    for (std::uint64_t n = 0; n < 3; ++n)
        b.unit.block(b.write(0x3000 + n * b.kNextInSet, 64, static_cast<std::uint8_t>(0x80 + n)));
    EXPECT_EQ(b.memory.bytes[0x3000], 1);
    EXPECT_EQ(b.unit.block(b.read(0x3000))->data[9], 0x80);
    b.memory.resume();
    b.run(500);
    b.flush();
    EXPECT_EQ(b.memory.bytes[0x1000], 0x44);
    EXPECT_EQ(b.memory.bytes[0x3000 + b.kNextInSet], 0x81);
    b.expect_consistent();
}

TEST(LineCache, ADebugAccessReadsWhatIsModifiedAndChangesBoth) {
    Bench b;
    b.unit.send(b.write(0x1000, 8, 0x55));
    b.run(300);
    MemoryTransaction* const look = b.read(0xFFC, 16);  // of two lines
    EXPECT_EQ(b.unit.mem_out->transport_dbg(*look), 16u);
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(look->data[i], i >= 4 && i < 12 ? 0x55 : std::uint8_t(0xFFC + i + 1)) << i;
    EXPECT_EQ(b.memory.bytes[0x1000], 1);
    MemoryTransaction* const change = b.write(0x1002, 4, 0x66);
    EXPECT_EQ(b.unit.mem_out->transport_dbg(*change), 4u);
    EXPECT_EQ(b.memory.bytes[0x1002], 0x66);
    look->release();
    change->release();
    const auto* line = b.unit.block(b.read(0x1000, 8));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(line->data[i], i >= 2 && i < 6 ? 0x66 : 0x55) << i;
    b.expect_consistent();
}

// L3 is told of a line that is written back what it was told of the access.
TEST(LineCache, AWriteBackHasTheAttributesOfTheLastWrite) {
    Bench b;
    for (std::uint64_t n = 0; n < 3; ++n) {
        MemoryTransaction* const write = b.write(n * b.kNextInSet, 64, 1);
        write->attributes.mocs = static_cast<std::uint8_t>(5 + n);
        write->attributes.coherent = write->attributes.uncached = n == 0;
        write->attributes.trace_id = 100 + static_cast<TraceId>(n);
        b.unit.send(write);
    }
    b.run(300);
    ASSERT_EQ(b.memory.seen.size(), 1u);
    const MemoryAttributes& first = b.memory.seen[0].attributes;
    EXPECT_TRUE(b.memory.seen[0].write);
    EXPECT_EQ(first.mocs, 5u);
    EXPECT_TRUE(first.coherent);
    EXPECT_TRUE(first.uncached);
    EXPECT_EQ(first.trace_id, 100u);
    EXPECT_EQ(first.requester, Requester::RenderTarget);
    b.expect_consistent();
}

TEST(LineCache, IsNotIdleWhileALineIsOnItsWay) {
    Bench b;
    EXPECT_TRUE(b.cache.idle());
    b.unit.send(b.read(0x1000));
    b.run(50);
    EXPECT_FALSE(b.cache.idle()) << "all is sent, and the answer is not there";
    b.run(300);
    EXPECT_TRUE(b.cache.idle());
}

TEST(LineCache, WhatIsNotMappedReadsZeroAndIsNotKept) {
    Bench b;
    const std::uint64_t beyond = b.memory.bytes.size();
    auto* read = b.unit.send(b.read(beyond));
    b.run(300);
    EXPECT_EQ(read->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read->data[0], 0);
    EXPECT_EQ(b.unit.block(b.read(beyond))->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    b.unit.send(b.read(beyond));
    b.run(300);
    EXPECT_EQ(b.colors().misses.value(), 3u);
    b.expect_consistent();
}

TEST(LineCache, AMissBeyondTheMostHasItsReason) {
    Bench b(Timing::Timed, {"cache.misses=1", "cache.memory_queue=2", "cache.queue=2"});
    for (std::uint64_t line = 0; line < 3; ++line)
        b.unit.send(b.read(64 * line));
    b.run(500);
    EXPECT_GT(b.cycles_of(Activity::NoMiss), 150u);
    b.expect_consistent();
}

TEST(LineCache, AWriteWithoutRoomToLeaveHasItsReason) {
    Bench b(Timing::Timed, {"cache.memory_queue=2"});
    b.memory.stalled = true;
    // A write that is placed makes a line leave. The ninth is the first that does.
    for (std::uint64_t line = 0; line < 32; ++line)
        b.unit.send(b.write(0x1000 + 64 * line, 64, 1));
    b.run(500);
    EXPECT_GT(b.cycles_of(Activity::NoRoom), 400u);
    EXPECT_NE(b.cache.describe_waiting(), "");
    b.memory.resume();
    b.run(2000);
    EXPECT_EQ(b.memory.seen.size(), 24u) << "32 less the lines that stay";
    b.expect_consistent();
}

TEST(LineCache, ASetThatIsBeingFetchedHoldsItsRequests) {
    Bench b;
    for (std::uint64_t n = 0; n < 3; ++n)
        b.unit.send(b.read(n * b.kNextInSet));
    b.run(500);
    EXPECT_GT(b.cycles_of(Activity::NoPlace), 50u);
    EXPECT_EQ(b.colors().replaced.value(), 1u);
    b.expect_consistent();
}

TEST(LineCache, FunctionalModePassesItByAndFindsWhatTimedModeLeft) {
    Bench b;
    b.unit.send(b.write(0x1000, 64, 0x55));
    b.run(50);
    b.cache.settle();
    b.test.environment.timing = Timing::Functional;
    b.cache.change_timing();
    EXPECT_EQ(b.memory.bytes[0x1000], 0x55);
    b.unit.block(b.write(0x1000, 1, 0x44));
    EXPECT_EQ(b.memory.bytes[0x1000], 0x44);
    EXPECT_EQ(b.flush(), 0u);
    MemoryTransaction* const asks = b.read(0x1000);
    tlm::tlm_dmi direct;
    EXPECT_TRUE(b.unit.mem_out->get_direct_mem_ptr(*asks, direct));
    EXPECT_EQ(direct.get_dmi_ptr(), b.memory.bytes.data());
    asks->release();
    b.test.environment.timing = Timing::Timed;
    b.cache.change_timing();
    EXPECT_EQ(b.unit.block(b.read(0x1000))->data[0], 0x44);
}

TEST(LineCache, MoreWaysThanLinesAreRefused) {
    EXPECT_THROW(Bench(Timing::Timed, {"cache.color.ways=16"}), UserError);
}

}  // namespace
}  // namespace gen9::line_cache
