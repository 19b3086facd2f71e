// SPDX-License-Identifier: Apache-2.0
// Messages of a region: moved by the code, or as calls of their sites, or sent.
#include <algorithm>
#include <bit>
#include <vector>

#include "eu/jit/region_emitter.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using Xbyak::Label;

/// The message by the thread's Messages; leaves if the thread does not go on.
void Emitter::call_send(std::size_t number) {
    mov(rdi, frame_);
    mov(rsi, reinterpret_cast<std::uint64_t>(&instruction(number)));
    mov(edx, region_.parts_[number].send);
    mov(rcx, count_);
    call_between(reinterpret_cast<const void*>(&CompiledRegion::send));
    test(al, al);
    jz(leave_, T_NEAR);
    if (has_plain_) mov(epoch_, ptr[frame_ + offsetof(Frame, epoch)]);
}

/// May its message be a call of its site?
bool Emitter::sends_usually(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    return region_.sends_directly_ && !in.align16 && !in.descriptor_from_a0 &&
           !in.extended_from_a0 && !in.src[0].indirect && !in.src[1].indirect && !in.dst.indirect &&
           d.fast.predicate != FastOperands::Predicate::Other;
}

/// The message as a call of its site, if it has one that carries it out.
void Emitter::send(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    if (!sends_usually(d)) {
        mov(at(offsetof(Thread, ip), 32), d.ip);
        call_send(number);
        if (joins(number + 1)) jmp(resume_, T_NEAR);
        return;
    }
    call_site(number);
}

/// The message by the code, which goes on in the same block; else as a call.
void Emitter::plain_send(std::size_t number, bool masked) {
    const DecodedInstruction& d = instruction(number);
    const PlainMessages::Form form = plain(number)->form;
    ++pending_;
    Late& call = later(Late::What::Direct, number, Label());
    call.pending = pending_;
    call.messages = messages_++;
    Label& moved = call.otherwise;
    const auto find = [this, number] { mov(rdi, ptr[plain_ + 8 * region_.parts_[number].send]); };
    const auto look = [this, find, number, &call, at_hand = hands_] {
        find();
        cmp(ptr[rdi + offsetof(PlainMessages, checked)], epoch_);
        Label check;
        jne(check, T_NEAR);
        Late& unchecked = later(Late::What::Check, number, check);
        unchecked.no = &call.from;
        unchecked.hands = at_hand;  // this may be written later than what is around it
        L(unchecked.back);
    };
    const auto& repeated = region_.repeated_;
    const auto kept = std::ranges::find(repeated, static_cast<std::uint32_t>(number));
    const std::size_t place =
        kept == repeated.end()
            ? 0
            : offsetof(Thread, places.at) + 8 * static_cast<std::size_t>(kept - repeated.begin());
    if (write_plain(d, form, {masked, place, call.from, moved, look, find})) {
        drop_hands();
    } else {
        inc(dword[rdi + offsetof(PlainMessages, uncounted)]);
        Label first;
        jz(first, T_NEAR);
        L(later(Late::What::Count, number, first).back);
    }
    L(moved);
    L(call.back);
}

/// Sends in a loop that does not write their offsets.
void Emitter::find_repeated(CompiledRegion& region) {
    const auto& parts = region.parts_;
    struct Loop {
        std::uint32_t from, to;
    };
    std::vector<Loop> loops;
    for (const Part& part : parts) {
        if (part.instruction == nullptr || !part.instruction->always_next) continue;
        for (const std::uint32_t ip : meeting_places(*part.instruction))
            if (ip <= part.ip && ip >= region.first_ip_) loops.push_back({ip, part.ip});
    }
    for (std::size_t number = 0; number < parts.size(); ++number) {
        const DecodedInstruction* const d = parts[number].instruction;
        if (region.repeated_.size() == Thread::Places::kMost) return;
        if (d == nullptr || !d->always_sends || d->indirect_registers ||
            d->instruction.end_of_thread || !region.has(parts[number].ip))
            continue;
        const Loop* shortest = nullptr;
        for (const Loop& loop : loops)
            if (loop.from <= d->ip && d->ip <= loop.to &&
                (shortest == nullptr || loop.to - loop.from < shortest->to - shortest->from))
                shortest = &loop;
        if (shortest == nullptr) continue;
        const bool written = std::ranges::any_of(parts, [&](const Part& part) {
            return part.instruction != nullptr && part.ip >= shortest->from &&
                   part.ip <= shortest->to && writes_any(*part.instruction, d->reads[0]);
        });
        if (!written) region.repeated_.push_back(static_cast<std::uint32_t>(number));
    }
}

