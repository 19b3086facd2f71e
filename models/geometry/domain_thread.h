// SPDX-License-Identifier: Apache-2.0
/// Domain threads: what 3DSTATE_DS says of them, and the registers they begin with.
///
/// A SIMD8 thread shades up to eight points of one patch. R1 to R3 have their coordinates, R4 the
/// handles of the vertices that it makes of them. A SIMD4x2 thread shades up to two: their handles
/// are in R0, all else in R1. Behind the push constants lies the patch record, from the read offset on.
///
/// Spec  DS-01, DS-03, DS-05, DS-07, DS-08, DS-10, DS-11; 003:12787-12953
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/shader_state.h"
#include "interconnect/payload/domain_batch.h"

namespace gen9::geometry {

/// Most points of a thread.
inline constexpr unsigned kThreadPoints = 8;

struct DomainShaderState : ShaderState {
    bool simd8 = false;
    bool compute_w = false;
    bool cache = true;

    /// Points of a thread.
    unsigned points() const { return simd8 ? kThreadPoints : 2; }
    /// Registers that a thread begins with.
    unsigned registers() const;
};

DomainShaderState decode_domain_shader(const PipelineState& state, bool absolute_constants,
                                       std::vector<std::string>& problems);

/// A domain thread works on these.
struct DomainWork {
    DomainPatch patch;
    std::span<const DomainPoint> points;
    std::span<const std::uint32_t> vertex_rows;  ///< of the entries that they become
    std::span<const std::uint8_t> record;        ///< `read_rows` rows of it
};

/// Fills in a thread but for what the draw says.
void make_domain_thread(const DomainShaderState& shader, const ThreadFacts& facts,
                        const DomainWork& work, const ThreadTopology& topology,
                        const ThreadPlace& place, ThreadDispatch& dispatch);

}  // namespace gen9::geometry
