// SPDX-License-Identifier: Apache-2.0
#include "interpolation/multisample.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/raster/picture.h"

namespace gen9::interpolation {
namespace {

TEST(RasterState, MultisampleModes) {
    GEN9_COVERS("WM-16 WM-17");
    using enum MultisampleMode;
    const auto mode = [](unsigned api, unsigned samples, bool enable, unsigned forced = 0) {
        return multisample_mode({.api = static_cast<std::uint8_t>(api),
                                 .samples = static_cast<std::uint8_t>(samples),
                                 .forced_samples = static_cast<std::uint8_t>(forced),
                                 .dx_enable = enable});
    };
    for (unsigned api = 0; api < 3; ++api) {
        EXPECT_EQ(mode(api, 1, false), OffPixel);
        EXPECT_EQ(mode(api, 1, true), api == 0 ? OffPixel : OnPixel);
        for (const unsigned samples : {2, 4, 8, 16}) {
            EXPECT_EQ(mode(api, samples, false), api == 2 ? OffPattern : OffPixel);
            EXPECT_EQ(mode(api, samples, true), OnPattern);
        }
    }
    EXPECT_EQ(mode(2, 1, false, 1), OffPixel);
    EXPECT_EQ(mode(2, 1, true, 1), OnPixel);
    EXPECT_EQ(mode(2, 1, false, 4), OffPattern);
    EXPECT_EQ(mode(2, 1, true, 4), OnPattern);
    EXPECT_EQ(mode(1, 1, false, 1), OffPixel);
    EXPECT_EQ(multisample_mode({.samples = 4, .dx_enable = true, .hz_op = true}), OnPattern);
    EXPECT_EQ(multisample_mode({.samples = 1, .hz_op = true}), OnPixel);
    EXPECT_EQ(multisample_mode({.samples = 1, .forced = true, .field = OffPattern, .hz_op = true}),
              OffPattern);
}

TEST(RasterState, SampleMask) {
    GEN9_COVERS("WM-15");
    EXPECT_EQ(sample_mask(1, 0xFFFF), 0x0001);
    EXPECT_EQ(sample_mask(2, 0xFFFF), 0x0003);
    EXPECT_EQ(sample_mask(4, 0xFFFF), 0x000F);
    EXPECT_EQ(sample_mask(8, 0xFFFF), 0x00FF);
    EXPECT_EQ(sample_mask(16, 0xFFFF), 0xFFFF);
    EXPECT_EQ(sample_mask(4, 0x12A5), 0x0005);
}

TEST(RasterState, PixelPlace) {
    GEN9_COVERS("SF-20 WM-14");
    EXPECT_EQ(pixel_place(false, false, 1).x, 8);
    EXPECT_EQ(pixel_place(true, false, 4).x, 0);
    EXPECT_EQ(pixel_place(true, false, 4).y, 0);
    EXPECT_EQ(pixel_place(true, true, 1).y, 0);
    EXPECT_EQ(pixel_place(true, true, 2).y, 8);
}

TEST(RasterState, SamplePlacesOfThePacket) {
    GEN9_COVERS("WM-22");
    // What drivers send for the standard places (Public: mesa gen8 sample positions).
    const auto nibbles = [](SamplePlace p) { return static_cast<std::uint32_t>(p.x << 4 | p.y); };
    std::array<std::uint32_t, 8> dwords{};
    const auto put = [&](unsigned samples, unsigned sample, unsigned dword, unsigned low) {
        dwords[dword - 1] |= nibbles(raster::test::pattern(samples).places[sample]) << low;
    };
    for (unsigned s = 0; s < 16; ++s)
        put(16, s, 1 + s / 4, s % 4 * 8);
    for (unsigned s = 0; s < 4; ++s)
        put(8, s + 4, 5, s * 8);
    for (unsigned s = 0; s < 4; ++s)
        put(8, s, 6, s * 8);
    for (unsigned s = 0; s < 4; ++s)
        put(4, s, 7, s * 8);
    for (unsigned s = 0; s < 2; ++s)
        put(2, s, 8, s * 8);
    dwords[7] |= 0x79u << 16;
    EXPECT_EQ(dwords[6], 0xAE2AE662u);
    EXPECT_EQ(dwords[7] & 0xFFFF, 0x44CCu);
    for (const unsigned samples : {2u, 4u, 8u, 16u}) {
        const auto places = sample_places(dwords, samples);
        for (unsigned s = 0; s < samples; ++s)
            EXPECT_EQ(nibbles(places[s]), nibbles(raster::test::pattern(samples).places[s]));
    }
    EXPECT_EQ(nibbles(sample_places(dwords, 1)[0]), 0x79u);
}

}  // namespace
}  // namespace gen9::interpolation
