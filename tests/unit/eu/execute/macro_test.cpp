// SPDX-License-Identifier: Apache-2.0
// The divide and square root sequences as compilers emit them, against the host's IEEE division.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

constexpr std::uint8_t kNone = 8;

struct Macro {
    std::unique_ptr<Thread> thread = make_thread(0xFF);
    Type type;
    unsigned lanes;
    explicit Macro(Type t) : type(t), lanes(t == Type::DF ? 4 : 8) {}

    Operand operand(unsigned reg, std::uint8_t acc, bool negate = false) const {
        Operand o = grf(reg, type);
        o.special_acc = acc;
        o.negate = negate;
        return o;
    }
    void madm(unsigned to, std::uint8_t acc, Operand a, Operand b, Operand c) {
        Instruction in = make(Opcode::Madm, lanes, dst(to, type), {a, b, c});
        in.dst.special_acc = acc;
        in.pred_ctrl = PredCtrl::Sequential;  // stands for the if on "not early out"
        in.pred_invert = true;
        run(*thread, in);
    }
    void start(isa::MathFunction function, unsigned to, std::initializer_list<Operand> sources) {
        Instruction in = make(Opcode::Math, lanes, dst(to, type), sources);
        in.align16 = true;
        in.math = function;
        in.dst.special_acc = 0;
        run(*thread, in);
    }
    void mode(Rounding rounding) {
        thread->control[0] =
            (thread->control[0] & ~cr0::kRounding) | static_cast<std::uint32_t>(rounding) << 4;
    }
};

constexpr unsigned kZero = 22, kOne = 40, kHalf = 24, kThreeHalves = 36, kA = 82, kB = 84;

/// Quotients of r82 by r84 into r54: seven steps for F, ten for DF.
void divide(Macro& m, Rounding last) {
    const auto a = m.operand(kA, kNone), b = m.operand(kB, kNone, true),
               zero = m.operand(kZero, kNone), one = m.operand(kOne, kNone);
    m.mode(Rounding::NearestEven);
    m.start(isa::MathFunction::Invm, 54, {m.operand(kA, kNone), m.operand(kB, kNone)});
    const auto y0 = m.operand(54, 0);
    if (m.type == Type::F) {
        m.madm(52, 1, zero, a, y0);
        m.madm(92, 2, one, b, y0);
        m.madm(58, 3, y0, m.operand(92, 2), y0);
        m.madm(94, 4, a, b, m.operand(52, 1));
        m.madm(52, 5, m.operand(52, 1), m.operand(94, 4), m.operand(58, 3));
        m.madm(90, 6, a, b, m.operand(52, 5));
        m.mode(last);
        m.madm(54, kNone, m.operand(52, 5), m.operand(90, 6), m.operand(58, 3));
        return;
    }
    m.madm(32, 1, zero, a, y0);
    m.madm(98, 2, one, b, y0);
    m.madm(102, 3, a, b, m.operand(32, 1));
    m.madm(28, 4, y0, m.operand(98, 2), y0);
    m.madm(26, 5, one, b, m.operand(28, 4));
    m.madm(54, 6, y0, m.operand(98, 2), m.operand(28, 4));
    m.madm(32, 7, m.operand(32, 1), m.operand(102, 3), m.operand(28, 4));
    m.madm(28, 0, m.operand(28, 4), m.operand(54, 6), m.operand(26, 5));
    m.madm(102, 1, a, b, m.operand(32, 7));
    m.mode(last);
    m.madm(54, kNone, m.operand(32, 7), m.operand(102, 1), m.operand(28, 0));
}

/// Roots of r82 into r48 for F.
void root(Macro& m, Rounding last) {
    const auto x = m.operand(kA, kNone), zero = m.operand(kZero, kNone),
               half = m.operand(kHalf, kNone);
    m.mode(Rounding::NearestEven);
    m.start(isa::MathFunction::Rsqtm, 48, {x});
    m.madm(46, 1, zero, half, m.operand(48, 0));
    m.madm(44, 2, zero, x, m.operand(48, 0));
    m.madm(96, 3, half, m.operand(44, 2, true), m.operand(46, 1));
    m.madm(46, 4, m.operand(46, 1), m.operand(96, 3), m.operand(46, 1));
    m.madm(48, 5, m.operand(44, 2), m.operand(96, 3), m.operand(44, 2));
    m.madm(96, 6, x, m.operand(48, 5, true), m.operand(48, 5));
    m.mode(last);
    m.madm(48, kNone, m.operand(48, 5), m.operand(46, 4), m.operand(96, 6));
}

