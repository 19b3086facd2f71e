// SPDX-License-Identifier: Apache-2.0
// Structured buffers, channel selects, bindless surfaces, and the scaled messages of port 2.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

constexpr std::uint32_t kSimd16 = 1u << 12, kSimd8 = 2u << 12;

SurfaceBits structured(unsigned pitch, unsigned entries) {
    SurfaceBits s = SurfaceBits::buffer(kData, entries);
    s.set(state::SurfaceType, state::SURFTYPE_STRBUF).set(state::SurfacePitch, pitch - 1);
    return s;
}

struct Structured : ::testing::Test {
    Bench b;
    Structured() {
        b.bind(0, structured(12, 10));
        for (unsigned i = 0; i < 64; ++i)
            b.memory.put<std::uint32_t>(kData + i * 4, i);
    }
    std::uint32_t dword(unsigned n) { return b.memory.get<std::uint32_t>(kData + n * 4); }
};

TEST_F(Structured, ReadsAtUTimesPitchPlusV) {
    GEN9_COVERS("DP-055 DP-060 DP-148 DP-174");
    // R and G of structures 0 to 15 from byte 4 on; 10 to 15 do not exist.
    const Send& r = b.run(Send(DC1, descriptor(0x01, kSimd16 | 0xC << 8, 0, 4))
                              .add(ramp<std::uint32_t>(16, 0, 1))
                              .add(U32(16, 4)));
    for (unsigned i = 0; i < 16; ++i) {
        EXPECT_EQ(r.dword(i), i < 10 ? i * 3 + 1 : 0);
        EXPECT_EQ(r.dword(16 + i), i < 10 ? i * 3 + 2 : 0);
    }
}

TEST_F(Structured, WhatLiesBehindAStructureIsOutsideThoughTheNextOneFollows) {
    GEN9_COVERS("DP-094");
    const Send& r = b.run(
        Send(DC1, descriptor(0x01, kSimd8 | 0xC << 8, 0, 2), 1).add(U32(8, 2)).add(U32(8, 8)));
    EXPECT_EQ(r.dword(0), 8u) << "the last DWord of a structure is inside";
    EXPECT_EQ(r.dword(8), 0u) << "G would be the next structure's";
    b.run(Send(DC1, descriptor(0x09, kSimd8 | 0xE << 8, 0), 1)
              .add(U32(8, 2))
              .add(U32(8, 12))
              .add(U32(8, 99)));
    EXPECT_EQ(dword(9), 9u);
}

TEST_F(Structured, WritesAtomicsAndPairs) {
    GEN9_COVERS("DP-148 DP-164");
    b.run(Send(DC1, descriptor(0x09, kSimd8 | 0xE << 8, 0), 1)
              .add(U32(8, 3))
              .add(U32(8, 4))
              .add(U32(8, 99)));
    EXPECT_EQ(dword(10), 99u);
    const Send& add = b.run(Send(DC1, descriptor(0x02, 7 << 8 | 1 << 12 | 1 << 13, 0, 1), 1)
                                .add(U32(8, 3))
                                .add(U32(8, 4))
                                .add(U32(8, 1)));
    EXPECT_EQ(add.dword(0), 99u);
    EXPECT_EQ(dword(10), 100u);
    const Send& pair =
        b.run(Send(DC1, descriptor(0x01, 0, 0, 1), 0x11).add(U32{1, 0, 0, 0, 2, 4, 0, 0}));
    EXPECT_EQ(pair.dword(0), 3u);
    EXPECT_EQ(pair.dword(4), 7u);
    EXPECT_EQ(pair.dword(3), 0u) << "the fourth DWord of a structure of three";
}

TEST_F(Structured, WithoutVItIsRefusedOnce) {
    const Send& write =
        b.run(Send(DC1, descriptor(0x09, kSimd8 | 0xE << 8, 0), 1).add(U32(8, 2)).add(U32(8, 4)));
    EXPECT_EQ(write.message.status, MessageStatus::GuestError);
    EXPECT_EQ(b.reporter.guest_errors(), 1u);
}

TEST_F(Structured, OtherMessagesMayNotUseThem) {
    GEN9_COVERS("DP-055");
    EXPECT_EQ(b.run(Send(Sfid::DataPort0, descriptor(0x04, 2 << 10, 0, 1), 1).add(U32(8, 0)))
                  .message.status,
              MessageStatus::GuestError);
}

