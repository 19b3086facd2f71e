// SPDX-License-Identifier: Apache-2.0
// FXT1 (Public: OpenGL extension 206, 3DFX_texture_compression_FXT1): 8 x 4 texels in 128 bits, in
// one of four modes. Both halves of a block are numbered row by row, the left one first.
#include "sampler/format/blocks.h"

namespace gen9::sampler {

namespace {

using Color = std::array<unsigned, 4>;  ///< of eight bits each
constexpr Color kClear{};

class Fxt1Block {
  public:
    explicit Fxt1Block(const Source& s)
        : words_{load<std::uint64_t>(s.bytes), load<std::uint64_t>(s.bytes + 8)},
          right_(s.x / 4),
          texel_(4u * s.y + (s.x & 3) + 16 * right_) {}

    Color color() const {
        switch (bits(125, 3)) {
            case 0:
            case 1:
                return high();
            case 2:
                return opaque(64 + 15 * index());
            case 3:
                return bits(124, 1) ? shared_alpha() : own_alpha();
            default:
                return bits(124, 1) ? mixed_clear() : mixed();
        }
    }

  private:
    std::uint32_t bits(unsigned low, unsigned width) const {
        std::uint64_t value = words_[low / 64] >> low % 64;
        if (low % 64 + width > 64) value |= words_[1] << (64 - low % 64);
        return static_cast<std::uint32_t>(value & ((1u << width) - 1));
    }
    /// To the nearest number of eight bits.
    static unsigned widen(unsigned value, unsigned width) {
        const unsigned most = (1u << width) - 1;
        return (value * 255 + most / 2) / most;
    }
    unsigned five(unsigned low) const { return widen(bits(low, 5), 5); }
    unsigned six(unsigned low, unsigned last) const { return widen(bits(low, 5) << 1 | last, 6); }
    unsigned index() const { return bits(2 * texel_, 2); }

    /// Blue, green and red of five bits each.
    Color opaque(unsigned low) const { return {five(low + 10), five(low + 5), five(low), 255}; }
    static Color between(const Color& a, const Color& b, unsigned share, unsigned steps) {
        Color mean;
        for (unsigned c = 0; c < 4; ++c)
            mean[c] = ((steps - share) * a[c] + share * b[c] + steps / 2) / steps;
        return mean;
    }

    /// Two colours, five between them, and none.
    Color high() const {
        const unsigned share = bits(3 * texel_, 3);
        return share == 7 ? kClear : between(opaque(96), opaque(111), share, 6);
    }
    /// A colour of each half, and one that both have.
    Color shared_alpha() const {
        Color a = opaque(right_ ? 94 : 64), b = opaque(79);
        a[3] = five(right_ ? 119 : 109);
        b[3] = five(114);
        return between(a, b, index(), 3);
    }
    /// Three colours, and none.
    Color own_alpha() const {
        if (index() == 3) return kClear;
        Color color = opaque(64 + 15 * index());
        color[3] = five(109 + 5 * index());
        return color;
    }
    /// Two colours a half; green has a bit more, which the first colour has from its half's first
    /// index as well.
    unsigned last_green() const { return bits(125 + right_, 1); }
    Color mixed() const {
        const unsigned low = 64 + 30 * right_;
        Color a = opaque(low), b = opaque(low + 15);
        a[1] = six(low + 5, last_green() ^ bits(1 + 32 * right_, 1));
        b[1] = six(low + 20, last_green());
        return between(a, b, index(), 3);
    }
    /// Two colours, their mean, and none.
    Color mixed_clear() const {
        if (index() == 3) return kClear;
        const unsigned low = 64 + 30 * right_;
        const Color a = opaque(low);
        Color b = opaque(low + 15);
        b[1] = six(low + 20, last_green());
        if (index() != 1) return index() ? b : a;
        Color mean;
        for (unsigned c = 0; c < 4; ++c)
            mean[c] = (a[c] + b[c]) / 2;
        return mean;
    }

    const std::array<std::uint64_t, 2> words_;
    const unsigned right_, texel_;
};

}  // namespace

void fxt1(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        const Color color = Fxt1Block(sources[i]).color();
        for (unsigned c = 0; c < 4; ++c)
            texels[i].set(c, unorm(color[c], 8));
    }
}

}  // namespace gen9::sampler
