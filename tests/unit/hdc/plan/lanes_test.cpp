// SPDX-License-Identifier: Apache-2.0
// Messages with an offset or address per slot: untyped and scattered.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(Untyped, ContiguousSimd16ReadIsOneAccessToMemory) {
    GEN9_COVERS("DP-140 DP-170 DP-174");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    for (unsigned i = 0; i < 16; ++i)
        b.memory.put<std::uint32_t>(kData + 64 + i * 4, 1000 + i);
    const Send& r = b.run(Send(DC1, kUntypedRead16).add(ramp<std::uint32_t>(16, 64, 4)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(r.dword(i), 1000 + i);
    EXPECT_EQ(b.plan.piece_count, 1);
    EXPECT_EQ(b.memory.bus_accesses, 0u);
}

TEST(Untyped, ActiveSlotsThatFollowOneAnotherAreOneAccessToMemory) {
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.run(Send(DC1, kUntypedRead16, 0x0FF0).add(ramp<std::uint32_t>(16, 64, 4)));
    EXPECT_EQ(b.plan.piece_count, 1);
    EXPECT_EQ(b.plan.pieces[0].bytes, 32);
}

TEST(Untyped, AReadOfOnePlaceByAllSlotsIsOneAccessThatFillsThemAll) {
    GEN9_COVERS("DP-140 DP-170");
    for (const bool grant : {true, false}) {
        Bench b;
        b.memory.grant = grant;
        b.bind(0, SurfaceBits::buffer(kData, 64));
        b.memory.put<std::uint32_t>(kData + 60, 0x12345678);
        const Send& r = b.run(Send(DC1, kUntypedRead16).add(U32(16, 60)));
        for (unsigned i = 0; i < 16; ++i)
            EXPECT_TRUE(r.written(i) && r.dword(i) == 0x12345678) << i;
        EXPECT_EQ(b.plan.piece_count, 1);
        EXPECT_EQ(b.statistics.accesses.value(), 16u);
        EXPECT_EQ(b.statistics.bytes_read.value(), 64u);
        const Send& outside = b.run(Send(DC1, kUntypedRead16).add(U32(16, 64)));
        for (unsigned i = 0; i < 16; ++i)
            EXPECT_TRUE(outside.written(i) && outside.dword(i) == 0) << i;
        EXPECT_EQ(b.statistics.out_of_bounds.value(), 16u);
    }
    Bench b;
    store(b.memory.slm_bytes.data() + 8, 0x87654321u);
    const Send& shared = b.run(Send(DC1, kUntypedRead16 | kLocal).add(U32(16, 8)));
    b.memory.put<std::uint64_t>(kData, 0x123456789ABCDEF0);
    const Send& wide = b.run(Send(DC1, 0x042402FF, 0xFF).add(U64(8, kData)));
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(shared.dword(i), 0x87654321u);
        EXPECT_EQ(wide.qword(i), 0x123456789ABCDEF0u);
    }
}

TEST(Untyped, OfSlotsThatWriteOnePlaceTheBytesOfOneAreThere) {
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.run(Send(DC1, kUntypedWrite16).add(U32(16, 4)).add(ramp<std::uint32_t>(16, 1, 1)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 0u);
    EXPECT_TRUE(b.memory.get<std::uint32_t>(kData + 4) - 1 < 16);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 8), 0u);
}

TEST(Untyped, OnlyActiveSlotsReadAndAreWritten) {
    GEN9_COVERS("DP-014 DP-015 DP-016 DP-080");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData + 8, 77);
    const Send& r = b.run(Send(DC1, kUntypedRead8, 1).add(U32{8, 8, 8, 8, 8, 8, 8, 8}));
    EXPECT_EQ(r.dword(0), 77u);
    EXPECT_EQ(r.message.response_enable[0], 0xFu);
    // A SIMD8 message ignores the upper half of the mask.
    b.memory.put<std::uint32_t>(kData + 100, 0);
    b.run(Send(DC1, kUntypedWrite8, 0xFF00).add(U32(8, 100)).add(U32(8, 5)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 100), 0u);
}

