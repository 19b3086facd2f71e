// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "common/units.h"

namespace gen9 {

struct SamplerTables;

/// The state commands' values that travel with the work they apply to: an immutable snapshot,
/// made anew by the command streamer at each STATE_BASE_ADDRESS (cs-rs guide 3.2).
/// Sizes are in bytes; a size of 0 means nothing lies within the buffer.
struct PipelineState {
    GpuAddr general_state_base;
    std::uint64_t general_state_size = 0;
    GpuAddr surface_state_base;
    GpuAddr dynamic_state_base;
    std::uint64_t dynamic_state_size = 0;
    GpuAddr indirect_object_base;
    std::uint64_t indirect_object_size = 0;
    GpuAddr instruction_base;
    std::uint64_t instruction_size = 0;
    GpuAddr bindless_surface_base;
    std::uint32_t bindless_surface_count = 0;
    /// Memory object control state (bits 6:1 the table's index) of accesses relative to each base.
    std::uint8_t stateless_mocs = 0, general_mocs = 0, surface_mocs = 0, dynamic_mocs = 0,
                 indirect_mocs = 0, instruction_mocs = 0, bindless_mocs = 0;
    GpuAddr system_instruction_pointer;  ///< STATE_SIP, an offset from the instruction base
    GpuAddr context_save_base;           ///< GPGPU_CSR_BASE_ADDRESS
    /// Null: none of the sampler's commands has been given (sampler_tables.h).
    std::shared_ptr<const SamplerTables> sampler_tables;
};

using PipelineStatePtr = std::shared_ptr<const PipelineState>;

}  // namespace gen9
