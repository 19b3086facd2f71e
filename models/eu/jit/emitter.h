// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "eu/jit/compiled_region.h"

namespace gen9::eu::jit {

/// Writes the code of a region. False: there is none. `control`: cr0.0, whose modes it is for.
bool emit(CompiledRegion& region, std::span<const Part> parts, std::uint32_t control, Level level);

}  // namespace gen9::eu::jit
