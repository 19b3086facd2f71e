// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test::integer {
namespace {

std::uint32_t two(Thread& thread, Opcode opcode, std::uint32_t a, std::uint32_t b,
                  Type type = Type::UD, bool saturate = false) {
    set(thread, 10, 0, a);
    set(thread, 11, 0, b);
    Instruction in = make(opcode, 1, dst(20, type), {scalar(10, 0, type), scalar(11, 0, type)});
    in.saturate = saturate;
    run(thread, in);
    return get<std::uint32_t>(thread, 20, 0);
}
std::uint32_t one(Thread& thread, Opcode opcode, std::uint32_t a, Type type = Type::UD,
                  Type to = Type::UD) {
    set(thread, 10, 0, a);
    run(thread, make(opcode, 1, dst(20, to), {scalar(10, 0, type)}));
    return get<std::uint32_t>(thread, 20, 0);
}
std::uint32_t three(Thread& thread, Opcode opcode, std::uint32_t a, std::uint32_t b,
                    std::uint32_t c, Type type = Type::UD) {
    for (unsigned i = 0; i < 8; ++i)
        set(thread, 10, i, a), set(thread, 11, i, b), set(thread, 12, i, c);
    run(thread, make(opcode, 8, dst(20, type), {grf(10, type), grf(11, type), grf(12, type)}));
    return get<std::uint32_t>(thread, 20, 5);
}

TEST(Integer, OverflowFlagIsTakenBeforeSaturation) {
    GEN9_COVERS("EU-125 EU-169");
    auto thread = make_thread(1);
    Instruction in =
        make(Opcode::Add, 1, dst(20, Type::D), {scalar(10, 0, Type::D), imm(1, Type::D)});
    in.cond_mod = CondMod::O;
    in.saturate = true;
    set<std::int32_t>(*thread, 10, 0, 0x7FFFFFFF);
    run(*thread, in);
    EXPECT_EQ(get<std::int32_t>(*thread, 20, 0), 0x7FFFFFFF);
    EXPECT_EQ(thread->flag[0] & 1, 1u);
    set<std::int32_t>(*thread, 10, 0, 5);
    run(*thread, in);
    EXPECT_EQ(thread->flag[0] & 1, 0u);
}
TEST(Integer, ConditionsSeeTheFinalValue) {
    GEN9_COVERS("EU-168");
    auto thread = make_thread(1);
    Instruction in =
        make(Opcode::Add, 1, dst(20, Type::UD), {scalar(10, 0, Type::UD), imm(1, Type::UD)});
    in.cond_mod = CondMod::Z;
    set<std::uint32_t>(*thread, 10, 0, 0xFFFFFFFF);
    run(*thread, in);
    EXPECT_EQ(thread->flag[0] & 1, 1u) << "the 33-bit sum is not zero, the result is";
    in.saturate = true;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0] & 1, 0u);
}
TEST(Integer, NegationOfUnsignedIsExact) {
    GEN9_COVERS("EU-121 EU-123");
    auto thread = make_thread(1);
    set<std::uint32_t>(*thread, 10, 0, 5);
    Instruction in =
        make(Opcode::Cmp, 1, null(Type::D), {neg(scalar(10, 0, Type::UD)), imm(0, Type::D)});
    in.cond_mod = CondMod::L;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0] & 1, 1u);
    run(*thread, make(Opcode::Mov, 1, dst(20, Type::D), {neg(abs(scalar(10, 0, Type::D)))}));
    EXPECT_EQ(get<std::int32_t>(*thread, 20, 0), -5);
}
TEST(Integer, LogicModifierIsBitwiseNot) {
    GEN9_COVERS("EU-124 EU-219");
    auto thread = make_thread(1);
    set<std::uint32_t>(*thread, 10, 0, 0x0F0F0F0F);
    run(*thread, make(Opcode::And, 1, dst(20, Type::UD),
                      {neg(scalar(10, 0, Type::UD)), imm(0x00FF00FF, Type::UD)}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 0), 0x00F000F0u);
    run(*thread, make(Opcode::And, 1, dst(20, Type::UD),
                      {abs(scalar(10, 0, Type::UD)), imm(0x00FF00FF, Type::UD)}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 0), 0x000F000Fu);
    EXPECT_EQ(one(*thread, Opcode::Not, 0x12345678), 0xEDCBA987u);
    EXPECT_EQ(two(*thread, Opcode::Xor, 0xFF00, 0x0FF0), 0xF0F0u);
    EXPECT_EQ(two(*thread, Opcode::Or, 0xFF00, 0x0FF0), 0xFFF0u);
}
TEST(Integer, ShiftCountsUseFiveBitsOrSixWithQwords) {
    GEN9_COVERS("EU-220 EU-221 EU-222");
    auto thread = make_thread(1);
    EXPECT_EQ(two(*thread, Opcode::Shl, 1, 33), 2u);
    EXPECT_EQ(two(*thread, Opcode::Shr, 0x80000000, 31), 1u);
    EXPECT_EQ(two(*thread, Opcode::Asr, 0x80000000, 31, Type::D), 0xFFFFFFFFu);
    EXPECT_EQ(two(*thread, Opcode::Asr, 0x80000000, 31, Type::UD), 1u);
    set<std::uint64_t>(*thread, 10, 0, 1);
    run(*thread, make(Opcode::Shl, 1, dst(20, Type::UQ),
                      {scalar(10, 0, Type::UQ), imm(0x00210021, Type::UW)}));
    EXPECT_EQ(get<std::uint64_t>(*thread, 20, 0), 1ull << 33);
}
// The PRM wants unsigned sources. Mesa's compiler halves an operand of subtractSaturate(int64_t)
// by shr with a signed one, and piglit's tests of it pass on Kaby Lake in Mesa's integration.
TEST(Integer, ASignedQwordShiftsItsSignIn) {
    auto thread = make_thread(1);
    constexpr std::uint64_t kValue = 0xC2930B33A81AD477;
    set<std::uint64_t>(*thread, 10, 0, kValue);
    const auto half = [&](Type type) {
        run(*thread, make(Opcode::Shr, 1, dst(20, type), {scalar(10, 0, type), imm(1, Type::D)}));
        return get<std::uint64_t>(*thread, 20, 0);
    };
    EXPECT_EQ(half(Type::Q), kValue >> 1 | 1ull << 63);
    EXPECT_EQ(half(Type::UQ), kValue >> 1);
}
TEST(Integer, RightShiftsOfSignedSourcesKeepTheSign) {
    auto thread = make_thread(1);
    EXPECT_EQ(two(*thread, Opcode::Shr, 0x80000002, 1, Type::D), 0xC0000001u);
    EXPECT_EQ(two(*thread, Opcode::Shr, 0x40000002, 1, Type::D), 0x20000001u);
    EXPECT_EQ(two(*thread, Opcode::Shr, 0x80000002, 1, Type::UD), 0x40000001u);
}
TEST(Integer, ProductsKeepLowBitsOrAllSixtyFour) {
    GEN9_COVERS("EU-232");
    auto thread = make_thread(1);
    EXPECT_EQ(two(*thread, Opcode::Mul, 0x12345678, 0x9ABCDEF0),
              static_cast<std::uint32_t>(0x12345678ull * 0x9ABCDEF0ull));
    set<std::uint32_t>(*thread, 10, 0, 0xFFFFFFFF);
    run(*thread, make(Opcode::Mul, 1, dst(20, Type::UQ),
                      {scalar(10, 0, Type::UD), scalar(10, 0, Type::UD)}));
    EXPECT_EQ(get<std::uint64_t>(*thread, 20, 0), 0xFFFFFFFE00000001ull);
    run(*thread,
        make(Opcode::Mul, 1, dst(20, Type::Q), {scalar(10, 0, Type::D), scalar(10, 0, Type::UD)}));
    EXPECT_EQ(get<std::int64_t>(*thread, 20, 0), -0xFFFFFFFFll);
}

