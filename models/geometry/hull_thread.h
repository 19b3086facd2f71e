// SPDX-License-Identifier: Apache-2.0
/// Hull threads: what 3DSTATE_HS says of them, and the registers they begin with.
///
/// A thread has one patch, two or up to eight. It writes the patch records, whose handles it is
/// given, and finds the control points (vertices) of its patches by their handles or among its
/// registers. In single patch and 8 patch mode several threads, the instances, work on the same.
///
/// Spec  HS-04..HS-12, HS-18; 003:12343-12715
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/shader_state.h"

namespace gen9::geometry {

/// Codes of 3DSTATE_HS.
enum class HullMode : std::uint8_t { SinglePatch = 0, DualPatch = 1, EightPatch = 2 };

struct HullShaderState : ShaderState {
    HullMode mode = HullMode::SinglePatch;
    bool include_primitive_id = false;
    bool include_handles = false;
    std::uint32_t instances = 1;  ///< threads that share what they work on

    /// Patches of a thread, at most.
    unsigned patches() const;
    /// Registers before the constants that a patch of so many control points takes.
    unsigned header_registers(unsigned points) const;
    unsigned all_registers(unsigned points) const;
    /// Those that a thread begins with.
    unsigned registers(unsigned points) const;
};

HullShaderState decode_hull_shader(const PipelineState& state, bool absolute_constants,
                                   std::vector<std::string>& problems);

struct HullPatch {
    std::uint32_t record_row = 0;  ///< of its record's entry
    std::uint32_t primitive_id = 0;
};
/// A hull thread works on these.
struct HullWork {
    std::span<const HullPatch> patches;
    std::span<const std::uint32_t> point_rows;  ///< of the entries of a patch's points, by patch
    std::span<const std::uint8_t> data;         ///< `read_rows` rows of each of these entries
    unsigned points = 0;                        ///< of a patch
    std::uint32_t instance = 0;
    std::uint8_t barrier = 0;
};

/// Fills in a thread but for what the draw says.
void make_hull_thread(const HullShaderState& shader, const ThreadFacts& facts, const HullWork& work,
                      const ThreadTopology& topology, const ThreadPlace& place,
                      ThreadDispatch& dispatch);

}  // namespace gen9::geometry
