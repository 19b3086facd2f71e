// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/registers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include "tests/support/covers.h"

namespace gen9::cs {
namespace {

TEST(Registers, MaskedOnesTakeOnlyTheBitsTheirHighHalfNames) {
    GEN9_COVERS("CS-151");
    RegisterFile file;
    file.write(0x229C, 0xFFFF8280, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8280u);
    file.write(0x229C, 0x00800000, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8200u);
    file.write(0x229C, 0x0000FFFF, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8200u);
    EXPECT_EQ(file.saved(0x229C), 0xFFFF8200u);
}

TEST(Registers, AWriteSaysWhatTheRegisterThenHolds) {
    RegisterFile file;
    std::mt19937 random(1);
    for (const Writer writer : {Writer::Host, Writer::Stream, Writer::Restore})
        for (const RegisterRow& row : register_rows()) {
            const std::uint32_t offset = row.offset + 4 * (random() % row.count);
            const std::uint32_t held = file.write(offset, random(), random() & 0xF, writer);
            EXPECT_EQ(held, file.read(offset)) << row.name;
        }
}

TEST(Registers, SeventeenTakeMasksAndFifteenNoWrites) {
    const std::set<std::uint32_t> masked{0x2050, 0x209C, 0x20C0, 0x20CC, 0x20D8, 0x20EC,
                                         0x212C, 0x2244, 0x229C, 0x23A0, 0x2580, 0x2B04,
                                         0x7000, 0x7004, 0x7008, 0x7028, 0xE180};
    const std::set<std::uint32_t> read_only{0x205C, 0x206C, 0x2074, 0x20B8, 0x2138,
                                            0x2148, 0x216C, 0x2190, 0x2234, 0x2358,
                                            0x2370, 0x7100, 0x8300, 0xE160, 0xE164};
    RegisterFile file;
    for (const RegisterRow& row : register_rows()) {
        if (row.offset == 0x20B0) continue;  // a 1 clears its bits
        const std::uint32_t before = file.read(row.offset);
        file.write(row.offset, 0x80021003, 0, Writer::Stream);
        EXPECT_EQ(file.read(row.offset), read_only.contains(row.offset) ? before
                                         : masked.contains(row.offset)  ? (before & ~0x8002u) | 2
                                                                        : 0x80021003u)
            << row.name;
    }
}

TEST(Registers, EachRowHasItsDwordsAndItsName) {
    const RegisterFile file;
    for (const RegisterRow& row : register_rows()) {
        EXPECT_EQ(row.offset % 4, 0u) << row.name;
        EXPECT_EQ(file.name(row.offset), row.name);
        for (unsigned n = 0; n < row.count; ++n)
            EXPECT_EQ(file.row(row.offset + 4 * n), &row) << row.name;
    }
}

// Counters and addresses of 64 bits, and runs of registers of one kind; all others are of 32 bits.
TEST(Registers, TheseHaveMoreThanOneDword) {
    const std::map<std::uint32_t, unsigned> dwords{
        {0x2138, 2},  {0x2148, 2},   {0x21A8, 2},  {0x21B8, 2}, {0x2234, 2},  {0x2270, 8},
        {0x2290, 2},  {0x22C8, 2},   {0x22D8, 2},  {0x22F0, 2}, {0x22F8, 2},  {0x2300, 2},
        {0x2308, 2},  {0x2310, 2},   {0x2318, 2},  {0x2320, 2}, {0x2328, 2},  {0x2330, 2},
        {0x2338, 2},  {0x2340, 2},   {0x2348, 2},  {0x2350, 2}, {0x2358, 2},  {0x2360, 2},
        {0x2370, 12}, {0x2400, 2},   {0x2408, 2},  {0x2410, 2}, {0x2448, 2},  {0x2450, 2},
        {0x2480, 2},  {0x2490, 2},   {0x24B4, 2},  {0x24C0, 2}, {0x24C8, 2},  {0x24D0, 12},
        {0x2500, 3},  {0x2600, 32},  {0x2710, 8},  {0x2740, 8}, {0x2770, 16}, {0x4000, 192},
        {0x4B10, 2},  {0x4DE0, 6},   {0x5200, 8},  {0x5240, 8}, {0x5280, 4},  {0x7020, 2},
        {0x8300, 34}, {0xB000, 320}, {0xC800, 64}, {0xE408, 3}, {0xE4B0, 2},  {0x0D00, 2},
        {0x0D0C, 9},  {0x91B8, 4},   {0x91C8, 2},  {0x9800, 34}};
    for (const RegisterRow& row : register_rows()) {
        const auto found = dwords.find(row.offset);
        EXPECT_EQ(row.count, found == dwords.end() ? 1 : found->second) << row.name;
    }
}

// Other blocks have these: page directory pointers and faults (GTI), L3 and the dispatch control.
TEST(Registers, ThoseOfOtherBlocksAreAskedThere) {
    const RegisterFile file;
    for (const std::uint32_t offset : {0x4000u, 0x4094u, 0x4B10u, 0x4B14u, 0x7034u, 0xE404u}) {
        ASSERT_NE(file.row(offset), nullptr) << std::hex << offset;
        EXPECT_EQ(file.row(offset)->access, Access::External) << std::hex << offset;
    }
}

TEST(Registers, DisabledBytesStay) {
    RegisterFile file;
    file.write(0x2600, 0x11223344, 0, Writer::Stream);
    file.write(0x2600, 0xAABBCCDD, 0b0010, Writer::Stream);
    EXPECT_EQ(file.read(0x2600), 0xAABB33DDu);
    file.write(0x2580, 0x00060006, 0, Writer::Stream);
    file.write(0x2580, 0x00060000, 0b0100, Writer::Stream);  // the mask's byte does not arrive
    EXPECT_EQ(file.read(0x2580), 6u);
}

TEST(Registers, CountersAreWrittenByTheStreamOnly) {
    GEN9_COVERS("CS-15 CS-17 FF-33");
    RegisterFile file;
    for (const std::uint32_t offset :
         {0x2310u, 0x2318u, 0x2320u, 0x2300u, 0x2308u, 0x2328u, 0x2330u, 0x2338u, 0x2340u, 0x22C8u,
          0x22F0u, 0x2448u, 0x22D8u, 0x22F8u, 0x2450u}) {
        for (const std::uint32_t at : {offset, offset + 4}) {
            file.write(at, 7, 0, Writer::Host);
            EXPECT_EQ(file.read(at), 0u) << std::hex << at;
            file.write(at, 9, 0, Writer::Stream);
            EXPECT_EQ(file.read(at), 9u) << std::hex << at;
        }
    }
}

TEST(Registers, StreamOutputHasFourOfEach) {
    GEN9_COVERS("CS-21");
    RegisterFile file;
    for (std::uint32_t n = 0; n < 4; ++n) {
        for (const auto& [offset, dwords] :
             {std::pair{0x5200 + 8 * n, 2u}, {0x5240 + 8 * n, 2u}, {0x5280 + 4 * n, 1u}})
            for (std::uint32_t i = 0; i < dwords; ++i) {
                const std::uint32_t at = offset + 4 * i;
                ASSERT_NE(file.row(at), nullptr) << std::hex << at;
                file.write(at, at, 0, Writer::Stream);
                EXPECT_EQ(file.read(at), at);
            }
    }
    EXPECT_EQ(file.name(0x5218), "SO_NUM_PRIMS_WRITTEN+0x18");
    EXPECT_EQ(file.name(0x5258), "SO_PRIM_STORAGE_NEEDED+0x18");
    EXPECT_EQ(file.name(0x528C), "SO_WRITE_OFFSET+0xc");
    EXPECT_EQ(file.name(0x10'0000), "register 0x100000") << "of a page without any";
    EXPECT_EQ(file.row(0x10'0000), nullptr);
}

TEST(Registers, UnknownOnesKeepWhatWasWritten) {
    RegisterFile file;
    EXPECT_EQ(file.row(0x9400), nullptr);
    EXPECT_EQ(file.read(0x9400), 0u);
    file.write(0x9400, 0xDEADBEEF, 0, Writer::Stream);
    EXPECT_EQ(file.read(0x9400), 0xDEADBEEFu);
    EXPECT_EQ(file.name(0x9400), "register 0x9400");
    EXPECT_EQ(file.name(0x2604), "CS_GPR+0x4");
    EXPECT_EQ(file.name(0x2600), "CS_GPR");
}

// 003:2151-2160.
TEST(Registers, TheControlsOfTheEuCountersAreNotInOrder) {
    const RegisterFile file;
    const std::uint32_t offsets[] = {0xE458, 0xE558, 0xE658, 0xE758, 0xE45C, 0xE55C, 0xE65C};
    for (unsigned n = 0; n < std::size(offsets); ++n)
        EXPECT_EQ(file.name(offsets[n]), "EU_PERF_CNT_CTL" + std::to_string(n));
}

TEST(Registers, ResetValuesOfTheSeed) {
    GEN9_COVERS("CS-11 CS-12");
    RegisterFile file;
    EXPECT_EQ(file.read(0x7034), 0x60000060u);
    for (std::uint32_t offset = 0x8300; offset <= 0x8384; offset += 4) {
        ASSERT_NE(file.row(offset), nullptr);
        file.write(offset, 1, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset), 0u);
    }
    EXPECT_EQ(file.row(0x8388), nullptr);
}

TEST(Registers, AllOthersAreZeroAtReset) {
    const std::map<std::uint32_t, std::uint32_t> others{
        {0x206C, ~0u}, {0x2098, ~0u}, {0x209C, 0x200},  {0x20A8, ~0u},
        {0x20B4, ~0u}, {0x2178, 1},   {0x23A0, 0x0505}, {0x7034, 0x60000060},
        {0x7100, ~0u}, {0xE160, ~0u}, {0xE164, ~0u}};
    const RegisterFile file;
    for (const RegisterRow& row : register_rows()) {
        const auto other = others.find(row.offset);
        for (unsigned n = 0; n < row.count; ++n)
            EXPECT_EQ(file.read(row.offset + 4 * n), other == others.end() ? 0 : other->second)
                << row.name;
    }
}

TEST(Registers, ModeRegistersReadBack) {
    GEN9_COVERS("CS-13");
    RegisterFile file;
    for (const std::uint32_t offset :
         {0x209Cu, 0x229Cu, 0x7008u, 0x7028u, 0x7000u, 0x7004u, 0x212Cu}) {
        file.write(offset, 0x00040004, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset) & 4, 4u) << std::hex << offset;
    }
    for (const std::uint32_t offset : {0x20A0u, 0x7020u, 0x7024u}) {
        file.write(offset, 0x12345000, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset), 0x12345000u) << std::hex << offset;
    }
}

TEST(Registers, NewContextsStartFromWhatTheHostSet) {
    RegisterFile file;
    file.write(0x2028, 0x38, 0, Writer::Host);
    file.write(0x2028, 0x77, 0, Writer::Stream);
    file.write(0x2600, 5, 0, Writer::Stream);
    file.write(0x2580, 0x00060006, 0, Writer::Stream);
    file.write(0x20D8, 0x00060006, 0, Writer::Stream);  // not of a context
    file.reset_context();
    EXPECT_EQ(file.read(0x2028), 0x38u);
    EXPECT_EQ(file.read(0x2600), 0u);
    EXPECT_EQ(file.read(0x2580), 0u);
    EXPECT_EQ(file.read(0x20D8), 6u);
}

TEST(Registers, OffsetsBeyondTheSpaceFallIntoIt) {
    RegisterFile file;
    file.write(0xFFFFFFFC, 1, 0, Writer::Stream);
    EXPECT_EQ(file.read(0xFFFFFFFC), 1u);
    EXPECT_EQ(file.read(0x7FFFFC), 1u);
}

}  // namespace
}  // namespace gen9::cs
