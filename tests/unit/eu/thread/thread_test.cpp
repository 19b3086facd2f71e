// SPDX-License-Identifier: Apache-2.0
// Thread start, architecture registers, messages and waiting.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"
#include "tests/unit/eu/execute/random_thread.h"

namespace gen9::eu::test {
namespace {

template <class T>
T read_arf(Thread& thread, isa::Arf kind, unsigned number, Type type, unsigned subreg = 0) {
    Operand source = arf(kind, number, type, subreg);
    source.vert_stride = source.horz_stride = 0;
    source.width = 1;
    Instruction in = make(Opcode::Mov, 1, dst(20, type), {source});
    in.no_mask = true;
    run(thread, in);
    return get<T>(thread, 20, 0);
}
void write_arf(Thread& thread, isa::Arf kind, unsigned number, Type type, unsigned subreg,
               std::uint32_t value) {
    Instruction in = make(Opcode::Mov, 1, arf(kind, number, type, subreg), {imm(value, type)});
    in.no_mask = true;
    run(thread, in);
}

TEST(ThreadStart, LoadsPayloadAndPoisonsTheRest) {
    GEN9_COVERS("EU-019 EU-155");
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->instruction_pointer = 0x1240;
    dispatch->dispatch_mask = 0x00001003;
    dispatch->payload_registers = 2;
    dispatch->payload[1].bytes[5] = 77;
    dispatch->rounding = 2;
    dispatch->ffid = 7;
    dispatch->sideband.fftid = 0x123;
    dispatch->sideband.place = {SliceId(1), SubsliceId(2), EuId(3), ThreadSlot(4)};
    auto thread = std::make_unique<Thread>();
    thread->waiting = 5;
    thread->start(*dispatch);
    EXPECT_EQ(thread->ip, 0x1240u);
    EXPECT_EQ(thread->active, 0x1003u);
    EXPECT_EQ(thread->waiting, 0u);
    EXPECT_EQ(thread->grf[1].bytes[5], 77);
    EXPECT_NE(get<std::uint32_t>(*thread, 2, 0), 0u);
    EXPECT_NE(get<std::uint32_t>(*thread, 2, 0), get<std::uint32_t>(*thread, 3, 0));
    EXPECT_EQ(thread->control[0], 2u << 4);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::State, 0, Type::UD),
              7u << 24 | 1u << 14 | 2u << 12 | 3u << 8 | 4u);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::State, 0, Type::UD, 4) >> 23, 0x123u);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::State, 0, Type::UD, 8), 0x1003u);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::State, 0, Type::UD, 12), 0xF00Fu);
}
TEST(ThreadStart, WritesThePatternWhereItWasChangedOnly) {
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->payload_registers = 3;
    auto whole = std::make_unique<Thread>();
    whole->start(*dispatch);
    // Runs at both ends of the file, across its middle and around its end.
    for (const auto& [first, count] :
         {std::pair{5u, 1u}, {0u, 4u}, {60u, 9u}, {64u, 64u}, {126u, 7u}, {0u, 128u}, {9u, 0u}}) {
        RegisterSet changed;
        changed.add(first, count);
        auto thread = std::make_unique<Thread>(*whole);
        for (unsigned i = 0; i < count; ++i)
            thread->grf[(first + i) % kGrfCount].bytes[31] ^= 1;
        thread->grf[40].bytes[7] ^= 1;
        thread->start(*dispatch, changed);
        for (unsigned reg = 0; reg < kGrfCount; ++reg)
            EXPECT_EQ(std::memcmp(&thread->grf[reg], &whole->grf[reg], sizeof(Grf)) == 0,
                      reg != 40 || changed.has(40))
                << first << " " << count << ": " << reg;
    }
}
TEST(ThreadStart, RunsOfRegistersHaveThoseOfTheSetAndNotFarMore) {
    Random random(5);
    for (unsigned n = 0; n < 300; ++n) {
        RegisterSet set;
        for (unsigned i = random() % 12; i != 0; --i)
            set.add(random() % kGrfCount, random() % (random() % 2 ? 3 : 40));
        const unsigned from = random() % 3 ? random() % 20 : random() % (kGrfCount + 1);
        const RegisterRuns runs(set, from);
        EXPECT_TRUE(runs.are_of(set, from));
        EXPECT_FALSE(runs.are_of(set, from + 1));
        std::array<bool, kGrfCount> covered{};
        unsigned end = 0;
        for (const RegisterRuns::Run run : runs) {
            EXPECT_GE(run.first, end);
            end = run.first + run.count;
            ASSERT_LE(end, kGrfCount);
            EXPECT_TRUE(set.has(run.first) && set.has(end - 1));
            for (unsigned reg = run.first; reg < end; ++reg)
                covered[reg] = true;
        }
        unsigned gap = 0;
        for (unsigned reg = 0; reg < kGrfCount; ++reg) {
            gap = set.has(reg) ? 0 : gap + 1;
            if (gap == 0) {
                EXPECT_EQ(covered[reg], reg >= from) << n << ": " << reg;
            } else if (gap > RegisterRuns::kGap) {
                EXPECT_FALSE(covered[reg]) << n << ": " << reg;
            }
        }
    }
}
// What a thread may leave is everything of it that the next one does not keep.
TEST(ThreadStart, AfterAThreadLikeItOnlyWhatDiffersIsTakenFromTheDispatch) {
    auto dispatch = std::make_unique<ThreadDispatch>();
    dispatch->instruction_pointer = 0x1240;
    dispatch->dispatch_mask = 0xFFFF;
    dispatch->payload_registers = 5;
    dispatch->rounding = 1;
    dispatch->stack_exception = true;
    dispatch->stack_pointer = 0x7FF;
    dispatch->sideband.fftid = 0x23;
    dispatch->sideband.priority = 1;
    dispatch->work = 9;
    auto again = std::make_unique<Thread>();
    again->start(*dispatch);
    again->grf[3].bytes[0] ^= 1;
    again->grf[70].bytes[0] ^= 1;
    again->ip = 0x1300;
    again->active = 1;
    again->waiting = 2;
    again->wake_ip = again->low_ip = 0x1308;
    again->call_mask = 3;
    again->control = {0x4C0, ~0u, 1, 2};
    again->state[0] |= 3u << 16;
    again->state[1] |= 63;
    again->hardware_state = {1, 2, 3, 4};
    again->stack = {1, 2};
    again->dependency[2] = 0x8001;
    again->routine = Thread::Routine::Save;
    dispatch->payload[1].bytes[9] = 5;
    dispatch->dispatch_mask = 0x0F03;
    dispatch->sideband.trace_id = 77;
    dispatch->sideband.slm_base = 4096;
    auto anew = std::make_unique<Thread>(*again);
    anew->start(*dispatch);
    RegisterSet changed;
    changed.add(70, 1);
    again->start_again(*dispatch, RegisterRuns(changed, 5));
    EXPECT_EQ(std::memcmp(&again->grf, &anew->grf, sizeof again->grf), 0);
    EXPECT_EQ(again->ip, anew->ip);
    EXPECT_EQ(again->active, 0x0F03u);
    EXPECT_EQ(again->dispatch_mask, anew->dispatch_mask);
    EXPECT_EQ(again->waiting, 0u);
    EXPECT_EQ(again->wake_ip, Thread::kNoWake);
    EXPECT_EQ(again->low_ip, Thread::kNoWake);
    EXPECT_EQ(again->call_mask, 0u);
    EXPECT_EQ(again->control, anew->control);
    EXPECT_EQ(again->state, anew->state);
    EXPECT_EQ(again->hardware_state, anew->hardware_state);
    EXPECT_EQ(again->stack, anew->stack);
    EXPECT_EQ(again->dependency, anew->dependency);
    EXPECT_EQ(again->routine, Thread::Routine::Exception);
    EXPECT_EQ(again->sideband.trace_id, 77u);
    EXPECT_EQ(again->sideband.slm_base, 4096u);
    EXPECT_EQ(again->sideband.fftid, anew->sideband.fftid);
    EXPECT_EQ(again->work, 9u);
}
TEST(ThreadStart, ADispatchThatAsksForNoModeGetsNone) {
    // 003:11142-11164: the defaults of geometry threads, whatever the slot's last thread left.
    auto dispatch = std::make_unique<ThreadDispatch>();
    auto thread = std::make_unique<Thread>();
    thread->control = {~0u, ~0u, ~0u};
    thread->stack = {~0ull, ~0ull};
    thread->ip = ~0u;
    thread->start(*dispatch);
    EXPECT_EQ(thread->control[0], 0u) << "nearest even, denormals flushed";
    EXPECT_EQ(thread->control[1], 0u) << "no exception enabled";
    EXPECT_EQ(thread->stack[0], 0u);
    EXPECT_EQ(thread->stack[1], 0u);
    EXPECT_EQ(thread->ip, 0u);
}
TEST(ArchitectureRegisters, AddressWordsKeepTwelveBitsFromTheThird) {
    GEN9_COVERS("EU-072 EU-073");
    auto thread = make_thread();
    write_arf(*thread, isa::Arf::Address, 0, Type::UD, 0, 0xABCD1234);
    write_arf(*thread, isa::Arf::Address, 0, Type::UW, 6, 0xFFFFFFFF);
    EXPECT_EQ(thread->address[0], 0x1234);
    EXPECT_EQ(thread->address[1], 0xABCD);
    EXPECT_EQ(thread->address[3], 0x0FFF);
}
TEST(ArchitectureRegisters, AddressDwordsAreWholeDescriptors) {
    GEN9_COVERS("EU-073 EU-075");
    auto thread = make_thread();
    for (unsigned dword = 0; dword < 8; ++dword)
        write_arf(*thread, isa::Arf::Address, 0, Type::UD, 4 * dword, 0xFEDC9870 + dword);
    write_arf(*thread, isa::Arf::Address, 0, Type::UW, 14, 0xFFFFFFFF);
    for (unsigned dword = 0; dword < 8; ++dword)
        EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::Address, 0, Type::UD, 4 * dword),
                  dword == 3 ? 0x0FFF9873u : 0xFEDC9870 + dword);
}
TEST(ArchitectureRegisters, FlagsAreWordsOrDwords) {
    GEN9_COVERS("EU-089 EU-090");
    auto thread = make_thread(0x1);
    thread->flag = {0, 0x11112222};
    write_arf(*thread, isa::Arf::Flag, 1, Type::UW, 2, 0xABCDABCD);
    EXPECT_EQ(thread->flag[1], 0xABCD2222u);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::Flag, 1, Type::UD), 0xABCD2222u);
    EXPECT_EQ(read_arf<std::uint16_t>(*thread, isa::Arf::Flag, 1, Type::UW, 2), 0xABCD);
}
TEST(ArchitectureRegisters, ControlRegisterTakesTheKernelPrologue) {
    GEN9_COVERS("EU-099 EU-100 EU-104");
    auto thread = make_thread(1);
    thread->control[0] = 1u << 4;
    Operand source = arf(isa::Arf::Control, 0, Type::UD);
    source.vert_stride = source.horz_stride = 0;
    source.width = 1;
    Instruction in = make(Opcode::Or, 1, arf(isa::Arf::Control, 0, Type::UD),
                          {source, imm(0x04C004C0, Type::UW)});
    in.no_mask = true;
    run(*thread, in);
    EXPECT_EQ(thread->control[0], 0x4D0u);
    write_arf(*thread, isa::Arf::Control, 0, Type::UD, 0, 0x80000000);
    EXPECT_EQ(thread->control[0], 0u) << "the master exception bit cannot be set by a write";
}
TEST(ArchitectureRegisters, ChannelEnablesAndIpShowTheInstruction) {
    GEN9_COVERS("EU-091 EU-107");
    auto thread = make_thread(0x00F5);
    thread->ip = 0x230;
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::ChannelEnable, 0, Type::UD), 0xF5u);
    thread->ip = 0x230;
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::Ip, 0, Type::UD), 0x230u);
}
TEST(ArchitectureRegisters, ReadOnlyOnesIgnoreWrites) {
    GEN9_COVERS("EU-070 EU-071");
    auto thread = make_thread(0xFF);
    thread->state = {1, 2, 3, 4};
    thread->timestamp = {5, 6, 7, 8};
    write_arf(*thread, isa::Arf::State, 0, Type::UD, 0, 99);
    write_arf(*thread, isa::Arf::Timestamp, 0, Type::UD, 0, 99);
    write_arf(*thread, isa::Arf::ChannelEnable, 0, Type::UD, 0, 99);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::State, 0, Type::UD), 1u);
    EXPECT_EQ(read_arf<std::uint32_t>(*thread, isa::Arf::Timestamp, 0, Type::UD, 4), 6u);
    EXPECT_EQ(thread->active, 0xFFu);
}
TEST(ArchitectureRegisters, NullStillSetsFlags) {
    GEN9_COVERS("EU-071");
    auto thread = make_thread(0xFF);
    Instruction in = make(Opcode::Add, 8, null(Type::D), {scalar(3, 0, Type::D), imm(0, Type::D)});
    in.cond_mod = CondMod::Z;
    run(*thread, in);
    EXPECT_EQ(thread->flag[0], 0xFFu);
}
TEST(Notification, WaitTakesOneOrStays) {
    GEN9_COVERS("EU-105 EU-206");
    auto thread = make_thread();
    Operand n0 = arf(isa::Arf::Notification, 0, Type::UD);
    const Instruction in = make(Opcode::Wait, 1, n0, {n0});
    thread->ip = 0x40;
    EXPECT_EQ(run(*thread, in), Outcome::Wait);
    EXPECT_EQ(thread->ip, 0x40u);
    thread->notification[0] = 2;
    EXPECT_EQ(run(*thread, in), Outcome::Next);
    EXPECT_EQ(thread->notification[0], 1u);
    EXPECT_EQ(thread->ip, 0x50u);
}
TEST(Notification, WritesSwapTheFirstAndTheThirdCount) {
    GEN9_COVERS("EU-106");
    auto thread = make_thread();
    thread->notification = {3, 0, 4, 0};
    write_arf(*thread, isa::Arf::Notification, 0, Type::UD, 0, 0);
    EXPECT_EQ(thread->notification[0], 3u);
    EXPECT_EQ(thread->notification[2], 0u);
}

