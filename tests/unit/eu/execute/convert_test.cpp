// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "eu/thread/half.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

template <class To, class From>
To moved(Thread& thread, From value, Type from, Type to, bool saturate = false) {
    set<From>(thread, 10, 0, value);
    Instruction in = make(Opcode::Mov, 1, dst(20, to), {scalar(10, 0, from)});
    in.saturate = saturate;
    in.no_mask = true;
    run(thread, in);
    return get<To>(thread, 20, 0);
}

/// A half's value by its definition: sign * fraction * 2^exponent.
double half_by_definition(std::uint16_t h) {
    const double sign = h >> 15 ? -1.0 : 1.0;
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31)
        return fraction ? std::numeric_limits<double>::quiet_NaN()
                        : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryHalfBecomesItsValue) {
    GEN9_COVERS("EU-132");
    auto thread = make_thread();
    for (unsigned h = 0; h < 65536; ++h) {
        const double expected = half_by_definition(static_cast<std::uint16_t>(h));
        const double got = half_to_double(static_cast<std::uint16_t>(h));
        if (std::isnan(expected))
            ASSERT_TRUE(std::isnan(got)) << h;
        else
            ASSERT_EQ(got, expected) << h;
        ASSERT_EQ(std::signbit(got), (h & 0x8000) != 0) << h;
    }
}
TEST(Half, EveryHalfSurvivesTheWayThroughSingle) {
    GEN9_COVERS("EU-132 EU-216");
    auto thread = make_thread();
    thread->control[0] = 0;  // format conversions keep denormals whatever cr0 says
    for (unsigned h = 0; h < 65536; ++h) {
        if ((h & 0x7C00) == 0x7C00 && (h & 0x3FF) && !(h & 0x200))
            continue;  // signalling: becomes quiet
        set<std::uint16_t>(*thread, 10, 0, static_cast<std::uint16_t>(h));
        Instruction up = make(Opcode::Mov, 1, dst(11, Type::F), {scalar(10, 0, Type::HF)});
        Instruction down = make(Opcode::Mov, 1, dst(12, Type::HF), {scalar(11, 0, Type::F)});
        execute(*thread, prepare(up, thread->ip));
        execute(*thread, prepare(down, thread->ip));
        ASSERT_EQ(get<std::uint16_t>(*thread, 12, 0), h);
    }
}
TEST(Half, NarrowingRoundsToTheNeighbourOfTheMode) {
    GEN9_COVERS("EU-132 EU-137");
    // Between every pair of neighbouring halves: just above, the middle, just below, in all modes.
    for (unsigned h = 0; h < 0x7BFF; ++h) {
        const double low = half_by_definition(static_cast<std::uint16_t>(h)),
                     high = half_by_definition(static_cast<std::uint16_t>(h + 1));
        const double middle = (low + high) / 2, quarter = (low + middle) / 2,
                     three = (middle + high) / 2;
        const auto up = static_cast<std::uint16_t>(h + 1), down = static_cast<std::uint16_t>(h);
        ASSERT_EQ(double_to_half(quarter, Rounding::NearestEven), down);
        ASSERT_EQ(double_to_half(three, Rounding::NearestEven), up);
        ASSERT_EQ(double_to_half(middle, Rounding::NearestEven), h % 2 ? up : down);
        for (const double v : {quarter, middle, three}) {
            ASSERT_EQ(double_to_half(v, Rounding::Up), up);
            ASSERT_EQ(double_to_half(v, Rounding::Down), down);
            ASSERT_EQ(double_to_half(v, Rounding::Zero), down);
            ASSERT_EQ(double_to_half(-v, Rounding::Up), down | 0x8000);
            ASSERT_EQ(double_to_half(-v, Rounding::Down), up | 0x8000);
            ASSERT_EQ(double_to_half(-v, Rounding::Zero), down | 0x8000);
        }
    }
}
TEST(Half, OverflowFollowsTheMode) {
    GEN9_COVERS("EU-137 EU-130");
    EXPECT_EQ(double_to_half(65519.99, Rounding::NearestEven), 0x7BFF);
    EXPECT_EQ(double_to_half(65520.0, Rounding::NearestEven), 0x7C00);
    EXPECT_EQ(double_to_half(1e9, Rounding::Zero), 0x7BFF);
    EXPECT_EQ(double_to_half(1e9, Rounding::Up), 0x7C00);
    EXPECT_EQ(double_to_half(-1e9, Rounding::Up), 0xFBFF);
    auto thread = make_thread();
    EXPECT_EQ((moved<std::uint16_t>(*thread, std::int32_t{70000}, Type::D, Type::HF)), 0x7C00);
}

