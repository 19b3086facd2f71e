// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

using isa::MathFunction;

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
    // Against double precision, over all normal singles. For the logarithm the bound is absolute in
    // [0.5, 2], where its magnitude is at most 1, and relative elsewhere.
    auto thread = make_thread(1);
    constexpr double kPi = 3.14159265358979323846;
    for (float x = 0x1p-126f; x < 0x1p127f; x *= 1.0137f) {
        ASSERT_LE(ulps(math(*thread, MathFunction::Inv, x), 1.0 / x), 1.0) << x;
        ASSERT_LE(ulps(math(*thread, MathFunction::Inv, -x), -1.0 / x), 1.0) << x;
        ASSERT_LE(ulps(math(*thread, MathFunction::Sqrt, x), std::sqrt(double{x})), 1.0) << x;
        ASSERT_LE(ulps(math(*thread, MathFunction::Rsq, x), 1.0 / std::sqrt(double{x})), 3.0) << x;
        const double log = std::log2(double{x});
        ASSERT_LE(std::abs(math(*thread, MathFunction::Log, x) - log),
                  std::max(1.0, std::abs(log)) * 0x1p-21)
            << x;
        ASSERT_LE(ulps(math(*thread, MathFunction::Fdiv, x, 3.7f), double{x} / 3.7f), 1.0) << x;
        const auto e = static_cast<float>(std::fmod(log * 37.77, 126.0));
        ASSERT_LE(ulps(math(*thread, MathFunction::Exp, e), std::exp2(double{e})), 3.0) << e;
        const auto angle = static_cast<float>(std::fmod(double{x}, 32767 * kPi));
        for (const float a : {angle, -angle}) {
            ASSERT_LE(std::abs(math(*thread, MathFunction::Sin, a) - std::sin(double{a})), 0.0008)
                << a;
            ASSERT_LE(std::abs(math(*thread, MathFunction::Cos, a) - std::cos(double{a})), 0.0008)
                << a;
        }
        // Outside of that range the functions remain periodic.
        ASSERT_LE(std::abs(math(*thread, MathFunction::Sin, x)), 1.0f) << x;
        ASSERT_LE(std::abs(math(*thread, MathFunction::Cos, x)), 1.0f) << x;
        for (const float y : {1.3f, -0.7f, 3.0f, 0.01f}) {
            const double power = std::pow(double{x}, double{y});
            if (power < 0x1p-126 || power >= 0x1p127) continue;
            ASSERT_LE(ulps(math(*thread, MathFunction::Pow, x, y), power), 8192.0) << x << "^" << y;
            ASSERT_LE(ulps(math(*thread, MathFunction::Pow, -x, y), power), 8192.0)
                << "the magnitude counts: " << -x << "^" << y;
        }
    }
}

void expect_value(float got, float expected, const char* what, float a, float b = 0) {
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got)) << what << " of " << a << ", " << b << " is " << got;
    else
        EXPECT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected))
            << what << " of " << a << ", " << b << " is " << got << ", not " << expected;
}

/// The PRM's tables of special values, a row per function and mode (003:24091-24236).
struct SpecialRow {
    MathFunction function;
    const char* name;
    float plus_zero, minus_zero, negative;        ///< of +0, -0, -4
    float plus_infinity = 0, minus_infinity = 0;  ///< IEEE only
};
const float kSin4 = static_cast<float>(std::sin(-4.0)), kCos4 = static_cast<float>(std::cos(-4.0));
const SpecialRow kIeee[] = {
    {MathFunction::Inv, "inv", kInf, -kInf, -0.25f, 0.0f, -0.0f},
    {MathFunction::Log, "log", -kInf, -kInf, kNan, kInf, kNan},
    {MathFunction::Exp, "exp", 1, 1, 0.0625f, kInf, 0},
    {MathFunction::Sqrt, "sqrt", 0.0f, -0.0f, kNan, kInf, kNan},
    {MathFunction::Rsq, "rsq", kInf, -kInf, kNan, 0.0f, kNan},
    {MathFunction::Sin, "sin", 0.0f, -0.0f, kSin4, kNan, kNan},
    {MathFunction::Cos, "cos", 1, 1, kCos4, kNan, kNan},
};
const SpecialRow kAlternate[] = {
    {MathFunction::Inv, "inv", kMax, -kMax, -0.25f}, {MathFunction::Log, "log", -kMax, -kMax, 2},
    {MathFunction::Exp, "exp", 1, 1, 0.0625f},       {MathFunction::Sqrt, "sqrt", 0.0f, 0.0f, 2},
    {MathFunction::Rsq, "rsq", kMax, kMax, 0.5f},    {MathFunction::Sin, "sin", 0.0f, -0.0f, kSin4},
    {MathFunction::Cos, "cos", 1, 1, kCos4},
};
constexpr float kDenormal = 0x1p-128f;

