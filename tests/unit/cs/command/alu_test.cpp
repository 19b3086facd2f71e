// SPDX-License-Identifier: Apache-2.0
// MI_MATH's ALU (003:1321-1527).
#include "cs/command/alu.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::cs {
namespace {

constexpr std::uint64_t kOnes = ~0ull;
// Encodings written out by hand from the guide's list, not built from the table.
constexpr std::uint32_t kLoadA0 = 0x08008000, kLoadB1 = 0x08008401, kLoadInvA0 = 0x48008000,
                        kLoad0B = 0x08108400, kLoad1B = 0x48108400, kLoad1A = 0x48108000,
                        kAdd = 0x10000000, kSub = 0x10100000, kAnd = 0x10200000, kOr = 0x10300000,
                        kXor = 0x10400000, kStoreAccu2 = 0x18000831, kStoreCf3 = 0x18000C33,
                        kStoreZf4 = 0x18001032, kStoreInvAccu2 = 0x58000831,
                        kStoreInvCf3 = 0x58000C33, kStoreInvZf4 = 0x58001032;

struct Machine {
    Alu alu;
    Alu::Gprs r{};
    void run(std::initializer_list<std::uint32_t> program) {
        for (const std::uint32_t i : program)
            EXPECT_TRUE(alu.execute(i, r)) << std::hex << i;
    }
    void binary(std::uint32_t operation, std::uint64_t a, std::uint64_t b) {
        r[0] = a;
        r[1] = b;
        run({kLoadA0, kLoadB1, operation, kStoreAccu2, kStoreCf3, kStoreZf4});
    }
};

TEST(CsAlu, AddCarriesOutOfBit63) {
    GEN9_COVERS("CS-23 CS-26 CS-30 CS-34 CS-36");
    Machine m;
    m.binary(kAdd, kOnes, 1);
    EXPECT_EQ(m.r[2], 0u);
    EXPECT_EQ(m.r[3], kOnes);
    EXPECT_EQ(m.r[4], kOnes);
}

TEST(CsAlu, AddCarriesAcrossTheDword) {
    GEN9_COVERS("CS-24 CS-30");
    Machine m;
    m.binary(kAdd, 0xFFFFFFFF, 1);
    EXPECT_EQ(m.r[2], 0x1'0000'0000u);
    EXPECT_EQ(m.r[3], 0u);
}

TEST(CsAlu, SubBorrowsWhenTheFirstIsLess) {
    GEN9_COVERS("CS-31 CS-36");
    Machine m;
    m.binary(kSub, 5, 7);
    EXPECT_EQ(m.r[2], 0xFFFF'FFFF'FFFF'FFFEu);
    EXPECT_EQ(m.r[3], kOnes);
    EXPECT_EQ(m.r[4], 0u);
    m.binary(kSub, 7, 7);
    EXPECT_EQ(m.r[2], 0u);
    EXPECT_EQ(m.r[3], 0u);
    EXPECT_EQ(m.r[4], kOnes);
}

TEST(CsAlu, LogicalOperations) {
    GEN9_COVERS("CS-32");
    Machine m;
    m.binary(kAnd, 0xF0F0, 0x0FF0);
    EXPECT_EQ(m.r[2], 0x00F0u);
    m.binary(kOr, 0xF0F0, 0x0FF0);
    EXPECT_EQ(m.r[2], 0xFFF0u);
    m.binary(kXor, 0xF0F0, 0x0FF0);
    EXPECT_EQ(m.r[2], 0xFF00u);
}

TEST(CsAlu, Load0AndLoad1GiveAllZerosAndAllOnes) {
    GEN9_COVERS("CS-28 CS-29");
    Machine m;
    m.run({kLoad1A, kLoad0B, kAdd, kStoreAccu2, kStoreCf3, kStoreZf4});
    EXPECT_EQ(m.r[2], kOnes);
    EXPECT_EQ(m.r[3], 0u);
    EXPECT_EQ(m.r[4], 0u);
    m.run({kLoadA0, kLoad1B, kOr, kStoreAccu2});
    EXPECT_EQ(m.r[2], kOnes);
}

TEST(CsAlu, LoadInvAndStoreInvAreBitwise) {
    GEN9_COVERS("CS-27 CS-35");
    Machine m;
    m.r[2] = 123;
    m.run({kLoadInvA0, kLoad0B, kOr, kStoreInvAccu2});
    EXPECT_EQ(m.r[2], 0u);
    m.binary(kSub, 5, 7);
    m.run({kStoreInvCf3, kStoreInvZf4});
    EXPECT_EQ(m.r[3], 0u);
    EXPECT_EQ(m.r[4], kOnes);
}

TEST(CsAlu, SourcesAndResultsPersistBetweenInstructions) {
    GEN9_COVERS("CS-41");
    Machine m;
    m.binary(kAdd, 2, 3);
    m.run({kSub, kStoreAccu2});
    EXPECT_EQ(m.r[2], kOnes);
    m.run({0x00000000, kStoreCf3});  // NOOP changes nothing
    EXPECT_EQ(m.r[3], kOnes);
}

/// What each operation gives, written independently with wider arithmetic by 32-bit halves.
struct Expected {
    std::uint64_t accumulator;
    bool carry;
};
Expected reference(unsigned operation, std::uint64_t a, std::uint64_t b) {
    if (operation == 1) b = ~b;  // a - b = a + ~b + 1, borrow = no carry
    if (operation <= 1) {
        std::uint64_t sum = 0, carry = operation;
        for (unsigned bit = 0; bit < 64; ++bit) {
            const std::uint64_t x = a >> bit & 1, y = b >> bit & 1;
            sum |= (x ^ y ^ carry) << bit;
            carry = x + y + carry >= 2;
        }
        return {sum, (carry != 0) != (operation == 1)};
    }
    std::uint64_t out = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const bool x = a >> bit & 1, y = b >> bit & 1;
        const bool z = operation == 2 ? x && y : operation == 3 ? x || y : x != y;
        out |= std::uint64_t{z} << bit;
    }
    return {out, false};
}

TEST(CsAlu, EveryOperationOnSmallAndExtremeOperandsMatchesABitwiseReference) {
    GEN9_COVERS("CS-30 CS-31 CS-32 CS-36 CS-37");
    std::vector<std::uint64_t> values;
    for (std::uint64_t v = 0; v < 20; ++v) {
        values.push_back(v);
        values.push_back(~v);
        values.push_back((1ull << 31) + v - 10);
        values.push_back((1ull << 32) + v - 10);
        values.push_back((1ull << 63) + v - 10);
    }
    Machine m;
    for (unsigned operation = 0; operation < 5; ++operation)
        for (const std::uint64_t a : values)
            for (const std::uint64_t b : values) {
                const Expected expected = reference(operation, a, b);
                m.binary(0x10000000 + (operation << 20), a, b);
                ASSERT_EQ(m.r[2], expected.accumulator) << operation << " " << a << " " << b;
                ASSERT_EQ(m.r[3], expected.carry ? kOnes : 0) << operation << " " << a << " " << b;
                ASSERT_EQ(m.r[4], expected.accumulator == 0 ? kOnes : 0)
                    << operation << " " << a << " " << b;
            }
}

TEST(CsAlu, EveryRegisterCanBeLoadedAndStored) {
    GEN9_COVERS("CS-24 CS-25 CS-39");
    for (std::uint32_t n = 0; n < 16; ++n) {
        Machine m;
        m.r[n] = 0x1111'2222'3333'4444u * (n + 1);
        const std::uint64_t value = m.r[n];
        const std::uint32_t target = 15 - n;
        m.run({0x08008000 | n, kLoad0B, kOr, 0x18000031 | target << 10});
        EXPECT_EQ(m.r[target], value);
    }
}

TEST(CsAlu, WhatTheTableDoesNotListDoesNothing) {
    GEN9_COVERS("CS-38 CS-40");
    Machine m;
    m.binary(kAdd, 7, 9);
    unsigned legal = 0;
    for (std::uint32_t opcode = 0; opcode < 0x1000; ++opcode) {
        const Alu::Gprs before = m.r;
        const std::uint32_t operands = 0x20 << 10 | 0x03;  // SRCA, R3
        if (m.alu.execute(opcode << 20 | operands, m.r))
            ++legal;
        else
            EXPECT_EQ(m.r, before) << opcode;
    }
    EXPECT_EQ(legal, 10u);  // the stores' first operand must be a register, so two of twelve refuse

    const std::uint32_t bad[] = {
        0x08000020,              // LOAD R0, SRCA
        0x08008010, 0x08008031,  // LOAD SRCA from no register, from ACCU
        0x0800C400,              // LOAD to ACCU
        0x18008031,              // STORE to SRCA
        0x18000000, 0x18000020,  // STORE R0 from R0, from SRCA
        0x18004031,              // STORE to register 16
    };
    for (const std::uint32_t instruction : bad) {
        const Alu::Gprs before = m.r;
        EXPECT_FALSE(m.alu.execute(instruction, m.r)) << std::hex << instruction;
        EXPECT_EQ(m.r, before);
    }
}

TEST(Alu, EachInstructionAndOperandHasItsName) {
    // Opcodes 003:1358-1395, operands 003:1397-1422.
    const struct {
        std::uint32_t opcode;
        const char* name;
    } opcodes[] = {{0x000, "NOOP"},  {0x080, "LOAD"}, {0x480, "LOADINV"}, {0x081, "LOAD0"},
                   {0x481, "LOAD1"}, {0x100, "ADD"},  {0x101, "SUB"},     {0x102, "AND"},
                   {0x103, "OR"},    {0x104, "XOR"},  {0x180, "STORE"},   {0x580, "STOREINV"},
                   {0x7FF, "0x7ff"}};
    for (const auto& row : opcodes)
        EXPECT_EQ(alu_text(row.opcode << 20), std::string(row.name) + " R0 R0");
    const struct {
        std::uint32_t operand;
        const char* name;
    } operands[] = {{0, "R0"},      {15, "R15"},  {0x20, "SRCA"}, {0x21, "SRCB"},
                    {0x31, "ACCU"}, {0x32, "ZF"}, {0x33, "CF"}};
    for (const auto& row : operands) {
        EXPECT_EQ(alu_text(0x080u << 20 | row.operand << 10),
                  "LOAD " + std::string(row.name) + " R0");
        EXPECT_EQ(alu_text(0x080u << 20 | row.operand), "LOAD R0 " + std::string(row.name));
    }
}

}  // namespace
}  // namespace gen9::cs
