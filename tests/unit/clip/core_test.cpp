// SPDX-License-Identifier: Apache-2.0
#include "clip/core.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::clip::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

State volume() {
    State state;
    state.viewport_xy = true;
    state.guard_band = true;
    state.guard = {-4, 4, -4, 4};
    return state;
}
Vertex at(float x, float y, float z, float w = 1) {
    return {{x, y, z, w}, {}};
}
Fate fate(const State& state, std::vector<Vertex> vertices) {
    return classify(state, vertices);
}

TEST(Clip, AVertexOnAPlaneIsInside) {
    GEN9_COVERS("CL-13 CL-14");
    const State state = volume();
    EXPECT_EQ(fate(state, {at(1, -1, -1)}), Fate::Accept);
    EXPECT_EQ(fate(state, {at(-1, 1, 1)}), Fate::Accept);
    EXPECT_EQ(fate(state, {at(std::nextafter(1.0f, 2.0f), 0, 0)}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, std::nextafter(-1.0f, -2.0f))}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, std::nextafter(1.0f, 2.0f))}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(2, 0, 0, 2)}), Fate::Accept) << "x is held against w";
    EXPECT_EQ(fate(state, {at(2.01f, 0, 0, 2)}), Fate::Reject);
}

TEST(Clip, TheNearPlaneIsThatOfTheApi) {
    GEN9_COVERS("CL-14 CL-04");
    State state = volume();
    EXPECT_EQ(fate(state, {at(0, 0, -0.5f)}), Fate::Accept);
    state.depth_from_zero = true;
    EXPECT_EQ(fate(state, {at(0, 0, -0.5f)}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, 0)}), Fate::Accept);
    state.near = false;
    EXPECT_EQ(fate(state, {at(0, 0, -0.5f)}), Fate::Accept);
    EXPECT_EQ(fate(state, {at(0, 0, 1.5f)}), Fate::Reject);
    state.far = false;
    EXPECT_EQ(fate(state, {at(0, 0, 1.5f)}), Fate::Accept);
}

TEST(Clip, TheGuardBandSparesTheClipper) {
    GEN9_COVERS("CL-15 CL-16 CL-22 CL-23 CL-24");
    State state = volume();
    const std::vector<Vertex> wide{at(-3, 0, 0), at(3, 0, 0), at(0, 0.5f, 0)};
    EXPECT_EQ(fate(state, wide), Fate::Accept) << "it crosses the viewport only";
    const std::vector<Vertex> wider{at(-5, 0, 0), at(3, 0, 0), at(0, 0.5f, 0)};
    EXPECT_EQ(fate(state, wider), Fate::Cut);
    EXPECT_EQ(fate(state, {at(1.5f, 0, 0), at(3, 0, 0), at(2, 1, 0)}), Fate::Reject)
        << "all beside the viewport";
    state.guard_band = false;
    EXPECT_EQ(fate(state, wide), Fate::Cut) << "then the viewport is the guard band";
    state.guard_band = true;
    state.viewport_xy = false;
    EXPECT_EQ(fate(state, {at(1.5f, 0, 0), at(3, 0, 0), at(2, 1, 0)}), Fate::Accept);
    EXPECT_EQ(fate(state, {at(4.5f, 0, 0), at(5, 0, 0), at(6, 1, 0)}), Fate::Reject);
    state.guard_band = false;
    EXPECT_EQ(fate(state, {at(4.5f, 0, 0), at(5, 0, 0), at(6, 1, 0)}), Fate::Accept);
}

TEST(Clip, AnObjectIsBeyondAPlaneThatAllOfItsVerticesAreBeyond) {
    GEN9_COVERS("CL-21");
    State state = volume();
    state.guard = {-1, 1, -1, 1};
    const Vertex in = at(0, 0, 0);
    const std::vector<Vertex> beyond{at(-2, 0, 0), at(2, 0, 0),  at(0, -2, 0),
                                     at(0, 2, 0),  at(0, 0, -2), at(0, 0, 2)};
    for (std::size_t a = 0; a < beyond.size(); ++a) {
        EXPECT_EQ(fate(state, {beyond[a]}), Fate::Reject);
        EXPECT_EQ(fate(state, {in, beyond[a]}), Fate::Cut);
        for (std::size_t b = 0; b < beyond.size(); ++b) {
            const Fate two = a == b ? Fate::Reject : Fate::Cut;
            EXPECT_EQ(fate(state, {beyond[a], beyond[b]}), two) << a << " " << b;
            EXPECT_EQ(fate(state, {in, beyond[a], beyond[b]}), Fate::Cut);
            EXPECT_EQ(fate(state, {beyond[b], beyond[a], beyond[a]}), two);
        }
    }
}

TEST(Clip, ANegativeOrZeroWIsOutside) {
    GEN9_COVERS("CL-12");
    const State state = volume();
    EXPECT_EQ(fate(state, {at(0, 0, 0, -1)}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, 0, 0.0f)}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, 0, -0.0f)}), Fate::Reject);
    EXPECT_EQ(fate(state, {at(0, 0, 0), at(0, 1, 0), at(1, 0, 0, -1)}), Fate::Cut);
}

