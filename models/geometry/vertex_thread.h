// SPDX-License-Identifier: Apache-2.0
/// Vertex threads: what 3DSTATE_VS says of them, and the registers they begin with.
///
/// A SIMD8 thread shades up to eight vertices. R1 has the handles of the vertices' URB entries;
/// behind the push constants lie the vertices' data: component c of element e of all eight in one
/// register, 4e + c registers behind the constants. A SIMD4x2 thread shades up to two: their handles
/// are in R0, and an element of both is one register.
///
/// Spec  VS-01..VS-09; 003:12200-12310
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/shader_state.h"

namespace gen9::geometry {

/// Most vertices of a thread.
inline constexpr unsigned kThreadVertices = 8;

struct VertexShaderState : ShaderState {
    bool simd8 = false;
    bool single = false;  ///< a SIMD4x2 thread has one vertex

    /// Vertices of a thread.
    unsigned vertices() const { return simd8 ? kThreadVertices : single ? 1 : 2; }
    /// Registers that a thread begins with.
    unsigned registers() const;
};

/// `problems`: what the guest did wrong, if anything.
VertexShaderState decode_vertex_shader(const PipelineState& state, bool absolute_constants,
                                       std::vector<std::string>& problems);

/// Fills in a thread of up to so many vertices but for what the draw says. `urb_rows`: of the
/// vertices' entries; `data`: of each vertex, `read_rows` rows.
void make_vertex_thread(const VertexShaderState& shader, const ThreadFacts& facts,
                        std::span<const std::uint32_t> urb_rows, std::span<const std::uint8_t> data,
                        const ThreadTopology& topology, const ThreadPlace& place,
                        ThreadDispatch& dispatch);

}  // namespace gen9::geometry
