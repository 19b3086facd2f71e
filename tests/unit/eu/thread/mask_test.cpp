// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

/// Channels a mov of 1 writes into a register of zeros.
std::uint32_t written(Thread& thread, Instruction in) {
    for (unsigned i = 0; i < 32; ++i)
        set<std::uint16_t>(thread, 50, i, 0);
    in.opcode = Opcode::Mov;
    in.dst = dst(50, Type::UW);
    in.source_count = 1;
    in.src[0] = imm(0x00010001, Type::UW);
    run(thread, in);
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 32; ++i)
        mask |= static_cast<std::uint32_t>(get<std::uint16_t>(thread, 50, i)) << i;
    return mask;
}
Instruction sized(unsigned exec_size) {
    return make(Opcode::Mov, exec_size, {}, {});
}

TEST(Masks, OnlyActiveChannelsWrite) {
    GEN9_COVERS("EU-153 EU-154 EU-155");
    auto thread = make_thread(0xF00F);
    EXPECT_EQ(written(*thread, sized(16)), 0xF00Fu);
    EXPECT_EQ(written(*thread, sized(8)), 0x0Fu);
}
TEST(Masks, NoMaskWritesAllBelowTheExecutionSize) {
    GEN9_COVERS("EU-153 EU-172");
    auto thread = make_thread(0);
    Instruction in = sized(8);
    in.no_mask = true;
    EXPECT_EQ(written(*thread, in), 0xFFu);
}
TEST(Masks, PredicationHoldsUnderNoMask) {
    GEN9_COVERS("EU-172");
    auto thread = make_thread(0);
    thread->flag[0] = 0x5;
    Instruction in = sized(8);
    in.no_mask = true;
    in.pred_ctrl = PredCtrl::Sequential;
    EXPECT_EQ(written(*thread, in), 0x5u);
}
TEST(Masks, ChannelOffsetMovesTheChannelsDown) {
    GEN9_COVERS("EU-156");
    auto thread = make_thread(0xA5000000);
    Instruction in = sized(8);
    in.channel_offset = 24;
    EXPECT_EQ(written(*thread, in), 0xA5u);
    in.channel_offset = 16;
    EXPECT_EQ(written(*thread, in), 0u);
}
TEST(Masks, ACompressedInstructionIsItsLowAndItsHighHalf) {
    GEN9_COVERS("EU-013");
    for (const unsigned offset : {0u, 16u}) {
        auto whole = make_thread(0x6C3AA53C);
        whole->flag[0] = 0x0FF0C35A;
        for (unsigned i = 0; i < 32; ++i)
            set(*whole, 10, i, static_cast<float>(i) + 0.25f);
        auto halves = std::make_unique<Thread>(*whole);
        const auto before = std::make_unique<Thread>(*whole);
        Instruction in =
            make(Opcode::Add, 16, dst(20, Type::F), {grf(10, Type::F), grf(12, Type::F)});
        in.channel_offset = static_cast<std::uint8_t>(offset);
        in.pred_ctrl = PredCtrl::Sequential;
        in.cond_mod = CondMod::G;
        run(*whole, in);
        in.exec_size = 8;
        run(*halves, in);
        in.channel_offset = static_cast<std::uint8_t>(offset + 8);
        in.dst.reg = 21, in.src[0].reg = 11, in.src[1].reg = 13;
        run(*halves, in);
        halves->ip = whole->ip;
        EXPECT_TRUE(same_state(*whole, *halves)) << offset;
        EXPECT_FALSE(same_state(*whole, *before)) << "something is written";
    }
}
TEST(Masks, PredicateBitIsSubregisterPlusOffsetPlusChannel) {
    GEN9_COVERS("EU-157");
    auto thread = make_thread(0xFFFFFFFF);
    thread->flag[1] = 0x12345678;
    Instruction in = sized(16);
    in.pred_ctrl = PredCtrl::Sequential;
    in.flag_reg = 1;
    EXPECT_EQ(written(*thread, in), 0x5678u);
    in.channel_offset = 16;
    EXPECT_EQ(written(*thread, in), 0x1234u);
    in.channel_offset = 0;
    in.flag_subreg = 1;
    EXPECT_EQ(written(*thread, in), 0x1234u);
    in.exec_size = 8;
    in.channel_offset = 8;
    EXPECT_EQ(written(*thread, in), 0x12u);
}
TEST(Masks, GroupPredicatesCombineAllBitsOfTheirGroup) {
    GEN9_COVERS("EU-159 EU-161");
    auto thread = make_thread(0xFFFF);
    thread->flag[0] = 0xF312;
    const auto with = [&](PredCtrl control) {
        Instruction in = sized(16);
        in.pred_ctrl = control;
        return written(*thread, in);
    };
    EXPECT_EQ(with(PredCtrl::Any2H), 0xF333u);
    EXPECT_EQ(with(PredCtrl::All2H), 0xF300u);
    EXPECT_EQ(with(PredCtrl::Any4H), 0xFFFFu);
    EXPECT_EQ(with(PredCtrl::All4H), 0xF000u);
    EXPECT_EQ(with(PredCtrl::All8H), 0u);
    EXPECT_EQ(with(PredCtrl::Any8H), 0xFFFFu);
    EXPECT_EQ(with(PredCtrl::Any16H), 0xFFFFu);
    EXPECT_EQ(with(PredCtrl::All16H), 0u);
    thread->flag[0] = 0x0001FFFF;
    EXPECT_EQ(with(PredCtrl::All16H), 0xFFFFu);
    EXPECT_EQ(with(PredCtrl::All32H), 0u);
    EXPECT_EQ(with(PredCtrl::Any32H), 0xFFFFu);
}
TEST(Masks, GroupPredicateCountsBitsOfDisabledChannels) {
    GEN9_COVERS("EU-161");
    auto thread = make_thread(0xF00F);
    thread->flag[0] = 0x0010;
    Instruction in = sized(16);
    in.pred_ctrl = PredCtrl::Any8H;
    EXPECT_EQ(written(*thread, in), 0x000Fu);
}
TEST(Masks, VerticalPredicatesCombineF0AndF1) {
    GEN9_COVERS("EU-162");
    auto thread = make_thread(0xFFFF);
    thread->flag = {0x00FF, 0x0FF0};
    Instruction in = sized(16);
    in.pred_ctrl = PredCtrl::AnyV;
    EXPECT_EQ(written(*thread, in), 0x0FFFu);
    in.pred_ctrl = PredCtrl::AllV;
    EXPECT_EQ(written(*thread, in), 0x00F0u);
}
TEST(Masks, InversionComesAfterCombinationAndNeedsAPredicate) {
    GEN9_COVERS("EU-163");
    auto thread = make_thread(0xFFFF);
    thread->flag[0] = 0x0010;
    Instruction in = sized(16);
    in.pred_invert = true;
    EXPECT_EQ(written(*thread, in), 0xFFFFu);
    in.pred_ctrl = PredCtrl::Any4H;
    EXPECT_EQ(written(*thread, in), 0xFF0Fu);
}
TEST(Masks, Align16ReplicatesOneComponentOfTheFlag) {
    GEN9_COVERS("EU-160");
    auto thread = make_thread(0xFFFF);
    thread->flag[0] = 0x0024;
    Instruction in = make(Opcode::Mov, 8, dst(50, Type::UD), {imm(1, Type::UD)});
    in.align16 = true;
    in.pred_ctrl = PredCtrl::AllV;  // code 3 is .y in Align16
    for (unsigned i = 0; i < 8; ++i)
        set<std::uint32_t>(*thread, 50, i, 0);
    run(*thread, in);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 50, i), i >= 4 ? 1u : 0u);
}
TEST(Masks, ChannelEnableHoldsUnderNoMask) {
    GEN9_COVERS("EU-056");
    // Guide 3.1 item 1: the scalar mad compilers emit is (4) with one ChanEn bit and NoMask.
    auto thread = make_thread(0);
    fill<float>(*thread, 10, {1, 2, 3, 4});
    fill<float>(*thread, 20, {9, 9, 9, 9});
    Instruction in = make(Opcode::Mad, 4, dst(20, Type::F),
                          {grf(10, Type::F), grf(10, Type::F), grf(10, Type::F)});
    in.no_mask = true;
    in.dst.chan_enable = 1 << 2;
    run(*thread, in);
    EXPECT_EQ(get<float>(*thread, 20, 0), 9.0f);
    EXPECT_EQ(get<float>(*thread, 20, 2), 12.0f);
    EXPECT_EQ(get<float>(*thread, 20, 3), 9.0f);
}
TEST(Masks, ConditionWritesOnlyEnabledBits) {
    GEN9_COVERS("EU-090 EU-164");
    auto thread = make_thread(0x00F0);
    thread->flag[0] = 0xAAAA0FAA;
    Instruction in = make(Opcode::Cmp, 16, null(Type::D), {imm(0, Type::D), imm(0, Type::D)});
    in.src[0] = scalar(3, 0, Type::D);
    in.cond_mod = CondMod::Z;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0], 0xAAAA0FFAu);
    in.cond_mod = CondMod::NZ;
    in.pred_ctrl = PredCtrl::Sequential;
    thread->flag[0] = 0x0030;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0], 0u) << "the predicate is read before the same flag is written";
}
TEST(Masks, UpperHalfComparesIntoUpperFlagBits) {
    GEN9_COVERS("EU-157 EU-090");
    auto thread = make_thread(0xFFFFFFFF);
    Instruction in = make(Opcode::Cmp, 16, null(Type::D), {scalar(3, 0, Type::D), imm(0, Type::D)});
    in.cond_mod = CondMod::Z;
    in.channel_offset = 16;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0], 0xFFFF0000u);
}
TEST(Masks, EnabledChannelsAreThoseBeforePredication) {
    GEN9_COVERS("EU-153");
    auto thread = make_thread(0x0F0F0F0F);
    Instruction in = sized(8);
    in.channel_offset = 8;
    in.pred_ctrl = PredCtrl::Sequential;
    EXPECT_EQ(enabled_channels(*thread, prepare(in, 0)), 0x0F00u);
}

}  // namespace
}  // namespace gen9::eu::test
