// SPDX-License-Identifier: Apache-2.0
// IEEE exceptions in sr0.1 (003:21657-21914). The expected sets are worked out from the PRM's
// tables and algorithms by hand.
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

constexpr float kMin = 0x1p-126f;
const float kQuiet = std::bit_cast<float>(0x7FC00001u);
const float kSignalling = std::bit_cast<float>(0x7F800001u);
constexpr std::uint16_t kHalfSignalling = 0x7D00;

using sr0::kDivideByZero;
using sr0::kInexact;
using sr0::kInvalid;
using sr0::kOverflow;
using sr0::kUnderflow;

/// One channel of an instruction on values of any types: what it signals.
struct Case {
    Instruction in;
    std::uint32_t control =
        cr0::kIeeeTrap | cr0::kFloatDenormals | cr0::kDoubleDenormals | cr0::kHalfDenormals;
    unsigned sources = 0;
    std::unique_ptr<Thread> thread = make_thread(1);

    explicit Case(Opcode opcode, Type to = Type::F) { in = make(opcode, 1, dst(10, to), {}); }
    explicit Case(isa::MathFunction function) : Case(Opcode::Math) { in.math = function; }
    template <class T>
    Case& src(T value, Type type) {
        set<T>(*thread, 2 + sources, 0, value);
        in.src[sources] = scalar(2 + sources, 0, type);
        in.source_count = static_cast<std::uint8_t>(++sources);
        if (sources == 3) {
            in.align16 = true;
            in.dst.chan_enable = 1;
            for (Operand& operand : in.src)
                operand.replicate = true;
        }
        return *this;
    }
    Case& f(float value) { return src(value, Type::F); }
    Case& df(double value) { return src(value, Type::DF); }
    Case& hf(std::uint16_t bits) { return src(bits, Type::HF); }
    Case& flush() {
        control &= ~(cr0::kFloatDenormals | cr0::kDoubleDenormals | cr0::kHalfDenormals);
        return *this;
    }
    Case& mode(Rounding rounding) {
        control |= static_cast<std::uint32_t>(rounding) << 4 | cr0::kRoundToInteger;
        return *this;
    }
    std::uint32_t signalled() const {
        thread->control[0] = control;
        run(*thread, in);
        return thread->state[1];
    }
    friend bool operator==(const Case& c, std::uint32_t expected) {
        return c.signalled() == expected;
    }
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.thread->state[1]; }
};

TEST(IeeeExceptions, AreNotedOnlyWhenAskedForAndStay) {
    GEN9_COVERS("EU-146");
    Case inexact(Opcode::Add);
    inexact.f(1.0f).f(0x1p-30f);
    inexact.control &= ~cr0::kIeeeTrap;
    EXPECT_EQ(inexact, 0u);
    inexact.control |= cr0::kIeeeTrap;
    EXPECT_EQ(inexact, kInexact);
    // Another instruction adds to them; none clears them but a write of sr0.1.
    Thread& thread = *inexact.thread;
    set<float>(thread, 2, 0, kInf);
    set<float>(thread, 3, 0, -kInf);
    run(thread, inexact.in);
    EXPECT_EQ(thread.state[1], kInexact | kInvalid);
    thread.state[1] |= 0x123u << 23;
    Instruction write =
        make(Opcode::Mov, 1, arf(isa::Arf::State, 0, Type::UD, 4), {imm(kOverflow, Type::UD)});
    run(thread, write);
    EXPECT_EQ(thread.state[1], 0x123u << 23 | kOverflow) << "FFTID cannot be written";
}

TEST(IeeeExceptions, OnlyEnabledChannelsSignal) {
    GEN9_COVERS("EU-146");
    auto thread = make_thread(0x7F);
    thread->control[0] |= cr0::kIeeeTrap;
    fill<float>(*thread, 2, {1, 2, 3, 4, 5, 6, 7, kSignalling});
    fill<float>(*thread, 3, {1, 1, 1, 1, 1, 1, 1, 1});
    const Instruction in =
        make(Opcode::Add, 8, dst(10, Type::F), {grf(2, Type::F), grf(3, Type::F)});
    run(*thread, in);
    EXPECT_EQ(thread->state[1], 0u);
    thread->active = 0xFF;
    run(*thread, in);
    EXPECT_EQ(thread->state[1], kInvalid);
    // And of those, the predicated ones.
    thread->state[1] = 0;
    thread->flag[0] = 0x7F;
    Instruction predicated = in;
    predicated.pred_ctrl = PredCtrl::Sequential;
    run(*thread, predicated);
    EXPECT_EQ(thread->state[1], 0u);
}

