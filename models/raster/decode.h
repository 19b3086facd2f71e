// SPDX-License-Identifier: Apache-2.0
/// What the rasteriser knows of a draw's state.
#pragma once
#include "interconnect/payload/draw_state.h"
#include "raster/state.h"

namespace gen9::raster {

State decode(const Draw& draw);

}  // namespace gen9::raster
