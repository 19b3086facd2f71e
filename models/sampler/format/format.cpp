// SPDX-License-Identifier: Apache-2.0
#include "sampler/format/format.h"

#include <algorithm>
#include <cstring>

#include "common/host.h"
#include "sampler/format/blocks.h"
#include "sampler/format/gather.h"

namespace gen9::sampler {

namespace {

enum Kind : std::uint8_t { None, Unorm, Snorm, Uint, Sint, Float, Ufloat };
struct Field {
    Kind kind = None;
    std::uint8_t low = 0, width = 0;  ///< bits in the element
};
/// An element without compression: where R, G, B and A lie; luminance and intensity lie in several.
struct Fields {
    Field channel[4];
    bool srgb;
};

constexpr std::uint32_t mask_of(const Field& field) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << field.width) - 1u);
}
template <Field field>
std::uint32_t read_field(const std::uint8_t* bytes) {
    constexpr unsigned first = field.low / 8, shift = field.low % 8;
    constexpr unsigned size = (shift + field.width + 7) / 8;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes + first, size);
    return word >> shift & mask_of(field);
}

/// A channel's value of its field's bits.
template <Field field, bool srgb>
std::uint32_t value_of(std::uint32_t bits) {
    if constexpr (field.kind == Unorm && srgb)
        return std::bit_cast<std::uint32_t>(srgb_table<field.width>()[bits]);
    else if constexpr (field.kind == Unorm)
        return std::bit_cast<std::uint32_t>(unorm(bits, field.width));
    else if constexpr (field.kind == Snorm)
        return std::bit_cast<std::uint32_t>(snorm(bits, field.width));
    else if constexpr (field.kind == Sint)
        return static_cast<std::uint32_t>(sign_extend(bits, field.width));
    else if constexpr (field.kind == Float && field.width == 16)
        return half_to_float(bits);
    else if constexpr (field.kind == Ufloat)
        return widen(bits, field.width - 5, false);
    else
        return bits;
}

/// What a channel without a field reads as.
template <Fields fields, unsigned c>
constexpr std::uint32_t missing_channel() {
    bool integer = false;
    for (const Field& field : fields.channel)
        integer = integer || field.kind == Uint || field.kind == Sint;
    return c < 3 ? 0 : integer ? 1 : kOne;
}

template <Fields fields, unsigned c>
std::uint32_t channel_of(const std::uint8_t* bytes) {
    constexpr Field field = fields.channel[c];
    if constexpr (field.kind == None)
        return missing_channel<fields, c>();
    else
        return value_of < field, fields.srgb && (c < 3) > (read_field<field>(bytes));
}

template <Fields fields>
void plain_texels(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint8_t* const bytes = sources[i].bytes;
        texels[i].channel = {channel_of<fields, 0>(bytes), channel_of<fields, 1>(bytes),
                             channel_of<fields, 2>(bytes), channel_of<fields, 3>(bytes)};
    }
}

/// Bytes of DWord `word` of an element, as far as fields reach.
template <Fields fields, unsigned word>
constexpr unsigned word_bytes() {
    unsigned bits = 0;
    for (const Field& field : fields.channel)
        bits = std::max(bits, unsigned{field.low} + field.width);
    return std::min(4u, (bits + 7) / 8 - std::min(4 * word, (bits + 7) / 8));
}
/// DWord `word` of 16 elements.
template <Fields fields, unsigned word>
GEN9_INLINE void load_words(const std::uint8_t* base, const std::uint32_t* at,
                            std::uint32_t* words) {
    constexpr unsigned size = word_bytes<fields, word>();
    if constexpr (size > 0)
        for (unsigned n = 0; n < 16; ++n) {
            words[n] = 0;
            std::memcpy(words + n, base + at[n] + std::size_t{4} * word, size);
        }
}

/// Many formats have the same channel: what is made of it for 16 lanes is made once, a function of its place in a DWord.
struct Place {
    Kind kind;
    std::uint8_t shift, width;
    bool srgb;
};
template <Fields fields, unsigned c>
constexpr Place place_of() {
    constexpr Field field = fields.channel[c];
    static_assert(field.low % 32 + field.width <= 32);
    return {field.kind, field.low % 32, field.width, fields.srgb && c < 3};
}
template <Place place>
GEN9_INLINE std::uint32_t value_at(std::uint32_t word) {
    constexpr Field field{place.kind, place.shift, place.width};
    return value_of<field, place.srgb>(word >> place.shift & mask_of(field));
}

template <Place place>
GEN9_FOR_EACH_HOST void lanes_at(const std::uint32_t* words, std::uint32_t* __restrict to) {
    for (unsigned n = 0; n < 16; ++n)
        to[n] = value_at<place>(words[n]);
}
template <Fields fields, unsigned c>
GEN9_INLINE void lanes_of(const std::uint32_t (*words)[16], std::uint32_t* to) {
    constexpr Field field = fields.channel[c];
    if constexpr (field.kind == None)
        std::fill_n(to, 16, missing_channel<fields, c>());
    else
        lanes_at<place_of<fields, c>()>(words[field.low / 32], to);
}

template <Fields fields>
GEN9_FOR_EACH_HOST void plain_lanes(const std::uint8_t* base, const std::uint32_t* at,
                                    TexelLanes& texels) {
    alignas(64) std::uint32_t words[4][16];
    load_words<fields, 0>(base, at, words[0]);
    load_words<fields, 1>(base, at, words[1]);
    load_words<fields, 2>(base, at, words[2]);
    load_words<fields, 3>(base, at, words[3]);
    lanes_of<fields, 0>(words, texels.channel[0].data());
    lanes_of<fields, 1>(words, texels.channel[1].data());
    lanes_of<fields, 2>(words, texels.channel[2].data());
    lanes_of<fields, 3>(words, texels.channel[3].data());
}

