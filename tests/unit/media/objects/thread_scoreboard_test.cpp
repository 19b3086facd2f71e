// SPDX-License-Identifier: Apache-2.0
#include "media/objects/thread_scoreboard.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/covers.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

ScoreboardState state_of(const ScoreboardFields& fields) {
    PipelineCommand c = vfe_command(make_state());
    set_scoreboard(c, fields);
    return decode_scoreboard({c.dwords.data(), c.length_dwords});
}
ScoreboardRequest at(unsigned x, unsigned y, unsigned mask = 0xFF, unsigned color = 0) {
    return {true, std::uint16_t(x), std::uint16_t(y), std::uint8_t(color), std::uint8_t(mask)};
}

TEST(ThreadScoreboard, DeltasAreSignedNibblesXLow) {
    GEN9_COVERS("MED-31");
    // The CM runtime's wavefront 26X.
    const auto s = state_of(
        {.non_stalling = true, .mask = 0x7F, .deltas_low = 0xF1FF1F3F, .deltas_high = 0x87D1D0E0});
    EXPECT_TRUE(s.enable);
    EXPECT_TRUE(s.non_stalling);
    EXPECT_EQ(s.mask, 0x7F);
    const ScoreboardState::Delta expected[] = {{-1, 3}, {-1, 1}, {-1, -1}, {1, -1},
                                               {0, -2}, {0, -3}, {1, -3},  {7, -8}};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(s.deltas[i], expected[i]) << i;
}

TEST(ThreadScoreboard, AThreadWaitsWhileAPlaceItDependsOnIsMarked) {
    GEN9_COVERS("MED-30 MED-32");
    const auto s = state_of({.mask = 3, .deltas_low = 0xF00F});  // (-1, 0), (0, -1)
    ThreadScoreboard board;
    EXPECT_FALSE(board.must_wait(s, at(5, 5)));
    EXPECT_TRUE(board.mark(s, at(4, 5), 10));
    EXPECT_TRUE(board.mark(s, at(5, 4), 11));
    EXPECT_TRUE(board.must_wait(s, at(5, 5)));
    EXPECT_FALSE(board.must_wait(s, at(4, 4)));
    EXPECT_FALSE(board.must_wait(s, at(4, 5))) << "its own place is not asked for";
    board.clear(10);
    EXPECT_TRUE(board.must_wait(s, at(5, 5)));
    board.clear(11);
    EXPECT_FALSE(board.must_wait(s, at(5, 5)));
    EXPECT_EQ(board.marked(), 0u);
    board.clear(12);
}

TEST(ThreadScoreboard, AZeroDeltaHoldsAThreadToItsOwnPlace) {
    GEN9_COVERS("MED-32");
    const auto s = state_of({.mask = 1});
    ThreadScoreboard board;
    board.mark(s, at(1, 1), 3);
    EXPECT_TRUE(board.must_wait(s, at(1, 1)));
    EXPECT_FALSE(board.must_wait(s, at(1, 1, 0xFE)));
}

TEST(ThreadScoreboard, ADependencyCountsWhereThreadStateAndEnableAgree) {
    GEN9_COVERS("MED-31");
    // All eight to the left, by 1 to 8.
    const std::uint32_t low = 0x0C0D0E0F, high = 0x08090A0B;
    for (unsigned mask : {0x00u, 0xFFu, 0x0Fu, 0xA5u})
        for (unsigned thread_mask : {0x00u, 0xFFu, 0x3Cu})
            for (bool enable : {false, true})
                for (bool use : {false, true}) {
                    const auto s = state_of(
                        {.enable = enable, .mask = mask, .deltas_low = low, .deltas_high = high});
                    const auto marks = state_of({});
                    ThreadScoreboard board;
                    for (unsigned i = 0; i < 8; ++i)
                        board.mark(marks, at(99 - i, 7), 20 + i);
                    auto request = at(100, 7, thread_mask);
                    request.use = use;
                    const auto found = board.depends_on(s, request);
                    for (unsigned i = 0; i < 8; ++i) {
                        const bool on = enable && use && (mask & thread_mask) >> i & 1;
                        EXPECT_EQ(found[i], on ? 20 + i : ThreadScoreboard::kNone);
                    }
                    EXPECT_EQ(board.must_wait(s, request), enable && use && (mask & thread_mask));
                }
}

