// SPDX-License-Identifier: Apache-2.0
// Conversions of one channel against the second derivation of reference.h.
#include "formats/conversion.h"

#include <gtest/gtest.h>

#include "formats/elements.h"
#include "formats/srgb.h"
#include "tests/support/covers.h"
#include "tests/unit/formats/reference.h"

namespace gen9::formats {
namespace {

using test::decoded;
using test::encoded;
using test::power;
using test::Real;

struct Named {
    Kind kind;
    const char* name;
    std::vector<unsigned> widths;
};
const Named kKinds[] = {
    {Kind::Unorm, "UNORM", {1, 2, 4, 5, 6, 8, 10, 16, 24, 32}},
    {Kind::Snorm, "SNORM", {2, 5, 8, 10, 16, 32}},
    {Kind::Uint, "UINT", {2, 8, 10, 16, 32}},
    {Kind::Sint, "SINT", {2, 8, 10, 16, 32}},
    {Kind::Float, "FLOAT", {16, 32}},
    {Kind::Ufloat, "FLOAT", {10, 11}},
    {Kind::Srgb, "SRGB", {4, 5, 6, 8, 10}},
    {Kind::Uscaled, "USCALED", {2, 8, 10, 16, 32}},
    {Kind::Sscaled, "SSCALED", {2, 8, 10, 16, 32}},
    {Kind::Sfixed, "SFIXED", {32}},
};

template <class F>
void for_conversions(F&& f) {
    for (const Named& kind : kKinds)
        for (const unsigned width : kind.widths) {
            const Conversion* const conversion = find_conversion(kind.kind, width);
            ASSERT_NE(conversion, nullptr) << kind.name << width;
            f(*conversion, kind.name, width);
        }
}

std::uint32_t top_bits(unsigned width) {
    return width == 32 ? ~0u : (1u << width) - 1;
}

/// Codes worth a look: all of up to 16 bits, the ends and random ones of wider channels.
std::vector<std::uint32_t> codes(unsigned width, test::Random& random) {
    std::vector<std::uint32_t> codes;
    if (width <= 16) {
        for (std::uint32_t code = 0; code <= top_bits(width); ++code)
            codes.push_back(code);
        return codes;
    }
    for (const std::uint32_t at : {0u, 1u << (width - 1), top_bits(width)})
        for (std::uint32_t off = 0; off < 33; ++off)
            codes.push_back((at + off - 16) & top_bits(width));
    for (unsigned i = 0; i < 2000; ++i)
        codes.push_back(random() & top_bits(width));
    return codes;
}

TEST(Conversion, EveryCodeBecomesTheNearestNumber) {
    GEN9_COVERS("DP-068 DP-069");
    test::Random random(1);
    for_conversions([&](const Conversion& conversion, const char* kind, unsigned width) {
        for (const std::uint32_t code : codes(width, random))
            ASSERT_EQ(conversion.decode_one(code), decoded(kind, width, code))
                << kind << width << " " << std::hex << code;
    });
}

/// Numbers worth a look: specials, random ones of all and of usual size, and those around a code.
std::vector<std::uint32_t> numbers(const Conversion& conversion, test::Random& random) {
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t special :
         {0u,          1u,          0x007FFFFFu, 0x00800000u, 0x3F000000u, 0x3F800000u, 0x40000000u,
          0x477FE000u, 0x477FF000u, 0x47800000u, 0x38800000u, 0x387FFFFFu, 0x33800000u, 0x33000000u,
          0x7F7FFFFFu, 0x7F800000u, 0x7F800001u, 0x7F802000u, 0x7FC00000u, 0x7FFFFFFFu})
        for (const std::uint32_t sign : {0u, 0x80000000u})
            for (std::uint32_t off = 0; off < 3; ++off)
                numbers.push_back((special + off - 1) ^ sign);
    for (unsigned i = 0; i < 500; ++i) {
        numbers.push_back(random());
        numbers.push_back(std::bit_cast<std::uint32_t>(
            static_cast<float>(static_cast<std::int32_t>(random())) * 0x1.2p-31f));
    }
    const bool fixed = conversion.kind == Kind::Unorm || conversion.kind == Kind::Snorm;
    const unsigned bits = conversion.width - (conversion.kind == Kind::Snorm ? 1u : 0u);
    if (fixed && bits > 0 && bits <= 24) {
        // The floats beside the middle of two codes: all middles of narrow channels, some of others.
        const std::uint32_t top = top_bits(bits);
        for (std::uint32_t i = 0; i < std::min(top, 400u); ++i) {
            const std::uint32_t code = top <= 400 ? i : random() % top;
            const auto middle = static_cast<float>((Real(code) + 0.5L) / Real(top));
            for (std::uint32_t off = 0; off < 5; ++off)
                for (const std::uint32_t sign : {0u, 0x80000000u})
                    numbers.push_back((std::bit_cast<std::uint32_t>(middle) + off - 2) ^ sign);
        }
    }
    return numbers;
}

TEST(Conversion, EveryNumberBecomesTheNearestCode) {
    GEN9_COVERS("DP-066 DP-068 DP-069");
    test::Random random(2);
    for_conversions([&](const Conversion& conversion, const char* kind, unsigned width) {
        if (!conversion.encode_one || conversion.kind == Kind::Srgb) return;
        for (const std::uint32_t number : numbers(conversion, random))
            ASSERT_EQ(conversion.encode_one(number), encoded(kind, width, number))
                << kind << width << " " << std::hex << number;
    });
}

TEST(Conversion, SmallFloatsRoundToNearestEvenBetweenAllCodes) {
    GEN9_COVERS("DP-067");
    for (const auto& [kind, width] :
         {std::pair{Kind::Float, 16u}, {Kind::Ufloat, 11u}, {Kind::Ufloat, 10u}}) {
        const Conversion& conversion = *find_conversion(kind, width);
        const unsigned m = test::small_mantissa(width);
        const std::uint32_t infinity = 31u << m;
        for (std::uint32_t code = 0; code < infinity; ++code) {
            const auto at = static_cast<float>(test::small_float(code, m));
            ASSERT_EQ(conversion.encode_one(std::bit_cast<std::uint32_t>(at)), code);
            // The code after the largest is infinity, where numbers of its place would go on.
            const Real next = test::small_float(code + 1, m);
            const auto middle =
                std::bit_cast<std::uint32_t>(static_cast<float>((Real{at} + next) / 2));
            ASSERT_EQ(conversion.encode_one(middle - 1), code) << std::hex << code;
            ASSERT_EQ(conversion.encode_one(middle), code + (code & 1)) << std::hex << code;
            ASSERT_EQ(conversion.encode_one(middle + 1), code + 1) << std::hex << code;
        }
    }
}

TEST(Conversion, AFlatColourOfEightBitsComesBack) {
    for (const Kind kind : {Kind::Unorm, Kind::Srgb})
        for (std::uint32_t code = 0; code < 256; ++code) {
            const Conversion& conversion = *find_conversion(kind, 8);
            EXPECT_EQ(conversion.encode_one(conversion.decode_one(code)), code);
            if (kind == Kind::Unorm) {
                const float number = static_cast<float>(code) / 255.0f;
                EXPECT_EQ(conversion.decode_one(code), std::bit_cast<std::uint32_t>(number));
            }
        }
}

TEST(Conversion, TheSrgbCurveIsExact) {
    GEN9_COVERS("SMP-53");
    test::Random random(3);
    for (const unsigned width : {4u, 5u, 6u, 8u, 10u}) {
        const Conversion& conversion = *find_conversion(Kind::Srgb, width);
        const auto expect = [&](std::uint32_t number) {
            ASSERT_EQ(conversion.encode_one(number), encoded("SRGB", width, number))
                << width << " " << std::hex << number;
        };
        for (unsigned code = 0; code < (1u << width) - 1; ++code) {
            const auto begin = std::bit_cast<std::uint32_t>(
                static_cast<float>(test::inverse_curve((Real(code) + 0.5L) / test::top_of(width))));
            for (std::uint32_t off = 0; off < 5; ++off)
                expect(begin + off - 2);
        }
        for (unsigned i = 0; i < 1000; ++i)
            expect(std::bit_cast<std::uint32_t>(static_cast<float>(random()) * 0x1.1p-32f));
        for (const std::uint32_t special :
             {0u, 0x80000000u, 1u, 0xBF800000u, 0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x7F800000u,
              0xFF800000u, 0x7FC00000u, 0xFFC00000u})
            expect(special);
    }
}

TEST(Conversion, NaNsInfinitiesDenormalsAndZeros) {
    const auto encode = [](Kind kind, unsigned width, std::uint32_t number) {
        return find_conversion(kind, width)->encode_one(number);
    };
    const auto decode = [](Kind kind, unsigned width, std::uint32_t code) {
        return find_conversion(kind, width)->decode_one(code);
    };
    for (const std::uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0xFFFFFFFFu})
        for (const Kind kind : {Kind::Unorm, Kind::Snorm, Kind::Srgb})
            EXPECT_EQ(encode(kind, 8, nan), 0u);
    EXPECT_EQ(encode(Kind::Unorm, 16, 0x7F800000), 0xFFFFu);
    EXPECT_EQ(encode(Kind::Snorm, 16, 0xFF800000), 0x8001u);
    EXPECT_EQ(decode(Kind::Snorm, 16, 0x8000), 0xBF800000u);
    EXPECT_EQ(encode(Kind::Float, 16, 0x80000000), 0x8000u) << "-0";
    EXPECT_EQ(decode(Kind::Float, 16, 0x8000), 0x80000000u);
    EXPECT_EQ(decode(Kind::Float, 16, 0x8001), 0xB3800000u) << "a denormal half is a float";
    EXPECT_EQ(encode(Kind::Float, 16, 0xB3800000), 0x8001u);
    EXPECT_EQ(encode(Kind::Float, 16, 0x477FF000), 0x7C00u) << "65520";
    EXPECT_EQ(encode(Kind::Float, 16, 0x477FEFFF), 0x7BFFu);
    EXPECT_EQ(encode(Kind::Float, 32, 0x00000001), 1u) << "a denormal float";
    EXPECT_EQ(encode(Kind::Ufloat, 11, 0xFF800000), 0u) << "negative";
    EXPECT_EQ(encode(Kind::Ufloat, 10, 0xBF800000), 0u);
    EXPECT_EQ(encode(Kind::Ufloat, 11, 0xFFC00000) & 0x7E0, 0x7E0u) << "NaN";
}

