// SPDX-License-Identifier: Apache-2.0
#include "surface/auxiliary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::pixel {
namespace {

TEST(Ccs, FastClearOfFourRectanglePixelsFillsALine) {
    GEN9_COVERS("CC-38 CC-39 CC-40");
    for (const unsigned bytes : {4u, 8u, 16u}) {
        const surface::Auxiliary ccs{0x10000, 1, 256, 64, 64};
        std::set<std::pair<std::uint64_t, unsigned>> elements;
        for (std::uint32_t y = 0; y < 2; ++y)
            for (std::uint32_t x = 0; x < 2; ++x) {
                const surface::PixelRectangle r = surface::ccs_clear_pixels(bytes, x, y);
                EXPECT_EQ(r.width, 256 / bytes);
                EXPECT_EQ(r.height, 32u);
                for (std::uint32_t py = r.y; py < r.y + r.height; ++py)
                    for (std::uint32_t px = r.x; px < r.x + r.width; ++px) {
                        const surface::ElementPlace e =
                            surface::ccs_element(ccs, bytes, 0, 0, px, py);
                        EXPECT_LT(e.address - 0x10000, 64u);
                        elements.insert({e.address, e.shift});
                    }
            }
        EXPECT_EQ(elements.size(), 256u) << "16 x 16 elements";
    }
}

// Looked at by whole words, as element by element: never more than what is so, and all of it where a
// word has nothing else.
TEST(Ccs, WordsTellWhatTheirElementsTell) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    std::vector<std::uint8_t> memory(1 << 18);
    unsigned seen = 0, lines = 0;
    for (unsigned round = 0; round < 600; ++round) {
        const unsigned bytes = 4u << below(3), level = below(3), slice = below(3);
        const surface::Auxiliary ccs{0x3000, 3 + below(3), 4 * (64 + below(8)), 512, 256};
        std::ranges::fill(memory, std::uint8_t{0});
        const surface::PixelRectangle r{below(64), below(64), 1 + below(60), 1 + below(60)};
        bool clear = false, beside = false;
        if (below(4) != 0) {
            const std::uint32_t x = below(128), y = below(64);
            const surface::ElementPlace place =
                surface::ccs_element(ccs, bytes, level, slice, x, y);
            std::uint8_t& byte = memory.at(place.address);
            byte = surface::with_element(place, byte, surface::kClear);
            beside = true;
        }
        for (std::uint32_t y = r.y; y < r.y + r.height; ++y)
            for (std::uint32_t x = r.x; x < r.x + r.width; ++x) {
                const surface::ElementPlace e =
                    surface::ccs_element(ccs, bytes, level, slice, x, y);
                clear |= surface::element_value(e, memory.at(e.address)) != surface::kPassThrough;
            }
        const surface::ElementRange elements = surface::ccs_elements(ccs, bytes, level, slice, r);
        const bool passes = surface::pass_through(ccs, elements, [&](std::uint64_t address) {
            EXPECT_EQ(address % 64, 0u);
            ++lines;
            return &memory.at(address);
        });
        EXPECT_FALSE(passes && clear);
        EXPECT_TRUE(passes || beside);
        seen += passes && beside;
    }
    EXPECT_GT(seen, 40u) << "an element elsewhere does not matter";
    EXPECT_GT(lines, 600u);
    const surface::Auxiliary ccs{0, 8, 256, 1024, 1024};
    const surface::ElementRange all = surface::ccs_elements(ccs, 4, 0, 0, {0, 0, 1024, 1024});
    const auto nowhere = [](std::uint64_t) -> const std::uint8_t* { return nullptr; };
    EXPECT_FALSE(surface::pass_through(ccs, all, nowhere)) << "too many lines";
    EXPECT_FALSE(
        surface::pass_through(ccs, surface::ccs_elements(ccs, 4, 0, 0, {0, 0, 1, 1}), nowhere));
}

TEST(Ccs, ElementsLieInTiles) {
    GEN9_COVERS("CC-38");
    const surface::Auxiliary ccs{0, 2, 256, 2048, 256};
    const auto at = [&](std::uint32_t u, std::uint32_t v) {
        return surface::ccs_element(ccs, 4, 0, 0, u * 8, v * 4).address;
    };
    EXPECT_EQ(surface::ccs_element(ccs, 4, 0, 0, 8, 4).shift, 6);
    EXPECT_EQ(surface::ccs_element(ccs, 4, 0, 0, 8, 0).shift, 2);
    EXPECT_EQ(at(2, 0), 1u);
    EXPECT_EQ(at(8, 0), 4u);
    EXPECT_EQ(at(0, 2), 8u);
    EXPECT_EQ(at(0, 16), 64u);
    EXPECT_EQ(at(16, 0), 512u);
    EXPECT_EQ(at(127, 127), 4095u);
    EXPECT_EQ(at(128, 0), 4096u);
    EXPECT_EQ(at(0, 128), 8192u);
    // Levels are aligned to 128 x 64 pixels, slices are QPitch apart.
    EXPECT_EQ(surface::ccs_element({0, 2, 256, 130, 65}, 4, 1, 0, 0, 0).address,
              surface::ccs_element(ccs, 4, 0, 0, 0, 128).address);
    EXPECT_EQ(surface::ccs_element({0, 2, 256, 130, 65}, 4, 2, 0, 0, 0).address,
              surface::ccs_element(ccs, 4, 0, 0, 128, 128).address);
    EXPECT_EQ(surface::ccs_element(ccs, 4, 0, 2, 0, 0).address, at(0, 128));
    EXPECT_EQ(surface::with_element({0, 4}, 0xFF, 0), 0xCF);
    EXPECT_EQ(surface::element_value({0, 4}, 0x30), surface::kClear);
}

TEST(Mcs, TexelsTellWhereSamplesAre) {
    GEN9_COVERS("CC-35 CC-36");
    EXPECT_EQ(surface::mcs_identity(2), 0x04u);
    EXPECT_EQ(surface::mcs_identity(4), 0xE4u);
    EXPECT_EQ(surface::mcs_identity(8), 0x76543210u);
    EXPECT_EQ(surface::mcs_identity(16), 0xFEDCBA9876543210u);
    EXPECT_EQ(surface::mcs_clear(4), 0xFFu);
    EXPECT_EQ(surface::mcs_clear(8), 0xFFFFFFFFu);
    EXPECT_EQ(surface::mcs_clear(16), ~std::uint64_t{0});
    EXPECT_EQ(surface::mcs_clear_pixels(4, 3, 2).x, 24u);
    EXPECT_EQ(surface::mcs_clear_pixels(8, 3, 2).width, 2u);
    EXPECT_EQ(surface::mcs_clear_pixels(16, 3, 2).x, 3u);
    EXPECT_EQ(surface::mcs_clear_pixels(16, 3, 2).y, 4u);
    const surface::Auxiliary mcs{4096, 1, 32, 64, 32};
    EXPECT_EQ(surface::mcs_texel(mcs, 8, 0, 4, 1), 4096u + 512 + 16);
    EXPECT_EQ(surface::mcs_texel(mcs, 8, 1, 0, 0), 8192u);
    EXPECT_TRUE(surface::mcs_holds(mcs, 8, 31, 31));
    EXPECT_FALSE(surface::mcs_holds(mcs, 8, 32, 0));
    EXPECT_FALSE(surface::mcs_holds(mcs, 8, 0, 32));
}

}  // namespace
}  // namespace gen9::pixel
