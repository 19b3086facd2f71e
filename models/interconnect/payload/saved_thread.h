// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "interconnect/payload/context_save.h"
#include "interconnect/payload/dispatch.h"

namespace gen9 {

/// Names a thread group that holds a barrier or shared local memory, while it runs.
using GroupIndex = std::uint16_t;
inline constexpr GroupIndex kNoGroup = 0xFFFF;

/// The dispatcher and the EU must know this to bring a saved thread back, besides what the system
/// routine has written. Assumed: it lies in the thread's part of the save area, behind that.
struct SavedThread {
    static constexpr std::uint64_t kOffset = 0x1800;  ///< the driver's routine writes less
    static constexpr unsigned kDwords = 88;
    using Words = std::array<std::uint32_t, kDwords>;

    std::uint32_t dispatch_mask = 0;
    std::uint8_t simd_width = 8, priority = 0;
    std::uint16_t local_thread = 0;
    std::array<std::uint32_t, 3> group_id{};
    std::uint32_t kernel_start = 0;  ///< from the instruction base
    std::uint32_t binding_table_offset = 0, sampler_state_offset = 0;
    /// The thread's group has this number if it holds a barrier or SLM; threads of one group have
    /// the same.
    GroupIndex group = kNoGroup;
    bool has_barrier = false;
    std::uint8_t barrier = 0, slm_granule = 0, slm_kilobytes = 0;
    std::uint16_t group_threads = 0;
    std::uint8_t registers = 0;  ///< of its EU's file that it takes; 0: they are not counted
    HiddenThreadState hidden;

    Words pack() const;
    static SavedThread unpack(const Words& words);
};

}  // namespace gen9