/// Roots of r82 into r48 for DF, with 3/2 ready in a register as IGC has it.
void double_root(Macro& m, Rounding last) {
    const auto x = m.operand(kA, kNone), zero = m.operand(kZero, kNone),
               half = m.operand(kHalf, kNone);
    m.mode(Rounding::NearestEven);
    m.start(isa::MathFunction::Rsqtm, 48, {x});
    m.madm(46, 1, zero, half, m.operand(48, 0));
    m.madm(44, 2, zero, x, m.operand(48, 0));
    m.madm(96, 3, half, m.operand(44, 2, true), m.operand(46, 1));
    m.madm(94, 5, m.operand(kOne, kNone), m.operand(kThreeHalves, kNone), m.operand(96, 3));
    m.madm(48, 6, zero, m.operand(96, 3), m.operand(44, 2));
    m.madm(96, 7, zero, m.operand(96, 3), m.operand(46, 1));
    m.madm(48, 6, m.operand(44, 2), m.operand(94, 5), m.operand(48, 6));
    m.madm(94, 5, m.operand(46, 1), m.operand(94, 5), m.operand(96, 7));
    m.madm(46, 1, x, m.operand(48, 6, true), m.operand(48, 6));
    m.mode(last);
    m.madm(48, kNone, m.operand(48, 6), m.operand(46, 1), m.operand(94, 5));
}

int host_mode(Rounding mode) {
    return mode == Rounding::Up     ? FE_UPWARD
           : mode == Rounding::Down ? FE_DOWNWARD
           : mode == Rounding::Zero ? FE_TOWARDZERO
                                    : FE_TONEAREST;
}
template <class F, class Compute>
F on_host(Rounding mode, Compute compute) {
    std::fesetround(host_mode(mode));
    const volatile F result = compute();
    std::fesetround(FE_TONEAREST);
    return result;
}
template <class F>
using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

template <class F>
bool same(F a, F b) {
    return std::isnan(b) ? std::isnan(a) : std::bit_cast<Bits<F>>(a) == std::bit_cast<Bits<F>>(b);
}

/// Any bits, or special values and their neighbours, or numbers of moderate size.
template <class F>
F operand(std::mt19937_64& random) {
    const auto any = static_cast<Bits<F>>(random());
    constexpr Bits<F> infinity =
        sizeof(F) == 4 ? Bits<F>{0x7F800000} : Bits<F>(0x7FF0000000000000ull);
    switch (random() % 8) {
        case 0:
            return std::bit_cast<F>(Bits<F>(infinity + random() % 3 - 1));
        case 1:
            return std::bit_cast<F>(Bits<F>(random() % 5));
        case 2:
            return std::bit_cast<F>(Bits<F>(infinity / 0xFF * (random() % 4) + random() % 3));
        case 3:
            return std::bit_cast<F>(
                static_cast<Bits<F>>(any >> 12 & (infinity >> 8)));  // mostly denormal
        case 4:
            return static_cast<F>(static_cast<std::int64_t>(random() % 2001) - 1000) / 8;
        case 5:
            return 1 + static_cast<F>(random() % 1000) * std::numeric_limits<F>::epsilon();
        default:
            return std::bit_cast<F>(any);
    }
}

