// SPDX-License-Identifier: Apache-2.0
// Which messages are legal for which surfaces and headers, and what each of their parameters does.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

constexpr unsigned kR32Float = 0x0D8, kR32Uint = 0x0D7, kRgba8 = 0x0C7;
constexpr unsigned kSampleBC = 0x05, kSampleDC = 0x14;
constexpr auto kOk = MessageStatus::Ok;
constexpr auto kRefused = MessageStatus::GuestError;

/// Four levels of 16 x 16 R32_FLOAT texels: of level n they are 100 n + x + y / 16, x and y counted
/// in texels of the level.
struct Levels : Bench {
    Levels() {
        shape(surface_state::SURFTYPE_2D, kR32Float, 16, 16, 1, 128);
        set(surface_state::MIPCountLOD, 3);
        const unsigned corners[][2] = {{0, 0}, {0, 16}, {8, 16}, {8, 20}};
        for (unsigned level = 0; level < 4; ++level)
            for (unsigned y = 0; y < 16u >> level; ++y)
                for (unsigned x = 0; x < 16u >> level; ++x)
                    put((corners[level][1] + y) * 128 + (corners[level][0] + x) * 4,
                        texel(level, x, y));
        filters(0, 0, 3);
    }
    static float texel(unsigned level, unsigned x, unsigned y) {
        return static_cast<float>(100 * level + x) + static_cast<float>(y) / 16;
    }
    void type(surface_state::Type type) { set(surface_state::SurfaceType, type); }
    MessageStatus status(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                         const Options& o = {}) {
        return send(code, params, o).status;
    }
    float red(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
              const Options& o = {}) {
        const Answer answer = send(code, params, o);
        EXPECT_EQ(answer.status, kOk);
        return answer.number(0, 0);
    }
};
const auto kZero = all(0);
/// Places one texel of level 0 apart, so that pixels have level 0; in v with `vertical`.
std::vector<std::uint32_t> texels_from(float first, bool vertical) {
    std::vector<std::uint32_t> values(16);
    for (unsigned n = 0; n < 16; ++n)
        values[n] = f((first + static_cast<float>(vertical ? n >> 1 & 1 : n & 1)) / 16);
    return values;
}
std::vector<std::vector<std::uint32_t>> zeros(unsigned n) {
    return std::vector<std::vector<std::uint32_t>>(n, kZero);
}
Bench::Options pair() {
    Bench::Options o;
    o.simd = 0;
    return o;
}

/// By type of surface: which a message may be sent for.
std::array<bool, 5> legal_types(Levels& b, unsigned code, unsigned params) {
    std::array<bool, 5> legal{};
    const auto saved = b.surface;
    for (unsigned type = 0; type < legal.size(); ++type) {
        b.type(static_cast<surface_state::Type>(type));
        legal[type] = b.status(code, zeros(params)) == kOk;
    }
    b.surface = saved;
    return legal;
}

using Legal = std::array<bool, 5>;  // 1D, 2D, 3D, CUBE, BUFFER
constexpr Legal kImages{true, true, true, true, false}, kShadows{true, true, false, true, false},
    kLoads{true, true, true, false, true}, kFlat{false, true, false, false, false},
    kGathers{false, true, false, true, false};

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
    GEN9_COVERS("SMP-145");
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

TEST(Rules, LoadsAreForImagesAndBuffersOfOneSample) {
    GEN9_COVERS("SMP-150");
    Levels b;
    EXPECT_EQ(legal_types(b, kLd, 4), kLoads);
    EXPECT_EQ(legal_types(b, kLdLz, 3), kLoads);
    EXPECT_EQ(b.red(kLd, {all_of(3), all_of(2), all_of(1)}), Levels::texel(1, 3, 2));
    const float outside[] = {b.red(kLd, {all_of(8), all_of(2), all_of(1)}),
                             b.red(kLd, {all_of(0), all_of(~0u), all_of(0)}),
                             b.red(kLd, {all_of(0), all_of(0), all_of(4)})};
    for (const float value : outside)
        EXPECT_EQ(value, 0);
    b.set(surface_state::NumberOfMultisamples, 2);
    EXPECT_EQ(b.status(kLd, zeros(3)), kRefused);
    b.set(surface_state::NumberOfMultisamples, 0);
    b.set(surface_state::SurfaceFormat, 0x18E);  // MONO8
    EXPECT_NE(b.status(kLd, zeros(3)), kOk);
    // A volume's slice is the fourth, behind the level.
    Levels volume;
    volume.shape(surface_state::SURFTYPE_3D, kR32Float, 4, 4, 3, 16);
    volume.set(surface_state::MIPCountLOD, 0);
    volume.set(surface_state::SurfaceQPitch, 1);
    for (unsigned z = 0; z < 3; ++z)
        volume.put(z * 4 * 16, static_cast<float>(z));
    EXPECT_EQ(volume.red(kLd, {kZero, kZero, kZero, all_of(2)}), 2);
    EXPECT_EQ(volume.red(kLd, {kZero, kZero, kZero, all_of(3)}), 0);
}

