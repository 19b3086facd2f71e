// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "eu/thread/thread.h"
#include "isa/instruction.h"

namespace gen9::eu {

/// The 32 bytes an architecture register shows to a source operand (EU-069). Not for accumulators,
/// whose channels depend on the type (accumulator.h); reserved registers read zero.
std::array<std::uint8_t, 32> read_arf(const Thread& thread, std::uint8_t reg);

/// Writes an element of `size` bytes at `offset` of an architecture register. Writes to read-only
/// or missing parts are dropped (EU-070). A write of ip moves the thread when the instruction ends:
/// returns true then, with the new pointer in `ip_target`.
bool write_arf(Thread& thread, std::uint8_t reg, unsigned offset, unsigned size,
               std::uint64_t value, std::uint32_t& ip_target);

}  // namespace gen9::eu