TEST(Conversion, RowsAreTheirSinglesWhereverTheFieldLies) {
    test::Random random(4);
    for_conversions([&](const Conversion& conversion, const char* kind, unsigned width) {
        for (unsigned shift = 0; shift + width <= 32; ++shift) {
            std::array<std::uint32_t, kLanes> words{}, values{}, back{};
            for (std::uint32_t& word : words)
                word = random();
            for (const unsigned lanes : {8u, 16u}) {
                values.fill(0);
                (lanes == 8 ? conversion.decode_8 : conversion.decode)(words.data(), shift,
                                                                       values.data());
                for (unsigned n = 0; n < lanes; ++n)
                    ASSERT_EQ(values[n], conversion.decode_one(words[n] >> shift & top_bits(width)))
                        << kind << width;
                ASSERT_TRUE(lanes == 16 || values[8] == 0);
                if (!conversion.encode) continue;
                // A number of any size, one near 1, an integer: every kind meets its ends.
                for (unsigned n = 0; n < kLanes; ++n)
                    values[n] = n % 3 == 0   ? random()
                                : n % 3 == 1 ? 0x3F000000u + random() % 0x900000u
                                             : random() % 70000 - 35000;
                back.fill(0);
                (lanes == 8 ? conversion.encode_8 : conversion.encode)(values.data(), shift,
                                                                       back.data());
                for (unsigned n = 0; n < lanes; ++n)
                    ASSERT_EQ(back[n], conversion.encode_one(values[n]) << shift) << kind << width;
                ASSERT_TRUE(lanes == 16 || back[8] == 0);
            }
        }
    });
}

