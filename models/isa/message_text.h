// SPDX-License-Identifier: Apache-2.0
/// What a send means in words, as the assembler's comment says it.
#pragma once
#include <string>

#include "isa/instruction.h"

namespace gen9::isa {

/// `wr:1h+0, rd:1; hdc.dc0; oword aligned block read x2`
std::string message_text(const Instruction& send);

}  // namespace gen9::isa
