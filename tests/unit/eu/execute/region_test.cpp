// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

/// Byte i of the register file holds i (mod 256); words and more are read back as their low byte.
std::unique_ptr<Thread> numbered_thread() {
    auto thread = make_thread();
    for (unsigned i = 0; i < kGrfCount * kGrfBytes; ++i)
        bytes_from(thread->grf[0])[i] = static_cast<std::uint8_t>(i);
    return thread;
}

TEST(Regions, RowsAndColumnsGiveTheByteAddress) {
    GEN9_COVERS("EU-026 EU-027 EU-028 EU-029");
    // r4.1<16;8,2>:w, 16 channels: first row 128 + 2 + {0,4,..,28}, second row 32 further.
    auto thread = numbered_thread();
    run(*thread, make(Opcode::Mov, 16, dst(100, Type::W), {region(4, 1, 16, 8, 2, Type::W)}));
    for (unsigned ch = 0; ch < 16; ++ch) {
        const unsigned address = 128 + 2 + ch % 8 * 4 + ch / 8 * 32;
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 2 * ch), address & 255) << ch;
    }
}

TEST(Regions, VerticalStrideBelowWidthInterleaves) {
    GEN9_COVERS("EU-026");
    auto thread = numbered_thread();
    run(*thread, make(Opcode::Mov, 16, dst(100, Type::W), {region(5, 0, 1, 8, 2, Type::W)}));
    for (unsigned ch = 0; ch < 16; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 2 * ch), (160 + ch / 8 * 2 + ch % 8 * 4) & 255);
}

TEST(Regions, ZeroStridesReplicate) {
    GEN9_COVERS("EU-026 EU-036");
    auto thread = numbered_thread();
    run(*thread, make(Opcode::Mov, 8, dst(100, Type::UD), {scalar(5, 3, Type::UD)}));
    for (unsigned ch = 0; ch < 8; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 4 * ch), 172);
    run(*thread, make(Opcode::Mov, 16, dst(100, Type::UW), {region(5, 0, 0, 8, 1, Type::UW)}));
    for (unsigned ch = 0; ch < 16; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 2 * ch), 160 + ch % 8 * 2);
}

TEST(Regions, DestinationStrideLeavesTheGaps) {
    GEN9_COVERS("EU-030 EU-024");
    auto thread = numbered_thread();
    run(*thread, make(Opcode::Mov, 8, dst(100, Type::UW, 1, 2), {imm(0xABCDABCD, Type::UW)}));
    for (unsigned word = 0; word < 16; ++word)
        EXPECT_EQ(get<std::uint16_t>(*thread, 100, word) == 0xABCD, word % 2 == 1) << word;
}

TEST(Regions, SourceAndDestinationMayBeTheSameRegister) {
    GEN9_COVERS("EU-015 EU-026");
    // All channels read before any is written: a rotation inside a register.
    auto thread = make_thread();
    fill<std::uint32_t>(*thread, 10, {0, 1, 2, 3, 4, 5, 6, 7});
    run(*thread, make(Opcode::Mov, 4, dst(10, Type::UD, 1), {region(10, 0, 4, 4, 1, Type::UD)}));
    const std::uint32_t expected[] = {0, 0, 1, 2, 3, 5, 6, 7};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 10, i), expected[i]);
}

TEST(Regions, Indirect1x1AddsAddressAndImmediate) {
    GEN9_COVERS("EU-059 EU-060");
    auto thread = numbered_thread();
    thread->address[2] = 0x140;
    Operand source = region(0, 0, 8, 8, 1, Type::UD);
    source.indirect = true;
    source.addr_subreg = 2;
    source.addr_imm = -16;
    run(*thread, make(Opcode::Mov, 8, dst(100, Type::UD), {source}));
    for (unsigned ch = 0; ch < 8; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 4 * ch), (0x130 + 4 * ch) & 255);
}

TEST(Regions, IndirectDestination) {
    GEN9_COVERS("EU-059 EU-064");
    auto thread = make_thread();
    thread->address[5] = 0x400;
    Operand destination = dst(0, Type::UD);
    destination.indirect = true;
    destination.addr_subreg = 5;
    destination.addr_imm = 32;
    run(*thread, make(Opcode::Mov, 8, destination, {imm(7, Type::UD)}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 33, 0), 7u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 32, 7), 0u);
}

TEST(Regions, ScatteredMoveWritesTheChannelsNamedBySource1) {
    GEN9_COVERS("EU-223");
    // The store of channel 2 to an indexed array: row address in a0.2, column by the channel.
    auto thread = make_thread();
    thread->address[2] = 0x400;
    set<std::uint32_t>(*thread, 12, 2, 4711);
    Operand destination = dst(0, Type::D);
    destination.indirect = true;
    destination.addr_subreg = 2;
    run(*thread,
        make(Opcode::Smov, 8, destination, {scalar(12, 2, Type::D), imm(0x00040004, Type::UW)}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 32, i), i == 2 ? 4711u : 0u);
}

