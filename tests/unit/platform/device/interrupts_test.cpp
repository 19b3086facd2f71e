// SPDX-License-Identifier: Apache-2.0
#include "platform/device/interrupts.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

using R = InterruptRegisters;

struct Interrupts : testing::Test {
    R registers;
    void open(std::uint32_t bits) {
        registers.write(R::kImr, ~bits);
        registers.write(R::kIer, bits);
        registers.write(R::kMaster, R::kMasterEnable);
    }
};

TEST_F(Interrupts, AfterResetNothingPasses) {
    EXPECT_EQ(registers.read(R::kImr), 0xFFFFFFFFu);
    registers.write(R::kIer, ~0u);
    registers.write(R::kMaster, R::kMasterEnable);
    registers.raise(0);
    EXPECT_FALSE(registers.line());
    EXPECT_EQ(registers.read(R::kIir), 0u);
}

TEST_F(Interrupts, AnEventIsKeptUntilAOneIsWritten) {
    open(1u << 8 | 1u << 0);
    registers.raise(8);
    registers.raise(0);
    EXPECT_TRUE(registers.line());
    EXPECT_EQ(registers.read(R::kIir), 0x101u);
    registers.write(R::kIir, 0x100);
    EXPECT_EQ(registers.read(R::kIir), 0x1u);
    EXPECT_TRUE(registers.line());
    registers.write(R::kIir, 0x1);
    EXPECT_FALSE(registers.line());
}

TEST_F(Interrupts, TheMaskKeepsAnEventOutAndTheEnableKeepsItFromTheLine) {
    open(1u << 4);
    registers.raise(0);
    EXPECT_EQ(registers.read(R::kIir), 0u);
    registers.write(R::kIer, 0);
    registers.raise(4);
    EXPECT_EQ(registers.read(R::kIir), 0x10u);
    EXPECT_FALSE(registers.line());
    registers.write(R::kIer, 1u << 4);
    EXPECT_TRUE(registers.line());
}

TEST_F(Interrupts, TheMasterSwitchesTheLineAndSaysWhoWaits) {
    open(1);
    registers.raise(0);
    EXPECT_EQ(registers.read(R::kMaster), R::kMasterEnable | R::kRenderPending);
    registers.write(R::kMaster, 0);
    EXPECT_FALSE(registers.line());
    EXPECT_EQ(registers.read(R::kMaster), R::kRenderPending);
    registers.write(R::kMaster, R::kMasterEnable);
    EXPECT_TRUE(registers.line());
}

}  // namespace
}  // namespace gen9::platform
