// SPDX-License-Identifier: Apache-2.0
// Coordinates, address modes and filters, held against the API's formulas (reference.h).
#include <gtest/gtest.h>

#include <random>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"
#include "tests/unit/sampler/reference.h"

namespace gen9::sampler {
namespace {
using namespace test;

constexpr unsigned kR32Float = 0x0D8, kRgba8 = 0x0C7;

/// An image of R32_FLOAT texels that differ, in the bench and in the reference.
struct Image : Bench {
    ReferenceImage reference;
    unsigned axes;
    Image(surface_state::Type type, int width, int height, int depth)
        : axes(type == surface_state::SURFTYPE_1D   ? 1
               : type == surface_state::SURFTYPE_3D ? 3
                                                    : 2) {
        const auto w = static_cast<unsigned>(width), h = static_cast<unsigned>(height);
        const auto d = static_cast<unsigned>(depth);
        const unsigned rows = (h + 3) / 4 * 4;
        shape(type, kR32Float, w, h, d, w * 4);
        set(surface_state::SurfaceQPitch, rows / 4);
        reference.size = {width, height, depth};
        reference.border = 17;
        reference.texel = [](int x, int y, int z) {
            return static_cast<float>((x * 37 + y * 61 + z * 101) % 64);
        };
        for (int z = 0; z < depth; ++z)
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    put(((static_cast<unsigned>(z) * rows + static_cast<unsigned>(y)) * w +
                         static_cast<unsigned>(x)) *
                            4,
                        static_cast<float>(reference.texel(x, y, z)));
        border({f(17), f(0), f(0), f(0)});
    }
    void rounding(bool on) {
        for (const auto* field : {&sampler_state::UAddressMinFilterRoundingEnable,
                                  &sampler_state::VAddressMinFilterRoundingEnable,
                                  &sampler_state::RAddressMinFilterRoundingEnable,
                                  &sampler_state::UAddressMagFilterRoundingEnable,
                                  &sampler_state::VAddressMagFilterRoundingEnable,
                                  &sampler_state::RAddressMagFilterRoundingEnable})
            set_sampler(*field, on);
    }
};

// Six tenths of a step of the filter beside a texel's centre: rounded, that is a step.
TEST(Filter, EachAxisIsRoundedByTheFieldOfItsFilter) {
    constexpr int kSize = 8;
    constexpr std::array kFields{&sampler_state::UAddressMinFilterRoundingEnable,
                                 &sampler_state::VAddressMinFilterRoundingEnable,
                                 &sampler_state::RAddressMinFilterRoundingEnable,
                                 &sampler_state::UAddressMagFilterRoundingEnable,
                                 &sampler_state::VAddressMagFilterRoundingEnable,
                                 &sampler_state::RAddressMagFilterRoundingEnable};
    Image image(surface_state::SURFTYPE_3D, kSize, kSize, kSize);
    image.modes(2, 2, 2);
    image.filters(1, 1);
    image.set_sampler(sampler_state::MipModeFilter, 0);
    const auto sampled = [&](unsigned axis, float lod) {
        std::vector<std::vector<std::uint32_t>> params{all(lod), all(2.5f / kSize),
                                                       all(2.5f / kSize), all(2.5f / kSize)};
        params[1 + axis] = all((2.5f + 0.6f / 256) / kSize);
        const Answer answer = image.send(kSampleL, params, {});
        EXPECT_EQ(answer.status, MessageStatus::Ok);
        return answer.bits[0][0];
    };
    for (const bool min : {true, false}) {
        const float lod = min ? 0.25f : -1.0f;
        for (unsigned axis = 0; axis < 3; ++axis) {
            image.rounding(false);
            const std::uint32_t plain = sampled(axis, lod);
            image.rounding(true);
            const std::uint32_t rounded = sampled(axis, lod);
            ASSERT_NE(plain, rounded) << axis;
            for (unsigned field = 0; field < kFields.size(); ++field) {
                image.rounding(false);
                image.set_sampler(*kFields[field], true);
                const bool its_own = field == axis + (min ? 0 : 3);
                EXPECT_EQ(sampled(axis, lod), its_own ? rounded : plain) << axis << field << min;
            }
        }
    }
}

void compare_modes(Image& image, bool linear, bool normalized, bool round, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-3, 4);
    const Addressing all_modes[] = {Addressing::Repeat, Addressing::Mirrored, Addressing::ToEdge,
                                    Addressing::Clamp};
    image.filters(linear, linear);
    image.rounding(round);
    image.set_sampler(sampler_state::NonnormalizedCoordinateEnable, !normalized);
    for (unsigned trial = 0; trial < 40; ++trial) {
        std::array<Addressing, 3> modes;
        for (Addressing& mode : modes)
            do
                mode = all_modes[random() % 4];
            while (!normalized && mode == Addressing::Mirrored);
        image.modes(static_cast<unsigned>(modes[0]), static_cast<unsigned>(modes[1]),
                    static_cast<unsigned>(modes[2]));
        std::vector<std::vector<std::uint32_t>> params(image.axes, std::vector<std::uint32_t>(16));
        std::array<std::array<double, 3>, 16> at{};
        for (unsigned n = 0; n < 16; ++n)
            for (unsigned a = 0; a < image.axes; ++a) {
                float value = place(random) *
                              (normalized ? 1.0f : static_cast<float>(image.reference.size[a]) / 3);
                if (n < 4) value = std::floor(value);  // texel edges
                at[n][a] = value;
                params[a][n] = f(value);
            }
        Bench::Options o;
        o.simd = 2;
        image.by_lines = trial & 1;
        const Answer answer = image.send(kSampleLz, params, o);
        ASSERT_EQ(answer.status, MessageStatus::Ok);
        bool mirrored = false;
        for (unsigned a = 0; a < image.axes; ++a)
            mirrored = mirrored || modes[a] == Addressing::Mirrored;
        for (unsigned n = 0; n < 16; ++n) {
            const double wanted = reference_sample(image.reference, modes, at[n], image.axes,
                                                   normalized, linear, round);
            // The machine cuts before it mirrors; else all is exact but the sum's last bits.
            const double tolerance = !linear ? 0 : mirrored ? 64.0 * 3 / 256 : 1e-4;
            ASSERT_NEAR(answer.number(0, n), wanted, tolerance)
                << "at " << at[n][0] << "," << at[n][1] << "," << at[n][2] << " modes "
                << static_cast<int>(modes[0]) << static_cast<int>(modes[1])
                << static_cast<int>(modes[2]);
        }
    }
}

TEST(Filter, NearestAndLinearAreTheApisFormulas) {
    GEN9_COVERS("SMP-05 SMP-30 SMP-31 SMP-36 SMP-37 SMP-39 SMP-40 SMP-46");
    const surface_state::Type types[] = {surface_state::SURFTYPE_1D, surface_state::SURFTYPE_2D,
                                         surface_state::SURFTYPE_3D};
    unsigned seed = 0;
    for (const auto type : types)
        for (const bool linear : {false, true})
            for (const bool normalized : {false, true})
                for (const bool round : {false, true}) {
                    // Nearest samples are never rounded by the driver: texel edges would move.
                    if (round && !linear) continue;
                    Image image(type, 7, type == surface_state::SURFTYPE_1D ? 1 : 5,
                                type == surface_state::SURFTYPE_3D ? 6 : 1);
                    compare_modes(image, linear, normalized, round, ++seed);
                    if (::testing::Test::HasFatalFailure()) return;
                }
}

TEST(Filter, WeightsHaveEightBitsCutOrRounded) {
    Image image(surface_state::SURFTYPE_1D, 2, 1, 1);
    image.put(0, 0.0f);
    image.put(4, 1.0f);
    image.filters(1, 1);
    const auto at = [&](float texels) {
        return image.send(kSampleLz, {all(texels / 2)}).number(0, 0);
    };
    EXPECT_EQ(at(0.5f), 0);
    EXPECT_EQ(at(1.0f), 0.5f);
    EXPECT_EQ(at(0.75f), 0.25f);
    EXPECT_EQ(at(0.5f + 3.0f / 1024), 0);
    image.rounding(true);
    EXPECT_EQ(at(0.5f + 1.0f / 1024), 0);
    EXPECT_EQ(at(0.5f + 3.0f / 1024), 1.0f / 256);
}

TEST(Filter, CoordinatesFarAwayAndNaN) {
    GEN9_COVERS("SMP-44");
    Image image(surface_state::SURFTYPE_1D, 4, 1, 1);
    for (unsigned x = 0; x < 4; ++x)
        image.put(4 * x, static_cast<float>(x));
    const auto at = [&](float u) { return image.send(kSampleLz, {all(u)}).number(0, 0); };
    image.modes(2, 2, 2);
    EXPECT_EQ(at(INFINITY), 3);
    EXPECT_EQ(at(-INFINITY), 0);
    EXPECT_EQ(at(1e30f), 3);
    EXPECT_EQ(at(-1e30f), 0);
    EXPECT_EQ(at(NAN), 0);
    image.modes(0, 0, 0);
    EXPECT_EQ(at(-0.25f), 3);
    EXPECT_EQ(at(-1e-30f), 3);
    EXPECT_EQ(at(2097152.25f), 1);
    EXPECT_EQ(at(1e30f), 0);
    EXPECT_EQ(at(NAN), 0);
    image.modes(1, 1, 1);
    EXPECT_EQ(at(1.25f), 2);
    EXPECT_EQ(at(-0.25f), 0 + 0);
    EXPECT_EQ(at(2097153.25f), 2);
    image.modes(4, 4, 4);
    EXPECT_EQ(at(1.0f), 17);
    EXPECT_EQ(at(-1e-30f), 17);
}

/// The texel that a coordinate falls into, in integers: a float is `mantissa` / 2^`shift`.
std::int64_t repeated_texel(float coordinate, int size, bool normalized, bool mirrored) {
    int exponent;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(coordinate, &exponent), 24));
    int shift = 24 - exponent;
    const int period = (normalized ? 1 : size) * (mirrored ? 2 : 1);
    for (; shift < 0; ++shift)  // whole numbers, of which only the rest matters
        mantissa = 2 * mantissa % period;
    const std::int64_t length = std::int64_t{period} << shift;
    const std::int64_t rest = (mantissa % length + length) % length;
    const std::int64_t texel = rest * (normalized ? size : 1) >> shift;
    return texel < size ? texel : 2 * size - 1 - texel;
}

