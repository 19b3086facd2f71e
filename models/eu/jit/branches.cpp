// SPDX-License-Identifier: Apache-2.0
// Branches of compiled code. What sends all channels one way is written; the rest is called.
#include <algorithm>

#include "eu/jit/region_emitter.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"

namespace gen9::eu::jit {

using isa::Opcode;
using Xbyak::Label;

namespace {

std::uint32_t relative(const DecodedInstruction& d, std::int32_t offset) {
    return place_of_instruction(d.ip + static_cast<std::uint32_t>(offset));
}

}  // namespace

/// eax: the active channels in the branch's range; ecx: those of them whose predicate is true.
void Emitter::taken_channels(const DecodedInstruction& d) {
    const unsigned offset = d.fast.channel_offset;
    const std::uint32_t range = low_mask(d.instruction.exec_size) << offset;
    if (offset == 0 && range == 0xFFFF) {
        movzx(eax, at(offsetof(Thread, active), 16));
    } else {
        mov(eax, at(offsetof(Thread, active), 32));
        if (range != ~0u) and_(eax, range);
    }
    if (d.fast.predicate == FastOperands::Predicate::None) {
        mov(ecx, eax);
        return;
    }
    const FastOperands& f = d.fast;
    mov(ecx, at(offsetof(Thread, flag) + 4 * f.flag_register, 32));
    if (f.flag_shift != 0) shr(ecx, f.flag_shift);
    if (offset != 0) shl(ecx, offset);
    f.predicate_invert != 0 ? andn(ecx, ecx, eax) : and_(ecx, eax);
}

/// All active channels go to `target`, by `passed` instructions that none of them runs.
void Emitter::take_jump(std::uint32_t target, std::uint32_t from, Label& slow,
                        std::uint32_t passed) {
    const auto inside = labels_.find(target);
    if (inside == labels_.end()) {
        jmp(slow, T_NEAR);
        return;
    }
    // Whoever waits does so behind it, or the branch's own function looks.
    mov(ecx, at(offsetof(Thread, low_ip), 32));
    cmp(ecx, target);
    jbe(slow, T_NEAR);
    if (target <= from) {
        cmp(count_, ptr[frame_ + offsetof(Frame, limit)]);
        ja(slow, T_NEAR);
    }
    mov(at(offsetof(Thread, wake_ip), 32), ecx);
    if (passed != 0) add(count_, passed);
    jmp(inside->second, T_NEAR);
}

/// The channels in eax leave for `target`. If they are all that run, they take the thread along.
void Emitter::all_leave(const DecodedInstruction& d, std::uint32_t target, Label& slow,
                        std::uint32_t passed) {
    if (!labels_.contains(target)) {
        jmp(slow, T_NEAR);
        return;
    }
    cmp(eax, at(offsetof(Thread, active), 32));
    jne(slow, T_NEAR);
    cmp(at(offsetof(Thread, low_ip), 32), target);
    jbe(slow, T_NEAR);
    // They look as if they had waited there.
    const Xbyak::Ymm place(kHelp), others(kMore);
    mov(ecx, target);
    vmovd(Xbyak::Xmm(kHelp), ecx);
    vpbroadcastd(place, Xbyak::Xmm(kHelp));
    Label written;
    constexpr unsigned kLanes = 8;
    for (unsigned part = 0; part < kMaxChannels / kLanes; ++part) {
        if (part == kMaxChannels / kLanes / 2) {
            cmp(eax, low_mask(kMaxChannels / 2));
            jbe(written);
        }
        const Xbyak::Address there = at(offsetof(Thread, channel_ip) + kGrfBytes * part);
        expand(others, eax, part, true);
        vblendvps(others, place, there, others);
        vmovups(there, others);
    }
    L(written);
    take_jump(target, d.ip, slow, passed);
}

/// All channels of the branch go on, or all leave for `target`.
void Emitter::all_stay_or_leave(const DecodedInstruction& d, std::uint32_t target, Label& next,
                                Label& slow) {
    taken_channels(d);
    cmp(ecx, eax);
    je(next, T_NEAR);
    test(ecx, ecx);
    jnz(slow, T_NEAR);
    leave(d, target, slow);
}

/// `all_leave`, unless the thread stops at JIP on its way.
void Emitter::leave(const DecodedInstruction& d, std::uint32_t target, Label& slow) {
    if (relative(d, d.instruction.jip) == target)
        all_leave(d, target, slow);
    else
        jmp(slow, T_NEAR);
}

/// The channels in eax leave the loop, and the thread does so by its end.
void Emitter::leave_loop(const DecodedInstruction& d, Label& slow) {
    constexpr std::uint32_t kWhileBytes = 16;  // as channels that leave take it
    const std::uint32_t end = relative(d, d.instruction.uip);
    const auto last = std::ranges::find(region_.parts_, end, &Part::ip);
    const bool ends_loop = last != region_.parts_.end() && last->instruction != nullptr &&
                           last->instruction->always_next &&
                           last->instruction->instruction.opcode == Opcode::While &&
                           last->next_ip == end + kWhileBytes;
    if (!ends_loop || relative(d, d.instruction.jip) != end) {
        jmp(slow, T_NEAR);
        return;
    }
    all_leave(d, last->next_ip, slow, 1);
}

void Emitter::branch(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    const isa::Instruction& in = d.instruction;
    const bool simple = d.fast.predicate != FastOperands::Predicate::Other;
    Label slow, next;
    switch (in.opcode) {
        case Opcode::Endif:
        case Opcode::Join:
            return;  // some channel runs
        case Opcode::Jmpi:
            if (!simple || in.jip_from_register) {
                jmp(slow, T_NEAR);
                break;
            }
            if (d.fast.predicate != FastOperands::Predicate::None) {
                predicate_bits(d, ecx);
                test(ecx, 1);
                jz(next, T_NEAR);
            }
            take_jump(place_of_instruction(d.next_ip + static_cast<std::uint32_t>(in.jip)), d.ip,
                      slow);
            break;
        case Opcode::While:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            taken_channels(d);
            test(ecx, ecx);
            jz(next, T_NEAR);
            cmp(ecx, at(offsetof(Thread, active), 32));
            jne(slow, T_NEAR);
            take_jump(relative(d, in.jip), d.ip, slow);
            break;
        case Opcode::Goto:
            if (!simple) {
                jmp(slow, T_NEAR);
            } else if (in.branch_ctrl) {
                taken_channels(d);
                cmp(ecx, at(offsetof(Thread, active), 32));
                jne(slow, T_NEAR);
                take_jump(relative(d, in.uip), d.ip, slow);
            } else {
                all_stay_or_leave(d, relative(d, in.uip), next, slow);
            }
            break;
        case Opcode::If:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            all_stay_or_leave(d, relative(d, in.jip), next, slow);
            break;
        case Opcode::Else:
            taken_channels(d);
            leave(d, relative(d, in.uip), slow);
            break;
        case Opcode::Break:
        case Opcode::Cont:
        case Opcode::Halt:
            if (!simple) {
                jmp(slow, T_NEAR);
                break;
            }
            taken_channels(d);
            test(ecx, ecx);
            jz(next, T_NEAR);
            mov(eax, ecx);
            if (in.opcode == Opcode::Break)
                leave_loop(d, slow);
            else
                leave(d, relative(d, in.uip), slow);
            break;
        default:
            jmp(slow, T_NEAR);
    }
    L(next);
    later(Late::What::Branch, number, slow);
}

}  // namespace gen9::eu::jit
