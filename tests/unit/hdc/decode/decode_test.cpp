// SPDX-License-Identifier: Apache-2.0
#include "hdc/decode/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/support/covers.h"

namespace gen9::hdc {
namespace {
/// A descriptor as the compiler shipped with the driver emits it for `skl`, with what the
/// disassembler (iga64 -p=9) says of it, and what follows for the payload.
struct Case {
    Sfid sfid;
    std::uint32_t descriptor;
    unsigned second_length;  ///< extended length
    const char* iga;
    AddressModel model;
    unsigned slots, elements_or_channels, bytes;  ///< blocks: 0, 0, size of the block
    unsigned address_registers, data_registers, response_registers;
};

constexpr auto DC0 = Sfid::DataPort0, DC1 = Sfid::DataPort1, DC2 = Sfid::DataPort2;
using enum AddressModel;

const Case kCases[] = {
    {DC1, 0x04025E02, 2, "untyped surface write with x", Surface, 16, 1, 4, 2, 2, 0},
    {DC1, 0x04205EFF, 0, "untyped surface read with x", A32, 16, 1, 4, 2, 0, 2},
    {DC1, 0x04805000, 0, "untyped surface read with xyzw", Surface, 16, 4, 4, 2, 0, 8},
    {DC1, 0x04605800, 0, "untyped surface read with xyz", Surface, 16, 3, 4, 2, 0, 6},
    {DC1, 0x02206C00, 0, "untyped surface read with xy", Surface, 8, 2, 4, 1, 0, 2},
    {DC1, 0x040250FE, 8, "untyped surface write with xyzw", Slm, 16, 4, 4, 2, 8, 0},
    {DC1, 0x080695FF, 4, "a64 dword scattering write", A64, 16, 2, 4, 4, 4, 0},
    {DC1, 0x088419FF, 0, "a64 dword gathering read", A64, 16, 4, 4, 4, 0, 8},
    {DC1, 0x088416FF, 0, "a64 qword gathering read", A64, 16, 2, 8, 4, 0, 8},
    {DC1, 0x080690FF, 2, "a64 byte scattering write 8b", A64, 16, 1, 1, 4, 2, 0},
    {DC1, 0x082414FF, 0, "a64 byte gathering read 16b", A64, 16, 1, 2, 4, 0, 2},
    {DC1, 0x041401FF, 0, "a64 dword gathering read", A64, 8, 1, 4, 2, 0, 1},
    {DC1, 0x086458FF, 0, "a64 untyped surface read with xyz", A64, 16, 3, 4, 4, 0, 6},
    {DC1, 0x080658FF, 6, "a64 untyped surface write with xyz", A64, 16, 3, 4, 4, 6, 0},
    {DC1, 0x0424BEFF, 4, "untyped a64 atomic int64 integer compare and swap", A64, 8, 1, 8, 2, 4,
     2},
    {DC1, 0x0424B7FF, 2, "untyped a64 atomic int64 integer add", A64, 8, 1, 8, 2, 2, 2},
    {DC1, 0x0414A7FF, 1, "untyped a64 atomic int32 integer add", A64, 8, 1, 4, 2, 1, 1},
    {DC1, 0x040495FF, 0, "untyped a64 atomic int64 integer increment", A64, 8, 1, 8, 2, 0, 0},
    {DC1, 0x0420AEFE, 4, "untyped atomic int32 integer compare and swap", Slm, 16, 1, 4, 2, 4, 2},
    {DC1, 0x0210B3FE, 1, "untyped atomic int32 logical XOR", Slm, 8, 1, 4, 1, 1, 1},
    {DC1, 0x040087FE, 2, "untyped atomic int32 integer add", Slm, 16, 1, 4, 2, 2, 0},
    {DC1, 0x021D08FF, 0, "a64 aligned oword block read x1", A64, 0, 0, 16, 0, 0, 1},
    {DC1, 0x024D0CFF, 0, "a64 aligned oword block read x8", A64, 0, 0, 128, 0, 0, 4},
    {DC1, 0x020D44FF, 4, "a64 unaligned oword block write x8", A64, 0, 0, 128, 0, 4, 0},
    {DC0, 0x02484401, 0, "oword aligned block read x8", Surface, 0, 0, 128, 0, 0, 4},
    {DC0, 0x020A0402, 4, "oword block write x8", Surface, 0, 0, 128, 0, 4, 0},
    {DC0, 0x020A0301, 2, "oword block write x4", Surface, 0, 0, 64, 0, 2, 0},
    {DC0, 0x020F0005, 1, "hword scratch block write x1", A32, 0, 0, 32, 0, 1, 0},
    {DC0, 0x022C1003, 0, "hword scratch block read x2", A32, 0, 0, 64, 0, 0, 2},
    {DC0, 0x024C2010, 0, "hword scratch block read x4", A32, 0, 0, 128, 0, 0, 4},
    {DC0, 0x04030100, 2, "byte scattering write 8b", Surface, 16, 1, 1, 2, 2, 0},
    {DC0, 0x042105FE, 0, "byte gathering read 16b", Slm, 16, 1, 2, 2, 0, 2},
    {DC0, 0x02110802, 0, "byte gathering read 32b", Surface, 8, 1, 4, 1, 0, 1},
    {DC1, 0x02035002, 5, "typed surface write with xyzw", Surface, 8, 4, 4, 2, 4, 0},
    {DC1, 0x02035001, 4, "typed surface write with xyzw", Surface, 8, 4, 4, 1, 4, 0},
    {DC1, 0x02035003, 6, "typed surface write with xyzw", Surface, 8, 4, 4, 3, 4, 0},
};

Decoded decode_case(const Case& c) {
    return decode(c.sfid, c.descriptor, (c.descriptor >> 25 & 15) + c.second_length,
                  c.descriptor >> 20 & 31, c.descriptor >> 19 & 1);
}

TEST(Decode, WhatTheCompilerEmitsMeansWhatTheDisassemblerSays) {
    GEN9_COVERS("DP-001 DP-006 DP-040 DP-170 DP-172 DP-173 DP-174 DP-205 DP-206 DP-211 DP-212");
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.iga);
        const Decoded d = decode_case(c);
        ASSERT_EQ(d.error, nullptr) << d.error;
        EXPECT_EQ(d.model, c.model);
        EXPECT_EQ(d.slots, c.slots);
        if (c.slots) {
            const unsigned channels = static_cast<unsigned>(__builtin_popcount(d.channels));
            const bool by_channel = d.row->shape == Shape::Untyped || d.row->shape == Shape::Typed;
            EXPECT_EQ(by_channel ? channels : d.elements, c.elements_or_channels);
            EXPECT_EQ(d.element_bytes, c.bytes);
        } else {
            EXPECT_EQ(d.block_bytes, c.bytes);
        }
        EXPECT_EQ(d.address_registers, c.address_registers);
        EXPECT_EQ(d.data_registers, c.data_registers);
        EXPECT_EQ(d.response_registers, c.response_registers);
        const std::string name = d.row->name, said = c.iga;
        const bool atomic = said.find("atomic") != said.npos,
                   writes = said.find("write") != said.npos;
        EXPECT_EQ(d.row->operation, atomic   ? Operation::Atomic
                                    : writes ? Operation::Write
                                             : Operation::Read)
            << name;
    }
}

