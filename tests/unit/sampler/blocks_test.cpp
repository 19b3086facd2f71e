// SPDX-License-Identifier: Apache-2.0
// Block formats against what other decoders make of the same blocks (tests/golden/textures).
#include <cmath>
#include <filesystem>
#include <fstream>

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
    ASSERT_EQ(all.size(), 18u);
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

}  // namespace
}  // namespace gen9::sampler
