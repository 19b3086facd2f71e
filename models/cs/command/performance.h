// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "cs/bus.h"
#include "cs/registers/registers.h"

namespace gen9::cs {

/// Reports of the performance counters (OA): by MI_REPORT_PERF_COUNT, by a timer, and at context
/// switches.
/// Spec     CS-104; Public: Linux i915 (registers, reasons, buffer), Mesa's oa-sklgt2.xml
/// (counters)
inline constexpr std::uint32_t kOaReportBytes = 256;
using PerformanceReport = std::array<std::uint32_t, kOaReportBytes / 4>;

/// OACONTROL: the counters count; the reports' layout, of which one is modelled
/// (A32u40_A4u32_B8_C8, 256 bytes).
inline constexpr std::uint32_t kOaEnable = 1u << 0, kOaOneContext = 1u << 1;
inline constexpr std::uint32_t kOaFormat256 = 5;
constexpr std::uint32_t oa_format(std::uint32_t control) {
    return control >> 2 & 7;
}
/// OACTXCONTROL: a report every 2^(exponent + 1) ticks of TIMESTAMP.
inline constexpr std::uint32_t kOaTimer = 1u << 1;
constexpr std::uint64_t oa_period(std::uint32_t context_control) {
    return 2ull << (context_control >> 2 & 0x3F) % 63;
}
/// OASTATUS.
inline constexpr std::uint32_t kOaReportLost = 1u << 0, kOaBufferOverflow = 1u << 1;
/// OA_DEBUG: no report at context switches.
inline constexpr std::uint32_t kOaNoSwitchReports = 1u << 1;
/// Reasons, in bits 24:19 of a report's first DWord, and the flag that its context id is valid.
inline constexpr std::uint32_t kOaTimerReason = 1u << 19, kOaSwitchReason = 1u << 22;
inline constexpr std::uint32_t kOaContextValid = 1u << 16;

/// `first`: the report's id, or its reason. A1 to A3, A5, A6 and all of B and C stand at 0.
PerformanceReport performance_report(const PerformanceCounters& counters, std::uint32_t first,
                                     std::uint64_t timestamp, std::uint32_t context_id);

/// Place of the next report in the buffer that OABUFFER names, in the GGTT. Nothing when the buffer
/// is off, or full, which OASTATUS says. OATAILPTR moves on.
std::optional<GpuAddr> next_report_place(RegisterFile& registers);

}  // namespace gen9::cs
