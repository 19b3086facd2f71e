// SPDX-License-Identifier: Apache-2.0
/// The sides of what is drawn: integers in steps of the screen's grid.
#pragma once
#include <span>

#include "interconnect/payload/set_up_object.h"

namespace gen9::setup {

/// A convex shape's sides, and the box of its corners.
struct Shape {
    std::uint8_t side_count = 0;
    std::array<HalfPlane, 4> sides;
    ScreenPoint least, most;
};

/// The side from a to b of a shape whose corners are in clockwise order, with the rule for top and
/// left edges (WM-25).
HalfPlane side(ScreenPoint a, ScreenPoint b);
/// A triangle of either order, with an area.
Shape triangle_shape(const std::array<ScreenPoint, 3>& vertices);
/// The box of a rectangle's three vertices (SF-15).
Shape rectangle_shape(const std::array<ScreenPoint, 3>& vertices);
/// The square of a point between two corners (SF-21).
Shape point_shape(ScreenPoint least, ScreenPoint most, bool upper_right);

/// Diagonal lines count as x-major (SF-40).
bool x_major(ScreenPoint from, ScreenPoint to);
/// The ends moved by half the width along the minor axis. `half_width`: in steps.
Shape wide_line_shape(ScreenPoint from, ScreenPoint to, std::int32_t half_width);
/// Sides at half the width from the line, caps `beyond` its ends; the corners lie on the grid
/// (Assumed). All in pixels.
Shape rectangular_line_shape(ScreenPoint from, ScreenPoint to, double half_width, double beyond);
/// Contains every pixel centre whose diamond the line may meet.
Shape cosmetic_line_shape(ScreenPoint from, ScreenPoint to);

/// The pixels that have a part of the box.
PixelRectangle pixels_of(ScreenPoint least, ScreenPoint most);

}  // namespace gen9::setup
