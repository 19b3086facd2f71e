// SPDX-License-Identifier: Apache-2.0
// Which sample messages are legal for which surfaces, and what each of their parameters does.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sampler/rules.h"

namespace gen9::sampler {
namespace {
using namespace rules;

TEST(Rules, SampleIsForImagesOfOneSample) {
    GEN9_COVERS("SMP-141 SMP-142 SMP-158");
    for (const unsigned code : {unsigned{kSample}, unsigned{kSampleB}}) {
        Levels b;
        const bool biased = code == kSampleB;
        EXPECT_EQ(legal_types(b, code, 4), kImages) << code;
        EXPECT_NE(b.status(code, zeros(2), pair()), kOk) << "no SIMD4x2";
        // The parameters: u, v, r, ai, mlod, behind the bias.
        auto params = zeros(5);
        params[0] = texels_from(5.5f, false);
        params[1] = texels_from(3.5f, true);
        params[4] = all(2);
        if (biased) params.insert(params.begin(), all(1));
        EXPECT_EQ(b.red(code, params), Levels::texel(2, 1, 0)) << "mlod";
        params.pop_back();
        EXPECT_EQ(b.red(code, params), biased ? 100 + 2 + 1 / 16.0f : 5 + 3 / 16.0f);
        b.set(surface_state::NumberOfMultisamples, 2);
        EXPECT_EQ(b.status(code, zeros(2)), kRefused);
        b.set(surface_state::NumberOfMultisamples, 0);
        b.set(surface_state::SurfaceFormat, 0x18E);  // MONO8
        EXPECT_NE(b.status(code, zeros(2)), kOk);
    }
}

TEST(Rules, TheBiasOfAMessageReachesFromMinusToPlusSixteen) {
    GEN9_COVERS("SMP-23");
    Levels b;
    b.filters(0, 0, 1);
    const auto level = [&](float bias, int state_bias) {
        b.set_sampler(sampler_state::TextureLODBias,
                      static_cast<unsigned>(state_bias * 256) & 0x1FFF);
        return std::floor(
            b.red(kSampleB, {all(bias), texels_from(0, false), texels_from(0, true)}) / 100);
    };
    EXPECT_EQ(level(2, 0), 2);
    EXPECT_EQ(level(15, -14), 1);
    EXPECT_EQ(level(1000, -14), 2) << "16 less the least step";
    EXPECT_EQ(level(-1000, 15), 0);
    EXPECT_EQ(level(-16, 15.0), 0);
    EXPECT_EQ(level(-14, 15), 1);
    // The end is open above and not below: a level shows 256 steps of the bias between its texels'
    // 100 and the next one's.
    b.filters(0, 0, 3);
    const auto sum = [&](float bias, int state_bias) {
        b.set_sampler(sampler_state::TextureLODBias,
                      static_cast<unsigned>(state_bias * 256) & 0x1FFF);
        return b.red(kSampleB, {all(bias), texels_from(0, false), texels_from(0, true)});
    };
    const std::uint64_t before = b.stats.clamped_biases.value();
    EXPECT_EQ(sum(16 - 1 / 256.0f, -14), 100 + 100 * 255 / 256.0f);
    EXPECT_EQ(sum(-16, 15), 0);
    EXPECT_EQ(b.stats.clamped_biases.value(), before) << "in range";
    EXPECT_EQ(sum(16, -14), 100 + 100 * 255 / 256.0f);
    EXPECT_EQ(sum(-16 - 1 / 256.0f, 15), 0);
    EXPECT_EQ(b.stats.clamped_biases.value(), before + 16) << "eight samples each";
}

TEST(Rules, MaximumLodAndMipCountEndTheLevels) {
    GEN9_COVERS("SMP-22");
    Levels b;
    const auto level = [&] { return b.red(kSampleL, {all(9), kZero, kZero}); };
    EXPECT_EQ(level(), 300);
    b.set_sampler(sampler_state::MaxLOD, 2 * 256);
    EXPECT_EQ(level(), 200);
    b.set_sampler(sampler_state::MaxLOD, 14 * 256);
    b.set(surface_state::MIPCountLOD, 1);
    EXPECT_EQ(level(), 100);
}

TEST(Rules, ComparisonsAreForImagesAndFormatsThatAreMeantForIt) {
    GEN9_COVERS("SMP-144");
    for (const unsigned code : {unsigned{kSampleC}, unsigned{kSampleCLz}}) {
        Levels b;
        EXPECT_EQ(legal_types(b, code, 5), kShadows);
        EXPECT_NE(b.status(code, zeros(3), pair()), kOk);
        unsigned formats = 0;
        for (unsigned format = 0; format < 512; ++format) {
            b.set(surface_state::SurfaceFormat, format);
            formats += b.status(code, zeros(3)) == kOk;
        }
        EXPECT_EQ(formats, 16u);  // sampler guide 3.6: depth-like ones of one channel
        b.set(surface_state::SurfaceFormat, kRgba8);
        EXPECT_EQ(b.status(code, zeros(3)), kRefused);
    }
    // Depth formats may be filtered: half of two compared texels. The reference is first.
    Levels b;
    b.filters(1, 1);
    b.set_sampler(sampler_state::ShadowFunction, 2);
    EXPECT_EQ(b.red(kSampleC, {all(1.5f), all(2.0f / 16), all(0.5f / 16)}), 0.5f);
    b.set(surface_state::NumberOfMultisamples, 2);
    EXPECT_EQ(b.status(kSampleC, zeros(3)), kRefused);
}

TEST(Rules, ComparisonsWithBiasLevelAndGradients) {
    GEN9_COVERS("SMP-146");
    Levels b;
    b.set_sampler(sampler_state::ShadowFunction, 2);  // 0 where the texel is less
    const auto gives = [&](unsigned code, std::vector<std::vector<std::uint32_t>> params,
                           const Bench::Options& o = {}) {
        // Level 1 has 100 and more, level 0 less than 50: the reference tells them apart.
        return b.red(code, std::move(params), o);
    };
    const auto ref = all(50), uv = all(0.5f / 16), step = all(2.0f / 16);
    const auto u = texels_from(0.5f, false), v = texels_from(0.5f, true);
    EXPECT_EQ(gives(kSampleBC, {ref, kZero, u, v}), 0);
    EXPECT_EQ(gives(kSampleBC, {ref, all(1), u, v}), 1);
    EXPECT_EQ(gives(kSampleLC, {ref, kZero, uv, uv}), 0);
    EXPECT_EQ(gives(kSampleLC, {ref, all(1), uv, uv}), 1);
    EXPECT_EQ(gives(kSampleDC, {ref, uv, kZero, kZero, uv, kZero, kZero}), 0);
    EXPECT_EQ(gives(kSampleDC, {ref, uv, step, kZero, uv, kZero, kZero}), 1);
    EXPECT_EQ(gives(kSampleDC, {ref, uv, kZero, kZero, uv, kZero, step}), 1);
    // SIMD4x2 has the coordinates first.
    EXPECT_EQ(gives(kSampleLC, {uv, uv, kZero, kZero, ref, kZero}, pair()), 0);
    EXPECT_EQ(gives(kSampleLC, {uv, uv, kZero, kZero, ref, all(1)}, pair()), 1);
    auto gradients = zeros(11);
    gradients[0] = gradients[1] = uv;
    gradients[10] = ref;
    EXPECT_EQ(gives(kSampleDC, gradients, pair()), 0);
    gradients[4] = step;
    EXPECT_EQ(gives(kSampleDC, gradients, pair()), 1);
    EXPECT_NE(b.status(kSampleBC, zeros(4), pair()), kOk);
    for (const unsigned code : {kSampleBC, unsigned{kSampleLC}, kSampleDC})
        EXPECT_EQ(legal_types(b, code, 4), kShadows);
    b.set(surface_state::SurfaceFormat, kRgba8);
    for (const unsigned code : {kSampleBC, unsigned{kSampleLC}, kSampleDC})
        EXPECT_EQ(b.status(code, zeros(4)), kRefused);
}

TEST(Rules, GradientsAndTheLeastLevelOfSampleD) {
    GEN9_COVERS("SMP-145 FF-17");
    Levels b;
    EXPECT_EQ(legal_types(b, kSampleD, 4), kImages);
    const auto at = all(0.5f / 16), two = all(2.0f / 16);
    std::vector<std::vector<std::uint32_t>> params(11, kZero);
    params[0] = params[3] = at;
    Bench::Options o;
    o.header = false;  // eleven parameters fill the message
    o.response = 4;
    b.sender.sampler_state_offset = Bench::kSampler;
    EXPECT_EQ(b.red(kSampleD, params, o), 0);
    for (const unsigned gradient : {1u, 2u, 4u, 5u}) {
        auto one = params;
        one[gradient] = two;
        EXPECT_EQ(b.red(kSampleD, one, o), 100) << gradient;
    }
    for (const unsigned unused : {6u, 7u, 8u, 9u}) {
        auto one = params;
        one[unused] = two;
        EXPECT_EQ(b.red(kSampleD, one, o), 0) << unused;
        // Registers that nobody has written.
        for (const float left : {std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::infinity(), -1e38f}) {
            one[1] = two;
            one[unused] = all(left);
            EXPECT_EQ(b.red(kSampleD, one, o), 100) << unused << ": " << left;
        }
    }
    params[10] = all(3);
    EXPECT_EQ(b.red(kSampleD, params, o), 300);
    Bench::Options sixteen;
    sixteen.simd = 2;
    EXPECT_EQ(b.status(kSampleD, zeros(2), sixteen), kRefused);

    // A cube: places in the face from -1 to 1, and the face's number.
    Levels cube;
    cube.shape(surface_state::SURFTYPE_CUBE, kR32Float, 4, 4, 1, 64);
    cube.set(surface_state::MIPCountLOD, 0);
    cube.set(surface_state::SurfaceQPitch, 1);
    for (unsigned face = 0; face < 6; ++face)
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 4; ++x)
                cube.put(face * 4 * 64 + y * 64 + x * 4,
                         static_cast<float>(100 * face + 10 * y + x));
    for (unsigned face = 0; face < 6; ++face)
        EXPECT_EQ(cube.red(kSampleD, {all(0.75f), kZero, kZero, all(-0.25f), kZero, kZero,
                                      all(static_cast<float>(face)), all(9), all(9)}),
                  static_cast<float>(100 * face + 10 + 3));
}

TEST(Rules, KillPixIsSimd8AndReturnsAMask) {
    GEN9_COVERS("SMP-148");
    Levels b;
    Bench::Options o;
    o.mask = 0x35;
    EXPECT_EQ(b.red(kKillPix, {all(3.5f / 16), all(2.5f / 16)}, o), Levels::texel(0, 3, 2));
    EXPECT_EQ(b.message.response_length, 5);
    EXPECT_EQ(load<std::uint32_t>(b.message.response[4].bytes), 0xFFFFFF35u);
    o.header2 = 0xE << 12;  // behind the channels that there are
    EXPECT_EQ(b.red(kKillPix, {all(3.5f / 16), all(2.5f / 16)}, o), Levels::texel(0, 3, 2));
    EXPECT_EQ(load<std::uint32_t>(b.message.response[1].bytes), 0xFFFFFF35u);
    o.simd = 2;
    EXPECT_EQ(b.status(kKillPix, zeros(2), o), kRefused);
    EXPECT_EQ(b.status(kKillPix, zeros(2), pair()), kRefused);
    EXPECT_EQ(legal_types(b, kKillPix, 3), kImages);
}

TEST(Rules, MinimumAndMaximumAreOfEachChannelOfA2DSurface) {
    GEN9_COVERS("SMP-149");
    Levels b;
    b.set(surface_state::MIPCountLOD, 0);
    b.filters(1, 1);
    b.set(surface_state::SurfaceFormat, kRgba8);
    b.put<std::uint32_t>(0, 0xFF003366);
    b.put<std::uint32_t>(4, 0x00996600);
    const auto color = [&](unsigned code) {
        return b.send(code, {all(1.0f / 16), all(0.5f / 16)}).color();
    };
    EXPECT_EQ(color(kSampleMin), (std::array<float, 4>{0, 0.2f, 0, 0}));
    EXPECT_EQ(color(kSampleMax), (std::array<float, 4>{0.4f, 0.4f, 0.6f, 1}));
    for (const unsigned code : {unsigned{kSampleMin}, unsigned{kSampleMax}}) {
        EXPECT_EQ(legal_types(b, code, 2), kFlat);
        b.set(surface_state::SurfaceArray, 1);
        EXPECT_EQ(b.status(code, zeros(2)), kRefused);
        b.set(surface_state::SurfaceArray, 0);
        b.set(surface_state::NumberOfMultisamples, 2);
        EXPECT_EQ(b.status(code, zeros(2)), kRefused);
        b.set(surface_state::NumberOfMultisamples, 0);
        b.set(surface_state::SurfaceFormat, 0x18E);  // MONO8
        EXPECT_NE(b.status(code, zeros(2)), kOk);
        b.set(surface_state::SurfaceFormat, kRgba8);
    }
}

TEST(Rules, TheReductionTypeDecidesIfItIsEnabled) {
    GEN9_COVERS("SMP-54");
    Levels b;
    b.set(surface_state::MIPCountLOD, 0);
    b.filters(1, 1);
    b.set_sampler(sampler_state::ShadowFunction, 2);  // 0 where the texel is less
    const auto at = all(2.5f / 16), row = all(0.5f / 16);
    const auto middle = all(2.0f / 16);  // texels 1 and 2
    const auto reduce = [&](unsigned type) {
        b.set_sampler(sampler_state::ReductionTypeEnable, 1);
        b.set_sampler(sampler_state::ReductionType, type);
    };
    EXPECT_EQ(b.red(kSampleCLz, {all(1.5f), middle, row}), 0.5f);
    EXPECT_EQ(b.red(kSampleLz, {middle, row}), 1.5f);
    reduce(0);
    EXPECT_EQ(b.red(kSampleCLz, {all(1.5f), middle, row}), 1.5f) << "not compared";
    reduce(1);
    EXPECT_EQ(b.red(kSampleCLz, {all(1.5f), middle, row}), 0.5f);
    EXPECT_EQ(b.red(kSampleLz, {middle, row}), 1) << "compared with 0: no texel is less";
    reduce(2);
    EXPECT_EQ(b.red(kSampleCLz, {all(1.5f), middle, row}), 1);
    EXPECT_EQ(b.red(kSampleLz, {middle, row}), 1);
    reduce(3);
    EXPECT_EQ(b.red(kSampleLz, {middle, row}), 2);
    EXPECT_EQ(b.red(kSampleLz, {at, row}), 2) << "a texel of weight 0 does not count";
    // The restrictions follow: 3D surfaces and any format, but for comparisons.
    b.set(surface_state::SurfaceFormat, kRgba8);
    EXPECT_EQ(b.status(kSampleCLz, zeros(3)), kOk);
    reduce(1);
    EXPECT_EQ(b.status(kSampleLz, zeros(3)), kRefused);
}

TEST(Rules, EachAxisHasItsAddressMode) {
    GEN9_COVERS("SMP-35");
    constexpr unsigned kWrap = 0, kMirror = 1, kClamp = 2, kBorder = 4, kMirrorOnce = 5, kHalf = 6;
    const std::pair<unsigned, float> beyond[] = {{kWrap, 1},    {kMirror, 2},     {kClamp, 3},
                                                 {kBorder, 50}, {kMirrorOnce, 3}, {kHalf, 3}};
    const std::pair<unsigned, float> before[] = {{kWrap, 2},    {kMirror, 1},     {kClamp, 0},
                                                 {kBorder, 50}, {kMirrorOnce, 1}, {kHalf, 0}};
    for (unsigned axis = 0; axis < 3; ++axis) {
        Levels b;
        b.shape(surface_state::SURFTYPE_3D, kR32Float, 4, 4, 4, 16);
        b.set(surface_state::MIPCountLOD, 0);
        b.set(surface_state::SurfaceQPitch, 1);
        for (unsigned z = 0; z < 4; ++z)
            for (unsigned y = 0; y < 4; ++y)
                for (unsigned x = 0; x < 4; ++x)
                    b.put((z * 4 + y) * 16 + x * 4, static_cast<float>(axis == 0   ? x
                                                                       : axis == 1 ? y
                                                                                   : z));
        b.border({f(50), 0, 0, 0});
        const auto at = [&](unsigned mode, float place) {
            b.modes(axis == 0 ? mode : kClamp, axis == 1 ? mode : kClamp,
                    axis == 2 ? mode : kClamp);
            std::vector<std::vector<std::uint32_t>> params(3, all(0.4f));
            params[axis] = all(place);
            return b.red(kSampleLz, params);
        };
        for (const auto& [mode, wanted] : beyond)
            EXPECT_EQ(at(mode, 5.5f / 4), wanted) << "axis " << axis << " mode " << mode;
        for (const auto& [mode, wanted] : before)
            EXPECT_EQ(at(mode, -1.5f / 4), wanted) << "axis " << axis << " mode " << mode;
    }
}

TEST(Rules, TheThirdCoordinateDividesNothing) {
    GEN9_COVERS("SMP-06");
    Levels b;
    for (const float q : {0.0f, 1.0f, 2.0f, -4.0f})
        EXPECT_EQ(b.red(kSampleLz, {all(5.5f / 16), all(3.5f / 16), all(q)}),
                  Levels::texel(0, 5, 3));
}

TEST(Rules, TexelsAreLinearBeforeTheyAreFiltered) {
    Levels b;
    b.set(surface_state::MIPCountLOD, 0);
    b.set(surface_state::SurfaceFormat, 0x0C8);  // R8G8B8A8_UNORM_SRGB
    b.put<std::uint32_t>(0, 0);
    b.put<std::uint32_t>(4, 0xFFFFFFFF);
    b.filters(1, 1);
    EXPECT_EQ(b.red(kSampleLz, {all(1.0f / 16), all(0.5f / 16)}), 0.5f);
}

}  // namespace
}  // namespace gen9::sampler
