// SPDX-License-Identifier: Apache-2.0
#include "setup/orientation.h"

namespace gen9::setup {

using packets::Topology;

ObjectType object_type(Topology topology) {
    switch (packets::rules_of(topology).kind) {
        case packets::ObjectKind::Point:
            return ObjectType::Point;
        case packets::ObjectKind::Line:
            return ObjectType::Line;
        case packets::ObjectKind::Rectangle:
            return ObjectType::Rectangle;
        default:
            return ObjectType::Triangle;
    }
}

bool faces_away(Topology topology) {
    return topology == Topology::PointListBf || topology == Topology::LineStripBf ||
           topology == Topology::LineStripContBf;
}

bool takes_polygon_stipple(Topology topology) {
    return object_type(topology) == ObjectType::Triangle && topology != Topology::TriFanNoStipple;
}

std::int64_t doubled_area(const std::array<ScreenPoint, 3>& v) {
    const std::int64_t x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y;
    const std::int64_t x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y;
    return x1 * y2 - x2 * y1;
}

bool degenerate(ObjectType type, std::span<const ScreenPoint> v) {
    switch (type) {
        case ObjectType::Point:
            return false;  // its corners are not known yet
        case ObjectType::Line:
            return v[0] == v[1];
        case ObjectType::Triangle:
            return doubled_area({v[0], v[1], v[2]}) == 0;
        case ObjectType::Rectangle: {
            const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
            const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
            return left == right || top == bottom;
        }
    }
    return false;
}

bool back_facing(std::int64_t doubled_area, bool inverted, bool front_counter_clockwise) {
    if (doubled_area == 0) return true;
    const bool clockwise = (doubled_area > 0) != inverted;
    return clockwise == front_counter_clockwise;
}

bool culled(bool back_facing, CullMode cull) {
    switch (cull) {
        case CullMode::Both:
            return true;
        case CullMode::None:
            return false;
        case CullMode::Front:
            return !back_facing;
        case CullMode::Back:
            return back_facing;
    }
    return false;
}

}  // namespace gen9::setup
