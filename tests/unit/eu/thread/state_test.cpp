// SPDX-License-Identifier: Apache-2.0
// Architecture registers that only dispatch, a system routine or shared functions care about.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

/// The eight DWords a mov of the register gives, scalar reads put together.
std::array<std::uint32_t, 8> read_whole(Thread& thread, const Operand& source,
                                        bool align16 = false) {
    Instruction in = make(Opcode::Mov, 8, dst(20, Type::UD), {source});
    in.no_mask = true;
    in.align16 = align16;
    run(thread, in);
    std::array<std::uint32_t, 8> values;
    for (unsigned i = 0; i < 8; ++i)
        values[i] = get<std::uint32_t>(thread, 20, i);
    return values;
}
void write_whole(Thread& thread, const Operand& destination, const std::array<std::uint32_t, 8>& v,
                 bool align16 = false) {
    for (unsigned i = 0; i < 8; ++i)
        set(thread, 21, i, v[i]);
    Instruction in = make(Opcode::Mov, 8, destination, {grf(21, Type::UD)});
    in.src[0].vert_stride = align16 ? 4 : 8;
    in.no_mask = true;
    in.align16 = align16;
    run(thread, in);
}
Operand swizzled(Operand o, unsigned x, unsigned y) {
    o.swizzle = static_cast<std::uint8_t>(x | y << 2);
    return o;
}
Operand enabled(Operand o, unsigned channels) {
    o.chan_enable = static_cast<std::uint8_t>(channels);
    return o;
}

constexpr std::array<std::uint32_t, 8> kZeros{};

TEST(SpecialAccumulators, AreSavedAndRestoredThroughAcc2) {
    GEN9_COVERS("EU-086 EU-088");
    // 003:19742-19766, both sequences as they stand there.
    auto thread = make_thread(0);
    const Operand acc2 = arf(isa::Arf::Accumulator, 2, Type::UD);
    const auto pattern = [](unsigned number) {
        std::array<std::uint32_t, 8> v;
        for (unsigned i = 0; i < 8; ++i)
            v[i] = (number >> (i % 3) & 1) | (i & 1) << 1;
        return v;
    };
    const unsigned enables[] = {0, 1, 2, 3, 4, 5, 6, 15};
    for (unsigned n = 0; n < 8; ++n) {
        auto wide = pattern(n);
        for (auto& v : wide)
            v |= 0xFFFFFFFC;  // only two bits of each DWord exist
        write_whole(*thread, n == 0 ? acc2 : enabled(acc2, enables[n]), wide, n != 0);
    }
    for (unsigned n = 0; n < 8; ++n)
        for (unsigned i = 0; i < 8; ++i)
            EXPECT_EQ(thread->special_acc[n][i], pattern(n)[i]) << "acc" << n + 2;
    // .yx .zx .wx .xy .yy .zy .wy pick acc3 .. acc9.
    for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(read_whole(*thread, n == 0 ? acc2 : swizzled(acc2, n % 4, n / 4), n != 0),
                  pattern(n))
            << "acc" << n + 2;
}

TEST(ArchitectureRegisters, MessageAndFlowControlRegistersReadZeroAndDropWrites) {
    GEN9_COVERS("EU-092 EU-111");
    auto thread = make_thread();
    for (const auto kind : {isa::Arf::Message, isa::Arf::FlowControl})
        for (unsigned number = 0; number < 8; ++number) {
            write_whole(*thread, arf(kind, number, Type::UD), {1, 2, 3, 4, 5, 6, 7, 8});
            EXPECT_EQ(read_whole(*thread, arf(kind, number, Type::UD)), kZeros);
        }
}

