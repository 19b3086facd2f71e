// SPDX-License-Identifier: Apache-2.0
/// Assembly: makes objects of the vertices of a draw, one vertex at a time.
///
/// The vertices of an object stand in the order in which the draw has them, and `odd` says that its
/// orientation is the other one. GS, SOL and SF each derive the order that they show from these two
/// (GS-05..07, SOL-09, SF-07). Objects with adjacency have {v0, beside v0 v1, v1, beside v1 v2, v2,
/// beside v2 v0}, or {beside v0, v0, v1, beside v1} for lines.
///
/// Quads and polygons become fans of triangles. A quad begins with its last vertex, so that the
/// fan's first vertex gives flat attributes (SF-07, VF-19): vertices 3 0 1 2 of a list's,
/// and 3 2 0 1 of a strip's. Which of a triangle's edges are edges of what was drawn, and are shown
/// when only edges are, is `edges` (VF edge flags).
///
/// Spec  FF-100..107, FF-117, VF-05, VF-19, VF-20, VF-25; 003:11571-11653
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>

#include "interconnect/payload/primitive_batch.h"
#include "packets/topology.h"

namespace gen9::geometry {

using packets::Topology;

/// A vertex of the draw, by the number that its owner gave it.
struct AssemblyVertex {
    std::uint32_t number = 0;
    bool edge = true;  ///< its edge flag: the edge that begins at it is shown
};

using Object = PrimitiveObject;

/// Takes objects.
class ObjectSink {
  public:
    virtual ~ObjectSink() = default;
    virtual void object(const Object& object) = 0;
};

/// Vertices of a strip that its later objects may refer to.
struct Reach {
    unsigned last = 0;   ///< so many of the last ones; of a list, of the object that is not whole
    bool first = false;  ///< and its first
};
Reach reach_of(Topology topology);

/// The vertices of one instance of a draw. They are given by `vertex`; a cut index ends a strip,
/// and `end` the instance.
class Assembly {
  public:
    /// The topology's code must not be reserved.
    Assembly(Topology topology, ObjectSink& sink);

    void vertex(AssemblyVertex v);
    void cut() { finish(); }
    void end() { finish(); }

    /// Primitives so far: points, lines, triangles, quads, polygons, patches (IA_PRIMITIVES_COUNT).
    std::uint32_t primitives() const { return primitive_; }
    /// Vertices so far that belong to whole objects (IA_VERTICES_COUNT).
    std::uint64_t vertices() const { return whole_; }

  private:
    void finish();
    void emit(std::initializer_list<AssemblyVertex> vertices, bool odd = false);
    /// A triangle of a quad or polygon; its last one is known when the next vertex comes, or none.
    void fan_triangle(const AssemblyVertex& a, const AssemblyVertex& b, bool last);
    void quad(const std::array<AssemblyVertex, 4>& v);
    void adjacent_triangle(const AssemblyVertex& beside_v1_v2);
    AssemblyVertex held(unsigned i) const { return held_[i]; }

    const Topology topology_;
    const packets::TopologyRules rules_;
    const bool edge_flags_;  ///< they count for this topology
    ObjectSink& sink_;
    std::array<AssemblyVertex, kMaxObjectVertices> held_{};  ///< that later objects refer to
    AssemblyVertex first_;                                   ///< of a fan, loop or polygon
    std::uint32_t in_strip_ = 0;                             ///< vertices since the last cut
    std::uint32_t objects_ = 0;                              ///< of this strip
    std::uint32_t primitive_ = 0;
    std::uint64_t whole_ = 0;
};

}  // namespace gen9::geometry