TEST(Decode, TheResponseLengthIsThatOfTheDataThatReturns) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.iga);
        const auto error = [&c](unsigned response) {
            return decode(c.sfid, c.descriptor, (c.descriptor >> 25 & 15) + c.second_length,
                          response, c.descriptor >> 19 & 1)
                .error;
        };
        EXPECT_EQ(error(c.response_registers), nullptr);
        // A write may name one register, which its empty answer clears (EU-207).
        const unsigned most =
            std::string(c.iga).find("write") != std::string::npos ? 1 : c.response_registers;
        EXPECT_EQ(error(most), nullptr);
        EXPECT_NE(error(most + 1), nullptr) << "registers that never clear";
        if (c.response_registers != 0) {
            EXPECT_NE(error(c.response_registers - 1), nullptr) << "data without a register";
        }
    }
}

TEST(Decode, AtomicOperationsAndReturn) {
    GEN9_COVERS("DP-160 DP-161 DP-163");
    const Decoded cas = decode(DC1, 0x0424BEFF, 6, 2, false);
    EXPECT_EQ(cas.atomic, AtomicOp::CmpWr);
    EXPECT_EQ(cas.operands, 2);
    EXPECT_TRUE(cas.returns);
    const Decoded inc = decode(DC1, 0x040495FF, 2, 0, false);
    EXPECT_EQ(inc.atomic, AtomicOp::Inc);
    EXPECT_EQ(inc.operands, 0);
    EXPECT_FALSE(inc.returns);
    const Decoded eor = decode(DC1, 0x0210B3FE, 2, 1, false);
    EXPECT_EQ(eor.atomic, AtomicOp::Xor);
    EXPECT_EQ(eor.operands, 1);
}

