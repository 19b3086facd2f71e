// SPDX-License-Identifier: Apache-2.0
// ASTC, two dimensions, low dynamic range (Public: Khronos data format specification, ASTC).
#include <algorithm>

#include "sampler/format/astc_integers.h"
#include "sampler/format/blocks.h"

namespace gen9::sampler {

namespace {

using namespace astc_format;

/// The grid of weights and what a block has besides.
struct BlockMode {
    unsigned width = 0, height = 0;
    bool two_planes = false;
    const Range* range = nullptr;
    unsigned weights() const { return width * height * (two_planes ? 2u : 1u); }
};

/// False: reserved.
bool read_mode(unsigned mode, BlockMode& m) {
    const unsigned a = mode >> 5 & 3;
    unsigned b = mode >> 7 & 3, r = mode >> 4 & 1;
    bool wide = mode >> 9 & 1;
    m.two_planes = mode >> 10 & 1;
    if (mode & 3) {
        r |= (mode & 3) << 1;
        switch (mode >> 2 & 3) {
            case 0:
                m.width = b + 4, m.height = a + 2;
                break;
            case 1:
                m.width = b + 8, m.height = a + 2;
                break;
            case 2:
                m.width = a + 2, m.height = b + 8;
                break;
            default:
                b &= 1;
                if (mode & 0x100)
                    m.width = b + 2, m.height = a + 2;
                else
                    m.width = a + 2, m.height = b + 6;
        }
    } else {
        r |= (mode >> 2 & 3) << 1;
        switch (mode >> 7 & 3) {
            case 0:
                m.width = 12, m.height = a + 2;
                break;
            case 1:
                m.width = a + 2, m.height = 12;
                break;
            case 2:
                m.width = a + 6, m.height = (mode >> 9 & 3) + 6;
                m.two_planes = wide = false;
                break;
            default:
                if (a > 1) return false;
                m.width = a ? 10 : 6, m.height = a ? 6 : 10;
        }
    }
    if (r < 2) return false;
    m.range = &kRangeTable[r - 2 + (wide ? 6 : 0)];
    return true;
}

unsigned hash(unsigned p) {
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
    return p;
}

unsigned partition_of(unsigned seed, unsigned x, unsigned y, unsigned count, bool small) {
    if (count == 1) return 0;
    if (small) x <<= 1, y <<= 1;
    seed += (count - 1) * 1024;
    const unsigned number = hash(seed);
    unsigned factor[8];
    for (unsigned i = 0; i < 8; ++i) {
        factor[i] = number >> 4 * i & 15;
        factor[i] *= factor[i];
    }
    const unsigned by_seed = seed & 2 ? 4 : 5, by_count = count == 3 ? 6 : 5;
    for (unsigned i = 0; i < 8; ++i)
        factor[i] >>= (i & 1) == (seed & 1) ? by_count : by_seed;
    unsigned sum[4];
    for (unsigned i = 0; i < 4; ++i)
        sum[i] = (factor[2 * i] * x + factor[2 * i + 1] * y + (number >> (14 - 4 * i))) & 63;
    for (unsigned i = count; i < 4; ++i)
        sum[i] = 0;
    unsigned best = 0;
    for (unsigned i = 1; i < 4; ++i)
        if (sum[i] > sum[best]) best = i;
    return best;
}

using Color = std::array<int, 4>;
struct Ends {
    Color low, high;
};

void transfer_sign(int& a, int& b) {
    b = b >> 1 | (a & 0x80);
    a = a >> 1 & 0x3F;
    if (a & 0x20) a -= 0x40;
}
Color contracted(const Color& c) {
    return {(c[0] + c[2]) >> 1, (c[1] + c[2]) >> 1, c[2], c[3]};
}

/// The ends of a partition out of its integers; false: a mode of high dynamic range.
bool make_ends(unsigned mode, int* v, Ends& ends) {
    const auto sum = [](const Color& a, const Color& b) {
        return Color{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
    };
    switch (mode) {
        case 0:
            ends = {{v[0], v[0], v[0], 255}, {v[1], v[1], v[1], 255}};
            break;
        case 1: {
            const int low = v[0] >> 2 | (v[1] & 0xC0), high = low + (v[1] & 0x3F);
            ends = {{low, low, low, 255}, {high, high, high, 255}};
            break;
        }
        case 4:
            ends = {{v[0], v[0], v[0], v[2]}, {v[1], v[1], v[1], v[3]}};
            break;
        case 5:
            transfer_sign(v[1], v[0]);
            transfer_sign(v[3], v[2]);
            ends.low = {v[0], v[0], v[0], v[2]};
            ends.high = sum(ends.low, {v[1], v[1], v[1], v[3]});
            break;
        case 6:
        case 10: {
            const bool alpha = mode == 10;
            ends.low = {v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, alpha ? v[4] : 255};
            ends.high = {v[0], v[1], v[2], alpha ? v[5] : 255};
            break;
        }
        case 8:
        case 12: {
            const bool alpha = mode == 12;
            const Color first{v[0], v[2], v[4], alpha ? v[6] : 255};
            const Color second{v[1], v[3], v[5], alpha ? v[7] : 255};
            if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4])
                ends = {first, second};
            else
                ends = {contracted(second), contracted(first)};
            break;
        }
        case 9:
        case 13: {
            const bool alpha = mode == 13;
            for (unsigned c = 0; c < (alpha ? 4u : 3u); ++c)
                transfer_sign(v[2 * c + 1], v[2 * c]);
            const Color base{v[0], v[2], v[4], alpha ? v[6] : 255};
            const Color moved = sum(base, {v[1], v[3], v[5], alpha ? v[7] : 0});
            if (v[1] + v[3] + v[5] >= 0)
                ends = {base, moved};
            else
                ends = {contracted(moved), contracted(base)};
            break;
        }
        default:
            return false;
    }
    for (unsigned c = 0; c < 4; ++c) {
        ends.low[c] = std::clamp(ends.low[c], 0, 255);
        ends.high[c] = std::clamp(ends.high[c], 0, 255);
    }
    return true;
}

/// What a texel of a block is made of.
struct Parts {
    Ends ends;
    unsigned weight[2]{};  ///< of the first plane, and of the second
    unsigned second_plane_channel = 4;
};

/// The weight of a texel: its place in the grid, and what lies between.
unsigned interpolated_weight(const BlockMode& m, const unsigned* grid, unsigned plane, unsigned x,
                             unsigned y, unsigned width, unsigned height) {
    const auto scaled = [](unsigned at, unsigned size, unsigned points) {
        const unsigned step = (1024 + size / 2) / (size - 1);
        return (step * at * (points - 1) + 32) >> 6;
    };
    const unsigned gx = scaled(x, width, m.width), gy = scaled(y, height, m.height);
    const unsigned fx = gx & 15, fy = gy & 15, first = (gx >> 4) + (gy >> 4) * m.width;
    const unsigned both = (fx * fy + 8) >> 4;
    const unsigned planes = m.two_planes ? 2 : 1;
    const auto point = [&](unsigned n, unsigned share) {
        return share ? grid[n * planes + plane] * share
                     : 0;  // points without a share may not exist
    };
    return (point(first, 16 - fx - fy + both) + point(first + 1, fx - both) +
            point(first + m.width, fy - both) + point(first + m.width + 1, both) + 8) >>
           4;
}

class Block {
  public:
    Block(const Source& s, unsigned width, unsigned height)
        : s_(s), width_(width), height_(height), bits_(s.bytes, false) {}
    /// False: an illegal block.
    bool texel(Parts& parts);
    bool void_extent() const { return bits_.at(0, 9) == 0x1FC; }
    /// The colour of a block of one colour, 16 bits a channel; false: an illegal block.
    bool constant(std::array<unsigned, 4>& color) const;

