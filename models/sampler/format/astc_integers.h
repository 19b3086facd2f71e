// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Bounded integer sequences of ASTC blocks (Public: Khronos data format specification, ASTC).
namespace gen9::sampler::astc_format {

/// 128 bits of a block, counted from the first, or backwards from the last.
class BlockBits {
  public:
    BlockBits(const std::uint8_t* bytes, bool backwards) : bytes_(bytes), backwards_(backwards) {}
    unsigned bit(unsigned n) const {
        if (n > 127) return 0;
        const unsigned at = backwards_ ? 127 - n : n;
        return bytes_[at / 8] >> at % 8 & 1u;
    }
    unsigned at(unsigned first, unsigned count) const {
        unsigned value = 0;
        for (unsigned i = 0; i < count; ++i)
            value |= bit(first + i) << i;
        return value;
    }

  private:
    const std::uint8_t* bytes_;
    bool backwards_;
};

/// A range of integers: 2^bits, three or five times as many.
struct Range {
    std::uint8_t bits;
    bool trits, quints;
};
inline constexpr unsigned kRanges = 21;  ///< 2 to 256 values
extern const Range kRangeTable[kRanges];

/// A sequence takes so many bits.
unsigned sequence_bits(const Range& range, unsigned count);
/// An integer of a sequence: its low bits, and the trit or quint above.
struct Integer {
    unsigned low = 0, high = 0;
};
/// Reads a sequence that begins at a bit and takes `limit` bits at most; those beyond are 0.
void read_sequence(const BlockBits& bits, unsigned first, const Range& range, unsigned count,
                   Integer* values);
/// A colour end of 8 bits, a weight of 0 to 64.
unsigned unquantize_color(const Range& range, const Integer& value);
unsigned unquantize_weight(const Range& range, const Integer& value);

}  // namespace gen9::sampler::astc_format
