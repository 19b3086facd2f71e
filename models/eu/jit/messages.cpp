// SPDX-License-Identifier: Apache-2.0
// Plain messages: the offsets are compared and the data is moved by a few instructions of the host.
// All of them are of AVX2, on any host: what is longer is seldom used.
#include <bit>
#include <cstddef>

#include "common/units.h"
#include "eu/jit/assembler.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using Form = PlainMessages::Form;
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Ymm;

namespace {

constexpr unsigned kVectorBytes = 32;
// Vectors: the offsets, helpers.
constexpr int kOffsets = kSecond;
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
        load_active(d.fast.channel_offset, lanes, edx);
    }
    if (d.fast.predicate != FastOperands::Predicate::None) {
        predicate_bits(d, ecx);
        and_(edx, ecx);
    }
}

bool Assembler::knows_plain(const DecodedInstruction& d, Form form) const {
    if (form.slots == 0) return false;
    return is(form, PlainMessages::kMoved) ||
           (form.items != 0 && d.instruction.exec_size >= form.slots);
}

void Assembler::load_inactive() {
    for (int n = 0; n < 2; ++n)
        vmovups(Ymm(int(kInactive) + n),
                ptr[frame_ + offsetof(Frame, inactive) + 32 * static_cast<std::size_t>(n)]);
}

bool Assembler::write_plain(const DecodedInstruction& d, Form form, const PlainWay& way) {
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
    move.lanes = low_mask(in.exec_size);
    const bool predicated = d.fast.predicate != FastOperands::Predicate::None;
    const bool some = predicated || (!in.no_mask && way.masked);
    // So are writes of several items to a slot.
    if (is(form, PlainMessages::kMoved) || (form.items != 1 && !move.reads)) {
        way.look();
        if (some) {
            message_mask(d);
            mov(esi, edx);
        } else {
            mov(esi, move.lanes);
        }
        const std::uint32_t slots = low_mask(form.slots);
        call_move(move, !some && (move.lanes & slots) == slots, way.no);
        return true;
    }
    // Slots next to each other have one item; those of more items are mostly at one place.
    const bool together = form.items == 1;
    // Both pieces of code aside have this one, and a copy of a label that nothing has gone to yet
    // is another label.
    Label& other = aside_labels_.emplace_back();
    Label off, done;
    const auto move_from = [this, move, together](const Xbyak::RegExp& from) {
        together ? move_together(move, from) : move_one_place(move, from);
    };
    const auto find_place = [this, move, together, &no = way.no](const Label& elsewhere) {
        check_distances(move, together ? 4 : 0, elsewhere);
        find_start(move, together, no);
    };
    if (way.kept != 0 && !some) {
        Label unknown, known;
        mov(rax, at(way.kept));
        test(rax, rax);
        jz(unknown, T_NEAR);
        L(known);
        move_from(rax);
        way.find();
        aside_.push_back([this, move, way, find_place, unknown, known, &other]() mutable {
            L(unknown);
            way.look();
            find_place(other);
            lea(rax, ptr[in_window(move)]);
            mov(at(way.kept), rax);
            jmp(known, T_NEAR);
        });
    } else {
        way.look();
        if (some) {
            message_mask(d);
            if (low_mask(form.slots) != move.lanes) and_(edx, low_mask(form.slots));
            cmp(edx, low_mask(form.slots));
            jne(off, T_NEAR);
        }
        find_place(other);
        move_from(in_window(move));
    }
    L(done);
    const auto go_on = [this, number = number_, at_hand = hands_, &moved = way.moved] {
        load_hands(at_hand, number + 1);
        jmp(moved, T_NEAR);
    };
    aside_.push_back(
        [this, move, together, some, off, &other, done, &no = way.no, go_on]() mutable {
            L(other);
            if (move.reads && together) {
                Label any;
                check_distances(move, 0, any);
                find_start(move, false, no);
                move_one_place(move, in_window(move));
                jmp(done, T_NEAR);
                L(any);
            }
            // Places anywhere are gathered by offsets of 32 bits.
            if (move.reads && move.offset_bytes == 4 && !is(move.form, PlainMessages::kScaled)) {
                gather(move, no);
                jmp(done, T_NEAR);
            } else {
                call_move(move, true, no);
                go_on();
            }
            if (!some) return;
            L(off);
            mov(esi, edx);
            call_move(move, false, no);
            go_on();
        });
    return false;
}

void Assembler::write_aside() {
    for (const auto& write : aside_)
        write();
}

void Assembler::call_move(const PlainMove& move, bool all, const Label& no) {
    lea(rdx, at(move.offsets));
    lea(rcx, at(move.data));
    if (is(move.form, PlainMessages::kLocal)) mov(r8, ptr[frame_ + offsetof(Frame, local)]);
    // It is for hosts with AVX2, too.
    call(ptr[rdi + (all ? offsetof(PlainMessages, move_all) : offsetof(PlainMessages, move))]);
    if (keeps_inactive_) load_inactive();
    test(al, al);
    jz(no, T_NEAR);
}