/// The pair compilers emit: mul into acc0 by the low words of b, then mach.
std::uint32_t high_product(Thread& thread, std::uint32_t a, std::uint32_t b, Type type,
                           unsigned channel_offset) {
    for (unsigned i = 0; i < 8; ++i)
        set(thread, 10, i, a), set(thread, 11, i, b);
    Instruction low = make(Opcode::Mul, 8, arf(isa::Arf::Accumulator, 0, type),
                           {grf(10, type), region(11, 0, 2, 1, 0, Type::UW)});
    low.no_mask = true;
    run(thread, low);
    Instruction high = make(Opcode::Mach, 8, dst(20, type), {grf(10, type), grf(11, type)});
    high.acc_write = true;
    high.channel_offset = static_cast<std::uint8_t>(channel_offset);
    run(thread, high);
    return get<std::uint32_t>(thread, 20, 3);
}
TEST(Integer, MulAndMachGiveTheHighHalf) {
    GEN9_COVERS("EU-232 EU-237 EU-079 EU-083");
    auto thread = make_thread(0xFFFF);
    EXPECT_EQ(high_product(*thread, 0xFFFFFFFF, 0xFFFFFFFF, Type::UD, 0), 0xFFFFFFFEu);
    EXPECT_EQ(high_product(*thread, 0xFFFFFFFF, 0xFFFFFFFF, Type::D, 0), 0u);
    EXPECT_EQ(high_product(*thread, 0xFFFFFFFF, 0xFFFFFFFF, Type::UD, 8), 0xFFFFFFFEu)
        << "the second quarter still uses acc0";
    std::mt19937 random(1);
    for (int n = 0; n < 500; ++n) {
        const std::uint32_t a = random(), b = random();
        ASSERT_EQ(high_product(*thread, a, b, Type::UD, 0),
                  static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32));
        const std::int64_t product =
            std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b);
        ASSERT_EQ(high_product(*thread, a, b, Type::D, 0),
                  static_cast<std::uint32_t>(product >> 32));
    }
}
TEST(Integer, AddcAndSubbLeaveCarryAndBorrowInTheAccumulator) {
    GEN9_COVERS("EU-242 EU-243");
    auto thread = make_thread(0xFF);
    fill<std::uint32_t>(*thread, 10, {0xFFFFFFFF, 1, 5, 0, 0, 0, 0, 0});
    fill<std::uint32_t>(*thread, 11, {1, 1, 6, 0, 0, 0, 0, 0});
    Instruction in =
        make(Opcode::Addc, 8, dst(20, Type::UD), {grf(10, Type::UD), grf(11, Type::UD)});
    in.acc_write = true;
    run(*thread, in);
    Instruction read =
        make(Opcode::Mov, 8, dst(21, Type::UD), {arf(isa::Arf::Accumulator, 0, Type::UD)});
    run(*thread, read);
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 0), 0u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 21, 0), 1u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 21, 1), 0u);
    in.opcode = Opcode::Subb;
    run(*thread, in);
    run(*thread, read);
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 2), 0xFFFFFFFFu);
    EXPECT_EQ(get<std::uint32_t>(*thread, 21, 2), 1u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 21, 0), 0u);
}
TEST(Integer, AverageRoundsUp) {
    GEN9_COVERS("EU-233");
    auto thread = make_thread(1);
    EXPECT_EQ(two(*thread, Opcode::Avg, 3, 4), 4u);
    EXPECT_EQ(two(*thread, Opcode::Avg, 0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFFu);
    EXPECT_EQ(two(*thread, Opcode::Avg, static_cast<std::uint32_t>(-3),
                  static_cast<std::uint32_t>(-4), Type::D),
              static_cast<std::uint32_t>(-3));
}
TEST(Integer, BitSearches) {
    GEN9_COVERS("EU-227 EU-238 EU-239 EU-240 EU-241");
    auto thread = make_thread(1);
    EXPECT_EQ(one(*thread, Opcode::Lzd, 0), 32u);
    EXPECT_EQ(one(*thread, Opcode::Lzd, 1), 31u);
    EXPECT_EQ(one(*thread, Opcode::Lzd, 0x80000000), 0u);
    EXPECT_EQ(one(*thread, Opcode::Fbh, 0), 0xFFFFFFFFu);
    EXPECT_EQ(one(*thread, Opcode::Fbh, 0x00800000), 8u);
    EXPECT_EQ(one(*thread, Opcode::Fbh, 0xFFFFFFFF, Type::D), 0xFFFFFFFFu);
    EXPECT_EQ(one(*thread, Opcode::Fbh, 0xFFFF0000, Type::D), 16u);
    EXPECT_EQ(one(*thread, Opcode::Fbh, 1, Type::D), 31u);
    EXPECT_EQ(one(*thread, Opcode::Fbl, 0), 0xFFFFFFFFu);
    EXPECT_EQ(one(*thread, Opcode::Fbl, 0x00000500), 8u);
    EXPECT_EQ(one(*thread, Opcode::Cbit, 0xF0F0F0F1), 17u);
    EXPECT_EQ(one(*thread, Opcode::Cbit, 0xFFFFFFFF, Type::UB), 8u);
    EXPECT_EQ(one(*thread, Opcode::Bfrev, 0x00000001), 0x80000000u);
    EXPECT_EQ(one(*thread, Opcode::Bfrev, 0x12345678), 0x1E6A2C48u);
}
TEST(Integer, BitFields) {
    GEN9_COVERS("EU-228 EU-229 EU-230");
    auto thread = make_thread(0xFF);
    EXPECT_EQ(three(*thread, Opcode::Bfe, 8, 4, 0x00000FF0), 0xFFu);
    EXPECT_EQ(three(*thread, Opcode::Bfe, 8, 4, 0x00000FF0, Type::D), 0xFFFFFFFFu);
    EXPECT_EQ(three(*thread, Opcode::Bfe, 0, 4, 0xFFFFFFFF), 0u);
    EXPECT_EQ(three(*thread, Opcode::Bfe, 31, 16, 0x80000000, Type::D), 0xFFFF8000u);
    EXPECT_EQ(three(*thread, Opcode::Bfi2, 0xF0, 5, 0), 0x50u);
    EXPECT_EQ(three(*thread, Opcode::Bfi2, 0xF0, 0xFF, 0x1200000F), 0x120000FFu);
    EXPECT_EQ(two(*thread, Opcode::Bfi1, 4, 4), 0xF0u);
    EXPECT_EQ(two(*thread, Opcode::Bfi1, 0, 4), 0u);
}
TEST(Integer, CompareWritesAllOnesOrZero) {
    GEN9_COVERS("EU-167 EU-224");
    auto thread = make_thread(0xFF);
    fill<std::int32_t>(*thread, 10, {-1, 0, 1, 2, 3, 4, 5, 6});
    Instruction in = make(Opcode::Cmp, 8, dst(20, Type::D), {grf(10, Type::D), imm(2, Type::D)});
    in.cond_mod = CondMod::L;
    run(*thread, in);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 20, i), i < 3 ? 0xFFFFFFFFu : 0u);
    EXPECT_EQ(thread->flag[0], 0x07u);
}
TEST(Integer, SignedAndUnsignedCompareByValue) {
    GEN9_COVERS("EU-121 EU-224");
    auto thread = make_thread(1);
    set<std::uint32_t>(*thread, 10, 0, 0xFFFFFFFF);
    set<std::int32_t>(*thread, 11, 0, -1);
    Instruction in =
        make(Opcode::Cmp, 1, null(Type::D), {scalar(10, 0, Type::UD), scalar(11, 0, Type::D)});
    in.cond_mod = CondMod::G;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0], 1u);
}
TEST(Integer, SelectByFlagWritesAllEnabledChannels) {
    GEN9_COVERS("EU-217");
    auto thread = make_thread(0xFF);
    thread->flag[0] = 0x0F;
    Instruction in =
        make(Opcode::Sel, 8, dst(20, Type::D), {scalar(3, 0, Type::D), imm(7, Type::D)});
    in.pred_ctrl = PredCtrl::Sequential;
    set<std::int32_t>(*thread, 3, 0, 4);
    run(*thread, in);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::int32_t>(*thread, 20, i), i < 4 ? 4 : 7);
}
TEST(Integer, SelectByConditionIsMinMaxWithoutFlags) {
    GEN9_COVERS("EU-170 EU-217");
    auto thread = make_thread(1);
    thread->flag[0] = 0xFFFFFFFF;
    set<std::int32_t>(*thread, 10, 0, -3);
    Instruction in =
        make(Opcode::Sel, 1, dst(20, Type::D), {scalar(10, 0, Type::D), imm(2, Type::D)});
    in.cond_mod = CondMod::L;
    run(*thread, in);
    EXPECT_EQ(get<std::int32_t>(*thread, 20, 0), -3);
    in.cond_mod = CondMod::GE;
    run(*thread, in);
    EXPECT_EQ(get<std::int32_t>(*thread, 20, 0), 2);
    EXPECT_EQ(thread->flag[0], 0xFFFFFFFFu);
}
TEST(Integer, SumsOfAbsoluteDifferences) {
    GEN9_COVERS("EU-244");
    auto thread = make_thread(0xFFFF);
    for (unsigned i = 0; i < 16; ++i)
        set<std::uint8_t>(*thread, 10, i, static_cast<std::uint8_t>(i)),
            set<std::uint8_t>(*thread, 11, i, 10);
    run(*thread, make(Opcode::Sad2, 16, dst(20, Type::UW),
                      {region(10, 0, 16, 16, 1, Type::UB), region(11, 0, 16, 16, 1, Type::UB)}));
    EXPECT_EQ(get<std::uint16_t>(*thread, 20, 0), 19);
    EXPECT_EQ(get<std::uint16_t>(*thread, 20, 10), 1);
}

}  // namespace
}  // namespace gen9::eu::test::integer
