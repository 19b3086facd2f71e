// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "surface/format.h"
#include "surface/resolver.h"
#include "surface/surface.h"
#include "surface/tiling.h"

/// The data port takes this from the surfaces that all units share.
namespace gen9::hdc {

using namespace surface;
using SurfaceResolver = surface::Resolver<Surface, read_surface>;

}  // namespace gen9::hdc
