// SPDX-License-Identifier: Apache-2.0
/// Geometry threads: what 3DSTATE_GS says of them, and the registers they begin with.
///
/// A SIMD8 thread works on up to eight objects, or on up to eight instances of one object. R1 has
/// each channel's instance and the handle of its output entry, R2 the primitive numbers if they are
/// asked for. Handles of the vertices follow if they are asked for. Behind the push constants lies
/// what was read of the vertices: of several objects a register for each component of each vertex,
/// of one object's instances DWord after DWord.
///
/// Spec  GS-08, GS-10, GS-21, GS-26..GS-28; 003:13569-13675
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/order.h"
#include "geometry/shader_state.h"

namespace gen9::geometry {

/// Channels of a thread.
inline constexpr unsigned kGeometryChannels = 8;

enum class GeometryDispatch : std::uint8_t {
    Single = 0,
    DualInstance = 1,
    DualObject = 2,
    Simd8 = 3
};

struct GeometryShaderState : ShaderState {
    GeometryDispatch dispatch = GeometryDispatch::Simd8;
    unsigned expected_vertices = 0;  ///< of an object as threads see it
    bool include_handles = false, include_primitive_id = false, discard_adjacency = false,
         hint = false;
    ReorderMode reorder = ReorderMode::Leading;
    unsigned instances = 1;
    unsigned counted = 1;  ///< invocations for each instance (GS-19)

    // An entry holds this.
    Topology output = Topology::PointList;
    unsigned vertex_bytes = 0;  ///< from one vertex to the next
    unsigned control_rows = 0;  ///< control bits, in rows of 32 bytes
    bool stream_bits = false;   ///< they are stream numbers, else cuts
    bool static_count = false;  ///< the number of vertices is that of the state
    unsigned vertex_count = 0;
    std::uint8_t stream = 0;  ///< of all vertices, where no bits say so

    unsigned header_registers() const;
    /// Registers that a thread begins with.
    unsigned registers() const;
};

/// `problems`: what the guest did wrong, if anything.
GeometryShaderState decode_geometry_shader(const PipelineState& state, bool absolute_constants,
                                           std::vector<std::string>& problems);

/// An object as a thread sees it.
struct GeometryInput {
    Topology topology = Topology::PointList;  ///< for R0.2
    std::uint32_t primitive_id = 0;
    unsigned count = 0;
    std::array<std::uint32_t, kMaxObjectVertices> urb_rows{};  ///< of its vertices
};

/// The channels of a thread work on these: each on an object, or on an instance of the only one.
struct GeometryChannels {
    std::span<const GeometryInput> objects;
    unsigned first_instance = 0;
    std::span<const std::uint32_t> outputs;  ///< rows of the channels' output entries
    /// Of the vertices, `read_rows` rows each: vertex 0 of all objects, vertex 1 of all, ...
    std::span<const std::uint8_t> data;
};

/// Fills in a thread but for what the draw says.
void make_geometry_thread(const GeometryShaderState& shader, const ThreadFacts& facts,
                          const GeometryChannels& channels, const ThreadTopology& topology,
                          const ThreadPlace& place, ThreadDispatch& dispatch);

}  // namespace gen9::geometry
