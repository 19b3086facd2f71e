// SPDX-License-Identifier: Apache-2.0
// BC1 to BC5 (Public: Khronos data format specification, S3TC and RGTC).
#include "sampler/format/blocks.h"

namespace gen9::sampler {

namespace {

using Color = std::array<std::uint8_t, 4>;

Color from_565(std::uint32_t bits) {
    const std::uint32_t r = bits >> 11, g = bits >> 5 & 63, b = bits & 31;
    return {static_cast<std::uint8_t>(r << 3 | r >> 2), static_cast<std::uint8_t>(g << 2 | g >> 4),
            static_cast<std::uint8_t>(b << 3 | b >> 2), 255};
}

/// The colour of a texel in eight bytes. Blocks whose first colour is not the larger have three
/// colours and black, but in BC2 and BC3 (`four`).
Color block_color(const std::uint8_t* bytes, const Source& s, bool four) {
    const std::uint32_t first = load<std::uint16_t>(bytes), second = load<std::uint16_t>(bytes + 2);
    const Color a = from_565(first), b = from_565(second);
    four = four || first > second;
    switch (bytes[4 + s.y] >> 2 * s.x & 3) {
        case 0:
            return a;
        case 1:
            return b;
        case 2:
            break;
        default:
            if (!four) return {};
            Color color;
            for (unsigned c = 0; c < 4; ++c)
                color[c] = static_cast<std::uint8_t>((a[c] + 2 * b[c]) / 3);
            return color;
    }
    Color color;
    for (unsigned c = 0; c < 4; ++c)
        color[c] = static_cast<std::uint8_t>(four ? (2 * a[c] + b[c]) / 3 : (a[c] + b[c]) / 2);
    return color;
}

template <bool srgb>
void put(const Color& color, Texel& texel) {
    for (unsigned c = 0; c < 3; ++c)
        texel.set(c, srgb ? srgb_table<8>()[color[c]] : unorm(color[c], 8));
    texel.set(3, unorm(color[3], 8));
}

unsigned index_of(const std::uint8_t* bytes, const Source& s) {
    const std::uint64_t indices = load<std::uint64_t>(bytes) >> 16;
    return static_cast<unsigned>(indices >> 3 * (4 * s.y + s.x) & 7);
}

std::uint8_t bc3_alpha(const std::uint8_t* bytes, const Source& s) {
    const unsigned first = bytes[0], second = bytes[1], index = index_of(bytes, s);
    if (index < 2) return static_cast<std::uint8_t>(index ? second : first);
    if (first > second)
        return static_cast<std::uint8_t>((first * (8 - index) + second * (index - 1)) / 7);
    if (index >= 6) return index == 6 ? 0 : 255;
    return static_cast<std::uint8_t>((first * (6 - index) + second * (index - 1)) / 5);
}

template <bool has_sign>
float bc4_value(const std::uint8_t* bytes, const Source& s) {
    const auto end = [](std::uint8_t bits) { return has_sign ? snorm(bits, 8) : unorm(bits, 8); };
    const float first = end(bytes[0]), second = end(bytes[1]);
    const unsigned index = index_of(bytes, s);
    if (index < 2) return index ? second : first;
    // -128 and -127 are both -1, but as bytes one is the larger.
    const bool larger =
        has_sign ? static_cast<std::int8_t>(bytes[0]) > static_cast<std::int8_t>(bytes[1])
                 : bytes[0] > bytes[1];
    const float steps = larger ? 7 : 5;
    if (!larger && index >= 6) return index == 7 ? 1.0f : has_sign ? -1.0f : 0.0f;
    const float share = static_cast<float>(index - 1);
    return (first * (steps - share) + second * share) / steps;
}

}  // namespace

template <bool alpha, bool srgb>
void bc1(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        put<srgb>(block_color(sources[i].bytes, sources[i], false), texels[i]);
        if (!alpha) texels[i].channel[3] = kOne;
    }
}
template void bc1<true, true>(const Source*, unsigned, Texel*);
template void bc1<true, false>(const Source*, unsigned, Texel*);
template void bc1<false, true>(const Source*, unsigned, Texel*);
template void bc1<false, false>(const Source*, unsigned, Texel*);

template <bool srgb>
void bc2(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const Source& s = sources[i];
        put<srgb>(block_color(s.bytes + 8, s, true), texels[i]);
        texels[i].set(3, unorm(load<std::uint16_t>(s.bytes + 2 * s.y) >> 4 * s.x & 15u, 4));
    }
}
template void bc2<true>(const Source*, unsigned, Texel*);
template void bc2<false>(const Source*, unsigned, Texel*);

template <bool srgb>
void bc3(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        put<srgb>(block_color(sources[i].bytes + 8, sources[i], true), texels[i]);
        texels[i].set(3, unorm(bc3_alpha(sources[i].bytes, sources[i]), 8));
    }
}
template void bc3<true>(const Source*, unsigned, Texel*);
template void bc3<false>(const Source*, unsigned, Texel*);

template <bool has_sign>
void bc4(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        texels[i].channel = {0, 0, 0, kOne};
        texels[i].set(0, bc4_value<has_sign>(sources[i].bytes, sources[i]));
    }
}
template void bc4<true>(const Source*, unsigned, Texel*);
template void bc4<false>(const Source*, unsigned, Texel*);

template <bool has_sign>
void bc5(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        texels[i].channel = {0, 0, 0, kOne};
        texels[i].set(0, bc4_value<has_sign>(sources[i].bytes, sources[i]));
        texels[i].set(1, bc4_value<has_sign>(sources[i].bytes + 8, sources[i]));
    }
}
template void bc5<true>(const Source*, unsigned, Texel*);
template void bc5<false>(const Source*, unsigned, Texel*);

}  // namespace gen9::sampler
