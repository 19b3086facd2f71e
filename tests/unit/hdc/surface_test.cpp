// SPDX-License-Identifier: Apache-2.0
// Surface states, tiling, formats, typed and media messages.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/covers.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

using test::Bench;
using test::ramp;
using test::Send;
using test::SurfaceBits;
namespace state = packets::render_surface_state;

constexpr auto DC1 = Sfid::DataPort1;
constexpr std::uint64_t kData = Bench::kData;
using U32 = std::vector<std::uint32_t>;

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
            EXPECT_EQ(tile_place(state::YMAJOR, 512, x, y).offset, expected);
        }
    EXPECT_EQ(tile_place(state::YMAJOR, 512, 17, 0).run_bytes, 15u);
}

TEST(Tiling, XMajorHoldsRowsOf512Bytes) {
    GEN9_COVERS("DP-057 DP-181");
    for (unsigned y = 0; y < 20; ++y)
        for (unsigned x = 0; x < 1500; x += 13) {
            const std::uint64_t expected =
                ((x >> 9) + std::uint64_t{y >> 3} * 4) * 4096 + (y % 8) * 512 + x % 512;
            EXPECT_EQ(tile_place(state::XMAJOR, 2048, x, y).offset, expected);
        }
}

TEST(Format, UnormRoundsToEvenAndClamps) {
    GEN9_COVERS("DP-068 T-27");
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(0.5f)), 0x80u);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(1.5f)), 0xFFu);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(-1.0f)), 0u);
    EXPECT_EQ(to_component(Component::Unorm, 8, bits_of(NAN)), 0u);
    EXPECT_EQ(to_component(Component::Snorm, 8, bits_of(-1.0f)), 0x81u);
    EXPECT_EQ(to_component(Component::Snorm, 8, bits_of(-2.0f)), 0x81u);
}

TEST(Format, IntegersClamp) {
    GEN9_COVERS("DP-069 T-27");
    EXPECT_EQ(to_component(Component::Sint, 8, 300), 0x7Fu);
    EXPECT_EQ(to_component(Component::Sint, 8, static_cast<std::uint32_t>(-300)), 0x80u);
    EXPECT_EQ(to_component(Component::Uint, 8, 300), 0xFFu);
    EXPECT_EQ(from_component(Component::Sint, 8, 0x80), 0xFFFFFF80u);
    EXPECT_EQ(from_component(Component::Uint, 8, 0x80), 0x80u);
    EXPECT_EQ(to_component(Component::Sint, 32, 0x80000000), 0x80000000u);
}

TEST(Format, HalfFloatsFollowTheHostsConversion) {
    GEN9_COVERS("DP-067 T-27");
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

/// Address registers for `count` parameters, all slots alike but U running.
Send typed(std::uint32_t descriptor, std::uint32_t mask, std::initializer_list<U32> parameters) {
    Send send(DC1, descriptor, mask);
    for (const U32& p : parameters)
        send.add(p);
    return send;
}

TEST(Typed, WriteConvertsAndKeepsToTheImage) {
    GEN9_COVERS("DP-055 DP-061 DP-066 DP-072 DP-095 DP-150 T-26");
    Bench b;
    b.bind(2, SurfaceBits::image(state::SURFTYPE_2D, 0x0C7, kData, 6, 4, 1, 64));
    Send send = typed(0x02035002, 0xFF, {ramp<std::uint32_t>(8, 0, 1), U32(8, 2)});
    for (unsigned c = 0; c < 4; ++c)
        send.add(std::vector<float>(8, 0.25f * static_cast<float>(c + 1)));
    b.run(send);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 2 * 64 + i * 4), i < 6 ? 0xFFBF8040 : 0) << i;
}

TEST(Typed, SlotGroupHighUsesTheUpperMaskBits) {
    GEN9_COVERS("DP-084 DP-150");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_1D, 0x0D7, kData, 64, 1, 1, 256));
    b.run(typed(0x02036E00, 0x0100, {ramp<std::uint32_t>(8, 0, 1)})
              .add(ramp<std::uint32_t>(8, 9, 1)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 9u);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 4), 0u);
}

