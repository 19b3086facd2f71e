// SPDX-License-Identifier: Apache-2.0
// Plain messages: the offsets are compared and the data is moved by a few instructions of the host.
// All of them are of AVX2, on any host: what is longer is seldom used.
#include <bit>
#include <cstddef>

#include "common/units.h"
#include "eu/jit/assembler.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using Form = PlainMessages::Form;
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Ymm;

namespace {

constexpr unsigned kVectorBytes = 32;
// Vectors: the offsets, how far each is from the first, helpers.
constexpr int kOffsets = 0, kBeside = 4;
const Ymm kStart(8), kWrong(9), kHelper(10), kMask(11), kData(12);

bool is(Form form, PlainMessages::Fact fact) {
    return (form.facts & fact) != 0;
}

}  // namespace

std::size_t Assembler::place_of(const isa::Operand& operand) {
    return offsetof(Thread, grf) + operand.reg % kGrfCount * kGrfBytes;
}

Address Assembler::ramp(unsigned step, unsigned lane_bytes, unsigned from_lane) {
    return ptr[rip + ramps_[{step, lane_bytes}] + int(from_lane * lane_bytes)];
}

void Assembler::message_mask(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t lanes = low_mask(in.exec_size);
    if (in.no_mask) {
        mov(edx, lanes);
    } else {
        mov(edx, at(offsetof(Thread, active), 32));
        if (d.fast.channel_offset != 0) shr(edx, d.fast.channel_offset);
        if (lanes != ~0u) and_(edx, lanes);
    }
    if (d.fast.predicate != FastOperands::Predicate::None) {
        predicate_bits(d, ecx);
        and_(edx, ecx);
    }
}

bool Assembler::knows_plain(const DecodedInstruction& d, Form form) const {
    if (form.slots == 0 || form.items == 0 || d.instruction.exec_size < form.slots) return false;
    return form.items == 1 || is(form, PlainMessages::kReads);
}

void Assembler::write_plain(const DecodedInstruction& d, Form form, Label& no) {
    const isa::Instruction& in = d.instruction;
    PlainMove move{};
    move.form = form;
    move.reads = is(form, PlainMessages::kReads);
    move.offset_bytes = is(form, PlainMessages::kWide) ? 8 : 4;
    move.offsets = place_of(in.src[0]);
    move.data = move.reads ? place_of(in.dst)
                           : place_of(in.src[is(form, PlainMessages::kSecond)]) +
                                 form.data * std::size_t{kGrfBytes};
    move.vectors = form.slots * move.offset_bytes / kVectorBytes;
    if (!in.no_mask || d.fast.predicate != FastOperands::Predicate::None) {
        message_mask(d);
        not_(edx);
        test(edx, low_mask(form.slots));
        jnz(no, T_NEAR);
    }
    check_window(form, no);
    Label other, done;
    const bool together = form.items == 1;
    check_distances(move, together ? 4 : 0, other);
    together ? move_together(move, no) : move_one_place(move, no);
    L(done);
    aside_.push_back([this, move, together, other, done, no]() mutable {
        L(other);
        if (move.reads && together) {
            Label any;
            check_one_place(move, any);
            move_one_place(move, no);
            jmp(done, T_NEAR);
            L(any);
        }
        // Places anywhere are gathered by offsets of 32 bits.
        if (!move.reads || move.offset_bytes == 8 || is(move.form, PlainMessages::kScaled)) {
            jmp(no, T_NEAR);
            return;
        }
        gather(move, no);
        jmp(done, T_NEAR);
    });
}

void Assembler::write_aside() {
    for (const auto& write : aside_)
        write();
}

/// Is the window still what it was found to be, and of this thread?
void Assembler::check_window(Form form, Label& no) {
    const auto field = [this](std::size_t offset) { return ptr[rdi + offset]; };
    cmp(dword[rdi + offsetof(PlainMessages, form)], std::bit_cast<std::uint32_t>(form));
    jne(no, T_NEAR);
    mov(rax, field(offsetof(PlainMessages, findings)));
    mov(rcx, field(offsetof(PlainMessages, found)));
    test(rax, rax);
    jz(no, T_NEAR);
    cmp(ptr[rax], rcx);
    jne(no, T_NEAR);
    if (!is(form, PlainMessages::kBound)) return;
    mov(rax, ptr[frame_ + offsetof(Frame, state)]);
    cmp(rax, field(offsetof(PlainMessages, state)));
    jne(no, T_NEAR);
    mov(rax, ptr[frame_ + offsetof(Frame, table)]);
    cmp(rax, field(offsetof(PlainMessages, table)));
    jne(no, T_NEAR);
}

