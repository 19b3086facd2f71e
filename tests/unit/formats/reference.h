// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// A second derivation of formats and conversions: layouts from names, numbers by search and by
// arithmetic in long double.
namespace gen9::formats::test {

struct Random {
    std::mt19937 engine;
    explicit Random(unsigned seed) : engine(seed) {}
    std::uint32_t operator()() { return static_cast<std::uint32_t>(engine()); }
};

struct NamedField {
    char place = 0;    ///< R, G, B, A, L, I, P, X or E
    std::string kind;  ///< UNORM, ...
    unsigned low = 0, width = 0;
};

/// What a name says, from the lowest bit on: B5G6R5_UNORM has B5 in bits 4:0, and every channel is
/// UNORM; in R10G10B10_SNORM_A2_UNORM a kind is that of the channels before it.
inline std::vector<NamedField> fields_of(const std::string& name) {
    std::vector<NamedField> fields;
    std::size_t without_kind = 0;
    unsigned low = 0;
    const auto kind = [&](const std::string& word) {
        for (; without_kind < fields.size(); ++without_kind)
            fields[without_kind].kind = fields[without_kind].place == 'X' ? "" : word;
    };
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find('_', at), name.size());
        const std::string word = name.substr(at, end - at);
        at = end + 1;
        if (word == "SRGB") {
            for (NamedField& field : fields)
                if (field.place != 'A' && field.place != 'X') field.kind = "SRGB";
        } else if (word == "TYPELESS" || word == "LD" || word.starts_with("PALETTE")) {
        } else if (word.size() > 1 && word[1] >= '0' && word[1] <= '9') {
            for (std::size_t i = 0; i < word.size();) {
                std::size_t digits = 0;
                const auto width = static_cast<unsigned>(std::stoul(word.substr(i + 1), &digits));
                fields.push_back({word[i], "", low, width});
                low += width;
                i += 1 + digits;
            }
        } else {
            kind(word);
        }
    }
    return fields;
}

using Real = long double;

inline Real power(int exponent) {
    return std::ldexp(Real{1}, exponent);
}
/// The value of a small float's magnitude: `m` bits of mantissa, five of exponent.
inline Real small_float(std::uint32_t bits, unsigned m) {
    const auto exponent = static_cast<int>(bits >> m);
    const auto mantissa = static_cast<Real>(bits & ((1u << m) - 1));
    const Real unit = power(-14 - static_cast<int>(m));
    return exponent ? (mantissa + power(static_cast<int>(m))) * unit * power(exponent - 1)
                    : mantissa * unit;
}
inline Real real_of(std::uint32_t value) {
    return std::bit_cast<float>(value);
}
inline bool is_nan(std::uint32_t value) {
    return (value & 0x7FFFFFFF) > 0x7F800000;
}
inline std::uint32_t as_bits(Real value) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
inline Real top_of(unsigned width) {
    return power(static_cast<int>(width)) - 1;
}
inline Real signed_of(std::uint32_t bits, unsigned width) {
    return bits >> (width - 1) & 1 ? Real(bits) - power(static_cast<int>(width)) : Real(bits);
}
/// The nearest integer, of two the even one.
inline Real nearest(Real value) {
    const Real down = std::floor(value), rest = value - down;
    return rest > 0.5L || (rest == 0.5L && std::fmod(down, 2.0L) != 0) ? down + 1 : down;
}
inline Real curve(Real linear) {
    return linear <= 0.0031308L ? 12.92L * linear : 1.055L * std::pow(linear, 1 / 2.4L) - 0.055L;
}
inline Real inverse_curve(Real code) {
    return code <= 0.04045L ? code / 12.92L : std::pow((code + 0.055L) / 1.055L, 2.4L);
}
inline unsigned small_mantissa(unsigned width) {
    return width == 16 ? 10 : width - 5;
}

/// The register value of a field of up to 32 bits.
inline std::uint32_t decoded(const std::string& kind, unsigned width, std::uint32_t bits) {
    if (kind == "UNORM") return as_bits(Real(bits) / top_of(width));
    if (kind == "SNORM")
        return as_bits(std::max(Real{-1}, signed_of(bits, width) / top_of(width - 1)));
    if (kind == "SRGB") return as_bits(inverse_curve(Real(bits) / top_of(width)));
    if (kind == "USCALED") return as_bits(Real(bits));
    if (kind == "SSCALED") return as_bits(signed_of(bits, width));
    if (kind == "SFIXED") return as_bits(signed_of(bits, width) / 65536);
    if (kind == "SINT")
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(signed_of(bits, width)));
    if (kind == "FLOAT" && width < 32) {
        const unsigned m = small_mantissa(width);
        const std::uint32_t magnitude = bits & ((32u << m) - 1), infinity = 31u << m;
        const std::uint32_t sign = width == 16 && bits >> 15 ? 0x80000000u : 0;
        if (magnitude > infinity) return sign | 0x7FC00000u | (magnitude - infinity) << (23 - m);
        if (magnitude == infinity) return sign | 0x7F800000u;
        return sign | as_bits(small_float(magnitude, m));
    }
    return bits;
}

/// The bits of a field for a register value.
inline std::uint32_t encoded(const std::string& kind, unsigned width, std::uint32_t value) {
    const auto in_field = [&](Real number) {
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(number)) &
               static_cast<std::uint32_t>(top_of(width));
    };
    const bool fixed = kind == "UNORM" || kind == "SNORM" || kind == "SRGB";
    if (fixed && is_nan(value)) return 0;
    const auto clamped = [&](Real low, Real high) {
        return std::min(high, std::max(low, real_of(value)));
    };
    if (kind == "UNORM") return in_field(nearest(clamped(0, 1) * top_of(width)));
    if (kind == "SNORM") return in_field(nearest(clamped(-1, 1) * top_of(width - 1)));
    if (kind == "SRGB") return in_field(nearest(curve(clamped(0, 1)) * top_of(width)));
    if (kind == "UINT") return in_field(std::min(Real(value), top_of(width)));
    if (kind == "SINT") {
        const Real top = top_of(width - 1);
        return in_field(std::min(top, std::max(-top - 1, signed_of(value, 32))));
    }
    if (kind == "FLOAT" && width < 32) {
        const unsigned m = small_mantissa(width);
        const std::uint32_t infinity = 31u << m, magnitude = value & 0x7FFFFFFF;
        const std::uint32_t sign = width == 16 ? value >> 31 << 15 : 0;
        if (is_nan(value))
            return sign | infinity | 1u << (m - 1) | (magnitude & 0x7FFFFF) >> (23 - m);
        if (width < 16 && value >> 31) return 0;
        // The code at or below, by search; infinity counts as the code after the largest.
        const Real number = real_of(magnitude);
        std::uint32_t below = 0;
        for (std::uint32_t step = 1u << (m + 4); step; step >>= 1)
            if (below + step < infinity && small_float(below + step, m) <= number) below += step;
        const Real at = small_float(below, m), next = small_float(below + 1, m);
        const bool up = number - at > next - number || (number - at == next - number && below & 1);
        return sign | std::min(infinity, below + up);
    }
    return value;
}

}  // namespace gen9::formats::test
