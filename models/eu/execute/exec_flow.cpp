// SPDX-License-Identifier: Apache-2.0
// Flow control by per-channel instruction pointers (EU-269..EU-287; eu-isa guide 3.5).
#include <bit>

#include "eu/execute/families.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;

namespace {

/// Does any waiting channel stand at `ip`?
bool waits_at(const Thread& thread, std::uint32_t ip) {
    for (std::uint32_t rest = thread.waiting; rest != 0; rest &= rest - 1)
        if (thread.channel_ip[static_cast<unsigned>(std::countr_zero(rest))] == ip) return true;
    return false;
}

/// Active channels inside the instruction's range, and those whose predicate is true.
struct Branch {
    std::uint32_t channels, taken;
    Branch(const Thread& thread, const DecodedInstruction& d)
        : channels(thread.active & low_mask(d.instruction.exec_size) << d.fast.channel_offset) {
        const std::uint32_t predicate = predicate_lanes(thread, d);
        if (thread.control[0] & cr0::kSinglePath) [[unlikely]]
            taken = predicate & 1 ? channels : 0;  // one decision for all (EU-171)
        else
            taken = channels & predicate << d.fast.channel_offset;
    }
};

std::uint32_t relative(const DecodedInstruction& d, std::int32_t offset) {
    return place_of_instruction(d.ip + static_cast<std::uint32_t>(offset));
}

std::uint32_t scalar_source(const Thread& thread, const isa::Instruction& in,
                            const isa::Operand& operand, unsigned lane) {
    LaneArray<std::uint64_t> raw;
    isa::Instruction wide = in;
    wide.exec_size = 2;
    isa::Operand pair = operand;
    pair.width = 2, pair.vert_stride = 2, pair.horz_stride = 1;
    load_raw(thread, wide, pair, raw);
    return static_cast<std::uint32_t>(raw[lane]);
}

/// Goes to the next instruction if some channel stands there, else to IP + JIP.
Outcome next_or_jip(Thread& thread, const DecodedInstruction& d) {
    if (thread.active != 0) [[likely]]
        advance(thread, d.next_ip);
    else
        jump(thread, waits_at(thread, d.next_ip) ? d.next_ip : relative(d, d.instruction.jip));
    return Outcome::Next;
}

Outcome execute_if(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    park(thread, branch.channels & ~branch.taken, relative(d, d.instruction.jip));
    return next_or_jip(thread, d);
}

Outcome execute_else(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    park(thread, branch.channels, relative(d, d.instruction.uip));
    return next_or_jip(thread, d);
}

/// endif, join: channels that stand here go on; with none the thread skips to the next such place.
Outcome execute_meet(Thread& thread, const DecodedInstruction& d) {
    if (thread.active != 0) [[likely]]
        advance(thread, d.next_ip);
    else
        jump(thread, relative(d, d.instruction.jip));
    return Outcome::Next;
}

/// Forward goto: on Gen9 the channels whose predicate is FALSE leave (EU-279, guide 3.1 item 2).
Outcome execute_goto_forward(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    park(thread, branch.channels & ~branch.taken, relative(d, d.instruction.uip));
    return next_or_jip(thread, d);
}

/// Backward goto: TRUE channels go to UIP, FALSE ones to JIP.
Outcome execute_goto_backward(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    park(thread, thread.active & ~branch.channels, d.next_ip);
    if (branch.taken != 0) {
        park(thread, branch.channels & ~branch.taken, relative(d, d.instruction.jip));
        jump(thread, relative(d, d.instruction.uip));
    } else {
        jump(thread, relative(d, d.instruction.jip));
    }
    return Outcome::Next;
}

Outcome execute_while(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    if (branch.taken != 0) {
        park(thread, thread.active & ~branch.taken, d.next_ip);
        jump(thread, relative(d, d.instruction.jip));
    } else {
        advance(thread, d.next_ip);
    }
    return Outcome::Next;
}

/// break, cont, halt: true channels go to UIP (break: behind the while that stands there, so that
/// an unpredicated while does not restart them).
template <unsigned kBeyond>
Outcome execute_leave_loop(Thread& thread, const DecodedInstruction& d) {
    const Branch branch(thread, d);
    const std::uint32_t target = relative(d, d.instruction.uip) + kBeyond;
    if ((thread.control[0] & cr0::kSinglePath) && branch.taken != 0) [[unlikely]] {
        jump(thread, target);
        return Outcome::Next;
    }
    park(thread, branch.taken, target);
    return next_or_jip(thread, d);
}

Outcome execute_brd(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const Branch branch(thread, d);
    const std::int32_t offset =
        in.jip_from_register ? static_cast<std::int32_t>(scalar_source(thread, in, in.src[0], 0))
                             : in.jip;
    if (branch.taken == 0) {
        jump(thread, d.next_ip);
        return Outcome::Next;
    }
    park(thread, thread.active & ~branch.taken, d.next_ip);
    jump(thread, relative(d, offset));
    return Outcome::Next;
}

Outcome execute_brc(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const Branch branch(thread, d);
    std::int32_t jip = in.jip, uip = in.uip;
    if (in.jip_from_register) {
        jip = static_cast<std::int32_t>(scalar_source(thread, in, in.src[0], 0));
        uip = static_cast<std::int32_t>(scalar_source(thread, in, in.src[0], 1));
    }
    park(thread, branch.taken, relative(d, uip));
    const bool stay = thread.active != 0 || waits_at(thread, d.next_ip);
    jump(thread, stay ? d.next_ip : relative(d, jip));
    return Outcome::Next;
}

/// jmpi: the only branch relative to the instruction after it (EU-269, EU-271).
Outcome execute_jmpi(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    if (!(predicate_lanes(thread, d) & 1)) {
        advance(thread, d.next_ip);
        return Outcome::Next;
    }
    const std::uint32_t offset = in.jip_from_register ? scalar_source(thread, in, in.src[1], 0)
                                                      : static_cast<std::uint32_t>(in.jip);
    jump(thread, place_of_instruction(d.next_ip + offset));
    return Outcome::Next;
}

/// call, calla: the destination keeps the way back and the mask of the caller's own call (EU-282).
Outcome execute_call(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const Branch branch(thread, d);
    if (branch.taken == 0) {
        jump(thread, d.next_ip);
        return Outcome::Next;
    }
    const std::uint32_t offset = in.jip_from_register ? scalar_source(thread, in, in.src[1], 0)
                                                      : static_cast<std::uint32_t>(in.jip);
    const std::uint32_t target = in.opcode == Opcode::Calla ? offset : d.ip + offset;
    if (in.dst.is_grf()) {
        LaneArray<std::uint64_t> raw;
        raw[0] = d.next_ip, raw[1] = thread.call_mask;
        isa::Instruction pair = in;
        pair.exec_size = 2;
        pair.dst.horz_stride = 1;
        pair.dst.type = isa::Type::UD;
        write_destination(thread, pair, raw, raw, 3);
    }
    thread.call_mask = branch.taken;
    park(thread, thread.active & ~branch.taken, d.next_ip);
    jump(thread, place_of_instruction(target));
    return Outcome::Next;
}

Outcome execute_ret(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const Branch branch(thread, d);
    const std::uint32_t back = place_of_instruction(scalar_source(thread, in, in.src[0], 0));
    const std::uint32_t caller_mask = scalar_source(thread, in, in.src[0], 1);
    park(thread, branch.taken, back);
    // Called channels still on their way inside the function keep the thread there.
    std::uint32_t remaining = thread.active & thread.call_mask;
    for (std::uint32_t rest = thread.waiting & thread.call_mask; rest != 0; rest &= rest - 1) {
        const unsigned channel = static_cast<unsigned>(std::countr_zero(rest));
        if (thread.channel_ip[channel] != back) remaining |= std::uint32_t{1} << channel;
    }
    if (remaining == 0) {
        thread.call_mask = caller_mask;
        jump(thread, back);
    } else {
        jump(thread, d.next_ip);
    }
    return Outcome::Next;
}

}  // namespace

Execute flow_executor(const isa::Instruction& in) {
    switch (in.opcode) {
        case Opcode::If:
            return execute_if;
        case Opcode::Else:
            return execute_else;
        case Opcode::Endif:
        case Opcode::Join:
            return execute_meet;
        case Opcode::Goto:
            return in.branch_ctrl ? execute_goto_backward : execute_goto_forward;
        case Opcode::While:
            return execute_while;
        case Opcode::Break:
            return execute_leave_loop<16>;
        case Opcode::Cont:
        case Opcode::Halt:
            return execute_leave_loop<0>;
        case Opcode::Brd:
            return execute_brd;
        case Opcode::Brc:
            return execute_brc;
        case Opcode::Jmpi:
            return execute_jmpi;
        case Opcode::Call:
        case Opcode::Calla:
            return execute_call;
        case Opcode::Ret:
            return execute_ret;
        default:
            return nullptr;
    }
}

}  // namespace gen9::eu
