// SPDX-License-Identifier: Apache-2.0
// The operations on lanes of 64 bits: results in place of the first operand.
#include "common/units.h"
#include "eu/jit/assembler.h"
#include "eu/jit/form_facts.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using fast::Lane;
using fast::Op;
using isa::CondMod;
using Xbyak::Xmm;
using Xbyak::Ymm;

namespace {

constexpr std::uint64_t kOne = 0x3FF0'0000'0000'0000;

}  // namespace

bool Assembler::knows_wide_operation(const DecodedInstruction& d) const {
    const bool newer = level_ == Level::Avx512;
    switch (d.form.op) {
        case Op::Move:
        case Op::Add:
        case Op::Mul:
        case Op::Compare:
        case Op::Select:
            return true;
        case Op::Minimum:
        case Op::Maximum:
            return newer || is_double(d);
        case Op::Mad:
            return is_double(d);
        case Op::Not:
        case Op::Sub:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Shl:
        case Op::Shr:
            return !is_double(d);
        case Op::Asr:
            return newer;
        default:
            return false;
    }
}

void Assembler::multiply_wide(const Xmm& a, const Xmm& b) {
    if (level_ == Level::Avx512) {
        vpmullq(a, a, b);
        return;
    }
    // The low half of each times the high half of the other, and the low halves.
    const Ymm help(kHelp), more(kMore);
    vpsrlq(help, b, 32);
    vpmuludq(help, help, a);
    vpsrlq(more, a, 32);
    vpmuludq(more, more, b);
    vpaddq(help, help, more);
    vpsllq(help, help, 32);
    vpmuludq(a, a, b);
    vpaddq(a, a, help);
}

void Assembler::select_wide(const DecodedInstruction& d, const Shape& shape) {
    predicate_bits(d, ecx);
    if (level_ == Level::Avx512) {
        kmovd(k1, ecx);
        vblendmpd(wide(kFirst, shape) | k1, wide(kSecond, shape), wide(kFirst, shape));
        return;
    }
    for (unsigned p = 0; p < shape.parts; ++p) {
        expand_wide(Ymm(kHelp), ecx, p, false);
        vblendvpd(Ymm(kFirst + p), Ymm(kSecond + p), Ymm(kFirst + p), Ymm(kHelp));
    }
}

void Assembler::saturate_wide(const Shape& shape) {
    const Xmm zero = wide(kHelp, shape), one = wide(kMore, shape);
    vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
    vpbroadcastq(one, wide_constant(kOne));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = wide(kFirst + p, shape);
        vmaxpd(v, v, zero);  // the second of two zeros and instead of NaN
        vminpd(v, v, one);
    }
}

void Assembler::operate_wide(const DecodedInstruction& d, const Shape& shape) {
    const Xmm help = wide(kHelp, shape), more = wide(kMore, shape);
    const bool floats = is_double(d);
    switch (d.form.op) {
        case Op::Minimum:
        case Op::Maximum:
            return extreme(d, shape);
        case Op::Select:
            return select_wide(d, shape);
        case Op::Not:
            vpbroadcastq(help, wide_constant(~std::uint64_t{0}));
            break;
        case Op::Shl:
        case Op::Shr:
        case Op::Asr:
            // The count has six bits.
            vpbroadcastq(help, wide_constant(63));
            break;
        default:
            break;
    }
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm a = wide(kFirst + p, shape), b = wide(kSecond + p, shape),
                  c = wide(kThird + p, shape);
        switch (d.form.op) {
            case Op::Not:
                vxorps(a, a, help);
                break;
            case Op::Add:
                floats ? vaddpd(a, a, b) : vpaddq(a, a, b);
                break;
            case Op::Sub:
                vpsubq(a, a, b);
                break;
            case Op::Mul:
                if (floats)
                    vmulpd(a, a, b);
                else
                    multiply_wide(a, b);
                break;
            case Op::Mad:
                vfmadd231pd(a, b, c);
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
                vpsllvq(a, a, more);
                break;
            case Op::Shr:
                vandps(more, b, help);
                vpsrlvq(a, a, more);
                break;
            case Op::Asr:
                vandps(more, b, help);
                vpsravq(a, a, more);
                break;
            default:  // Move
                break;
        }
    }
}

/// Adds the lanes of a part for which it holds to eax.
void Assembler::compare_part_wide(const Xmm& a, const Xmm& b, Lane lane, CondMod condition,
                                  unsigned part, const Shape& shape) {
    const Reg32 to = part == 0 ? eax : ecx;
    if (level_ == Level::Avx512) {
        if (lane == Lane::Double)
            vcmppd(k1, a, b, float_relation(condition));
        else if (lane == Lane::I64)
            vpcmpq(k1, a, b, integer_relation(condition));
        else
            vpcmpuq(k1, a, b, integer_relation(condition));
        kmovb(to, k1);
    } else {
        const Ymm r(kHelp), help(kMore);
        const bool ordered = condition != CondMod::Z && condition != CondMod::NZ;
        if (lane == Lane::Double) {
            vcmppd(r, a, b, float_relation(condition));
        } else {
            // Unsigned order is the signed order of what lies half the range below.
            Xmm second = b;
            if (lane == Lane::U64 && ordered) {
                vpbroadcastq(help, wide_constant(kSign));
                vpxor(a, a, help);
                vpxor(help, b, help);
                second = help;
            }
            const bool swapped = condition == CondMod::L || condition == CondMod::GE;
            if (!ordered)
                vpcmpeqq(r, a, second);
            else if (swapped)
                vpcmpgtq(r, second, a);
            else
                vpcmpgtq(r, a, second);
        }
        vmovmskpd(to, r);
        const bool complement =
            lane != Lane::Double &&
            (condition == CondMod::NZ || condition == CondMod::GE || condition == CondMod::LE);
        if (complement) xor_(to, 15);
    }
    if (part != 0) {
        shl(ecx, part * shape.lanes);
        or_(eax, ecx);
    }
}

/// eax: the lanes whose first operand stands so to the second, or to zero.
void Assembler::relation_wide(const DecodedInstruction& d, CondMod condition, const Shape& shape,
                              bool against_zero) {
    Lane lane = d.form.lane;
    if (against_zero && !is_double(d)) lane = d.fast.signed_result ? Lane::I64 : Lane::U64;
    const Xmm zero = wide(kOther, shape), copy = wide(kThird, shape);
    if (against_zero) vpxor(Xmm(int(kOther)), Xmm(int(kOther)), Xmm(int(kOther)));
    for (unsigned p = 0; p < shape.parts; ++p) {
        Xmm a = wide(kFirst + p, shape);
        if (against_zero) {
            // The results are still needed.
            vmovaps(copy, a);
            a = copy;
        }
        compare_part_wide(a, against_zero ? zero : wide(kSecond + p, shape), lane, condition, p,
                          shape);
    }
}

}  // namespace gen9::eu::jit