TEST(Math, SpecialValuesAreThoseOfTheTables) {
    GEN9_COVERS("EU-139 EU-256 EU-257 EU-258 EU-259 EU-260 EU-262");
    for (const bool flush : {false, true})
        for (const SpecialRow& row : kIeee) {
            auto thread = make_thread(1);
            if (flush) thread->control[0] = 0;
            const auto expect = [&](float source, float expected) {
                expect_value(math(*thread, row.function, source), expected, row.name, source);
            };
            expect(0.0f, row.plus_zero);
            expect(-0.0f, row.minus_zero);
            if (flush) {
                expect(kDenormal, row.plus_zero);
                expect(-kDenormal, row.minus_zero);
            }
            expect(-4, row.negative);
            expect(kInf, row.plus_infinity);
            expect(-kInf, row.minus_infinity);
            expect(kNan, kNan);
        }
    auto thread = make_thread(1);
    EXPECT_EQ(math(*thread, MathFunction::Sqrt, kDenormal), 0x1p-64f) << "kept, it is a number";
    EXPECT_EQ(math(*thread, MathFunction::Rsq, kDenormal), 0x1p64f);
    EXPECT_EQ(math(*thread, MathFunction::Log, kDenormal), -128.0f);
    EXPECT_EQ(math(*thread, MathFunction::Inv, -0x1p-127f), -0x1p127f);
}
TEST(Math, SpecialValuesOfTheAlternateModeAreThoseOfTheTables) {
    GEN9_COVERS("EU-256 EU-257 EU-258 EU-259 EU-260 EU-262");
    auto thread = make_thread(1);
    thread->control[0] |= cr0::kAlternate;
    for (const SpecialRow& row : kAlternate) {
        const auto expect = [&](float source, float expected) {
            expect_value(math(*thread, row.function, source), expected, row.name, source);
        };
        expect(0.0f, row.plus_zero);
        expect(kDenormal, row.plus_zero);
        expect(-0.0f, row.minus_zero);
        expect(-kDenormal, row.minus_zero);
        expect(-4, row.negative);
    }
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

TEST(Math, SpecialPowersAreThoseOfTheTables) {
    GEN9_COVERS("EU-261");
    // 003:24163-24208; the base counts by its magnitude, so that -inf is as +inf. (The printed
    // table has NaN for -inf to a positive power, beside +inf for -inf to +inf.)
    static constexpr float bases[] = {2, 0.5f, 1, kInf, 0.0f, -0.0f, -kInf, kNan};
    struct Row {
        float exponent;
        float result[std::size(bases)];
    };
    constexpr Row kIeeePowers[] = {
        {kInf, {kInf, 0, kNan, kInf, 0, 0, kInf, kNan}},
        {0.0f, {1, 1, 1, kNan, kNan, kNan, kNan, kNan}},
        {-0.0f, {1, 1, 1, kNan, kNan, kNan, kNan, kNan}},
        {-kInf, {0, kInf, kNan, 0, kInf, kInf, 0, kNan}},
        {-3, {0.125f, 8, 1, 0, kInf, kInf, 0, kNan}},
        {3, {8, 0.125f, 1, kInf, 0, 0, kInf, kNan}},
        {kNan, {kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan}},
    };
    for (const bool flush : {false, true}) {
        auto thread = make_thread(1);
        if (flush) thread->control[0] = 0;
        const auto expect = [&](float base, float exponent, float expected) {
            expect_value(math(*thread, MathFunction::Pow, base, exponent), expected, "pow", base,
                         exponent);
        };
        for (const Row& row : kIeeePowers)
            for (unsigned i = 0; i < std::size(bases); ++i) {
                expect(bases[i], row.exponent, row.result[i]);
                expect(-bases[i], row.exponent, row.result[i]);
                // A flushed denormal is a zero, as the base and as the exponent.
                if (flush && bases[i] == 0) expect(kDenormal, row.exponent, row.result[i]);
                if (flush && row.exponent == 0) expect(bases[i], kDenormal, row.result[i]);
            }
    }
}
TEST(Math, SpecialPowersOfTheAlternateModeAreThoseOfTheTable) {
    GEN9_COVERS("EU-261");
    auto thread = make_thread(1);
    thread->control[0] |= cr0::kAlternate;
    const auto expect = [&](float base, float exponent, float expected) {
        expect_value(math(*thread, MathFunction::Pow, base, exponent), expected, "pow", base,
                     exponent);
    };
    for (const float zero : {0.0f, -0.0f, kDenormal, -kDenormal}) {
        for (const float base : {2.0f, -2.0f, 0.0f, -0.0f, kDenormal})
            expect(base, zero, 1);
        expect(zero, -3, kMax);
        expect(zero, 3, 0);
    }
    for (const float base : {2.0f, -2.0f}) {
        expect(base, -3, 0.125f);
        expect(base, 3, 8);
    }
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
