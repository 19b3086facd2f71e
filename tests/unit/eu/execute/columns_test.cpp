// SPDX-License-Identifier: Apache-2.0
// What prepare tells timing and scoreboard; and that no bits are too wild for the executor.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

void expect_range(RegisterRange range, unsigned first, unsigned count) {
    EXPECT_EQ(range.first, first);
    EXPECT_EQ(range.count, count);
}

TEST(Columns, RegistersTouchedByRegions) {
    GEN9_COVERS("EU-173");
    DecodedInstruction d = prepare(
        make(Opcode::Add, 16, dst(20, Type::F), {grf(10, Type::F), scalar(7, 3, Type::F)}), 0);
    expect_range(d.reads[0], 10, 2);
    expect_range(d.reads[1], 7, 1);
    expect_range(d.reads[2], 0, 0);
    expect_range(d.writes, 20, 2);
    EXPECT_EQ(d.execution_registers, 2);
    d = prepare(make(Opcode::Mov, 8, dst(20, Type::UW, 0, 2), {region(10, 4, 16, 8, 2, Type::UW)}),
                0);
    expect_range(d.reads[0], 10, 2);
    expect_range(d.writes, 20, 1);
    d = prepare(make(Opcode::Mov, 8, null(Type::UD), {imm(1, Type::UD)}), 0);
    expect_range(d.writes, 0, 0);
    Operand indirect = grf(0, Type::UD);
    indirect.indirect = true;
    d = prepare(make(Opcode::Mov, 8, dst(20, Type::UD), {indirect}), 0);
    EXPECT_TRUE(d.indirect_registers);
    EXPECT_TRUE(d.arf_reads & kArfAddress);
    expect_range(d.reads[0], 0, 0);
}
TEST(Columns, ArchitectureRegisters) {
    GEN9_COVERS("EU-173 EU-074");
    Instruction in = make(Opcode::Cmp, 8, null(Type::D), {grf(10, Type::D), imm(0, Type::D)});
    in.cond_mod = CondMod::L;
    in.flag_reg = 1;
    EXPECT_EQ(prepare(in, 0).arf_writes, kArfFlag1);
    in.opcode = Opcode::Sel;
    EXPECT_EQ(prepare(in, 0).arf_writes, 0) << "sel writes no flag";
    in.cond_mod = CondMod::None;
    in.pred_ctrl = PredCtrl::Sequential;
    EXPECT_EQ(prepare(in, 0).arf_reads, kArfFlag1);
    in = make(Opcode::Addc, 8, dst(20, Type::UD), {grf(10, Type::UD), grf(11, Type::UD)});
    in.acc_write = true;
    EXPECT_EQ(prepare(in, 0).arf_writes, kArfAcc0);
    in = make(Opcode::Add, 16, dst(20, Type::F), {grf(10, Type::F), grf(12, Type::F)});
    in.acc_write = true;
    EXPECT_EQ(prepare(in, 0).arf_writes, kArfAcc0 | kArfAcc1);
    in = make(Opcode::Mach, 8, dst(20, Type::UD), {grf(10, Type::UD), grf(11, Type::UD)});
    in.acc_write = true;
    EXPECT_EQ(prepare(in, 0).arf_reads, kArfAcc0);
}
TEST(Columns, ClassesAndPipes) {
    GEN9_COVERS("EU-307 EU-308 EU-309 EU-313 EU-008");
    const auto of = [](const Instruction& in) { return prepare(in, 0); };
    const auto add = [](Type type) {
        return make(Opcode::Add, 8, dst(20, type), {grf(10, type), grf(12, type)});
    };
    EXPECT_EQ(of(add(Type::F)).latency, LatencyClass::Simple);
    EXPECT_EQ(of(add(Type::Q)).latency, LatencyClass::Wide64);
    EXPECT_EQ(of(add(Type::DF)).pipe, Pipe::Em);
    EXPECT_EQ(of(add(Type::F)).pipe, Pipe::AnyFpu);
    Instruction in = add(Type::D);
    in.opcode = Opcode::Mul;
    EXPECT_EQ(of(in).latency, LatencyClass::MulDword);
    in.src[1].type = Type::UW;
    EXPECT_EQ(of(in).latency, LatencyClass::Simple);
    in = make(Opcode::Math, 8, dst(20, Type::F), {grf(10, Type::F)});
    EXPECT_EQ(of(in).latency, LatencyClass::Math);
    EXPECT_EQ(of(in).pipe, Pipe::Em);
    in.math = isa::MathFunction::Pow;
    EXPECT_EQ(of(in).latency, LatencyClass::MathPow);
    EXPECT_EQ(of(make(Opcode::If, 16, null(Type::UD), {})).pipe, Pipe::Branch);
    EXPECT_EQ(of(make(Opcode::If, 16, null(Type::UD), {})).latency, LatencyClass::Branch);
}
TEST(Columns, FewChannelsOccupyThePipeAsARegisterDoes) {
    GEN9_COVERS("EU-012");
    // Two cycles each: as for SIMD8, whose time per register eu.simple_unit is.
    for (const unsigned exec_size : {1u, 2u, 4u, 8u}) {
        const DecodedInstruction d = prepare(
            make(Opcode::Add, exec_size, dst(20, Type::F), {grf(10, Type::F), grf(12, Type::F)}),
            0);
        EXPECT_EQ(d.execution_registers, 1) << exec_size;
        EXPECT_EQ(d.latency, LatencyClass::Simple);
    }
}
TEST(Columns, AnInstructionThatWritesTwoRegistersTakesTwoPasses) {
    GEN9_COVERS("EU-013");
    const auto passes = [](unsigned size, Operand to, Operand from) {
        return prepare(make(Opcode::Mov, size, to, {from}), 0).execution_registers;
    };
    // Sixteen words fill a register, and sixteen bytes are as many words to the pipe.
    EXPECT_EQ(passes(16, dst(20, Type::W), grf(10, Type::W)), 1);
    EXPECT_EQ(passes(16, dst(20, Type::B), grf(10, Type::B)), 1);
    EXPECT_EQ(passes(16, dst(20, Type::B, 0, 2), grf(10, Type::W)), 1);
    // The same elements further apart are in two registers.
    EXPECT_EQ(passes(16, dst(20, Type::B, 0, 4), grf(10, Type::B)), 2);
    EXPECT_EQ(passes(16, dst(20, Type::W, 0, 2), grf(10, Type::W)), 2);
    EXPECT_EQ(passes(16, dst(20, Type::HF, 0, 2), grf(10, Type::HF)), 2);
    EXPECT_EQ(passes(8, dst(20, Type::D, 0, 2), grf(10, Type::D)), 2);
    EXPECT_EQ(passes(8, dst(20, Type::W, 0, 4), grf(10, Type::W)), 2);
    EXPECT_EQ(passes(4, dst(20, Type::D, 0, 2), grf(10, Type::D)), 1);
    // So are eight that begin in the middle of a register.
    EXPECT_EQ(passes(8, dst(20, Type::D, 4), grf(10, Type::D)), 2);
}
TEST(Columns, ASourceInTwoRegistersTakesNoSecondPass) {
    GEN9_COVERS("EU-013");
    const DecodedInstruction d =
        prepare(make(Opcode::Mov, 8, dst(20, Type::D), {region(10, 4, 8, 8, 1, Type::D)}), 0);
    EXPECT_EQ(d.reads[0].count, 2);
    EXPECT_EQ(d.execution_registers, 1);
    EXPECT_EQ(d.strided_registers, 0);
}
TEST(Columns, ARegionWhoseElementsLieApartIsStrided) {
    const auto strided = [](unsigned size, Operand to, Operand from) {
        return prepare(make(Opcode::Mov, size, to, {from}), 0).strided_registers;
    };
    // As sources: elements of rows, and rows of one element.
    EXPECT_EQ(strided(8, dst(20, Type::D), region(10, 0, 2, 1, 0, Type::D)), 1);
    EXPECT_EQ(strided(8, dst(20, Type::W), region(10, 0, 8, 4, 2, Type::W)), 1);
    EXPECT_EQ(strided(16, dst(20, Type::B), region(10, 0, 2, 1, 0, Type::B)), 1);
    EXPECT_EQ(strided(16, dst(20, Type::D), region(10, 0, 2, 1, 0, Type::W)), 2);
    // As destinations.
    EXPECT_EQ(strided(16, dst(20, Type::B, 0, 2), grf(10, Type::W)), 1);
    EXPECT_EQ(strided(8, dst(20, Type::D, 0, 2), grf(10, Type::D)), 1);
    Operand null = dst(0, Type::W, 0, 2);  // it has a region and costs like one (EU-071)
    null.file = RegFile::Arf;
    EXPECT_EQ(strided(8, null, grf(10, Type::D)), 1);
    // Side by side, one for all channels, one channel, or none of the register file.
    EXPECT_EQ(strided(16, dst(20, Type::W), grf(10, Type::W)), 0);
    EXPECT_EQ(strided(8, dst(20, Type::D), region(10, 0, 1, 1, 0, Type::D)), 0);
    EXPECT_EQ(strided(8, dst(20, Type::D), region(10, 0, 4, 4, 1, Type::D)), 0);
    EXPECT_EQ(strided(8, dst(20, Type::D), scalar(10, 3, Type::D)), 0);
    EXPECT_EQ(strided(1, dst(20, Type::D, 0, 2), region(10, 0, 2, 1, 0, Type::D)), 0);
    EXPECT_EQ(strided(8, dst(20, Type::D), imm(7, Type::D)), 0);
    // The second source as well as the first.
    const auto second = prepare(
        make(Opcode::Add, 8, dst(20, Type::D), {grf(10, Type::D), region(12, 0, 2, 1, 0, Type::D)}),
        0);
    EXPECT_EQ(second.strided_registers, 1);
}
TEST(Columns, BankConflictOfSecondAndThirdSource) {
    GEN9_COVERS("EU-311");
    const auto conflict = [](unsigned a, unsigned b, unsigned c) {
        return prepare(make(Opcode::Mad, 8, dst(20, Type::F),
                            {grf(a, Type::F), grf(b, Type::F), grf(c, Type::F)}),
                       0)
            .bank_conflict;
    };
    EXPECT_TRUE(conflict(10, 12, 14));
    EXPECT_FALSE(conflict(10, 12, 15));
    EXPECT_FALSE(conflict(10, 12, 74)) << "the upper half of the file has banks of its own";
    EXPECT_FALSE(conflict(10, 12, 12));
    EXPECT_FALSE(conflict(12, 12, 14));
}
TEST(Columns, PayloadsAndResponsesOfSends) {
    GEN9_COVERS("EU-177 EU-178");
    Instruction in =
        make(Opcode::Sends, 16, dst(20, Type::UW), {grf(4, Type::UD), grf(116, Type::UD)});
    in.descriptor = 0x04205E01;
    in.extended_descriptor = 0xCC;
    const DecodedInstruction d = prepare(in, 0);
    EXPECT_EQ(d.pipe, Pipe::Send);
    expect_range(d.reads[0], 4, 2);
    expect_range(d.reads[1], 116, 3);
    expect_range(d.writes, 20, 2);
    in.descriptor_from_a0 = true;
    EXPECT_TRUE(prepare(in, 0).indirect_registers);
}

