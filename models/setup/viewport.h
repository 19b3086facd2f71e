// SPDX-License-Identifier: Apache-2.0
/// From clip space to the screen's grid, and the rectangle that nothing is drawn outside of.
#pragma once
#include <optional>

#include "setup/state.h"

namespace gen9::setup {

/// Clip space, or with the perspective divide done: w is then 1/w.
struct Position {
    float x = 0, y = 0, z = 0, w = 1;
};

/// The perspective divide (CL-10): true divisions.
Position divide(const Position& clip);
/// Of a divided position; the origin of the drawing rectangle is added (SF-18, SF-22).
/// Without the viewport transform `viewport` is null.
Position to_screen(const Position& divided, const Viewport* viewport, const DrawingRectangle&);
/// Is any part not a number (SF-17)?
bool invalid(const Position& position);

/// The nearest step of the grid, ties to even, clamped to [-32768, 32767] pixels (SF-24, SF-25).
/// A coarse grid has 16 steps in a pixel.
std::int32_t snap(double pixels, bool coarse);

/// Pixels whose centres lie within the viewport's extents.
PixelRectangle extent_pixels(const Viewport& viewport);
/// The rectangle that everything is clipped to (SF-34). Without scissor or viewport transform the
/// pointers are null.
PixelRectangle clip_rectangle(const DrawingRectangle& drawing, const Scissor* scissor,
                              const Viewport* viewport);

}  // namespace gen9::setup
