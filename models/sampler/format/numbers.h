// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "common/bits.h"

namespace gen9::sampler {

/// R, G, B, A of a texel as register values: float bits, or integers.
struct alignas(16) Texel {
    std::array<std::uint32_t, 4> channel;
    float number(unsigned c) const { return std::bit_cast<float>(channel[c]); }
    void set(unsigned c, float value) { channel[c] = std::bit_cast<std::uint32_t>(value); }
};
/// The texels of 16 samples, channel by channel.
struct TexelLanes {
    alignas(32) std::array<std::array<std::uint32_t, 16>, 4> channel;
};
inline constexpr std::uint32_t kOne = 0x3F800000;  ///< 1.0

inline float unorm(std::uint32_t bits, unsigned width) {
    // Up to 24 bits both are exact, and the quotient is rounded once (SMP-205).
    if (width <= 24)
        return static_cast<float>(static_cast<std::int32_t>(bits)) /
               static_cast<float>((1u << width) - 1);
    return static_cast<float>(static_cast<double>(bits) /
                              static_cast<double>((std::uint64_t{1} << width) - 1));
}
inline float snorm(std::uint32_t bits, unsigned width) {
    const auto number = static_cast<std::int32_t>(sign_extend(bits, width));
    return std::max(static_cast<float>(number) / static_cast<float>((1u << (width - 1)) - 1),
                    -1.0f);
}

/// IEEE-like small floats, denormals kept, NaN made quiet.
constexpr std::uint32_t widen(std::uint32_t bits, unsigned mantissa_bits, bool sign) {
    const std::uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    const std::uint32_t exponent = bits >> mantissa_bits & 31;
    const std::uint32_t minus = sign ? (bits >> (mantissa_bits + 5) & 1) << 31 : 0;
    if (exponent == 31)
        return minus | 0x7F800000 | (mantissa ? 0x400000u : 0) | mantissa << (23 - mantissa_bits);
    if (exponent) return minus | (exponent + 112) << 23 | mantissa << (23 - mantissa_bits);
    if (!mantissa) return minus;
    const auto shift = static_cast<unsigned>(std::countl_zero(mantissa)) - (31 - mantissa_bits);
    return minus | (113 - shift) << 23 |
           (mantissa << shift & ((1u << mantissa_bits) - 1)) << (23 - mantissa_bits);
}
constexpr std::uint32_t half_to_float(std::uint32_t bits) {
    return widen(bits, 10, true);
}

/// A float as a half, rounded to nearest even whatever the host's mode is (16-bit returns).
constexpr std::uint16_t float_to_half(std::uint32_t bits) {
    const auto minus = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude > 0x7F800000)
        return static_cast<std::uint16_t>(minus | 0x7E00 | (magnitude >> 13 & 0x1FF));
    if (magnitude >= 0x477FF000) return minus | 0x7C00;
    const unsigned exponent = magnitude >> 23;
    if (exponent < 102) return minus;
    const std::uint32_t mantissa = (magnitude & 0x7FFFFF) | 0x800000;
    const unsigned shift = exponent < 113 ? 126 - exponent : 13;
    std::uint32_t result = exponent < 113 ? 0 : (exponent - 113) << 10;
    result += mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    if (rest > half || (rest == half && (result & 1))) ++result;
    return static_cast<std::uint16_t>(minus | result);
}

/// The sRGB curve, without its inverse (SMP-53).
inline float linear_of_srgb(double value) {
    return static_cast<float>(value <= 0.04045 ? value / 12.92
                                               : std::pow((value + 0.055) / 1.055, 2.4));
}
/// sRGB values of `width` bits.
template <unsigned width>
const std::array<float, 1u << width>& srgb_table() {
    static const auto table = [] {
        std::array<float, 1u << width> values{};
        for (unsigned i = 0; i < values.size(); ++i)
            values[i] = linear_of_srgb(i / static_cast<double>(values.size() - 1));
        return values;
    }();
    return table;
}

}  // namespace gen9::sampler
