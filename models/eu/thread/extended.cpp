// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/extended.h"

#include <bit>
#include <cmath>
#include <utility>

#include "eu/thread/float_control.h"

namespace gen9::eu {

namespace {

__extension__ typedef unsigned __int128 Uint128;

/// significand * 2^exponent.
struct Number {
    bool negative = false;
    Uint128 significand = 0;
    int exponent = 0;
};

unsigned leading_zeros(Uint128 v) {
    const auto high = static_cast<std::uint64_t>(v >> 64);
    return high ? static_cast<unsigned>(std::countl_zero(high))
                : 64u + static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(v)));
}

std::uint64_t fraction_of(std::uint64_t bits, const FloatFormat& f) {
    return bits & ((std::uint64_t{1} << (f.precision - 1)) - 1);
}
int exponent_field(std::uint64_t bits, const FloatFormat& f) {
    return static_cast<int>(bits >> (f.precision - 1) &
                            static_cast<unsigned>(2 * f.max_exponent + 1));
}
bool is_finite(std::uint64_t bits, const FloatFormat& f) {
    return exponent_field(bits, f) != 2 * f.max_exponent + 1;
}

Number unpack(ExtendedBits v, const FloatFormat& f) {
    Number n;
    n.negative = v.bits >> (f.width() - 1) & 1;
    const int field = exponent_field(v.bits, f);
    n.significand = fraction_of(v.bits, f) | (field ? std::uint64_t{1} << (f.precision - 1) : 0);
    n.exponent = (field ? field : 1) - f.max_exponent - static_cast<int>(f.precision - 1);
    if (v.special == 1) n.exponent += f.wrap;
    if (v.special == 2) n.exponent -= f.wrap;
    return n;
}

/// Leading one to bit 125, so that a sum still fits and shifted-out bits can be kept in bit 0.
void normalise(Number& n) {
    if (n.significand == 0) return;
    const int shift = static_cast<int>(leading_zeros(n.significand)) - 2;
    n.significand <<= shift;
    n.exponent -= shift;
}

/// Shift right; what falls out is remembered in the lowest bit.
Uint128 shift_right_sticky(Uint128 v, int count) {
    if (count == 0) return v;
    if (count > 126) return v != 0;
    return v >> count | ((v & ((Uint128{1} << count) - 1)) != 0);
}

bool rounds_up(Uint128 rest, Uint128 half, bool odd, bool negative, Rounding mode) {
    switch (mode) {
        case Rounding::NearestEven:
            return rest > half || (rest == half && odd);
        case Rounding::Up:
            return rest != 0 && !negative;
        case Rounding::Down:
            return rest != 0 && negative;
        case Rounding::Zero:
            return false;
    }
    return false;
}

ExtendedBits round_and_pack(Number n, const FloatFormat& f, Rounding mode, bool extended) {
    const std::uint64_t sign = std::uint64_t{n.negative} << (f.width() - 1);
    if (n.significand == 0) return {sign, 0};
    const int top = 127 - static_cast<int>(leading_zeros(n.significand));
    const int exponent = n.exponent + top;  // of the leading one
    int kept = static_cast<int>(f.precision);
    // A denormal result keeps fewer bits, in the plain format only.
    if (!extended && exponent < f.min_exponent()) kept -= f.min_exponent() - exponent;
    int dropped = top + 1 - kept;
    std::uint64_t significand;
    bool inexact = dropped > 0;
    if (dropped <= 0) {
        significand = static_cast<std::uint64_t>(n.significand << -dropped);
    } else if (dropped > 127) {
        significand = rounds_up(1, 2, false, n.negative, mode);
        dropped = 127;
    } else {
        const Uint128 rest = n.significand & ((Uint128{1} << dropped) - 1);
        inexact = rest != 0;
        significand = static_cast<std::uint64_t>(n.significand >> dropped);
        significand +=
            rounds_up(rest, Uint128{1} << (dropped - 1), significand & 1, n.negative, mode);
    }
    int result_exponent = exponent;
    if (significand >> f.precision) {
        significand >>= 1;
        ++result_exponent;
    }
    const std::uint64_t hidden = std::uint64_t{1} << (f.precision - 1);
    const std::uint8_t rounded = inexact ? sr0::kInexact : 0;
    if (!extended) {
        if (exponent < f.min_exponent()) {
            // Tiny is what is below the normal range after rounding with any exponent (003:21857).
            const bool tiny = inexact && round_and_pack(n, f, mode, true).special == 2;
            const std::uint8_t underflow = tiny ? sr0::kUnderflow : 0;
            return {sign | significand, 0, static_cast<std::uint8_t>(rounded | underflow)};
        }  // a carry makes it the smallest normal
        if (result_exponent > f.max_exponent) {
            const bool infinite = mode == Rounding::NearestEven ||
                                  (mode == Rounding::Up && !n.negative) ||
                                  (mode == Rounding::Down && n.negative);
            const std::uint64_t infinity = std::uint64_t(2 * f.max_exponent + 1)
                                           << (f.precision - 1);
            return {sign | (infinite ? infinity : infinity - 1), 0, sr0::kOverflow | sr0::kInexact};
        }
    }
    std::uint8_t special = 0;
    if (result_exponent > f.max_exponent)
        special = 1, result_exponent -= f.wrap;
    else if (result_exponent < f.min_exponent())
        special = 2, result_exponent += f.wrap;
    const auto field = static_cast<std::uint64_t>(result_exponent + f.max_exponent);
    return {sign | field << (f.precision - 1) | (significand & (hidden - 1)), special, rounded};
}

