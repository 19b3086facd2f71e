// SPDX-License-Identifier: Apache-2.0
// Block formats against what other decoders make of the same blocks (tests/golden/textures).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// Blocks of one format and their texels, row by row, as another decoder sees them.
struct Golden {
    char name[24];
    std::uint32_t code, astc, bytes, width, height, count;
    std::vector<std::uint8_t> blocks;
    std::vector<float> texels;
};

std::vector<Golden> read_golden(const char* file) {
    const auto path = std::filesystem::path(GEN9_TEXTURES) / file;
    std::ifstream in(path, std::ios::binary);
    std::vector<Golden> all;
    Golden g;
    while (in.read(g.name, 24) && in.read(reinterpret_cast<char*>(&g.code), 24)) {
        g.blocks.resize(std::size_t{g.count} * g.bytes);
        g.texels.resize(std::size_t{g.count} * g.width * g.height * 4);
        in.read(reinterpret_cast<char*>(g.blocks.data()),
                static_cast<std::streamsize>(g.blocks.size()));
        in.read(reinterpret_cast<char*>(g.texels.data()),
                static_cast<std::streamsize>(g.texels.size() * 4));
        all.push_back(g);
    }
    return all;
}

/// The largest difference from the other decoder, and the block where it is.
struct Difference {
    double most = 0;
    unsigned block = 0;
};
Difference compare(const Golden& g) {
    const Format* const format = find_format(g.code, g.astc);
    Difference difference;
    if (!format || !format->decode || format->bytes != g.bytes || format->block_width != g.width ||
        format->block_height != g.height)
        return {INFINITY, 0};
    const float* wanted = g.texels.data();
    for (unsigned b = 0; b < g.count; ++b)
        for (unsigned y = 0; y < g.height; ++y)
            for (unsigned x = 0; x < g.width; ++x, wanted += 4) {
                const Source source{g.blocks.data() + std::size_t{b} * g.bytes,
                                    static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
                Texel texel{};
                format->decode(&source, 1, &texel);
                for (unsigned c = 0; c < 4; ++c) {
                    const float got = texel.number(c);
                    if (got == wanted[c] || (std::isnan(got) && std::isnan(wanted[c]))) continue;
                    const double off = std::fabs(double{got} - wanted[c]);
                    if (!(off <= difference.most))
                        difference = {std::isnan(off) ? INFINITY : off, b};
                }
            }
    return difference;
}

/// How far the other decoder is from exact: it interpolates BC1 and BC4 in fewer bits, widens EAC's
/// eleven bits to sixteen, divides by a product, and has sRGB by a polynomial.
double tolerance_of_mesa(const std::string& name) {
    if (name.starts_with("bc1")) return name.ends_with("srgb") ? 0.01 : 1.01 / 255;
    if (name.starts_with("bc4") || name.starts_with("bc5")) return 2.01 / 127;
    if (name.starts_with("eac")) return 1.0 / 1000;
    if (name.ends_with("srgb")) return 2e-3;
    return name.starts_with("bc6") ? 0 : 1e-7;
}

TEST(Blocks, AreWhatMesaDecodes) {
    const std::vector<Golden> all = read_golden("mesa.bin");
    ASSERT_EQ(all.size(), 19u);
    for (const Golden& g : all) {
        const Difference d = compare(g);
        EXPECT_LE(d.most, tolerance_of_mesa(g.name)) << g.name << " block " << d.block;
    }
}

TEST(Blocks, OldestFormatsAreWhatSquishDecodes) {
    const std::vector<Golden> all = read_golden("squish.bin");
    ASSERT_EQ(all.size(), 3u);
    for (const Golden& g : all) {
        const Difference d = compare(g);
        EXPECT_EQ(d.most, 0) << g.name << " block " << d.block;
    }
}

TEST(Blocks, AstcIsWhatAstcencDecodes) {
    const std::vector<Golden> all = read_golden("astcenc.bin");
    ASSERT_EQ(all.size(), 17u);
    for (const Golden& g : all) {
        const Difference d = compare(g);
        EXPECT_LE(d.most, g.code & 0x40 ? 0 : 1e-6) << g.name << " block " << d.block;
    }
}

/// A texel of a block.
Texel texel_of(unsigned code, const std::uint8_t* block, unsigned x, unsigned y) {
    const Source source{block, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
    Texel texel{};
    find_format(code, false)->decode(&source, 1, &texel);
    return texel;
}

/// Khronos data format specification, RGTC: two ends and what lies between them, by index.
double one_channel(int first, int second, unsigned index, bool has_sign) {
    const auto end = [&](int value) {
        return has_sign ? std::max(value / 127.0, -1.0) : value / 255.0;
    };
    if (index < 2) return end(index ? second : first);
    const bool eight = first > second;
    if (!eight && index == 6) return has_sign ? -1 : 0;
    if (!eight && index == 7) return 1;
    const int steps = eight ? 7 : 5, share = static_cast<int>(index) - 1;
    return (end(first) * (steps - share) + end(second) * share) / steps;
}

// Mesa has these in fewer bits.
TEST(Blocks, OneAndTwoChannelsAreTheirFormula) {
    GEN9_COVERS("SMP-213");
    struct Form {
        unsigned one, two;
        bool has_sign;
    };
    for (const Form form : {Form{0x189, 0x18A, false}, Form{0x199, 0x19A, true}})
        for (int first = form.has_sign ? -128 : 0; first < (form.has_sign ? 128 : 256); first += 3)
            for (int second = form.has_sign ? -128 : 0; second < (form.has_sign ? 128 : 256);
                 ++second)
                for (unsigned index = 0; index < 8; ++index) {
                    // The index in all texels of one channel; the other is its opposite.
                    std::uint8_t block[16]{};
                    std::uint64_t indices = 0, others = 0;
                    for (unsigned t = 0; t < 16; ++t) {
                        indices |= std::uint64_t{index} << 3 * t;
                        others |= std::uint64_t{7 - index} << 3 * t;
                    }
                    store(block, indices << 16 | (first & 0xFFu) | (second & 0xFFu) << 8);
                    store(block + 8, others << 16 | (second & 0xFFu) | (first & 0xFFu) << 8);
                    const double red = one_channel(first, second, index, form.has_sign);
                    const double green = one_channel(second, first, 7 - index, form.has_sign);
                    const Texel one = texel_of(form.one, block, index & 3, 3);
                    const Texel two = texel_of(form.two, block, 2, index & 3);
                    ASSERT_NEAR(one.number(0), red, 2e-7) << first << " " << second << " " << index;
                    ASSERT_NEAR(two.number(0), red, 2e-7) << first << " " << second << " " << index;
                    ASSERT_NEAR(two.number(1), green, 2e-7)
                        << first << " " << second << " " << index;
                }
}

/// A BC7 block of two subsets (mode 1) or three (mode 2), whose two ends are the same in all three
/// colours. Khronos data format specification, BPTC.
std::array<std::uint8_t, 16> bc7(unsigned subsets, unsigned partition, const unsigned (&ends)[3][2],
                                 bool ones) {
    std::array<std::uint8_t, 16> block{};
    unsigned at = 0;
    const auto put = [&](unsigned value, unsigned bits) {
        for (unsigned bit = 0; bit < bits; ++bit, ++at)
            block[at / 8] |= static_cast<std::uint8_t>((value >> bit & 1) << at % 8);
    };
    const unsigned mode = subsets - 1, bits = subsets == 2 ? 6 : 5;
    put(1u << mode, mode + 1);
    put(partition, 6);
    for (unsigned colour = 0; colour < 3; ++colour)
        for (unsigned s = 0; s < subsets; ++s)
            for (const unsigned end : ends[s])
                put(end ? (1u << bits) - 1 - (end - 1) : 0, bits);
    if (subsets == 2) put(ends[0][1] ? 1 : 0, 1), put(ends[1][1] ? 1 : 0, 1);
    while (at < 128)
        put(ones, 1);
    return block;
}

/// The anchors of each partition's second subset, in hexadecimal, and of the second and third of three
/// (Khronos data format specification, BPTC).
constexpr std::string_view kAnchorsOfTwo =
    "FFFFFFFFFFFFFFFFF282288F28228822FF6828FF28222FF66268FF22FFFFF22F";
constexpr std::string_view kAnchorsOfThree[2] = {
    "33FF83FF88666533338F336A588685FF8F356A8FF3F5FFFF3F55585A5A8DFC33",
    "F883FF38FFFFFFF8F8F3F8F83F6AFFA8F3FAA89A6F8F3668F3FFFFFFFFFF3FF8"};

// Of each partition: texel 0 is of subset 0, every subset has texels, and exactly one of each has
// its highest index bit left out.
TEST(Blocks, EachSubsetOfABc7PartitionHasOneAnchor) {
    GEN9_COVERS("SMP-213");
    for (const unsigned subsets : {2u, 3u}) {
        std::set<std::vector<unsigned>> seen;
        for (unsigned partition = 0; partition < 64; ++partition) {
            SCOPED_TRACE(std::to_string(subsets) + " subsets, partition " +
                         std::to_string(partition));
            // Subsets told by their colour: 0, nearly 1, 1.
            const unsigned by_subset[3][2] = {{0, 0}, {2, 2}, {1, 1}},
                           whole[3][2] = {{0, 1}, {0, 1}, {0, 1}};
            const auto colours = bc7(subsets, partition, by_subset, false);
            const auto indices = bc7(subsets, partition, whole, true);
            std::vector<unsigned> subset_of;
            unsigned anchors[3] = {};
            for (unsigned t = 0; t < 16; ++t) {
                const float colour = texel_of(0x1A2, colours.data(), t & 3, t / 4).number(0);
                subset_of.push_back(colour == 0 ? 0 : colour == 1 ? 2 : 1);
                if (texel_of(0x1A2, indices.data(), t & 3, t / 4).number(0) == 1) continue;
                const unsigned s = subset_of.back();
                ++anchors[s];
                const char wanted = s == 0         ? '0'
                                    : subsets == 2 ? kAnchorsOfTwo[partition]
                                                   : kAnchorsOfThree[s - 1][partition];
                EXPECT_EQ("0123456789ABCDEF"[t], wanted) << s;
            }
            EXPECT_EQ(subset_of[0], 0u);
            EXPECT_NE(texel_of(0x1A2, indices.data(), 0, 0).number(0), 1);
            for (unsigned s = 0; s < subsets; ++s) {
                EXPECT_TRUE(std::ranges::count(subset_of, s));
                EXPECT_EQ(anchors[s], 1u) << s;
            }
            EXPECT_TRUE(seen.insert(subset_of).second) << "no two are the same";
        }
    }
}

// Mesa has the curve by a polynomial.
TEST(Blocks, ColoursOfSrgbAreTheCurveOfTheOthers) {
    const unsigned pairs[][2] = {{0x186, 0x18B}, {0x187, 0x18C}, {0x188, 0x18D}, {0x191, 0x180},
                                 {0x1A2, 0x1A3}, {0x1AA, 0x1AF}, {0x1C0, 0x1C1}, {0x1C2, 0x1C3}};
    unsigned found = 0;
    for (const char* file : {"mesa.bin", "squish.bin"})
        for (const Golden& g : read_golden(file))
            for (const auto& pair : pairs) {
                if (g.code != pair[0] || g.astc) continue;
                ++found;
                for (unsigned b = 0; b < g.count; ++b)
                    for (unsigned t = 0; t < 16; ++t) {
                        const std::uint8_t* const block =
                            g.blocks.data() + std::size_t{b} * g.bytes;
                        const Texel linear = texel_of(pair[0], block, t & 3, t / 4);
                        const Texel curved = texel_of(pair[1], block, t & 3, t / 4);
                        for (unsigned c = 0; c < 3; ++c) {
                            const double v = linear.number(c);
                            const double wanted =
                                v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
                            ASSERT_NEAR(curved.number(c), wanted, 1e-7) << g.name << " block " << b;
                        }
                        ASSERT_EQ(curved.number(3), linear.number(3)) << g.name << " block " << b;
                    }
            }
    EXPECT_GE(found, 8u);
}

}  // namespace
}  // namespace gen9::sampler
