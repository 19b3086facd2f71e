// SPDX-License-Identifier: Apache-2.0
/// Which general registers an instruction names, and a whole program.
/// Spec     EU-038 (regions), EU-183..EU-186 (payload and response of a message)
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <span>

#include "common/units.h"
#include "isa/instruction.h"

namespace gen9::isa {

/// Adjacent registers; count 0: none.
struct RegisterRange {
    std::uint8_t first = 0, count = 0;
};

/// The general registers an instruction's bits name. What a register decides is not among them:
/// operands addressed by a0 (`indirect`), and the lengths of a message whose descriptor is in a0.
struct NamedRegisters {
    std::array<RegisterRange, 3> reads{};  ///< by source; of sends the payload
    RegisterRange writes{};                ///< of sends the response
    bool indirect = false;                 ///< a source or the destination is addressed by a0
};
NamedRegisters named_registers(const Instruction& in);

using RegisterSet = std::bitset<kGrfCount>;

/// All that a program names, from its first instruction to its ends, through every branch. A
/// program is taken to name all registers where its bits leave open which: by register-indirect
/// operands, or by branches to an address in a register. A message whose descriptor is in a0 has
/// the longest payload and response that one can have. A path ends where there is no instruction.
/// `start`: of the first instruction. `fetch`: copies the 16 bytes at an address, both relative to
/// the instruction base; false where there are none.
using FetchInstruction = std::function<bool(std::uint32_t at, std::span<std::uint8_t, 16> bytes)>;
RegisterSet registers_of_program(std::uint32_t start, const FetchInstruction& fetch);

}  // namespace gen9::isa