/// Infinities and NaN follow the host's rules.
std::uint64_t host_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, const FloatFormat& f) {
    if (f.precision == 24) {
        const auto single = [](std::uint64_t v) {
            return std::bit_cast<float>(static_cast<std::uint32_t>(v));
        };
        return std::bit_cast<std::uint32_t>(std::fma(single(b), single(c), single(a)));
    }
    return std::bit_cast<std::uint64_t>(
        std::fma(std::bit_cast<double>(b), std::bit_cast<double>(c), std::bit_cast<double>(a)));
}

/// The significand as a double in [1, 2) and its exponent.
std::pair<double, int> split(std::uint64_t b, const FloatFormat& f) {
    const Number n = unpack({b, 0}, f);
    int exponent;
    const double half_to_one =
        std::frexp(static_cast<double>(static_cast<std::uint64_t>(n.significand)), &exponent);
    return {2 * half_to_one, exponent - 1 + n.exponent};
}

ExtendedBits pack_positive(double value, int exponent, bool negative, const FloatFormat& f) {
    int e;
    const double fraction = std::frexp(value, &e);
    Number n;
    n.negative = negative;
    n.significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    n.exponent = e - 53 + exponent;
    return round_and_pack(n, f, Rounding::NearestEven, true);
}

/// The same without the short way.
ExtendedBits exact_fma(ExtendedBits a, ExtendedBits b, ExtendedBits c, const FloatFormat& format,
                       Rounding mode, bool extended) {
    Number sum = unpack(a, format), x = unpack(b, format);
    const Number y = unpack(c, format);
    Number product{x.negative != y.negative, x.significand * y.significand,
                   x.exponent + y.exponent};
    if (product.significand == 0 || sum.significand == 0) {
        if (product.significand == 0 && sum.significand == 0) {
            if (product.negative != sum.negative) sum.negative = mode == Rounding::Down;
            return round_and_pack(sum, format, mode, extended);
        }
        return round_and_pack(product.significand == 0 ? sum : product, format, mode, extended);
    }
    normalise(sum);
    normalise(product);
    if (sum.exponent < product.exponent) std::swap(sum, product);
    product.significand = shift_right_sticky(product.significand, sum.exponent - product.exponent);
    if (sum.negative == product.negative) {
        sum.significand += product.significand;
    } else if (sum.significand >= product.significand) {
        sum.significand -= product.significand;
        if (sum.significand == 0) sum.negative = mode == Rounding::Down;
    } else {
        sum.significand = product.significand - sum.significand;
        sum.negative = product.negative;
    }
    return round_and_pack(sum, format, mode, extended);
}

}  // namespace

ExtendedBits extended_fma(ExtendedBits a, ExtendedBits b, ExtendedBits c, const FloatFormat& format,
                          Rounding mode, bool extended) {
    if ((a.special | b.special | c.special) == 0 && mode == Rounding::NearestEven) {
        // A normal result far from both ends of the format is what the host computes.
        const std::uint64_t result = host_fma(a.bits, b.bits, c.bits, format);
        const int field = exponent_field(result, format);
        if (field > 1 && field < 2 * format.max_exponent) return {result, 0};
    }
    if (!is_finite(a.bits, format) || !is_finite(b.bits, format) || !is_finite(c.bits, format))
        [[unlikely]]
        return {host_fma(a.bits, b.bits, c.bits, format), 0};
    return exact_fma(a, b, c, format, mode, extended);
}

std::uint32_t extended_fma_exceptions(ExtendedBits a, ExtendedBits b, ExtendedBits c,
                                      const FloatFormat& format, Rounding mode) {
    if (is_finite(a.bits, format) && is_finite(b.bits, format) && is_finite(c.bits, format))
        return exact_fma(a, b, c, format, mode, false).exceptions;
    // An infinity or NaN: invalid if the result is NaN and no operand is.
    const auto nan = [&](std::uint64_t v) {
        return !is_finite(v, format) && fraction_of(v, format) != 0;
    };
    const bool invalid = nan(host_fma(a.bits, b.bits, c.bits, format)) && !nan(a.bits) &&
                         !nan(b.bits) && !nan(c.bits);
    return invalid ? sr0::kInvalid : 0;
}

ExtendedBits extended_reciprocal(std::uint64_t b, const FloatFormat& format) {
    const auto [significand, exponent] = split(b, format);
    return pack_positive(1.0 / significand, -exponent, b >> (format.width() - 1) & 1, format);
}

ExtendedBits extended_reciprocal_root(std::uint64_t b, const FloatFormat& format) {
    auto [significand, exponent] = split(b, format);
    if (exponent & 1) significand *= 2, --exponent;
    // Dividing by a rounded root may be a whole ulp off, which is too much for the macro to round
    // roots next to a midpoint (of 1 - 2^-53); one Newton step with an exact residual is not.
    const double y = 1.0 / std::sqrt(significand);
    const double square = y * y, square_error = std::fma(y, y, -square);
    const double residual = std::fma(-significand, square, 1.0) - significand * square_error;
    return pack_positive(std::fma(0.5 * y, residual, y), -exponent / 2, false, format);
}

}  // namespace gen9::eu
