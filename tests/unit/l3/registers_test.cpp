// SPDX-License-Identifier: Apache-2.0
#include "l3/registers.h"

#include <gtest/gtest.h>

namespace gen9::l3 {
namespace {

std::string lacking(std::uint32_t offset, std::uint32_t value, Registers registers = {}) {
    const auto found = registers.lacking(offset, value);
    return found.id ? found.id : "";
}

TEST(L3Registers, CreditsOfBothPrioritiesComeInPairs) {
    Registers registers;
    EXPECT_EQ(registers.super_queue_credits(), 64u) << "at reset, as Linux programs it";
    registers.write(0xB100, 5u << 19 | 3u << 14);
    EXPECT_EQ(registers.super_queue_credits(), 16u);
}

TEST(L3Registers, OnlyWritesOfWhichSomethingIsLackingAreReported) {
    for (const std::uint32_t offset :
         {0x7034u, 0xB404u, 0xB008u, 0xB100u, 0xB118u, 0xB11Cu, 0xB120u, 0xB020u, 0xB09Cu})
        for (const std::uint32_t value : {0u, 0x10u, 0x100000u, 0xFFFFFFFFu})
            EXPECT_EQ(lacking(offset, value), "") << std::hex << offset;
    for (const std::uint32_t offset : {0xB000u, 0xB01Cu, 0xB0A0u, 0xB4FCu}) {
        EXPECT_EQ(lacking(offset, 0), "") << "its value at reset";
        EXPECT_EQ(lacking(offset, 1), "L3-02") << std::hex << offset;
    }
    // HDC_CHICKEN0: bit 4 is written where bit 20 says so; cleared it makes accesses coherent.
    EXPECT_EQ(lacking(0x7300, 0x00100000), "L3-57");
    EXPECT_EQ(lacking(0x7300, 0x00100010), "");
    EXPECT_EQ(lacking(0x7300, 0x00000000), "");
    EXPECT_EQ(lacking(0x7300, 0xFFEF0000), "") << "other bits";
}

TEST(L3Registers, TheBlockOwnsThreeRanges) {
    for (const std::uint32_t offset : {0x7034u, 0x7300u, 0xB000u, 0xB4FCu})
        EXPECT_TRUE(Registers::owns(offset)) << std::hex << offset;
    for (const std::uint32_t offset : {0x7030u, 0x7038u, 0x72FCu, 0x7304u, 0xAFFCu, 0xB500u})
        EXPECT_FALSE(Registers::owns(offset)) << std::hex << offset;
}

TEST(L3Registers, AtomicsRunInL3IfNodeAndQueueBothLetThem) {
    for (const bool node : {false, true})
        for (const bool queue : {false, true}) {
            Registers registers;
            registers.write(0xB008, node ? 1 : 0);
            registers.write(0xB118, queue ? 1u << 22 : 0);
            EXPECT_EQ(registers.atomics_in_l3(), node && queue);
            EXPECT_FALSE(registers.flushes_coherent_lines());
        }
    Registers registers;
    registers.write(0xB118, 1u << 21);
    EXPECT_TRUE(registers.flushes_coherent_lines());
}

}  // namespace
}  // namespace gen9::l3
