// SPDX-License-Identifier: Apache-2.0
// The colour calculator against its rules, written once more for one pixel.
#include "pixel/color.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "pixel/alpha.h"
#include "tests/support/covers.h"

namespace gen9::pixel {
namespace {

using formats::Elements;
using formats::Format;
using formats::kLanes;
using formats::Lanes;
using Pixel = std::array<float, 4>;

constexpr unsigned kR8G8B8A8Unorm = 0x0C7, kR8G8B8A8Srgb = 0x0C8, kB5G6R5Unorm = 0x100,
                   kR10G10B10A2Unorm = 0x0C2, kR32G32B32A32Float = 0x000, kR8Unorm = 0x140,
                   kR16G16B16A16Float = 0x084, kR8G8B8A8Uint = 0x0CA;

const Format& format(unsigned code) {
    return *formats::find_format(code);
}

std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
Pixel pixel_of(const Lanes& lanes, unsigned n) {
    Pixel p;
    for (unsigned c = 0; c < 4; ++c)
        p[c] = std::bit_cast<float>(lanes.channel[c][n]);
    return p;
}
Lanes all(const Pixel& p) {
    Lanes lanes;
    for (unsigned c = 0; c < 4; ++c)
        lanes.channel[c].fill(bits_of(p[c]));
    return lanes;
}
Lanes random_lanes(std::mt19937& random, float least, float most) {
    std::uniform_real_distribution<float> number(least, most);
    Lanes lanes;
    for (auto& channel : lanes.channel)
        for (auto& value : channel)
            value = bits_of(number(random));
    return lanes;
}

/// The table of 003:16583-16606, row by row: the factor of channel `c`.
float factor_by_table(unsigned code, unsigned c, const Pixel& s, const Pixel& s1, const Pixel& d,
                      const Pixel& k) {
    switch (code) {
        case 0x01:
            return 1;
        case 0x02:
            return s[c];
        case 0x03:
            return s[3];
        case 0x04:
            return d[3];
        case 0x05:
            return d[c];
        case 0x06:
            return c == 3 ? 1 : std::fmin(1 - d[3], s[3]);
        case 0x07:
            return k[c];
        case 0x08:
            return k[3];
        case 0x09:
            return s1[c];
        case 0x0A:
            return s1[3];
        case 0x12:
            return 1 - s[c];
        case 0x13:
            return 1 - s[3];
        case 0x14:
            return 1 - d[3];
        case 0x15:
            return 1 - d[c];
        case 0x17:
            return 1 - k[c];
        case 0x18:
            return 1 - k[3];
        case 0x19:
            return 1 - s1[c];
        case 0x1A:
            return 1 - s1[3];
        default:
            return 0;
    }
}
float combine(unsigned function, float s, float d) {
    return function == 0   ? s + d
           : function == 1 ? s - d
           : function == 2 ? d - s
           : function == 3 ? std::fmin(s, d)
                           : std::fmax(s, d);
}
constexpr unsigned kFactors[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A,
                                 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x18, 0x19, 0x1A};

TEST(Blend, HasAllFactorsAndFunctions) {
    GEN9_COVERS("CC-16 CC-18 CC-19 CC-21 CC-22 CC-23");
    std::mt19937 random(5);
    const Pixel k{0.25f, -0.5f, 0.75f, 0.375f};
    for (const unsigned sf : kFactors)
        for (const unsigned df : kFactors)
            for (unsigned f = 0; f < 5; ++f) {
                const Lanes s = random_lanes(random, -1, 2), s1 = random_lanes(random, 0, 1),
                            d = random_lanes(random, -1, 2);
                const unsigned f_alpha = (f + sf) % 5;
                const BlendTerms color{Factor(sf), Factor(df), Function(f)};
                const BlendTerms alpha{Factor(df), Factor(sf), Function(f_alpha)};
                Lanes result = s;
                blend(color, alpha, result, s1, d, k);
                for (unsigned n = 0; n < kLanes; ++n)
                    for (unsigned c = 0; c < 4; ++c) {
                        const Pixel sp = pixel_of(s, n), s1p = pixel_of(s1, n), dp = pixel_of(d, n);
                        const unsigned a = c == 3 ? df : sf, b = c == 3 ? sf : df;
                        const float left = sp[c] * factor_by_table(a, c, sp, s1p, dp, k);
                        const float right = dp[c] * factor_by_table(b, c, sp, s1p, dp, k);
                        ASSERT_EQ(pixel_of(result, n)[c],
                                  combine(c == 3 ? f_alpha : f, left, right))
                            << sf << ' ' << df << ' ' << f << " channel " << c;
                    }
            }
}

/// BLEND_STATE with one entry.
std::vector<std::uint32_t> blend_state(std::uint32_t header, std::uint32_t low,
                                       std::uint32_t high) {
    return {header, low, high};
}
std::array<std::uint32_t, 6> calc_state(bool float32, std::uint32_t reference,
                                        const Pixel& k = {}) {
    return {float32 ? 1u : 0u, reference,     bits_of(k[0]),
            bits_of(k[1]),     bits_of(k[2]), bits_of(k[3])};
}

TEST(ColorState, IsReadFromMemory) {
    GEN9_COVERS("CC-12 CC-28 CC-29");
    std::vector<std::uint32_t> dwords = blend_state(
        1u << 31 | 1u << 30 | 1u << 29 | 1u << 27 | 5u << 24 | 1u << 23 | 2u << 21 | 1u << 19, 0,
        0);
    // The second entry, by the bits of 004.
    dwords.push_back(1u << 31 | 0x13u << 26 | 0x06u << 21 | 2u << 18 | 0x1Au << 13 | 0x04u << 8 |
                     3u << 5 | 1u << 3 | 1u << 1);
    dwords.push_back(1u << 31 | 9u << 27 | 1u << 4 | 1u << 2 | 1u << 1 | 1u);
    const auto calc = calc_state(false, 0x1180, {1, 2, 3, 4});
    const ColorState s = read_color_state(dwords, calc);
    EXPECT_TRUE(s.alpha_to_coverage && s.independent_alpha && s.alpha_to_one && s.alpha_test);
    EXPECT_EQ(s.alpha_function, Compare::Greater);
    EXPECT_TRUE(s.dither);
    EXPECT_EQ(s.dither_x, 2);
    EXPECT_EQ(s.dither_y, 1);
    EXPECT_TRUE(s.alpha_unorm8);
    EXPECT_EQ(s.alpha_reference, 0x80u);
    EXPECT_EQ(s.constant, (Pixel{1, 2, 3, 4}));
    const TargetState& t = s.target[1];
    EXPECT_TRUE(t.blend && t.logic && t.clamp_before && t.clamp_after && t.clamp_source_only);
    EXPECT_EQ(t.color, (BlendTerms{Factor::InverseSourceAlpha, Factor::SourceAlphaSaturate,
                                   Function::ReverseSubtract}));
    EXPECT_EQ(t.alpha,
              (BlendTerms{Factor::InverseSource1Alpha, Factor::DestinationAlpha, Function::Min}));
    EXPECT_EQ(t.logic_op, LogicOp::Equivalent);
    EXPECT_EQ(t.range, ClampRange::Snorm);
    EXPECT_EQ(t.writes, 0b0101);
    EXPECT_FALSE(s.target[0].blend);
    EXPECT_FALSE(s.target[7].blend) << "an entry that is missing";
    EXPECT_EQ(read_color_state({}, {}).target[0].color.source, Factor::Zero);
    // Worked example 25.8 of 3d-settled: the default of both drivers dithers and tests no alpha.
    const ColorState usual = read_color_state(blend_state(0x01800000, 0, 0), calc);
    EXPECT_TRUE(usual.dither);
    EXPECT_FALSE(usual.alpha_to_coverage || usual.independent_alpha || usual.alpha_to_one ||
                 usual.alpha_test);
    EXPECT_EQ(usual.dither_x + usual.dither_y, 0);
}

/// One row through a target whose memory begins as `before`.
std::vector<std::uint8_t> drawn(const Format& f, const ColorState& state, const Lanes& source,
                                std::vector<std::uint8_t> memory, const Lanes& source1 = {},
                                const PixelPlaces& places = {}) {
    const ColorTarget target(f, formats::kPlainSelects, state, 0);
    Elements elements;
    target.codec().transfer().load(memory.data(), kLanes, elements);
    Lanes work = source;
    target.calculate(work, source1, elements, places);
    target.codec().transfer().store(elements, target.mask(), formats::kAllLanes, memory.data());
    return memory;
}
std::vector<std::uint8_t> random_bytes(std::mt19937& random, const Format& f) {
    std::vector<std::uint8_t> bytes(f.bytes() * kLanes);
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
    return bytes;
}
std::uint32_t element(const std::vector<std::uint8_t>& memory, unsigned n, unsigned bytes) {
    std::uint32_t value = 0;
    for (unsigned b = 0; b < bytes; ++b)
        value |= std::uint32_t{memory[n * bytes + b]} << 8 * b;
    return value;
}

TEST(ColorTarget, WithoutBlendingKeepsFlatColors) {
    GEN9_COVERS("CC-13");
    for (unsigned k = 0; k < 256; ++k) {
        const float value = static_cast<float>(k) / 255.0f;
        const auto memory = drawn(format(kR8G8B8A8Unorm), {}, all({value, 1 - value, value, 1}),
                                  std::vector<std::uint8_t>(4 * kLanes));
        ASSERT_EQ(element(memory, 3, 4), k | (255 - k) << 8 | k << 16 | 0xFF000000u);
    }
}

TEST(ColorTarget, BlendsOnlyWhatCanBlend) {
    GEN9_COVERS("CC-13 CC-15 CC-50");
    ColorState state;
    state.target[0].blend = true;
    state.target[0].color = {Factor::Zero, Factor::One, Function::Add};
    std::mt19937 random(9);
    unsigned blending = 0, other = 0;
    for (const Format& f : formats::formats()) {
        if (!f.supports(formats::kRenderTarget) || f.coding != formats::Coding::Plain) continue;
        const formats::Codec codec(f);
        if (!codec.encodes() || !codec.decodes()) continue;
        const ColorTarget target(f, formats::kPlainSelects, state, 0);
        EXPECT_EQ(target.reads_destination(), f.supports(formats::kBlend)) << f.name;
        // Values that the format has: the destination stays, or else the source is stored.
        Elements before, plain;
        const Lanes bright = random_lanes(random, 0, 1), dark = random_lanes(random, 0, 1);
        codec.encode(dark, before);
        codec.encode(bright, plain);
        Lanes work = bright;
        Elements after = before;
        target.calculate(work, {}, after, {});
        const auto& expected = f.supports(formats::kBlend) ? before : plain;
        for (unsigned w = 0; w < (f.bytes() + 3) / 4; ++w)
            EXPECT_EQ(after.word[w], expected.word[w]) << f.name;
        ++(f.supports(formats::kBlend) ? blending : other);
    }
    EXPECT_GT(blending, 20u);
    EXPECT_GT(other, 20u);
}

TEST(ColorTarget, BlendsUnorm8WithinAStep) {
    GEN9_COVERS("CC-02 CC-17 CC-24");
    std::mt19937 random(11);
    ColorState state;
    state.target[0].blend = true;
    state.target[0].color = {Factor::SourceAlpha, Factor::InverseSourceAlpha, Function::Add};
    const auto before = random_bytes(random, format(kR8G8B8A8Unorm));
    const Lanes source = random_lanes(random, 0, 1);
    const auto after = drawn(format(kR8G8B8A8Unorm), state, source, before);
    for (unsigned n = 0; n < kLanes; ++n)
        for (unsigned c = 0; c < 4; ++c) {
            const Pixel s = pixel_of(source, n);
            const double sum = double{s[c]} * s[3] + before[4 * n + c] / 255.0 * (1.0 - s[3]);
            EXPECT_NEAR(after[4 * n + c], sum * 255, 0.5 + 1e-4);
        }
    // A target without alpha reads it as 1.
    state.target[0].color = {Factor::DestinationAlpha, Factor::Zero, Function::Add};
    EXPECT_EQ(drawn(format(kR8Unorm), state, all({1, 1, 1, 1}), std::vector<std::uint8_t>(16, 7)),
              std::vector<std::uint8_t>(16, 255));
    // More than the format holds.
    state.target[0].color = {Factor::One, Factor::One, Function::Add};
    EXPECT_EQ(
        drawn(format(kR8Unorm), state, all({0.8f, 0, 0, 0}), std::vector<std::uint8_t>(16, 200))[5],
        255);
}

TEST(ColorTarget, BlendsSrgbInLinearSpace) {
    GEN9_COVERS("CC-16 CC-27");
    ColorState state;
    state.target[0].blend = true;
    state.target[0].color = {Factor::ConstantColor, Factor::InverseConstantColor, Function::Add};
    state.constant.fill(0.5f);
    const std::vector<std::uint8_t> black(4 * kLanes);
    const auto after = drawn(format(kR8G8B8A8Srgb), state, all({1, 1, 1, 1}), black);
    // Half of the light: 1.055 * 0.5^(1/2.4) - 0.055; alpha has no curve.
    EXPECT_EQ(after[0], std::lround(255 * (1.055 * std::pow(0.5, 1 / 2.4) - 0.055)));
    EXPECT_EQ(after[3], 128);
}

TEST(ColorTarget, ClampsByItsRange) {
    GEN9_COVERS("CC-10 CC-11 CC-12 CC-24");
    const Format& f = format(kR32G32B32A32Float);
    const auto first = [&](const ColorState& state, const Pixel& source, float stored) {
        std::vector<std::uint8_t> memory(16 * kLanes);
        const std::uint32_t word = bits_of(stored);
        for (unsigned i = 0; i < memory.size(); ++i)
            memory[i] = static_cast<std::uint8_t>(word >> i % 4 * 8);
        return std::bit_cast<float>(element(drawn(f, state, all(source), memory), 0, 4));
    };
    ColorState state;
    TargetState& t = state.target[0];
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 0), 5) << "no clamp";
    t.clamp_before = true;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 0), 5) << "the format has no bounds";
    t.range = ClampRange::Unorm;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 0), 1);
    EXPECT_EQ(first(state, {-5, 0, 0, 0}, 0), 0);
    EXPECT_EQ(first(state, {std::numeric_limits<float>::quiet_NaN(), 0, 0, 0}, 0), 0);
    t.range = ClampRange::Snorm;
    EXPECT_EQ(first(state, {-5, 0, 0, 0}, 0), -1);
    t.clamp_after = true;
    EXPECT_EQ(first(state, {-0.5f, 0, 0, 0}, 0), -0.5f);
    // Blending: all are clamped, or the source alone.
    t.blend = true;
    t.clamp_after = false;
    t.color = {Factor::One, Factor::ConstantColor, Function::Add};
    state.constant.fill(3);
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 2), 2) << "1 + 1 * 1";
    t.clamp_source_only = true;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 2), 7) << "1 + 2 * 3";
    t.clamp_before = false;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 2), 7);
    t.clamp_source_only = false;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 2), 11);
    t.clamp_after = true;
    EXPECT_EQ(first(state, {5, 0, 0, 0}, 2), 1);
}

