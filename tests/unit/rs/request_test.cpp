// SPDX-License-Identifier: Apache-2.0
// The resource streamer's requests: who is answered when, and with what.
#include <gtest/gtest.h>

#include <deque>

#include "common/check.h"
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/rs/request_bench.h"

namespace gen9::test {
namespace {

using namespace requests;

TEST(RsRequest, WorkAskedOfABusyOneIsAnErrorOfTheModel) {
    GEN9_COVERS("RS-12");
    Bench bench("bench");
    ResourceRequest first = bench.parse(batch_of(1)), second = first, save;
    save.operation = Operation::Save;
    EXPECT_EQ(bench.send(first), tlm::TLM_UPDATED);
    EXPECT_THROW(bench.send(second), InternalError);
    Bench::run(50);
    EXPECT_THROW(bench.send(save), InternalError);
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_TRUE(bench.rs.idle());
    EXPECT_EQ(bench.send(second), tlm::TLM_UPDATED) << "it has stopped";
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 2u);
}

TEST(RsRequest, OnlyTheBeginningOfARequestIsOne) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(1));
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    EXPECT_EQ(bench.out->nb_transport_fw(request, phase, delay), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(bench.rs.idle());
}

// The clock runs on without the kernel only among processes that it knows.
TEST(RsRequest, ItsProcessIsKnownToTheClock) {
    Bench bench("bench");
    Bench::run(1);
    EXPECT_TRUE(bench.clock.agenda().alone());
}

TEST(RsRequest, ABlockIsOfTheSpaceThatItWasFetchedFrom) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(1));
    request.space = AddressSpace::Ggtt;
    bench.send(request);
    Bench::run(10'000);
    EXPECT_EQ(request.stop, ResourceStop::Sync);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 1u);
}

