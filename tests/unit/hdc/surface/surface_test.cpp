// SPDX-License-Identifier: Apache-2.0
// Surface states, tiling, formats.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

TEST(SurfaceState, RowsDoNotOverlap) {
    std::uint32_t used[state::kDwords]{};
    for (const packets::Field* field : state::kFields) {
        for (unsigned bit = field->low; bit <= field->high; ++bit) {
            const unsigned dword = field->dword + bit / 32;
            ASSERT_LT(dword, state::kDwords) << field->name;
            EXPECT_FALSE(used[dword] >> bit % 32 & 1) << field->name;
            used[dword] |= 1u << bit % 32;
        }
    }
}

TEST(SurfaceState, TemplatesOfTheCompilerReadAsWhatTheyAre) {
    // First DWords of the surface states ocloc puts into a binary built for skl: a buffer, images
    // 1D, 2D, 2D array, 3D.
    const auto type = [](std::uint32_t dword0, std::uint32_t dword2, std::uint32_t dword3) {
        std::uint32_t dwords[state::kDwords]{dword0, 0x03000000, dword2, dword3};
        return read_surface(dwords);
    };
    EXPECT_TRUE(type(0x87FFC000, 0x1FFF007F, 0x0FE00000).buffer());
    EXPECT_EQ(type(0x87FFC000, 0x1FFF007F, 0x0FE00000).format, state::RAW);
    EXPECT_EQ(type(0x87FFC000, 0x1FFF007F, 0x0FE00000).entries,
              (127ull << 21 | 8191ull << 7 | 127) + 1);
    EXPECT_EQ(type(0x031FC000, 0, 0).type, state::SURFTYPE_1D);
    EXPECT_EQ(type(0x231FC000, 0, 0).type, state::SURFTYPE_2D);
    EXPECT_TRUE(type(0x331FC000, 0, 0).array);
    EXPECT_EQ(type(0x431FC000, 0, 0).type, state::SURFTYPE_3D);
    EXPECT_EQ(type(0x431FC000, 0, 0).typed->code, 0x0C7);
}

TEST(Tiling, YMajorWalksColumnsOf16BytesOver32Rows) {
    GEN9_COVERS("DP-057 DP-181");
    // Address bits of 003:5332-5342: A[11:9] = u6..u4, A[8:4] = v4..v0, A[3:0] = u3..u0.
    for (unsigned y = 0; y < 70; y += 3)
        for (unsigned x = 0; x < 300; x += 7) {
            const std::uint64_t tile = (x >> 7) + std::uint64_t{y >> 5} * 4;  // pitch 512: 4 tiles
            const std::uint64_t expected =
                tile * 4096 + (x / 16 % 8) * 512 + (y % 32) * 16 + x % 16;
            EXPECT_EQ(tile_offset({Tiling::Y, 512}, x, y), expected);
        }
}

TEST(Tiling, XMajorHoldsRowsOf512Bytes) {
    GEN9_COVERS("DP-057 DP-181");
    for (unsigned y = 0; y < 20; ++y)
        for (unsigned x = 0; x < 1500; x += 13) {
            const std::uint64_t expected =
                ((x >> 9) + std::uint64_t{y >> 3} * 4) * 4096 + (y % 8) * 512 + x % 512;
            EXPECT_EQ(tile_offset({Tiling::X, 2048}, x, y), expected);
        }
}

TEST(Format, UnormRoundsToEvenAndClamps) {
    GEN9_COVERS("DP-068");
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(0.5f)), 0x80u);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(1.5f)), 0xFFu);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(-1.0f)), 0u);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(NAN)), 0u);
    EXPECT_EQ(to_component(Component::Snorm, 8, bits_of(-1.0f)), 0x81u);
    EXPECT_EQ(to_component(Component::Snorm, 8, bits_of(-2.0f)), 0x81u);
}

TEST(Format, IntegersClamp) {
    GEN9_COVERS("DP-069");
    EXPECT_EQ(to_component(Component::Sint, 8, 300), 0x7Fu);
    EXPECT_EQ(to_component(Component::Sint, 8, static_cast<std::uint32_t>(-300)), 0x80u);
    EXPECT_EQ(to_component(Component::Uint, 8, 300), 0xFFu);
    EXPECT_EQ(from_component(Component::Sint, 8, 0x80), 0xFFFFFF80u);
    EXPECT_EQ(from_component(Component::Uint, 8, 0x80), 0x80u);
    EXPECT_EQ(to_component(Component::Sint, 32, 0x80000000), 0x80000000u);
}

TEST(Format, HalfFloatsFollowTheHostsConversion) {
    GEN9_COVERS("DP-067");
    EXPECT_EQ(to_component(Component::Float, 16, bits_of(65520.0f)), 0x7C00u);
    EXPECT_EQ(to_component(Component::Float, 16, 0x7F800001) & 0x7E00, 0x7E00u)
        << "a signalling NaN becomes quiet";
    std::uint32_t seed = 12345;
    for (unsigned i = 0; i < 200000; ++i) {
        seed = seed * 1664525 + 1013904223;
        const float value = std::bit_cast<float>(i % 2 ? seed : (seed & 0x8FFFFFFF) | 0x30000000);
        if (std::isnan(value)) continue;
        const auto half = static_cast<_Float16>(value);
        ASSERT_EQ(to_component(Component::Float, 16, bits_of(value)),
                  std::bit_cast<std::uint16_t>(half))
            << value;
    }
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        const auto value =
            static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(half)));
        if (std::isnan(value)) continue;
        ASSERT_EQ(from_component(Component::Float, 16, half), bits_of(value));
    }
}

TEST(Format, SmallFloatsRoundTrip) {
    GEN9_COVERS("DP-067");
    for (std::uint32_t v = 0; v < 31u << 6; ++v)
        EXPECT_EQ(to_component(Component::Float, 11, from_component(Component::Float, 11, v)), v);
    for (std::uint32_t v = 0; v < 31u << 5; ++v)
        EXPECT_EQ(to_component(Component::Float, 10, from_component(Component::Float, 10, v)), v);
    EXPECT_EQ(to_component(Component::Float, 11, bits_of(-3.0f)), 0u);
}

}  // namespace
}  // namespace gen9::hdc
