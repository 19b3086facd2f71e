// SPDX-License-Identifier: Apache-2.0
// What MI_REPORT_PERF_COUNT counts on the whole machine: two reports bracket a walker.
#include <gtest/gtest.h>

#include <array>

#include "tests/litmus/command_litmus.h"

namespace gen9::litmus {
namespace {

using namespace commands;

constexpr std::uint32_t kReports = 0x9000000, kVariables = 0x1000000;

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
    ASSERT_TRUE(machine.run(Words{0x11000001, 0x2B00, 5 << 2 | 1} + report(0) + walker + walker +
                                pipe_control(kStall) + report(1),
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

}  // namespace
}  // namespace gen9::litmus
