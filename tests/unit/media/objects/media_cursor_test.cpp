// SPDX-License-Identifier: Apache-2.0
#include "media/objects/media_cursor.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "media/walk/walk_cursor.h"
#include "tests/support/covers.h"
#include "tests/unit/media/objects/media_commands.h"
#include "tests/unit/media/objects/plain_loops.h"

namespace gen9::media::test {
namespace {

using Places = std::vector<std::pair<int, int>>;

MediaWalkerParameters decode(const MediaWalkerFields& fields) {
    const auto c = media_walker_command(make_state(), fields);
    return decode_media_walker({c.dwords.data(), c.length_dwords});
}

std::vector<MediaPoint> walk(const MediaWalkerParameters& walker, unsigned segments = 1,
                             std::span<const std::uint8_t> mask = {}) {
    std::vector<MediaPoint> points;
    for (MediaCursor at(walker, segments, mask); !at.done() && points.size() < 200'000; at.next())
        points.push_back(at.at());
    return points;
}

Places places(const std::vector<MediaPoint>& points) {
    Places result;
    for (const MediaPoint& p : points)
        result.emplace_back(p.at.x, p.at.y);
    return result;
}

TEST(MediaCursor, ARasterGoesRowByRow) {
    GEN9_COVERS("MED-19");
    Places expected;
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
            expected.emplace_back(x, y);
    EXPECT_EQ(places(walk(decode(raster(4, 3)))), expected);
}

// 003:17885-17893: macroblocks of a VC-1 picture of five by six.
TEST(MediaCursor, ARasterOfMacroblocksIsNumberedRowByRow) {
    GEN9_COVERS("MED-37");
    const auto order = places(walk(decode(raster(5, 6))));
    ASSERT_EQ(order.size(), 30u);
    const std::pair<std::size_t, std::pair<int, int>> numbers[] = {
        {0, {0, 0}}, {4, {4, 0}}, {5, {0, 1}}, {13, {3, 2}}, {21, {1, 4}}, {29, {4, 5}}};
    for (const auto& [number, place] : numbers)
        EXPECT_EQ(order[number], place) << number;
}

// 003:17658-17662: blocks of four by three, walked in pixels or in blocks.
TEST(MediaCursor, AUnitIsWhatSoftwareTakesItFor) {
    MediaWalkerFields pixels = raster(64, 24), blocks = raster(16, 8);
    pixels.local_inner = {4, 0};
    pixels.local_outer = {0, 3};
    pixels.local_count = 7;
    Places scaled = places(walk(decode(blocks)));
    ASSERT_EQ(scaled.size(), 128u);
    for (auto& [x, y] : scaled)
        x *= 4, y *= 3;
    EXPECT_EQ(places(walk(decode(pixels))), scaled);
}

// 003:17670-17674: the row, column, skip, 45 degree, checkerboard and 26.5 degree patterns of an
// 8x8 block, by outer and inner vector.
TEST(MediaCursor, TheNinePrimitivePatternsFollowTheirVectors) {
    GEN9_COVERS("MED-19");
    struct Pattern {
        WalkVector outer, inner;
        Places begin;
        std::size_t threads;
    };
    const Pattern patterns[] = {
        {{0, 1}, {1, 0}, {{0, 0}, {1, 0}, {2, 0}}, 64},
        {{0, 1}, {2, 0}, {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {0, 1}}, 32},
        {{0, 2}, {1, 0}, {{0, 0}, {1, 0}}, 32},
        {{1, 0}, {0, 1}, {{0, 0}, {0, 1}, {0, 2}}, 64},
        {{1, 0}, {0, 2}, {{0, 0}, {0, 2}, {0, 4}, {0, 6}, {1, 0}}, 32},
        {{2, 0}, {0, 1}, {{0, 0}, {0, 1}}, 32},
        {{1, 0}, {-1, 1}, {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}}, 64},
        {{2, 0}, {-1, 1}, {{0, 0}, {2, 0}, {1, 1}, {0, 2}, {4, 0}}, 32},
        {{1, 0}, {-2, 1}, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {3, 0}, {1, 1}, {4, 0}}, 64},
    };
    for (const Pattern& pattern : patterns) {
        MediaWalkerFields f = raster(8, 8);
        f.local_count = 100;
        f.local_outer = pattern.outer;
        f.local_inner = pattern.inner;
        const Places at = places(walk(decode(f)));
        EXPECT_EQ(at.size(), pattern.threads);
        ASSERT_GE(at.size(), pattern.begin.size());
        EXPECT_EQ(Places(at.begin(), at.begin() + long(pattern.begin.size())), pattern.begin);
    }
}

TEST(MediaCursor, TheMiddleLoopRepeatsTheInnerLoopShifted) {
    GEN9_COVERS("MED-16 MED-20");
    MediaWalkerFields f = raster(4, 4);
    f.local_count = 7;
    f.local_outer = {1, 0};
    f.local_inner = {-2, 2};
    f.middle = {0, 1};
    f.extra_steps = 1;
    // Top macroblocks of the pairs of a wavefront, then the bottom ones.
    const Places expected{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {0, 2}, {2, 1}, {0, 3},
                          {3, 0}, {1, 2}, {3, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 2}, {3, 3}};
    EXPECT_EQ(places(walk(decode(f))), expected);
}

// 003:17695: blocks of 8x8 in 20x20.
TEST(MediaCursor, TheSlackAtTheEdgesIsWalkedInSmallerBlocks) {
    GEN9_COVERS("MED-21");
    MediaWalkerFields f = raster(8, 8);
    f.global = {20, 20};
    f.global_count = 2;
    f.global_outer = {0, 8};
    f.global_inner = {8, 0};
    Places at = places(walk(decode(f)));
    EXPECT_EQ(at.size(), 400u);
    EXPECT_EQ(std::set(at.begin(), at.end()).size(), 400u);
    EXPECT_EQ(at[64], std::pair(8, 0));
    EXPECT_EQ(at[132], std::pair(16, 1)) << "the block at the right is 4 wide";
    // The same in the reverse order; the slack stays right and below.
    f.global_start = {16, 16};
    f.global_outer = {0, -8};
    f.global_inner = {-8, 0};
    at = places(walk(decode(f)));
    EXPECT_EQ(std::set(at.begin(), at.end()).size(), 400u);
    EXPECT_EQ(at[0], std::pair(16, 16));
    EXPECT_EQ(at[4], std::pair(16, 17)) << "the corner block is 4 wide";
    EXPECT_EQ(at[16], std::pair(8, 16)) << "and 4 high";
    // From (12, 12) it falls left and above.
    f.global_start = {12, 12};
    at = places(walk(decode(f)));
    EXPECT_EQ(at.size(), 400u);
    EXPECT_EQ(std::set(at.begin(), at.end()).size(), 400u);
    EXPECT_EQ(at[0], std::pair(12, 12));
    EXPECT_EQ(at[128], std::pair(0, 12));
    EXPECT_EQ(at[132], std::pair(0, 13)) << "the block at the left is 4 wide";
}

TEST(MediaCursor, ColorsRunFastestAtOnePlace) {
    GEN9_COVERS("MED-15 MED-23");
    MediaWalkerFields f = raster(2, 1);
    f.colors = 3;
    const auto points = walk(decode(f));
    ASSERT_EQ(points.size(), 6u);
    for (unsigned i = 0; i < 6; ++i) {
        EXPECT_EQ(points[i].counts.color, i % 3);
        EXPECT_EQ(points[i].at.x, int(i / 3));
        EXPECT_EQ(points[i].counts.inner_local, i / 3);
    }
}

TEST(MediaCursor, EqualsTheLoopsWrittenOutPlainly) {
    GEN9_COVERS("MED-15 MED-16 MED-20 MED-21 MED-22 MED-23 MED-24 MED-27 MED-53");
    std::mt19937 random(20);
    const auto in = [&](int low, int high) {
        return low + int(random() % unsigned(high - low + 1));
    };
    unsigned with_threads = 0;
    for (unsigned round = 0; round < 4000; ++round) {
        MediaWalkerFields f;
        f.colors = unsigned(in(1, 3));
        f.extra_steps = unsigned(in(0, 2));
        f.middle = {in(-2, 1), in(-2, 1)};
        f.local_count = unsigned(in(0, 9));
        f.global_count = unsigned(in(0, 5));
        f.block = {in(0, 3) * 3, in(0, 3) * 3};
        f.global = {in(0, 24), in(0, 24)};
        f.local_start = {in(0, 5), in(0, 5)};
        f.global_start = {in(-8, 16), in(-8, 16)};
        f.loop_select = unsigned(in(0, 5));
        for (WalkVector* v : {&f.local_outer, &f.local_inner})
            *v = {in(-3, 3), in(-3, 3)};
        for (WalkVector* v : {&f.global_outer, &f.global_inner})
            *v = {in(-9, 9), in(-9, 9)};
        const auto c = media_walker_command(make_state(), f);
        const unsigned segments = unsigned(in(1, 4));
        const auto expected =
            plain_walk(plain_loops_of({c.dwords.data(), c.length_dwords}), segments);
        SCOPED_TRACE("round " + std::to_string(round));
        std::size_t n = 0;
        for (MediaCursor at(decode(f), segments, {}); !at.done(); at.next(), ++n) {
            ASSERT_LT(n, expected.size());
            const PlainPoint& p = expected[n];
            ASSERT_EQ(at.at().at, (WalkVector{p.at.x, p.at.y})) << n;
            const LoopCounts& k = at.at().counts;
            ASSERT_EQ((std::array<unsigned, 6>{k.color, k.inner_local, k.mid_local, k.outer_local,
                                               k.inner_global, k.outer_global}),
                      p.counts)
                << n;
            ASSERT_EQ(at.at().segment, p.segment) << n;
            const std::uint64_t id = plain_group_id(p, f.loop_select);
            ASSERT_EQ(group_id(k, f.loop_select),
                      (MediaGroupId{std::uint32_t(id), std::uint16_t(id >> 32)}));
            ASSERT_EQ(at.last(), n + 1 == expected.size());
            std::size_t end = n + 1;
            while (f.loop_select != 0 && end < expected.size() &&
                   plain_same_group(p, expected[end], f.loop_select))
                ++end;
            ASSERT_EQ(at.last_of_group(), end == n + 1);
            if (n % 7 == 0) {
                ASSERT_EQ(at.group_threads(20), std::min<std::size_t>(20, end - n));
            }
        }
        ASSERT_EQ(n, expected.size());
        with_threads += n != 0;
    }
    EXPECT_GT(with_threads, 1000u);
}

/// Walkers as the CM runtime writes them for a space of 4x8 (DWords 5 to 16), and what each place
/// depends on in such a pattern (the zigzag: in its block of 2x2, and block by block). Public:
/// libigfxcmrt7 with the iHD driver 23.1.1.
struct CmPattern {
    const char* name;
    std::uint32_t dw5, dw6, dw7, dw8, dw9, dw11, dw12, dw15, dw16;
    std::vector<WalkVector> depends;
};
const CmPattern kCmPatterns[] = {
    {"horizontal", 1, 0, 0x00010007, 0x00080004, 0, 0x00010000, 1, 4, 0x00080000, {{0, -1}}},
    {"wavefront 45",
     7,
     0,
     0x0001000A,
     0x00080004,
     0,
     1,
     0x00010FFF,
     4,
     0x00080000,
     {{-1, 0}, {-1, -1}, {0, -1}}},
    {"wavefront 26",
     15,
     0,
     0x00010011,
     0x00080004,
     0,
     1,
     0x00010FFE,
     4,
     0x00080000,
     {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}},
    {"vertical", 1, 0, 0x00010003, 0x00080004, 0, 1, 0x00010000, 4, 0x00080000, {{-1, 0}}},
    {"wavefront 26X",
     0x7F,
     0x00011000,
     0x000007FF,
     0x00080004,
     0,
     1,
     0x00020FFE,
     4,
     0x00080000,
     {}},
    {"wavefront 26ZIG",
     0x1F,
     0,
     0x00070001,
     0x00020002,
     0,
     0x00010000,
     1,
     2,
     0x00020FFC,
     {{-1, 0}, {-1, -1}, {0, -1}, {-2, 0}, {2, -2}}},
};

TEST(MediaCursor, PatternsOfTheCmRuntimeVisitEachPlaceOnceAfterWhatItDependsOn) {
    GEN9_COVERS("MED-16 MED-21 MED-27");
    for (const CmPattern& pattern : kCmPatterns) {
        PipelineCommand c = make_command(0x7103000F, 17, make_state());
        c.dwords[5] = pattern.dw5;
        c.dwords[6] = pattern.dw6;
        c.dwords[7] = pattern.dw7;
        c.dwords[8] = pattern.dw8;
        c.dwords[9] = pattern.dw9;
        c.dwords[11] = pattern.dw11;
        c.dwords[12] = pattern.dw12;
        c.dwords[13] = 0x00080004;
        c.dwords[15] = pattern.dw15;
        c.dwords[16] = pattern.dw16;
        const auto w = decode_media_walker({c.dwords.data(), c.length_dwords});
        for (unsigned segments : {1u, 3u}) {
            const Places at = places(walk(w, segments));
            EXPECT_EQ(at.size(), 32u) << pattern.name;
            std::map<std::pair<int, int>, std::size_t> order;
            for (std::size_t i = 0; i < at.size(); ++i)
                order.emplace(at[i], i);
            EXPECT_EQ(order.size(), 32u) << pattern.name;
            for (const auto& [place, when] : order)
                for (const WalkVector d : pattern.depends) {
                    const auto other = order.find({place.first + d.x, place.second + d.y});
                    if (other == order.end()) continue;
                    EXPECT_LT(other->second, when)
                        << pattern.name << ": (" << place.first << ", " << place.second << ")";
                }
        }
    }
}

TEST(MediaCursor, GroupIdsConcatenateTheCountsAboveTheSelectedLoop) {
    GEN9_COVERS("MED-24 MED-53");
    const LoopCounts c{.color = 9,
                       .inner_local = 0x2A5,
                       .mid_local = 0x13,
                       .outer_local = 0x31C,
                       .inner_global = 0x3B6,
                       .outer_global = 0x259};
    const unsigned il = c.inner_local, ml = c.mid_local, ol = c.outer_local, ig = c.inner_global,
                   og = c.outer_global;
    // 003:18099-18117, as printed.
    EXPECT_EQ(group_id(c, 0), (MediaGroupId{0, 0}));
    EXPECT_EQ(group_id(c, 1).low, (ig & 0x7F) << 25 | ol << 15 | ml << 10 | il);
    EXPECT_EQ(group_id(c, 1).high, og << 3 | ig >> 7);
    EXPECT_EQ(group_id(c, 2).low, (og & 0x7F) << 25 | ig << 15 | ol << 5 | ml);
    EXPECT_EQ(group_id(c, 2).high, og >> 7);
    EXPECT_EQ(group_id(c, 3).low, og << 20 | ig << 10 | ol);
    EXPECT_EQ(group_id(c, 3).high, 0);
    EXPECT_EQ(group_id(c, 4).low, og << 10 | ig);
    EXPECT_EQ(group_id(c, 5).low, og);
    EXPECT_EQ(group_id({.inner_local = 3,
                        .mid_local = 1,
                        .outer_local = 2,
                        .inner_global = 5,
                        .outer_global = 1},
                       4)
                  .low,
              (1u << 10) + 5u);
}

TEST(MediaCursor, AGroupIsWhatTheLoopsBelowItsIdGoThrough) {
    GEN9_COVERS("MED-24");
    MediaWalkerFields f = raster(4, 6);
    f.colors = 2;
    f.middle = {0, 1};
    f.extra_steps = 1;
    f.local_outer = {0, 2};
    f.local_count = 2;
    f.global = {8, 6};
    f.global_outer = {0, 6};
    f.global_inner = {4, 0};
    const unsigned expected[] = {0, 2, 2 * 4, 2 * 4 * 2, 2 * 4 * 2 * 3, 2 * 4 * 2 * 3 * 2};
    for (unsigned select = 1; select <= 5; ++select) {
        f.loop_select = select;
        MediaCursor at(decode(f), 1, {});
        EXPECT_EQ(at.group_threads(1000), expected[select]);
        EXPECT_EQ(at.group_threads(3), std::min(3u, expected[select]));
        unsigned groups = 0, in_group = 0;
        MediaGroupId id = group_id(at.at().counts, select);
        for (; !at.done(); at.next()) {
            EXPECT_EQ(group_id(at.at().counts, select), id);
            ++in_group;
            if (!at.last_of_group()) continue;
            EXPECT_EQ(in_group, expected[select]);
            in_group = 0;
            ++groups;
            MediaCursor after = at;
            after.next();
            if (after.done()) continue;
            EXPECT_NE(group_id(after.at().counts, select), id);
            id = group_id(after.at().counts, select);
        }
        EXPECT_EQ(groups * expected[select], 96u);
    }
    f.loop_select = 0;
    EXPECT_EQ(MediaCursor(decode(f), 1, {}).group_threads(1000), 1u) << "no groups: each alone";
}

TEST(MediaCursor, LinesAreDealtOutOneThreadOfEachSegmentInTurn) {
    GEN9_COVERS("MED-27");
    const auto w = decode(raster(7, 2));
    const auto points = walk(w, 3);
    ASSERT_EQ(points.size(), 14u);
    // Segments of 3, 3 and 1.
    const Places line{{0, 0}, {3, 0}, {6, 0}, {1, 0}, {4, 0}, {2, 0}, {5, 0}};
    const unsigned segments[] = {0, 1, 2, 0, 1, 0, 1};
    for (unsigned i = 0; i < 14; ++i) {
        EXPECT_EQ(points[i].at, (WalkVector{line[i % 7].first, int(i / 7)}));
        EXPECT_EQ(points[i].segment, segments[i % 7]);
        EXPECT_EQ(points[i].counts.inner_local, points[i].at.x);
    }
}

TEST(MediaCursor, TheMaskDropsThreadsWhoseBitIsClear) {
    GEN9_COVERS("MED-28");
    for (unsigned code : {1u, 2u, 3u}) {
        MediaWalkerFields f = raster(100, 3);
        f.masked = code;
        const unsigned pitch = 64u << code;
        std::vector<std::uint8_t> mask(pitch / 8 * 3);
        const Places wanted{{0, 0}, {99, 0}, {7, 1}, {8, 1}, {63, 2}, {64, 2}};
        for (const auto& [x, y] : wanted)
            mask[(unsigned(y) * pitch + unsigned(x)) / 8] |= std::uint8_t(1u << (x % 8));
        EXPECT_EQ(places(walk(decode(f), 1, mask)), wanted);
        mask.assign(mask.size(), 0);
        EXPECT_TRUE(walk(decode(f), 1, mask).empty());
        // Bits that the CURBE does not hold are clear.
        const std::vector<std::uint8_t> row(pitch / 8, 0xFF);
        EXPECT_EQ(walk(decode(f), 1, row).size(), 100u);
    }
}

TEST(WalkCursor, AMaskedWalkIsInSequenceWhereOthersAreDealtOut) {
    GEN9_COVERS("MED-29");
    for (const bool masked : {false, true}) {
        auto f = raster(12, 2);
        f.masked = masked;
        Walk walk;
        walk.state = make_state();
        const auto c = media_walker_command(walk.state, f);
        walk.media = decode_media_object(MediaCommand::ObjectWalker, {c.dwords.data(), 17});
        walk.media_walker = decode_media_walker({c.dwords.data(), 17});
        if (masked) walk.dispatch_mask.assign(2 * 128 / 8, 0xFF);
        WalkCursor cursor(walk, 3, 0);
        EXPECT_EQ(cursor.dealt_out(), !masked);
        for (int i = 0; i < 24; ++i, cursor.next()) {
            ASSERT_FALSE(cursor.done());
            const int n = i % 12, x = masked ? n : n / 3 + n % 3 * 4;
            ThreadFacts facts;
            cursor.describe(facts);
            EXPECT_EQ(facts.at, (WalkVector{x, i / 12})) << "thread " << i;
        }
        EXPECT_TRUE(cursor.done());
    }
}

TEST(MediaCursor, AWalkThatPassesOverEverythingIsGivenUp) {
    MediaWalkerFields f;
    f.block = {2, 2};
    f.global = {2047, 2047};
    f.global_count = 4095;
    f.local_count = 4095;
    f.extra_steps = 31;
    // Every second position of a diagonal, beside the block's corner.
    f.local_start = {3, 4};
    f.local_outer = {-2, -2};
    f.local_inner = {2, 2};
    MediaCursor at(decode(f), 1, {});
    EXPECT_TRUE(at.done());
    EXPECT_TRUE(at.given_up());
    f = raster(400, 2000);
    f.masked = 3;
    f.local_outer = {0, 0};
    f.local_count = 4095;
    f.extra_steps = 31;
    MediaCursor masked(decode(f), 1, {});
    EXPECT_TRUE(masked.done());
    EXPECT_TRUE(masked.given_up());
    EXPECT_FALSE(MediaCursor(decode(raster(4, 4)), 1, {}).given_up());
}

TEST(MediaWalker, ReservedLoopSelectsAndRowsLongerThanTheMasksAreRefused) {
    MediaWalkerFields f = raster(4, 4);
    for (unsigned select = 0; select < 8; ++select) {
        f.loop_select = select;
        EXPECT_EQ(check(decode(f)).has_value(), select > 5) << select;
    }
    for (unsigned code : {1u, 2u, 3u}) {
        f = raster(int(64u << code), 1);
        f.masked = code;
        EXPECT_FALSE(check(decode(f)));
        ++f.global.x;
        EXPECT_TRUE(check(decode(f)));
        f.masked = 0;
        EXPECT_FALSE(check(decode(f)));
    }
}

TEST(MediaWalker, AnyCommandIsWalkedToAnEnd) {
    std::mt19937 random(7);
    const auto state = make_state();
    for (unsigned round = 0; round < 100; ++round) {
        PipelineCommand c = make_command(0x7103000F, 17, state);
        for (unsigned i = 1; i < 17; ++i)
            c.dwords[i] = std::uint32_t(random()) & (random() % 2 ? 0x000F000F : 0xFFFFFFFF);
        const auto w = decode_media_walker({c.dwords.data(), c.length_dwords});
        unsigned threads = 0;
        for (MediaCursor at(w, 3, {}); !at.done() && threads < 20'000; at.next()) {
            ++threads;
            ASSERT_GE(at.at().at.x, 0);
            ASSERT_GE(at.at().at.y, 0);
            ASSERT_LT(at.at().at.x, w.global.x);
            ASSERT_LT(at.at().at.y, w.global.y);
        }
    }
}

// However often its loops are executed: there is no place in it to pass over.
TEST(MediaCursor, AWalkOfNothingEndsAndIsNotGivenUp) {
    MediaWalkerFields f = raster(2047, 2047);
    f.local_count = f.global_count = 1023;
    f.global_start = {-2046, -2046};
    f.global_inner = {1, 1};
    f.global_outer = f.local_outer = {};
    f.local_inner = {1, 0};
    for (int* const zero : {&f.block.x, &f.block.y, &f.global.x, &f.global.y}) {
        const int size = std::exchange(*zero, 0);
        const MediaCursor cursor(decode(f), 1, {});
        EXPECT_TRUE(cursor.done());
        EXPECT_FALSE(cursor.given_up());
        *zero = size;
    }
}

}  // namespace
}  // namespace gen9::media::test
