// SPDX-License-Identifier: Apache-2.0
// Instructions of eight and sixteen channels do what the specialised functions (fast/) do, in vectors
// of the host.
#include "eu/jit/assembler.h"

#include <algorithm>

#include "common/units.h"
#include "eu/jit/form_facts.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using fast::Kind;
using fast::Lane;
using fast::Op;
using isa::CondMod;
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Operand;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

bool Assembler::knows_vector(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    if (!has_lane_of_32(d) || in.exec_size > 16 || target_of(d) == Target::None) return false;
    if (d.form.op != Op::Plane && !sources_known(d)) return false;
    const bool newer = level_ == Level::Avx512;
    switch (d.form.op) {
        case Op::Compare:
        case Op::Move:
        case Op::Not:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Shl:
        case Op::Shr:
        case Op::Asr:
        case Op::Minimum:
        case Op::Maximum:
        case Op::Select:
        case Op::Mad:
        case Op::ToInteger:
        case Op::NegatedToSingle:
        case Op::Inverse:
        case Op::Root:
        case Op::InverseRoot:
        case Op::Divide:
        case Op::RoundUp:
        case Op::RoundDown:
        case Op::RoundEven:
        case Op::RoundZero:
        case Op::Mix:
        case Op::Plane:
            return true;
        case Op::ToSingle:
            return newer || d.form.lane == Lane::I32;
        case Op::ToUnsigned:
            return newer;
        default:
            return false;
    }
}

bool Assembler::knows_words(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    return d.form.op == Op::Move && !d.form.staged && d.fast.every_channel != 0 &&
           d.fast.predicate == FastOperands::Predicate::None &&
           d.fast.lanes == low_mask(in.exec_size) && (in.exec_size == 8 || in.exec_size == 16) &&
           !in.dst.is_null();
}

void Assembler::write_words(const DecodedInstruction& d) {
    const unsigned lanes = d.instruction.exec_size;
    const Xmm value = lanes == 16 ? Xmm(Ymm(0)) : Xmm(0);
    switch (d.form.kind[0]) {
        case Kind::Packed:
            vmovdqu(value, at(d.fast.source[0]));
            break;
        case Kind::Scalar:
            vpbroadcastw(value, at(d.fast.source[0]));
            break;
        case Kind::Constant: {
            const auto word_value = static_cast<std::uint32_t>(d.fast.constant) & 0xFFFFu;
            vpbroadcastd(value, constant(word_value * 0x10001u));
            break;
        }
    }
    vmovdqu(at(d.fast.destination), value);
}

Assembler::Shape Assembler::shape_of(const DecodedInstruction& d) const {
    const unsigned lanes = d.instruction.exec_size;
    // The places of a plane lie eight by eight.
    if (lanes == 16 && (level_ == Level::Avx2 || d.form.op == Op::Plane)) return {2, 8};
    return {1, std::max(lanes, 4u)};
}
/// Fewer than four lanes are some of four.
Assembler::Lanes Assembler::vector_lanes(const DecodedInstruction& d, bool masked) const {
    return d.instruction.exec_size < 4 ? Lanes::Listed : lanes_of(d, masked);
}

Xmm Assembler::reg(unsigned number, const Shape& shape) const {
    return shape.lanes == 16  ? Xmm(Zmm(int(number)))
           : shape.lanes == 8 ? Xmm(Ymm(int(number)))
                              : Xmm(int(number));
}

Address Assembler::constant(std::uint32_t value) {
    return ptr[rip + constants_[value]];
}
Address Assembler::wide_constant(std::uint64_t value) {
    return ptr[rip + wide_constants_[value]];
}
/// 1, 2, 4, ... of a part, eight lanes each.
Address Assembler::lane_bits(unsigned part) {
    uses_lane_bits_ = true;
    return ptr[rip + lane_bits_ + int(32 * part)];
}

