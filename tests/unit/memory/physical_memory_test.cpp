// SPDX-License-Identifier: Apache-2.0
#include "memory/physical_memory.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::memory {
namespace {

std::vector<std::uint8_t> counting(std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    return bytes;
}

TEST(PhysicalMemory, WhatWasNeverWrittenReadsZeroAndStaysUnallocated) {
    PhysicalMemory memory;
    std::vector<std::uint8_t> bytes(10000, 0xAA);
    ASSERT_TRUE(memory.read(PhysAddr(0x12345678), bytes));
    EXPECT_EQ(bytes, std::vector<std::uint8_t>(10000, 0));
    EXPECT_EQ(memory.pages(), 0u);
    EXPECT_EQ(memory.find_page(PhysAddr(0x12345678)), nullptr);
}

TEST(PhysicalMemory, AWriteAcrossPagesReadsBack) {
    PhysicalMemory memory;
    const auto written = counting(3 * kPageBytes);
    ASSERT_TRUE(memory.write(PhysAddr(0x7FFF123), written));
    std::vector<std::uint8_t> read(written.size());
    ASSERT_TRUE(memory.read(PhysAddr(0x7FFF123), read));
    EXPECT_EQ(read, written);
    EXPECT_EQ(memory.pages(), 4u);
}

TEST(PhysicalMemory, TheLastByteBelow40BitsIsMemoryAndTheNextIsNot) {
    PhysicalMemory memory;
    const std::uint8_t byte = 0x5A;
    EXPECT_TRUE(memory.write(PhysAddr(PhysicalMemory::kBytes - 1), {&byte, 1}));
    EXPECT_FALSE(memory.write(PhysAddr(PhysicalMemory::kBytes), {&byte, 1}));
    EXPECT_FALSE(memory.write(PhysAddr(~std::uint64_t{0}), {&byte, 1}));
    EXPECT_EQ(memory.page(PhysAddr(PhysicalMemory::kBytes)), nullptr);
    EXPECT_EQ(memory.read_entry(PhysAddr(PhysicalMemory::kBytes)), 0u);
}

TEST(PhysicalMemory, ARangeThatLeavesTheAddressSpaceChangesNothing) {
    PhysicalMemory memory;
    const auto bytes = counting(16);
    EXPECT_FALSE(memory.write(PhysAddr(PhysicalMemory::kBytes - 8), bytes));
    EXPECT_EQ(memory.pages(), 0u);
    std::vector<std::uint8_t> read(16, 0xAA);
    EXPECT_FALSE(memory.read(PhysAddr(PhysicalMemory::kBytes - 8), read));
    EXPECT_EQ(read, std::vector<std::uint8_t>(16, 0));
}

TEST(PhysicalMemory, APointerToAPageStaysValidWhileOthersAreMade) {
    PhysicalMemory memory;
    std::uint8_t* first = memory.page(PhysAddr(0x1000));
    first[5] = 77;
    for (std::uint64_t i = 2; i < 3000; ++i)
        memory.page(PhysAddr(i * 0x400000));
    EXPECT_EQ(memory.page(PhysAddr(0x1FFF)), first);
    std::uint8_t byte = 0;
    ASSERT_TRUE(memory.read(PhysAddr(0x1005), {&byte, 1}));
    EXPECT_EQ(byte, 77);
}

TEST(PhysicalMemory, RewritingAPageCostsWellBelowAMicrosecond) {
    PhysicalMemory memory;
    const auto page = counting(kPageBytes);
    constexpr int kPages = 500;
    const auto write_all = [&] {
        for (int i = 0; i < kPages; ++i)
            ASSERT_TRUE(memory.write(PhysAddr(i * kPageBytes), page));
    };
    write_all();
    // The best of several rounds in processor time, so that a busy machine does not fail the test.
    double best_us = 1e9;
    for (int round = 0; round < 20; ++round) {
        const std::clock_t start = std::clock();
        write_all();
        best_us = std::min(
            best_us, 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kPages);
    }
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(best_us, 0.9);
#else
    EXPECT_LT(best_us, 50.0);
#endif
}

}  // namespace
}  // namespace gen9::memory