TEST(ChannelSelects, SwizzleUntypedSurfacesUnlessAllAreZero) {
    GEN9_COVERS("DP-147");
    Bench b;
    SurfaceBits s = SurfaceBits::buffer(kData, 64);
    b.bind(0, s);
    s.set(state::ShaderChannelSelectRed, state::SCS_BLUE)
        .set(state::ShaderChannelSelectGreen, state::SCS_ONE);
    s.set(state::ShaderChannelSelectBlue, state::SCS_RED)
        .set(state::ShaderChannelSelectAlpha, state::SCS_ZERO);
    b.bind(1, s);
    for (unsigned i = 0; i < 16; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, 10 + i);
    const U32 offsets(8, 16);
    const Send& plain = b.run(Send(DC1, descriptor(0x01, kSimd8, 0, 4), 1).add(offsets));
    const Send& moved = b.run(Send(DC1, descriptor(0x01, kSimd8, 1, 4), 1).add(offsets));
    const std::uint32_t expected[4] = {16, 1, 14, 0};
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(plain.dword(c * 8), 14 + c);
        EXPECT_EQ(moved.dword(c * 8), expected[c]);
    }
    b.run(Send(DC1, descriptor(0x09, kSimd8, 1), 1)
              .add(offsets)
              .add(U32(8, 1))
              .add(U32(8, 2))
              .add(U32(8, 3))
              .add(U32(8, 4)));
    const std::uint32_t written[4] = {3, 15, 1, 17};
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 16 + c * 4), written[c]);
}

TEST(Bindless, TheExtendedDescriptorNamesTheSurfaceState) {
    GEN9_COVERS("DP-053");
    Bench b;
    const std::uint64_t heap = Bench::kSurfaceBase + 0x10000;
    b.state->bindless_surface_base = GpuAddr(heap);
    b.state->bindless_surface_count = 3;
    for (const unsigned n : {3u, 4u})
        std::memcpy(b.memory.at(heap + n * 64), SurfaceBits::buffer(kData, 64).dwords, 64);
    b.memory.put<std::uint32_t>(kData + 8, 55);
    const auto read = [&](std::uint32_t offset) -> const Send& {
        Send send(DC1, descriptor(0x01, kSimd8 | 0xE << 8, 0xFC, 1), 1);
        send.add(U32(8, 8));
        send.message.extended_descriptor = offset << 6 | 0xC;
        return b.run(send);
    };
    EXPECT_EQ(read(3 * 64).dword(0), 55u);
    EXPECT_EQ(read(3 * 64).message.status, MessageStatus::Ok);
    EXPECT_EQ(read(4 * 64).message.status, MessageStatus::GuestError) << "beyond the last state";
    EXPECT_EQ(b.reporter.guest_errors(), 1u);
}

/// DC2: message code in bits 18:15, bit 7 enables scale and sideband offset, 6:0 SLM's pitch - 1.
constexpr std::uint32_t scaled(unsigned code, std::uint32_t control, unsigned registers,
                               bool header, unsigned pitch_less_one = 0) {
    return code << 15 | control | 1u << 7 | pitch_less_one | registers << 20 |
           (header ? 1u << 19 : 0);
}
Send with_sideband(Send send, std::uint32_t offset) {
    send.message.extended_descriptor = offset << 16 | 4;
    return send;
}

struct Scaled : ::testing::Test {
    Bench b;
    Scaled() {
        for (unsigned i = 0; i < 4096; ++i) {
            b.memory.put<std::uint8_t>(kData + i, static_cast<std::uint8_t>(i * 7));
            b.memory.put<std::uint8_t>(Bench::kGeneralBase + i, static_cast<std::uint8_t>(i * 5));
            b.memory.slm_bytes[i] = static_cast<std::uint8_t>(i * 3);
        }
    }
    template <class T>
    T slm(unsigned at) {
        return load<T>(b.memory.slm_bytes.data() + at);
    }
};

