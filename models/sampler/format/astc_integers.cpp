// SPDX-License-Identifier: Apache-2.0
#include "sampler/format/astc_integers.h"

#include <algorithm>
#include <cstring>

namespace gen9::sampler::astc_format {

const Range kRangeTable[kRanges] = {
    {1, false, false}, {0, true, false},  {2, false, false}, {0, false, true},  {1, true, false},
    {3, false, false}, {1, false, true},  {2, true, false},  {4, false, false}, {2, false, true},
    {3, true, false},  {5, false, false}, {3, false, true},  {4, true, false},  {6, false, false},
    {4, false, true},  {5, true, false},  {7, false, false}, {5, false, true},  {6, true, false},
    {8, false, false}};

namespace {

void split_trits(unsigned t, unsigned trits[5]) {
    const auto bits = [](unsigned value, unsigned high, unsigned low) {
        return value >> low & ((1u << (high - low + 1)) - 1);
    };
    unsigned c;
    if (bits(t, 4, 2) == 7) {
        c = bits(t, 7, 5) << 2 | bits(t, 1, 0);
        trits[4] = trits[3] = 2;
    } else {
        c = bits(t, 4, 0);
        const bool two = bits(t, 6, 5) == 3;
        trits[4] = two ? 2 : t >> 7;
        trits[3] = two ? t >> 7 : bits(t, 6, 5);
    }
    if (bits(c, 1, 0) == 3) {
        trits[2] = 2;
        trits[1] = c >> 4 & 1;
        trits[0] = (c >> 3 & 1) << 1 | (c >> 2 & 1 & ~(c >> 3));
    } else if (bits(c, 3, 2) == 3) {
        trits[2] = trits[1] = 2;
        trits[0] = bits(c, 1, 0);
    } else {
        trits[2] = c >> 4 & 1;
        trits[1] = bits(c, 3, 2);
        trits[0] = (c >> 1 & 1) << 1 | (c & 1 & ~(c >> 1));
    }
}

void split_quints(unsigned q, unsigned quints[3]) {
    if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
        const unsigned low = q & 1, inverse = ~q & 1;
        quints[2] = low << 2 | (q >> 4 & inverse) << 1 | (q >> 3 & inverse);
        quints[1] = quints[0] = 4;
        return;
    }
    unsigned c;
    if ((q >> 1 & 3) == 3) {
        quints[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    } else {
        quints[2] = q >> 5 & 3;
        c = q & 31;
    }
    if ((c & 7) == 5) {
        quints[1] = 4;
        quints[0] = c >> 3 & 3;
    } else {
        quints[1] = c >> 3 & 3;
        quints[0] = c & 7;
    }
}

/// Bits of a pattern such as "b000b0bb0": letters are the value's bits, a the lowest.
unsigned spread(const char* pattern, unsigned value) {
    unsigned result = 0;
    for (; *pattern; ++pattern)
        result = result << 1 | (*pattern == '0' ? 0 : value >> (*pattern - 'a') & 1);
    return result;
}

/// The value of `width` bits, repeated to fill `to`.
unsigned repeat(unsigned value, unsigned width, unsigned to) {
    unsigned result = 0;
    for (unsigned have = 0; have < to; have += width)
        result |= have + width <= to ? value << (to - have - width) : value >> (have + width - to);
    return result;
}

struct Scale {
    const char* pattern;
    unsigned factor;
};

}  // namespace

unsigned sequence_bits(const Range& range, unsigned count) {
    unsigned bits = range.bits * count;
    if (range.trits) bits += (8 * count + 4) / 5;
    if (range.quints) bits += (7 * count + 2) / 3;
    return bits;
}

void read_sequence(const BlockBits& bits, unsigned first, const Range& range, unsigned count,
                   Integer* values) {
    const unsigned end = first + sequence_bits(range, count);
    unsigned next = first;
    const auto take = [&](unsigned width) {
        unsigned value = 0;
        for (unsigned i = 0; i < width; ++i, ++next)
            if (next < end) value |= bits.bit(next) << i;
        return value;
    };
    // Widths of the parts of the trits' or quints' word that follow each value.
    constexpr unsigned kTrits[] = {2, 2, 1, 2, 1}, kQuints[] = {3, 2, 2};
    const unsigned group = range.trits ? 5 : range.quints ? 3 : 1;
    for (unsigned n = 0; n < count; n += group) {
        unsigned word = 0, have = 0, low[5]{}, high[5]{};
        for (unsigned i = 0; i < group; ++i) {
            low[i] = take(range.bits);
            const unsigned width = range.trits ? kTrits[i] : range.quints ? kQuints[i] : 0;
            word |= take(width) << have;
            have += width;
        }
        if (range.trits) split_trits(word, high);
        if (range.quints) split_quints(word, high);
        for (unsigned i = 0; i < group && n + i < count; ++i)
            values[n + i] = {low[i], high[i]};
    }
}

unsigned unquantize_color(const Range& range, const Integer& value) {
    if (!range.trits && !range.quints) return repeat(value.low, range.bits, 8);
    constexpr Scale kTrits[] = {{"000000000", 204}, {"b000b0bb0", 93}, {"cb000cbcb", 44},
                                {"dcb000dcb", 22},  {"edcb000ed", 11}, {"fedcb000f", 5}};
    constexpr Scale kQuints[] = {{"000000000", 113},
                                 {"b0000bb00", 54},
                                 {"cb0000cbc", 26},
                                 {"dcb0000dc", 13},
                                 {"edcb0000e", 6}};
    const Scale& scale = (range.trits ? kTrits : kQuints)[range.bits - 1];
    const unsigned a = value.low & 1 ? 0x1FF : 0;
    const unsigned t = (value.high * scale.factor + spread(scale.pattern, value.low)) ^ a;
    return (a & 0x80) | t >> 2;
}

unsigned unquantize_weight(const Range& range, const Integer& value) {
    unsigned weight;
    if (!range.trits && !range.quints) {
        weight = repeat(value.low, range.bits, 6);
    } else if (range.bits == 0) {
        constexpr unsigned kThree[] = {0, 32, 63}, kFive[] = {0, 16, 32, 47, 63};
        weight = range.trits ? kThree[value.high] : kFive[value.high];
    } else {
        constexpr Scale kTrits[] = {{"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
        constexpr Scale kQuints[] = {{"0000000", 28}, {"b0000b0", 13}};
        const Scale& scale = (range.trits ? kTrits : kQuints)[range.bits - 1];
        const unsigned a = value.low & 1 ? 0x7F : 0;
        const unsigned t = (value.high * scale.factor + spread(scale.pattern, value.low)) ^ a;
        weight = (a & 0x20) | t >> 2;
    }
    return weight > 32 ? weight + 1 : weight;
}

}  // namespace gen9::sampler::astc_format