TEST(ColorTarget, ClampsSource1WithTheSource) {
    GEN9_COVERS("CC-11");
    ColorState state;
    state.target[0].blend = state.target[0].clamp_before = true;
    state.target[0].range = ClampRange::Unorm;
    state.target[0].color = {Factor::Source1Color, Factor::Zero, Function::Add};
    const auto after = drawn(format(kR32G32B32A32Float), state, all({0.5f, 1, 1, 1}),
                             std::vector<std::uint8_t>(16 * kLanes), all({4, 0.25f, 1, 1}));
    EXPECT_EQ(std::bit_cast<float>(element(after, 0, 4)), 0.5f);
    EXPECT_EQ(std::bit_cast<float>(element(after, 1, 4)), 0.25f);
}

TEST(ColorTarget, DoesLogicOnStoredBits) {
    GEN9_COVERS("CC-14 CC-15 CC-26");
    // By the names of 003:16643-16675.
    const auto by_name = [](unsigned op, std::uint32_t s, std::uint32_t d) -> std::uint32_t {
        switch (op) {
            case 0x0:
                return 0;
            case 0x1:
                return ~(s | d);
            case 0x2:
                return ~s & d;
            case 0x3:
                return ~s;
            case 0x4:
                return s & ~d;
            case 0x5:
                return ~d;
            case 0x6:
                return s ^ d;
            case 0x7:
                return ~(s & d);
            case 0x8:
                return s & d;
            case 0x9:
                return ~(s ^ d);
            case 0xA:
                return d;
            case 0xB:
                return ~s | d;
            case 0xC:
                return s;
            case 0xD:
                return s | ~d;
            case 0xE:
                return s | d;
            default:
                return ~0u;
        }
    };
    std::mt19937 random(3);
    for (const unsigned code : {kR8G8B8A8Unorm, kR8G8B8A8Srgb, kB5G6R5Unorm, kR10G10B10A2Unorm,
                                kR8G8B8A8Uint, kR32G32B32A32Float, kR16G16B16A16Float}) {
        const Format& f = format(code);
        const unsigned bytes = std::min(f.bytes(), 4u);
        for (unsigned op = 0; op < 16; ++op) {
            ColorState state;
            state.target[0].logic = true;
            state.target[0].blend = true;  // is not looked at
            state.target[0].color = {Factor::Zero, Factor::Zero, Function::Add};
            state.target[0].logic_op = LogicOp(op);
            const Lanes source =
                f.integer() ? all({3e-44f, 1e-43f, 1e-44f, 2e-44f}) : random_lanes(random, 0, 1);
            const auto before = random_bytes(random, f);
            const auto copied = drawn(f, {}, source, before);
            const auto after = drawn(f, state, source, before);
            const bool floats = code == kR32G32B32A32Float || code == kR16G16B16A16Float;
            if (floats) {
                EXPECT_EQ(after, copied) << f.name;
                continue;
            }
            for (unsigned n = 0; n < kLanes; ++n) {
                const std::uint32_t mask = bytes == 2 ? 0xFFFF : ~0u;
                ASSERT_EQ(element(after, n, bytes),
                          by_name(op, element(copied, n, bytes), element(before, n, bytes)) & mask)
                    << f.name << " op " << op;
            }
        }
    }
}

