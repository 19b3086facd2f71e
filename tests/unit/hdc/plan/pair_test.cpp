// SPDX-License-Identifier: Apache-2.0
// SIMD4x2 messages and dual blocks: two slots, each with half of a register (S-13).
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

struct Pairs : ::testing::Test {
    Bench b;
    Pairs() {
        b.bind(0, SurfaceBits::buffer(kData, 4096));
        for (unsigned i = 0; i < 1024; ++i)
            b.memory.put<std::uint32_t>(kData + i * 4, i);
    }
    std::uint32_t dword(unsigned n) { return b.memory.get<std::uint32_t>(kData + n * 4); }
};

/// The addresses of the two slots: the first DWord, or QWord, of each half.
U32 slots(std::uint32_t first, std::uint32_t second) {
    return {first, 0, 0, 0, second, 0, 0, 0};
}
U64 wide_slots(std::uint64_t first, std::uint64_t second) {
    return {first, 0, second, 0};
}

TEST_F(Pairs, UntypedReadGivesEachSlotItsChannelsInHalfARegister) {
    GEN9_COVERS("DP-079 DP-083 DP-144 DP-174");
    const Send& r = b.run(Send(DC1, descriptor(0x01, 0, 0, 1), 0x11).add(slots(16, 80)));
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(r.dword(c), 4 + c);
        EXPECT_EQ(r.dword(4 + c), 20 + c);
    }
    // G and A alone keep their places; the rest of the register is not written.
    const Send& part = b.run(Send(DC1, descriptor(0x01, 5 << 8, 0, 1), 0xFF).add(slots(16, 80)));
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(part.written(4 + c), c % 2 == 1);
    EXPECT_EQ(part.dword(5), 21u);
}

TEST_F(Pairs, AnyBitOfANibbleEnablesItsSlotAndHigherBitsAreIgnored) {
    GEN9_COVERS("DP-083");
    const Send& second = b.run(Send(DC1, descriptor(0x01, 0, 0, 1), 0xFF40).add(slots(16, 80)));
    EXPECT_FALSE(second.written(0));
    EXPECT_TRUE(second.written(4));
    const Send& none = b.run(Send(DC1, descriptor(0x01, 0, 0, 1), 0xFF00).add(slots(16, 80)));
    EXPECT_FALSE(none.written(0) || none.written(4));
}

TEST_F(Pairs, ADualBlockHasNoSlotOfTheUpperBits) {
    GEN9_COVERS("DP-086");
    const auto before = b.memory.bytes;
    b.run(Send(DC0, descriptor(0x0A, 0, 0), 0xF00).add(slots(1, 2)).add(U32(8, 99)));
    EXPECT_EQ(b.memory.bytes, before);
    EXPECT_EQ(b.statistics.accesses.value(), 0u);
}

TEST_F(Pairs, HeaderOfAnUntypedPairIsIgnored) {
    GEN9_COVERS("DP-008 DP-144");
    const Send& r = b.run(Send(DC1, descriptor(0x01, 0, 0, 1, true), 0x11)
                              .header({{2, 99}, {7, 0}})
                              .add(slots(16, 80)));
    EXPECT_EQ(r.dword(0), 4u);
    EXPECT_EQ(r.dword(4), 20u);
}

TEST_F(Pairs, UntypedWriteChangesTheEnabledChannelsOfBothSlots) {
    GEN9_COVERS("DP-144");
    b.run(Send(DC1, descriptor(0x09, 0xC << 8, 0), 0x11)
              .add(slots(16, 80))
              .add(ramp<std::uint32_t>(8, 100, 1)));
    EXPECT_EQ(dword(4), 100u);
    EXPECT_EQ(dword(5), 101u);
    EXPECT_EQ(dword(6), 6u) << "B is disabled";
    EXPECT_EQ(dword(20), 104u);
    EXPECT_EQ(dword(21), 105u);
}