  private:
    void read_end_modes();
    bool read_ends(unsigned limit, Ends& ends);

    const Source& s_;
    unsigned width_, height_;
    BlockBits bits_;
    BlockMode mode_;
    unsigned weight_bits_ = 0, partitions_ = 1, extra_bits_ = 0, color_at_ = 17;
    unsigned end_mode_[4]{};
};

bool Block::constant(std::array<unsigned, 4>& color) const {
    if (bits_.bit(9) || bits_.at(10, 2) != 3) return false;
    const unsigned s0 = bits_.at(12, 13), s1 = bits_.at(25, 13);
    const unsigned t0 = bits_.at(38, 13), t1 = bits_.at(51, 13);
    const bool everywhere = (s0 & s1 & t0 & t1) == 0x1FFF;
    if (!everywhere && (s0 >= s1 || t0 >= t1)) return false;
    for (unsigned c = 0; c < 4; ++c)
        color[c] = bits_.at(64 + 16 * c, 16);
    return true;
}

void Block::read_end_modes() {
    if (partitions_ == 1) {
        end_mode_[0] = bits_.at(13, 4);
        return;
    }
    color_at_ = 29;
    const unsigned base = bits_.at(23, 2);
    if (base == 0) {
        std::fill(end_mode_, end_mode_ + 4, bits_.at(25, 4));
        return;
    }
    // The rest of the modes lies below the weights, of which there are 96 bits at most.
    extra_bits_ = 3 * partitions_ - 4;
    const unsigned all = bits_.at(25, 4) | bits_.at(128 - weight_bits_ - extra_bits_, extra_bits_)
                                               << 4;
    for (unsigned p = 0; p < partitions_; ++p)
        end_mode_[p] = (base - 1 + (all >> p & 1)) << 2 | (all >> (partitions_ + 2 * p) & 3);
}

bool Block::read_ends(unsigned limit, Ends& ends) {
    unsigned count = 0, before = 0;
    const unsigned partition =
        partition_of(bits_.at(13, 10), s_.x, s_.y, partitions_, width_ * height_ < 31);
    for (unsigned p = 0; p < partitions_; ++p) {
        if (p == partition) before = count;
        count += ((end_mode_[p] >> 2) + 1) * 2;
    }
    if (count > 18 || limit <= color_at_ || limit - color_at_ < (13 * count + 4) / 5) return false;
    unsigned range = kRanges - 1;
    while (sequence_bits(kRangeTable[range], count) > limit - color_at_)
        --range;
    Integer integers[18];
    read_sequence(bits_, color_at_, kRangeTable[range], count, integers);
    int values[8]{};
    for (unsigned i = 0; i < 8 && before + i < count; ++i)
        values[i] = static_cast<int>(unquantize_color(kRangeTable[range], integers[before + i]));
    return make_ends(end_mode_[partition], values, ends);
}

bool Block::texel(Parts& parts) {
    if (!read_mode(bits_.at(0, 11), mode_)) return false;
    if (mode_.width > width_ || mode_.height > height_ || mode_.weights() > 64) return false;
    weight_bits_ = sequence_bits(*mode_.range, mode_.weights());
    if (weight_bits_ < 24 || weight_bits_ > 96) return false;
    partitions_ = bits_.at(11, 2) + 1;
    if (partitions_ == 4 && mode_.two_planes) return false;
    read_end_modes();
    const unsigned used = weight_bits_ + extra_bits_ + (mode_.two_planes ? 2 : 0);
    if (!read_ends(128 - used, parts.ends)) return false;
    if (mode_.two_planes) parts.second_plane_channel = bits_.at(128 - used, 2);
    Integer integers[64];
    read_sequence(BlockBits(s_.bytes, true), 0, *mode_.range, mode_.weights(), integers);
    unsigned grid[64];
    for (unsigned i = 0; i < mode_.weights(); ++i)
        grid[i] = unquantize_weight(*mode_.range, integers[i]);
    for (unsigned plane = 0; plane < (mode_.two_planes ? 2u : 1u); ++plane)
        parts.weight[plane] = interpolated_weight(mode_, grid, plane, s_.x, s_.y, width_, height_);
    return true;
}

/// 16 bits as the half that is nearest towards 0, but all ones are 1.
float from_16(unsigned bits) {
    if (bits == 0xFFFF) return 1;
    const auto value = static_cast<float>(bits) / 65536.0f;
    const std::uint16_t half = float_to_half(std::bit_cast<std::uint32_t>(value));
    const float nearest = std::bit_cast<float>(half_to_float(half));
    return nearest > value ? std::bit_cast<float>(half_to_float(half - 1u)) : nearest;
}

template <bool srgb>
void put(unsigned channel, unsigned bits, Texel& texel) {
    if (!srgb)
        texel.set(channel, from_16(bits));
    else
        texel.set(channel, channel < 3 ? srgb_table<8>()[bits >> 8] : unorm(bits >> 8, 8));
}

}  // namespace

