// SPDX-License-Identifier: Apache-2.0
// Compare-writes of double width, typed atomics, append counters.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc::wide_atomic {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

constexpr std::uint32_t kReturn = 1u << 13, kSimd8 = 1u << 12;

constexpr std::uint64_t kOld = 0x1111111122222222, kNew = 0x3333333344444444;

TEST(WideAtomic, EightByteCompareWriteHasRegistersOfLowAndOfHighDwords) {
    GEN9_COVERS("DP-158 DP-161 DP-178");
    for (const unsigned slots : {8u, 16u}) {
        Bench b;
        b.bind(0, SurfaceBits::buffer(kData, 4096));
        for (unsigned i = 0; i < 16; ++i)
            b.memory.put<std::uint64_t>(kData + i * 8, kOld + i);
        const auto low = [&](std::uint64_t value) {
            return ramp<std::uint32_t>(slots, static_cast<std::uint32_t>(value), 1);
        };
        // Odd slots compare with something else in the high half.
        U32 high(slots, 0x11111111);
        for (unsigned i = 1; i < slots; i += 2)
            high[i] = 0;
        const std::uint32_t control = (slots == 8 ? kSimd8 : 0) | kReturn;
        const Send& r = b.run(Send(DC1, descriptor(0x02, control, 0, slots / 4))
                                  .add(ramp<std::uint32_t>(slots, 0, 8))
                                  .add(low(kOld))
                                  .add(high)
                                  .add(low(kNew))
                                  .add(U32(slots, 0x33333333)));
        ASSERT_EQ(r.message.status, MessageStatus::Ok);
        for (unsigned i = 0; i < slots; ++i) {
            EXPECT_EQ(b.memory.get<std::uint64_t>(kData + i * 8), i % 2 ? kOld + i : kNew + i);
            EXPECT_EQ(r.dword(i), static_cast<std::uint32_t>(kOld) + i);
            EXPECT_EQ(r.dword(slots + i), 0x11111111u);
        }
        const Message& part = b.run(Send(DC1, descriptor(0x02, control, 0, slots / 4), 5)
                                        .add(ramp<std::uint32_t>(slots, 0, 8))
                                        .add(low(kOld))
                                        .add(high)
                                        .add(low(kNew))
                                        .add(high))
                                  .message;
        EXPECT_EQ(part.response_enable[0], 0xF0Fu);
        EXPECT_EQ(part.response_enable[slots / 8], 0xF0Fu) << "the high DWords";
    }
}

TEST(WideAtomic, A64MessagesHaveTheirQwordsPacked) {
    GEN9_COVERS("DP-159 DP-178");
    Bench b;
    b.memory.put<std::uint64_t>(kData + 8, kOld);
    const Send& r = b.run(Send(DC1, descriptor(0x12, kReturn, 0xFF, 2), 2)
                              .add(U64(8, kData + 12))
                              .add(U64(8, kOld))
                              .add(U64(8, kNew)));
    EXPECT_EQ(r.qword(1), kOld);
    EXPECT_EQ(r.message.response_enable[0], 0xFF00u);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 8), kNew) << "aligned to its width";
}

