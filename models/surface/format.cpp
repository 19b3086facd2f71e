// SPDX-License-Identifier: Apache-2.0
#include "surface/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "packets/surface_state.h"

namespace gen9::surface {

namespace {

using enum Component;

constexpr Format kFormats[] = {
    {0x000, "R32G32B32A32_FLOAT", 16, Float, {0, 32, 64, 96}, {32, 32, 32, 32}, false},
    {0x001, "R32G32B32A32_SINT", 16, Sint, {0, 32, 64, 96}, {32, 32, 32, 32}, false},
    {0x002, "R32G32B32A32_UINT", 16, Uint, {0, 32, 64, 96}, {32, 32, 32, 32}, false},
    {0x080, "R16G16B16A16_UNORM", 8, Unorm, {0, 16, 32, 48}, {16, 16, 16, 16}, true},
    {0x081, "R16G16B16A16_SNORM", 8, Snorm, {0, 16, 32, 48}, {16, 16, 16, 16}, true},
    {0x082, "R16G16B16A16_SINT", 8, Sint, {0, 16, 32, 48}, {16, 16, 16, 16}, false},
    {0x083, "R16G16B16A16_UINT", 8, Uint, {0, 16, 32, 48}, {16, 16, 16, 16}, false},
    {0x084, "R16G16B16A16_FLOAT", 8, Float, {0, 16, 32, 48}, {16, 16, 16, 16}, false},
    {0x085, "R32G32_FLOAT", 8, Float, {0, 32}, {32, 32}, false},
    {0x086, "R32G32_SINT", 8, Sint, {0, 32}, {32, 32}, false},
    {0x087, "R32G32_UINT", 8, Uint, {0, 32}, {32, 32}, false},
    {0x0C0, "B8G8R8A8_UNORM", 4, Unorm, {16, 8, 0, 24}, {8, 8, 8, 8}, true},
    {0x0C2, "R10G10B10A2_UNORM", 4, Unorm, {0, 10, 20, 30}, {10, 10, 10, 2}, true},
    {0x0C4, "R10G10B10A2_UINT", 4, Uint, {0, 10, 20, 30}, {10, 10, 10, 2}, true},
    {0x0C7, "R8G8B8A8_UNORM", 4, Unorm, {0, 8, 16, 24}, {8, 8, 8, 8}, true},
    {0x0C9, "R8G8B8A8_SNORM", 4, Snorm, {0, 8, 16, 24}, {8, 8, 8, 8}, true},
    {0x0CA, "R8G8B8A8_SINT", 4, Sint, {0, 8, 16, 24}, {8, 8, 8, 8}, false},
    {0x0CB, "R8G8B8A8_UINT", 4, Uint, {0, 8, 16, 24}, {8, 8, 8, 8}, false},
    {0x0CC, "R16G16_UNORM", 4, Unorm, {0, 16}, {16, 16}, true},
    {0x0CD, "R16G16_SNORM", 4, Snorm, {0, 16}, {16, 16}, true},
    {0x0CE, "R16G16_SINT", 4, Sint, {0, 16}, {16, 16}, false},
    {0x0CF, "R16G16_UINT", 4, Uint, {0, 16}, {16, 16}, false},
    {0x0D0, "R16G16_FLOAT", 4, Float, {0, 16}, {16, 16}, false},
    {0x0D1, "B10G10R10A2_UNORM", 4, Unorm, {20, 10, 0, 30}, {10, 10, 10, 2}, true},
    {0x0D3, "R11G11B10_FLOAT", 4, Float, {0, 11, 22}, {11, 11, 10}, true},
    {0x0D6, "R32_SINT", 4, Sint, {0}, {32}, false},
    {0x0D7, "R32_UINT", 4, Uint, {0}, {32}, false},
    {0x0D8, "R32_FLOAT", 4, Float, {0}, {32}, false},
    {0x100, "B5G6R5_UNORM", 2, Unorm, {11, 5, 0}, {5, 6, 5}, true},
    {0x102, "B5G5R5A1_UNORM", 2, Unorm, {10, 5, 0, 15}, {5, 5, 5, 1}, true},
    {0x104, "B4G4R4A4_UNORM", 2, Unorm, {8, 4, 0, 12}, {4, 4, 4, 4}, true},
    {0x106, "R8G8_UNORM", 2, Unorm, {0, 8}, {8, 8}, true},
    {0x107, "R8G8_SNORM", 2, Snorm, {0, 8}, {8, 8}, true},
    {0x108, "R8G8_SINT", 2, Sint, {0, 8}, {8, 8}, false},
    {0x109, "R8G8_UINT", 2, Uint, {0, 8}, {8, 8}, false},
    {0x10A, "R16_UNORM", 2, Unorm, {0}, {16}, true},
    {0x10B, "R16_SNORM", 2, Snorm, {0}, {16}, true},
    {0x10C, "R16_SINT", 2, Sint, {0}, {16}, false},
    {0x10D, "R16_UINT", 2, Uint, {0}, {16}, false},
    {0x10E, "R16_FLOAT", 2, Float, {0}, {16}, false},
    {0x11A, "B5G5R5X1_UNORM", 2, Unorm, {10, 5, 0}, {5, 5, 5}, true},
    {0x140, "R8_UNORM", 1, Unorm, {0}, {8}, true},
    {0x141, "R8_SNORM", 1, Snorm, {0}, {8}, true},
    {0x142, "R8_SINT", 1, Sint, {0}, {8}, false},
    {0x143, "R8_UINT", 1, Uint, {0}, {8}, false},
    {0x144, "A8_UNORM", 1, Unorm, {0, 0, 0, 0}, {0, 0, 0, 8}, true},
};

/// The formats that stand in for those that are read raw (DP-070), by element size.
const Format& raw_substitute(unsigned bytes) {
    static const Format& r8 = *find_format(0x143);
    static const Format& r16 = *find_format(0x10D);
    static const Format& r32 = *find_format(0x0D7);
    static const Format& r32g32 = *find_format(0x087);
    return bytes == 1 ? r8 : bytes == 2 ? r16 : bytes == 4 ? r32 : r32g32;
}

/// A float rounded to nearest even into `exponent` and `mantissa` bits with bias 2^(exponent-1)-1.
std::uint32_t narrow_float(std::uint32_t value, unsigned exponent_bits, unsigned mantissa_bits,
                           bool has_sign) {
    const bool negative = value >> 31;
    const std::uint32_t exponent_max = (1u << exponent_bits) - 1;
    const std::uint32_t magnitude = value & 0x7FFFFFFF;
    const std::uint32_t sign =
        has_sign ? std::uint32_t{negative} << (exponent_bits + mantissa_bits) : 0;
    if (magnitude > 0x7F800000)  // NaN: quiet, keep the leading payload (DP-067)
        return sign | exponent_max << mantissa_bits | 1u << (mantissa_bits - 1) |
               (magnitude & 0x7FFFFF) >> (23 - mantissa_bits);
    if (!has_sign && negative) return 0;  // formats without a sign hold no negative number
    const std::uint32_t infinity = exponent_max << mantissa_bits;
    if (magnitude == 0x7F800000) return sign | infinity;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = static_cast<int>(magnitude >> 23) - 127 + bias;
    std::uint64_t mantissa = (magnitude & 0x7FFFFF) | (magnitude >> 23 ? 0x800000u : 0);
    unsigned shift = 23 - mantissa_bits;
    if (exponent <= 0) {
        shift += static_cast<unsigned>(1 - exponent);
        if (shift > 40) return sign;
        exponent = 0;
    } else {
        mantissa &= 0x7FFFFF;
    }
    const std::uint64_t half = 1ull << (shift - 1), rest = mantissa & ((1ull << shift) - 1);
    std::uint64_t rounded =
        (static_cast<std::uint64_t>(exponent) << mantissa_bits) + (mantissa >> shift);
    if (rest > half || (rest == half && (rounded & 1))) ++rounded;
    if (rounded < infinity) return sign | static_cast<std::uint32_t>(rounded);
    return sign | infinity;
}

std::uint32_t widen_float(std::uint32_t bits, unsigned exponent_bits, unsigned mantissa_bits,
                          bool has_sign) {
    const std::uint32_t exponent_max = (1u << exponent_bits) - 1;
    const std::uint32_t sign = has_sign ? (bits >> (exponent_bits + mantissa_bits) & 1) << 31 : 0;
    const std::uint32_t exponent = bits >> mantissa_bits & exponent_max;
    const std::uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    if (exponent == exponent_max) {
        const std::uint32_t quiet = mantissa ? 0x400000u : 0;
        return sign | 0x7F800000 | quiet | mantissa << (23 - mantissa_bits);
    }
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const double scale = std::ldexp(
        1.0, (exponent ? static_cast<int>(exponent) : 1) - bias - static_cast<int>(mantissa_bits));
    const double number = (mantissa + (exponent ? 1u << mantissa_bits : 0)) * scale;
    return sign | std::bit_cast<std::uint32_t>(static_cast<float>(number));
}

struct FloatShape {
    unsigned exponent, mantissa;
    bool sign;
};
FloatShape float_shape(unsigned width) {
    if (width == 11) return {5, 6, false};
    if (width == 10) return {5, 5, false};
    return {5, 10, true};
}

/// Rounds half to even whatever the host's rounding mode is.
double round_even(double value) {
    const double down = std::floor(value), rest = value - down;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0)) return down + 1;
    return down;
}