TEST(IeeeExceptions, InvalidOperations) {
    GEN9_COVERS("EU-147");
    EXPECT_EQ(Case(Opcode::Add).f(kInf).f(-kInf), kInvalid);
    EXPECT_EQ(Case(Opcode::Add).f(kInf).f(kInf), 0u);
    EXPECT_EQ(Case(Opcode::Mul).f(0).f(-kInf), kInvalid);
    EXPECT_EQ(Case(Opcode::Mad).f(1).f(kInf).f(0), kInvalid);
    EXPECT_EQ(Case(Opcode::Mad).f(-kInf).f(kInf).f(1), kInvalid);
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(0).f(-0.0f), kInvalid);
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(kInf).f(kInf), kInvalid);
    EXPECT_EQ(Case(isa::MathFunction::Sqrt).f(-1), kInvalid);
    EXPECT_EQ(Case(isa::MathFunction::Sqrt).f(-0.0f), 0u);
    // Functions that are not listed signal it for signalling NaN only.
    EXPECT_EQ(Case(isa::MathFunction::Rsq).f(-1), 0u);
    EXPECT_EQ(Case(isa::MathFunction::Log).f(-1), 0u);
    // Signalling NaN, quiet ones not.
    for (const Opcode opcode : {Opcode::Add, Opcode::Mul, Opcode::Cmp, Opcode::Cmpn, Opcode::Sel}) {
        Case noisy(opcode), silent(opcode);
        if (opcode != Opcode::Add && opcode != Opcode::Mul)
            noisy.in.cond_mod = silent.in.cond_mod = CondMod::L;
        EXPECT_EQ(noisy.f(1).f(kSignalling), kInvalid) << static_cast<int>(opcode);
        EXPECT_EQ(silent.f(1).f(kQuiet), 0u) << static_cast<int>(opcode);
    }
    for (const Opcode opcode :
         {Opcode::Frc, Opcode::Rndd, Opcode::Rnde, Opcode::Rndu, Opcode::Rndz})
        EXPECT_EQ(Case(opcode).f(kSignalling), kInvalid) << static_cast<int>(opcode);
    for (const auto function : {isa::MathFunction::Inv, isa::MathFunction::Exp,
                                isa::MathFunction::Sin, isa::MathFunction::Rsq})
        EXPECT_EQ(Case(function).f(kSignalling), kInvalid);
    EXPECT_EQ(Case(Opcode::Add, Type::HF).hf(kHalfSignalling).hf(0), kInvalid);
    EXPECT_EQ(Case(Opcode::Add, Type::DF).df(std::bit_cast<double>(0x7FF0000000000001u)).df(0),
              kInvalid);
    // Moves that convert signal, raw moves do not.
    EXPECT_EQ(Case(Opcode::Mov).f(kSignalling), 0u);
    EXPECT_EQ(Case(Opcode::Mov, Type::DF).f(kSignalling), kInvalid);
    EXPECT_EQ(Case(Opcode::Mov).hf(kHalfSignalling), kInvalid);
    // Singles of the alternate mode know no NaN.
    Case alternate(Opcode::Add);
    alternate.control |= cr0::kAlternate;
    EXPECT_EQ(alternate.f(kSignalling).f(1), 0u);
}

TEST(IeeeExceptions, DivisionByZero) {
    GEN9_COVERS("EU-148");
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(-1).f(0), kDivideByZero);
    EXPECT_EQ(Case(isa::MathFunction::Log).f(-0.0f), kDivideByZero);
    EXPECT_EQ(Case(isa::MathFunction::Inv).f(0), 0u) << "not listed";
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(kInf).f(0), 0u);
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(6).f(3), 0u);
    EXPECT_EQ(Case(isa::MathFunction::Fdiv).f(1).f(3), kInexact);
}

TEST(IeeeExceptions, Overflow) {
    GEN9_COVERS("EU-149");
    for (const Rounding mode :
         {Rounding::NearestEven, Rounding::Up, Rounding::Down, Rounding::Zero})
        EXPECT_EQ(Case(Opcode::Mul).mode(mode).f(kMax).f(2), kOverflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mul).f(kMax).f(1), 0u);
    // fmax plus less than half a unit rounds back to fmax; upwards it overflows.
    EXPECT_EQ(Case(Opcode::Add).f(kMax).f(1), kInexact);
    EXPECT_EQ(Case(Opcode::Add).mode(Rounding::Up).f(kMax).f(1), kOverflow | kInexact);
    EXPECT_EQ(Case(Opcode::Add).f(kInf).f(kMax), 0u) << "an infinity does not overflow";
    // To halves: 65504 is the largest, 65519 rounds to it, 65520 does not.
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(65504), 0u);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(65519), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(65520), kOverflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).mode(Rounding::Zero).f(65535), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).src<std::uint32_t>(70000, Type::UD),
              kOverflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mul, Type::HF).hf(0x7BFF).hf(0x4000), kOverflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mov).df(1e300), kOverflow | kInexact);
}