/// DWord `word` of the elements of four places.
template <Fields fields, unsigned word>
GEN9_INLINE void load_four(const FourPlaces& places, std::array<std::uint32_t, 16>* words) {
    constexpr unsigned size = word_bytes<fields, word>();
    if constexpr (size == 4) {
        gather_four(places.base + 4 * word, places.at, words);
    } else if constexpr (size != 0) {
        load_words<fields, word>(places.base, places.at[0].data(), words[0].data());
        load_words<fields, word>(places.base, places.at[1].data(), words[1].data());
        load_words<fields, word>(places.base, places.at[2].data(), words[2].data());
        load_words<fields, word>(places.base, places.at[3].data(), words[3].data());
    }
}

/// May a value be an infinity or a NaN?
constexpr bool finite(const Fields& fields) {
    for (const Field& field : fields.channel)
        if (field.kind == Float || field.kind == Ufloat) return false;
    return true;
}

/// Sums up the texels' shares of a channel; where one texel has the whole share, it is the result
/// itself. Floats may be infinite, and shares of 0 must not touch them.
template <bool is_finite>
GEN9_INLINE std::uint32_t mix(const float (&share)[4], const std::uint32_t (&value)[4]) {
    const auto number = [&](unsigned k) __attribute__((always_inline)) {
        return std::bit_cast<float>(value[k]);
    };
    if constexpr (is_finite)
        return std::bit_cast<std::uint32_t>(share[0] * number(0) + share[1] * number(1) +
                                            share[2] * number(2) + share[3] * number(3));
    const auto add = [&](float sum, unsigned k) __attribute__((always_inline)) {
        const float more = sum + share[k] * number(k);
        const std::uint32_t used = 0u - static_cast<std::uint32_t>(share[k] > 0);
        return std::bit_cast<float>((std::bit_cast<std::uint32_t>(more) & used) |
                                    (std::bit_cast<std::uint32_t>(sum) & ~used));
    };
    const auto sum = std::bit_cast<std::uint32_t>(add(add(add(add(0, 0), 1), 2), 3));
    const std::uint32_t whole = 0u - static_cast<std::uint32_t>(share[0] == 1);
    return (value[0] & whole) | (sum & ~whole);
}

template <Place place, bool is_finite>
GEN9_FOR_EACH_HOST void filter_at(const std::array<std::uint32_t, 16>* words,
                                  const float (*shares)[16], std::uint32_t* __restrict to) {
    for (unsigned n = 0; n < 16; ++n)
        to[n] = mix<is_finite>({shares[0][n], shares[1][n], shares[2][n], shares[3][n]},
                               {value_at<place>(words[0][n]), value_at<place>(words[1][n]),
                                value_at<place>(words[2][n]), value_at<place>(words[3][n])});
}
template <Fields fields, unsigned c>
GEN9_INLINE void filter_channel(const std::array<std::uint32_t, 16> (*words)[4],
                                const float (*shares)[16], std::uint32_t* to) {
    constexpr Field field = fields.channel[c];
    if constexpr (field.kind == None)
        std::fill_n(to, 16, missing_channel<fields, c>());
    else
        filter_at<place_of<fields, c>(), finite(fields)>(words[field.low / 32], shares, to);
}

template <Fields fields>
GEN9_FOR_EACH_HOST void filter_lanes(const FourPlaces& places, TexelLanes& results) {
    alignas(64) std::array<std::uint32_t, 16> words[4][4];
    load_four<fields, 0>(places, words[0]);
    load_four<fields, 1>(places, words[1]);
    load_four<fields, 2>(places, words[2]);
    load_four<fields, 3>(places, words[3]);
    alignas(64) float shares[4][16];
    for (unsigned n = 0; n < 16; ++n) {
        const float x = places.x[n], y = places.y[n];
        shares[0][n] = (1 - y) * (1 - x);
        shares[1][n] = (1 - y) * x;
        shares[2][n] = y * (1 - x);
        shares[3][n] = y * x;
    }
    filter_channel<fields, 0>(words, shares, results.channel[0].data());
    filter_channel<fields, 1>(words, shares, results.channel[1].data());
    filter_channel<fields, 2>(words, shares, results.channel[2].data());
    filter_channel<fields, 3>(words, shares, results.channel[3].data());
}

constexpr bool integers(const Fields& fields) {
    for (const Field& field : fields.channel)
        if (field.kind == Uint || field.kind == Sint) return true;
    return false;
}
template <Fields fields>
constexpr FilterLanes filter_of() {
    if constexpr (integers(fields))
        return nullptr;
    else
        return filter_lanes<fields>;
}

template <Fields fields>
constexpr Decoder plain{plain_texels<fields>, plain_lanes<fields>, filter_of<fields>()};

/// Three mantissas of 9 bits and an exponent with bias 15 (SMP-206).
void shared_exponent(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const auto word = load<std::uint32_t>(sources[i].bytes);
        // 2 to the exponent less its bias and the mantissa's bits: as a float's own exponent.
        const float scale = std::bit_cast<float>(((word >> 27) + 127 - 15 - 9) << 23);
        for (unsigned c = 0; c < 3; ++c)
            texels[i].set(c, static_cast<float>(word >> 9 * c & 511) * scale);
        texels[i].channel[3] = kOne;
    }
}

