// SPDX-License-Identifier: Apache-2.0
#pragma once
// The families of specialised functions include this before they set their host instruction set.
#include <cstdint>
#include <type_traits>

#include "common/register_bytes.h"
#include "eu/execute/math_function.h"
#include "eu/fast/request.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::fast {

/// a + b * c rounded once to nearest, without a fused instruction: the product is exact in double,
/// the sum is rounded to odd, which a second rounding to single cannot spoil.
inline float fused_single(float a, float b, float c) {
    const double product = static_cast<double>(b) * static_cast<double>(c), addend = a;
    double sum = product + addend;
    const double back = sum - product, error = (product - (sum - back)) + (addend - back);
    std::uint64_t bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    // Inexact and even: one step towards the error makes it odd. NaN and infinities have no error.
    if (error != 0 && (bits & 1) == 0 && (bits & 0x7FF0000000000000u) != 0x7FF0000000000000u) {
        bits += (error > 0) == (sum > 0) ? 1 : -1;
        __builtin_memcpy(&sum, &bits, sizeof bits);
    }
    return static_cast<float>(sum);
}

}  // namespace gen9::eu::fast
