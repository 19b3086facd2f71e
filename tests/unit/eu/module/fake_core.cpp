// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/module/fake_core.h"

#include <cstring>

#include "common/bits.h"
#include "eu/execute/executor.h"
#include "eu/thread/exceptions.h"

namespace gen9::test {
namespace {

// 16 bytes: op, pipe | latency << 4, flags, CmptCtrl in bit 5 of byte 3 as in real code, dst, src0,
// src1, registers, then (absent when compacted) message length, response length, sfid, more flags,
// immediate.
enum Flag : std::uint8_t {
    kSwitch = 1,
    kAtomic = 2,
    kNoSrcDep = 4,
    kNoClr = 8,
    kNoChk = 16,
    kBank = 32,
    kIndirect = 64
};
enum MoreFlag : std::uint8_t { kWritesFlag = 1, kReadsFlag = 2, kWritesAcc = 4, kReadsAcc = 8 };

}  // namespace

FakeInstruction add(unsigned dst, unsigned src0, unsigned src1, unsigned immediate) {
    FakeInstruction i;
    i.dst = static_cast<std::uint8_t>(dst);
    i.src0 = static_cast<std::uint8_t>(src0);
    i.src1 = static_cast<std::uint8_t>(src1);
    i.immediate = static_cast<std::uint16_t>(immediate);
    return i;
}

FakeInstruction load(Sfid sfid, unsigned dst, unsigned response_length, unsigned src0,
                     unsigned length) {
    FakeInstruction i;
    i.op = FakeInstruction::Op::Load;
    i.pipe = eu::Pipe::Send;
    i.latency = eu::LatencyClass::Send;
    i.dst = static_cast<std::uint8_t>(dst);
    i.src0 = static_cast<std::uint8_t>(src0);
    i.message_length = static_cast<std::uint8_t>(length);
    i.response_length = static_cast<std::uint8_t>(response_length);
    i.sfid = static_cast<std::uint8_t>(sfid);
    return i;
}

FakeInstruction end_of_thread() {
    FakeInstruction i = load(Sfid::ThreadSpawner, 0xFF, 0, 112);
    i.op = FakeInstruction::Op::End;
    return i;
}

FakeInstruction wait_n0() {
    FakeInstruction i;
    i.op = FakeInstruction::Op::WaitN0;
    i.pipe = eu::Pipe::None;
    i.latency = eu::LatencyClass::Control;
    return i;
}

FakeInstruction jump_if_less(unsigned src0, unsigned src1, unsigned target_bytes) {
    FakeInstruction i;
    i.op = FakeInstruction::Op::JumpIfLess;
    i.pipe = eu::Pipe::Branch;
    i.latency = eu::LatencyClass::Branch;
    i.src0 = static_cast<std::uint8_t>(src0);
    i.src1 = static_cast<std::uint8_t>(src1);
    i.immediate = static_cast<std::uint16_t>(target_bytes);
    return i;
}

std::vector<std::uint8_t> assemble(const std::vector<FakeInstruction>& program) {
    std::vector<std::uint8_t> bytes;
    for (const FakeInstruction& i : program) {
        const std::uint8_t flags = i.thread_switch * kSwitch | i.atomic * kAtomic |
                                   i.no_src_dep_set * kNoSrcDep | i.no_dd_clear * kNoClr |
                                   i.no_dd_check * kNoChk | i.bank_conflict * kBank |
                                   i.indirect * kIndirect;
        const std::uint8_t more = i.writes_flag * kWritesFlag | i.reads_flag * kReadsFlag |
                                  i.writes_acc * kWritesAcc | i.reads_acc * kReadsAcc;
        const std::uint8_t code[16] = {
            static_cast<std::uint8_t>(i.op),
            static_cast<std::uint8_t>(static_cast<unsigned>(i.pipe) |
                                      static_cast<unsigned>(i.latency) << 4),
            flags,
            static_cast<std::uint8_t>(i.compacted ? 0x20 : 0),
            i.dst,
            i.src0,
            i.src1,
            i.registers,
            i.message_length,
            i.response_length,
            i.sfid,
            more,
            static_cast<std::uint8_t>(i.immediate),
            static_cast<std::uint8_t>(i.immediate >> 8)};
        bytes.insert(bytes.end(), code, code + (i.compacted ? 8 : 16));
    }
    return bytes;
}

}  // namespace gen9::test