TEST(Untyped, TheHeadersPixelMaskIsAndedWithTheExecutionMask) {
    GEN9_COVERS("DP-009 DP-082");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.run(Send(DC1, 0x040A5E00)
              .header({{7, 0x0F0F}})
              .add(ramp<std::uint32_t>(16, 0, 4))
              .add(ramp<std::uint32_t>(16, 1, 1)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), i % 8 < 4 ? i + 1 : 0) << i;
    b.run(Send(DC1, kUntypedWrite16)
              .add(ramp<std::uint32_t>(16, 0, 4))
              .add(ramp<std::uint32_t>(16, 1, 1)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), i + 1);
}

TEST(Untyped, ADisabledChannelKeepsItsPlaceInMemory) {
    GEN9_COVERS("DP-145");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData + 12, 0xABC);
    const Send& r = b.run(Send(DC1, 0x02106D00, 1).add(U32(8, 8)));
    EXPECT_EQ(r.dword(0), 0xABCu);
}

TEST(Untyped, OutOfBoundsReadsReturnZeroAndWritesAreDropped) {
    GEN9_COVERS("DP-090 DP-091 DP-092 DP-093");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.memory.put<std::uint32_t>(kData + 60, 0x11);
    b.memory.put<std::uint32_t>(kData + 64, 0x22);
    const Send& r = b.run(Send(DC1, kUntypedRead8, 7).add(U32{60, 64, 0xFFFFFFFC, 0, 0, 0, 0, 0}));
    EXPECT_EQ(r.dword(0), 0x11u);
    EXPECT_EQ(r.dword(1), 0u);
    EXPECT_EQ(r.dword(2), 0u);
    EXPECT_TRUE(r.written(1) && r.written(2));
    EXPECT_FALSE(r.written(3));
    EXPECT_EQ(b.statistics.accesses.value(), 1u);
    EXPECT_EQ(b.statistics.out_of_bounds.value(), 2u);
    b.run(Send(DC1, kUntypedWrite8, 1).add(U32(8, 64)).add(U32(8, 0x99)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 64), 0x22u);
}

TEST(Untyped, TheChannelsOfASlotAreCheckedOneByOne) {
    GEN9_COVERS("DP-090 DP-091");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    for (unsigned i = 0; i < 32; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, 1000 + i);
    const Send& r = b.run(Send(DC1, kUntypedReadXyzw16, 1).add(U32(16, 56)));
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(r.dword(c * 16), c < 2 ? 1014 + c : 0) << c;
    EXPECT_EQ(b.plan.accesses, 2);
    EXPECT_EQ(b.plan.out_of_bounds, 2);
}

TEST(Untyped, ANullSurfaceReadsZeroAndDropsWrites) {
    GEN9_COVERS("DP-102");
    Bench b;
    SurfaceBits null = SurfaceBits::buffer(kData, 4096);
    null.set(packets::render_surface_state::SurfaceType,
             packets::render_surface_state::SURFTYPE_NULL);
    b.bind(0, null);
    b.memory.put<std::uint32_t>(kData, 5);
    const Send& r = b.run(Send(DC1, kUntypedRead8, 1).add(U32(8, 0)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_TRUE(r.written(0));
    b.run(Send(DC1, kUntypedWrite8, 1).add(U32(8, 0)).add(U32(8, 9)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 5u);
    const Send& a = b.run(Send(DC1, 0x0210B500, 1).add(U32(8, 0)));
    EXPECT_EQ(a.dword(0), 0u);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 5u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Untyped, StatelessOffsetsCountFromTheGeneralStateBase) {
    GEN9_COVERS("DP-042 DP-142 DP-008");
    Bench b;
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + 0x1400 + 16, 0xCAFE);
    const Send& plain = b.run(Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, 0x1410)));
    EXPECT_EQ(plain.dword(0), 0xCAFEu);
    // The header's buffer base counts in kilobytes; its low bits are the FFTID.
    const Send& based =
        b.run(Send(DC1, 0x04186EFF, 1).header({{5, 0x17FF}, {7, 0xFFFF}}).add(U32(8, 0x10)));
    EXPECT_EQ(based.dword(0), 0xCAFEu);
}

