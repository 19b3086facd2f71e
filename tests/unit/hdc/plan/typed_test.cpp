// SPDX-License-Identifier: Apache-2.0
// Typed reads and writes.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

/// Address registers for `count` parameters, all slots alike but U running.
Send typed(std::uint32_t descriptor, std::uint32_t mask, std::initializer_list<U32> parameters) {
    Send send(DC1, descriptor, mask);
    for (const U32& p : parameters)
        send.add(p);
    return send;
}

TEST(Typed, WriteConvertsAndKeepsToTheImage) {
    GEN9_COVERS("DP-055 DP-061 DP-066 DP-072 DP-095 DP-150");
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

TEST(Typed, TheMaskOfAnInstructionOfEightChannelsStandsInBothSlotGroups) {
    for (const bool eight_wide : {true, false}) {
        Bench b;
        b.bind(0, SurfaceBits::image(state::SURFTYPE_1D, 0x0D7, kData, 64, 1, 1, 256));
        Send send = typed(0x02036E00, 0x0002, {ramp<std::uint32_t>(8, 0, 1)})
                        .add(ramp<std::uint32_t>(8, 9, 1));
        send.message.eight_wide = eight_wide;
        b.run(send);
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 0u);
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 4), eight_wide ? 10u : 0u);
    }
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
    GEN9_COVERS("DP-070 DP-071");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0C7, kData, 4, 4, 1, 64));
    b.memory.put<std::uint32_t>(kData + 4, 0x11223344);
    const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 1), U32(8, 0)}));
    EXPECT_EQ(r.dword(0), 0x11223344u);
    EXPECT_EQ(r.dword(8), 0u);
    EXPECT_EQ(r.dword(16), 0u);
    EXPECT_EQ(r.dword(24), 1u);
}

TEST(Typed, ReadOfAFormatOfEightBytesReturnsItsDwords) {
    GEN9_COVERS("DP-070");
    constexpr unsigned kR16G16B16A16Unorm = 0x080;
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, kR16G16B16A16Unorm, kData, 4, 4, 1, 64));
    b.memory.put<std::uint64_t>(kData + 8, 0x1122334455667788);
    const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 1), U32(8, 0)}));
    EXPECT_EQ(r.dword(0), 0x55667788u);
    EXPECT_EQ(r.dword(8), 0x11223344u);
    EXPECT_EQ(r.dword(16), 0u);
    EXPECT_EQ(r.dword(24), 1u);
}

TEST(Typed, ChannelsThatAFormatDoesNotHaveReadAsZerosAndOne) {
    constexpr unsigned kR32Sint = 0x0D6, kR32Float = 0x0D8;
    for (const unsigned format : {kR32Sint, kR32Float}) {
        Bench b;
        b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, format, kData, 4, 4, 1, 64));
        b.memory.put<std::uint32_t>(kData + 4, 0xC1200000);
        const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 1), U32(8, 0)}));
        EXPECT_EQ(r.dword(0), 0xC1200000u);
        EXPECT_EQ(r.dword(8), 0u);
        EXPECT_EQ(r.dword(16), 0u);
        EXPECT_EQ(r.dword(24), format == kR32Float ? bits_of(1.0f) : 1u);
    }
}

TEST(Typed, WriteToAFormatOfOneChannelLeavesWhatFollows) {
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 4, 4, 1, 64));
    b.memory.put<std::uint64_t>(kData + 4, 0x7777777766666666);
    Send send = typed(0x02035000, 1, {U32(8, 1), U32(8, 0)});
    for (unsigned c = 0; c < 4; ++c)
        send.add(U32(8, 10 + c));
    b.run(send);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 4), 0x777777770000000Au);
    b.run(typed(0x02035B00, 1, {U32(8, 1), U32(8, 0)}).add(U32(8, 99)));  // blue alone
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 4), 0x777777770000000Au);
}

TEST(Typed, WriteToAPackedFormatPutsEveryChannelInItsBits) {
    constexpr unsigned kR10G10B10A2Uint = 0x0C4;
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, kR10G10B10A2Uint, kData, 4, 4, 1, 64));
    Send send = typed(0x02035000, 1, {U32(8, 0), U32(8, 0)});
    for (const std::uint32_t value : {0x155u, 0x2AAu, 0x3FFu, 2u})
        send.add(U32(8, value));
    b.run(send);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 0x155u | 0x2AAu << 10 | 0x3FFu << 20 | 2u << 30);
}

TEST(Typed, NullSurfacesReadZero) {
    GEN9_COVERS("DP-102");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_NULL, 0x0D7, kData, 4, 4, 1, 64));
    const Send& r = b.run(typed(0x04415000 | 0x4000, 0xFF, {U32(8, 1), U32(8, 0)}));
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_TRUE(r.written(i) && r.dword(i) == 0) << i;
    const Send& pair = b.run(Send(DC1, descriptor(0x05, 0, 0, 1), 0x11).add(U32(8, 1)));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_TRUE(pair.written(i) && pair.dword(i) == 0) << i;
}

TEST(Typed, ReadOutOfBoundsGivesTheDefaults) {
    GEN9_COVERS("DP-074");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0D8, kData, 4, 4, 1, 64));
    b.memory.put<float>(kData + 16, 9.0f);
    const Send& r = b.run(typed(0x04415000 | 0x4000, 1, {U32(8, 4), U32(8, 0)}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(r.dword(8), 0u);
    EXPECT_EQ(r.dword(24), bits_of(1.0f));
}

TEST(Typed, MaskedChannelsOfAPackedFormatAreReported) {
    GEN9_COVERS("DP-073");
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

}  // namespace
}  // namespace gen9::hdc