template <unsigned width, unsigned height, bool srgb>
void astc(const Source* sources, unsigned count, Texel* texels) {
    for (unsigned i = 0; i < count; ++i) {
        texels[i].channel = {kOne, 0, kOne, kOne};  // what illegal blocks are: magenta
        Block block(sources[i], width, height);
        if (block.void_extent()) {
            std::array<unsigned, 4> color;
            if (!block.constant(color)) continue;
            for (unsigned c = 0; c < 4; ++c)
                put<srgb>(c, color[c], texels[i]);
            continue;
        }
        Parts parts;
        if (!block.texel(parts)) continue;
        for (unsigned c = 0; c < 4; ++c) {
            const auto wide = [](int end) {
                return static_cast<unsigned>(end << 8 | (srgb ? 0x80 : end));
            };
            const unsigned share = parts.weight[c == parts.second_plane_channel];
            put<srgb>(
                c,
                (wide(parts.ends.low[c]) * (64 - share) + wide(parts.ends.high[c]) * share + 32) >>
                    6,
                texels[i]);
        }
    }
}

#define GEN9_ASTC(w, h)                                              \
    template void astc<w, h, true>(const Source*, unsigned, Texel*); \
    template void astc<w, h, false>(const Source*, unsigned, Texel*);
GEN9_ASTC(4, 4)
GEN9_ASTC(5, 4)
GEN9_ASTC(5, 5)
GEN9_ASTC(6, 5)
GEN9_ASTC(6, 6)
GEN9_ASTC(8, 5)
GEN9_ASTC(8, 6)
GEN9_ASTC(8, 8)
GEN9_ASTC(10, 5)
GEN9_ASTC(10, 6)
GEN9_ASTC(10, 8)
GEN9_ASTC(10, 10)
GEN9_ASTC(12, 10)
GEN9_ASTC(12, 12)
#undef GEN9_ASTC

}  // namespace gen9::sampler
