// SPDX-License-Identifier: Apache-2.0
// Levels of detail: the pseudocode of the PRM, literally, against the machine's; gradients; what
// ld and the questions about surfaces return.
#include <gtest/gtest.h>

#include <random>

#include "sampler/filter/lod.h"
#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// The pseudocode of 003:3128-3200 in real numbers.
struct Pseudocode {
    double MinLod, MaxLod, MIPCnt, ResMinLod, SurfMinLod, Base;
    double PerSampleMinLOD;
    int PreClamp, MipFlt;
    bool MagClampMipNone;
    bool OutOfBounds = false, MagMode = false;
    double LOD = 0, TriBeta = 0;

    void run(double lod) {
        MinLod = std::max(MinLod, PerSampleMinLOD);
        const double AdjMaxLod = std::min(MaxLod, MIPCnt);
        double AdjMinLod = std::min(MinLod, MIPCnt);
        const double AdjPR = ResMinLod - SurfMinLod;
        AdjMinLod = std::max(AdjMinLod, AdjPR);
        OutOfBounds = AdjPR > MIPCnt;
        LOD = lod;
        if (PreClamp == 1) {
            LOD = std::min(LOD, AdjMaxLod);
            LOD = std::max(LOD, AdjMinLod);
        } else if (PreClamp == 2) {
            LOD = std::min(LOD, MaxLod);
            LOD = std::max(LOD, MinLod);
        }
        MagMode = LOD - Base <= 0;
        if ((MagMode && MagClampMipNone) || MipFlt == 0) {
            LOD = 0;
            LOD = std::min(LOD, std::ceil(AdjMaxLod));
            LOD = std::max(LOD, std::floor(AdjMinLod));
        } else if (MipFlt == 1) {
            LOD = std::min(LOD, std::ceil(AdjMaxLod));
            LOD = std::max(LOD, std::floor(AdjMinLod));
            LOD += 0.5;
            LOD = std::floor(LOD);
        } else {
            LOD = std::min(LOD, AdjMaxLod);
            LOD = std::max(LOD, AdjMinLod);
            TriBeta = LOD - std::floor(LOD);
            LOD = std::floor(LOD);
        }
        LOD += SurfMinLod;
        if (OutOfBounds) LOD = TriBeta = 0;
    }
};

TEST(Lod, IsThePseudocode) {
    GEN9_COVERS("SMP-10 SMP-11 SMP-12 SMP-14 SMP-15 SMP-16 SMP-17 SMP-18 SMP-19 SMP-21 SMP-34");
    std::mt19937 random(3);
    const auto steps = [&](unsigned most) {
        return static_cast<std::int32_t>(random() % (most * 256));
    };
    unsigned bounds = 0, last = 0;
    for (unsigned trial = 0; trial < 200000; ++trial) {
        SampledSurface surface;
        SamplerState sampler;
        surface.last_level = static_cast<std::uint8_t>(random() % 15);
        surface.raw.min_lod = static_cast<std::uint8_t>(random() % 4);
        surface.resource_min_lod = random() % 4 ? 0 : steps(12);
        surface.base_lod = random() % 2 ? 0 : static_cast<std::int32_t>(random() % 8 * 128);
        sampler.min_lod = random() % 2 ? 0 : steps(6);
        sampler.max_lod = random() % 2 ? 14 * 256 : steps(14);
        sampler.mip =
            std::array{MipFilter::None, MipFilter::Nearest, MipFilter::Linear}[random() % 3];
        sampler.pre_clamp = static_cast<PreClamp>(random() % 3);
        sampler.mag_clamp_none = random() % 2;
        const std::int32_t lod = steps(20) - 4 * 256;
        const std::int32_t least = random() % 4 ? 0 : steps(10);
        Pseudocode p{sampler.min_lod / 256.0,
                     sampler.max_lod / 256.0,
                     static_cast<double>(surface.last_level),
                     surface.resource_min_lod / 256.0,
                     static_cast<double>(surface.raw.min_lod),
                     surface.base_lod / 256.0,
                     least / 256.0,
                     static_cast<int>(sampler.pre_clamp),
                     static_cast<int>(sampler.mip),
                     sampler.mag_clamp_none};
        p.run(lod / 256.0);
        if (p.MinLod > p.MaxLod && p.LOD < 0) continue;
        const LodChoice got = choose_lod(surface, sampler, lod, least);
        ASSERT_EQ(got.magnified, p.MagMode);
        ASSERT_EQ(got.out_of_bounds, p.OutOfBounds);
        bounds += p.OutOfBounds;
        if (p.OutOfBounds) continue;
        if (p.LOD < 0) continue;
        ASSERT_EQ(got.level, std::min(p.LOD, 14.0));
        last += p.LOD == 14 && surface.raw.min_lod == 0;
        if (p.LOD < 14) {
            ASSERT_EQ(got.beta / 256.0, p.TriBeta);
        }
    }
    EXPECT_GT(bounds, 100u);
    EXPECT_GT(last, 100u) << "the level of one texel of a surface of 16384";
}

