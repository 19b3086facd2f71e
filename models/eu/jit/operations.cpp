// SPDX-License-Identifier: Apache-2.0
// The operations on vectors of the host: results in place of the first operand.
#include "eu/jit/assembler.h"

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

/// A zero of its sign where the host takes a single for a zero.
void Assembler::settle(unsigned first, const Shape& shape) {
    if (!flushes_) return;
    const Xmm zero = reg(kHelp, shape), help = reg(kMore, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    if (level_ == Level::Avx512) vbroadcastss(help, constant(0x80000000));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(first + p, shape);
        if (level_ == Level::Avx512) {
            vcmpps(k1, v, zero, kEqual);
            vandps(v | k1, v, help);
        } else {
            const Xmm equal = reg(kOther, shape);
            vcmpps(equal, v, zero, kEqual);
            vpsrld(equal, equal, 1);  // all bits but the sign
            vandnps(v, equal, v);
        }
    }
}

void Assembler::saturate(const Shape& shape) {
    const Xmm zero = reg(kHelp, shape), one = reg(kMore, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    vbroadcastss(one, constant(0x3F800000));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(result_ + p, shape);
        vmaxps(v, v, zero);  // the second of two zeros and instead of NaN
        vminps(v, v, one);
    }
}

void Assembler::select(const DecodedInstruction& d, const Shape& shape) {
    if (level_ == Level::Avx512) {
        predicate_bits(d, ecx);
        kmovd(k1, ecx);
        vblendmps(reg(result_, shape) | k1, held_in(1, 0, shape), reg(result_, shape));
    } else {
        const FastOperands& f = d.fast;
        mov(ecx, at(offsetof(Thread, flag) + 4 * f.flag_register, 32));
        if (f.flag_shift != 0) shr(ecx, f.flag_shift);
        for (unsigned p = 0; p < shape.parts; ++p) {
            expand(reg(kHelp, shape), ecx, p, f.predicate_invert != 0);
            vblendvps(reg(result_ + p, shape), held_in(1, p, shape), reg(result_ + p, shape),
                      reg(kHelp, shape));
        }
    }
    if (is_single(d)) settle(result_, shape);
}

void Assembler::shift_by_constant(const DecodedInstruction& d, const Xmm& value) {
    const auto count = static_cast<std::uint8_t>(d.fast.constant & 31);  // it has five bits
    switch (d.form.op) {
        case Op::Shl:
            return vpslld(value, value, count);
        case Op::Shr:
            return vpsrld(value, value, count);
        default:
            vpsrad(value, value, count);
    }
}

void Assembler::integer_extreme(Lane lane, bool maximum, const Xmm& a, const Xbyak::Operand& b) {
    switch (lane) {
        case Lane::I32:
            return maximum ? vpmaxsd(a, a, b) : vpminsd(a, a, b);
        case Lane::I64:
            return maximum ? vpmaxsq(a, a, b) : vpminsq(a, a, b);
        case Lane::U64:
            return maximum ? vpmaxuq(a, a, b) : vpminuq(a, a, b);
        default:
            maximum ? vpmaxud(a, a, b) : vpminud(a, a, b);
    }
}

/// A number wins over NaN, the first of two NaNs, -0 is below +0 (EU-143). The host's gives the
/// second of two zeros, and if one is NaN.
void Assembler::float_extreme(bool doubles, bool maximum, unsigned part, const Shape& shape) {
    const auto lanes = [&](unsigned number) {
        return doubles ? wide(number, shape) : reg(number, shape);
    };
    const Xmm a = lanes(result_ + part),
              b = doubles ? lanes(kSecond + part) : held_in(1, part, shape), r = lanes(kHelp),
              mask = lanes(kMore), zeros = lanes(kOther);
    // In lanes where they stand so to each other, the result is another.
    const auto replace = [&](const Xmm& x, const Xmm& y, std::uint8_t relation, const Xmm& by) {
        if (level_ == Level::Avx512) {
            doubles ? vcmppd(k1, x, y, relation) : vcmpps(k1, x, y, relation);
            doubles ? vmovapd(r | k1, by) : vmovaps(r | k1, by);
        } else {
            doubles ? vcmppd(mask, x, y, relation) : vcmpps(mask, x, y, relation);
            vblendvps(r, r, by, mask);
        }
    };
    if (doubles)
        maximum ? vmaxpd(r, a, b) : vminpd(r, a, b);
    else
        maximum ? vmaxps(r, a, b) : vminps(r, a, b);
    maximum ? vandps(zeros, a, b) : vorps(zeros, a, b);
    replace(a, b, kEqual, zeros);
    replace(b, b, kUnordered, a);
    vmovaps(a, r);
}

/// The host's own result is right if the second operand is a number, and no zero or the one that
/// wins.
bool Assembler::is_extreme_of_host(const DecodedInstruction& d) {
    if (!d.fast.immediate[1]) return false;
    constexpr std::uint32_t kExponent = 0x7F800000, kSign = 0x80000000;
    const auto value = static_cast<std::uint32_t>(d.fast.constant), exponent = value & kExponent;
    if (value == (d.form.op == Op::Maximum ? 0 : kSign)) return true;
    return exponent != 0 && (value & ~kSign) <= kExponent;
}

