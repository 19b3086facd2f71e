// SPDX-License-Identifier: Apache-2.0
// A region's code: its instructions one after the other, branches among them, twice: for threads
// whose channels all run, and for any. Out of the way, behind both, lie the calls of what is rare.
#include "eu/jit/emitter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <vector>

#include <xbyak/xbyak_util.h>

#include "common/check.h"
#include "eu/execute/end_of_thread.h"
#include "eu/jit/region_emitter.h"
#include "eu/thread/exceptions.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"

namespace gen9::eu::jit {

using isa::Opcode;
using Xbyak::Label;

Level host_level() {
    static const Level level = [] {
        using Cpu = Xbyak::util::Cpu;
        const Cpu cpu;
        if (!cpu.has(Cpu::tAVX2) || !cpu.has(Cpu::tFMA) || !cpu.has(Cpu::tBMI1) ||
            !cpu.has(Cpu::tBMI2) || !cpu.has(Cpu::tF16C))
            return Level::None;
        const bool newer = cpu.has(Cpu::tAVX512F) && cpu.has(Cpu::tAVX512VL) &&
                           cpu.has(Cpu::tAVX512DQ) && cpu.has(Cpu::tAVX512BW);
        return newer ? Level::Avx512 : Level::Avx2;
    }();
    return level;
}

namespace {

constexpr std::size_t kMostCode = std::size_t{4} << 20;

}  // namespace

Emitter::Way Emitter::way_of(const Part& part) const {
    if (part.instruction == nullptr) return Way::Exit;
    const DecodedInstruction& d = *part.instruction;
    const isa::Instruction& in = d.instruction;
    if (d.always_next) return Way::Branch;
    if (d.always_sends) return Way::Send;
    if (d.sends_checked) return Way::Checked;
    if (in.opcode == Opcode::Nop) return d.may_fail ? Way::Exit : Way::Nothing;
    if (in.opcode == Opcode::Wait) return d.may_fail || hangs_at_end(in) ? Way::Exit : Way::Wait;
    if (d.fast.masked != nullptr) {
        const std::uint32_t modes = d.fast.modes & ~(makes_finite(d) ? cr0::kAlternate : 0);
        const bool right_modes = (region_.control_ & modes) == d.fast.modes_wanted;
        // The host would flush doubles as well.
        const bool doubles = flushes_ && (d.fast.modes & cr0::kDoubleDenormals) != 0;
        if (right_modes && !doubles) return knows(d) ? Way::Written : Way::Function;
        return Way::General;
    }
    // What may wait, end, fail or change a mode is for the thread's own loop.
    for (unsigned i = 0; i < in.source_count && i < in.src.size(); ++i)
        if (in.src[i].is_arf(isa::Arf::Timestamp)) return Way::Exit;
    if (d.pipe == Pipe::Send || d.pipe == Pipe::Branch || d.pipe == Pipe::None) return Way::Exit;
    if (d.may_fail || in.dst.is_arf(isa::Arf::Ip)) return Way::Exit;
    return sets_notification(d)       ? Way::Notification
           : knows_constant_vector(d) ? Way::ConstantVector
                                      : Way::General;
}

/// Code looks for channels at its instructions only. A branch that sends some between two of them
/// is not part of it.
bool Emitter::meets_at_instructions(const Part& part, Way way, std::span<const Part> parts) {
    if (way != Way::Branch) return true;
    return std::ranges::all_of(meeting_places(*part.instruction), [&](std::uint32_t ip) {
        if (ip < parts.front().ip || ip >= parts.back().next_ip) return true;
        const Part& there = *--std::ranges::upper_bound(parts, ip, {}, &Part::ip);
        return there.ip == ip || there.instruction == nullptr;
    });
}

bool Emitter::plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control,
                   Level level) {
    region.control_ = control;
    region.level_ = level;
    std::uint32_t keeps = 0;
    for (const Part& part : parts)
        if (part.instruction != nullptr) keeps |= part.instruction->fast.keeps_denormals;
    region.flushes_ = (keeps & ~control) != 0;
    std::array<std::uint8_t, 1> nowhere;
    CompiledRegion::Form no_form;
    const Emitter emitter(nowhere, region, {}, no_form);
    const std::uint32_t first = parts.front().ip, end = parts.back().next_ip,
                        places = (end - first) / 8;
    region.joins_bits_.resize((places + 63) / 64);
    region.enter_bits_.resize((places + 63) / 64);
    const auto mark = [&](std::vector<std::uint64_t>& bits, std::uint32_t ip) {
        const std::uint32_t place = (ip - first) >> 3;
        if (place < places) bits[place / 64] |= std::uint64_t{1} << place % 64;
    };
    std::uint32_t modes = 0;
    std::size_t inside = 0;
    for (const Part& part : parts) {
        const Way way = emitter.way_of(part);
        if (way == Way::Exit || !meets_at_instructions(part, way, parts)) continue;
        ++inside;
        mark(region.enter_bits_, part.ip);
        const DecodedInstruction& d = *part.instruction;
        if (way == Way::Branch) {
            for (const std::uint32_t ip : meeting_places(d))
                mark(region.joins_bits_, ip);
            modes |= cr0::kSinglePath;
        }
        if (way == Way::Send || way == Way::Checked) {
            if (!d.instruction.no_mask && !d.instruction.end_of_thread)
                region.channels_needed_ |= low_mask(d.instruction.exec_size)
                                           << d.instruction.channel_offset;
            region.sends_ = true;
            region.most_send_ = std::max(region.most_send_, part.send);
            modes |= cr0::kMaster | cr0::kAlternate;
        }
        if (way == Way::ConstantVector && d.fast.every_channel == 0)
            region.channels_needed_ |= d.fast.lanes << d.fast.channel_offset;
        if (way == Way::Written || way == Way::Function) {
            modes |= d.fast.modes | d.fast.keeps_denormals;
            if (d.fast.every_channel == 0)
                region.channels_needed_ |= d.fast.lanes << d.fast.channel_offset;
        }
    }
    if (inside == 0 || (control & cr0::kSinglePath) != 0) return false;
    region.sends_directly_ = (control & cr0::kMaster) == 0;
    region.first_ip_ = first;
    region.end_ip_ = region.straight_end_ = end;
    region.size_ = static_cast<std::uint32_t>(parts.size());
    region.modes_ = modes;
    region.modes_wanted_ = control & modes;
    region.parts_.assign(parts.begin(), parts.end());
    region.joins_ = region.joins_bits_.data();
    region.join_places_ = places;
    if (region.sends_directly_) find_repeated(region);
    return true;
}

