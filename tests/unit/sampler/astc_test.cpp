// SPDX-License-Identifier: Apache-2.0
// ASTC told a second time, as the Khronos data format specification has it, against random blocks
// of all sizes.
#include <gtest/gtest.h>

#include <bitset>
#include <cmath>
#include <optional>
#include <random>

#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::astc_reference {
namespace {

using Bits = std::bitset<128>;

unsigned get(const Bits& bits, unsigned first, unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i)
        value |= static_cast<unsigned>(bits[first + i]) << i;
    return value;
}

/// A range of values: so many levels are a power of two, times three or five.
struct Levels {
    unsigned bits = 0, base = 1;
    explicit Levels(unsigned levels) {
        for (const unsigned b : {3u, 5u})
            if (levels % b == 0) base = b;
        for (levels /= base; levels > 1; levels /= 2)
            ++bits;
    }
    /// Of a sequence of values.
    unsigned size(unsigned count) const {
        const unsigned rest = base == 3 ? (8 * count + 4) / 5 : base == 5 ? (7 * count + 2) / 3 : 0;
        return count * bits + rest;
    }
};

struct Value {
    unsigned low, digit;  ///< its bits, and its trit or quint
};

/// Five trits of eight bits.
std::array<unsigned, 5> trits(unsigned t) {
    std::bitset<8> T(t);
    std::array<unsigned, 5> v{};
    std::bitset<5> C;
    if (T[4] && T[3] && T[2]) {
        C = (t >> 5) << 2 | (t & 3);
        v[4] = v[3] = 2;
    } else {
        C = t & 31;
        if (T[6] && T[5])
            v[4] = 2, v[3] = T[7];
        else
            v[4] = T[7], v[3] = 2u * T[6] + T[5];
    }
    if (C[1] && C[0]) {
        v[2] = 2, v[1] = C[4], v[0] = 2u * C[3] + (C[2] && !C[3]);
    } else if (C[3] && C[2]) {
        v[2] = 2, v[1] = 2, v[0] = 2u * C[1] + C[0];
    } else {
        v[2] = C[4], v[1] = 2u * C[3] + C[2], v[0] = 2u * C[1] + (C[0] && !C[1]);
    }
    return v;
}
/// Three quints of seven bits.
std::array<unsigned, 3> quints(unsigned q) {
    std::bitset<7> Q(q);
    std::bitset<5> C(q & 31);
    std::array<unsigned, 3> v{};
    if (Q[2] && Q[1] && !Q[6] && !Q[5])
        return {4, 4, 4u * Q[0] + 2u * (Q[4] && !Q[0]) + (Q[3] && !Q[0])};
    if (Q[2] && Q[1]) {
        v[2] = 4;
        C = 16u * Q[4] + 8u * Q[3] + 4u * !Q[6] + 2u * !Q[5] + Q[0];
    } else {
        v[2] = 2u * Q[6] + Q[5];
    }
    if (C[2] && !C[1] && C[0])
        v[1] = 4, v[0] = 2u * C[4] + C[3];
    else
        v[1] = 2u * C[4] + C[3], v[0] = 4u * C[2] + 2u * C[1] + C[0];
    return v;
}

std::vector<Value> sequence(const Bits& bits, unsigned first, unsigned count,
                            const Levels& levels) {
    const unsigned end = first + levels.size(count);
    std::vector<Value> values;
    const std::vector<unsigned> parts = levels.base == 3   ? std::vector{2u, 2u, 1u, 2u, 1u}
                                        : levels.base == 5 ? std::vector{3u, 2u, 2u}
                                                           : std::vector{0u};
    const auto take = [&](unsigned size) {
        unsigned value = 0;
        for (unsigned i = 0; i < size; ++i, ++first)
            if (first < end) value |= static_cast<unsigned>(bits[first]) << i;
        return value;
    };
    while (values.size() < count) {
        const std::size_t at = values.size();
        unsigned packed = 0, have = 0;
        for (const unsigned part : parts) {
            values.push_back({take(levels.bits), 0});
            packed |= take(part) << have;
            have += part;
        }
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (levels.base == 3)
                values[at + i].digit = trits(packed)[i];
            else if (levels.base == 5)
                values[at + i].digit = quints(packed)[i];
    }
    values.resize(count);
    return values;
}

