// SPDX-License-Identifier: Apache-2.0
// A memory of channels and banks in the machine's place.
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {
using sc_core::sc_start;

/// Cycles until `lines` reads or writes of memory have ended, `stride` lines apart.
std::uint64_t cycles(Bench& bench, unsigned lines, std::uint64_t stride) {
    for (std::uint32_t page = 0; page < 4096; ++page)
        bench.gti.write_gtt(page, (0x1000000 + page * kPageBytes) | 1);
    for (unsigned line = 0; line < lines; ++line)
        bench.from[line % 4]->send(
            bench.global(bench.from[line % 4]->read(line * stride * 64 % 0x1000000)), 10);
    sc_start();
    std::uint64_t last = 0;
    for (auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    return last - 10;
}

TEST(Dram, AReadAloneTakesTheLatencyWhateverTheKind) {
    Bench bench(Timing::Timed, 1, {"dram.kind=ddr4-2400"});
    auto& from = *bench.from[0];
    from.send(bench.global(from.read(0x1000)), 100);
    sc_start();
    const auto& gti = bench.gti.params;
    // At 1 GHz the 64 bytes take 3.3 cycles.
    const std::uint64_t expected = gti.request_cycles + gti.return_cycles + gti.walk_read_cycles +
                                   bench.llc.params.hit_cycles + bench.dram.params.latency + 4;
    EXPECT_NEAR(static_cast<double>(from.ended[0].cycle - 100), static_cast<double>(expected), 1);
    EXPECT_EQ(bench.dram.stats.row_misses.value(), 1u);
}

TEST(Dram, AStreamComesNearThePeakAndStaysBelow) {
    Bench bench(Timing::Timed, 4, {"dram.kind=ddr4-2400"});
    const std::uint64_t time = cycles(bench, 8000, 1);
    const double rate = 8000 * 64.0 / static_cast<double>(time);  // peak: 38.4 bytes a cycle
    EXPECT_LT(rate, 38.4);
    EXPECT_GT(rate, 0.7 * 38.4);
    EXPECT_GT(bench.dram.stats.row_hits.value(), 7000u);
}

TEST(Dram, AStreamOverFourNarrowChannelsComesNearTheSamePeak) {
    Bench bench(Timing::Timed, 4, {"dram.kind=lpddr4-2400"});
    const std::uint64_t time = cycles(bench, 8000, 1);
    const double rate = 8000 * 64.0 / static_cast<double>(time);  // peak: 38.4 bytes a cycle
    EXPECT_LT(rate, 38.4);
    EXPECT_GT(rate, 0.7 * 38.4);
}

TEST(Dram, LinesOfDifferentRowsOfABankAreMuchSlower) {
    Bench bench(Timing::Timed, 4, {"dram.kind=ddr4-2400"});
    // Bits 19 and 15, 21 and 17, 22 and 18 cancel out, so that bank and channel stay.
    const std::uint64_t time = cycles(bench, 400, (1 << 16) / 64);
    EXPECT_GT(64 * 400.0 / static_cast<double>(time), 1);
    EXPECT_LT(64 * 400.0 / static_cast<double>(time), 0.7 * 38.4);
}

/// Row conflicts of 16 reads, one after the other, of two rows whose addresses differ in bit 20,
/// which is of the rank alone: a bank of each rank, or two rows of one bank.
std::uint64_t conflicts(const char* ranks) {
    Bench bench(Timing::Timed, 1, {"dram.kind=ddr4-2400", std::string("dram.ranks=") + ranks});
    for (std::uint32_t page = 0; page < 512; ++page)
        bench.gti.write_gtt(page, (0x1000000 + page * kPageBytes) | 1);
    auto& from = *bench.from[0];
    for (unsigned line = 0; line < 16; ++line)
        from.send(bench.global(from.read((line % 2 << 20) + line / 2 * 0x800)), 1000 * (line + 1));
    sc_start();
    const auto& stats = bench.dram.stats;
    EXPECT_EQ(stats.row_hits.value() + stats.row_misses.value() + stats.row_conflicts.value(), 16u);
    return stats.row_conflicts.value();
}

TEST(Dram, ModulesOfOneRankHaveTwoRowsOfThatRankInOneBank) {
    EXPECT_GT(conflicts("one"), 8u);
}

TEST(Dram, ModulesOfTwoRanksKeepARowOfEachOpen) {
    EXPECT_LT(conflicts("two"), 4u);
}

TEST(Dram, ModulesOfDdr4HaveTwoRanksUnlessTheParameterSaysOtherwise) {
    EXPECT_LT(conflicts("kind"), 4u);
}

TEST(Dram, WritesAreAnsweredOnArrivalAndAllAreDone) {
    Bench bench(Timing::Timed, 1, {"dram.kind=lpddr3-1867", "llc.size_kb=64", "llc.ways=1"});
    auto& from = *bench.from[0];
    for (unsigned line = 0; line < 2000; ++line)
        from.send(bench.global(from.write(line * 64, 64, static_cast<std::uint8_t>(line))), 10);
    sc_start();
    EXPECT_EQ(from.ended.size(), 2000u);
    EXPECT_EQ(bench.dram.stats.written_bytes.value(), (2000 - 1024) * 64u);
    EXPECT_EQ(bench.dram.stats.row_hits.value() + bench.dram.stats.row_misses.value() +
                  bench.dram.stats.row_conflicts.value(),
              2000u - 1024);
    EXPECT_EQ(bench.llc.in_flight(), 0u);
}

TEST(Dram, TransfersOfTwoChannelsAtATimeAreOneCycleOfItsAccount) {
    // 16-16-16 at 1200 MHz: data of a closed row come 26.7 cycles of 1 GHz after the request and
    // take 3.3, so cycles 27 to 29. The line of the other channel comes a cycle later.
    Bench bench(Timing::Timed, 1, {"dram.kind=ddr4-2400"});
    auto& from = *bench.from[0];
    from.send(bench.global(from.read(0x1000)), 10);
    from.send(bench.global(from.read(0x1100)), 10);
    sc_start(bench.clock.time(Cycles(2000)));
    bench.dram.settle();
    const auto& stats = bench.dram.stats;
    const auto& cycles = stats.cycles;
    EXPECT_EQ(stats.busy_cycles.value(), 6u);
    EXPECT_EQ(cycles[0].value(), 4u) << "transferring";
    EXPECT_EQ(cycles[1].value(), 27u) << "waiting for rows";
    EXPECT_EQ(cycles[2].value(), bench.dram.params.latency - 28) << "beyond the banks";
    EXPECT_EQ(cycles[3].value(), 2000u - 4 - 27 - cycles[2].value());
}

}  // namespace
}  // namespace gen9::memory
