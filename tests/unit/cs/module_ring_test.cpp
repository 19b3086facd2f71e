// SPDX-License-Identifier: Apache-2.0
// Rings without execlists, in time: how long the host waits for the head that it asked for.
#include "tests/support/covers.h"
#include "tests/unit/cs/module_bench.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint32_t kHead = 0x2034, kTail = 0x2030, kStart = 0x2038, kControl = 0x203C,
                        kPendingHead = 0x2134;
const Words kArbCheck = {0x02800000}, kStateFlush = {0x70040000, 0};

struct RingBench : StoppingBench {
    std::uint32_t tail = 0;
    explicit RingBench(sc_core::sc_module_name module_name) : StoppingBench(module_name) {
        serve();
        write(0x229C, 0x80000000);  // no execlists
        write(kStart, kRing);
        write(kHead, 0);
        write(kTail, 0);
        write(kControl, 0x3001);
    }
    void put(const Words& words) {
        ggtt.put(kRing + tail, words);
        tail += static_cast<std::uint32_t>(4 * words.size());
    }
    void ask() { write(kTail, tail); }
};

TEST(CommandStreamerRing, AHeadThatMovesIsAPreemptionSinceItWasAskedFor) {
    GEN9_COVERS("PRE-06");
    RingBench bench("bench");
    bench.put(kSelect + walker() + kStateFlush + kArbCheck);
    bench.ask();
    sc_core::sc_start(cycles(100'000));
    EXPECT_TRUE(bench.stops.empty());
    const sc_time asked = sc_core::sc_time_stamp();
    bench.write(kPendingHead, bench.tail | 1);
    // The tail moves behind it (003:17027), which asks for no head.
    sc_core::sc_start(bench.work_delay / 2);
    bench.put({0x11000001, kPendingHead, 0});
    bench.ask();
    sc_core::sc_start(cycles(100'000));
    EXPECT_EQ(bench.stops, std::vector<sc_time>{asked});
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.cs.stats.preemptions.value(), 1u);
    // The walker's last groups end first; then come the caches and the check.
    const std::uint64_t took = bench.cs.stats.preemption_cycles.value();
    EXPECT_GE(took, 1000u);
    EXPECT_LT(took, 1400u);
    EXPECT_EQ(bench.cs.stats.preemptions_10k.value(), 1u);
}

// Nor is a head that the stream itself sets one that the host waits for.
TEST(CommandStreamerRing, AHeadThatTheStreamMovesHasNobodyWait) {
    RingBench bench("bench");
    const std::uint32_t behind =
        4 * static_cast<std::uint32_t>(kStall.size() + 3 + kArbCheck.size());
    bench.put(Words{0x11000001, kPendingHead, behind | 1} + kStall + kArbCheck);
    bench.put({0x11000001, kPendingHead, 0});
    bench.ask();
    sc_core::sc_start(cycles(10));
    EXPECT_FALSE(bench.cs.idle());
    bench.put({0});
    bench.ask();
    sc_core::sc_start(cycles(100'000));
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.cs.stats.preemptions.value(), 1u);
    EXPECT_EQ(bench.cs.stats.preemption_cycles.value(), 0u);
    EXPECT_EQ(bench.cs.stats.preemptions_1k.value(), 0u);
}

}  // namespace
}  // namespace gen9
