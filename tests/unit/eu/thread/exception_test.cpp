// SPDX-License-Identifier: Apache-2.0
// Exceptions and the way into the system routine and back (003:22127-22331).
#include <gtest/gtest.h>

#include <array>
#include <random>

#include <vector>

#include "eu/thread/exceptions.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

constexpr std::uint32_t kRoutine = 0x4560;

/// A thread whose context has a system routine. The low bits of the SIP do not count (EU-292).
std::unique_ptr<Thread> make_supervised(std::uint32_t enables, std::uint32_t channels = 0xFF) {
    auto thread = make_thread(channels);
    auto state = std::make_shared<PipelineState>();
    state->system_instruction_pointer = GpuAddr(0x7'0000'0000 + kRoutine + 0xF);
    thread->sideband.state = state;
    thread->control[1] = enables;
    thread->ip = 0x100;
    return thread;
}

Instruction write_control(unsigned number, std::uint32_t value) {
    Instruction in = make(Opcode::Mov, 1, arf(isa::Arf::Control, 0, Type::UD, 4 * number),
                          {imm(value, Type::UD)});
    in.no_mask = true;
    return in;
}
Instruction illegal() {
    return make(Opcode::Illegal, 1, null(Type::UD), {});
}
Instruction breakpoint() {
    Instruction in = make(Opcode::Mov, 1, dst(10, Type::UD), {imm(77, Type::UD)});
    in.breakpoint = true;
    return in;
}

constexpr std::uint32_t kAllEnables = 0xF800;

