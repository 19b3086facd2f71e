// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_channel.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <tuple>

namespace gen9::memory {
namespace {

/// A channel of DDR4-2400 whose ticks are picoseconds, so that times are those of the standard:
/// 833 ps a clock, 4 clocks a burst.
struct ChannelTest : testing::Test {
    static constexpr DramChannel::Tick kClock = 833, kFar = 1'000'000'000;
    const DramKind& kind = *DramKind::named("ddr4-2400");
    DramChannel channel{kind, 1.0, {32, 24, 8, kFar}, kFar};
    std::vector<DramChannel::Done> done;
    std::uint64_t last_id = 0;

    void put(bool write, unsigned bank, std::uint64_t row, DramChannel::Tick now,
             unsigned rank = 0) {
        channel.put(++last_id, write, {0, bank, bank & 3, row, rank}, now);
    }
    void run(DramChannel::Tick now) {
        while (!channel.empty()) {
            channel.step(now, done);
            now = std::max(now + 1, channel.next_step());
        }
    }
    DramChannel::Tick begin(std::uint64_t id) const {
        for (const auto& one : done)
            if (one.id == id) return one.begin;
        return 0;
    }
    static DramChannel::Tick clocks(unsigned count) { return count * kClock; }
};

constexpr DramChannel::Tick kNow = 1'000'000;

TEST_F(ChannelTest, AReadOfAClosedRowActivatesFirst) {
    put(false, 0, 1, kNow);
    run(kNow);
    EXPECT_EQ(begin(1), kNow + clocks(16 + 16));  // tRCD, RL
    EXPECT_EQ(channel.counts().row_misses, 1u);
}

TEST_F(ChannelTest, AReadOfAnOpenRowDoesNot) {
    put(false, 0, 1, kNow);
    run(kNow);
    put(false, 0, 1, 2 * kNow);
    run(2 * kNow);
    EXPECT_EQ(begin(2), 2 * kNow + clocks(16));
    EXPECT_EQ(channel.counts().row_hits, 1u);
}

TEST_F(ChannelTest, AReadOfAnotherRowPrechargesFirst) {
    put(false, 0, 1, kNow);
    run(kNow);
    put(false, 0, 2, 2 * kNow);
    run(2 * kNow);
    EXPECT_EQ(begin(2), 2 * kNow + clocks(16 + 16 + 16));  // tRP, tRCD, RL
    EXPECT_EQ(channel.counts().row_conflicts, 1u);
}

TEST_F(ChannelTest, RowsOfOneBankFollowEachOtherByTheRowCycle) {
    put(false, 0, 1, kNow);
    put(false, 0, 2, kNow);
    run(kNow);
    EXPECT_EQ(begin(2) - begin(1), clocks(39 + 16));  // tRAS, tRP
}

TEST_F(ChannelTest, BurstsOfDifferentGroupsFollowWithoutAGap) {
    for (unsigned i = 0; i < 4; ++i)
        put(false, i, 1, kNow);
    run(kNow);
    EXPECT_EQ(begin(2) - begin(1), clocks(4));  // tRRD_S and tCCD_S are 4
    EXPECT_EQ(begin(4) - begin(1), clocks(12));
}

TEST_F(ChannelTest, BurstsOfOneGroupHaveAGap) {
    put(false, 0, 1, kNow);
    put(false, 0, 1, kNow);
    run(kNow);
    EXPECT_EQ(begin(2) - begin(1), clocks(6));  // tCCD_L
}

TEST_F(ChannelTest, NoMoreThanFourActivationsInTheirWindow) {
    for (unsigned i = 0; i < 5; ++i)
        put(false, i, 1, kNow);
    run(kNow);
    EXPECT_EQ(begin(5) - begin(1), clocks(26));  // tFAW
}

TEST_F(ChannelTest, AnOpenRowGoesBeforeAnOlderRequestToAnotherOne) {
    put(false, 0, 1, kNow);
    run(kNow);
    put(false, 0, 2, 2 * kNow);
    put(false, 0, 1, 2 * kNow);
    run(2 * kNow);
    EXPECT_LT(begin(3), begin(2));
}

TEST_F(ChannelTest, WhoHasWaitedTooLongGoesFirst) {
    channel = DramChannel(kind, 1.0, {32, 24, 8, clocks(100)}, kFar);
    put(false, 0, 1, kNow);
    run(kNow);
    put(false, 0, 2, 2 * kNow);
    put(false, 0, 1, 2 * kNow);
    run(2 * kNow + clocks(101));
    EXPECT_LT(begin(2), begin(3));
}

// Rows of one bank that wait for each other: one request after the other would open a row for each.
TEST_F(ChannelTest, WhoHasWaitedTooLongDoesNotCloseARowThatWasOpenedLately) {
    channel = DramChannel(kind, 1.0, {32, 24, 8, clocks(100)}, kFar);
    for (unsigned i = 0; i < 32; ++i)
        put(false, 0, i % 2, kNow);
    run(kNow + clocks(1000));
    EXPECT_EQ(channel.counts().row_misses, 1u);
    EXPECT_EQ(channel.counts().row_conflicts, 1u);
    EXPECT_EQ(channel.counts().row_hits, 30u);
}

// 600 lines of one row take 3600 clocks.
TEST_F(ChannelTest, ARowThatIsOpenForLongIsClosedForWhoHasWaitedTooLong) {
    channel = DramChannel(kind, 1.0, {1024, 24, 8, clocks(100)}, kFar);
    put(false, 0, 1, kNow);
    put(false, 0, 2, kNow);
    for (unsigned i = 0; i < 600; ++i)
        put(false, 0, 1, kNow);
    run(kNow);
    EXPECT_LT(begin(2), kNow + clocks(400));
    EXPECT_LT(begin(2), done.back().begin);
}

TEST_F(ChannelTest, WritesWaitForReadsUnlessTheyAreMany) {
    for (unsigned i = 0; i < 23; ++i)
        put(true, i % 16, 1, kNow);
    put(false, 0, 1, kNow);
    run(kNow);
    EXPECT_EQ(done.front().write, false);
    done.clear();
    for (unsigned i = 0; i < 24; ++i)
        put(true, i % 16, 1, 2 * kNow);
    for (unsigned i = 0; i < 4; ++i)
        put(false, i, 1, 2 * kNow);
    run(2 * kNow);
    // 24 less 8 writes, the reads, the rest.
    for (unsigned i = 0; i < done.size(); ++i)
        EXPECT_EQ(done[i].write, i < 16 || i >= 20) << i;
}

TEST_F(ChannelTest, AReadAfterAWriteWaitsForTheTurn) {
    put(true, 0, 1, kNow);
    run(kNow);
    put(false, 0, 1, kNow + 1);
    run(kNow + 1);
    // End of the write's data, tWTR_L, RL.
    EXPECT_EQ(begin(2), begin(1) + clocks(4 + 9 + 16));
}

TEST_F(ChannelTest, RefreshClosesTheRowsForItsTime) {
    channel = DramChannel(kind, 1.0, {32, 24, 8, kFar}, kNow);
    put(false, 0, 1, kNow / 2);
    run(kNow / 2);
    put(false, 0, 1, kNow);
    run(kNow);
    EXPECT_EQ(begin(2), kNow + clocks(16 + 420 + 16 + 16));  // tRP, tRFC, tRCD, RL
    EXPECT_EQ(channel.counts().refreshes, 1u);
    // A long idle time has refreshes too, of which the last may be over.
    put(false, 0, 1, kNow + clocks(9360 * 3 + 1000));
    run(kNow + clocks(9360 * 3 + 1000));
    EXPECT_EQ(channel.counts().refreshes, 4u + 3u);  // of this rank and the other
    EXPECT_EQ(begin(3), kNow + clocks(9360 * 3 + 1000 + 16 + 16));
}

TEST_F(ChannelTest, DataOfTwoRanksHaveAGap) {
    put(false, 0, 1, kNow, 0);
    put(false, 1, 1, kNow, 1);
    run(kNow);
    EXPECT_EQ(begin(2) - begin(1), clocks(4 + 2));
}

TEST_F(ChannelTest, ActivationsOfARankDoNotCountInTheOthersWindow) {
    for (unsigned i = 0; i < 4; ++i)
        put(false, i, 1, kNow, 0);
    put(false, 4, 1, kNow, 1);
    run(kNow);
    EXPECT_EQ(begin(5) - begin(1), clocks(4 * 4 + 2));  // less than tFAW, 26
}

TEST_F(ChannelTest, ABankOfARankIsNoneOfTheOthers) {
    put(false, 0, 1, kNow, 0);
    put(false, 0, 2, kNow, 1);
    run(kNow);
    put(false, 0, 1, 2 * kNow, 0);
    put(false, 0, 2, 2 * kNow, 1);
    run(2 * kNow);
    EXPECT_EQ(channel.counts().row_misses, 2u);
    EXPECT_EQ(channel.counts().row_hits, 2u);
}

TEST_F(ChannelTest, AReadOfTheOtherRankDoesNotWaitForTheWritesTurn) {
    put(false, 0, 1, kNow, 1);
    put(true, 0, 1, kNow, 0);
    run(kNow);
    put(false, 0, 1, begin(2), 1);
    run(begin(2));
    EXPECT_EQ(begin(3), begin(2) + clocks(16));  // RL, as of an open row
}

TEST_F(ChannelTest, ARefreshIsOfOneRank) {
    channel = DramChannel(kind, 1.0, {32, 24, 8, kFar}, kNow);
    for (const unsigned rank : {0, 1})
        put(false, 0, 1, kNow / 2, rank);
    run(kNow / 2);
    put(false, 0, 1, kNow, 1);
    run(kNow);
    EXPECT_EQ(channel.counts().refreshes, 1u);
    EXPECT_EQ(begin(3), kNow + clocks(16));
    // Half an interval later it is the other's turn.
    put(false, 0, 1, kNow + clocks(9360 / 2), 1);
    run(kNow + clocks(9360 / 2));
    EXPECT_EQ(channel.counts().refreshes, 2u);
    EXPECT_EQ(begin(4), kNow + clocks(9360 / 2 + 16 + 420 + 16 + 16));  // tRP, tRFC, tRCD, RL
}

TEST(DramPlaces, EveryLineHasAPlaceOfItsOwn) {
    for (const DramKind& kind : DramKind::all()) {
        // Rows of 8 KB, of 4 KB if there are four channels: 128 or 64 lines share channel, bank and
        // row.
        std::map<std::tuple<unsigned, unsigned, std::uint64_t>, unsigned> lines;
        constexpr std::uint64_t kBytes = 8 << 20;
        for (std::uint64_t address = 0; address < kBytes; address += 64) {
            const auto place = place_of(address, kind);
            ASSERT_LT(place.bank, 1u << kind.bank_bits);
            ASSERT_LT(place.channel, kind.channels());
            ++lines[{place.channel, place.bank, place.row}];
        }
        for (const auto& [place, count] : lines)
            EXPECT_EQ(count, 256u / kind.channels()) << kind.name;
    }
}

TEST(DramPlaces, AStreamUsesChannelsAndGroupsInTurn) {
    const DramKind& kind = *DramKind::named("ddr4-2666");
    EXPECT_EQ(place_of(0, kind).channel, 0u);
    EXPECT_EQ(place_of(0x100, kind).channel, 1u);
    EXPECT_EQ(place_of(0x80, kind).group, 1u);
    EXPECT_EQ(place_of(0x4000, kind).group, 1u);
    // The bits of table 2 of DRAMA, each alone.
    for (const auto& [bit, bank, channel] : {std::array{14, 1, 0},
                                             {15, 2, 0},
                                             {16, 0, 0},
                                             {17, 4, 0},
                                             {18, 8, 1},
                                             {19, 2, 1},
                                             {21, 4, 0},
                                             {22, 8, 0},
                                             {9, 0, 1},
                                             {12, 0, 1},
                                             {13, 0, 1}}) {
        const auto place = place_of(std::uint64_t{1} << bit, kind);
        EXPECT_EQ(place.bank, static_cast<unsigned>(bank)) << bit;
        EXPECT_EQ(place.channel, static_cast<unsigned>(channel)) << bit;
        EXPECT_EQ(place.rank, bit == 16 ? 1u : 0u) << bit;
    }
    EXPECT_EQ(place_of(1 << 20, kind).rank, 1u);
    EXPECT_EQ(place_of(1 << 20 | 1 << 16, kind).rank, 0u);
}

TEST(DramPlaces, FourChannelsTakeLinesInTurn) {
    const DramKind& kind = *DramKind::named("lpddr4-2400");
    std::array<unsigned, 4> lines{};
    for (std::uint64_t address = 0; address < 4096; address += 64)
        ++lines[place_of(address, kind).channel];
    EXPECT_EQ(lines, (std::array<unsigned, 4>{16, 16, 16, 16}));
    EXPECT_NE(place_of(0, kind).channel, place_of(64, kind).channel);
}

TEST(DramKinds, RatesAreThoseOfTheirNames) {
    for (const DramKind& kind : DramKind::all()) {
        const double transfers =
            std::stod(std::string(kind.name).substr(std::string(kind.name).find('-') + 1));
        EXPECT_NEAR(2e6 / kind.clock_ps, transfers, transfers * 0.002) << kind.name;
        // Both standards: rows are refreshed within 8192 intervals of 7.8 or 3.9 us.
        const double interval = kind.refi * kind.clock_ps * 1e-6;
        EXPECT_NEAR(interval, kind.group_bits ? 7.8 : 3.9, 0.01) << kind.name;
    }
    EXPECT_EQ(DramKind::named("flat"), nullptr);
}

TEST(DramKinds, ALineTakesTheTimeThatTheWidthOfItsChannelNeeds) {
    for (const DramKind& kind : DramKind::all()) {
        const unsigned bytes_a_clock = 2 * (128 / 8) / kind.channels();  // 128 bits, both edges
        EXPECT_EQ(kind.burst() * bytes_a_clock, 64u) << kind.name;
        EXPECT_GE(kind.ccd_s, kind.burst()) << kind.name;
    }
}

// The standard's core timings are times, which a device rounds up to clocks; RL and WL are of the
// table of mode register 2.
TEST(DramKinds, ClocksOfLpddr4AreTheTimesOfTheStandard) {
    for (const auto& [name, mhz, read, write] :
         {std::tuple{"lpddr4-2400", 1200, 24u, 12u}, std::tuple{"lpddr4-3200", 1600, 28u, 14u}}) {
        const DramKind& kind = *DramKind::named(name);
        const auto clocks = [mhz = mhz](unsigned tenths_of_ns) {
            return (tenths_of_ns * static_cast<unsigned>(mhz) + 9999) / 10000;
        };
        EXPECT_EQ(kind.channels(), 4u);
        EXPECT_EQ(kind.bank_bits, 3u);
        EXPECT_EQ(kind.group_bits, 0u);
        EXPECT_EQ(kind.read, read) << name;
        EXPECT_EQ(kind.write, write) << name;
        EXPECT_EQ(kind.rcd, clocks(180)) << name;
        EXPECT_EQ(kind.rp, clocks(180)) << name;
        EXPECT_EQ(kind.ras, clocks(420)) << name;
        EXPECT_EQ(kind.rrd_s, clocks(100)) << name;
        EXPECT_EQ(kind.rrd_l, clocks(100)) << name;
        EXPECT_EQ(kind.faw, clocks(400)) << name;
        EXPECT_EQ(kind.ccd_s, 8u) << name;
        EXPECT_EQ(kind.ccd_l, 8u) << name;
        EXPECT_EQ(kind.rtp, std::max(8u, clocks(75))) << name;
        EXPECT_EQ(kind.wr, clocks(180)) << name;
        EXPECT_EQ(kind.wtr_s, std::max(8u, clocks(100))) << name;
        EXPECT_EQ(kind.wtr_l, std::max(8u, clocks(100))) << name;
        EXPECT_EQ(kind.refi, 3904u * static_cast<unsigned>(mhz) / 1000) << name;  // at most
        EXPECT_EQ(kind.rfc, clocks(1800)) << name;
    }
}

TEST(DramKinds, ARowOfLpddr4AnswersInItsTimes) {
    const DramKind& kind = *DramKind::named("lpddr4-2400");
    DramChannel channel(kind, 1.0, {32, 24, 8, 1'000'000'000}, 1'000'000'000);
    std::vector<DramChannel::Done> done;
    channel.put(1, false, {0, 0, 0, 1}, kNow);
    channel.put(2, false, {0, 0, 0, 1}, kNow);
    channel.step(kNow, done);
    ASSERT_EQ(done.size(), 2u);
    EXPECT_EQ(done[0].begin, kNow + (22 + 24) * 833);  // tRCD, RL
    EXPECT_EQ(done[1].begin, done[0].begin + 8 * 833);
    EXPECT_EQ(done[1].end, done[1].begin + 8 * 833);
}

}  // namespace
}  // namespace gen9::memory
