// SPDX-License-Identifier: Apache-2.0
// ld messages, gather4 and questions: for which surfaces they are legal and what they return.
#include <gtest/gtest.h>
#include <bit>

#include <cmath>

#include "tests/unit/sampler/rules.h"

namespace gen9::sampler {
namespace {
using namespace rules;

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
    // The slice of a line stands in place of v. QPitch counts fours of a line's texels (Public: mesa
    // isl); lines without an array have one slice.
    Levels lines;
    lines.shape(surface_state::SURFTYPE_1D, kR32Float, 4, 1, 3, 16);
    lines.set(surface_state::MIPCountLOD, 0);
    lines.set(surface_state::SurfaceQPitch, 1);
    for (unsigned slice = 0; slice < 3; ++slice)
        lines.put(slice * 4 * 4, static_cast<float>(10 + slice));
    for (const bool array : {true, false}) {
        lines.set(surface_state::SurfaceArray, array);
        for (unsigned slice = 0; slice < 3; ++slice)
            EXPECT_EQ(lines.red(kLd, {kZero, all_of(slice), kZero, all_of(2 - slice)}),
                      array ? 10 + slice : 10)
                << slice;
    }
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
        // The auxiliary surface's own QPitch lies between its slices: 12 rows. The third slice
        // from the second on begins at row 36: this is row 39, in the second row of tiles.
        b.set(surface_state::SurfaceArray, 1);
        b.set(surface_state::Depth, 2);
        b.set(surface_state::MinimumArrayElement, 1);
        b.set(surface_state::AuxiliarySurfaceQPitch, 3);
        b.put<std::uint8_t>(at + 2 * 4096 + (39 - 32 - 3) * 16, 0x99);
        EXPECT_EQ(b.send(kLdMcs, {x, y, all_of(2)}).bits[0][0] & 0xFF, 0x99u) << "the third";
        EXPECT_EQ(b.send(kLdMcs, {x, y, all_of(3)}).integers(), (Info{})) << "there are three";
        b.set(surface_state::SurfaceArray, 0);
        b.type(surface_state::SURFTYPE_3D);
        EXPECT_EQ(mcs(), (Info{}));
    }
    Multisampled one(0);
    one.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
    EXPECT_EQ(one.send(kLdMcs, {x, y}).integers(), (std::array<std::uint32_t, 4>{}));
}

// 003:4196 has R and G in 512 or 1024 bits. Mesa's drivers ask for four channels.
TEST(Rules, ControlValuesAreTwoChannelsOrThoseOfTheHeader) {
    GEN9_COVERS("SMP-156");
    Multisampled b(4);
    b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
    b.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
    b.put<std::uint64_t>(0x10000, 0x1122334455667788);
    const std::uint32_t channels[] = {0x55667788, 0x11223344, 0, 0};
    for (const unsigned simd : {1u, 2u})
        for (const bool header : {false, true})
            for (unsigned masked = 0; masked < (header ? 15 : 1); ++masked)
                for (unsigned registers = 1; registers <= 4; ++registers) {
                    Bench::Options o;
                    o.simd = simd;
                    o.header = header;
                    o.header2 = masked << 12;
                    o.response = static_cast<int>(registers * simd);
                    b.send(kLdMcs, {kZero, kZero}, o);
                    std::vector<std::uint32_t> wanted;
                    for (unsigned c = 0; c < 4; ++c)
                        if (header ? !(masked >> c & 1) : c < registers)
                            wanted.push_back(channels[c]);
                    if (wanted.size() != registers && registers == 2)
                        wanted.assign(channels, channels + 2);
                    if (wanted.size() != registers) {
                        EXPECT_EQ(b.message.status, kRefused) << masked << ' ' << registers;
                        continue;
                    }
                    EXPECT_EQ(b.message.status, kOk) << masked << ' ' << registers;
                    for (unsigned r = 0; r < registers * simd; ++r) {
                        EXPECT_EQ(load<std::uint32_t>(b.message.response[r].bytes + 28),
                                  wanted[r / simd])
                            << masked << ' ' << registers;
                        EXPECT_EQ(b.message.response_enable[r], ~0u);
                    }
                }
    // Of 16-bit results and of other messages the length is that of the header's channels.
    Bench::Options o;
    o.response = 2;
    EXPECT_EQ(b.status(kLd2dms, zeros(4), o), kRefused);
    o.half = true;
    EXPECT_EQ(b.status(kLdMcs, zeros(2), o), kRefused);
    // A mask of pixels comes behind them.
    o.half = false;
    o.response = 3;
    o.header2 = 1 << 23;
    EXPECT_EQ(b.send(kLdMcs, {kZero, kZero}, o).bits[1][0], 0x11223344u);
    EXPECT_EQ(load<std::uint32_t>(b.message.response[2].bytes), ~0u);
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

// CC-33; Public: mesa isl (ccs.rst): an element of 3 says that its block of pixels is clear, 1 and
// 2 that it is compressed. A buffer of hierarchical depth says nothing.
TEST(Rules, ClearBlocksHaveTheClearColour) {
    constexpr float kClear = 7.5f;
    const auto params = std::vector{all(3.5f / 16), all(2.5f / 16)};
    for (const unsigned element : {0u, 1u, 2u, 3u}) {
        Levels b;
        b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
        b.set(surface_state::RedClearColor, std::bit_cast<std::uint32_t>(kClear));
        for (unsigned i = 0; i < 4096; ++i)
            b.put<std::uint8_t>(0x10000 + i, static_cast<std::uint8_t>(0x55 * element));
        for (const auto mode : {surface_state::AUX_CCS_D, surface_state::AUX_CCS_E}) {
            b.set(surface_state::AuxiliarySurfaceMode, mode);
            EXPECT_EQ(b.red(kSampleLz, params), element == 3 ? kClear : Levels::texel(0, 3, 2));
            EXPECT_EQ(b.reporter.not_modelled_uses() != 0, element == 1 || element == 2);
        }
        for (const auto mode : {surface_state::AUX_HIZ, surface_state::AUX_APPEND}) {
            b.set(surface_state::AuxiliarySurfaceMode, mode);
            EXPECT_EQ(b.red(kSampleLz, params), Levels::texel(0, 3, 2));
        }
    }
}

}  // namespace
}  // namespace gen9::sampler
