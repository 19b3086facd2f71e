// SPDX-License-Identifier: Apache-2.0
// What a bank shows of its lookups and of its super queue.
#include "tests/support/signal_log.h"
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

struct Shown : Bench {
    test::SignalLog log;
    explicit Shown(unsigned clients)
        : Bench(Timing::Timed, clients, {}, 1), log(environment.environment.signals) {}
    std::uint64_t at(std::uint64_t cycle, const char* name) const {
        return log.value(std::string("l3.bank0.") + name, cycle);
    }
    Lookup found(std::uint64_t cycle, const char* port = "0") const {
        return static_cast<Lookup>(at(cycle, (std::string("lookup") + port).c_str()));
    }
    /// Reaches the bank in cycle `cycle`.
    MemoryTransaction* send(unsigned client, MemoryTransaction* t, std::uint64_t cycle) {
        return from[client]->send(t, cycle - l3.params.request_cycles);
    }
};

TEST(L3Signals, ALookupShowsWhatItFindsAndWhere) {
    Shown m(1);
    auto& from = *m.from[0];
    m.send(0, from.read(0x10040), 1000);          // set 1
    m.send(0, from.read(0x10048, 8), 1010);       // joins it
    m.send(0, from.read(0x10040), 2000);          // there by then
    m.send(0, from.write(0x20080, 64, 1), 3000);  // set 2
    auto* uncached = from.read(0x30000);
    uncached->attributes.uncached = true;
    m.send(0, uncached, 4000);
    m.run();
    EXPECT_EQ(m.found(999), Lookup::None);
    EXPECT_EQ(m.found(1000), Lookup::Miss);
    EXPECT_EQ(m.at(1000, "line0"), 0x10040u);
    EXPECT_EQ(m.at(1000, "set0"), 1u);
    EXPECT_EQ(m.at(1000, "misses"), 1u);
    EXPECT_EQ(m.found(1001), Lookup::None);
    EXPECT_EQ(m.at(1001, "misses"), 0u);
    EXPECT_EQ(m.found(1010), Lookup::Merge);
    for (const std::uint64_t cycle : {1000u, 1010u, 2000u, 3000u, 4000u}) {
        EXPECT_EQ(m.at(cycle, "busy"), 1u) << "a lookup takes the bank's cycle: " << cycle;
        EXPECT_EQ(m.at(cycle + 1, "busy"), 0u);
    }
    EXPECT_EQ(m.found(2000), Lookup::Hit);
    EXPECT_EQ(m.at(2000, "hits"), 1u);
    EXPECT_EQ(m.found(3000), Lookup::Place);
    EXPECT_EQ(m.at(3000, "set0"), 2u);
    EXPECT_EQ(m.at(3000, "line0"), 0x20080u);
    EXPECT_EQ(m.found(4000), Lookup::Bypass);
}

TEST(L3Signals, TwoLookupsOfACycleAreShownBeside) {
    Shown m(2);
    for (unsigned c = 0; c < 2; ++c)
        m.send(c, m.from[c]->read(0x10000 + c * 64), 1000);
    m.run();
    EXPECT_EQ(m.found(1000, "0"), Lookup::Miss);
    EXPECT_EQ(m.found(1000, "1"), Lookup::Miss);
    EXPECT_EQ(m.at(1000, "misses"), 2u);
    EXPECT_EQ(m.at(1000, "line0") + m.at(1000, "line1"), 0x20040u);
}

TEST(L3Signals, WaysAreThoseOfTheSet) {
    Shown m(1);
    for (unsigned i = 0; i < 3; ++i)
        m.send(0, m.from[0]->write(0x10000 + i * 32 * 64, 64, 1), 1000 + 10 * i);
    m.run();
    EXPECT_EQ(m.at(1000, "set0"), m.at(1020, "set0"));
    EXPECT_NE(m.at(1000, "way0"), m.at(1010, "way0"));
    EXPECT_NE(m.at(1010, "way0"), m.at(1020, "way0"));
}

TEST(L3Signals, TheSuperQueueShowsWhatMemoryHasBeenAskedForAndWhatAFlushHolds) {
    Shown m(1);
    m.send(0, m.from[0]->read(0x10000), 1000);
    m.send(0, m.from[0]->read(0x20040), 1010);
    m.run_to(1050);
    EXPECT_EQ(m.at(1005, "fetching"), 1u);
    EXPECT_EQ(m.at(1015, "fetching"), 2u);
    m.run_to(3000);
    EXPECT_EQ(m.at(2000, "fetching"), 0u);
    m.flush();
    m.send(0, m.from[0]->read(0x10000), 3030);
    m.run();
    EXPECT_EQ(m.at(3035, "held"), 1u);
    EXPECT_EQ(m.at(3300, "held"), 0u);
}

TEST(L3Signals, TheWordsOfActivityAddUpToTheCounters) {
    Shown m(3);
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned i = 0; i < 60; ++i)
            m.from[c]->send(i % 4 ? m.from[c]->read(i * 64 * (c + 1))
                                  : m.from[c]->atomic(i * 64, AtomicOp::Inc, 16, 0, 0));
    m.run_to(2000);
    m.flush();
    m.send(0, m.from[0]->read(0), 2030);
    m.run();
    m.run_to(4000);
    m.l3.settle();
    std::array<std::uint64_t, std::size(kBankActivityWords)> cycles{};
    std::uint64_t busy = 0;
    for (std::uint64_t cycle = 0; cycle < 4000; ++cycle) {
        ++cycles.at(m.at(cycle, "activity"));
        busy += m.at(cycle, "busy");
    }
    BankStats& stats = const_cast<BankStats&>(m.l3.bank_stats(0));
    for (unsigned stall = 0; stall < kStalls; ++stall)
        EXPECT_EQ(cycles[stall], stats.of(static_cast<Stall>(stall)).value())
            << kBankActivityWords[stall];
    EXPECT_EQ(cycles[kStalls], stats.busy_cycles.value());
    EXPECT_EQ(busy, stats.busy_cycles.value());
    for (const Stall stall : {Stall::AtomicUnit, Stall::Flush})
        EXPECT_GT(stats.of(stall).value(), 0u) << kBankActivityWords[static_cast<unsigned>(stall)];
}

TEST(L3Signals, QueuesShowWhoWaitsForWhichLinesAndWhatMemoryHasNotTaken) {
    Shown m(1);
    auto& from = *m.from[0];
    m.memory.stalled = true;
    m.send(0, from.read(0x10000), 1000);
    m.send(0, from.read(0x10008, 8), 1010);
    for (unsigned i = 1; i < 10; ++i)
        m.send(0, from.read(0x10000 + i * 64), 1010 + 10 * i);
    m.run_to(1500);
    EXPECT_EQ(m.at(1005, "waiting"), 1u);
    EXPECT_EQ(m.at(1005, "lines_in_flight"), 1u);
    EXPECT_EQ(m.at(1015, "waiting"), 2u);
    EXPECT_EQ(m.at(1015, "lines_in_flight"), 1u);
    EXPECT_EQ(m.at(1400, "waiting"), 11u);
    EXPECT_EQ(m.at(1400, "lines_in_flight"), 10u);
    // Of ten fetches memory has taken four and has been offered the fifth.
    EXPECT_EQ(m.at(1400, "to_memory"), 5u);
    m.memory.resume();
    m.run();
    m.run_to(3000);
    for (const char* name : {"waiting", "lines_in_flight", "to_memory"})
        EXPECT_EQ(m.at(2900, name), 0u) << name;
}

}  // namespace
}  // namespace gen9::l3