TEST(ColorTarget, WritesOnlyItsChannels) {
    GEN9_COVERS("CC-28");
    std::mt19937 random(17);
    struct Case {
        unsigned code;
        std::array<std::uint32_t, 4> channel;
    };
    for (const Case& c : {Case{kB5G6R5Unorm, {0xF800, 0x07E0, 0x001F, 0}},
                          Case{kR10G10B10A2Unorm, {0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000}}})
        for (unsigned channels = 0; channels < 16; ++channels) {
            const Format& f = format(c.code);
            ColorState state;
            state.target[0].writes = static_cast<std::uint8_t>(channels);
            const Lanes source = random_lanes(random, 0, 1);
            const auto before = random_bytes(random, f);
            const auto whole = drawn(f, {}, source, before);
            const auto after = drawn(f, state, source, before);
            std::uint32_t changed = 0;
            for (unsigned i = 0; i < 4; ++i)
                changed |= channels >> i & 1 ? c.channel[i] : 0;
            for (unsigned n = 0; n < kLanes; ++n)
                ASSERT_EQ(element(after, n, f.bytes()),
                          (element(before, n, f.bytes()) & ~changed) |
                              (element(whole, n, f.bytes()) & changed));
            EXPECT_EQ(ColorTarget(f, formats::kPlainSelects, state, 0).writes(), changed != 0);
        }
}

