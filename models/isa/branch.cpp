// SPDX-License-Identifier: Apache-2.0
#include "isa/branch.h"

namespace gen9::isa {

void add_block_starts(const Instruction& instruction, std::uint32_t pc,
                      std::set<std::uint32_t>& starts) {
    const OpcodeInfo& row = info(instruction.opcode);
    const std::uint32_t next = pc + instruction.length_bytes;
    if (instruction.end_of_thread) starts.insert(next);
    if (!row.has(kBranch)) return;
    starts.insert(next);
    if (instruction.jip_from_register || row.format == Format::Ret) return;
    starts.insert(branch_target(instruction, pc));
    if (row.format == Format::Branch2 || row.format == Format::BranchRegister2) {
        starts.insert(second_target(instruction, pc));
    }
}

}  // namespace gen9::isa
