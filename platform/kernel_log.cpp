// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_log.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "hdc/module.h"

namespace gen9::platform {
namespace {

std::string text_of(GpuAddr address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address.value));
    return text;
}

}  // namespace

void KernelLog::watch(sc_core::sc_object& machine) {
    if (auto* const port = dynamic_cast<hdc::Hdc*>(&machine)) port->count_in(bytes_);
    for (sc_core::sc_object* part : machine.get_child_objects())
        watch(*part);
}

void KernelLog::walker_began(const WalkerRecord& walker) {
    begun_ = true;
    bytes_.begun(walker.number + 1);
}

void KernelLog::walker_ended(const WalkerRecord& walker) {
    ended_.push_back(walker);
}

std::vector<KernelLog::Kernel> KernelLog::kernels(
    const std::vector<WalkerRecord>& unfinished) const {
    std::vector<Kernel> all;
    const auto add = [&](const WalkerRecord& walker, bool finished) {
        Kernel& kernel = all.emplace_back();
        kernel.walker = walker;
        kernel.finished = finished;
        // Now, for a walker's messages may be carried out behind its end.
        kernel.bytes = bytes_.of(walker.number);
    };
    for (const WalkerRecord& walker : ended_)
        add(walker, true);
    for (const WalkerRecord& walker : unfinished)
        add(walker, false);
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
        row->bytes.l3 += kernel.bytes.l3;
        row->bytes.slm += kernel.bytes.slm;
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
    }
    entry["l3_bytes"] = kernel.bytes.l3;
    entry["slm_bytes"] = kernel.bytes.slm;
    return entry;
}

}  // namespace gen9::platform
