// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "raster/coverage.h"

namespace gen9::raster {
namespace {

constexpr std::int64_t kHalf = kPixelSteps / 2;

/// A place relative to the centre of a diamond.
struct Offset {
    std::int64_t x, y;
};

bool x_major(const LineFacts& line) {
    return std::abs(line.to.x - line.from.x) >= std::abs(line.to.y - line.from.y);
}

/// The parts of a diamond's border that belong to it; y goes down.
struct Border {
    bool right = false, left = false;  ///< corners
    bool bottom_right_edge = false, bottom_left_edge = false;
};

/// SF-37, SF-38.
Border border(const LineFacts& line, bool legacy) {
    const std::int64_t dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
    const bool slope_one = dx == dy, slope_minus_one = dx == -dy;
    Border result;
    if (legacy) {
        result.left = slope_one;
        result.right = !slope_one;
        result.bottom_left_edge = slope_one;
        result.bottom_right_edge = slope_minus_one;
    } else {
        result.right = !x_major(line);
        result.bottom_left_edge = result.bottom_right_edge = true;
    }
    return result;
}

bool inside(const Offset& p, const Border& border) {
    const std::int64_t distance = std::abs(p.x) + std::abs(p.y);
    if (distance != kHalf) return distance < kHalf;
    if (p.x == 0) return p.y > 0;  // the bottom corner, not the top one
    if (p.y == 0) return p.x > 0 ? border.right : border.left;
    if (p.y < 0) return false;
    return p.x > 0 ? border.bottom_right_edge : border.bottom_left_edge;
}

/// Is the point (x, y) on the line between the ends, both included?
bool passes(const Offset& from, const Offset& to, const Offset& point) {
    const std::int64_t dx = to.x - from.x, dy = to.y - from.y;
    if (dx * (point.y - from.y) != dy * (point.x - from.x)) return false;
    const std::int64_t along = dx * (point.x - from.x) + dy * (point.y - from.y);
    return along >= 0 && along <= dx * dx + dy * dy;
}

/// Does a part of the line lie in the open diamond? |x| + |y| is convex along the line: it is
/// least at an end or where it crosses one of the axes.
bool meets_interior(const Offset& from, const Offset& to) {
    if (std::abs(from.x) + std::abs(from.y) < kHalf || std::abs(to.x) + std::abs(to.y) < kHalf)
        return true;
    const std::int64_t dx = to.x - from.x, dy = to.y - from.y;
    // The cross product is the same all along the line: at x = 0 it is -dx * y, at y = 0 dy * x.
    const std::int64_t cross = std::abs(dy * from.x - dx * from.y);
    const bool between_x = std::min(from.x, to.x) <= 0 && std::max(from.x, to.x) >= 0;
    const bool between_y = std::min(from.y, to.y) <= 0 && std::max(from.y, to.y) >= 0;
    if (dx != 0 && between_x && cross < kHalf * std::abs(dx)) return true;
    return dy != 0 && between_y && cross < kHalf * std::abs(dy);
}

bool meets(const Offset& from, const Offset& to, const Border& border) {
    if (meets_interior(from, to) || inside(from, border) || inside(to, border)) return true;
    const Offset corners[] = {{0, kHalf}, {kHalf, 0}, {-kHalf, 0}};
    for (const Offset& corner : corners)
        if (inside(corner, border) && passes(from, to, corner)) return true;
    // A line along an edge meets that edge if it passes any place of it between the corners: the
    // middle, or it ends on the edge, which has been seen.
    const Offset middles[] = {{kHalf / 2, kHalf / 2}, {-kHalf / 2, kHalf / 2}};
    for (const Offset& middle : middles)
        if (inside(middle, border) && passes(from, to, middle)) return true;
    return false;
}

}  // namespace

bool diamond_lit(const LineFacts& line, std::int32_t x, std::int32_t y, SamplePlace place,
                 bool legacy) {
    const std::int64_t cx = std::int64_t{x} * kPixelSteps + place.x * (kPixelSteps / 16);
    const std::int64_t cy = std::int64_t{y} * kPixelSteps + place.y * (kPixelSteps / 16);
    const Offset from{line.from.x - cx, line.from.y - cy}, to{line.to.x - cx, line.to.y - cy};
    const Border rules = border(line, legacy);
    if (!meets(from, to, rules)) return false;
    // A line that ends in the diamond does not leave it.
    return line.last_pixel || !inside(to, rules);
}

namespace {

/// The columns or rows whose centres lie in [least, most).
struct Span {
    std::int32_t first, last;
};
Span major_span(const LineFacts& line) {
    const bool x = x_major(line);
    const std::int32_t from = x ? line.from.x : line.from.y, to = x ? line.to.x : line.to.y;
    const auto first_behind = [](std::int32_t step) {
        return (step - static_cast<std::int32_t>(kHalf) + kPixelSteps - 1) >> 8;
    };
    return {first_behind(std::min(from, to)), first_behind(std::max(from, to)) - 1};
}

}  // namespace

std::uint32_t pattern_pixels(const LineFacts& line) {
    const Span span = major_span(line);
    return static_cast<std::uint32_t>(std::max(span.last - span.first + 1, 0));
}

std::uint32_t pattern_place(const LineFacts& line, std::int32_t column_or_row) {
    const Span span = major_span(line);
    const bool x = x_major(line);
    const bool backwards = x ? line.to.x < line.from.x : line.to.y < line.from.y;
    const std::int32_t place = backwards ? span.last - column_or_row : column_or_row - span.first;
    // Pixels of wide or cosmetic lines may lie a pixel beyond the ends.
    return static_cast<std::uint32_t>(std::max(place, 0));
}

bool in_line_pattern(std::uint16_t pattern, std::uint16_t repeat, std::uint32_t pixel) {
    return pattern >> pixel / std::max<std::uint32_t>(repeat, 1) % 16 & 1;
}

}  // namespace gen9::raster
