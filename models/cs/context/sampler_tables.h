// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/payload/sampler_tables.h"
#include "interconnect/payload/stage_state.h"

namespace gen9::cs {

/// The tables as the block of the sampler says them.
SamplerTables read_sampler_tables(const StageState& block);

}  // namespace gen9::cs
