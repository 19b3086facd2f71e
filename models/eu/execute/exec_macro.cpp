// SPDX-License-Identifier: Apache-2.0
// The steps of the correctly rounded divide and square root macros (EU-250, EU-264..EU-268).
#include <cmath>
#include <limits>

#include "eu/execute/families.h"
#include "eu/thread/extended.h"
#include "eu/thread/ieee_flags.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::MathFunction;
using isa::Opcode;
using isa::Type;

namespace {

/// The macros work on whole packed operands; their Align16 fields are the special accumulators.
isa::Operand packed(const isa::Operand& operand, unsigned exec_size) {
    isa::Operand result = operand;
    result.width = result.vert_stride = static_cast<std::uint8_t>(exec_size);
    result.horz_stride = 1;
    result.replicate = false;
    return result;
}

isa::Instruction packed(const isa::Instruction& in) {
    isa::Instruction result = in;
    result.align16 = false;
    for (auto& operand : result.src)
        operand = packed(operand, in.exec_size);
    result.dst.horz_stride = 1;
    result.dst.chan_enable = 15;
    return result;
}

const FloatFormat& format_of(Type type) {
    return type == Type::DF ? kDoubleFormat : kSingleFormat;
}

std::uint8_t special_of(const Thread& thread, const isa::Operand& operand, unsigned lane) {
    return operand.special_acc < 8 ? thread.special_acc[operand.special_acc][lane & 7]
                                   : std::uint8_t{0};
}

/// Bits of a source with denorm control and sign modifiers, from the register alone.
LaneArray<std::uint64_t> source_bits(const Thread& thread, const isa::Instruction& in,
                                     const isa::Operand& operand) {
    LaneArray<std::uint64_t> raw;
    load_raw(thread, in, operand, raw);
    const FloatControl control(thread);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (operand.type == Type::DF) {
            auto v = std::bit_cast<double>(raw[lane]);
            if (!control.keep_double_denormals()) v = flush_denormal(v);
            raw[lane] =
                std::bit_cast<std::uint64_t>(modify_sign(v, operand.absolute, operand.negate));
        } else {
            auto v = std::bit_cast<float>(static_cast<std::uint32_t>(raw[lane]));
            if (!control.keep_float_denormals()) v = flush_denormal(v);
            raw[lane] =
                std::bit_cast<std::uint32_t>(modify_sign(v, operand.absolute, operand.negate));
        }
    }
    return raw;
}

void write_results(Thread& thread, const isa::Instruction& in, LaneArray<std::uint64_t>& raw,
                   const LaneArray<std::uint8_t>& special, std::uint32_t enabled) {
    write_destination(thread, in, raw, raw, enabled);
    if (in.dst.special_acc >= 8) return;
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        if (enabled >> lane & 1) thread.special_acc[in.dst.special_acc][lane & 7] = special[lane];
}

std::uint64_t flushed(std::uint64_t bits, Type type, FloatControl control) {
    if (type == Type::DF)
        return control.keep_double_denormals()
                   ? bits
                   : std::bit_cast<std::uint64_t>(flush_denormal(std::bit_cast<double>(bits)));
    const auto v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return control.keep_float_denormals() ? bits : std::bit_cast<std::uint32_t>(flush_denormal(v));
}

/// A denormal result that is flushed is inexact and no underflow (003:21890-21914).
std::uint32_t after_flush(std::uint32_t exceptions, bool flushed, Type type, FloatControl control) {
    const bool keeps =
        type == Type::DF ? control.keep_double_denormals() : control.keep_float_denormals();
    if (keeps || !(flushed || (exceptions & sr0::kUnderflow))) return exceptions;
    return (exceptions & ~sr0::kUnderflow) | sr0::kInexact;
}

Outcome execute_madm(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction in = packed(d.instruction);
    const std::uint32_t enabled = write_lanes(thread, in);
    const FloatControl control(thread);
    const FloatFormat& format = format_of(in.dst.type);
    const bool extended = in.dst.special_acc < 8;
    const auto a = source_bits(thread, in, in.src[0]), b = source_bits(thread, in, in.src[1]),
               c = source_bits(thread, in, in.src[2]);
    // Only the last step, whose result is the quotient or root, signals.
    const bool signals = (control.bits & cr0::kIeeeTrap) && !extended;
    if (signals) [[unlikely]]
        thread.state[1] |= signalling_sources(thread, in, enabled);
    LaneArray<std::uint64_t> raw;
    LaneArray<std::uint8_t> special;
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const ExtendedBits x{a[lane], special_of(thread, in.src[0], lane)},
            y{b[lane], special_of(thread, in.src[1], lane)},
            z{c[lane], special_of(thread, in.src[2], lane)};
        const ExtendedBits result = extended_fma(x, y, z, format, control.rounding(), extended);
        raw[lane] = extended ? result.bits : flushed(result.bits, in.dst.type, control);
        special[lane] = result.special;
        if (signals) [[unlikely]]
            thread.state[1] |=
                after_flush(extended_fma_exceptions(x, y, z, format, control.rounding()),
                            raw[lane] != result.bits, in.dst.type, control);
    }
    write_results(thread, in, raw, special, enabled);
    advance(thread, d.next_ip);
    return Outcome::Next;
}