TEST(Typed, TypedAddressesReachSlicesOfArraysAndVolumes) {
    GEN9_COVERS("DP-061 DP-062");
    for (const unsigned type : {state::SURFTYPE_2D, state::SURFTYPE_3D}) {
        Bench b;
        SurfaceBits s = SurfaceBits::image(type, 0x0D7, kData, 8, 8, 4, 64);
        s.set(state::SurfaceQPitch, 12 / 4).set(state::SurfaceArray, type == state::SURFTYPE_2D);
        b.bind(0, s);
        b.run(typed(0x02035E00, 1, {U32(8, 3), U32(8, 1), U32(8, 2)}).add(U32(8, 77)));
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + (2 * 12 + 1) * 64 + 12), 77u);
        b.run(typed(0x02035E00, 1, {U32(8, 3), U32(8, 1), U32(8, 4)}).add(U32(8, 78)));
        EXPECT_EQ(b.plan.out_of_bounds, 1);
    }
}

TEST(Typed, TiledWriteLandsWhereTheTilingSays) {
    Bench b;
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 64, 64, 1, 256);
    s.set(state::TileMode, state::YMAJOR);
    b.bind(0, s);
    b.run(typed(0x02035E00, 1, {U32(8, 37), U32(8, 41)}).add(U32(8, 0xBEEF)));
    const unsigned x = 37 * 4, y = 41;
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + ((x >> 7) + (y >> 5) * 2) * 4096 +
                                          (x / 16 % 8) * 512 + (y % 32) * 16 + x % 16),
              0xBEEFu);
}

TEST(Typed, ReadOfAUnormFormatReturnsTheRawElement) {
    GEN9_COVERS("DP-070 DP-071 T-28");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0C7, kData, 4, 4, 1, 64));
    b.memory.put<std::uint32_t>(kData + 4, 0x11223344);
    const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 1), U32(8, 0)}));
    EXPECT_EQ(r.dword(0), 0x11223344u);
    EXPECT_EQ(r.dword(8), 0u);
    EXPECT_EQ(r.dword(16), 0u);
    EXPECT_EQ(r.dword(24), 1u);
}

TEST(Typed, ReadOutOfBoundsGivesTheDefaults) {
    GEN9_COVERS("DP-074 T-29");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0D8, kData, 4, 4, 1, 64));
    b.memory.put<float>(kData + 16, 9.0f);
    const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 4), U32(8, 0)}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(r.dword(8), 0u);
    EXPECT_EQ(r.dword(24), bits_of(1.0f));
}

TEST(Typed, MaskedChannelsOfAPackedFormatAreReported) {
    GEN9_COVERS("DP-073 T-30");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x100, kData, 4, 4, 1, 64));
    Send send = typed(0x02035100, 1, {U32(8, 0), U32(8, 0)});
    for (unsigned c = 0; c < 3; ++c)
        send.add(std::vector<float>(8, 1.0f));
    EXPECT_EQ(b.run(send).message.status, MessageStatus::GuestError);
    EXPECT_EQ(b.memory.get<std::uint16_t>(kData), 0u);
}

TEST(Typed, BufferSurfacesAreIndexedByElement) {
    GEN9_COVERS("DP-055 DP-062");
    Bench b;
    SurfaceBits s = SurfaceBits::buffer(kData, 16);
    s.set(state::SurfaceFormat, 0x002).set(state::SurfacePitch, 15);
    s.set(state::ShaderChannelSelectRed, state::SCS_RED)
        .set(state::ShaderChannelSelectGreen, state::SCS_GREEN);
    s.set(state::ShaderChannelSelectBlue, state::SCS_BLUE)
        .set(state::ShaderChannelSelectAlpha, state::SCS_ALPHA);
    b.bind(0, s);
    Send send = typed(0x02035000, 3, {U32{3, 16, 0, 0, 0, 0, 0, 0}});
    for (unsigned c = 0; c < 4; ++c)
        send.add(U32(8, 100 + c));
    b.run(send);
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 48 + c * 4), 100 + c);
    EXPECT_EQ(b.plan.out_of_bounds, 1);
}