template <class F>
void check_divide(Type type, unsigned rounds) {
    std::mt19937_64 random(42);
    Macro m(type);
    for (unsigned i = 0; i < 8; ++i)
        if (i < m.lanes) {
            set<F>(*m.thread, kZero, i, 0), set<F>(*m.thread, kOne, i, 1);
        }
    for (unsigned n = 0; n < rounds; ++n) {
        const auto mode = static_cast<Rounding>(n % 4);
        for (unsigned i = 0; i < m.lanes; ++i) {
            set<F>(*m.thread, kA, i, operand<F>(random));
            set<F>(*m.thread, kB, i, operand<F>(random));
        }
        divide(m, mode);
        for (unsigned i = 0; i < m.lanes; ++i) {
            const volatile F a = get<F>(*m.thread, kA, i), b = get<F>(*m.thread, kB, i);
            const F expected = on_host<F>(mode, [&] { return a / b; });
            ASSERT_TRUE(same(get<F>(*m.thread, 54, i), expected))
                << std::hexfloat << a << " / " << b << " mode " << static_cast<int>(mode) << " got "
                << get<F>(*m.thread, 54, i) << " not " << expected;
        }
    }
}
TEST(Macro, SingleQuotientsAreThoseOfTheHostInEveryMode) {
    GEN9_COVERS("EU-250 EU-265 EU-138");
    check_divide<float>(Type::F, 20000);
}
TEST(Macro, DoubleQuotientsAreThoseOfTheHostInEveryMode) {
    GEN9_COVERS("EU-250 EU-266 EU-138");
    check_divide<double>(Type::DF, 20000);
}
TEST(Macro, SingleRootsAreThoseOfTheHostInEveryMode) {
    GEN9_COVERS("EU-250 EU-267 EU-138");
    std::mt19937_64 random(43);
    Macro m(Type::F);
    for (unsigned i = 0; i < 8; ++i)
        set<float>(*m.thread, kZero, i, 0), set<float>(*m.thread, kHalf, i, 0.5f);
    for (unsigned n = 0; n < 20000; ++n) {
        const auto mode = static_cast<Rounding>(n % 4);
        for (unsigned i = 0; i < 8; ++i)
            set<float>(*m.thread, kA, i, operand<float>(random));
        root(m, mode);
        for (unsigned i = 0; i < 8; ++i) {
            const volatile float x = get<float>(*m.thread, kA, i);
            const float expected = on_host<float>(mode, [&] { return std::sqrt(x); });
            ASSERT_TRUE(same(get<float>(*m.thread, 48, i), expected))
                << std::hexfloat << x << " mode " << static_cast<int>(mode);
        }
    }
}
TEST(Macro, DoubleRootsAreThoseOfTheHostInEveryMode) {
    GEN9_COVERS("EU-250 EU-267 EU-138");
    std::mt19937_64 random(44);
    Macro m(Type::DF);
    for (unsigned i = 0; i < 4; ++i) {
        set<double>(*m.thread, kZero, i, 0), set<double>(*m.thread, kOne, i, 1);
        set<double>(*m.thread, kHalf, i, 0.5), set<double>(*m.thread, kThreeHalves, i, 1.5);
    }
    // The roots of the last numbers below 1 and 4 lie closest to a midpoint.
    const double below_one = std::nextafter(1.0, 0.0), below_four = std::nextafter(4.0, 0.0);
    for (unsigned n = 0; n < 20000; ++n) {
        const auto mode = static_cast<Rounding>(n % 4);
        for (unsigned i = 0; i < 4; ++i)
            set<double>(*m.thread, kA, i, operand<double>(random));
        if (n < 4) {
            set<double>(*m.thread, kA, 0, below_one), set<double>(*m.thread, kA, 1, below_four);
            set<double>(*m.thread, kA, 2, std::numeric_limits<double>::max());
        }
        double_root(m, mode);
        for (unsigned i = 0; i < 4; ++i) {
            const volatile double x = get<double>(*m.thread, kA, i);
            const double expected = on_host<double>(mode, [&] { return std::sqrt(x); });
            ASSERT_TRUE(same(get<double>(*m.thread, 48, i), expected))
                << std::hexfloat << x << " mode " << static_cast<int>(mode) << " got "
                << get<double>(*m.thread, 48, i) << " not " << expected;
        }
    }
}
TEST(Macro, EarlyOutGivesTheFinalResultAndItsFlag) {
    Macro m(Type::F);
    const float nan_a = std::bit_cast<float>(0x7FC00001u),
                nan_b = std::bit_cast<float>(0x7FC00002u);
    fill<float>(*m.thread, kA, {1, 0, nan_a, 3, 0, 1, 1, -1});
    fill<float>(*m.thread, kB, {3, 5, nan_b, 0, 0, INFINITY, 2, 0});
    m.start(isa::MathFunction::Invm, 54, {m.operand(kA, kNone), m.operand(kB, kNone)});
    EXPECT_EQ(m.thread->flag[0] & 0xFF, 0b10111110u);
    EXPECT_EQ(get<float>(*m.thread, 54, 1), 0.0f);
    EXPECT_EQ(get<std::uint32_t>(*m.thread, 54, 2), 0x7FC00002u) << "the denominator's NaN";
    EXPECT_EQ(get<float>(*m.thread, 54, 3), INFINITY);
    EXPECT_TRUE(std::isnan(get<float>(*m.thread, 54, 4)));
    EXPECT_EQ(get<float>(*m.thread, 54, 7), -INFINITY);
}

}  // namespace
}  // namespace gen9::eu::test
