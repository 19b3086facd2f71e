// SPDX-License-Identifier: Apache-2.0
// Instructions of eight and sixteen channels do what the specialised functions (fast/) do, in vectors
// of the host.
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

// Operands begin in these vectors; each has as many as the shape has parts.
constexpr unsigned kFirst = 0, kSecond = 2, kThird = 4, kHelp = 6, kMore = 8, kOther = 10;

/// Predicates of vcmpps.
enum Relation : std::uint8_t {
    kEqual = 0,
    kLess = 1,
    kLessEqual = 2,
    kUnordered = 3,
    kNotEqual = 4,
    kOrdered = 7,
    kGreaterEqual = 13,
    kGreater = 14,
};

Relation float_relation(CondMod condition) {
    switch (condition) {
        case CondMod::Z:
            return kEqual;
        case CondMod::NZ:
            return kNotEqual;
        case CondMod::G:
            return kGreater;
        case CondMod::GE:
            return kGreaterEqual;
        case CondMod::L:
            return kLess;
        default:
            return kLessEqual;
    }
}
/// Predicates of vpcmpd.
std::uint8_t integer_relation(CondMod condition) {
    switch (condition) {
        case CondMod::Z:
            return 0;
        case CondMod::NZ:
            return 4;
        case CondMod::G:
            return 6;
        case CondMod::GE:
            return 5;
        case CondMod::L:
            return 1;
        default:
            return 2;
    }
}

}  // namespace

bool Assembler::knows_vector(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    if (!has_lane_of_32(d) || (in.exec_size != 8 && in.exec_size != 16)) return false;
    if (d.fast.scatter != nullptr && !in.dst.is_null()) return false;
    if (d.form.op != Op::Plane && !sources_known(d)) return false;
    const bool newer = level_ == Level::Avx512;
    switch (d.form.op) {
        case Op::Compare:
            return in.dst.is_null();
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
    return {1, lanes};
}

Xmm Assembler::reg(unsigned number, const Shape& shape) const {
    return shape.lanes == 16 ? Xmm(Zmm(int(number))) : Xmm(Ymm(int(number)));
}

Address Assembler::constant(std::uint32_t value) {
    return ptr[rip + constants_[value]];
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
        for (unsigned i = 0; i < 16; ++i)
            dd(1u << i);
    }
    align(4);
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
                    vbroadcastss(to, constant(source.constant));
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
            default:
                if (source.bytes == 2)
                    source.is_signed ? vpmovsxwd(to, at(offset)) : vpmovzxwd(to, at(offset));
                else
                    source.is_signed ? vpmovsxbd(to, at(offset)) : vpmovzxbd(to, at(offset));
        }
    }
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

void Assembler::expand(const Xmm& to, const Reg32& bits, unsigned part, bool inverted) {
    vmovd(Xmm(to.getIdx()), bits);
    vpbroadcastd(to, Xmm(to.getIdx()));
    vpand(to, to, lane_bits(part));
    if (inverted) {
        vpxor(Ymm(kOther), Ymm(kOther), Ymm(kOther));
        vpcmpeqd(to, to, Ymm(kOther));
    } else {
        vpcmpeqd(to, to, lane_bits(part));
    }
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
    if (shape.lanes == 8)
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
        const Xmm a = reg(kFirst + p, shape), b = reg(kSecond + p, shape);
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
        const Xmm r = reg(kHelp, shape), help = reg(kMore, shape);
        if (is_single(d)) {
            vcmpps(r, a, b, float_relation(condition));
            collect(p, shape, r);
            continue;
        }
        // Unsigned order is the signed order of what lies half the range below.
        const bool ordered = condition != CondMod::Z && condition != CondMod::NZ;
        if (d.form.lane != Lane::I32 && ordered) {
            vbroadcastss(help, constant(0x80000000));
            vpxor(a, a, help);
            vpxor(b, b, help);
        }
        const bool swapped = condition == CondMod::L || condition == CondMod::GE;
        if (!ordered)
            vpcmpeqd(r, a, b);
        else if (swapped)
            vpcmpgtd(r, b, a);
        else
            vpcmpgtd(r, a, b);
        collect(p, shape, r);
    }
    const bool complement =
        level_ != Level::Avx512 && !is_single(d) &&
        (condition == CondMod::NZ || condition == CondMod::GE || condition == CondMod::LE);
    if (complement) not_(eax);
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
        const Xmm r = reg(kFirst + p, shape), bits = reg(kHelp, shape);
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

/// A zero of its sign where the host takes a single for a zero.
void Assembler::settle(unsigned first, const Shape& shape) {
    if (!flushes_) return;
    const Xmm zero = reg(kHelp, shape), help = reg(kMore, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(first + p, shape);
        if (level_ == Level::Avx512) {
            vcmpps(k1, v, zero, kEqual);
            vbroadcastss(help, constant(0x80000000));
            vandps(v | k1, v, help);
        } else {
            const Xmm equal = reg(kOther, shape);
            vcmpps(equal, v, zero, kEqual);
            vbroadcastss(help, constant(0x7FFFFFFF));
            vandps(equal, equal, help);
            vandnps(v, equal, v);
        }
    }
}

