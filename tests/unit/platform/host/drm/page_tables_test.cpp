// SPDX-License-Identifier: Apache-2.0
// Tables that the door builds, as the machine's own walker reads them.
#include "platform/host/drm/page_tables.h"

#include <gtest/gtest.h>

#include "common/check.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

constexpr std::uint64_t kLarge = 2 << 20;

struct DrmPageTables : testing::Test {
    test::SharedMemoryEngine engine;
    Ranges physical{std::uint64_t{4} << 30, std::uint64_t{1} << 40};
    TablePages pages{engine, physical};
    PageTables tables{engine, pages, PageSize::Large};

    memory::Translation walk(std::uint64_t address) const {
        return engine.walk(tables.root(), address);
    }
    /// Not by the scratch page.
    bool mapped(std::uint64_t address) const {
        const auto found = walk(address);
        return found.ok() && (found.address.value & ~(kPage - 1)) !=
                                 (pages.scratch_entry() & ~(kPage - 1) & 0x7FFF'FFFF'F000);
    }
    bool is_scratch(std::uint64_t address) const { return walk(address).ok() && !mapped(address); }
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

TEST_F(DrmPageTables, ATableHasPagesOf64KbIfAllOfItCan) {
    const std::uint64_t address = 0x7F00'0000'0000, medium = 64 << 10;
    tables.map(address, PhysAddr(0x10'0000'0000 + medium), 2 * kLarge - kPage);
    const auto found = walk(address + 0x12345);
    EXPECT_EQ(found.page_shift, 16u);
    EXPECT_EQ(found.address.value, 0x10'0000'0000 + medium + 0x12345);
    EXPECT_EQ(found.attribute, 4u);
    EXPECT_EQ(walk(address + kLarge).page_shift, 12u);  // a page is missing
    tables.unmap(address, 2 * kLarge - kPage);
    EXPECT_FALSE(mapped(address));
    tables.map(address, PhysAddr(0x10'0000'0000 + kPage), kLarge);
    EXPECT_EQ(walk(address + kPage).page_shift, 12u);
    EXPECT_EQ(walk(address + kPage).address.value, 0x10'0000'0000 + 2 * kPage);
}

TEST_F(DrmPageTables, NoPageIsLargerThanAllowed) {
    for (const auto& [largest, shift] :
         {std::pair{PageSize::Small, 12u}, {PageSize::Medium, 16u}}) {
        PageTables other(engine, pages, largest);
        other.map(0x4000'0000, PhysAddr(0x10'0000'0000), kLarge);
        EXPECT_EQ(engine.walk(other.root(), 0x4000'0000).page_shift, shift);
    }
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

TEST_F(DrmPageTables, OnePageBehindWhatIsMappedIsTheScratchPage) {
    const std::uint64_t small = 0x4000'0000, large = 0x5000'0000;
    tables.map(small, PhysAddr(0x10'0000'0000), 2 * kPage);
    tables.map(large, PhysAddr(0x10'0020'0000), kLarge);
    for (const std::uint64_t end : {small + 2 * kPage, large + kLarge}) {
        EXPECT_TRUE(is_scratch(end));
        EXPECT_FALSE(walk(end + kPage).ok());
    }
    EXPECT_FALSE(walk(small - kPage).ok());
    EXPECT_FALSE(walk(0x7F'0000'0000).ok());
    // Another buffer takes its place, and gives it back.
    tables.map(small + 2 * kPage, PhysAddr(0x10'0040'0000), kPage);
    EXPECT_TRUE(mapped(small + 2 * kPage));
    EXPECT_TRUE(is_scratch(small + 3 * kPage));
    tables.unmap(small + 2 * kPage, kPage);
    EXPECT_TRUE(is_scratch(small + 2 * kPage));
    EXPECT_FALSE(walk(small + 3 * kPage).ok());
    tables.unmap(small, 2 * kPage);
    EXPECT_FALSE(walk(small + 2 * kPage).ok());
    EXPECT_FALSE(walk(small).ok());
}

/// Counts the pages that a source is asked for.
struct CountingEngine : test::SharedMemoryEngine {
    struct Counted : PageSource {
        PageSource* source = nullptr;
        unsigned asked = 0;
        std::uint8_t* bytes_of(PhysAddr page) override {
            ++asked;
            return source->bytes_of(page);
        }
    } counted;
    bool attach_when_used(PhysAddr page, PageSource& source) override {
        counted.source = &source;
        return SharedMemoryEngine::attach_when_used(page, counted);
    }
};

TEST_F(DrmPageTables, ATableIsWrittenWhenItIsFirstLookedAt) {
    CountingEngine counting;
    TablePages its_pages(counting, physical);
    PageTables its_tables(counting, its_pages, PageSize::Small);
    its_tables.map(kLarge, PhysAddr(0x10'0000'0000), 100 * kLarge);
    // The last one is, for the page behind it.
    EXPECT_EQ(counting.counted.asked, 1u);
    for (unsigned again = 0; again < 2; ++again)
        EXPECT_TRUE(counting.walk(its_tables.root(), 7 * kLarge).ok());
    EXPECT_EQ(counting.counted.asked, 2u);
    its_tables.unmap(kLarge, 100 * kLarge);
    its_tables.map(kLarge, PhysAddr(0x20'0000'0000), 100 * kLarge);
    EXPECT_EQ(counting.walk(its_tables.root(), 7 * kLarge).address.value,
              0x20'0000'0000 + 6 * kLarge);
    EXPECT_LT(counting.counted.asked, 8u);
}

// 64 GB at a place that allows no large pages: 32768 page tables of 4 KB.
TEST_F(DrmPageTables, ALargeBufferCostsWhatIsUsedOfIt) {
    constexpr std::uint64_t kBytes = std::uint64_t{64} << 30, kPlace = 0x10'0000'0000;
    const std::uint64_t address = 0x7F00'0000'0000 + kPage;
    tables.map(address, PhysAddr(kPlace), kBytes);
    const std::size_t mapped_pages = engine.bytes.pages();
    EXPECT_LT(mapped_pages, 100u);
    for (const std::uint64_t offset :
         {std::uint64_t{0}, kLarge - kPage, kLarge, 5 * kLarge + 0x1234, kBytes / 2, kBytes - 1}) {
        const auto found = walk(address + offset);
        ASSERT_TRUE(found.ok()) << offset;
        EXPECT_EQ(found.address.value, kPlace + offset);
        EXPECT_EQ(found.attribute, 4u);
        EXPECT_TRUE(found.writable);
    }
    EXPECT_TRUE(is_scratch(address + kBytes));
    EXPECT_FALSE(walk(address - kPage).ok());
    tables.unmap(address, kBytes);
    for (const std::uint64_t offset : {std::uint64_t{0}, kLarge, 5 * kLarge, kBytes / 2, kBytes})
        EXPECT_FALSE(walk(address + offset).ok()) << offset;
    // Another takes its place, and goes in parts.
    tables.map(address + 7 * kPage, PhysAddr(2 * kPlace), kBytes);
    EXPECT_EQ(walk(address + kBytes / 2).address.value, 2 * kPlace + kBytes / 2 - 7 * kPage);
    EXPECT_EQ(walk(address + 5 * kLarge).address.value, 2 * kPlace + 5 * kLarge - 7 * kPage);
    tables.unmap(address + 7 * kPage, kLarge);
    EXPECT_FALSE(mapped(address + kLarge));
    EXPECT_TRUE(mapped(address + kLarge + 7 * kPage));
    EXPECT_LT(engine.bytes.pages(), mapped_pages + 10);
}

TEST_F(DrmPageTables, TablesThatWereNeverUsedGoWithTheirAddressSpace) {
    {
        PageTables other(engine, pages, PageSize::Small);
        other.map(kLarge, PhysAddr(0x10'0000'0000), 8 * kLarge);
        EXPECT_EQ(engine.walk(other.root(), 3 * kLarge).address.value, 0x10'0000'0000 + 2 * kLarge);
    }
    // Its pages are for other tables now.
    PageTables next(engine, pages, PageSize::Small);
    next.map(0, PhysAddr(0x20'0000'0000), 20 * kLarge);
    for (std::uint64_t at = 0; at < 20 * kLarge; at += kLarge / 2)
        EXPECT_EQ(engine.walk(next.root(), at).address.value, 0x20'0000'0000 + at);
}

TEST_F(DrmPageTables, ATableThatCannotWaitIsWritten) {
    struct Plain : test::SharedMemoryEngine {
        bool attach_when_used(PhysAddr, PageSource&) override { return false; }
    } plain;
    TablePages its_pages(plain, physical);
    PageTables its_tables(plain, its_pages, PageSize::Small);
    its_tables.map(kLarge, PhysAddr(0x10'0000'0000), 2 * kLarge);
    EXPECT_EQ(plain.walk(its_tables.root(), 2 * kLarge + kPage).address.value,
              0x10'0000'0000 + kLarge + kPage);
    its_tables.unmap(kLarge, 2 * kLarge);
    EXPECT_FALSE(plain.walk(its_tables.root(), 2 * kLarge).ok());
}

TEST_F(DrmPageTables, TablesEndWhereTheirMemoryDoes) {
    Ranges little(0, 1 << 20);
    TablePages its_pages(engine, little);
    PageTables its_tables(engine, its_pages, PageSize::Large);
    const auto map_far_apart = [&] {
        for (std::uint64_t i = 0; i < 256; ++i)
            its_tables.map(i << 39, PhysAddr(0x10'0000'0000), kPage);
    };
    EXPECT_THROW(map_far_apart(), UserError);
}

TEST_F(DrmPageTables, TheEndOfTheAddressSpaceHasNothingBehindIt) {
    const std::uint64_t last = kAddressSpaceBytes - kPage;
    tables.map(last, PhysAddr(0x10'0000'0000), kPage);
    EXPECT_TRUE(mapped(last));
    EXPECT_FALSE(walk(0).ok());
}

TEST_F(DrmPageTables, WritesBehindABufferAreSeenOnceAndLost) {
    tables.map(0x4000'0000, PhysAddr(0x10'0000'0000), kPage);
    EXPECT_FALSE(pages.take_scratch_writes());
    const std::uint8_t byte[] = {7};
    engine.write_memory(walk(0x4000'1FFF).address, byte);
    EXPECT_TRUE(pages.take_scratch_writes());
    EXPECT_FALSE(pages.take_scratch_writes());
}

}  // namespace
}  // namespace gen9::drm
