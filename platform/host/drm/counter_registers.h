// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace gen9::drm {

/// Registers, by offset, that a configuration of the performance counters may set.
/// Source   Public: Linux i915 (i915_perf.c, the ranges of Gen8 to Gen9)
struct CounterRegisters {
    std::uint32_t first, last;
};
/// What is counted: sources and the network that leads them to the OA unit.
inline constexpr CounterRegisters kMuxRegisters[] = {
    {0x0D00, 0x0D2C},  // RPM_CONFIG0 to NOA_CONFIG8
    {0x20CC, 0x20CC},  // WAIT_FOR_RC6_EXIT
    {0x91B8, 0x91CC},  // OA_PERFCNT1, OA_PERFCNT2, OA_PERFMATRIX
    {0x9800, 0x9888},  // MICRO_BP0_0 to NOA_WRITE
    {0xE180, 0xE180},  // HALF_SLICE_CHICKEN2
};
/// What B and C make of it.
inline constexpr CounterRegisters kBooleanRegisters[] = {
    {0x2710, 0x272C},  // OASTARTTRIG1 to 8
    {0x2740, 0x275C},  // OAREPORTTRIG1 to 8
    {0x2770, 0x27AC},  // OACEC0_0 to OACEC7_1
};
/// Which events of EUs A7 to A20 count: EU_PERF_CNT_CTL0 to 6. Each context has its own.
inline constexpr CounterRegisters kFlexRegisters[] = {
    {0xE458, 0xE458}, {0xE558, 0xE558}, {0xE658, 0xE658}, {0xE758, 0xE758},
    {0xE45C, 0xE45C}, {0xE55C, 0xE55C}, {0xE65C, 0xE65C},
};

constexpr bool is_one_of(std::span<const CounterRegisters> registers, std::uint32_t offset) {
    for (const CounterRegisters& range : registers)
        if (offset >= range.first && offset <= range.last) return true;
    return false;
}

}  // namespace gen9::drm