TEST(Filter, RepeatedCoordinatesKeepTheirPlaceHoweverFarAwayTheyAre) {
    constexpr int kSize = 48;
    std::mt19937 random(38);
    Image image(surface_state::SURFTYPE_2D, kSize, 4, 1);
    for (const bool normalized : {true, false})
        for (const bool mirrored : {false, true}) {
            image.set_sampler(sampler_state::NonnormalizedCoordinateEnable, !normalized);
            image.modes(mirrored, mirrored, mirrored);
            const auto texel = [&](float u) {
                return image.send(kSampleLz, {all(u), all(0)}).number(0, 0);
            };
            for (unsigned n = 0; n < 2000; ++n) {
                // All exponents from texels to the largest, both signs.
                const std::uint32_t bits = (random() & 0x807FFFFF) | (120 + random() % 135) << 23;
                const auto u = std::bit_cast<float>(bits);
                const auto x = static_cast<int>(repeated_texel(u, kSize, normalized, mirrored));
                EXPECT_EQ(texel(u), image.reference.texel(x, 0, 0))
                    << u << (normalized ? " normalized" : "") << (mirrored ? " mirrored" : "");
            }
            // Infinity less its floor is no number, and that is 0.
            for (const float u : {INFINITY, -INFINITY, NAN})
                EXPECT_EQ(texel(u), image.reference.texel(0, 0, 0));
        }
}