/// "cb000cbcb": bits of a value, a its lowest.
unsigned pattern(const std::string& letters, unsigned value) {
    unsigned result = 0;
    for (const char c : letters)
        result = 2 * result + (c == '0' ? 0 : value >> (c - 'a') & 1);
    return result;
}
unsigned replicate(unsigned value, unsigned bits, unsigned to) {
    std::string digits;
    for (unsigned i = bits; i-- > 0;)
        digits += value >> i & 1 ? '1' : '0';
    std::string all;
    while (all.size() < to)
        all += digits;
    return static_cast<unsigned>(std::stoul(all.substr(0, to), nullptr, 2));
}

unsigned color_value(const Value& v, const Levels& levels) {
    if (levels.base == 1) return replicate(v.low, levels.bits, 8);
    const std::pair<const char*, unsigned> of_trits[] = {{"000000000", 204}, {"b000b0bb0", 93},
                                                         {"cb000cbcb", 44},  {"dcb000dcb", 22},
                                                         {"edcb000ed", 11},  {"fedcb000f", 5}};
    const std::pair<const char*, unsigned> of_quints[] = {{"000000000", 113},
                                                          {"b0000bb00", 54},
                                                          {"cb0000cbc", 26},
                                                          {"dcb0000dc", 13},
                                                          {"edcb0000e", 6}};
    const auto& [letters, factor] =
        levels.base == 3 ? of_trits[levels.bits - 1] : of_quints[levels.bits - 1];
    const unsigned a = v.low % 2 ? 511 : 0;
    const unsigned t = (v.digit * factor + pattern(letters, v.low)) ^ a;
    return (a & 128) | t >> 2;
}
unsigned weight_value(const Value& v, const Levels& levels) {
    unsigned weight;
    if (levels.base == 1) {
        weight = replicate(v.low, levels.bits, 6);
    } else if (levels.bits == 0) {
        const unsigned three[] = {0, 32, 63}, five[] = {0, 16, 32, 47, 63};
        weight = levels.base == 3 ? three[v.digit] : five[v.digit];
    } else {
        const std::pair<const char*, unsigned> of_trits[] = {
            {"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
        const std::pair<const char*, unsigned> of_quints[] = {{"0000000", 28}, {"b0000b0", 13}};
        const auto& [letters, factor] =
            levels.base == 3 ? of_trits[levels.bits - 1] : of_quints[levels.bits - 1];
        const unsigned a = v.low % 2 ? 127 : 0;
        const unsigned t = (v.digit * factor + pattern(letters, v.low)) ^ a;
        weight = (a & 32) | t >> 2;
    }
    return weight > 32 ? weight + 1 : weight;
}

struct Grid {
    unsigned width = 0, height = 0, levels = 0;
    bool two_planes = false;
};
/// The table of block modes; none: reserved.
std::optional<Grid> grid_of(unsigned mode) {
    const auto bit = [&](unsigned n) { return mode >> n & 1; };
    const auto field = [&](unsigned high, unsigned low) {
        return mode >> low & ((1u << (high - low + 1)) - 1);
    };
    Grid g;
    const unsigned a = field(6, 5), b = field(8, 7);
    unsigned range = bit(4), high = bit(9);
    g.two_planes = bit(10);
    if (field(1, 0)) {
        range += 2 * bit(0) + 4 * bit(1);
        if (field(3, 2) == 0) g.width = b + 4, g.height = a + 2;
        if (field(3, 2) == 1) g.width = b + 8, g.height = a + 2;
        if (field(3, 2) == 2) g.width = a + 2, g.height = b + 8;
        if (field(3, 2) == 3 && !bit(8)) g.width = a + 2, g.height = bit(7) + 6;
        if (field(3, 2) == 3 && bit(8)) g.width = bit(7) + 2, g.height = a + 2;
    } else {
        range += 2 * bit(2) + 4 * bit(3);
        if (b == 0) g.width = 12, g.height = a + 2;
        if (b == 1) g.width = a + 2, g.height = 12;
        if (b == 2) g.width = a + 6, g.height = field(10, 9) + 6, high = 0, g.two_planes = false;
        if (b == 3 && a == 0) g.width = 6, g.height = 10;
        if (b == 3 && a == 1) g.width = 10, g.height = 6;
        if (b == 3 && a > 1) return {};
    }
    if (range < 2) return {};
    const unsigned low_levels[] = {2, 3, 4, 5, 6, 8}, high_levels[] = {10, 12, 16, 20, 24, 32};
    g.levels = high ? high_levels[range - 2] : low_levels[range - 2];
    return g;
}

unsigned partition(unsigned seed, unsigned x, unsigned y, unsigned count, bool small) {
    if (small) x *= 2, y *= 2;
    seed += (count - 1) * 1024;
    std::uint32_t p = seed;
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    unsigned seeds[8];
    const unsigned one = seed & 2 ? 4 : 5, two = count == 3 ? 6 : 5;
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned s = p >> 4 * i & 15;
        const bool first = i % 2 == 0;
        seeds[i] = s * s >> (seed & 1 ? (first ? one : two) : (first ? two : one));
    }
    const unsigned a = (seeds[0] * x + seeds[1] * y + (p >> 14)) & 63,
                   b = (seeds[2] * x + seeds[3] * y + (p >> 10)) & 63,
                   c = count < 3 ? 0 : (seeds[4] * x + seeds[5] * y + (p >> 6)) & 63,
                   d = count < 4 ? 0 : (seeds[6] * x + seeds[7] * y + (p >> 2)) & 63;
    if (a >= b && a >= c && a >= d) return 0;
    if (b >= c && b >= d) return 1;
    return c >= d ? 2 : 3;
}

using Color = std::array<int, 4>;
using Pair = std::pair<Color, Color>;

void transfer(int& a, int& b) {
    b = b / 2 + (a >= 128 ? 128 : 0);
    a = a / 2 % 64;
    if (a >= 32) a -= 64;
}
int half_of(int value) {
    return static_cast<int>(std::floor(value / 2.0));
}
Color contract(Color c) {
    return {half_of(c[0] + c[2]), half_of(c[1] + c[2]), c[2], c[3]};
}
Color clamped(Color c) {
    for (int& v : c)
        v = std::min(std::max(v, 0), 255);
    return c;
}
/// None: a mode of high dynamic range.
std::optional<Pair> ends_of(unsigned mode, std::vector<int> v) {
    v.resize(8);
    const auto rgba = [](int r, int g, int b, int a) { return Color{r, g, b, a}; };
    switch (mode) {
        case 0:
            return Pair{rgba(v[0], v[0], v[0], 255), rgba(v[1], v[1], v[1], 255)};
        case 1: {
            const int l0 = v[0] / 4 + v[1] / 64 * 64, l1 = std::min(l0 + v[1] % 64, 255);
            return Pair{rgba(l0, l0, l0, 255), rgba(l1, l1, l1, 255)};
        }
        case 4:
            return Pair{rgba(v[0], v[0], v[0], v[2]), rgba(v[1], v[1], v[1], v[3])};
        case 5: {
            transfer(v[1], v[0]);
            transfer(v[3], v[2]);
            const int l = v[0] + v[1];
            return Pair{rgba(v[0], v[0], v[0], v[2]), clamped(rgba(l, l, l, v[2] + v[3]))};
        }
        case 6:
        case 10: {
            const bool alpha = mode == 10;
            return Pair{
                rgba(v[0] * v[3] / 256, v[1] * v[3] / 256, v[2] * v[3] / 256, alpha ? v[4] : 255),
                rgba(v[0], v[1], v[2], alpha ? v[5] : 255)};
        }
        case 8:
        case 12: {
            if (mode == 8) v[6] = v[7] = 255;
            const Color even = rgba(v[0], v[2], v[4], v[6]), odd = rgba(v[1], v[3], v[5], v[7]);
            if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) return Pair{even, odd};
            return Pair{contract(odd), contract(even)};
        }
        case 9:
        case 13: {
            for (unsigned i = 0; i < (mode == 13 ? 8 : 6); i += 2)
                transfer(v[i + 1], v[i]);
            if (mode == 9) v[6] = 255, v[7] = 0;
            const Color base = rgba(v[0], v[2], v[4], v[6]),
                        sum = rgba(v[0] + v[1], v[2] + v[3], v[4] + v[5], v[6] + v[7]);
            if (v[1] + v[3] + v[5] >= 0) return Pair{clamped(base), clamped(sum)};
            return Pair{clamped(contract(sum)), clamped(contract(base))};
        }
        default:
            return {};
    }
}

