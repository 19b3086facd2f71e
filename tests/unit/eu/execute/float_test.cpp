// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

float two(Thread& thread, Opcode opcode, float a, float b, CondMod condition = CondMod::None) {
    set(thread, 10, 0, a);
    set(thread, 11, 0, b);
    Instruction in =
        make(opcode, 1, dst(20, Type::F), {scalar(10, 0, Type::F), scalar(11, 0, Type::F)});
    in.cond_mod = condition;
    run(thread, in);
    return get<float>(thread, 20, 0);
}
bool compares(Thread& thread, Opcode opcode, CondMod condition, float a, float b) {
    thread.flag[0] = 0;
    two(thread, opcode, a, b, condition);
    EXPECT_EQ(get<std::uint32_t>(thread, 20, 0), thread.flag[0] & 1 ? 0xFFFFFFFFu : 0u);
    return thread.flag[0] & 1;
}
void set_mode(Thread& thread, Rounding mode) {
    thread.control[0] = (thread.control[0] & ~cr0::kRounding) | static_cast<std::uint32_t>(mode)
                                                                    << 4;
}

TEST(Float, CompareTable) {
    GEN9_COVERS("EU-144 EU-167");
    auto thread = make_thread(1);
    const CondMod all[] = {CondMod::Z,  CondMod::NZ, CondMod::G,
                           CondMod::GE, CondMod::L,  CondMod::LE};
    struct Row {
        float a, b;
        bool holds[6];
    };
    const Row rows[] = {{1, 2, {false, true, false, false, true, true}},
                        {2, 1, {false, true, true, true, false, false}},
                        {-0.0f, 0.0f, {true, false, false, true, false, true}},
                        {kInf, kInf, {true, false, false, true, false, true}},
                        {kNan, 1, {false, true, false, false, false, false}},
                        {1, kNan, {false, true, false, false, false, false}},
                        {kNan, kNan, {false, true, false, false, false, false}},
                        {-0.0f, 1e-40f, {false, true, false, false, true, true}}};
    for (const Row& row : rows)
        for (unsigned i = 0; i < 6; ++i)
            EXPECT_EQ(compares(*thread, Opcode::Cmp, all[i], row.a, row.b), row.holds[i])
                << row.a << " " << row.b << " " << i;
    thread->control[0] = 0;
    EXPECT_TRUE(compares(*thread, Opcode::Cmp, CondMod::Z, -0.0f, 1e-40f))
        << "flushed denormals equal zero";
}
TEST(Float, CompareForMinMaxOrdersNanAndZeros) {
    GEN9_COVERS("EU-145 EU-225");
    auto thread = make_thread(1);
    EXPECT_TRUE(compares(*thread, Opcode::Cmpn, CondMod::L, 1, kNan));
    EXPECT_TRUE(compares(*thread, Opcode::Cmpn, CondMod::GE, kNan, kNan));
    EXPECT_FALSE(compares(*thread, Opcode::Cmpn, CondMod::L, kNan, 1));
    EXPECT_FALSE(compares(*thread, Opcode::Cmpn, CondMod::NZ, 1, kNan));
    EXPECT_TRUE(compares(*thread, Opcode::Cmpn, CondMod::NZ, kNan, 1));
    EXPECT_TRUE(compares(*thread, Opcode::Cmpn, CondMod::L, -0.0f, 0.0f));
    EXPECT_FALSE(compares(*thread, Opcode::Cmpn, CondMod::L, 0.0f, -0.0f));
    EXPECT_FALSE(compares(*thread, Opcode::Cmpn, CondMod::GE, -0.0f, 0.0f));
}
TEST(Float, MinimumAndMaximum) {
    GEN9_COVERS("EU-143 EU-217");
    auto thread = make_thread(1);
    EXPECT_EQ(two(*thread, Opcode::Sel, 1, kNan, CondMod::L), 1.0f);
    EXPECT_EQ(two(*thread, Opcode::Sel, kNan, 1, CondMod::L), 1.0f);
    EXPECT_EQ(two(*thread, Opcode::Sel, kNan, 1, CondMod::GE), 1.0f);
    EXPECT_TRUE(std::isnan(two(*thread, Opcode::Sel, kNan, kNan, CondMod::GE)));
    EXPECT_TRUE(std::signbit(two(*thread, Opcode::Sel, -0.0f, 0.0f, CondMod::L)));
    EXPECT_TRUE(std::signbit(two(*thread, Opcode::Sel, 0.0f, -0.0f, CondMod::L)));
    EXPECT_FALSE(std::signbit(two(*thread, Opcode::Sel, -0.0f, 0.0f, CondMod::GE)));
    EXPECT_EQ(two(*thread, Opcode::Sel, -2, 3, CondMod::GE), 3.0f);
    const float signalling = std::bit_cast<float>(0x7F800001u);
    EXPECT_EQ(two(*thread, Opcode::Sel, signalling, 1, CondMod::L), 1.0f);
    thread->control[0] |= cr0::kIeeeMinMax;
    EXPECT_TRUE(std::isnan(two(*thread, Opcode::Sel, signalling, 1, CondMod::L)));
}
TEST(Float, ResultsRoundByTheMode) {
    GEN9_COVERS("EU-137 EU-138");
    auto thread = make_thread(1);
    const float half_ulp = 0x1p-24f;
    const float expected[] = {1.0f, 1.0f + 0x1p-23f, 1.0f, 1.0f};
    for (unsigned mode = 0; mode < 4; ++mode) {
        set_mode(*thread, static_cast<Rounding>(mode));
        EXPECT_EQ(two(*thread, Opcode::Add, 1.0f, half_ulp), expected[mode]) << mode;
    }
    set_mode(*thread, Rounding::Down);
    EXPECT_TRUE(std::signbit(two(*thread, Opcode::Add, 1.0f, -1.0f)));
    set_mode(*thread, Rounding::Up);
    EXPECT_FALSE(std::signbit(two(*thread, Opcode::Add, 1.0f, -1.0f)));
}
TEST(Float, OverflowGoesToInfinityOrTheLargestByMode) {
    GEN9_COVERS("EU-137");
    auto thread = make_thread(1);
    const float expected[] = {kInf, kInf, kMax, kMax}, negative[] = {-kInf, -kMax, -kInf, -kMax};
    for (unsigned mode = 0; mode < 4; ++mode) {
        set_mode(*thread, static_cast<Rounding>(mode));
        EXPECT_EQ(two(*thread, Opcode::Mul, kMax, 2), expected[mode]);
        EXPECT_EQ(two(*thread, Opcode::Mul, kMax, -2), negative[mode]);
    }
}
TEST(Float, SpecialValues) {
    GEN9_COVERS("EU-139");
    auto thread = make_thread(1);
    EXPECT_TRUE(std::isnan(two(*thread, Opcode::Add, kInf, -kInf)));
    EXPECT_TRUE(std::isnan(two(*thread, Opcode::Mul, 0, kInf)));
    EXPECT_FALSE(std::signbit(two(*thread, Opcode::Add, -0.0f, 0.0f)));
    EXPECT_TRUE(std::signbit(two(*thread, Opcode::Add, -0.0f, -0.0f)));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(
                  two(*thread, Opcode::Add, std::bit_cast<float>(0x7F800001u), 1)),
              0x7FC00001u)
        << "sNaN becomes quiet (EU-140)";
}
TEST(Float, FlagsOfNanAndOverflow) {
    GEN9_COVERS("EU-168 EU-169");
    auto thread = make_thread(1);
    const auto flag = [&](CondMod condition, float a, float b) {
        thread->flag[0] = 0;
        two(*thread, Opcode::Add, a, b, condition);
        return thread->flag[0] & 1;
    };
    EXPECT_EQ(flag(CondMod::U, kInf, -kInf), 1u);
    EXPECT_EQ(flag(CondMod::U, 1, 1), 0u);
    EXPECT_EQ(flag(CondMod::O, kMax, kMax), 1u);
    EXPECT_EQ(flag(CondMod::GE, kNan, 1), 0u);
    EXPECT_EQ(flag(CondMod::NZ, kNan, 1), 1u);
    EXPECT_EQ(flag(CondMod::L, -2, 1), 1u);
}
TEST(Float, MadIsFused) {
    GEN9_COVERS("EU-138 EU-248");
    auto thread = make_thread(0xFF);
    const float a = 1.0f + 0x1p-12f, product = 1.0f + 0x1p-11f;  // a * a = product + 2^-24
    for (unsigned i = 0; i < 8; ++i)
        set(*thread, 10, i, a), set(*thread, 11, i, -product);
    run(*thread, make(Opcode::Mad, 8, dst(20, Type::F),
                      {grf(11, Type::F), grf(10, Type::F), grf(10, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 0), 0x1p-24f);
}
TEST(Float, HalfArithmeticRoundsOnce) {
    GEN9_COVERS("EU-138 EU-231 EU-248");
    auto thread = make_thread(1);
    // 1 + 2^-11 lies in the middle of two halves: to even. A mad sees what is below it.
    set<std::uint16_t>(*thread, 10, 0, 0x3C00);
    set<std::uint16_t>(*thread, 11, 0, 0x1000);
    run(*thread, make(Opcode::Add, 1, dst(20, Type::HF),
                      {scalar(10, 0, Type::HF), scalar(11, 0, Type::HF)}));
    EXPECT_EQ(get<std::uint16_t>(*thread, 20, 0), 0x3C00);
    // (1 + 2^-10)^2 - 1 = 2^-9 + 2^-20: exact product needed.
    for (unsigned i = 0; i < 4; ++i)
        set<std::uint16_t>(*thread, 12, i, 0x3C01), set<std::uint16_t>(*thread, 13, i, 0xBC00);
    run(*thread, make(Opcode::Mad, 4, dst(20, Type::HF),
                      {grf(13, Type::HF), grf(12, Type::HF), grf(12, Type::HF)}));
    EXPECT_EQ(get<std::uint16_t>(*thread, 20, 0),
              double_to_half(0x1p-9 + 0x1p-20, Rounding::NearestEven));
}
TEST(Float, RoundingInstructionsIgnoreTheMode) {
    GEN9_COVERS("EU-142 EU-235");
    auto thread = make_thread(1);
    const auto rounded = [&](Opcode opcode, float v) {
        set(*thread, 10, 0, v);
        run(*thread, make(opcode, 1, dst(20, Type::F), {scalar(10, 0, Type::F)}));
        return get<float>(*thread, 20, 0);
    };
    for (unsigned mode = 0; mode < 4; ++mode) {
        set_mode(*thread, static_cast<Rounding>(mode));
        EXPECT_EQ(rounded(Opcode::Rnde, 0.5f), 0.0f);
        EXPECT_EQ(rounded(Opcode::Rnde, 1.5f), 2.0f);
        EXPECT_EQ(rounded(Opcode::Rnde, 2.5f), 2.0f);
        EXPECT_EQ(rounded(Opcode::Rnde, -1.5f), -2.0f);
        EXPECT_EQ(rounded(Opcode::Rnde, -2.25f), -2.0f);
        EXPECT_EQ(rounded(Opcode::Rnde, 8388609.0f), 8388609.0f);
        EXPECT_EQ(rounded(Opcode::Rndd, -0.5f), -1.0f);
        EXPECT_EQ(rounded(Opcode::Rndu, 0.5f), 1.0f);
        EXPECT_EQ(rounded(Opcode::Rndz, -1.9f), -1.0f);
        EXPECT_TRUE(std::signbit(rounded(Opcode::Rndu, -0.3f)));
        EXPECT_TRUE(std::signbit(rounded(Opcode::Rnde, -0.3f)));
        EXPECT_TRUE(std::signbit(rounded(Opcode::Rndz, -0.3f)));
        EXPECT_EQ(rounded(Opcode::Rndd, kInf), kInf);
        EXPECT_TRUE(std::isnan(rounded(Opcode::Rnde, kNan)));
        EXPECT_EQ(rounded(Opcode::Rndu, 1e-40f), 1.0f);
    }
    thread->control[0] = 0;
    EXPECT_EQ(rounded(Opcode::Rndu, 1e-40f), 0.0f);
}
TEST(Float, FractionIsTheDistanceToTheFloor) {
    GEN9_COVERS("EU-234");
    auto thread = make_thread(1);
    set(*thread, 10, 0, -1.25f);
    run(*thread, make(Opcode::Frc, 1, dst(20, Type::F), {scalar(10, 0, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 0), 0.75f);
}
TEST(Float, ConditionalSelectLooksAtTheThirdSource) {
    GEN9_COVERS("EU-226");
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 10, {1, 1, 1, 1, 1, 1, 1, 1});
    fill<float>(*thread, 11, {2, 2, 2, 2, 2, 2, 2, 2});
    fill<float>(*thread, 12, {-1, 0, 1, kNan, -0.0f, 5, -5, 0});
    thread->flag[0] = 0x12345678;
    Instruction in = make(Opcode::Csel, 8, dst(20, Type::F),
                          {grf(10, Type::F), grf(11, Type::F), grf(12, Type::F)});
    in.cond_mod = CondMod::L;
    run(*thread, in);
    const float expected[] = {1, 2, 2, 2, 2, 2, 1, 2};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<float>(*thread, 20, i), expected[i]) << i;
    EXPECT_EQ(thread->flag[0], 0x12345678u);
}
TEST(Float, DotProductsFillTheirGroup) {
    GEN9_COVERS("EU-245");
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 10, {1, 2, 3, 4, 1, 1, 1, 1});
    fill<float>(*thread, 11, {10, 20, 30, 40, 1, 2, 3, 4});
    const auto dot = [&](Opcode opcode, unsigned i) {
        run(*thread, make(opcode, 8, dst(20, Type::F), {grf(10, Type::F), grf(11, Type::F)}));
        return get<float>(*thread, 20, i);
    };
    EXPECT_EQ(dot(Opcode::Dp4, 0), 300.0f);
    EXPECT_EQ(dot(Opcode::Dp4, 6), 10.0f);
    EXPECT_EQ(dot(Opcode::Dp3, 3), 140.0f);
    EXPECT_EQ(dot(Opcode::Dp2, 1), 50.0f);
    EXPECT_EQ(dot(Opcode::Dph, 2), 180.0f);
}
TEST(Float, DotProductsOfFewerThanFourChannelsHaveNothingBehindThem) {
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 10, {1, 2, 3, 4, 1, 1, 1, 1});
    fill<float>(*thread, 11, {10, 20, 30, 40, 1, 2, 3, 4});
    for (const auto& [size, sum] : {std::pair{1u, 10.0f}, std::pair{2u, 50.0f}}) {
        // What lies where an executor keeps its channels must not matter.
        run(*thread, make(Opcode::Add, 16, dst(30, Type::F), {grf(11, Type::F), grf(11, Type::F)}));
        run(*thread, make(Opcode::Dp4, size, dst(20, Type::F),
                          {region(10, 0, size, size, size == 1 ? 0 : 1, Type::F),
                           region(11, 0, size, size, size == 1 ? 0 : 1, Type::F)}));
        EXPECT_EQ(get<float>(*thread, 20, 0), sum);
        EXPECT_EQ(get<float>(*thread, 20, size - 1), sum);
    }
}
TEST(Float, PlanesAndInterpolation) {
    GEN9_COVERS("EU-246 EU-247 EU-249");
    auto thread = make_thread(0xFFFF);
    fill<float>(*thread, 10, {2, 3, 0, 5});
    for (unsigned i = 0; i < 8; ++i) {
        set(*thread, 12, i, static_cast<float>(i));
        set(*thread, 13, i, 10.0f);
        set(*thread, 14, i, 100.0f);
        set(*thread, 15, i, static_cast<float>(i));
    }
    run(*thread,
        make(Opcode::Line, 8, dst(20, Type::F), {scalar(10, 0, Type::F), grf(12, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 3), 2.0f * 3 + 5);
    run(*thread,
        make(Opcode::Pln, 16, dst(20, Type::F), {scalar(10, 0, Type::F), grf(12, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 3), 2.0f * 3 + 3.0f * 10 + 5);
    EXPECT_EQ(get<float>(*thread, 21, 4), 2.0f * 100 + 3.0f * 4 + 5);
    for (unsigned i = 0; i < 8; ++i)
        set(*thread, 16, i, 0.25f), set(*thread, 17, i, 8.0f), set(*thread, 18, i, 4.0f);
    run(*thread, make(Opcode::Lrp, 8, dst(20, Type::F),
                      {grf(16, Type::F), grf(17, Type::F), grf(18, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 0), 5.0f);
}
TEST(Float, AlternateModeKnowsNoInfinityOrNan) {
    GEN9_COVERS("EU-134 EU-135");
    auto thread = make_thread(1);
    thread->control[0] |= cr0::kAlternate;
    EXPECT_EQ(two(*thread, Opcode::Mul, kMax, 2), kMax);
    EXPECT_EQ(two(*thread, Opcode::Add, kNan, 2), 2.0f);
    EXPECT_EQ(two(*thread, Opcode::Add, -kInf, 0), -kMax);
}
TEST(Accumulator, SinglesWriteBothHalvesAndQuarterTwoTheSecond) {
    GEN9_COVERS("EU-077 EU-078 EU-079");
    auto thread = make_thread(0xFFFF);
    for (unsigned i = 0; i < 16; ++i)
        set(*thread, 10, i, static_cast<float>(i));
    Instruction in = make(Opcode::Add, 16, dst(20, Type::F), {grf(10, Type::F), immf(1)});
    in.acc_write = true;
    run(*thread, in);
    run(*thread, make(Opcode::Mov, 16, dst(30, Type::F), {arf(isa::Arf::Accumulator, 0, Type::F)}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<float>(*thread, 30, i), static_cast<float>(i + 1));
    in = make(Opcode::Add, 8, dst(20, Type::F), {grf(10, Type::F), immf(100)});
    in.acc_write = true;
    in.channel_offset = 8;
    run(*thread, in);
    run(*thread, make(Opcode::Mov, 16, dst(30, Type::F), {arf(isa::Arf::Accumulator, 0, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 30, 0), 1.0f);
    EXPECT_EQ(get<float>(*thread, 30, 8), 100.0f);
    thread->control[0] |= cr0::kAccDisable;
    in.src[1] = immf(500);
    run(*thread, in);
    run(*thread, make(Opcode::Mov, 16, dst(30, Type::F), {arf(isa::Arf::Accumulator, 0, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 30, 8), 100.0f);
}
TEST(Accumulator, MacAddsToIt) {
    GEN9_COVERS("EU-236");
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 10, {1, 2, 3, 4, 5, 6, 7, 8});
    run(*thread, make(Opcode::Mov, 8, arf(isa::Arf::Accumulator, 0, Type::F), {immf(0.5f)}));
    run(*thread, make(Opcode::Mac, 8, dst(20, Type::F), {grf(10, Type::F), grf(10, Type::F)}));
    EXPECT_EQ(get<float>(*thread, 20, 3), 16.5f);
}

}  // namespace
}  // namespace gen9::eu::test