TEST(Filter, MirrorOnceTakesTheMagnitude) {
    GEN9_COVERS("SMP-38");
    Image image(surface_state::SURFTYPE_1D, 4, 1, 1);
    for (unsigned x = 0; x < 4; ++x)
        image.put(4 * x, static_cast<float>(x));
    image.modes(5, 5, 5);
    const auto at = [&](float u) { return image.send(kSampleLz, {all(u)}).number(0, 0); };
    EXPECT_EQ(at(-0.3f), 1);
    EXPECT_EQ(at(-0.8f), 3);
    EXPECT_EQ(at(-1.3f), 3);
    EXPECT_EQ(at(1.3f), 3);
    EXPECT_EQ(at(0.3f), 1);
}

TEST(Filter, MirrorOnceTakesTheMagnitudeWithTheOffset) {
    GEN9_COVERS("SMP-47");
    Image image(surface_state::SURFTYPE_1D, 4, 1, 1);
    for (unsigned x = 0; x < 4; ++x)
        image.put(4 * x, static_cast<float>(x));
    image.modes(5, 5, 5);
    const auto at = [&](float u, unsigned offset) {
        Bench::Options o;
        o.header2 = offset << 8;
        return image.send(kSampleLz, {all(u)}, o).number(0, 0);
    };
    EXPECT_EQ(at(-0.3f, 1), 0);  // -1.2 + 1
    EXPECT_EQ(at(-0.6f, 1), 1);  // -2.4 + 1
    EXPECT_EQ(at(0.3f, 14), 0);  // 1.2 - 2
    EXPECT_EQ(at(0.1f, 12), 3);  // 0.4 - 4
}