/// 8 x 8 R32_UINT pixels of `1 << log` samples, a plane each.
struct Multisampled : Levels {
    explicit Multisampled(unsigned log) {
        shape(surface_state::SURFTYPE_2D, kR32Uint, 8, 8, 1, 128);
        set(surface_state::MIPCountLOD, 0);
        set(surface_state::SurfaceQPitch, 2);
        set(surface_state::NumberOfMultisamples, log);
        for (unsigned slice = 0; slice < 16; ++slice)
            for (unsigned y = 0; y < 8; ++y)
                for (unsigned x = 0; x < 8; ++x)
                    put(((slice * 8 + y) * 128) + x * 4, 1000 * slice + 10 * y + x);
    }
    std::uint32_t texel(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                        const Options& o = {}) {
        const Answer answer = send(code, params, o);
        EXPECT_EQ(answer.status, kOk);
        return answer.bits[0][0];
    }
};

TEST(Rules, SamplesOfAPixelAreLoadedByTheirControlValue) {
    GEN9_COVERS("SMP-153 SMP-154");
    const auto x = all_of(3), y = all_of(5);
    for (unsigned log = 1; log <= 4; ++log) {
        Multisampled b(log);
        const unsigned samples = 1u << log;
        // The slices in reverse, in fields of two bits or four.
        std::uint64_t mcs = 0;
        const unsigned width = log <= 2 ? 2 : 4;
        for (unsigned s = 0; s < samples; ++s)
            mcs |= std::uint64_t{samples - 1 - s} << s * width;
        const auto low = all_of(static_cast<std::uint32_t>(mcs));
        const auto high = all_of(static_cast<std::uint32_t>(mcs >> 32));
        for (unsigned s = 0; s < samples; ++s) {
            const std::uint32_t wanted = 1000 * (samples - 1 - s) + 53;
            EXPECT_EQ(b.texel(kLd2dmsW, {all_of(s), low, high, x, y}), wanted) << samples;
            if (samples < 16) {
                EXPECT_EQ(b.texel(kLd2dms, {all_of(s), low, x, y}), wanted) << samples;
                EXPECT_EQ(b.texel(kLd2dmsW, {all_of(s), low, all_of(0x12345678), x, y}), wanted)
                    << "the high half is ignored";
            }
        }
        EXPECT_EQ(b.texel(kLd2dms, {all_of(0), all_of(0), all_of(8), y}), 0u) << "outside";
    }
    Multisampled one(0);
    EXPECT_EQ(one.status(kLd2dms, zeros(4)), kRefused);
    EXPECT_EQ(one.status(kLd2dmsW, zeros(5)), kRefused);
    Multisampled two(1);
    EXPECT_EQ(legal_types(two, kLd2dms, 4), kFlat);
    EXPECT_EQ(legal_types(two, kLd2dmsW, 5), kFlat);
}

TEST(Rules, ControlValuesComeFromTheAuxiliarySurface) {
    GEN9_COVERS("SMP-156");
    const auto x = all_of(9), y = all_of(3);
    for (unsigned log = 1; log <= 4; ++log) {
        Multisampled b(log);
        b.shape(surface_state::SURFTYPE_2D, kR32Uint, 16, 8, 1, 128);
        b.set(surface_state::NumberOfMultisamples, log);
        b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
        b.set(surface_state::AuxiliarySurfacePitch, 1);  // two tiles of 128 bytes
        const unsigned bytes = log <= 2 ? 1 : log == 3 ? 4 : 8;
        // Tile Y: columns of 16 bytes, 32 rows each.
        const unsigned at = 0x10000 + (9 * bytes / 16) * 512 + 3 * 16 + 9 * bytes % 16;
        b.put<std::uint64_t>(at, 0x1122334455667788);
        using Info = std::array<std::uint32_t, 4>;
        const auto mcs = [&] { return b.send(kLdMcs, {x, y}).integers(); };
        EXPECT_EQ(mcs(), (Info{})) << "no auxiliary surface";
        b.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
        EXPECT_EQ(mcs(), bytes == 1   ? (Info{0x88, 0, 0, 0})
                         : bytes == 4 ? (Info{0x55667788, 0, 0, 0})
                                      : (Info{0x55667788, 0x11223344, 0, 0}));
        EXPECT_EQ(b.send(kLdMcs, {all_of(16), y}).integers(), (Info{})) << "outside";
        b.type(surface_state::SURFTYPE_3D);
        EXPECT_EQ(mcs(), (Info{}));
    }
    Multisampled one(0);
    one.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
    EXPECT_EQ(one.send(kLdMcs, {x, y}).integers(), (std::array<std::uint32_t, 4>{}));
}