// 003:3130-3146. The fields are placed by their bits; numbers of the machine have eight of
// fraction.
TEST(Lod, NumbersOfTheStates) {
    GEN9_COVERS("SMP-11");
    std::array<std::uint32_t, 16> surface{};
    surface[1] = 0x5u << 19;     // Base: U4.1
    surface[5] = 0x3u << 4 | 9;  // SurfMinLod, a whole number; MIPCnt: U4
    surface[7] = 0x2C0;          // ResMinLod: U4.8
    const SampledSurface s = read_sampled_surface(surface);
    EXPECT_EQ(s.base_lod, 2 * 256 + 128);
    EXPECT_EQ(s.raw.min_lod, 3);
    EXPECT_EQ(s.last_level, 9);
    EXPECT_EQ(s.resource_min_lod, 2 * 256 + 0xC0);
    std::array<std::uint32_t, 4> sampler{};
    sampler[0] = 0x1E80u << 1;                // Bias: S4.8
    sampler[1] = 0xDC1u << 20 | 0xE02u << 8;  // MinLod, MaxLod: U4.8
    SamplerState m = read_sampler_state(sampler);
    EXPECT_EQ(m.bias, -256 - 128);
    EXPECT_EQ(m.min_lod, 13 * 256 + 0xC1);
    EXPECT_EQ(m.max_lod, 14 * 256 + 2);
    sampler[0] = 0xFFFu << 1;
    EXPECT_EQ(read_sampler_state(sampler).bias, 15 * 256 + 255);
    EXPECT_EQ(lod_of_float(2.75f), 2 * 256 + 192) << "PerSampleMinLOD: a float";
}

/// A 64 x 64 R32_FLOAT surface of seven levels; the texels of level n are n.
struct Mips : Bench {
    Mips() {
        shape(surface_state::SURFTYPE_2D, 0x0D8, 64, 64, 1, 256);
        set(surface_state::MIPCountLOD, 6);
        // Level 1 below level 0, the others in a column right of level 1.
        const unsigned corners[][2] = {{0, 0},   {0, 64},  {32, 64}, {32, 80},
                                       {32, 88}, {32, 92}, {32, 96}};
        for (unsigned level = 0; level < 7; ++level)
            for (unsigned y = 0; y < 64u >> level; ++y)
                for (unsigned x = 0; x < 64u >> level; ++x)
                    put((corners[level][1] + y) * 256 + (corners[level][0] + x) * 4,
                        static_cast<float>(level));
        filters(1, 1, 3);
        modes(0, 0, 0);
    }
    float level(unsigned code, const std::vector<std::vector<std::uint32_t>>& params) {
        return send(code, params).number(0, 0);
    }
};