TEST(Typed, ChannelSelectsSayWhichComponentAChannelIs) {
    Bench b;
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x0CB, kData, 4, 4, 1, 64);
    s.set(state::ShaderChannelSelectRed, state::SCS_ALPHA)
        .set(state::ShaderChannelSelectAlpha, state::SCS_RED);
    b.bind(0, s);
    Send send = typed(0x02035000, 1, {U32(8, 0), U32(8, 0)});
    for (unsigned c = 0; c < 4; ++c)
        send.add(U32(8, 1 + c));
    b.run(send);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 0x01030204u);
}

struct Media : ::testing::Test {
    Bench b;
    Media() {
        // 16 rows of 16 bytes holding row * 16 + column. Widths of media surfaces count DWords.
        SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 4, 16, 1, 64);
        b.bind(0, s);
        for (unsigned y = 0; y < 16; ++y)
            for (unsigned x = 0; x < 16; ++x)
                b.memory.put<std::uint8_t>(kData + y * 64 + x,
                                           static_cast<std::uint8_t>(y * 16 + x));
    }
    static constexpr std::uint32_t size(unsigned width, unsigned height) {
        return (width - 1) | (height - 1) << 16;
    }
};

TEST_F(Media, ReadReplicatesTheEdge) {
    GEN9_COVERS("DP-076 DP-096 DP-180 DP-185 T-36");
    const Send& r = b.run(Send(DC1, 0x02190000)
                              .header({{0, static_cast<std::uint32_t>(-2)},
                                       {1, static_cast<std::uint32_t>(-1)},
                                       {2, size(8, 2)}}));
    const std::uint8_t row[8] = {0, 0, 0, 1, 2, 3, 4, 5};
    for (unsigned y = 0; y < 2; ++y)
        for (unsigned x = 0; x < 8; ++x)
            EXPECT_EQ(r.message.response[0].bytes[y * 8 + x], row[x]) << x << ',' << y;
}

TEST_F(Media, RowsAreAPowerOfTwoApartInTheRegisters) {
    GEN9_COVERS("DP-185");
    const Send& r = b.run(Send(DC1, 0x02190000).header({{2, size(5, 4)}}));
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 5; ++x)
            EXPECT_EQ(r.message.response[0].bytes[y * 8 + x], y * 16 + x);
}

TEST_F(Media, WriteDropsWhatLiesOutside) {
    GEN9_COVERS("DP-096 DP-186 T-36");
    b.run(Send(DC1, 0x020A8000 | 2 << 25)
              .header({{0, 12}, {2, size(8, 1)}})
              .add(ramp<std::uint8_t>(8, 0xA0, 1)));
    for (unsigned x = 0; x < 16; ++x)
        EXPECT_EQ(b.memory.get<std::uint8_t>(kData + x), x < 12 ? x : 0xA0 + x - 12);
    EXPECT_EQ(b.memory.get<std::uint8_t>(kData + 16), 0);
}

TEST_F(Media, ABlockLargerThanItsRegistersIsReported) {
    const Send& r = b.run(Send(DC1, 0x02190000).header({{2, size(32, 8)}}));
    EXPECT_EQ(r.message.status, MessageStatus::GuestError);
}

TEST_F(Media, NullSurfacesReadZero) {
    GEN9_COVERS("DP-187");
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_NULL, 0x140, kData, 4, 16, 1, 64);
    b.bind(0, s);
    const Send& r = b.run(Send(DC1, 0x02190000).header({{2, size(8, 2)}}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(r.message.status, MessageStatus::Ok);
}

}  // namespace
}  // namespace gen9::hdc