TEST(Filter, HalfBorderIsTheMeanOfEdgeAndBorder) {
    GEN9_COVERS("SMP-41");
    Image image(surface_state::SURFTYPE_1D, 2, 1, 1);
    image.put(0, 4.0f);
    image.put(4, 8.0f);
    image.border({f(16), 0, 0, 0});
    image.modes(6, 6, 6);
    image.filters(1, 1);
    EXPECT_EQ(image.send(kSampleLz, {all(-0.5f)}).number(0, 0), 10);
    EXPECT_EQ(image.send(kSampleLz, {all(1.5f)}).number(0, 0), 12);
    EXPECT_EQ(image.send(kSampleLz, {all(0.0f)}).number(0, 0), 7);  // 4 and 10
    image.filters(0, 0);
    EXPECT_EQ(image.send(kSampleLz, {all(-0.1f)}).number(0, 0), 4) << "NEAREST reads the edge";
    EXPECT_EQ(image.send(kSampleLz, {all(1.1f)}).number(0, 0), 8);
}

TEST(Filter, HalfBorderHalvesAlongEachAxis) {
    GEN9_COVERS("SMP-41");
    Image image(surface_state::SURFTYPE_2D, 1, 1, 1);
    image.put(0, 4.0f);
    image.border({f(16), 0, 0, 0});
    image.modes(6, 6, 6);
    image.filters(1, 1);
    EXPECT_EQ(image.send(kSampleLz, {all(-1.5f), all(0.5f)}).number(0, 0), 10);
    EXPECT_EQ(image.send(kSampleLz, {all(-1.5f), all(2.5f)}).number(0, 0), 13);
    image.modes(6, 4, 6);
    EXPECT_EQ(image.send(kSampleLz, {all(-1.5f), all(2.5f)}).number(0, 0), 16);
}

TEST(Filter, UnusedTapsDoNotMatter) {
    Image image(surface_state::SURFTYPE_2D, 2, 2, 1);
    for (unsigned i = 0; i < 4; ++i)
        image.put(4 * i, i ? std::nanf("") : 3.0f);
    image.filters(1, 1);
    EXPECT_EQ(image.send(kSampleLz, {all(0.25f), all(0.25f)}).number(0, 0), 3.0f);
}

TEST(Filter, IntegerFormatsAreNotFiltered) {
    GEN9_COVERS("SMP-203");
    Image image(surface_state::SURFTYPE_1D, 2, 1, 1);
    image.set(surface_state::SurfaceFormat, 0x0D7);
    image.put<std::uint32_t>(0, 0xFFFFFFFE);
    image.put<std::uint32_t>(4, 5);
    image.filters(1, 1);
    EXPECT_EQ(image.send(kSampleLz, {all(0.49f)}).integers(),
              (std::array<std::uint32_t, 4>{0xFFFFFFFE, 0, 0, 1}));
}

