// SPDX-License-Identifier: Apache-2.0
/// Geometry output: what a geometry thread has left in its URB entry, as objects.
///
/// An entry begins with the number of its vertices, unless the state says it; control bits follow,
/// and then the vertices.
///
/// Spec  GS-11..GS-17, GS-20; 003:13142-13220
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "geometry/assembly.h"
#include "geometry/geometry_thread.h"

namespace gen9::geometry {

/// Vertices that an entry may have at most (GS-11).
inline constexpr unsigned kMaxOutputVertices = 1024;

/// Rows in front of an entry's vertices.
unsigned rows_before_vertices(const GeometryShaderState& shader);

/// Says what is wrong with a state's output; empty: nothing is.
std::string output_problem(const GeometryShaderState& shader, unsigned entry_rows);

/// Vertices that an entry has and that lie in it.
struct OutputCount {
    unsigned vertices = 0;
    bool too_many = false;  ///< there should be more
};
/// `before`: the rows before the vertices.
OutputCount output_count(const GeometryShaderState& shader, std::span<const std::uint32_t> before,
                         unsigned entry_rows);

/// Gives the sink the objects of an entry, whose vertices are numbers in the entry; gives their
/// primitives (GS_PRIMITIVES_COUNT).
std::uint32_t assemble_output(const GeometryShaderState& shader,
                              std::span<const std::uint32_t> before, unsigned vertices,
                              ObjectSink& sink);

}  // namespace gen9::geometry
