// SPDX-License-Identifier: Apache-2.0
#include "geometry/geometry_output.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::geometry::test::outputs {
namespace {

/// Objects as text: "0-1-2" each, "odd" and the stream where it is not the first.
struct Text : ObjectSink {
    std::string all;
    void object(const Object& object) override {
        if (!all.empty()) all += ' ';
        for (unsigned i = 0; i < object.count; ++i)
            all += (i ? "-" : "") + std::to_string(object.vertices[i]);
        if (object.odd) all += "odd";
        if (object.stream) all += "@" + std::to_string(object.stream);
    }
};
GeometryShaderState of(Topology output, unsigned control_rows) {
    GeometryShaderState shader;
    shader.output = output;
    shader.control_rows = control_rows;
    shader.vertex_bytes = 32;
    return shader;
}
/// The rows before the vertices: their number, and control bits.
std::vector<std::uint32_t> rows(unsigned count, const std::vector<std::uint32_t>& bits = {}) {
    std::vector<std::uint32_t> dwords(8 + (bits.empty() ? 0 : 8));
    dwords[0] = count;
    std::ranges::copy(bits, dwords.begin() + 8);
    return dwords;
}

TEST(GeometryOutput, CutsEndStrips) {
    GEN9_COVERS("GS-13 GS-20");
    // Guide test 26: lines 0-1 and 2-3.
    Text lines;
    EXPECT_EQ(assemble_output(of(Topology::LineStrip, 1), rows(4, {2}), 4, lines), 2u);
    EXPECT_EQ(lines.all, "0-1 2-3");
    // Bits behind the vertices are old ones; what is left of a strip is no primitive.
    Text triangles;
    EXPECT_EQ(assemble_output(of(Topology::TriStrip, 1), rows(9, {0xFFFFFE48}), 9, triangles), 3u);
    EXPECT_EQ(triangles.all, "0-1-2 1-2-3odd 4-5-6");
    // The bit of vertex 33 lies in the second DWord.
    Text late;
    assemble_output(of(Topology::LineStrip, 1), rows(35, {0xFFFFFFFF, 2}), 35, late);
    EXPECT_EQ(late.all, "32-33");
}

TEST(GeometryOutput, NoBitsCutNothing) {
    Text strip;
    EXPECT_EQ(assemble_output(of(Topology::TriStrip, 0), rows(5), 5, strip), 3u);
    EXPECT_EQ(strip.all, "0-1-2 1-2-3odd 2-3-4");
    Text none;
    EXPECT_EQ(assemble_output(of(Topology::TriStrip, 0), rows(0), 0, none), 0u);
    EXPECT_EQ(none.all, "");
}

TEST(GeometryOutput, AVertexHasTheStreamThatItsBitsSay) {
    GEN9_COVERS("GS-16");
    GeometryShaderState shader = of(Topology::PointList, 1);
    shader.stream_bits = true;
    shader.stream = 3;  // not of these
    Text points;
    EXPECT_EQ(assemble_output(shader, rows(5, {0b10'00'01'11'00}), 5, points), 5u);
    EXPECT_EQ(points.all, "0 1@3 2@1 3 4@2");
    // Without bits, or with those of cuts, it is that of the state.
    shader.control_rows = 0;
    Text plain;
    assemble_output(shader, rows(2), 2, plain);
    EXPECT_EQ(plain.all, "0@3 1@3");
    GeometryShaderState cuts = of(Topology::LineStrip, 1);
    cuts.stream = 2;
    Text lines;
    assemble_output(cuts, rows(4, {2}), 4, lines);
    EXPECT_EQ(lines.all, "0-1@2 2-3@2");
}

TEST(GeometryOutput, TheCountIsOfTheEntryOrTheState) {
    GEN9_COVERS("GS-11 GS-12");
    GeometryShaderState shader = of(Topology::PointList, 1);
    EXPECT_EQ(rows_before_vertices(shader), 2u);
    EXPECT_EQ(output_count(shader, rows(0xABCD0003, {0}), 10).vertices, 3u);
    EXPECT_FALSE(output_count(shader, rows(8, {0}), 10).too_many);
    const OutputCount more = output_count(shader, rows(9, {0}), 10);
    EXPECT_TRUE(more.too_many);
    EXPECT_EQ(more.vertices, 8u);
    EXPECT_EQ(output_count(shader, rows(0xFFFF, {0}), 2000).vertices, 1024u);
    shader.static_count = true;
    shader.vertex_count = 5;
    EXPECT_EQ(rows_before_vertices(shader), 1u);
    EXPECT_EQ(output_count(shader, rows(77), 10).vertices, 5u);
}

TEST(GeometryOutput, WhatNoThreadMayMakeIsNamed) {
    GEN9_COVERS("GS-15");
    for (const Topology topology :
         {Topology::TriListAdj, Topology::TriStripAdj, Topology::LineListAdj,
          Topology::LineStripAdj, Topology::LineLoop, Topology::QuadList, Topology::QuadStrip,
          static_cast<Topology>(0), static_cast<Topology>(0x1A)})
        EXPECT_NE(output_problem(of(topology, 0), 4), "") << static_cast<unsigned>(topology);
    for (const Topology topology :
         {Topology::PointList, Topology::LineList, Topology::TriFan, Topology::Polygon,
          Topology::RectList, Topology::TriStripReverse, Topology::PatchList32})
        EXPECT_EQ(output_problem(of(topology, 3), 4), "") << static_cast<unsigned>(topology);
    EXPECT_NE(output_problem(of(Topology::PointList, 4), 4), "");
}

}  // namespace
}  // namespace gen9::geometry::test::outputs
