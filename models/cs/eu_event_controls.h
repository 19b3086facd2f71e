// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::cs {

/// EU_PERF_CNT_CTL0 to 6: each chooses the events of EUs that two of A7 to A20 count.
using EuEventControls = std::array<std::uint32_t, 7>;

}  // namespace gen9::cs
