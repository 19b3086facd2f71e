// SPDX-License-Identifier: Apache-2.0
/// Which way an object faces, and what of it is drawn.
#pragma once
#include <cstdint>
#include <span>

#include "packets/topology.h"
#include "setup/state.h"

namespace gen9::setup {

ObjectType object_type(packets::Topology topology);
/// Topologies whose points and lines face away (SF-08, SF-10).
bool faces_away(packets::Topology topology);
/// Topologies that the polygon stipple applies to (WM-29).
bool takes_polygon_stipple(packets::Topology topology);

/// Twice the area in traversal order, in squares of steps: positive is clockwise on the screen.
std::int64_t doubled_area(const std::array<ScreenPoint, 3>& vertices);
/// Do all vertices of an object coincide, or those of a triangle lie on a line (SF-27)?
bool degenerate(ObjectType type, std::span<const ScreenPoint> vertices);

/// `inverted`: of every second triangle of a strip, whose traversal order is the wrong way round.
/// A triangle without area faces away (SF-28).
bool back_facing(std::int64_t doubled_area, bool inverted, bool front_counter_clockwise);
bool culled(bool back_facing, CullMode cull);

}  // namespace gen9::setup
