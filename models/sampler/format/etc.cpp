// SPDX-License-Identifier: Apache-2.0
// ETC1, ETC2 and EAC (Public: Khronos data format specification, ETC).
#include "sampler/format/blocks.h"

namespace gen9::sampler {

namespace {

constexpr std::int16_t kModifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                           {18, 60}, {24, 80}, {33, 106}, {47, 183}};
constexpr std::uint8_t kDistances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
/// Of each EAC table the first four; the others are -1 minus these in the same order.
constexpr std::int8_t kEac[16][4] = {
    {-3, -6, -9, -15}, {-3, -7, -10, -13}, {-2, -5, -8, -13}, {-2, -4, -6, -13},
    {-3, -6, -8, -12}, {-3, -7, -9, -11},  {-4, -7, -8, -11}, {-3, -5, -8, -11},
    {-2, -6, -8, -10}, {-2, -5, -8, -10},  {-2, -4, -8, -10}, {-2, -5, -7, -10},
    {-3, -4, -7, -10}, {-1, -2, -3, -10},  {-4, -6, -8, -9},  {-3, -5, -7, -9}};

std::uint64_t big_endian(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i)
        word = word << 8 | bytes[i];
    return word;
}

struct Rgb {
    int channel[3];
    bool transparent = false;
};
int clamp_byte(int value) {
    return std::clamp(value, 0, 255);
}
int widen(std::uint64_t bits, unsigned width) {
    const auto value = static_cast<int>(bits & ((1u << width) - 1));
    return value << (8 - width) | value >> (2 * width - 8);
}
Rgb add(Rgb base, int amount) {
    for (int& c : base.channel)
        c = clamp_byte(c + amount);
    return base;
}

/// Four bits of a colour in 12: R, G and B from the top.
Rgb color_444(std::uint64_t bits) {
    return {{widen(bits >> 8, 4), widen(bits >> 4, 4), widen(bits, 4)}};
}

/// One block of eight bytes: which of its modes, and the texel.
class EtcBlock {
  public:
    EtcBlock(const std::uint8_t* bytes, Etc kind, const Source& s)
        : word_(big_endian(bytes)), kind_(kind), x_(s.x), y_(s.y) {}

    Rgb texel() const {
        // In blocks with punch-through alpha the bit says that all texels are opaque, and the
        // base colours are differential in any case.
        const bool bit = word_ >> 33 & 1;
        opaque_ = kind_ != Etc::Punch || bit;
        if (kind_ != Etc::Punch && !bit) return individual();
        const int r = base(59) + delta(56), g = base(51) + delta(48), b = base(43) + delta(40);
        if (kind_ != Etc::Etc1) {
            if (r < 0 || r > 31) return t_mode();
            if (g < 0 || g > 31) return h_mode();
            if (b < 0 || b > 31) return planar();
        }
        return differential(r & 31, g & 31, b & 31);
    }

  private:
    int base(unsigned low) const { return static_cast<int>(word_ >> low & 31); }
    int delta(unsigned low) const { return static_cast<int>(sign_extend(word_ >> low & 7, 3)); }
    unsigned index() const {
        const unsigned n = 4 * x_ + y_;  // columns first
        return static_cast<unsigned>((word_ >> (n + 16) & 1) << 1 | (word_ >> n & 1));
    }
    bool second_half() const { return (word_ >> 32 & 1 ? y_ : x_) >= 2; }