/// Two pixels in four bytes: `y` is the first one's luma (SMP-211).
template <unsigned y, unsigned cr, unsigned cb>
void ycrcb(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint8_t* const pair = sources[i].bytes;
        texels[i].set(0, unorm(pair[cr], 8));
        texels[i].set(1, unorm(pair[y + 2u * sources[i].x], 8));
        texels[i].set(2, unorm(pair[cb], 8));
        texels[i].channel[3] = kOne;
    }
}

/// An index of a palette, and alpha or none (a width of 0).
template <unsigned bytes, unsigned index_low, unsigned index_width, unsigned alpha_low,
          unsigned alpha_width>
void indexed(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, sources[i].bytes, bytes);
        texels[i] = {};
        texels[i].channel[0] = word >> index_low & ((1u << index_width) - 1);
        if constexpr (alpha_width == 0)
            texels[i].channel[3] = kPaletteAlpha;
        else
            texels[i].set(3, unorm(word >> alpha_low & ((1u << alpha_width) - 1), alpha_width));
    }
}
/// Four texels in a byte, the first in the lowest bits (Assumed, as in all other packed formats).
void indexed_pairs(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i)
        texels[i].channel = {sources[i].bytes[0] >> 2u * sources[i].x & 3u, 0, 0, kPaletteAlpha};
}
/// Eight texels in a byte, the first in the lowest bit (Assumed). `mono`: in all channels.
template <bool mono>
void one_bit(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t value = sources[i].bytes[0] >> sources[i].x & 1 ? kOne : 0;
        texels[i].channel = {value, mono ? value : 0, mono ? value : 0, mono ? value : kOne};
    }
}

using V = Values;

