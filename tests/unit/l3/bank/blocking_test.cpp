// SPDX-License-Identifier: Apache-2.0
// Blocking accesses in timed mode: when what they have had fetched is there for others.
#include "interconnect/kernel/blocking_access.h"
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace blocking_access {
namespace {

constexpr std::uint64_t kLine = 0x1000;

struct Machine : Bench {
    Machine() : Bench(Timing::Timed, 3) {}
    /// The cycles that a client's read of four bytes takes, asked for `after` cycles from now.
    std::uint64_t read(unsigned client, std::uint64_t address = kLine, std::uint64_t after = 0) {
        MemoryTransaction* t = from[client]->read(address, 4);
        sc_core::sc_time delay = clock.time(Cycles(after));
        from[client]->mem_out->b_transport(*t, delay);
        EXPECT_TRUE(t->is_response_ok());
        EXPECT_EQ(load<std::uint32_t>(t->data), word(address));
        t->release();
        return clock.cycles(delay).value - after;
    }
};

// Which of them the kernel runs first must not matter (docs/architecture.md).
TEST(L3Blocking, WhoAsksInTheCycleOfAFetchWaitsForTheLineAsWell) {
    Machine m;
    const std::uint64_t miss = m.hit_cycles() + m.memory.latency;
    EXPECT_EQ(m.read(0), miss);
    EXPECT_EQ(m.read(1), miss);
    EXPECT_EQ(m.read(2, kLine + 32), miss);
    m.run_to(1);
    EXPECT_EQ(m.read(1), m.hit_cycles());
}

TEST(L3Blocking, TwoWhoAskForTheSameLinesOneAfterTheOtherTakeTheSameTime) {
    Machine m;
    for (unsigned client = 0; client < 2; ++client) {
        sc_core::sc_time delay;
        std::uint8_t bytes[192];
        EXPECT_TRUE(read_blocking(m.from[client]->mem_out, m.from[client]->pool, kLine, bytes,
                                  sizeof bytes, {}, delay));
        EXPECT_EQ(m.clock.cycles(delay).value, 3 * (m.hit_cycles() + m.memory.latency));
    }
}

TEST(L3Blocking, WhoComesWhenTheLineIsThereDoesNotWait) {
    Machine m;
    const std::uint64_t wait = m.read(0) - m.hit_cycles();
    EXPECT_EQ(m.read(0, kLine, wait - 1), m.hit_cycles() + 1);
    EXPECT_EQ(m.read(0, kLine, wait), m.hit_cycles());
    // One after the other a client reads a line twice: it is fetched once.
    sc_core::sc_time delay;
    for (unsigned i = 0; i < 2; ++i) {
        std::uint32_t value = 0;
        EXPECT_TRUE(read_blocking(m.from[1]->mem_out, m.from[1]->pool, 0x8000, &value, sizeof value,
                                  {}, delay));
        EXPECT_EQ(value, m.word(0x8000));
    }
    EXPECT_EQ(m.clock.cycles(delay).value, 2 * m.hit_cycles() + m.memory.latency);
}

TEST(L3Blocking, ALineThatWasThereBeforeIsFetchedByNobody) {
    Machine m;
    m.from[0]->send(m.from[0]->read(kLine));
    m.run_to(1000);
    EXPECT_EQ(m.read(0), m.hit_cycles());
    EXPECT_EQ(m.read(1), m.hit_cycles());
}

}  // namespace
}  // namespace blocking_access
}  // namespace gen9::l3
