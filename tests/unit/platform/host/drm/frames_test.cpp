// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/frames.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace gen9::drm {
namespace {

constexpr std::uint64_t kSmall = 4 << 10, kMedium = 64 << 10;

TEST(DrmFrames, ContiguousMemoryLiesAtItsPlaceInOnePiece) {
    const Frames frames(PageSize::Small);
    EXPECT_EQ(frames.at(0x12'3456'7000), 0x12'3456'7000u);
    unsigned pieces = 0;
    frames.for_each_piece(kSmall, 5 * kMedium, [&](std::uint64_t offset, std::uint64_t bytes) {
        ++pieces;
        EXPECT_EQ(offset, 0u);
        EXPECT_EQ(bytes, 5 * kMedium);
    });
    EXPECT_EQ(pieces, 1u);
}

TEST(DrmFrames, EachScatteredFrameHasAPlaceOfItsOwnInItsBlock) {
    for (const PageSize size : {PageSize::Small, PageSize::Medium, PageSize::Large}) {
        const Frames frames(size, 1);
        const std::uint64_t all = Frames::kBlock / frames.bytes();
        std::vector<bool> taken(all);
        for (std::uint64_t frame = 0; frame < all; ++frame) {
            const std::uint64_t at = frames.at(3 * Frames::kBlock + frame * frames.bytes());
            ASSERT_EQ(at / Frames::kBlock, 3u);
            ASSERT_EQ(at % frames.bytes(), 0u);
            const std::uint64_t number = at % Frames::kBlock / frames.bytes();
            ASSERT_FALSE(taken[number]) << frame;
            taken[number] = true;
        }
    }
}

TEST(DrmFrames, AFrameStaysWhole) {
    const Frames frames(PageSize::Medium, 1);
    const std::uint64_t first = frames.at(7 * kMedium);
    EXPECT_EQ(frames.at(7 * kMedium + 0x5678), first + 0x5678);
    EXPECT_EQ(frames.at(8 * kMedium - 1), first + kMedium - 1);
}

TEST(DrmFrames, MorePagesMayLieTogether) {
    const Frames frames(PageSize::Medium, 1, 8 * kMedium);
    EXPECT_EQ(frames.page_bytes(), kMedium);
    for (std::uint64_t frame = 0; frame < 16; ++frame) {
        const std::uint64_t first = frames.at(frame * 8 * kMedium);
        EXPECT_EQ(first % (8 * kMedium), 0u);
        for (std::uint64_t page = 1; page < 8; ++page)
            EXPECT_EQ(frames.at((frame * 8 + page) * kMedium), first + page * kMedium);
    }
    EXPECT_NE(frames.at(8 * kMedium), frames.at(0) + 8 * kMedium);
    unsigned pieces = 0;
    frames.for_each_piece(0, 16 * kMedium, [&](std::uint64_t, std::uint64_t bytes) {
        ++pieces;
        EXPECT_EQ(bytes, 8 * kMedium);
    });
    EXPECT_EQ(pieces, 2u);
}

// Of 16 GB in frames of 3 MB the last MB is left.
TEST(DrmFrames, AFrameMayBeAnyNumberOfPages) {
    constexpr std::uint64_t kMega = 1 << 20, kFrame = 3 * kMega;
    const Frames frames(PageSize::Medium, 1, kFrame);
    const std::uint64_t all = Frames::kBlock / kFrame, left = Frames::kBlock + all * kFrame;
    std::vector<bool> taken(all);
    unsigned moved = 0;
    for (std::uint64_t frame = 0; frame < all; ++frame) {
        const std::uint64_t at = frames.at(Frames::kBlock + frame * kFrame);
        ASSERT_EQ(at / Frames::kBlock, 1u);
        const std::uint64_t number = at % Frames::kBlock / kFrame;
        ASSERT_EQ(at % Frames::kBlock, number * kFrame);
        ASSERT_LT(number, all);
        ASSERT_FALSE(taken[number]) << frame;
        taken[number] = true;
        moved += number != frame;
        EXPECT_EQ(frames.at(Frames::kBlock + (frame + 1) * kFrame - 1), at + kFrame - 1);
    }
    EXPECT_GT(moved, all - 10);
    EXPECT_EQ(frames.at(left), left);
    EXPECT_EQ(frames.at(left + kMega - 1), left + kMega - 1);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
    frames.for_each_piece(left - kMega, 3 * kMega, [&](std::uint64_t offset, std::uint64_t bytes) {
        pieces.emplace_back(offset, bytes);
    });
    EXPECT_EQ(pieces, (decltype(pieces){{0, kMega}, {kMega, kMega}, {2 * kMega, kMega}}));
}

// A piece ends with its frame, wherever the range begins.
TEST(DrmFrames, PiecesOfARangeAreTheFramesItTouches) {
    const Frames frames(PageSize::Medium, 1);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
    frames.for_each_piece(
        kMedium - kSmall, kMedium + 2 * kSmall,
        [&](std::uint64_t offset, std::uint64_t bytes) { pieces.emplace_back(offset, bytes); });
    EXPECT_EQ(pieces,
              (decltype(pieces){{0, kSmall}, {kSmall, kMedium}, {kSmall + kMedium, kSmall}}));
}

TEST(DrmFrames, TheSeedAloneDecides) {
    const Frames one(PageSize::Small, 1), again(PageSize::Small, 1), other(PageSize::Small, 2);
    unsigned same = 0;
    for (std::uint64_t place = 0; place < 1000 * kSmall; place += kSmall) {
        EXPECT_EQ(one.at(place), again.at(place));
        same += one.at(place) == other.at(place);
    }
    EXPECT_LT(same, 10u);
}

// What scattering is for: of frames in a row, and of frames 64 MB apart, each bit of the address
// above a frame is set in about half (of 1024: 512, with a deviation of 16).
TEST(DrmFrames, NoBitOfAnAddressFollowsTheOrderOfPlaces) {
    const Frames frames(PageSize::Small, 1);
    for (const std::uint64_t apart : {kSmall, std::uint64_t{16} << 20}) {
        for (unsigned bit = 12; bit < 34; ++bit) {
            unsigned set = 0;
            for (std::uint64_t i = 0; i < 1024; ++i)
                set += frames.at(i * apart) >> bit & 1;
            EXPECT_NEAR(set, 512, 80) << "bit " << bit << ", frames " << apart << " apart";
        }
    }
}

}  // namespace
}  // namespace gen9::drm
