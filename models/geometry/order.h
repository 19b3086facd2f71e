// SPDX-License-Identifier: Apache-2.0
/// Order: in which order GS and SOL show an object's vertices (GS-05..07, SOL-08..10).
#pragma once
#include <array>
#include <cstdint>

#include "geometry/assembly.h"

namespace gen9::geometry {

/// ReorderMode of 3DSTATE_GS and 3DSTATE_STREAMOUT: an odd triangle of a strip keeps its
/// orientation by exchanging its last two vertices, or its first two.
enum class ReorderMode : std::uint8_t { Leading = 0, Trailing = 1 };

/// The object's vertices in the order in which a geometry shader sees them, adjacency included.
constexpr std::array<std::uint32_t, kMaxObjectVertices> shown_order(const Object& object,
                                                                    ReorderMode mode) {
    std::array<std::uint32_t, kMaxObjectVertices> order = object.vertices;
    if (!object.odd) return order;
    const auto& v = object.vertices;
    const bool leading = mode == ReorderMode::Leading;
    if (object.count == 3) {
        order[0] = leading ? v[0] : v[1];
        order[1] = leading ? v[2] : v[0];
        order[2] = leading ? v[1] : v[2];
    } else if (object.count == 6) {  // the ring of vertices, walked the other way round
        const unsigned start = leading ? 0 : 2;
        for (unsigned i = 0; i < 6; ++i)
            order[i] = v[(start + 6 - i) % 6];
    }
    return order;
}

/// The vertices without those that only lie beside it: how many there are.
constexpr unsigned without_adjacency(const Object& object,
                                     std::array<std::uint32_t, kMaxObjectVertices>& vertices) {
    if (!packets::rules_of(object.topology).adjacency) return object.count;
    if (object.count == 4) {  // a line
        vertices = {vertices[1], vertices[2]};
        return 2;
    }
    vertices = {vertices[0], vertices[2], vertices[4]};
    return 3;
}

}  // namespace gen9::geometry
