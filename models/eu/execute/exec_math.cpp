// SPDX-License-Identifier: Apache-2.0
// Math functions and integer division (EU-254..EU-263, 003:24065-24247). The results are those of
// the host's library rounded to nearest, well inside the PRM's bounds; the hardware's own last bits
// are not published.
#include <cmath>
#include <limits>

#include "eu/execute/families.h"
#include "eu/execute/math_function.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::MathFunction;
using isa::Type;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// 003:24163-24208 with the shifted columns put right (guide 3.1 item 19): the base counts by its
/// magnitude, powers that have no limit are NaN. The alternate mode's table has 1 for 0 to the 0.
float power(float base, float exponent, bool alternate) {
    if (is_nan(base) || is_nan(exponent)) return kNan;
    const float x = std::abs(base);
    if (exponent == 0) return (x == 0 || std::isinf(x)) && !alternate ? kNan : 1.0f;
    if (x == 1 && std::isinf(exponent)) return kNan;
    return std::pow(x, exponent);
}

float fdiv(float a, float b) {
    if (is_nan(b)) return quiet(b);
    return a / b;
}

}  // namespace

float evaluate_math(MathFunction function, float a, float b, bool alternate) {
    if (is_nan(a)) return function == MathFunction::Fdiv && is_nan(b) ? quiet(b) : quiet(a);
    const bool root = function == MathFunction::Log || function == MathFunction::Sqrt ||
                      function == MathFunction::Rsq;
    if (root && alternate) a = std::abs(a);
    switch (function) {
        case MathFunction::Inv:
            return 1.0f / a;
        case MathFunction::Log:
            if (a == 0) return -kInfinity;
            return a < 0 ? kNan : std::log2(a);
        case MathFunction::Exp:
            return std::exp2(a);
        // The host's root of a negative number is NaN, that of a zero the zero itself.
        case MathFunction::Sqrt:
            return std::sqrt(a);
        case MathFunction::Rsq:
            return 1.0f / std::sqrt(a);
        case MathFunction::Sin:
            return std::isinf(a) ? kNan : std::sin(a);
        case MathFunction::Cos:
            return std::isinf(a) ? kNan : std::cos(a);
        case MathFunction::Fdiv:
            return fdiv(a, b);
        case MathFunction::Pow:
            return power(a, b, alternate);
        default:
            return kNan;
    }
}

namespace {

bool has_two_sources(MathFunction function) {
    return function == MathFunction::Fdiv || function == MathFunction::Pow;
}

/// 003:21778-21827: invalid operands other than signalling NaN count with FDIV and SQRT, poles with
/// FDIV and LOG, whose pole the host does not see.
std::uint32_t signalled_by(MathFunction function) {
    const std::uint32_t others = sr0::kExceptions & ~(sr0::kInvalid | sr0::kDivideByZero);
    if (function == MathFunction::Fdiv) return sr0::kExceptions;
    return function == MathFunction::Sqrt ? others | sr0::kInvalid : others;
}

template <Domain D>
Outcome execute_function(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    // Halves are always IEEE (EU-134).
    const bool alternate = FloatControl(thread).alternate() && in.src[0].type == isa::Type::F;
    LaneArray<Value<D>> a, b, result;
    load_source<D>(thread, in, in.src[0], a);
    const bool two = has_two_sources(in.math) && in.source_count > 1;
    HostFlush flush(D == Domain::Single && flushes_singles(thread));
    if (two) load_source<D>(thread, in, in.src[1], b);
    Signals<D> signals(thread, in, enabled);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const auto x = static_cast<float>(a[lane]), y = two ? static_cast<float>(b[lane]) : 0.0f;
        signals.compute(
            1u << lane, result[lane],
            [&]() -> Value<D> { return evaluate_math(in.math, x, y, alternate); },
            signalled_by(in.math));
        if (in.math == MathFunction::Log && x == 0) signals.add(1u << lane, sr0::kDivideByZero);
    }
    finish<D>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

Outcome execute_divide(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    LaneArray<Int128> a, b, quotient, remainder;
    load_source<Domain::Integer>(thread, in, in.src[0], a);
    load_source<Domain::Integer>(thread, in, in.src[1], b);
    const bool is_signed = isa::is_signed(in.src[0].type);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const Division result = divide(static_cast<std::int64_t>(a[lane]),
                                       static_cast<std::int64_t>(b[lane]), is_signed);
        quotient[lane] = result.quotient;
        remainder[lane] = result.remainder;
    }
    finish<Domain::Integer>(thread, d, in.math == MathFunction::IntRemainder ? remainder : quotient,
                            enabled);
    if (in.math == MathFunction::IntDivBoth && in.dst.is_grf() && !in.dst.indirect) {
        // The remainder goes to the registers behind the quotient's.
        DecodedInstruction second = d;
        second.instruction.dst.reg =
            static_cast<std::uint8_t>(in.dst.reg + std::max<unsigned>(d.writes.count, 1));
        finish<Domain::Integer>(thread, second, remainder, enabled);
    }
    leave(thread, d);
    return Outcome::Next;
}

}  // namespace

Execute math_executor(const isa::Instruction& in) {
    if (in.opcode != isa::Opcode::Math) return nullptr;
    switch (in.math) {
        case MathFunction::IntDivBoth:
        case MathFunction::IntQuotient:
        case MathFunction::IntRemainder:
            return execution_domain(in) == Domain::Integer ? execute_divide : nullptr;
        case MathFunction::Invm:
        case MathFunction::Rsqtm:
            return nullptr;
        default:
            break;
    }
    switch (execution_domain(in)) {
        case Domain::Single:
            return execute_function<Domain::Single>;
        case Domain::Half:
            return execute_function<Domain::Half>;
        default:
            return nullptr;
    }
}

}  // namespace gen9::eu