namespace gen9::eu {
namespace {

using Op = test::FakeInstruction::Op;

std::uint32_t value(const Thread& thread, unsigned reg) {
    return reg < kGrfCount ? gen9::load<std::uint32_t>(thread.grf[reg].bytes) : 0;
}

Outcome run_add(Thread& thread, const DecodedInstruction& d) {
    const auto& i = d.instruction;
    std::uint32_t sum = value(thread, i.src[0].reg) + value(thread, i.src[1].reg) + i.descriptor;
    if (i.dst.reg < kGrfCount)
        for (unsigned r = 0; r < d.destination_registers; ++r)
            store(thread.grf[i.dst.reg + r].bytes, sum + r);
    thread.ip = d.next_ip;
    return Outcome::Next;
}
Outcome run_load(Thread& thread, const DecodedInstruction& d) {
    thread.ip = d.next_ip;
    return Outcome::Send;
}
Outcome run_end(Thread& thread, const DecodedInstruction& d) {
    thread.ip = d.next_ip;
    return Outcome::End;
}
Outcome run_wait(Thread& thread, const DecodedInstruction& d) {
    if (thread.notification[0] == 0) return Outcome::Wait;
    --thread.notification[0];
    thread.ip = d.next_ip;
    return Outcome::Next;
}
Outcome run_jump(Thread& thread, const DecodedInstruction& d) {
    const auto& i = d.instruction;
    thread.ip =
        value(thread, i.src[0].reg) < value(thread, i.src[1].reg) ? i.descriptor : d.next_ip;
    return Outcome::Next;
}
Outcome run_timestamp(Thread& thread, const DecodedInstruction& d) {
    store(thread.grf[d.instruction.dst.reg].bytes, thread.timestamp[d.instruction.descriptor & 3]);
    thread.ip = d.next_ip;
    return Outcome::Next;
}
Outcome run_illegal(Thread&, const DecodedInstruction&) {
    return Outcome::Fault;
}

}  // namespace

DecodedInstruction prepare(std::span<const std::uint8_t> given, std::uint32_t ip,
                           std::string* why) {
    std::uint8_t b[16]{};
    std::memcpy(b, given.data(), std::min<std::size_t>(given.size(), 16));
    static constexpr Execute kExecute[] = {run_illegal, run_add,  run_load,     run_end,
                                           run_wait,    run_jump, run_timestamp};
    DecodedInstruction d;
    d.ip = ip;
    d.next_ip = ip + (b[3] & 0x20 ? 8 : 16);
    if (b[0] == 0 || b[0] >= std::size(kExecute)) {
        d.execute = run_illegal;
        if (why != nullptr) *why = "no such opcode";
        return d;
    }
    const auto op = static_cast<Op>(b[0]);
    d.execute = kExecute[b[0]];
    d.pipe = static_cast<Pipe>(b[1] & 15);
    d.latency = static_cast<LatencyClass>(b[1] >> 4);
    auto& i = d.instruction;
    i.opcode = op == Op::Load || op == Op::End ? isa::Opcode::Send
               : op == Op::WaitN0              ? isa::Opcode::Wait
                                               : isa::Opcode::Add;
    i.compacted = (b[3] & 0x20) != 0;
    i.length_bytes = i.compacted ? 8 : 16;
    i.dst.file = i.src[0].file = i.src[1].file = isa::RegFile::Grf;
    i.dst.reg = b[4];
    i.src[0].reg = b[5];
    i.src[1].reg = b[6];
    i.source_count = 2;
    i.sfid = b[10];
    i.descriptor = b[12] | unsigned{b[13]} << 8;
    i.end_of_thread = op == Op::End;
    d.thread_switch = (b[2] & test::kSwitch) != 0;
    if (b[2] & test::kAtomic) i.thread_ctrl = isa::ThreadCtrl::Atomic;
    i.no_src_dep_set = (b[2] & test::kNoSrcDep) != 0;
    i.no_dd_clear = (b[2] & test::kNoClr) != 0;
    i.no_dd_check = (b[2] & test::kNoChk) != 0;
    d.bank_conflict = (b[2] & test::kBank) != 0;
    d.indirect_registers = i.dst.indirect = (b[2] & test::kIndirect) != 0;
    const std::uint8_t registers = b[7];
    d.execution_registers = registers;
    d.destination_registers = registers;
    const bool send = d.latency == LatencyClass::Send;
    // A legal send: a destination where and only where there is a response (EU-188, EU-189).
    if (send && b[9] == 0) i.dst = {};
    if (send) i.descriptor |= std::uint32_t{b[9]} << 20;
    if (b[5] < kGrfCount) d.reads[0] = {b[5], send ? b[8] : registers};
    if (b[6] < kGrfCount) d.reads[1] = {b[6], registers};
    if (b[4] < kGrfCount && !d.indirect_registers) d.writes = {b[4], send ? b[9] : registers};
    if (b[11] & test::kWritesFlag) d.arf_writes |= kArfFlag0;
    if (b[11] & test::kReadsFlag) d.arf_reads |= kArfFlag0;
    if (b[11] & test::kWritesAcc) d.arf_writes |= kArfAcc0;
    if (b[11] & test::kReadsAcc) d.arf_reads |= kArfAcc0;
    if (op == Op::Timestamp) {
        i.source_count = 1;
        i.src[0] = {};
        i.src[0].reg = static_cast<std::uint8_t>(static_cast<unsigned>(isa::Arf::Timestamp) << 4);
        d.reads = {};
    }
    return d;
}

std::uint32_t predicate_lanes(const Thread&, const isa::Instruction&) {
    return ~0u;
}

void build_message(const Thread& thread, const DecodedInstruction& d, Message& message) {
    message.reset();
    message.sfid = static_cast<Sfid>(d.instruction.sfid);
    message.length = message.first_length = d.reads[0].count;
    message.response_length = d.writes.count;
    message.destination = d.writes.first;
    message.end_of_thread = d.instruction.end_of_thread;
    message.execution_mask = 0xFF;
    message.sender = &thread.sideband;
    message.ip = d.ip;
    for (unsigned r = 0; r < message.length; ++r)
        message.payload[r] = thread.grf[d.reads[0].first + r];
}

void write_back(Thread& thread, const Message& message) {
    for (unsigned r = 0; r < message.response_length; ++r)
        for (unsigned b = 0; b < kGrfBytes; ++b)
            if (message.response_enable[r] >> b & 1)
                thread.grf[message.destination + r].bytes[b] = message.response[r].bytes[b];
}

std::uint32_t enabled_channels(const Thread&, const DecodedInstruction&) {
    return 0xFF;
}

void Thread::start(const ThreadDispatch& dispatch, const RegisterRuns&) {
    for (unsigned r = 0; r < kGrfCount; ++r)
        grf[r] = r < dispatch.payload_registers ? dispatch.payload[r] : Grf{};
    notification = {};
    state[0] = 0;  // age 0
    ip = static_cast<std::uint32_t>(dispatch.instruction_pointer);
    active = dispatch.dispatch_mask;
    sideband = dispatch.sideband;
}

void Thread::start_again(const ThreadDispatch& dispatch, const RegisterRuns& changed) {
    start(dispatch, changed);
}

void Thread::follow(const Thread&) {}

/// No thread of these tests follows another that nobody is told of.
void Thread::begin(std::uint32_t, bool) {}
FreshRegisters::FreshRegisters() = default;
void FreshRegisters::expect(const Grf*, unsigned) {}

/// No thread of these tests diverges, or is saved.
void resynchronise(Thread&) {}
void begin_save(Thread&) {}
void begin_restore(Thread&) {}
std::optional<ConstantLogic> mode_logic(const DecodedInstruction&) {
    return std::nullopt;
}

}  // namespace gen9::eu