void Assembler::saturate(const Shape& shape) {
    const Xmm zero = reg(kHelp, shape), one = reg(kMore, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    vbroadcastss(one, constant(0x3F800000));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(kFirst + p, shape);
        vmaxps(v, v, zero);  // the second of two zeros and instead of NaN
        vminps(v, v, one);
    }
}

void Assembler::select(const DecodedInstruction& d, const Shape& shape) {
    predicate_bits(d, ecx);
    if (level_ == Level::Avx512) {
        kmovd(k1, ecx);
        vblendmps(reg(kFirst, shape) | k1, reg(kSecond, shape), reg(kFirst, shape));
    } else {
        for (unsigned p = 0; p < shape.parts; ++p) {
            expand(reg(kHelp, shape), ecx, p, false);
            vblendvps(reg(kFirst + p, shape), reg(kSecond + p, shape), reg(kFirst + p, shape),
                      reg(kHelp, shape));
        }
    }
    if (is_single(d)) settle(kFirst, shape);
}

/// A number wins over NaN, the first of two NaNs, -0 is below +0 (EU-143). The host's gives the
/// second of two zeros, and if one is NaN.
void Assembler::minimum(const DecodedInstruction& d, bool maximum, const Shape& shape) {
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm a = reg(kFirst + p, shape), b = reg(kSecond + p, shape), r = reg(kHelp, shape),
                  mask = reg(kMore, shape), zeros = reg(kOther, shape);
        if (!is_single(d)) {
            if (d.form.lane == Lane::I32)
                maximum ? vpmaxsd(a, a, b) : vpminsd(a, a, b);
            else
                maximum ? vpmaxud(a, a, b) : vpminud(a, a, b);
            continue;
        }
        maximum ? vmaxps(r, a, b) : vminps(r, a, b);
        maximum ? vandps(zeros, a, b) : vorps(zeros, a, b);
        if (level_ == Level::Avx512) {
            vcmpps(k1, a, b, kEqual);
            vmovaps(r | k1, zeros);
            vcmpps(k1, b, b, kUnordered);
            vmovaps(r | k1, a);
            vmovaps(a, r);
        } else {
            vcmpps(mask, a, b, kEqual);
            vblendvps(r, r, zeros, mask);
            vcmpps(mask, b, b, kUnordered);
            vblendvps(a, r, a, mask);
        }
    }
    if (is_single(d)) settle(kFirst, shape);
}

/// Clamps; NaN gives 0.
void Assembler::to_integer(const Shape& shape) {
    const Xmm end = reg(kHelp, shape), help = reg(kMore, shape), most = reg(kOther, shape);
    vbroadcastss(end, constant(0x4F000000));
    vbroadcastss(most, constant(0x7FFFFFFF));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(kFirst + p, shape);
        if (level_ == Level::Avx512) {
            vcmpps(k1, v, v, kOrdered);
            vcmpps(k2, v, end, kGreaterEqual);
            vcvttps2dq(v | k1 | T_z, v);
            vmovaps(v | k2, most);
        } else {
            vcmpps(help, v, v, kOrdered);
            vandps(v, v, help);
            vcmpps(help, v, end, kGreaterEqual);
            vcvttps2dq(v, v);
            vblendvps(v, v, most, help);
        }
    }
}
void Assembler::to_unsigned(const Shape& shape) {
    const Xmm v = reg(kFirst, shape), zero = reg(kHelp, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    vmaxps(v, v, zero);
    vcvttps2udq(v, v);
}

/// p * u + q * v + r. Of each eight channels src1 has one register of u, then one of v; the first,
/// second and fourth single of src0 are p, q and r.
void Assembler::plane(const DecodedInstruction& d, const Shape& shape) {
    const unsigned terms = d.fast.source[0], places = d.fast.source[1];
    vbroadcastss(reg(kSecond, shape), at(terms));
    vbroadcastss(reg(kThird, shape), at(terms + 4));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(kFirst + p, shape);
        vbroadcastss(r, at(terms + 12));
        vfmadd231ps(r, reg(kThird, shape), at(places + (2 * p + 1) * kGrfBytes));
        vfmadd231ps(r, reg(kSecond, shape), at(places + 2 * p * kGrfBytes));
    }
}