void Assembler::write_constants() {
    if (uses_lane_bits_) {
        align(32);
        L(lane_bits_);
        for (unsigned i = 0; i < kMaxChannels; ++i)
            dd(1u << i);
    }
    for (auto& [key, label] : ramps_) {
        const auto [step, lane_bytes] = key;
        align(64);
        L(label);
        for (unsigned i = 0; i < 16; ++i)
            lane_bytes == 4 ? dd(i * step) : dq(std::uint64_t{i} * step);
    }
    if (uses_wide_lane_bits_) {
        align(64);
        L(wide_lane_bits_);
        for (unsigned i = 0; i < 8; ++i)
            dq(std::uint64_t{1} << i);
    }
    for (auto& [offsets, label] : offsets_) {
        align(64);
        L(label);
        for (const std::uint32_t offset : offsets)
            dd(offset);
    }
    align(8);
    for (auto& [value, label] : wide_constants_) {
        L(label);
        dq(value);
    }
    for (auto& [value, label] : constants_) {
        L(label);
        dd(value);
    }
}

void Assembler::load(const Source& source, unsigned first, const Shape& shape) {
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm to = reg(first + p, shape);
        const unsigned offset = source.offset + p * shape.lanes * source.bytes;
        switch (source.way) {
            case Way::Constant:
                if (source.constant == 0)
                    vpxor(Xmm(int(first + p)), Xmm(int(first + p)), Xmm(int(first + p)));
                else
                    vbroadcastss(to, constant(static_cast<std::uint32_t>(source.constant)));
                break;
            case Way::Scalar:
                if (p != 0) {
                    vmovaps(to, reg(first, shape));
                } else if (source.bytes == 4) {
                    vbroadcastss(to, at(source.offset));
                } else {
                    if (source.is_signed)
                        movsx(eax, at(source.offset, 8 * source.bytes));
                    else
                        movzx(eax, at(source.offset, 8 * source.bytes));
                    vmovd(Xmm(int(first)), eax);
                    if (source.is_half) vcvtph2ps(Xmm(int(first)), Xmm(int(first)));
                    vpbroadcastd(to, Xmm(int(first)));
                }
                break;
            case Way::Packed:
                vmovups(to, at(offset));
                break;
            case Way::Quad:
                // The last lanes may be loaded from behind the registers, and are not used.
                vmovups(to, at(offset));
                vpermilps(to, to, 0);
                break;
            case Way::Narrow:
                if (source.is_half)
                    vcvtph2ps(to, at(offset));
                else if (source.bytes == 2)
                    source.is_signed ? vpmovsxwd(to, at(offset)) : vpmovzxwd(to, at(offset));
                else
                    source.is_signed ? vpmovsxbd(to, at(offset)) : vpmovzxbd(to, at(offset));
                break;
            default:
                load_region(source, to, p, shape.lanes);
        }
    }
    if (clamps_ && source.is_float) make_finite(first, shape);
    modify(source, first, shape);
}

void Assembler::modify(const Source& source, unsigned first, const Shape& shape) {
    if (source.modifier == 0) return;
    const Xmm help = reg(kHelp, shape);
    const auto each = [&](auto act) {
        for (unsigned p = 0; p < shape.parts; ++p)
            act(reg(first + p, shape));
    };
    const auto bits = [&](std::uint32_t value) { vbroadcastss(help, constant(value)); };
    if (source.modifier & FastOperands::kAbsolute) {
        if (source.is_float) {
            bits(0x7FFFFFFF);
            each([&](const Xmm& v) { vandps(v, v, help); });
        } else {
            each([&](const Xmm& v) { vpabsd(v, v); });
        }
    }
    if (source.modifier & FastOperands::kNegate) {
        if (source.is_float) {
            bits(0x80000000);
            each([&](const Xmm& v) { vxorps(v, v, help); });
        } else {
            vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
            each([&](const Xmm& v) { vpsubd(v, help, v); });
        }
    }
    if (source.modifier & FastOperands::kInvert) {
        bits(0xFFFFFFFF);
        each([&](const Xmm& v) { vxorps(v, v, help); });
    }
}

/// Unsigned order is the signed order of what lies half the range below: without AVX-512 both
/// operands are moved there.
bool Assembler::changes_operands(const DecodedInstruction& d) const {
    const CondMod condition = d.form.condition;
    return level_ == Level::Avx2 && d.form.lane == Lane::U32 && condition != CondMod::Z &&
           condition != CondMod::NZ;
}

bool Assembler::is_swapped(const DecodedInstruction& d) {
    return !is_single(d) && (d.form.condition == CondMod::L || d.form.condition == CondMod::GE);
}