TEST(Decode, FenceWithCommit) {
    GEN9_COVERS("DP-196 DP-197 DP-199");
    const Decoded plain = decode(DC0, 0x0219E000, 1, 1, true);
    EXPECT_EQ(plain.row->shape, Shape::Fence);
    EXPECT_TRUE(plain.returns);
    EXPECT_FALSE(plain.flush_data);
    EXPECT_TRUE(decode(DC0, 0x0219F000, 1, 1, true).flush_data);
}

TEST(Decode, ScratchOffsetAndChannelMode) {
    GEN9_COVERS("DP-133 DP-134 DP-135");
    const Decoded write = decode(DC0, 0x020F0FFF, 2, 0, true);
    EXPECT_EQ(write.scratch_offset, 4095);
    EXPECT_FALSE(write.oword_mask);
    const Decoded read = decode(DC0, 0x022C1003, 1, 2, true);
    EXPECT_EQ(read.scratch_offset, 3);
    EXPECT_TRUE(read.oword_mask);
}

TEST(Decode, OneOwordBlocksNameTheirHalf) {
    GEN9_COVERS("DP-128");
    EXPECT_EQ(decode(DC0, 0x02180000, 1, 1, true).register_offset, 0);
    EXPECT_EQ(decode(DC0, 0x02180100, 1, 1, true).register_offset, 16);
    EXPECT_EQ(decode(DC0, 0x02180200, 1, 1, true).block_bytes, 32);
    EXPECT_NE(decode(DC0, 0x02180500, 1, 1, true).error, nullptr);
}

struct Illegal {
    Sfid sfid;
    std::uint32_t descriptor;
    unsigned length, response;
    const char* why;
};

TEST(Decode, IllegalDescriptorsAreRefused) {
    GEN9_COVERS("DP-007 DP-010 DP-017 DP-048 DP-146 DP-210");
    const Illegal cases[] = {
        {DC1, 0x04025DFF & ~0xFFu, 4, 0, "write of G only: mask D (T-22)"},
        {DC1, 0x08041DFF, 4, 16, "A64 DWord x8 in SIMD16 is 512 bytes"},
        {DC1, 0x080416FF | 1 << 11, 4, 16, "A64 QWord x4 in SIMD16 is 512 bytes"},
        {DC1, 0x04205EF1, 2, 2, "reserved index F1"},
        {DC0, 0x021800FE, 1, 1, "OWord block on SLM"},
        {DC1, 0x041401FE, 2, 1, "A64 with the SLM index"},
        {DC0, 0x02100000, 1, 1, "OWord block without a header"},
        {DC1, 0x061C01FF, 3, 1, "A64 scattered with a header"},
        {DC0, 0x0421050E, 1, 2, "payload one register short"},
        {DC0, 0x0411050E, 2, 1, "response one register short"},
        {DC0, 0x04210D00, 2, 2, "byte scattered size 3"},
        {DC0, 0x02018000, 1, 0, "type 6 does not exist"},
        {DC1, 0x04207E00, 2, 2, "SIMD mode 3"},
    };
    for (const Illegal& c : cases) {
        EXPECT_NE(decode(c.sfid, c.descriptor, c.length, c.response, c.descriptor >> 19 & 1).error,
                  nullptr)
            << c.why;
    }
    EXPECT_NE(decode(DC0, 0x041901FE, 2, 1, true).error, nullptr)
        << "SLM byte scattered with a header (DP-111)";
    EXPECT_EQ(decode(DC0, 0x04190000, 2, 1, true).error, nullptr) << "the same on a surface";
}