    Rgb modified(const Rgb& color) const {
        const unsigned table = word_ >> (second_half() ? 34 : 37) & 7;
        const unsigned i = index();
        if (!opaque_ && i == 2) return {{0, 0, 0}, true};
        int amount = kModifiers[table][i & 1];
        if (!opaque_ && !(i & 1)) amount = 0;
        return add(color, i & 2 ? -amount : amount);
    }
    Rgb individual() const {
        const unsigned half = second_half() ? 4 : 0;
        return modified({{widen(word_ >> (60 - half), 4), widen(word_ >> (52 - half), 4),
                          widen(word_ >> (44 - half), 4)}});
    }
    Rgb differential(int r, int g, int b) const {
        if (!second_half()) r = base(59), g = base(51), b = base(43);
        const auto wide = [](int value) { return widen(static_cast<std::uint64_t>(value), 5); };
        return modified({{wide(r), wide(g), wide(b)}});
    }
    /// One colour, and three on a line through another.
    Rgb t_mode() const {
        const std::uint64_t first = (word_ >> 59 & 3) << 10 | (word_ >> 56 & 3) << 8 |
                                    (word_ >> 52 & 15) << 4 | (word_ >> 48 & 15);
        const Rgb a = color_444(first), b = color_444(word_ >> 36 & 0xFFF);
        const int distance = kDistances[(word_ >> 34 & 3) << 1 | (word_ >> 32 & 1)];
        return paint({a, add(b, distance), b, add(b, -distance)});
    }
    /// Two pairs of colours on lines through two.
    Rgb h_mode() const {
        const std::uint64_t first = (word_ >> 59 & 15) << 8 | (word_ >> 56 & 7) << 5 |
                                    (word_ >> 52 & 1) << 4 | (word_ >> 51 & 1) << 3 |
                                    (word_ >> 47 & 7);
        const std::uint64_t second = word_ >> 35 & 0xFFF;
        const unsigned order = first >= second;
        const int distance = kDistances[(word_ >> 34 & 1) << 2 | (word_ >> 32 & 1) << 1 | order];
        const Rgb a = color_444(first), b = color_444(second);
        return paint({add(a, distance), add(a, -distance), add(b, distance), add(b, -distance)});
    }
    Rgb paint(const std::array<Rgb, 4>& colors) const {
        const unsigned i = index();
        if (!opaque_ && i == 2) return {{0, 0, 0}, true};
        return colors[i];
    }
    /// A colour at three corners, and what lies between.
    Rgb planar() const {
        const int o[] = {
            widen(word_ >> 57, 6), widen((word_ >> 56 & 1) << 6 | (word_ >> 49 & 63), 7),
            widen((word_ >> 48 & 1) << 5 | (word_ >> 43 & 3) << 3 | (word_ >> 39 & 7), 6)};
        const int h[] = {widen((word_ >> 34 & 31) << 1 | (word_ >> 32 & 1), 6),
                         widen(word_ >> 25, 7), widen(word_ >> 19, 6)};
        const int v[] = {widen(word_ >> 13, 6), widen(word_ >> 6, 7), widen(word_, 6)};
        Rgb color{};
        for (unsigned c = 0; c < 3; ++c)
            color.channel[c] =
                clamp_byte((x_ * (h[c] - o[c]) + y_ * (v[c] - o[c]) + 4 * o[c] + 2) >> 2);
        return color;
    }

    std::uint64_t word_;
    Etc kind_;
    int x_, y_;
    mutable bool opaque_ = true;
};

struct EacBlock {
    int base, multiplier, modifier;
    EacBlock(const std::uint8_t* bytes, const Source& s) {
        const std::uint64_t word = big_endian(bytes);
        base = static_cast<int>(word >> 56);
        multiplier = static_cast<int>(word >> 52 & 15);
        const unsigned index = word >> (45 - 3 * (4 * s.x + s.y)) & 7;
        const int least = kEac[word >> 48 & 15][index & 3];
        modifier = index < 4 ? least : -1 - least;
    }
    int alpha() const { return clamp_byte(base + modifier * multiplier); }
    /// Eleven bits; a multiplier of 0 is an eighth.
    int unsigned_value() const { return std::clamp(base * 8 + 4 + scaled(), 0, 2047); }
    int signed_value() const {
        // -128 is -127.
        const int middle = std::max<int>(static_cast<std::int8_t>(base), -127);
        return std::clamp(middle * 8 + scaled(), -1023, 1023);
    }
    int scaled() const { return modifier * (multiplier ? multiplier * 8 : 1); }
};

}  // namespace

template <Etc kind, bool srgb>
void etc(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const Source& s = sources[i];
        const Rgb color = EtcBlock(s.bytes + (kind == Etc::Rgba ? 8 : 0), kind, s).texel();
        for (unsigned c = 0; c < 3; ++c) {
            const auto bits = static_cast<std::uint32_t>(color.channel[c]);
            texels[i].set(c, srgb ? srgb_table<8>()[bits] : unorm(bits, 8));
        }
        texels[i].channel[3] = color.transparent ? 0 : kOne;
        if (kind == Etc::Rgba)
            texels[i].set(3, unorm(static_cast<std::uint32_t>(EacBlock(s.bytes, s).alpha()), 8));
    }
}
template void etc<Etc::Etc1, false>(const Source*, unsigned, Texel*);
template void etc<Etc::Rgb, false>(const Source*, unsigned, Texel*);
template void etc<Etc::Rgb, true>(const Source*, unsigned, Texel*);
template void etc<Etc::Punch, false>(const Source*, unsigned, Texel*);
template void etc<Etc::Punch, true>(const Source*, unsigned, Texel*);
template void etc<Etc::Rgba, false>(const Source*, unsigned, Texel*);
template void etc<Etc::Rgba, true>(const Source*, unsigned, Texel*);

template <unsigned channels, bool has_sign>
void eac(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        texels[i].channel = {0, 0, 0, kOne};
        for (unsigned c = 0; c < channels; ++c) {
            const EacBlock block(sources[i].bytes + 8 * c, sources[i]);
            texels[i].set(c, has_sign ? static_cast<float>(block.signed_value()) / 1023.0f
                                      : static_cast<float>(block.unsigned_value()) / 2047.0f);
        }
    }
}
template void eac<1, false>(const Source*, unsigned, Texel*);
template void eac<2, false>(const Source*, unsigned, Texel*);
template void eac<1, true>(const Source*, unsigned, Texel*);
template void eac<2, true>(const Source*, unsigned, Texel*);

}  // namespace gen9::sampler
