// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/walker.h"

#include <gtest/gtest.h>

#include <utility>

namespace gen9::memory {
namespace {

constexpr auto kSpace = AddressSpace::Ppgtt;

/// A walker and a memory that notes what is read.
struct WalkerTest : testing::Test {
    Walker walker{4, Cycles(50)};
    std::vector<std::uint64_t> read;
    bool open = true, refused = false;

    Walker::WalkId start(std::uint64_t address, std::vector<std::uint64_t> entries) {
        Translation found;
        found.levels = static_cast<std::uint8_t>(entries.size());
        std::copy(entries.begin(), entries.end(), found.entries.begin());
        return walker.start(kSpace, GpuAddr(address), found, 0);
    }
    Cycles step(std::uint64_t now) {
        return walker.step(
            Cycles(now),
            [this](std::uint64_t line, TraceId) {
                if (open) read.push_back(line);
                return open;
            },
            refused);
    }
};

TEST_F(WalkerTest, ATableIsReadWhenTheOneBeforeItIsThere) {
    const auto walk = start(0x1000, {0x10008, 0x20010, 0x30018, 0x40100});
    step(0);
    EXPECT_EQ(read, (std::vector<std::uint64_t>{0x10000}));
    EXPECT_TRUE(walker.arrived(0x10000, Cycles(30)));
    EXPECT_EQ(step(29).value, 30u);
    EXPECT_EQ(read.size(), 1u);
    step(30);
    EXPECT_EQ(read.back(), 0x20000u);
    for (const std::uint64_t line : {0x20000u, 0x30000u, 0x40100u}) {
        EXPECT_FALSE(walker.done(walk));
        walker.arrived(line, Cycles(60));
        step(60);
    }
    EXPECT_TRUE(walker.done(walk));
    EXPECT_EQ(read.size(), 4u);
    EXPECT_FALSE(walker.arrived(0x50000, Cycles(61)));
}

TEST_F(WalkerTest, ALineHoldsTheEntriesOfEightPages) {
    start(0x0000, {0x40000});
    step(0);
    walker.arrived(0x40000, Cycles(1));
    step(1);
    const auto eighth = start(0x7000, {0x40038}), ninth = start(0x8000, {0x40040});
    step(2);
    EXPECT_TRUE(walker.done(eighth));
    EXPECT_FALSE(walker.done(ninth));
    EXPECT_EQ(read.size(), 2u);
}

TEST_F(WalkerTest, WalksAtOnceReadACommonLineOnce) {
    const auto one = start(0x0000, {0x10000, 0x40000}), two = start(0x9000, {0x10008, 0x50000});
    step(0);
    EXPECT_EQ(read.size(), 1u);
    walker.arrived(0x10000, Cycles(10));
    step(10);
    EXPECT_EQ(read.size(), 3u);
    walker.arrived(0x50000, Cycles(20));
    step(20);
    EXPECT_TRUE(walker.done(two));
    EXPECT_FALSE(walker.done(one));
}

TEST_F(WalkerTest, APagesWalkIsFoundAtAnyOfItsAddresses) {
    Translation found;
    found.levels = 1;
    found.page_shift = 16;
    const auto walk = walker.start(kSpace, GpuAddr(0x12345), found, 0);
    EXPECT_EQ(walker.find(kSpace, GpuAddr(0x1FFFF)), walk);
    EXPECT_EQ(walker.find(kSpace, GpuAddr(0x20000)), Walker::kNone);
    EXPECT_EQ(walker.find(AddressSpace::Ggtt, GpuAddr(0x12345)), Walker::kNone);
}

TEST_F(WalkerTest, WhatMemoryRefusesIsAskedForAgain) {
    open = false;
    start(0x1000, {0x40000});
    step(0);
    EXPECT_TRUE(refused);
    EXPECT_FALSE(walker.arrived(0x40000, Cycles(1)));
    open = true;
    step(1);
    EXPECT_FALSE(refused);
    EXPECT_EQ(read.size(), 1u);
}

TEST_F(WalkerTest, TheLineUsedLongestAgoGoes) {
    std::uint64_t now = 0;
    const auto walks = [&](std::uint64_t line) {
        const std::size_t before = read.size();
        const auto walk = start(line << 12, {line * 64});
        step(++now);
        walker.arrived(line * 64, Cycles(now));
        step(++now);
        EXPECT_TRUE(walker.done(walk));
        return read.size() > before;
    };
    for (const std::uint64_t line : {1, 2, 3, 4})
        EXPECT_TRUE(walks(line));
    EXPECT_FALSE(walks(1));
    EXPECT_TRUE(walks(5));  // in the place of 2
    EXPECT_FALSE(walks(1));
    EXPECT_TRUE(walks(2));
    walker.forget();
    EXPECT_TRUE(walks(1));
}

TEST_F(WalkerTest, WhatAWalkWithoutTimeHasReadIsKept) {
    EXPECT_FALSE(walker.keep(64));
    EXPECT_TRUE(walker.keep(64));
    const auto walk = start(0x1000, {64 + 8});
    step(0);
    EXPECT_TRUE(walker.done(walk));
    EXPECT_TRUE(read.empty());
    for (const std::uint64_t line : {128, 192, 256, 64, 320})
        walker.keep(line);  // 320 in the place of 128
    EXPECT_TRUE(walker.keep(64));
    EXPECT_FALSE(walker.keep(128));
}

TEST_F(WalkerTest, MoreLinesThanAreKeptAreOnTheirWayAtOnce) {
    for (std::uint64_t line = 1; line <= 9; ++line)
        start(line << 12, {line * 64});
    step(0);
    EXPECT_EQ(read.size(), 9u);
}

TEST_F(WalkerTest, ALineOnItsWayTakesNoPlaceOfAKeptOne) {
    start(0x1000, {64});
    step(0);
    walker.arrived(64, Cycles(1));
    step(1);
    for (std::uint64_t line = 2; line <= 9; ++line)
        start(line << 12, {line * 64});
    const auto beside = start(0x100'0000, {64 + 8});
    step(2);
    EXPECT_TRUE(walker.done(beside));
    EXPECT_EQ(read.size(), 9u);
}

// Also when more lines arrive than are kept.
TEST_F(WalkerTest, AllThatWaitForALineFindItWhenItArrives) {
    for (std::uint64_t line = 1; line <= 9; ++line)
        for (const std::uint64_t page : {0, 1})
            start(line << 16 | page << 12, {line * 64 + page * 8});
    step(0);
    EXPECT_EQ(read.size(), 9u);
    for (std::uint64_t line = 1; line <= 9; ++line)
        walker.arrived(line * 64, Cycles(10));
    step(10);
    EXPECT_TRUE(walker.idle());
    EXPECT_EQ(read.size(), 9u);
}

TEST_F(WalkerTest, MoreWalksThanLinesEndAllTheSame) {
    for (std::uint64_t line = 0; line < 40; ++line)
        start(line << 12,
              {line % 2 ? line * 64 : kGlobalTableEntry | line * 64, 0x100000 + line * 64});
    for (std::uint64_t now = 0; now < 3000 && !walker.idle(); ++now) {
        step(now);
        for (const std::uint64_t line : std::exchange(read, {}))
            walker.arrived(line, Cycles(now + 20));
    }
    EXPECT_TRUE(walker.idle());
}

TEST_F(WalkerTest, TheGlobalTableTakesItsTimeAndNoRead) {
    const auto walk = start(0x1000, {kGlobalTableEntry | 8});
    EXPECT_EQ(step(7).value, 57u);
    EXPECT_FALSE(walker.done(walk));
    step(57);
    EXPECT_TRUE(walker.done(walk));
    EXPECT_TRUE(read.empty());
}

}  // namespace
}  // namespace gen9::memory
