// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "isa/instruction.h"

namespace gen9::eu::fast {

/// The operation that a specialised function computes. One name per meaning; types are in Lane.
enum class Op : std::uint8_t {
    None,
    Move,
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Asr,
    Compare,
    Select,
    Minimum,
    Maximum,
    Mad,
    Macro,
    ConditionalSelect,
    ToSingle,
    NegatedToSingle,  ///< of the number's negation, exactly
    ToInteger,
    ToUnsigned,
    Mach,
    AddCarry,
    SubBorrow,
    Quotient,
    Remainder,
    CountBits,
    ReverseBits,
    LeadingZeros,
    FirstHigh,
    FirstLow,
    // These are in math.inc, in one row.
    RoundUp,
    RoundDown,
    RoundEven,
    RoundZero,
    Inverse,
    Root,
    InverseRoot,
    Divide,
    Log,
    Exp,
    Sin,
    Cos,
    Pow,
    Fraction,
    Mix,
    Plane,
};

/// Type of a lane while computing. The unsigned forms serve every operation that is modular.
enum class Lane : std::uint8_t { None, U16, I32, U32, I64, U64, Single, Double, Half };

/// How a source reaches its lanes in the direct form.
enum class Kind : std::uint8_t { Packed, Scalar, Constant };

/// One function asked for. `staged`: sources through gather, destination through scatter,
/// conditions and saturation; otherwise packed or scalar sources, packed destination, nothing else.
struct Request {
    Op op = Op::None;
    Lane lane = Lane::None;
    unsigned lanes = 0;  ///< 1, 4, 8 or 16
    unsigned sources = 0;
    Kind kind[3] = {Kind::Packed, Kind::Packed, Kind::Packed};
    isa::CondMod condition = isa::CondMod::None;
    bool null_destination = false;
    bool staged = false;
    bool flips_signs = false;  ///< of a packed float source
};

}  // namespace gen9::eu::fast
