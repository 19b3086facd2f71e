// SPDX-License-Identifier: Apache-2.0
/// Geometry threads: what 3DSTATE_GS says of them, and the registers they begin with.
///
/// A SIMD8 thread works on up to eight objects, or on up to eight instances of one object. R1 has
/// each channel's instance and the handle of its output entry, R2 the primitive numbers if they are
/// asked for. Handles of the vertices follow if they are asked for. Behind the push constants lies
/// what was read of the vertices: of several objects a register for each component of each vertex,
/// of one object's instances DWord after DWord.
///
/// A SIMD4x2 thread works on one instance, on two instances of an object, or on two objects, each
/// with four channels. R0 has what R1 has in SIMD8. Of two objects primitive numbers, handles and
/// data of the first lie in the low halves of registers, those of the second in the high halves; of
/// one object they lie as in SIMD8.
///
/// Spec  GS-08, GS-10, GS-21..GS-28; 003:13242-13675
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/order.h"
#include "geometry/shader_state.h"

namespace gen9::geometry {

/// The most that a thread works on.
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

    bool simd8() const { return dispatch == GeometryDispatch::Simd8; }
    /// Threads work on instances of one object, else each on several objects.
    bool shares_object() const {
        return simd8() ? instances > 1 : dispatch != GeometryDispatch::DualObject;
    }
    /// Objects or instances of a thread.
    unsigned channels() const {
        return simd8() ? kGeometryChannels : dispatch == GeometryDispatch::Single ? 1 : 2;
    }
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

/// A thread works on these: each channel, or each four, on an object or on an instance of the only
/// one.
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