TEST(ColorTarget, SelectsExchangeChannels) {
    using formats::Select;
    const ColorTarget target(format(kR8G8B8A8Unorm),
                             {Select::Blue, Select::Green, Select::Red, Select::Alpha}, {}, 0);
    Elements elements{};
    Lanes source = all({1, 0.4f, 0, 0.2f});
    target.calculate(source, {}, elements, {});
    EXPECT_EQ(elements.word[0][0], 0x33FF6600u);
}

TEST(Dither, MovesOnlyBetweenNeighbouringCodes) {
    GEN9_COVERS("CC-25");
    ColorState state;
    state.dither = true;
    state.dither_x = 1;
    state.dither_y = 2;
    PixelPlaces square;
    for (unsigned n = 0; n < kLanes; ++n)
        square.x[n] = static_cast<std::uint16_t>(40 + n % 4),
        square.y[n] = static_cast<std::uint16_t>(8 + n / 4);
    const Format& f = format(kB5G6R5Unorm);
    const std::vector<std::uint8_t> black(2 * kLanes);
    for (unsigned k = 0; k < 32; ++k) {
        const float value = static_cast<float>(k) / 31.0f;
        const auto flat = drawn(f, state, all({value, 0, value, 1}), black, {}, square);
        for (unsigned n = 0; n < kLanes; ++n)
            ASSERT_EQ(element(flat, n, 2), k << 11 | k) << "a code stays itself";
    }
    // A 4 x 4 square takes the higher code in as many places as the fraction has sixteenths.
    for (unsigned part = 0; part <= 16; ++part) {
        const float value = (10 + static_cast<float>(part) / 16) / 31;
        const auto mixed = drawn(f, state, all({value, 0, 0, 1}), black, {}, square);
        unsigned higher = 0;
        for (unsigned n = 0; n < kLanes; ++n) {
            const std::uint32_t code = element(mixed, n, 2) >> 11;
            ASSERT_TRUE(code == 10 || code == 11);
            higher += code == 11;
        }
        EXPECT_EQ(higher, part);
    }
    // The place with the offsets added is 1, 2: its threshold is the third lowest of all... of 16.
    const auto at_origin = drawn(f, state, all({10.6f / 31, 0, 0, 1}), black, {}, {});
    EXPECT_EQ(element(at_origin, 0, 2) >> 11, 11u) << "threshold 11 of row 2, column 1";
    const auto lower = drawn(f, state, all({10.2f / 31, 0, 0, 1}), black, {}, {});
    EXPECT_EQ(element(lower, 0, 2) >> 11, 10u);
    // Eight bits and more are rounded, and so is everything if the machine does not dither.
    const auto wide = drawn(format(kR8G8B8A8Unorm), state, all({0.3f, 0.7f, 0.1f, 0.5f}),
                            std::vector<std::uint8_t>(4 * kLanes), {}, square);
    EXPECT_EQ(wide, drawn(format(kR8G8B8A8Unorm), {}, all({0.3f, 0.7f, 0.1f, 0.5f}),
                          std::vector<std::uint8_t>(4 * kLanes)));
}