/// Is a second or third operand one that the host's instruction wants in a vector, or is it asked for
/// more than once?
bool Assembler::is_first_of_host(const DecodedInstruction& d, unsigned i) const {
    switch (d.form.op) {
        case Op::Mad:
        case Op::Mix:
            return i == 1;
        case Op::Select:
            return true;
        case Op::Minimum:
        case Op::Maximum:
            return is_single(d);
        case Op::Compare:
            return level_ == Level::Avx2 && is_swapped(d);
        default:
            return false;
    }
}

void Assembler::hold(const DecodedInstruction& d, unsigned i, const Shape& shape) {
    const Source source = source_of(d, i);
    const Op op = d.form.op;
    Held& held = held_[i];
    held = {};
    if (shifts_by_constant(d)) return;
    const bool changed = op == Op::Compare && changes_operands(d);
    held.first = i == 1 ? kSecond : kThird;
    const bool as_it_is = source.way == Way::Packed && source.modifier == 0 && !changed &&
                          !(clamps_ && source.is_float);
    if (const Hand* const hand = as_it_is ? take_hand(source, shape) : nullptr) {
        held.first = hand->first;
        return;
    }
    held.in_thread = as_it_is && !is_first_of_host(d, i);
    held.place = source.offset;
    if (held.in_thread) return;
    held.in_one = !changed && (source.way == Way::Constant || source.way == Way::Scalar);
    load(source, held.first, held.in_one ? Shape{1, shape.lanes} : shape);
}

Xmm Assembler::held_in(unsigned i, unsigned part, const Shape& shape) const {
    return reg(held_[i].first + (held_[i].in_one ? 0 : part), shape);
}

void Assembler::expand(const Xmm& to, const Reg32& bits, unsigned part, bool inverted) {
    const Xmm all = to.isYMM() ? Xmm(Ymm(int(kBits))) : Xmm(int(kBits));
    if (part == 0) {
        vmovd(Xmm(int(kBits)), bits);
        vpbroadcastd(all, Xmm(int(kBits)));
    }
    if (inverted)
        vpandn(to, all, lane_bits(part));
    else
        vpand(to, all, lane_bits(part));
    vpcmpeqd(to, to, lane_bits(part));
}

/// Adds a part's sign bits to eax.
void Assembler::collect(unsigned part, const Shape& shape, const Xmm& lanes) {
    const Reg32 to = part == 0 ? eax : ecx;
    vmovmskps(to, lanes);
    if (part != 0) {
        shl(ecx, part * shape.lanes);
        or_(eax, ecx);
    }
}
/// Adds k1 to eax.
void Assembler::collect_mask(unsigned part, const Shape& shape) {
    const Reg32 to = part == 0 ? eax : ecx;
    if (shape.lanes <= 8)
        kmovb(to, k1);
    else
        kmovw(to, k1);
    if (part != 0) {
        shl(ecx, part * shape.lanes);
        or_(eax, ecx);
    }
}

void Assembler::relation(const DecodedInstruction& d, const Shape& shape) {
    const CondMod condition = d.form.condition;
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm a = reg(result_ + p, shape), second = held_in(1, p, shape);
        const Address place = place_of_part(1, p, shape);
        const Operand& b = held_[1].in_thread ? static_cast<const Operand&>(place) : second;
        if (level_ == Level::Avx512) {
            if (is_single(d))
                vcmpps(k1, a, b, float_relation(condition));
            else if (d.form.lane == Lane::I32)
                vpcmpd(k1, a, b, integer_relation(condition));
            else
                vpcmpud(k1, a, b, integer_relation(condition));
            collect_mask(p, shape);
            continue;
        }
        if (is_single(d)) {
            vcmpps(a, a, b, float_relation(condition));
            collect(p, shape, a);
            continue;
        }
        if (changes_operands(d)) {
            const Xmm half = reg(kMore, shape);
            if (p == 0) vbroadcastss(half, constant(0x80000000));
            vpxor(a, a, half);
            vpxor(second, second, half);
        }
        if (condition == CondMod::Z || condition == CondMod::NZ)
            vpcmpeqd(a, a, b);
        else if (is_swapped(d))
            vpcmpgtd(a, second, a);
        else
            vpcmpgtd(a, a, b);
        collect(p, shape, a);
    }
    const bool complement =
        level_ != Level::Avx512 && !is_single(d) &&
        (condition == CondMod::NZ || condition == CondMod::GE || condition == CondMod::LE);
    if (!complement) return;
    xor_(eax, low_mask(shape.parts * shape.lanes));
    if (d.instruction.dst.is_null()) return;
    const Xmm ones = reg(kMore, shape);
    vpcmpeqd(ones, ones, ones);
    for (unsigned p = 0; p < shape.parts; ++p)
        vpxor(reg(result_ + p, shape), reg(result_ + p, shape), ones);
}