TEST(Lod, MessagesGiveIt) {
    GEN9_COVERS("SMP-13 SMP-143");
    Mips m;
    EXPECT_EQ(m.level(kSampleL, {all(2.5f), all(0.3f), all(0.3f)}), 2.5f);
    EXPECT_EQ(m.level(kSampleL, {all(-1), all(0.3f), all(0.3f)}), 0);
    EXPECT_EQ(m.level(kSampleL, {all(20), all(0.3f), all(0.3f)}), 6);
    EXPECT_EQ(m.level(kSampleLz, {all(0.3f), all(0.3f)}), 0);
    m.set_sampler(sampler_state::TextureLODBias, 256 + 64);
    EXPECT_EQ(m.level(kSampleL, {all(2.5f), all(0.3f), all(0.3f)}), 3.75f);
    EXPECT_EQ(m.level(kSampleLz, {all(0.3f), all(0.3f)}), 1.25f);
    m.set_sampler(sampler_state::TextureLODBias, 0);
    const auto zero = all(0);
    // Four texels a pixel to the right, two down: the longer one counts.
    EXPECT_EQ(m.level(kSampleD, {all(0.3f), all(4 / 64.0f), zero, all(0.3f), zero, all(2 / 64.0f)}),
              2);
    EXPECT_EQ(m.level(kSampleD, {all(0.3f), zero, all(4 / 64.0f), all(0.3f), zero, all(4 / 64.0f)}),
              2.5f);
    m.set_sampler(sampler_state::MipModeFilter, 1);
    EXPECT_EQ(m.level(kSampleL, {all(1.5f), all(0.3f), all(0.3f)}), 2);
    m.set_sampler(sampler_state::MipModeFilter, 0);
    EXPECT_EQ(m.level(kSampleL, {all(1.5f), all(0.3f), all(0.3f)}), 0);
}

TEST(Lod, NeighboursOfASubspanGiveIt) {
    GEN9_COVERS("SMP-02 SMP-08 SMP-09 SMP-164");
    Mips m;
    std::vector<std::uint32_t> u(16), v(16);
    for (unsigned n = 0; n < 16; ++n) {
        const unsigned subspan = n / 4;
        const float step = static_cast<float>(1u << subspan) / 64;  // texels: 1, 2, 4, 8
        u[n] = f(0.25f + (n & 1 ? step : 0));
        v[n] = f(0.25f + (n & 2 ? step / 2 : 0));
    }
    Bench::Options o;
    o.simd = 2;
    o.mask = 0x8421;  // one pixel each: the others give gradients all the same
    const Answer answer = m.send(kSample, {u, v}, o);
    for (unsigned subspan = 0; subspan < 4; ++subspan)
        EXPECT_EQ(answer.number(0, subspan * 5), static_cast<float>(subspan));
    // A pixel to the right, or the one below, lies as many texels up as to the right: of 1 and 1
    // the length is 2 to the power of 0.5.
    for (const unsigned neighbour : {1u, 2u}) {
        std::vector<std::uint32_t> x(16), y(16);
        for (unsigned n = 0; n < 16; ++n) {
            const float step = n & neighbour ? static_cast<float>(1u << n / 4) / 64 : 0;
            x[n] = f(0.5f + step);
            y[n] = f(0.5f - step);
        }
        const Answer skewed = m.send(kSample, {x, y}, o);
        for (unsigned subspan = 0; subspan < 4; ++subspan)
            EXPECT_EQ(skewed.number(0, subspan * 5), static_cast<float>(subspan) + 0.5f);
    }
    const Answer biased = m.send(kSampleB, {all(0.5f), u, v}, o);
    EXPECT_EQ(biased.number(0, 5), 1.5f);
    const Answer lod = m.send(kLod, {u, v, all(0)}, o);
    EXPECT_EQ(lod.number(1, 15), 3);
    m.set_sampler(sampler_state::MaxLOD, 256 + 128);
    const Answer clamped = m.send(kLod, {u, v, all(0)}, o);
    EXPECT_EQ(clamped.number(0, 15), 1.5f);
    EXPECT_EQ(clamped.number(1, 15), 3);
}

TEST(Lod, ResourceMinimumBeyondTheLevelsGivesZeros) {
    GEN9_COVERS("SMP-20");
    Mips m;
    m.set(surface_state::ResourceMinLOD, 7 * 256);
    EXPECT_EQ(m.send(kSampleL, {all(6), all(0.3f), all(0.3f)}).color(),
              (std::array<float, 4>{0, 0, 0, 1}));
    m.set(surface_state::ResourceMinLOD, 6 * 256);
    EXPECT_EQ(m.level(kSampleL, {all(0), all(0.3f), all(0.3f)}), 6);
}

