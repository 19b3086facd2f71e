// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "eu/execute/decoded.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

/// The IPs at which a branch leaves or finds channels, as far as it names them.
inline std::vector<std::uint32_t> meeting_places(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const auto relative = [&d](std::uint32_t from, std::int32_t offset) {
        return place_of_instruction(from + static_cast<std::uint32_t>(offset));
    };
    std::vector<std::uint32_t> found{d.next_ip};
    if (in.jip_from_register) return found;
    if (in.opcode == isa::Opcode::Jmpi) {
        found.push_back(relative(d.next_ip, in.jip));
        return found;
    }
    found.push_back(relative(d.ip, in.jip));
    found.push_back(relative(d.ip, in.uip));
    if (in.opcode == isa::Opcode::Break) found.push_back(relative(d.ip, in.uip) + 16);
    return found;
}

}  // namespace gen9::eu
