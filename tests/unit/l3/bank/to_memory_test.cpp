// SPDX-License-Identifier: Apache-2.0
// What memory is told of who asks, and what happens while a line is on its way.
#include "tests/support/foreign.h"
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

MemoryTransaction* of_thread(MemoryTransaction* t, bool uncached = false) {
    t->attributes.requester = Requester::ConstantCache;
    t->attributes.thread.eu = EuId(5);
    t->attributes.mocs = 5 << 1;
    t->attributes.uncached = uncached;
    return t;
}

void expect_of_thread(const MemoryAttributes& a) {
    EXPECT_EQ(a.requester, Requester::ConstantCache);
    EXPECT_EQ(a.thread.eu.value, 5);
    EXPECT_EQ(a.mocs, 5 << 1);
}

TEST(L3ToMemory, AFetchNamesItsAsker) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(of_thread(from.read(0x1000)));
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 1u);
    expect_of_thread(bench.memory.seen[0].attributes);
    EXPECT_FALSE(bench.memory.seen[0].attributes.uncached);
    EXPECT_EQ(bench.memory.seen[0].attributes.space, AddressSpace::Ppgtt);
}

// Whatever way an access takes, memory is told all that its asker said.
TEST(L3ToMemory, APartOfABlockingAccessIsAsCoherentAsTheWhole) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* whole = of_thread(from.read(0x1020));
    whole->attributes.coherent = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    from.block(whole);
    expect_of_thread(bench.memory.blocking_attributes);
    EXPECT_TRUE(bench.memory.blocking_attributes.coherent);
}

TEST(L3ToMemory, ARequestThatPassesByKeepsItsControls) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(of_thread(from.read(0x1000), true));
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 1u);
    expect_of_thread(bench.memory.seen[0].attributes);
    EXPECT_TRUE(bench.memory.seen[0].attributes.uncached);
}

TEST(L3ToMemory, AVictimNamesItsWriter) {
    Bench bench(Timing::Timed, 1, {}, 1);
    bench.write_register(0x7034, 48u << 1 | 16u << 25);
    auto& from = *bench.from[0];
    // Lines of one set, more of them than it has ways.
    for (unsigned i = 0; i < 20; ++i) {
        auto* t = from.write(0x1000 + i * 64 * 32, 64, 7);
        t->attributes.thread.eu = EuId(5);
        t->attributes.mocs = 5 << 1;
        from.send(t);
    }
    bench.run();
    ASSERT_FALSE(bench.memory.seen.empty());
    for (const auto& seen : bench.memory.seen) {
        EXPECT_TRUE(seen.write);
        EXPECT_EQ(seen.attributes.thread.eu.value, 5);
        EXPECT_EQ(seen.attributes.mocs, 5 << 1);
    }
    // What a flush writes.
    bench.flush();
    EXPECT_EQ(bench.memory.blocking_attributes.thread.eu.value, 5);
    EXPECT_EQ(bench.memory.blocking_attributes.mocs, 5 << 1);
}

TEST(L3ToMemory, ABlockingAccessGoesAroundALineThatIsOnItsWay) {
    Bench bench(Timing::Timed, 2);
    auto* before = bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run_to(30);
    EXPECT_EQ(bench.end_of(before), 0u);
    bench.from[1]->block(bench.from[1]->write(0x1000, 64, 9));
    EXPECT_EQ(bench.memory.bytes[0x1000], 9) << "in memory at once";
    EXPECT_EQ(bench.l3.dirty_lines(), 0u);
    bench.run();
    auto* after = bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run();
    EXPECT_EQ(after->data[63], 9);
}

TEST(L3ToMemory, EachFlushIsCountedAndNothingElseIs) {
    Bench bench(Timing::Timed);
    bench.flush();
    bench.flush();
    bench.apply({});
    EXPECT_EQ(bench.l3.stats.flushes.value(), 2u);
}

TEST(L3ToMemory, AnAtomicBeyondTheUrbReturnsZeroAndChangesNothing) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto add = [&](std::uint64_t address) {
        auto* t = from.atomic(address, AtomicOp::Add, 1, 4, 1);
        t->attributes.space = AddressSpace::Urb;
        t->attributes.requester = Requester::Urb;
        return from.block(t)->attributes.lanes.result[0];
    };
    // 48 ways of 2 KB in each of four banks: the last line, and the one after it.
    constexpr std::uint64_t kSize = 48 * 2048 * 4;
    EXPECT_EQ(add(kSize - 64), 0u);
    EXPECT_EQ(add(kSize - 64), 1u);
    EXPECT_EQ(add(kSize), 0u);
    EXPECT_EQ(add(kSize), 0u);
}