/// 16 bits a channel; none: an illegal block, or one of high dynamic range.
std::optional<std::array<unsigned, 4>> texel_of(const Bits& bits, unsigned width, unsigned height,
                                                unsigned x, unsigned y, bool srgb) {
    if (get(bits, 0, 9) == 0x1FC) {
        if (bits[9] || !bits[10] || !bits[11]) return {};
        const unsigned at[4] = {get(bits, 12, 13), get(bits, 25, 13), get(bits, 38, 13),
                                get(bits, 51, 13)};
        const bool all_ones = at[0] + at[1] + at[2] + at[3] == 4 * 8191;
        if (!all_ones && (at[0] >= at[1] || at[2] >= at[3])) return {};
        return std::array{get(bits, 64, 16), get(bits, 80, 16), get(bits, 96, 16),
                          get(bits, 112, 16)};
    }
    const std::optional<Grid> grid = grid_of(get(bits, 0, 11));
    if (!grid || grid->width > width || grid->height > height) return {};
    const unsigned planes = grid->two_planes ? 2 : 1;
    const unsigned weights = grid->width * grid->height * planes;
    const Levels weight_levels(grid->levels);
    const unsigned weight_bits = weight_levels.size(weights);
    if (weights > 64 || weight_bits < 24 || weight_bits > 96) return {};
    const unsigned partitions = get(bits, 11, 2) + 1;
    if (partitions == 4 && planes == 2) return {};
    unsigned modes[4] = {}, extra = 0, begin = 17;
    if (partitions == 1) {
        modes[0] = get(bits, 13, 4);
    } else {
        begin = 29;
        if (get(bits, 23, 2) == 0) {
            for (unsigned& mode : modes)
                mode = get(bits, 25, 4);
        } else {
            extra = 3 * partitions - 4;
            // All of them, as if they lay together.
            Bits together =
                Bits(get(bits, 25, 4)) | Bits(get(bits, 128 - weight_bits - extra, extra)) << 4;
            for (unsigned p = 0; p < partitions; ++p)
                modes[p] =
                    4 * (get(bits, 23, 2) - 1 + together[p]) + get(together, partitions + 2 * p, 2);
        }
    }
    const unsigned end = 128 - weight_bits - extra - (planes == 2 ? 2 : 0);
    const unsigned own =
        partitions == 1 ? 0 : partition(get(bits, 13, 10), x, y, partitions, width * height < 31);
    unsigned values = 0, first = 0;
    for (unsigned p = 0; p < partitions; ++p) {
        if (p == own) first = values;
        values += 2 * (modes[p] / 4 + 1);
    }
    if (values > 18 || end < begin) return {};
    unsigned levels = 0;
    for (const unsigned more :
         {6u, 8u, 10u, 12u, 16u, 20u, 24u, 32u, 40u, 48u, 64u, 80u, 96u, 128u, 160u, 192u, 256u})
        if (Levels(more).size(values) <= end - begin) levels = more;
    if (levels == 0) return {};
    const std::vector<Value> packed = sequence(bits, begin, values, Levels(levels));
    std::vector<int> ends;
    for (unsigned i = 0; i < 2 * (modes[own] / 4 + 1); ++i)
        ends.push_back(static_cast<int>(color_value(packed[first + i], Levels(levels))));
    const std::optional<Pair> pair = ends_of(modes[own], ends);
    if (!pair) return {};
    Bits reversed;
    for (unsigned i = 0; i < 128; ++i)
        reversed[i] = bits[127 - i];
    const std::vector<Value> weight = sequence(reversed, 0, weights, weight_levels);
    std::array<unsigned, 4> result{};
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned plane = planes == 2 && c == get(bits, end, 2);
        const auto along = [](unsigned at, unsigned size, unsigned points) {
            const unsigned d = (1024 + size / 2) / (size - 1);
            return (d * at * (points - 1) + 32) / 64;
        };
        const unsigned s = along(x, width, grid->width), t = along(y, height, grid->height);
        const int fs = static_cast<int>(s % 16), ft = static_cast<int>(t % 16);
        const int w11 = (fs * ft + 8) / 16, w10 = ft - w11, w01 = fs - w11,
                  w00 = 16 - fs - ft + w11;
        const auto point = [&](unsigned dx, unsigned dy, int share) {
            if (share == 0) return 0;
            const unsigned n = (s / 16 + dx) + (t / 16 + dy) * grid->width;
            return share *
                   static_cast<int>(weight_value(weight[n * planes + plane], weight_levels));
        };
        const int share =
            (point(0, 0, w00) + point(1, 0, w01) + point(0, 1, w10) + point(1, 1, w11) + 8) / 16;
        const auto wide = [&](int end8) { return end8 * 256 + (srgb ? 128 : end8); };
        result[c] = static_cast<unsigned>(
            (wide(pair->first[c]) * (64 - share) + wide(pair->second[c]) * share + 32) / 64);
    }
    return result;
}

