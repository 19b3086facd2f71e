// SPDX-License-Identifier: Apache-2.0
// sample_unorm of the media sampler, against integers of the texels.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/covers.h"
#include "tests/unit/sampler/media_reference.h"

namespace gen9::sampler::media {
namespace {
using namespace test;

struct Unorm : Picture {
    Unorm() {
        m.code = kUnorm;
        fill();
        sized(0x0C7, 32, 16, 128);
    }
    void sized(unsigned format, unsigned width, unsigned height, unsigned pitch) {
        shape(surface_state::SURFTYPE_2D, format, width, height, 1, pitch);
        w = width;
        h = height;
    }
    unsigned w = 32, h = 16;
    std::uint8_t at(std::uint64_t offset) { return *memory.at(kTexels + offset); }
};

TEST(MediaUnorm, RandomMessagesAreIntegersOfTheTexels) {
    GEN9_COVERS("SMP-231 SMP-232 SMP-234 SMP-235 SMP-236 SMP-237 SMP-238 SMP-239 VME-78 VME-86");
    Unorm b;
    for (unsigned n = 0; n < 500; ++n) {
        b.sized(0x0C7, 4 + b.below(28), 4 + b.below(28), 128);
        b.set(surface_state::TileMode, b.below(2) ? 0 : 3);
        const bool tiled = b.surface[0] >> 12 & 3;
        const bool linear = b.below(3);
        const unsigned round = b.below(2) ? 0x3F : 0;
        b.filters(linear, linear);
        b.sampler[3] = (b.sampler[3] & ~(0x3Fu << 13)) | round << 13;
        MediaMessage& m = b.m;
        m.code = std::array{kUnorm, kUnormMedia, kUnormKill, kUnormMediaKill}[b.below(4)];
        m.form = b.below(4);
        m.masked = b.below(15);
        const auto real = [&] { return static_cast<float>(b.below(1 << 20)) / (1 << 20); };
        m.u = real() * 1.4f - 0.2f;
        m.v = real() * 1.4f - 0.2f;
        m.du = 2.99f / static_cast<float>(b.w) * real();
        m.dv = 2.99f / static_cast<float>(b.h) * real();
        if (b.below(8) == 0) m.du = -m.du;
        b.by_lines = n % 2;
        ASSERT_EQ(b.send_media(m), kOk) << b.report();
        const MediaLayout layout(m, false);
        std::array<std::uint32_t, Message::kMaxResponse> enable{};
        for (unsigned i = 0; i < 128; ++i) {
            const unsigned c = i / 32, x = i % 8, y = i / 8 % 4;
            const auto place = layout.place(c, x, y, 8);
            if (!place.size) continue;
            enable[place.reg] |= ((1u << place.size) - 1) << place.byte;
            const auto texels = [&](float first, float step, unsigned count, unsigned size) {
                const double at = (double{first} + std::max(step, 0.0f) * double(count)) * size;
                return static_cast<std::int64_t>(
                    std::floor((at - (linear ? 0.5 : 0)) * 256 + (round ? 0.5 : 0)));
            };
            const std::int64_t u = texels(m.u, m.du, x, b.w), v = texels(m.v, m.dv, y, b.h);
            const auto byte = [&](std::int64_t tx, std::int64_t ty) {
                const auto cx = static_cast<unsigned>(std::min<std::int64_t>(
                                    std::max<std::int64_t>(tx, 0), b.w - 1)) *
                                    4 +
                                c;
                const auto cy = static_cast<unsigned>(
                    std::min<std::int64_t>(std::max<std::int64_t>(ty, 0), b.h - 1));
                return std::int64_t{
                    b.at(tiled ? cx / 16 * 512 + cy * 16 + cx % 16 : cy * 128 + cx)};
            };
            const std::int64_t tx = floor_div(u, 256), ty = floor_div(v, 256);
            const std::int64_t fx = linear ? u - tx * 256 : 0, fy = linear ? v - ty * 256 : 0;
            const std::int64_t sum =
                (256 - fy) * ((256 - fx) * byte(tx, ty) + fx * byte(tx + 1, ty)) +
                fy * ((256 - fx) * byte(tx, ty + 1) + fx * byte(tx + 1, ty + 1));
            const auto want = static_cast<unsigned>((sum + 32768) / 65536);
            ASSERT_EQ(b.value(m, c, x, y), m.form < 2 ? want << 8 : want)
                << n << ": channel " << c << " at " << x << ", " << y;
        }
        if (m.code == kUnormKill || m.code == kUnormMediaKill) {
            enable[layout.registers()] = 0xF;
            EXPECT_EQ(load<std::uint32_t>(b.message.response[layout.registers()].bytes), ~0u);
        }
        for (unsigned r = 0; r < enable.size(); ++r)
            ASSERT_EQ(b.message.response_enable[r], enable[r]) << n << ": register " << r;
    }
    EXPECT_EQ(b.stats.unorms.value(), 500u);
}

/// Each pixel and each channel comes back, whichever channels of the send are on (003:3910).
TEST(MediaUnorm, MasksOfTheSendGateNothing) {
    GEN9_COVERS("SMP-127");
    for (const unsigned code : {kUnorm, kUnormMedia, kUnormKill, kUnormMediaKill}) {
        Unorm b;
        b.m.code = code;
        b.filters(false, false);
        b.m.du = 1.0f / static_cast<float>(b.w);
        b.m.dv = 1.0f / static_cast<float>(b.h);
        b.m.u = b.m.du / 2;
        b.m.v = b.m.dv / 2;
        b.write_media_states(b.m);
        for (const std::uint32_t mask : {0u, 1u, 0x80u, 0xFFFFu}) {
            b.build_media(b.m);
            b.message.execution_mask = mask;
            b.run({});
            ASSERT_EQ(b.message.status, kOk) << b.report();
            for (unsigned i = 0; i < 128; ++i) {
                const unsigned c = i / 32, x = i % 8, y = i / 8 % 4;
                EXPECT_EQ(b.value(b.m, c, x, y), b.at(y * 128 + x * 4 + c) << 8)
                    << code << ", mask " << mask << ": channel " << c << " at " << x << ", " << y;
            }
            for (unsigned r = 0; r < 8; ++r)
                EXPECT_EQ(b.message.response_enable[r], ~0u) << code << ", mask " << mask;
        }
    }
}

TEST(MediaUnorm, FormatsOfUpToEightBits) {
    GEN9_COVERS("SMP-233");
    struct Row {
        unsigned format, bytes;
        std::array<unsigned, 4> want;  ///< of the bytes 12h, 84h, 56h, F7h
    };
    const Row rows[] = {
        {0x0C7, 4, {0x12, 0x84, 0x56, 0xF7}},
        {0x0C0, 4, {0x56, 0x84, 0x12, 0xF7}},
        {0x0E9, 4, {0x56, 0x84, 0x12, 0xFF}},
        {0x106, 2, {0x12, 0x84, 0, 0}},  // 16 bits without alpha: alpha is 0
        {0x100, 2, {132, 130, 148, 0}},  // 8412h: R 10000b, G 100000b, B 10010b
        {0x104, 2, {0x44, 0x11, 0x22, 0x88}},
        {0x114, 2, {0x12, 0x12, 0x12, 0x84}},
        {0x140, 1, {0x12, 0, 0, 0xFF}},
        {0x144, 1, {0, 0, 0, 0x12}},
        {0x146, 1, {0x12, 0x12, 0x12, 0xFF}},
        {0x182, 4, {0xF7, 0x12, 0x84, 0xFF}},  // Y0 Cb Y1 Cr
    };
    for (const Row& row : rows) {
        Unorm b;
        b.sized(row.format, 16, 16, 64);
        b.put<std::uint32_t>(0, 0xF7568412);
        b.m.form = 2;
        ASSERT_EQ(b.send_media(b.m), kOk) << std::hex << row.format << b.report();
        for (unsigned c = 0; c < 4; ++c)
            EXPECT_EQ(b.value(b.m, c, 0, 0), row.want[c]) << std::hex << row.format << " " << c;
        if (row.format != 0x182) continue;
        b.m.u = 1.0f / 16;
        b.send_media(b.m);
        EXPECT_EQ(b.value(b.m, 1, 0, 0), 0x56u) << "the second pixel of a pair";
    }
}

TEST(MediaUnorm, NoOtherFormats) {
    GEN9_COVERS("SMP-233");
    // UNORM of up to eight bits, linear, without a palette, uncompressed (003:4378-4397).
    const std::set<unsigned> allowed = {
        0x0C0, 0x0C7, 0x0E9, 0x0EB,                       // B8G8R8A8 and its like
        0x100, 0x102, 0x104, 0x11A, 0x124, 0x125,         // B5G6R5, B5G5R5A1, B4G4R4A4
        0x106, 0x114, 0x140, 0x144, 0x145, 0x146, 0x193,  // R8G8, L8A8, R8, A8, I8, L8, R8G8B8
        0x182, 0x183, 0x18F, 0x190};                      // YCRCB
    Unorm b;
    for (unsigned format = 0; format < 512; ++format) {
        b.sized(format, 16, 16, 64);
        EXPECT_EQ(b.send_media(b.m) == kOk, allowed.contains(format)) << std::hex << format;
    }
}

TEST(MediaUnorm, KilledPixelsCountFromTheHighestBit) {
    GEN9_COVERS("SMP-240");
    for (const bool replaces : {false, true}) {
        Unorm b;
        b.sized(0x0C0, 8, 4, 64);
        for (unsigned i = 0; i < 256; i += 4)
            b.put<std::uint32_t>(i, 0x80604020 + i);
        b.put<std::uint32_t>(0 * 64 + 1 * 4, 0xFF0000FF);
        b.put<std::uint32_t>(3 * 64 + 7 * 4, 0xFF0000FF);
        b.put<std::uint32_t>(2 * 64 + 3 * 4, 0x1F0000FF);  // the key's colours, another alpha
        auto tables = std::make_shared<SamplerTables>();
        tables->keys[2] = {0xFE0000FE, 0xFF0001FF};
        auto state = std::make_shared<PipelineState>(*b.sender.state);
        state->sampler_tables = tables;
        b.sender.state = state;
        b.set_sampler(sampler_state::ChromaKeyEnable, 1);
        b.set_sampler(sampler_state::ChromaKeyIndex, 2);
        b.set_sampler(sampler_state::ChromaKeyMode, replaces);
        b.m.code = kUnormKill;
        b.m.du = 1.0f / 8;
        b.m.dv = 1.0f / 4;
        b.m.masked = 0xE;
        ASSERT_EQ(b.send_media(b.m), kOk) << b.report();
        EXPECT_EQ(load<std::uint32_t>(b.message.response[2].bytes),
                  replaces ? ~0u : ~(1u << 30 | 1u));
        EXPECT_EQ(b.message.response_enable[2], 0xFu);
        b.m.code = kUnorm;
        b.m.masked = 0x0;
        ASSERT_EQ(b.send_media(b.m), kOk);
        EXPECT_EQ(b.value(b.m, 2, 1, 0), replaces ? 0u : 0xFF00u);
        EXPECT_EQ(b.value(b.m, 3, 1, 0), replaces ? 0u : 0xFF00u);
    }
}

TEST(MediaUnorm, OneOfRedAndBlueLeavesTheOthersBytes) {
    GEN9_COVERS("SMP-239 SMP-258");
    Unorm b;
    b.m.form = 3;
    for (const unsigned masked : {0x1u, 0x4u, 0x5u}) {
        b.m.masked = masked;
        ASSERT_EQ(b.send_media(b.m), kOk) << b.report();
        EXPECT_EQ(b.message.response_length, masked == 5 ? 2 : 3);
        if (masked == 5) continue;
        EXPECT_EQ(b.message.response_enable[0], masked == 1 ? 0x0000FFFFu : 0xFFFF0000u);
    }
}

/// A step of a texel is no reduction; a longer one takes the filter and the rounding of those.
TEST(MediaUnorm, StepsOfMoreThanATexelReduce) {
    GEN9_COVERS("SMP-231");
    Unorm b;
    for (unsigned y = 0; y < b.h; ++y)
        for (unsigned x = 0; x < b.w; ++x)
            b.put<std::uint32_t>(y * 128 + x * 4, x < 3 ? 0 : ~0u);
    const float texel = 1.0f / static_cast<float>(b.w);
    b.filters(0, 1);
    b.m.u = 3 * texel;
    b.m.du = texel;
    ASSERT_EQ(b.send_media(b.m), kOk);
    EXPECT_EQ(b.value(b.m, 1, 0, 0), 0x8000u);  // between texels 2 and 3
    b.m.du = 1.25f * texel;
    ASSERT_EQ(b.send_media(b.m), kOk);
    EXPECT_EQ(b.value(b.m, 1, 0, 0), 0xFF00u);  // texel 3
    // Three quarters of a 256th before texel 3: rounded, there.
    b.filters(1, 1);
    b.m.u = (3.5f - 0.25f / 256) * texel;
    for (const auto* rounding : {&sampler_state::UAddressMinFilterRoundingEnable,
                                 &sampler_state::UAddressMagFilterRoundingEnable})
        for (const bool reduces : {false, true}) {
            const bool min = rounding == &sampler_state::UAddressMinFilterRoundingEnable;
            b.set_sampler(sampler_state::UAddressMinFilterRoundingEnable, min);
            b.set_sampler(sampler_state::UAddressMagFilterRoundingEnable, !min);
            b.m.du = (reduces ? 1.25f : 1.0f) * texel;
            ASSERT_EQ(b.send_media(b.m), kOk);
            EXPECT_EQ(b.value(b.m, 1, 0, 0), min == reduces ? 0xFF00u : 0xFE00u) << min << reduces;
        }
}

TEST(MediaUnorm, EachIllegalSurfaceOrSamplerIsReported) {
    GEN9_COVERS("SMP-233 SMP-234 VME-84");
    struct Case {
        const char* what;
        void (*change)(Unorm&);
        MessageStatus status;
    };
    const Case cases[] = {
        {"nothing", [](Unorm&) {}, kOk},
        {"a volume", [](Unorm& b) { b.set(surface_state::SurfaceType, 2); }, kWrong},
        {"sixteen bits", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x10A); }, kWrong},
        {"ten bits", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x0C2); }, kWrong},
        {"floats", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x0D8); }, kWrong},
        {"no format", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x1FF); }, kWrong},
        {"levels", [](Unorm& b) { b.set(surface_state::MIPCountLOD, 1); }, kWrong},
        {"depth", [](Unorm& b) { b.set(surface_state::Depth, 1); }, kWrong},
        {"a least level", [](Unorm& b) { b.set(surface_state::SurfaceMinLOD, 1); }, kWrong},
        {"a resource's least level", [](Unorm& b) { b.set(surface_state::ResourceMinLOD, 1); },
         kWrong},
        {"a first slice", [](Unorm& b) { b.set(surface_state::MinimumArrayElement, 1); }, kWrong},
        {"samples", [](Unorm& b) { b.set(surface_state::NumberOfMultisamples, 1); }, kWrong},
        {"three columns", [](Unorm& b) { b.set(surface_state::Width, 2); }, kWrong},
        {"four columns", [](Unorm& b) { b.set(surface_state::Width, 3); }, kOk},
        {"three rows", [](Unorm& b) { b.set(surface_state::Height, 2); }, kWrong},
        {"an anisotropic filter", [](Unorm& b) { b.filters(2, 2); }, kWrong},
        {"two filters", [](Unorm& b) { b.filters(0, 1); }, kOk},
        {"levels' filter", [](Unorm& b) { b.filters(0, 0, 1); }, kWrong},
        {"wrapped", [](Unorm& b) { b.modes(0, 2, 2); }, kWrong},
        {"mirrored", [](Unorm& b) { b.modes(2, 1, 2); }, kWrong},
        {"a border", [](Unorm& b) { b.modes(4, 2, 2); }, kWrong},
        {"four columns a step", [](Unorm& b) { b.m.du = 4.0f / 32; }, kWrong},
        {"three columns a step", [](Unorm& b) { b.m.du = 3.0f / 32; }, kOk},
        {"three rows a step", [](Unorm& b) { b.m.dv = 3.0f / 16; }, kOk},
        {"four rows a step", [](Unorm& b) { b.m.dv = 4.0f / 16; }, kWrong},
        {"no number of a step", [](Unorm& b) { b.m.dv = std::numeric_limits<float>::quiet_NaN(); },
         kWrong},
        {"no number of a place", [](Unorm& b) { b.m.u = std::numeric_limits<float>::quiet_NaN(); },
         kOk},
        {"a short response", [](Unorm& b) { b.m.response = 6; }, kWrong},
        {"no response", [](Unorm& b) { b.m.response = 0; }, kWrong},
        {"all channels masked", [](Unorm& b) { b.m.masked = 15, b.m.response = 2; }, kWrong},
        {"turned", [](Unorm& b) { b.set(surface_state::RenderTargetAndSampleRotation, 2); },
         kMissing},
        {"deinterlacing, which Gen9 lacks", [](Unorm& b) { b.m.code = 8; }, kWrong},
    };
    for (const Case& test : cases) {
        Unorm b;
        test.change(b);
        EXPECT_EQ(b.send_media(b.m), test.status) << test.what << ": " << b.report();
        EXPECT_EQ(b.reporter.entries().size(), test.status == kOk ? 0u : 1u) << test.what;
    }
    // Nothing is sampled of no surface, or by a sampler that is switched off.
    Unorm b;
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_NULL);
    EXPECT_EQ(b.send_media(b.m), kOk) << b.report();
    EXPECT_EQ(b.value(b.m, 3, 2, 2), 0u);
}

}  // namespace
}  // namespace gen9::sampler::media