// uint64 enter(Frame*, where, executed): rdi, rsi, rdx.
void Emitter::prologue() {
    push(rbx);
    push(r12);
    push(r13);
    push(r14);
    push(r15);
    mov(frame_, rdi);
    mov(count_, rdx);
    mov(thread_, ptr[frame_ + offsetof(Frame, thread)]);
    if (has_plain_) {
        mov(epoch_, ptr[frame_ + offsetof(Frame, epoch)]);
        mov(plain_, ptr[frame_ + offsetof(Frame, direct.plain)]);
    }
    if (keeps_inactive_) load_inactive();
    jmp(rsi);
    L(leave_);
    mov(rax, count_);
    vzeroupper();
    pop(r15);
    pop(r14);
    pop(r13);
    pop(r12);
    pop(rbx);
    ret();
    // All joins and branches share this code. rsi holds the branch.
    L(resume_);
    mov(rdi, frame_);
    mov(rsi, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::resume));
    L(go_on_);
    mov(ecx, dword[frame_ + offsetof(Frame, behind)]);
    sub(count_, rcx);
    // It may be in the other form.
    if (level_ == Level::Avx2) load_inactive();
    jmp(rax);
    L(branch_);
    mov(rdi, frame_);
    mov(rdx, count_);
    call(reinterpret_cast<const void*>(&CompiledRegion::branch));
    jmp(go_on_);
}

/// May an instruction write any of these registers? It is asked often.
bool Emitter::writes_any(const DecodedInstruction& d, const RegisterRange& range) {
    if (d.indirect_registers || d.instruction.descriptor_from_a0) return true;
    // The remainder goes to the registers behind the quotient's (EU-254).
    const bool both = d.instruction.opcode == isa::Opcode::Math &&
                      d.instruction.math == isa::MathFunction::IntDivBoth;
    const unsigned count = d.writes.count * (both ? 2u : 1u), first = d.writes.first;
    if (count == 0 || range.count == 0) return false;
    const unsigned end = first + count, range_end = unsigned{range.first} + range.count;
    // Behind the last register comes the first (EU-025).
    if (end > kGrfCount || range_end > kGrfCount) return true;
    return first < range_end && range.first < end;
}

/// The registers in which the thread has it.
RegisterRange Emitter::registers_of(const Hand& hand) {
    const std::size_t begin = hand.place - offsetof(Thread, grf),
                      end = begin + std::size_t{hand.shape.parts} * hand.shape.lanes * 4,
                      first = begin / kGrfBytes;
    return {static_cast<std::uint8_t>(first),
            static_cast<std::uint8_t>((end + kGrfBytes - 1) / kGrfBytes - first)};
}

