// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace gen9::eu {

/// Rounding modes as cr0.0[5:4] codes them (EU-099).
enum class Rounding : std::uint8_t { NearestEven = 0, Up = 1, Down = 2, Zero = 3 };

/// The value of a 16-bit float; exact. A signalling NaN becomes quiet with its payload kept.
inline double half_to_double(std::uint16_t half) {
    const std::uint64_t sign = std::uint64_t(half >> 15) << 63;
    const unsigned exponent = half >> 10 & 31;
    const std::uint64_t fraction = half & 1023;
    if (exponent == 31) {
        const std::uint64_t quiet = fraction ? std::uint64_t{1} << 51 : 0;
        return std::bit_cast<double>(sign | 0x7FF0000000000000u | fraction << 42 | quiet);
    }
    if (exponent == 0) {
        const double magnitude = static_cast<double>(fraction) * 0x1p-24;
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<double>(sign | std::uint64_t(exponent + 1008) << 52 | fraction << 42);
}

inline float half_to_float(std::uint16_t half) {
    return static_cast<float>(half_to_double(half));
}

/// The 16-bit float nearest to `value` in the given mode, denormals kept (EU-132, EU-137).
inline std::uint16_t double_to_half(double value, Rounding mode) {
    const std::uint64_t raw = std::bit_cast<std::uint64_t>(value);
    const std::uint16_t sign = static_cast<std::uint16_t>(raw >> 63 << 15);
    const int exponent = static_cast<int>(raw >> 52 & 2047);
    const std::uint64_t fraction = raw & 0xFFFFFFFFFFFFFu;
    if (exponent == 2047) {
        if (fraction == 0) return sign | 0x7C00;
        return static_cast<std::uint16_t>(sign | 0x7E00 | (fraction >> 42 & 0x3FF));
    }
    if (exponent == 0 && fraction == 0) return sign;
    // Significand with the leading one at bit 52; the result keeps 11 bits of a normal number,
    // fewer of a denormal one.
    const std::uint64_t significand = exponent ? fraction | std::uint64_t{1} << 52 : fraction;
    const int unbiased = (exponent ? exponent : 1) - 1023;
    const int dropped = unbiased >= -14 ? 42 : 42 + (-14 - unbiased);
    std::uint64_t kept = dropped < 64 ? significand >> dropped : 0;
    const std::uint64_t rest = dropped < 64 ? significand - (kept << dropped) : significand;
    bool up = false;
    switch (mode) {
        case Rounding::NearestEven: {
            if (dropped > 54) break;  // below half of the smallest denormal
            const std::uint64_t half_way = std::uint64_t{1} << (dropped - 1);
            up = rest > half_way || (rest == half_way && (kept & 1));
            break;
        }
        case Rounding::Up:
            up = rest != 0 && !sign;
            break;
        case Rounding::Down:
            up = rest != 0 && sign;
            break;
        case Rounding::Zero:
            break;
    }
    kept += up;
    // A carry out of the fraction moves into the exponent field by itself.
    const std::uint64_t biased =
        unbiased >= -14 ? (std::uint64_t(unbiased + 14) << 10) + kept : kept;
    if (biased >= 0x7C00) {
        const bool to_infinity = mode == Rounding::NearestEven || (mode == Rounding::Up && !sign) ||
                                 (mode == Rounding::Down && sign);
        return sign | (to_infinity ? 0x7C00 : 0x7BFF);
    }
    return static_cast<std::uint16_t>(sign | biased);
}

}  // namespace gen9::eu
