// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "setup/state.h"

namespace gen9::setup {

/// Is the bias of a fill mode in use (SF-43)?
bool bias_applies(const DepthBias& bias, FillMode fill);
/// What is added to z (DZ-02 to DZ-04). `slope`: the larger of |dz/dx| and |dz/dy| (DZ-01);
/// `most_z`: of the object's vertices.
float depth_bias(const DepthBias& bias, float slope, float most_z);

/// Weights of the vertices 1 and 2 of a triangle or rectangle with an area.
Interpolation area_interpolation(const std::array<ScreenPoint, 3>& vertices);
/// The weight of the second end: the projection on the line.
Interpolation line_interpolation(ScreenPoint from, ScreenPoint to);
/// From 0 at the upper left corner of a point to 1 at the lower right one.
Interpolation point_interpolation(ScreenPoint least, ScreenPoint most);
void set_depth(Interpolation& interpolation, const std::array<float, 3>& z);
/// 1/w of the vertices that count.
void set_perspective(Interpolation& interpolation, std::span<const float> rhw);

}  // namespace gen9::setup