TEST(Untyped, GeneralStateSizeZeroPutsEveryStatelessAccessOutside) {
    GEN9_COVERS("DP-097");
    Bench b;
    b.state->general_state_size = 0;
    b.memory.put<std::uint32_t>(Bench::kGeneralBase, 7);
    const Send& r = b.run(Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, 0)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(b.memory.bus_accesses + b.memory.pages_asked, 0u);
}

TEST(Untyped, ThreadScratchSpaceIsCheckedOnlyWhenSwitchedOn) {
    GEN9_COVERS("DP-098");
    for (const bool check : {false, true}) {
        Bench b(check);
        b.memory.put<std::uint32_t>(Bench::kGeneralBase + 0x400, 7);
        const Send& r =
            b.run(Send(DC1, 0x04186EFF, 1).header({{3, 0}, {7, 0xFFFF}}).add(U32(8, 0x400)));
        EXPECT_EQ(r.dword(0), check ? 0u : 7u);
    }
}

TEST(Untyped, SharedLocalMemoryWrapsAt64K) {
    GEN9_COVERS("DP-045 DP-047 DP-100 DP-141");
    Bench b;
    b.run(Send(DC1, kUntypedWrite8 | kLocal, 1).add(U32(8, 0x10004)).add(U32(8, 0x55)));
    const Send& r = b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 4)));
    EXPECT_EQ(r.dword(0), 0x55u);
    EXPECT_EQ(b.memory.bus_accesses, 0u);
}

TEST(Untyped, GroupsHaveTheirOwnPartOfSharedLocalMemory) {
    GEN9_COVERS("DP-045");
    Bench b;
    b.sender.slm_size = 4096;
    b.run(Send(DC1, kUntypedWrite8 | kLocal, 1).add(U32(8, 0)).add(U32(8, 1)));
    b.sender.slm_base = 4096;
    b.run(Send(DC1, kUntypedWrite8 | kLocal, 1).add(U32(8, 0)).add(U32(8, 2)));
    EXPECT_EQ(b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 0))).dword(0), 2u);
    b.sender.slm_base = 0;
    EXPECT_EQ(b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 0))).dword(0), 1u);
}

TEST(Untyped, AGroupWithoutSharedLocalMemoryIsReportedAndReadsZero) {
    Bench b;
    b.sender.slm_size = 0;
    const Send& r = b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 0)));
    EXPECT_EQ(r.message.status, MessageStatus::GuestError);
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(b.reporter.guest_errors(), 1u);
}

TEST(Untyped, A64ReadOfThreeChannelsIsAGather4) {
    GEN9_COVERS("DP-143 DP-171 DP-173 DP-215 DP-216");
    Bench b;
    for (unsigned i = 0; i < 64; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, i);
    // Reverse order, 16 bytes apart.
    U64 addresses;
    for (unsigned i = 0; i < 16; ++i)
        addresses.push_back(kData + (15 - i) * 16);
    const Send& r = b.run(Send(DC1, 0x086458FF).add(addresses));
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned i = 0; i < 16; ++i)
            EXPECT_EQ(r.dword(c * 16 + i), (15 - i) * 4 + c);
}