TEST(Decode, RegisterBlocksAreAsLongAsTheirLengthAndSizeCodeAgree) {
    GEN9_COVERS("DP-136");
    // The size code is numbered from 0 or from 1, by source; both are understood.
    for (unsigned log2 = 0; log2 < 4; ++log2)
        for (const unsigned code : {log2, log2 + 1}) {
            const std::uint32_t control = 3u << 11 | code << 8 | 0xFF | 0x14 << 14 | 1u << 19;
            EXPECT_EQ(decode(DC1, control, 1, 1u << log2, true).block_bytes, 32u << log2);
        }
    EXPECT_NE(decode(DC1, 0x021D1CFF, 1, 1, true).error, nullptr) << "16 registers, 1 returned";
    EXPECT_NE(decode(DC1, 0x023D19FF, 1, 3, true).error, nullptr) << "3 registers returned";
}

TEST(Decode, AtomicCountersNeedAHeaderForUnaryAndNoneForBinaryOperations) {
    GEN9_COVERS("DP-007 DP-168");
    const auto counter = [](unsigned op, unsigned length, bool header) {
        return decode(DC1, 0x0Bu << 14 | op << 8 | 1u << 13, length, 1, header).error == nullptr;
    };
    EXPECT_TRUE(counter(5, 1, true));
    EXPECT_FALSE(counter(5, 1, false));
    EXPECT_TRUE(counter(7, 1, false));
    EXPECT_FALSE(counter(7, 2, true));
    EXPECT_FALSE(counter(14, 2, false));
}

TEST(Decode, TypedAddressParametersFollowFromTheLength) {
    GEN9_COVERS("DP-005 DP-011 DP-062 DP-150 DP-175");
    // T-26: 1D, 2D and 2D array or 3D writes of four channels.
    EXPECT_EQ(decode(DC1, 0x02035000, 5, 0, false).address_registers, 1);
    EXPECT_EQ(decode(DC1, 0x02035000, 6, 0, false).address_registers, 2);
    EXPECT_EQ(decode(DC1, 0x02035000, 7, 0, false).address_registers, 3);
    EXPECT_NE(decode(DC1, 0x02035000, 4, 0, false).error, nullptr);
    EXPECT_EQ(decode(DC1, 0x02035000, 9, 0, false).address_registers, 5) << "with a sample";
    EXPECT_NE(decode(DC1, 0x02035000, 10, 0, false).error, nullptr);
}

TEST(Decode, SurfaceIndicesBelow240AreTableIndices) {
    GEN9_COVERS("DP-040");
    EXPECT_EQ(decode(DC1, 0x04205E00 | 239, 2, 2, false).model, Surface);
    EXPECT_EQ(decode(DC1, 0x04205E00 | 253, 2, 2, false).model, A32);
    EXPECT_EQ(decode(DC1, 0x04205E00 | 254, 2, 2, false).model, Slm);
    EXPECT_EQ(decode(DC1, 0x04205E00 | 255, 2, 2, false).model, A32);
    EXPECT_FALSE(decode(DC1, 0x04205E00 | 253, 2, 2, false).coherent());
    EXPECT_TRUE(decode(DC1, 0x04205E00 | 255, 2, 2, false).coherent());
}