void Assembler::check_distances(const PlainMove& move, unsigned bytes, Label& other) {
    const bool wide = move.offset_bytes == 8;
    const unsigned step = is(move.form, PlainMessages::kScaled) ? bytes / 4 : bytes;
    if (wide)
        vpbroadcastq(kStart, at(move.offsets));
    else
        vpbroadcastd(kStart, at(move.offsets));
    for (unsigned v = 0; v < move.vectors; ++v) {
        const Ymm offsets(kOffsets + int(v)), beside(kBeside + int(v));
        const Ymm& wrong = v == 0 ? kWrong : kHelper;
        vmovdqu(offsets, at(move.offsets + v * kVectorBytes));
        wide ? vpsubq(beside, offsets, kStart) : vpsubd(beside, offsets, kStart);
        vpxor(wrong, beside, ramp(step, move.offset_bytes, v * kVectorBytes / move.offset_bytes));
        if (v != 0) vpor(kWrong, kWrong, kHelper);
    }
    vptest(kWrong, kWrong);
    jnz(other, T_NEAR);
}

/// Behind `check_distances`: goes to `other` unless all slots are at one place.
void Assembler::check_one_place(const PlainMove& move, Label& other) {
    const Ymm beside(kBeside);
    for (unsigned v = 1; v < move.vectors; ++v)
        vpor(beside, beside, Ymm(kBeside + int(v)));
    vptest(beside, beside);
    jnz(other, T_NEAR);
}

/// rcx + rax: where the first offset is in host memory, if there is `room` for it.
void Assembler::find_start(const PlainMove& move, std::size_t room, Label& no) {
    if (move.offset_bytes == 8)
        mov(rax, at(move.offsets));
    else
        mov(eax, at(move.offsets, 32));
    if (is(move.form, PlainMessages::kAligned)) {
        test(al, 3);
        jnz(no, T_NEAR);
    }
    if (is(move.form, PlainMessages::kScaled)) shl(rax, 2);
    if (is(move.form, PlainMessages::kLocal))
        add(rax, ptr[frame_ + offsetof(Frame, local)]);
    else
        sub(rax, ptr[rdi + offsetof(PlainMessages, begin)]);
    cmp(rax, ptr[rdi + room]);
    jae(no, T_NEAR);
    mov(rcx, ptr[rdi + offsetof(PlainMessages, host)]);
}

void Assembler::move_together(const PlainMove& move, Label& no) {
    find_start(move, offsetof(PlainMessages, room_all), no);
    for (unsigned byte = 0; byte < move.form.slots * 4u; byte += kVectorBytes) {
        const Address memory = ptr[rcx + rax + byte], place = at(move.data + byte);
        vmovdqu(kData, move.reads ? memory : place);
        vmovdqu(move.reads ? place : memory, kData);
    }
}

void Assembler::move_one_place(const PlainMove& move, Label& no) {
    find_start(move, offsetof(PlainMessages, room_one), no);
    const unsigned row = move.form.slots * 4u;
    for (unsigned n = 0; n < move.form.items; ++n) {
        vpbroadcastd(kData, ptr[rcx + rax + 4 * n]);
        for (unsigned byte = 0; byte < row; byte += kVectorBytes)
            vmovdqu(at(move.data + n * row + byte), kData);
    }
}

/// Makes eight offsets distances from the window's host memory.
void Assembler::find_indices(const PlainMove& move, const Ymm& offsets, Label& no) {
    if (is(move.form, PlainMessages::kAligned)) {
        vpbroadcastd(kHelper, constant(3));
        vptest(offsets, kHelper);
        jnz(no, T_NEAR);
    }
    if (is(move.form, PlainMessages::kLocal)) {
        vpbroadcastd(kHelper, ptr[frame_ + offsetof(Frame, local)]);
        vpaddd(offsets, offsets, kHelper);
    } else {
        vpbroadcastd(kHelper, ptr[rdi + offsetof(PlainMessages, begin)]);
        vpsubd(offsets, offsets, kHelper);
    }
    // Below the room, and not negative.
    vpbroadcastd(kHelper, ptr[rdi + offsetof(PlainMessages, room_any)]);
    vpcmpgtd(kHelper, kHelper, offsets);
    vpandn(kHelper, offsets, kHelper);
    vmovmskps(eax, kHelper);
    cmp(eax, 0xFF);
    jne(no, T_NEAR);
}

/// Behind `check_distances`: reads that are anywhere.
void Assembler::gather(const PlainMove& move, Label& no) {
    if (is(move.form, PlainMessages::kLocal)) {
        // A thread that has none.
        cmp(dword[frame_ + offsetof(Frame, local) + 4], 0);
        jne(no, T_NEAR);
    }
    for (unsigned v = 0; v < move.vectors; ++v)
        find_indices(move, Ymm(kOffsets + int(v)), no);
    mov(rcx, ptr[rdi + offsetof(PlainMessages, host)]);
    for (unsigned v = 0; v < move.vectors; ++v)
        for (unsigned n = 0; n < move.form.items; ++n) {
            vpcmpeqd(kMask, kMask, kMask);
            vpgatherdd(kData, ptr[rcx + Ymm(kOffsets + int(v)) + 4 * n], kMask);
            vmovdqu(at(move.data + n * move.form.slots * 4u + v * kVectorBytes), kData);
        }
}

}  // namespace gen9::eu::jit
