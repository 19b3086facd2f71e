// SPDX-License-Identifier: Apache-2.0
// Who is where: ranges that are handed out, places of buffers in an address space.
#include <gtest/gtest.h>

#include <vector>

#include "platform/host/drm/bindings.h"
#include "platform/host/drm/ranges.h"

namespace gen9::drm {
namespace {

TEST(DrmRanges, TheLowestAlignedPlaceThatFitsIsGiven) {
    Ranges ranges(0x1000, 0x9000);
    EXPECT_EQ(ranges.take(0x1000, 0x1000), 0x1000u);
    EXPECT_EQ(ranges.take(0x2000, 0x4000), 0x4000u);
    EXPECT_EQ(ranges.take(0x2000, 0x1000), 0x2000u);
    EXPECT_EQ(ranges.take(0x4000, 0x1000), std::nullopt);
    EXPECT_EQ(ranges.take(0x3000, 0x1000), 0x6000u);
    EXPECT_EQ(ranges.take(0x1000, 0x1000), std::nullopt);
}

TEST(DrmRanges, WhatIsGivenBackGrowsTogether) {
    Ranges ranges(0, 0x4000);
    for (std::uint64_t page = 0; page < 4; ++page)
        ASSERT_EQ(ranges.take(0x1000, 0x1000), page * 0x1000);
    for (const std::uint64_t page : {1, 3, 2, 0})
        ranges.give_back(page * 0x1000, 0x1000);
    EXPECT_EQ(ranges.take(0x4000, 0x1000), 0u);
}

using Evicted = std::vector<std::uint64_t>;

Evicted bind(Bindings& bindings, std::uint32_t id, std::uint64_t address, std::uint64_t size) {
    Evicted evicted;
    bindings.bind(id, address, size,
                  [&](std::uint64_t at, const Bindings::Place&) { evicted.push_back(at); });
    return evicted;
}

TEST(DrmBindings, ABufferIsAtOnePlace) {
    Bindings bindings;
    EXPECT_EQ(bind(bindings, 1, 0x10000, 0x2000), Evicted{});
    EXPECT_EQ(bind(bindings, 1, 0x50000, 0x2000), Evicted{0x10000});
    ASSERT_NE(bindings.find(1), nullptr);
    EXPECT_EQ(*bindings.find(1), 0x50000u);
}

TEST(DrmBindings, EveryBufferThatOverlapsGoes) {
    Bindings bindings;
    bind(bindings, 1, 0x10000, 0x2000);
    bind(bindings, 2, 0x12000, 0x1000);
    bind(bindings, 3, 0x13000, 0x1000);
    bind(bindings, 4, 0x14000, 0x1000);
    EXPECT_EQ(bind(bindings, 5, 0x11000, 0x3000), (Evicted{0x10000, 0x12000, 0x13000}));
    EXPECT_EQ(bindings.find(1), nullptr);
    EXPECT_EQ(bindings.find(3), nullptr);
    EXPECT_NE(bindings.find(4), nullptr);
    EXPECT_NE(bindings.find(5), nullptr);
}

TEST(DrmBindings, AHoleIsTheLowestAlignedPlaceThatIsLargeEnough) {
    Bindings bindings;
    bind(bindings, 1, 0x10000, 0x2000);
    bind(bindings, 2, 0x13000, 0x1000);
    const auto hole = [&](std::uint64_t begin, std::uint64_t size, std::uint64_t alignment = 1) {
        return bindings.hole(begin, 0x20000, size, alignment,
                             [](std::uint32_t id) { return id != 3; });
    };
    EXPECT_EQ(hole(0xF000, 0x1000, 0x1000), 0xF000u) << "as it is, it is aligned";
    EXPECT_EQ(hole(0xF001, 0x1000, 0x1000), 0x12000u);
    EXPECT_EQ(hole(0x10000, 0x1001), 0x14000u);
    EXPECT_EQ(hole(0x12000, 0x1000, 0x8000), 0x18000u);
    EXPECT_EQ(hole(0x10000, 0xC000), 0x14000u);
    EXPECT_EQ(hole(0x10000, 0xC001), 0x20000u) << "there is none";
    bind(bindings, 3, 0x14000, 0x2000);
    EXPECT_EQ(hole(0x14000, 0x1000), 0x14000u) << "what is not there any more is in nobody's way";
}

}  // namespace
}  // namespace gen9::drm
