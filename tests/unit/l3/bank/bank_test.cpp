// SPDX-License-Identifier: Apache-2.0
// A bank as a module of its own: where it stands, and what it does without an L3 around it.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

/// A bank alone, with a memory of the bench's latency.
struct Alone {
    test::TestEnvironment environment;
    L3Params params;
    BankSetup setup{params, 1, true};
    Bank bank;
    test::MemoryTarget memory;
    test::MemoryInitiator from;

    Alone(const Clock& clock, std::vector<std::string> settings)
        : environment(Timing::Timed, std::move(settings)),
          params(environment.config, "l3"),
          bank("bank", environment.environment, clock, setup),
          memory("memory_alone", clock, 1),
          from("from_alone", clock) {
        from.mem_out.bind(bank.mem_in);
        bank.mem_out.bind(memory.mem_in[0]);
    }
};

/// The same request, for both.
MemoryTransaction* random_request(test::MemoryInitiator& from, std::mt19937& random) {
    const std::uint64_t address = random() % 256 * 64;
    const auto value = static_cast<std::uint8_t>(random());
    switch (random() % 3) {
        case 0:
            return from.read(address);
        case 1:
            return from.write(address + 4, 8, value);
        default:
            return from.atomic(address, AtomicOp::Add, 16, 4 * (random() % 2), value);
    }
}

TEST(Bank, IsAModuleOfTheHierarchyWithItsSockets) {
    Bench bench(Timing::Timed);
    for (const char* name : {"l3.bank0", "l3.bank3", "l3.bank3.mem_in", "l3.bank3.mem_out"})
        EXPECT_TRUE(sc_core::sc_find_object(name)) << name;
}

TEST(Bank, AloneItAnswersAsInAnL3AndInItsCycles) {
    // Few ways, so that lines are pushed out; queues that hold nobody back.
    const std::vector<std::string> settings{"l3.bank_queue=1024", "l3.super_queue=4096",
                                            "l3.tagged_ways=1"};
    Bench bench(Timing::Timed, 1, settings, 1);
    Alone alone(bench.clock, settings);
    alone.memory.bytes = bench.memory.bytes;
    std::mt19937 random(5), same(5);
    std::vector<MemoryTransaction*> in_l3, by_itself;
    for (unsigned i = 0; i < 1000; ++i) {
        // No two wait in front of the bank, for a client of an L3 gives one a cycle (L3-11).
        const std::uint64_t at = 100 + i * 18;
        in_l3.push_back(bench.from[0]->send(random_request(*bench.from[0], random), at));
        by_itself.push_back(alone.from.send(random_request(alone.from, same), at));
    }
    bench.run();
    ASSERT_EQ(alone.from.ended.size(), 1000u);
    // What the L3 around a bank adds: the ways there and back. A bank's answer to a write comes a
    // cycle after the lookup, of which the way back knows; lines come back one a cycle (L3-11).
    const std::uint64_t ways = bench.l3.params.request_cycles + bench.l3.params.return_cycles;
    std::map<const MemoryTransaction*, std::uint64_t> expected;
    std::uint64_t way_free = 0;
    for (const auto& e : alone.from.ended) {
        std::uint64_t at = e.cycle + ways;
        if (e.transaction->is_write())
            --at;
        else
            way_free = (at = std::max(at, way_free)) + 1;
        expected[e.transaction] = at;
    }
    for (unsigned i = 0; i < 1000; ++i) {
        EXPECT_EQ(bench.end_of(in_l3[i]), expected[by_itself[i]]) << i;
        EXPECT_EQ(std::memcmp(in_l3[i]->data, by_itself[i]->data, 64), 0) << i;
        EXPECT_EQ(in_l3[i]->attributes.lanes.result, by_itself[i]->attributes.lanes.result) << i;
    }
    EXPECT_GT(alone.bank.stats.evictions.value(), 100u);
    EXPECT_EQ(alone.bank.stats.evictions.value(), bench.l3.bank_stats(0).evictions.value());
    EXPECT_EQ(alone.bank.stats.hits.value(), bench.l3.bank_stats(0).hits.value());
    EXPECT_TRUE(alone.bank.idle());
    EXPECT_EQ(alone.memory.bytes, bench.memory.bytes);
}

TEST(Bank, AControlWritesItsLinesAndDropsThem) {
    Bench bench(Timing::Timed);  // the clock's modules must be there
    Alone alone(bench.clock, {"l3.write_misses=allocate"});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned line = 0; line < 3; ++line)
        alone.from.block(alone.from.write(64 * line, 4, 0x77));
    EXPECT_EQ(alone.bank.core.dirty_lines(), 3u);
    EXPECT_EQ(alone.memory.bytes[0], 0u);
    auto* order = alone.from.pool.get();
    order->set_command(tlm::TLM_IGNORE_COMMAND);
    order->attributes.operation = MemoryAttributes::Operation::Control;
    order->attributes.control.flush_data = order->attributes.control.invalidate_data = true;
    std::uint64_t cycles = 0;
    alone.from.block(order, &cycles);
    EXPECT_EQ(alone.bank.core.valid_lines(), 0u);
    EXPECT_EQ(alone.memory.bytes[0], 0x77u);
    EXPECT_EQ(alone.memory.bytes[131], 0x77u);
    EXPECT_EQ(alone.bank.stats.flushed_lines.value(), 3u);
    EXPECT_EQ(alone.bank.stats.dropped_lines.value(), 3u);
    EXPECT_GE(cycles, 3u);
}

/// A bank of another model: it answers each request after a fixed time.
struct OtherBank : sc_core::sc_module {
    test::MemoryTarget bytes;
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    OtherBank(sc_core::sc_module_name name, const Clock& clock)
        : sc_module(name), bytes("bytes", clock, 1) {}
};

TEST(L3, AnswersOfOtherBanksInOneCycleComeBackInTheOrderOfTheBanks) {
    test::TestEnvironment environment;
    Clock clock(1'000'000'000);
    test::MemoryTarget memory("memory", clock, 2);
    // Whoever is made first runs first in a cycle.
    OtherBank second("second", clock), first("first", clock);
    OtherBank* const banks[] = {&first, &second};
    unsigned made = 0;
    L3 l3("l3", environment.environment, clock, 1, 2, 1,
          [&](const char*, const BankSetup&) -> BankPorts {
              OtherBank& bank = *banks[made++];
              return {bank.bytes.mem_in[0], bank.mem_out, nullptr};
          });
    test::MemoryInitiator from("from", clock), control("control", clock),
        registers("registers", clock), snooper("snooper", clock);
    from.mem_out.bind(l3.mem_in[0]);
    control.mem_out.bind(l3.control_in);
    registers.mem_out.bind(l3.reg_in);
    snooper.mem_out.bind(l3.snoop_in);
    for (unsigned bank = 0; bank < 2; ++bank)
        l3.mem_out(bank).bind(memory.mem_in[bank]);
    // The line of bank 1 is asked for a cycle earlier and takes a cycle longer.
    second.bytes.latency = 101;
    auto* line1 = from.send(from.read(64), 100);
    auto* line0 = from.send(from.read(0), 101);
    sc_core::sc_start();
    ASSERT_EQ(from.ended.size(), 2u);
    EXPECT_EQ(from.ended[0].transaction, line0);
    EXPECT_EQ(from.ended[1].transaction, line1);
    // One line a cycle (L3-11).
    EXPECT_EQ(from.ended[0].cycle + 1, from.ended[1].cycle);
    EXPECT_TRUE(l3.idle());
    EXPECT_EQ(l3.in_flight(), 0u);
}

}  // namespace
}  // namespace gen9::l3
