// SPDX-License-Identifier: Apache-2.0
/// How a stage of the 3D pipe looks at a draw's state, and names the draw in a report.
#pragma once
#include <cstdio>
#include <string>

#include "interconnect/payload/draw.h"
#include "packets/commands.h"

namespace gen9 {

/// The command that acts, header first; empty: it has not been given, and all its fields are 0.
inline StageState::Dwords latched(const PipelineState& state, const packets::CommandRow& row) {
    const StageState* stage = state.stage(row.latch.unit);
    return stage ? stage->command(row) : StageState::Dwords{};
}

/// Where something of a draw went wrong: the command's address and the stage.
inline std::string place_of(const Draw& draw, const char* stage) {
    char text[96];
    std::snprintf(text, sizeof text, "%s at 0x%llx, %s", draw.work.name,
                  static_cast<unsigned long long>(draw.address.value), stage);
    return text;
}
/// The same, of an object of the draw.
inline std::string place_of(const Draw& draw, const char* stage, std::uint32_t primitive) {
    return place_of(draw, stage) + ", primitive " + std::to_string(primitive);
}

}  // namespace gen9
