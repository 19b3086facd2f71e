// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/litmus/command_machine.h"

namespace gen9::litmus {

/// Draws of one rectangle, as commands. The 3D pipe must be selected.
namespace draws {

/// The binding table of the draws and the state of their target, from the surfaces on.
inline constexpr std::uint32_t kTable = 0x400, kTarget = 0x440;

/// Row 0 of a target or depth buffer, from pixel `first` on.
struct Pixels {
    std::uint32_t first = 0, count = 16;
};

/// What a machine's draws share: a pixel shader that writes `value` to each channel. Call once.
void load(CommandMachine& machine, std::uint32_t value);
/// The same by results of the sampler, which go to the target and end the thread: each lane has its
/// texel of a line of R32_UINT. Threads have so many slots, and 16 texels.
void load_sampled(CommandMachine& machine, unsigned slots);
/// Binds that line of texels.
void bind_texels(CommandMachine& machine, std::uint32_t address);
/// Writes the corners of a rectangle, as a vertex buffer holds them.
void write_corners(CommandMachine& machine, std::uint32_t address, Pixels pixels);
/// The same by commands.
Words store_corners(std::uint32_t address, Pixels pixels);
/// Binds a line of R32_UINT as the target. Once for each batch.
void bind_target(CommandMachine& machine, std::uint32_t address);
/// All state of a draw, whose threads have so many slots.
Words state(unsigned slots = 8);
/// A rectangle of the corners at an address.
Words rectangle(std::uint32_t corners);
/// Clears pixels of a depth buffer of floats to 1.0. The buffer is at a page's begin.
Words clear_depth(std::uint32_t buffer, Pixels pixels);

}  // namespace draws
}  // namespace gen9::litmus
