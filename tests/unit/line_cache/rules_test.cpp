// SPDX-License-Identifier: Apache-2.0
// Counters, waveforms and texts, and which line makes room.
#include <algorithm>
#include <list>
#include <random>

#include "tests/support/signal_log.h"
#include "tests/unit/line_cache/bench.h"

namespace gen9::line_cache {
namespace {

/// Reads, writes, hits, places, misses, merges, fetched_again, evictions, replaced, flushed_lines,
/// dropped_lines.
std::vector<std::uint64_t> counters(const PartStats& s) {
    std::vector<std::uint64_t> values;
    for (const Counter* counter :
         {&s.reads, &s.writes, &s.hits, &s.places, &s.misses, &s.merges, &s.fetched_again,
          &s.evictions, &s.replaced, &s.flushed_lines, &s.dropped_lines})
        values.push_back(counter->value());
    return values;
}
using Counts = std::vector<std::uint64_t>;

TEST(LineCacheRules, EachRequestCountsOnceAndEachLineThatComesOrGoes) {
    Bench b;
    b.unit.send(b.write(0, 64, 1));            // a place
    b.unit.send(b.write(8, 4, 2));             // a hit
    b.unit.send(b.read(0));                    // a hit
    b.unit.send(b.read(b.kNextInSet));         // a miss
    b.unit.send(b.read(b.kNextInSet));         // merges
    b.unit.send(b.write(b.kNextInSet, 4, 0));  // merges
    b.run(300);
    EXPECT_EQ(counters(b.colors()), (Counts{3, 3, 2, 1, 1, 2, 0, 0, 0, 0, 0}));
    b.unit.send(b.read(2 * b.kNextInSet));  // a miss in place of line 0, which was modified
    b.run(300);
    b.unit.send(b.read(3 * b.kNextInSet));  // and of the next, modified too
    b.run(300);
    b.unit.send(b.read(0));  // in place of one that was not
    b.run(300);
    EXPECT_EQ(counters(b.colors()), (Counts{6, 3, 2, 1, 4, 2, 0, 2, 1, 0, 0}));
    b.unit.send(b.write(64, 64, 9));
    b.run(300);
    b.flush();
    EXPECT_EQ(counters(b.colors()), (Counts{6, 4, 2, 2, 4, 2, 0, 2, 1, 1, 3}));
    EXPECT_EQ(counters(b.cache.stats(1)), Counts(11));
    EXPECT_EQ(b.cache.stats().within_calls.value(), 1u) << "the line that was flushed";
    EXPECT_EQ(b.cache.progress(), 10u) << "one of each answer";
    EXPECT_EQ(b.cycles_of(Activity::Busy), 10u) << "one of each lookup";
    EXPECT_EQ(b.test.stats.sum("cache.color.misses"), 4u) << "they are in the list";
    EXPECT_EQ(b.test.stats.sum("cache.flushes"), 1u);
    b.expect_consistent();
}

TEST(LineCacheRules, AccessesWithinCallsCountAsOthers) {
    Bench b;
    std::uint64_t cycles = 0;
    b.unit.block(b.write(0, 64, 1));
    b.unit.block(b.read(0), &cycles);
    EXPECT_EQ(cycles, 4u);
    b.unit.block(b.read(64 + 60, 40), &cycles);  // of two lines
    EXPECT_EQ(cycles, 2 * (b.memory.latency + 4));
    EXPECT_EQ(counters(b.colors()), (Counts{3, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0}));
    b.unit.send(b.read(0x1000));
    b.run(10);
    b.unit.block(b.read(0x1000));  // on its way
    EXPECT_EQ(counters(b.colors()), (Counts{5, 1, 1, 1, 3, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(b.cache.stats().within_calls.value(), 3u);
    b.run(300);
    EXPECT_EQ(counters(b.colors()), (Counts{5, 1, 1, 1, 3, 1, 1, 0, 0, 0, 0}));
    b.unit.block(b.of(b.unit.read(0), Requester::StateCache), &cycles);
    EXPECT_EQ(cycles, b.memory.latency) << "no data of this unit";
    b.expect_consistent();
}

// A set whose lines are all on their way has no place: what is asked within a call goes by.
TEST(LineCacheRules, WithoutAPlaceACallPassesTheLineOn) {
    Bench b;
    b.unit.send(b.read(0));
    b.unit.send(b.read(b.kNextInSet));
    b.run(20);
    EXPECT_EQ(b.unit.block(b.read(2 * b.kNextInSet))->data[0], 1);
    b.unit.block(b.write(3 * b.kNextInSet, 4, 0x77));
    EXPECT_EQ(counters(b.colors()), (Counts{3, 1, 0, 1, 3, 0, 0, 1, 0, 0, 0}));
    EXPECT_FALSE(b.memory.seen.size() > 2);
    b.run(300);
    ASSERT_EQ(b.memory.seen.size(), 3u);
    EXPECT_EQ(b.memory.seen[2].address, 3 * b.kNextInSet);
    EXPECT_EQ(b.memory.seen[2].enabled, 0xFu);
    EXPECT_EQ(b.memory.bytes[3 * b.kNextInSet + 3], 0x77);
    EXPECT_EQ(b.memory.bytes[3 * b.kNextInSet + 4], 5);
    b.unit.send(b.read(0));
    b.unit.send(b.read(b.kNextInSet));
    b.run(20);
    EXPECT_EQ(b.colors().hits.value(), 2u) << "those on their way have stayed";
    b.expect_consistent();
}

TEST(LineCacheRules, AFlushTakesItsTimeAndIsCounted) {
    Bench b;
    for (std::uint64_t line = 0; line < 3; ++line)
        b.unit.send(b.write(64 * line, 64, 1));
    b.unit.send(b.read(0x1000 + 192));
    b.run(300);
    EXPECT_EQ(b.cache.dirty_lines(), 3u);
    const std::uint64_t took = b.flush();
    EXPECT_EQ(took, 2 + b.memory.latency);
    EXPECT_EQ(b.cache.stats().flushes.value(), 1u);
    EXPECT_EQ(b.cache.stats().flush_cycles.value(), took);
    EXPECT_EQ(b.colors().dropped_lines.value(), 4u);
    EXPECT_EQ(b.flush(), 0u);
    EXPECT_EQ(b.cache.stats().flushes.value(), 2u);
    EXPECT_EQ(b.colors().dropped_lines.value(), 4u);
    b.unit.send(b.write(0, 64, 1));
    b.run(20);
    b.flush(&CacheControl::flush_data);
    EXPECT_EQ(b.cache.stats().flushes.value(), 2u) << "another cache's";
    // Behind what the caller waits for already.
    MemoryTransaction* const order = b.streamer.pool.get();
    order->attributes.operation = MemoryAttributes::Operation::Control;
    order->attributes.control.flush_render = true;
    sc_core::sc_time delay = b.clock.time(Cycles(50));
    b.streamer.mem_out->b_transport(*order, delay);
    EXPECT_EQ(order->get_response_status(), tlm::TLM_OK_RESPONSE);
    order->release();
    EXPECT_EQ(b.clock.cycles(delay).value, 50 + b.memory.latency);
    EXPECT_EQ(b.cache.stats().flush_cycles.value(), took + b.memory.latency);
}

// The flush of a line that memory has yet to take an earlier write of waits for nobody.
TEST(LineCacheRules, ALineIsFlushedBehindItsEarlierWrite) {
    Bench b;
    b.memory.stalled = true;
    b.unit.send(b.write(0, 64, 0x11));
    b.unit.send(b.write(b.kNextInSet, 64, 2));
    b.unit.send(b.write(2 * b.kNextInSet, 64, 3));  // the first leaves
    b.unit.send(b.write(0, 64, 0x22));              // and comes again, for the second
    b.run(100);
    EXPECT_EQ(b.flush(), b.memory.latency) << "of the line that was not written before";
    EXPECT_EQ(b.cache.stats().within_calls.value(), 1u);
    EXPECT_EQ(b.colors().flushed_lines.value(), 2u);
    b.memory.resume();
    b.run(500);
    EXPECT_EQ(b.memory.seen.size(), 3u);
    EXPECT_EQ(b.memory.bytes[0], 0x22);
}

TEST(LineCacheRules, WhoSettlesWaitsForAllThatMemoryOwes) {
    Bench b;
    std::uint64_t settled = 0;
    auto* const miss = b.unit.send(b.read(0x1000), 10);
    sc_core::sc_spawn([&] {
        sc_core::wait(b.clock.time(Cycles(20)));
        MemoryTransaction* const order = b.streamer.pool.get();
        order->attributes.operation = MemoryAttributes::Operation::Control;
        order->attributes.control.settle = true;
        sc_core::sc_time delay;
        b.streamer.mem_out->b_transport(*order, delay);
        EXPECT_EQ(order->get_response_status(), tlm::TLM_OK_RESPONSE);
        order->release();
        settled = b.clock.now().value;
    });
    b.run(400);
    // The line acts in the cycle after it came, and is awaited no longer in the next one.
    EXPECT_EQ(settled, 10u + 2 + b.memory.latency + 1);
    EXPECT_GE(b.answered(miss), settled);
    b.unit.send(b.read(0x1000));
    b.run(20);
    EXPECT_EQ(b.colors().hits.value(), 1u) << "nothing is dropped";
    EXPECT_EQ(b.cache.stats().flushes.value(), 0u);
}

TEST(LineCacheRules, AControlFromTheUnitAsksNothingOfMemory) {
    Bench b;
    MemoryTransaction* const control = b.of(b.unit.fresh());
    control->set_command(tlm::TLM_IGNORE_COMMAND);
    control->attributes.operation = MemoryAttributes::Operation::Control;
    EXPECT_EQ(b.unit.block(control)->get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(b.memory.blocking_attributes.operation, MemoryAttributes::Operation::Access);
}

TEST(LineCacheRules, WhenTimedModeBeginsNothingIsWrittenBack) {
    Bench b;
    b.unit.send(b.write(0x1000, 64, 0x55));
    b.run(50);
    b.cache.change_timing();
    EXPECT_EQ(b.cache.dirty_lines(), 1u);
    EXPECT_EQ(b.memory.bytes[0x1000], 1);
}

TEST(LineCacheRules, ABurstIsRefusedAndAnInvalidationIsPassedOn) {
    Bench b;
    auto* const burst = b.unit.send(b.read(0x1020, 64));
    b.run(300);
    EXPECT_EQ(burst->get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(b.unit.ended.size(), 1u);
    EXPECT_EQ(b.colors().reads.value(), 0u);
    b.memory.mem_in[0]->invalidate_direct_mem_ptr(5, 9);
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    EXPECT_EQ(b.unit.invalidated, (Ranges{{5, 9}}));
    b.expect_consistent();
}

// What was asked for before a flush sees what was written before, whenever memory has read the rest;
// what is asked for behind it sees memory.
TEST(LineCacheRules, WhoWaitsForALineReadsWhatWasWrittenThereBeforeAFlush) {
    Bench b;
    for (const std::uint64_t address : {0x1000, 0x2040}) {
        b.unit.send(b.write(address, 4, 0x55));
        auto* const read = b.unit.send(b.read(address));
        b.run(50);  // memory has served the fetch
        b.flush();
        b.memory.bytes[address] = 0x66;
        auto* const behind = b.unit.send(b.read(address));
        b.run(5);
        if (address == 0x1000) b.flush();  // once more
        if (address == 0x2040) {
            EXPECT_EQ(b.unit.block(b.read(address, 4))->data[0], 0x66);
        }
        b.run(300);
        EXPECT_EQ(read->data[0], 0x55);
        EXPECT_EQ(read->data[4], std::uint8_t(address + 5));
        EXPECT_EQ(behind->data[0], 0x66);
        EXPECT_EQ(behind->data[3], 0x55);
    }
    EXPECT_EQ(b.colors().fetched_again.value(), 2u) << "for the read behind, and for the call";
    b.expect_consistent();
}

TEST(LineCacheRules, TheWaveformShowsWhatIsUnderWay) {
    Bench b;
    test::SignalLog log(b.test.environment.signals);
    b.unit.send(b.write(0, 64, 1), 10);
    b.unit.send(b.write(b.kNextInSet, 64, 1), 11);
    b.unit.send(b.read(2 * b.kNextInSet), 12);
    b.unit.send(b.read(64), 13);
    b.run(500);
    const auto value = [&](const char* name, std::uint64_t cycle) {
        return log.value(std::string("cache.") + name, cycle);
    };
    const std::uint64_t back = 13 + b.memory.latency + 1;  // the write of line 0 is answered
    const auto is = [](Activity activity) { return static_cast<std::uint64_t>(activity); };
    EXPECT_EQ(value("activity", 5), is(Activity::Idle));
    EXPECT_EQ(value("activity", 11), is(Activity::Busy));
    EXPECT_EQ(value("activity", 14), is(Activity::Busy));
    EXPECT_EQ(value("activity", 15), is(Activity::Waiting));
    EXPECT_EQ(value("activity", 300), is(Activity::Idle));
    EXPECT_EQ(value("misses", 12), 0u);
    EXPECT_EQ(value("misses", 13), 1u);
    EXPECT_EQ(value("misses", 14), 2u);
    EXPECT_EQ(value("misses", 300), 0u);
    EXPECT_EQ(value("writing", 12), 0u);
    EXPECT_EQ(value("writing", 13), 1u);
    EXPECT_EQ(value("writing", back - 1), 1u);
    EXPECT_EQ(value("writing", back), 0u);
    EXPECT_EQ(value("queued", 300), 0u);
    // Two that come behind a line that has no place.
    for (std::uint64_t n = 4; n < 8; ++n)
        b.unit.send(b.read(128 + n * b.kNextInSet));
    b.run(50);
    EXPECT_EQ(value("queued", 540), 2u);
    EXPECT_EQ(value("activity", 540), is(Activity::NoPlace));
    EXPECT_EQ(b.cache.describe_waiting(),
              "cache: 2 lines are fetched and 0 written, 2 requests have not been looked up");
    b.run(1000);
    EXPECT_EQ(b.cache.describe_waiting(), "");
}

// The unit's bytes at a place that is not mapped: what it wrote it can read, the rest it cannot.
TEST(LineCacheRules, OnlyWhatWasWrittenIsReadWhereNothingIsMapped) {
    Bench b;
    const std::uint64_t beyond = b.memory.bytes.size();
    auto* const all = b.unit.send(b.read(beyond));
    b.unit.send(b.write(beyond, 4, 0x55));
    auto* const written = b.unit.send(b.read(beyond, 4));
    auto* const more = b.unit.send(b.read(beyond, 5));
    more->data[0] = 9;
    auto* const lanes = b.read(beyond + 8, 1);
    lanes->attributes.operation = MemoryAttributes::Operation::Lanes;
    lanes->attributes.lanes.count = 2;
    lanes->attributes.lanes.result.fill(7);
    b.unit.send(lanes);
    b.run(300);
    EXPECT_EQ(all->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(written->get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(written->data[3], 0x55);
    EXPECT_EQ(more->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(more->data[0], 0);
    EXPECT_EQ(lanes->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(lanes->attributes.lanes.result[1], 0u);
    EXPECT_EQ(b.colors().misses.value(), 1u);
    // The four bytes have stayed, and nothing else of the line.
    EXPECT_EQ(b.unit.block(b.read(beyond, 4))->data[3], 0x55);
    EXPECT_EQ(b.colors().misses.value(), 1u);
    auto* const call = b.read(beyond, 5);
    call->data[4] = 9;
    call->data[0] = 9;
    EXPECT_EQ(b.unit.block(call)->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(call->data[0] | call->data[4], 0);
    EXPECT_EQ(b.unit.block(b.write(beyond + 64, 4, 1))->get_response_status(),
              tlm::TLM_OK_RESPONSE);
    b.flush();
    b.unit.block(b.read(beyond, 4));
    b.unit.block(b.read(beyond, 4));
    EXPECT_EQ(b.colors().hits.value(), 1u) << "such a line is not kept";
    const std::uint64_t dropped = b.colors().dropped_lines.value();
    b.flush();
    EXPECT_EQ(b.colors().dropped_lines.value(), dropped);
    // What a call writes while it is asked for stays.
    b.unit.send(b.read(beyond));
    b.run(20);
    EXPECT_EQ(b.unit.block(b.write(beyond, 4, 0x77))->get_response_status(), tlm::TLM_OK_RESPONSE);
    b.run(300);
    EXPECT_EQ(b.unit.block(b.read(beyond, 4))->data[0], 0x77);
    b.expect_consistent();
}

TEST(LineCacheRules, FetchesAndWriteBacksSayWhoseTheyAre) {
    Bench b;
    const auto mark = [](MemoryTransaction* t) {
        t->attributes.space = AddressSpace::Ggtt;
        t->attributes.stream = 3;
        t->attributes.thread.slice = SliceId(1);
        t->attributes.thread.subslice = SubsliceId(2);
        t->attributes.trace_id = 99;
        t->attributes.mocs = 10;
        t->attributes.coherent = t->attributes.uncached = true;
        return t;
    };
    b.unit.send(mark(b.read(0x2000)));
    b.run(300);
    b.unit.send(mark(b.write(0x2004, 4, 1)));
    b.unit.send(mark(b.read(0x2004, 4)))->attributes.trace_id = 98;  // writes nothing
    b.run(20);
    b.unit.send(mark(b.read(0x2000 + b.kNextInSet)));
    b.unit.send(mark(b.read(0x2000 + 2 * b.kNextInSet)));
    b.run(500);
    ASSERT_EQ(b.memory.seen.size(), 4u);
    EXPECT_EQ(b.memory.seen[2].enabled, 0xF0u);
    for (const auto& seen : b.memory.seen) {
        EXPECT_EQ(seen.requester, Requester::RenderTarget);
        EXPECT_EQ(seen.attributes.operation, MemoryAttributes::Operation::Access);
        EXPECT_EQ(seen.attributes.space, AddressSpace::Ggtt);
        EXPECT_EQ(seen.attributes.stream, 3);
        EXPECT_EQ(seen.attributes.thread.slice, SliceId(1));
        EXPECT_EQ(seen.attributes.thread.subslice, SubsliceId(2));
        EXPECT_EQ(seen.attributes.trace_id, 99u);
        EXPECT_EQ(seen.attributes.mocs, 10);
        EXPECT_TRUE(seen.attributes.coherent && seen.attributes.uncached);
    }
    // A line that is fetched again, for who asks behind a flush.
    b.unit.send(mark(b.read(0x3000)));
    b.run(50);
    b.flush();
    b.unit.send(mark(b.read(0x3000)));
    b.run(500);
    ASSERT_EQ(b.memory.seen.size(), 6u);
    EXPECT_EQ(b.memory.seen[5].attributes.trace_id, 99u);
    EXPECT_EQ(b.memory.seen[5].attributes.space, AddressSpace::Ggtt);
    EXPECT_EQ(b.memory.seen[5].requester, Requester::RenderTarget);
    // As much by a call.
    b.unit.block(mark(b.read(0x4000)));
    EXPECT_EQ(b.memory.blocking_attributes.trace_id, 99u);
    EXPECT_EQ(b.memory.blocking_attributes.space, AddressSpace::Ggtt);
}

TEST(LineCacheRules, DebugAccessesSeeEachPartAndWhatIsOnItsWay) {
    Bench b;
    b.memory.stalled = true;
    b.unit.send(b.write(0, 4, 0x11));
    b.unit.send(b.write(b.kNextInSet, 64, 2));
    b.unit.send(b.write(2 * b.kNextInSet, 64, 3));  // the first leaves
    b.unit.send(b.of(b.unit.write(64, 4, 0x44), Requester::RenderControl));
    b.run(50);
    const auto look = [&](std::uint64_t address, AddressSpace space = AddressSpace::Ppgtt) {
        MemoryTransaction* const t = b.read(address, 8);
        t->attributes.space = space;
        EXPECT_EQ(b.unit.mem_out->transport_dbg(*t), 8u);
        const unsigned first = t->data[0], fifth = t->data[4];
        t->release();
        return std::pair(first, fifth);
    };
    EXPECT_EQ(look(0), std::pair(0x11u, 5u));
    EXPECT_EQ(look(64), std::pair(0x44u, 69u));
    EXPECT_EQ(look(b.kNextInSet), std::pair(2u, 2u));
    EXPECT_EQ(look(0, AddressSpace::Ggtt), std::pair(1u, 5u)) << "another memory";
    EXPECT_EQ(look(0, AddressSpace::Urb), std::pair(1u, 5u));
    b.memory.resume();
    b.run(500);
}

TEST(LineCacheRules, ItsSettingsAreCheckedAndSaidInWords) {
    try {
        Bench b(Timing::Timed, {"cache.color.ways=16"});
        FAIL();
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(), "cache.color.ways=16 is not allowed: 512 bytes are 8 lines");
    }
    Bench b(Timing::Timed, {"cache.color.ways=8"});
    EXPECT_EQ(LineCacheSetup{}.emptied_by, &CacheControl::flush_render);
}

// Of a set the line that was used longest ago makes room; one that is awaited stays.
TEST(LineStoreRules, TheLineOfASetThatWasUsedLongestAgoMakesRoom) {
    constexpr unsigned kWays = 4, kSets = 2;
    LineStore store(kWays * kSets * kLineBytes, kWays);
    ASSERT_EQ(store.lines().size(), kWays * kSets);
    std::list<std::uint64_t> used[kSets];  // latest first
    std::mt19937 random(5);
    for (unsigned n = 0; n < 3000; ++n) {
        const std::uint64_t line = random() % 12;
        auto& order = used[line % kSets];
        const LineName name{line * kLineBytes, AddressSpace::Ppgtt, 0};
        LineStore::Line* found = store.find(name);
        const auto it = std::ranges::find(order, line);
        ASSERT_EQ(found != nullptr, it != order.end());
        if (it != order.end()) {
            ASSERT_EQ(found->name, name);
            order.erase(it);
            order.push_front(line);
            continue;
        }
        LineStore::Line* const place = store.place(name);
        ASSERT_NE(place, nullptr);
        ASSERT_EQ((place - store.lines().data()) / kWays, static_cast<long>(line % kSets));
        ASSERT_EQ(place->used, order.size() == kWays);
        if (place->used) {
            ASSERT_EQ(place->name.address, order.back() * kLineBytes);
            order.pop_back();
        }
        place->valid = place->dirty = 7;
        store.put(*place, name);
        ASSERT_TRUE(place->used);
        ASSERT_EQ(place->valid | place->dirty, 0u);
        order.push_front(line);
    }
    for (LineStore::Line& line : store.lines())
        line.awaited = true;
    EXPECT_EQ(store.place({}), nullptr);
    store.lines()[2].awaited = store.lines()[1].awaited = false;
    const LineStore::Line* const place = store.place({});
    EXPECT_EQ(place, store.lines()[1].last_use < store.lines()[2].last_use ? &store.lines()[1]
                                                                           : &store.lines()[2]);
    EXPECT_EQ(store.dirty_lines(), 0u);
    store.lines()[3].dirty = 1;
    EXPECT_EQ(store.dirty_lines(), 1u);
}

TEST(LineStoreRules, LinesOfOtherSpacesAndStreamsAreOthers) {
    LineStore store(64, 1);
    const LineName name{0, AddressSpace::Ppgtt, 1};
    store.put(*store.place(name), name);
    EXPECT_NE(store.find(name), nullptr);
    EXPECT_EQ(store.find({0, AddressSpace::Ggtt, 1}), nullptr);
    EXPECT_EQ(store.find({0, AddressSpace::Ppgtt, 2}), nullptr);
    EXPECT_EQ(store.find({64, AddressSpace::Ppgtt, 1}), nullptr);
}

}  // namespace
}  // namespace gen9::line_cache
