// SPDX-License-Identifier: Apache-2.0
// The clock domain's agenda: modules run in their cycles, with the kernel's time or ahead of it.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "interconnect/kernel/clock.h"

namespace gen9 {
namespace {

constexpr std::uint64_t kHz = 1'000'000'000;

/// A module that runs `count` times, `apart` cycles apart, and notes when by the clock and by the
/// kernel.
struct Ticker {
    explicit Ticker(const Clock& domain, unsigned count, unsigned apart = 1)
        : clock(domain), wakeup(domain), left(count), step(apart) {
        wakeup.runs<&Ticker::run>(this);
    }
    void run() {
        cycles.push_back(clock.now());
        kernel.push_back(sc_core::sc_time_stamp());
        if (also) also(clock.now());
        if (--left != 0) wakeup.at(clock.now() + step);
    }

    const Clock& clock;
    Wakeup wakeup;
    unsigned left;
    Cycles step;
    std::function<void(Cycles)> also;
    std::vector<Cycles> cycles;
    std::vector<sc_core::sc_time> kernel;
};

/// A process of the kernel that is no module of the clock domain, and notes when it last ran and
/// how often the module had by then.
struct Process {
    Process(sc_core::sc_event& event, const Ticker& ticker) {
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.dont_initialize();
        options.set_sensitivity(&event);
        handle = sc_core::sc_spawn(
            [this, &ticker] {
                when = sc_core::sc_time_stamp();
                cycle = ticker.clock.now();
                seen = ticker.cycles.size();
            },
            nullptr, &options);
    }
    sc_core::sc_process_handle handle;
    sc_core::sc_time when;
    Cycles cycle;
    std::size_t seen = 0;
};

class AgendaTime : public testing::Test {
  protected:
    void start(unsigned cycles) {
        sc_core::sc_start(clock.time(Cycles(cycles)), sc_core::SC_EXIT_ON_STARVATION);
    }
    sc_core::sc_time at(unsigned cycles) const { return begin + clock.time(Cycles(cycles)); }

    Clock clock{kHz};
    const Cycles first = clock.now();
    const sc_core::sc_time begin = sc_core::sc_time_stamp();
};

// Against plain division, at the edges of cycles above all.
TEST(ClockCycles, BeginAtTheNextEdge) {
    std::mt19937_64 random(1);
    for (const std::uint64_t hz :
         {1'000'000'000ull, 1'150'000'000ull, 333'333'333ull, 1'000'000'000'000ull}) {
        const Clock clock(hz);
        const std::uint64_t period = clock.period().value();
        const auto expect = [&](std::uint64_t ticks) {
            ASSERT_EQ(clock.cycles(sc_core::sc_time::from_value(ticks)).value,
                      ticks / period + (ticks % period != 0))
                << hz << " Hz, " << ticks;
        };
        for (unsigned i = 0; i < 20000; ++i) {
            const std::uint64_t edge = (random() >> (i % 50 + 14)) / period * period;
            expect(edge);
            expect(edge + 1);
            if (edge != 0) expect(edge - 1);
        }
    }
}

TEST_F(AgendaTime, IsTheKernelsUnlessMoreIsAllowed) {
    Ticker ticker(clock, 5);
    ticker.wakeup.at(first + Cycles(1));
    start(20);
    for (unsigned i = 0; i < 5; ++i) {
        EXPECT_EQ(ticker.cycles[i], first + Cycles(1 + i));
        EXPECT_EQ(ticker.kernel[i], at(1 + i));
    }
}

TEST_F(AgendaTime, RunsAheadWhileNothingElseIsPending) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker ticker(clock, 5);
    ticker.wakeup.at(first + Cycles(1));
    start(20);
    ASSERT_EQ(ticker.cycles.size(), 5u);
    for (unsigned i = 0; i < 5; ++i) {
        EXPECT_EQ(ticker.cycles[i], first + Cycles(1 + i));
        EXPECT_EQ(ticker.kernel[i], at(1));
    }
    // The kernel's time has come up, and goes no further.
    EXPECT_EQ(sc_core::sc_time_stamp(), at(5));
    EXPECT_EQ(clock.now(), first + Cycles(5));
}

TEST_F(AgendaTime, IsTheKernelsFromTheEndOn) {
    clock.agenda().run_ahead(first + Cycles(4));
    Ticker ticker(clock, 6);
    ticker.wakeup.at(first + Cycles(1));
    start(20);
    ASSERT_EQ(ticker.cycles.size(), 6u);
    EXPECT_EQ(ticker.kernel[2], at(1));
    EXPECT_EQ(ticker.kernel[3], at(4));
    EXPECT_EQ(ticker.kernel[4], at(5));
}

TEST_F(AgendaTime, IsTheKernelsWhereItStops) {
    Ticker ticker(clock, 30, 3);
    ticker.wakeup.at(first + Cycles(1));
    while (ticker.left != 0) {
        clock.agenda().run_ahead(clock.now() + Cycles(11));
        start(11);
        EXPECT_GE(clock.now(), ticker.cycles.back());
        EXPECT_EQ(sc_core::sc_time_stamp(), begin + clock.time(clock.now() - first));
    }
    for (unsigned i = 0; i < 30; ++i)
        EXPECT_EQ(ticker.cycles[i], first + Cycles(1 + 3 * i));
}

TEST_F(AgendaTime, ComesUpBeforeAnotherProcessRuns) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker ticker(clock, 10);
    sc_core::sc_event event;
    Process process(event, ticker);
    clock.agenda().knows(process.handle);
    ticker.wakeup.at(first + Cycles(1));
    event.notify(clock.period() * 5.5);
    start(20);
    EXPECT_EQ(process.seen, 5u);
    EXPECT_EQ(process.when, begin + clock.period() * 5.5);
    EXPECT_EQ(ticker.cycles.back(), first + Cycles(10));
}