/// Behind `relation`: all ones in the lanes of a part that eax names.
void Assembler::lanes_that_hold(unsigned part, const Shape& shape) {
    if (level_ != Level::Avx512) return;  // they are there
    kmovd(k1, eax);
    vpmovm2d(reg(result_ + part, shape), k1);
}

/// Conditions of the results against zero: eax.
void Assembler::result_condition(const DecodedInstruction& d, const Shape& shape) {
    const CondMod condition = d.fast.condition;
    const bool floats = result_lane(d) == Lane::Single, is_signed = d.fast.signed_result;
    // No unsigned number is below zero.
    if (!floats && !is_signed && (condition == CondMod::GE || condition == CondMod::L)) {
        mov(eax, condition == CondMod::GE ? ~0u : 0u);
        return;
    }
    const Xmm zero = reg(kMore, shape);
    vpxor(Xmm(int(kMore)), Xmm(int(kMore)), Xmm(int(kMore)));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape), bits = reg(kHelp, shape);
        if (level_ == Level::Avx512) {
            if (floats)
                vcmpps(k1, r, zero, float_relation(condition));
            else if (is_signed)
                vpcmpd(k1, r, zero, integer_relation(condition));
            else
                vpcmpud(k1, r, zero, integer_relation(condition));
            collect_mask(p, shape);
            continue;
        }
        if (floats) {
            vcmpps(bits, r, zero, float_relation(condition));
        } else {
            switch (condition) {
                case CondMod::Z:
                case CondMod::NZ:
                    vpcmpeqd(bits, r, zero);
                    break;
                case CondMod::G:
                case CondMod::LE:
                    if (is_signed)
                        vpcmpgtd(bits, r, zero);
                    else
                        vpcmpeqd(bits, r, zero);
                    break;
                default:
                    vpcmpgtd(bits, zero, r);
            }
        }
        collect(p, shape, bits);
    }
    if (level_ == Level::Avx512 || floats) return;
    const bool complement = condition == CondMod::NZ || condition == CondMod::GE ||
                            (is_signed ? condition == CondMod::LE : condition == CondMod::G);
    if (complement) not_(eax);
}

Xmm Assembler::mask_of_part(const DecodedInstruction& d, const Shape& shape, unsigned part,
                            Lanes lanes, bool off) {
    const unsigned channel = d.fast.channel_offset + part * shape.lanes;
    const Xmm help = reg(kHelp, shape);
    if (level_ == Level::Avx512) {
        if (lanes == Lanes::Listed) {
            if (part != 0) shr(edx, shape.lanes);
            kmovd(k1, edx);
        } else if (shape.lanes == 16) {
            kmovw(k1, at(offsetof(Thread, active) + channel / 8, 16));
        } else {
            kmovb(k1, at(offsetof(Thread, active) + channel / 8, 8));
        }
        return help;
    }
    if (lanes == Lanes::Listed) {
        expand(help, edx, part, off);
        return help;
    }
    const bool kept = keeps_inactive_ && channel < 16;
    const Xmm inactive = kept ? reg(kInactive + channel / 8, shape) : help;
    if (!kept) vmovups(help, ptr[frame_ + offsetof(Frame, inactive) + 4 * channel]);
    if (off) return inactive;
    vpcmpeqd(reg(kMore, shape), reg(kMore, shape), reg(kMore, shape));
    vpxor(help, inactive, reg(kMore, shape));
    return help;
}

/// The other lanes keep what was there.
void Assembler::store_enabled(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape), help = reg(kHelp, shape);
        const Address place = at(d.fast.destination + p * shape.lanes * 4);
        const Xmm off = mask_of_part(d, shape, p, lanes, true);
        if (level_ == Level::Avx512) {
            vmovups(help, place);
            vblendmps(r | k1, help, r);
        } else {
            vblendvps(r, r, place, off);
        }
        vmovups(place, r);
    }
}

