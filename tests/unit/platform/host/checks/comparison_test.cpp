// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace gen9::checks {
namespace {

template <class T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::optional<ArgumentDifference> compared(const char* type, const std::vector<T>& model,
                                           const std::vector<T>& expected,
                                           unsigned ulps = kDefaultUlps) {
    const std::vector<T> before(model.size());
    const auto known = element_type(type);
    return compare({bytes_of(before), bytes_of(model), bytes_of(expected)},
                   known ? *known : ElementType(), ulps);
}

TEST(ElementType, NamesOfOpenclCHaveASizeAndOthersNone) {
    const auto vector = element_type("float3*");
    ASSERT_TRUE(vector);
    EXPECT_EQ(vector->kind, ElementType::Kind::Float);
    EXPECT_EQ(vector->components, 3u);
    EXPECT_EQ(vector->element_bytes(), 16u) << "a vector of three has the place of four";
    EXPECT_EQ(element_type("ulong16 *")->element_bytes(), 128u);
    EXPECT_EQ(element_type("unsigned int*")->kind, ElementType::Kind::Unsigned);
    EXPECT_EQ(element_type("atomic_int*")->kind, ElementType::Kind::Signed);
    for (const char* other : {"real*", "float5*", "struct Pair*", "void*", "*", "", "float99999*"})
        EXPECT_FALSE(element_type(other)) << other;
}

TEST(Comparison, TheFirstElementThatDiffersIsNamedWithBothValues) {
    const auto found = compared<std::int64_t>("long*", {0, 7, 0, -9}, {0, 7, 1LL << 40, 9});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first, 2u);
    EXPECT_EQ(found->model, "0");
    EXPECT_EQ(found->expected, "1099511627776");
    EXPECT_EQ(found->differing, 2u);
    EXPECT_EQ(found->elements, 4u);
    EXPECT_FALSE(found->near);
    EXPECT_FALSE(compared<std::int64_t>("long*", {1, 2}, {1, 2}));
}

TEST(Comparison, OfAVectorTheComponentIsNamedAndTheUnwrittenPlaceIsNobodys) {
    EXPECT_FALSE(compared<float>("float3*", {1, 2, 3, 4}, {1, 2, 3, -5e9f}));
    const auto found =
        compared<float>("float3*", {1, 2, 3, 4, 1, 2, 3, 4}, {1, 2, 3, 9, 1, 2, 8, 9});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first, 1u);
    EXPECT_EQ(found->component, ".s2");
    EXPECT_TRUE(compared<float>("float4*", {1, 2, 3, 4}, {1, 2, 3, 9}));
}

TEST(Comparison, FloatsAgreeWithinTheUlpsOfTheLarger) {
    const float ulp = std::ldexp(1.0f, -23);
    EXPECT_FALSE(compared<float>("float*", {1}, {1 + 8 * ulp}, 8));
    EXPECT_TRUE(compared<float>("float*", {1}, {1 + 9 * ulp}, 8));
    EXPECT_TRUE(compared<float>("float*", {1}, {1 + ulp}, 0));
    EXPECT_FALSE(compared<double>("double*", {1}, {1 + std::ldexp(1.0, -49)}, 8));
    EXPECT_TRUE(compared<double>("double*", {1}, {1 + std::ldexp(1.0, -48)}, 8));
}

// 1 and the next: 0x3C00 and 0x3C01. A half has a 256th of the ulps.
TEST(Comparison, HalvesHaveUlpsOfTheirOwn) {
    EXPECT_FALSE(compared<std::uint16_t>("half*", {0x3C00}, {0x3C10}, 4096));
    const auto found = compared<std::uint16_t>("half*", {0x3C00}, {0x3C11}, 4096);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->model, "1");
    EXPECT_EQ(found->expected, "1.0166");
    EXPECT_FALSE(compared<std::uint16_t>("half*", {0x7E00}, {0xFE01})) << "two NaN";
    EXPECT_TRUE(compared<std::uint16_t>("half*", {0x7C00}, {0x7BFF})) << "infinity";
}

TEST(Comparison, WhatCancelsOutHasTheRoundingOfItsTerms) {
    std::vector<float> model(9, 1000), expected(9, 1000);
    model[4] = 1e-5f;
    expected[4] = -2e-5f;
    EXPECT_FALSE(compared("float*", model, expected));
    expected[4] = -2;
    EXPECT_TRUE(compared("float*", model, expected));
    // One large value among small ones does not hide them.
    std::vector<float> small(9, 1e-6f), wrong = small;
    small[0] = wrong[0] = 1e9f;
    wrong[8] = 2e-6f;
    EXPECT_TRUE(compared("float*", small, wrong));
}

TEST(Comparison, NanZeroAndDenormals) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(compared<float>("float*", {nan, 0.0f, 1e-40f}, {-nan, -0.0f, 0.0f}));
    EXPECT_FALSE(compared<float>("float*", {nan, -0.0f}, {-nan, 0.0f}, 0));
    EXPECT_TRUE(compared<float>("float*", {1e-40f}, {0.0f}, 0));
    EXPECT_TRUE(compared<float>("float*", {nan}, {1}));
    EXPECT_TRUE(compared<float>("float*", {infinity}, {3e38f}));
}

TEST(Comparison, IntegersOfRoundedFloatsAreNearAndOthersDiffer) {
    const auto fixed = compared<std::int64_t>("long*", {1LL << 40}, {(1LL << 40) + 1000});
    ASSERT_TRUE(fixed);
    EXPECT_TRUE(fixed->near);
    EXPECT_TRUE(compared<std::uint8_t>("uchar*", {7}, {8})->near);
    EXPECT_FALSE(compared<std::uint8_t>("uchar*", {7}, {9})->near);
    EXPECT_FALSE(compared<std::int32_t>("int*", {100}, {102})->near);
    EXPECT_FALSE(compared<std::int64_t>("long*", {1LL << 40}, {0})->near);
    EXPECT_FALSE(compared<std::int32_t>("int*", {7}, {8}, 0)->near);
    // 2^63 and its neighbour are one double.
    EXPECT_TRUE(compared<std::uint64_t>("ulong*", {1ULL << 63}, {(1ULL << 63) + 1})->near);
    EXPECT_EQ(compared<std::uint64_t>("ulong*", {1ULL << 63}, {(1ULL << 63) + 1}, 0)->expected,
              "9223372036854775809");
    // The first real difference is named before one that is near.
    const auto both = compared<std::int32_t>("int*", {7, 7}, {8, 100});
    EXPECT_FALSE(both->near);
    EXPECT_EQ(both->first, 1u);
    EXPECT_EQ(both->differing, 2u);
}

TEST(Comparison, WordsOfAStructAgreeAsFloatsOrNotAtAll) {
    EXPECT_FALSE(compared<float>("Pair*", {1.0f, 2.5f}, {1.00001f, 2.5f}));
    EXPECT_TRUE(compared<float>("Pair*", {1.0f}, {1.1f}));
    const auto found = compared<std::uint32_t>("Pair*", {0, 5}, {0, 6});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->model, "0x00000005");
    EXPECT_EQ(found->first, 1u);
    // What is left behind the last word.
    const auto tail = compared<std::uint8_t>("Triple*", {1, 2, 3, 4, 5}, {1, 2, 3, 4, 6});
    ASSERT_TRUE(tail);
    EXPECT_EQ(tail->first, 4u);
    EXPECT_EQ(tail->type, "byte");
}

}  // namespace
}  // namespace gen9::checks
