// SPDX-License-Identifier: Apache-2.0
/// Vertex threads: what 3DSTATE_VS and its kin say of them, and the registers they begin with.
///
/// A thread shades up to eight vertices. R0 is its header, R1 has the handles of the vertices' URB
/// entries; from the start register on follow the push constants, and then the vertices' data:
/// component c of element e of all eight in one register, 4e + c registers behind the constants.
///
/// Spec  VS-01..VS-08, FF-05..FF-25, FF-60..FF-64, FF-80..FF-84; 003:12200-12310
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/units.h"
#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/state.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::geometry {

/// Vertices of a thread.
inline constexpr unsigned kThreadVertices = 8;

/// A stretch of memory with push constants.
struct ConstantRange {
    GpuAddr address;
    std::uint32_t bytes = 0;
    std::uint8_t mocs = 0;
};

struct VertexShaderState {
    bool enabled = false;
    bool simd8 = false;
    bool statistics = false;
    std::uint32_t kernel = 0;  ///< from the instruction base
    GpuAddr kernel_start;
    bool alternate_float = false, vector_mask = false, illegal_opcode_exception = false,
         software_exception = false, high_priority = false;
    std::uint32_t max_threads = 1;
    std::uint32_t binding_table = 0, samplers = 0;  ///< offsets
    std::uint32_t scratch_base = 0;                 ///< bytes, from the general state base
    std::uint8_t scratch_code = 0;                  ///< 1 KB << code for each thread
    std::uint8_t start = 0;                         ///< first register of constants and data
    std::uint32_t read_offset = 0;                  ///< rows of an entry
    std::uint32_t read_rows = 0;                    ///< of each entry, 8 registers each
    std::array<ConstantRange, 4> constants{};
    std::uint32_t constant_rows = 0;

    /// Registers that a thread begins with.
    unsigned registers() const;
};

/// `problems`: what the guest did wrong, if anything.
VertexShaderState decode_vertex_shader(const PipelineState& state, bool absolute_constants,
                                       std::vector<std::string>& problems);

/// A thread of up to eight vertices.
struct VertexThread {
    std::span<const std::uint32_t> urb_rows;  ///< of the vertices' entries
    std::span<const std::uint8_t> data;       ///< of each vertex, `read_rows` rows
    std::span<const std::uint8_t> constants;
    std::uint32_t scratch_slot = 0;
    std::uint32_t number = 0;  ///< R0.6
};

/// Fills in the thread but for what the draw says.
void make_vertex_thread(const VertexShaderState& shader, const VertexThread& thread,
                        const ThreadTopology& topology, const ThreadPlace& place,
                        ThreadDispatch& dispatch);

}  // namespace gen9::geometry
