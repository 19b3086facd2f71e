// SPDX-License-Identifier: Apache-2.0
/// What a send means in words, as the assembler's comment says it, for the messages that OpenCL
/// kernels send (EU-184, EU-187). The shared functions decode their descriptors themselves: this is
/// for people. Messages of the 3D pipeline other than through the data ports are given by name of
/// the function only (`hdc.rc; ?`).
#pragma once
#include <string>

#include "isa/instruction.h"

namespace gen9::isa {

/// `wr:1h+0, rd:1; hdc.dc0; oword aligned block read x2`: payload registers (h: with header) and
/// registers of the second payload, response registers, function, operation.
std::string message_text(const Instruction& send);

}  // namespace gen9::isa