TEST(Conversion, DoublesAndSharedExponents) {
    std::array<std::uint32_t, 32> words{};
    std::array<std::uint32_t, 16> values{};
    const double doubles[] = {1.0,    -0.0,     0.1,        1e300,        -1e300,
                              1e-300, 0x1p-149, 0x1.8p-149, 0x1.000001p0, 0x1.000003p0};
    for (unsigned n = 0; n < std::size(doubles); ++n) {
        const auto bits = std::bit_cast<std::uint64_t>(doubles[n]);
        words[n] = static_cast<std::uint32_t>(bits);
        words[n + 16] = static_cast<std::uint32_t>(bits >> 32);
    }
    words[10] = 1, words[26] = 0x7FF00000;  // a signalling NaN
    find_conversion(Kind::Float, 64)->decode(words.data(), 0, values.data());
    const std::uint32_t expected[] = {0x3F800000, 0x80000000, 0x3DCCCCCD, 0x7F800000, 0xFF800000,
                                      0,          1,          2,          0x3F800000, 0x3F800002};
    for (unsigned n = 0; n < std::size(expected); ++n)
        EXPECT_EQ(values[n], expected[n]) << doubles[n];
    EXPECT_EQ(values[10] & 0x7FC00000, 0x7FC00000u);

    test::Random random(5);
    for (unsigned round = 0; round < 100; ++round) {
        for (std::uint32_t& word : words)
            word = random();
        for (const unsigned shift : {0u, 9u, 18u}) {
            find_conversion(Kind::Shared, 9)->decode(words.data(), shift, values.data());
            for (unsigned n = 0; n < 16; ++n)
                ASSERT_EQ(values[n], test::as_bits(Real(words[n] >> shift & 511) *
                                                   power(static_cast<int>(words[n] >> 27) - 24)));
        }
    }
}

}  // namespace
}  // namespace gen9::formats
