// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xmmintrin.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "common/bits.h"
#include "eu/thread/half.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

/// cr0.0 as the arithmetic sees it (EU-099, 003:20018-20043).
namespace cr0 {
inline constexpr std::uint32_t kAlternate = 1u << 0, kAccDisable = 1u << 1, kSinglePath = 1u << 2,
                               kVectorMask = 1u << 3, kRoundingLow = 1u << 4, kRounding = 3u << 4,
                               kDoubleDenormals = 1u << 6, kFloatDenormals = 1u << 7,
                               kIeeeTrap = 1u << 9, kHalfDenormals = 1u << 10,
                               kIeeeMinMax = 1u << 11, kRoundToInteger = 1u << 12;
}  // namespace cr0

/// sr0.1: sticky bits of the IEEE exceptions (EU-146).
namespace sr0 {
inline constexpr std::uint32_t kInvalid = 1u << 0, kDivideByZero = 1u << 1, kUnderflow = 1u << 2,
                               kOverflow = 1u << 3, kInexact = 1u << 4, kExceptions = 0x1Fu;
}  // namespace sr0

struct FloatControl {
    std::uint32_t bits;
    explicit FloatControl(const Thread& thread) : bits(thread.control[0]) {}
    Rounding rounding() const { return static_cast<Rounding>(gen9::bits(bits, 5, 4)); }
    /// Mode of float to integer conversions (EU-127).
    Rounding to_integer() const {
        return bits & cr0::kRoundToInteger ? rounding() : Rounding::Zero;
    }
    bool alternate() const { return bits & cr0::kAlternate; }
    bool ieee_min_max() const { return bits & cr0::kIeeeMinMax; }
    bool keep_float_denormals() const { return (bits & cr0::kFloatDenormals) && !alternate(); }
    bool keep_double_denormals() const { return bits & cr0::kDoubleDenormals; }
    bool keep_half_denormals() const { return bits & cr0::kHalfDenormals; }
};

/// Host rounding mode for the life of the object; costs nothing for nearest even.
class HostRounding {
  public:
    explicit HostRounding(Rounding mode) : changed_(mode != Rounding::NearestEven) {
        if (changed_) [[unlikely]]
            std::fesetround(mode == Rounding::Up     ? FE_UPWARD
                            : mode == Rounding::Down ? FE_DOWNWARD
                                                     : FE_TOWARDZERO);
    }
    ~HostRounding() {
        if (changed_) [[unlikely]]
            std::fesetround(FE_TONEAREST);
    }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

  private:
    bool changed_;
};

/// While it lives, and if it is `on`, the host takes denormal singles for zeros of their sign and
/// gives zeros in their place (EU-136). A result is denormal if it is one when it has been rounded
/// to a single's digits with any exponent.
class HostFlush {
  public:
    explicit HostFlush(bool on) : on_(on) {
        constexpr unsigned kFlushes = 0x8000, kInputsAreZeros = 0x0040;  // of MXCSR
        if (!on_) return;
        before_ = _mm_getcsr();
        _mm_setcsr(before_ | kFlushes | kInputsAreZeros);
    }
    ~HostFlush() {
        if (on_) _mm_setcsr(before_);
    }
    /// MXCSR as it was, if it is on.
    unsigned before() const { return before_; }
    HostFlush(const HostFlush&) = delete;
    HostFlush& operator=(const HostFlush&) = delete;

  private:
    bool on_;
    unsigned before_ = 0;
};

inline bool flushes_singles(const Thread& thread) {
    return !FloatControl(thread).keep_float_denormals();
}

inline bool is_denormal(float v) {
    const auto b = std::bit_cast<std::uint32_t>(v);
    return (b & 0x7F800000) == 0 && (b & 0x7FFFFF) != 0;
}
inline bool is_denormal(double v) {
    const auto b = std::bit_cast<std::uint64_t>(v);
    return (b & 0x7FF0000000000000u) == 0 && (b & 0xFFFFFFFFFFFFFu) != 0;
}
/// Zero of the same sign in place of a denormal (EU-136).
template <class F>
F flush_denormal(F v) {
    return is_denormal(v) ? std::copysign(F{0}, v) : v;
}

inline bool is_nan(float v) {
    return (std::bit_cast<std::uint32_t>(v) & 0x7FFFFFFF) > 0x7F800000;
}
inline bool is_nan(double v) {
    return (std::bit_cast<std::uint64_t>(v) & ~(std::uint64_t{1} << 63)) > 0x7FF0000000000000u;
}
inline float quiet(float v) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) | 0x400000u);
}
inline double quiet(double v) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) | std::uint64_t{1} << 51);
}

inline bool is_signalling(float v) {
    return is_nan(v) && !(std::bit_cast<std::uint32_t>(v) & 0x400000u);
}
inline bool is_signalling(double v) {
    return is_nan(v) && !(std::bit_cast<std::uint64_t>(v) & std::uint64_t{1} << 51);
}

/// Source modifiers act on the sign bit, also of NaN (EU-123, guide 3.1 item 5).
template <class F>
F modify_sign(F v, bool absolute, bool negate) {
    using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits sign = Bits{1} << (sizeof(F) * 8 - 1);
    Bits b = std::bit_cast<Bits>(v);
    if (absolute) b &= ~sign;
    if (negate) b ^= sign;
    return std::bit_cast<F>(b);
}

/// Alternate float mode (EU-135, 003:21473-21510): no infinity, denormal or NaN comes in or out.
inline float alternate_input(float v) {
    if (is_nan(v)) return 0.0f;
    if (std::isinf(v)) return std::copysign(0x1.fffffep127f, v);
    return flush_denormal(v);
}
inline float alternate_output(float v) {
    return alternate_input(v);
}

}  // namespace gen9::eu
