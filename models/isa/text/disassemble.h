// SPDX-License-Identifier: Apache-2.0
/// Text of instructions, in the syntax of the public assembler (`iga64 -d -p=9`), with single
/// blanks. Role     traces, error reports and golden tests; nothing decides on the text Not here
/// what the assembler has no syntax for is printed in ours: Align16 swizzles and channel
///          enables as `r11.0<4>.xyxy:f` and `r10.0<1>.xz:f`; undecodable bytes as `// illegal:
///          why`
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "isa/instruction.h"

namespace gen9::isa {

/// One instruction at address `pc`. Branch targets are labels `L<address>`.
std::string disassemble(const Instruction& instruction, std::uint32_t pc = 0);

/// A whole kernel from address 0: one line per instruction, a label line at the start of every
/// block. Ends where the bytes do.
std::string disassemble_kernel(std::span<const std::uint8_t> bytes);

/// An immediate as the assembler writes it, with its type: `1.5:f`, `-3:d`, `0x10:uw`.
std::string immediate_text(std::uint64_t bits, Type type);

/// `f`, `ud`, ...
const char* type_name(Type type);

}  // namespace gen9::isa
