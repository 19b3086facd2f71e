// SPDX-License-Identifier: Apache-2.0
#include "interpolation/barycentric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/raster/picture.h"
#include "tests/unit/setup/scene.h"

namespace gen9::interpolation {
namespace {
using namespace raster;
using namespace setup::test;
using packets::Topology;
using setup::Object;
using setup::Objects;
using Long = long double;

/// In 64 bits of fraction, by the areas of the three parts.
struct Reference {
    Long l1, l2, b1, b2, z, w;
    Reference(const Object& object, const SetUpObject& made, Long x, Long y) {
        const auto& v = made.vertices;
        const auto area = [&](Long ax, Long ay, Long bx, Long by, Long cx, Long cy) {
            return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        };
        const Long all = area(v[0].x, v[0].y, v[1].x, v[1].y, v[2].x, v[2].y);
        l1 = area(v[0].x, v[0].y, x, y, v[2].x, v[2].y) / all;
        l2 = area(v[0].x, v[0].y, v[1].x, v[1].y, x, y) / all;
        const Long l0 = 1 - l1 - l2;
        const auto& p = object.vertices;
        const Long den = l0 * p[0].position.w + l1 * p[1].position.w + l2 * p[2].position.w;
        b1 = l1 * p[1].position.w / den;
        b2 = l2 * p[2].position.w / den;
        w = 1 / den;
        z = l0 * p[0].position.z + l1 * p[1].position.z + l2 * p[2].position.z;
    }
};

/// Within `steps` of the last bit, of a value or of what weights have at 1/2^`floor`.
void expect_near(float got, Long expected, double steps, int floor) {
    const Long size = std::max(std::abs(expected), std::ldexp(Long{1}, -floor));
    ASSERT_LE(std::abs(got - expected), size * steps * std::ldexp(Long{1}, -24))
        << got << " for " << static_cast<double>(expected);
}

TEST(Barycentrics, AreRightToTheLastBit) {
    std::mt19937 random(21);
    unsigned compared = 0;
    for (unsigned turn = 0; turn < 240; ++turn) {
        const float size = turn % 3 == 0 ? 16 : turn % 3 == 1 ? 300 : 16000;
        const auto coordinate = [&] { return size * static_cast<float>(random() % 4096) / 4096; };
        const auto share = [&] { return static_cast<float>(random() % 1000 + 1) / 1000; };
        Object object =
            object_of(Topology::TriList, {pixel(coordinate(), coordinate(), share(), share() * 4),
                                          pixel(coordinate(), coordinate(), share(), share()),
                                          pixel(coordinate(), coordinate(), share(), share() / 4)});
        Objects out;
        if (!setup::set_up(pixel_draw(), object, out).count) continue;
        const State state = test::pattern(4);
        Coverage coverage(out[0], state);
        PixelBlock block;
        for (unsigned blocks = 0; blocks < 2 && coverage.next(block); ++blocks) {
            const unsigned sample = turn % 4;
            const Places places = block_places(block.x, block.y, state.places[sample]);
            const Weights weights = weights_at(out[0].interpolation, places);
            Barycentrics flat, deep;
            PlaceValues z, w;
            linear(out[0].interpolation, weights, flat);
            perspective(out[0].interpolation, weights, deep);
            source_depth(out[0].interpolation, weights, z);
            source_w(out[0].interpolation, weights, w);
            for (unsigned p = 0; p < 32; ++p) {
                const Reference expected(object, out[0], places.x[p], places.y[p]);
                // Everywhere, also outside of the triangle: derivatives need it.
                expect_near(flat.b1[p], expected.l1, 1.01, 20);
                expect_near(flat.b2[p], expected.l2, 1.01, 20);
                if (!(block.covered[sample] >> p & 1)) continue;
                ++compared;
                expect_near(deep.b1[p], expected.b1, 1.01, 20);
                expect_near(deep.b2[p], expected.b2, 1.01, 20);
                expect_near(z[p], expected.z, 1.01, 20);
                expect_near(w[p], expected.w, 1.01, 20);
            }
        }
    }
    EXPECT_GT(compared, 2000u);
}

TEST(Barycentrics, AreExactWithoutPerspective) {
    const Object object =
        object_of(Topology::TriList,
                  {pixel(1, 2, 0.25f, 0.3f), pixel(50, 3, 0.25f, 0.3f), pixel(7, 60, 0.25f, 0.3f)});
    const SetUpObject made_object = made(pixel_draw(), object);
    const Weights weights = weights_at(made_object.interpolation, block_places(8, 8, {8, 8}));
    Barycentrics flat, deep;
    PlaceValues z, w;
    linear(made_object.interpolation, weights, flat);
    perspective(made_object.interpolation, weights, deep);
    source_depth(made_object.interpolation, weights, z);
    source_w(made_object.interpolation, weights, w);
    EXPECT_EQ(flat.b1, deep.b1);
    EXPECT_EQ(flat.b2, deep.b2);
    for (unsigned p = 0; p < 32; ++p) {
        EXPECT_EQ(z[p], 0.25f);
        EXPECT_EQ(w[p], static_cast<float>(1 / double{0.3f}));
    }
}

TEST(Barycentrics, OfSlotsAreThoseOfTheirPixels) {
    const Object object = object_of(
        Topology::TriList, {pixel(1, 2, 0, 1), pixel(50, 3, 1, 0.5f), pixel(7, 60, 0.5f, 0.25f)});
    const Interpolation interpolation = made(pixel_draw(), object).interpolation;
    Barycentrics block, slots;
    perspective(interpolation, weights_at(interpolation, block_places(8, 4, {8, 8})), block);
    // Two subspans (SIMD8) and four (SIMD16).
    for (const unsigned count : {2u, 4u}) {
        std::array<Subspan, 4> subspans{
            Subspan{8, 4, {8, 8}}, {14, 6, {8, 8}}, {10, 6, {8, 8}}, {12, 4, {8, 8}}};
        const Places places = slot_places(std::span(subspans).first(count));
        ASSERT_EQ(places.count, count * 4);
        perspective(interpolation, weights_at(interpolation, places), slots);
        for (unsigned slot = 0; slot < count * 4; ++slot) {
            const Subspan& of = subspans[slot / 4];
            const int x = of.x - 8 + static_cast<int>(slot % 2),
                      y = of.y - 4 + static_cast<int>(slot % 4 / 2);
            EXPECT_EQ(slots.b1[slot], block.b1[static_cast<unsigned>(y * 8 + x)]);
            EXPECT_EQ(slots.b2[slot], block.b2[static_cast<unsigned>(y * 8 + x)]);
        }
    }
    const std::array<Subspan, 2> sampled{Subspan{8, 4, {3, 5}}, {8, 4, {13, 1}}};
    const Places places = slot_places(sampled);
    EXPECT_EQ(places.x[1], 9 * 256 + 48);
    EXPECT_EQ(places.y[3], 5 * 256 + 80);
    EXPECT_EQ(places.x[4], 8 * 256 + 208);
}

TEST(Barycentrics, CentroidsAreTheFirstCoveredSample) {
    State state = test::pattern(4);
    PixelBlock block{.x = 16, .y = 8, .samples = 4, .lit = 0b1111, .covered = {}};
    block.covered[0] = 0b0001;
    block.covered[1] = 0b0101;
    block.covered[2] = 0b0111;
    block.covered[3] = 0b1101;
    const Places places = centroid_places(block, state);
    const auto expect = [&](unsigned pixel, SamplePlace place) {
        EXPECT_EQ(places.x[pixel], (16 + static_cast<int>(pixel)) * 256 + place.x * 16);
        EXPECT_EQ(places.y[pixel], 8 * 256 + place.y * 16);
    };
    expect(0, {8, 8});           // all samples
    expect(1, state.places[2]);  // the first
    expect(2, state.places[1]);
    expect(3, state.places[3]);
    expect(4, {8, 8});  // none
    block.full = true;
    EXPECT_EQ(centroid_places(block, state).x[1], 17 * 256 + 128);
    block.full = false;
    state.samples = block.samples = 1;
    EXPECT_EQ(centroid_places(block, state).x[1], 17 * 256 + 128);
}

TEST(Barycentrics, OfALineAreItsShare) {
    Object object =
        object_of(Topology::LineList, {pixel(4, 8.5f, 0.5f, 1), pixel(20, 8.5f, 0.25f, 3)});
    const Interpolation interpolation = made(pixel_draw(), object).interpolation;
    const Weights weights = weights_at(interpolation, block_places(4, 8, {8, 8}));
    Barycentrics flat, deep;
    PlaceValues z, w;
    linear(interpolation, weights, flat);
    perspective(interpolation, weights, deep);
    source_depth(interpolation, weights, z);
    source_w(interpolation, weights, w);
    for (unsigned p = 0; p < 32; ++p) {
        // Also beside the line, by projection.
        const float t = (static_cast<float>(p % 8) + 0.5f) / 16, den = 1 + 2 * t;
        EXPECT_FLOAT_EQ(flat.b1[p], t);
        EXPECT_EQ(flat.b2[p], 0);
        EXPECT_FLOAT_EQ(deep.b1[p], 3 * t / den);
        EXPECT_FLOAT_EQ(z[p], 0.5f - 0.25f * t);
        EXPECT_FLOAT_EQ(w[p], 1 / den);
    }
}

TEST(Barycentrics, OfAnEdgeAreThoseOfItsTriangle) {
    setup::Draw draw = pixel_draw();
    draw.state.front_fill = setup::FillMode::Wireframe;
    const Object object = object_of(Topology::TriList, {pixel(2, 2, 0, 1), pixel(30, 2.5f, 1, 0.5f),
                                                        pixel(2, 30, 0.5f, 0.25f)});
    Objects edges, filled;
    ASSERT_EQ(setup::set_up(draw, object, edges).count, 3);
    ASSERT_EQ(setup::set_up(pixel_draw(), object, filled).count, 1);
    // On the edge itself both agree.
    for (unsigned k = 0; k < 3; ++k) {
        const LineFacts& line = edges[k].line;
        Places places;
        places.count = 8;
        for (unsigned p = 0; p < 8; ++p) {
            const int share = static_cast<int>(p);
            places.x[p] = line.from.x + (line.to.x - line.from.x) / 8 * share;
            places.y[p] = line.from.y + (line.to.y - line.from.y) / 8 * share;
        }
        Barycentrics got[2], expected[2];
        const Weights on_edge = weights_at(edges[k].interpolation, places),
                      in_triangle = weights_at(filled[0].interpolation, places);
        linear(edges[k].interpolation, on_edge, got[0]);
        perspective(edges[k].interpolation, on_edge, got[1]);
        linear(filled[0].interpolation, in_triangle, expected[0]);
        perspective(filled[0].interpolation, in_triangle, expected[1]);
        for (unsigned set = 0; set < 2; ++set)
            for (unsigned p = 0; p < 8; ++p) {
                EXPECT_NEAR(got[set].b1[p], expected[set].b1[p], 1e-6) << k << ' ' << p;
                EXPECT_NEAR(got[set].b2[p], expected[set].b2[p], 1e-6) << k << ' ' << p;
            }
    }
}

TEST(Barycentrics, OfAPointAreThePlaceInItsSquare) {
    GEN9_COVERS("SF-56");
    setup::Draw draw = pixel_draw();
    draw.state.point_width = 32;
    const Interpolation interpolation =
        made(draw, object_of(Topology::PointList, {pixel(10, 6, 0.5f, 0.25f)})).interpolation;
    Barycentrics b;
    PlaceValues w;
    const Weights weights = weights_at(interpolation, block_places(8, 4, {8, 8}));
    perspective(interpolation, weights, b);
    source_w(interpolation, weights, w);
    for (unsigned p = 0; p < 32; ++p) {
        EXPECT_EQ(b.b1[p], (static_cast<float>(p % 8) + 0.5f) / 4);
        EXPECT_EQ(b.b2[p], (static_cast<float>(p / 8) + 0.5f) / 4);
        EXPECT_EQ(w[p], 4);
    }
}

TEST(Barycentrics, OfARectangleAreAffine) {
    GEN9_COVERS("SF-15 FF-104");
    const Interpolation interpolation =
        made(pixel_draw(),
             object_of(Topology::RectList, {pixel(16, 8, 1), pixel(0, 8, 0), pixel(0, 0, 0.5f)}))
            .interpolation;
    Barycentrics b;
    PlaceValues z;
    const Weights weights = weights_at(interpolation, block_places(8, 0, {0, 0}));
    linear(interpolation, weights, b);
    source_depth(interpolation, weights, z);
    for (unsigned p = 0; p < 32; ++p) {
        const float right = static_cast<float>(8 + p % 8) / 16,
                    down = static_cast<float>(p / 8) / 8;
        // p = v0 + b1 (v1 - v0) + b2 (v2 - v0).
        EXPECT_EQ(b.b2[p], 1 - down);
        EXPECT_EQ(b.b1[p], down - right);
        EXPECT_EQ(z[p], 1 - b.b1[p] - 0.5f * b.b2[p]);
    }
}

}  // namespace
}  // namespace gen9::interpolation
