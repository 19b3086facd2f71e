// SPDX-License-Identifier: Apache-2.0
/// From the bytes of one instruction to its neutral form.
/// Spec     EU-298..EU-304, eu-isa guide 3.2 and 3.3; EU-215 and EU-294 for illegal opcodes
#pragma once
#include <cstdint>
#include <span>

#include "isa/instruction.h"

namespace gen9::isa {

/// `ok`: the bits name an instruction (which may be `illegal` itself). Otherwise `instruction` is
/// Opcode::Illegal with the length its CmptCtrl bit says, and `why` says in words what is
/// undefined.
struct DecodeResult {
    Instruction instruction;
    bool ok = false;
    const char* why = "";
};

/// Decodes the instruction at the start of `bytes`: 8 bytes are enough for a compacted one, 16 for
/// any; more are ignored. Any content is safe.
DecodeResult decode(std::span<const std::uint8_t> bytes);

}  // namespace gen9::isa
