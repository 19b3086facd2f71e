// SPDX-License-Identifier: Apache-2.0
// What the sampler's own state commands set: chroma keys, palettes, the monochrome filter.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

constexpr unsigned kMono8 = 0x18E, kR1 = 0x181;

struct Tabled : Bench {
    SamplerTables tables;
    /// A linear 2D surface.
    void image(unsigned format, unsigned width, unsigned height = 4, unsigned pitch = 64) {
        shape(surface_state::SURFTYPE_2D, format, width, height, 1, pitch);
        set_sampler(sampler_state::NonnormalizedCoordinateEnable, 1);
    }
    void key(unsigned index, std::uint32_t low, std::uint32_t high, bool replaces) {
        tables.keys[index] = {low, high};
        set_sampler(sampler_state::ChromaKeyEnable, 1);
        set_sampler(sampler_state::ChromaKeyIndex, index);
        set_sampler(sampler_state::ChromaKeyMode, replaces);
    }
    Answer at(float u, float v = 0.5f, unsigned code = kSampleLz) {
        auto state = std::make_shared<PipelineState>(*sender.state);
        state->sampler_tables = std::make_shared<SamplerTables>(tables);
        sender.state = state;
        if (code == kLdLz) return send(code, {all_of(static_cast<unsigned>(u)), all_of(0)});
        return send(code, {all(u), all(v)});
    }
    /// Is the pixel that is sampled there taken away?
    bool killed(float u, float v = 0.5f) {
        const Answer answer = at(u, v, kKillPix);
        EXPECT_EQ(answer.status, MessageStatus::Ok);
        const auto mask = load<std::uint32_t>(message.response[4].bytes);
        EXPECT_TRUE(mask == 0xFFFFFF00 || mask == ~0u) << std::hex << mask;
        return mask != ~0u;
    }
};
constexpr unsigned kBgra8 = 0x0C0;
using Color = std::array<float, 4>;

TEST(ChromaKey, MatchesWhereAllFourChannelsLieWithinTheRange) {
    GEN9_COVERS("SMP-49");
    Tabled b;
    b.image(kBgra8, 8);
    b.key(2, 0x40201008, 0x60402010, false);
    for (const unsigned low : {0u, 8u, 16u, 24u}) {  // a channel's place in key and texel
        const unsigned first = 0x40201008u >> low & 255, last = 0x60402010u >> low & 255;
        for (const auto& [value, inside] : {std::pair{first - 1, false},
                                            {first, true},
                                            {(first + last) / 2, true},
                                            {last, true},
                                            {last + 1, false}}) {
            b.put(0, (0x40201008u & ~(255u << low)) | value << low);
            EXPECT_EQ(b.killed(0.5f), inside) << low << " " << value;
        }
    }
    b.put(0, 0x40201008u);
    for (unsigned index = 0; index < 4; ++index) {
        b.set_sampler(sampler_state::ChromaKeyIndex, index);
        EXPECT_EQ(b.killed(0.5f), index == 2) << "the sampler names the key";
    }
    b.set_sampler(sampler_state::ChromaKeyIndex, 2);
    b.set_sampler(sampler_state::ChromaKeyEnable, 0);
    EXPECT_FALSE(b.killed(0.5f));
}

// The PRM's table of output channels; which column its cells belong to is the guide's (3.6).
TEST(ChromaKey, IsForTheFormatsThatTheTableNames) {
    GEN9_COVERS("SMP-49");
    const std::vector<unsigned> wanted = {0x0C0, 0x0E9, 0x100, 0x102, 0x104, 0x107,
                                          0x114, 0x119, 0x11A, 0x140, 0x144, 0x146,
                                          0x182, 0x183, 0x186, 0x187, 0x188};
    std::vector<unsigned> found;
    Tabled b;
    b.image(kBgra8, 8);
    b.key(0, 0x00000000, 0xFF7F7F7F, false);  // zeros lie in it, be they signed or not
    for (unsigned format = 0; format < 512; ++format) {
        b.set(surface_state::SurfaceFormat, format);
        if (b.at(0.5f, 0.5f, kKillPix).status == MessageStatus::Ok && b.killed(0.5f))
            found.push_back(format);
    }
    EXPECT_EQ(found, wanted);
}

