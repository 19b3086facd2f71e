// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/exceptions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "eu/execute/families.h"
#include "eu/thread/arf.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

namespace {

/// The EU uses bits 31:4 of the SIP (EU-292).
std::uint32_t system_routine(const Thread& thread) {
    if (!thread.sideband.state) return 0;
    return static_cast<std::uint32_t>(thread.sideband.state->system_instruction_pointer.value) &
           ~15u;
}

void enter(Thread& thread, std::uint32_t return_ip) {
    thread.control[0] |= cr0::kMaster;
    thread.control[2] = return_ip & ~7u;
    jump(thread, system_routine(thread));
}

/// Every number names the one register there is (arf.cpp).
bool writes(const isa::Instruction& in, isa::Arf kind) {
    return in.dst.is_arf(kind);
}

/// After the instruction: did it leave the system routine, does it ask for it?
Outcome execute_control_write(Thread& thread, const DecodedInstruction& d) {
    const bool handling = thread.control[0] & cr0::kMaster;
    const Outcome outcome = d.fast.general(thread, d);
    if (thread.control[0] & cr0::kMaster) return outcome;
    if (thread.routine == Thread::Routine::Save) return Outcome::Saved;
    if (thread.routine == Thread::Routine::Restore) {
        thread.routine = Thread::Routine::Exception;
        thread.ip = thread.control[2];
        resynchronise(thread);
        return Outcome::Exception;
    }
    if (handling) jump(thread, thread.control[2]);
    const std::uint32_t pending = thread.control[1] & cr1::kLevel & thread.control[1] << 16;
    if (pending != 0) enter(thread, thread.ip);
    return handling || pending != 0 ? Outcome::Exception : outcome;
}

/// Logic on one DWord of cr0 and a constant, for one channel: what every kernel of Intel's compiler
/// begins with. The same as the general path does.
Outcome execute_control_logic(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    if (lanes_enabled(thread, in) != 0) {
        const std::uint32_t before = thread.control[in.src[0].subreg / 4];
        std::uint32_t ip_target = 0;
        write_arf(thread, in.dst.reg, in.dst.subreg, 4,
                  std::bit_cast<ConstantLogic>(d.fast.constant)(before), ip_target);
    }
    advance(thread, d.next_ip);
    return Outcome::Next;
}

std::optional<std::uint32_t> dword_of(const isa::Operand& constant) {
    if (constant.file != isa::RegFile::Imm) return std::nullopt;
    if (constant.type == isa::Type::UD || constant.type == isa::Type::D)
        return static_cast<std::uint32_t>(constant.immediate);
    if (constant.type == isa::Type::UW) return static_cast<std::uint16_t>(constant.immediate);
    return std::nullopt;
}

std::optional<ConstantLogic> logic_of(isa::Opcode opcode, std::uint32_t constant) {
    if (opcode == isa::Opcode::Or) return ConstantLogic{~constant, constant};
    if (opcode == isa::Opcode::And) return ConstantLogic{constant, 0};
    if (opcode == isa::Opcode::Xor) return ConstantLogic{~0u, constant};
    return std::nullopt;
}

/// A stack pointer beyond its limit (003:19896). The PRM checks nothing else, and only here.
Outcome execute_stack_write(Thread& thread, const DecodedInstruction& d) {
    const Outcome outcome = d.fast.general(thread, d);
    if (thread.stack[0] <= thread.stack[1]) return outcome;
    return take_exception(thread, cr1::kStackOverflow, thread.ip) ? Outcome::Exception : outcome;
}

/// Flow control registers (EU-111: 003:20267-20288). Assumed, for the PRM does not say what is
/// where: fc0.n is the instruction pointer of channel n, fc1 the active channels, fc2 those that
/// wait elsewhere, fc3 the call mask.
std::uint32_t* flow_register(Thread& thread, const isa::Operand& operand) {
    const unsigned number = operand.reg & 15u, place = operand.subreg & 31u;
    if (number == 0) return &thread.channel_ip[place];
    if (place != 0) return nullptr;
    return number == 1   ? &thread.active
           : number == 2 ? &thread.waiting
           : number == 3 ? &thread.call_mask
                         : nullptr;
}

/// The driver's routine (Measured: its code in traces/add_chars) reads registers of 256 bits, keeps
/// the upper half, and writes it to the lower; of fc4 from the second DWord on.
Outcome execute_flow_read(Thread& thread, const DecodedInstruction& d) {
    const std::uint32_t* const value = flow_register(thread, d.instruction.src[0]);
    std::array<std::uint32_t, 8> image{};
    if (thread.routine != Thread::Routine::Exception && value != nullptr) image[4] = *value;
    const unsigned bytes = std::min<unsigned>(4u * d.instruction.exec_size, sizeof image);
    std::memcpy(thread.grf[d.instruction.dst.reg & 127u].bytes, image.data(), bytes);
    advance(thread, d.next_ip);
    return Outcome::Next;
}

Outcome execute_flow_write(Thread& thread, const DecodedInstruction& d) {
    const isa::Operand& src = d.instruction.src[0];
    std::uint32_t value = static_cast<std::uint32_t>(src.immediate);
    if (src.file == isa::RegFile::Grf)
        std::memcpy(&value, thread.grf[src.reg & 127u].bytes + (src.subreg & 28u), sizeof value);
    advance(thread, d.next_ip);
    std::uint32_t* const to = flow_register(thread, d.instruction.dst);
    if (thread.routine != Thread::Routine::Exception && to != nullptr) *to = value;
    return Outcome::Next;
}

/// All of n0 at once, as a routine restores it: in order, unlike single counts (EU-106). Assumed:
/// the driver's routine writes it so.
Outcome execute_notification_write(Thread& thread, const DecodedInstruction& d) {
    const isa::Operand& src = d.instruction.src[0];
    for (unsigned i = 0; i < 3; ++i) {
        std::uint32_t value = static_cast<std::uint32_t>(src.immediate);
        if (src.file == isa::RegFile::Grf)
            std::memcpy(&value, thread.grf[src.reg & 127u].bytes + ((src.subreg + 4 * i) & 28u), 4);
        thread.notification[i] = value;
    }
    advance(thread, d.next_ip);
    return Outcome::Next;
}

/// Moves of what only a routine that saves or restores touches.
Execute routine_move(const isa::Instruction& in) {
    if (in.opcode != isa::Opcode::Mov) return nullptr;
    const bool plain = in.src[0].file != isa::RegFile::Arf && !in.src[0].indirect;
    if (in.dst.is_arf(isa::Arf::FlowControl) && plain) return execute_flow_write;
    if (in.dst.is_arf(isa::Arf::Notification) && plain && in.exec_size == 4 && in.no_mask)
        return execute_notification_write;
    const bool to_grf = in.dst.file == isa::RegFile::Grf && !in.dst.indirect;
    return in.src[0].is_arf(isa::Arf::FlowControl) && to_grf ? execute_flow_read : nullptr;
}

Execute write_guard(const isa::Instruction& in) {
    if (const Execute move = routine_move(in)) return move;
    if (writes(in, isa::Arf::Control)) return execute_control_write;
    if (writes(in, isa::Arf::StackPointer)) return execute_stack_write;
    return nullptr;
}

/// The instruction is not executed but left to the system routine, which sets Suppress to get past
/// it (002:3209-3219).
Outcome execute_breakpoint(Thread& thread, const DecodedInstruction& d) {
    const bool handling = thread.control[0] & cr0::kMaster;
    const bool enabled = thread.control[1] & cr1::enable(cr1::kBreakpoint);
    if (!handling && enabled && (thread.control[0] & cr0::kBreakpointSuppress))
        thread.control[0] &= ~cr0::kBreakpointSuppress;
    else if (take_exception(thread, cr1::kBreakpoint, d.ip))
        return Outcome::Exception;
    const Execute guard = write_guard(d.instruction);
    return guard != nullptr ? guard(thread, d) : d.fast.general(thread, d);
}

}  // namespace

