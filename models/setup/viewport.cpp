// SPDX-License-Identifier: Apache-2.0
#include "setup/viewport.h"

#include <cmath>

namespace gen9::setup {

Position divide(const Position& clip) {
    return {clip.x / clip.w, clip.y / clip.w, clip.z / clip.w, 1.0f / clip.w};
}

Position to_screen(const Position& divided, const Viewport* viewport,
                   const DrawingRectangle& drawing) {
    Position screen = divided;
    if (viewport) {
        screen.x = screen.x * viewport->m00 + viewport->m30;
        screen.y = screen.y * viewport->m11 + viewport->m31;
        screen.z = screen.z * viewport->m22 + viewport->m32;
    }
    screen.x += drawing.origin_x;
    screen.y += drawing.origin_y;
    return screen;
}

bool invalid(const Position& position) {
    return std::isnan(position.x) || std::isnan(position.y) || std::isnan(position.z) ||
           std::isnan(position.w);
}

std::int32_t snap(double pixels, bool coarse) {
    const double inside = std::clamp(pixels, -32768.0, 32767.0);
    const int steps = coarse ? 16 : kPixelSteps;
    return static_cast<std::int32_t>(std::nearbyint(inside * steps)) * (kPixelSteps / steps);
}

namespace {

constexpr double kFarPixels = 1 << 20;  ///< outside of every render target

std::int32_t whole_pixel(double pixel) {
    return static_cast<std::int32_t>(std::clamp(pixel, -kFarPixels, kFarPixels));
}

}  // namespace

// Only the inclusion of centres gives what the APIs ask for: 10.5 to 19.5 is 10 to 19 (Assumed:
// SF-33 does not say how the extents are rounded).
PixelRectangle extent_pixels(const Viewport& viewport) {
    const auto first = [](double least) { return whole_pixel(std::ceil(least - 0.5)); };
    const auto last = [](double most) { return whole_pixel(std::ceil(most + 0.5) - 1); };
    const float all[] = {viewport.min_x, viewport.max_x, viewport.min_y, viewport.max_y};
    if (std::any_of(std::begin(all), std::end(all), [](float v) { return std::isnan(v); }))
        return {};
    return {first(viewport.min_x), first(viewport.min_y), last(viewport.max_x),
            last(viewport.max_y)};
}

PixelRectangle clip_rectangle(const DrawingRectangle& drawing, const Scissor* scissor,
                              const Viewport* viewport) {
    const auto moved = [&](PixelRectangle pixels) {
        pixels.min_x += drawing.origin_x, pixels.max_x += drawing.origin_x;
        pixels.min_y += drawing.origin_y, pixels.max_y += drawing.origin_y;
        return pixels;
    };
    PixelRectangle clip{drawing.min_x, drawing.min_y, drawing.max_x, drawing.max_y};
    if (scissor)
        clip = intersection(
            clip, moved({scissor->min_x, scissor->min_y, scissor->max_x, scissor->max_y}));
    if (viewport) clip = intersection(clip, moved(extent_pixels(*viewport)));
    return clip;
}

}  // namespace gen9::setup