TEST(ChromaKey, OfFormatsOfFewerBitsAndWithSigns) {
    GEN9_COVERS("SMP-49");
    Tabled b;
    b.image(0x107, 8);  // R8G8_SNORM: B is 0, A 1
    b.key(0, 0xFF80F000, 0xFFFF0800, false);
    for (const auto& [r, g, inside] : {std::tuple{-128, -16, true},
                                       {-1, 8, true},
                                       {0, 0, false},
                                       {-1, -17, false},
                                       {-1, 9, false}}) {
        b.put(0, static_cast<std::int8_t>(r));
        b.put(1, static_cast<std::int8_t>(g));
        EXPECT_EQ(b.killed(0.5f), inside) << r << " " << g;
    }
    b.image(0x100, 8);  // B5G6R5: 8 of 31 is 65.8 of 255
    for (const auto& [low, inside] : {std::pair{66u, true}, {67u, false}}) {
        b.put<std::uint16_t>(0, 8 << 11);
        b.key(0, 0xFF000000 | low << 16, 0xFFFF0000, false);
        EXPECT_EQ(b.killed(0.5f), inside) << low;
    }
}

TEST(ChromaKey, KillsWhereAnyTexelThatContributesMatchesAndLeavesTheColour) {
    GEN9_COVERS("SMP-50");
    Tabled b;
    b.image(kBgra8, 8);
    b.put(0, 0xFF0000FFu);
    b.put(4, 0xFF000000u);
    b.put(8, 0xFF000000u);
    b.filters(1, 1);
    b.key(0, 0xFF0000FF, 0xFF0000FF, false);
    EXPECT_TRUE(b.killed(0.75f));
    EXPECT_EQ(b.at(0.75f).color(), (Color{0, 0, 0.75f, 1}));
    EXPECT_TRUE(b.killed(1.25f));
    EXPECT_FALSE(b.killed(1.5f)) << "the texel beside it does not contribute";
    EXPECT_FALSE(b.killed(2));
    // Pixel by pixel.
    auto places = all(2);
    places[3] = f(0.5f);
    b.send(kKillPix, {places, all(0.5f)});
    EXPECT_EQ(load<std::uint32_t>(b.message.response[4].bytes), 0xFFFFFFF7u);
    // The border is no texel of the map.
    b.modes(4, 4, 4);
    b.border({0, 0, f(1), f(1)});
    EXPECT_FALSE(b.killed(-3));
}

TEST(ChromaKey, ReplacesTexelsByBlackBeforeTheFilter) {
    GEN9_COVERS("SMP-50");
    for (const bool by_lines : {false, true}) {
        Tabled b;
        b.by_lines = by_lines;
        b.image(kBgra8, 8);
        b.put(0, 0xFF00FFFFu);
        b.put(4, 0xFFFF0000u);
        b.filters(1, 1);
        b.key(1, 0x8000FFFF, 0xFF00FFFF, true);
        EXPECT_EQ(b.at(0.5f).color(), (Color{0, 0, 0, 0}));
        EXPECT_EQ(b.at(1.25f).color(), (Color{0.75f, 0, 0, 0.75f}));
        EXPECT_EQ(b.at(1.5f).color(), (Color{1, 0, 0, 1}));
        EXPECT_FALSE(b.killed(0.5f));
        // Black of YCrCb has values of its own, and its alpha is 0.
        b.image(0x182, 8);
        b.put(0, 0x20304050u);
        b.tables.keys[1] = {0, ~0u};
        EXPECT_EQ(b.at(0.5f).color(), (Color{128 / 255.0f, 16 / 255.0f, 128 / 255.0f, 0}));
    }
}