TEST(Robustness, NoWordIsTooWild) {
    GEN9_COVERS("EU-025 EU-297");
    std::mt19937_64 random(99);
    auto thread = make_thread(0xFFFFFFFF);
    auto message = std::make_unique<Message>();
    const auto guard = thread->sideband.fftid;
    for (unsigned n = 0; n < 300000; ++n) {
        std::uint64_t words[2] = {random(), random()};
        if (n % 4) words[0] &= ~std::uint64_t{0x80};  // else mostly no instruction
        // Operands that decode more often: direct, few reserved codes.
        if (n % 2)
            words[0] &= ~(std::uint64_t{7} << 44),
                words[1] &= ~(std::uint64_t{1} << 24 | std::uint64_t{7} << 27);
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(words);
        thread->active = static_cast<std::uint32_t>(random());
        thread->waiting = ~thread->active;
        for (auto& ip : thread->channel_ip)
            ip = random() % 0x1000;
        thread->ip = (random() % 0x1000) & ~7u;
        thread->wake_ip = thread->ip;
        const DecodedInstruction d = prepare(std::span(bytes, 16), thread->ip);
        const Outcome outcome = execute(*thread, d);
        ASSERT_EQ(thread->active & thread->waiting, 0u);
        ASSERT_EQ(thread->active | thread->waiting, 0xFFFFFFFFu)
            << static_cast<int>(d.instruction.opcode);
        if (outcome == Outcome::Send || outcome == Outcome::End)
            build_message(*thread, d, *message);
    }
    EXPECT_EQ(thread->sideband.fftid, guard);
}

}  // namespace
}  // namespace gen9::eu::test
