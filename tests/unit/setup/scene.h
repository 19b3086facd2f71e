// SPDX-License-Identifier: Apache-2.0
/// Draws and objects for the tests of set-up and rasteriser.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <vector>

#include "setup/core.h"

namespace gen9::setup::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

/// A draw in pixels: neither viewport transform nor scissor, and nothing is clipped.
inline Draw pixel_draw() {
    Draw draw;
    draw.drawing.max_x = draw.drawing.max_y = 0xFFFF;
    return draw;
}

/// An OpenGL draw to a whole target of such a size.
inline Draw viewport_draw(float width, float height) {
    Draw draw = pixel_draw();
    draw.state.viewport_transform = true;
    Viewport& viewport = draw.viewports[0];
    viewport.m00 = viewport.m30 = width / 2;
    viewport.m11 = viewport.m31 = height / 2;
    viewport.m22 = viewport.m32 = 0.5f;
    viewport.max_x = width - 1;
    viewport.max_y = height - 1;
    return draw;
}

inline Object object_of(packets::Topology topology, std::initializer_list<Position> positions) {
    Object object;
    object.topology = topology;
    unsigned v = 0;
    for (const Position& position : positions)
        object.vertices[v++].position = position;
    return object;
}

inline Position pixel(float x, float y, float z = 0, float rhw = 1) {
    return {x, y, z, rhw};
}
/// A place of the grid as a position.
inline Position grid(std::int32_t x, std::int32_t y) {
    return pixel(static_cast<float>(x) / 256, static_cast<float>(y) / 256);
}

/// The one object that it becomes; fails loudly if it becomes none.
inline SetUpObject made(const Draw& draw, const Object& object) {
    Objects out;
    if (set_up(draw, object, out).count != 1) throw std::runtime_error("not one object");
    return out[0];
}

}  // namespace gen9::setup::test