TEST_F(Scaled, SlmAddressesAreSidebandPlusOffsetTimesPitch) {
    GEN9_COVERS("DP-116 DP-149");
    b.sender.slm_base = 1024;
    // Untyped read of R and G, pitch 12, sideband 8.
    const Send& r = b.run(with_sideband(
        Send(DC2, scaled(1, kSimd8 | 0xC << 8, 2, false, 11)).add(ramp<std::uint32_t>(8, 0, 3)),
        8));
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(r.dword(i), slm<std::uint32_t>(1024 + 8 + i * 36));
        EXPECT_EQ(r.dword(8 + i), slm<std::uint32_t>(1024 + 8 + i * 36 + 4));
    }
    // Byte scattered write of words, pitch 2.
    b.run(with_sideband(Send(DC2, scaled(12, 1 << 10, 0, false, 1), 3)
                            .add(ramp<std::uint32_t>(8, 5, 1))
                            .add(U32(8, 0xABCD1234)),
                        1));
    EXPECT_EQ(slm<std::uint16_t>(1024 + 11), 0x1234);
    EXPECT_EQ(slm<std::uint16_t>(1024 + 13), 0x1234);
}

TEST_F(Scaled, A32AddressesTakePitchAndBaseFromTheHeader) {
    GEN9_COVERS("DP-116 DP-149 DP-209");
    const Send& r = b.run(with_sideband(Send(DC2, scaled(1, kSimd8 | 0xE << 8, 1, true))
                                            .header({{0, 7}, {5, 100}, {7, 0xFFFF}})
                                            .add(ramp<std::uint32_t>(8, 0, 1)),
                                        16));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(r.dword(i), b.memory.get<std::uint32_t>(Bench::kGeneralBase + 100 + 16 + i * 8));
    // The header's pixel mask takes part (SMPSM); beyond the general state everything reads 0.
    const Send& masked = b.run(Send(DC2, scaled(1, kSimd8 | 0xE << 8, 1, true))
                                   .header({{0, 3}, {7, 0x0F}})
                                   .add(ramp<std::uint32_t>(8, 0, 1)));
    EXPECT_TRUE(masked.written(3));
    EXPECT_FALSE(masked.written(4));
    const Send& outside =
        b.run(Send(DC2, scaled(4, 2 << 10, 1, true), 1).header({{0, 0xFFFF}}).add(U32(8, 0xFFFF)));
    EXPECT_EQ(outside.dword(0), 0u);
    EXPECT_EQ(b.plan.out_of_bounds, 1);
}

TEST_F(Scaled, BytesOfAnElementAreCheckedWithTheirOwnDword) {
    GEN9_COVERS("DP-090");
    constexpr std::uint64_t kSize = 0x40000;  // of the general state
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + kSize - 2, 0x44332211);
    const Send& end =
        b.run(Send(DC2, scaled(4, 2 << 10, 1, true), 1).header({{5, kSize - 10}}).add(U32(8, 8)));
    EXPECT_EQ(end.dword(0), 0x2211u);
    EXPECT_EQ(b.plan.accesses, 1);
    // SLM has no end: it goes on at its begin.
    b.memory.slm_bytes[65534] = 0x11, b.memory.slm_bytes[65535] = 0x22;
    b.memory.slm_bytes[0] = 0x33, b.memory.slm_bytes[1] = 0x44;
    const Send& slm = b.run(Send(DC2, scaled(4, 2 << 10, 1, false), 1).add(U32(8, 65534)));
    EXPECT_EQ(slm.dword(0), 0x44332211u);
}

TEST_F(Scaled, TheScaleOffsetIsTheUpperHalfOfTheExtendedDescriptor) {
    GEN9_COVERS("DP-207");
    const auto low = static_cast<std::uint32_t>(kData);
    constexpr std::uint32_t kOffset = 0xA5F3;
    for (unsigned i = 0; i < 256; ++i) {
        b.memory.put<std::uint8_t>(kData + kOffset - 128 + i, static_cast<std::uint8_t>(i));
        b.memory.put<std::uint8_t>(Bench::kGeneralBase + kOffset - 128 + i,
                                   static_cast<std::uint8_t>(i));
        b.memory.slm_bytes[kOffset - 128 + i] = static_cast<std::uint8_t>(i);
    }
    const auto read = [&](const Send& send, std::uint32_t other_bits) {
        Send with = with_sideband(send, kOffset);
        with.message.extended_descriptor |= other_bits;
        return b.run(with).dword(0);
    };
    for (const std::uint32_t other_bits : {0u, 0xFFF0u}) {
        EXPECT_EQ(read(Send(DC2, scaled(4, 0, 1, false), 1).add(U32(8, 3)), other_bits), 131u);
        EXPECT_EQ(read(Send(DC2, scaled(4, 0, 1, true), 1).header({}).add(U32(8, 4)), other_bits),
                  132u);
        EXPECT_EQ(
            read(Send(DC2, scaled(2, 0, 1, true), 1).header({{5, low}}).add(U32(8, 5)), other_bits),
            133u);
    }
    // Without the enable bit neither offset nor pitch counts.
    b.memory.put<std::uint8_t>(Bench::kGeneralBase + 6, 200);
    Send plain = Send(DC2, scaled(4, 0, 1, true) & ~(1u << 7), 1).header({{0, 9}}).add(U32(8, 6));
    EXPECT_EQ(read(plain, 0), 200u);
}