TEST(Rules, GatherSelectsAChannel) {
    GEN9_COVERS("SMP-110 SMP-160 SMP-161");
    Levels b;
    EXPECT_EQ(legal_types(b, kGather4, 4), kGathers);
    EXPECT_EQ(legal_types(b, kGather4C, 5), kGathers);
    EXPECT_EQ(legal_types(b, kGather4Po, 5), kFlat);
    EXPECT_EQ(legal_types(b, kGather4PoC, 5), kFlat);
    b.set_sampler(sampler_state::ShadowFunction, 2);
    const auto at = all(2.0f / 16);  // texels 1 and 2 of rows 1 and 2
    // A: upper left, B: upper right, R: lower left, G: lower right; 0 where the texel is less.
    EXPECT_EQ(b.send(kGather4C, {all(1.1f), at, at}).color(), (std::array<float, 4>{1, 1, 1, 0}));
    EXPECT_EQ(b.send(kGather4PoC, {all(2.9f), at, at, all_of(1), all_of(0)}).color(),
              (std::array<float, 4>{0, 1, 1, 0}));
    Bench::Options green;
    green.header2 = 1 << 16;
    EXPECT_EQ(b.status(kGather4C, zeros(3), green), kRefused);
    EXPECT_EQ(b.status(kGather4PoC, zeros(5), green), kRefused);
    unsigned formats = 0;
    for (unsigned format = 0; format < 512; ++format) {
        b.set(surface_state::SurfaceFormat, format);
        formats += b.status(kGather4C, zeros(3)) == kOk;
    }
    EXPECT_EQ(formats, 4u);
    b.set(surface_state::SurfaceFormat, kRgba8);
    b.put<std::uint32_t>(0, 0xFF996633);
    const float wanted[] = {0.2f, 0.4f, 0.6f, 1};
    for (unsigned channel = 0; channel < 4; ++channel) {
        Bench::Options o;
        o.header2 = channel << 16;
        EXPECT_EQ(b.send(kGather4, {all(1.0f / 16), all(1.0f / 16)}, o).number(3, 0),
                  wanted[channel]);
    }
    EXPECT_EQ(b.send(kGather4Po, {all(3.0f / 16), all(3.0f / 16), all_of(0x3E), all_of(0xFE)})
                  .number(3, 0),
              0.2f)
        << "six bits with a sign: both are -2";
}

TEST(Rules, MaskedChannelsOfTheHeader) {
    GEN9_COVERS("SMP-111");
    Levels b;
    b.set(surface_state::SurfaceFormat, kRgba8);
    b.put<std::uint32_t>(0, 0xFF996633);
    const float wanted[] = {0.2f, 0.4f, 0.6f, 1};
    for (unsigned channel = 0; channel < 4; ++channel) {
        Bench::Options o;
        o.header2 = (0xFu & ~(1u << channel)) << 12;  // all masked but one
        b.send(kSampleLz, {kZero, kZero}, o);
        EXPECT_EQ(b.message.response_length, 1);
        EXPECT_EQ(load<float>(b.message.response[0].bytes), wanted[channel]);
    }
    Bench::Options o;
    o.header2 = 0xF << 12;
    o.response = 1;
    EXPECT_EQ(b.status(kSampleLz, zeros(2), o), kRefused) << "all";
    o.header2 = 8 << 12;
    o.response = -1;
    EXPECT_EQ(b.status(kSampleLz, zeros(2), o), kOk);
    EXPECT_EQ(b.status(kGather4, zeros(2), o), kRefused) << "alpha of a gather";
}