std::uint32_t field_mask(unsigned width) {
    return width == 32 ? ~0u : (1u << width) - 1;
}

std::uint32_t read_bits(const std::uint8_t* element, unsigned low, unsigned width) {
    std::uint64_t word = 0;
    std::memcpy(&word, element + low / 8, (low % 8 + width + 7) / 8);
    return static_cast<std::uint32_t>(word >> low % 8) & field_mask(width);
}

void write_bits(std::uint8_t* element, unsigned low, unsigned width, std::uint32_t value) {
    if (width == 8 && low % 8 == 0) {
        element[low / 8] = static_cast<std::uint8_t>(value);
        return;
    }
    std::uint64_t word = 0;
    const unsigned bytes = (low % 8 + width + 7) / 8;
    std::memcpy(&word, element + low / 8, bytes);
    const std::uint64_t mask = std::uint64_t{field_mask(width)} << low % 8;
    word = (word & ~mask) | (std::uint64_t{value} << low % 8 & mask);
    std::memcpy(element + low / 8, &word, bytes);
}

}  // namespace

bool Format::byte_components() const {
    for (unsigned c = 0; c < 4; ++c)
        if (low[c] % 8 || width[c] % 8) return false;
    return true;
}

const Format* find_format(unsigned code) {
    const auto* found =
        std::lower_bound(std::begin(kFormats), std::end(kFormats), code,
                         [](const Format& row, unsigned c) { return row.code < c; });
    return found != std::end(kFormats) && found->code == code ? found : nullptr;
}

