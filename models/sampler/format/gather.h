// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::sampler {

/// Loads a DWord of each of 16 elements of four places of a filter: element n of place k begins
/// `at[k][n]` bytes behind `base`.
using GatherFour = void (*)(const std::uint8_t* base, const std::array<std::uint32_t, 16>* at,
                            std::array<std::uint32_t, 16>* to);
/// By the host's instructions for it, if it has them; else plainly.
extern const GatherFour gather_four;
void gather_plainly(const std::uint8_t* base, const std::array<std::uint32_t, 16>* at,
                    std::array<std::uint32_t, 16>* to);

}  // namespace gen9::sampler
