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

}  // namespace
}  // namespace gen9::l3