// clang-format off
/// The formats of the PRM's table of output channels (003:3576-3754); bits and places are Public:
/// mesa isl format layouts.
constexpr Format kFormats[] = {
    {0x000, "R32G32B32A32_FLOAT", 16, 1, 1, V::Float, 15, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 32, 32}, {Float, 64, 32}, {Float, 96, 32}}, false}>},
    {0x001, "R32G32B32A32_SINT", 16, 1, 1, V::Sint, 15, false, false,
     plain<Fields{{{Sint, 0, 32}, {Sint, 32, 32}, {Sint, 64, 32}, {Sint, 96, 32}}, false}>},
    {0x002, "R32G32B32A32_UINT", 16, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 32}, {Uint, 32, 32}, {Uint, 64, 32}, {Uint, 96, 32}}, false}>},
    {0x006, "R32G32B32X32_FLOAT", 16, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 32, 32}, {Float, 64, 32}, {}}, false}>},
    {0x040, "R32G32B32_FLOAT", 12, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 32, 32}, {Float, 64, 32}, {}}, false}>},
    {0x041, "R32G32B32_SINT", 12, 1, 1, V::Sint, 7, false, false,
     plain<Fields{{{Sint, 0, 32}, {Sint, 32, 32}, {Sint, 64, 32}, {}}, false}>},
    {0x042, "R32G32B32_UINT", 12, 1, 1, V::Uint, 7, false, false,
     plain<Fields{{{Uint, 0, 32}, {Uint, 32, 32}, {Uint, 64, 32}, {}}, false}>},
    {0x080, "R16G16B16A16_UNORM", 8, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 16, 16}, {Unorm, 32, 16}, {Unorm, 48, 16}}, false}>},
    {0x081, "R16G16B16A16_SNORM", 8, 1, 1, V::Snorm, 15, false, false,
     plain<Fields{{{Snorm, 0, 16}, {Snorm, 16, 16}, {Snorm, 32, 16}, {Snorm, 48, 16}}, false}>},
    {0x082, "R16G16B16A16_SINT", 8, 1, 1, V::Sint, 15, false, false,
     plain<Fields{{{Sint, 0, 16}, {Sint, 16, 16}, {Sint, 32, 16}, {Sint, 48, 16}}, false}>},
    {0x083, "R16G16B16A16_UINT", 8, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 16}, {Uint, 16, 16}, {Uint, 32, 16}, {Uint, 48, 16}}, false}>},
    {0x084, "R16G16B16A16_FLOAT", 8, 1, 1, V::Float, 15, false, false,
     plain<Fields{{{Float, 0, 16}, {Float, 16, 16}, {Float, 32, 16}, {Float, 48, 16}}, false}>},
    {0x085, "R32G32_FLOAT", 8, 1, 1, V::Float, 3, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 32, 32}, {}, {}}, false}>},
    {0x086, "R32G32_SINT", 8, 1, 1, V::Sint, 3, false, false,
     plain<Fields{{{Sint, 0, 32}, {Sint, 32, 32}, {}, {}}, false}>},
    {0x087, "R32G32_UINT", 8, 1, 1, V::Uint, 3, false, false,
     plain<Fields{{{Uint, 0, 32}, {Uint, 32, 32}, {}, {}}, false}>},
    {0x088, "R32_FLOAT_X8X24_TYPELESS", 8, 1, 1, V::Float, 1, true, false,
     plain<Fields{{{Float, 0, 32}, {}, {}, {}}, false}>},
    {0x089, "X32_TYPELESS_G8X24_UINT", 8, 1, 1, V::Uint, 2, false, false,
     plain<Fields{{{}, {Uint, 32, 8}, {}, {}}, false}>},
    {0x08A, "L32A32_FLOAT", 8, 1, 1, V::Float, 15, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}, {Float, 32, 32}}, false}>, 16},
    {0x08E, "R16G16B16X16_UNORM", 8, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 16, 16}, {Unorm, 32, 16}, {}}, false}>},
    {0x08F, "R16G16B16X16_FLOAT", 8, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Float, 0, 16}, {Float, 16, 16}, {Float, 32, 16}, {}}, false}>},
    {0x090, "A32X32_FLOAT", 8, 1, 1, V::Float, 8, false, false,
     plain<Fields{{{}, {}, {}, {Float, 0, 32}}, false}>, 16},
    {0x091, "L32X32_FLOAT", 8, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}, {}}, false}>, 16},
    {0x092, "I32X32_FLOAT", 8, 1, 1, V::Float, 15, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}}, false}>, 16},
    {0x097, "R32G32_FLOAT_LD", 8, 1, 1, V::Float, 3, false, false,
     plain<Fields{{{Float, 0, 32}, {Float, 32, 32}, {}, {}}, false}>},
    {0x0C0, "B8G8R8A8_UNORM", 4, 1, 1, V::Unorm, 15, false, true,
     plain<Fields{{{Unorm, 16, 8}, {Unorm, 8, 8}, {Unorm, 0, 8}, {Unorm, 24, 8}}, false}>},
    {0x0C1, "B8G8R8A8_UNORM_SRGB", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 16, 8}, {Unorm, 8, 8}, {Unorm, 0, 8}, {Unorm, 24, 8}}, true}>},
    {0x0C2, "R10G10B10A2_UNORM", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 10}, {Unorm, 10, 10}, {Unorm, 20, 10}, {Unorm, 30, 2}}, false}>},
    {0x0C3, "R10G10B10A2_UNORM_SRGB", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 10}, {Unorm, 10, 10}, {Unorm, 20, 10}, {Unorm, 30, 2}}, true}>},
    {0x0C4, "R10G10B10A2_UINT", 4, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 10}, {Uint, 10, 10}, {Uint, 20, 10}, {Uint, 30, 2}}, false}>},
    {0x0C5, "R10G10B10_SNORM_A2_UNORM", 4, 1, 1, V::Snorm, 15, false, false,
     plain<Fields{{{Snorm, 0, 10}, {Snorm, 10, 10}, {Snorm, 20, 10}, {Unorm, 30, 2}}, false}>},
    {0x0C7, "R8G8B8A8_UNORM", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {Unorm, 24, 8}}, false}>},
    {0x0C8, "R8G8B8A8_UNORM_SRGB", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {Unorm, 24, 8}}, true}>},
    {0x0C9, "R8G8B8A8_SNORM", 4, 1, 1, V::Snorm, 15, false, false,
     plain<Fields{{{Snorm, 0, 8}, {Snorm, 8, 8}, {Snorm, 16, 8}, {Snorm, 24, 8}}, false}>},
    {0x0CA, "R8G8B8A8_SINT", 4, 1, 1, V::Sint, 15, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 8, 8}, {Sint, 16, 8}, {Sint, 24, 8}}, false}>},
    {0x0CB, "R8G8B8A8_UINT", 4, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 8, 8}, {Uint, 16, 8}, {Uint, 24, 8}}, false}>},
    {0x0CC, "R16G16_UNORM", 4, 1, 1, V::Unorm, 3, false, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 16, 16}, {}, {}}, false}>},
    {0x0CD, "R16G16_SNORM", 4, 1, 1, V::Snorm, 3, false, false,
     plain<Fields{{{Snorm, 0, 16}, {Snorm, 16, 16}, {}, {}}, false}>},
    {0x0CE, "R16G16_SINT", 4, 1, 1, V::Sint, 3, false, false,
     plain<Fields{{{Sint, 0, 16}, {Sint, 16, 16}, {}, {}}, false}>},
    {0x0CF, "R16G16_UINT", 4, 1, 1, V::Uint, 3, false, false,
     plain<Fields{{{Uint, 0, 16}, {Uint, 16, 16}, {}, {}}, false}>},
    {0x0D0, "R16G16_FLOAT", 4, 1, 1, V::Float, 3, false, false,
     plain<Fields{{{Float, 0, 16}, {Float, 16, 16}, {}, {}}, false}>},
    {0x0D1, "B10G10R10A2_UNORM", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 20, 10}, {Unorm, 10, 10}, {Unorm, 0, 10}, {Unorm, 30, 2}}, false}>},
    {0x0D2, "B10G10R10A2_UNORM_SRGB", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 20, 10}, {Unorm, 10, 10}, {Unorm, 0, 10}, {Unorm, 30, 2}}, true}>},
    {0x0D3, "R11G11B10_FLOAT", 4, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Ufloat, 0, 11}, {Ufloat, 11, 11}, {Ufloat, 22, 10}, {}}, false}>},
    {0x0D6, "R32_SINT", 4, 1, 1, V::Sint, 1, false, false,
     plain<Fields{{{Sint, 0, 32}, {}, {}, {}}, false}>},
    {0x0D7, "R32_UINT", 4, 1, 1, V::Uint, 1, false, false,
     plain<Fields{{{Uint, 0, 32}, {}, {}, {}}, false}>},
    {0x0D8, "R32_FLOAT", 4, 1, 1, V::Float, 1, true, false,
     plain<Fields{{{Float, 0, 32}, {}, {}, {}}, false}>},
    {0x0D9, "R24_UNORM_X8_TYPELESS", 4, 1, 1, V::Unorm, 1, true, false,
     plain<Fields{{{Unorm, 0, 24}, {}, {}, {}}, false}>},
    {0x0DA, "X24_TYPELESS_G8_UINT", 4, 1, 1, V::Uint, 2, false, false,
     plain<Fields{{{}, {Uint, 24, 8}, {}, {}}, false}>},
    {0x0DD, "L32_UNORM", 4, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 32}, {Unorm, 0, 32}, {Unorm, 0, 32}, {}}, false}>, 16},
    {0x0DE, "A32_UNORM", 4, 1, 1, V::Unorm, 8, false, false,
     plain<Fields{{{}, {}, {}, {Unorm, 0, 32}}, false}>, 16},
    {0x0DF, "L16A16_UNORM", 4, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 0, 16}, {Unorm, 0, 16}, {Unorm, 16, 16}}, false}>, 8},
    {0x0E0, "I24X8_UNORM", 4, 1, 1, V::Unorm, 15, true, false,
     plain<Fields{{{Unorm, 0, 24}, {Unorm, 0, 24}, {Unorm, 0, 24}, {Unorm, 0, 24}}, false}>},
    {0x0E1, "L24X8_UNORM", 4, 1, 1, V::Unorm, 7, true, false,
     plain<Fields{{{Unorm, 0, 24}, {Unorm, 0, 24}, {Unorm, 0, 24}, {}}, false}>},
    {0x0E2, "A24X8_UNORM", 4, 1, 1, V::Unorm, 8, true, false,
     plain<Fields{{{}, {}, {}, {Unorm, 0, 24}}, false}>},
    {0x0E3, "I32_FLOAT", 4, 1, 1, V::Float, 15, true, false,
     plain<Fields{{{Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}}, false}>, 16},
    {0x0E4, "L32_FLOAT", 4, 1, 1, V::Float, 7, true, false,
     plain<Fields{{{Float, 0, 32}, {Float, 0, 32}, {Float, 0, 32}, {}}, false}>, 16},
    {0x0E5, "A32_FLOAT", 4, 1, 1, V::Float, 8, true, false,
     plain<Fields{{{}, {}, {}, {Float, 0, 32}}, false}>, 16},
    {0x0E9, "B8G8R8X8_UNORM", 4, 1, 1, V::Unorm, 7, false, true,
     plain<Fields{{{Unorm, 16, 8}, {Unorm, 8, 8}, {Unorm, 0, 8}, {}}, false}>},
    {0x0EA, "B8G8R8X8_UNORM_SRGB", 4, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 16, 8}, {Unorm, 8, 8}, {Unorm, 0, 8}, {}}, true}>},
    {0x0EB, "R8G8B8X8_UNORM", 4, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {}}, false}>},
    {0x0EC, "R8G8B8X8_UNORM_SRGB", 4, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {}}, true}>},
    {0x0ED, "R9G9B9E5_SHAREDEXP", 4, 1, 1, V::Float, 7, false, false, shared_exponent},
    {0x0EE, "B10G10R10X2_UNORM", 4, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 20, 10}, {Unorm, 10, 10}, {Unorm, 0, 10}, {}}, false}>},
    {0x0F0, "L16A16_FLOAT", 4, 1, 1, V::Float, 15, false, false,
     plain<Fields{{{Float, 0, 16}, {Float, 0, 16}, {Float, 0, 16}, {Float, 16, 16}}, false}>, 8},
    {0x100, "B5G6R5_UNORM", 2, 1, 1, V::Unorm, 7, false, true,
     plain<Fields{{{Unorm, 11, 5}, {Unorm, 5, 6}, {Unorm, 0, 5}, {}}, false}>},
    {0x101, "B5G6R5_UNORM_SRGB", 2, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 11, 5}, {Unorm, 5, 6}, {Unorm, 0, 5}, {}}, true}>},
    {0x102, "B5G5R5A1_UNORM", 2, 1, 1, V::Unorm, 15, false, true,
     plain<Fields{{{Unorm, 10, 5}, {Unorm, 5, 5}, {Unorm, 0, 5}, {Unorm, 15, 1}}, false}>},
    {0x103, "B5G5R5A1_UNORM_SRGB", 2, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 10, 5}, {Unorm, 5, 5}, {Unorm, 0, 5}, {Unorm, 15, 1}}, true}>},
    {0x104, "B4G4R4A4_UNORM", 2, 1, 1, V::Unorm, 15, false, true,
     plain<Fields{{{Unorm, 8, 4}, {Unorm, 4, 4}, {Unorm, 0, 4}, {Unorm, 12, 4}}, false}>},
    {0x105, "B4G4R4A4_UNORM_SRGB", 2, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 8, 4}, {Unorm, 4, 4}, {Unorm, 0, 4}, {Unorm, 12, 4}}, true}>},
    {0x106, "R8G8_UNORM", 2, 1, 1, V::Unorm, 3, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {}, {}}, false}>},
    {0x107, "R8G8_SNORM", 2, 1, 1, V::Snorm, 3, false, true,
     plain<Fields{{{Snorm, 0, 8}, {Snorm, 8, 8}, {}, {}}, false}>},
    {0x108, "R8G8_SINT", 2, 1, 1, V::Sint, 3, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 8, 8}, {}, {}}, false}>},
    {0x109, "R8G8_UINT", 2, 1, 1, V::Uint, 3, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 8, 8}, {}, {}}, false}>},
    {0x10A, "R16_UNORM", 2, 1, 1, V::Unorm, 1, true, false,
     plain<Fields{{{Unorm, 0, 16}, {}, {}, {}}, false}>},
    {0x10B, "R16_SNORM", 2, 1, 1, V::Snorm, 1, false, false,
     plain<Fields{{{Snorm, 0, 16}, {}, {}, {}}, false}>},
    {0x10C, "R16_SINT", 2, 1, 1, V::Sint, 1, false, false,
     plain<Fields{{{Sint, 0, 16}, {}, {}, {}}, false}>},
    {0x10D, "R16_UINT", 2, 1, 1, V::Uint, 1, false, false,
     plain<Fields{{{Uint, 0, 16}, {}, {}, {}}, false}>},
    {0x10E, "R16_FLOAT", 2, 1, 1, V::Float, 1, false, false,
     plain<Fields{{{Float, 0, 16}, {}, {}, {}}, false}>},
    {0x10F, "A8P8_UNORM_PALETTE0", 2, 1, 1, V::Unorm, 15, false, false, indexed<2, 8, 8, 0, 8>, 0, 1},
    {0x110, "A8P8_UNORM_PALETTE1", 2, 1, 1, V::Unorm, 15, false, false, indexed<2, 8, 8, 0, 8>, 0, 2},
    {0x111, "I16_UNORM", 2, 1, 1, V::Unorm, 15, true, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 0, 16}, {Unorm, 0, 16}, {Unorm, 0, 16}}, false}>, 8},
    {0x112, "L16_UNORM", 2, 1, 1, V::Unorm, 7, true, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 0, 16}, {Unorm, 0, 16}, {}}, false}>, 8},
    {0x113, "A16_UNORM", 2, 1, 1, V::Unorm, 8, true, false,
     plain<Fields{{{}, {}, {}, {Unorm, 0, 16}}, false}>, 8},
    {0x114, "L8A8_UNORM", 2, 1, 1, V::Unorm, 15, false, true,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 8, 8}}, false}>},
    {0x115, "I16_FLOAT", 2, 1, 1, V::Float, 15, true, false,
     plain<Fields{{{Float, 0, 16}, {Float, 0, 16}, {Float, 0, 16}, {Float, 0, 16}}, false}>, 8},
    {0x116, "L16_FLOAT", 2, 1, 1, V::Float, 7, true, false,
     plain<Fields{{{Float, 0, 16}, {Float, 0, 16}, {Float, 0, 16}, {}}, false}>, 8},
    {0x117, "A16_FLOAT", 2, 1, 1, V::Float, 8, true, false,
     plain<Fields{{{}, {}, {}, {Float, 0, 16}}, false}>, 8},
    {0x118, "L8A8_UNORM_SRGB", 2, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 8, 8}}, true}>},
    {0x119, "R5G5_SNORM_B6_UNORM", 2, 1, 1, V::Snorm, 7, false, true,
     plain<Fields{{{Snorm, 0, 5}, {Snorm, 5, 5}, {Unorm, 10, 6}, {}}, false}>},
    {0x11A, "B5G5R5X1_UNORM", 2, 1, 1, V::Unorm, 7, false, true,
     plain<Fields{{{Unorm, 10, 5}, {Unorm, 5, 5}, {Unorm, 0, 5}, {}}, false}>},
    {0x11B, "B5G5R5X1_UNORM_SRGB", 2, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 10, 5}, {Unorm, 5, 5}, {Unorm, 0, 5}, {}}, true}>},
    {0x122, "P8A8_UNORM_PALETTE0", 2, 1, 1, V::Unorm, 15, false, false, indexed<2, 0, 8, 8, 8>, 0, 1},
    {0x123, "P8A8_UNORM_PALETTE1", 2, 1, 1, V::Unorm, 15, false, false, indexed<2, 0, 8, 8, 8>, 0, 2},
    {0x124, "A1B5G5R5_UNORM", 2, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 11, 5}, {Unorm, 6, 5}, {Unorm, 1, 5}, {Unorm, 0, 1}}, false}>},
    {0x125, "A4B4G4R4_UNORM", 2, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 12, 4}, {Unorm, 8, 4}, {Unorm, 4, 4}, {Unorm, 0, 4}}, false}>},
    {0x126, "L8A8_UINT", 2, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 0, 8}, {Uint, 0, 8}, {Uint, 8, 8}}, false}>},
    {0x127, "L8A8_SINT", 2, 1, 1, V::Sint, 15, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 0, 8}, {Sint, 0, 8}, {Sint, 8, 8}}, false}>},
    {0x140, "R8_UNORM", 1, 1, 1, V::Unorm, 1, false, true,
     plain<Fields{{{Unorm, 0, 8}, {}, {}, {}}, false}>},
    {0x141, "R8_SNORM", 1, 1, 1, V::Snorm, 1, false, false,
     plain<Fields{{{Snorm, 0, 8}, {}, {}, {}}, false}>},
    {0x142, "R8_SINT", 1, 1, 1, V::Sint, 1, false, false,
     plain<Fields{{{Sint, 0, 8}, {}, {}, {}}, false}>},
    {0x143, "R8_UINT", 1, 1, 1, V::Uint, 1, false, false,
     plain<Fields{{{Uint, 0, 8}, {}, {}, {}}, false}>},
    {0x144, "A8_UNORM", 1, 1, 1, V::Unorm, 8, false, true,
     plain<Fields{{{}, {}, {}, {Unorm, 0, 8}}, false}>},
    {0x145, "I8_UNORM", 1, 1, 1, V::Unorm, 15, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}}, false}>},
    {0x146, "L8_UNORM", 1, 1, 1, V::Unorm, 7, false, true,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}, {}}, false}>},
    {0x147, "P4A4_UNORM_PALETTE0", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 0, 4, 4, 4>, 0, 1},
    {0x148, "A4P4_UNORM_PALETTE0", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 4, 4, 0, 4>, 0, 1},
    {0x14B, "P8_UNORM_PALETTE0", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 0, 8, 0, 0>, 0, 1},
    {0x14C, "L8_UNORM_SRGB", 1, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 0, 8}, {Unorm, 0, 8}, {}}, true}>},
    {0x14D, "P8_UNORM_PALETTE1", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 0, 8, 0, 0>, 0, 2},
    {0x14E, "P4A4_UNORM_PALETTE1", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 0, 4, 4, 4>, 0, 2},
    {0x14F, "A4P4_UNORM_PALETTE1", 1, 1, 1, V::Unorm, 15, false, false, indexed<1, 4, 4, 0, 4>, 0, 2},
    {0x152, "L8_UINT", 1, 1, 1, V::Uint, 7, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 0, 8}, {Uint, 0, 8}, {}}, false}>},
    {0x153, "L8_SINT", 1, 1, 1, V::Sint, 7, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 0, 8}, {Sint, 0, 8}, {}}, false}>},
    {0x154, "I8_UINT", 1, 1, 1, V::Uint, 15, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 0, 8}, {Uint, 0, 8}, {Uint, 0, 8}}, false}>},
    {0x155, "I8_SINT", 1, 1, 1, V::Sint, 15, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 0, 8}, {Sint, 0, 8}, {Sint, 0, 8}}, false}>},
    {0x180, "DXT1_RGB_SRGB", 8, 4, 4, V::Unorm, 7, false, false, bc1<false, true>},
    {0x181, "R1_UNORM", 1, 8, 1, V::Unorm, 1, false, false, one_bit<false>},
    {0x182, "YCRCB_NORMAL", 4, 2, 1, V::Unorm, 7, false, true, ycrcb<0, 3, 1>},
    {0x183, "YCRCB_SWAPUVY", 4, 2, 1, V::Unorm, 7, false, true, ycrcb<1, 0, 2>},
    {0x184, "P2_UNORM_PALETTE0", 1, 4, 1, V::Unorm, 15, false, false, indexed_pairs, 0, 1},
    {0x185, "P2_UNORM_PALETTE1", 1, 4, 1, V::Unorm, 15, false, false, indexed_pairs, 0, 2},
    {0x186, "BC1_UNORM", 8, 4, 4, V::Unorm, 15, false, true, bc1<true, false>},
    {0x187, "BC2_UNORM", 16, 4, 4, V::Unorm, 15, false, true, bc2<false>},
    {0x188, "BC3_UNORM", 16, 4, 4, V::Unorm, 15, false, true, bc3<false>},
    {0x189, "BC4_UNORM", 8, 4, 4, V::Unorm, 1, false, false, bc4<false>},
    {0x18A, "BC5_UNORM", 16, 4, 4, V::Unorm, 3, false, false, bc5<false>},
    {0x18B, "BC1_UNORM_SRGB", 8, 4, 4, V::Unorm, 15, false, false, bc1<true, true>},
    {0x18C, "BC2_UNORM_SRGB", 16, 4, 4, V::Unorm, 15, false, false, bc2<true>},
    {0x18D, "BC3_UNORM_SRGB", 16, 4, 4, V::Unorm, 15, false, false, bc3<true>},
    {0x18E, "MONO8", 1, 8, 1, V::Unorm, 15, false, false, one_bit<true>},
    {0x18F, "YCRCB_SWAPUV", 4, 2, 1, V::Unorm, 7, false, false, ycrcb<0, 1, 3>},
    {0x190, "YCRCB_SWAPY", 4, 2, 1, V::Unorm, 7, false, false, ycrcb<1, 2, 0>},
    {0x191, "DXT1_RGB", 8, 4, 4, V::Unorm, 7, false, false, bc1<false, false>},
    {0x192, "FXT1", 16, 8, 4, V::Unorm, 15, false, false, fxt1},
    {0x193, "R8G8B8_UNORM", 3, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {}}, false}>},
    {0x194, "R8G8B8_SNORM", 3, 1, 1, V::Snorm, 7, false, false,
     plain<Fields{{{Snorm, 0, 8}, {Snorm, 8, 8}, {Snorm, 16, 8}, {}}, false}>},
    {0x199, "BC4_SNORM", 8, 4, 4, V::Snorm, 1, false, false, bc4<true>},
    {0x19A, "BC5_SNORM", 16, 4, 4, V::Snorm, 3, false, false, bc5<true>},
    {0x19B, "R16G16B16_FLOAT", 6, 1, 1, V::Float, 7, false, false,
     plain<Fields{{{Float, 0, 16}, {Float, 16, 16}, {Float, 32, 16}, {}}, false}>},
    {0x19C, "R16G16B16_UNORM", 6, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 16}, {Unorm, 16, 16}, {Unorm, 32, 16}, {}}, false}>},
    {0x19D, "R16G16B16_SNORM", 6, 1, 1, V::Snorm, 7, false, false,
     plain<Fields{{{Snorm, 0, 16}, {Snorm, 16, 16}, {Snorm, 32, 16}, {}}, false}>},
    {0x1A1, "BC6H_SF16", 16, 4, 4, V::Float, 7, false, false, bc6<true>, 8},
    {0x1A2, "BC7_UNORM", 16, 4, 4, V::Unorm, 15, false, false, bc7<false>},
    {0x1A3, "BC7_UNORM_SRGB", 16, 4, 4, V::Unorm, 15, false, false, bc7<true>},
    {0x1A4, "BC6H_UF16", 16, 4, 4, V::Float, 7, false, false, bc6<false>, 8},
    {0x1A5, "PLANAR_420_8", 0, 1, 1, V::Unorm, 7, false, false, nullptr},
    {0x1A6, "PLANAR_420_16", 0, 1, 1, V::Unorm, 7, false, false, nullptr},
    {0x1A8, "R8G8B8_UNORM_SRGB", 3, 1, 1, V::Unorm, 7, false, false,
     plain<Fields{{{Unorm, 0, 8}, {Unorm, 8, 8}, {Unorm, 16, 8}, {}}, true}>},
    {0x1A9, "ETC1_RGB8", 8, 4, 4, V::Unorm, 7, false, false, etc<Etc::Etc1, false>},
    {0x1AA, "ETC2_RGB8", 8, 4, 4, V::Unorm, 7, false, false, etc<Etc::Rgb, false>},
    {0x1AB, "EAC_R11", 8, 4, 4, V::Unorm, 1, false, false, eac<1, false>},
    {0x1AC, "EAC_RG11", 16, 4, 4, V::Unorm, 3, false, false, eac<2, false>},
    {0x1AD, "EAC_SIGNED_R11", 8, 4, 4, V::Snorm, 1, false, false, eac<1, true>},
    {0x1AE, "EAC_SIGNED_RG11", 16, 4, 4, V::Snorm, 3, false, false, eac<2, true>},
    {0x1AF, "ETC2_SRGB8", 8, 4, 4, V::Unorm, 7, false, false, etc<Etc::Rgb, true>},
    {0x1B0, "R16G16B16_UINT", 6, 1, 1, V::Uint, 7, false, false,
     plain<Fields{{{Uint, 0, 16}, {Uint, 16, 16}, {Uint, 32, 16}, {}}, false}>},
    {0x1B1, "R16G16B16_SINT", 6, 1, 1, V::Sint, 7, false, false,
     plain<Fields{{{Sint, 0, 16}, {Sint, 16, 16}, {Sint, 32, 16}, {}}, false}>},
    {0x1C0, "ETC2_RGB8_PTA", 8, 4, 4, V::Unorm, 15, false, false, etc<Etc::Punch, false>},
    {0x1C1, "ETC2_SRGB8_PTA", 8, 4, 4, V::Unorm, 15, false, false, etc<Etc::Punch, true>},
    {0x1C2, "ETC2_EAC_RGBA8", 16, 4, 4, V::Unorm, 15, false, false, etc<Etc::Rgba, false>},
    {0x1C3, "ETC2_EAC_SRGB8_A8", 16, 4, 4, V::Unorm, 15, false, false, etc<Etc::Rgba, true>},
    {0x1C8, "R8G8B8_UINT", 3, 1, 1, V::Uint, 7, false, false,
     plain<Fields{{{Uint, 0, 8}, {Uint, 8, 8}, {Uint, 16, 8}, {}}, false}>},
    {0x1C9, "R8G8B8_SINT", 3, 1, 1, V::Sint, 7, false, false,
     plain<Fields{{{Sint, 0, 8}, {Sint, 8, 8}, {Sint, 16, 8}, {}}, false}>},};

