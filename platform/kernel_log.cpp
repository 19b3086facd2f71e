// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_log.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

namespace gen9::platform {
namespace {

std::string text_of(GpuAddr address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address.value));
    return text;
}

}  // namespace

KernelLog::KernelLog(const StatRegistry& stats)
    : l3_bytes_(stats, "hdc.l3_bytes"),
      slm_bytes_(stats, "hdc.slm_bytes"),
      l3_hits_(stats, "l3.*.hits"),
      l3_misses_(stats, "l3.*.misses") {}

KernelLog::Traffic KernelLog::traffic() const {
    return {l3_bytes_.value(), slm_bytes_.value(), l3_hits_.value(), l3_misses_.value()};
}

void KernelLog::walker_began(const WalkerRecord& walker) {
    open_.emplace_back(walker.number, traffic());
}

KernelLog::Kernel KernelLog::opened(const WalkerRecord& walker) const {
    Kernel kernel;
    kernel.walker = walker;
    for (const auto& [number, then] : open_) {
        if (number != walker.number) continue;
        const Traffic now = traffic();
        kernel.l3_bytes = now.l3_bytes - then.l3_bytes;
        kernel.slm_bytes = now.slm_bytes - then.slm_bytes;
        kernel.l3_hits = now.hits - then.hits;
        kernel.l3_misses = now.misses - then.misses;
    }
    return kernel;
}

void KernelLog::walker_ended(const WalkerRecord& walker) {
    kernels_.push_back(opened(walker));
    std::erase_if(open_, [&](const auto& entry) { return entry.first == walker.number; });
}

std::vector<KernelLog::Kernel> KernelLog::kernels(
    const std::vector<WalkerRecord>& unfinished) const {
    std::vector<Kernel> all = kernels_;
    for (const WalkerRecord& walker : unfinished)
        all.emplace_back(opened(walker)).finished = false;
    return all;
}

std::vector<KernelLog::Row> KernelLog::rows(const std::vector<Kernel>& kernels) {
    std::vector<Row> rows;
    for (const Kernel& kernel : kernels) {
        const WalkerRecord& walker = kernel.walker;
        const std::string label = kernel.name ? kernel.name->kernel : text_of(walker.kernel_start);
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
            return r.kernel_start == walker.kernel_start && r.simd_width == walker.simd_width &&
                   r.label == label;
        });
        if (row == rows.end()) {
            rows.emplace_back();
            row = rows.end() - 1;
            row->label = label;
            row->named = kernel.name != nullptr;
            row->kernel_start = walker.kernel_start;
            row->simd_width = walker.simd_width;
        }
        ++row->launches;
        row->unfinished += !kernel.finished;
        row->groups += std::uint64_t{walker.groups[0]} * walker.groups[1] * walker.groups[2];
        row->threads += walker.threads;
        row->instructions += walker.instructions;
        row->messages += walker.messages;
        if (kernel.timed && kernel.chosen) {
            ++row->timed_launches;
            row->timed_instructions += walker.instructions;
            row->cycles += cycles(kernel);
        }
        row->l3_bytes += kernel.l3_bytes;
        row->slm_bytes += kernel.slm_bytes;
    }
    return rows;
}

std::uint64_t KernelLog::cycles(const Kernel& kernel) {
    return kernel.estimate != nullptr ? kernel.estimate->cycles
                                      : (kernel.walker.end - kernel.walker.begin).value;
}

boost::json::object KernelLog::to_json(const Kernel& kernel) {
    const WalkerRecord& walker = kernel.walker;
    boost::json::object entry = {{"number", walker.number},
                                 {"kernel_start", text_of(walker.kernel_start)},
                                 {"finished", kernel.finished},
                                 {"simd_width", walker.simd_width},
                                 {"groups", {walker.groups[0], walker.groups[1], walker.groups[2]}},
                                 {"threads", walker.threads},
                                 {"instructions", walker.instructions},
                                 {"messages", walker.messages}};
    if (kernel.name) add_to(entry, *kernel.name);
    if (kernel.timed) {
        entry["begin_cycle"] = walker.begin.value;
        entry["cycles"] = cycles(kernel);
    }
    if (kernel.estimate != nullptr) {
        entry["sample"] = {{"groups", kernel.estimate->groups_timed},
                           {"windows", kernel.estimate->windows},
                           {"margin", kernel.estimate->margin},
                           {"confidence", GroupSample::kConfidence}};
    } else if (kernel.timed) {
        entry["l3_hits"] = kernel.l3_hits;
        entry["l3_misses"] = kernel.l3_misses;
    }
    entry["l3_bytes"] = kernel.l3_bytes;
    entry["slm_bytes"] = kernel.slm_bytes;
    return entry;
}

}  // namespace gen9::platform