TEST(IeeeExceptions, Underflow) {
    GEN9_COVERS("EU-150");
    const float odd = 0x1.000002p-126f;  // half of it is no denormal
    EXPECT_EQ(Case(Opcode::Mul).f(kMin).f(0.5f), 0u) << "an exact denormal";
    EXPECT_EQ(Case(Opcode::Mul).f(odd).f(0.5f), kUnderflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mul).f(kMin).f(kMin), kUnderflow | kInexact) << "to zero";
    // Tiny is found after rounding: the largest value below fmin that rounds to fmin at 24 bits.
    EXPECT_EQ(Case(Opcode::Mul).f(0x1.fffffep-64f).f(0x1.fffffep-64f), kUnderflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mad).f(kMin).f(-0x1p-100f).f(0x1p-100f), kInexact);
    // With denormals flushed there is no underflow.
    EXPECT_EQ(Case(Opcode::Mul).flush().f(odd).f(0.5f), kInexact);
    EXPECT_EQ(Case(Opcode::Mul).flush().f(kMin).f(0.5f), kInexact);
    EXPECT_EQ(Case(Opcode::Mul).flush().f(kMin).f(kMin), kInexact);
    // Halves: 2^-15 is an exact denormal, 1.5 * 2^-24 none.
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(0x1p-15f), 0u);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(0x1.8p-24f), kUnderflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mul, Type::HF).hf(0x0400).hf(0x3800), 0u);
    EXPECT_EQ(Case(Opcode::Mul, Type::HF).flush().hf(0x0400).hf(0x3800), kInexact);
    EXPECT_EQ(Case(Opcode::Mul, Type::HF).hf(0x0401).hf(0x3800), kUnderflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mul, Type::DF).df(0x1.0000000000001p-1022).df(0.5),
              kUnderflow | kInexact);
    EXPECT_EQ(Case(Opcode::Mov).df(0x1.8p-149), kUnderflow | kInexact);
}

TEST(IeeeExceptions, Inexact) {
    GEN9_COVERS("EU-151");
    EXPECT_EQ(Case(Opcode::Add).f(0x1p24f).f(1), kInexact);
    EXPECT_EQ(Case(Opcode::Add).f(0x1p23f).f(1), 0u);
    EXPECT_EQ(Case(Opcode::Rndd).f(1.5f), 0u) << "rounding instructions never are";
    EXPECT_EQ(Case(Opcode::Rnde).f(-0.3f), 0u);
    EXPECT_EQ(Case(Opcode::Mov).src<std::uint32_t>(0x1000001, Type::UD), kInexact);
    EXPECT_EQ(Case(Opcode::Mov).src<std::uint32_t>(0xFFFFFF00, Type::UD), 0u);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).src<std::uint32_t>(2049, Type::UD), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::DF).src<std::uint32_t>(0xFFFFFFFF, Type::UD), 0u);
    EXPECT_EQ(Case(Opcode::Mov, Type::DF).src<std::uint64_t>(0x20000000000001, Type::UQ), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::HF).f(0.1f), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::DF).f(0.1f), 0u);
    EXPECT_EQ(Case(Opcode::Mov).df(0.1), kInexact);
    EXPECT_EQ(Case(Opcode::Mov).df(0x1p-1060), kInexact) << "becomes a zero";
    // Saturation plays no part.
    Case saturated(Opcode::Add);
    saturated.in.saturate = true;
    EXPECT_EQ(saturated.f(3).f(4), 0u);
    // The sum of halves is exact before it is rounded once.
    EXPECT_EQ(Case(Opcode::Add, Type::HF).hf(0x6800).hf(0x3C00), kInexact) << "2048 + 1";
    EXPECT_EQ(Case(Opcode::Add, Type::HF).hf(0x6400).hf(0x3C00), 0u) << "1024 + 1";
}

