// SPDX-License-Identifier: Apache-2.0
#include "geometry/assembly.h"

#include <initializer_list>

#include "common/check.h"

namespace gen9::geometry {

namespace {

/// The topology that stages behind the vertex fetch see (VF-19).
Topology shown(Topology topology) {
    switch (topology) {
        case Topology::LineLoop:
            return Topology::LineStrip;
        case Topology::QuadList:
        case Topology::QuadStrip:
            return Topology::Polygon;
        default:
            return topology;
    }
}

}  // namespace

Reach reach_of(Topology topology) {
    switch (topology) {
        case Topology::LineStrip:
        case Topology::LineStripCont:
        case Topology::LineStripBf:
        case Topology::LineStripContBf:
            return {1};
        case Topology::LineLoop:
        case Topology::TriFan:
        case Topology::TriFanNoStipple:
            return {1, true};
        case Topology::LineStripAdj:
        case Topology::QuadStrip:
            return {3};
        case Topology::TriStrip:
        case Topology::TriStripReverse:
            return {2};
        case Topology::Polygon:
            return {2, true};
        case Topology::TriStripAdj:
            return {9};
        default:
            return {packets::rules_of(topology).step - 1u};
    }
}

Assembly::Assembly(Topology topology, ObjectSink& sink)
    : topology_(topology),
      rules_(packets::rules_of(topology)),
      edge_flags_(topology == Topology::TriList || topology == Topology::QuadList ||
                  topology == Topology::Polygon),
      sink_(sink) {
    GEN9_CHECK(rules_.name != nullptr, "a topology whose code is reserved");
}

void Assembly::emit(std::initializer_list<AssemblyVertex> vertices, bool odd) {
    Object object;
    object.topology = shown(topology_);
    object.odd = odd;
    const bool list = rules_.first == rules_.step;
    const bool goes_on =
        topology_ == Topology::LineStripCont || topology_ == Topology::LineStripContBf;
    object.starts = list || (objects_ == 0 && !goes_on);
    object.primitive_id = primitive_++;
    ++objects_;
    object.edges = 0;
    for (const AssemblyVertex& v : vertices) {
        if (object.count < 3 && v.edge) object.edges |= 1u << object.count;
        object.vertices[object.count++] = v.number;
    }
    sink_.object(object);
}

void Assembly::fan_triangle(const AssemblyVertex& a, const AssemblyVertex& b, bool last) {
    Object object;
    object.topology = Topology::Polygon;
    object.count = 3;
    object.vertices[0] = first_.number;
    object.vertices[1] = a.number;
    object.vertices[2] = b.number;
    object.starts = objects_ == 0;
    object.continues = objects_ != 0;
    object.edges = static_cast<std::uint8_t>((objects_ == 0 && first_.edge ? 1 : 0) |
                                             (a.edge ? 2 : 0) | (last && b.edge ? 4 : 0));
    object.primitive_id = primitive_;
    ++objects_;
    sink_.object(object);
}

void Assembly::quad(const std::array<AssemblyVertex, 4>& v) {
    first_ = v[0];
    objects_ = 0;
    fan_triangle(v[1], v[2], false);
    fan_triangle(v[2], v[3], true);
    ++primitive_;
}

void Assembly::adjacent_triangle(const AssemblyVertex& beside_v1_v2) {
    const std::uint32_t k = 2 * objects_;
    const auto at = [&](std::uint32_t i) { return held_[i % kMaxObjectVertices]; };
    emit({at(k), at(k == 0 ? 1 : k - 2), at(k + 2), beside_v1_v2, at(k + 4), at(k + 3)},
         objects_ % 2 != 0);
}

void Assembly::vertex(AssemblyVertex v) {
    if (!edge_flags_) v.edge = true;
    const std::uint32_t n = in_strip_++;  // vertices before this one
    switch (topology_) {
        case Topology::LineStrip:
        case Topology::LineStripCont:
        case Topology::LineStripBf:
        case Topology::LineStripContBf:
        case Topology::LineLoop:
            if (n == 0) first_ = v;
            if (n >= 1) emit({held(0), v});
            held_[0] = v;
            return;
        case Topology::LineStripAdj:
            if (n >= 3) emit({held(0), held(1), held(2), v});
            held_[0] = held_[1];
            held_[1] = held_[2];
            held_[2] = v;
            return;
        case Topology::TriStrip:
        case Topology::TriStripReverse:
            if (n >= 2)
                emit({held(0), held(1), v},
                     (objects_ % 2 != 0) != (topology_ == Topology::TriStripReverse));
            held_[0] = held_[1];
            held_[1] = v;
            return;
        case Topology::TriFan:
        case Topology::TriFanNoStipple:
            if (n == 0)
                first_ = v;
            else if (n >= 2)
                emit({first_, held(0), v});
            held_[0] = v;
            return;
        case Topology::Polygon:
            if (n == 0) {
                first_ = v;
                return;
            }
            if (n >= 3) fan_triangle(held_[0], held_[1], false);
            held_[0] = held_[1];
            held_[1] = v;
            return;
        case Topology::QuadStrip:
            held_[n % 4] = v;
            if (n % 2 != 0 && n >= 3) {
                const auto at = [&](std::uint32_t i) { return held_[i % 4]; };
                quad({v, at(n - 1), at(n - 3), at(n - 2)});
            }
            return;
        case Topology::TriStripAdj:
            held_[n % kMaxObjectVertices] = v;
            // The next object is whole, so that the one before it is not the last.
            if (n % 2 != 0 && n >= 7) adjacent_triangle(held_[(n - 1) % kMaxObjectVertices]);
            return;
        default:
            break;
    }
    // A list.
    held_[n % rules_.step] = v;
    if ((n + 1) % rules_.step != 0) return;
    if (topology_ == Topology::QuadList) {
        quad({held(3), held(0), held(1), held(2)});
    } else if (packets::is_patch(topology_)) {
        Object object;
        object.topology = topology_;
        object.count = rules_.step;
        for (unsigned i = 0; i < rules_.step; ++i)
            object.vertices[i] = held_[i].number;
        object.starts = true;
        object.primitive_id = primitive_++;
        sink_.object(object);
    } else {
        switch (rules_.step) {
            case 1:
                emit({held(0)});
                break;
            case 2:
                emit({held(0), held(1)});
                break;
            case 3:
                emit({held(0), held(1), held(2)});
                break;
            case 4:
                emit({held(0), held(1), held(2), held(3)});
                break;
            default:
                emit({held(0), held(1), held(2), held(3), held(4), held(5)});
                break;
        }
    }
}

void Assembly::finish() {
    const std::uint32_t n = in_strip_;
    if (topology_ == Topology::LineLoop && n >= 2) emit({held(0), first_});
    if (topology_ == Topology::Polygon && n >= 3) {
        fan_triangle(held_[0], held_[1], true);
        ++primitive_;
    }
    if (topology_ == Topology::TriStripAdj && n >= 6)
        adjacent_triangle(held_[(n / 2 * 2 - 1) % kMaxObjectVertices]);
    whole_ += packets::whole_vertices(topology_, n);
    in_strip_ = 0;
    objects_ = 0;
}

}  // namespace gen9::geometry