Instruction read_message() {
    Instruction in = make(Opcode::Send, 8, dst(20, Type::UW), {grf(10, Type::UD)});
    in.sfid = 12;
    in.descriptor = 0x04205E01;
    in.extended_descriptor = 12;
    return in;
}
TEST(Send, DescriptorGivesTheLengths) {
    GEN9_COVERS("EU-182 EU-184 EU-185 EU-190 EU-195");
    auto thread = make_thread(0x00A5);
    set<std::uint32_t>(*thread, 11, 7, 4711);
    const DecodedInstruction d = prepare(read_message(), 0x80);
    thread->ip = 0x80;
    EXPECT_EQ(execute(*thread, d), Outcome::Send);
    EXPECT_EQ(thread->ip, 0x90u);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    EXPECT_EQ(message->sfid, Sfid::DataPort1);
    EXPECT_EQ(message->length, 2);
    EXPECT_EQ(message->response_length, 2);
    EXPECT_FALSE(message->header_present);
    EXPECT_EQ(message->execution_mask, 0xA5u);
    EXPECT_TRUE(message->eight_wide);
    EXPECT_EQ(message->destination, 20);
    EXPECT_EQ(message->ip, 0x80u);
    EXPECT_EQ(load<std::uint32_t>(message->payload[1].bytes + 28), 4711u);
    EXPECT_FALSE(message->end_of_thread);
}
TEST(Send, ChannelsAreMovedDownAndPredicated) {
    GEN9_COVERS("EU-190 SMP-128");
    auto thread = make_thread(0xFFF00000);
    thread->flag[0] = 0x0FFFFFFF;
    Instruction in = read_message();
    in.exec_size = 16;
    in.channel_offset = 16;
    in.pred_ctrl = PredCtrl::Sequential;
    const DecodedInstruction d = prepare(in, 0);
    execute(*thread, d);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    EXPECT_EQ(message->execution_mask, 0x0FF0u);
    EXPECT_FALSE(message->eight_wide);
}
TEST(Send, NoChannelIsNoReasonNotToSend) {
    GEN9_COVERS("EU-200");
    auto thread = make_thread(0xFF00);
    EXPECT_EQ(execute(*thread, prepare(read_message(), 0)), Outcome::Send);
    EXPECT_EQ(thread->send_mask, 0u);
}
TEST(Send, SplitMessageJoinsTwoBlocks) {
    GEN9_COVERS("EU-183");
    auto thread = make_thread(0xFFFF);
    set<std::uint32_t>(*thread, 4, 0, 1);
    set<std::uint32_t>(*thread, 117, 3, 2);
    Instruction in =
        make(Opcode::Sends, 16, null(Type::UW), {grf(4, Type::UD), grf(116, Type::UD)});
    in.sfid = 12;
    in.extended_descriptor = 0x8C;
    in.descriptor = 0x04025EFE;
    const DecodedInstruction d = prepare(in, 0);
    execute(*thread, d);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    EXPECT_EQ(message->length, 4);
    EXPECT_EQ(message->first_length, 2);
    EXPECT_EQ(message->response_length, 0);
    EXPECT_EQ(load<std::uint32_t>(message->payload[0].bytes), 1u);
    EXPECT_EQ(load<std::uint32_t>(message->payload[3].bytes + 12), 2u);
}
TEST(Send, RegisterDescriptorsComeFromTheAddressRegister) {
    GEN9_COVERS("EU-075 EU-183 EU-186");
    auto thread = make_thread(0xFFFF);
    thread->address[0] = 0x5E01;
    thread->address[1] = 0xE420;  // bits above 28 do not count
    thread->address[4] = 0x04C;
    Instruction in =
        make(Opcode::Sends, 16, dst(20, Type::UW), {grf(4, Type::UD), grf(116, Type::UD)});
    in.descriptor_from_a0 = in.extended_from_a0 = true;
    in.extended_a0_subreg = 2;
    const DecodedInstruction d = prepare(in, 0);
    execute(*thread, d);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    EXPECT_EQ(message->descriptor, 0x04205E01u);
    EXPECT_EQ(message->sfid, Sfid::DataPort1);
    EXPECT_EQ(message->length, 3);
}
TEST(Send, EndOfThreadEndsWithoutADestinationInGeneralRegisters) {
    GEN9_COVERS("EU-004");
    auto thread = make_thread(0xFF);
    Instruction in = make(Opcode::Send, 8, null(Type::UD), {grf(112, Type::UD)});
    in.sfid = 7;
    in.descriptor = 0x02000010;
    in.end_of_thread = true;
    const DecodedInstruction d = prepare(in, 0);
    EXPECT_EQ(execute(*thread, d), Outcome::End);
    auto message = std::make_unique<Message>();
    build_message(*thread, d, *message);
    EXPECT_TRUE(message->end_of_thread);
    // As the video encoder's kernels end (D-37): `send (16) acc0.0:uw r112 0x27 0x02000010 {EOT}`.
    in.dst.reg = static_cast<std::uint8_t>(isa::Arf::Accumulator) << 4;
    EXPECT_EQ(execute(*thread, prepare(in, 0)), Outcome::End);
    in.dst = dst(20, Type::UD);
    EXPECT_EQ(execute(*thread, prepare(in, 0)), Outcome::Wait);
}
TEST(Send, ResponseIsWrittenByItsByteEnables) {
    GEN9_COVERS("EU-190 EU-024");
    auto thread = make_thread(0xFF);
    auto message = std::make_unique<Message>();
    message->destination = 126;
    message->response_length = 3;
    for (unsigned i = 0; i < 3; ++i)
        std::memset(message->response[i].bytes, 0x40 + static_cast<int>(i), kGrfBytes);
    message->response_enable = {0xFFFFFFFF, 0x000000F1, 0x0000000F};
    write_back(*thread, *message);
    EXPECT_EQ(get<std::uint32_t>(*thread, 126, 7), 0x40404040u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 127, 0), 0x41u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 127, 1), 0x41414141u);
    EXPECT_EQ(get<std::uint32_t>(*thread, 127, 2), 0u);
}
TEST(Prepare, UndefinedBitsBecomeAFault) {
    GEN9_COVERS("EU-215 EU-294");
    auto thread = make_thread();
    std::vector<std::uint8_t> bytes(16, 0xFF);
    std::string why;
    const DecodedInstruction d = prepare(std::span<const std::uint8_t>(bytes), 0, &why);
    EXPECT_EQ(execute(*thread, d), Outcome::Fault);
    EXPECT_FALSE(why.empty());
    EXPECT_EQ(thread->ip, 0u);
    const std::vector<std::uint8_t> zeros(16, 0);
    EXPECT_EQ(execute(*thread, prepare(std::span<const std::uint8_t>(zeros), 0)), Outcome::Fault);
}

}  // namespace
}  // namespace gen9::eu::test
