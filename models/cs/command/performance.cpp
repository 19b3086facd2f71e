// SPDX-License-Identifier: Apache-2.0
#include "cs/command/performance.h"

namespace gen9::cs {

// The low halves of A0 to A31, A32 to A35 of one DWord each, a high byte for each of A0 to A31.
PerformanceReport performance_report(const PerformanceCounters& counters, std::uint32_t first,
                                     std::uint64_t timestamp, std::uint32_t context_id) {
    constexpr unsigned kFirstCounter = 4, kWideCounters = 32, kHighBytes = 40;
    PerformanceReport report{};
    report[0] = first;
    report[1] = static_cast<std::uint32_t>(timestamp);
    report[2] = context_id;
    report[3] = static_cast<std::uint32_t>(counters.clocks);
    for (unsigned i = 0; i < counters.a.size(); ++i) {
        report[kFirstCounter + i] = static_cast<std::uint32_t>(counters.a[i]);
        if (i < kWideCounters)
            report[kHighBytes + i / 4] |= static_cast<std::uint32_t>(counters.a[i] >> 32 & 0xFF)
                                          << 8 * (i % 4);
    }
    return report;
}

std::optional<GpuAddr> next_report_place(RegisterFile& registers) {
    const std::uint32_t buffer = registers.read(OABUFFER);
    const std::uint32_t size = (128u << 10) << (buffer >> 3 & 7), base = buffer & ~(size - 1);
    if (!(registers.read(OACONTROL) & kOaEnable) || base == 0) return {};
    const std::uint32_t tail = base + ((registers.read(OATAILPTR) & ~63u) - base) % size;
    const std::uint32_t next = base + (tail - base + kOaReportBytes) % size;
    // Assumed: a full buffer keeps its oldest reports.
    if (next == (registers.read(OAHEADPTR) & ~63u)) {
        registers.set(OASTATUS, registers.read(OASTATUS) | kOaReportLost | kOaBufferOverflow);
        return {};
    }
    registers.set(OATAILPTR, next);
    return GpuAddr(tail);
}

}  // namespace gen9::cs