TEST(Lod, AnisotropicSamplesLieOnTheMajorAxis) {
    GEN9_COVERS("SMP-32");
    Mips m;
    for (unsigned y = 0; y < 64; ++y)  // level 0 is a ramp in u, and in v alternates
        for (unsigned x = 0; x < 64; ++x)
            m.put(y * 256 + x * 4, static_cast<float>(x) + (y & 1 ? 1000.0f : 0.0f));
    m.filters(2, 2, 3);
    const auto zero = all(0);
    const auto sample = [&](float major, float minor) {
        m.send(kSampleD,
               {all(32.5f / 64), all(major / 64), zero, all(32.5f / 64), zero, all(minor / 64)});
        return m.read_answer({}).number(0, 0);
    };
    m.set_sampler(sampler_state::MaximumAnisotropy, 7);
    // Six texels by one: six places in the row, none beside it; the level is that of the minor
    // axis.
    EXPECT_NEAR(sample(6, 1), 32, 1e-4);
    EXPECT_EQ(m.request->places, 8 * 6);
    EXPECT_NEAR(sample(5, 1), 32, 1e-4);
    EXPECT_EQ(m.request->places, 8 * 6);
    EXPECT_NEAR(sample(1, 6), (32 * 6 + 1000 * 3.0) / 6, 1e-3);  // along v
    m.set_sampler(sampler_state::MaximumAnisotropy, 0);          // two at most: level 1 and a half
    sample(6, 1);
    EXPECT_EQ(m.request->places, 8 * 4);  // two places in each of two levels
    m.set_sampler(sampler_state::MaximumAnisotropy, 7);
    EXPECT_EQ(sample(1, 1), 32);
    EXPECT_EQ(m.request->places, 8);
    m.set_sampler(sampler_state::LODAlgorithm, 1);
    EXPECT_NEAR(sample(6, 1), 32, 1e-4);
    EXPECT_EQ(m.request->places, 8 * 6);
}

TEST(Lod, EllipseOfSkewedDerivatives) {
    Gradients g;
    g.dx[0] = g.dx[1] = 4;
    g.dy[0] = 4, g.dy[1] = 3;
    const Axes plain = anisotropic_axes(g, 16, false), ewa = anisotropic_axes(g, 16, true);
    EXPECT_NEAR(plain.ratio, std::sqrt(32.0) / 5, 1e-12);
    // The product of the axes is the determinant, the sum of their squares that of all derivatives.
    const double minor = ewa.lod_length, major = minor * ewa.ratio;
    EXPECT_NEAR(major * minor, 4, 1e-9);
    EXPECT_NEAR(major * major + minor * minor, 16 + 16 + 16 + 9, 1e-9);
}

// By the longer derivative, or by trying every direction of the ellipse.
// Assumed: a footprint without an end takes the last level, whatever the filter.
TEST(Lod, FootprintsWithoutAnEndAreTheLongest) {
    const double kEndless = std::numeric_limits<double>::infinity();
    for (const unsigned axis : {0u, 1u}) {
        Gradients right, down;
        right.dx[axis] = down.dy[axis] = kEndless;
        right.dx[1 - axis] = 3;
        for (const Gradients& g : {right, down}) {
            EXPECT_EQ(isotropic_axes(g).lod_length, kEndless);
            EXPECT_EQ(anisotropic_axes(g, 16, false).lod_length, kEndless);
        }
    }
    Gradients g;
    g.dx[0] = 3, g.dx[1] = 4, g.dx[2] = 12;
    EXPECT_EQ(isotropic_axes(g).lod_length, 13);
    EXPECT_EQ(lod_of_length(kEndless), kFarthestLod);
}

