// SPDX-License-Identifier: Apache-2.0
// OWord, scratch and A64 blocks.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

struct Blocks : ::testing::Test {
    Bench b;
    Blocks() {
        b.bind(1, SurfaceBits::buffer(kData, 4096));
        for (unsigned i = 0; i < 1024; ++i)
            b.memory.put<std::uint32_t>(kData + i * 4, i);
    }
};

TEST_F(Blocks, OwordOffsetsCountOwordsAndAlignedOnesBytes) {
    GEN9_COVERS("DP-124 DP-130");
    const Send& owords = b.run(Send(DC0, 0x02280301).header({{2, 1}}));
    const Send& bytes = b.run(Send(DC0, 0x02284301).header({{2, 16}}));
    const Send& dword = b.run(Send(DC0, 0x02284301).header({{2, 4}}));
    for (unsigned i = 0; i < 16; ++i) {
        EXPECT_EQ(owords.dword(i), 4 + i);
        EXPECT_EQ(bytes.dword(i), 4 + i);
        EXPECT_EQ(dword.dword(i), 1 + i);
    }
    EXPECT_EQ(b.statistics.accesses.value(), 3u * 16);
    EXPECT_EQ(b.statistics.l3_bytes.value(), 3u * 64);
    EXPECT_EQ(owords.message.response_enable[2], 0u) << "beyond the block";
}

TEST_F(Blocks, HeaderGarbageElsewhereDoesNotMatter) {
    GEN9_COVERS("DP-008");
    const Send& r = b.run(Send(DC0, 0x02280301).header({{2, 1}, {5, 0xDEADBEEF}, {7, 0}, {3, 9}}));
    EXPECT_EQ(r.dword(0), 4u);
}

TEST_F(Blocks, DataIsPackedInAscendingOrderTwoOwordsToARegister) {
    GEN9_COVERS("DP-176");
    // {first byte in the registers, bytes}: the low half, the high half, 2, 4, 8 OWords; then
    // registers.
    struct Payload {
        unsigned at, bytes;
    };
    constexpr Payload kOwords[] = {{0, 16}, {16, 16}, {0, 32}, {0, 64}, {0, 128}};
    constexpr Payload kRegisters[] = {{0, 32}, {0, 64}, {0, 128}, {0, 256}};
    const auto low = static_cast<std::uint32_t>(kData);
    const auto check = [&](const Payload& payload, Send read, Send write) {
        SCOPED_TRACE(testing::Message() << to_text(read.message));
        for (unsigned i = 0; i < 256; ++i)
            b.memory.put<std::uint8_t>(kData + i, static_cast<std::uint8_t>(i * 7 + 1));
        fit_response(read.message);
        const Message& got = b.run(read).message;
        ASSERT_EQ(got.status, MessageStatus::Ok);
        EXPECT_EQ(got.response_length, (payload.bytes + 31) / 32);
        for (unsigned i = 0; i < got.response_length * 32u; ++i) {
            const bool data = i >= payload.at && i < payload.at + payload.bytes;
            ASSERT_EQ(got.response_enable[i / 32] >> i % 32 & 1, data) << i;
            if (!data) continue;
            ASSERT_EQ(got.response[i / 32].bytes[i % 32],
                      static_cast<std::uint8_t>((i - payload.at) * 7 + 1))
                << i;
        }
        std::vector<std::uint8_t> data(got.response_length * 32u);
        for (unsigned i = 0; i < data.size(); ++i)
            data[i] = static_cast<std::uint8_t>(i * 5 + 3);
        ASSERT_EQ(b.run(write.add(data)).message.status, MessageStatus::Ok);
        for (unsigned i = 0; i < 256; ++i)
            ASSERT_EQ(
                b.memory.get<std::uint8_t>(kData + i),
                static_cast<std::uint8_t>(i < payload.bytes ? (i + payload.at) * 5 + 3 : i * 7 + 1))
                << i;
    };
    for (unsigned size = 0; size < 5; ++size) {
        const std::uint32_t code = size << 8;
        check(kOwords[size], Send(DC0, descriptor(0, code, 1, 0, true)).header({}),
              Send(DC0, descriptor(8, code, 1, 0, true)).header({}));
        check(kOwords[size], Send(DC1, descriptor(0x14, code, 255, 0, true)).header({{0, low}}),
              Send(DC1, descriptor(0x15, code, 255, 0, true)).header({{0, low}}));
    }
    b.state->general_state_base = GpuAddr(kData);
    for (unsigned size = 0; size < 4; ++size) {
        const std::uint32_t code = 3u << 11 | size << 8, scratch = size << 12 | 1u << 19;
        check(kRegisters[size], Send(DC0, 1u << 18 | scratch).header({}),
              Send(DC0, 3u << 17 | scratch).header({}));
        // The number of registers returned decides between two numberings of their sizes (S-28 b).
        Send read = Send(DC1, descriptor(0x14, code, 255, 1u << size, true)).header({{0, low}});
        check(kRegisters[size], read,
              Send(DC1, descriptor(0x15, code, 255, 0, true)).header({{0, low}}));
    }
}

