// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "sampler/format/blocks.h"
#include "sampler/format/bptc.h"

namespace gen9::sampler {

namespace {

using namespace bptc;

/// Where the bits of the ends are: in the block's order a colour, an end (w, x, y, z), and its
/// bits; "9-0" begins with bit 0, "10-15" with bit 15.
struct ModeText {
    std::uint8_t code, code_bits, precision;
    std::uint8_t delta[3];
    bool transformed, two;
    const char* ends;
};
// clang-format off
constexpr ModeText kTexts[] = {
    {0x00, 2, 10, {5, 5, 5}, true, true, "gy4 by4 bz4 rw9-0 gw9-0 bw9-0 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"},
    {0x01, 2, 7, {6, 6, 6}, true, true, "gy5 gz4 gz5 rw6-0 bz0 bz1 by4 gw6-0 by5 bz2 gy4 bw6-0 bz3 bz5 bz4 rx5-0 gy3-0 gx5-0 gz3-0 bx5-0 by3-0 ry5-0 rz5-0"},
    {0x02, 5, 11, {5, 4, 4}, true, true, "rw9-0 gw9-0 bw9-0 rx4-0 rw10 gy3-0 gx3-0 gw10 bz0 gz3-0 bx3-0 bw10 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"},
    {0x06, 5, 11, {4, 5, 4}, true, true, "rw9-0 gw9-0 bw9-0 rx3-0 rw10 gz4 gy3-0 gx4-0 gw10 gz3-0 bx3-0 bw10 bz1 by3-0 ry3-0 bz0 bz2 rz3-0 gy4 bz3"},
    {0x0A, 5, 11, {4, 4, 5}, true, true, "rw9-0 gw9-0 bw9-0 rx3-0 rw10 by4 gy3-0 gx3-0 gw10 bz0 gz3-0 bx4-0 bw10 by3-0 ry3-0 bz1 bz2 rz3-0 bz4 bz3"},
    {0x0E, 5, 9, {5, 5, 5}, true, true, "rw8-0 by4 gw8-0 gy4 bw8-0 bz4 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"},
    {0x12, 5, 8, {6, 5, 5}, true, true, "rw7-0 gz4 by4 gw7-0 bz2 gy4 bw7-0 bz3 bz4 rx5-0 gy3-0 gx4-0 bz0 gz3-0 bx4-0 bz1 by3-0 ry5-0 rz5-0"},
    {0x16, 5, 8, {5, 6, 5}, true, true, "rw7-0 bz0 by4 gw7-0 gy5 gy4 bw7-0 gz5 bz4 rx4-0 gz4 gy3-0 gx5-0 gz3-0 bx4-0 bz1 by3-0 ry4-0 bz2 rz4-0 bz3"},
    {0x1A, 5, 8, {5, 5, 6}, true, true, "rw7-0 bz1 by4 gw7-0 by5 gy4 bw7-0 bz5 bz4 rx4-0 gz4 gy3-0 gx4-0 bz0 gz3-0 bx5-0 by3-0 ry4-0 bz2 rz4-0 bz3"},
    {0x1E, 5, 6, {6, 6, 6}, false, true, "rw5-0 gz4 bz0 bz1 by4 gw5-0 gy5 by5 bz2 gy4 bw5-0 gz5 bz3 bz5 bz4 rx5-0 gy3-0 gx5-0 gz3-0 bx5-0 by3-0 ry5-0 rz5-0"},
    {0x03, 5, 10, {10, 10, 10}, false, false, "rw9-0 gw9-0 bw9-0 rx9-0 gx9-0 bx9-0"},
    {0x07, 5, 11, {9, 9, 9}, true, false, "rw9-0 gw9-0 bw9-0 rx8-0 rw10 gx8-0 gw10 bx8-0 bw10"},
    {0x0B, 5, 12, {8, 8, 8}, true, false, "rw9-0 gw9-0 bw9-0 rx7-0 rw10-11 gx7-0 gw10-11 bx7-0 bw10-11"},
    {0x0F, 5, 16, {4, 4, 4}, true, false, "rw9-0 gw9-0 bw9-0 rx3-0 rw10-15 gx3-0 gw10-15 bx3-0 bw10-15"},
};
// clang-format on

struct BitPlace {
    std::uint8_t color, end, bit;
};
struct Mode {
    const ModeText* text;
    std::vector<BitPlace> bits;
};

Mode parse(const ModeText& text) {
    Mode mode{&text, {}};
    for (const char* at = text.ends; *at;) {
        const auto color = static_cast<std::uint8_t>(at[0] == 'r' ? 0 : at[0] == 'g' ? 1 : 2);
        const auto end = static_cast<std::uint8_t>(at[1] == 'w' ? 0 : at[1] - 'x' + 1);
        at += 2;
        const auto number = [&] {
            unsigned value = 0;
            while (*at >= '0' && *at <= '9')
                value = value * 10 + static_cast<unsigned>(*at++ - '0');
            return value;
        };
        const unsigned from = number();
        unsigned bit = from;
        if (*at == '-') ++at, bit = number();
        for (;; bit < from ? ++bit : --bit) {
            mode.bits.push_back({color, end, static_cast<std::uint8_t>(bit)});
            if (bit == from) break;
        }
        if (*at == ' ') ++at;
    }
    return mode;
}

/// Modes by the block's low five bits; null: reserved.
const Mode* find_mode(unsigned low) {
    static const auto modes = [] {
        std::vector<Mode> all;
        for (const ModeText& text : kTexts)
            all.push_back(parse(text));
        return all;
    }();
    for (const Mode& mode : modes)
        if ((low & ((1u << mode.text->code_bits) - 1)) == mode.text->code) return &mode;
    return nullptr;
}

int extended(int value, unsigned width) {
    return static_cast<int>(sign_extend(static_cast<std::uint64_t>(value), width));
}

template <bool has_sign>
int unquantize(int value, unsigned precision) {
    if (!has_sign) {
        if (precision >= 15 || value == 0) return value;
        if (value == (1 << precision) - 1) return 0xFFFF;
        return ((value << 16) + 0x8000) >> precision;
    }
    if (precision >= 16 || value == 0) return value;
    const int magnitude = value < 0 ? -value : value;
    const int wide = magnitude >= (1 << (precision - 1)) - 1
                         ? 0x7FFF
                         : ((magnitude << 15) + 0x4000) >> (precision - 1);
    return value < 0 ? -wide : wide;
}

/// Bits of a half: the interpolated value scaled down from 16 bits.
template <bool has_sign>
std::uint32_t finish(int value) {
    if (!has_sign) return static_cast<std::uint32_t>(value * 31 >> 6);
    const int magnitude = (value < 0 ? -value : value) * 31 >> 5;
    return static_cast<std::uint32_t>(magnitude) | (value < 0 ? 0x8000u : 0u);
}

template <bool has_sign>
void decode_texel(const Source& s, Texel& texel) {
    texel.channel = {0, 0, 0, kOne};
    Bits bits(s.bytes);
    const Mode* const mode = find_mode(bits.at(0, 5));
    if (!mode) return;
    const ModeText& m = *mode->text;
    bits.take(m.code_bits);
    int ends[3][4]{};
    for (const BitPlace& place : mode->bits)
        ends[place.color][place.end] |= static_cast<int>(bits.take(1) << place.bit);
    const unsigned partition = m.two ? bits.take(5) : 0;
    const unsigned width = m.two ? 3 : 4, at = 4u * s.y + s.x;
    const Place place = place_of(m.two ? 2 : 1, partition, at);
    const unsigned share = weight(
        width, bits.at(bits.next() + at * width - place.anchors_before, width - place.anchor));
    for (unsigned c = 0; c < 3; ++c) {
        int* const e = ends[c];
        if (has_sign) e[0] = extended(e[0], m.precision);
        for (unsigned n = 1; n < 4; ++n) {
            if (has_sign || m.transformed) e[n] = extended(e[n], m.delta[c]);
            if (!m.transformed) continue;
            e[n] = (e[0] + e[n]) & ((1 << m.precision) - 1);
            if (has_sign) e[n] = extended(e[n], m.precision);
        }
        const int first = unquantize<has_sign>(e[place.subset * 2], m.precision);
        const int second = unquantize<has_sign>(e[place.subset * 2 + 1], m.precision);
        texel.channel[c] = half_to_float(finish<has_sign>(interpolate(first, second, share)));
    }
}

}  // namespace

template <bool has_sign>
void bc6(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i)
        decode_texel<has_sign>(sources[i], texels[i]);
}
template void bc6<true>(const Source*, unsigned, Texel*);
template void bc6<false>(const Source*, unsigned, Texel*);

}  // namespace gen9::sampler
