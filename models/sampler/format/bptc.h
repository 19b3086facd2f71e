// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "common/bits.h"

// BC6H and BC7 have this in common (Public: Khronos data format specification, BPTC).
namespace gen9::sampler::bptc {

/// A block's bits, counted from the first.
class Bits {
  public:
    explicit Bits(const std::uint8_t* bytes)
        : low_(load<std::uint64_t>(bytes)), high_(load<std::uint64_t>(bytes + 8)) {}
    /// `count` bits, 16 at most.
    unsigned at(unsigned first, unsigned count) const {
        std::uint64_t word = first < 64 ? low_ >> first : high_ >> (first - 64);
        if (first < 64 && first + count > 64) word |= high_ << (64 - first);
        return static_cast<unsigned>(word & ((1u << count) - 1));
    }
    unsigned take(unsigned count) {
        const unsigned value = at(next_, count);
        next_ += count;
        return value;
    }
    unsigned next() const { return next_; }

  private:
    std::uint64_t low_, high_;
    unsigned next_ = 0;
};

/// The subset of each of 16 texels, two bits each.
extern const std::array<std::uint32_t, 64> kTwoSubsets, kThreeSubsets;
/// The texels, besides the first, whose index has a bit less: of the second subset, and of the
/// second and third of three.
extern const std::array<std::uint8_t, 64> kAnchorOfTwo, kFirstAnchorOfThree, kSecondAnchorOfThree;

/// The subset of a texel, and whether its index has a bit less.
struct Place {
    unsigned subset = 0;
    unsigned anchors_before = 0;  ///< texels before it whose index has a bit less
    bool anchor = false;
};
Place place_of(unsigned subsets, unsigned partition, unsigned texel);

/// Interpolation weights of indices of two to four bits, in 1/64.
unsigned weight(unsigned index_bits, unsigned index);
inline int interpolate(int first, int second, unsigned share) {
    const int w = static_cast<int>(share);
    return (first * (64 - w) + second * w + 32) >> 6;
}

}  // namespace gen9::sampler::bptc