TEST(WideAtomic, SixteenByteCompareWriteNeedsBothHalvesToMatch) {
    GEN9_COVERS("DP-159");
    for (const bool direct : {true, false}) {
        Bench b;
        b.memory.grant = direct;
        for (unsigned i = 0; i < 8; ++i) {
            b.memory.put<std::uint64_t>(kData + i * 16, kOld);
            b.memory.put<std::uint64_t>(kData + i * 16 + 8, i);
        }
        U64 compare, written;
        for (std::uint64_t i = 0; i < 8; ++i) {
            compare.insert(compare.end(), {kOld, i == 5 ? 99 : i});
            written.insert(written.end(), {kNew, i + 100});
        }
        const Send& r = b.run(Send(DC1, descriptor(0x12, kReturn | 1 << 12, 0xFF, 4))
                                  .add(ramp<std::uint64_t>(8, kData, 16))
                                  .add(compare)
                                  .add(written));
        ASSERT_EQ(r.message.status, MessageStatus::Ok);
        for (std::uint64_t i = 0; i < 8; ++i) {
            EXPECT_EQ(b.memory.get<std::uint64_t>(kData + i * 16), i == 5 ? kOld : kNew);
            EXPECT_EQ(b.memory.get<std::uint64_t>(kData + i * 16 + 8), i == 5 ? 5 : i + 100);
            EXPECT_EQ(r.qword(static_cast<unsigned>(2 * i)), kOld);
            EXPECT_EQ(r.qword(static_cast<unsigned>(2 * i + 1)), i);
        }
    }
}

TEST(WideAtomic, PairsOfEightAndSixteenBytes) {
    GEN9_COVERS("DP-158 DP-159");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint64_t>(kData, kOld);
    b.memory.put<std::uint64_t>(kData + 64, kOld + 1);
    const Send& eight = b.run(Send(DC1, descriptor(0x03, kReturn, 0, 1), 0x11)
                                  .add(U32{0, 0, 0, 0, 64, 0, 0, 0})
                                  .add(U64{kOld, kNew, kOld + 1, kNew + 1}));
    EXPECT_EQ(eight.qword(0), kOld);
    EXPECT_EQ(eight.qword(2), kOld + 1);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData), kNew);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 64), kNew + 1);
    const Send& sixteen = b.run(Send(DC1, descriptor(0x13, kReturn | 1 << 12, 0xFF, 1), 0x11)
                                    .add(U64{kData, 0, kData + 64, 0})
                                    .add(U64{kNew, 0, 7, 8, kNew + 1, 1, 9, 10}));
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData), 7u);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 8), 8u);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 64), kNew + 1) << "its high half differs";
    EXPECT_EQ(sixteen.qword(0), kNew);
    EXPECT_EQ(sixteen.qword(2), kNew + 1);
}

TEST(WideAtomic, SharedLocalMemoryHasNone) {
    GEN9_COVERS("DP-048");
    EXPECT_NE(decode(DC1, descriptor(0x02, kSimd8, 0xFE), 5, 0, false).error, nullptr);
}

TEST(TypedAtomic, ActsOnThePixelOfItsSlotGroup) {
    GEN9_COVERS("DP-166 DP-084");
    Bench b;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 8, 8, 1, 64));
    const auto at = [&](unsigned x, unsigned y) {
        return b.memory.get<std::uint32_t>(kData + y * 64 + x * 4);
    };
    b.memory.put<std::uint32_t>(kData + 2 * 64 + 12, 100);
    const Send& r = b.run(Send(DC1, descriptor(0x06, 7 << 8 | kReturn | 1 << 12, 0, 1), 0x0300)
                              .add(U32(8, 3))
                              .add(U32(8, 2))
                              .add(U32(8, 5)));
    EXPECT_EQ(at(3, 2), 110u) << "slots 8 and 9 of the mask";
    EXPECT_EQ(r.dword(0) + r.dword(1), 205u);
    EXPECT_FALSE(r.written(2));
    b.run(Send(DC1, descriptor(0x06, 14 << 8, 0), 1)
              .add(U32(8, 3))
              .add(U32(8, 2))
              .add(U32(8, 110))
              .add(U32(8, 7)));
    EXPECT_EQ(at(3, 2), 7u);
    // A pair, one of whose slots is outside.
    const Send& pair = b.run(
        Send(DC1, descriptor(0x07, 5 << 8 | kReturn, 0, 1), 0x11).add(U32{3, 2, 0, 0, 8, 2, 0, 0}));
    EXPECT_EQ(pair.dword(0), 7u);
    EXPECT_EQ(pair.dword(4), 0u);
    EXPECT_EQ(at(3, 2), 8u);
    EXPECT_EQ(b.plan.out_of_bounds, 1);
}

