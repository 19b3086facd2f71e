// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "eu/thread/half.h"

namespace gen9::eu {

/// The extended values of the divide and square root macros (EU-086, EU-264).
///
/// The PRM says only that two bits per channel in a special accumulator extend the register's
/// value. This model uses them for the exponent, as IEEE 754 wraps it on trapped over- and
/// underflow: 0: the register's value as it is, 1: times 2^wrap, 2: times 2^-wrap, with wrap 192
/// for F and 1536 for DF. The range then holds every intermediate of the sequences, at the format's
/// own precision, which is what their proof needs; the last step has no special accumulator and
/// rounds to the format.
struct ExtendedBits {
    std::uint64_t bits;           ///< of the register element
    std::uint8_t special;         ///< 0..2
    std::uint8_t exceptions = 0;  ///< as in sr0.1, of a result rounded to the format
};

struct FloatFormat {
    unsigned precision;  ///< significand bits with the leading one
    int max_exponent;    ///< of a normal number 1.x * 2^e
    int wrap;
    constexpr unsigned width() const { return precision == 24 ? 32 : 64; }
    constexpr int min_exponent() const { return 1 - max_exponent; }
};
inline constexpr FloatFormat kSingleFormat{24, 127, 192};
inline constexpr FloatFormat kDoubleFormat{53, 1023, 1536};

/// a + b * c, rounded once. `extended`: the result may use the special bits.
ExtendedBits extended_fma(ExtendedBits a, ExtendedBits b, ExtendedBits c, const FloatFormat& format,
                          Rounding mode, bool extended);

/// The exceptions that it signals when its result is rounded to the format (EU-147..EU-151).
std::uint32_t extended_fma_exceptions(ExtendedBits a, ExtendedBits b, ExtendedBits c,
                                      const FloatFormat& format, Rounding mode);

/// 1 / b and 1 / sqrt(b) to the format's precision, for finite b other than 0 (and positive).
ExtendedBits extended_reciprocal(std::uint64_t b, const FloatFormat& format);
ExtendedBits extended_reciprocal_root(std::uint64_t b, const FloatFormat& format);

}  // namespace gen9::eu