std::uint32_t to_component(Component kind, unsigned width, std::uint32_t value) {
    const float number = std::bit_cast<float>(value);
    switch (kind) {
        case Unorm: {
            // NaN becomes 0 (Assumed: the seeds name clamping and rounding only).
            if (!(number > 0)) return 0;
            if (number >= 1) return field_mask(width);
            return static_cast<std::uint32_t>(round_even(double{number} * field_mask(width)));
        }
        case Snorm: {
            if (std::isnan(number)) return 0;
            const double top = field_mask(width - 1);
            const double clamped = std::clamp(double{number}, -1.0, 1.0);
            return static_cast<std::uint32_t>(
                       static_cast<std::int32_t>(round_even(clamped * top))) &
                   field_mask(width);
        }
        case Uint:
            return std::min(value, field_mask(width));
        case Sint: {
            const std::int64_t top = field_mask(width - 1);
            const std::int64_t clamped =
                std::clamp<std::int64_t>(static_cast<std::int32_t>(value), -top - 1, top);
            return static_cast<std::uint32_t>(clamped) & field_mask(width);
        }
        case Float: {
            if (width == 32) return value;
            const FloatShape shape = float_shape(width);
            return narrow_float(value, shape.exponent, shape.mantissa, shape.sign);
        }
        case None:
            break;
    }
    return 0;
}

std::uint32_t from_component(Component kind, unsigned width, std::uint32_t bits) {
    switch (kind) {
        case Unorm:
            return std::bit_cast<std::uint32_t>(
                static_cast<float>(double(bits) / field_mask(width)));
        case Snorm: {
            const auto number = static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
            return std::bit_cast<std::uint32_t>(
                static_cast<float>(std::max(-1.0, double(number) / field_mask(width - 1))));
        }
        case Sint:
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << (32 - width)) >>
                                              (32 - width));
        case Float: {
            if (width == 32) return bits;
            const FloatShape shape = float_shape(width);
            return widen_float(bits, shape.exponent, shape.mantissa, shape.sign);
        }
        case Uint:
        case None:
            break;
    }
    return bits;
}

std::uint32_t pack(const Format& format, const ChannelSelects& select, std::uint32_t channels,
                   const std::array<std::uint32_t, 4>& values, std::uint8_t* element) {
    std::uint32_t written = 0;
    for (unsigned c = 0; c < 4; ++c) {
        if (!(channels >> c & 1) || select[c] < packets::render_surface_state::SCS_RED) continue;
        const unsigned to = select[c] - packets::render_surface_state::SCS_RED;
        const unsigned width = format.width[to], low = format.low[to];
        if (!width) continue;
        write_bits(element, low, width, to_component(format.kind, width, values[c]));
        const unsigned first = low / 8, last = (low + width - 1) / 8;
        for (unsigned b = first; b <= last; ++b)
            written |= 1u << b;
    }
    return written;
}

std::array<std::uint32_t, 4> unpack(const Format& format, const ChannelSelects& select,
                                    const std::uint8_t* element, bool inside) {
    const Format& as = format.raw_read ? raw_substitute(format.bytes) : format;
    const std::uint32_t one = as.integer() ? 1u : 0x3F800000u;
    std::array<std::uint32_t, 4> channel{0, 0, 0, one};
    for (unsigned c = 0; c < 4; ++c) {
        if (!as.width[c]) continue;
        channel[c] = inside ? from_component(as.kind, as.width[c],
                                             read_bits(element, as.low[c], as.width[c]))
                            : 0;
    }
    std::array<std::uint32_t, 4> values{};
    for (unsigned c = 0; c < 4; ++c) {
        if (select[c] >= packets::render_surface_state::SCS_RED)
            values[c] = channel[select[c] - packets::render_surface_state::SCS_RED];
        else
            values[c] = select[c] == packets::render_surface_state::SCS_ONE ? one : 0;
    }
    return values;
}

}  // namespace gen9::surface
