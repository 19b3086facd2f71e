// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interconnect/payload/sampler_tables.h"

namespace gen9::cs {

/// The tables after a command of the sampler's: 3DSTATE_CHROMA_KEY, 3DSTATE_SAMPLER_PALETTE_LOAD0
/// and 1, 3DSTATE_MONOFILTER_SIZE. None: a filter without width or height. A command's length
/// field holds no more entries than a palette has.
std::optional<SamplerTables> apply_sampler_command(const SamplerTables& tables,
                                                   std::span<const std::uint32_t> dwords);

/// The commands that give these tables, at their places in a context image (CS-111).
void put_sampler_tables(std::vector<std::uint32_t>& image, const SamplerTables& tables);

}  // namespace gen9::cs