TEST(IeeeExceptions, FloatsToIntegers) {
    GEN9_COVERS("EU-152");
    const auto to = [](Type type, float value) -> std::uint32_t {
        return Case(Opcode::Mov, type).f(value).signalled();
    };
    EXPECT_EQ(to(Type::D, kQuiet), kInvalid);
    EXPECT_EQ(to(Type::D, kInf), kInvalid);
    EXPECT_EQ(to(Type::D, -0x1p31f), 0u);
    EXPECT_EQ(to(Type::D, 0x1p31f), kInvalid);
    EXPECT_EQ(to(Type::UD, 0x1p31f), 0u);
    EXPECT_EQ(to(Type::UD, -1), kInvalid);
    EXPECT_EQ(to(Type::UD, -0.5f), kInexact);
    EXPECT_EQ(to(Type::D, 1.5f), kInexact);
    EXPECT_EQ(to(Type::D, 2), 0u);
    EXPECT_EQ(to(Type::W, 32768), kInvalid);
    EXPECT_EQ(to(Type::UB, 255.5f), kInexact) << "rounded towards zero it fits";
    Case up(Opcode::Mov, Type::UB);
    EXPECT_EQ(up.mode(Rounding::Up).f(255.5f), kInvalid);
    Case even(Opcode::Mov, Type::D);
    EXPECT_EQ(even.mode(Rounding::NearestEven).f(2.5f), kInexact);
    EXPECT_EQ(Case(Opcode::Mov, Type::W).hf(0x3E00), kInexact) << "1.5";
    EXPECT_EQ(Case(Opcode::Mov, Type::Q).df(0x1p63), kInvalid);
}

TEST(IeeeExceptions, VectorOperationsAndMacros) {
    GEN9_COVERS("EU-147 EU-148 EU-151");
    auto thread = make_thread(0xFF);
    thread->control[0] |= cr0::kIeeeTrap;
    const auto signalled = [&](const Instruction& in) {
        thread->state[1] = 0;
        run(*thread, in);
        return thread->state[1];
    };
    fill<float>(*thread, 2, {1, 2, 3, 4, kInf, 2, 3, 4});
    fill<float>(*thread, 3, {1, 1, 1, 1, 0, 1, 1, 1});
    Operand a = region(2, 0, 4, 4, 1, Type::F), b = region(3, 0, 4, 4, 1, Type::F);
    Instruction dot = make(Opcode::Dp4, 8, dst(10, Type::F), {a, b});
    EXPECT_EQ(signalled(dot), kInvalid) << "the second group: inf * 0";
    thread->active = 0x0F;
    EXPECT_EQ(signalled(dot), 0u);
    thread->active = 0xFF;
    // p * u + r, with p = 1 and r = 2^-30.
    fill<float>(*thread, 4, {1, 0, 0, 0x1p-30f});
    const Instruction line = make(Opcode::Line, 8, dst(10, Type::F), {scalar(4, 0, Type::F), b});
    EXPECT_EQ(signalled(line), kInexact);
    // The start of a division signals for its early results, its last step for the quotient.
    Instruction invm = make(Opcode::Math, 8, dst(10, Type::F), {grf(5, Type::F), grf(6, Type::F)});
    invm.math = isa::MathFunction::Invm;
    invm.align16 = true;
    fill<float>(*thread, 5, {1, 1, 1, 1, 1, 1, 1, 1});
    fill<float>(*thread, 6, {1, 1, 1, 1, 1, 1, 1, 0});
    EXPECT_EQ(signalled(invm), kDivideByZero);
    fill<float>(*thread, 5, {1, 1, 1, 1, 1, 1, 1, 0});
    EXPECT_EQ(signalled(invm), kInvalid);
    Instruction madm = make(Opcode::Madm, 8, dst(10, Type::F),
                            {grf(5, Type::F), grf(6, Type::F), grf(7, Type::F)});
    fill<float>(*thread, 6, {1, 1, 1, 1, 1, 1, 1, 1});
    fill<float>(*thread, 7, {1, 1, 1, 1, 1, 1, 1, 0x1p-30f});
    EXPECT_EQ(signalled(madm), 0u);
    fill<float>(*thread, 5, {1, 1, 1, 1, 1, 1, 1, 1});
    EXPECT_EQ(signalled(madm), kInexact);
    madm.dst.special_acc = 0;
    EXPECT_EQ(signalled(madm), 0u) << "a step in between";
    madm.dst.special_acc = 8;
    fill<float>(*thread, 6, {1, 1, 1, 1, 1, 1, 1, kMax});
    fill<float>(*thread, 7, {1, 1, 1, 1, 1, 1, 1, kMax});
    EXPECT_EQ(signalled(madm), kOverflow | kInexact);
    fill<float>(*thread, 5, {0, 0, 0, 0, 0, 0, 0, 0});
    fill<float>(*thread, 6, {1, 1, 1, 1, 1, 1, 1, 0x1p-100f});
    fill<float>(*thread, 7, {1, 1, 1, 1, 1, 1, 1, 0x1p-40f});
    EXPECT_EQ(signalled(madm), 0u) << "an exact denormal";
    set(*thread, 7, 7, 0x1p-50f);
    EXPECT_EQ(signalled(madm), kUnderflow | kInexact);
}

}  // namespace
}  // namespace gen9::eu::test