TEST(Clip, WhatIsNoNumberIsDroppedInEveryMode) {
    GEN9_COVERS("CL-11 CL-25 CL-26 FF-110");
    State state = volume();
    for (unsigned c = 0; c < 4; ++c) {
        Vertex vertex = at(0, 0, 0);
        vertex.position[c] = kNan;
        for (const Mode mode : {Mode::Normal, Mode::AcceptAll}) {
            state.mode = mode;
            EXPECT_EQ(fate(state, {at(0, 0, 0), vertex, at(0, 1, 0)}), Fate::Bad);
        }
    }
    state.mode = Mode::AcceptAll;
    EXPECT_EQ(fate(state, {at(9, 9, 9)}), Fate::Accept);
    state.mode = Mode::RejectAll;
    EXPECT_EQ(fate(state, {at(0, 0, 0)}), Fate::Reject);
    state.mode = Mode::Normal;
    Vertex vertex = at(0, 0, 0);
    vertex.distance[3] = kNan;
    EXPECT_EQ(fate(state, {vertex}), Fate::Accept) << "a distance that is off is not read";
    state.clip_mask = 1 << 3;
    EXPECT_EQ(fate(state, {vertex}), Fate::Bad);
}

TEST(Clip, DistancesClipOrOnlyCull) {
    GEN9_COVERS("CL-09 CL-18 CL-05 CL-06 CL-22 CL-23 FF-110");
    State state = volume();
    Vertex in = at(0, 0, 0), out = at(0.5f, 0, 0);
    in.distance[7] = 1;
    out.distance[7] = -1;
    EXPECT_EQ(fate(state, {out, out, out}), Fate::Accept);
    state.clip_mask = 1 << 7;
    EXPECT_EQ(fate(state, {in, in, in}), Fate::Accept);
    EXPECT_EQ(fate(state, {in, in, out}), Fate::Cut);
    EXPECT_EQ(fate(state, {out, out, out}), Fate::Reject);
    state.clip_mask = 0;
    state.cull_mask = 1 << 7;
    EXPECT_EQ(fate(state, {in, in, out}), Fate::Accept) << "a cull distance never cuts";
    EXPECT_EQ(fate(state, {out, out, out}), Fate::Reject);
    out.distance[7] = -0.0f;
    EXPECT_EQ(fate(state, {out, out, out}), Fate::Accept);
}

/// The worst of a point's signed distances to the planes, by their definitions.
long double inside(const State& state, const std::vector<Vertex>& v,
                   const std::array<long double, 3>& c) {
    std::array<long double, 4> p{};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned k = 0; k < 4; ++k)
            p[k] += c[i] * v[i].position[k];
    long double worst = p[3];
    const auto plane = [&](long double d) { worst = std::min(worst, d); };
    if (state.near) plane(state.depth_from_zero ? p[2] : p[2] + p[3]);
    if (state.far) plane(p[3] - p[2]);
    plane(p[0] - state.guard.x_min * p[3]);
    plane(state.guard.x_max * p[3] - p[0]);
    plane(p[1] - state.guard.y_min * p[3]);
    plane(state.guard.y_max * p[3] - p[1]);
    for (unsigned i = 0; i < 8; ++i) {
        if ((state.clip_mask >> i & 1) == 0) continue;
        long double d = 0;
        for (unsigned k = 0; k < 3; ++k)
            d += c[k] * v[k].distance[i];
        plane(d);
    }
    return worst;
}