/// What is rare: the code that asks how to go on.
void Emitter::write_late(Late& late) {
    L(late.from);
    using enum Late::What;
    if (late.what == Join || late.what == Branch || late.what == Send)
        mov(at(offsetof(Thread, ip), 32), region_.parts_[late.number].ip);
    switch (late.what) {
        case Late::What::Join:
            jmp(resume_, T_NEAR);
            return;
        case Late::What::Branch:
            mov(rsi, reinterpret_cast<std::uint64_t>(&instruction(late.number)));
            jmp(branch_, T_NEAR);
            return;
        case Late::What::Send:
            call_send(late.number);
            jmp(joins(late.number + 1) ? resume_ : late.back, T_NEAR);
            return;
        case Late::What::Wait:
            mov(rdi, frame_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&instruction(late.number)));
            mov(rdx, count_);
            call(reinterpret_cast<const void*>(&CompiledRegion::wait));
            jmp(leave_, T_NEAR);
            return;
        case Late::What::Direct:
            // The call may want the counts. The block adds its own later, and this message.
            add(count_, late.pending);
            if (late.messages != 0) add(dword[frame_ + offsetof(Frame, called)], late.messages);
            call_site(late.number);
            sub(count_, late.pending);
            sub(dword[frame_ + offsetof(Frame, called)], late.messages + 1);
            load_hands(late.hands, late.number + 1);
            jmp(late.back, T_NEAR);
            return;
        case Late::What::Count:
            mov(rdi, ptr[frame_ + offsetof(Frame, direct.sites)]);
            mov(rdi, ptr[rdi + 8 * region_.parts_[late.number].send]);
            call_between(reinterpret_cast<const void*>(&CompiledRegion::begin_count));
            load_hands(late.hands, late.number + 1);
            jmp(late.back, T_NEAR);
            return;
        case Late::What::Check:
            mov(rsi, rdi);
            mov(rdi, frame_);
            mov(edx, std::bit_cast<std::uint32_t>(plain(late.number)->form));
            call_between(reinterpret_cast<const void*>(&CompiledRegion::check_plain));
            mov(rdi, ptr[plain_ + 8 * region_.parts_[late.number].send]);
            load_hands(late.hands, late.number + 1);
            test(al, al);
            jnz(late.back, T_NEAR);
            jmp(*late.no, T_NEAR);
            return;
        case Late::What::Epoch:
            mov(rdi, frame_);
            call_between(reinterpret_cast<const void*>(&CompiledRegion::renew_epoch));
            mov(epoch_, ptr[frame_ + offsetof(Frame, epoch)]);
            jmp(late.back, T_NEAR);
    }
}

void Emitter::put(std::size_t number, bool masked) {
    const Part& part = region_.parts_[number];
    const Way way = region_.has(part.ip) ? way_of(part) : Way::Exit;
    if (joins(number)) {
        settle_count();
        drop_hands();
        cmp(at(offsetof(Thread, wake_ip), 32), part.ip);
        Late& late = later(Late::What::Join, number, Label());
        jbe(late.from, T_NEAR);
        L(labels_[part.ip]);
    }
    place_in_code(number) = {static_cast<std::uint32_t>(getSize()), pending_, messages_};
    if (way == Way::Exit) {
        settle_count();
        drop_hands();
        mov(at(offsetof(Thread, ip), 32), part.ip);
        jmp(leave_, T_NEAR);
        return;
    }
    const Hands before = hands_;
    if (before != Hands()) entries_.push_back({number, before});
    number_ = number;
    put_inside(number, masked, way);
    // A new result is what the instruction has written.
    for (unsigned i = 0; i < kHands; ++i)
        if (before[i] != nullptr && hands_[i] == before[i] &&
            writes_any(*part.instruction, registers_of(*before[i])))
            hands_[i] = nullptr;
}