TEST(Alpha, CoversAShareOfTheSamples) {
    GEN9_COVERS("CC-03");
    for (const unsigned samples : {2u, 4u, 8u, 16u}) {
        unsigned before = 0;
        for (unsigned step = 0; step <= 16; ++step) {
            const float alpha = static_cast<float>(step) / 16;
            const unsigned mask = alpha_coverage(alpha, samples);
            EXPECT_EQ(mask >> samples, 0u);
            EXPECT_GE(std::popcount(mask), std::popcount(before)) << "more alpha covers no less";
            if (samples == 16) {
                EXPECT_EQ(std::popcount(mask), static_cast<int>(step));
            }
            before = mask;
        }
        EXPECT_EQ(alpha_coverage(0, samples), 0);
        EXPECT_EQ(alpha_coverage(7, samples), (1u << samples) - 1);
        EXPECT_EQ(alpha_coverage(-1, samples), 0);
        EXPECT_EQ(alpha_coverage(std::numeric_limits<float>::quiet_NaN(), samples), 0);
    }
    EXPECT_EQ(std::popcount(static_cast<unsigned>(alpha_coverage(0.5f, 4))), 2);
    EXPECT_EQ(alpha_coverage(0, 1), 1) << "a single sample is left alone";
    SampleMasks masks;
    masks.fill(0b0110);
    AlphaRow row{};
    row[3] = bits_of(1);
    alpha_to_coverage(row, 4, masks);
    EXPECT_EQ(masks[2], 0);
    EXPECT_EQ(masks[3], 0b0110);
}