TEST(Exceptions, IllegalOpcodeGoesToTheSystemRoutineAndKeepsItsOwnAddress) {
    GEN9_COVERS("EU-288 EU-289 EU-292 EU-294 EU-101 EU-102");
    auto thread = make_supervised(cr1::enable(cr1::kIllegalOpcode));
    thread->control[0] |= 1u << 4;
    set<std::uint32_t>(*thread, 3, 0, 4711);
    thread->flag[0] = 0x1234;
    thread->active = 0x0F;
    thread->waiting = 0xF0;
    for (unsigned channel = 4; channel < 8; ++channel)
        thread->channel_ip[channel] = 0x200;
    const std::uint32_t modes = thread->control[0];
    EXPECT_EQ(run(*thread, illegal()), Outcome::Exception);
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_EQ(thread->control[0], modes | cr0::kMaster);
    EXPECT_EQ(thread->control[1], cr1::kIllegalOpcode | cr1::enable(cr1::kIllegalOpcode));
    EXPECT_EQ(thread->control[2], 0x100u);
    // Registers, flags and masks stay as they were.
    EXPECT_EQ(get<std::uint32_t>(*thread, 3, 0), 4711u);
    EXPECT_EQ(thread->flag[0], 0x1234u);
    EXPECT_EQ(thread->active, 0x0Fu);
    EXPECT_EQ(thread->waiting, 0xF0u);
}
TEST(Exceptions, ADisabledIllegalOpcodeIsNotedAndUndefined) {
    GEN9_COVERS("EU-101 EU-294");
    auto thread = make_supervised(kAllEnables & ~cr1::enable(cr1::kIllegalOpcode));
    EXPECT_EQ(run(*thread, illegal()), Outcome::Fault);
    EXPECT_EQ(thread->ip, 0x100u);
    EXPECT_EQ(thread->control[1] & 0xFFFF0000u, cr1::kIllegalOpcode);
    EXPECT_EQ(thread->control[0] & cr0::kMaster, 0u);
}
TEST(Exceptions, UndefinedOpcodesAreIllegalButMalformedInstructionsAreNone) {
    GEN9_COVERS("EU-294 EU-297");
    // 0x0F is undefined, so is any with bit 7 (EU-215). The last word is a mov (0x01) with the
    // reserved register type 15: undefined, and no exception.
    for (const std::uint8_t opcode : {0x00, 0x0F, 0x81}) {
        std::vector<std::uint8_t> word(16, 0);
        word[0] = opcode;
        auto thread = make_supervised(kAllEnables);
        EXPECT_EQ(execute(*thread, prepare(std::span<const std::uint8_t>(word), 0x100)),
                  Outcome::Exception)
            << unsigned{opcode};
    }
    std::vector<std::uint8_t> word(16, 0);
    word[0] = 0x01;
    word[4] = 0xFF, word[5] = 0xFF;
    auto thread = make_supervised(kAllEnables);
    EXPECT_EQ(execute(*thread, prepare(std::span<const std::uint8_t>(word), 0x100)),
              Outcome::Fault);
    EXPECT_EQ(thread->control[1], kAllEnables);
    // What no executor takes: a float source with a bit field operation.
    EXPECT_EQ(run(*thread, make(Opcode::Bfrev, 8, dst(10, Type::UD), {grf(2, Type::F)})),
              Outcome::Fault);
    EXPECT_EQ(thread->control[1], kAllEnables);
}
TEST(Exceptions, SettingTheSoftwareBitReturnsBehindTheInstruction) {
    GEN9_COVERS("EU-102 EU-288 EU-295");
    auto thread = make_supervised(cr1::enable(cr1::kSoftware));
    EXPECT_EQ(run(*thread, write_control(1, cr1::kSoftware | cr1::enable(cr1::kSoftware))),
              Outcome::Exception);
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_EQ(thread->control[2], 0x110u);
    EXPECT_TRUE(thread->control[1] & cr1::kSoftware) << "hardware keeps the bit";
    // Without its enable nothing happens but the bit.
    thread = make_supervised(0);
    EXPECT_EQ(run(*thread, write_control(1, cr1::kSoftware)), Outcome::Next);
    EXPECT_EQ(thread->ip, 0x110u);
    EXPECT_EQ(thread->control[1], cr1::kSoftware);
}
TEST(Exceptions, ClearingTheMasterBitReturnsToWhereAipPoints) {
    GEN9_COVERS("EU-100 EU-102 EU-291");
    auto thread = make_supervised(kAllEnables);
    run(*thread, illegal());
    EXPECT_EQ(run(*thread, write_control(1, kAllEnables)), Outcome::Next);
    // The way back may be changed; its low bits do not exist.
    EXPECT_EQ(run(*thread, write_control(2, 0x127)), Outcome::Next);
    EXPECT_EQ(thread->control[2], 0x120u);
    // Writing 1 leaves it and stays.
    EXPECT_EQ(run(*thread, write_control(0, cr0::kMaster | 0x4C0)), Outcome::Next);
    EXPECT_EQ(thread->ip, kRoutine + 0x30);
    EXPECT_EQ(run(*thread, write_control(0, 0x4C0)), Outcome::Exception);
    EXPECT_EQ(thread->ip, 0x120u);
    EXPECT_EQ(thread->control[0], 0x4C0u);
    EXPECT_EQ(thread->active, 0xFFu);
    // Writing 0 outside, or 1, does nothing.
    EXPECT_EQ(run(*thread, write_control(0, 0)), Outcome::Next);
    EXPECT_EQ(run(*thread, write_control(0, cr0::kMaster)), Outcome::Next);
    EXPECT_EQ(thread->control[0], 0u);
    EXPECT_EQ(thread->ip, 0x140u);
}
TEST(Exceptions, LogicOnControlIsThatOfTheGeneralPath) {
    // `run` compares both. Every kernel of Intel's compiler begins with `or cr0.0 cr0.0 0x4C0:uw`.
    std::mt19937 random(5);
    unsigned quick = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        auto thread = make_supervised(random() & cr1::kDefined);
        for (unsigned n = 0; n < 3; ++n)
            thread->control[n] ^= random() & random() & (n == 0 ? cr0::kDefined : ~7u);
        const auto control = [&](bool other) {
            Operand o = arf(isa::Arf::Control, 0, other ? Type::D : Type::UD, random() % 4 * 4);
            o.vert_stride = o.horz_stride = 0;
            o.width = 1;
            return o;
        };
        const Type type = std::array{Type::UD, Type::UW, Type::D, Type::W}[random() % 4];
        Operand destination = control(random() % 4 == 0);
        destination.horz_stride = 1;
        Instruction in = make(std::array{Opcode::Or, Opcode::And, Opcode::Xor}[random() % 3], 1,
                              destination, {control(random() % 4 == 0), imm(random(), type)});
        in.no_mask = random() % 2 != 0;
        in.src[0].negate = random() % 8 == 0;
        in.saturate = random() % 8 == 0;
        in.pred_ctrl = random() % 8 == 0 ? PredCtrl::Sequential : PredCtrl::None;
        thread->active = random();
        const Execute general = prepare_general(in, 0).fast.general;
        quick += prepare(in, 0).fast.general != general;
        run(*thread, in);
    }
    EXPECT_GT(quick, 500u);
}
TEST(Exceptions, AStatusLeftSetReturnsToTheRoutineAtOnce) {
    GEN9_COVERS("EU-291");
    auto thread = make_supervised(cr1::enable(cr1::kSoftware));
    run(*thread, write_control(1, cr1::kSoftware | cr1::enable(cr1::kSoftware)));
    run(*thread, write_control(0, 0));
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_TRUE(thread->control[0] & cr0::kMaster);
    EXPECT_EQ(thread->control[2], 0x110u);
    // The illegal opcode's does not (003:20046).
    thread = make_supervised(cr1::enable(cr1::kIllegalOpcode));
    run(*thread, illegal());
    run(*thread, write_control(0, 0));
    EXPECT_EQ(thread->ip, 0x100u);
    EXPECT_FALSE(thread->control[0] & cr0::kMaster);
}
TEST(Exceptions, TheRoutineIsNotInterrupted) {
    GEN9_COVERS("EU-290");
    auto thread = make_supervised(kAllEnables);
    run(*thread, illegal());
    EXPECT_EQ(run(*thread, write_control(1, cr1::kSoftware | kAllEnables)), Outcome::Next);
    EXPECT_EQ(thread->ip, kRoutine + 0x10);
    EXPECT_EQ(run(*thread, breakpoint()), Outcome::Next) << "executed, not taken";
    EXPECT_EQ(get<std::uint32_t>(*thread, 10, 0), 77u);
    EXPECT_EQ(thread->control[1], kAllEnables | cr1::kSoftware | cr1::kBreakpoint);
    EXPECT_EQ(thread->control[2], 0x100u);
    // What was noted is taken when the routine is left.
    EXPECT_EQ(run(*thread, write_control(0, 0)), Outcome::Exception);
    EXPECT_EQ(thread->ip, kRoutine);
}
TEST(Exceptions, ABreakpointIsTakenBeforeTheInstructionAndPassedBySuppress) {
    GEN9_COVERS("EU-288 EU-102");
    auto thread = make_supervised(cr1::enable(cr1::kBreakpoint));
    set<std::uint32_t>(*thread, 10, 0, 0);
    EXPECT_EQ(run(*thread, breakpoint()), Outcome::Exception);
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_EQ(thread->control[2], 0x100u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 10, 0), 0u);
    run(*thread, write_control(1, cr1::enable(cr1::kBreakpoint)));
    run(*thread, write_control(0, cr0::kBreakpointSuppress));
    EXPECT_EQ(thread->ip, 0x100u);
    EXPECT_EQ(run(*thread, breakpoint()), Outcome::Next);
    EXPECT_EQ(thread->ip, 0x110u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 10, 0), 77u);
    EXPECT_EQ(thread->control[0], 0u) << "suppresses one breakpoint";
    thread->ip = 0x100;
    EXPECT_EQ(run(*thread, breakpoint()), Outcome::Exception);
    // Not enabled: noted, and the instruction is executed, also one that writes cr0.
    thread = make_supervised(0);
    Instruction in = write_control(0, 0x80);
    in.breakpoint = true;
    EXPECT_EQ(run(*thread, in), Outcome::Next);
    EXPECT_EQ(thread->control[0], 0x80u);
    EXPECT_EQ(thread->control[1], cr1::kBreakpoint);
}
TEST(Exceptions, AStackPointerBeyondItsLimitIsOne) {
    GEN9_COVERS("EU-093 EU-101");
    auto write_stack = [](std::uint64_t value) {
        Instruction in =
            make(Opcode::Mov, 1, arf(isa::Arf::StackPointer, 0, Type::UQ), {imm(value, Type::UQ)});
        in.no_mask = true;
        return in;
    };
    auto thread = make_supervised(cr1::enable(cr1::kStackOverflow));
    thread->stack = {0, 0x1000};
    EXPECT_EQ(run(*thread, write_stack(0xABCD'0000'0000'1000)), Outcome::Next) << "48 bits count";
    EXPECT_EQ(thread->stack[0], 0x1000u);
    EXPECT_EQ(run(*thread, write_stack(0x1001)), Outcome::Exception);
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_EQ(thread->control[2], 0x120u) << "behind the instruction";
    thread = make_supervised(0);
    thread->stack = {0, 0x1000};
    EXPECT_EQ(run(*thread, write_stack(0x1001)), Outcome::Next);
    EXPECT_EQ(thread->control[1], cr1::kStackOverflow);
}
TEST(Exceptions, DispatchGivesTheEnablesAndTheStack) {
    GEN9_COVERS("EU-093 EU-101");
    auto dispatch = std::make_unique<ThreadDispatch>();
    auto thread = std::make_unique<Thread>();
    thread->start(*dispatch);
    EXPECT_EQ(thread->control[1], 0u);
    dispatch->illegal_opcode_exception = dispatch->software_exception = true;
    dispatch->stack_exception = true;
    dispatch->stack_pointer = 0x13FF;
    dispatch->stack_limit = 0x1200;
    thread->start(*dispatch);
    EXPECT_EQ(thread->control[1], 1u << 13 | 1u << 12 | 1u << 11);
    EXPECT_EQ(thread->stack[0], 0x13FFu);
    EXPECT_EQ(thread->stack[1], 0x1200u);
}
TEST(Exceptions, ReservedBitsOfTheControlRegisterAreZero) {
    GEN9_COVERS("EU-099 EU-101 EU-103");
    auto thread = make_supervised(0);
    run(*thread, write_control(0, 0x7FFFFFFF));
    EXPECT_EQ(thread->control[0], 0x00009FFFu);
    run(*thread, write_control(1, 0x07FF07FF));
    EXPECT_EQ(thread->control[1], 0x03000000u);
    run(*thread, write_control(3, 0xFFFFFFFF));
    EXPECT_EQ(thread->control[3], 0u);
}
TEST(Exceptions, AccumulatorsCanBeKeptByTheRoutine) {
    GEN9_COVERS("EU-078");
    // Any register is visible to the routine; only implicit accumulator writes can be switched off.
    auto thread = make_supervised(kAllEnables);
    run(*thread, illegal());
    run(*thread, write_control(0, cr0::kMaster | cr0::kAccDisable));
    const auto before = thread->acc;
    Instruction in = make(Opcode::Add, 8, dst(15, Type::F), {immf(1), immf(2)});
    in.src[0] = grf(2, Type::F);
    in.acc_write = true;
    run(*thread, in);
    EXPECT_EQ(thread->acc, before);
}

// 003:22285, 20048: the status bit says why, and the master bit's end takes the thread away.
TEST(Exceptions, AThreadIsSavedByTheRoutineAndThenTakenAway) {
    auto thread = make_supervised(0);
    begin_save(*thread);
    EXPECT_EQ(thread->ip, kRoutine);
    EXPECT_EQ(thread->control[2], 0x100u);
    EXPECT_EQ(thread->control[1], 1u << 25);
    EXPECT_TRUE(thread->control[0] & cr0::kMaster);
    EXPECT_EQ(run(*thread, write_control(1, 0)), Outcome::Next);
    EXPECT_EQ(run(*thread, write_control(0, 0)), Outcome::Saved);
}
// 003:20286-20288: channels are where they were, also those that wait elsewhere.
TEST(Exceptions, FlowControlSavedAndRestoredBringsAllChannelsBack) {
    GEN9_COVERS("EU-111");
    auto thread = make_supervised(0, 0xFF);
    thread->active = 0x0F;
    thread->waiting = 0xF0;
    for (unsigned channel = 4; channel < 8; ++channel)
        thread->channel_ip[channel] = 0x200 + 0x10 * channel;
    begin_save(*thread);
    const auto flow = [](unsigned number, unsigned place) {
        return arf(isa::Arf::FlowControl, static_cast<std::uint8_t>(number), Type::UD, place);
    };
    const auto move = [](isa::Operand to, isa::Operand from) {
        Instruction in = make(Opcode::Mov, 8, to, {from});
        in.no_mask = true;
        return in;
    };
    // The driver's routine: register 20 + n keeps the n-th.
    std::vector<isa::Operand> all;
    for (unsigned channel = 0; channel < 32; ++channel)
        all.push_back(flow(0, channel));
    for (unsigned number = 1; number < 4; ++number)
        all.push_back(flow(number, 0));
    for (unsigned n = 0; n < all.size(); ++n) {
        EXPECT_EQ(run(*thread, move(dst(20 + n, Type::UD), all[n])), Outcome::Next);
        set<std::uint32_t>(*thread, 20 + n, 0, get<std::uint32_t>(*thread, 20 + n, 4));
    }
    auto back = make_supervised(0, 0xFFFF);
    back->grf = thread->grf;
    begin_restore(*back);
    EXPECT_EQ(back->control[1], 1u << 24);
    for (unsigned n = 0; n < all.size(); ++n)
        EXPECT_EQ(run(*back, move(all[n], grf(20 + n, Type::UD))), Outcome::Next);
    run(*back, write_control(2, 0x110));
    run(*back, write_control(1, 0));
    EXPECT_EQ(run(*back, write_control(0, 0)), Outcome::Exception);
    EXPECT_EQ(back->ip, 0x110u);
    EXPECT_EQ(back->active, 0x0Fu);
    EXPECT_EQ(back->waiting, 0xF0u);
    EXPECT_EQ(back->wake_ip, 0x240u);
    for (unsigned channel = 4; channel < 8; ++channel)
        EXPECT_EQ(back->channel_ip[channel], 0x200u + 0x10 * channel);
}

}  // namespace
}  // namespace gen9::eu::test
