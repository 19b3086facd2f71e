// SPDX-License-Identifier: Apache-2.0
#include "isa/text/assemble.h"

#include <gtest/gtest.h>

#include "isa/opcodes.h"
#include "isa/text/disassemble.h"
#include "tests/support/covers.h"

namespace gen9::isa {
namespace {

std::string text(const Inst& inst) {
    return disassemble(inst.build(), 0);
}

TEST(Assemble, SourcesArePackedUnlessSaid) {
    const auto add = [](unsigned size, Type type) {
        return text(Inst(Opcode::Mov).exec(size).dst(grf(10), type).src(grf(12, 1), type));
    };
    EXPECT_EQ(add(1, Type::F), "mov (1|M0) r10.0<1>:f r12.1<0;1,0>:f");
    EXPECT_EQ(add(4, Type::F), "mov (4|M0) r10.0<1>:f r12.1<4;4,1>:f");
    EXPECT_EQ(add(16, Type::F), "mov (16|M0) r10.0<1>:f r12.1<8;8,1>:f");
    EXPECT_EQ(add(16, Type::UW), "mov (16|M0) r10.0<1>:uw r12.1<16;16,1>:uw");
    EXPECT_EQ(add(8, Type::DF), "mov (8|M0) r10.0<1>:df r12.1<4;4,1>:df");
}

TEST(Assemble, LabelsBecomeOffsetsOfTheRightBase) {
    GEN9_COVERS("EU-269");
    Program program;
    program << Inst(Opcode::If).exec(8).pred(flag(0, 0)).jip("else").uip("end");
    program << Inst(Opcode::Jmpi).jip("end");
    program.label("else");
    program << Inst(Opcode::Else).exec(8).jip("end").uip("end");
    program.label("end");
    program << Inst(Opcode::Endif).exec(8).jip("after");
    program.label("after");
    program << Inst(Opcode::Goto).exec(8).jip("else").uip("after");
    const auto instructions = program.instructions();
    EXPECT_EQ(instructions[0].jip, 32);
    EXPECT_EQ(instructions[0].uip, 48);
    EXPECT_EQ(instructions[1].jip, 16);  // from the next instruction
    EXPECT_EQ(instructions[4].jip, -32);
    EXPECT_EQ(program.bytes().size(), 80U);
}

TEST(Assemble, SixteenBitImmediatesAreStoredTwice) {
    GEN9_COVERS("EU-116");
    EXPECT_EQ(imm_w(-2).bits, 0xFFFEFFFEU);
    EXPECT_EQ(imm_hf(0x3C00).bits, 0x3C003C00U);
}

TEST(Assemble, EveryOpcodeRowBuildsAndPrints) {
    for (const OpcodeInfo& row : opcode_table()) {
        EXPECT_NE(text(Inst(row.opcode)).find(row.mnemonic), std::string::npos) << row.mnemonic;
    }
}

}  // namespace
}  // namespace gen9::isa
