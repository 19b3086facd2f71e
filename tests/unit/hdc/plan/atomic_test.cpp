// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(Atomic, EveryIntegerOperation) {
    GEN9_COVERS("DP-155 DP-160 DP-161 DP-162 DP-163 DP-178");
    // On old = 0x80000000 with src0 = 1; compare-write compares with 0x80000000 and writes 7.
    const std::uint32_t expected[16] = {
        0,          0, 0x80000001, 0x80000001, 1, 0x80000001, 0x7FFFFFFF, 0x80000001, 0x7FFFFFFF,
        0x80000001, 1, 0x80000000, 0x80000000, 1, 7,          0x7FFFFFFF};
    for (unsigned op = 1; op < 16; ++op) {
        Bench b;
        b.bind(0, SurfaceBits::buffer(kData, 64));
        b.memory.put<std::uint32_t>(kData + 8, 0x80000000);
        Send send(DC1, 0x0210B000 | op << 8, 1);
        send.add(U32(8, 8)).add(U32(8, op == 14 ? 0x80000000 : 1)).add(U32(8, 7));
        const Send& r = b.run(send);
        EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 8), expected[op]) << op;
        EXPECT_EQ(r.dword(0), op == 15 ? 0x7FFFFFFF : 0x80000000) << op;
        EXPECT_EQ(r.message.response_enable[0], 0xFu);
    }
}

TEST(Atomic, EveryLaneOfOneAddressTakesEffectOnce) {
    GEN9_COVERS("DP-169");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    const Send& r = b.run(Send(DC1, 0x0420A700).add(U32(16, 4)).add(U32(16, 1)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 4), 16u);
    std::set<std::uint32_t> returned;
    for (unsigned i = 0; i < 16; ++i)
        returned.insert(r.dword(i));
    EXPECT_EQ(returned.size(), 16u);
    EXPECT_EQ(*returned.rbegin(), 15u);
}

TEST(Atomic, QwordAddCarriesAcrossTheMiddle) {
    GEN9_COVERS("DP-157");
    Bench b;
    b.memory.put<std::uint64_t>(kData, 0xFFFFFFFF);
    const Send& r = b.run(Send(DC1, 0x0424B7FF, 1).add(U64(8, kData)).add(U64(8, 1)));
    EXPECT_EQ(b.memory.get<std::uint64_t>(kData), 0x100000000u);
    EXPECT_EQ(r.qword(0), 0xFFFFFFFFu);
    EXPECT_EQ(r.message.response_enable[0], 0xFFu);
    EXPECT_EQ(r.message.response_enable[1], 0u);
}

TEST(Atomic, WithoutReturnTheOperationStillHappens) {
    GEN9_COVERS("DP-163");
    Bench b;
    b.memory.put<std::uint32_t>(kData, 5);
    const Send& r = b.run(Send(DC1, kA64Add8, 1).add(U64(8, kData)).add(U32(8, 3)));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData), 8u);
    EXPECT_EQ(r.message.response_length, 0);
}

TEST(Atomic, SharedLocalMemory) {
    GEN9_COVERS("DP-048 DP-155");
    Bench b;
    b.sender.slm_base = 0x1000;
    store<std::uint32_t>(b.memory.slm_bytes.data() + 0x1008, 40);
    const Send& r =
        b.run(Send(DC1, 0x0420AEFE, 1).add(U32(16, 8)).add(U32(16, 40)).add(U32(16, 41)));
    EXPECT_EQ(r.dword(0), 40u);
    EXPECT_EQ(load<std::uint32_t>(b.memory.slm_bytes.data() + 0x1008), 41u);
}

TEST(Atomic, FloatMaximum) {
    GEN9_COVERS("DP-165");
    Bench b;
    b.memory.put<float>(kData, 1.5f);
    b.run(Send(DC1, 0x040741FF, 1).add(U64(8, kData)).add(std::vector<float>(8, 2.5f)));
    EXPECT_EQ(b.memory.get<float>(kData), 2.5f);
    b.run(Send(DC1, 0x040742FF, 1).add(U64(8, kData)).add(std::vector<float>(8, -1.0f)));
    EXPECT_EQ(b.memory.get<float>(kData), -1.0f);
    EXPECT_NE(decode(DC1, 0x040744FF, 3, 0, false).error, nullptr) << "no float add on Gen9";
}

TEST(Atomic, OutOfBoundsIsDroppedAndReturnsZero) {
    GEN9_COVERS("DP-091");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    b.memory.put<std::uint32_t>(kData + 64, 9);
    const Send& r = b.run(Send(DC1, 0x0210B500, 1).add(U32(8, 64)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_TRUE(r.written(0));
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 64), 9u);
}

}  // namespace
}  // namespace gen9::hdc