// Points of the triangle, by their weights, are in the piece exactly if they are inside all planes.
TEST(Clip, ThePieceIsWhatLiesInsideAllPlanes) {
    GEN9_COVERS("CL-01 CL-24");
    std::mt19937 random(11);
    std::uniform_real_distribution<float> some(-2, 2), weight(0, 1);
    unsigned pieces = 0, corners = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        State state = volume();
        state.guard = {-0.6f, 0.7f, -0.8f, 0.5f};
        state.depth_from_zero = random() % 2;
        state.near = random() % 4 != 0;
        state.far = random() % 4 != 0;
        state.clip_mask = static_cast<std::uint8_t>(random() & random() & random());
        std::vector<Vertex> v(3);
        for (Vertex& vertex : v) {
            for (float& x : vertex.position)
                x = some(random);
            if (random() % 3 != 0) vertex.position[3] = std::abs(vertex.position[3]) + 0.5f;
            for (float& d : vertex.distance)
                d = some(random) + 0.7f;
        }
        if (classify(state, v) != Fate::Cut) continue;
        const Piece piece = cut(state, v);
        pieces += piece.count != 0;
        corners = std::max(corners, piece.count);
        for (unsigned sample = 0; sample < 12; ++sample) {
            long double b1 = weight(random), b2 = weight(random);
            if (b1 + b2 > 1) {
                b1 = 1 - b1;
                b2 = 1 - b2;
            }
            const long double d = inside(state, v, {1 - b1 - b2, b1, b2});
            if (std::abs(d) < 1e-5L) continue;
            bool in = piece.count != 0;
            for (unsigned i = 0; i < piece.count; ++i) {
                const Corner &a = piece.corners[i], &b = piece.corners[(i + 1) % piece.count];
                in &= (b.b1 - a.b1) * (b2 - a.b2) - (b.b2 - a.b2) * (b1 - a.b1) >= -1e-9L;
            }
            ASSERT_EQ(in, d > 0) << "round " << round << ", distance " << static_cast<double>(d);
        }
        for (unsigned i = 0; i < piece.count; ++i) {
            const Corner& corner = piece.corners[i];
            const std::array<double, 3> c{1 - corner.b1 - corner.b2, corner.b1, corner.b2};
            double w = 0;
            for (unsigned k = 0; k < 3; ++k)
                w += c[k] * v[k].position[3];
            for (unsigned k = 0; k < 4; ++k) {
                double p = 0;
                for (unsigned j = 0; j < 3; ++j)
                    p += c[j] * v[j].position[k];
                ASSERT_NEAR(corner.position[k], p, 1e-5);
            }
            // On the screen: x / w is the sum of the vertices' by the linear weights.
            double x = 0;
            const std::array<double, 3> l{1 - corner.l1 - corner.l2, corner.l1, corner.l2};
            for (unsigned j = 0; j < 3; ++j)
                x += l[j] * v[j].position[0] / v[j].position[3];
            if (w > 0.01) {
                ASSERT_NEAR(corner.position[0] / w, x, 1e-4 / w);
            }
        }
    }
    EXPECT_GT(pieces, 300u);
    EXPECT_GT(corners, 6u);
}

TEST(Clip, TwoTrianglesHaveTheSameCornersOnTheirEdge) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> some(-2, 2);
    unsigned compared = 0;
    for (unsigned round = 0; round < 500; ++round) {
        State state = volume();
        state.guard = {-0.6f, 0.7f, -0.8f, 0.5f};
        std::vector<Vertex> v(4);
        for (Vertex& vertex : v) {
            for (float& x : vertex.position)
                x = some(random);
            vertex.position[3] = std::abs(vertex.position[3]) + 0.25f;
        }
        // The edge 0 1 is the first edge of one and the last of the other, the other way round.
        const std::vector<Vertex> a{v[0], v[1], v[2]}, b{v[1], v[3], v[0]};
        if (classify(state, a) != Fate::Cut || classify(state, b) != Fate::Cut) continue;
        const auto on_edge = [](const Piece& piece, auto&& off) {
            std::vector<std::array<float, 4>> corners;
            for (unsigned i = 0; i < piece.count; ++i)
                if (off(piece.corners[i]) == 0) corners.push_back(piece.corners[i].position);
            std::sort(corners.begin(), corners.end());
            return corners;
        };
        const auto first = on_edge(cut(state, a), [](const Corner& c) { return c.b2; });
        const auto last = on_edge(cut(state, b), [](const Corner& c) { return c.b1; });
        ASSERT_EQ(first, last);
        compared += first.size() == 2;
    }
    EXPECT_GT(compared, 40u);
}

TEST(Clip, ALineIsShortened) {
    State state = volume();
    const std::vector<Vertex> line{at(0, 0, 0), at(8, 0, 0)};
    ASSERT_EQ(classify(state, line), Fate::Cut);
    const Piece piece = cut(state, line);
    ASSERT_EQ(piece.count, 2u);
    EXPECT_EQ(piece.corners[0].original, 0);
    EXPECT_EQ(piece.corners[1].original, -1);
    EXPECT_EQ(piece.corners[1].position[0], 4.0f);
    EXPECT_EQ(piece.corners[1].b1, 0.5);
}

// Nothing that a vertex can hold makes more corners than there is room for, or a position that is
// no number.
TEST(Clip, AnyNumberIsClippedToNumbers) {
    std::mt19937 random(7);
    for (unsigned round = 0; round < 5000; ++round) {
        State state = volume();
        state.clip_mask = 0xFF;
        std::vector<Vertex> v(2 + random() % 2);
        for (Vertex& vertex : v) {
            const auto any = [&] {
                const std::uint32_t bits = random();
                float value;
                static_assert(sizeof value == sizeof bits);
                std::memcpy(&value, &bits, sizeof value);
                return std::isnan(value) ? std::numeric_limits<float>::infinity() : value;
            };
            for (float& x : vertex.position)
                x = any();
            for (float& d : vertex.distance)
                d = std::abs(any());
        }
        if (classify(state, v) != Fate::Cut) continue;
        const Piece piece = cut(state, v);
        ASSERT_LE(piece.count, kMaxCorners);
        for (unsigned i = 0; i < piece.count; ++i)
            for (const float x : piece.corners[i].position)
                ASSERT_FALSE(std::isnan(x));
    }
}

}  // namespace
}  // namespace gen9::clip::test
