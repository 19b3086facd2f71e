// SPDX-License-Identifier: Apache-2.0
#include "setup/depth.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gen9::setup {

bool bias_applies(const DepthBias& bias, FillMode fill) {
    const bool enabled = fill == FillMode::Solid       ? bias.solid
                         : fill == FillMode::Wireframe ? bias.wireframe
                                                       : bias.point;
    return enabled && (bias.constant != 0 || bias.scale != 0);
}

float depth_bias(const DepthBias& bias, float slope, float most_z) {
    double unit = 1;
    if (!bias.legacy) {
        switch (bias.depth) {
            case DepthKind::Unorm16:
                unit = 1.0 / 65535;
                break;
            case DepthKind::None:  // Assumed: as with the format of most bits
            case DepthKind::Unorm24:
                unit = 1.0 / 16777215;
                break;
            case DepthKind::Float32: {
                const unsigned exponent = std::bit_cast<std::uint32_t>(most_z) >> 23 & 0xFF;
                unit = std::ldexp(1.0, std::max<int>(static_cast<int>(exponent), 1) - 127 - 23);
                break;
            }
        }
    }
    double sum = bias.constant * unit;
    // Neither may make the sum NaN if the other is infinite.
    if (bias.scale != 0 && slope != 0) sum += double{bias.scale} * slope;
    const float value = static_cast<float>(sum);
    if (bias.clamp > 0) return std::min(bias.clamp, value);
    if (bias.clamp < 0) return std::max(bias.clamp, value);
    return value;
}

Interpolation area_interpolation(const std::array<ScreenPoint, 3>& v) {
    Interpolation result;
    result.origin = v[0];
    const double x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y;
    const double x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y;
    result.a1 = y2, result.b1 = -x2;
    result.a2 = -y1, result.b2 = x1;
    result.scale = 1 / (x1 * y2 - x2 * y1);
    return result;
}

Interpolation line_interpolation(ScreenPoint from, ScreenPoint to) {
    Interpolation result;
    result.origin = from;
    result.a1 = to.x - from.x, result.b1 = to.y - from.y;
    result.scale = 1 / (result.a1 * result.a1 + result.b1 * result.b1);
    return result;
}

Interpolation point_interpolation(ScreenPoint least, ScreenPoint most) {
    Interpolation result;
    result.origin = least;
    const double width = most.x - least.x, height = most.y - least.y;
    result.a1 = height, result.b2 = width;
    result.scale = 1 / (width * height);
    return result;
}

void set_depth(Interpolation& interpolation, const std::array<float, 3>& z) {
    interpolation.z0 = z[0];
    interpolation.z1 = double{z[1]} - z[0];
    interpolation.z2 = double{z[2]} - z[0];
    const double pixel = interpolation.scale * kPixelSteps;
    const double dx =
        (interpolation.z1 * interpolation.a1 + interpolation.z2 * interpolation.a2) * pixel;
    const double dy =
        (interpolation.z1 * interpolation.b1 + interpolation.z2 * interpolation.b2) * pixel;
    interpolation.depth_slope = static_cast<float>(std::max(std::abs(dx), std::abs(dy)));
}

void set_perspective(Interpolation& interpolation, std::span<const float> rhw) {
    interpolation.rhw.fill(rhw[0]);
    std::copy(rhw.begin(), rhw.end(), interpolation.rhw.begin());
    interpolation.perspective =
        std::any_of(rhw.begin(), rhw.end(), [&](float r) { return r != rhw[0]; });
}

}  // namespace gen9::setup