TEST(Lod, TheMajorAxisIsTheLongestWay) {
    GEN9_COVERS("SMP-32");
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-8, 8);
    for (unsigned n = 0; n < 60; ++n)
        for (const bool ewa : {false, true}) {
            Gradients g;
            for (double* part : {&g.dx[0], &g.dx[1], &g.dy[0], &g.dy[1]})
                *part = any(random);
            double most = 0, least = INFINITY, way[2]{};
            const unsigned steps = ewa ? 20'000 : 2;
            for (unsigned step = 0; step < steps; ++step) {
                const double angle = M_PI * step / steps, c = std::cos(angle), s = std::sin(angle);
                const double x = g.dx[0] * c + g.dy[0] * s, y = g.dx[1] * c + g.dy[1] * s;
                const double length = std::hypot(x, y);
                if (length > most) {
                    most = length;
                    way[0] = x / length;
                    way[1] = y / length;
                }
                least = std::min(least, length);
            }
            const Axes axes = anisotropic_axes(g, 4, ewa);
            const double ratio = std::min(most / least, 4.0);
            EXPECT_NEAR(axes.ratio, ratio, 1e-3) << n << ewa;
            EXPECT_NEAR(axes.lod_length, most / ratio, 1e-3) << n << ewa;
            if (most / least < 1.1) continue;
            const double same = axes.along[0] * way[0] + axes.along[1] * way[1];
            EXPECT_NEAR(std::fabs(same), 1, 1e-4) << n << ewa;
            EXPECT_NEAR(std::hypot(axes.along[0], axes.along[1]), 1, 1e-9) << n << ewa;
        }
}

TEST(Load, ReadsOneTexelOfALevelOrZeros) {
    GEN9_COVERS("SMP-151 SMP-152 SMP-182");
    Mips m;
    const auto texel = [&](std::uint32_t u, std::uint32_t v, std::uint32_t lod) {
        return m.send(kLd, {all_of(u), all_of(v), all_of(lod)}).color();
    };
    const std::array<float, 4> zeros{0, 0, 0, 1};
    for (unsigned level = 0; level < 7; ++level) {
        const std::uint32_t last = (64u >> level) - 1;
        EXPECT_EQ(texel(last, last, level)[0], static_cast<float>(level));
        EXPECT_EQ(texel(last + 1, last, level), zeros);
        EXPECT_EQ(texel(last, last + 1, level), zeros);
    }
    EXPECT_EQ(texel(0, 0, 7), zeros);
    EXPECT_EQ(texel(0x80000000, 0, 0), zeros);
    EXPECT_EQ(texel(0, 0xFFFFFFFF, 0), zeros);
    m.set(surface_state::SurfaceMinLOD, 2);
    EXPECT_EQ(texel(0, 0, 0)[0], 2);
    EXPECT_EQ(texel(15, 0, 0)[0], 2);
    EXPECT_EQ(texel(16, 0, 0), zeros);
    // No sampler state is read.
    m.memory.state_reads = 0;
    texel(0, 0, 0);
    EXPECT_EQ(m.memory.state_reads, 2u);
}

TEST(Load, BuffersHaveElementsUpToTheirSize) {
    GEN9_COVERS("SMP-84 SMP-210");
    Bench b;
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_BUFFER);
    b.set(surface_state::SurfaceFormat, 0x0D7);
    const std::uint32_t last = 70000;
    b.set(surface_state::Width, last & 0x7F);
    b.set(surface_state::Height, last >> 7 & 0x3FFF);
    b.set(surface_state::Depth, last >> 21);
    b.set(surface_state::SurfacePitch, 3);
    b.put<std::uint32_t>(last * 4, 0xABCD);
    b.put<std::uint32_t>(last * 4 + 4, 0xFFFF);
    EXPECT_EQ(b.send(kLdLz, {all_of(last)}).bits[0][0], 0xABCDu);
    EXPECT_EQ(b.send(kLdLz, {all_of(last + 1)}).bits[0][0], 0u);
    EXPECT_EQ(b.send(kResInfo, {all_of(0)}).bits[0][0], last + 1);
    // Without a format they are bytes of four channels.
    b.set(surface_state::SurfaceFormat, surface_state::RAW);
    b.put<std::uint32_t>(last * 4, 0xFF996633);
    EXPECT_EQ(b.send(kLdLz, {all_of(last)}).color(), (std::array<float, 4>{0.2f, 0.4f, 0.6f, 1}));
    b.shape(surface_state::SURFTYPE_2D, surface_state::RAW, 4, 4, 1, 16);
    EXPECT_EQ(b.send(kLdLz, {all_of(0), all_of(0)}).status, MessageStatus::GuestError);
}