void bind_control_logic(DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const auto dword = [](const isa::Operand& operand) {
        return operand.is_arf(isa::Arf::Control) && (operand.reg & 15) == 0 &&
               (operand.type == isa::Type::UD || operand.type == isa::Type::D) &&
               !operand.indirect && !operand.negate && !operand.absolute &&
               operand.subreg % 4 == 0 && operand.subreg < 16;
    };
    if (d.fast.general == execute_malformed || in.exec_size != 1 || in.align16 ||
        in.source_count != 2 || in.saturate || in.acc_write || in.cond_mod != isa::CondMod::None ||
        in.pred_ctrl != isa::PredCtrl::None || !dword(in.dst) || !dword(in.src[0]))
        return;
    const std::optional<std::uint32_t> constant = dword_of(in.src[1]);
    if (!constant) return;
    const std::optional<ConstantLogic> logic = logic_of(in.opcode, *constant);
    if (!logic) return;
    d.fast.constant = std::bit_cast<std::uint64_t>(*logic);
    d.fast.general = execute_control_logic;
}

std::optional<ConstantLogic> mode_logic(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    if (d.fast.general != execute_control_logic || !sets_modes(in) || !in.no_mask ||
        in.src[0].subreg != 0)
        return std::nullopt;
    ConstantLogic logic = std::bit_cast<ConstantLogic>(d.fast.constant);
    logic.keep &= cr0::kDefined & ~cr0::kMaster;
    logic.flip &= cr0::kDefined & ~cr0::kMaster;
    return logic;
}

bool take_exception(Thread& thread, std::uint32_t status, std::uint32_t return_ip) {
    // The exception is noted whether or not it is enabled, and while another one is handled
    // (EU-101, EU-290).
    thread.control[1] |= status;
    if ((thread.control[0] & cr0::kMaster) || !(thread.control[1] & cr1::enable(status)))
        return false;
    enter(thread, return_ip);
    return true;
}

void begin_save(Thread& thread) {
    thread.control[1] |= cr1::kContextSave;
    thread.routine = Thread::Routine::Save;
    enter(thread, thread.ip);
}

void begin_restore(Thread& thread) {
    thread.control[1] |= cr1::kContextRestore;
    thread.routine = Thread::Routine::Restore;
    enter(thread, thread.ip);
}

Execute exception_guard(const isa::Instruction& in) {
    return in.breakpoint ? execute_breakpoint : write_guard(in);
}

Outcome execute_illegal(Thread& thread, const DecodedInstruction& d) {
    return take_exception(thread, cr1::kIllegalOpcode, d.ip) ? Outcome::Exception : Outcome::Fault;
}

Outcome execute_malformed(Thread&, const DecodedInstruction&) {
    return Outcome::Fault;
}

}  // namespace gen9::eu
