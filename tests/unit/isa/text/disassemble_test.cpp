// SPDX-License-Identifier: Apache-2.0
#include "isa/text/disassemble.h"

#include <gtest/gtest.h>

#include <bit>

#include "isa/text/assemble.h"
#include "tests/support/covers.h"

namespace gen9::isa {
namespace {

std::string f(float value) {
    return immediate_text(std::bit_cast<std::uint32_t>(value), Type::F);
}
std::string df(double value) {
    return immediate_text(std::bit_cast<std::uint64_t>(value), Type::DF);
}

// Expected texts were printed by iga64.
TEST(ImmediateText, FloatsAsShortAsTheyReadBack) {
    EXPECT_EQ(f(0.0F), "0.0:f");
    EXPECT_EQ(f(-0.0F), "-0.0:f");
    EXPECT_EQ(f(0.1F), "0.1:f");
    EXPECT_EQ(f(1.0F / 3), "0x3EAAAAAB:f");
    EXPECT_EQ(f(1e10F), "1e+10:f");
    EXPECT_EQ(f(123456.0F), "123456.0:f");
    EXPECT_EQ(f(1234567.0F), "1.234567e+06:f");
    EXPECT_EQ(f(0.00390625F), "0.00390625:f");
    EXPECT_EQ(f(3.140625F), "3.140625e+00:f");
    EXPECT_EQ(f(1e-5F), "1e-05:f");
    EXPECT_EQ(immediate_text(0x7FFFFF, Type::F), "0x7FFFFF:f");
    EXPECT_EQ(immediate_text(1, Type::F), "1.4013e-45:f");
    EXPECT_EQ(df(1.5), "1.5:df");
    EXPECT_EQ(df(1.0 / 3), "0x3FD5555555555555:df");
    EXPECT_EQ(df(0.1), "0.1:df");
}

TEST(ImmediateText, InfinitiesAndNaNs) {
    EXPECT_EQ(immediate_text(0x7F800000, Type::F), "inf:f");
    EXPECT_EQ(immediate_text(0xFF800000, Type::F), "-inf:f");
    EXPECT_EQ(immediate_text(0x7FC00000, Type::F), "qnan(0x0):f");
    EXPECT_EQ(immediate_text(0x7F800001, Type::F), "snan(0x1):f");
    EXPECT_EQ(immediate_text(0xFFC00001, Type::F), "-qnan(0x1):f");
    EXPECT_EQ(immediate_text(0x7FF8000000000000, Type::DF), "qnan(0x0):df");
    EXPECT_EQ(immediate_text(0x7C017C01, Type::HF), "snan(0x1):hf");
}

TEST(ImmediateText, Halves) {
    EXPECT_EQ(immediate_text(0x3E003E00, Type::HF), "1.5:hf");
    EXPECT_EQ(immediate_text(0x7BFF7BFF, Type::HF), "65504.0:hf");
    EXPECT_EQ(immediate_text(0x2E662E66, Type::HF), "0x2E66:hf");
    EXPECT_EQ(immediate_text(0x00010001, Type::HF), "0x1:hf");
    EXPECT_EQ(immediate_text(0xFC00FC00, Type::HF), "-inf:hf");
}

TEST(ImmediateText, IntegersSignedInDecimalUnsignedInHex) {
    EXPECT_EQ(immediate_text(0xFFFFFFFF, Type::D), "-1:d");
    EXPECT_EQ(immediate_text(0x80000000, Type::D), "-2147483648:d");
    EXPECT_EQ(immediate_text(0x04C004C0, Type::UW), "0x4C0:uw");
    EXPECT_EQ(immediate_text(0xFFFEFFFE, Type::W), "-2:w");
    EXPECT_EQ(immediate_text(0x12, Type::V), "0x12:v");
    EXPECT_EQ(immediate_text(~std::uint64_t{0}, Type::Q), "-1:q");
    EXPECT_EQ(immediate_text(~std::uint64_t{0}, Type::UQ), "0xFFFFFFFFFFFFFFFF:uq");
}

TEST(Disassemble, ArchitectureRegistersByName) {
    GEN9_COVERS("EU-069 EU-086");
    const auto mov = [](const Reg& reg) {
        const std::string text =
            disassemble(Inst(Opcode::Mov).dst(grf(10), Type::UD).src(reg, Type::UD).build());
        return text.substr(text.rfind(' ') + 1);
    };
    EXPECT_EQ(mov(arf(Arf::Address, 0, 1)), "a0.1<0;1,0>:ud");
    EXPECT_EQ(mov(acc(1)), "acc1.0<0;1,0>:ud");
    EXPECT_EQ(mov(acc(2)), "mme0.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::Flag, 1)), "f1.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::ChannelEnable)), "ce<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::StackPointer)), "sp.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::State, 0, 2)), "sr0.2<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::Control)), "cr0.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::Notification, 0, 1)), "n0.1<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::Ip)), "ip<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::ThreadDependency)), "tdr0.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::Timestamp)), "tm0.0<0;1,0>:ud");
    EXPECT_EQ(mov(arf(Arf::FlowControl, 1, 1)), "fc1.4<0;1,0>:ud");
}

TEST(Disassemble, AKernelHasALabelAtEveryBlock) {
    Program program;
    program << Inst(Opcode::If).exec(8).pred(flag(0, 0)).jip("end").uip("end");
    program << Inst(Opcode::Mov).exec(8).dst(grf(1), Type::F).src(grf(2), Type::F);
    program.label("end");
    program << Inst(Opcode::Endif).exec(8).jip(16);
    program << Inst(Opcode::Nop);
    EXPECT_EQ(disassemble_kernel(program.bytes()),
              "L0:\n"
              "(f0.0) if (8|M0) L32 L32\n"
              "L16:\n"
              "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n"
              "L32:\n"
              "endif (8|M0) L48\n"
              "L48:\n"
              "nop\n");
}

TEST(Disassemble, UndecodableBytesSaySo) {
    GEN9_COVERS("EU-294");
    std::vector<std::uint8_t> bytes(32, 0);
    bytes[0] = 0x0B;
    EXPECT_EQ(disassemble_kernel(bytes), "L0:\n// illegal: undefined opcode\nillegal\n");
}

}  // namespace
}  // namespace gen9::isa
