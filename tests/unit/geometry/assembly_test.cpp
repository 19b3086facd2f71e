// SPDX-License-Identifier: Apache-2.0
#include "geometry/assembly.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/order.h"
#include "tests/support/covers.h"

namespace gen9::geometry::test {
namespace {

using Vertices = std::vector<std::uint32_t>;

struct Collect : ObjectSink {
    std::vector<Object> objects;
    void object(const Object& object) override { objects.push_back(object); }
};

/// A draw of vertices 0, 1, ... in strips of the given lengths.
struct Draw {
    Collect out;
    Assembly assembly;
    Draw(Topology topology, const std::vector<unsigned>& strips,
         const std::vector<bool>& edges = {})
        : assembly(topology, out) {
        std::uint32_t number = 0;
        for (const unsigned length : strips) {
            for (unsigned i = 0; i < length; ++i, ++number)
                assembly.vertex({number, number >= edges.size() || edges[number]});
            assembly.cut();
        }
        assembly.end();
    }
    Vertices vertices(std::size_t i, ReorderMode mode = ReorderMode::Leading) const {
        const auto order = shown_order(out.objects[i], mode);
        return {order.begin(), order.begin() + out.objects[i].count};
    }
};

/// The objects of N vertices by the formulas of the tables of GS and VF, in the order of TRAILING.
std::vector<Vertices> by_formula(Topology topology, std::uint32_t n) {
    std::vector<Vertices> all;
    using enum Topology;
    switch (topology) {
        case PointList:
        case PointListBf:
            for (std::uint32_t k = 0; k < n; ++k)
                all.push_back({k});
            break;
        case LineList:
            for (std::uint32_t k = 0; 2 * k + 1 < n; ++k)
                all.push_back({2 * k, 2 * k + 1});
            break;
        case LineLoop:
        case LineStrip:
        case LineStripBf:
        case LineStripCont:
        case LineStripContBf:
            for (std::uint32_t k = 0; k + 1 < n; ++k)
                all.push_back({k, k + 1});
            if (topology == LineLoop && n >= 2) all.push_back({n - 1, 0});
            break;
        case LineListAdj:
            for (std::uint32_t k = 0; 4 * k + 3 < n; ++k)
                all.push_back({4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3});
            break;
        case LineStripAdj:
            for (std::uint32_t k = 0; k + 3 < n; ++k)
                all.push_back({k, k + 1, k + 2, k + 3});
            break;
        case TriList:
        case RectList:
            for (std::uint32_t k = 0; 3 * k + 2 < n; ++k)
                all.push_back({3 * k, 3 * k + 1, 3 * k + 2});
            break;
        case TriStrip:
        case TriStripReverse:
            for (std::uint32_t k = 0; k + 2 < n; ++k) {
                if ((k % 2 == 1) == (topology == TriStrip))
                    all.push_back({k + 1, k, k + 2});
                else
                    all.push_back({k, k + 1, k + 2});
            }
            break;
        case TriFan:
        case TriFanNoStipple:
        case Polygon:
            for (std::uint32_t k = 0; k + 2 < n; ++k)
                all.push_back({0, k + 1, k + 2});
            break;
        case QuadList:
            for (std::uint32_t k = 0; 4 * k + 3 < n; ++k) {
                all.push_back({4 * k + 3, 4 * k, 4 * k + 1});
                all.push_back({4 * k + 3, 4 * k + 1, 4 * k + 2});
            }
            break;
        case QuadStrip:
            for (std::uint32_t k = 0; 2 * k + 3 < n; ++k) {
                all.push_back({2 * k + 3, 2 * k + 2, 2 * k});
                all.push_back({2 * k + 3, 2 * k, 2 * k + 1});
            }
            break;
        case TriListAdj:
            for (std::uint32_t k = 0; 6 * k + 5 < n; ++k)
                all.push_back({6 * k, 6 * k + 1, 6 * k + 2, 6 * k + 3, 6 * k + 4, 6 * k + 5});
            break;
        case TriStripAdj: {
            const std::uint32_t m = n / 2 * 2;
            for (std::uint32_t k = 0; m >= 6 && k <= m / 2 - 3; ++k) {
                const std::uint32_t next = k == m / 2 - 3 ? m - 1 : 2 * k + 6;
                const std::uint32_t before = k == 0 ? 1 : 2 * k - 2;
                if (k % 2 == 0)
                    all.push_back({2 * k, before, 2 * k + 2, next, 2 * k + 4, 2 * k + 3});
                else
                    all.push_back({2 * k + 2, before, 2 * k, 2 * k + 3, 2 * k + 4, next});
            }
            break;
        }
        default: {
            const unsigned size = packets::patch_vertices(topology);
            for (std::uint32_t k = 0; k + size <= n; k += size) {
                Vertices patch(size);
                for (unsigned i = 0; i < size; ++i)
                    patch[i] = k + i;
                all.push_back(patch);
            }
        }
    }
    return all;
}

std::vector<Topology> all_topologies() {
    std::vector<Topology> all;
    for (unsigned code = 0; code < 0x40; ++code)
        if (packets::rules_of(Topology(code)).name) all.push_back(Topology(code));
    return all;
}

TEST(Assembly, ObjectsAreThoseOfTheTables) {
    GEN9_COVERS(
        "FF-100 FF-102 FF-117 VF-05 VF-19 VF-20 GS-03 GS-04 GS-05 GS-06 GS-07 FF-103 "
        "FF-106 GS-02 SF-08 SF-09 SF-10 SF-11 SF-13 SF-14");
    std::mt19937 random(5);
    ASSERT_EQ(all_topologies().size(), 21u + 32u);
    for (const Topology topology : all_topologies()) {
        for (unsigned round = 0; round < 30; ++round) {
            std::vector<unsigned> strips(1 + random() % 4);
            for (unsigned& length : strips)
                length = random() % (packets::is_patch(topology) ? 100 : 24);
            const Draw draw(topology, strips);
            std::vector<Vertices> expected;
            std::uint32_t base = 0, used = 0;
            for (const unsigned length : strips) {
                Vertices seen;
                for (Vertices object : by_formula(topology, length)) {
                    for (std::uint32_t& v : object)
                        seen.push_back(v += base);
                    expected.push_back(object);
                }
                // Whole vertices are those up to the last that an object refers to, but a strip
                // with adjacency has one more at its end only in pairs.
                if (!seen.empty()) used += *std::max_element(seen.begin(), seen.end()) + 1 - base;
                base += length;
            }
            ASSERT_EQ(draw.out.objects.size(), expected.size()) << packets::rules_of(topology).name;
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_EQ(draw.vertices(i, ReorderMode::Trailing), expected[i])
                    << packets::rules_of(topology).name << " object " << i;
            EXPECT_EQ(draw.assembly.vertices(), used) << packets::rules_of(topology).name;
        }
    }
}

TEST(Assembly, GoldenOrdersOfStrips) {
    GEN9_COVERS("GS-05 GS-06 GS-07 SOL-09 SOL-10");
    const auto both = [](Topology topology, unsigned n, std::size_t i) {
        const Draw draw(topology, {n});
        return std::pair(draw.vertices(i, ReorderMode::Leading),
                         draw.vertices(i, ReorderMode::Trailing));
    };
    using Pair = std::pair<Vertices, Vertices>;
    EXPECT_EQ(both(Topology::TriStrip, 4, 1), Pair({1, 3, 2}, {2, 1, 3}));
    EXPECT_EQ(both(Topology::TriStripReverse, 3, 0), Pair({0, 2, 1}, {1, 0, 2}));
    EXPECT_EQ(both(Topology::TriStripAdj, 6, 0), Pair({0, 1, 2, 5, 4, 3}, {0, 1, 2, 5, 4, 3}));
    EXPECT_EQ(both(Topology::TriStripAdj, 8, 1), Pair({2, 5, 6, 7, 4, 0}, {4, 0, 2, 5, 6, 7}));
    EXPECT_EQ(both(Topology::TriStripAdj, 10, 1), Pair({2, 5, 6, 8, 4, 0}, {4, 0, 2, 5, 6, 8}));
    EXPECT_EQ(both(Topology::TriStripAdj, 10, 2), Pair({4, 2, 6, 9, 8, 7}, {4, 2, 6, 9, 8, 7}));
}

TEST(Assembly, AdjacencyIsLeftOut) {
    GEN9_COVERS("SOL-08 SOL-10 GS-10");
    const auto bare = [](Topology topology, unsigned n, std::size_t i, ReorderMode mode) {
        const Draw draw(topology, {n});
        auto order = shown_order(draw.out.objects[i], mode);
        const unsigned count = without_adjacency(draw.out.objects[i], order);
        return Vertices(order.begin(), order.begin() + count);
    };
    EXPECT_EQ(bare(Topology::LineListAdj, 8, 1, ReorderMode::Leading), Vertices({5, 6}));
    EXPECT_EQ(bare(Topology::LineStripAdj, 6, 2, ReorderMode::Leading), Vertices({3, 4}));
    EXPECT_EQ(bare(Topology::TriListAdj, 12, 1, ReorderMode::Leading), Vertices({6, 8, 10}));
    EXPECT_EQ(bare(Topology::TriStripAdj, 8, 1, ReorderMode::Leading), Vertices({2, 6, 4}));
    EXPECT_EQ(bare(Topology::TriStripAdj, 8, 1, ReorderMode::Trailing), Vertices({4, 2, 6}));
    EXPECT_EQ(bare(Topology::TriStrip, 3, 0, ReorderMode::Trailing), Vertices({0, 1, 2}));
}

TEST(Assembly, CountsOfPrimitivesAndVertices) {
    GEN9_COVERS("VF-20 VF-24 VF-25");
    const auto counts = [](Topology topology, std::vector<unsigned> strips) {
        const Draw draw(topology, strips);
        return std::pair<std::uint64_t, std::uint32_t>(draw.assembly.vertices(),
                                                       draw.assembly.primitives());
    };
    using Counts = std::pair<std::uint64_t, std::uint32_t>;
    EXPECT_EQ(counts(Topology::TriList, {5}), Counts(3, 1));
    EXPECT_EQ(counts(Topology::TriStrip, {2}), Counts(0, 0));
    EXPECT_EQ(counts(Topology::TriListAdj, {6}), Counts(6, 1));
    EXPECT_EQ(counts(Topology::LineLoop, {4}), Counts(4, 4));
    EXPECT_EQ(counts(Topology::QuadList, {4}), Counts(4, 1));
    EXPECT_EQ(counts(Topology::QuadStrip, {7}), Counts(6, 2));
    EXPECT_EQ(counts(Topology::TriStripAdj, {9}), Counts(8, 2));
    EXPECT_EQ(counts(Topology::Polygon, {5, 2, 3}), Counts(8, 2));
    EXPECT_EQ(counts(Topology::PointList, {3, 0, 2}), Counts(5, 5));
}

TEST(Assembly, AQuadIsOnePrimitiveOfTwoTriangles) {
    GEN9_COVERS("VF-19 GS-09 CL-36");
    const Draw draw(Topology::QuadList, {8});
    ASSERT_EQ(draw.out.objects.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(draw.out.objects[i].primitive_id, i / 2);
        EXPECT_EQ(draw.out.objects[i].continues, i % 2 == 1);
        EXPECT_EQ(draw.out.objects[i].topology, Topology::Polygon);
        EXPECT_FALSE(draw.out.objects[i].odd);
    }
    // No quads and no loops come out.
    for (const Object& object : Draw(Topology::QuadStrip, {6}).out.objects)
        EXPECT_EQ(object.topology, Topology::Polygon);
    for (const Object& object : Draw(Topology::LineLoop, {3}).out.objects)
        EXPECT_EQ(object.topology, Topology::LineStrip);
}

TEST(Assembly, OnlyTrianglesOfStripsTurn) {
    GEN9_COVERS("SF-11 SF-13 FF-103");
    for (const Topology topology :
         {Topology::TriList, Topology::TriFan, Topology::TriFanNoStipple, Topology::Polygon})
        for (const Object& object : Draw(topology, {9}).out.objects)
            EXPECT_FALSE(object.odd) << packets::rules_of(topology).name;
    for (const bool reverse : {false, true}) {
        const Draw draw(reverse ? Topology::TriStripReverse : Topology::TriStrip, {9});
        for (std::size_t i = 0; i < 7; ++i)
            EXPECT_EQ(draw.out.objects[i].odd, (i % 2 == 1) != reverse) << i;
    }
}

// 004:183-256.
TEST(Assembly, TopologiesHaveTheseCodes) {
    GEN9_COVERS("CL-35");
    const char* const names[] = {nullptr,          "POINTLIST",        "LINELIST",
                                 "LINESTRIP",      "TRILIST",          "TRISTRIP",
                                 "TRIFAN",         "QUADLIST",         "QUADSTRIP",
                                 "LINELIST_ADJ",   "LINESTRIP_ADJ",    "TRILIST_ADJ",
                                 "TRISTRIP_ADJ",   "TRISTRIP_REVERSE", "POLYGON",
                                 "RECTLIST",       "LINELOOP",         "POINTLIST_BF",
                                 "LINESTRIP_CONT", "LINESTRIP_BF",     "LINESTRIP_CONT_BF",
                                 nullptr,          "TRIFAN_NOSTIPPLE"};
    for (unsigned code = 0; code < 0x20; ++code) {
        const char* const name = packets::rules_of(Topology(code)).name;
        const char* const expected = code < std::size(names) ? names[code] : nullptr;
        EXPECT_EQ(name ? std::string(name) : "", expected ? std::string(expected) : "") << code;
    }
    for (unsigned n = 1; n <= 32; ++n) {
        const auto patch = Topology(0x1F + n);
        EXPECT_TRUE(packets::is_patch(patch));
        EXPECT_EQ(packets::patch_vertices(patch), n);
    }
}

TEST(Assembly, PrimitiveIdsRunOnOverCuts) {
    GEN9_COVERS("VF-16 VF-17");
    const Draw draw(Topology::TriStrip, {4, 2, 3});
    ASSERT_EQ(draw.out.objects.size(), 3u);
    for (std::uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(draw.out.objects[i].primitive_id, i);
    EXPECT_FALSE(draw.out.objects[2].odd) << "a cut begins a strip anew";
}

// The first line of a strip begins the stipple pattern; a list's lines all do.
TEST(Assembly, WhereAStripStarts) {
    GEN9_COVERS("FF-105 SF-09 SF-10");
    const auto starts = [](Topology topology, std::vector<unsigned> strips) {
        std::vector<bool> all;
        for (const Object& object : Draw(topology, strips).out.objects)
            all.push_back(object.starts);
        return all;
    };
    using Flags = std::vector<bool>;
    EXPECT_EQ(starts(Topology::LineStrip, {3, 3}), Flags({true, false, true, false}));
    EXPECT_EQ(starts(Topology::LineStripCont, {3}), Flags({false, false}));
    EXPECT_EQ(starts(Topology::LineLoop, {3}), Flags({true, false, false}));
    EXPECT_EQ(starts(Topology::LineList, {4}), Flags({true, true}));
}

TEST(Assembly, EdgesInsideAFanAreNotShown) {
    const auto edges = [](Topology topology, unsigned n, std::vector<bool> flags = {}) {
        std::vector<unsigned> all;
        for (const Object& object : Draw(topology, {n}, flags).out.objects)
            all.push_back(object.edges);
        return all;
    };
    using Edges = std::vector<unsigned>;
    EXPECT_EQ(edges(Topology::Polygon, 3), Edges({7}));
    EXPECT_EQ(edges(Topology::Polygon, 5), Edges({3, 2, 6}));
    EXPECT_EQ(edges(Topology::Polygon, 5, {false, true, false, true, false}), Edges({2, 0, 2}));
    EXPECT_EQ(edges(Topology::QuadList, 4), Edges({3, 6}));
    // The quad 3 0 1 2: flags of 3 and 0 are of its first triangle, of 1 and 2 of the second.
    EXPECT_EQ(edges(Topology::QuadList, 4, {true, false, true, false}), Edges({2, 4}));
    EXPECT_EQ(edges(Topology::TriList, 3, {true, false, true}), Edges({5}));
    EXPECT_EQ(edges(Topology::TriStrip, 3, {true, false, true}), Edges({7}))
        << "flags are of lists and polygons";
}

}  // namespace
}  // namespace gen9::geometry::test
