// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "interpolation/multisample.h"

namespace gen9::interpolation {

/// The share of a pixel that a smooth line has at a place in it (SF-42); 1 of all other objects.
float smooth_coverage(const SetUpObject& object, std::int32_t x, std::int32_t y, SamplePlace place);

}  // namespace gen9::interpolation