TEST(ThreadScoreboard, ThreadsThatDoNotUseItMarkNothing) {
    GEN9_COVERS("MED-31");
    const auto on = state_of({.mask = 1}), off = state_of({.enable = false, .mask = 1});
    ThreadScoreboard board;
    auto request = at(1, 1);
    EXPECT_TRUE(board.mark(off, request, 3));
    request.use = false;
    EXPECT_TRUE(board.mark(on, request, 4));
    EXPECT_EQ(board.marked(), 0u);
    EXPECT_FALSE(board.must_wait(on, at(1, 1)));
}

TEST(ThreadScoreboard, ANonStallingOneNamesTheThreadsInsteadOfWaiting) {
    GEN9_COVERS("MED-33");
    const auto s = state_of({.non_stalling = true, .mask = 7, .deltas_low = 0xF00F | 0xFF0000});
    ThreadScoreboard board;
    board.mark(s, at(4, 5), 17);
    board.mark(s, at(4, 4), 400);
    EXPECT_FALSE(board.must_wait(s, at(5, 5)));
    const auto found = board.depends_on(s, at(5, 5));
    EXPECT_EQ(found[0], 17);
    EXPECT_EQ(found[1], ThreadScoreboard::kNone);
    EXPECT_EQ(found[2], 400);
}