TEST(Filter, BorderColoursHaveTheFormatsChannelsAndRange) {
    GEN9_COVERS("SMP-208 SMP-209");
    Image image(surface_state::SURFTYPE_1D, 2, 1, 1);
    image.modes(4, 4, 4);
    const auto outside = [&](unsigned format) {
        image.set(surface_state::SurfaceFormat, format);
        return image.send(kSampleLz, {all(-1.0f)}).color();
    };
    image.border({f(2), f(-3), f(0.5f), f(0.25f)});
    EXPECT_EQ(outside(kR32Float), (std::array<float, 4>{2, 0, 0, 1}));
    EXPECT_EQ(outside(kRgba8), (std::array<float, 4>{1, 0, 0.5f, 0.25f}));
    EXPECT_EQ(outside(0x0C9), (std::array<float, 4>{1, -1, 0.5f, 0.25f}));
    EXPECT_EQ(outside(0x084), (std::array<float, 4>{2, -3, 0.5f, 0.25f}));
    EXPECT_EQ(outside(0x144), (std::array<float, 4>{0, 0, 0, 0.25f}));  // A8
    image.set_sampler(sampler_state::TextureBorderColorMode, 1);
    image.border({0x80FF0033, 0, 0, 0});
    EXPECT_EQ(outside(kRgba8), (std::array<float, 4>{0x33 / 255.0f, 0, 1, 128 / 255.0f}));
    image.set_sampler(sampler_state::TextureBorderColorMode, 0);
    image.border({7, 0xFFFFFFFF, 3, 2});
    image.set(surface_state::SurfaceFormat, 0x0CB);
    EXPECT_EQ(image.send(kSampleLz, {all(-1.0f)}).integers(),
              (std::array<std::uint32_t, 4>{7, 0xFFFFFFFF, 3, 2}));
}

TEST(Filter, ChannelSelects) {
    GEN9_COVERS("SMP-207");
    Image image(surface_state::SURFTYPE_1D, 1, 1, 1);
    image.set(surface_state::SurfaceFormat, kRgba8);
    image.put<std::uint32_t>(0, 0xFF330000);
    const auto select = [&](unsigned r, unsigned g, unsigned b, unsigned a) {
        image.set(surface_state::ShaderChannelSelectRed, r);
        image.set(surface_state::ShaderChannelSelectGreen, g);
        image.set(surface_state::ShaderChannelSelectBlue, b);
        image.set(surface_state::ShaderChannelSelectAlpha, a);
    };
    select(6, 7, 0, 1);
    EXPECT_EQ(image.send(kSampleLz, {all(0)}).color(), (std::array<float, 4>{0.2f, 1, 0, 1}));
    select(4, 2, 3, 5);
    EXPECT_EQ(image.send(kSampleLz, {all(0)}).color(), (std::array<float, 4>{0, 0, 0, 0}));
    image.set(surface_state::SurfaceFormat, 0x0CB);
    select(6, 1, 0, 7);
    EXPECT_EQ(image.send(kSampleLz, {all(0)}).integers(),
              (std::array<std::uint32_t, 4>{0x33, 1, 0, 0xFF}));
}

TEST(Filter, ArrayIndicesAreRoundedToEvenAndClamped) {
    GEN9_COVERS("SMP-48");
    Image image(surface_state::SURFTYPE_2D, 1, 1, 1);
    image.shape(surface_state::SURFTYPE_2D, kR32Float, 1, 1, 5, 4);
    image.set(surface_state::SurfaceArray, 1);
    image.set(surface_state::SurfaceQPitch, 1);
    image.set(surface_state::MinimumArrayElement, 2);
    for (unsigned z = 0; z < 8; ++z)
        image.put(z * 16, static_cast<float>(z));
    const auto at = [&](float layer) {
        return image.send(kSampleLz, {all(0), all(0), all(layer)}).number(0, 0) - 2;
    };
    const std::pair<float, float> rows[] = {{0, 0},    {0.5f, 0}, {0.51f, 1}, {1.5f, 2}, {2.5f, 2},
                                            {3.4f, 3}, {4.6f, 4}, {9, 4},     {-3, 0},   {NAN, 0}};
    for (const auto& [layer, wanted] : rows)
        EXPECT_EQ(at(layer), wanted) << layer;
    // A one-dimensional array: the index is v, slices are counted in texels.
    image.shape(surface_state::SURFTYPE_1D, kR32Float, 4, 1, 5, 16);
    EXPECT_EQ(image.send(kSampleLz, {all(0), all(3)}).number(0, 0), 5);
}

