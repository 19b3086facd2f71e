// SPDX-License-Identifier: Apache-2.0
#include "cs/command/performance.h"

namespace gen9::cs {

// Four DWords that every layout has, then counters. A32u40_A4u32_B8_C8 has the low halves of A0 to
// A31, A32 to A35 of one DWord each, and a high byte for each of A0 to A31; the layouts with 12 A
// counters have the low halves of A7 to A18.
PerformanceReport performance_report(const PerformanceCounters& counters, std::uint32_t control,
                                     std::uint32_t first, std::uint64_t timestamp,
                                     std::uint32_t context_id) {
    constexpr unsigned kFirstCounter = 4, kWideCounters = 32, kHighBytes = 40;
    constexpr unsigned kFirstOfTwelve = 7;
    PerformanceReport report;
    report.size_bytes = oa_report_bytes(control);
    auto& words = report.words;
    words[0] = first;
    words[1] = static_cast<std::uint32_t>(timestamp);
    words[2] = context_id;
    words[3] = static_cast<std::uint32_t>(counters.clocks);
    const OaLayout layout = oa_layout(control);
    if (layout == OaLayout::A12 || layout == OaLayout::A12B8C8)
        for (unsigned i = 0; i < 12; ++i)
            words[kFirstCounter + i] = static_cast<std::uint32_t>(counters.a[kFirstOfTwelve + i]);
    if (layout != OaLayout::A36B8C8) return report;
    for (unsigned i = 0; i < counters.a.size(); ++i) {
        words[kFirstCounter + i] = static_cast<std::uint32_t>(counters.a[i]);
        if (i < kWideCounters)
            words[kHighBytes + i / 4] |= static_cast<std::uint32_t>(counters.a[i] >> 32 & 0xFF)
                                         << 8 * (i % 4);
    }
    return report;
}

std::optional<GpuAddr> next_report_place(RegisterFile& registers) {
    const std::uint32_t buffer = registers.read(OABUFFER);
    const std::uint32_t size = (128u << 10) << (buffer >> 3 & 7), base = buffer & ~(size - 1);
    const std::uint32_t control = registers.read(OACONTROL), bytes = oa_report_bytes(control);
    if (!(control & kOaEnable) || base == 0 || bytes == 0) return {};
    const std::uint32_t tail = base + ((registers.read(OATAILPTR) & ~63u) - base) % size;
    const std::uint32_t next = base + (tail - base + bytes) % size;
    // Assumed: a full buffer keeps its oldest reports.
    if (next == (registers.read(OAHEADPTR) & ~63u)) {
        registers.set(OASTATUS, registers.read(OASTATUS) | kOaReportLost | kOaBufferOverflow);
        return {};
    }
    registers.set(OATAILPTR, next);
    return GpuAddr(tail);
}

void CounterGate::set(bool open, const PerformanceCounters& now) {
    if (open == open_) return;
    if (open)
        left_out_ = left_out_ + (now - closed_at_);
    else
        closed_at_ = now;
    open_ = open;
}

PerformanceCounters CounterGate::shown(const PerformanceCounters& now) const {
    return (open_ ? now : closed_at_) - left_out_;
}

}  // namespace gen9::cs
