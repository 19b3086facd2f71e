// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "common/bits.h"
#include "isa/text/disassemble.h"

namespace gen9::isa {
namespace {

std::string formatted(const char* format, auto value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

/// A NaN with its payload (the fraction without the quiet bit).
std::string nan_text(std::uint64_t bits, unsigned fraction_bits, bool negative) {
    const bool quiet = (bits >> (fraction_bits - 1) & 1) != 0;
    const std::uint64_t payload = gen9::bits<std::uint64_t>(bits, fraction_bits - 2, 0);
    std::string text = negative ? "-" : "";
    text += quiet ? "qnan(" : "snan(";
    text += formatted("0x%" PRIX64, payload);
    return text + ")";
}

/// The shortest of the assembler's forms that reads back as the same number: up to six significant
/// digits, six digits after the point with an exponent, or the bits.
template <class Float>
std::string number_text(Float value, std::uint64_t bits) {
    if (std::isinf(value)) return std::signbit(value) ? "-inf" : "inf";
    const auto same = [&](const std::string& text) {
        return static_cast<Float>(std::is_same_v<Float, float>
                                      ? std::strtof(text.c_str(), nullptr)
                                      : std::strtod(text.c_str(), nullptr)) == value;
    };
    std::string text = formatted("%g", static_cast<double>(value));
    if (same(text)) return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    text = formatted("%.6e", static_cast<double>(value));
    return same(text) ? text : formatted("0x%" PRIX64, bits);
}

float widen(std::uint16_t half) {
    const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
    const int exponent = half >> 10 & 0x1F;
    const int fraction = half & 0x3FF;
    if (exponent == 0x1F) return sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

std::string float_text(std::uint64_t bits, Type type) {
    if (type == Type::F) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return std::isnan(value) ? nan_text(bits, 23, std::signbit(value))
                                 : number_text(value, bits);
    }
    if (type == Type::DF) {
        const auto value = std::bit_cast<double>(bits);
        return std::isnan(value) ? nan_text(bits, 52, std::signbit(value))
                                 : number_text(value, bits);
    }
    const bool nan = (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0;
    return nan ? nan_text(bits, 10, (bits & 0x8000) != 0)
               : number_text(widen(static_cast<std::uint16_t>(bits)), bits);
}

}  // namespace

std::string immediate_text(std::uint64_t bits, Type type) {
    const std::string suffix = std::string(":") + type_name(type);
    const bool packed = type == Type::V || type == Type::UV || type == Type::VF;
    if (packed) return formatted("0x%" PRIX64, bits) + suffix;
    const unsigned width = 8 * size_bytes(type);
    const std::uint64_t value = gen9::bits<std::uint64_t>(bits, width - 1, 0);
    if (is_float(type)) return float_text(value, type) + suffix;
    if (is_signed(type)) return formatted("%" PRId64, sign_extend(value, width)) + suffix;
    return formatted("0x%" PRIX64, value) + suffix;
}

}  // namespace gen9::isa
