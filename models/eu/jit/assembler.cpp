// SPDX-License-Identifier: Apache-2.0
// Here is what scalar and vector instructions share: sources, lanes, flags, constants.
#include "eu/jit/assembler.h"

#include "common/units.h"
#include "eu/jit/form_facts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using fast::Kind;
using fast::Lane;
using fast::Op;
using isa::CondMod;
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

/// Distance of neighbouring lanes' elements, -1 if rows break it.
int linear_stride(const isa::Instruction& in, const isa::Operand& operand) {
    if (operand.replicate) return 0;
    if (in.align16) return 1;
    if (in.exec_size == 1) return 0;
    if (operand.width == 1) return operand.vert_stride;
    if (in.exec_size <= operand.width || operand.vert_stride == operand.width * operand.horz_stride)
        return operand.horz_stride;
    return -1;
}

bool accumulates(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    bool found = in.dst.is_arf(isa::Arf::Accumulator) || in.acc_write;
    for (unsigned i = 0; i < in.source_count; ++i)
        found |= in.src[i].is_arf(isa::Arf::Accumulator);
    return found;
}

}  // namespace

Assembler::Source Assembler::source_of(const DecodedInstruction& d, unsigned i) const {
    const FastOperands& f = d.fast;
    const isa::Operand& operand = d.instruction.src[i];
    Source s;
    s.is_float = is_single(d);
    s.type = operand.type;
    s.operand = &operand;
    s.lanes = d.instruction.exec_size;
    if (f.immediate[i]) {
        s.way = Way::Constant;
        s.constant = static_cast<std::uint32_t>(f.constant);
        return s;
    }
    s.offset = f.source[i];
    s.modifier = f.modifier[i];
    s.bytes = isa::size_bytes(operand.type);
    s.is_signed = isa::is_signed(operand.type);
    if (fast::is_float_lane(d.form.lane) != isa::is_float(operand.type) && !is_raw_move(d))
        return s;
    s.is_half = fast::is_float_lane(d.form.lane) && operand.type == isa::Type::HF;
    if (fast::is_float_lane(d.form.lane) && operand.type != isa::Type::F && !s.is_half) return s;
    if (s.bytes > 4) return s;
    s.way = way_of_region(d, operand, s.bytes);
    return s;
}

Assembler::Way Assembler::way_of_region(const DecodedInstruction& d, const isa::Operand& operand,
                                        unsigned bytes) {
    const int stride = linear_stride(d.instruction, operand);
    if (stride == 0) return Way::Scalar;
    if (stride == 1) return bytes == 4 ? Way::Packed : Way::Narrow;
    const bool quad = operand.width == 4 && operand.horz_stride == 0 && operand.vert_stride == 4;
    if (!d.instruction.align16 && quad && bytes == 4) return Way::Quad;
    const unsigned step = stride < 0 ? 0 : unsigned(stride) * bytes;
    if (step == 4) return Way::Spread;
    if (step == 2) return Way::SpreadInWord;
    if (step == 8 && bytes == 4) return Way::EveryOther;
    return d.instruction.align16 || operand.width == 0 ? Way::None : Way::Region;
}

bool Assembler::sources_known(const DecodedInstruction& d) const {
    for (unsigned i = 0; i < d.form.sources; ++i)
        if (source_of(d, i).way == Way::None) return false;
    return true;
}

bool Assembler::knows(const DecodedInstruction& d) const {
    if (d.fast.masked == nullptr || accumulates(d)) return false;
    // Whoever asks for several bits of the flag leaves that to the functions.
    if (d.fast.predicate == FastOperands::Predicate::Other) return false;
    if (d.form.op == Op::Select && d.fast.predicate == FastOperands::Predicate::None) return false;
    if (fast::lane_bytes(d.form.lane) == 8) return knows_wide(d);
    if (d.instruction.exec_size == 1 && knows_scalar(d)) return true;
    return d.form.lane == Lane::U16 ? knows_words(d) : knows_vector(d);
}

