// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "isa/instruction.h"

namespace gen9::eu {

/// One math function of finite or special operands (EU-256..EU-262). `b` is used by pow and fdiv;
/// `alternate`: logarithm and roots take the magnitude (EU-135), and 0 to the 0 is 1 (EU-261).
float evaluate_math(isa::MathFunction function, float a, float b, bool alternate);

/// Truncating; the remainder has the numerator's sign (EU-263). Division by zero is not specified.
/// Assumed: the quotient saturates towards the numerator's sign and the remainder is the numerator.
struct Division {
    std::int64_t quotient, remainder;
};
constexpr Division divide(std::int64_t a, std::int64_t b, bool is_signed) {
    if (b != 0) return {a / b, a % b};
    if (!is_signed) return {0xFFFFFFFF, a};
    return {a < 0 ? -0x80000000LL : 0x7FFFFFFFLL, a};
}

}  // namespace gen9::eu