void Assembler::store(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    if (d.instruction.dst.is_null()) return;
    switch (target_of(d)) {
        case Target::Narrow:
            return store_narrow(d, shape, lanes);
        case Target::Spread:
            return store_spread(d, shape, lanes);
        case Target::EveryOther:
            return store_every_other(d, shape, lanes);
        default:
            break;
    }
    if (lanes != Lanes::All) return store_enabled(d, shape, lanes);
    for (unsigned p = 0; p < shape.parts; ++p)
        vmovups(at(d.fast.destination + p * shape.lanes * 4), reg(result_ + p, shape));
}

/// Is one value compared with one, for two parts of eight lanes, and only the flag gets the result?
bool Assembler::compares_alike(const DecodedInstruction& d, const Shape& shape) const {
    return d.form.op == Op::Compare && shape.parts == 2 && shape.lanes == 8 &&
           d.instruction.dst.is_null() && is_one(source_of(d, 0)) && is_one(source_of(d, 1));
}

/// Do integers that lie in the thread meet one value for all lanes, in any order?
bool Assembler::joins_one(const DecodedInstruction& d) const {
    switch (d.form.op) {
        case Op::Add:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::Xor:
            break;
        default:
            return false;
    }
    if (is_single(d)) return false;
    const Source a = source_of(d, 0), b = source_of(d, 1);
    return (is_one(a) && lies_packed(b)) || (lies_packed(a) && is_one(b));
}

void Assembler::join_one(const DecodedInstruction& d, const Shape& shape, bool at_hand) {
    const Source a = source_of(d, 0), b = source_of(d, 1);
    load(is_one(a) ? a : b, kSecond, {1, shape.lanes});
    const Source& others = is_one(a) ? b : a;
    const Xmm one = reg(kSecond, shape);
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm to = reg(result_ + p, shape);
        const Address place = at(others.offset + std::size_t{p} * shape.lanes * 4);
        const Operand& other = at_hand ? static_cast<const Operand&>(to) : place;
        switch (d.form.op) {
            case Op::Add:
                vpaddd(to, one, other);
                break;
            case Op::Mul:
                vpmulld(to, one, other);
                break;
            case Op::And:
                vandps(to, one, other);
                break;
            case Op::Or:
                vorps(to, one, other);
                break;
            default:
                vxorps(to, one, other);
        }
    }
}

void Assembler::write_vector(const DecodedInstruction& d, bool masked) {
    const Shape shape = shape_of(d);
    const Lanes lanes = vector_lanes(d, masked);
    clamps_ = makes_finite(d);
    const bool alike = compares_alike(d, shape), joined = joins_one(d);
    const Shape compared = alike ? Shape{1, shape.lanes} : shape;
    const Source first = source_of(d, joined && is_one(source_of(d, 0)) ? 1 : 0);
    const bool taken = choose_result(d, d.form.op != Op::Plane ? first : Source(), compared);
    if (taken && !joined) {
        if (clamps_ && first.is_float) make_finite(result_, compared);
        modify(first, result_, compared);
    } else if (d.form.op != Op::Plane && !joined) {
        load(first, result_, compared);
    }
    for (unsigned i = 1; i < d.form.sources && d.form.op != Op::Plane && !joined; ++i)
        hold(d, i, compared);
    if (d.form.op == Op::Compare) {
        relation(d, compared);
        if (alike) imul(eax, eax, 0x101);
        if (lanes != Lanes::All) list_lanes(d, masked);
        for (unsigned p = 0; p < shape.parts && !d.instruction.dst.is_null(); ++p)
            lanes_that_hold(p, shape);
        set_flag(d, lanes == Lanes::All);
        store(d, shape, lanes);
        return keep_hand(d, shape);
    }
    joined ? join_one(d, shape, taken) : operate(d, shape);
    if (clamps_ && d.instruction.dst.type == isa::Type::F && may_overflow(d.form.op))
        make_finite(result_, shape);
    if (d.fast.saturate) saturate(shape);
    const bool conditional = d.fast.condition != CondMod::None;
    if (conditional) result_condition(d, shape);
    if (lanes == Lanes::Listed || (lanes == Lanes::Active && conditional)) list_lanes(d, masked);
    if (conditional) set_flag(d, lanes == Lanes::All);  // leaves edx
    store(d, shape, lanes);
    keep_hand(d, shape);
}

}  // namespace gen9::eu::jit