TEST(ArchitectureRegisters, TheHardwaresStateIsStorageUntilTheNextThread) {
    GEN9_COVERS("EU-097");
    auto thread = make_thread();
    const Operand sr1 = arf(isa::Arf::State, 1, Type::UD);
    write_whole(*thread, sr1, {1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_EQ(read_whole(*thread, sr1), (std::array<std::uint32_t, 8>{1, 2, 3, 4}));
    thread->start(*std::make_unique<ThreadDispatch>());
    EXPECT_EQ(read_whole(*thread, sr1), kZeros);
}

TEST(ArchitectureRegisters, StateSaysWhoTheThreadIs) {
    GEN9_COVERS("EU-094 EU-095 EU-096 FF-62");
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->ffid = 0x1B;  // four bits
    dispatch->dispatch_mask = 0x80010020;
    dispatch->sideband.priority = 1;
    dispatch->sideband.fftid = 0x1FF;
    dispatch->sideband.place = {SliceId(2), SubsliceId(1), EuId(9), ThreadSlot(6)};
    auto thread = std::make_unique<Thread>();
    thread->state = {~0u, ~0u, ~0u, ~0u};
    thread->start(*dispatch);
    const auto sr0 = read_whole(*thread, arf(isa::Arf::State, 0, Type::UD));
    EXPECT_EQ(sr0[0], 0xBu << 24 | 1u << 23 | 2u << 14 | 1u << 12 | 9u << 8 | 6u);
    EXPECT_EQ(sr0[1], 0x1FFu << 23) << "no fault, no exception";
    EXPECT_EQ(sr0[2], 0x80010020u);
    EXPECT_EQ(sr0[3], 0xF00F00F0u) << "groups of four";
    EXPECT_EQ(thread->active, 0x80010020u);
    // Its dispatch may ask for whole groups of four.
    dispatch->uses_vector_mask = true;
    thread->start(*dispatch);
    EXPECT_EQ(thread->active, 0xF00F00F0u);
    EXPECT_EQ(thread->dispatch_mask, 0x80010020u);
}

TEST(ArchitectureRegisters, ThreadDependenciesAreSetByDispatchAndOnlyCleared) {
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->dependency = {0x8123, 0x7F05, 0, 0, 0, 0, 0, 0xFFFF};
    auto thread = std::make_unique<Thread>();
    thread->start(*dispatch);
    thread->active = 0xFF;
    Operand tdr = arf(isa::Arf::ThreadDependency, 0, Type::UD);
    EXPECT_EQ(read_whole(*thread, tdr),
              (std::array<std::uint32_t, 8>{0x01058123, 0, 0, 0x81FF0000}));
    Instruction in = make(Opcode::Sendc, 8, null(Type::UD), {grf(112, Type::UD)});
    in.sfid = 7;
    in.descriptor = 0x02000010;
    EXPECT_EQ(run(*thread, in), Outcome::Wait);
    Instruction clear = make(Opcode::Mov, 1, arf(isa::Arf::ThreadDependency, 0, Type::UW, 0),
                             {imm(0xFFFFFFFF, Type::UW)});
    run(*thread, clear);
    EXPECT_EQ(thread->dependency[0], 0x0123) << "the FFTID stays";
    EXPECT_EQ(run(*thread, in), Outcome::Wait);
    clear.dst.subreg = 14;
    run(*thread, clear);
    EXPECT_EQ(run(*thread, in), Outcome::Send);
}

TEST(ArchitectureRegisters, CountsOfNotificationsAreReadableAndSurviveADispatch) {
    GEN9_COVERS("EU-105 GW-10 GW-11");
    auto thread = make_thread();
    thread->notification = {3, 1, 2, 0};
    const auto n0 = read_whole(*thread, arf(isa::Arf::Notification, 0, Type::UD));
    EXPECT_EQ(n0[0], 3u);
    EXPECT_EQ(n0[1], 1u);
    EXPECT_EQ(n0[2], 2u);
    // What compilers write before each barrier: it may not lose a notification of n0.0.
    Instruction in =
        make(Opcode::Mov, 1, arf(isa::Arf::Notification, 0, Type::UD), {imm(0, Type::UD)});
    in.no_mask = true;
    EXPECT_EQ(run(*thread, in), Outcome::Next);
    EXPECT_EQ(thread->notification[0], 3u);
    thread->start(*std::make_unique<ThreadDispatch>());
    EXPECT_EQ(thread->notification[0], 3u);
    // A wait for each of the three.
    for (const unsigned number : {0u, 1u}) {
        Operand n = arf(isa::Arf::Notification, 0, Type::UD, 4 * number);
        EXPECT_EQ(run(*thread, make(Opcode::Wait, 1, n, {n})), Outcome::Next);
    }
    EXPECT_EQ(thread->notification[0], 2u);
    EXPECT_EQ(thread->notification[1], 0u);
}

TEST(Sideband, TravelsWithEveryMessageAndIsInNoRegister) {
    GEN9_COVERS("EU-011 EU-023 EU-195 FF-10 FF-11 FF-17");
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->sideband.binding_table_offset = 0xABCDE0;
    dispatch->sideband.sampler_state_offset = 0x13570;
    dispatch->sideband.priority = 1;
    dispatch->sideband.fftid = 77;
    auto thread = std::make_unique<Thread>();
    thread->start(*dispatch);
    thread->active = 0xFF;
    Instruction in = make(Opcode::Send, 8, dst(20, Type::UD), {grf(10, Type::UD)});
    in.sfid = 10;
    in.descriptor = 0x02110000;
    const DecodedInstruction d = prepare(in, thread->ip);
    execute(*thread, d);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    ASSERT_NE(message->sender, nullptr);
    EXPECT_EQ(message->sender->binding_table_offset, 0xABCDE0u);
    EXPECT_EQ(message->sender->sampler_state_offset, 0x13570u);
    EXPECT_EQ(message->sender->priority, 1);
    EXPECT_EQ(message->sender->fftid, 77);
    for (unsigned reg = 0; reg < 0xE0; ++reg)
        for (const std::uint32_t value : read_whole(*thread, [&] {
                 Operand o = null(Type::UD);
                 o.reg = static_cast<std::uint8_t>(reg);
                 return o;
             }()))
            EXPECT_TRUE(value != 0xABCDE0 && value != 0x13570) << "register " << reg;
}

TEST(Messages, FunctionsHaveTheirIds) {
    GEN9_COVERS("EU-187");
    // 003:4957, 004:725-754. Data ports are one unit, ids 0 and those not listed are none.
    const MessagePort expected[16] = {
        MessagePort::None,     MessagePort::None,     MessagePort::Sampler,
        MessagePort::Gateway,  MessagePort::DataPort, MessagePort::RenderCache,
        MessagePort::Urb,      MessagePort::Spawner,  MessagePort::Vme,
        MessagePort::DataPort, MessagePort::DataPort, MessagePort::PixelInterpolator,
        MessagePort::DataPort, MessagePort::Vme,      MessagePort::None,
        MessagePort::None};
    auto thread = make_thread();
    auto message = std::make_unique<Message>();
    for (unsigned sfid = 0; sfid < 16; ++sfid) {
        Instruction in = make(Opcode::Send, 8, null(Type::UD), {grf(10, Type::UD)});
        in.sfid = static_cast<std::uint8_t>(sfid);
        in.descriptor = 0x02000000;
        const DecodedInstruction d = prepare(in, 0);
        thread->ip = 0;
        execute(*thread, d);
        build_message(*thread, d, *message);
        EXPECT_EQ(static_cast<unsigned>(message->sfid), sfid);
        EXPECT_EQ(port_of(static_cast<std::uint8_t>(message->sfid)), expected[sfid]) << sfid;
    }
}

TEST(Messages, HeaderIsTheFirstRegisterAndRegistersAreNamedFromTheLowestDword) {
    GEN9_COVERS("EU-196 EU-213");
    auto thread = make_thread();
    for (unsigned reg = 10; reg < 13; ++reg)
        for (unsigned i = 0; i < 8; ++i)
            set<std::uint32_t>(*thread, reg, i, reg << 8 | i);
    Instruction in = make(Opcode::Send, 8, null(Type::UD), {grf(10, Type::UD)});
    in.sfid = 10;
    in.descriptor = 3u << 25 | 1u << 19;
    auto message = std::make_unique<Message>();
    const DecodedInstruction d = prepare(in, 0);
    execute(*thread, d);
    build_message(*thread, d, *message);
    EXPECT_TRUE(message->header_present);
    EXPECT_EQ(message->length, 3);
    // Mn.d: register n, DWord d, the first register is the header.
    for (unsigned n = 0; n < 3; ++n)
        for (unsigned i = 0; i < 8; ++i)
            EXPECT_EQ(load<std::uint32_t>(message->payload[n].bytes + 4 * i), (10 + n) << 8 | i);
    in.descriptor = 3u << 25;
    build_message(*thread, prepare(in, 0), *message);
    EXPECT_FALSE(message->header_present);
}

TEST(Messages, TheExecutionUnitSendsWhatItIsTold) {
    GEN9_COVERS("EU-188 EU-212");
    // A descriptor no function knows, a response without a destination, more registers than there
    // are: no check, no exception; a null destination wants no answer.
    auto thread = make_thread();
    thread->control[1] = 0xF800;
    Instruction in = make(Opcode::Send, 8, null(Type::UD), {grf(126, Type::UD)});
    in.sfid = 12;
    in.descriptor = 0x1FF7FFFF;
    auto message = std::make_unique<Message>();
    const DecodedInstruction d = prepare(in, 0);
    EXPECT_EQ(execute(*thread, d), Outcome::Send);
    build_message(*thread, d, *message);
    EXPECT_EQ(message->descriptor, 0x1FF7FFFFu);
    EXPECT_EQ(message->length, 15);
    EXPECT_EQ(message->response_length, 0);
    EXPECT_EQ(thread->control[1], 0xF800u);
}

TEST(Messages, ANullDestinationsChannelEnablesCountInTheMask) {
    GEN9_COVERS("EU-188");
    // 003:24357. Without Align16 a destination has none.
    auto thread = make_thread(0x7F);
    Instruction in = make(Opcode::Send, 8, null(Type::UD), {grf(10, Type::UD)});
    in.sfid = 12;
    in.descriptor = 1u << 25;
    in.dst.chan_enable = 0b0110;
    auto message = std::make_unique<Message>();
    for (const bool align16 : {false, true}) {
        in.align16 = align16;
        const DecodedInstruction d = prepare(in, thread->ip);
        EXPECT_EQ(execute(*thread, d), Outcome::Send);
        build_message(*thread, d, *message);
        EXPECT_EQ(message->execution_mask, align16 ? 0x66u : 0x7Fu);
        EXPECT_EQ(message->response_length, 0);
    }
}

TEST(Messages, OpcodesOfTheGroup) {
    GEN9_COVERS("EU-251 EU-253");
    auto thread = make_thread();
    thread->ip = 0x40;
    EXPECT_EQ(run(*thread, make(Opcode::Nop, 1, null(Type::UD), {})), Outcome::Next);
    EXPECT_EQ(thread->ip, 0x50u);
    EXPECT_EQ(run(*thread, make(Opcode::Illegal, 1, null(Type::UD), {})), Outcome::Fault);
    EXPECT_EQ(thread->ip, 0x50u);
    Operand n0 = arf(isa::Arf::Notification, 0, Type::UD);
    EXPECT_EQ(run(*thread, make(Opcode::Wait, 1, n0, {n0})), Outcome::Wait);
    for (const Opcode opcode : {Opcode::Send, Opcode::Sendc, Opcode::Sends, Opcode::Sendsc}) {
        const bool split = opcode == Opcode::Sends || opcode == Opcode::Sendsc;
        Instruction in = make(opcode, 8, null(Type::UD), {grf(10, Type::UD), grf(30, Type::UD)});
        if (!split) in.source_count = 1;
        in.sfid = 12;
        in.descriptor = 2u << 25;
        in.extended_descriptor = 3u << 6 | 12;
        auto message = std::make_unique<Message>();
        const DecodedInstruction d = prepare(in, thread->ip);
        EXPECT_EQ(execute(*thread, d), Outcome::Send);
        build_message(*thread, d, *message);
        EXPECT_EQ(message->length, split ? 5 : 2);
    }
}

}  // namespace
}  // namespace gen9::eu::test