/// ASTC codes: bits 5:3 the block's width, 2:0 its height, by these numbers; bit 6 linear instead of
/// sRGB; bit 8 high dynamic range, which is not modelled; bit 7, three dimensions, must be 0 (SMP-91).
#define GEN9_ASTC(code, w, h)                                                            \
    {code, "ASTC_LDR_2D_" #w "X" #h "_U8SRGB", 16, w, h, V::Unorm, 15, false, false,       \
     astc<w, h, true>},                                                                    \
    {code | 0x40, "ASTC_LDR_2D_" #w "X" #h "_FLT16", 16, w, h, V::Unorm, 15, false, false, \
     astc<w, h, false>},                                                                   \
    {code | 0x140, "ASTC_FULL_2D_" #w "X" #h "_FLT16", 16, w, h, V::Float, 15, false, false, nullptr}
constexpr Format kAstc[] = {
    GEN9_ASTC(0x00, 4, 4), GEN9_ASTC(0x08, 5, 4), GEN9_ASTC(0x09, 5, 5), GEN9_ASTC(0x11, 6, 5),
    GEN9_ASTC(0x12, 6, 6), GEN9_ASTC(0x21, 8, 5), GEN9_ASTC(0x22, 8, 6), GEN9_ASTC(0x24, 8, 8),
    GEN9_ASTC(0x31, 10, 5), GEN9_ASTC(0x32, 10, 6), GEN9_ASTC(0x34, 10, 8), GEN9_ASTC(0x36, 10, 10),
    GEN9_ASTC(0x3E, 12, 10), GEN9_ASTC(0x3F, 12, 12),
};
#undef GEN9_ASTC
// clang-format on

}  // namespace

const Format* find_format(unsigned code, bool astc) {
    const auto search = [&](const auto& rows) -> const Format* {
        const auto found = std::find_if(std::begin(rows), std::end(rows),
                                        [&](const Format& row) { return row.code == code; });
        return found == std::end(rows) ? nullptr : &*found;
    };
    return astc ? search(kAstc) : search(kFormats);
}

}  // namespace gen9::sampler