TEST_F(Scaled, WithoutHeaderAndScaleTheyAreA32Messages) {
    GEN9_COVERS("DP-112 DP-032");
    const Send& r = b.run(Send(DC2, descriptor(8, 2 << 10, 0, 1), 1).add(U32(8, 33)));
    EXPECT_EQ(r.dword(0), b.memory.get<std::uint32_t>(Bench::kGeneralBase + 33));
    EXPECT_TRUE(b.plan.coherent) << "stateless messages without an index are IA coherent";
}

TEST_F(Scaled, A64AddressesAreTheHeadersBasePlusScaled32BitOffsets) {
    GEN9_COVERS("DP-116 DP-121 DP-123 DP-149");
    const auto low = static_cast<std::uint32_t>(kData), high = std::uint32_t{kData >> 32};
    // DWord scattered, two elements, pitch 20.
    const Send& dwords = b.run(with_sideband(Send(DC2, scaled(2, 1 << 8 | 1 << 10, 2, true))
                                                 .header({{0, 19}, {5, low}, {6, high}})
                                                 .add(ramp<std::uint32_t>(8, 0, 1)),
                                             4));
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(dwords.dword(i), b.memory.get<std::uint32_t>(kData + 4 + i * 20));
        EXPECT_EQ(dwords.dword(8 + i), b.memory.get<std::uint32_t>(kData + 8 + i * 20));
    }
    // QWord scattered write, pitch 24.
    b.run(Send(DC2, scaled(11, 2 << 8, 0, true), 3)
              .header({{0, 23}, {5, low}, {6, high}})
              .add(ramp<std::uint32_t>(8, 0, 1))
              .add(ramp<std::uint64_t>(8, 0x1111111122222222, 1)));
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 24), 0x1111111122222223u);
    // Bytes; and untyped, all four channels of a pair.
    const Send& bytes = b.run(Send(DC2, scaled(2, 0, 1, true), 2)
                                  .header({{0, 2}, {5, low}, {6, high}})
                                  .add(ramp<std::uint32_t>(8, 100, 1)));
    EXPECT_EQ(bytes.dword(1), b.memory.get<std::uint8_t>(kData + 303));
    const Send& pair = b.run(Send(DC2, scaled(3, 0, 1, true), 0x11)
                                 .header({{0, 15}, {5, low}, {6, high}})
                                 .add(U32{40, 0, 0, 0, 50, 0, 0, 0}));
    EXPECT_EQ(pair.dword(3), b.memory.get<std::uint32_t>(kData + 652));
    EXPECT_EQ(pair.dword(4), b.memory.get<std::uint32_t>(kData + 800));
}

TEST_F(Scaled, A64BasesBeyondTheCanonicalRangeAreOutside) {
    GEN9_COVERS("DP-099");
    const Send& r = b.run(Send(DC2, scaled(2, 1 << 8, 1, true), 3)
                              .header({{0, 3}, {5, 0xFFFFFFFC}, {6, 0x00007FFF}})
                              .add(ramp<std::uint32_t>(8, 0, 1)));
    EXPECT_EQ(b.plan.out_of_bounds, 1) << "the second slot crosses the 47-bit boundary";
    EXPECT_EQ(r.dword(1), 0u);
}

TEST_F(Scaled, WithoutAHeaderA64MessagesArePlain) {
    GEN9_COVERS("DP-122");
    const Send& r = b.run(Send(DC2, descriptor(4, 2 << 8, 0, 2), 1).add(U64(8, kData + 24)));
    EXPECT_EQ(r.qword(0), b.memory.get<std::uint64_t>(kData + 24));
}

}  // namespace
}  // namespace gen9::hdc
