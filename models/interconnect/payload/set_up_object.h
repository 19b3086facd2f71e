// SPDX-License-Identifier: Apache-2.0
/// What set-up hands to the rasteriser: one object, ready to be scanned and interpolated (SF-62).
/// Places on the screen are signed fixed point with 8 bits of fraction, y downwards.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace gen9 {

/// Steps of the screen's grid in a pixel.
inline constexpr std::int32_t kPixelSteps = 256;

struct ScreenPoint {
    std::int32_t x = 0, y = 0;
    bool operator==(const ScreenPoint&) const = default;
};

/// Pixels from min to max, both included.
struct PixelRectangle {
    std::int32_t min_x = 0, min_y = 0, max_x = -1, max_y = -1;
    bool empty() const { return min_x > max_x || min_y > max_y; }
    bool operator==(const PixelRectangle&) const = default;
};
inline PixelRectangle intersection(const PixelRectangle& a, const PixelRectangle& b) {
    return {std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), std::min(a.max_x, b.max_x),
            std::min(a.max_y, b.max_y)};
}

/// A side of a convex shape: p is inside if a * p.x + b * p.y + c > 0; if it is 0, the fill rule says.
struct HalfPlane {
    std::int64_t a = 0, b = 0, c = 0;
    bool inclusive = false;  ///< places on the side are inside
};

enum class ObjectType : std::uint8_t { Point, Line, Triangle, Rectangle };

/// How multisampling places the tests of coverage (WM-17; 3DSTATE_RASTER's codes).
enum class MultisampleMode : std::uint8_t { OffPixel, OffPattern, OnPixel, OnPattern };

/// How a line's pixels are found (SF-35, WM-18).
enum class LineStyle : std::uint8_t {
    Wide,         ///< a parallelogram with caps along an axis
    Cosmetic,     ///< the diamond exit rule
    Smooth,       ///< a rectangle whose pixels have a coverage of their own
    Multisample,  ///< a rectangle, tested at each sample
};

/// The two ends of a line and what its style needs.
struct LineFacts {
    ScreenPoint from, to;
    LineStyle style = LineStyle::Wide;
    bool last_pixel = false;      ///< cosmetic: the pixel the line ends in is lit
    bool stippled = false;        ///< the stipple pattern applies to it
    bool restart_stipple = true;  ///< its first pixel has the pattern's first bit
    float width = 0;              ///< pixels
    float side_region = 0;        ///< smooth: pixels over which the sides rise, from both together
    float cap_region = 0;         ///< smooth: pixels over which an end falls
};

/// The corners of an object in the barycentrics of the object that it is a part of.
struct CornerWeights {
    std::array<float, 3> b1{}, b2{};
};

/// Screen-linear weights l1 and l2 of the object's vertices 1 and 2, and what else is interpolated
/// by them. With d = p - origin: l1 = (a1 * d.x + b1 * d.y) * scale, l2 alike. The sums in
/// parentheses are integers of less than 53 bits: in double they are exact.
struct Interpolation {
    ScreenPoint origin;
    double a1 = 0, b1 = 0, a2 = 0, b2 = 0, scale = 0;
    std::array<float, 3> rhw{1, 1, 1};  ///< 1/w of the vertices
    bool perspective = false;           ///< they differ
    /// It is a piece of a clipped object, or an edge of a triangle: its own weights give those of
    /// the whole by its corners'.
    bool part = false;
    CornerWeights perspective_corners, linear_corners;
    /// z = z0 + l1 * z1 + l2 * z2, depth bias included, not clamped.
    double z0 = 0, z1 = 0, z2 = 0;
    float depth_slope = 0;  ///< the larger of |dz/dx| and |dz/dy|, for a pixel
};

/// One attribute's part of the thread payload, two registers: for X, Y, Z and W each
/// a1, a2, 0 and a0.
using AttributeDeltas = std::array<std::uint32_t, 16>;
inline constexpr unsigned kMaxAttributes = 32;

struct SetUpObject {
    ObjectType type = ObjectType::Triangle;
    std::uint8_t topology = 0;     ///< 3D_Prim_Topo_Type as it reaches the windower
    bool back_facing = false;      ///< an edge or a corner faces as its triangle
    bool polygon_stipple = false;  ///< the polygon stipple applies to it
    bool round = false;            ///< a point drawn as a circle around `vertices[0]`
    std::uint8_t viewport = 0;
    std::uint16_t render_target_index = 0;
    std::uint32_t primitive_id = 0;

    std::uint8_t vertex_count = 0;
    std::array<ScreenPoint, 3> vertices;
    std::uint8_t side_count = 0;  ///< of a convex shape
    std::array<HalfPlane, 4> sides;
    PixelRectangle bounds;  ///< no pixel outside is lit: the shape's box within the clip rectangle
    LineFacts line;
    bool smooth_line() const { return type == ObjectType::Line && line.style == LineStyle::Smooth; }
    std::int32_t point_radius = 0;  ///< of a round point, in steps

    Interpolation interpolation;
    std::uint8_t attribute_count = 0;
    std::array<AttributeDeltas, kMaxAttributes> attributes;  ///< `attribute_count` of them are set

    std::shared_ptr<const void> state;  ///< the draw's state, of whoever made the object
};

}  // namespace gen9
