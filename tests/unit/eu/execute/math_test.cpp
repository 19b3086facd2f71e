// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

using isa::MathFunction;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                kInf = std::numeric_limits<float>::infinity();

float math(Thread& thread, MathFunction function, float a, float b = 0) {
    set(thread, 10, 0, a);
    set(thread, 11, 0, b);
    const bool two = function == MathFunction::Pow || function == MathFunction::Fdiv;
    Instruction in = two ? make(Opcode::Math, 1, dst(20, Type::F),
                                {scalar(10, 0, Type::F), scalar(11, 0, Type::F)})
                         : make(Opcode::Math, 1, dst(20, Type::F), {scalar(10, 0, Type::F)});
    in.math = function;
    run(thread, in);
    return get<float>(thread, 20, 0);
}
double ulps(float got, double exact) {
    const float near = static_cast<float>(exact);
    return std::abs(got - exact) / (std::nextafter(std::abs(near), kInf) - std::abs(near));
}

TEST(Math, ErrorsStayWithinTheBounds) {
    GEN9_COVERS("EU-256 EU-257 EU-258 EU-259 EU-260 EU-261 EU-262");
    auto thread = make_thread(1);
    for (float x = 0x1p-20f; x < 0x1p20f; x *= 1.0137f) {
        ASSERT_LE(ulps(math(*thread, MathFunction::Inv, x), 1.0 / x), 1.0);
        ASSERT_LE(ulps(math(*thread, MathFunction::Sqrt, x), std::sqrt(double{x})), 1.0);
        ASSERT_LE(ulps(math(*thread, MathFunction::Rsq, x), 1.0 / std::sqrt(double{x})), 3.0);
        const double log = std::log2(double{x});
        ASSERT_LE(std::abs(math(*thread, MathFunction::Log, x) - log),
                  std::max(1.0, std::abs(log)) * 0x1p-21);
        const float e = std::fmod(x, 100.0f) - 50;
        ASSERT_LE(ulps(math(*thread, MathFunction::Exp, e), std::exp2(double{e})), 3.0);
        ASSERT_LE(std::abs(math(*thread, MathFunction::Sin, x / 16) - std::sin(double{x / 16})),
                  0.0008);
        ASSERT_LE(std::abs(math(*thread, MathFunction::Cos, x / 16) - std::cos(double{x / 16})),
                  0.0008);
        ASSERT_LE(
            ulps(math(*thread, MathFunction::Pow, x, 1.3f), std::pow(double{x}, double{1.3f})),
            8192.0);
        ASSERT_LE(ulps(math(*thread, MathFunction::Fdiv, x, 3.7f), double{x} / 3.7f), 1.0);
    }
}
TEST(Math, SpecialValues) {
    GEN9_COVERS("EU-139 EU-256 EU-257 EU-258 EU-259 EU-260 EU-262");
    auto thread = make_thread(1);
    EXPECT_EQ(math(*thread, MathFunction::Inv, -0.0f), -kInf);
    EXPECT_EQ(math(*thread, MathFunction::Inv, kInf), 0.0f);
    EXPECT_EQ(math(*thread, MathFunction::Log, -0.0f), -kInf);
    EXPECT_TRUE(std::isnan(math(*thread, MathFunction::Log, -1)));
    EXPECT_EQ(math(*thread, MathFunction::Exp, -kInf), 0.0f);
    EXPECT_EQ(math(*thread, MathFunction::Exp, 0), 1.0f);
    EXPECT_TRUE(std::signbit(math(*thread, MathFunction::Sqrt, -0.0f)));
    EXPECT_TRUE(std::isnan(math(*thread, MathFunction::Sqrt, -1)));
    EXPECT_EQ(math(*thread, MathFunction::Rsq, -0.0f), -kInf);
    EXPECT_TRUE(std::isnan(math(*thread, MathFunction::Sin, kInf)));
    EXPECT_TRUE(std::signbit(math(*thread, MathFunction::Sin, -0.0f)));
    EXPECT_EQ(math(*thread, MathFunction::Cos, -0.0f), 1.0f);
    thread->control[0] = 0;
    EXPECT_EQ(math(*thread, MathFunction::Inv, 1e-40f), kInf) << "a flushed denormal is zero";
}
TEST(Math, HalvesAreIeeeInTheAlternateModeToo) {
    GEN9_COVERS("EU-134");
    for (const bool half : {true, false}) {
        auto thread = make_thread(1);
        thread->control[0] |= cr0::kAlternate;
        const Type type = half ? Type::HF : Type::F;
        if (half)
            set<std::uint16_t>(*thread, 10, 0, 0xC400);  // -4
        else
            set(*thread, 10, 0, -4.0f);
        Instruction in = make(Opcode::Math, 1, dst(20, type), {scalar(10, 0, type)});
        in.math = MathFunction::Rsq;
        run(*thread, in);
        if (half)
            EXPECT_GT(get<std::uint16_t>(*thread, 20, 0) & 0x7FFF, 0x7C00) << "NaN";
        else
            EXPECT_EQ(get<float>(*thread, 20, 0), 0.5f) << "of the magnitude";
    }
}

