// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <utility>

#include "sampler/format/blocks.h"
#include "sampler/format/bptc.h"

namespace gen9::sampler {

namespace {

using namespace bptc;

struct Mode {
    std::uint8_t subsets, partition_bits, rotation_bits, selector_bits, color_bits, alpha_bits;
    std::uint8_t own_lsb, shared_lsb;  ///< a last bit for each end, or for both of a subset
    std::uint8_t index_bits, second_index_bits;
};
constexpr Mode kModes[8] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                            {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                            {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                            {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

/// The ends of all subsets: two for each.
struct Ends {
    unsigned channel[6][4];
};

Ends read_ends(Bits& bits, const Mode& m) {
    Ends ends{};
    const unsigned count = m.subsets * 2u;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned width = c < 3 ? m.color_bits : m.alpha_bits;
        for (unsigned e = 0; e < count; ++e)
            ends.channel[e][c] = width ? bits.take(width) : 255;
    }
    unsigned last[6]{};
    for (unsigned e = 0; e < count; ++e) {
        if (m.own_lsb) last[e] = bits.take(1);
        if (m.shared_lsb) last[e] = e & 1 ? last[e - 1] : bits.take(1);
    }
    const bool has_last = m.own_lsb || m.shared_lsb;
    for (unsigned e = 0; e < count; ++e)
        for (unsigned c = 0; c < 4; ++c) {
            unsigned width = c < 3 ? m.color_bits : m.alpha_bits;
            if (!width) continue;
            unsigned& value = ends.channel[e][c];
            if (has_last) value = value << 1 | last[e], ++width;
            value = value << (8 - width);
            value |= value >> width;
        }
    return ends;
}

std::array<int, 4> decode_texel(const Source& s) {
    Bits bits(s.bytes);
    const auto number = static_cast<unsigned>(std::countr_zero(s.bytes[0]));
    if (number > 7) return {};  // reserved
    bits.take(number + 1);
    const Mode& m = kModes[number];
    const unsigned partition = bits.take(m.partition_bits);
    const unsigned rotation = bits.take(m.rotation_bits);
    const bool swapped = bits.take(m.selector_bits);
    const Ends ends = read_ends(bits, m);
    const unsigned texel = 4u * s.y + s.x;
    const Place place = place_of(m.subsets, partition, texel);
    const auto index = [&](unsigned first, unsigned width, const Place& at) {
        return bits.at(first + texel * width - at.anchors_before, width - at.anchor);
    };
    const unsigned first = bits.next();
    unsigned color = weight(m.index_bits, index(first, m.index_bits, place)), alpha = color;
    if (m.second_index_bits) {
        const unsigned second = first + 16u * m.index_bits - 1;
        alpha = weight(m.second_index_bits, index(second, m.second_index_bits, place));
        if (swapped) std::swap(color, alpha);
    }
    const unsigned* const low = ends.channel[place.subset * 2];
    const unsigned* const high = ends.channel[place.subset * 2 + 1];
    std::array<int, 4> result;
    for (unsigned c = 0; c < 4; ++c)
        result[c] =
            interpolate(static_cast<int>(low[c]), static_cast<int>(high[c]), c < 3 ? color : alpha);
    if (rotation) std::swap(result[rotation - 1], result[3]);
    return result;
}

}  // namespace

template <bool srgb>
void bc7(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const std::array<int, 4> texel = decode_texel(sources[i]);
        for (unsigned c = 0; c < 4; ++c) {
            const auto bits = static_cast<std::uint32_t>(texel[c]);
            texels[i].set(c, srgb && c < 3 ? srgb_table<8>()[bits] : unorm(bits, 8));
        }
    }
}
template void bc7<true>(const Source*, unsigned, Texel*);
template void bc7<false>(const Source*, unsigned, Texel*);

}  // namespace gen9::sampler