TEST(Untyped, NonCanonicalAddressesReadZero) {
    GEN9_COVERS("DP-044 DP-099");
    Bench b;
    b.memory.grant = false;
    const Send& r = b.run(Send(DC1, 0x04146EFF, 3)
                              .add(U64{0x0000800000000000, 0xFFFF800000000000, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(b.plan.out_of_bounds, 1);
    EXPECT_EQ(b.memory.bus_accesses, 1u) << "the canonical one is an access like any other";
    EXPECT_EQ(b.plan.pieces[0].address, 0x800000000000u);
}

TEST(ByteScattered, PlacesBytesAtAnyAddress) {
    GEN9_COVERS("DP-110 DP-114");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.run(Send(DC0, 0x02030400, 1).add(U32(8, 3)).add(U32(8, 0xDDCCBBAA)));
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData), 0x000000BBAA000000u);
}

TEST(ByteScattered, AnAccessOverTheEndGivesTheBytesOfTheDWordInside) {
    GEN9_COVERS("DP-090");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.memory.put<std::uint16_t>(kData + 63, 0x5A7E);
    const Send& r = b.run(Send(DC0, 0x02110400, 1).add(U32(8, 63)));
    EXPECT_EQ(r.dword(0) & 0xFFFF, 0x7Eu);
    EXPECT_EQ(b.plan.piece_count, 1);
    EXPECT_EQ(b.plan.pieces[0].bytes, 1);
    EXPECT_EQ(b.statistics.accesses.value(), 1u);
    EXPECT_EQ(b.statistics.out_of_bounds.value(), 0u);
}

TEST(ByteScattered, StatelessWithAndWithoutAZeroHeaderAreTheSame) {
    GEN9_COVERS("DP-009 DP-112");
    Bench b;
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + 21, 0x04030201);
    const Send& plain = b.run(Send(DC0, 0x021108FF, 1).add(U32(8, 21)));
    const Send& headed = b.run(Send(DC0, 0x041908FF, 1).header({}).add(U32(8, 21)));
    const Send& global = b.run(Send(DC0, 0x041908FF, 1).header({{2, 20}}).add(U32(8, 1)));
    EXPECT_EQ(plain.dword(0), 0x04030201u);
    EXPECT_EQ(headed.dword(0), 0x04030201u);
    EXPECT_EQ(global.dword(0), 0x04030201u);
}

TEST(ByteScattered, SharedLocalMemory) {
    GEN9_COVERS("DP-111");
    Bench b;
    b.sender.slm_base = 0x8000;
    b.run(Send(DC0, 0x040301FE, 0xFFFF)
              .add(ramp<std::uint32_t>(16, 0x7FF8, 1))
              .add(ramp<std::uint32_t>(16, 0x101, 1)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(b.memory.slm_bytes[(0x8000 + 0x7FF8 + i) % 0x10000], i + 1) << "wraps at 64 KB";
}

TEST(ByteScattered, SharedLocalMemoryOfAnotherSize) {
    Bench b(false, 0x20000);
    b.sender.slm_base = 0x10000;
    b.run(Send(DC0, 0x040301FE, 0xFFFF)
              .add(ramp<std::uint32_t>(16, 0xFFF8, 1))
              .add(ramp<std::uint32_t>(16, 0x101, 1)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(b.memory.slm_bytes[(0x1FFF8 + i) % 0x20000], i + 1) << "wraps at 128 KB";
    EXPECT_EQ(b.memory.slm_bytes[0xFFF8], 0);
}

TEST(DwordScattered, IndicesAndGlobalOffsetCountDwords) {
    GEN9_COVERS("DP-077 DP-117");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData + 20, 0x1234);
    // DWord scattered read, SIMD8, bit 9 set as the PRM asks.
    const Send& r = b.run(Send(DC0, 0x0418C200 | 1 << 20, 1).header({{2, 2}}).add(U32(8, 3)));
    EXPECT_EQ(r.dword(0), 0x1234u);
}

TEST(DwordScattered, ThroughTheConstantCache) {
    GEN9_COVERS("DP-120");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData + 36, 0x77);
    const Send& r = b.run(Send(Sfid::ConstantCache, 0x0210C200, 1).add(U32(8, 9)));
    EXPECT_EQ(r.dword(0), 0x77u);
    EXPECT_EQ(b.plan.requester, Requester::ConstantCache);
}

TEST(A64Scattered, ElementsAreConsecutiveAndThePayloadElementMajor) {
    GEN9_COVERS("DP-119 DP-122 DP-171 DP-172");
    Bench b;
    U64 addresses;
    std::vector<double> doubles(16);
    for (unsigned i = 0; i < 16; ++i) {
        addresses.push_back(kData + ((i * 7) % 16) * 64);
        doubles[i] = 1.5 * i - 3;
    }
    U32 low, high;
    for (const double d : doubles) {
        low.push_back(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(d)));
        high.push_back(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(d) >> 32));
    }
    b.run(Send(DC1, 0x080695FF).add(addresses).add(low).add(high));
    const Send& r = b.run(Send(DC1, 0x084412FF).add(addresses));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(std::bit_cast<double>(r.qword(i)), doubles[i]);
}

