// SPDX-License-Identifier: Apache-2.0
// What the streamer does by the clock beside its stream: watchdog, reports of the performance
// counters.
#include <gtest/gtest.h>

#include "tests/unit/cs/module_bench.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint64_t kFlag = 0x5000'0000;
/// Waits until the host sets the flag.
const Words kWait = {0x0E00C002, 1, low(kFlag), high(kFlag)};

TEST(StreamerTimers, TheWatchdogInterruptsInTheTickOfItsThreshold) {
    Bench bench("bench");
    bench.ppgtt.put<std::uint32_t>(kFlag, 0);
    bench.write(0x20A8, ~(1u << 6));
    std::vector<unsigned> bits;
    std::uint32_t count = 0;
    bench.cs.on_interrupt = [&](unsigned bit, const sc_time&) {
        bits.push_back(bit);
        count = bench.read(0x2190);
    };
    Words words = {0x11000003, 0x217C, 12, 0x2178, 0};
    append(words, kWait);
    bench.run_ring(words, cycles(20'000));
    EXPECT_EQ(bits, std::vector<unsigned>{6}) << "once";
    EXPECT_EQ(count, 12u) << "neither a tick early nor late";
    bench.ppgtt.put<std::uint32_t>(kFlag, 1);
    sc_core::sc_start(cycles(20'000));
    EXPECT_TRUE(bench.cs.idle());
}

TEST(StreamerTimers, TheWatchdogAlsoExpiresWhileTheStreamWaitsForWork) {
    Bench bench("bench");
    bench.work_delay = cycles(50'000);
    bench.write(0x20A8, ~(1u << 6));
    sc_time at;
    bench.cs.on_interrupt = [&](unsigned, const sc_time&) { at = sc_core::sc_time_stamp(); };
    Words words = {0x69040302, 0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    append(words, state_base_address());
    append(words, {0x70020002, 0, 0x20, 0x1240});
    append(words, {0x11000003, 0x217C, 24, 0x2178, 0});
    append(words, walker());
    append(words, {0x7A000004, 0x00100000, 0, 0, 0, 0});
    bench.run_ring(words);
    EXPECT_GT(at, cycles(2'000));
    EXPECT_LT(at, cycles(10'000));
    EXPECT_TRUE(bench.cs.idle());
}

TEST(StreamerTimers, CountersAreReportedEveryPeriodWhileTheContextRuns) {
    constexpr std::uint32_t kBuffer = 0x400000;
    Bench bench("bench");
    bench.ppgtt.put<std::uint32_t>(kFlag, 0);
    bench.ggtt.map(kBuffer, 0x20000);
    bench.write(0x2B14, kBuffer | 1);
    bench.write(0x2B0C, kBuffer);
    bench.write(0x2B10, kBuffer);
    bench.write(0x2B00, 5 << 2 | 1);
    bench.cs.on_performance = [](cs::PerformanceCounters& counters, const cs::EuEventControls&) {
        counters.a[4] = 77;
    };
    Words words = {0x11000001, 0x2360, 2 << 2 | 2};  // every eight ticks, 667 cycles
    append(words, kWait);
    bench.run_ring(words, cycles(10'000));
    const auto reports = [&] { return (bench.read(0x2B10) - kBuffer) / 256; };
    const std::uint32_t seen = reports();
    EXPECT_GE(seen, 1 + 12u);
    EXPECT_LE(seen, 1 + 15u);
    const auto dword = [&](std::uint32_t report, unsigned n) {
        return bench.ggtt.get<std::uint32_t>(kBuffer + 256 * report + 4 * n);
    };
    EXPECT_EQ(dword(0, 0), 1u << 22 | 1u << 16) << "the context was loaded";
    for (std::uint32_t n = 1; n < seen; ++n) {
        EXPECT_EQ(dword(n, 0), 1u << 19 | 1u << 16);
        EXPECT_EQ(dword(n, 8), 77u);
    }
    for (std::uint32_t n = 2; n < seen; ++n) {
        EXPECT_EQ(dword(n, 1) - dword(n - 1, 1), 8u);
        EXPECT_NEAR(dword(n, 3) - dword(n - 1, 3), 667, 1) << "clocks";
    }
    bench.ppgtt.put<std::uint32_t>(kFlag, 1);
    sc_core::sc_start(cycles(3'000));
    EXPECT_TRUE(bench.cs.idle());
    const std::uint32_t last = reports();
    sc_core::sc_start(cycles(10'000));
    EXPECT_EQ(reports(), last);
    EXPECT_FALSE(sc_core::sc_pending_activity());
}

}  // namespace
}  // namespace gen9
