// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/kernel_log.h"

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
    if (auto* const port = dynamic_cast<hdc::Hdc*>(&machine)) port->count_in(add_port());
    for (sc_core::sc_object* part : machine.get_child_objects())
        watch(*part);
}

void KernelLog::work_began(const WorkRecord& work) {
    begun_ = true;
    for (BytesByWork& port : ports_)
        port.begun(work.number + 1);
}

void KernelLog::work_ended(const WorkRecord& work) {
    ended_.push_back(work);
}

std::vector<KernelLog::Kernel> KernelLog::kernels(const std::vector<WorkRecord>& unfinished) const {
    std::vector<Kernel> all;
    const auto add = [&](const WorkRecord& work, bool finished) {
        Kernel& kernel = all.emplace_back();
        kernel.work = work;
        kernel.finished = finished;
        // Now, for a walker's messages may be carried out behind its end.
        for (const BytesByWork& port : ports_) {
            const MessageBytes bytes = port.of(work.number);
            kernel.bytes.l3 += bytes.l3;
            kernel.bytes.slm += bytes.slm;
        }
    };
    for (const WorkRecord& work : ended_)
        add(work, true);
    for (const WorkRecord& work : unfinished)
        add(work, false);
    return all;
}

std::vector<KernelLog::Row> KernelLog::rows(const std::vector<Kernel>& kernels) {
    std::vector<Row> rows;
    for (const Kernel& kernel : kernels) {
        const WorkRecord& work = kernel.work;
        const std::string label = kernel.name      ? kernel.name->kernel
                                  : work.is_draw() ? work.name
                                                   : text_of(work.kernel_start);
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
            return r.kernel_start == work.kernel_start && r.simd_width == work.simd_width &&
                   r.label == label;
        });
        if (row == rows.end()) {
            rows.emplace_back();
            row = rows.end() - 1;
            row->label = label;
            row->named = kernel.name != nullptr;
            row->kernel_start = work.kernel_start;
            row->simd_width = work.simd_width;
        }
        ++row->launches;
        row->unfinished += !kernel.finished;
        row->groups += std::uint64_t{work.groups[0]} * work.groups[1] * work.groups[2];
        row->threads += work.threads;
        row->instructions += work.instructions;
        row->messages += work.messages;
        if (kernel.timed && kernel.chosen) {
            ++row->timed_launches;
            row->timed_instructions += work.instructions;
            row->cycles += cycles(kernel);
        }
        row->bytes.l3 += kernel.bytes.l3;
        row->bytes.slm += kernel.bytes.slm;
    }
    return rows;
}

std::uint64_t KernelLog::cycles(const Kernel& kernel) {
    return kernel.estimate != nullptr ? kernel.estimate->cycles
                                      : (kernel.work.end - kernel.work.begin).value;
}

boost::json::object KernelLog::to_json(const Kernel& kernel) {
    const WorkRecord& work = kernel.work;
    boost::json::object entry = {{"number", work.number},
                                 {"command", work.name},
                                 {"kernel_start", text_of(work.kernel_start)},
                                 {"finished", kernel.finished},
                                 {"simd_width", work.simd_width},
                                 {"groups", {work.groups[0], work.groups[1], work.groups[2]}},
                                 {"threads", work.threads},
                                 {"instructions", work.instructions},
                                 {"messages", work.messages}};
    if (kernel.name) add_to(entry, *kernel.name);
    if (kernel.timed) {
        entry["begin_cycle"] = work.begin.value;
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