TEST(Decode, Port2HasNoIndexHeaderAndScaleTellTheAddressModel) {
    GEN9_COVERS("DP-207");
    // The messages by code and subtype; S-8.
    const struct {
        unsigned code, subtype;
        Shape shape;
        Operation operation;
        unsigned element_bytes;
        bool a64;
    } names[] = {
        {1, 0, Shape::Untyped, Operation::Read, 4, false},
        {9, 0, Shape::Untyped, Operation::Write, 4, false},
        {4, 0, Shape::ByteScattered, Operation::Read, 1, false},
        {12, 0, Shape::ByteScattered, Operation::Write, 1, false},
        {3, 0, Shape::Untyped, Operation::Read, 4, true},
        {10, 0, Shape::Untyped, Operation::Write, 4, true},
        {2, 0, Shape::A64Scattered, Operation::Read, 1, true},
        {11, 0, Shape::A64Scattered, Operation::Write, 1, true},
        {2, 1, Shape::A64Scattered, Operation::Read, 4, true},
        {11, 1, Shape::A64Scattered, Operation::Write, 4, true},
        {2, 2, Shape::A64Scattered, Operation::Read, 8, true},
        {11, 2, Shape::A64Scattered, Operation::Write, 8, true},
    };
    const auto legal = [](std::uint32_t descriptor, bool header) {
        for (unsigned length = 0; length < 16; ++length)
            for (const unsigned response : {0u, 1u, 2u, 4u, 8u}) {
                const Decoded d = decode(DC2, descriptor, length, response, header);
                if (d.ok()) return d;
            }
        return Decoded{};
    };
    for (const auto& name : names)
        for (const unsigned bit14 : {0u, 1u})
            for (const bool header : {false, true})
                for (std::uint32_t low = 0; low < 256; ++low) {
                    const std::uint32_t untyped =
                        name.shape == Shape::Untyped ? 2u << 12 | 0xEu << 8 : 0;
                    const Decoded d = legal(
                        name.code << 15 | bit14 << 14 | untyped | name.subtype << 8 | low, header);
                    const bool scale = low >> 7;
                    ASSERT_NE(d.row, nullptr) << name.code << ' ' << header << ' ' << low;
                    ASSERT_EQ(d.row->shape, name.shape);
                    ASSERT_EQ(d.row->operation, name.operation);
                    ASSERT_EQ(d.element_bytes, name.element_bytes);
                    ASSERT_EQ(d.model, name.a64           ? AddressModel::A64
                                       : header || !scale ? AddressModel::A32
                                                          : AddressModel::Slm)
                        << name.code << ' ' << header << ' ' << low;
                }
    for (unsigned code = 0; code < 16; ++code) {
        if (std::any_of(std::begin(names), std::end(names),
                        [&](const auto& name) { return name.code == code; }))
            continue;
        for (std::uint32_t control = 0; control < 1u << 14; control += 0x80)
            for (const bool header : {false, true})
                ASSERT_EQ(legal(code << 15 | control, header).row, nullptr) << code;
    }
}

TEST(Decode, EveryDescriptorDecodesWithoutHarm) {
    // All control and type bits of every port, with all lengths a send can give.
    for (const Sfid sfid : {Sfid::DataPort0, Sfid::DataPort1, Sfid::DataPort2, Sfid::ConstantCache})
        for (std::uint32_t control = 0; control < 1u << 12; ++control)
            for (unsigned length = 0; length <= 30; length += 3)
                for (const unsigned response : {0u, 1u, 2u, 4u, 8u, 16u}) {
                    const Decoded d =
                        decode(sfid, control << 8 | 7, length, response, control >> 11 & 1);
                    if (!d.ok() || !d.row) continue;
                    EXPECT_LE(d.data_at() + d.data_registers, length);
                    EXPECT_LE(d.response_registers, 8);
                }
}

}  // namespace
}  // namespace gen9::hdc
