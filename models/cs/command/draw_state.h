// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "cs/context/state_store.h"

namespace gen9::cs {

/// The state in front of a 3DPRIMITIVE tells what the draw is for: "a draw", "a copy or blit by a
/// rectangle"; an empty text means that nobody knows. Drivers clear, fill, copy and resolve by drawing a rectangle
/// without a vertex shader (Mesa's blorp), and the counts of 3DSTATE_PS tell whether its pixel
/// shader has something to read from. They are hints for prefetching: where they are 0, nothing is
/// known.
std::string purpose_of_draw(const StateStore& state, std::span<const std::uint32_t> primitive);

}  // namespace gen9::cs