TEST(Rules, TheSimdModeOfTheDescriptor) {
    GEN9_COVERS("SMP-101");
    Levels b;
    Bench::Options o;
    o.simd = 0;
    EXPECT_EQ(b.status(kSampleL, zeros(4), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 2u);
    b.build(kSampleL, zeros(12), o);            // lod, and u and v of two registers each
    store(b.message.payload[0].bytes + 8, 0u);  // bit 22 of M0.2: SIMD8D, not SIMD4x2
    b.message.length = 6;
    b.message.response_length = 4;
    b.run(o);
    EXPECT_EQ(b.message.status, kOk);
    EXPECT_EQ(b.request->decoded->simd, Simd::Double);
    EXPECT_EQ(b.request->decoded->samples(), 8u);
    o.simd = 1;
    EXPECT_EQ(b.status(kSampleL, zeros(3), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 8u);
    o.simd = 2;
    EXPECT_EQ(b.status(kSampleL, zeros(3), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 16u);
    o.simd = 3;
    o.response = 8;
    EXPECT_EQ(b.status(0x00, {}, o), MessageStatus::NotModelled) << "the media sampler's";
}

TEST(Rules, TheRestOfTheHeaderDoesNothing) {
    GEN9_COVERS("SMP-104 SMP-106");
    Levels b;
    b.write_states();
    for (const unsigned dword : {0u, 1u, 4u, 5u, 6u, 7u}) {
        b.build(kSampleLz, {all(3.5f / 16), all(2.5f / 16)}, {});
        store(b.message.payload[0].bytes + 4 * dword, 0xFFFFFFFFu);
        EXPECT_EQ(b.run({}).number(0, 0), Levels::texel(0, 3, 2)) << dword;
    }
    for (std::uint32_t low = 0; low < 32; ++low) {  // the scratch size of R0
        b.build(kSampleLz, {all(3.5f / 16), all(2.5f / 16)}, {});
        store(b.message.payload[0].bytes + 12, static_cast<std::uint32_t>(Bench::kSampler) | low);
        b.core.invalidate_states();
        EXPECT_EQ(b.run({}).number(0, 0), Levels::texel(0, 3, 2)) << low;
    }
}

TEST(Rules, LoadsAndQuestionsUseNoSampler) {
    GEN9_COVERS("SMP-81");
    Levels b;
    b.write_states();
    for (const unsigned code :
         {unsigned{kLd}, unsigned{kLdLz}, unsigned{kResInfo}, unsigned{kSampleInfo}}) {
        Bench::Options o;
        o.index = 15;
        b.core.invalidate_states();
        b.build(code, code == kSampleInfo ? zeros(0) : zeros(1), o);
        store(b.message.payload[0].bytes + 12, 0xFFFFFFE0u);  // no memory there
        b.memory.state_reads = 0;
        b.run(o);
        EXPECT_EQ(b.message.status, kOk) << code;
        EXPECT_EQ(b.memory.state_reads, 2u) << "table entry and surface";
    }
    b.build(kSampleLz, zeros(2), {});
    store(b.message.payload[0].bytes + 12, 0xFFFFFFE0u);
    b.run({});
    EXPECT_EQ(b.message.status, kRefused);
}

TEST(Rules, SurfacesAndSamplersCountFromTheirOwnBases) {
    GEN9_COVERS("L3-86 L3-87 SMP-70 SMP-73");
    Levels b;
    auto state = std::make_shared<PipelineState>();
    constexpr std::uint64_t kSurfaces = FlatMemory::kBase + 0x40000, kDynamic = kSurfaces + 0x20000;
    state->surface_state_base = GpuAddr(kSurfaces);
    state->dynamic_state_base = GpuAddr(kDynamic);
    b.sender.state = state;
    b.sender.binding_table_offset = 0x1E0;
    const std::uint32_t pointer = 0x3C0;
    std::memcpy(b.memory.at(kSurfaces + 0x1E0 + 4 * 7), &pointer, 4);
    std::memcpy(b.memory.at(kSurfaces + pointer), b.surface.data(), 64);
    b.modes(0, 0, 0);
    std::memcpy(b.memory.at(kDynamic + Bench::kSampler + 16 * 11), b.sampler.data(), 16);
    Bench::Options o;
    o.binding = 7;
    o.index = 11;
    b.build(kSampleLz, {all(1 + 3.5f / 16), all(2.5f / 16)}, o);
    EXPECT_EQ(b.run(o).number(0, 0), Levels::texel(0, 3, 2)) << "wraps: this sampler";
}

TEST(Rules, NewBasesDropTheStates) {
    GEN9_COVERS("SMP-275");
    Levels b;
    b.red(kSampleLz, {kZero, kZero});
    b.build(kSampleLz, zeros(2), {});
    b.memory.state_reads = 0;
    b.run({});
    EXPECT_EQ(b.memory.state_reads, 0u) << "kept";
    b.sender.state = std::make_shared<PipelineState>(*b.sender.state);  // STATE_BASE_ADDRESS
    b.run({});
    EXPECT_EQ(b.memory.state_reads, 3u) << "table entry, surface and sampler";
}

TEST(Rules, ClearColoursAreWholeDWords) {
    GEN9_COVERS("SMP-214");
    // The codes of the compare functions are in Filter.ComparisonGivesZeroWhereItHolds.
    Multisampled b(2);
    b.set(surface_state::SurfaceFormat, 0x002);  // R32G32B32A32_UINT
    b.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
    b.set(surface_state::RedClearColor, 0x12345678);
    b.set(surface_state::GreenClearColor, 0x9ABCDEF0);
    b.set(surface_state::BlueClearColor, 0x80000001);
    b.set(surface_state::AlphaClearColor, 0xFFFFFFFF);
    EXPECT_EQ(b.send(kLd2dms, {all_of(2), all_of(0xFF), all_of(1), all_of(1)}).integers(),
              (std::array<std::uint32_t, 4>{0x12345678, 0x9ABCDEF0, 0x80000001, 0xFFFFFFFF}));
    using enum Compare;
    const Compare codes[] = {Always,    Never,   Less,     Equal,
                             LessEqual, Greater, NotEqual, GreaterEqual};
    for (unsigned code = 0; code < 8; ++code) {
        std::array<std::uint32_t, 4> state{};
        sampler_state::ShadowFunction.set(state, code);
        EXPECT_EQ(read_sampler_state(state).compare, codes[code]);
    }
}

TEST(Rules, ResultsAreOf32Or16BitsFloatOrInteger) {
    GEN9_COVERS("SMP-03");
    Levels b;
    b.put<std::uint8_t>(0, 0xFB);
    struct Row {
        unsigned format;
        std::uint32_t full, half;
    };
    const Row rows[] = {{0x142, 0xFFFFFFFB, 0xFFFB},       // R8_SINT: -5
                        {0x143, 0xFB, 0xFB},               // R8_UINT
                        {0x140, f(251 / 255.0f), 0x3BE0},  // R8_UNORM
                        {0x141, f(-5 / 127.0f), 0xA90A}};  // R8_SNORM
    for (const Row& row : rows) {
        b.set(surface_state::SurfaceFormat, row.format);
        Bench::Options o;
        EXPECT_EQ(b.send(kLdLz, {kZero}, o).bits[0][0], row.full);
        o.half = true;
        EXPECT_EQ(b.send(kLdLz, {kZero}, o).bits[0][0], row.half);
    }
}

TEST(Rules, EachAxisHasItsAddressMode) {
    GEN9_COVERS("SMP-35");
    constexpr unsigned kWrap = 0, kMirror = 1, kClamp = 2, kBorder = 4, kMirrorOnce = 5, kHalf = 6;
    const std::pair<unsigned, float> beyond[] = {{kWrap, 1},    {kMirror, 2},     {kClamp, 3},
                                                 {kBorder, 50}, {kMirrorOnce, 3}, {kHalf, 26.5f}};
    const std::pair<unsigned, float> before[] = {{kWrap, 2},    {kMirror, 1},     {kClamp, 0},
                                                 {kBorder, 50}, {kMirrorOnce, 1}, {kHalf, 25}};
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

TEST(Rules, Simd4x2HasItsOwnOrderOfParameters) {
    GEN9_COVERS("SMP-168");
    Levels b;
    using Params = std::vector<std::vector<std::uint32_t>>;
    const auto two = [&](unsigned code, const Params& params) {
        const Answer answer = b.send(code, params, pair());
        EXPECT_EQ(answer.status, kOk) << code;
        return std::array{answer.number(0, 0), answer.number(0, 1)};
    };
    const auto at = [](float first, float second) {
        return std::vector<std::uint32_t>{f(first / 16), f(second / 16)};
    };
    const std::vector<std::uint32_t> zero{0, 0}, one{f(1), f(1)}, unit{1, 1};
    const std::array level0{Levels::texel(0, 4, 2), Levels::texel(0, 9, 7)};
    const std::array level1{Levels::texel(1, 2, 1), Levels::texel(1, 4, 3)};
    EXPECT_EQ(two(kSampleL, {at(4, 9), at(2, 7), zero, zero}), level0);
    EXPECT_EQ(two(kSampleL, {at(4, 9), at(2, 7), zero, zero, one}), level1);
    EXPECT_EQ(two(kLd, {{4, 9}, {2, 7}, zero, zero}), level0);
    EXPECT_EQ(two(kLd, {{2, 4}, {1, 3}, zero, unit}), level1);
    EXPECT_EQ(two(kSampleD, {at(4, 9), at(2, 7), zero, zero, zero, zero, zero, at(2, 2)}), level1)
        << "the eighth is dv/dy";
    EXPECT_EQ(
        two(kSampleD, {at(4, 9), at(2, 7), zero, zero, zero, zero, zero, zero, zero, zero, one}),
        level1)
        << "and the eleventh the least level";
    Bench::Options o = pair();
    EXPECT_EQ(b.send(kResInfo, {unit}, o).bits[1][1], 8u);
    Multisampled m(2);
    const Answer answer = m.send(kLd2dms, {{3, 4}, {5, 6}, zero, zero, {1, 2}, {0xE4, 0x1B}}, o);
    EXPECT_EQ(answer.bits[0][0], 1053u);
    EXPECT_EQ(answer.bits[0][1], 1064u);
}

/// The parameters of a SIMD8D message (003:10204-10224): u and v, a register for four samples.
struct DoubleRow {
    unsigned code;
    const char* order;  ///< of registers: u v in two, b bias, l lod, m mlod, R ref, r,
                        ///< 1-4 du/dx du/dy dv/dx dv/dy, x y offu offv
};
constexpr DoubleRow kDoubles[] = {{0x00, "uuvvrm"},     {0x01, "buuvvrm"},    {0x02, "luuvvr"},
                                  {0x03, "Ruuvvrm"},    {0x04, "uu12vv34rm"}, {0x05, "Rbuuvvr"},
                                  {0x06, "Rluuvvr"},    {0x08, "uuvvr"},      {0x09, "uuvv"},
                                  {0x10, "Ruuvvr"},     {0x11, "uuvvxyr"},    {0x12, "Ruuvvxyr"},
                                  {0x14, "Ruu12vv34r"}, {0x16, "uuvv"},       {0x17, "uuvv"},
                                  {0x18, "uuvvr"},      {0x19, "Ruuvvr"}};
/// And of SIMD8 (sampler guide 3.5).
const char* single_order(unsigned code) {
    const std::pair<unsigned, const char*> orders[] = {
        {0x00, "uvram"},       {0x01, "buvram"},  {0x02, "luvra"},  {0x03, "Ruvram"},
        {0x04, "u12v34r56am"}, {0x05, "Rbuvram"}, {0x06, "Rluvra"}, {0x08, "uvra"},
        {0x09, "uvra"},        {0x10, "Ruvra"},   {0x11, "uvxyr"},  {0x12, "Ruvxyr"},
        {0x14, "Ru12v34r56a"}, {0x16, "uv"},      {0x17, "uv"},     {0x18, "uvra"},
        {0x19, "Ruvra"}};
    for (const auto& [c, order] : orders)
        if (c == code) return order;
    return "";
}
float parameter(char name, unsigned n) {
    switch (name) {
        case 'u':
            return (5.25f + static_cast<float>(n & 1) * 2) / 16;
        case 'v':
            return (3.5f + static_cast<float>(n >> 1 & 1) * 2) / 16;
        case 'b':
            return 0.5f;
        case 'l':
            return 1.25f;
        case 'm':
            return 1.5f;
        case 'R':
            return 60;
        case '1':
            return 2.0f / 16;
        case '4':
            return 3.0f / 16;
        case 'x':
            return std::bit_cast<float>(2u);
        case 'y':
            return std::bit_cast<float>(0x3Du);
        default:
            return 0;
    }
}
/// Sends the registers as SIMD8D, without header.
MessageStatus send_doubles(Levels& b, unsigned code, const std::string& order) {
    b.write_states();
    b.core.invalidate_states();
    b.sender.sampler_state_offset = Bench::kSampler;
    Bench::Options o;
    o.header = false;
    o.simd = 0;
    o.response = 4;
    b.build(code, {}, o);
    b.message.length = static_cast<std::uint8_t>(order.size());
    for (unsigned r = 0; r < order.size(); ++r) {
        const char name = order[r];
        const bool second = r && order[r - 1] == name;
        for (unsigned n = 0; n < (name == 'u' || name == 'v' ? 4u : 8u); ++n)
            if (name == 'u' || name == 'v')
                store(b.message.payload[r].bytes + 8 * n,
                      double{parameter(name, n + (second ? 4 : 0))});
            else
                store(b.message.payload[r].bytes + 4 * n, parameter(name, n));
    }
    b.core.prepare(b.message, *b.request) == Core::Work::Texels
        ? b.core.finish(b.message, *b.request, b.memory)
        : void();
    return b.message.status;
}

TEST(Rules, Simd8dHasCoordinatesOf64Bits) {
    GEN9_COVERS("SMP-167");
    for (const DoubleRow& row : kDoubles) {
        Levels b;
        b.filters(1, 1, 3);
        b.modes(0, 0, 0);
        b.set_sampler(sampler_state::ShadowFunction, 2);
        // The same message in SIMD8; what SIMD8D does not have is 0 there.
        std::vector<std::vector<std::uint32_t>> params;
        const std::string doubles = row.order;
        for (const char* name = single_order(row.code); *name; ++name) {
            params.emplace_back();
            const bool has = doubles.find(*name) != std::string::npos;
            for (unsigned n = 0; n < 8; ++n)
                params.back().push_back(has ? f(parameter(*name, n)) : 0);
        }
        Bench::Options o;
        o.header = false;
        o.response = 4;
        b.sender.sampler_state_offset = Bench::kSampler;
        const Answer single = b.send(row.code, params, o);
        ASSERT_EQ(single.status, kOk) << row.code;
        ASSERT_EQ(send_doubles(b, row.code, doubles), kOk) << row.code;
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 8; ++n)
                EXPECT_EQ(gen9::load<std::uint32_t>(b.message.response[c].bytes + 4 * n),
                          single.bits[c][n])
                    << row.code << " channel " << c << " sample " << n;
        EXPECT_EQ(send_doubles(b, row.code, doubles + "m"), kRefused) << "too long";
        EXPECT_EQ(send_doubles(b, row.code, doubles.substr(0, doubles.find('v') + 1)), kRefused)
            << "half a coordinate";
    }
    Levels b;
    for (const unsigned code : {0x07u, 0x0Au, 0x0Bu, 0x0Cu, 0x1Au, 0x1Du, 0x1Eu, 0x1Fu})
        EXPECT_EQ(send_doubles(b, code, "uuvv"), kRefused) << code;
    // Far from 0 a float has no fraction left.
    b.modes(0, 0, 0);
    b.write_states();
    ASSERT_EQ(send_doubles(b, kSampleLz, "uuvvr"), kOk);
    for (unsigned r = 0; r < 2; ++r)
        for (unsigned n = 0; n < 4; ++n)
            store(b.message.payload[r].bytes + 8 * n, 16777216 + 5.5 / 16);
    b.run({});
    EXPECT_EQ(gen9::load<float>(b.message.response[0].bytes), Levels::texel(0, 5, 3));
}

TEST(Rules, LengthsOfMessages) {
    GEN9_COVERS("SMP-114");
    Levels b;
    const auto status = [&](unsigned simd, bool header, unsigned code, unsigned length) {
        Bench::Options o;
        o.simd = simd;
        o.header = header;
        o.response = simd == 2 ? 8 : simd == 0 && header ? 1 : 4;
        b.sender.sampler_state_offset = Bench::kSampler;
        b.write_states();
        b.core.invalidate_states();
        b.build(code, {}, o);
        b.message.length = static_cast<std::uint8_t>(length);
        b.run(o);
        return b.message.status == kOk;
    };
    for (const bool header : {false, true}) {
        const unsigned h = header;
        for (unsigned n = 0; n <= 12; ++n) {
            // sample_l has one to five parameters, sample_d one to eleven, in eleven registers.
            EXPECT_EQ(status(1, header, kSampleL, n), n >= h + 1 && n <= h + 5) << n;
            EXPECT_EQ(status(1, header, kSampleD, n), n >= h + 1 && n <= std::min(h + 11, 11u))
                << n;
            EXPECT_EQ(status(2, header, kSampleL, n),
                      n >= h + 2 && n <= std::min(h + 10, 11u) && (n - h) % 2 == 0)
                << n;
        }
    }
    for (unsigned n = 0; n <= 12; ++n) {
        EXPECT_EQ(status(0, true, kSampleL, n), n == 2 || n == 3) << "SIMD4x2: four in a register";
        EXPECT_EQ(status(0, true, kSampleD, n), n >= 2 && n <= 4);
        // SIMD8D: lod, u0 u1, v0 v1, r.
        EXPECT_EQ(status(0, false, kSampleL, n), n == 1 || n == 3 || n == 5 || n == 6) << n;
    }
}

TEST(Rules, QuestionsAboutSurfacesAnswerIn32Bits) {
    GEN9_COVERS("SMP-163 SMP-164");
    Levels b;
    Bench::Options half;
    half.half = true;
    EXPECT_EQ(legal_types(b, kSampleInfo, 0), kFlat);
    EXPECT_EQ(legal_types(b, kLod, 3), kImages);
    for (const unsigned code : {unsigned{kSampleInfo}, unsigned{kLod}, unsigned{kResInfo}})
        EXPECT_EQ(b.status(code, code == kSampleInfo ? zeros(0) : zeros(1), half), kRefused);
    for (unsigned log = 0; log <= 4; ++log) {
        b.set(surface_state::NumberOfMultisamples, log);
        b.set(surface_state::MultisamplePositionPaletteIndex, log);
        const auto info = b.send(kSampleInfo, {}).integers();
        EXPECT_EQ(info[0], 1u << log);
        EXPECT_EQ(info[3], log + 1);
    }
    EXPECT_EQ(b.status(kLod, zeros(3)), kRefused) << "multisampled";
    EXPECT_EQ(b.status(kLod, zeros(3), pair()), kRefused);
    b.type(surface_state::SURFTYPE_NULL);
    EXPECT_EQ(b.status(kSampleInfo, {}), kOk);
}

TEST(Rules, TheBypassBitOfTheSecondCacheChangesNothing) {
    GEN9_COVERS("SMP-85");
    Levels b;
    b.set(surface_state::SurfaceFormat, 0x187);  // BC2_UNORM
    b.set(surface_state::MIPCountLOD, 0);
    for (unsigned i = 0; i < 16; ++i)
        b.put<std::uint8_t>(i, static_cast<std::uint8_t>(37 * i));
    const auto color = [&] { return b.send(kSampleLz, {all(1.5f / 16), all(2.5f / 16)}).color(); };
    const auto before = color();
    b.set(surface_state::SamplerL2BypassModeDisable, 1);
    EXPECT_EQ(color(), before);
}

// 003:16870: clear states are resolved before a target is used as a texture, and 003:16775-16790:
// AUX_CCS_E is compression.
TEST(Rules, ATextureWithClearStatesIsReadFromItself) {
    Levels b;
    b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
    for (unsigned i = 0; i < 4096; ++i)
        b.put<std::uint8_t>(0x10000 + i, 0xFF);
    const auto params = std::vector{all(3.5f / 16), all(2.5f / 16)};
    for (const auto mode : {surface_state::AUX_CCS_D, surface_state::AUX_APPEND}) {
        b.set(surface_state::AuxiliarySurfaceMode, mode);
        EXPECT_EQ(b.red(kSampleLz, params), Levels::texel(0, 3, 2));
    }
    for (const auto mode : {surface_state::AUX_CCS_E, surface_state::AUX_HIZ}) {
        b.set(surface_state::AuxiliarySurfaceMode, mode);
        EXPECT_EQ(b.status(kSampleLz, params), MessageStatus::NotModelled);
    }
}

TEST(Rules, FunctionIdsOfThePrm) {
    GEN9_COVERS("SMP-215");
    EXPECT_EQ(static_cast<unsigned>(Sfid::Sampler), 2u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::DataPort2), 4u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::Vme), 8u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::CheckRefine), 13u);
}

