// SPDX-License-Identifier: Apache-2.0
// Between register elements and domain values: EU-123..EU-133, 003:21657-22125.
#include <bit>
#include <cmath>

#include "eu/execute/operands.h"
#include "eu/thread/accumulator.h"
#include "eu/thread/ieee_flags.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Type;

namespace {

Int128 integer_element(std::uint64_t raw, Type type) {
    switch (type) {
        case Type::B:
            return static_cast<std::int8_t>(raw);
        case Type::W:
        case Type::V:
            return static_cast<std::int16_t>(raw);
        case Type::D:
            return static_cast<std::int32_t>(raw);
        case Type::Q:
            return static_cast<std::int64_t>(raw);
        default:
            return raw;
    }
}

/// An integer accumulator channel shows its whole width, with the sign its type says.
Int128 accumulator_element(std::uint64_t raw, Type type) {
    return isa::is_signed(type) ? Int128{static_cast<std::int64_t>(raw)} : Int128{raw};
}

template <class F>
F to_float(Int128 value) {
    // Beyond 64 bits only the leading ones and whether anything follows matter for rounding.
    const bool negative = value < 0;
    auto magnitude = static_cast<Uint128>(negative ? -value : value);
    int shift = 0;
    while (magnitude >> 63 != 0) {
        magnitude = magnitude >> 1 | (magnitude & 1);
        ++shift;
    }
    const auto word = static_cast<std::int64_t>(magnitude);
    return static_cast<F>(negative ? -word : word) *
           static_cast<F>(std::uint64_t{1} << (shift & 63));
}

struct Range {
    Int128 low, high;
};
constexpr Range range_of(Type type) {
    const unsigned width = isa::size_bytes(type) * 8;
    const Int128 one = 1;
    if (isa::is_signed(type)) return {-(one << (width - 1)), (one << (width - 1)) - 1};
    return {0, (one << width) - 1};
}

double round_by_mode(double value, Rounding mode) {
    switch (mode) {
        case Rounding::NearestEven:
            return std::nearbyint(value);
        case Rounding::Up:
            return std::ceil(value);
        case Rounding::Down:
            return std::floor(value);
        case Rounding::Zero:
            return std::trunc(value);
    }
    return value;
}

/// EU-127: NaN gives 0, what is out of range its nearest end, with or without .sat.
Converted float_to_integer(double value, Type type, FloatControl control) {
    if (is_nan(value)) return {0, false, true};
    const Range range = range_of(type);
    const double rounded = round_by_mode(value, control.to_integer());
    const double high = std::ldexp(
        1.0, static_cast<int>(isa::size_bytes(type)) * 8 - (isa::is_signed(type) ? 1 : 0));
    const double low = isa::is_signed(type) ? -high : 0.0;
    if (rounded >= high) return {static_cast<std::uint64_t>(range.high), true, false};
    if (rounded < low) return {static_cast<std::uint64_t>(range.low), true, false};
    const std::uint64_t raw =
        rounded < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
        : rounded >= 0x1p63
            ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded - 0x1p63)) |
                  std::uint64_t{1} << 63
            : static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded));
    return {raw, false, false};
}

/// EU-125: [0,1]; NaN gives 0.
template <class F>
F saturate_float(F v) {
    if (is_nan(v)) return F{0};
    if (v >= F{1}) return F{1};
    return v > F{0} ? v : F{0};
}

Converted single_result(float value, bool saturate, FloatControl control) {
    Converted result;
    result.overflow = std::isinf(value);
    result.nan = is_nan(value);
    if (control.alternate()) value = alternate_output(value);
    if (!control.keep_float_denormals()) value = flush_denormal(value);
    if (saturate) value = saturate_float(value);
    result.raw = std::bit_cast<std::uint32_t>(value);
    return result;
}

Converted double_result(double value, bool saturate, FloatControl control) {
    Converted result;
    result.overflow = std::isinf(value);
    result.nan = is_nan(value);
    if (!control.keep_double_denormals()) value = flush_denormal(value);
    if (saturate) value = saturate_float(value);
    result.raw = std::bit_cast<std::uint64_t>(value);
    return result;
}

/// `conversion`: only the format changes, so denormals are kept whatever cr0 says (EU-132).
Converted half_result(double value, bool saturate, FloatControl control, bool conversion) {
    Converted result;
    if (saturate) {
        result.nan = is_nan(value);
        result.overflow = std::abs(value) > 65504.0;
        value = saturate_float(value);
    }
    std::uint16_t half = double_to_half(value, control.rounding());
    if (!saturate) {
        result.nan = is_nan(value);
        result.overflow = (half & 0x7FFF) == 0x7C00;
    }
    if (!conversion && !control.keep_half_denormals() && (half & 0x7C00) == 0) half &= 0x8000;
    result.raw = half;
    return result;
}

}  // namespace

