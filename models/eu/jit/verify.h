// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "eu/jit/compiled_region.h"

namespace gen9::eu::jit {

/// Runs a region as `run` does, and each of its instructions by its executor on a copy of the thread
/// as well: both are compared before each message and at the end. `differs` says where they are not
/// the same, and is empty otherwise. Singles that are NaN are the same: which one is open.
CodeRegion::Run run_verified(const CompiledRegion& region, Thread& thread, Messages& messages,
                             Cycles begin, std::uint64_t most, std::string& differs);

}  // namespace gen9::eu::jit
