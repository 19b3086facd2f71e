// SPDX-License-Identifier: Apache-2.0
/// Topologies of a draw: how consecutive vertices make objects (3D_Prim_Topo_Type, 004:181-256).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace gen9::packets {

enum class Topology : std::uint8_t {
    PointList = 0x01,
    LineList = 0x02,
    LineStrip = 0x03,
    TriList = 0x04,
    TriStrip = 0x05,
    TriFan = 0x06,
    QuadList = 0x07,
    QuadStrip = 0x08,
    LineListAdj = 0x09,
    LineStripAdj = 0x0A,
    TriListAdj = 0x0B,
    TriStripAdj = 0x0C,
    TriStripReverse = 0x0D,
    Polygon = 0x0E,
    RectList = 0x0F,
    LineLoop = 0x10,
    PointListBf = 0x11,
    LineStripCont = 0x12,
    LineStripBf = 0x13,
    LineStripContBf = 0x14,
    TriFanNoStipple = 0x16,
    PatchList1 = 0x20,  ///< 20h + n - 1: patches of n control points
    PatchList32 = 0x3F,
};

/// The kind of a topology's objects.
enum class ObjectKind : std::uint8_t { Point, Line, Triangle, Rectangle, Patch };

/// A topology's rules (FF-100..102, VF-20).
struct TopologyRules {
    const char* name = nullptr;  ///< null: the code is reserved
    ObjectKind kind = ObjectKind::Point;
    std::uint8_t first = 0;     ///< vertices of the first object
    std::uint8_t step = 0;      ///< vertices of each further one
    std::uint8_t vertices = 0;  ///< that an object refers to
    bool adjacency = false;     ///< some of which only lie beside it
};

namespace detail {
constexpr std::array<TopologyRules, 0x20> kTopologies = [] {
    std::array<TopologyRules, 0x20> rows{};
    const auto row = [&](Topology code, const char* name, ObjectKind kind, unsigned first,
                         unsigned step, unsigned vertices, bool adjacency = false) {
        rows[static_cast<std::size_t>(code)] = {name,
                                                kind,
                                                static_cast<std::uint8_t>(first),
                                                static_cast<std::uint8_t>(step),
                                                static_cast<std::uint8_t>(vertices),
                                                adjacency};
    };
    using enum Topology;
    using enum ObjectKind;
    row(PointList, "POINTLIST", Point, 1, 1, 1);
    row(PointListBf, "POINTLIST_BF", Point, 1, 1, 1);
    row(LineList, "LINELIST", Line, 2, 2, 2);
    row(LineStrip, "LINESTRIP", Line, 2, 1, 2);
    row(LineStripCont, "LINESTRIP_CONT", Line, 2, 1, 2);
    row(LineStripBf, "LINESTRIP_BF", Line, 2, 1, 2);
    row(LineStripContBf, "LINESTRIP_CONT_BF", Line, 2, 1, 2);
    row(LineLoop, "LINELOOP", Line, 2, 1, 2);
    row(LineListAdj, "LINELIST_ADJ", Line, 4, 4, 4, true);
    row(LineStripAdj, "LINESTRIP_ADJ", Line, 4, 1, 4, true);
    row(TriList, "TRILIST", Triangle, 3, 3, 3);
    row(TriStrip, "TRISTRIP", Triangle, 3, 1, 3);
    row(TriStripReverse, "TRISTRIP_REVERSE", Triangle, 3, 1, 3);
    row(TriFan, "TRIFAN", Triangle, 3, 1, 3);
    row(TriFanNoStipple, "TRIFAN_NOSTIPPLE", Triangle, 3, 1, 3);
    row(Polygon, "POLYGON", Triangle, 3, 1, 3);
    row(QuadList, "QUADLIST", Triangle, 4, 4, 3);
    row(QuadStrip, "QUADSTRIP", Triangle, 4, 2, 3);
    row(TriListAdj, "TRILIST_ADJ", Triangle, 6, 6, 6, true);
    row(TriStripAdj, "TRISTRIP_ADJ", Triangle, 6, 2, 6, true);
    row(RectList, "RECTLIST", Rectangle, 3, 3, 3);
    return rows;
}();
}  // namespace detail

/// Is it one of PATCHLIST_1 to PATCHLIST_32?
constexpr bool is_patch(Topology topology) {
    return topology >= Topology::PatchList1;
}
/// Control points of a patch of PATCHLIST_n.
constexpr unsigned patch_vertices(Topology topology) {
    return static_cast<unsigned>(topology) - static_cast<unsigned>(Topology::PatchList1) + 1;
}

/// The rules of a code of 6 bits. The name is null where the code is reserved.
constexpr TopologyRules rules_of(Topology topology) {
    const auto code = static_cast<std::size_t>(topology) & 0x3F;
    if (code < detail::kTopologies.size()) return detail::kTopologies[code];
    const auto n = static_cast<std::uint8_t>(patch_vertices(topology));
    return {"PATCHLIST", ObjectKind::Patch, n, n, n, false};
}

/// The topology of objects without the vertices that only lie beside them (CL-28).
constexpr Topology without_adjacency(Topology topology) {
    switch (topology) {
        case Topology::LineListAdj:
            return Topology::LineList;
        case Topology::LineStripAdj:
            return Topology::LineStrip;
        case Topology::TriListAdj:
            return Topology::TriList;
        case Topology::TriStripAdj:
            return Topology::TriStrip;
        default:
            return topology;
    }
}

/// The provoking vertex selects of a command: an index in the object.
struct ProvokingSelects {
    std::uint8_t triangle = 0, line = 0, fan = 0;
};
/// The index in the object of the vertex whose flat attributes it has (SF-08 to SF-16).
constexpr unsigned provoking_vertex(Topology topology, const ProvokingSelects& selects) {
    const ObjectKind kind = rules_of(topology).kind;
    if (kind == ObjectKind::Line) return selects.line & 1u;
    if (kind != ObjectKind::Triangle || topology == Topology::Polygon) return 0;
    const bool fan = topology == Topology::TriFan || topology == Topology::TriFanNoStipple;
    const unsigned select = fan ? selects.fan : selects.triangle;
    return select < 2 ? select : 2;
}

/// The number of `vertices` in a row that belong to whole objects. The rest dangles (VF-20).
constexpr std::uint32_t whole_vertices(Topology topology, std::uint32_t vertices) {
    const TopologyRules rules = rules_of(topology);
    if (rules.first == 0 || vertices < rules.first) return 0;
    return rules.first + (vertices - rules.first) / rules.step * rules.step;
}

}  // namespace gen9::packets
