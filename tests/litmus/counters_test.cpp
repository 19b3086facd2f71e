// SPDX-License-Identifier: Apache-2.0
// What MI_REPORT_PERF_COUNT counts on the whole machine: two reports bracket a walker.
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "tests/litmus/command_litmus.h"

namespace gen9::litmus {
namespace {

using namespace commands;

constexpr std::uint32_t kReports = 0x9000000, kVariables = 0x1000000;

constexpr std::uint32_t kOaControl = 0x2B00, kOaOn = 5 << 2 | 1;
/// EU_PERF_CNT_CTL0 to 6.
constexpr std::uint32_t kEuEvents[] = {0xE458, 0xE558, 0xE658, 0xE758, 0xE45C, 0xE55C, 0xE65C};

Words load(std::uint32_t offset, std::uint32_t value) {
    return {0x11000001, offset, value};
}

struct Difference {
    CommandMachine& machine;
    std::uint32_t operator()(unsigned dword) const {
        return machine.read(kReports + 256 + 4 * dword) - machine.read(kReports + 4 * dword);
    }
    std::uint32_t counter(unsigned n) const { return (*this)(4 + n); }
};

Words report(unsigned number) {
    return {0x14000002, kReports + 256 * number, 0, number};
}

TEST(PerformanceCounters, TwoReportsBracketTheWorkBetweenThem) {
    CommandMachine machine({});
    machine.load(0, Code().pause(5).add(kX, 1).add(kX, 1).add(kX, 1).write(kY, 1).fence());
    machine.start();
    Draw draw(1);
    const Words walker = machine.walker(0, {kVariables, kVariables + 64}, kVariables + 128);
    ASSERT_TRUE(machine.run(load(kOaControl, kOaOn) + load(kEuEvents[0], 0x5004) + report(0) +
                                walker + walker + pipe_control(kStall) + report(1),
                            false, draw))
        << machine.waiting();
    EXPECT_EQ(machine.read(kReports + 256), 1u) << "the second report's id";
    const Difference between{machine};
    EXPECT_EQ(between.counter(4), 2u) << "threads";
    EXPECT_EQ(between.counter(34), 6u) << "atomic messages";
    EXPECT_EQ(between.counter(35), 0u) << "barriers";
    EXPECT_GE(between.counter(32), 2u * 4) << "requests for lines, atomics among them";
    const std::uint32_t clocks = between(3);
    EXPECT_GE(clocks, 100u);
    EXPECT_LE(between.counter(0), clocks) << "the engine was not busy for longer than it took";
    EXPECT_GE(between.counter(0), clocks / 2);
    EXPECT_GE(between.counter(7), 2u * 8) << "cycles of EUs that worked";
    EXPECT_GE(between.counter(8), between.counter(7)) << "they waited for messages meanwhile";
    // The same time by the clocks of 12 MHz and 1.15 GHz.
    EXPECT_NEAR(between(1) * 1.0, clocks * 12e6 / 1.15e9, 2.0);
    EXPECT_EQ(machine.reporter().guest_errors(), 0u) << machine.trouble();
}

/// Events by their codes, and what statistics call them.
constexpr std::pair<unsigned, const char*> kEvents[] = {
    {0x060, "media.fpu0_cycles"}, {0x061, "media.fpu1_cycles"},   {0x062, "media.send_cycles"},
    {0x063, "media.fpus_cycles"}, {0x064, "media.active_cycles"}, {0x065, "media.stalled_cycles"},
    {0x000, "all.fpu0_cycles"},   {0x001, "all.fpu1_cycles"},     {0x002, "all.send_cycles"},
    {0x003, "all.fpus_cycles"},   {0x054, "ps.active_cycles"},    {0x015, "vs.stalled_cycles"}};

class EuEventsOfModes : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, EuEventsOfModes, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

// Threads of one stage alone: what is counted of the stage is what EUs count.
TEST_P(EuEventsOfModes, CountersCountWhatIsChosenAsStatisticsDo) {
    const bool timed = GetParam() == Timing::Timed;
    CommandMachine machine({}, GetParam());
    machine.load(0, Code().pause(5).add(kX, 1).add(kX, 1).write(kY, 1).fence());
    machine.start();
    Draw draw(1);
    const Words walker = machine.walker(0, {kVariables, kVariables + 64}, kVariables + 128);
    Words choose = load(kEuEvents[0], 0x5004);
    for (unsigned i = 0; i < 6; ++i)
        choose =
            choose + load(kEuEvents[1 + i], kEvents[2 * i + 1].first << 12 | kEvents[2 * i].first);
    ASSERT_TRUE(machine.run(choose + load(kOaControl, kOaOn) + report(0) + walker + walker +
                                pipe_control(kStall) + report(1),
                            false, draw))
        << machine.waiting();
    const Difference between{machine};
    const auto of = [](const char* name) { return std::string("gpu.eu_events.") + name; };
    for (unsigned i = 0; i < std::size(kEvents); ++i)
        EXPECT_EQ(between.counter(9 + i), machine.counted(of(kEvents[i].second)))
            << kEvents[i].second;
    const std::uint32_t active = between.counter(7), stalled = between.counter(8);
    EXPECT_GE(active, 2u * 7);
    EXPECT_EQ(between.counter(9 + 4), active);
    EXPECT_EQ(between.counter(9 + 5), stalled);
    EXPECT_EQ(machine.counted("gpu.eu_events.all.active_cycles"), active);
    EXPECT_EQ(machine.counted("gpu.eu_events.all.stalled_cycles"), stalled);
    EXPECT_EQ(between.counter(9 + 10), 0u);
    EXPECT_EQ(between.counter(9 + 11), 0u);
    EXPECT_EQ(stalled > 0, timed);
    // Each of the five messages and the end of a thread occupies the send unit.
    EXPECT_EQ(between.counter(9 + 2) >= 2u * 6, timed);
    EXPECT_EQ(between.counter(9) > 0, timed);
    // One thread at a time, whose last message occupies the send unit a cycle longer.
    EXPECT_EQ(machine.counted(of("media.thread_cycles")), timed ? active + stalled - 2 : 0u);
    EXPECT_EQ(machine.reporter().guest_errors(), 0u) << machine.trouble();
}

// Another choice changes what is counted from then on, and not what has been.
TEST(EuEvents, AnotherChoiceCountsFromThenOn) {
    CommandMachine machine({});
    machine.load(0, Code().add(kX, 1).add(kX, 1).fence());
    machine.start();
    Draw draw(1);
    const Words walker =
        machine.walker(0, {kVariables, kVariables + 64}, kVariables + 128) + pipe_control(kStall);
    ASSERT_TRUE(machine.run(load(kOaControl, kOaOn) + load(kEuEvents[0], 0x064) + walker +
                                report(0) + load(kEuEvents[0], 0x054) + report(1) + walker +
                                report(2) + load(kEuEvents[0], 0x064) + walker + report(3),
                            false, draw))
        << machine.waiting();
    const auto counter = [&](unsigned n) { return machine.read(kReports + 256 * n + 4 * (4 + 7)); };
    const auto active =
        static_cast<std::uint32_t>(machine.counted("gpu.eu_events.media.active_cycles"));
    EXPECT_GT(counter(0), 0u);
    EXPECT_EQ(counter(1), counter(0));
    EXPECT_EQ(counter(2), counter(0)) << "no pixel shader has run";
    EXPECT_GT(counter(3), counter(0));
    EXPECT_LT(counter(3), active) << "of three walkers, two";
    // Filters by rows of EUs, single EUs and kinds of instructions are not modelled.
    for (const std::uint32_t unknown : {0x074u, 0x704u, 0x104u, 0x006u}) {
        ASSERT_TRUE(
            machine.run(load(kEuEvents[0], unknown) + report(0) + walker + report(1), false, draw));
        EXPECT_EQ(counter(1), counter(0)) << std::hex << unknown;
    }
}

}  // namespace
}  // namespace gen9::litmus
