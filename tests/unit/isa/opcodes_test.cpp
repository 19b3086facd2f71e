// SPDX-License-Identifier: Apache-2.0
#include "isa/opcodes.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/covers.h"

namespace gen9::isa {
namespace {

TEST(Opcodes, EveryRowIsFoundByItsCode) {
    GEN9_COVERS("EU-215");
    for (const OpcodeInfo& row : opcode_table()) {
        EXPECT_EQ(find(row.code), &row) << row.mnemonic;
        EXPECT_EQ(&info(row.opcode), &row) << row.mnemonic;
    }
}

TEST(Opcodes, GroupsOfTheOpcodeSpace) {
    GEN9_COVERS("EU-215");
    for (const OpcodeInfo& row : opcode_table()) {
        if (row.opcode == Opcode::Nop) continue;
        const unsigned group = row.code >> 4;
        switch (group) {
            case 2:
                EXPECT_TRUE(row.has(kBranch)) << row.mnemonic;
                break;
            case 0:
            case 1:
            case 3:
            case 4:
            case 5:
                EXPECT_FALSE(row.has(kBranch)) << row.mnemonic;
                break;
            default:
                ADD_FAILURE() << row.mnemonic << ": no opcode may be here";
        }
    }
}

TEST(Opcodes, MnemonicsAreUnique) {
    std::set<std::string> names;
    for (const OpcodeInfo& row : opcode_table())
        EXPECT_TRUE(names.insert(row.mnemonic).second) << row.mnemonic;
}

TEST(Opcodes, NoModifiersWhereThePrmAllowsNone) {
    GEN9_COVERS("EU-166 EU-192 EU-206 EU-226 EU-247 EU-252");
    using enum Opcode;
    for (const Opcode opcode : {Send, Sendc, Sends, Sendsc}) {
        for (const OpcodeFlag flag : {kCondModifier, kSaturate, kAccWrite})
            EXPECT_FALSE(info(opcode).has(flag));
    }
    EXPECT_FALSE(info(Wait).has(kPredicate));
    EXPECT_FALSE(info(Csel).has(kPredicate));
    EXPECT_TRUE(info(Csel).has(kCondModifier));
    EXPECT_FALSE(info(Pln).has(kSourceModifier));
    EXPECT_FALSE(info(Math).has(kCondModifier));
    EXPECT_FALSE(info(Math).has(kAccWrite));
}

TEST(Opcodes, AccumulatorRulesOfMachAndCarries) {
    GEN9_COVERS("EU-237 EU-242 EU-243");
    using enum Opcode;
    for (const Opcode opcode : {Mach, Addc, Subb})
        EXPECT_TRUE(info(opcode).has(kAccWriteRequired));
    for (const Opcode opcode : {Mac, Mach, Sada2})
        EXPECT_TRUE(info(opcode).has(kAccRead));
    EXPECT_FALSE(info(Add).has(kAccRead));
}

TEST(Opcodes, TypePairs) {
    GEN9_COVERS("EU-133 EU-216 EU-232 EU-237 EU-248");
    using enum Opcode;
    EXPECT_TRUE(info(Mov).allows(Type::F, Type::UB));
    EXPECT_TRUE(info(Mov).allows(Type::HF, Type::F));
    EXPECT_TRUE(info(Mov).allows(Type::Q, Type::DF));
    EXPECT_FALSE(info(Mov).allows(Type::Q, Type::UB));
    EXPECT_FALSE(info(Mov).allows(Type::DF, Type::HF));
    EXPECT_FALSE(info(Mov).allows(Type::B, Type::UQ));
    EXPECT_TRUE(info(Mul).allows(Type::Q, Type::UD));
    EXPECT_TRUE(info(Mach).allows(Type::D, Type::D));
    EXPECT_FALSE(info(Mach).allows(Type::W, Type::W));
    EXPECT_FALSE(info(Mad).allows(Type::D, Type::D));
    EXPECT_TRUE(info(Mad).allows(Type::F, Type::HF));
}

TEST(Opcodes, MathFunctionsTakeOneOrTwoSources) {
    GEN9_COVERS("EU-254");
    const unsigned expected[16] = {0, 1, 1, 1, 1, 1, 1, 1, 0, 2, 2, 2, 2, 2, 2, 1};
    for (unsigned code = 0; code < 16; ++code)
        EXPECT_EQ(math_sources(code), expected[code]) << code;
}

}  // namespace
}  // namespace gen9::isa