TEST_F(Blocks, OneOwordIsTheHalfItsSizeCodeNames) {
    GEN9_COVERS("DP-128 DP-085");
    const Send& low = b.run(Send(DC0, 0x02180001, 0xFF).header({{2, 2}}));
    const Send& high = b.run(Send(DC0, 0x02180101, 0xFF).header({{2, 2}}));
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_TRUE(low.written(i) && high.written(4 + i));
        EXPECT_FALSE(low.written(4 + i) || high.written(i));
        EXPECT_EQ(low.dword(i), 8 + i);
        EXPECT_EQ(high.dword(4 + i), 8 + i);
    }
    b.run(Send(DC0, 0x020A0101, 0xFF).header({{2, 0}}).add(ramp<std::uint32_t>(8, 100, 1)));
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), 104 + i);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 16), 4u);
}

TEST_F(Blocks, MaskGatesWritesByDwordAndReadsByOword) {
    GEN9_COVERS("DP-085");
    b.run(Send(DC0, 0x020A0201, 0x0010).header({}).add(ramp<std::uint32_t>(8, 100, 1)));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), i == 4 ? 104 : i);
    const Send& r = b.run(Send(DC0, 0x02180201, 0x0010).header({}));
    EXPECT_EQ(r.message.response_enable[0], 0xFFFF0000u);
}

TEST_F(Blocks, SixteenMaskBitsAreUsedAgainForTheSecondHalfOfEightOwords) {
    GEN9_COVERS("DP-085");
    b.run(Send(DC0, 0x020A0401, 0x0001).header({}).add(ramp<std::uint32_t>(32, 100, 1)));
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + i * 4), i % 16 == 0 ? 100 + i : i);
}