template <>
void load_source<Domain::Integer>(const Thread& thread, const isa::Instruction& in,
                                  const isa::Operand& operand, LaneArray<Int128>& values) {
    LaneArray<std::uint64_t> raw;
    load_raw(thread, in, operand, raw);
    const bool accumulator = operand.is_arf(isa::Arf::Accumulator);
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        values[lane] = accumulator ? accumulator_element(raw[lane], operand.type)
                                   : integer_element(raw[lane], operand.type);
    using isa::Opcode;
    const bool logic = in.opcode == Opcode::And || in.opcode == Opcode::Or ||
                       in.opcode == Opcode::Xor || in.opcode == Opcode::Not;
    if (logic) {
        // Only the plain "-" means something here: bitwise not (EU-124).
        if (operand.negate && !operand.absolute)
            for (unsigned lane = 0; lane < in.exec_size; ++lane)
                values[lane] = ~values[lane];
        return;
    }
    if (operand.absolute)
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (values[lane] < 0) values[lane] = -values[lane];
    if (operand.negate)
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            values[lane] = -values[lane];
}

template <>
void load_source<Domain::Single>(const Thread& thread, const isa::Instruction& in,
                                 const isa::Operand& operand, LaneArray<float>& values) {
    LaneArray<std::uint64_t> raw;
    load_raw(thread, in, operand, raw);
    const FloatControl control(thread);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        float v;
        if (operand.type == Type::F || operand.type == Type::VF) {
            v = std::bit_cast<float>(static_cast<std::uint32_t>(raw[lane]));
            if (!control.keep_float_denormals()) v = flush_denormal(v);
        } else if (operand.type == Type::HF) {
            auto half = static_cast<std::uint16_t>(raw[lane]);
            if (!control.keep_half_denormals() && (half & 0x7C00) == 0) half &= 0x8000;
            v = half_to_float(half);
        } else {
            v = to_float<float>(integer_element(raw[lane], operand.type));
        }
        if (control.alternate()) v = alternate_input(v);
        values[lane] = modify_sign(v, operand.absolute, operand.negate);
    }
}

template <>
void load_source<Domain::Double>(const Thread& thread, const isa::Instruction& in,
                                 const isa::Operand& operand, LaneArray<double>& values) {
    LaneArray<std::uint64_t> raw;
    load_raw(thread, in, operand, raw);
    const FloatControl control(thread);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        double v;
        if (operand.type == Type::DF) {
            v = std::bit_cast<double>(raw[lane]);
            if (!control.keep_double_denormals()) v = flush_denormal(v);
        } else if (operand.type == Type::F || operand.type == Type::VF) {
            v = std::bit_cast<float>(static_cast<std::uint32_t>(raw[lane]));
        } else {
            v = to_float<double>(integer_element(raw[lane], operand.type));
        }
        values[lane] = modify_sign(v, operand.absolute, operand.negate);
    }
}

template <>
void load_source<Domain::Half>(const Thread& thread, const isa::Instruction& in,
                               const isa::Operand& operand, LaneArray<double>& values) {
    LaneArray<std::uint64_t> raw;
    load_raw(thread, in, operand, raw);
    const FloatControl control(thread);
    // A move between formats keeps denormals (EU-132).
    const bool keep =
        control.keep_half_denormals() || (in.opcode == isa::Opcode::Mov && in.dst.type != Type::HF);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        double v;
        if (operand.type == Type::HF) {
            auto half = static_cast<std::uint16_t>(raw[lane]);
            if (!keep && (half & 0x7C00) == 0) half &= 0x8000;
            v = half_to_double(half);
        } else {
            v = to_float<double>(integer_element(raw[lane], operand.type));
        }
        values[lane] = modify_sign(v, operand.absolute, operand.negate);
    }
}

