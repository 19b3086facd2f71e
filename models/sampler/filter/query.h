// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// resinfo returns the size of a level and the count of them (SMP-165).
std::array<std::uint32_t, 4> resource_info(const SampledSurface& surface, std::uint32_t lod);

struct LodAnswer {
    float clamped = 0, unclamped = 0;
};
/// The LOD message returns this (SMP-164).
LodAnswer query_lod(const Request& request, unsigned sample);

}  // namespace gen9::sampler
