// SPDX-License-Identifier: Apache-2.0
// Which operation on which lane type an instruction is, if a specialised function has it.
#include <algorithm>

#include "common/bits.h"
#include "eu/fast/selector.h"

namespace gen9::eu::fast {

using isa::CondMod;
using isa::Opcode;
using isa::Operand;
using isa::Type;

namespace {

bool is_accumulator(const Operand& operand) {
    return operand.is_arf(isa::Arf::Accumulator);
}
bool is_modified(const Operand& operand) {
    return operand.negate || operand.absolute;
}

/// An integer immediate with its modifiers, exactly.
Int128 immediate_value(const Operand& operand) {
    const unsigned width = isa::size_bytes(operand.type) * 8;
    Int128 v = isa::is_signed(operand.type)
                   ? Int128{sign_extend(operand.immediate, width)}
                   : Int128{width == 64 ? operand.immediate
                                        : operand.immediate & ((std::uint64_t{1} << width) - 1)};
    if (operand.absolute && v < 0) v = -v;
    return operand.negate ? -v : v;
}

Op math_operation(isa::MathFunction function) {
    switch (function) {
        case isa::MathFunction::Inv:
            return Op::Inverse;
        case isa::MathFunction::Log:
            return Op::Log;
        case isa::MathFunction::Exp:
            return Op::Exp;
        case isa::MathFunction::Sqrt:
            return Op::Root;
        case isa::MathFunction::Rsq:
            return Op::InverseRoot;
        case isa::MathFunction::Sin:
            return Op::Sin;
        case isa::MathFunction::Cos:
            return Op::Cos;
        case isa::MathFunction::Fdiv:
            return Op::Divide;
        case isa::MathFunction::Pow:
            return Op::Pow;
        default:
            return Op::None;
    }
}

}  // namespace

bool Selector::classify() {
    switch (in_.opcode) {
        case Opcode::Mov:
            return classify_move();
        case Opcode::Cmp:
            return classify_compare();
        case Opcode::Sel:
            return classify_select();
        case Opcode::Csel:
            return classify_conditional_select();
        case Opcode::Add:
            return classify_arithmetic(Op::Add);
        case Opcode::Mul:
            return classify_arithmetic(Op::Mul);
        case Opcode::Mad:
            return classify_arithmetic(Op::Mad);
        case Opcode::Madm:
            return classify_macro();
        case Opcode::And:
            return classify_integer(Op::And);
        case Opcode::Or:
            return classify_integer(Op::Or);
        case Opcode::Xor:
            return classify_integer(Op::Xor);
        case Opcode::Not:
            return classify_integer(Op::Not);
        case Opcode::Shl:
            return classify_integer(Op::Shl);
        case Opcode::Shr:
            return classify_integer(Op::Shr);
        case Opcode::Asr:
            return classify_integer(Op::Asr);
        case Opcode::Cbit:
            return classify_bits(Op::CountBits);
        case Opcode::Bfrev:
            return classify_bits(Op::ReverseBits);
        case Opcode::Lzd:
            return classify_bits(Op::LeadingZeros);
        case Opcode::Fbl:
            return classify_bits(Op::FirstLow);
        case Opcode::Fbh:
            return in_.src[0].type == Type::UD && classify_bits(Op::FirstHigh);
        case Opcode::Mach:
            return classify_carry(Op::Mach);
        case Opcode::Addc:
            return classify_carry(Op::AddCarry);
        case Opcode::Subb:
            return classify_carry(Op::SubBorrow);
        case Opcode::Rnde:
        case Opcode::Rndd:
        case Opcode::Rndu:
        case Opcode::Rndz:
        case Opcode::Math:
            return classify_math();
        case Opcode::Frc:
            return all_of_type(Type::F) && ask(Op::Fraction, Lane::Single, 1);
        case Opcode::Lrp:
            request_.staged = true;
            return all_of_type(Type::F) && ask(Op::Mix, Lane::Single, 3);
        case Opcode::Pln:
            return classify_plane();
        default:
            return false;
    }
}

bool Selector::all_of_type(Type type) const {
    for (unsigned i = 0; i < in_.source_count; ++i)
        if (in_.src[i].type != type) return false;
    return in_.dst.type == type;
}

/// Singles, with halves among them: computed as singles and rounded once. A single has more than
/// twice a half's digits and two, so that rounding twice changes no sum, product or quotient.
bool Selector::all_float(bool halves_too) const {
    const auto fitting = [&](Type type) {
        return type == Type::F || (halves_too && type == Type::HF);
    };
    for (unsigned i = 0; i < in_.source_count; ++i)
        if (!fitting(in_.src[i].type)) return false;
    return fitting(in_.dst.type);
}

bool Selector::all_integer() const {
    for (unsigned i = 0; i < in_.source_count; ++i)
        if (!is_integer(in_.src[i].type)) return false;
    return is_integer(in_.dst.type);
}

unsigned Selector::widest() const {
    unsigned size = element_bytes(in_.dst);
    for (unsigned i = 0; i < in_.source_count; ++i)
        size = std::max(size, element_bytes(in_.src[i]));
    return size;
}

bool Selector::classify_move() {
    const Operand& src = in_.src[0];
    const Type to = in_.dst.type, from = src.type;
    if (from == to && !is_modified(src) && !in_.saturate && in_.cond_mod == CondMod::None &&
        !is_accumulator(src) && !is_accumulator(in_.dst)) {
        const unsigned size = isa::size_bytes(to);
        raw_ = true;
        return ask(Op::Move,
                   size == 8                           ? Lane::U64
                   : size == 2 && is_plain_word_move() ? Lane::U16
                                                       : Lane::U32,
                   1);
    }
    if (is_integer(from) && is_integer(to))
        return !in_.saturate && ask(Op::Move, modular_lane(), 1);
    return classify_float_move();
}

bool Selector::classify_float_move() {
    const Type to = in_.dst.type, from = in_.src[0].type;
    const bool from_integer = is_integer(from), to_integer = is_integer(to);
    const unsigned from_bytes = isa::size_bytes(from);
    if (from == to)
        return from == Type::DF ? ask(Op::Move, Lane::Double, 1)
                                : from == Type::F && ask(Op::Move, Lane::Single, 1);
    // Conditions would have to see the converted value; saturation of integers is in the clamping.
    if (in_.cond_mod != CondMod::None || (from_integer && in_.saturate)) return false;
    if (in_.src[0].file == isa::RegFile::Imm) return false;
    if (from_integer && is_modified(in_.src[0])) return classify_negated_integer();
    if (from == Type::DF || to == Type::DF) {
        // No conversion between doubles and bytes or halves (EU-133).
        const Type other = from == Type::DF ? to : from;
        return other != Type::HF && isa::size_bytes(other) > 1 && (!in_.saturate || !to_integer) &&
               ask(Op::Move, Lane::Double, 1);
    }
    if (from_integer && is_accumulator(in_.src[0])) return false;  // 64 bits (accumulator.h)
    if (from_integer && from_bytes <= 4) {
        // Integers that overflow a half are exact singles or far beyond it.
        ask(Op::ToSingle, from == Type::UD ? Lane::U32 : Lane::I32, 1);
        result_lane_ = Lane::Single;
        return true;
    }
    if ((to == Type::D || to == Type::UD) && !in_.saturate) {
        ask(to == Type::D ? Op::ToInteger : Op::ToUnsigned, Lane::Single, 1);
        result_lane_ = Lane::U32;
        return true;
    }
    return (!to_integer || !in_.saturate) && ask(Op::Move, Lane::Single, 1);
}

/// Compilers make a float of a truth value so: 0 or -1 of a comparison.
bool Selector::classify_negated_integer() {
    const Operand& src = in_.src[0];
    if (src.absolute || is_accumulator(src) || in_.dst.type == Type::DF ||
        isa::size_bytes(src.type) > 4 || src.type == Type::UD)
        return false;
    ask(Op::NegatedToSingle, Lane::I32, 1);
    result_lane_ = Lane::Single;
    dropped_negate_ = 0;
    return true;
}

/// Words have a direct form only; other word moves go through DWord lanes.
bool Selector::is_plain_word_move() const {
    const int stride = in_.src[0].file == isa::RegFile::Imm ? 0 : linear_stride(in_.src[0]);
    return (stride == 0 || stride == 1) && !in_.dst.is_null() &&
           (in_.exec_size == 1 || in_.align16 || in_.dst.horz_stride == 1);
}

bool Selector::classify_arithmetic(Op op) {
    const unsigned sources = op == Op::Mad ? 3 : 2;
    if (all_of_type(Type::DF)) return ask(op, Lane::Double, sources);
    // A fused sum of halves alone needs more digits than a single has.
    const bool half_domain = execution_domain(in_) == Domain::Half;
    if (all_float(true)) return !(op == Op::Mad && half_domain) && ask(op, Lane::Single, sources);
    return op != Op::Mad && classify_integer(op);
}

/// Operations whose low bits depend on low bits only, and shifts.
bool Selector::classify_integer(Op op) {
    if (!all_integer() || in_.saturate) return false;
    if (op == Op::Shr && isa::is_signed(in_.src[0].type)) op = Op::Asr;  // EU-220, D-47
    const bool shift = op == Op::Shl || op == Op::Shr || op == Op::Asr;
    const Lane lane = modular_lane();
    if (shift && (is_accumulator(in_.src[0]) || is_accumulator(in_.dst))) return false;
    if (shift && lane == Lane::U64 && !is_qword_mode(in_)) return false;
    if (op == Op::Asr) {
        // Arithmetic on the extended value (EU-222): unsigned sources shift zeros in.
        if (is_modified(in_.src[0])) return false;
        if (in_.src[0].type == Type::UQ || (in_.src[0].type == Type::UD && lane == Lane::U32))
            op = Op::Shr;
    }
    ask(op, lane, op == Op::Not ? 1 : 2);
    if (op == Op::Add) rewrite_subtraction();
    return true;
}

/// add with one negated register source is a subtraction without modifiers.
void Selector::rewrite_subtraction() {
    const Operand &a = in_.src[0], &b = in_.src[1];
    if (b.negate && !b.absolute && b.is_grf() && !is_modified(a)) {
        request_.op = Op::Sub;
        dropped_negate_ = 1;
    }
}

bool Selector::classify_bits(Op op) {
    const bool plain =
        !is_modified(in_.src[0]) && !in_.saturate && isa::size_bytes(in_.dst.type) == 4;
    // cbit counts what the source type has; extension of a signed one would add bits.
    return plain && all_integer() && widest() <= 4 &&
           (op != Op::CountBits || !isa::is_signed(in_.src[0].type)) && ask(op, Lane::U32, 1);
}

bool Selector::classify_math() {
    switch (in_.opcode) {
        case Opcode::Rnde:
            return all_of_type(Type::F) && ask(Op::RoundEven, Lane::Single, 1);
        case Opcode::Rndd:
            return all_of_type(Type::F) && ask(Op::RoundDown, Lane::Single, 1);
        case Opcode::Rndu:
            return all_of_type(Type::F) && ask(Op::RoundUp, Lane::Single, 1);
        case Opcode::Rndz:
            return all_of_type(Type::F) && ask(Op::RoundZero, Lane::Single, 1);
        default:
            break;
    }
    const bool quotient = in_.math == isa::MathFunction::IntQuotient;
    if (quotient || in_.math == isa::MathFunction::IntRemainder) {
        const bool is_signed = all_of_type(Type::D);
        if ((!is_signed && !all_of_type(Type::UD)) || in_.saturate || is_modified(in_.src[0]) ||
            is_modified(in_.src[1]))
            return false;
        return ask(quotient ? Op::Quotient : Op::Remainder, is_signed ? Lane::I32 : Lane::U32, 2);
    }
    const Op op = math_operation(in_.math);
    if (op == Op::None || !all_float(true)) return false;
    return ask(op, Lane::Single, op == Op::Divide || op == Op::Pow ? 2 : 1);
}

/// The terms in one half of a register, the places in whole ones.
bool Selector::classify_plane() {
    const Operand &terms = in_.src[0], &places = in_.src[1];
    return all_of_type(Type::F) && !in_.align16 && (in_.exec_size == 8 || in_.exec_size == 16) &&
           terms.is_grf() && places.is_grf() && !is_modified(terms) && !is_modified(places) &&
           terms.subreg % 16 == 0 && places.subreg == 0 && linear_stride(terms) == 0 &&
           linear_stride(places) == 1 && ask(Op::Plane, Lane::Single, 2);
}

bool Selector::fits(const Operand& operand, Int128 low, Int128 high) const {
    if (operand.file == isa::RegFile::Imm) {
        const Int128 v = immediate_value(operand);
        return low <= v && v <= high;
    }
    if (is_modified(operand) || is_accumulator(operand)) return false;
    const unsigned width = isa::size_bytes(operand.type) * 8;
    const Int128 one = 1;
    const Int128 least = isa::is_signed(operand.type) ? -(one << (width - 1)) : 0;
    const Int128 most = (isa::is_signed(operand.type) ? one << (width - 1) : one << width) - 1;
    return low <= least && most <= high;
}

/// A lane type that holds both operands' values exactly.
Lane Selector::ordered_lane() const {
    const Int128 one = 1;
    const auto both = [&](Int128 low, Int128 high) {
        return fits(in_.src[0], low, high) && fits(in_.src[1], low, high);
    };
    if (widest() <= 4) {
        if (both(-(one << 31), (one << 31) - 1)) return Lane::I32;
        if (both(0, (one << 32) - 1)) return Lane::U32;
        return Lane::None;
    }
    if (both(-(one << 63), (one << 63) - 1)) return Lane::I64;
    return both(0, (one << 64) - 1) ? Lane::U64 : Lane::None;
}

bool Selector::classify_compare() {
    if (in_.cond_mod == CondMod::None || in_.saturate) return false;
    const Type a = in_.src[0].type, b = in_.src[1].type;
    const auto single = [](Type type) { return type == Type::F || type == Type::HF; };
    Lane lane = Lane::None;
    if (single(a) && single(b))
        lane = Lane::Single;
    else if (a == Type::DF && b == Type::DF)
        lane = Lane::Double;
    else if (is_integer(a) && is_integer(b))
        lane = ordered_lane();
    if (lane == Lane::None) return false;
    ask(Op::Compare, lane, 2);
    result_lane_ = lane_bytes(lane) == 8 ? Lane::U64 : Lane::U32;
    request_.condition = in_.cond_mod;
    return true;
}

bool Selector::classify_select() {
    const bool single = all_float(true), wide = all_of_type(Type::DF);
    if (in_.cond_mod == CondMod::None) {
        if (single || wide) return ask(Op::Select, single ? Lane::Single : Lane::Double, 2);
        return all_integer() && !in_.saturate && ask(Op::Select, modular_lane(), 2);
    }
    if (in_.pred_ctrl != isa::PredCtrl::None) return false;
    const bool minimum = in_.cond_mod == CondMod::L, maximum = in_.cond_mod == CondMod::GE;
    if (!minimum && !maximum) return false;
    const Op op = minimum ? Op::Minimum : Op::Maximum;
    if (single || wide) return ask(op, single ? Lane::Single : Lane::Double, 2);
    if (!all_integer() || in_.saturate) return false;
    const Lane lane = ordered_lane();
    if (lane == Lane::None || isa::size_bytes(in_.dst.type) > lane_bytes(lane)) return false;
    return ask(op, lane, 2);
}

bool Selector::classify_conditional_select() {
    if (!all_of_type(Type::F) || in_.cond_mod == CondMod::None) return false;
    request_.staged = true;
    return ask(Op::ConditionalSelect, Lane::Single, 3);
}

/// Steps of the divide and square root macros, as long as no operand is an extended value.
bool Selector::classify_macro() {
    const bool wide = all_of_type(Type::DF);
    if (!wide && !all_of_type(Type::F)) return false;
    if (in_.exec_size != (wide ? 4 : 8) || in_.saturate || in_.cond_mod != CondMod::None ||
        !in_.dst.is_grf())
        return false;
    return ask(Op::Macro, wide ? Lane::Double : Lane::Single, 3);
}

/// The operations that write their second result to acc0.
bool Selector::classify_carry(Op op) {
    const bool types = op == Op::Mach ? all_integer() && widest() == 4 : all_of_type(Type::UD);
    if (!types || !in_.acc_write || in_.cond_mod != CondMod::None || in_.saturate ||
        in_.exec_size > 8)
        return false;
    if (is_modified(in_.src[0]) || is_modified(in_.src[1])) return false;
    // Under its immediate mach reads a DWord as the others do.
    request_.staged = true;
    return ask(op, Lane::U64, 2);
}

std::uint64_t Selector::constant_of(const Operand& operand, Lane lane) const {
    if (raw_) return operand.immediate;
    if (!is_float_lane(lane)) return static_cast<std::uint64_t>(immediate_value(operand));
    std::uint64_t bits = operand.immediate;
    unsigned top = 8 * lane_bytes(lane) - 1;
    if (operand.type == Type::HF) {
        bits = std::bit_cast<std::uint32_t>(
            half_to_float(static_cast<std::uint16_t>(operand.immediate)));
        top = 31;
    }
    if (operand.absolute) bits &= ~(std::uint64_t{1} << top);
    return operand.negate ? bits ^ std::uint64_t{1} << top : bits;
}

}  // namespace gen9::eu::fast
