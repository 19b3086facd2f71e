// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "common/units.h"

namespace gen9::eu {

/// The state of a loaded thread, for reports of hangs and of runs that were stopped.
struct LoadedThread {
    ThreadAddress place;
    std::uint32_t work = 0;  ///< ThreadDispatch::walker
    std::array<std::uint32_t, 3> group_id{};
    std::uint16_t local_thread = 0;  ///< number within its group
    std::uint32_t ip = 0;            ///< of its next instruction, from the instruction base
    std::string instruction;         ///< its text; empty when it has not been decoded
    std::string waits_for;           ///< "scoreboard", "the answer to ...", "its turn", ...
    std::uint64_t instructions = 0;  ///< executed so far
    std::uint64_t messages = 0;      ///< sent so far
    unsigned messages_out = 0;       ///< sent and not yet answered
};

/// One line: place, ip, instruction, what it waits for, group, what it has done.
std::string to_text(const LoadedThread& thread);

}  // namespace gen9::eu