/// An instruction that is part of the region.
void Emitter::put_inside(std::size_t number, bool masked, Way way) {
    const DecodedInstruction& d = instruction(number);
    const auto end_block = [this] {
        ++pending_;
        settle_count();
    };
    forget_places(d);
    const auto call_function = [this](const void* function) {
        drop_hands();
        call_between(function);
    };
    switch (way) {
        case Way::Branch:
            end_block();
            drop_hands();
            branch(number);
            return;
        case Way::Send:
            if (plain(number) != nullptr) {
                plain_send(number, masked);
                return;
            }
            end_block();
            drop_hands();
            send(number);
            return;
        case Way::Checked:
            settle_count();
            drop_hands();
            write_checked(number);
            return;
        case Way::Wait:
            settle_count();
            write_wait(number);
            break;
        case Way::Written:
            write(d, masked);
            break;
        case Way::Notification:
            write_notification(d);
            break;
        case Way::Nothing:
            break;
        case Way::Function:
            mov(rdi, thread_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call_function(reinterpret_cast<const void*>(masked ? d.fast.masked : d.fast.full));
            break;
        case Way::ConstantVector:
            if (!masked || d.fast.every_channel != 0) {
                drop_hands();
                write_constant_vector(d);
                break;
            }
            [[fallthrough]];
        default:  // General
            mov(rdi, frame_);
            mov(rsi, reinterpret_cast<std::uint64_t>(&d));
            call_function(reinterpret_cast<const void*>(&CompiledRegion::general));
            if (joins(number + 1)) {
                end_block();
                jmp(resume_, T_NEAR);
                return;
            }
            break;
    }
    ++pending_;
}

/// The ways into the code in front of these instructions load what it has at hand there.
void Emitter::write_entries() {
    for (const Entry& entry : entries_) {
        const auto asked_for = [&](const Hand* hand) {
            return hand != nullptr && hand->used >= entry.number;
        };
        if (!std::ranges::any_of(entry.hands, asked_for)) continue;
        CompiledRegion::Place& place = place_in_code(entry.number);
        const std::uint8_t* const instruction = getCode() + place.at;
        place.at = static_cast<std::uint32_t>(getSize());
        load_hands(entry.hands, entry.number);
        jmp(instruction, T_NEAR);
    }
}

/// Takes the notification, or leaves: who comes back enters here.
void Emitter::write_wait(std::size_t number) {
    const unsigned count = instruction(number).instruction.src[0].subreg / 4 & 3;
    const auto notification = at(offsetof(Thread, notification) + 4 * count, 32);
    Label none;
    cmp(notification, 0);
    jz(none, T_NEAR);
    later(Late::What::Wait, number, none);
    dec(notification);
}

/// Sends if the thread waits for no other, or leaves: who comes back enters here.
void Emitter::write_checked(std::size_t number) {
    constexpr std::uint64_t kValid = 0x8000'8000'8000'8000;
    static_assert(sizeof(Thread::dependency) == 16);
    Label waits;
    mov(rax, at(offsetof(Thread, dependency), 64));
    or_(rax, at(offsetof(Thread, dependency) + 8, 64));
    mov(rcx, kValid);
    test(rax, rcx);
    jnz(waits, T_NEAR);
    later(Late::What::Wait, number, waits);
    ++pending_;
    settle_count();
    send(number);
    if (instruction(number).instruction.end_of_thread) jmp(leave_, T_NEAR);
}

bool Emitter::emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct) {
    // Enough for any page of instructions; what is not written costs nothing.
    static thread_local const auto buffer =
        std::make_unique_for_overwrite<std::uint8_t[]>(kMostCode);
    CompiledRegion::Form& form = region.forms_[masked];
    try {
        Emitter emitter({buffer.get(), kMostCode}, region, direct, form);
        emitter.keeps_inactive_ = masked && region.level_ == Level::Avx2;
        form.places.assign(region.join_places_, {});
        emitter.has_plain_ = emitter.has_plain();
        emitter.prologue();
        for (std::size_t number = 0; number < region.parts_.size(); ++number)
            if (emitter.joins(number)) emitter.labels_[region.parts_[number].ip];
        for (std::size_t number = 0; number < region.parts_.size(); ++number)
            emitter.put(number, masked);
        emitter.settle_count();
        emitter.mov(emitter.at(offsetof(Thread, ip), 32), region.end_ip_);
        emitter.jmp(emitter.leave_, T_NEAR);
        emitter.write_entries();
        emitter.write_aside();
        // Code that is written late may add more of it.
        for (std::size_t i = 0; i < emitter.late_.size(); ++i)
            emitter.write_late(emitter.late_[i]);
        emitter.write_constants();
        GEN9_CHECK(!emitter.hasUndefinedLabel(), "compiled code goes to a place that it lacks");
        form.leave = static_cast<std::uint32_t>(emitter.leave_.getAddress() - buffer.get());
        form.code = CodeMemory({buffer.get(), emitter.getSize()});
        return !form.code.empty();
    } catch (const Xbyak::Error&) {
        return false;
    }
}

bool plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control, Level level) {
    return Emitter::plan(region, parts, control, level);
}
bool emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct) {
    return Emitter::emit(region, masked, direct);
}

}  // namespace gen9::eu::jit
