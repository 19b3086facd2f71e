// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/partition.h"

#include <random>
#include <vector>

#include "l3/front/urb_store.h"
#include "l3/registers.h"
#include "tests/support/covers.h"

namespace gen9::l3 {
namespace {

constexpr BankShape kMulti{96, 64, 1}, kSingle{160, 96, 2};

std::uint32_t value(bool slm, unsigned urb, unsigned ro, unsigned dc, unsigned all) {
    return std::uint32_t{slm} | urb << 1 | ro << 11 | dc << 18 | all << 25;
}

TEST(Partition, TheDefaultAndTheDriversValuesDecodeAsDocumented) {
    GEN9_COVERS("L3-13 L3-14 L3-16 SLM-07");
    const auto reset = decode_partition(0x60000160, kMulti);
    EXPECT_FALSE(reset.slm);
    EXPECT_EQ(reset.urb_ways, 48u);
    EXPECT_EQ(reset.all_ways, 48u);
    EXPECT_TRUE(reset.problem.empty());
    const auto compute = decode_partition(0x80000340, kMulti);
    EXPECT_EQ(compute.urb_ways, 32u);
    EXPECT_EQ(compute.all_ways, 64u);
    EXPECT_TRUE(compute.problem.empty());
    const auto slm = decode_partition(0x60000321, kMulti);
    EXPECT_TRUE(slm.slm);
    EXPECT_EQ(slm.slm_ways, 32u);
    EXPECT_EQ(slm.urb_ways, 16u);
    EXPECT_EQ(slm.all_ways, 48u);
    EXPECT_TRUE(slm.problem.empty());
}

TEST(Partition, EveryPublishedConfigurationIsAccepted) {
    GEN9_COVERS("L3-13 L3-14 L3-15 L3-75 L3-76");
    const struct {
        bool slm;
        unsigned urb, ro, dc, all;
    } rows[] = {
        {false, 48, 0, 0, 48}, {false, 48, 32, 16, 0}, {false, 32, 48, 16, 0},
        {false, 32, 64, 0, 0}, {false, 32, 0, 0, 64},  {true, 16, 0, 0, 48},
        {true, 16, 32, 16, 0}, {true, 16, 16, 32, 0},
    };
    for (const auto& r : rows) {
        const auto p = decode_partition(value(r.slm, r.urb, r.ro, r.dc, r.all), kMulti);
        EXPECT_EQ(p.problem, "");
        EXPECT_EQ(p.slm_ways + p.urb_ways + p.lines_ways(), 96u);
    }
    const struct {
        bool slm;
        unsigned urb, ro, dc, all;
    } single[] = {
        {false, 32, 0, 0, 48}, {false, 32, 40, 8, 0}, {false, 32, 16, 32, 0},
        {true, 16, 0, 0, 48},  {true, 16, 8, 40, 0},  {true, 16, 16, 32, 0},
    };
    for (const auto& r : single) {
        const auto p = decode_partition(value(r.slm, r.urb, r.ro, r.dc, r.all), kSingle);
        EXPECT_EQ(p.problem, "");
        EXPECT_EQ(p.slm_ways + p.urb_ways + p.lines_ways(), 160u);
    }
}

TEST(Partition, AllAndDcAreNothingOrAtLeast32KBOfABank) {
    GEN9_COVERS("L3-79");
    EXPECT_NE(decode_partition(value(false, 32, 0, 0, 15), kMulti).problem.find("L3-79"),
              std::string::npos);
    EXPECT_NE(decode_partition(value(false, 32, 40, 15, 0), kMulti).problem.find("L3-79"),
              std::string::npos);
    EXPECT_EQ(decode_partition(value(false, 32, 40, 16, 0), kMulti).problem, "");
    EXPECT_EQ(decode_partition(value(false, 32, 40, 8, 0), kSingle).problem, "") << "ways of 4 KB";
}

TEST(Partition, LocalMemoryTakes64KBOfEachBankAndTakesThemFromTheUrb) {
    GEN9_COVERS("L3-16 SLM-08");
    const auto without = decode_partition(value(false, 48, 0, 0, 48), kMulti);
    const auto with = decode_partition(value(true, 48, 0, 0, 48), kMulti);
    EXPECT_EQ(without.urb_ways, 48u);
    EXPECT_EQ(with.slm_ways * 2, 64u) << "ways of 2 KB";
    EXPECT_EQ(with.urb_ways, without.urb_ways - 32);
    EXPECT_EQ(with.all_ways, without.all_ways);
    EXPECT_NE(with.problem, "") << "more than the bank has: said, and the URB gives way";
    const auto single = decode_partition(value(true, 32, 0, 0, 48), kSingle);
    EXPECT_EQ(single.slm_ways + single.urb_ways + single.all_ways, 160u);
    EXPECT_EQ(single.slm_ways, 32u);
}

TEST(UrbStore, Has1008KBAtMost) {
    GEN9_COVERS("L3-77 URB-42");
    UrbStore urb;
    urb.set_size(48, 4);
    EXPECT_EQ(urb.size(), 384u * 1024);
    urb.set_size(48, 12);  // 1152 KB are allocated
    EXPECT_EQ(urb.size(), 1008u * 1024);
}

TEST(UrbStore, WritesWhatIsEnabled) {
    std::mt19937 random(2);
    UrbStore urb;
    urb.set_size(1, 1);
    std::vector<std::uint8_t> expected(urb.size());
    for (unsigned trial = 0; trial < 2000; ++trial) {
        const std::size_t length = 4 + random() % 61;
        std::vector<std::uint8_t> data(length), enables(random() % 4 ? length : 1 + random() % 8);
        for (std::uint8_t& byte : data)
            byte = static_cast<std::uint8_t>(random());
        // Any value but 0 enables a byte.
        for (std::uint8_t& enable : enables)
            enable = random() % 2 ? 0 : random() % 8 ? 0xFF : static_cast<std::uint8_t>(random());
        const std::uint64_t address = random() % (urb.size() + 8);
        urb.write(address, data, enables);
        for (std::size_t i = 0; i < length; ++i)
            if (enables[i % enables.size()] && address + i < expected.size())
                expected[address + i] = data[i];
    }
    std::vector<std::uint8_t> found(urb.size());
    urb.read(0, found);
    EXPECT_EQ(found, expected);
}

TEST(Partition, WhatTheRulesForbidIsNamedAndClamped) {
    GEN9_COVERS("L3-80 L3-81");
    EXPECT_NE(decode_partition(value(false, 32, 16, 16, 32), kMulti).problem.find("L3-80"),
              std::string::npos);
    EXPECT_NE(decode_partition(value(false, 16, 16, 0, 32), kMulti).problem.find("L3-80"),
              std::string::npos);
    EXPECT_NE(decode_partition(value(false, 16, 0, 16, 32), kMulti).problem.find("L3-80"),
              std::string::npos);
    EXPECT_NE(decode_partition(value(false, 32, 0, 64, 0), kMulti).problem.find("L3-81"),
              std::string::npos);
    const auto over = decode_partition(value(false, 64, 0, 0, 64), kMulti);
    EXPECT_NE(over.problem, "");
    EXPECT_LE(over.urb_ways + over.all_ways, 96u);
    const auto driver_on_single = decode_partition(0x80000340, kSingle);
    EXPECT_NE(driver_on_single.problem, "");
    EXPECT_LE(driver_on_single.all_ways, 96u);
    const auto wild = decode_partition(0xFFFFFFFF, kMulti);
    EXPECT_LE(wild.slm_ways + wild.urb_ways + wild.lines_ways(), 96u);
}

TEST(Registers, RowsOfL3cntlregCoverEachBitOnce) {
    std::uint64_t covered = 0;
    for (const auto* row : l3cntlreg::kRows)
        for (unsigned bit = row->low; bit <= row->high; ++bit) {
            EXPECT_FALSE(covered >> bit & 1) << row->name;
            covered |= std::uint64_t{1} << bit;
        }
    EXPECT_EQ(covered, 0xFFFFFFFFu);
}

TEST(Registers, EverythingOwnedReadsBackWhatWasWritten) {
    GEN9_COVERS("L3-02");
    Registers registers;
    EXPECT_EQ(registers.read(0x7034), 0x60000160u);
    for (const std::uint32_t offset : {0x7034u, 0xB004u, 0xB008u, 0xB020u, 0xB09Cu, 0xB100u,
                                       0xB118u, 0xB11Cu, 0xB120u, 0xB404u}) {
        ASSERT_TRUE(Registers::owns(offset));
        registers.write(offset, offset ^ 0xA5A5A5A5);
        EXPECT_EQ(registers.read(offset), offset ^ 0xA5A5A5A5);
    }
    EXPECT_FALSE(Registers::owns(0x7030));
    EXPECT_FALSE(Registers::owns(0xB500));
}

TEST(Registers, ChickenBitsAreWrittenUnderTheMaskInTheHighHalf) {
    Registers registers;
    EXPECT_EQ(registers.read(0x7300), 0x10u);
    registers.write(0x7300, 0x0000'0000);
    EXPECT_EQ(registers.read(0x7300), 0x10u);
    registers.write(0x7300, 0x0030'0020);
    EXPECT_EQ(registers.read(0x7300), 0x20u);
}

TEST(Registers, WhatIsNotModelledNamesItsRow) {
    Registers registers;
    const auto id = [&](std::uint32_t offset, std::uint32_t value) {
        const char* row = registers.lacking(offset, value).id;
        return std::string(row ? row : "");
    };
    EXPECT_EQ(id(0x7300, 0x0010'0000), "L3-57");
    EXPECT_EQ(id(0x7300, 0x0010'0010), "");
    EXPECT_EQ(id(0xB004, 1), "L3-02");
    EXPECT_EQ(id(0xB004, 0), "") << "what it holds already";
    for (const std::uint32_t offset : {0x7034u, 0xB008u, 0xB020u, 0xB09Cu, 0xB100u, 0xB118u})
        EXPECT_EQ(id(offset, ~0u), "") << std::hex << offset;
}

TEST(Registers, AtomicsRunInL3OnlyIfNodeAndSuperQueueLetThem) {
    Registers registers;
    EXPECT_TRUE(registers.atomics_in_l3());
    registers.write(0xB008, 0);
    EXPECT_FALSE(registers.atomics_in_l3());
    registers.write(0xB008, 1);
    registers.write(0xB118, 0);
    EXPECT_FALSE(registers.atomics_in_l3());
}

TEST(Registers, AnUncachedMocsEntryIsFoundByItsIndex) {
    GEN9_COVERS("L3-44");
    Registers registers;
    registers.write(0xB020 + 4, 0x0010'0030);  // entries 2 (write back) and 3 (uncached)
    EXPECT_FALSE(registers.uncached(2 << 1));
    EXPECT_TRUE(registers.uncached(3 << 1));
    EXPECT_FALSE(registers.uncached(4 << 1));
}

// For exploration: no driver gives them out.
TEST(Partition, TheWaysOfALargerBankHoldLines) {
    const struct {
        bool slm;
        unsigned urb, ro, dc, all;
    } rows[] = {
        {true, 16, 0, 0, 48}, {false, 32, 0, 0, 64}, {true, 16, 16, 32, 0}, {false, 32, 64, 0, 0}};
    for (const auto& r : rows)
        for (const unsigned more : {0u, 1u, 64u}) {
            const auto p =
                decode_partition(value(r.slm, r.urb, r.ro, r.dc, r.all), {96 + more, 128, 1});
            EXPECT_EQ(p.problem, "");
            EXPECT_EQ(p.slm_ways + p.urb_ways, 32u * r.slm + r.urb);
            EXPECT_EQ(p.all_ways, r.all ? r.all + more : 0);
            EXPECT_EQ(p.dc_ways, r.dc ? r.dc + more : 0);
            EXPECT_EQ(p.ro_ways, r.all || r.dc ? r.ro : r.ro + more);
        }
    const auto untagged = decode_partition(value(false, 32, 0, 0, 64), {160, 64, 1});
    EXPECT_EQ(untagged.all_ways, 64u);
    EXPECT_NE(untagged.problem, "") << "what does not act is said";
    EXPECT_EQ(decode_partition(value(true, 16, 0, 0, 48), {192, 128, 2}).all_ways, 96u + 32);
}

TEST(Partition, NoValueGivesMoreThanABankHas) {
    for (const BankShape& shape : {kMulti, kSingle, BankShape{160, 128, 1}})
        for (const bool slm : {false, true})
            for (const unsigned urb : {0u, 16u, 48u, 96u, 127u})
                for (const unsigned ro : {0u, 16u, 64u, 127u})
                    for (const unsigned dc : {0u, 16u, 64u, 127u})
                        for (const unsigned all : {0u, 16u, 64u, 127u}) {
                            const auto p = decode_partition(value(slm, urb, ro, dc, all), shape);
                            EXPECT_LE(p.all_ways, shape.tagged_ways);
                            EXPECT_LE(p.dc_ways, shape.tagged_ways);
                            EXPECT_LE(p.ro_ways, shape.tagged_ways);
                            EXPECT_LE(p.lines_ways(), shape.tagged_ways);
                            EXPECT_LE(p.slm_ways + p.urb_ways + p.lines_ways(), shape.ways);
                        }
}

}  // namespace
}  // namespace gen9::l3
