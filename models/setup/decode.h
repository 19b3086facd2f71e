// SPDX-License-Identifier: Apache-2.0
/// What set-up knows of a draw's state: from its commands, and from the states in memory.
#pragma once
#include <span>

#include "interconnect/payload/draw_state.h"
#include "setup/core.h"

namespace gen9::setup {

/// A draw's state but for what lies in memory.
Draw decode(const PipelineState& state);

/// Where viewports and scissor rectangles lie, for viewports 0 to `last`.
struct InMemory {
    unsigned last = 0;
    GpuAddr viewports, scissors;
};
InMemory in_memory(const PipelineState& state);

inline constexpr unsigned kViewportDwords = 16, kScissorDwords = 2;
Viewport viewport_of(std::span<const std::uint32_t> dwords);
Scissor scissor_of(std::span<const std::uint32_t> dwords);

/// What 3DSTATE_WM_HZ_OP is for: its rectangle within the drawing rectangle. The whole level of the
/// depth buffer, if it says so.
PixelRectangle clear_rectangle(const PipelineState& state);

}  // namespace gen9::setup