TEST(Conversion, FloatToIntegerClampsAndTurnsNanToZero) {
    GEN9_COVERS("EU-127");
    auto thread = make_thread();
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ((moved<std::int32_t>(*thread, 3e9f, Type::F, Type::D)), 0x7FFFFFFF);
    EXPECT_EQ((moved<std::int32_t>(*thread, -3e9f, Type::F, Type::D)),
              std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ((moved<std::uint32_t>(*thread, 3e9f, Type::F, Type::UD)), 0xB2D05E00u);
    EXPECT_EQ((moved<std::uint32_t>(*thread, -1.5f, Type::F, Type::UD)), 0u);
    EXPECT_EQ((moved<std::int32_t>(*thread, nan, Type::F, Type::D)), 0);
    EXPECT_EQ((moved<std::uint32_t>(*thread, inf, Type::F, Type::UD)), 0xFFFFFFFFu);
    EXPECT_EQ((moved<std::uint8_t>(*thread, 300.0f, Type::F, Type::UB)), 0xFF);
    EXPECT_EQ((moved<std::int16_t>(*thread, -40000.0f, Type::F, Type::W)), -32768);
    EXPECT_EQ((moved<std::int32_t>(*thread, -2.9f, Type::F, Type::D)), -2);
    EXPECT_EQ((moved<std::int64_t>(*thread, 1e19, Type::DF, Type::Q)),
              std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ((moved<std::uint64_t>(*thread, 1e19, Type::DF, Type::UQ)), 10000000000000000000ull);
}
TEST(Conversion, FloatToIntegerRoundsByControlBit12) {
    GEN9_COVERS("EU-099 EU-127");
    auto thread = make_thread();
    EXPECT_EQ((moved<std::int32_t>(*thread, 2.5f, Type::F, Type::D)), 2);
    thread->control[0] |= cr0::kRoundToInteger;
    EXPECT_EQ((moved<std::int32_t>(*thread, 2.5f, Type::F, Type::D)), 2);
    EXPECT_EQ((moved<std::int32_t>(*thread, 3.5f, Type::F, Type::D)), 4);
    thread->control[0] |= 1u << 4;  // round up
    EXPECT_EQ((moved<std::int32_t>(*thread, 2.5f, Type::F, Type::D)), 3);
    EXPECT_EQ((moved<std::int32_t>(*thread, 1e-40f, Type::F, Type::D)), 0)
        << "a denormal counts as zero";
}
TEST(Conversion, WideningKeepsTheValue) {
    GEN9_COVERS("EU-128");
    auto thread = make_thread();
    EXPECT_EQ((moved<std::int32_t>(*thread, std::int8_t{-3}, Type::B, Type::D)), -3);
    EXPECT_EQ((moved<std::uint32_t>(*thread, std::int16_t{-3}, Type::W, Type::UD)), 0xFFFFFFFDu);
    EXPECT_EQ((moved<std::uint32_t>(*thread, std::int16_t{-3}, Type::W, Type::UD, true)), 0u);
    EXPECT_EQ((moved<std::int32_t>(*thread, std::uint16_t{0xFFFD}, Type::UW, Type::D)), 65533);
    EXPECT_EQ((moved<std::int64_t>(*thread, std::int32_t{-5}, Type::D, Type::Q)), -5);
    EXPECT_EQ((moved<std::uint64_t>(*thread, std::uint32_t{0xFFFFFFFF}, Type::UD, Type::UQ)),
              0xFFFFFFFFull);
}
TEST(Conversion, NarrowingTruncatesOrClamps) {
    GEN9_COVERS("EU-129");
    auto thread = make_thread();
    EXPECT_EQ((moved<std::int16_t>(*thread, std::int32_t{0x12345678}, Type::D, Type::W)), 0x5678);
    EXPECT_EQ((moved<std::int16_t>(*thread, std::int32_t{0x12345678}, Type::D, Type::W, true)),
              0x7FFF);
    EXPECT_EQ((moved<std::uint8_t>(*thread, std::int32_t{-7}, Type::D, Type::UB, true)), 0);
    EXPECT_EQ((moved<std::int32_t>(*thread, std::int64_t{0x100000005}, Type::Q, Type::D)), 5);
}
TEST(Conversion, IntegerToFloatRoundsByTheMode) {
    GEN9_COVERS("EU-130 EU-137");
    auto thread = make_thread();
    EXPECT_EQ((moved<float>(*thread, std::int32_t{16777217}, Type::D, Type::F)), 16777216.0f);
    EXPECT_EQ((moved<float>(*thread, std::uint32_t{0xFFFFFFFF}, Type::UD, Type::F)), 4294967296.0f);
    thread->control[0] |= 3u << 4;  // towards zero
    EXPECT_EQ((moved<float>(*thread, std::uint32_t{0xFFFFFFFF}, Type::UD, Type::F)), 4294967040.0f);
    thread->control[0] = (thread->control[0] & ~cr0::kRounding) | 1u << 4;
    EXPECT_EQ((moved<float>(*thread, std::int32_t{16777217}, Type::D, Type::F)), 16777218.0f);
    EXPECT_EQ((moved<float>(*thread, std::uint64_t{0x8000000000000001}, Type::UQ, Type::F)),
              9223373136366403584.0f);
}
TEST(Conversion, DoubleToSingleFollowsTheModeAndDropsDenormals) {
    GEN9_COVERS("EU-131");
    auto thread = make_thread();
    EXPECT_EQ((moved<float>(*thread, 1.0 + 0x1p-24, Type::DF, Type::F)), 1.0f);
    thread->control[0] |= 1u << 4;
    EXPECT_EQ((moved<float>(*thread, 1.0 + 0x1p-24, Type::DF, Type::F)), 1.0f + 0x1p-23f);
    const float zero = moved<float>(*thread, -0x1p-1060, Type::DF, Type::F);
    EXPECT_EQ(zero, 0.0f);
    EXPECT_TRUE(std::signbit(zero));
    EXPECT_EQ((moved<double>(*thread, 0x1p-149f, Type::F, Type::DF)), 0x1p-149);
}
TEST(Conversion, FloatSaturationGivesZeroToOne) {
    GEN9_COVERS("EU-125");
    auto thread = make_thread();
    EXPECT_EQ((moved<float>(*thread, 1.5f, Type::F, Type::F, true)), 1.0f);
    EXPECT_EQ((moved<float>(*thread, -0.5f, Type::F, Type::F, true)), 0.0f);
    EXPECT_EQ((moved<float>(*thread, 0.25f, Type::F, Type::F, true)), 0.25f);
    EXPECT_EQ((moved<std::uint32_t>(*thread, std::numeric_limits<float>::quiet_NaN(), Type::F,
                                    Type::F, true)),
              0u);
}
TEST(Conversion, RawMoveChangesNoBit) {
    GEN9_COVERS("EU-126");
    auto thread = make_thread();
    thread->control[0] = 0;  // denormals are flushed elsewhere
    EXPECT_EQ((moved<std::uint32_t>(*thread, std::uint32_t{0x00000001}, Type::F, Type::F)), 1u);
    EXPECT_EQ((moved<std::uint32_t>(*thread, std::uint32_t{0x7F800001}, Type::F, Type::F)),
              0x7F800001u);
}
TEST(Conversion, DenormalsAreFlushedUnlessKept) {
    GEN9_COVERS("EU-136");
    auto thread = make_thread();
    const auto plus_zero = [&](Type type, unsigned size_bits) {
        set<std::uint64_t>(*thread, 10, 0, 1);
        set<std::uint64_t>(*thread, 11, 0, 0);
        run(*thread,
            make(Opcode::Add, 1, dst(20, type), {scalar(10, 0, type), scalar(11, 0, type)}));
        return get<std::uint64_t>(*thread, 20, 0) &
               (size_bits == 64 ? ~0ull : (1ull << size_bits) - 1);
    };
    EXPECT_EQ(plus_zero(Type::F, 32), 1u);
    EXPECT_EQ(plus_zero(Type::HF, 16), 1u);
    EXPECT_EQ(plus_zero(Type::DF, 64), 1u);
    thread->control[0] = 0;
    EXPECT_EQ(plus_zero(Type::F, 32), 0u);
    EXPECT_EQ(plus_zero(Type::HF, 16), 0u);
    EXPECT_EQ(plus_zero(Type::DF, 64), 0u);
}
TEST(Immediates, PackedVectorsExpand) {
    GEN9_COVERS("EU-117 EU-118");
    auto thread = make_thread();
    run(*thread, make(Opcode::Mov, 8, dst(20, Type::W), {imm(0x76543210, Type::V)}));
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::int16_t>(*thread, 20, static_cast<unsigned>(i)), i);
    run(*thread, make(Opcode::Mov, 8, dst(20, Type::W), {imm(0xFEDCBA98, Type::V)}));
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::int16_t>(*thread, 20, static_cast<unsigned>(i)), i - 8);
    run(*thread, make(Opcode::Mov, 8, dst(20, Type::UW), {imm(0xFEDCBA98, Type::UV)}));
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint16_t>(*thread, 20, static_cast<unsigned>(i)), i + 8);
    run(*thread, make(Opcode::Mov, 4, dst(20, Type::F), {imm(0x01307F80, Type::VF)}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 0), 0x80000000u);
    EXPECT_EQ(get<float>(*thread, 20, 1), 31.0f);
    EXPECT_EQ(get<float>(*thread, 20, 2), 1.0f);
    EXPECT_EQ(get<float>(*thread, 20, 3), 0.1328125f);
}
TEST(Immediates, DWordDestinationsTakeEverySecondElementOfPackedIntegers) {
    GEN9_COVERS("EU-117");  // the offsets Intel's compiler means when it loads uint4 and uint2 from
                            // shared local memory
    auto thread = make_thread();
    run(*thread, make(Opcode::Mov, 4, dst(20, Type::UD), {imm(0x0C080400, Type::UV)}));
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 20, i), 4 * i);
    run(*thread, make(Opcode::Mov, 2, dst(20, Type::UD), {imm(0x00000400, Type::UV)}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 0), 0u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 20, 1), 4u);
    run(*thread, make(Opcode::Mov, 4, dst(20, Type::D), {imm(0x0F080700, Type::V)}));
    const std::int32_t expected[] = {0, 7, -8, -1};
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(get<std::int32_t>(*thread, 20, i), expected[i]);
}

}  // namespace
}  // namespace gen9::eu::test
