// SPDX-License-Identifier: Apache-2.0
// The alternate float mode (EU-135): no infinity and no NaN comes in or out. Denormals are flushed by
// the host.
#include "eu/jit/assembler.h"
#include "eu/jit/form_facts.h"

namespace gen9::eu::jit {

using fast::Op;
using Xbyak::Xmm;

bool Assembler::makes_finite(const DecodedInstruction& d) const {
    if (!alternate_ || (d.fast.modes & cr0::kAlternate) == 0 || !knows(d) ||
        d.instruction.exec_size == 1 || !has_lane_of_32(d))
        return false;
    for (unsigned i = 0; i < d.form.sources; ++i) {
        constexpr std::uint32_t kExponent = 0x7F800000, kSign = 0x80000000;
        const auto value = static_cast<std::uint32_t>(d.fast.constant);
        const std::uint32_t exponent = value & kExponent;
        // A half's functions stay IEEE's (EU-134).
        if (d.instruction.src[i].type == isa::Type::HF) return false;
        // A constant is taken as it is.
        if (d.fast.immediate[i] && is_single(d) &&
            (exponent == kExponent || (exponent == 0 && (value & ~kSign) != 0)))
            return false;
    }
    switch (d.form.op) {
        case Op::Move:
        case Op::Compare:
        case Op::Select:
        case Op::Minimum:
        case Op::Maximum:
        case Op::RoundUp:
        case Op::RoundDown:
        case Op::RoundEven:
        case Op::RoundZero:
        case Op::ToInteger:
        case Op::ToSingle:
        case Op::NegatedToSingle:
            return true;
        default:
            return may_overflow(d.form.op);
    }
}

/// May finite operands have a result that is none?
bool Assembler::may_overflow(Op op) {
    switch (op) {
        case Op::Add:
        case Op::Mul:
        case Op::Mad:
        case Op::Mix:
        case Op::Plane:
        case Op::Inverse:
        case Op::Root:
        case Op::InverseRoot:
            return true;
        default:
            return false;
    }
}

/// NaN becomes 0, an infinity the greatest number of its sign.
void Assembler::make_finite(unsigned first, const Shape& shape) {
    const Xmm most = reg(kHelp, shape), least = reg(kMore, shape);
    vbroadcastss(most, constant(0x7F7FFFFF));
    vbroadcastss(least, constant(0xFF7FFFFF));
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm v = reg(first + p, shape);
        if (level_ == Level::Avx512) {
            vcmpps(k1, v, v, kOrdered);
            vminps(v | k1 | T_z, v, most);
        } else {
            const Xmm ordered = reg(kOther, shape);
            vcmpps(ordered, v, v, kOrdered);
            vandps(v, v, ordered);
            vminps(v, v, most);
        }
        vmaxps(v, v, least);
    }
}

}  // namespace gen9::eu::jit