/// sRGB has eight bits; else a half, cut, but for 1.
float number_of(unsigned value, unsigned channel, bool srgb) {
    if (srgb) {
        const double byte = (value >> 8) / 255.0;
        if (channel == 3) return static_cast<float>(value >> 8) / 255.0f;
        return static_cast<float>(byte <= 0.04045 ? byte / 12.92
                                                  : std::pow((byte + 0.055) / 1.055, 2.4));
    }
    if (value == 0xFFFF) return 1;
    const int exponent = value ? std::max(std::ilogb(value / 65536.0), -14) : 0;
    return static_cast<float>(
        std::ldexp(std::trunc(std::ldexp(value / 65536.0, 10 - exponent)), exponent - 10));
}

TEST(Astc, RandomBlocksAreTheSpecifications) {
    GEN9_COVERS("SMP-213");
    constexpr unsigned kCodes[] = {0x00, 0x08, 0x09, 0x11, 0x12, 0x21, 0x22,
                                   0x24, 0x31, 0x32, 0x34, 0x36, 0x3E, 0x3F};
    std::mt19937 random(51);
    unsigned legal = 0, constant = 0, by_partitions[5] = {};
    for (unsigned n = 0; n < gen9::test::rounds(18'000); ++n) {
        std::uint8_t bytes[16];
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        if (n % 16 == 0) {  // a block of one colour
            bytes[0] = 0xFC;
            bytes[1] = static_cast<std::uint8_t>((bytes[1] & (n % 64 ? 0xF0 : 0xFF)) | 1 |
                                                 (n % 64 ? 0xC : 0));
            if (n % 32 == 0) std::fill_n(bytes + 1, 7, std::uint8_t{0xFD});
            if (n % 32 == 0 && n % 64) std::fill_n(bytes + 2, 6, std::uint8_t{0xFF});
        } else if (n % 2) {
            bytes[1] &= 0xE7;  // of one part
        }
        Bits bits;
        for (unsigned i = 0; i < 128; ++i)
            bits[i] = bytes[i / 8] >> i % 8 & 1;
        const bool srgb = random() % 4 == 0;
        const unsigned code = kCodes[random() % std::size(kCodes)] | (srgb ? 0 : 0x40);
        const Format& format = *find_format(code, true);
        for (unsigned i = 0; i < 6; ++i) {
            const unsigned x = static_cast<unsigned>(random()) % format.block_width,
                           y = static_cast<unsigned>(random()) % format.block_height;
            const Source source{bytes, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
            Texel texel;
            format.decode(&source, 1, &texel);
            const auto wanted = texel_of(bits, format.block_width, format.block_height, x, y, srgb);
            constexpr float kMagenta[] = {1, 0, 1, 1};
            for (unsigned c = 0; c < 4; ++c)
                ASSERT_EQ(texel.number(c), wanted ? number_of((*wanted)[c], c, srgb) : kMagenta[c])
                    << format.name << " " << bits << " at " << x << ", " << y << " channel " << c;
            legal += wanted.has_value();
            constant += wanted && n % 16 == 0;
            by_partitions[wanted && n % 16 ? get(bits, 11, 2) + 1 : 0] += 1;
        }
    }
    EXPECT_GT(legal, gen9::test::rounds(10'000));
    EXPECT_GT(constant, gen9::test::rounds(500));
    for (unsigned parts = 1; parts <= 4; ++parts)
        EXPECT_GT(by_partitions[parts], gen9::test::rounds(150)) << parts;
}

}  // namespace
}  // namespace gen9::sampler::astc_reference