TEST(Alpha, MaskOfTheShaderWins) {
    GEN9_COVERS("CC-06");
    ColorState state;
    EXPECT_FALSE(covers_by_alpha(state, false, false));
    state.alpha_to_coverage = true;
    EXPECT_TRUE(covers_by_alpha(state, false, false));
    EXPECT_FALSE(covers_by_alpha(state, true, false));
    EXPECT_FALSE(covers_by_alpha(state, false, true));
}

TEST(Alpha, ToOneReplacesTheSourceAlpha) {
    GEN9_COVERS("CC-05");
    ColorState state;
    state.alpha_to_one = true;
    const auto memory = drawn(format(kR8G8B8A8Unorm), state, all({0, 0, 0, 0.25f}),
                              std::vector<std::uint8_t>(4 * kLanes));
    EXPECT_EQ(memory[3], 255);
}

TEST(Alpha, IsTestedInItsFormat) {
    GEN9_COVERS("CC-07 CC-08 DZ-36");
    AlphaRow row{};
    const float values[] = {0, 0.2f, 0.5f, 0.501f, 1, std::numeric_limits<float>::quiet_NaN()};
    for (unsigned n = 0; n < 6; ++n)
        row[n] = bits_of(values[n]);
    ColorState state;
    EXPECT_EQ(alpha_test(state, row), formats::kAllLanes) << "off";
    state.alpha_test = true;
    state.alpha_reference = bits_of(0.5f);
    const auto passed = [&](Compare function) {
        state.alpha_function = function;
        return alpha_test(state, row) & 0x3F;
    };
    EXPECT_EQ(passed(Compare::Always), 0b111111u);
    EXPECT_EQ(passed(Compare::Never), 0u);
    EXPECT_EQ(passed(Compare::Less), 0b000011u);
    EXPECT_EQ(passed(Compare::Equal), 0b000100u);
    EXPECT_EQ(passed(Compare::LessEqual), 0b000111u);
    EXPECT_EQ(passed(Compare::Greater), 0b011000u);
    EXPECT_EQ(passed(Compare::NotEqual), 0b111011u);
    EXPECT_EQ(passed(Compare::GreaterEqual), 0b011100u);
    // As bytes both 0.5 and 0.501 are 128.
    state.alpha_unorm8 = true;
    state.alpha_reference = 128;
    EXPECT_EQ(passed(Compare::Equal), 0b001100u);
}

}  // namespace
}  // namespace gen9::pixel