TEST(Math, PowersWithoutLimitAreNan) {
    GEN9_COVERS("EU-261");
    auto thread = make_thread(1);
    for (const auto& [x, y] :
         {std::pair{1.0f, kInf}, {0.0f, 0.0f}, {kInf, 0.0f}, {kNan, 0.0f}, {1.0f, kNan}})
        EXPECT_TRUE(std::isnan(math(*thread, MathFunction::Pow, x, y))) << x << "^" << y;
    EXPECT_EQ(math(*thread, MathFunction::Pow, 2, kInf), kInf);
    EXPECT_EQ(math(*thread, MathFunction::Pow, 0.5f, -kInf), kInf);
    EXPECT_EQ(math(*thread, MathFunction::Pow, 5, 0), 1.0f);
    EXPECT_EQ(math(*thread, MathFunction::Pow, 0, -2), kInf);
    EXPECT_EQ(math(*thread, MathFunction::Pow, -2, 3), 8.0f) << "the magnitude counts";
}
TEST(Math, IntegerDivisionTruncatesAndRemainderHasTheNumeratorsSign) {
    GEN9_COVERS("EU-263");
    auto thread = make_thread(1);
    const auto divide = [&](MathFunction function, std::int32_t a, std::int32_t b,
                            Type type = Type::D) {
        set(*thread, 10, 0, a);
        set(*thread, 11, 0, b);
        Instruction in =
            make(Opcode::Math, 1, dst(20, type), {scalar(10, 0, type), scalar(11, 0, type)});
        in.math = function;
        run(*thread, in);
        return get<std::int32_t>(*thread, 20, 0);
    };
    EXPECT_EQ(divide(MathFunction::IntQuotient, 7, 2), 3);
    EXPECT_EQ(divide(MathFunction::IntQuotient, -7, 2), -3);
    EXPECT_EQ(divide(MathFunction::IntQuotient, 7, -2), -3);
    EXPECT_EQ(divide(MathFunction::IntQuotient, -7, -2), 3);
    EXPECT_EQ(divide(MathFunction::IntRemainder, 7, -2), 1);
    EXPECT_EQ(divide(MathFunction::IntRemainder, -7, 2), -1);
    EXPECT_EQ(divide(MathFunction::IntQuotient, -1, 2, Type::UD), 0x7FFFFFFF);
    EXPECT_EQ(divide(MathFunction::IntQuotient, std::numeric_limits<std::int32_t>::min(), -1),
              std::numeric_limits<std::int32_t>::min());
    divide(MathFunction::IntQuotient, 1, 0);
}
TEST(Math, BothResultsGoToNeighbouringRegisters) {
    GEN9_COVERS("EU-254");
    auto thread = make_thread(0xFF);
    for (unsigned i = 0; i < 8; ++i)
        set<std::uint32_t>(*thread, 10, i, 100 + i), set<std::uint32_t>(*thread, 11, i, 7);
    Instruction in =
        make(Opcode::Math, 8, dst(20, Type::UD), {grf(10, Type::UD), grf(11, Type::UD)});
    in.math = MathFunction::IntDivBoth;
    run(*thread, in);
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 3), 103u / 7);
    EXPECT_EQ(get<std::uint32_t>(*thread, 21, 3), 103u % 7);
}

}  // namespace
}  // namespace gen9::eu::test
