// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "common/units.h"
#include "interconnect/payload/stage_state.h"
#include "packets/surface_state.h"

namespace gen9 {

struct SamplerTables;

/// Where an entry of a binding table lies. Software's tables have a DWord for each entry, those of
/// the resource streamer a word (RS-20).
struct BindingTableEntry {
    std::uint64_t address = 0;
    unsigned bytes = 4;

    /// Of the surface state, from the surface state base in bytes.
    std::uint64_t state_offset(std::uint32_t entry) const {
        namespace hardware = packets::hardware_binding_table_state;
        return bytes == 2 ? hardware::kUnit * hardware::SurfaceStatePointer.get({&entry, 1})
                          : packets::binding_table_state::SurfaceStatePointer.get({&entry, 1});
    }
};

/// What addresses in commands, messages and states count from, and what else is a value of the
/// command streamer's (cs-rs guide 3.2). Sizes are in bytes; a size of 0 means nothing lies within
/// the buffer.
struct StateBases {
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
    /// Of hardware binding tables and of gathered constants, while they are on (RS-20, RS-25).
    std::optional<GpuAddr> table_pool, gather_pool;
    /// Grows with each STATE_BASE_ADDRESS: a state that was found in memory under one is not used
    /// under another, whatever the addresses (SMP-275).
    std::uint32_t number = 0;

    /// Where push constants of a stage's buffer 0 to 3 lie, by the pointer of the command (FF-83).
    GpuAddr constants(unsigned buffer, std::uint64_t pointer, bool absolute) const {
        if (buffer == 0 && !absolute) return dynamic_state_base + pointer;
        if (buffer == 1 && gather_pool) return *gather_pool + pointer;
        return GpuAddr(pointer);
    }
    /// Entry `index` of the binding table of a pointer. The pool's tables lie at multiples of 64
    /// bytes, which pointers count in their bits 15:5.
    BindingTableEntry table_entry(std::uint32_t pointer, std::uint32_t index) const {
        if (table_pool) return {table_pool->value + 2 * std::uint64_t{pointer} + 2 * index, 2};
        return {surface_state_base.value + pointer + 4 * std::uint64_t{index}, 4};
    }
};

/// The state that travels with the work it applies to: the bases by value, and by reference an
/// immutable block for each unit that has been given state. Two pieces of work share the blocks
/// that no command between them has changed. It says what commands have set; states that lie in
/// memory are read when they are used (docs/blocks/cs.md).
struct PipelineState : StateBases {
    std::array<StageStatePtr, packets::kTravellingUnits> stages;
    /// What the sampler's block says. Null: none of its commands has been given.
    std::shared_ptr<const SamplerTables> sampler_tables;

    /// Null: no command of the unit has been given.
    const StageState* stage(packets::Unit unit) const {
        return stages[static_cast<unsigned>(unit)].get();
    }
};

using PipelineStatePtr = std::shared_ptr<const PipelineState>;

}  // namespace gen9
