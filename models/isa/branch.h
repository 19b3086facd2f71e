// SPDX-License-Identifier: Apache-2.0
/// Where branches go (EU-269..EU-282, eu-isa guide 3.5): offsets count from the branch itself,
/// those of jmpi from the instruction after it; calla is absolute.
#pragma once
#include <cstdint>
#include <set>

#include "isa/instruction.h"
#include "isa/opcodes.h"

namespace gen9::isa {

/// JIP (or the only offset) of a branch at `pc` as an address.
inline std::uint32_t branch_target(const Instruction& instruction, std::uint32_t pc) {
    const auto offset = static_cast<std::uint32_t>(instruction.jip);
    switch (instruction.opcode) {
        case Opcode::Jmpi:
            return pc + instruction.length_bytes + offset;
        case Opcode::Calla:
            return offset;
        default:
            return pc + offset;
    }
}
/// UIP as an address.
inline std::uint32_t second_target(const Instruction& instruction, std::uint32_t pc) {
    return pc + static_cast<std::uint32_t>(instruction.uip);
}

/// The addresses at which a block of straight code starts because of this instruction: its targets
/// and, as execution may not fall through, the instruction after it.
void add_block_starts(const Instruction& instruction, std::uint32_t pc,
                      std::set<std::uint32_t>& starts);

}  // namespace gen9::isa
