// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/ieee_flags.h"

#include <bit>
#include <cmath>

namespace gen9::eu {

using isa::Type;

namespace {

bool is_signalling_element(Type type, std::uint64_t raw) {
    switch (type) {
        case Type::F:
            return is_signalling(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
        case Type::DF:
            return is_signalling(std::bit_cast<double>(raw));
        case Type::HF:
            return (raw & 0x7C00) == 0x7C00 && (raw & 0x3FF) != 0 && (raw & 0x200) == 0;
        default:
            return false;
    }
}

double to_integral(double value, Rounding mode) {
    switch (mode) {
        case Rounding::NearestEven:
            break;
        case Rounding::Up:
            return std::ceil(value);
        case Rounding::Down:
            return std::floor(value);
        case Rounding::Zero:
            return std::trunc(value);
    }
    // This does not depend on the host's rounding mode, which is the thread's here.
    const double down = std::floor(value), part = value - down;
    const bool odd = std::fmod(down, 2.0) != 0;
    return part > 0.5 || (part == 0.5 && odd) ? down + 1 : down;
}

/// Rounds to 11 significant bits with any exponent (003:21855).
double round_to_half_precision(double value, Rounding mode) {
    int exponent;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(to_integral(std::ldexp(fraction, 11), mode), exponent - 11);
}

/// `flushes`: a denormal result becomes zero; moves between formats keep it (EU-132).
std::uint32_t to_half(double value, Rounding mode, bool flushes) {
    if (!std::isfinite(value) || value == 0) return 0;
    const double unbounded = std::abs(round_to_half_precision(value, mode));
    if (unbounded > 65504.0) return sr0::kOverflow | sr0::kInexact;
    const std::uint16_t half = double_to_half(value, mode);
    if (flushes && (half & 0x7C00) == 0) return sr0::kInexact;
    if (half_to_double(half) == value) return 0;
    return sr0::kInexact | (unbounded < 0x1p-14 ? sr0::kUnderflow : 0);
}

/// EU-152; an unsigned result between -1 and 0 is 0, inexactly.
std::uint32_t to_integer(double value, Type type, FloatControl control) {
    if (is_nan(value)) return sr0::kInvalid;
    const double rounded = to_integral(value, control.to_integer());
    const bool is_signed = isa::is_signed(type);
    const double high =
        std::ldexp(1.0, static_cast<int>(isa::size_bytes(type)) * 8 - (is_signed ? 1 : 0));
    if (rounded >= high || rounded < (is_signed ? -high : 0.0)) return sr0::kInvalid;
    return rounded == value ? 0 : sr0::kInexact;
}

std::uint32_t to_single(double value, FloatControl control) {
    if (is_denormal(value)) return sr0::kInexact;  // becomes a zero (EU-131)
    std::feclearexcept(FE_ALL_EXCEPT);
    asm volatile("" : "+m"(value));
    volatile float narrow = static_cast<float>(value);
    return after_flush<Domain::Single>(host_exceptions(), narrow, control);
}

bool is_integer(Type type) {
    return !isa::is_float(type);
}

}  // namespace

std::uint32_t host_exceptions() {
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INVALID ? sr0::kInvalid : 0) |
           (raised & FE_DIVBYZERO ? sr0::kDivideByZero : 0) |
           (raised & FE_UNDERFLOW ? sr0::kUnderflow : 0) |
           (raised & FE_OVERFLOW ? sr0::kOverflow : 0) | (raised & FE_INEXACT ? sr0::kInexact : 0);
}

std::uint32_t signalling_sources(const Thread& thread, const isa::Instruction& in,
                                 std::uint32_t enabled) {
    const bool alternate = FloatControl(thread).alternate();
    for (unsigned i = 0; i < in.source_count; ++i) {
        const Type type = in.src[i].type;
        if (!isa::is_float(type) || (alternate && type == Type::F)) continue;
        LaneArray<std::uint64_t> raw;
        load_raw(thread, in, in.src[i], raw);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if ((enabled >> lane & 1) && is_signalling_element(type, raw[lane]))
                return sr0::kInvalid;
    }
    return 0;
}

template <>
std::uint32_t conversion_exceptions<Domain::Single>(float value, Type type, FloatControl control) {
    if (type == Type::HF) return to_half(value, control.rounding(), false);
    return is_integer(type) ? to_integer(value, type, control) : 0;
}

template <>
std::uint32_t conversion_exceptions<Domain::Double>(double value, Type type, FloatControl control) {
    if (type == Type::F) return to_single(value, control);
    return is_integer(type) ? to_integer(value, type, control) : 0;
}

template <>
std::uint32_t conversion_exceptions<Domain::Half>(double value, Type type, FloatControl control) {
    if (type == Type::HF) return to_half(value, control.rounding(), !control.keep_half_denormals());
    return is_integer(type) ? to_integer(value, type, control) : 0;
}

/// 003:21694-21700: inexact or, to halves, too large.
template <>
std::uint32_t conversion_exceptions<Domain::Integer>(Int128 value, Type type,
                                                     FloatControl control) {
    const auto exact = static_cast<double>(static_cast<std::int64_t>(value));
    if (type == Type::HF) return to_half(exact, control.rounding(), false);
    if (!isa::is_float(type)) return 0;
    const unsigned precision = type == Type::DF ? 53 : 24;
    const auto magnitude = static_cast<Uint128>(value < 0 ? -value : value);
    if (magnitude == 0) return 0;
    const auto low = static_cast<std::uint64_t>(magnitude),
               high = static_cast<std::uint64_t>(magnitude >> 64);
    const int trailing = low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
    const int width = high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
    return width - trailing > static_cast<int>(precision) ? sr0::kInexact : 0;
}

}  // namespace gen9::eu
