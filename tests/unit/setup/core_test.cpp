// SPDX-License-Identifier: Apache-2.0
#include "setup/core.h"

#include <gtest/gtest.h>

#include <cmath>

#include "setup/depth.h"
#include "setup/shape.h"
#include "tests/support/covers.h"
#include "tests/unit/setup/scene.h"

namespace gen9::setup {
namespace {
using namespace test;
using packets::Topology;

/// Clockwise on the screen.
Object triangle() {
    return object_of(Topology::TriList, {pixel(10, 10), pixel(30, 10), pixel(10, 50)});
}
Object turned() {
    return object_of(Topology::TriList, {pixel(10, 10), pixel(10, 50), pixel(30, 10)});
}
Result outcome(const Draw& draw, const Object& object) {
    Objects out;
    return set_up(draw, object, out);
}

TEST(SetUp, WhatIsNotANumberIsDiscarded) {
    GEN9_COVERS("SF-17");
    Draw draw = pixel_draw();
    for (float Position::*part : {&Position::x, &Position::y, &Position::z, &Position::w})
        for (unsigned v = 0; v < 3; ++v) {
            Object object = triangle();
            object.vertices[v].position.*part = kNan;
            EXPECT_EQ(outcome(draw, object).discard, Discard::NotANumber);
            object.vertices[v].position.*part = part == &Position::x ? 60 : kInfinity;
            if (v == 1) {
                EXPECT_EQ(outcome(draw, object).count, 1);
            }
        }
    // The transform may make one: infinity times zero.
    draw.state.viewport_transform = true;
    draw.viewports[0] = {.m00 = 0, .max_x = 99, .max_y = 99};
    Object object = triangle();
    object.vertices[0].position.x = kInfinity;
    EXPECT_EQ(outcome(draw, object).discard, Discard::NotANumber);
    // What a line does not have does not count.
    Object line = object_of(Topology::LineList, {pixel(1, 1), pixel(5, 5), pixel(kNan, 0)});
    EXPECT_EQ(outcome(pixel_draw(), line).count, 1);
}

TEST(SetUp, TheViewportIsTheObjects) {
    Draw draw = pixel_draw();
    draw.state.viewport_transform = draw.state.scissor = true;
    draw.viewports[3] = {.m30 = 100, .max_x = 200, .max_y = 200};
    draw.scissors[3] = {0, 20, 300, 300};
    Object object = triangle();
    object.viewport = 3;
    object.render_target_index = 9;
    object.primitive_id = 5;
    const SetUpObject got = made(draw, object);
    EXPECT_EQ(got.vertices[0].x, 110 * 256);
    EXPECT_EQ(got.bounds.min_y, 20);
    EXPECT_EQ(got.viewport, 3);
    EXPECT_EQ(got.render_target_index, 9);
    EXPECT_EQ(got.primitive_id, 5u);
}

TEST(SetUp, DegenerateObjectsAreDiscarded) {
    GEN9_COVERS("SF-27");
    Draw draw = pixel_draw();
    const auto discarded = [&](const Object& object) {
        return outcome(draw, object).discard == Discard::Degenerate;
    };
    // They coincide on the grid, not before.
    const float little = 1.0f / 1024;
    EXPECT_TRUE(discarded(object_of(Topology::LineList, {pixel(5, 5), pixel(5 + little, 5)})));
    const Object flat =
        object_of(Topology::TriList, {pixel(0, 0), pixel(8, 8), pixel(24, 24 + little)});
    EXPECT_TRUE(discarded(flat));
    EXPECT_TRUE(discarded(object_of(Topology::RectList, {pixel(9, 9), pixel(9, 9), pixel(9, 2)})));
    draw.state.point_width = 0;
    EXPECT_TRUE(discarded(object_of(Topology::PointList, {pixel(5, 5)})));
    draw.state.point_width = 8;
    EXPECT_FALSE(discarded(object_of(Topology::PointList, {pixel(5, 5)})));
    // A triangle only if it is filled.
    draw.state.back_fill = FillMode::Wireframe;
    EXPECT_EQ(outcome(draw, flat).count, 3);
    draw.state.back_fill = FillMode::Solid;
    draw.state.front_fill = FillMode::Wireframe;
    EXPECT_TRUE(discarded(flat));
}

TEST(SetUp, Facing) {
    GEN9_COVERS("SF-28 FF-103");
    Draw draw = pixel_draw();
    for (const bool counter : {false, true})
        for (const bool inverted : {false, true}) {
            draw.state.front_counter_clockwise = counter;
            Object object = triangle();
            object.inverted = inverted;
            EXPECT_EQ(made(draw, object).back_facing, counter != inverted);
            object = turned();
            object.inverted = inverted;
            EXPECT_EQ(made(draw, object).back_facing, counter == inverted);
        }
    EXPECT_EQ(doubled_area({ScreenPoint{0, 0}, {256, 0}, {0, 512}}), 256 * 512);
    EXPECT_TRUE(back_facing(0, false, false));
    EXPECT_TRUE(back_facing(0, true, true));
}

TEST(SetUp, CullingIsForTrianglesOnly) {
    GEN9_COVERS("SF-29");
    Draw draw = pixel_draw();
    const auto drawn = [&](CullMode cull) {
        draw.state.cull = cull;
        return std::pair(outcome(draw, triangle()).count, outcome(draw, turned()).count);
    };
    EXPECT_EQ(drawn(CullMode::None), std::pair(std::uint8_t{1}, std::uint8_t{1}));
    EXPECT_EQ(drawn(CullMode::Front), std::pair(std::uint8_t{0}, std::uint8_t{1}));
    EXPECT_EQ(drawn(CullMode::Back), std::pair(std::uint8_t{1}, std::uint8_t{0}));
    EXPECT_EQ(drawn(CullMode::Both), std::pair(std::uint8_t{0}, std::uint8_t{0}));
    EXPECT_EQ(outcome(draw, triangle()).discard, Discard::Culled);
    EXPECT_EQ(outcome(draw, object_of(Topology::PointListBf, {pixel(5, 5)})).count, 1);
    EXPECT_EQ(outcome(draw, object_of(Topology::LineStripBf, {pixel(5, 5), pixel(9, 5)})).count, 1);
    const Object rectangle = object_of(Topology::RectList, {pixel(9, 9), pixel(2, 9), pixel(2, 2)});
    EXPECT_EQ(outcome(draw, rectangle).count, 1);
}

TEST(SetUp, OnlyTopologiesOfTheBackFaceAway) {
    GEN9_COVERS("SF-08 SF-10");
    Draw draw = pixel_draw();
    draw.state.front_counter_clockwise = true;
    const auto away = [&](Topology topology) {
        return made(draw, object_of(topology, {pixel(5, 5), pixel(9, 5)})).back_facing;
    };
    EXPECT_FALSE(away(Topology::PointList));
    EXPECT_TRUE(away(Topology::PointListBf));
    EXPECT_FALSE(away(Topology::LineStrip));
    EXPECT_FALSE(away(Topology::LineStripCont));
    EXPECT_TRUE(away(Topology::LineStripBf));
    EXPECT_TRUE(away(Topology::LineStripContBf));
    EXPECT_FALSE(made(draw, object_of(Topology::RectList, {pixel(9, 9), pixel(2, 9), pixel(2, 2)}))
                     .back_facing);
}

TEST(SetUp, ProvokingVertices) {
    GEN9_COVERS("SF-16 FF-106 SF-08 SF-14");
    const ProvokingSelects selects{.triangle = 2, .line = 1, .fan = 1};
    EXPECT_EQ(provoking_vertex(Topology::TriList, selects), 2u);
    EXPECT_EQ(provoking_vertex(Topology::TriStrip, selects), 2u);
    EXPECT_EQ(provoking_vertex(Topology::TriStripReverse, selects), 2u);
    EXPECT_EQ(provoking_vertex(Topology::TriFan, selects), 1u);
    EXPECT_EQ(provoking_vertex(Topology::TriFanNoStipple, selects), 1u);
    EXPECT_EQ(provoking_vertex(Topology::Polygon, selects), 0u);
    EXPECT_EQ(provoking_vertex(Topology::RectList, selects), 0u);
    EXPECT_EQ(provoking_vertex(Topology::PointList, selects), 0u);
    EXPECT_EQ(provoking_vertex(Topology::LineList, selects), 1u);
    EXPECT_EQ(provoking_vertex(Topology::LineStripContBf, selects), 1u);
    // The flat attributes of an object are of that vertex.
    Draw draw = pixel_draw();
    draw.state.provoking = selects;
    draw.attributes.count = draw.attributes.read_length = 1;
    draw.attributes.constant_interpolation = 1;
    std::array<std::array<std::uint32_t, 8>, 3> entries{};
    Object object = triangle();
    for (unsigned v = 0; v < 3; ++v) {
        entries[v][0] = 100 + v;
        object.entries[v] = entries[v];
    }
    EXPECT_EQ(made(draw, object).attributes[0][3], 102u);
    object.topology = Topology::Polygon;
    EXPECT_EQ(made(draw, object).attributes[0][3], 100u);
    object.topology = Topology::LineList;
    EXPECT_EQ(made(draw, object).attributes[0][3], 101u);
}

TEST(SetUp, ObjectsAreOfFourTypes) {
    GEN9_COVERS("SF-06");
    const auto type = [](Topology topology) {
        const SetUpObject got =
            made(pixel_draw(), object_of(topology, {pixel(20, 20), pixel(4, 20), pixel(4, 4)}));
        return std::pair(got.type, unsigned{got.vertex_count});
    };
    for (const Topology topology : {Topology::PointList, Topology::PointListBf})
        EXPECT_EQ(type(topology), std::pair(ObjectType::Point, 1u));
    for (const Topology topology :
         {Topology::LineList, Topology::LineStrip, Topology::LineStripCont, Topology::LineStripBf})
        EXPECT_EQ(type(topology), std::pair(ObjectType::Line, 2u));
    for (const Topology topology :
         {Topology::TriList, Topology::TriStrip, Topology::TriStripReverse, Topology::TriFan,
          Topology::TriFanNoStipple, Topology::Polygon})
        EXPECT_EQ(type(topology), std::pair(ObjectType::Triangle, 3u));
    EXPECT_EQ(type(Topology::RectList), std::pair(ObjectType::Rectangle, 3u));
}

TEST(SetUp, AnObjectHasUpTo32Attributes) {
    GEN9_COVERS("SF-49");
    Draw draw = pixel_draw();
    draw.attributes.count = 32;
    draw.attributes.constant_interpolation = ~0u;
    std::array<std::uint32_t, 128> entry{};
    for (std::uint32_t slot = 0; slot < 32; ++slot)
        entry[4 * slot] = 100 + slot;
    Object object = triangle();
    for (unsigned v = 0; v < 3; ++v)
        object.entries[v] = entry;
    // As many slots as the read length has, two for each 256 bits.
    for (const std::uint8_t length : {std::uint8_t{16}, std::uint8_t{5}}) {
        draw.attributes.read_length = length;
        const SetUpObject got = made(draw, object);
        ASSERT_EQ(got.attribute_count, 32);
        for (std::uint32_t slot = 0; slot < 32; ++slot)
            EXPECT_EQ(got.attributes[slot][3], slot < 2u * length ? 100 + slot : 0u) << slot;
    }
}

TEST(SetUp, PolygonStippleByTopology) {
    GEN9_COVERS("SF-11 SF-13");
    Draw draw = pixel_draw();
    draw.state.polygon_stipple = true;
    Object object = triangle();
    EXPECT_TRUE(made(draw, object).polygon_stipple);
    object.topology = Topology::TriFanNoStipple;
    EXPECT_FALSE(made(draw, object).polygon_stipple);
    object.topology = Topology::LineList;
    EXPECT_FALSE(made(draw, object).polygon_stipple);
    draw.state.polygon_stipple = false;
    EXPECT_FALSE(made(draw, triangle()).polygon_stipple);
}

TEST(SetUp, EdgesOfAWireframe) {
    Draw draw = pixel_draw();
    draw.state.front_fill = FillMode::Wireframe;
    draw.attributes.count = draw.attributes.read_length = 1;
    std::array<std::array<std::uint32_t, 8>, 3> entries{};
    Object object = triangle();
    for (unsigned v = 0; v < 3; ++v) {
        entries[v][0] = bits_of(static_cast<float>(v * v));
        object.entries[v] = entries[v];
    }
    Objects out;
    ASSERT_EQ(set_up(draw, object, out).count, 3);
    for (unsigned k = 0; k < 3; ++k) {
        EXPECT_EQ(out[k].type, ObjectType::Line);
        EXPECT_EQ(out[k].topology, 4);
        EXPECT_FALSE(out[k].back_facing);
        EXPECT_EQ(out[k].line.from.x, std::lround(object.vertices[k].position.x * 256));
        EXPECT_EQ(out[k].line.to.y, std::lround(object.vertices[(k + 1) % 3].position.y * 256));
        // The attributes are the triangle's; the ends have its corners' weights.
        EXPECT_EQ(out[k].attributes[0][0], bits_of(1));
        EXPECT_EQ(out[k].attributes[0][1], bits_of(4));
        EXPECT_TRUE(out[k].interpolation.part);
        const CornerWeights& ends = out[k].interpolation.perspective_corners;
        EXPECT_EQ(ends.b1[0], k == 1 ? 1 : 0);
        EXPECT_EQ(ends.b2[0], k == 2 ? 1 : 0);
        EXPECT_EQ(ends.b1[1], k == 0 ? 1 : 0);
        EXPECT_EQ(ends.b2[1], k == 1 ? 1 : 0);
    }
    object.edges = {true, false, true};
    ASSERT_EQ(set_up(draw, object, out).count, 2);
    EXPECT_EQ(out[1].line.from.y, 50 * 256);
    EXPECT_EQ(outcome(draw, turned()).count, 1);  // the back is filled
}

TEST(SetUp, CornersOfATriangleDrawnAsPoints) {
    Draw draw = pixel_draw();
    draw.state.front_fill = FillMode::Point;
    draw.state.point_width = 32;
    draw.attributes.count = draw.attributes.point_sprites = 2;
    draw.attributes.read_length = 1;
    std::array<std::array<std::uint32_t, 8>, 3> entries{};
    Object object = triangle();
    for (unsigned v = 0; v < 3; ++v) {
        entries[v][0] = bits_of(static_cast<float>(7 + v));
        object.entries[v] = entries[v];
    }
    Objects out;
    ASSERT_EQ(set_up(draw, object, out).count, 3);
    for (unsigned v = 0; v < 3; ++v) {
        EXPECT_EQ(out[v].type, ObjectType::Point);
        EXPECT_EQ(out[v].attributes[0][3], bits_of(static_cast<float>(7 + v)));
        EXPECT_EQ(out[v].attributes[0][0] | out[v].attributes[0][1], 0u);
        EXPECT_EQ(out[v].attributes[1], sprite_deltas(false));
    }
    EXPECT_EQ(out[1].bounds, (PixelRectangle{28, 8, 32, 12}));
    object.edges = {false, false, true};
    ASSERT_EQ(set_up(draw, object, out).count, 1);
    EXPECT_EQ(out[0].vertices[0].y, 50 * 256);
}

TEST(SetUp, APointIsASquareOfItsWidth) {
    GEN9_COVERS("SF-23");
    Draw draw = pixel_draw();
    draw.state.point_width = 24;  // 3 pixels
    Object object = object_of(Topology::PointList, {pixel(10.5f, 20.25f, 0.75f, 0.5f)});
    object.vertices[0].point_width = 5;
    SetUpObject point = made(draw, object);
    EXPECT_EQ(point.sides[0].c, -9 * 256);
    EXPECT_EQ(point.sides[1].c, 12 * 256);
    EXPECT_EQ(point.sides[2].c, -(18 * 256 + 192));
    EXPECT_EQ(point.sides[3].c, 21 * 256 + 192);
    EXPECT_EQ(point.interpolation.z0, 0.75);
    EXPECT_EQ(point.interpolation.z1, 0);
    EXPECT_EQ(point.interpolation.rhw[0], 0.5f);
    draw.state.point_width_from_state = false;
    point = made(draw, object);
    EXPECT_EQ(point.sides[0].c, -8 * 256);
    EXPECT_EQ(point.sides[1].c, 13 * 256);
}

TEST(SetUp, LineStyles) {
    GEN9_COVERS("SF-35 WM-18");
    State state;
    using enum MultisampleMode;
    for (const bool smooth : {false, true}) {
        state.smooth_lines = smooth;
        for (const auto mode : {OffPixel, OffPattern}) {
            state.multisample = mode;
            state.line_width = 0;
            EXPECT_EQ(line_style(state), LineStyle::Cosmetic);
            state.line_width = 1;
            EXPECT_EQ(line_style(state), smooth ? LineStyle::Smooth : LineStyle::Wide);
        }
        for (const auto mode : {OnPixel, OnPattern}) {
            state.multisample = mode;
            for (const unsigned width : {0, 1}) {
                state.line_width = width;
                EXPECT_EQ(line_style(state), LineStyle::Multisample);
            }
        }
    }
}

TEST(SetUp, LastPixelsOfLists) {
    Draw draw = pixel_draw();
    draw.state.last_pixel = true;
    Object line = object_of(Topology::LineStrip, {pixel(1, 1), pixel(9, 1)});
    EXPECT_TRUE(made(draw, line).line.last_pixel);
    line.last_of_strip = false;
    EXPECT_FALSE(made(draw, line).line.last_pixel);
    line.topology = Topology::LineList;
    EXPECT_TRUE(made(draw, line).line.last_pixel);
    draw.state.last_pixel = false;
    EXPECT_FALSE(made(draw, line).line.last_pixel);
}

TEST(DepthBias, IsEnabledByFillModeAndFactors) {
    GEN9_COVERS("SF-43");
    DepthBias bias{.wireframe = true};
    EXPECT_FALSE(bias_applies(bias, FillMode::Wireframe));
    bias.constant = 1;
    EXPECT_TRUE(bias_applies(bias, FillMode::Wireframe));
    EXPECT_FALSE(bias_applies(bias, FillMode::Solid));
    EXPECT_FALSE(bias_applies(bias, FillMode::Point));
    bias.constant = 0;
    bias.scale = -1;
    bias.solid = bias.point = true;
    EXPECT_TRUE(bias_applies(bias, FillMode::Solid));
    EXPECT_TRUE(bias_applies(bias, FillMode::Point));
}

TEST(DepthBias, HasTheUnitOfTheDepthFormat) {
    GEN9_COVERS("DZ-02 DZ-03");
    DepthBias bias{.constant = 3, .depth = DepthKind::Unorm16};
    EXPECT_EQ(depth_bias(bias, 0, 0.5f), 3.0f / 65535);
    bias.depth = DepthKind::Unorm24;
    EXPECT_EQ(depth_bias(bias, 0, 0.5f), 3.0f / 16777215);
    bias.depth = DepthKind::Float32;
    EXPECT_EQ(depth_bias(bias, 0, 0.75f), std::ldexp(3.0f, -1 - 23));
    EXPECT_EQ(depth_bias(bias, 0, 5.0f), std::ldexp(3.0f, 2 - 23));
    EXPECT_EQ(depth_bias(bias, 0, 0), std::ldexp(3.0f, -126 - 23));
    bias.scale = 4;
    EXPECT_EQ(depth_bias(bias, 0.5f, 1), std::ldexp(3.0f, -23) + 2);
    bias.depth = DepthKind::Unorm16;
    EXPECT_EQ(depth_bias(bias, 0.5f, 1), static_cast<float>(3.0 / 65535 + 2));
    bias.legacy = true;
    for (const DepthKind kind : {DepthKind::Unorm16, DepthKind::Unorm24, DepthKind::Float32}) {
        bias.depth = kind;
        EXPECT_EQ(depth_bias(bias, 0.5f, 0.25f), 5);
    }
}

TEST(DepthBias, IsClampedFromOneSide) {
    GEN9_COVERS("DZ-04");
    DepthBias bias{.constant = 3, .clamp = 2, .legacy = true};
    EXPECT_EQ(depth_bias(bias, 0, 0), 2);
    bias.clamp = -2;
    EXPECT_EQ(depth_bias(bias, 0, 0), 3);
    bias.constant = -3;
    EXPECT_EQ(depth_bias(bias, 0, 0), -2);
    bias.clamp = 2;
    EXPECT_EQ(depth_bias(bias, 0, 0), -3);
    bias.clamp = 0;
    EXPECT_EQ(depth_bias(bias, 0, 0), -3);
}

TEST(DepthBias, TheSlopeIsTheLargerOfTwo) {
    GEN9_COVERS("DZ-01");
    Object object = triangle();  // 20 pixels to the right, 40 down
    const auto slope = [&](float right, float below) {
        object.vertices[0].position.z = 0.5f;
        object.vertices[1].position.z = 0.5f + right;
        object.vertices[2].position.z = 0.5f + below;
        return made(pixel_draw(), object).interpolation.depth_slope;
    };
    EXPECT_EQ(slope(0.25f, 0), 0.0125f);
    EXPECT_EQ(slope(-0.25f, 0.25f), 0.0125f);
    EXPECT_EQ(slope(0.125f, -0.5f), 0.0125f);
    EXPECT_EQ(slope(0, 0), 0);
}

TEST(DepthBias, IsForTrianglesOnlyInAllTheirFillModes) {
    GEN9_COVERS("DZ-05");
    Draw draw = pixel_draw();
    draw.state.bias = {
        .solid = true, .wireframe = true, .point = true, .constant = 0.25f, .legacy = true};
    Objects out;
    for (const FillMode fill : {FillMode::Solid, FillMode::Wireframe, FillMode::Point}) {
        draw.state.front_fill = fill;
        const Result result = set_up(draw, triangle(), out);
        ASSERT_EQ(result.count, fill == FillMode::Solid ? 1 : 3);
        for (unsigned k = 0; k < result.count; ++k)
            EXPECT_EQ(out[k].interpolation.z0, 0.25);
    }
    EXPECT_EQ(made(draw, object_of(Topology::PointList, {pixel(5, 5)})).interpolation.z0, 0);
    EXPECT_EQ(
        made(draw, object_of(Topology::LineList, {pixel(5, 5), pixel(9, 5)})).interpolation.z0, 0);
    // Wireframe lines have the triangle's slope, not their own.
    Object steep = triangle();
    steep.vertices[1].position.z = 1;  // 1/20 in a pixel
    draw.state.front_fill = FillMode::Wireframe;
    draw.state.bias = {.wireframe = true, .scale = 20};
    ASSERT_EQ(set_up(draw, steep, out).count, 3);
    EXPECT_FLOAT_EQ(static_cast<float>(out[0].interpolation.z0), 1);
    EXPECT_FLOAT_EQ(static_cast<float>(out[2].interpolation.z0), 1);
}

TEST(SetUp, APieceFacesAndSlopesAsTheWhole) {
    Draw draw = pixel_draw();
    draw.state.bias = {.solid = true, .scale = 1};
    Object whole = triangle();
    whole.vertices[1].position.z = 1;
    const ClippedFrom facts = facts_of_whole(draw, whole);
    EXPECT_EQ(facts.back_facing, std::optional(false));
    EXPECT_EQ(facts.depth_slope, std::optional(0.05f));
    Object piece = turned();
    piece.clipped = facts;
    const SetUpObject got = made(draw, piece);
    EXPECT_FALSE(got.back_facing);
    EXPECT_EQ(got.topology, 0x0E);
    EXPECT_EQ(got.interpolation.z0, static_cast<double>(0.05f));
}

TEST(SetUp, OutsideTheClipRectangleIsNothing) {
    Draw draw = pixel_draw();
    draw.drawing = {.max_x = 9, .max_y = 9};
    EXPECT_EQ(outcome(draw, triangle()).discard, Discard::OutsideClip);
    draw.drawing.max_x = draw.drawing.max_y = 10;
    EXPECT_EQ(made(draw, triangle()).bounds, (PixelRectangle{10, 10, 10, 10}));
}

}  // namespace
}  // namespace gen9::setup
