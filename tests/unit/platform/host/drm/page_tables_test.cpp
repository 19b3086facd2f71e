// SPDX-License-Identifier: Apache-2.0
// Tables that the door builds, as the machine's own walker reads them.
#include "platform/host/drm/page_tables.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

constexpr std::uint64_t kLarge = 2 << 20;

struct DrmPageTables : testing::Test {
    test::SharedMemoryEngine engine;
    Ranges physical{std::uint64_t{4} << 30, std::uint64_t{1} << 40};
    TablePages pages{engine, physical};
    PageTables tables{engine, pages};

    memory::Translation walk(std::uint64_t address) const {
        return engine.walk(tables.root(), address);
    }
    /// Nothing was mapped there: it is the scratch page, whose number all such addresses share.
    bool mapped(std::uint64_t address) const {
        const auto found = walk(address);
        EXPECT_TRUE(found.ok());
        return (found.address.value & ~(kPage - 1)) !=
               (walk(0x1234'5678'9000).address.value & ~(kPage - 1));
    }
};

TEST_F(DrmPageTables, EveryPageOfARangeLeadsToItsMemory) {
    // Over the end of a page table, of a directory and of everything below a PML4 entry.
    const std::uint64_t address = (std::uint64_t{1} << 39) - 3 * kPage;
    tables.map(address, PhysAddr(0x30'0000'5000), 6 * kPage);
    for (std::uint64_t page = 0; page < 6; ++page) {
        const auto found = walk(address + page * kPage + 0x123);
        ASSERT_TRUE(found.ok()) << page;
        EXPECT_EQ(found.address.value, 0x30'0000'5123 + page * kPage);
        EXPECT_TRUE(found.writable);
        EXPECT_EQ(found.attribute, 4u);  // cached
    }
    EXPECT_FALSE(mapped(address - 1));
    EXPECT_FALSE(mapped(address + 6 * kPage));
}

TEST_F(DrmPageTables, LargePagesAreUsedWhereBothAddressesAllowIt) {
    const std::uint64_t address = 0x7F00'0000'0000;
    tables.map(address, PhysAddr(0x10'0000'0000), 2 * kLarge + kPage);
    const auto large = walk(address + kLarge + 0x12345);
    EXPECT_EQ(large.page_shift, 21u);
    EXPECT_EQ(large.address.value, 0x10'0000'0000 + kLarge + 0x12345);
    EXPECT_EQ(large.attribute, 4u);
    const auto rest = walk(address + 2 * kLarge);
    EXPECT_EQ(rest.page_shift, 12u);
    EXPECT_FALSE(mapped(address + 2 * kLarge + kPage));
    tables.map(address + 16 * kLarge, PhysAddr(0x10'1000'1000), kLarge);
    EXPECT_EQ(walk(address + 16 * kLarge).page_shift, 12u);
}

TEST_F(DrmPageTables, WhatIsUnmappedIsGoneAndItsPlaceCanBeUsedInAnotherSize) {
    const std::uint64_t address = 0x4000'0000;
    tables.map(address, PhysAddr(0x10'0000'0000), kLarge);
    tables.unmap(address, kLarge);
    EXPECT_FALSE(mapped(address));
    tables.map(address + kPage, PhysAddr(0x10'0000'0000), kPage);
    EXPECT_FALSE(mapped(address));
    EXPECT_TRUE(mapped(address + kPage));
    tables.unmap(address + kPage, kPage);
    tables.map(address, PhysAddr(0x10'0020'0000), kLarge);
    EXPECT_EQ(walk(address + kLarge - 1).address.value, 0x10'0020'0000 + kLarge - 1);
}

TEST_F(DrmPageTables, WritesWhereNothingIsMappedAreSeenOnceAndLost) {
    tables.map(0x4000'0000, PhysAddr(0x10'0000'0000), kPage);
    EXPECT_FALSE(pages.take_scratch_writes());
    for (const std::uint64_t address : {0x4000'1000ull, 0x4020'0000ull, 0x7F'0000'0000ull}) {
        const std::uint8_t byte[] = {7};
        engine.write_memory(walk(address + 4095).address, byte);
        EXPECT_TRUE(pages.take_scratch_writes()) << address;
        EXPECT_FALSE(pages.take_scratch_writes()) << address;
    }
}

}  // namespace
}  // namespace gen9::drm