TEST(Regions, ScatteredMoveConvertsUnequalTypes) {
    GEN9_COVERS("EU-223");
    // The store of a short to an indexed array of longs: sources and destination of any type
    // (003:23693), converted as by mov.
    auto thread = make_thread();
    thread->address[0] = 0x400;
    set<std::int16_t>(*thread, 12, 0, -2);
    Operand destination = dst(0, Type::Q);
    destination.indirect = true;
    run(*thread,
        make(Opcode::Smov, 8, destination, {scalar(12, 0, Type::W), imm(0x00020002, Type::UW)}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::int64_t>(*thread, 32 + i / 4, i % 4), i == 1 ? -2 : 0);
    set<float>(*thread, 12, 0, 1.5f);
    destination.type = Type::DF;
    run(*thread,
        make(Opcode::Smov, 8, destination, {scalar(12, 0, Type::F), imm(0x00010001, Type::UW)}));
    EXPECT_EQ(get<double>(*thread, 32, 0), 1.5);
    EXPECT_EQ(get<std::int64_t>(*thread, 32, 1), -2);
}

TEST(Regions, Vx1TakesOneAddressPerRow) {
    GEN9_COVERS("EU-061 EU-066");
    auto thread = numbered_thread();
    thread->address[0] = 0x80;
    thread->address[1] = 0xC0;
    Operand source = region(0, 0, 0, 4, 1, Type::UD);
    source.indirect = source.multi_indirect = true;
    run(*thread, make(Opcode::Mov, 8, dst(100, Type::UD), {source}));
    for (unsigned ch = 0; ch < 8; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 4 * ch), (ch < 4 ? 0x80 : 0xC0) + 4 * (ch % 4));
}

TEST(Regions, VxHTakesOneAddressPerChannel) {
    GEN9_COVERS("EU-062 EU-066");
    auto thread = numbered_thread();
    Operand source = region(0, 0, 0, 1, 0, Type::UW);
    source.indirect = source.multi_indirect = true;
    for (unsigned i = 0; i < 16; ++i)
        thread->address[i] = static_cast<std::uint16_t>(0x40 + 6 * i);
    run(*thread, make(Opcode::Mov, 16, dst(100, Type::UW), {source}));
    for (unsigned ch = 0; ch < 16; ++ch)
        EXPECT_EQ(get<std::uint8_t>(*thread, 100, 2 * ch), 0x40 + 6 * ch);
}

TEST(Regions, NothingLeavesTheRegisterFile) {
    GEN9_COVERS("EU-025");
    auto thread = make_thread();
    const auto guard = thread->acc;
    thread->address[0] = 0xFFFF;
    for (const unsigned reg : {127u, 128u, 255u}) {
        run(*thread, make(Opcode::Mov, 16, dst(reg, Type::UD), {imm(0xFFFFFFFF, Type::UD)}));
        run(*thread,
            make(Opcode::Add, 8, dst(reg, Type::Q), {grf(reg, Type::Q), grf(127, Type::Q)}));
    }
    Operand destination = dst(0, Type::UD);
    destination.indirect = true;
    destination.addr_imm = 511;
    run(*thread, make(Opcode::Mov, 16, destination, {imm(0xFFFFFFFF, Type::UD)}));
    EXPECT_EQ(thread->acc, guard);
}

TEST(Regions, Align16SwizzleChoosesInsideGroupsOfFour) {
    GEN9_COVERS("EU-054 EU-055");
    auto thread = make_thread();
    fill<std::uint32_t>(*thread, 10, {0, 1, 2, 3, 4, 5, 6, 7});
    Operand source = region(10, 0, 4, 4, 1, Type::UD);
    source.swizzle = 2 | 1 << 2 | 3 << 4 | 2 << 6;  // .zywz
    Instruction in = make(Opcode::Mov, 8, dst(20, Type::UD), {source});
    in.align16 = true;
    run(*thread, in);
    const std::uint32_t expected[] = {2, 1, 3, 2, 6, 5, 7, 6};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 20, i), expected[i]);
}

TEST(Regions, ReplicateBroadcastsTheAddressedElement) {
    GEN9_COVERS("EU-057 EU-248");
    auto thread = make_thread();
    fill<float>(*thread, 10, {1, 2, 3, 4, 5, 6, 7, 8});
    fill<float>(*thread, 11, {0, 0, 0, 10, 0, 0, 0, 0});
    fill<float>(*thread, 12, {1, 1, 1, 1, 1, 1, 1, 1});
    Operand factor = grf(11, Type::F);
    factor.replicate = true;
    factor.subreg = 12;
    run(*thread,
        make(Opcode::Mad, 8, dst(20, Type::F), {grf(12, Type::F), grf(10, Type::F), factor}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<float>(*thread, 20, i), 1.0f + 10.0f * static_cast<float>(i + 1));
}

}  // namespace
}  // namespace gen9::eu::test