template <>
Converted convert<Domain::Integer>(Int128 value, Type type, bool saturate, FloatControl control) {
    switch (type) {
        case Type::F:
        case Type::VF:
            return single_result(to_float<float>(value), saturate, control);
        case Type::DF:
            return double_result(to_float<double>(value), saturate, control);
        case Type::HF:
            return half_result(to_float<double>(value), saturate, control, true);
        default:
            break;
    }
    const Range range = range_of(type);
    Converted result;
    result.overflow = value < range.low || value > range.high;
    if (saturate && result.overflow) value = value < range.low ? range.low : range.high;
    const unsigned width = isa::size_bytes(type) * 8;
    result.raw = static_cast<std::uint64_t>(value) &
                 (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
    return result;
}

template <>
Converted convert<Domain::Double>(double value, Type type, bool saturate, FloatControl control) {
    switch (type) {
        case Type::DF:
            return double_result(value, saturate, control);
        case Type::F:
        case Type::VF: {
            // A double denormal becomes a signed zero in every rounding mode (EU-131).
            const auto narrow = static_cast<float>(flush_denormal(value));
            return single_result(narrow, saturate, control);
        }
        case Type::HF:
            return half_result(value, saturate, control, true);
        default:
            return float_to_integer(value, type, control);
    }
}

template <>
Converted convert<Domain::Single>(float value, Type type, bool saturate, FloatControl control) {
    switch (type) {
        case Type::F:
        case Type::VF:
            return single_result(value, saturate, control);
        case Type::DF:
            return double_result(value, saturate, control);
        case Type::HF:
            return half_result(value, saturate, control, true);
        default:
            // A denormal counts as 0 (EU-127), which matters when rounding up or down.
            return float_to_integer(flush_denormal(value), type, control);
    }
}

template <>
Converted convert<Domain::Half>(double value, Type type, bool saturate, FloatControl control) {
    switch (type) {
        case Type::HF:
            return half_result(value, saturate, control, false);
        case Type::F:
        case Type::VF:
            return single_result(static_cast<float>(value), saturate, control);
        case Type::DF:
            return double_result(value, saturate, control);
        default:
            return float_to_integer(value, type, control);
    }
}

bool condition_holds(isa::CondMod condition, Type type, const Converted& value) {
    using isa::CondMod;
    if (condition == CondMod::O) return value.overflow;
    if (condition == CondMod::U) return value.nan;
    bool nan = false, zero = false, negative = false;
    switch (type) {
        case Type::F:
        case Type::VF: {
            const auto v = std::bit_cast<float>(static_cast<std::uint32_t>(value.raw));
            nan = is_nan(v), zero = v == 0, negative = v < 0;
            break;
        }
        case Type::DF: {
            const auto v = std::bit_cast<double>(value.raw);
            nan = is_nan(v), zero = v == 0, negative = v < 0;
            break;
        }
        case Type::HF: {
            const double v = half_to_double(static_cast<std::uint16_t>(value.raw));
            nan = is_nan(v), zero = v == 0, negative = v < 0;
            break;
        }
        default: {
            const Int128 v = integer_element(value.raw, type);
            zero = v == 0, negative = v < 0;
            break;
        }
    }
    switch (condition) {
        case CondMod::Z:
            return zero && !nan;
        case CondMod::NZ:
            return !zero || nan;
        case CondMod::G:
            return !zero && !negative && !nan;
        case CondMod::GE:
            return !negative && !nan;
        case CondMod::L:
            return negative;
        case CondMod::LE:
            return (negative || zero) && !nan;
        default:
            return false;
    }
}

template <Domain D>
void finish(Thread& thread, const DecodedInstruction& d, const LaneArray<Value<D>>& result,
            std::uint32_t enabled, Flags flag_use) {
    const isa::Instruction& in = d.instruction;
    const FloatControl control(thread);
    LaneArray<std::uint64_t> raw, wide;
    std::uint32_t flags = 0;
    if (control.bits & cr0::kIeeeTrap) [[unlikely]]
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (enabled >> lane & 1)
                thread.state[1] |= conversion_exceptions<D>(result[lane], in.dst.type, control);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const Converted c = convert<D>(result[lane], in.dst.type, in.saturate, control);
        raw[lane] = c.raw;
        if constexpr (D == Domain::Integer)
            wide[lane] = in.saturate
                             ? static_cast<std::uint64_t>(integer_element(c.raw, in.dst.type))
                             : static_cast<std::uint64_t>(result[lane]);
        else
            wide[lane] = c.raw;
        if (in.cond_mod != isa::CondMod::None && condition_holds(in.cond_mod, in.dst.type, c))
            flags |= 1u << lane;
    }
    write_destination(thread, in, raw, wide, enabled);
    if (in.acc_write && !(control.bits & cr0::kAccDisable)) {
        const unsigned first = implicit_cell(in.dst.type, in.channel_offset);
        const bool is_float = isa::is_float(in.dst.type);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (enabled >> lane & 1)
                write_accumulator(thread, in.dst.type, first + lane,
                                  is_float ? raw[lane] : wide[lane]);
    }
    if (in.cond_mod != isa::CondMod::None && flag_use == Flags::Update)
        update_flag(thread, in, enabled, flags);
}

template void finish<Domain::Integer>(Thread&, const DecodedInstruction&, const LaneArray<Int128>&,
                                      std::uint32_t, Flags);
template void finish<Domain::Single>(Thread&, const DecodedInstruction&, const LaneArray<float>&,
                                     std::uint32_t, Flags);
template void finish<Domain::Double>(Thread&, const DecodedInstruction&, const LaneArray<double>&,
                                     std::uint32_t, Flags);
template void finish<Domain::Half>(Thread&, const DecodedInstruction&, const LaneArray<double>&,
                                   std::uint32_t, Flags);

}  // namespace gen9::eu