TEST(L3ToMemory, EveryAnswerHasAStatus) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    EXPECT_TRUE(from.block(from.write(0x1000, 64, 1))->is_response_ok());
    EXPECT_TRUE(from.block(from.read(0x1000))->is_response_ok());
    auto* timed = from.send(from.read(0x1000));
    auto* snoop = bench.snooper.send(bench.snooper.read(0x1000));
    bench.run();
    EXPECT_TRUE(timed->is_response_ok());
    EXPECT_TRUE(snoop->is_response_ok());
    bench.snooper.clear();
}

TEST(L3ToMemory, ARequestBehindOneThatPassesByFetchesItsLineOnce) {
    Bench bench(Timing::Timed, 2);
    bench.from[0]->send(of_thread(bench.from[0]->read(0x1000), true), 10);
    auto* cached = bench.from[1]->send(bench.from[1]->read(0x1000), 20);
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), 2u);
    EXPECT_EQ(bench.sum("bypasses"), 1u);
    EXPECT_EQ(bench.sum("fills"), 1u);
    EXPECT_EQ(cached->data[63], static_cast<std::uint8_t>(0x1000 / 64 + 63));
    bench.l3.settle();
    EXPECT_EQ(bench.sum("memory_queue_stalls"), 0u);
}

TEST(L3ToMemory, ABlockingWriteOfSeveralLinesRepeatsItsByteEnables) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* t = from.fresh();
    std::vector<std::uint8_t> bytes(100, 9);
    std::uint8_t enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_DISABLED};
    t->access(tlm::TLM_WRITE_COMMAND, 0x1030, 16);
    t->set_data_ptr(bytes.data());
    t->set_data_length(100);
    t->set_streaming_width(100);
    t->set_byte_enable_ptr(enables);
    t->set_byte_enable_length(3);
    from.block(t);
    bench.flush();
    for (unsigned i = 0; i < 104; ++i) {
        const std::uint64_t at = 0x1030 + i;
        const auto before = static_cast<std::uint8_t>(at / 64 + at % 64);
        EXPECT_EQ(bench.memory.bytes[at], i % 3 == 0 && i < 100 ? 9 : before) << i;
    }
}

TEST(L3ToMemory, AControlMayComeByAClientsSocket) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.block(from.write(0x1000, 64, 9));
    auto* t = from.fresh();
    t->set_command(tlm::TLM_IGNORE_COMMAND);
    t->attributes.operation = MemoryAttributes::Operation::Control;
    t->attributes.control.flush_data = true;
    EXPECT_TRUE(from.block(t)->is_response_ok());
    EXPECT_EQ(bench.l3.stats.flushes.value(), 1u);
    EXPECT_EQ(bench.memory.bytes[0x1000], 9);
    EXPECT_EQ(bench.memory.blocking_writes, 1u) << "the line, and nothing else";
    bench.run_to(1000);
    auto* empty = from.fresh();
    empty->set_command(tlm::TLM_IGNORE_COMMAND);
    empty->attributes.operation = MemoryAttributes::Operation::Control;
    empty->attributes.control.flush_data = true;
    std::uint64_t cycles = 0;
    from.block(empty, &cycles);
    EXPECT_EQ(cycles, bench.l3.params.flush_cycles.get());
}

TEST(L3ToMemory, ADebugAccessEndsWhereItSays) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.block(from.write(0x1000, 64, 7));
    from.block(from.write(0x1040, 64, 8));
    std::vector<std::uint8_t> bytes(128, 0xEE);
    auto* t = from.read(0x1000);
    t->set_data_ptr(bytes.data());
    t->set_data_length(96);
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 96u);
    EXPECT_EQ(bytes[63], 7);
    EXPECT_EQ(bytes[95], 8);
    EXPECT_EQ(bytes[96], 0xEE);
    EXPECT_EQ(bytes[127], 0xEE);
    t->release();
}

TEST(L3ToMemory, AnUncachedAtomicIsPerformedOnAMemoryThatKnowsNoAtomics) {
    test::TestEnvironment environment;
    Clock clock(1'000'000'000);
    L3 l3("l3", environment.environment, clock, 1, 1, 1);
    test::ForeignMemory memory("memory", test::ForeignMemory::Style::Quick, 1,
                               sc_core::sc_time(100, sc_core::SC_NS));
    test::MemoryInitiator from("from", clock), control("control", clock),
        registers("registers", clock), snooper("snooper", clock);
    from.mem_out.bind(l3.mem_in[0]);
    control.mem_out.bind(l3.control_in);
    registers.mem_out.bind(l3.reg_in);
    snooper.mem_out.bind(l3.snoop_in);
    l3.mem_out(0).bind(memory.in[0]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    memory.bytes[0x1000] = 5;
    for (const unsigned before : {5u, 7u}) {
        auto* t = from.atomic(0x1000, AtomicOp::Add, 1, 4, 2);
        t->attributes.uncached = true;
        EXPECT_TRUE(from.block(t)->is_response_ok());
        EXPECT_EQ(t->attributes.lanes.result[0], before);
        EXPECT_EQ(memory.bytes[0x1000], before + 2);
    }
    from.clear();
}

}  // namespace
}  // namespace gen9::l3