void Assembler::operate(const DecodedInstruction& d, const Shape& shape) {
    const bool floats = is_single(d);
    switch (d.form.op) {
        case Op::Minimum:
            return minimum(d, false, shape);
        case Op::Maximum:
            return minimum(d, true, shape);
        case Op::Select:
            return select(d, shape);
        case Op::ToInteger:
            return to_integer(shape);
        case Op::ToUnsigned:
            return to_unsigned(shape);
        case Op::Plane:
            return plane(d, shape);
        case Op::Move:
            if (floats) settle(kFirst, shape);
            return;
        case Op::Not:
        case Op::Shl:
        case Op::Shr:
        case Op::Asr:
            // The count has five bits.
            vbroadcastss(reg(kHelp, shape), constant(d.form.op == Op::Not ? 0xFFFFFFFF : 31));
            break;
        case Op::Inverse:
        case Op::InverseRoot:
        case Op::Mix:
            vbroadcastss(reg(kHelp, shape), constant(0x3F800000));
            break;
        default:
            break;
    }
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm a = reg(kFirst + p, shape), b = reg(kSecond + p, shape),
                  c = reg(kThird + p, shape), help = reg(kHelp, shape), more = reg(kMore, shape);
        const auto round = [&](std::uint8_t mode) {
            // Without exceptions.
            if (shape.lanes == 16)
                vrndscaleps(a, a, 8 | mode);
            else
                vroundps(a, a, 8 | mode);
        };
        switch (d.form.op) {
            case Op::Not:
                vxorps(a, a, help);
                break;
            case Op::Add:
                floats ? vaddps(a, a, b) : vpaddd(a, a, b);
                break;
            case Op::Sub:
                vpsubd(a, a, b);
                break;
            case Op::Mul:
                floats ? vmulps(a, a, b) : vpmulld(a, a, b);
                break;
            case Op::And:
                vandps(a, a, b);
                break;
            case Op::Or:
                vorps(a, a, b);
                break;
            case Op::Xor:
                vxorps(a, a, b);
                break;
            case Op::Shl:
                vandps(more, b, help);
                vpsllvd(a, a, more);
                break;
            case Op::Shr:
                vandps(more, b, help);
                vpsrlvd(a, a, more);
                break;
            case Op::Asr:
                vandps(more, b, help);
                vpsravd(a, a, more);
                break;
            case Op::Mad:
                vfmadd231ps(a, b, c);
                break;
            case Op::ToSingle:
                d.form.lane == Lane::I32 ? vcvtdq2ps(a, a) : vcvtudq2ps(a, a);
                break;
            case Op::Inverse:
                vdivps(a, help, a);
                break;
            case Op::Root:
                vsqrtps(a, a);
                break;
            case Op::InverseRoot:
                vsqrtps(a, a);
                vdivps(a, help, a);
                break;
            case Op::Divide:
                vdivps(a, a, b);
                break;
            case Op::Mix:
                vsubps(more, help, a);
                vmulps(more, more, c);
                vfmadd213ps(a, b, more);
                break;
            case Op::RoundEven:
                round(0);
                break;
            case Op::RoundDown:
                round(1);
                break;
            case Op::RoundUp:
                round(2);
                break;
            default:
                round(3);
        }
    }
}

/// What was there stays in the other lanes.
void Assembler::store_enabled(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    for (unsigned p = 0; p < shape.parts; ++p) {
        const unsigned lane = p * shape.lanes, channel = d.fast.channel_offset + lane;
        const Xmm r = reg(kFirst + p, shape), help = reg(kHelp, shape);
        const Address place = at(d.fast.destination + lane * 4);
        if (level_ == Level::Avx512) {
            if (lanes == Lanes::Listed) {
                if (p != 0) shr(edx, shape.lanes);
                kmovd(k1, edx);
            } else if (shape.lanes == 16) {
                kmovw(k1, at(offsetof(Thread, active) + channel / 8, 16));
            } else {
                kmovb(k1, at(offsetof(Thread, active) + channel / 8, 8));
            }
            vmovups(help, place);
            vmovaps(help | k1, r);
            vmovups(place, help);
            continue;
        }
        if (lanes == Lanes::Listed)
            expand(help, edx, p, true);
        else
            vmovups(help, ptr[frame_ + offsetof(Frame, inactive) + 4 * channel]);
        vblendvps(r, r, place, help);
        vmovups(place, r);
    }
}

void Assembler::store(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    if (d.instruction.dst.is_null()) return;
    if (lanes != Lanes::All) return store_enabled(d, shape, lanes);
    for (unsigned p = 0; p < shape.parts; ++p)
        vmovups(at(d.fast.destination + p * shape.lanes * 4), reg(kFirst + p, shape));
}

void Assembler::write_vector(const DecodedInstruction& d, bool masked) {
    const Shape shape = shape_of(d);
    const Lanes lanes = lanes_of(d, masked);
    if (d.form.op != Op::Plane) {
        constexpr unsigned places[] = {kFirst, kSecond, kThird};
        for (unsigned i = 0; i < d.form.sources; ++i)
            load(source_of(d, i), places[i], shape);
    }
    if (d.form.op == Op::Compare) {
        relation(d, shape);
        if (lanes != Lanes::All) list_lanes(d, masked);
        set_flag(d, lanes == Lanes::All);
        return;
    }
    operate(d, shape);
    if (d.fast.saturate) saturate(shape);
    const bool conditional = d.fast.condition != CondMod::None;
    if (conditional) result_condition(d, shape);
    if (lanes == Lanes::Listed || (lanes == Lanes::Active && conditional)) list_lanes(d, masked);
    if (conditional) set_flag(d, lanes == Lanes::All);  // leaves edx
    store(d, shape, lanes);
}

}  // namespace gen9::eu::jit
