// SPDX-License-Identifier: Apache-2.0
#include "interpolation/smooth_line.h"

#include <algorithm>
#include <cmath>

namespace gen9::interpolation {

float smooth_coverage(const SetUpObject& object, std::int32_t x, std::int32_t y,
                      SamplePlace place) {
    const LineFacts& line = object.line;
    if (object.type != ObjectType::Line || line.style != LineStyle::Smooth) return 1;
    const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    const double px = static_cast<double>(x) * kPixelSteps + place.x * 16.0 - line.from.x;
    const double py = static_cast<double>(y) * kPixelSteps + place.y * 16.0 - line.from.y;
    const double along = (px * dx + py * dy) / length / kPixelSteps;
    const double across = std::abs(px * dy - py * dx) / length / kPixelSteps;
    const double beyond = std::max({-along, along - length / kPixelSteps, 0.0});
    const double sides = (line.width / 2.0 - across) / (line.side_region / 2.0);
    const double cap = 1 - beyond / line.cap_region;
    return static_cast<float>(std::clamp(sides, 0.0, 1.0) * std::clamp(cap, 0.0, 1.0));
}

}  // namespace gen9::interpolation
