// SPDX-License-Identifier: Apache-2.0
/// From the neutral form to the native 128 bits: the inverse of decode().
/// Spec     EU-298..EU-304, eu-isa guide 3.2
#pragma once
#include <array>
#include <cstdint>

#include "isa/format/fields.h"
#include "isa/instruction.h"

namespace gen9::isa {

struct Encoding {
    NativeWord word;
    /// Bits that stand for something in `word`.
    NativeWord significant;
    /// Bits nobody reads but assemblers fill (guide 3.2, table C).
    NativeWord filled;
    /// All others must be zero (EU-304).
    constexpr NativeWord reserved() const { return ~(significant | filled); }
};

/// The instruction must be one that has an encoding: what decode() yields, or what a test builds.
/// `compacted` is not looked at: the native form is the answer.
Encoding encode_word(const Instruction& instruction);
std::array<std::uint8_t, 16> encode(const Instruction& instruction);

}  // namespace gen9::isa