TEST(Palette, GivesTheColourOfAnIndexAndTexelsMayHaveTheirOwnAlpha) {
    GEN9_COVERS("SMP-56");
    struct Form {
        unsigned formats[2];
        unsigned index_low, index_bits, alpha_low, alpha_bits;
    };
    // The first named lies in the lowest bits (Public: mesa isl format layouts).
    constexpr Form kForms[] = {{{0x10F, 0x110}, 8, 8, 0, 8}, {{0x122, 0x123}, 0, 8, 8, 8},
                               {{0x147, 0x14E}, 0, 4, 4, 4}, {{0x148, 0x14F}, 4, 4, 0, 4},
                               {{0x14B, 0x14D}, 0, 8, 0, 0}, {{0x184, 0x185}, 0, 2, 0, 0}};
    const auto entry = [](unsigned palette, unsigned index) {
        return index * 0x0102'0305u + palette * 0x6070'8090u + 7;
    };
    for (const Form& form : kForms)
        for (unsigned palette = 0; palette < 2; ++palette)
            for (const unsigned code : {unsigned{kSampleLz}, unsigned{kLdLz}}) {
                Tabled b;
                for (unsigned n = 0; n < 256; ++n)
                    for (unsigned p = 0; p < 2; ++p)
                        b.tables.palettes[p][n] = entry(p, n);
                b.image(form.formats[palette], 8);
                for (unsigned n = 0; n<1u << form.index_bits; n += form.index_bits> 4 ? 17 : 1) {
                    const unsigned alpha = (n * 7 + 3) & ((1u << form.alpha_bits) - 1);
                    const unsigned word = n << form.index_low | alpha << form.alpha_low;
                    const bool pairs = form.index_bits == 2;
                    const unsigned at = pairs ? 3 : 0;  // the fourth of a byte
                    b.put(0, static_cast<std::uint16_t>(pairs ? word << 6 : word));
                    const std::uint32_t color = entry(palette, n);
                    const auto byte = [&](unsigned low) {
                        return static_cast<float>(color >> low & 255) / 255;
                    };
                    const float a = form.alpha_bits
                                        ? static_cast<float>(alpha) /
                                              static_cast<float>((1u << form.alpha_bits) - 1)
                                        : byte(24);
                    EXPECT_EQ(b.at(static_cast<float>(at) + (code == kLdLz ? 0 : 0.5f), 0.5f, code)
                                  .color(),
                              (Color{byte(16), byte(8), byte(0), a}))
                        << std::hex << form.formats[palette] << " " << n;
                }
            }
}