TEST(TypedAtomic, NeedsA32BitIntegerFormatWhoseRedIsRed) {
    GEN9_COVERS("DP-166 DP-167");
    Bench b;
    const auto status = [&](const SurfaceBits& s) {
        b.bind(0, s);
        return b
            .run(Send(DC1, descriptor(0x06, 5 << 8 | kReturn, 0, 1), 1)
                     .add(U32(8, 0))
                     .add(U32(8, 0)))
            .message.status;
    };
    const auto image = [](unsigned format) {
        return SurfaceBits::image(state::SURFTYPE_2D, format, kData, 8, 8, 1, 64);
    };
    EXPECT_EQ(status(image(0x0D6)), MessageStatus::Ok);
    EXPECT_EQ(status(image(0x0D8)), MessageStatus::GuestError);
    EXPECT_EQ(status(image(0x0D7).set(state::ShaderChannelSelectRed, state::SCS_GREEN)),
              MessageStatus::GuestError);
    // What Intel's OpenCL driver makes of CL_R.
    EXPECT_EQ(status(image(0x0D7)
                         .set(state::ShaderChannelSelectGreen, state::SCS_ZERO)
                         .set(state::ShaderChannelSelectBlue, state::SCS_ZERO)
                         .set(state::ShaderChannelSelectAlpha, state::SCS_ONE)),
              MessageStatus::Ok);
    EXPECT_EQ(b.reporter.guest_errors(), 2u);
}

TEST(AtomicCounter, CountsAtTheAuxiliaryAddressOfTheSurface) {
    GEN9_COVERS("DP-168");
    Bench b;
    SurfaceBits s = SurfaceBits::buffer(kData, 64);
    s.set(state::AuxiliarySurfaceMode, state::AUX_APPEND)
        .set(state::AuxiliarySurfaceBaseAddress, kData + 0x1000);
    b.bind(0, s);
    b.memory.put<std::uint32_t>(kData + 0x1000, 10);
    const Send& inc =
        b.run(Send(DC1, descriptor(0x0B, 5 << 8 | kReturn, 0, 1, true), 0xFF).header({{7, 0x0F}}));
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < 4; ++i)
        sum += inc.dword(i);
    EXPECT_EQ(sum, 10u + 11 + 12 + 13) << "each lane a value of its own";
    EXPECT_FALSE(inc.written(4)) << "the pixel mask takes part";
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 0x1000), 14u);
    // Predecrement returns the new value; ADD has a payload but no header.
    const Send& dec =
        b.run(Send(DC1, descriptor(0x0C, 15 << 8 | kReturn, 0, 1, true), 0x01).header({}));
    EXPECT_EQ(dec.dword(0), 13u);
    b.run(Send(DC1, descriptor(0x0B, 7 << 8, 0), 0x01).add(U32(8, 100)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 0x1000), 113u);
}

TEST(AtomicCounter, SurfacesWithoutACounterReadZeroAndDropTheWrite) {
    GEN9_COVERS("DP-168");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    const Send& r = b.run(
        Send(DC1, descriptor(0x0B, 5 << 8 | kReturn, 0, 1, true), 0x01).header({{7, 0xFFFF}}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_TRUE(r.written(0));
    EXPECT_EQ(b.plan.out_of_bounds, 1);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
    SurfaceBits samples = SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 8, 8, 1, 64);
    b.bind(0, samples.set(state::AuxiliarySurfaceMode, state::AUX_APPEND)
                  .set(state::NumberOfMultisamples, 1));
    EXPECT_EQ(b.run(Send(DC1, descriptor(0x0B, 5 << 8 | kReturn, 0, 1, true), 0x01).header({}))
                  .message.status,
              MessageStatus::GuestError);
}

}  // namespace
}  // namespace gen9::hdc::wide_atomic
