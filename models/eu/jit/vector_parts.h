// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::eu::jit {

// Operands begin in these vectors; each has as many as the shape has parts.
inline constexpr unsigned kFirst = 0, kSecond = 2, kThird = 4, kHelp = 6, kMore = 8, kOther = 10;

/// Predicates of vcmpps.
enum Relation : std::uint8_t {
    kEqual = 0,
    kLess = 1,
    kLessEqual = 2,
    kUnordered = 3,
    kNotEqual = 4,
    kOrdered = 7,
    kGreaterEqual = 13,
    kGreater = 14,
};

}  // namespace gen9::eu::jit
