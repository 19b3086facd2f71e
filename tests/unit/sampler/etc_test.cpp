// SPDX-License-Identifier: Apache-2.0
// ETC and EAC told a second time, field by field as the Khronos data format specification has them,
// against random blocks of all modes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::etc_reference {
namespace {

/// The 64 bits of a block, the first byte highest; fields by their first and last bit.
struct Block64 {
    std::uint64_t word = 0;
    explicit Block64(const std::uint8_t* bytes) {
        for (unsigned i = 0; i < 8; ++i)
            word |= std::uint64_t{bytes[i]} << (56 - 8 * i);
    }
    int field(unsigned high, unsigned low) const {
        return static_cast<int>(word >> low & ((std::uint64_t{1} << (high - low + 1)) - 1));
    }
    int delta(unsigned high, unsigned low) const {
        const int value = field(high, low);
        return value < 4 ? value : value - 8;
    }
};

/// 4, 5, 6 or 7 bits repeated to eight.
int to_eight(int value, unsigned bits) {
    std::uint64_t repeated = 0;
    for (unsigned i = 0; i < 4; ++i)
        repeated = repeated << bits | static_cast<std::uint64_t>(value);
    return static_cast<int>(repeated >> (4 * bits - 8) & 0xFF);
}
int byte_of(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

struct Rgba {
    std::array<int, 4> channel;
    bool operator==(const Rgba&) const = default;
};
Rgba opaque(int r, int g, int b) {
    return {{byte_of(r), byte_of(g), byte_of(b), 255}};
}
Rgba moved(const std::array<int, 3>& color, int by) {
    return opaque(color[0] + by, color[1] + by, color[2] + by);
}

constexpr int kSmall[8] = {2, 5, 9, 13, 18, 24, 33, 47},
              kLarge[8] = {8, 17, 29, 42, 60, 80, 106, 183},
              kDistance[8] = {3, 6, 11, 16, 23, 32, 41, 64};

enum class Modes : std::uint8_t { Etc1, Etc2, PunchThrough };

/// Table C.9: what the two bits of a texel add to the colour of its half.
Rgba of_half(const Block64& b, const std::array<int, 3>& color, bool second, unsigned index,
             bool transparent) {
    const int table = second ? b.field(36, 34) : b.field(39, 37);
    const int small = transparent ? 0 : kSmall[table];
    switch (index) {
        case 0:
            return moved(color, small);
        case 1:
            return moved(color, kLarge[table]);
        case 2:
            return transparent ? Rgba{{0, 0, 0, 0}} : moved(color, -small);
        default:
            return moved(color, -kLarge[table]);
    }
}

Rgba color_of(const Block64& b, Modes modes, int x, int y) {
    const int number = 4 * x + y;
    const auto bit = [&](int at) { return b.field(unsigned(at), unsigned(at)); };
    const auto index = static_cast<unsigned>(2 * bit(16 + number) + bit(number));
    const bool second = bit(32) ? y >= 2 : x >= 2;
    const bool transparent = modes == Modes::PunchThrough && !bit(33);
    if (modes != Modes::PunchThrough && !bit(33)) {
        const std::array<int, 3> first{b.field(63, 60), b.field(55, 52), b.field(47, 44)},
            other{b.field(59, 56), b.field(51, 48), b.field(43, 40)};
        const auto& four = second ? other : first;
        return of_half(b, {four[0] * 17, four[1] * 17, four[2] * 17}, second, index, false);
    }
    std::array<int, 3> base{b.field(63, 59), b.field(55, 51), b.field(47, 43)};
    const std::array<int, 3> sum{base[0] + b.delta(58, 56), base[1] + b.delta(50, 48),
                                 base[2] + b.delta(42, 40)};
    const auto leaves = [&](unsigned c) {
        return modes != Modes::Etc1 && (sum[c] < 0 || sum[c] > 31);
    };
    if (leaves(0) || (!leaves(0) && leaves(1))) {
        if (transparent && index == 2) return {{0, 0, 0, 0}};
        if (leaves(0)) {  // "T"
            const std::array<int, 3> one{(b.field(60, 59) * 4 + b.field(57, 56)) * 17,
                                         b.field(55, 52) * 17, b.field(51, 48) * 17},
                line{b.field(47, 44) * 17, b.field(43, 40) * 17, b.field(39, 36) * 17};
            const int distance = kDistance[b.field(35, 34) * 2 + bit(32)];
            return index == 0 ? moved(one, 0)
                              : moved(line, (2 - static_cast<int>(index)) * distance);
        }
        // "H"
        const std::array<int, 3> one{b.field(62, 59) * 17, (b.field(58, 56) * 2 + bit(52)) * 17,
                                     (bit(51) * 8 + b.field(49, 47)) * 17},
            other{b.field(46, 43) * 17, b.field(42, 39) * 17, b.field(38, 35) * 17};
        const bool larger = one >= other;  // red counts most
        const int distance = kDistance[bit(34) * 4 + bit(32) * 2 + larger];
        return moved(index < 2 ? one : other, index % 2 ? -distance : distance);
    }
    if (leaves(2)) {  // planar
        const std::array<int, 3> origin{
            to_eight(b.field(62, 57), 6), to_eight(bit(56) * 64 + b.field(54, 49), 7),
            to_eight(bit(48) * 32 + b.field(44, 43) * 8 + b.field(41, 39), 6)},
            right{to_eight(b.field(38, 34) * 2 + bit(32), 6), to_eight(b.field(31, 25), 7),
                  to_eight(b.field(24, 19), 6)},
            down{to_eight(b.field(18, 13), 6), to_eight(b.field(12, 6), 7),
                 to_eight(b.field(5, 0), 6)};
        std::array<int, 3> color{};
        for (unsigned c = 0; c < 3; ++c)
            color[c] = static_cast<int>(std::floor(
                (x * (right[c] - origin[c]) + y * (down[c] - origin[c])) / 4.0 + origin[c] + 0.5));
        return moved(color, 0);
    }
    for (unsigned c = 0; c < 3; ++c)
        base[c] = to_eight(second ? (sum[c] + 32) % 32 : base[c], 5);
    return of_half(b, base, second, index, transparent);
}

/// The tables of EAC.
constexpr int kTable[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

int modifier(const Block64& b, int x, int y) {
    const auto high = static_cast<unsigned>(47 - 3 * (4 * x + y));
    return kTable[b.field(51, 48)][b.field(high, high - 2)];
}
int alpha_of(const Block64& b, int x, int y) {
    return byte_of(b.field(63, 56) + modifier(b, x, y) * b.field(55, 52));
}
/// Eleven bits, with a sign or without.
float eleven(const Block64& b, int x, int y, bool has_sign) {
    const int by = b.field(55, 52) ? 8 * b.field(55, 52) : 1;
    int base = b.field(63, 56);
    if (!has_sign)
        return static_cast<float>(
                   std::min(std::max(base * 8 + 4 + modifier(b, x, y) * by, 0), 2047)) /
               2047.0f;
    if (base > 127) base = std::max(base - 256, -127);
    return static_cast<float>(std::min(std::max(base * 8 + modifier(b, x, y) * by, -1023), 1023)) /
           1023.0f;
}

struct Form {
    unsigned code;
    Modes modes;
    bool alpha, srgb;
};
constexpr Form kForms[] = {
    {0x1A9, Modes::Etc1, false, false},        {0x1AA, Modes::Etc2, false, false},
    {0x1AF, Modes::Etc2, false, true},         {0x1C0, Modes::PunchThrough, false, false},
    {0x1C1, Modes::PunchThrough, false, true}, {0x1C2, Modes::Etc2, true, false},
    {0x1C3, Modes::Etc2, true, true}};

float linear_of(int byte, bool srgb) {
    const double value = byte / 255.0;
    if (!srgb) return static_cast<float>(byte) / 255.0f;
    return static_cast<float>(value <= 0.04045 ? value / 12.92
                                               : std::pow((value + 0.055) / 1.055, 2.4));
}

TEST(Etc, RandomBlocksOfAllModesAreTheSpecifications) {
    GEN9_COVERS("SMP-213");
    std::mt19937 random(31);
    for (unsigned n = 0; n < 700; ++n) {
        std::uint8_t bytes[16];
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        for (const Form& form : kForms) {
            const Block64 colors(bytes + (form.alpha ? 8 : 0)), alphas(bytes);
            for (int i = 0; i < 16; ++i) {
                const int x = i % 4, y = i / 4;
                const Source source{bytes, static_cast<std::uint8_t>(x),
                                    static_cast<std::uint8_t>(y)};
                Texel texel{};
                find_format(form.code, false)->decode(&source, 1, &texel);
                Rgba wanted = color_of(colors, form.modes, x, y);
                if (form.alpha) wanted.channel[3] = alpha_of(alphas, x, y);
                for (unsigned c = 0; c < 4; ++c)
                    ASSERT_EQ(texel.number(c), linear_of(wanted.channel[c], form.srgb && c < 3))
                        << std::hex << form.code << " " << colors.word << " texel " << i
                        << " channel " << c;
            }
        }
    }
}

TEST(Eac, RandomBlocksAreTheSpecifications) {
    GEN9_COVERS("SMP-213");
    std::mt19937 random(32);
    for (unsigned n = 0; n < 700; ++n) {
        std::uint8_t bytes[16];
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        if (n % 4 == 0) bytes[1] &= 15, bytes[9] &= 15;  // a multiplier of 0
        for (unsigned code = 0x1AB; code <= 0x1AE; ++code)
            for (int i = 0; i < 16; ++i) {
                const int x = i % 4, y = i / 4;
                const Source source{bytes, static_cast<std::uint8_t>(x),
                                    static_cast<std::uint8_t>(y)};
                Texel texel{};
                find_format(code, false)->decode(&source, 1, &texel);
                const bool has_sign = code >= 0x1AD, two = code % 2 == 0;
                ASSERT_EQ(texel.number(0), eleven(Block64(bytes), x, y, has_sign)) << n;
                ASSERT_EQ(texel.number(1), two ? eleven(Block64(bytes + 8), x, y, has_sign) : 0.0f)
                    << n;
                ASSERT_EQ(texel.channel[2], 0u);
                ASSERT_EQ(texel.channel[3], kOne);
            }
    }
}

}  // namespace
}  // namespace gen9::sampler::etc_reference
