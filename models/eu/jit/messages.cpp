// SPDX-License-Identifier: Apache-2.0
// Plain messages: the offsets are compared and the data is moved by a few instructions of the host.
#include <algorithm>
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
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

// Vectors: the offsets, what each is beside the first, helpers.
constexpr unsigned kOffsets = 0, kBeside = 4, kStart = 8, kWrong = 9, kHelper = 10, kMask = 11,
                   kData = 12;

bool is(Form form, PlainMessages::Fact fact) {
    return (form.facts & fact) != 0;
}

}  // namespace

std::size_t Assembler::place_of(const isa::Operand& operand) {
    return offsetof(Thread, grf) + operand.reg % kGrfCount * kGrfBytes;
}

/// As wide as the host's are.
Xmm Assembler::vector(unsigned number) const {
    return level_ == Level::Avx512 ? Xmm(Zmm(int(number))) : Xmm(Ymm(int(number)));
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
    if (form.items == 1) return true;
    // Slots with several items are gathered.
    return is(form, PlainMessages::kReads) && !is(form, PlainMessages::kWide) &&
           !is(form, PlainMessages::kScaled);
}

void Assembler::write_plain(const DecodedInstruction& d, Form form, Label& no) {
    const isa::Instruction& in = d.instruction;
    PlainMove move{};
    move.form = form;
    move.reads = is(form, PlainMessages::kReads);
    move.wide = is(form, PlainMessages::kWide);
    move.offsets = place_of(in.src[0]);
    move.data = move.reads ? place_of(in.dst)
                           : place_of(in.src[is(form, PlainMessages::kSecond)]) +
                                 form.data * std::size_t{kGrfBytes};
    const unsigned bytes = level_ == Level::Avx512 ? 64 : 32, lane_bytes = move.wide ? 8 : 4;
    move.lanes = std::min<unsigned>(bytes / lane_bytes, form.slots);
    move.vectors = form.slots / move.lanes;
    const bool every_slot =
        in.no_mask && d.fast.predicate == FastOperands::Predicate::None;
    if (!every_slot) {
        message_mask(d);
        not_(edx);
        test(edx, low_mask(form.slots));
        jnz(no, T_NEAR);
    }
    check_window(form, no);
    if (form.items != 1) return move_any_places(move, no);
    Label other, done;
    check_distances(move, other);
    find_start(move, offsetof(PlainMessages, room_all), no);
    const unsigned moved = std::min(bytes, form.slots * 4u);
    for (unsigned at_byte = 0; at_byte < form.slots * 4u; at_byte += moved) {
        const Xmm data = moved == 64 ? Xmm(Zmm(int(kData))) : Xmm(Ymm(int(kData)));
        const Address memory = ptr[rcx + rax + at_byte], place = at(move.data + at_byte);
        vmovups(data, move.reads ? memory : place);
        vmovups(move.reads ? place : memory, data);
    }
    L(done);
    aside_.push_back([this, move, other, done, no]() mutable {
        L(other);
        Label any;
        if (move.reads) {
            move_one_place(move, any, no);
            jmp(done, T_NEAR);
        }
        L(any);
        const bool scatters = !move.reads && level_ != Level::Avx512;
        if (move.wide || is(move.form, PlainMessages::kScaled) || scatters) {
            jmp(no, T_NEAR);
            return;
        }
        move_any_places(move, no);
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

void Assembler::check_distances(const PlainMove& move, Label& other) {
    const bool newer = level_ == Level::Avx512;
    const unsigned step = is(move.form, PlainMessages::kScaled) ? 1 : 4,
                   lane_bytes = move.wide ? 8 : 4;
    const auto sized = [&](unsigned number) {
        return move.lanes * lane_bytes == 64 ? Xmm(Zmm(int(number))) : Xmm(Ymm(int(number)));
    };
    const Xmm start = sized(kStart), wrong = sized(kWrong), help = sized(kHelper);
    if (move.wide)
        vpbroadcastq(start, at(move.offsets));
    else
        vpbroadcastd(start, at(move.offsets));
    for (unsigned v = 0; v < move.vectors; ++v) {
        const Xmm offsets = sized(kOffsets + v), beside = sized(kBeside + v);
        vmovups(offsets, at(move.offsets + v * move.lanes * lane_bytes));
        move.wide ? vpsubq(beside, offsets, start) : vpsubd(beside, offsets, start);
        const Address expected = ramp(step, lane_bytes, v * move.lanes);
        if (newer) {
            const Xbyak::Opmask k(static_cast<int>(1 + v));
            move.wide ? vpcmpq(k, beside, expected, 4) : vpcmpd(k, beside, expected, 4);
        } else if (v == 0) {
            vpxor(wrong, beside, expected);
        } else {
            vpxor(help, beside, expected);
            vpor(wrong, wrong, help);
        }
    }
    if (newer) {
        kortestw(k1, move.vectors == 1 ? k1 : k2);
        jnz(other, T_NEAR);
    } else {
        vptest(wrong, wrong);
        jnz(other, T_NEAR);
    }
}

void Assembler::find_start(const PlainMove& move, std::size_t room, Label& no) {
    if (move.wide)
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

/// All slots read the same; goes to `other` if they do not.
void Assembler::move_one_place(const PlainMove& move, Label& other, Label& no) {
    for (unsigned v = 1; v < move.vectors; ++v)
        vpor(Ymm(int(kBeside)), Ymm(int(kBeside)), Ymm(int(kBeside + v)));
    const bool whole = move.lanes * (move.wide ? 8 : 4) == 64;
    if (whole) {
        vptestmd(k1, Zmm(int(kBeside)), Zmm(int(kBeside)));
        kortestw(k1, k1);
    } else {
        vptest(Ymm(int(kBeside)), Ymm(int(kBeside)));
    }
    jnz(other, T_NEAR);
    find_start(move, offsetof(PlainMessages, room_one), no);
    const Ymm data{int(kData)};
    vpbroadcastd(data, ptr[rcx + rax]);
    for (unsigned byte = 0; byte < move.form.slots * 4u; byte += 32)
        vmovups(at(move.data + byte), data);
}

/// The indices of a vector of offsets, from the window's host memory on.
void Assembler::find_indices(const PlainMove& move, unsigned part, const Xmm& to, Label& no) {
    const bool newer = level_ == Level::Avx512;
    const Xmm help = to.isZMM() ? Xmm(Zmm(int(kHelper))) : Xmm(Ymm(int(kHelper)));
    vmovups(to, at(move.offsets + part * move.lanes * 4));
    if (is(move.form, PlainMessages::kAligned)) {
        vpbroadcastd(help, constant(3));
        if (newer) {
            vptestmd(k1, to, help);
            kortestw(k1, k1);
        } else {
            vptest(to, help);
        }
        jnz(no, T_NEAR);
    }
    if (is(move.form, PlainMessages::kLocal)) {
        vpbroadcastd(help, ptr[frame_ + offsetof(Frame, local)]);
        vpaddd(to, to, help);
    } else {
        vpbroadcastd(help, ptr[rdi + offsetof(PlainMessages, begin)]);
        vpsubd(to, to, help);
    }
    vpbroadcastd(help, ptr[rdi + offsetof(PlainMessages, room_any)]);
    if (newer) {
        vpcmpud(k1, to, help, 5);
        kortestw(k1, k1);
        jnz(no, T_NEAR);
        return;
    }
    // Below the room, and not negative.
    vpcmpgtd(help, help, to);
    vpandn(help, to, help);
    vmovmskps(eax, help);
    cmp(eax, 0xFF);
    jne(no, T_NEAR);
}

void Assembler::move_any_places(const PlainMove& move, Label& no) {
    const bool newer = level_ == Level::Avx512;
    if (is(move.form, PlainMessages::kLocal)) {
        // A thread without has none at any offset.
        cmp(dword[frame_ + offsetof(Frame, local) + 4], 0);
        jne(no, T_NEAR);
    }
    const auto sized = [&](unsigned number) {
        return move.lanes == 16 ? Xmm(Zmm(int(number))) : Xmm(Ymm(int(number)));
    };
    for (unsigned v = 0; v < move.vectors; ++v)
        find_indices(move, v, sized(kOffsets + v), no);
    mov(rcx, ptr[rdi + offsetof(PlainMessages, host)]);
    const Xmm mask = sized(kMask), data = sized(kData);
    for (unsigned v = 0; v < move.vectors; ++v) {
        const Xmm indices = sized(kOffsets + v);
        for (unsigned n = 0; n < move.form.items; ++n) {
            const Address place =
                at(move.data + (n * move.form.slots + v * move.lanes) * std::size_t{4});
            const auto memory = ptr[rcx + indices + 4 * n];
            if (newer) {
                kxnorw(k1, k1, k1);
                if (move.reads) {
                    vpgatherdd(data | k1, memory);
                    vmovups(place, data);
                } else {
                    vmovups(data, place);
                    vpscatterdd(memory | k1, data);  // of two at one place, the later stays
                }
            } else {
                vpcmpeqd(mask, mask, mask);
                vpgatherdd(data, memory, mask);
                vmovups(place, data);
            }
        }
    }
}

}  // namespace gen9::eu::jit
