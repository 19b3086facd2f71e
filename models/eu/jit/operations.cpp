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
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

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

}  // namespace gen9::eu::jit
