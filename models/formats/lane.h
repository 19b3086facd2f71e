// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

#include "common/host.h"
#include "formats/format.h"

// The rules of conversion, one value at a time and without a branch, so that a compiler makes host
// vectors of loops over them. The host rounds to nearest even, which is its default.
//
// Seeds: 003:5185-5202 (DP-066 to DP-069), 002:1329 (denormals are kept). NaN becomes 0 in fixed
// point (Assumed: the seeds name clamping and rounding only; so does every API).
namespace gen9::formats {

constexpr std::uint32_t mask_of(unsigned width) {
    return width >= 32 ? ~0u : (1u << width) - 1;
}

/// Floats of five bits of exponent: 16 bits, or 11 and 10 without a sign.
constexpr unsigned mantissa_bits(Kind kind, unsigned width) {
    return width - 5 - (kind == Kind::Float ? 1 : 0);
}

/// The register value of a channel's bits; bits above the width are 0.
template <Kind kind, unsigned width>
GEN9_INLINE std::uint32_t decode_lane(std::uint32_t bits) {
    const auto as_signed = [&] {
        return static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
    };
    if constexpr (kind == Kind::Unorm && width <= 24) {
        // Both are exact, and the quotient is rounded once (SMP-205).
        const auto number = static_cast<float>(static_cast<std::int32_t>(bits));
        return std::bit_cast<std::uint32_t>(number / static_cast<float>(mask_of(width)));
    } else if constexpr (kind == Kind::Unorm) {
        return std::bit_cast<std::uint32_t>(
            static_cast<float>(static_cast<double>(bits) / mask_of(width)));
    } else if constexpr (kind == Kind::Snorm && width <= 24) {
        const float number =
            static_cast<float>(as_signed()) / static_cast<float>(mask_of(width - 1));
        return std::bit_cast<std::uint32_t>(number > -1.0f ? number : -1.0f);
    } else if constexpr (kind == Kind::Snorm) {
        const auto number =
            static_cast<float>(static_cast<double>(as_signed()) / mask_of(width - 1));
        return std::bit_cast<std::uint32_t>(number > -1.0f ? number : -1.0f);
    } else if constexpr (kind == Kind::Sint) {
        return static_cast<std::uint32_t>(as_signed());
    } else if constexpr (kind == Kind::Sscaled) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(as_signed()));
    } else if constexpr (kind == Kind::Uscaled && width < 32) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(bits)));
    } else if constexpr (kind == Kind::Uscaled) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(bits));
    } else if constexpr (kind == Kind::Sfixed) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(bits)) *
                                            0x1p-16f);
    } else if constexpr ((kind == Kind::Float && width == 16) || kind == Kind::Ufloat) {
        constexpr unsigned m = mantissa_bits(kind, width);
        const std::uint32_t magnitude = bits & mask_of(m + 5), mantissa = bits & mask_of(m);
        const std::uint32_t sign = kind == Kind::Float ? (bits >> 15) << 31 : 0;
        const std::uint32_t infinity = 31u << m;
        const std::uint32_t normal = (magnitude << (23 - m)) + (112u << 23);
        const std::uint32_t small = std::bit_cast<std::uint32_t>(
            static_cast<float>(static_cast<std::int32_t>(mantissa)) * (m == 10  ? 0x1p-24f
                                                                       : m == 6 ? 0x1p-20f
                                                                                : 0x1p-19f));
        // Infinity; a NaN becomes a quiet one (DP-067).
        const std::uint32_t special =
            0x7F800000u | mantissa << (23 - m) | (magnitude > infinity ? 0x400000u : 0u);
        const std::uint32_t finite = magnitude < (1u << m) ? small : normal;
        return sign | (magnitude >= infinity ? special : finite);
    } else {
        return bits;
    }
}

/// The bits of a channel for a register value.
template <Kind kind, unsigned width>
GEN9_INLINE std::uint32_t encode_lane(std::uint32_t value) {
    const auto number = std::bit_cast<float>(value);
    if constexpr (kind == Kind::Unorm) {
        const float positive = number > 0.0f ? number : 0.0f;  // 0 for a NaN
        const float clamped = positive < 1.0f ? positive : 1.0f;
        if constexpr (width == 1) {
            return clamped > 0.5f ? 1u : 0u;
        } else if constexpr (width == 8) {
            // A float less exact than the product x * 255, and yet never wrong: products that are
            // rounded onto the middle of two codes lie above it for x < 1/2 and below it from there
            // on (2^24 is 1 modulo 255), where a factor one step smaller keeps them below. The
            // number that is added is the float below 1/2, for products just below 1/2.
            const float factor = std::bit_cast<float>(0x437F0000u - (clamped > 0.5f ? 1u : 0u));
            return static_cast<std::uint32_t>(
                static_cast<std::int32_t>(clamped * factor + 0x1.FFFFFEp-2f));
        } else {
            // Exact. The only x whose product is the middle of two codes is 1/2, and it goes up to
            // the even one.
            const double code = static_cast<double>(clamped) * mask_of(width) + 0.5;
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(code));
        }
    } else if constexpr (kind == Kind::Snorm) {
        const float magnitude = std::bit_cast<float>(value & 0x7FFFFFFFu);
        const float clamped = magnitude < 1.0f ? magnitude : magnitude >= 1.0f ? 1.0f : 0.0f;
        const double code = static_cast<double>(clamped) * mask_of(width - 1) + 0.5;
        const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(code));
        const std::uint32_t minus = 0u - (value >> 31);
        return ((bits ^ minus) - minus) & mask_of(width);
    } else if constexpr (kind == Kind::Uint && width < 32) {
        return value < mask_of(width) ? value : mask_of(width);
    } else if constexpr (kind == Kind::Sint && width < 32) {
        constexpr auto top = static_cast<std::int32_t>(mask_of(width - 1));
        const auto integer = static_cast<std::int32_t>(value);
        const std::int32_t below = integer < top ? integer : top;
        return static_cast<std::uint32_t>(below > -top - 1 ? below : -top - 1) & mask_of(width);
    } else if constexpr ((kind == Kind::Float && width == 16) || kind == Kind::Ufloat) {
        constexpr unsigned m = mantissa_bits(kind, width);
        const std::uint32_t magnitude = value & 0x7FFFFFFFu;
        const std::uint32_t infinity = 31u << m;
        // Nearest even by the carry out of the bits that go; for denormals by adding a number whose
        // last place is theirs.
        const std::uint32_t odd = magnitude >> (23 - m) & 1;
        const std::uint32_t normal =
            (magnitude - (112u << 23) + ((1u << (22 - m)) - 1) + odd) >> (23 - m);
        const float last_place = m == 10 ? 0x1p-1f : m == 6 ? 0x1p3f : 0x1p4f;
        const std::uint32_t small =
            std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + last_place) -
            std::bit_cast<std::uint32_t>(last_place);
        // The leading bits of a NaN stay, and it becomes quiet (DP-067).
        const std::uint32_t nan = infinity | 1u << (m - 1) | (magnitude >> (23 - m) & mask_of(m));
        const std::uint32_t finite = magnitude < (113u << 23) ? small : normal;
        const std::uint32_t number_bits =
            magnitude < (143u << 23) && finite < infinity ? finite : infinity;
        const std::uint32_t result = magnitude > 0x7F800000u ? nan : number_bits;
        if constexpr (kind == Kind::Float) return value >> 31 << 15 | result;
        // No negative number has a code.
        return value >> 31 && magnitude <= 0x7F800000u ? 0u : result;
    } else {
        return value;
    }
}

}  // namespace gen9::formats
