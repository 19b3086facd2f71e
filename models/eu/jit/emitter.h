// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "eu/jit/compiled_region.h"

namespace gen9::eu::jit {

/// Finds out what a region of these instructions does. False: it would do nothing. `control`: cr0.0,
/// whose modes it is for.
bool plan(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control, Level level);

/// Writes the code of one form. `direct`: what its sends have for messages. False: there is no room
/// for it.
bool emit(const CompiledRegion& region, bool masked, const Messages::Direct& direct);

}  // namespace gen9::eu::jit
