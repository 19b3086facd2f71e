// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "isa/instruction.h"

namespace gen9::eu::jit {

// Operands begin in these vectors; each has as many as the shape has parts. The first becomes the
// result.
inline constexpr unsigned kFirst = 0, kSecond = 2, kThird = 4, kOtherFirst = 6;
inline constexpr unsigned kHelp = 8, kMore = 9, kOther = 10;
/// Bits that lanes are made of; what stays from instruction to instruction.
inline constexpr unsigned kBits = 13, kInactive = 14;

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

inline Relation float_relation(isa::CondMod condition) {
    switch (condition) {
        case isa::CondMod::Z:
            return kEqual;
        case isa::CondMod::NZ:
            return kNotEqual;
        case isa::CondMod::G:
            return kGreater;
        case isa::CondMod::GE:
            return kGreaterEqual;
        case isa::CondMod::L:
            return kLess;
        default:
            return kLessEqual;
    }
}
/// Predicates of vpcmpd.
inline std::uint8_t integer_relation(isa::CondMod condition) {
    switch (condition) {
        case isa::CondMod::Z:
            return 0;
        case isa::CondMod::NZ:
            return 4;
        case isa::CondMod::G:
            return 6;
        case isa::CondMod::GE:
            return 5;
        case isa::CondMod::L:
            return 1;
        default:
            return 2;
    }
}

}  // namespace gen9::eu::jit
