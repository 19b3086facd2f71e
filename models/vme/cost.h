// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "vme/choices.h"
#include "vme/message/inputs.h"

namespace gen9::vme {

/// Distortions have 16 bits and saturate; all ones also stands for a shape that was never searched.
inline constexpr std::uint32_t kMostDistortion = 0xFFFF;
constexpr std::uint32_t saturate(std::uint32_t distortion) {
    return distortion < kMostDistortion ? distortion : kMostDistortion;
}

/// The cost of one component at a distance from its centre, in units (VME-48; the index base is
/// that of the seed, which results of parts confirm).
std::uint32_t component_cost(const Costs& costs, std::uint32_t distance);

/// The cost of a vector: both components, capped together (VME-49).
std::uint32_t vector_cost(const Inputs& in, Vector vector, Vector centre);

/// The cost of a reference id (VME-50).
std::uint32_t ref_id_cost(const Inputs& in, std::uint8_t id);

/// The bias of a direction, once for each part or 8x8 block (VME-46, VME-47).
inline std::uint32_t bias(const Inputs& in, Direction direction) {
    return (direction == kForward) == in.costs.bias_forward ? in.costs.bias : 0;
}

/// The cost of a shape, once per macroblock or per 8x8 block (VME-46).
constexpr unsigned mode_index(MajorMode mode) {
    return mode == MajorMode::M16x16 ? 8 : 4;
}
constexpr unsigned mode_index(MinorMode mode) {
    return mode == MinorMode::M8x8 ? 5 : mode == MinorMode::M4x4 ? 7 : 6;
}

}  // namespace gen9::vme
