// SPDX-License-Identifier: Apache-2.0
#include "clip/core.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gen9::clip {

namespace {

enum Bit : std::uint32_t {
    kGuard = 0xF,  ///< outcodes x min, x max, y min, y max
    kViewport = 0xF << 4,
    kNear = 1 << 8,
    kFar = 1 << 9,
    kNegativeW = 1 << 10,
    kUser = 0xFF << 11,
};
constexpr unsigned kUserShift = 11;

struct Outcodes {
    std::uint32_t bits = 0;
    std::uint8_t cull = 0;  ///< distances that only reject
    bool bad = false;
};

/// The outcodes of x and y against limits. The comparisons with w multiplied are those with x / w,
/// whose sense flips for a negative w (CL-12).
std::uint32_t outside(const Limits& limits, double x, double y, double w) {
    return (x < limits.x_min * w ? 1u : 0) | (x > limits.x_max * w ? 2u : 0) |
           (y < limits.y_min * w ? 4u : 0) | (y > limits.y_max * w ? 8u : 0);
}

Outcodes outcodes(const State& state, const Vertex& vertex) {
    Outcodes codes;
    const double x = vertex.position[0], y = vertex.position[1], z = vertex.position[2];
    const double w = state.divides ? vertex.position[3] : 1.0;
    for (const float value : vertex.position)
        codes.bad |= std::isnan(value);
    const std::uint8_t read = state.clip_mask | state.cull_mask;
    for (unsigned i = 0; i < 8; ++i) {
        if ((read >> i & 1) == 0) continue;
        const float d = vertex.distance[i];
        codes.bad |= std::isnan(d);
        if (d >= 0) continue;
        if (state.clip_mask >> i & 1) codes.bits |= 1u << (kUserShift + i);
        if (state.cull_mask >> i & 1) codes.cull |= 1u << i;
    }
    if (state.guard_band) codes.bits |= outside(state.guard, x, y, w);
    if (state.viewport_xy) codes.bits |= outside({}, x, y, w) << 4;
    // The test that is off has the outcodes of the other (CL-16).
    if (!state.guard_band) codes.bits |= (codes.bits & kViewport) >> 4;
    if (!state.viewport_xy) codes.bits |= (codes.bits & kGuard) << 4;
    if (state.near && z < (state.depth_from_zero ? 0.0 : -w)) codes.bits |= kNear;
    if (state.far && z > w) codes.bits |= kFar;
    if (std::signbit(vertex.position[3]) || vertex.position[3] == 0) codes.bits |= kNegativeW;
    return codes;
}

/// A corner while it is being cut: in doubles.
struct Point {
    std::array<double, 4> position;
    std::array<double, 3> weights;
    int original = -1;
};

double weighted(const Point& p, const std::array<double, 3>& values) {
    return p.weights[0] * values[0] + p.weights[1] * values[1] + p.weights[2] * values[2];
}

/// The point between one inside a plane and one outside it.
Point between(const Point& in, const Point& out, double d_in, double d_out) {
    const double t = d_in / (d_in - d_out);
    Point p;
    for (unsigned i = 0; i < 4; ++i)
        p.position[i] = in.position[i] + t * (out.position[i] - in.position[i]);
    for (unsigned i = 0; i < 3; ++i)
        p.weights[i] = in.weights[i] + t * (out.weights[i] - in.weights[i]);
    return p;
}

struct Polygon {
    unsigned count = 0;
    std::array<Point, kMaxCorners + 1> points{};

    /// Leaves what lies where `distance` of a point is not negative. A line is a polygon of two
    /// corners with one edge.
    template <class Distance>
    void cut(const Distance& distance) {
        Polygon rest;
        std::array<double, kMaxCorners + 1> d;
        for (unsigned i = 0; i < count; ++i)
            d[i] = distance(points[i]);
        const unsigned edges = count == 2 ? 1 : count;
        for (unsigned i = 0; i < count; ++i) {
            const unsigned next = (i + 1) % count;
            if (d[i] >= 0) rest.add(points[i]);
            if (i >= edges || (d[i] >= 0) == (d[next] >= 0)) continue;
            rest.add(d[i] >= 0 ? between(points[i], points[next], d[i], d[next])
                               : between(points[next], points[i], d[next], d[i]));
        }
        *this = rest;
    }
    void add(const Point& point) {
        // Rounding may bend a piece so that a plane meets it more than twice.
        if (count < kMaxCorners) points[count++] = point;
    }
};

}  // namespace