void Assembler::extreme(const DecodedInstruction& d, const Shape& shape) {
    const bool maximum = d.form.op == Op::Maximum, doubles = is_double(d);
    const bool is_wide = fast::lane_bytes(d.form.lane) == 8;
    for (unsigned p = 0; p < shape.parts; ++p)
        if (const Xmm a = reg(result_ + p, shape); is_single(d) && is_extreme_of_host(d))
            maximum ? vmaxps(a, a, held_in(1, p, shape)) : vminps(a, a, held_in(1, p, shape));
        else if (doubles || is_single(d))
            float_extreme(doubles, maximum, p, shape);
        else if (is_wide)
            integer_extreme(d.form.lane, maximum, wide(result_ + p, shape),
                            wide(kSecond + p, shape));
        else if (held_[1].in_thread)
            integer_extreme(d.form.lane, maximum, a, place_of_part(1, p, shape));
        else
            integer_extreme(d.form.lane, maximum, a, held_in(1, p, shape));
    if (is_single(d)) settle(result_, shape);
}

/// Clamps; NaN gives 0.
void Assembler::to_integer(const Shape& shape) {
    const Xmm end = reg(kHelp, shape), help = reg(kMore, shape), most = reg(kOther, shape);
    vbroadcastss(end, constant(0x4F000000));
    vbroadcastss(most, constant(0x7FFFFFFF));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(result_ + p, shape);
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
    const Xmm v = reg(result_, shape), zero = reg(kHelp, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    vmaxps(v, v, zero);
    vcvttps2udq(v, v);
}

/// p * u + q * v + r. Of each eight channels src1 has one register of u, then one of v; the first,
/// second and fourth single of src0 are p, q and r.
void Assembler::plane(const DecodedInstruction& d, const Shape& shape) {
    const unsigned terms = d.fast.source[0], places = d.fast.source[1];
    const Shape one{1, shape.lanes};
    vbroadcastss(reg(kSecond, shape), at(terms));
    vbroadcastss(reg(kThird, shape), at(terms + 4));
    if (clamps_) {
        make_finite(kSecond, one);
        make_finite(kThird, one);
    }
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape);
        vbroadcastss(r, at(terms + 12));
        if (clamps_) {
            const Xmm u = reg(kSecond + 1, shape), v = reg(kThird + 1, shape);
            vmovups(u, at(places + 2 * p * kGrfBytes));
            vmovups(v, at(places + (2 * p + 1) * kGrfBytes));
            make_finite(result_ + p, one);
            make_finite(kSecond + 1, one);
            make_finite(kThird + 1, one);
            vfmadd231ps(r, reg(kThird, shape), v);
            vfmadd231ps(r, reg(kSecond, shape), u);
            continue;
        }
        vfmadd231ps(r, reg(kThird, shape), at(places + (2 * p + 1) * kGrfBytes));
        vfmadd231ps(r, reg(kSecond, shape), at(places + 2 * p * kGrfBytes));
    }
}

void Assembler::operate(const DecodedInstruction& d, const Shape& shape) {
    const bool floats = is_single(d);
    // The alternate mode's roots are of the magnitude (EU-135).
    if (clamps_ && (d.form.op == Op::Root || d.form.op == Op::InverseRoot)) {
        vbroadcastss(reg(kHelp, shape), constant(0x7FFFFFFF));
        for (unsigned p = 0; p < shape.parts; ++p)
            vandps(reg(result_ + p, shape), reg(result_ + p, shape), reg(kHelp, shape));
    }
    switch (d.form.op) {
        case Op::Minimum:
        case Op::Maximum:
            return extreme(d, shape);
        case Op::Select:
            return select(d, shape);
        case Op::ToInteger:
            return to_integer(shape);
        case Op::ToUnsigned:
            return to_unsigned(shape);
        case Op::Plane:
            return plane(d, shape);
        case Op::Move:
            if (floats) settle(result_, shape);
            return;
        case Op::Shl:
        case Op::Shr:
        case Op::Asr:
            if (shifts_by_constant(d)) {
                for (unsigned p = 0; p < shape.parts; ++p)
                    shift_by_constant(d, reg(result_ + p, shape));
                return;
            }
            [[fallthrough]];
        case Op::Not:
            // A count has five bits.
            vbroadcastss(reg(kHelp, shape), constant(d.form.op == Op::Not ? 0xFFFFFFFF : 31));
            break;
        case Op::NegatedToSingle:
            vbroadcastss(reg(kHelp, shape), constant(0x80000000));
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
        const Xmm a = reg(result_ + p, shape), help = reg(kHelp, shape), more = reg(kMore, shape);
        const Xmm second = held_in(1, p, shape), third = held_in(2, p, shape);
        const Address second_place = place_of_part(1, p, shape),
                      third_place = place_of_part(2, p, shape);
        const Operand& b = held_[1].in_thread ? static_cast<const Operand&>(second_place) : second;
        const Operand& c = held_[2].in_thread ? static_cast<const Operand&>(third_place) : third;
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
                vandps(more, help, b);
                vpsllvd(a, a, more);
                break;
            case Op::Shr:
                vandps(more, help, b);
                vpsrlvd(a, a, more);
                break;
            case Op::Asr:
                vandps(more, help, b);
                vpsravd(a, a, more);
                break;
            case Op::Mad:
                vfmadd231ps(a, second, c);
                break;
            case Op::ToSingle:
                d.form.lane == Lane::I32 ? vcvtdq2ps(a, a) : vcvtudq2ps(a, a);
                break;
            case Op::NegatedToSingle:
                // Only the least number has the sign of its negation: it is converted with that.
                vxorps(more, more, more);
                vpsubd(more, more, a);
                vandps(a, a, help);
                vandps(a, a, more);
                vcvtdq2ps(more, more);
                vxorps(a, a, more);
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
                vfmadd213ps(a, second, more);
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

}  // namespace gen9::eu::jit