// 003:17793-17827, with B above (the seed prints it below): a progressive picture, and the first
// macroblock of a pair whose addresses are (x, 2y).
TEST(ThreadScoreboard, TheNeighboursOfAvcMacroblocksAreDependencies) {
    GEN9_COVERS("MED-35");
    using Delta = std::pair<int, int>;
    const std::vector<Delta> pictures[] = {
        {{-1, 0}, {0, -1}, {1, -1}, {-1, -1}},  // A, B, C, D
        {{-1, -2}, {0, -2}, {1, -2}, {-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {-1, 1}}};
    for (const auto& neighbours : pictures) {
        std::uint64_t deltas = 0;
        for (std::size_t i = 0; i < neighbours.size(); ++i)
            deltas |= std::uint64_t(unsigned(neighbours[i].first) & 15) << 8 * i |
                      std::uint64_t(unsigned(neighbours[i].second) & 15) << (8 * i + 4);
        const auto s = state_of({.mask = (1u << neighbours.size()) - 1,
                                 .deltas_low = std::uint32_t(deltas),
                                 .deltas_high = std::uint32_t(deltas >> 32)});
        for (int dx = -3; dx <= 3; ++dx)
            for (int dy = -3; dy <= 3; ++dy) {
                ThreadScoreboard board;
                board.mark(s, at(unsigned(20 + dx), unsigned(10 + dy)), 1);
                EXPECT_EQ(board.must_wait(s, at(20, 10)),
                          std::ranges::count(neighbours, Delta{dx, dy}) == 1)
                    << dx << " " << dy;
            }
    }
}

TEST(ThreadScoreboard, PlacesAre9BitsAndWrap) {
    GEN9_COVERS("MED-30");
    const auto s = state_of({.mask = 1, .deltas_low = 0xFF});  // (-1, -1)
    ThreadScoreboard board;
    board.mark(s, at(511, 511), 1);
    EXPECT_TRUE(board.must_wait(s, at(0, 0)));
    EXPECT_TRUE(board.must_wait(s, at(512, 1024)));
    for (unsigned bit = 1; bit < 512; bit *= 2) {
        EXPECT_FALSE(board.must_wait(s, at(bit, 0)));
        EXPECT_FALSE(board.must_wait(s, at(0, bit)));
    }
}

TEST(ThreadScoreboard, TheFirstOfTwoAtOnePlaceClearsItForBoth) {
    GEN9_COVERS("MED-32");
    const auto s = state_of({.mask = 1});
    ThreadScoreboard board;
    EXPECT_TRUE(board.mark(s, at(3, 3), 1));
    EXPECT_FALSE(board.mark(s, at(3, 3), 2)) << "aliasing, software's fault";
    board.clear(1);
    EXPECT_FALSE(board.must_wait(s, at(3, 3)));
    board.clear(2);
    EXPECT_EQ(board.marked(), 0u);
}

TEST(ThreadScoreboard, ColorsAreApart) {
    const auto s = state_of({.mask = 1});
    ThreadScoreboard board;
    EXPECT_TRUE(board.mark(s, at(3, 3, 1, 2), 1));
    EXPECT_TRUE(board.mark(s, at(3, 3, 1, 5), 2));
    EXPECT_TRUE(board.must_wait(s, at(3, 3, 1, 2)));
    EXPECT_FALSE(board.must_wait(s, at(3, 3, 1, 3)));
    board.clear(1);
    EXPECT_FALSE(board.must_wait(s, at(3, 3, 1, 2)));
    EXPECT_TRUE(board.must_wait(s, at(3, 3, 1, 5)));
}

// MEDIA_VFE_STATE by its bits: DW6 has enable, type and mask, DW7 and DW8 a byte for each delta.
TEST(ThreadScoreboard, RandomThreadsDependOnThosePlacedAtTheirDeltas) {
    GEN9_COVERS("MED-30 MED-31 MED-32 MED-33");
    using Place = std::tuple<unsigned, unsigned, unsigned>;
    std::mt19937 random(12);
    for (unsigned round = 0; round < 300; ++round) {
        PipelineCommand c = vfe_command(make_state());
        for (const unsigned word : {6u, 7u, 8u})
            c.dwords[word] = static_cast<std::uint32_t>(random());
        const ScoreboardState state = decode_scoreboard({c.dwords.data(), c.length_dwords});
        const bool on = c.dwords[6] >> 31, stalls = !(c.dwords[6] >> 30 & 1);
        ThreadScoreboard board;
        std::map<Place, unsigned> marked;
        std::map<unsigned, Place> places;  // by FFTID
        for (unsigned step = 0; step < 60; ++step) {
            const ScoreboardRequest asks{random() % 4 != 0, std::uint16_t(505 + random() % 14),
                                         std::uint16_t(random() % 6), std::uint8_t(random() % 3),
                                         std::uint8_t(random())};
            ThreadScoreboard::Dependencies expected;
            expected.fill(ThreadScoreboard::kNone);
            for (unsigned i = 0; on && asks.use && i < 8; ++i) {
                if (!(asks.mask & c.dwords[6] & 1u << i)) continue;
                const unsigned byte = c.dwords[7 + i / 4] >> 8 * (i % 4);
                const auto nibble = [](unsigned v) { return (v & 15) ^ (v & 8 ? ~15u : 0); };
                const auto entry = marked.find({(asks.x + nibble(byte)) % 512,
                                                (asks.y + nibble(byte >> 4)) % 512, asks.color});
                if (entry != marked.end()) expected[i] = std::uint16_t(entry->second);
            }
            ASSERT_EQ(board.depends_on(state, asks), expected);
            const bool any = std::ranges::any_of(
                expected, [](unsigned id) { return id != ThreadScoreboard::kNone; });
            ASSERT_EQ(board.must_wait(state, asks), stalls && any);
            // A thread begins, and perhaps one ends.
            const unsigned fftid = 5 * step;
            const Place place{asks.x % 512, asks.y, asks.color};
            const bool marks = on && asks.use, fresh = !marked.contains(place);
            ASSERT_EQ(board.mark(state, asks, fftid), !marks || fresh);
            if (marks) {
                marked[place] = fftid;
                places[fftid] = place;
            }
            if (const unsigned ends = 5 * (random() % (step + 1)); random() % 2) {
                board.clear(ends);
                if (places.contains(ends)) marked.erase(places[ends]);
                places.erase(ends);
            }
            ASSERT_EQ(board.marked(), marked.size());
        }
    }
}

}  // namespace
}  // namespace gen9::media::test
