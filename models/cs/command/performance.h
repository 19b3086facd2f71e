// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cs/bus.h"
#include "cs/registers/registers.h"

namespace gen9::cs {

/// Reports of the performance counters (OA): by MI_REPORT_PERF_COUNT, by a timer, and at context
/// switches.
/// Spec     CS-104; Public: Linux i915 (registers, reasons, buffer, layouts), the tests of its
/// driver (counters of each layout), Mesa's oa-sklgt2.xml (counters)
struct PerformanceReport {
    std::array<std::uint32_t, 64> words{};
    std::uint32_t size_bytes = 0;
    std::span<const std::uint8_t> bytes() const {
        return {reinterpret_cast<const std::uint8_t*>(words.data()), size_bytes};
    }
};

/// OACONTROL: the counters count; those of one context only, which OACTXID names.
inline constexpr std::uint32_t kOaEnable = 1u << 0, kOaOneContext = 1u << 1;
/// Its bits 4:2, the layout of reports: A12, A12_B8_C8, A32u40_A4u32_B8_C8, C4_B8.
enum class OaLayout : std::uint8_t { A12 = 0, A12B8C8 = 2, A36B8C8 = 5, C4B8 = 7 };
constexpr OaLayout oa_layout(std::uint32_t control) {
    return static_cast<OaLayout>(control >> 2 & 7);
}
/// 0: there is no such layout.
constexpr std::uint32_t oa_report_bytes(std::uint32_t control) {
    constexpr std::uint16_t kBytes[8] = {64, 0, 128, 0, 0, 256, 0, 64};
    return kBytes[static_cast<unsigned>(oa_layout(control))];
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

/// A report in the layout of OACONTROL. `first`: the report's id, or its reason. A1 to A3, A5, A6
/// and all of B and C stand at 0.
PerformanceReport performance_report(const PerformanceCounters& counters, std::uint32_t control,
                                     std::uint32_t first, std::uint64_t timestamp,
                                     std::uint32_t context_id);

/// Place of the next report in the buffer that OABUFFER names, in the GGTT. Nothing when the buffer
/// is off, or full, which OASTATUS says. OATAILPTR moves on.
std::optional<GpuAddr> next_report_place(RegisterFile& registers);

/// Counters that stand still at times: those of one context while another one runs.
class CounterGate {
  public:
    /// The counters stand at `now`, and count from here on or not.
    void set(bool open, const PerformanceCounters& now);
    bool open() const { return open_; }
    /// The counters' values when everything that is counted stands at `now`.
    PerformanceCounters shown(const PerformanceCounters& now) const;

  private:
    bool open_ = true;
    PerformanceCounters closed_at_, left_out_;
};

}  // namespace gen9::cs