TEST(A64Scattered, BytesLieInTheLowEndOfTheirLane) {
    GEN9_COVERS("DP-113 DP-114");
    Bench b;
    for (unsigned i = 0; i < 64; ++i)
        b.memory.put<std::uint8_t>(kData + i, static_cast<std::uint8_t>(0x80 + i));
    const Send& r = b.run(Send(DC1, 0x082410FF).add(ramp<std::uint64_t>(16, kData + 1, 3)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(r.dword(i) & 0xFF, 0x81 + 3 * i);
}

TEST(Lanes, OfSlotsThatWriteOnePlaceOneWins) {
    GEN9_COVERS("DP-022");
    Bench b;
    b.run(Send(DC1, kA64Write16).add(U64(16, kData + 4)).add(ramp<std::uint32_t>(16, 100, 1)));
    EXPECT_GE(b.memory.get<std::uint32_t>(kData + 4), 100u);
    EXPECT_LT(b.memory.get<std::uint32_t>(kData + 4), 116u);
}

TEST(Lanes, AnEmptyExecutionMaskDoesNothingAndWritesNothingBack) {
    GEN9_COVERS("DP-013");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    const Send& r = b.run(Send(DC1, kUntypedRead16, 0).add(U32(16, 0)));
    EXPECT_EQ(r.message.status, MessageStatus::Ok);
    EXPECT_EQ(r.message.response_enable[0] | r.message.response_enable[1], 0u);
    EXPECT_EQ(b.memory.bus_accesses + b.memory.pages_asked, 0u);
}

TEST(Lanes, WhatAnEarlierMessageWroteBackIsForgotten) {
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    for (const std::uint32_t mask : {0u, 4u}) {
        Send send = Send(DC1, kUntypedRead8, mask).add(U32(8, 0));
        send.message.response_enable.fill(~0u);
        const Message& done = b.run(send).message;
        EXPECT_EQ(done.response_enable[0], mask ? 0xF00u : 0u);
        EXPECT_EQ(done.response_enable[1], 0u);
    }
}

TEST(Lanes, EverySlotIsHeldAgainstTheAlignment) {
    GEN9_COVERS("DP-059");
    for (const unsigned slots : {8u, 16u})
        for (unsigned odd = 0; odd < slots; ++odd) {
            Bench b;
            b.bind(0, SurfaceBits::buffer(kData, 64));
            b.memory.put<std::uint32_t>(kData + 40, 77);
            U32 offsets(slots, 0);
            offsets[odd] = 42;
            const Send& r =
                b.run(Send(DC1, slots == 8 ? kUntypedRead8 : kUntypedRead16).add(offsets));
            EXPECT_EQ(r.dword(odd), 77u);
            EXPECT_EQ(b.reporter.guest_errors(), 1u) << odd << " of " << slots;
        }
}

TEST(Untyped, AMessageWithoutAnyChannelIsIllegal) {
    EXPECT_NE(decode(DC1, descriptor(0x01, 0x2F00, 0), 1, 0, false).error, nullptr);
}

TEST(Lanes, PayloadIsOneStreamWhereverTheSendSplitsIt) {
    GEN9_COVERS("DP-003 DP-004");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    for (const unsigned first : {1u, 2u, 4u}) {
        Send send(DC1, 0x04025E00);
        send.add(ramp<std::uint32_t>(16, 0, 4)).add(ramp<std::uint32_t>(16, first, 1));
        send.message.first_length = static_cast<std::uint8_t>(first);
        b.run(send);
        for (unsigned i = 0; i < 16; ++i)
            EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), first + i);
    }
}