// Each stage's order is seen where the other order would give another value.
TEST(Stages, ComeBeforeTheFilter) {
    GEN9_COVERS("SMP-01");
    const auto half = [](Tabled& b) {
        b.filters(1, 1);
        return b.at(1).number(0, 0);
    };
    Tabled palette;  // colours are filtered, not indices
    palette.tables.palettes[0][0] = palette.tables.palettes[0][2] = 0xFF000000;
    palette.tables.palettes[0][1] = 0xFFFF0000;
    palette.image(0x14B, 8);
    palette.put<std::uint16_t>(0, 0x0200);
    EXPECT_EQ(half(palette), 0);
    Tabled key;  // the mean of the texels would lie in the key's range
    key.image(kBgra8, 8);
    key.put(0, 0xFFFF0000u);
    key.put(4, 0xFF000000u);
    key.key(0, 0xFF600000, 0xFFA00000, true);
    EXPECT_EQ(half(key), 0.5f);
    Tabled shadow;  // the mean of 0 and 1 is less than 0.75; only one of the texels is
    shadow.image(0x0D8, 8);
    shadow.put(4, 1.0f);
    shadow.filters(1, 1);
    shadow.set_sampler(sampler_state::ShadowFunction, 2);
    EXPECT_EQ(shadow.send(kSampleCLz, {all(0.75f), all(1), all(0.5f)}).number(0, 0), 0.5f);
    Tabled srgb;  // the curve of the mean would be 0.21
    srgb.image(0x0C8, 8);
    srgb.put(4, 0xFFFFFFFFu);
    EXPECT_EQ(half(srgb), 0.5f);
    Tabled block;  // white and black of a block
    block.image(0x186, 8);
    block.put<std::uint64_t>(0, 0x0000'0001'0000'FFFFull);
    EXPECT_EQ(half(block), 0.5f);
}

TEST(Mono, TexelsAreBitsTheFirstInTheLowest) {
    Tabled b;
    b.put<std::uint16_t>(64, 0x8142);
    for (const unsigned format : {kMono8, kR1}) {
        b.image(format, 16);
        for (unsigned x = 0; x < 16; ++x) {
            const float bit = 0x8142 >> x & 1 ? 1.0f : 0.0f;
            const Color wanted = format == kR1 ? Color{bit, 0, 0, 1} : Color{bit, bit, bit, bit};
            EXPECT_EQ(b.at(static_cast<float>(x) + 0.5f, 1.5f).color(), wanted) << x;
        }
    }
}

/// The PRM's sum (003:3252-3264), term by term.
double mono_sum(const std::function<int(int, int)>& texel, double u, double v, int nu, int nv) {
    const double uf = u - nu / 2.0, vf = v - nv / 2.0;
    const int x = static_cast<int>(std::floor(uf)), y = static_cast<int>(std::floor(vf));
    const double bu = uf - x, bv = vf - y;
    const auto box = [&](int i0, int j0) {
        int sum = 0;
        for (int i = i0; i < i0 + nu; ++i)
            for (int j = j0; j < j0 + nv; ++j)
                sum += texel(x + i, y + j);
        return sum;
    };
    return ((1 - bu) * (1 - bv) * box(0, 0) + bu * (1 - bv) * box(1, 0) +
            (1 - bu) * bv * box(0, 1) + bu * bv * box(1, 1)) /
           (nu * nv);
}

TEST(Mono, TheFilterIsFourShiftedBoxesBlended) {
    GEN9_COVERS("SMP-33");
    constexpr int kWidth = 32, kHeight = 16, kPitch = 64;
    std::mt19937 random(33);
    Tabled b;
    b.image(kMono8, kWidth, kHeight, kPitch);
    b.filters(6, 6);
    for (unsigned i = 0; i < kHeight * kPitch; ++i)
        b.put(i, static_cast<std::uint8_t>(random()));
    b.border({f(1), f(1), f(1), f(1)});
    const auto inside = [&](int x, int y) {
        return *b.memory.at(Bench::kTexels + static_cast<unsigned>(y * kPitch + x / 8)) >> x % 8 &
               1;
    };
    for (const unsigned mode : {2u, 0u, 4u}) {  // clamped, repeated, bordered by 0
        b.modes(mode, mode, mode);
        const auto texel = [&](int x, int y) {
            const bool outside = x < 0 || y < 0 || x >= kWidth || y >= kHeight;
            if (mode == 4 && outside) return 0;
            if (mode == 0) return inside((x + 4 * kWidth) % kWidth, (y + 4 * kHeight) % kHeight);
            return inside(std::clamp(x, 0, kWidth - 1), std::clamp(y, 0, kHeight - 1));
        };
        for (int nu = 1; nu <= 7; ++nu)
            for (int nv = 1; nv <= 7; ++nv) {
                b.tables.filter_width = static_cast<std::uint8_t>(nu);
                b.tables.filter_height = static_cast<std::uint8_t>(nv);
                for (unsigned n = 0; n < 8; ++n) {
                    const double u = (static_cast<int>(random() % 10240) - 1024) / 256.0;
                    const double v = (static_cast<int>(random() % 6144) - 1024) / 256.0;
                    const std::uint64_t places = b.stats.places.value();
                    const Color color = b.at(static_cast<float>(u), static_cast<float>(v)).color();
                    // The filter works on four texels at a time.
                    const auto texels_of = [](double at, int size) {
                        return size + (at - size / 2.0 != std::floor(at - size / 2.0));
                    };
                    const int texels = texels_of(u, nu) * texels_of(v, nv);
                    EXPECT_EQ(b.stats.places.value() - places, 8u * ((texels + 3u) / 4));
                    EXPECT_NEAR(color[0], mono_sum(texel, u, v, nu, nv), 1e-6)
                        << mode << ": " << nu << " x " << nv << " at " << u << " " << v;
                    EXPECT_EQ(color, (Color{color[0], color[0], color[0], color[0]}));
                }
            }
    }
}

TEST(Mono, IsOnlyFor2DSurfacesOfMono8AndTwoMessages) {
    GEN9_COVERS("SMP-33");
    Tabled b;
    b.image(kMono8, 16);
    b.filters(6, 6);
    const auto status = [&](unsigned code, unsigned params) {
        return b.send(code, std::vector(params, all(0))).status;
    };
    EXPECT_EQ(status(kSampleLz, 2), MessageStatus::Ok);
    EXPECT_EQ(status(kSampleL, 3), MessageStatus::Ok);
    for (const auto& [code, params] : {std::pair{unsigned{kSample}, 2u},
                                       {kSampleB, 3},
                                       {kSampleD, 6},
                                       {kLd, 3},
                                       {kLdLz, 2},
                                       {kGather4, 2},
                                       {kLod, 3},
                                       {kKillPix, 2},
                                       {kSampleMin, 2},
                                       {kSampleMax, 2}})
        EXPECT_EQ(status(code, params), MessageStatus::GuestError) << code;
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_CUBE);
    EXPECT_EQ(status(kSampleLz, 3), MessageStatus::GuestError);
    b.image(0x0C7, 16);
    for (const auto& [min, mag] : {std::pair{6u, 6u}, {6u, 0u}, {0u, 6u}, {0u, 0u}}) {
        b.filters(min, mag);
        EXPECT_EQ(status(kSampleLz, 2), min || mag ? MessageStatus::GuestError : MessageStatus::Ok);
    }
}

}  // namespace
}  // namespace gen9::sampler