TEST_F(AgendaTime, AnEventNotifiedAheadComesAtItsCycle) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker ticker(clock, 10);
    sc_core::sc_event event;
    Process process(event, ticker);
    clock.agenda().knows(process.handle);
    ticker.also = [&](Cycles now) {
        if (now == first + Cycles(3)) clock.notify(event, first + Cycles(6));
    };
    ticker.wakeup.at(first + Cycles(1));
    start(20);
    EXPECT_EQ(process.when, at(6));
    EXPECT_GE(process.seen, 5u);  // those of cycle 6 may run before it or behind it
    EXPECT_LE(process.seen, 6u);
}

TEST_F(AgendaTime, AWakeupOfAProcessComesAtItsCycle) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker ticker(clock, 10);
    Wakeup wakeup(clock);
    Process process(wakeup.event, ticker);
    clock.agenda().knows(process.handle);
    ticker.also = [&](Cycles now) {
        if (now == first + Cycles(2)) wakeup.at(first + Cycles(4));
    };
    ticker.wakeup.at(first + Cycles(1));
    start(20);
    EXPECT_EQ(process.when, at(4));
    EXPECT_EQ(process.cycle, first + Cycles(4));
}

TEST_F(AgendaTime, WhatIsAskedForInItsOwnCycleRunsInIt) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker early(clock, 2), late(clock, 1);
    // Ahead, the earlier module has run already when the later one asks for it.
    late.also = [&](Cycles now) { early.wakeup.at(now); };
    early.left = 3;
    early.also = [&](Cycles now) {
        if (now == first + Cycles(1)) late.wakeup.at(first + Cycles(2));
    };
    early.wakeup.at(first + Cycles(1));
    start(20);
    EXPECT_EQ(early.cycles, (std::vector{first + Cycles(1), first + Cycles(2), first + Cycles(2)}));
}

TEST_F(AgendaTime, IsTheKernelsBesideAStranger) {
    clock.agenda().run_ahead(first + Cycles(20));
    Ticker ticker(clock, 5);
    sc_core::sc_event event;
    Process stranger(event, ticker);
    ticker.wakeup.at(first + Cycles(1));
    // What a module's call into the stranger's does: an event that the clock does not know of.
    ticker.also = [&](Cycles) { event.notify(clock.period() * 1.5); };
    start(20);
    EXPECT_FALSE(clock.agenda().alone());
    ASSERT_EQ(ticker.cycles.size(), 5u);
    for (unsigned i = 0; i < 5; ++i) {
        EXPECT_EQ(ticker.cycles[i], first + Cycles(1 + i));
        EXPECT_EQ(ticker.kernel[i], at(1 + i));
    }
    EXPECT_EQ(stranger.when, begin + clock.period() * 6.5);
}

TEST_F(AgendaTime, ACyclesModulesRunAfterWhatStrangersDoAtItsBeginning) {
    Ticker ticker(clock, 1);
    unsigned deltas = 0;
    sc_core::sc_event event;
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event);
    sc_core::sc_spawn(
        [&] {
            if (++deltas < 5) event.notify(sc_core::SC_ZERO_TIME);
        },
        nullptr, &options);
    ticker.wakeup.at(first + Cycles(3));
    event.notify(clock.time(Cycles(3)));
    unsigned seen = 0;
    ticker.also = [&](Cycles) { seen = deltas; };
    start(20);
    EXPECT_EQ(seen, 5u);
}

TEST_F(AgendaTime, AModuleMayWaitBesideAStrangerAndTheOthersCatchUp) {
    Ticker slow(clock, 2, 2), other(clock, 10);
    sc_core::sc_event event;
    Process stranger(event, slow);
    slow.also = [&](Cycles now) {
        if (now == first + Cycles(2)) sc_core::wait(clock.period() * 5.5);
    };
    slow.wakeup.at(first + Cycles(2));
    other.wakeup.at(first + Cycles(1));
    start(30);
    ASSERT_EQ(other.cycles.size(), 10u);
    for (unsigned i = 0; i < 10; ++i)
        EXPECT_EQ(other.cycles[i], first + Cycles(1 + i));
    EXPECT_EQ(slow.cycles, (std::vector{first + Cycles(2), first + Cycles(4)}));
    // The cycles missed run at once; from the next on all is as usual.
    EXPECT_EQ(other.kernel[6], begin + clock.period() * 7.5);
    EXPECT_EQ(other.kernel[7], at(8));
}

}  // namespace
}  // namespace gen9