TEST_F(Blocks, AlignedReadsIgnoreTheMask) {
    GEN9_COVERS("DP-088 DP-130");
    const Send& r = b.run(Send(DC0, 0x02284301, 0x0001).header({}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_TRUE(r.written(i) && r.dword(i) == i);
}

TEST_F(Blocks, BlocksEndAtTheSurface) {
    GEN9_COVERS("DP-091 DP-093");
    const Send& r = b.run(Send(DC0, 0x02284301, 0xFFFF).header({{2, 4096 - 32}}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(r.dword(i), i < 8 ? 1016 + i : 0);
}

TEST_F(Blocks, ConstantCacheReadsAreTheSame) {
    GEN9_COVERS("DP-127 DP-130");
    EXPECT_EQ(b.run(Send(Sfid::ConstantCache, 0x02280301).header({{2, 3}})).dword(0), 12u);
    EXPECT_EQ(b.run(Send(Sfid::ConstantCache, 0x02284301).header({{2, 12}})).dword(0), 3u);
}

TEST_F(Blocks, StatelessBlocksAddTheBufferBase) {
    GEN9_COVERS("DP-125");
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + 0x800 + 32, 0x42);
    EXPECT_EQ(b.run(Send(DC0, 0x022803FF).header({{2, 2}, {5, 0x800}})).dword(0), 0x42u);
}

TEST_F(Blocks, ScratchWritesByDwordAndReadsByOword) {
    GEN9_COVERS("DP-050 DP-087 DP-133 DP-135");
    b.run(Send(DC0, 0x020F0003, 0x0F).header({{5, 0x1400}}).add(ramp<std::uint32_t>(8, 1, 1)));
    const std::uint64_t at = Bench::kGeneralBase + 0x1400 + 96;
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(at + i * 4), i < 4 ? i + 1 : 0);
    const Send& r = b.run(Send(DC0, 0x021C0003, 0x01).header({{5, 0x1400}}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(r.written(i), i < 4);
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(r.dword(i), i + 1);
    EXPECT_TRUE(b.plan.coherent) << "stateless messages without an index are IA coherent";
}

TEST_F(Blocks, InvalidateAfterReadChangesNothing) {
    GEN9_COVERS("DP-137");
    constexpr std::uint32_t kOwordHint = 1u << 13, kScratchHint = 1u << 15;
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + 0x1400, 0x77);
    const struct {
        std::uint32_t descriptor, hint;
        Send message;
    } reads[] = {{0x02280301, kOwordHint, Send(DC0, 0).header({{2, 1}})},
                 {0x02284301, kOwordHint, Send(DC0, 0).header({{2, 4}})},
                 {0x021C0000, kScratchHint, Send(DC0, 0).header({{5, 0x1400}})}};
    const auto before = b.memory.bytes;
    for (const auto& read : reads)
        for (const std::uint32_t mask : {0xFFFFu, 0x0020u}) {
            Send plain(DC0, read.descriptor, mask), hinted(DC0, read.descriptor | read.hint, mask);
            for (Send* send : {&plain, &hinted}) {
                send->message.payload[0] = read.message.message.payload[0];
                send->message.length = 1;
            }
            const Message& expected = b.run(plain).message;
            const Message& got = b.run(hinted).message;
            EXPECT_EQ(got.status, MessageStatus::Ok);
            EXPECT_EQ(got.response_enable, expected.response_enable);
            EXPECT_NE(expected.response_enable[0], 0u);
            for (unsigned r = 0; r < got.response_length; ++r)
                EXPECT_EQ(std::memcmp(got.response[r].bytes, expected.response[r].bytes, 32), 0);
        }
    EXPECT_EQ(b.memory.bytes, before);
}

TEST_F(Blocks, ScratchModeNotTheOperationSaysWhatTheMaskCounts) {
    GEN9_COVERS("DP-087 DP-135");
    const std::uint64_t at = Bench::kGeneralBase + 0x1400;
    constexpr std::uint32_t kDwordMode = 1u << 16;
    b.run(Send(DC0, 0x020E0000, 0x21).header({{5, 0x1400}}).add(ramp<std::uint32_t>(8, 1, 1)));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(at + i * 4), i + 1) << "a bit for four DWords";
    b.run(Send(DC0, 0x020E0000 | kDwordMode, 0x21)
              .header({{5, 0x1400}})
              .add(ramp<std::uint32_t>(8, 11, 1)));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(at + i * 4), i == 0 || i == 5 ? i + 11 : i + 1);
    const Send& owords = b.run(Send(DC0, 0x021C0000, 0x20).header({{5, 0x1400}}));
    const Send& dwords = b.run(Send(DC0, 0x021C0000 | kDwordMode, 0x20).header({{5, 0x1400}}));
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(owords.written(i), i >= 4) << i;
        EXPECT_EQ(dwords.written(i), i == 5) << i;
    }
}

TEST_F(Blocks, A64BlocksOfBothAlignments) {
    GEN9_COVERS("DP-126 DP-130");
    const auto low = [](std::uint64_t a) { return static_cast<std::uint32_t>(a); };
    // The DWord aligned read of one OWord, the aligned write of eight.
    const Send& r = b.run(Send(DC1, 0x021D08FF, 0xF).header({{0, low(kData + 4)}}));
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(r.dword(i), 1 + i);
    EXPECT_FALSE(r.written(4));
    b.run(
        Send(DC1, 0x020D44FF).header({{0, low(kData + 64)}}).add(ramp<std::uint32_t>(32, 500, 1)));
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 64 + i * 4), 500 + i);
}

TEST_F(Blocks, A64RegistersAreDwordAlignedAndTheirMaskCountsDwords) {
    const auto at = static_cast<std::uint32_t>(kData + 4);
    const Send& r =
        b.run(Send(DC1, descriptor(0x14, 3u << 11, 255, 1, true), 0x21).header({{0, at}}));
    b.run(Send(DC1, descriptor(0x15, 3u << 11, 255, 0, true), 0x21)
              .header({{0, at}})
              .add(ramp<std::uint32_t>(8, 100, 1)));
    EXPECT_EQ(r.message.response_enable[0], 0x00F0000Fu);
    EXPECT_EQ(r.dword(5), 6u);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.memory.get<std::uint32_t>(at + i * 4), i == 0 || i == 5 ? 100 + i : i + 1);
}

TEST_F(Blocks, FenceReturnsARegisterOnlyWithCommit) {
    GEN9_COVERS("DP-196 DP-197");
    const Send& commit = b.run(Send(DC0, kFence, 0xFF).header({}));
    EXPECT_EQ(commit.message.status, MessageStatus::Ok);
    EXPECT_EQ(commit.message.response_enable[0], ~0u);
    EXPECT_EQ(b.statistics.fences.value(), 1u);
}

}  // namespace
}  // namespace gen9::hdc
