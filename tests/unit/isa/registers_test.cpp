// SPDX-License-Identifier: Apache-2.0
// The registers a program names; the expected sets are written by hand from the operands.
#include "isa/registers.h"

#include <gtest/gtest.h>

#include <cstring>

#include "isa/text/assemble.h"
#include "tests/support/covers.h"

namespace gen9::isa::test {
namespace registers {

constexpr unsigned kSpawner = 7, kDataPort = 12;
/// One register of payload, no response.
constexpr std::uint32_t kEnd = 0x02000010;

Inst add(unsigned to, unsigned from) {
    return Inst(Opcode::Add).exec(8).dst(grf(to), Type::D).src(grf(from), Type::D).src(imm(1));
}
Inst end(unsigned payload = 127) {
    return Inst(Opcode::Send)
        .exec(8)
        .dst(null(), Type::UD)
        .src(grf(payload), Type::UD)
        .message(kSpawner, kEnd)
        .eot();
}

RegisterSet set(std::initializer_list<std::pair<unsigned, unsigned>> ranges) {
    RegisterSet all;
    for (const auto& [first, last] : ranges)
        for (unsigned r = first; r <= last; ++r)
            all.set(r);
    return all;
}

RegisterSet of(const Program& program, std::uint32_t start = 0) {
    const std::vector<std::uint8_t> code = program.bytes();
    return registers_of_program(start, [&](std::uint32_t at, std::span<std::uint8_t, 16> bytes) {
        if (at + 16 > code.size()) return false;
        std::memcpy(bytes.data(), &code[at], 16);
        return true;
    });
}

TEST(RegistersOfProgram, AreThoseOfEachOperandsRegion) {
    GEN9_COVERS("EU-038");
    Program p;
    // 16 floats: two registers each; a scalar; eight words with stride 2 from the middle of r30;
    // eight DWords with stride 2.
    p << Inst(Opcode::Mul)
             .exec(16)
             .dst(grf(10), Type::F)
             .src(grf(20), Type::F)
             .src(grf(25, 3).scalar(), Type::F)
      << Inst(Opcode::Mov)
             .exec(8)
             .dst(grf(40).stride(2), Type::W)
             .src(grf(30, 8).region(16, 8, 2), Type::W)
      << Inst(Opcode::Mov).exec(8).dst(grf(42).stride(2), Type::D).src(grf(44), Type::D)
      << Inst(Opcode::Mad)
             .exec(8)
             .dst(grf(50), Type::F)
             .src(grf(52), Type::F)
             .src(grf(54), Type::F)
             .src(grf(56).scalar(), Type::F)
      << end();
    EXPECT_EQ(of(p), set({{10, 11},
                          {20, 21},
                          {25, 25},
                          {30, 31},
                          {40, 40},
                          {42, 43},
                          {44, 44},
                          {50, 50},
                          {52, 52},
                          {54, 54},
                          {56, 56},
                          {127, 127}}));
}

TEST(RegistersOfProgram, CountEveryRegisterOnceAndNothingElse) {
    Program p;
    p << add(3, 2) << add(3, 3) << add(2, 3) << end(2);
    EXPECT_EQ(of(p).count(), 2u);
}

TEST(RegistersOfProgram, AMessageNamesItsPayloadAndItsResponse) {
    GEN9_COVERS("EU-182 EU-183 EU-184 EU-185");
    Program p;
    p << Inst(Opcode::Sends)
             .exec(16)
             .dst(grf(60), Type::UW)
             .src(grf(10), Type::UD)
             .src(grf(20), Type::UD)
             .message(kDataPort, 3u << 25 | 4u << 20)
             .src1_length(2)
      << end(112);
    EXPECT_EQ(of(p), set({{10, 12}, {20, 21}, {60, 63}, {112, 112}}));
}

TEST(RegistersOfProgram, AMessageDescribedByA0HasTheLongestPayloadAndResponse) {
    GEN9_COVERS("EU-184");
    Program p;
    p << Inst(Opcode::Send)
             .exec(8)
             .dst(grf(60), Type::UW)
             .src(grf(10), Type::UD)
             .message_a0(kDataPort)
      << end();
    EXPECT_EQ(of(p), set({{10, 24}, {60, 75}, {127, 127}}));
    Program split;
    split << Inst(Opcode::Sends)
                 .exec(8)
                 .dst(null(), Type::UW)
                 .src(grf(10), Type::UD)
                 .src(grf(120), Type::UD)
                 .message(kDataPort, 1u << 25)
                 .extended_a0(1)
          << end();
    EXPECT_EQ(of(split), set({{10, 10}, {120, 127}})) << "up to the last there is";
}

TEST(RegistersOfProgram, BothWaysOfABranchCountAndWhatIsBehindTheEndDoesNot) {
    GEN9_COVERS("EU-269");
    Program p;
    p << Inst(Opcode::Jmpi).pred(flag(0, 0)).jip("far") << add(1, 2) << end(3);
    p << add(100, 101);
    p.label("far");
    p << add(4, 5) << Inst(Opcode::Jmpi).no_mask().jip("last");
    p << add(102, 103);
    p.label("last");
    p << end(6);
    EXPECT_EQ(of(p), set({{1, 6}}));
}

TEST(RegistersOfProgram, ALoopIsFollowedOnceAndBothTargetsOfABreak) {
    Program p;
    p.label("loop");
    p << add(1, 1) << Inst(Opcode::Break).exec(8).pred(flag(0, 0)).jip("back").uip("out")
      << add(2, 2);
    p.label("back");
    p << Inst(Opcode::While).exec(8).jip("loop") << add(5, 5) << end(6);
    p << add(100, 101);
    p.label("out");
    p << add(3, 3) << end(4);
    EXPECT_EQ(of(p), set({{1, 6}}));
}

TEST(RegistersOfProgram, ACallIsFollowedThereAndBack) {
    GEN9_COVERS("EU-282");
    Program p;
    p << Inst(Opcode::Call).exec(2).dst(grf(1), Type::UD).jip("function") << add(2, 3) << end(4);
    p << add(100, 101);
    p.label("function");
    p << add(5, 6) << Inst(Opcode::Ret).exec(2).src(grf(1), Type::UD);
    p << add(102, 103);
    EXPECT_EQ(of(p), set({{1, 6}}));
}

TEST(RegistersOfProgram, WhatARegisterDecidesMayBeAny) {
    GEN9_COVERS("EU-270");
    const RegisterSet all = RegisterSet().set();
    Program from, to, jump, ip;
    from << Inst(Opcode::Mov).exec(8).dst(grf(1), Type::F).src(indirect(0), Type::F) << end();
    EXPECT_EQ(of(from), all);
    to << Inst(Opcode::Mov).exec(8).dst(indirect(0), Type::F).src(grf(1), Type::F) << end();
    EXPECT_EQ(of(to), all);
    jump << Inst(Opcode::Jmpi).jip_register(grf(1)) << end();
    EXPECT_EQ(of(jump), all);
    ip << Inst(Opcode::Mov).exec(1).dst(arf(Arf::Ip), Type::UD).src(grf(1), Type::UD) << end();
    EXPECT_EQ(of(ip), all);
    Program behind;
    behind << end() << Inst(Opcode::Mov).exec(8).dst(indirect(0), Type::F).src(grf(1), Type::F);
    EXPECT_EQ(of(behind), set({{127, 127}})) << "it is never reached";
}

TEST(RegistersOfProgram, ADivisionWithRemainderWritesTwo) {
    GEN9_COVERS("EU-254");
    Program p;
    p << Inst(MathFunction::IntDivBoth)
             .exec(8)
             .dst(grf(10), Type::D)
             .src(grf(20), Type::D)
             .src(grf(22), Type::D)
      << end();
    EXPECT_EQ(of(p), set({{10, 11}, {20, 20}, {22, 22}, {127, 127}}));
}

TEST(RegistersOfProgram, EndWhereNoInstructionIs) {
    Program p;
    p << add(1, 2);
    EXPECT_EQ(of(p), set({{1, 2}}));
    EXPECT_EQ(of(p, 4096).count(), 0u);
    Program illegal;
    illegal << add(1, 2) << Inst(Opcode::Illegal) << add(3, 4);
    EXPECT_EQ(of(illegal), set({{1, 2}}));
    // Zeroes and random words: whatever they are, it comes to an end.
    std::uint32_t seed = 1;
    const auto noise = [&](std::uint32_t, std::span<std::uint8_t, 16> bytes) {
        for (std::uint8_t& b : bytes)
            b = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
        return true;
    };
    for (unsigned i = 0; i < 2000; ++i)
        registers_of_program(seed, noise);
    const Inst nop(Opcode::Nop);
    EXPECT_EQ(registers_of_program(0,
                                   [&](std::uint32_t, std::span<std::uint8_t, 16> bytes) {
                                       std::ranges::copy(nop.bytes(), bytes.begin());
                                       return true;
                                   }),
              RegisterSet().set())
        << "no program is as long as that";
}

}  // namespace registers
}  // namespace gen9::isa::test