// Before anything has been fetched it has no block, of which address 0 is one.
TEST(RsRequest, AStreamAtAddressZeroIsFetched) {
    Bench bench("bench");
    bench.memory.put(0, Words{0, 0x05000000});
    ResourceRequest request;
    bench.send(request);
    Bench::run(1'000);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 1u);
    EXPECT_EQ(request.stop, ResourceStop::Sync);
    EXPECT_EQ(request.stopped_at.value, 4u);
}

// Nobody will make what is waited for while the other kind has no room.
TEST(RsRequest, WhoWaitsForTheOtherKindIsToldThatItWillNotCome) {
    Bench bench("bench", {"rs.products_ahead=1"});
    ResourceRequest request = bench.parse(batch_of(2));
    bench.send(request);
    ResourceRequest consume;
    consume.operation = Operation::Consume;
    consume.product = ResourceProduct::GatherBuffer;
    EXPECT_EQ(bench.send(consume), tlm::TLM_UPDATED);
    Bench::run(2000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_TRUE(consume.failed);
    EXPECT_EQ(consume.stop, ResourceStop::Sync);
    consume.stop = ResourceStop::Limit;
    EXPECT_EQ(bench.send(consume), tlm::TLM_COMPLETED);
    EXPECT_TRUE(consume.failed);
    EXPECT_EQ(consume.stop, ResourceStop::Sync);
}

// It is far ahead of the kernel's time when it meets what has no room: until then something may come.
TEST(RsRequest, WhoAsksBeforeThereIsNoRoomIsToldWhenThereIsNone) {
    Bench bench("bench", {"rs.products_ahead=1", "rs.fetch_bytes=1024"});
    Words batch = table_pool(kPool, 4);
    append(batch, pointers(kVs, 0));
    append(batch, Words(60, 0));
    append(batch, pointers(kVs, 64));
    ResourceRequest request = bench.parse(batch), consume;
    bench.send(request);
    // A message, the fetch, two commands: the table is on its way, the parser goes on.
    Bench::run(4 + 100 + 4 + 2 + 30);
    EXPECT_EQ(bench.rs.stats.tables.value(), 1u);
    consume.operation = Operation::Consume;
    consume.product = ResourceProduct::GatherBuffer;
    EXPECT_EQ(bench.send(consume), tlm::TLM_UPDATED);
    Bench::run(1'000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_TRUE(consume.failed);
    EXPECT_EQ(bench.answered_at, sc_core::sc_time(4 + 100 + 4 + 2 + 60, sc_core::SC_NS));
}

// What it does is known while it waits, too.
TEST(RsRequest, AWaitForRoomCountsWhileItLasts) {
    Bench bench("bench", {"rs.products_ahead=1"});
    ResourceRequest request = bench.parse(batch_of(2));
    bench.send(request);
    Bench::run(2000);
    bench.rs.settle();
    const std::uint64_t before = bench.rs.stats.room_cycles.value();
    EXPECT_GT(before, 1500u);
    EXPECT_EQ(
        bench.rs.describe_waiting(),
        "resource streamer at 0x60000018: waits until the command streamer takes its products");
    Bench::run(500);
    bench.rs.settle();
    EXPECT_EQ(bench.rs.stats.room_cycles.value(), before + 500);
}

// Tables and gather buffers each have room of their own.
TEST(RsRequest, GatherBuffersWaitForTheirOwnRoom) {
    Bench bench("bench", {"rs.products_ahead=1"});
    bench.memory.map(0x5010'0000, 0x1000);
    Words batch = table_pool(kPool, 4);
    append(batch, gather_pool(0x5010'0000, 1));
    append(batch, pointers(kVs, 0));
    for (unsigned n = 0; n < 2; ++n)
        append(batch, gather(kVs, 0, 64 * n, {element(0, 1, 0), 0}));
    append(batch, {0x05000000});
    ResourceRequest request = bench.parse(batch);
    bench.send(request);
    Bench::run(2000);
    EXPECT_EQ(bench.rs.stats.tables.value(), 1u);
    EXPECT_EQ(bench.rs.stats.gathers.value(), 1u) << "the second waits";
    ResourceRequest consume;
    consume.operation = Operation::Consume;
    consume.product = ResourceProduct::BindingTable;
    bench.send(consume);
    Bench::run(2000);
    EXPECT_EQ(bench.rs.stats.gathers.value(), 1u);
    consume.product = ResourceProduct::GatherBuffer;
    bench.send(consume);
    Bench::run(2000);
    EXPECT_EQ(bench.rs.stats.gathers.value(), 2u);
}

TEST(RsRequest, ItSaysWhereAndWhyItStoppedAndWhatWaits) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(3));
    bench.send(request);
    Bench::run(10'000);
    EXPECT_EQ(request.stop, ResourceStop::Sync);
    EXPECT_EQ(request.stopped_at.value, kBatch + 4 * (4 + 6));
    EXPECT_EQ(request.unconsumed[0], 3u);
    EXPECT_EQ(request.unconsumed[1], 0u);
    ResourceRequest consume;
    consume.operation = Operation::Consume;
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.send(consume), tlm::TLM_COMPLETED);
        EXPECT_FALSE(consume.failed);
    }
    EXPECT_EQ(bench.send(consume), tlm::TLM_COMPLETED);
    EXPECT_TRUE(consume.failed) << "there is none and none will come";
}

TEST(RsRequest, ItGoesOnWithTheProductsThatTheRequestNames) {
    Bench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    const auto shown = [&](const char* name) {
        return log.value(
            std::string("bench.rs.") + name,
            static_cast<std::uint64_t>(sc_core::sc_time_stamp().to_seconds() * 1e9 + 0.5));
    };
    ResourceRequest request = bench.parse(Words{0x05000000});
    request.unconsumed = {2, 1};  // of a context that was switched away
    bench.send(request);
    Bench::run(1'000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_EQ(shown("tables"), 2u);
    EXPECT_EQ(shown("gathers"), 1u);
    for (const auto product : {ResourceProduct::BindingTable, ResourceProduct::GatherBuffer})
        for (unsigned left = product == ResourceProduct::BindingTable ? 2 : 1; left > 0; --left) {
            ResourceRequest consume;
            consume.operation = Operation::Consume;
            consume.product = product;
            bench.send(consume);
            EXPECT_FALSE(consume.failed);
            Bench::run(10);
            EXPECT_EQ(shown(product == ResourceProduct::BindingTable ? "tables" : "gathers"),
                      left - 1);
        }
    // Of another context again, which has none.
    ResourceRequest more = bench.parse(batch_of(3)), consume;
    bench.send(more);
    Bench::run(10'000);
    EXPECT_EQ(shown("tables"), 3u);
    ResourceRequest none = bench.parse(Words{0x05000000});
    bench.send(none);
    Bench::run(1'000);
    EXPECT_EQ(shown("tables"), 0u);
    for (const auto product : {ResourceProduct::BindingTable, ResourceProduct::GatherBuffer}) {
        consume.operation = Operation::Consume;
        consume.product = product;
        bench.send(consume);
        EXPECT_TRUE(consume.failed);
    }
}

TEST(RsRequest, StoppedItIsIdle) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(1));
    bench.send(request);
    Bench::run(5'000);
    bench.rs.settle();
    const rs::RsStats& s = bench.rs.stats;
    EXPECT_EQ(s.fetch_cycles.value(), 100u);
    EXPECT_EQ(s.busy_cycles.value(), 4u + 2u + 1u);
    EXPECT_EQ(s.drain_cycles.value(), 100u - 1u) << "the sync command was parsed meanwhile";
    EXPECT_EQ(s.engine_cycles.value() + s.room_cycles.value() + s.context_cycles.value(), 0u);
    EXPECT_EQ(s.idle_cycles.value(), 5'000u - 100 - 7 - 99);
    bench.send(request);
    Bench::run(5'000);
    bench.rs.settle();
    EXPECT_EQ(s.idle_cycles.value(), 2 * (5'000u - 100 - 7 - 99)) << "between two jobs too";
}

TEST(RsRequest, HaltedItStopsBeforeTheNextCommand) {
    Bench bench("bench", {"bench.rs.products_ahead=2"});
    ResourceRequest request = bench.parse(batch_of(5)), halt;
    bench.send(request);
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 0u) << "two wait, there is no room for the third";
    halt.operation = Operation::Halt;
    EXPECT_EQ(bench.send(halt), tlm::TLM_COMPLETED);
    Bench::run(1'000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_EQ(request.stop, ResourceStop::Halted);
    EXPECT_EQ(request.stopped_at.value, kBatch + 4 * (4 + 4));
    EXPECT_EQ(request.unconsumed[0], 2u);
    // It goes on with what was not consumed.
    request.address = request.stopped_at;
    request.state.tables = {true, GpuAddr(kPool), 0x4000, 0};
    bench.send(request);
    Bench::run(10'000);
    EXPECT_EQ(bench.rs.stats.tables.value(), 2u) << "still no room";
    ResourceRequest consume;
    consume.operation = Operation::Consume;
    for (unsigned i = 0; i < 5; ++i) {
        bench.send(consume);
        Bench::run(1'000);
        EXPECT_FALSE(consume.failed) << i;
    }
    EXPECT_EQ(bench.rs.stats.tables.value(), 5u);
}

TEST(RsRequest, HaltedWhileItParsesItFinishesItsCommand) {
    Bench bench("bench", {"bench.rs.ahead_cycles=1"});
    ResourceRequest request = bench.parse(Words(900, 0)), halt;
    bench.send(request);
    Bench::run(400);
    halt.operation = Operation::Halt;
    EXPECT_EQ(bench.send(halt), tlm::TLM_COMPLETED);
    Bench::run(120);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_EQ(request.stop, ResourceStop::Halted);
    EXPECT_GT(request.stopped_at.value, kBatch + 4 * 64);
    EXPECT_LT(request.stopped_at.value, kBatch + 4 * 400);
    EXPECT_EQ(bench.rs.stats.halts.value(), 1u);
}

// With one cycle it is never ahead of what others can see: a message's 4 cycles and a fetch's 100,
// then a command a cycle.
TEST(RsRequest, ItIsNoFurtherAheadOfItsTimeThanItMayBe) {
    Bench bench("bench", {"bench.rs.ahead_cycles=1", "bench.rs.fetch_bytes=512"});
    ResourceRequest request = bench.parse(Words(900, 0)), halt;
    bench.send(request);
    Bench::run(4 + 100 + 10);
    halt.operation = Operation::Halt;
    EXPECT_EQ(bench.send(halt), tlm::TLM_COMPLETED);
    Bench::run(1'000);
    EXPECT_EQ(request.stop, ResourceStop::Halted);
    EXPECT_EQ(request.stopped_at.value, kBatch + 4 * 10);
}

// It waits for room no more.
TEST(RsRequest, WhoAsksWhileItMakesWhatHadNoRoomWaitsForIt) {
    Bench bench("bench", {"bench.rs.products_ahead=1"});
    ResourceRequest request = bench.parse(batch_of(4));
    bench.send(request);
    Bench::run(10'000);
    std::deque<ResourceRequest> consumed;
    unsigned waited = 0;
    for (unsigned n = 0; n < 4; ++n) {
        ResourceRequest& consume = consumed.emplace_back();
        consume.operation = Operation::Consume;
        const bool waits = bench.send(consume) == tlm::TLM_UPDATED;
        EXPECT_FALSE(consume.failed) << n;
        if (waits) {
            EXPECT_NE(bench.rs.describe_waiting().find(": works"), std::string::npos);
        }
        waited += waits;
        Bench::run(waits ? 10'000 : 1);
        EXPECT_FALSE(consume.failed) << n;
    }
    EXPECT_GT(waited, 0u);
    EXPECT_EQ(bench.rs.stats.tables.value(), 4u);
}

TEST(RsRequest, AskedForTheOtherKindWhileItWaitsForRoomItRefuses) {
    Bench bench("bench", {"bench.rs.products_ahead=1"});
    ResourceRequest request = bench.parse(batch_of(3));
    bench.send(request);
    Bench::run(10'000);
    ResourceRequest consume;
    consume.operation = Operation::Consume;
    consume.product = ResourceProduct::GatherBuffer;
    EXPECT_EQ(bench.send(consume), tlm::TLM_COMPLETED);
    EXPECT_TRUE(consume.failed);
    EXPECT_EQ(bench.answers, 0u);
}

// The command streamer met other commands than the resource streamer did, and waits at the sync
// command.
TEST(RsRequest, ProductsThatNobodyTakesDoNotHoldItWhenItIsWaitedFor) {
    Bench bench("bench", {"bench.rs.products_ahead=2"});
    ResourceRequest request = bench.parse(batch_of(5)), join;
    bench.send(request);
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 0u);
    join.operation = Operation::Join;
    EXPECT_EQ(bench.send(join), tlm::TLM_COMPLETED);
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_EQ(request.stop, ResourceStop::Sync);
    EXPECT_EQ(bench.rs.stats.tables.value(), 5u);
    EXPECT_GE(bench.environment.reporter.guest_errors(), 1u);
}

// The command streamer waits for a table that the commands up to the sync command do not make.
TEST(RsRequest, WaitedForWhatItDoesNotMakeItRefusesWhenItStops) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(0)), consume;
    consume.operation = Operation::Consume;
    bench.send(request);
    EXPECT_EQ(bench.send(consume), tlm::TLM_UPDATED);
    consume.stop = ResourceStop::Unreadable;
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 2u);
    EXPECT_TRUE(consume.failed);
    EXPECT_EQ(consume.stop, ResourceStop::Sync);
}

TEST(RsRequest, WhatCannotBeReadStopsIt) {
    Bench bench("bench");
    ResourceRequest request;
    // A command's second DWord, too.
    bench.memory.put<std::uint32_t>(kBatch + 0xFFC, 0x79190002);
    request.address = GpuAddr(kBatch + 0xFFC);
    bench.send(request);
    Bench::run(1'000);
    EXPECT_EQ(request.stop, ResourceStop::Unreadable);
    EXPECT_EQ(request.stopped_at.value, kBatch + 0xFFC);
    request.address = GpuAddr(0x7777'0000);
    bench.send(request);
    Bench::run(1'000);
    EXPECT_EQ(request.stop, ResourceStop::Unreadable);
    EXPECT_EQ(request.stopped_at.value, 0x7777'0000u);
    EXPECT_FALSE(bench.environment.reporter.failed());
}

// A target of another maker waits within its call, and says what is left (IEEE 1666, b_transport).
TEST(RsRequest, ATargetThatWaitsTakesNoMoreTime) {
    Bench bench("bench");
    bench.waits = sc_core::sc_time(60, sc_core::SC_NS);
    bench.memory.map(0x7000'0000, 0x9000);
    ResourceRequest save, request = bench.parse(Words{0, 0x05000000});
    save.operation = Operation::Save;
    save.address = GpuAddr(0x7000'0000);
    for (ResourceRequest* each : {&request, &save}) {
        const sc_core::sc_time begin = sc_core::sc_time_stamp();
        bench.send(*each);
        Bench::run(1'000);
        const std::uint64_t parsed = each == &request ? 2 : 0;
        EXPECT_EQ(bench.answered_at - begin,
                  sc_core::sc_time(static_cast<double>(4 + 100 + parsed + 4), sc_core::SC_NS));
    }
    EXPECT_EQ(bench.rs.stats.fetch_cycles.value(), 100u);
    EXPECT_EQ(bench.rs.stats.context_cycles.value(), 100u);
}

// A product is there when its write is done: one cycle before, the answer is not due.
TEST(RsRequest, AProductIsThereWhenItsWriteIsDone) {
    Bench bench("bench");
    ResourceRequest request = bench.parse(batch_of(1)), consume;
    consume.operation = Operation::Consume;
    bench.send(request);
    EXPECT_EQ(bench.send(consume), tlm::TLM_UPDATED);
    Bench::run(10'000);
    EXPECT_EQ(bench.answers, 2u);
    // 4 for the message, 100 for the fetch, 4 and 2 DWords, 100 for the write; the other answer
    // comes later, with the sync command parsed and a message's way.
    ResourceRequest again = bench.parse(batch_of(1));
    bench.answers = 0;
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
    bench.send(again);
    bench.send(consume);
    Bench::run(4 + 100 + 4 + 2 + 100);
    EXPECT_EQ(bench.answers, 1u);
    EXPECT_EQ(bench.answered_at, begin + sc_core::sc_time(4 + 100 + 4 + 2 + 100, sc_core::SC_NS));
    Bench::run(10'000);
    EXPECT_EQ(bench.answered_at,
              begin + sc_core::sc_time(4 + 100 + 4 + 2 + 100 + 4, sc_core::SC_NS))
        << "all engines are done";
}

}  // namespace
}  // namespace gen9::test
