// SPDX-License-Identifier: Apache-2.0
#include "setup/shape.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace gen9::setup {
namespace {

Shape convex(std::span<const ScreenPoint> corners) {
    Shape shape;
    shape.least = shape.most = corners[0];
    for (std::size_t k = 0; k < corners.size(); ++k) {
        shape.sides[shape.side_count++] = side(corners[k], corners[(k + 1) % corners.size()]);
        shape.least.x = std::min(shape.least.x, corners[k].x);
        shape.least.y = std::min(shape.least.y, corners[k].y);
        shape.most.x = std::max(shape.most.x, corners[k].x);
        shape.most.y = std::max(shape.most.y, corners[k].y);
    }
    return shape;
}

/// The parallelogram around a line with corners at from +- n and to +- n.
Shape along(ScreenPoint from, ScreenPoint to, ScreenPoint n) {
    std::array<ScreenPoint, 4> corners{ScreenPoint{from.x + n.x, from.y + n.y},
                                       {to.x + n.x, to.y + n.y},
                                       {to.x - n.x, to.y - n.y},
                                       {from.x - n.x, from.y - n.y}};
    const std::int64_t turn =
        std::int64_t{to.x - from.x} * -n.y - std::int64_t{to.y - from.y} * -n.x;
    if (turn < 0) std::swap(corners[1], corners[3]);
    return convex(corners);
}

}  // namespace

HalfPlane side(ScreenPoint a, ScreenPoint b) {
    const std::int64_t dx = b.x - a.x, dy = b.y - a.y;
    HalfPlane plane{-dy, dx, dy * a.x - dx * a.y, false};
    plane.inclusive = dy < 0 || (dy == 0 && dx > 0);
    return plane;
}

Shape triangle_shape(const std::array<ScreenPoint, 3>& v) {
    std::array<ScreenPoint, 3> corners = v;
    const std::int64_t turn = std::int64_t{v[1].x - v[0].x} * (v[2].y - v[0].y) -
                              std::int64_t{v[2].x - v[0].x} * (v[1].y - v[0].y);
    if (turn < 0) std::swap(corners[1], corners[2]);
    return convex(corners);
}

Shape point_shape(ScreenPoint least, ScreenPoint most, bool upper_right) {
    Shape shape;
    shape.least = least;
    shape.most = most;
    shape.side_count = 4;
    shape.sides = {HalfPlane{1, 0, -std::int64_t{least.x}, !upper_right},
                   HalfPlane{-1, 0, most.x, upper_right},
                   HalfPlane{0, 1, -std::int64_t{least.y}, true}, HalfPlane{0, -1, most.y, false}};
    return shape;
}

Shape rectangle_shape(const std::array<ScreenPoint, 3>& v) {
    const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
    const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
    return point_shape({left, top}, {right, bottom}, false);
}

bool x_major(ScreenPoint from, ScreenPoint to) {
    return std::abs(std::int64_t{to.x} - from.x) >= std::abs(std::int64_t{to.y} - from.y);
}

Shape wide_line_shape(ScreenPoint from, ScreenPoint to, std::int32_t half_width) {
    return along(from, to,
                 x_major(from, to) ? ScreenPoint{0, half_width} : ScreenPoint{half_width, 0});
}

Shape rectangular_line_shape(ScreenPoint from, ScreenPoint to, double half_width, double beyond) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const auto steps = [](double value) {
        return static_cast<std::int32_t>(std::nearbyint(value));
    };
    const double across = half_width * kPixelSteps / length, on = beyond * kPixelSteps / length;
    // A line of no width still has sides that do not coincide.
    ScreenPoint n{steps(dy * across), steps(-dx * across)};
    if (n == ScreenPoint{}) n = x_major(from, to) ? ScreenPoint{0, 1} : ScreenPoint{1, 0};
    const ScreenPoint end{steps(dx * on), steps(dy * on)};
    return along({from.x - end.x, from.y - end.y}, {to.x + end.x, to.y + end.y}, n);
}

Shape cosmetic_line_shape(ScreenPoint from, ScreenPoint to) {
    // A diamond reaches half a pixel from its centre along either axis; the sides are not inside.
    constexpr std::int32_t reach = kPixelSteps / 2 + 1;
    Shape shape = wide_line_shape(from, to, reach);
    // The caps lie beyond the ends.
    for (HalfPlane& plane : shape.sides)
        if (plane.a == 0 || plane.b == 0)
            plane.c += reach * (std::abs(plane.a) + std::abs(plane.b));
    const auto [left, right] = std::minmax({from.x, to.x});
    const auto [top, bottom] = std::minmax({from.y, to.y});
    shape.least = {left - 2 * reach, top - 2 * reach};
    shape.most = {right + 2 * reach, bottom + 2 * reach};
    return shape;
}

PixelRectangle pixels_of(ScreenPoint least, ScreenPoint most) {
    const auto pixel = [](std::int32_t step) { return step >> 8; };
    return {pixel(least.x), pixel(least.y), pixel(most.x), pixel(most.y)};
}

}  // namespace gen9::setup
