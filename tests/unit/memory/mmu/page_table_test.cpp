// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/page_table.h"

#include <cstring>

#include "memory/mmu/mmu.h"
#include "memory/physical_memory.h"
#include "tests/support/covers.h"

namespace gen9::memory {
namespace {

constexpr std::uint64_t kPml4 = 0x10000, kPdp = 0x11000, kPd = 0x12000, kPt = 0x13000;

struct Tables : ::testing::Test {
    PhysicalMemory memory;
    PageDirectories roots{true, {kPml4, 0, 0, 0}};

    void entry(std::uint64_t table, unsigned index, std::uint64_t value) {
        ASSERT_TRUE(memory.write(PhysAddr(table + 8 * index),
                                 {reinterpret_cast<const std::uint8_t*>(&value), sizeof value}));
    }
    /// Maps the path of one address down to its page table.
    void path(std::uint64_t address) {
        entry(kPml4, address >> 39 & 511, kPdp | 3);
        entry(kPdp, address >> 30 & 511, kPd | 3);
        entry(kPd, address >> 21 & 511, kPt | 3);
    }
};

TEST_F(Tables, FourLevelsOfNineBitsLeadToA4KPage) {
    const std::uint64_t address = 0x0000'1234'5678'9ABC;
    path(address);
    entry(kPt, address >> 12 & 511, 0x77'7777'7000 | 7);
    const auto found = walk(memory, roots, GpuAddr(address));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.address.value, 0x77'7777'7ABCu);
    EXPECT_EQ(found.page_shift, 12);
    EXPECT_EQ(found.levels, 4);
    EXPECT_TRUE(found.writable);
}

TEST_F(Tables, APdeWithBit7MapsA2MPage) {
    const std::uint64_t address = 0x0000'0000'4012'3456;
    path(address);
    entry(kPd, address >> 21 & 511, 0x8000'0000 | 0x80 | 3);
    const auto found = walk(memory, roots, GpuAddr(address));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.address.value, 0x8000'0000u + 0x12'3456);
    EXPECT_EQ(found.page_shift, 21);
}

TEST_F(Tables, APdeWithBit11HoldsPagesOf64KOfWhichEvery16thEntryCounts) {
    const std::uint64_t address = 0x0000'0000'4003'4567;  // 64 KB page 3 of its table
    path(address);
    entry(kPd, address >> 21 & 511, kPt | 0x800 | 3);
    entry(kPt, 0x30, 0x55'0000 | 3);
    const auto found = walk(memory, roots, GpuAddr(address));
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.address.value, 0x55'4567u);
    EXPECT_EQ(found.page_shift, 16);
}

TEST_F(Tables, AMissingEntryIsNamedByItsLevel) {
    const std::uint64_t address = 0x0000'1234'5678'9ABC;
    const auto level = [&] { return walk(memory, roots, GpuAddr(address)).level; };
    EXPECT_EQ(level(), WalkLevel::Pml4);
    entry(kPml4, address >> 39 & 511, kPdp | 3);
    EXPECT_EQ(level(), WalkLevel::Pdp);
    entry(kPdp, address >> 30 & 511, kPd | 3);
    EXPECT_EQ(level(), WalkLevel::Pd);
    entry(kPd, address >> 21 & 511, kPt | 3);
    EXPECT_EQ(level(), WalkLevel::Pt);
    entry(kPt, address >> 12 & 511, 0x5000 | 2);  // all but present
    const auto found = walk(memory, roots, GpuAddr(address));
    EXPECT_EQ(found.fault, WalkFault::NotPresent);
    EXPECT_EQ(found.level, WalkLevel::Pt);
    EXPECT_EQ(found.entry, 0x5002u);
}

TEST_F(Tables, AnAddressMustRepeatBit47OrBeWithin48Bits) {
    const std::uint64_t high = 0x8000'0000'0000;
    path(high);
    entry(kPt, 0, 0x9000 | 3);
    EXPECT_TRUE(walk(memory, roots, GpuAddr(0xFFFF'8000'0000'0000)).ok());
    EXPECT_TRUE(walk(memory, roots, GpuAddr(high)).ok());
    EXPECT_EQ(walk(memory, roots, GpuAddr(0xFFFF'0000'0000'0000)).fault, WalkFault::NotCanonical);
    EXPECT_EQ(walk(memory, roots, GpuAddr(0x0001'0000'0000'0000)).fault, WalkFault::NotCanonical);
}

TEST_F(Tables, In32BitFormBits31And30ChooseThePageDirectory) {
    roots = {false, {0x20000, 0x21000, kPd, 0x23000}};
    const std::uint64_t address = 0x8012'3456;  // PDP2
    entry(kPd, address >> 21 & 511, kPt | 3);
    entry(kPt, address >> 12 & 511, 0x66000 | 3);
    EXPECT_EQ(walk(memory, roots, GpuAddr(address)).address.value, 0x66456u);
    EXPECT_EQ(walk(memory, roots, GpuAddr(0x1'0000'0000)).fault, WalkFault::NotCanonical);
}

TEST_F(Tables, AnEntryThatPointsBeyond40BitsFaults) {
    const std::uint64_t address = 0x1000;
    path(address);
    entry(kPt, 1, (std::uint64_t{1} << 40) | 3);
    EXPECT_EQ(walk(memory, roots, GpuAddr(address)).fault, WalkFault::BeyondMemory);
    entry(kPd, 0, (std::uint64_t{1} << 45) | 3);  // a table nobody can read is an empty table
    EXPECT_EQ(walk(memory, roots, GpuAddr(address)).fault, WalkFault::NotPresent);
}

TEST_F(Tables, TablesThatPointToThemselvesEndTheWalkAfterFourReads) {
    for (unsigned i = 0; i < 512; ++i)
        entry(kPml4, i, kPml4 | 3);
    const auto found = walk(memory, roots, GpuAddr(0x123456789ABC));
    EXPECT_TRUE(found.ok());
    EXPECT_EQ(found.levels, 4);
}

TEST(GlobalTable, AnEntryMapsItsPageWhenPresent) {
    GlobalTable table;
    EXPECT_TRUE(table.write(5, 0xAB'CDEF'F001));
    EXPECT_EQ(table.translate(GpuAddr(0x5123)).address.value, 0xAB'CDEF'F123u);
    EXPECT_EQ(table.translate(GpuAddr(0x6123)).fault, WalkFault::NotPresent);
    EXPECT_EQ(table.translate(GpuAddr(0x1'0000'0000)).fault, WalkFault::NotCanonical);
    EXPECT_FALSE(table.write(GlobalTable::kEntries, 1));
    EXPECT_EQ(table.read(GlobalTable::kEntries), 0u);
}

struct MmuTest : Tables {
    Mmu mmu{memory, 4, 2};
    void SetUp() override { mmu.set_roots(roots); }
};

TEST_F(MmuTest, ATranslationIsKeptUntilItIsDropped) {
    path(0x1000);
    entry(kPt, 1, 0x5000 | 3);
    EXPECT_EQ(mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1008), false).table_reads, 4);
    entry(kPt, 1, 0x6000 | 3);  // in memory only
    const auto kept = mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1010), false);
    EXPECT_EQ(kept.address.value, 0x5010u);
    EXPECT_EQ(kept.table_reads, 0);
    mmu.drop_all();
    EXPECT_EQ(mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1010), false).address.value, 0x6010u);
}

TEST_F(MmuTest, AReadOnlyPageRefusesWritesOnly) {
    path(0x1000);
    entry(kPt, 1, 0x5000 | 1);
    EXPECT_TRUE(mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1000), false).ok);
    const auto write = mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1000), true);
    EXPECT_FALSE(write.ok);
    EXPECT_EQ(write.fault.fault, WalkFault::NotWritable);
}

TEST_F(MmuTest, AFaultIsNotKept) {
    path(0x1000);
    EXPECT_FALSE(mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1000), false).ok);
    entry(kPt, 1, 0x5000 | 3);
    EXPECT_TRUE(mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x1000), false).ok);
}

TEST_F(MmuTest, TheFaultRegistersHoldTheFirstFaultUntilCleared) {
    const auto first = mmu.translate(AddressSpace::Ppgtt, GpuAddr(0x8123'4567'8ABC), false);
    EXPECT_TRUE(mmu.record(AddressSpace::Ppgtt, GpuAddr(0x8123'4567'8ABC), first.fault));
    EXPECT_FALSE(
        mmu.record(AddressSpace::Ppgtt, GpuAddr(0x8123'4567'8000), first.fault));  // same page
    EXPECT_TRUE(mmu.record(AddressSpace::Ggtt, GpuAddr(0x4000), first.fault));
    EXPECT_EQ(mmu.fault_register() & 1, 1u);
    EXPECT_EQ(mmu.fault_register() >> 1 & 3, 3u);  // a PML4 entry
    EXPECT_EQ(mmu.fault_data0(), 0x1234'5678u);
    EXPECT_EQ(mmu.fault_data1(), 8u);
    mmu.clear_fault();
    EXPECT_EQ(mmu.fault_register(), 0u);
}

}  // namespace
}  // namespace gen9::memory