TEST(Filter, OffsetsAreAddedInTexelsBeforeTheAddressMode) {
    GEN9_COVERS("SMP-47 SMP-112");
    Image image(surface_state::SURFTYPE_2D, 8, 8, 1);
    Bench::Options o;
    o.header2 = 0xE << 8 | 3 << 4;  // u -2, v 3
    const auto texel = [&](int x, int y) {
        return static_cast<float>(image.reference.texel(x, y, 0));
    };
    EXPECT_EQ(image.send(kSampleLz, {all(0.5f), all(0.1f)}, o).number(0, 0), texel(2, 3));
    EXPECT_EQ(image.send(kSampleLz, {all(0.1f), all(0.1f)}, o).number(0, 0), texel(0, 3));
    EXPECT_EQ(image.send(kLdLz, {all_of(5), all_of(1)}, o).number(0, 0), texel(3, 4));
    image.modes(0, 0, 0);
    EXPECT_EQ(image.send(kSampleLz, {all(0.1f), all(0.1f)}, o).number(0, 0), texel(6, 3));
}

TEST(Filter, GatherReturnsTheFourTexelsOfAChannel) {
    GEN9_COVERS("SMP-159");
    Image image(surface_state::SURFTYPE_2D, 2, 2, 1);
    for (unsigned i = 0; i < 4; ++i)
        image.put(4 * i, static_cast<float>(i + 1));
    EXPECT_EQ(image.send(kGather4, {all(0.5f), all(0.5f)}).color(),
              (std::array<float, 4>{3, 4, 2, 1}));
    image.set(surface_state::SurfaceFormat, kRgba8);
    for (unsigned i = 0; i < 4; ++i)
        image.put<std::uint32_t>(4 * i, (i + 1) * 51 << 8);
    Bench::Options o;
    o.header2 = 1 << 16;
    const auto color = image.send(kGather4, {all(0.5f), all(0.5f)}, o).color();
    EXPECT_EQ(color, (std::array<float, 4>{0.6f, 0.8f, 0.4f, 0.2f}));
    image.shape(surface_state::SURFTYPE_3D, kR32Float, 2, 2, 2, 8);
    image.send(kGather4, {all(0.5f), all(0.5f)});
    EXPECT_EQ(image.message.status, MessageStatus::GuestError);
}

TEST(Filter, GatherWithOffsetsOfEachSample) {
    Image image(surface_state::SURFTYPE_2D, 64, 64, 1);
    std::vector<std::uint32_t> x(16), y(16);
    for (unsigned n = 0; n < 16; ++n) {
        x[n] = n * 3 - 20;  // six bits with a sign; those above do not count
        y[n] = (31 - n) | 0xFFC0;
    }
    Bench::Options o;
    o.simd = 1;
    o.header2 = 0x777;  // the header's offsets do not count
    const Answer answer = image.send(kGather4Po, {all(0.5f), all(0.5f), x, y}, o);
    for (int n = 0; n < 8; ++n)
        EXPECT_EQ(answer.number(3, static_cast<unsigned>(n)),
                  static_cast<float>(image.reference.texel(31 + n * 3 - 20, 31 + 31 - n, 0)))
            << n;
}

