// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bitset>
#include <string>
#include <vector>

#include "common/units.h"

namespace gen9::isa::test {

/// The general registers that a text of the public assembler names: a second way to them, element
/// by element from the written regions, and for messages from the lengths in its comment.
struct TextRegisters {
    std::bitset<kGrfCount> registers;
    unsigned calls = 0;
};
TextRegisters registers_in_text(const std::vector<std::string>& lines);

}  // namespace gen9::isa::test