/// In front of an instruction: whose offsets it writes knows no place any more.
void Emitter::forget_places(const DecodedInstruction& d) {
    for (std::size_t n = 0; n < region_.repeated_.size(); ++n)
        if (writes_any(d, instruction(region_.repeated_[n]).reads[0]))
            mov(qword[thread_ + offsetof(Thread, places.at) + 8 * n], 0);
}

bool Emitter::has_plain() const {
    for (std::size_t number = 0; number < region_.parts_.size(); ++number)
        if (region_.parts_[number].instruction != nullptr && plain(number) != nullptr) return true;
    return false;
}

/// Behind a call of a site: what it has found may be new.
void Emitter::look_at_epoch(std::size_t number) {
    if (!has_plain_) return;
    Label renewed;
    mov(rcx, ptr[frame_ + offsetof(Frame, direct.epoch)]);
    mov(rdx, ptr[rcx + offsetof(PlainEpoch, findings)]);
    mov(rdx, ptr[rdx]);
    cmp(rdx, ptr[rcx + offsetof(PlainEpoch, found)]);
    jne(renewed, T_NEAR);
    L(later(Late::What::Epoch, number, renewed).back);
}

/// The record of the site that its messages had when the code was made; null: they are calls.
const PlainMessages* Emitter::plain(std::size_t number) const {
    const DecodedInstruction& d = instruction(number);
    if (direct_.plain == nullptr || !d.always_sends || d.instruction.end_of_thread ||
        !sends_usually(d))
        return nullptr;
    const PlainMessages* const found = direct_.plain[region_.parts_[number].send];
    return found != nullptr && knows_plain(d, found->form) ? found : nullptr;
}

void Emitter::call_site(std::size_t number) {
    const DecodedInstruction& d = instruction(number);
    const isa::Instruction& in = d.instruction;
    Label slow;
    mov(rdi, ptr[frame_ + offsetof(Frame, direct.sites)]);
    mov(rdi, ptr[rdi + 8 * region_.parts_[number].send]);
    test(rdi, rdi);
    jz(slow, T_NEAR);
    message_mask(d);
    mov(rsi, ptr[frame_ + offsetof(Frame, direct.sender)]);
    lea(rcx, at(place_of(in.src[0])));
    lea(r8, at(place_of(in.src[1])));
    lea(r9, at(place_of(in.dst)));
    if (flushes_) ldmxcsr(dword[frame_ + offsetof(Frame, host_control)]);
    call_between(reinterpret_cast<const void*>(&CompiledRegion::direct));
    if (flushes_) ldmxcsr(dword[frame_ + offsetof(Frame, own_control)]);
    test(al, al);
    jz(slow, T_NEAR);
    inc(dword[frame_ + offsetof(Frame, called)]);
    if (!in.end_of_thread) look_at_epoch(number);
    if (in.end_of_thread) {
        mov(rdi, frame_);
        mov(rsi, reinterpret_cast<std::uint64_t>(&d));
        mov(rdx, count_);
        call(reinterpret_cast<const void*>(&CompiledRegion::end));
        if (has_plain_) mov(epoch_, ptr[frame_ + offsetof(Frame, epoch)]);
        jmp(go_on_, T_NEAR);
    }
    L(later(Late::What::Send, number, slow).back);
}

}  // namespace gen9::eu::jit