template <class F>
std::uint64_t bits_of(F value) {
    if constexpr (sizeof(F) == 4)
        return std::bit_cast<std::uint32_t>(value);
    else
        return std::bit_cast<std::uint64_t>(value);
}
template <class F>
F value_of(std::uint64_t bits) {
    if constexpr (sizeof(F) == 4)
        return std::bit_cast<F>(static_cast<std::uint32_t>(bits));
    else
        return std::bit_cast<F>(bits);
}

/// The approximation that starts the sequence, or with `early` the final result (EU-264): operands
/// for which the quotient or root is a zero, an infinity or NaN.
struct Start {
    ExtendedBits value;
    bool early;
    std::uint32_t exceptions = 0;
};

template <class F>
Start start_divide(std::uint64_t numerator, std::uint64_t denominator, const FloatFormat& format) {
    const F a = value_of<F>(numerator), b = value_of<F>(denominator);
    if (is_nan(b)) return {{bits_of(quiet(b)), 0}, true};
    if (is_nan(a)) return {{bits_of(quiet(a)), 0}, true};
    if (a == 0 || b == 0 || std::isinf(a) || std::isinf(b)) {
        const bool invalid = (a == 0 && b == 0) || (std::isinf(a) && std::isinf(b));
        const bool pole = b == 0 && !std::isinf(a);
        return {{bits_of(a / b), 0}, true, invalid ? sr0::kInvalid : pole ? sr0::kDivideByZero : 0};
    }
    return {extended_reciprocal(denominator, format), false};
}

template <class F>
Start start_root(std::uint64_t source, const FloatFormat& format) {
    const F a = value_of<F>(source);
    if (is_nan(a)) return {{bits_of(quiet(a)), 0}, true};
    if (a == 0) return {{source, 0}, true};
    if (a < 0) return {{bits_of(std::numeric_limits<F>::quiet_NaN()), 0}, true, sr0::kInvalid};
    if (std::isinf(a)) return {{source, 0}, true};
    return {extended_reciprocal_root(source, format), false};
}

Outcome execute_start(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction in = packed(d.instruction);
    const std::uint32_t enabled = write_lanes(thread, in);
    const FloatFormat& format = format_of(in.dst.type);
    const bool wide = in.dst.type == Type::DF, divide = in.math == MathFunction::Invm;
    const auto a = source_bits(thread, in, in.src[0]);
    LaneArray<std::uint64_t> b = a, raw;
    if (divide) b = source_bits(thread, in, in.src[1]);
    LaneArray<std::uint8_t> special;
    std::uint32_t early = 0, signalled = 0;
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const Start start = divide ? (wide ? start_divide<double>(a[lane], b[lane], format)
                                           : start_divide<float>(a[lane], b[lane], format))
                                   : (wide ? start_root<double>(a[lane], format)
                                           : start_root<float>(a[lane], format));
        raw[lane] = start.value.bits;
        special[lane] = start.value.special;
        early |= std::uint32_t{start.early} << lane;
        signalled |= start.exceptions;
    }
    if (FloatControl(thread).bits & cr0::kIeeeTrap) [[unlikely]]
        thread.state[1] |= signalled | signalling_sources(thread, in, enabled);
    write_results(thread, in, raw, special, enabled);
    update_flag(thread, in, enabled, early);
    advance(thread, d.next_ip);
    return Outcome::Next;
}

}  // namespace

Execute macro_executor(const isa::Instruction& in) {
    const Domain domain = execution_domain(in);
    if (domain != Domain::Single && domain != Domain::Double) return nullptr;
    if (in.opcode == Opcode::Madm) return execute_madm;
    if (in.opcode != Opcode::Math) return nullptr;
    if (in.math == MathFunction::Invm && in.source_count < 2) return nullptr;
    return in.math == MathFunction::Invm || in.math == MathFunction::Rsqtm ? execute_start
                                                                           : nullptr;
}

}  // namespace gen9::eu