TEST(Lanes, WithoutDirectAccessTheBusIsUsed) {
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.grant = false;
    b.run(Send(DC1, kUntypedWrite16)
              .add(ramp<std::uint32_t>(16, 0, 8))
              .add(ramp<std::uint32_t>(16, 5, 1)));
    const Send& r = b.run(Send(DC1, kUntypedRead16).add(ramp<std::uint32_t>(16, 0, 8)));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(r.dword(i), 5 + i);
    EXPECT_EQ(b.memory.bus_accesses, 4u) << "a request for each line";
}

TEST(Lanes, AnAccessOverAPageEndIsSplit) {
    Bench b;
    const std::uint64_t end = kData + kPageBytes;
    b.memory.put<std::uint32_t>(end - 2, 0xDEADBEEF);
    const Send& r = b.run(Send(DC1, 0x041408FF, 1).add(U64(8, end - 2)));
    EXPECT_EQ(r.dword(0), 0xDEADBEEFu);
    EXPECT_EQ(b.memory.bus_accesses, 0u) << "each part by its own page";
}

TEST(Lanes, SurfaceStatesAreKeptUntilTheStateCacheIsInvalidated) {
    GEN9_COVERS("DP-041 L3-89");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.memory.put<std::uint32_t>(kData, 1);
    b.memory.put<std::uint32_t>(kData + 4096, 2);
    const Send read = Send(DC1, kUntypedRead8, 1).add(U32(8, 0));
    EXPECT_EQ(b.run(read).dword(0), 1u);
    std::memcpy(b.memory.at(Bench::kSurfaceBase), SurfaceBits::buffer(kData + 4096, 64).dwords, 64);
    EXPECT_EQ(b.run(read).dword(0), 1u);
    b.core.invalidate();
    EXPECT_EQ(b.run(read).dword(0), 2u);
}

TEST(Lanes, SurfaceStatesAreReadAgainWhenTheBasesAreSetAnew) {
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.memory.put<std::uint32_t>(kData, 1);
    b.memory.put<std::uint32_t>(kData + 4096, 2);
    const Send read = Send(DC1, kUntypedRead8, 1).add(U32(8, 0));
    EXPECT_EQ(b.run(read).dword(0), 1u);
    std::memcpy(b.memory.at(Bench::kSurfaceBase), SurfaceBits::buffer(kData + 4096, 64).dwords, 64);
    auto next = std::make_shared<PipelineState>(*b.state);
    b.sender.state = next;
    EXPECT_EQ(b.run(read).dword(0), 1u) << "only other state has changed";
    ++next->number;
    EXPECT_EQ(b.run(read).dword(0), 2u) << "though the new base is the old one";
    const auto reads = b.memory.bus_accesses;
    b.sender.state = next;
    b.run(read);
    EXPECT_EQ(b.memory.bus_accesses, reads);
}

TEST(Lanes, AnUnreadableSurfaceStateIsReported) {
    Bench b;
    b.state->surface_state_base = GpuAddr(0x10);
    const Send& r = b.run(Send(DC1, kUntypedRead8, 1).add(U32(8, 0)));
    EXPECT_EQ(r.message.status, MessageStatus::GuestError);
    EXPECT_EQ(r.dword(0), 0u);
}

TEST(Lanes, IllegalMessagesAreReportedAndAnsweredWithZeros) {
    Bench b;
    const Send& r = b.run(Send(DC1, 0x04205EF5).add(U32(16, 0)));
    EXPECT_EQ(r.message.status, MessageStatus::GuestError);
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_TRUE(r.written(i) && r.dword(i) == 0);
    EXPECT_EQ(r.message.response_enable[2], 0u) << "beyond the registers it returns";
    ASSERT_EQ(b.reporter.guest_errors(), 1u);
    EXPECT_NE(b.reporter.entries()[0].text.find("reserved binding table index"), std::string::npos);
}

TEST(Lanes, EndOfThreadOnADataPortMessageIsReported) {
    GEN9_COVERS("DP-012");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    Send send = Send(DC1, kUntypedRead8, 1).add(U32(8, 0));
    send.message.end_of_thread = true;
    b.run(send);
    EXPECT_EQ(b.reporter.guest_errors(), 1u);
}

}  // namespace
}  // namespace gen9::hdc