TEST_F(Pairs, SixtyFourBitAddressesAndSlm) {
    GEN9_COVERS("DP-144");
    const Send& a64 = b.run(
        Send(DC1, descriptor(0x11, 0, 0xFF, 1), 0x11).add(wide_slots(kData + 16, kData + 80)));
    EXPECT_EQ(a64.dword(0), 4u);
    EXPECT_EQ(a64.dword(4), 20u);
    store<std::uint32_t>(b.memory.slm_bytes.data() + 36, 77);
    const Send& slm = b.run(Send(DC1, descriptor(0x01, 0, 0xFE, 1), 0x10).add(slots(0, 32)));
    EXPECT_EQ(slm.dword(5), 77u);
}

TEST_F(Pairs, OutOfBoundsSlotReadsZero) {
    const Send& r = b.run(Send(DC1, descriptor(0x01, 0, 0, 1), 0x11).add(slots(4096, 4088)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_TRUE(r.written(0));
    EXPECT_EQ(r.dword(4), 1022u);
    EXPECT_EQ(r.dword(6), 0u) << "B of the second slot lies behind the end";
}

TEST_F(Pairs, AtomicsHaveTheOperandsOfASlotSideBySide) {
    GEN9_COVERS("DP-155 DP-178");
    // ADD 5 and 7; CMPWR 4 -> 40 and 99 -> 50 (which does not match).
    const Send& add = b.run(Send(DC1, descriptor(0x03, 7 << 8 | 1 << 13, 0, 1), 0x11)
                                .add(slots(16, 80))
                                .add(slots(5, 7)));
    EXPECT_EQ(add.dword(0), 4u);
    EXPECT_EQ(add.dword(4), 20u);
    EXPECT_EQ(dword(4), 9u);
    EXPECT_EQ(dword(20), 27u);
    b.run(Send(DC1, descriptor(0x03, 14 << 8, 0), 0x11)
              .add(slots(16, 80))
              .add(U32{9, 40, 0, 0, 99, 50, 0, 0}));
    EXPECT_EQ(dword(4), 40u);
    EXPECT_EQ(dword(20), 27u);
    b.run(Send(DC1, descriptor(0x03, 5 << 8, 0), 0x10).add(slots(16, 80)));
    EXPECT_EQ(dword(4), 40u);
    EXPECT_EQ(dword(20), 28u);
}

TEST_F(Pairs, WideAndFloatAtomics) {
    GEN9_COVERS("DP-156 DP-157 DP-165");
    b.memory.put<std::uint64_t>(kData + 16, 0xFFFFFFFF);
    const Send& add = b.run(Send(DC1, descriptor(0x13, 7 << 8 | 1 << 12 | 1 << 13, 0xFF, 1), 0x11)
                                .add(wide_slots(kData + 16, kData + 80))
                                .add(wide_slots(1, 2)));
    EXPECT_EQ(add.qword(0), 0xFFFFFFFFu);
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData + 16), 0x100000000u);
    EXPECT_EQ(add.message.response_enable[0], 0x00FF00FFu);
    b.memory.put<float>(kData, 1.0f);
    b.run(Send(DC1, descriptor(0x1C, 1 << 8, 0), 0x01)
              .add(slots(0, 0))
              .add(std::vector<float>{2.5f, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(b.memory.get<float>(kData), 2.5f);
    b.run(Send(DC1, descriptor(0x1E, 2 << 8, 0xFF), 0x01)
              .add(wide_slots(kData, 0))
              .add(std::vector<float>{-2.5f, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(b.memory.get<float>(kData), -2.5f);
}

TEST_F(Pairs, DualBlocksReadOwordsIntoTheHalvesOfTheRegisters) {
    GEN9_COVERS("DP-086 DP-131 DP-177");
    // Global offset 1 and slot offsets 2 and 10, all in OWords.
    for (const auto& [sfid, type] : {std::pair{DC0, 2u}, {Sfid::ConstantCache, 2u}}) {
        const Send& r = b.run(Send(sfid, descriptor(type, 2 << 8, 0, 4, true), 0x81)
                                  .header({{2, 1}})
                                  .add(slots(2, 10)));
        for (unsigned e = 0; e < 4; ++e)
            for (unsigned i = 0; i < 4; ++i) {
                EXPECT_EQ(r.dword(e * 8 + i), (3 + e) * 4 + i);
                EXPECT_EQ(r.dword(e * 8 + 4 + i), (11 + e) * 4 + i);
            }
    }
    const Send& low = b.run(Send(DC0, descriptor(2, 0, 0, 1), 0x02).add(slots(2, 10)));
    EXPECT_EQ(low.message.response_enable[0], 0xFFFFu) << "a read gives the whole OWord";
}

TEST_F(Pairs, DualBlockWritesObeyTheMaskDwordByDword) {
    GEN9_COVERS("DP-086 DP-131");
    b.run(Send(DC0, descriptor(0x0A, 2 << 8, 0), 0x82)
              .add(slots(2, 10))
              .add(ramp<std::uint32_t>(32, 1000, 1)));
    for (unsigned e = 0; e < 4; ++e)
        for (unsigned i = 0; i < 4; ++i) {
            EXPECT_EQ(dword((2 + e) * 4 + i), i == 1 ? 1000 + e * 8 + 1 : (2 + e) * 4 + i);
            EXPECT_EQ(dword((10 + e) * 4 + i), i == 3 ? 1000 + e * 8 + 7 : (10 + e) * 4 + i);
        }
}

TEST_F(Pairs, A64DualBlocksHaveBothAddressesInTheHeader) {
    GEN9_COVERS("DP-131 DP-209");
    const auto low = static_cast<std::uint32_t>(kData);
    const Send& r = b.run(Send(DC1, descriptor(0x14, 2 << 11, 0xFF, 1, true), 0xFF)
                              .header({{0, low + 32}, {2, low + 160}}));
    EXPECT_EQ(r.dword(0), 8u);
    EXPECT_EQ(r.dword(4), 40u);
}

TEST_F(Pairs, OffsetsBeyondTheRangeOfOwordBlocksLieOutside) {
    GEN9_COVERS("DP-129 DP-132");
    const Send& r = b.run(Send(DC0, descriptor(2, 0, 0, 1), 0xFF).add(slots(0x10000000, 0)));
    EXPECT_EQ(r.dword(1), 0u);
    EXPECT_EQ(r.dword(5), 1u);
    const Send& block =
        b.run(Send(DC0, descriptor(0, 2 << 8, 0, 1, true)).header({{2, 0x10000000}}));
    EXPECT_EQ(block.dword(1), 0u);
}

TEST_F(Pairs, TypedPairsHaveTheirParametersInOneRegister) {
    GEN9_COVERS("DP-083 DP-150 DP-175");
    b.bind(1, SurfaceBits::image(state::SURFTYPE_2D, 0x002, kData, 8, 8, 1, 256));
    b.run(Send(DC1, descriptor(0x0D, 0, 1), 0x11)
              .add(U32{1, 2, 0, 0, 3, 4, 0, 0})
              .add(ramp<std::uint32_t>(8, 500, 1)));
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(dword((2 * 256 + 16) / 4 + c), 500 + c);
        EXPECT_EQ(dword((4 * 256 + 48) / 4 + c), 504 + c);
    }
    const Send& r =
        b.run(Send(DC1, descriptor(0x05, 0, 1, 1), 0x10).add(U32{1, 2, 0, 0, 3, 4, 0, 0}));
    EXPECT_EQ(r.message.response_enable[0], 0xFFFF0000u);
    EXPECT_EQ(r.dword(6), 506u);
}

}  // namespace
}  // namespace gen9::hdc