Fate classify(const State& state, std::span<const Vertex> vertices) {
    std::uint32_t all = ~0u, any = 0;
    std::uint8_t culled = 0xFF;
    bool bad = false;
    for (const Vertex& vertex : vertices) {
        const Outcodes codes = outcodes(state, vertex);
        all &= codes.bits;
        any |= codes.bits;
        culled &= codes.cull;
        bad |= codes.bad;
    }
    if (state.mode == Mode::RejectAll) return Fate::Reject;
    if (bad) return Fate::Bad;
    if (state.mode == Mode::AcceptAll) return Fate::Accept;
    if (all != 0 || culled != 0) return Fate::Reject;
    if ((any & ~kViewport) == 0) return Fate::Accept;
    return Fate::Cut;
}

Piece cut(const State& state, std::span<const Vertex> vertices) {
    const unsigned n = static_cast<unsigned>(vertices.size());
    Polygon polygon;
    std::uint32_t any = 0;
    double largest = 0;
    for (unsigned i = 0; i < n; ++i) {
        any |= outcodes(state, vertices[i]).bits;
        Point& p = polygon.points[i];
        for (unsigned c = 0; c < 4; ++c) {
            p.position[c] = vertices[i].position[c];
            largest = std::max(largest, std::abs(p.position[c]));
        }
        if (!state.divides) p.position[3] = 1;
        p.weights = {};
        p.weights[i] = 1;
        p.original = static_cast<int>(i);
    }
    polygon.count = n;
    if (any & kNegativeW) {
        const double least = std::numeric_limits<float>::min() * std::max(largest, 1.0);
        polygon.cut([&](const Point& p) { return p.position[3] - least; });
        // The new corners are as far away as the other planes let them be.
        any |= (state.near ? kNear : 0u) | (state.far ? kFar : 0u) |
               (state.guard_band || state.viewport_xy ? kGuard : 0u);
    }
    if (any & kNear)
        polygon.cut([&](const Point& p) {
            return state.depth_from_zero ? p.position[2] : p.position[2] + p.position[3];
        });
    if (any & kFar) polygon.cut([](const Point& p) { return p.position[3] - p.position[2]; });
    if (any & kGuard) {
        const Limits limits = state.guard_band ? state.guard : Limits{};
        polygon.cut([&](const Point& p) { return p.position[0] - limits.x_min * p.position[3]; });
        polygon.cut([&](const Point& p) { return limits.x_max * p.position[3] - p.position[0]; });
        polygon.cut([&](const Point& p) { return p.position[1] - limits.y_min * p.position[3]; });
        polygon.cut([&](const Point& p) { return limits.y_max * p.position[3] - p.position[1]; });
    }
    for (unsigned i = 0; i < 8; ++i) {
        if ((any >> (kUserShift + i) & 1) == 0) continue;
        std::array<double, 3> distance{};
        for (unsigned v = 0; v < n; ++v)
            distance[v] = vertices[v].distance[i];
        polygon.cut([&](const Point& p) { return weighted(p, distance); });
    }

    Piece piece;
    if (polygon.count < n) return piece;
    std::array<double, 3> w{};
    for (unsigned v = 0; v < n; ++v)
        w[v] = vertices[v].position[3];
    for (unsigned i = 0; i < polygon.count; ++i) {
        const Point& p = polygon.points[i];
        Corner& corner = piece.corners[i];
        for (unsigned c = 0; c < 4; ++c) {
            // Infinite vertices leave nothing that can be computed.
            if (!std::isfinite(p.position[c])) return {};
            corner.position[c] = static_cast<float>(p.position[c]);
        }
        corner.original = static_cast<std::int8_t>(p.original);
        corner.b1 = p.weights[1];
        corner.b2 = p.weights[2];
        if (state.divides) {
            const double sum = weighted(p, w);
            corner.l1 = p.weights[1] * w[1] / sum;
            corner.l2 = p.weights[2] * w[2] / sum;
        } else {
            corner.l1 = corner.b1;
            corner.l2 = corner.b2;
            corner.position[3] = static_cast<float>(weighted(p, w));
        }
    }
    piece.count = polygon.count;
    return piece;
}

}  // namespace gen9::clip