TEST(Query, ResInfoHasTheSizesOfALevel) {
    GEN9_COVERS("SMP-165");
    Bench b;
    using Info = std::array<std::uint32_t, 4>;
    b.shape(surface_state::SURFTYPE_3D, 0x0C7, 20, 9, 5, 128);
    const auto info = [&](std::uint32_t lod) { return b.send(kResInfo, {all_of(lod)}).integers(); };
    EXPECT_EQ(info(0), (Info{20, 9, 5, 1}));
    EXPECT_EQ(info(1), (Info{0, 0, 0, 1}));
    b.set(surface_state::MIPCountLOD, 1);
    EXPECT_EQ(info(1), (Info{10, 4, 2, 2}));
    EXPECT_EQ(info(0xFFFFFFFF), (Info{0, 0, 0, 2}));
    b.set(surface_state::SurfaceMinLOD, 1);
    EXPECT_EQ(info(0), (Info{10, 4, 2, 2})) << "levels count from the view's first";
    EXPECT_EQ(info(1), (Info{5, 2, 1, 2}));
    b.set(surface_state::SurfaceMinLOD, 0);
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 20, 9, 5, 128);
    EXPECT_EQ(info(0), (Info{20, 9, 0, 2}));
    b.set(surface_state::SurfaceArray, 1);
    EXPECT_EQ(info(1), (Info{10, 4, 5, 2}));
    b.shape(surface_state::SURFTYPE_1D, 0x0C7, 20, 1, 5, 128);
    EXPECT_EQ(info(0), (Info{20, 5, 0, 2}));
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_CUBE);
    EXPECT_EQ(info(0), (Info{20, 1, 5, 2}));
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 20, 9, 5, 128);
    b.set(surface_state::SurfaceArray, 0);
    b.set(surface_state::MIPCountLOD, 14);
    EXPECT_EQ(info(10), (Info{1, 1, 0, 15})) << "no level is smaller than one texel";
    b.set(surface_state::QuiltWidth, 2);
    b.set(surface_state::QuiltHeight, 4);
    EXPECT_EQ(info(1), (Info{10 * 3, 4 * 5, 0, 15}));
    b.send(kLdLz, {all_of(0)});
    EXPECT_EQ(b.message.status, MessageStatus::NotModelled) << "SMP-90";
    b.set(surface_state::QuiltWidth, 0);
    b.set(surface_state::QuiltHeight, 0);
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_BUFFER);
    b.set(surface_state::Width, 0x7F);
    b.set(surface_state::Height, 0x3FFF);
    b.set(surface_state::Depth, 0x7FF);
    EXPECT_EQ(info(0)[0], 0u) << "2 to the power of 32";
    b.set(surface_state::Depth, 0x3FF);
    EXPECT_EQ(info(0)[0], 0x80000000u);
    Bench::Options half;
    half.half = true;
    EXPECT_EQ(b.send(kResInfo, {all_of(0)}, half).status, MessageStatus::GuestError);
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_NULL);
    EXPECT_EQ(info(0), (Info{0, 0, 0, 0}));
}

TEST(Query, SampleInfoHasTheSamplesAndThePalette) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 4, 4, 1, 16);
    b.set(surface_state::NumberOfMultisamples, 3);
    b.set(surface_state::MultisamplePositionPaletteIndex, 5);
    const auto answer = b.send(kSampleInfo, {}).integers();
    EXPECT_EQ(answer[0], 8u);
    EXPECT_EQ(answer[3], 6u);
}

}  // namespace
}  // namespace gen9::sampler
