// SPDX-License-Identifier: Apache-2.0
/// Domain threads: what 3DSTATE_DS says of them, and the registers they begin with.
///
/// A SIMD8 thread shades up to eight points of one patch. R1 to R3 have their coordinates, R4 the
/// handles of the vertices that it makes of them. A SIMD4x2 thread shades up to two: their handles
/// are in R0, all else in R1. Behind the push constants lies the patch record, from the read offset on.
/// A SIMD8 thread of two patches shades up to four points of each in its lower and its upper
/// channels, by a kernel of its own; elements of the two records lie in halves of registers.
///
/// Spec  DS-01, DS-03..DS-05, DS-07..DS-11; 003:12787-13029
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/shader_state.h"
#include "interconnect/payload/domain_batch.h"

namespace gen9::geometry {

/// Most points of a thread, and of each patch of a thread of two.
inline constexpr unsigned kThreadPoints = 8, kDualPoints = kThreadPoints / 2;

struct DomainShaderState : ShaderState {
    bool simd8 = false;
    bool compute_w = false;
    bool cache = true;
    bool may_be_dual = false;       ///< threads of two patches are allowed
    std::uint32_t dual_kernel = 0;  ///< of these, from the instruction base
    GpuAddr dual_kernel_start{};

    /// Points of a thread.
    unsigned points() const { return simd8 ? kThreadPoints : 2; }
    /// Registers that a thread of so many patches begins with.
    unsigned registers(unsigned patches = 1) const;
};

DomainShaderState decode_domain_shader(const PipelineState& state, bool absolute_constants,
                                       std::vector<std::string>& problems);

/// Points of a patch.
struct DomainPart {
    DomainPatch patch;
    std::span<const DomainPoint> points;
    std::span<const std::uint32_t> vertex_rows;  ///< of the entries that they become
};

/// A domain thread works on these: on one patch or on two.
struct DomainWork {
    std::span<const DomainPart> parts;
    std::span<const std::uint8_t> records;  ///< `read_rows` rows of each patch
};

/// Fills in a thread but for what the draw says.
void make_domain_thread(const DomainShaderState& shader, const ThreadFacts& facts,
                        const DomainWork& work, const ThreadTopology& topology,
                        const ThreadPlace& place, ThreadDispatch& dispatch);

}  // namespace gen9::geometry