void Assembler::write(const DecodedInstruction& d, bool masked) {
    const bool wide = fast::lane_bytes(d.form.lane) == 8,
               scalar = !wide && d.instruction.exec_size == 1 && knows_scalar(d);
    if (!wide && !scalar && d.form.lane != Lane::U16) return write_vector(d, masked);
    // Scalar integers need no vectors.
    if (!scalar || is_single(d)) drop_hands();
    if (wide)
        write_wide(d, masked);
    else if (scalar)
        write_scalar(d, masked);
    else
        write_words(d);
}

void Assembler::predicate_bits(const DecodedInstruction& d, const Reg32& to) {
    const FastOperands& f = d.fast;
    mov(to, at(offsetof(Thread, flag) + 4 * f.flag_register, 32));
    if (f.flag_shift != 0) shr(to, f.flag_shift);
    if (f.predicate_invert != 0) not_(to);
}

namespace {

/// A select's predicate chooses, it does not mask.
bool is_predicated(const DecodedInstruction& d) {
    return d.fast.predicate == FastOperands::Predicate::Sequential && d.form.op != Op::Select;
}

}  // namespace

Assembler::Lanes Assembler::lanes_of(const DecodedInstruction& d, bool masked) const {
    const FastOperands& f = d.fast;
    if (is_predicated(d) || f.lanes != low_mask(d.instruction.exec_size)) return Lanes::Listed;
    if (!masked || f.every_channel != 0) return Lanes::All;
    return f.channel_offset % 8 == 0 ? Lanes::Active : Lanes::Listed;
}

void Assembler::list_lanes(const DecodedInstruction& d, bool masked) {
    const FastOperands& f = d.fast;
    if (masked && f.every_channel == 0)
        load_active(f.channel_offset, f.lanes, edx);
    else
        mov(edx, f.lanes);
    if (is_predicated(d)) keep_predicated(d, edx);
}

/// Active channels from an offset on, as far as they are among `lanes`.
void Assembler::load_active(unsigned offset, std::uint32_t lanes, const Reg32& to) {
    const std::size_t active = offsetof(Thread, active);
    if (offset % 8 == 0 && (lanes == 0xFF || lanes == 0xFFFF))
        return movzx(to, at(active + offset / 8, lanes == 0xFF ? 8 : 16));
    mov(to, at(active, 32));
    if (offset != 0) shr(to, offset);
    if (lanes != ~0u) and_(to, lanes);
}

/// Takes those away whose predicate is not true. Changes ecx.
void Assembler::keep_predicated(const DecodedInstruction& d, const Reg32& lanes) {
    const FastOperands& f = d.fast;
    const Address flag = at(offsetof(Thread, flag) + 4 * f.flag_register, 32);
    if (f.flag_shift == 0 && f.predicate_invert == 0) return and_(lanes, flag);
    mov(ecx, flag);
    if (f.flag_shift != 0) shr(ecx, f.flag_shift);
    f.predicate_invert != 0 ? andn(lanes, ecx, lanes) : and_(lanes, ecx);
}

void Assembler::set_flag(const DecodedInstruction& d, bool all) {
    const FastOperands& f = d.fast;
    const Address flag = at(offsetof(Thread, flag) + 4 * f.flag_register, 32);
    // No wider and no narrower than whoever reads it: the host hands on what it stored that way.
    if (all) {
        const std::uint32_t lanes = low_mask(d.instruction.exec_size);
        // A comparison gives no other bits, nor does a single channel.
        if (d.form.op != Op::Compare && d.instruction.exec_size != 1) and_(eax, lanes);
        if (f.flag_shift != 0) shl(eax, f.flag_shift);
        mov(ecx, flag);
        and_(ecx, ~(lanes << f.flag_shift));
    } else {
        and_(eax, edx);
        if (f.flag_shift != 0) {
            mov(esi, edx);
            shl(eax, f.flag_shift);
            shl(esi, f.flag_shift);
        }
        andn(ecx, f.flag_shift != 0 ? esi : edx, flag);
    }
    or_(ecx, eax);
    mov(flag, ecx);
}

}  // namespace gen9::eu::jit