void Assembler::check_distances(const PlainMove& move, unsigned bytes, const Label& other) {
    const bool wide = move.offset_bytes == 8;
    const unsigned step = is(move.form, PlainMessages::kScaled) ? bytes / 4 : bytes;
    if (wide)
        vpbroadcastq(kStart, at(move.offsets));
    else
        vpbroadcastd(kStart, at(move.offsets));
    for (unsigned v = 0; v < move.vectors; ++v) {
        const Ymm& wrong = v == 0 ? kWrong : kHelper;
        const Address offsets = at(move.offsets + v * kVectorBytes);
        if (step == 0) {
            vpxor(wrong, kStart, offsets);
        } else {
            const Address far = ramp(step, move.offset_bytes, v * kVectorBytes / move.offset_bytes);
            wide ? vpaddq(wrong, kStart, far) : vpaddd(wrong, kStart, far);
            vpxor(wrong, wrong, offsets);
        }
        if (v != 0) vpor(kWrong, kWrong, kHelper);
    }
    vptest(kWrong, kWrong);
    jnz(other, T_NEAR);
}

/// Finds where the first offset is in host memory, if there is room for it (or for `all` slots).
void Assembler::find_start(const PlainMove& move, bool all, const Label& no) {
    using Plain = PlainMessages;
    if (move.offset_bytes == 8)
        mov(rax, at(move.offsets));
    else
        mov(eax, at(move.offsets, 32));
    if (is(move.form, Plain::kScaled)) shl(rax, 2);
    if (is(move.form, Plain::kLocal))
        add(rax, ptr[frame_ + offsetof(Frame, local)]);
    else
        sub(rax, ptr[rdi + offsetof(Plain, begin)]);
    if (is(move.form, Plain::kAligned)) {
        // One that is not aligned becomes too large.
        ror(rax, 2);
        cmp(rax, ptr[rdi + (all ? offsetof(Plain, dwords_all) : offsetof(Plain, dwords_one))]);
    } else {
        cmp(rax, ptr[rdi + (all ? offsetof(Plain, room_all) : offsetof(Plain, room_one))]);
    }
    jae(no, T_NEAR);
    mov(rcx, ptr[rdi + offsetof(Plain, host)]);
}

/// Forms the address that find_start has found.
Xbyak::RegExp Assembler::in_window(const PlainMove& move) const {
    return is(move.form, PlainMessages::kAligned) ? rcx + rax * 4 : rcx + rax;
}

void Assembler::move_together(const PlainMove& move, const Xbyak::RegExp& from) {
    // Threads that follow each other in a slot go through memory in order, with too much between
    // their accesses for the host to have two of them on their way.
    constexpr unsigned kAhead = 256;
    if (!is(move.form, PlainMessages::kLocal))
        move.reads ? prefetcht0(ptr[from + kAhead]) : prefetchw(ptr[from + kAhead]);
    for (unsigned byte = 0; byte < move.form.slots * 4u; byte += kVectorBytes) {
        const Address memory = ptr[from + byte], place = at(move.data + byte);
        vmovdqu(kData, move.reads ? memory : place);
        vmovdqu(move.reads ? place : memory, kData);
    }
}

void Assembler::move_one_place(const PlainMove& move, const Xbyak::RegExp& from) {
    const unsigned row = move.form.slots * 4u;
    for (unsigned n = 0; n < move.form.items; ++n) {
        vpbroadcastd(kData, ptr[from + 4 * n]);
        for (unsigned byte = 0; byte < row; byte += kVectorBytes)
            vmovdqu(at(move.data + n * row + byte), kData);
    }
}

/// Makes eight offsets distances from the window's host memory.
void Assembler::find_indices(const PlainMove& move, const Ymm& offsets, const Label& no) {
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
void Assembler::gather(const PlainMove& move, const Label& no) {
    if (is(move.form, PlainMessages::kLocal)) {
        // A thread that has none.
        cmp(dword[frame_ + offsetof(Frame, local) + 4], 0);
        jne(no, T_NEAR);
    }
    for (unsigned v = 0; v < move.vectors; ++v) {
        vmovdqu(Ymm(kOffsets + int(v)), at(move.offsets + v * kVectorBytes));
        find_indices(move, Ymm(kOffsets + int(v)), no);
    }
    mov(rcx, ptr[rdi + offsetof(PlainMessages, host)]);
    for (unsigned v = 0; v < move.vectors; ++v)
        for (unsigned n = 0; n < move.form.items; ++n) {
            vpcmpeqd(kMask, kMask, kMask);
            vpgatherdd(kData, ptr[rcx + Ymm(kOffsets + int(v)) + 4 * n], kMask);
            vmovdqu(at(move.data + n * move.form.slots * 4u + v * kVectorBytes), kData);
        }
}

}  // namespace gen9::eu::jit
