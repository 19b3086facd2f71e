// SPDX-License-Identifier: Apache-2.0
// Clipper, set-up and rasteriser as modules, joined: what comes out of the recorded draws.
#include <gtest/gtest.h>

#include "interpolation/barycentric.h"
#include "tests/support/covers.h"
#include "tests/unit/raster/recorded.h"

namespace gen9::test {
namespace {

using packets::Topology;

void give_triangle(Pipe& pipe) {
    pipe.viewport(0, 64, 64, 512);
    PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_triangle()));
    const auto vertex = [&](float x, float y, float s, float t) {
        return pipe.vertex(batch, {x, y, 0, 1}, {bits_of(s), bits_of(t), 7, 7});
    };
    const auto a = vertex(-0.9f, -0.9f, 0, 0), b = vertex(0.9f, -0.9f, 1, 0),
               c = vertex(0, 0.9f, 0.5f, 1);
    pipe.object(batch, Topology::TriList, {a, b, c});
}

/// First and last lit pixel of a row: "3..60", "none" or "gaps".
std::string row(const Pipe& pipe, int y, int width = 64) {
    int first = -1, last = -1, count = 0;
    for (int x = 0; x < width; ++x)
        if (pipe.lit(x, y)) first = first < 0 ? x : first, last = x, ++count;
    if (first < 0) return "none";
    if (count != last - first + 1) return "gaps";
    return std::to_string(first) + ".." + std::to_string(last);
}

float value(const AttributeDeltas& deltas, unsigned c, float b1, float b2) {
    const auto part = [&](unsigned k) { return std::bit_cast<float>(deltas[4 * c + k]); };
    return part(0) * b1 + part(1) * b2 + part(3);
}

TEST(DrawPipe, ATriangleOfIris) {
    GEN9_COVERS("CL-08");
    BothModes both;
    both.give(give_triangle);
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        ASSERT_EQ(pipe->objects.size(), 1u);
        const SetUpObject& object = pipe->objects.at(0);
        EXPECT_EQ(object.vertices,
                  (std::array<ScreenPoint, 3>{ScreenPoint{819, 819}, {15565, 819}, {8192, 15565}}));
        EXPECT_FALSE(object.back_facing);
        EXPECT_EQ(object.topology, 4);
        EXPECT_EQ(pipe->pixels(), 1682u);
        const std::pair<int, const char*> rows[] = {{2, "none"},    {3, "3..60"},   {4, "4..59"},
                                                    {30, "17..46"}, {31, "17..46"}, {59, "31..32"},
                                                    {60, "none"}};
        for (const auto& [y, text] : rows)
            EXPECT_EQ(row(*pipe, y), text) << y;
        unsigned subspans = 0;
        for (const SeenBlock& seen : pipe->blocks())
            for (unsigned g = 0; g < 8; ++g)
                subspans += subspan(seen.block.lit, g) != 0;
        EXPECT_EQ(subspans, 450u);
        const auto places = interpolation::block_places(32, 20, {8, 8});
        const auto weights = interpolation::weights_at(object.interpolation, places);
        interpolation::Barycentrics b;
        interpolation::perspective(object.interpolation, weights, b);
        EXPECT_NEAR(b.b1[0], 0.358504, 1e-6);
        EXPECT_NEAR(b.b2[0], 0.300353, 1e-6);
        ASSERT_EQ(object.attribute_count, 1);
        EXPECT_NEAR(value(object.attributes[0], 0, b.b1[0], b.b2[0]), 0.508680, 1e-6);
        EXPECT_NEAR(value(object.attributes[0], 1, b.b1[0], b.b2[0]), 0.300353, 1e-6);
        EXPECT_EQ(pipe->counts[0].cl_invocations, 1u);
        EXPECT_EQ(pipe->counts[0].cl_primitives, 1u);
        EXPECT_TRUE(pipe->env.log.empty());
    }
    EXPECT_EQ(both.functional.blocks(), both.timed.blocks());
}

void give_clear(Pipe& pipe) {
    PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_clear()));
    const auto vertex = [&](float x, float y) {
        return pipe.vertex(batch, {x, y, 0, 1}, {0x3F000000, 0x3F000001, 0x3F000002, 0x3F000003});
    };
    const auto a = vertex(64, 64), b = vertex(0, 64), c = vertex(0, 0);
    pipe.object(batch, Topology::RectList, {a, b, c});
}

TEST(DrawPipe, AClearOfIris) {
    GEN9_COVERS("SF-57");
    BothModes both;
    both.give(give_clear);
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        ASSERT_EQ(pipe->objects.size(), 1u);
        const SetUpObject& object = pipe->objects.at(0);
        EXPECT_EQ(object.topology, 0x0F);
        const AttributeDeltas& deltas = object.attributes[0];
        EXPECT_EQ(deltas[3], 0x3F000000u);   // r2.3
        EXPECT_EQ(deltas[7], 0x3F000001u);   // r2.7
        EXPECT_EQ(deltas[11], 0x3F000002u);  // r3.3
        EXPECT_EQ(deltas[15], 0x3F000003u);  // r3.7
        EXPECT_EQ(deltas[0] | deltas[1], 0u);
        EXPECT_EQ(pipe->pixels(), 64u * 64);
        EXPECT_EQ(pipe->blocks().size(), 128u);
        for (const SeenBlock& seen : pipe->blocks())
            EXPECT_TRUE(seen.block.full);
        // The clipper is disabled: it counts nothing.
        EXPECT_EQ(pipe->counts[0].cl_invocations, 0u);
    }
}

}  // namespace
}  // namespace gen9::test