struct Code {
    unsigned code;
    const char* name;
};
constexpr Code kCodes[] = {
#include "tests/unit/sampler/format_codes.inc"
};

TEST(Rules, FormatsHaveTheCodesOfThePrm) {
    GEN9_COVERS("SMP-200");
    unsigned sampled = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        const auto* const row = std::find_if(std::begin(kCodes), std::end(kCodes),
                                             [&](const Code& c) { return c.code == code; });
        if (!format) continue;
        ++sampled;
        ASSERT_NE(row, std::end(kCodes)) << format->name;
        EXPECT_STREQ(format->name, row->name);
    }
    EXPECT_GT(sampled, 150u);
}

TEST(Rules, FormatsOfOpenClCanAllBeSampled) {
    GEN9_COVERS("SMP-201");
    const unsigned codes[] = {0x0C7, 0x0C9, 0x0CA, 0x0CB, 0x080, 0x081, 0x082, 0x083, 0x084, 0x000,
                              0x001, 0x002, 0x0C0, 0x106, 0x107, 0x108, 0x109, 0x0CC, 0x0CD, 0x0CE,
                              0x0CF, 0x0D0, 0x085, 0x086, 0x087, 0x140, 0x141, 0x142, 0x143, 0x10A,
                              0x10B, 0x10C, 0x10D, 0x10E, 0x0D8, 0x0D6, 0x0D7, 0x144, 0x145, 0x111,
                              0x115, 0x0E3, 0x146, 0x112, 0x116, 0x0E4, 0x113, 0x117, 0x0E5, 0x0C8,
                              0x0C1, 0x0D9, 0x088, 0x182, 0x190, 0x18F, 0x183, 0x1A5};
    Levels b;
    b.set(surface_state::MIPCountLOD, 0);
    for (const unsigned code : codes) {
        b.set(surface_state::SurfaceFormat, code);
        b.filters(0, 0);
        EXPECT_EQ(b.status(kSampleLz, zeros(2)), kOk) << std::hex << code;
        EXPECT_EQ(b.status(kLdLz, zeros(2)), kOk) << std::hex << code;
        b.filters(1, 1);
        EXPECT_EQ(b.status(kSampleLz, zeros(2)), kOk) << std::hex << code;
    }
}

}  // namespace
}  // namespace gen9::sampler