TEST(Filter, ComparisonGivesZeroWhereItHolds) {
    GEN9_COVERS("SMP-51 SMP-52 SMP-147");
    Image image(surface_state::SURFTYPE_2D, 1, 1, 1);
    const float texels[] = {0.25f, 0.5f, 0.75f};
    for (unsigned function = 0; function < 8; ++function)
        for (const float texel : texels) {
            image.put(0, texel);
            image.set_sampler(sampler_state::ShadowFunction, function);
            const bool holds[] = {true, false,
                                  texel<0.5f, texel == 0.5f, texel <= 0.5f, texel> 0.5f,
                                  texel != 0.5f, texel >= 0.5f};
            const float wanted = holds[function] ? 0.0f : 1.0f;
            EXPECT_EQ(image.send(kSampleCLz, {all(0.5f), all(0), all(0)}).color(),
                      (std::array<float, 4>{wanted, 0, 0, 1}));
            EXPECT_EQ(image.send(kGather4C, {all(0.5f), all(0), all(0)}).number(0, 0), wanted);
        }
    // Texels are compared before they are filtered.
    Image two(surface_state::SURFTYPE_1D, 2, 1, 1);
    two.put(0, 0.0f);
    two.put(4, 1.0f);
    two.filters(1, 1);
    two.set_sampler(sampler_state::ShadowFunction, 2);
    EXPECT_EQ(two.send(kSampleCLz, {all(0.9f), all(0.375f)}).number(0, 0), 0.25f);
    two.set(surface_state::SurfaceFormat, 0x0E5);  // A32_FLOAT: alpha is compared
    EXPECT_EQ(two.send(kSampleCLz, {all(0.9f), all(0.375f)}).color(),
              (std::array<float, 4>{0, 0, 0, 0.25f}));
}

TEST(Filter, MinimumAndMaximumAreOfTheTapsThatCount) {
    Image image(surface_state::SURFTYPE_2D, 2, 2, 1);
    const float texels[] = {3, 1, 4, -2};
    for (unsigned i = 0; i < 4; ++i)
        image.put(4 * i, texels[i]);
    image.filters(1, 1);
    EXPECT_EQ(image.send(kSampleMin, {all(0.5f), all(0.5f)}).number(0, 0), -2);
    EXPECT_EQ(image.send(kSampleMax, {all(0.5f), all(0.5f)}).number(0, 0), 4);
    EXPECT_EQ(image.send(kSampleMin, {all(0.5f), all(0.25f)}).number(0, 0), 1);
    image.set_sampler(sampler_state::ReductionTypeEnable, 1);
    image.set_sampler(sampler_state::ReductionType, 2);
    EXPECT_EQ(image.send(kSampleLz, {all(0.5f), all(0.5f)}).number(0, 0), -2);
    image.set_sampler(sampler_state::ReductionType, 3);
    EXPECT_EQ(image.send(kSampleLz, {all(0.5f), all(0.5f)}).number(0, 0), 4);
    image.set_sampler(sampler_state::ReductionTypeEnable, 0);
    EXPECT_EQ(image.send(kSampleLz, {all(0.5f), all(0.5f)}).number(0, 0), 1.5f);
}

TEST(Filter, AlternativeFloatModeHasNoInfinity) {
    GEN9_COVERS("SMP-58");
    Image image(surface_state::SURFTYPE_1D, 1, 1, 1);
    image.put(0, -INFINITY);
    image.write_states();
    image.build(kSampleLz, {all(0)}, {});
    image.message.alternate_float = true;
    EXPECT_EQ(image.run({}).bits[0][0], 0xFF7FFFFFu);
    EXPECT_EQ(image.send(kSampleLz, {all(0)}).bits[0][0], 0xFF800000u);
}

TEST(Filter, TexelsMayCrossLines) {
    Image image(surface_state::SURFTYPE_1D, 16, 1, 1);
    image.set(surface_state::SurfaceFormat, 0x040);  // R32G32B32_FLOAT, texel 5 in two lines
    for (unsigned i = 0; i < 48; ++i)
        image.put(4 * i, static_cast<float>(i));
    for (const bool by_lines : {false, true})
        for (const bool grant : {false, true}) {
            image.by_lines = by_lines;
            image.memory.grant = grant;
            image.core.invalidate_pages();
            EXPECT_EQ(image.send(kLdLz, {all_of(5)}).color(),
                      (std::array<float, 4>{15, 16, 17, 1}));
        }
}

}  // namespace
}  // namespace gen9::sampler
