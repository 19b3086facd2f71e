// SPDX-License-Identifier: Apache-2.0
#include "formats/conversion.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "formats/lane.h"
#include "formats/srgb.h"

namespace gen9::formats {

namespace {

template <Kind kind, unsigned width, unsigned lanes>
GEN9_FOR_EACH_HOST void decode(const std::uint32_t* words, unsigned shift, std::uint32_t* values) {
    for (unsigned n = 0; n < lanes; ++n)
        values[n] = decode_lane<kind, width>(words[n] >> shift & mask_of(width));
}
template <Kind kind, unsigned width, unsigned lanes>
GEN9_FOR_EACH_HOST void encode(const std::uint32_t* values, unsigned shift, std::uint32_t* words) {
    for (unsigned n = 0; n < lanes; ++n)
        words[n] |= encode_lane<kind, width>(values[n]) << shift;
}

/// The low DWord comes first; the float is rounded to nearest even.
template <unsigned lanes>
void decode_double(const std::uint32_t* words, unsigned, std::uint32_t* values) {
    for (unsigned n = 0; n < lanes; ++n) {
        const auto bits = words[n] | static_cast<std::uint64_t>(words[n + 16]) << 32;
        values[n] = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    }
}
/// Three mantissas of 9 bits and an exponent with bias 15 (SMP-206).
template <unsigned lanes>
GEN9_FOR_EACH_HOST void decode_shared(const std::uint32_t* words, unsigned shift,
                                      std::uint32_t* values) {
    for (unsigned n = 0; n < lanes; ++n) {
        const auto mantissa =
            static_cast<float>(static_cast<std::int32_t>(words[n] >> shift & 511));
        const auto scale = std::bit_cast<float>(((words[n] >> 27) + 127 - 15 - 9) << 23);
        values[n] = std::bit_cast<std::uint32_t>(mantissa * scale);
    }
}

template <unsigned width, unsigned lanes>
GEN9_FOR_EACH_HOST void decode_srgb(const std::uint32_t* words, unsigned shift,
                                    std::uint32_t* values) {
    const std::uint32_t* const linear = SrgbCurve::of(width).linear();
    for (unsigned n = 0; n < lanes; ++n)
        values[n] = linear[words[n] >> shift & mask_of(width)];
}
std::uint32_t to_srgb(const SrgbCurve& curve, std::uint32_t value) {
    const auto number = std::bit_cast<float>(value);
    const float positive = number > 0.0f ? number : 0.0f;
    const auto bits = std::bit_cast<std::uint32_t>(positive < 1.0f ? positive : 1.0f);
    const std::uint32_t from = bits > curve.lowest() ? bits : curve.lowest();
    const SrgbCurve::Step step = curve.steps()[(from - curve.lowest()) >> curve.shift()];
    return step.code + (from >= step.next);
}
template <unsigned width, unsigned lanes>
void encode_srgb(const std::uint32_t* values, unsigned shift, std::uint32_t* words) {
    const SrgbCurve& curve = SrgbCurve::of(width);
    for (unsigned n = 0; n < lanes; ++n)
        words[n] |= to_srgb(curve, values[n]) << shift;
}

template <Kind kind, unsigned width>
std::uint32_t decode_one(std::uint32_t bits) {
    return decode_lane<kind, width>(bits & mask_of(width));
}
template <Kind kind, unsigned width>
std::uint32_t encode_one(std::uint32_t value) {
    return encode_lane<kind, width>(value);
}

template <Kind kind, unsigned width>
constexpr Conversion reads() {
    return {kind,    width,   decode<kind, width, 16>, decode<kind, width, 8>,
            nullptr, nullptr, decode_one<kind, width>, nullptr};
}
template <Kind kind, unsigned width>
constexpr Conversion both() {
    return {kind,
            width,
            decode<kind, width, 16>,
            decode<kind, width, 8>,
            encode<kind, width, 16>,
            encode<kind, width, 8>,
            decode_one<kind, width>,
            encode_one<kind, width>};
}
template <unsigned width>
constexpr Conversion curve() {
    return {Kind::Srgb,
            width,
            decode_srgb<width, 16>,
            decode_srgb<width, 8>,
            encode_srgb<width, 16>,
            encode_srgb<width, 8>,
            [](std::uint32_t bits) { return SrgbCurve::of(width).linear()[bits & mask_of(width)]; },
            [](std::uint32_t value) { return to_srgb(SrgbCurve::of(width), value); }};
}

using enum Kind;
// Not constexpr: which of two functions a host gets is known when the program is loaded.
const Conversion kConversions[] = {
    both<Unorm, 1>(),
    both<Unorm, 2>(),
    both<Unorm, 4>(),
    both<Unorm, 5>(),
    both<Unorm, 6>(),
    both<Unorm, 8>(),
    both<Unorm, 10>(),
    both<Unorm, 16>(),
    both<Unorm, 24>(),
    reads<Unorm, 32>(),
    reads<Snorm, 2>(),
    both<Snorm, 5>(),
    both<Snorm, 8>(),
    both<Snorm, 10>(),
    both<Snorm, 16>(),
    reads<Snorm, 32>(),
    both<Uint, 2>(),
    both<Uint, 8>(),
    both<Uint, 10>(),
    both<Uint, 16>(),
    both<Uint, 32>(),
    reads<Sint, 2>(),
    both<Sint, 8>(),
    both<Sint, 10>(),
    both<Sint, 16>(),
    both<Sint, 32>(),
    both<Float, 16>(),
    both<Float, 32>(),
    {Float, 64, decode_double<16>, decode_double<8>, nullptr, nullptr, nullptr, nullptr},
    both<Ufloat, 10>(),
    both<Ufloat, 11>(),
    {Shared, 9, decode_shared<16>, decode_shared<8>, nullptr, nullptr, nullptr, nullptr},
    curve<4>(),
    curve<5>(),
    curve<6>(),
    curve<8>(),
    curve<10>(),
    reads<Uscaled, 2>(),
    reads<Uscaled, 8>(),
    reads<Uscaled, 10>(),
    reads<Uscaled, 16>(),
    reads<Uscaled, 32>(),
    reads<Sscaled, 2>(),
    reads<Sscaled, 8>(),
    reads<Sscaled, 10>(),
    reads<Sscaled, 16>(),
    reads<Sscaled, 32>(),
    reads<Sfixed, 32>(),
    both<Raw, 32>(),
};

}  // namespace

const Conversion* find_conversion(Kind kind, unsigned width) {
    const auto found = std::ranges::find_if(kConversions, [&](const Conversion& row) {
        return row.kind == kind && row.width == width;
    });
    return found == std::end(kConversions) ? nullptr : &*found;
}

}  // namespace gen9::formats
