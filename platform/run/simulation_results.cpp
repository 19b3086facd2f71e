// SPDX-License-Identifier: Apache-2.0
// What a simulation tells: the summary, the statistics and the files of a run.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>

#include "common/check.h"
#include "eu/fetch/program.h"
#include "platform/machine/parameters.h"
#include "platform/run/simulation_parts.h"
#include "platform/tell/report/page.h"

namespace gen9::platform {
namespace {

constexpr int kStatisticsVersion = 3;

}  // namespace

void Simulation::Parts::describe(const WorkRecord& work, boost::json::object& entry) const {
    const MemoryUse& memory = profile->memory(work.number);
    const MemoryUse::Level l3 = memory.at(MemoryLevel::L3);
    entry["l3_hits"] = l3.hits;
    entry["l3_misses"] = l3.accesses - l3.hits;
    const auto eus = static_cast<unsigned>(gpu->eus().size());
    profile->describe(work, eus * gpu->slices.threads_per_eu(), entry);
}

std::vector<KernelLog::Kernel> Simulation::Parts::kernels() const {
    std::vector<KernelLog::Kernel> all = log.kernels(gpu->unfinished());
    for (KernelLog::Kernel& kernel : all) {
        const TimedKernels::Use use = options.timed_kernels.use(kernel.work.number);
        kernel.name = names.of(kernel.work.number);
        kernel.timed = options.timing == Timing::Timed && use != TimedKernels::Use::Functional;
        kernel.chosen = use == TimedKernels::Use::Timed;
        kernel.estimate = chosen ? chosen->estimate(kernel.work.number) : nullptr;
    }
    return all;
}

void Simulation::Parts::sample(bool last) {
    const Cycles now = gpu->clock.now();
    for (TimeSeries* table : {overview.get(), series.get()}) {
        if (!table || (now < table->next() && !last)) continue;
        for (EuBlock* eu : gpu->eus())
            eu->settle();
        table->take(now, profile->oldest());
    }
    if (!last || !series || options.stats_path.empty()) return;
    std::string path = options.stats_path;
    if (path.ends_with(".json")) path.resize(path.size() - 5);
    path += ".csv";
    std::ofstream file(path);
    file << series->text();
    file.close();
    if (!file) throw UserError("cannot write the time series '" + path + "'");
}

std::string Simulation::summary() const {
    const Parts& p = *parts_;
    const bool timed = p.options.timing == Timing::Timed;
    const double us_per_cycle = 1e6 / static_cast<double>(p.gpu->clock.hz());
    std::string text;
    char line[256];
    const auto add = [&](auto... values) {
        std::snprintf(line, sizeof line, values...);
        text += line;
    };
    add("%-24s %4s %8s %8s %8s %14s", "kernel", "SIMD", "launches", "groups", "threads",
        "EU instr.");
    const bool mixed = p.mixed();
    if (mixed) add(" %8s", "timed");
    if (timed) add(" %12s %10s %6s", "cycles", "time us", "IPC");
    add(" %10s %10s\n", "L3 bytes", "SLM bytes");
    std::uint64_t instructions = 0, timed_instructions = 0, cycles = 0;
    for (const KernelLog::Row& row : KernelLog::rows(p.kernels())) {
        add("%-24.60s %4u %8llu %8llu %8llu %14llu", row.label.c_str(), row.simd_width,
            static_cast<unsigned long long>(row.launches),
            static_cast<unsigned long long>(row.groups),
            static_cast<unsigned long long>(row.threads),
            static_cast<unsigned long long>(row.instructions));
        if (mixed) add(" %8llu", static_cast<unsigned long long>(row.timed_launches));
        if (timed)
            add(" %12llu %10.2f %6.2f", static_cast<unsigned long long>(row.cycles),
                static_cast<double>(row.cycles) * us_per_cycle,
                row.cycles
                    ? static_cast<double>(row.timed_instructions) / static_cast<double>(row.cycles)
                    : 0.0);
        add(" %10llu %10llu", static_cast<unsigned long long>(row.bytes.l3),
            static_cast<unsigned long long>(row.bytes.slm));
        if (row.unfinished)
            add(" %llu unfinished", static_cast<unsigned long long>(row.unfinished));
        // Reports name a kernel by its address.
        if (row.named && p.reporter.failed())
            add(" at 0x%llx", static_cast<unsigned long long>(row.kernel_start.value));
        text += "\n";
        instructions += row.instructions;
        timed_instructions += row.timed_instructions;
        cycles += row.cycles;
    }
    add("total: %llu EU instructions", static_cast<unsigned long long>(instructions));
    if (mixed) add(", %llu of them timed", static_cast<unsigned long long>(timed_instructions));
    if (timed)
        add(" in %llu kernel cycles; engine at cycle %llu", static_cast<unsigned long long>(cycles),
            static_cast<unsigned long long>(p.gpu->clock.now().value));
    add("\n%s mode: %.2f s of host time, %s\n", p.timing_word(), p.host_seconds,
        with_unit(p.host_seconds > 0 ? static_cast<double>(instructions) / p.host_seconds : 0.0,
                  "EU instructions per second")
            .c_str());
    const eu::Program::Compiled& compiled = p.gpu->program->compiled();
    if (p.options.verbose && compiled.regions != 0)
        add("compiled: %llu regions of %llu EU instructions, %llu KB of host code\n",
            static_cast<unsigned long long>(compiled.regions),
            static_cast<unsigned long long>(compiled.instructions),
            static_cast<unsigned long long>(compiled.bytes / 1024));
    if (p.races != nullptr) text += p.races->summary() + "\n";
    if (p.options.verbose && p.crew != nullptr) {
        const std::uint64_t ahead = p.stats.sum("eu.ahead_instructions");
        add("%u threads: %llu EU instructions ahead, %.1f percent, in %llu rounds\n",
            p.options.threads, static_cast<unsigned long long>(ahead),
            100.0 * static_cast<double>(ahead) /
                static_cast<double>(std::max<std::uint64_t>(p.gpu->instructions(), 1)),
            static_cast<unsigned long long>(p.crew->rounds()));
    }
    return text;
}

boost::json::object Simulation::statistics() const {
    const Parts& p = *parts_;
    const bool timed = p.options.timing == Timing::Timed;
    boost::json::array kernels;
    std::uint64_t instructions = 0, timed_instructions = 0, cycles = 0;
    const std::vector<KernelLog::Kernel> ran = p.kernels();
    for (const KernelLog::Kernel& kernel : ran) {
        instructions += kernel.work.instructions;
        if (kernel.timed && kernel.chosen) {
            timed_instructions += kernel.work.instructions;
            cycles += KernelLog::cycles(kernel);
        }
        boost::json::object entry = KernelLog::to_json(kernel);
        if (p.mixed())
            entry["timing"] = kernel.estimate
                                  ? "sampled"
                                  : to_text(p.options.timed_kernels.use(kernel.work.number));
        if (p.profile && kernel.timed && !kernel.estimate) p.describe(kernel.work, entry);
        kernels.push_back(std::move(entry));
    }
    boost::json::object root;
    root["version"] = kStatisticsVersion;
    root["run"] = to_json(p.options.description, p.environment.params);
    root["timing"] = p.timing_word();
    root["clock_hz"] = p.gpu->clock.hz();
    boost::json::object totals = {
        {"kernels", kernels.size()},
        {"unfinished", std::ranges::count(ran, false, &KernelLog::Kernel::finished)},
        {"instructions", instructions}};
    if (timed) {
        totals["cycles"] = cycles;
        totals["timed_instructions"] = timed_instructions;
        totals["engine_cycles"] = p.gpu->clock.now().value;
        totals["simulated_us"] =
            static_cast<double>(cycles) * 1e6 / static_cast<double>(p.gpu->clock.hz());
    }
    totals["guest_errors"] = p.reporter.guest_errors();
    totals["hangs"] = p.reporter.hangs();
    totals["not_modelled"] = p.reporter.not_modelled_uses();
    root["totals"] = std::move(totals);
    boost::json::array without_effect;
    for (const Reporter::Entry& entry : p.reporter.without_effect())
        without_effect.push_back({{"name", entry.kind}, {"reason", entry.text}});
    root["no_effect"] = std::move(without_effect);
    if (p.profile) {
        std::vector<WorkRecord> all_work;
        for (const KernelLog::Kernel& kernel : ran)
            all_work.push_back(kernel.work);
        root["outside"] = p.profile->outside();
        root["code"] = p.profile->code(all_work, kernels, p.names);
        root["over_time"] = p.overview->to_json();
    }
    root["kernels"] = std::move(kernels);
    root["counters"] = timed ? p.stats.to_json() : counters_without_cycles(p.stats);
    return root;
}

void Simulation::finish() {
    Parts& p = *parts_;
    if (p.mixed() && !p.environment.timed()) {
        // The functional cycles at the end are counted as all before them: nothing was timed.
        p.environment.timing = Timing::Timed;
        for (EuBlock* eu : p.gpu->eus())
            eu->change_timing();
    }
    p.gpu->settle();
    if (p.profile) p.profile->settle(p.gpu->clock.now());
    // One file that cannot be written takes no other with it.
    const auto attempt = [&](auto&& write) {
        try {
            write();
        } catch (const UserError& error) {
            p.files_lost = true;
            p.reporter.log(std::string("gen9sim: ") + error.what());
        }
    };
    attempt([&] { p.sample(true); });
    attempt([&] {
        if (const std::string said = p.waveform->close(); !said.empty())
            p.reporter.log("gen9sim: " + said);
    });
    attempt([&] { p.tracks->close(); });
    if (p.trace) attempt([&] { p.trace->close(); });
    for (const auto& recorder : p.recorders)
        attempt([&] { recorder->close(); });
    if (p.options.stats_path.empty() && p.options.report_path.empty()) return;
    boost::json::object root = statistics();
    boost::json::object host = host_description();
    host["started"] = p.started;
    host["simulation_seconds"] = p.host_seconds;
    root["run"].get_object()["host"] = std::move(host);
    // The page of what the file says: a number that is read may differ in its last digit.
    if (!p.options.report_path.empty())
        attempt([&] {
            const boost::json::value said = boost::json::parse(boost::json::serialize(root));
            write_report(p.options.report_path, said.as_object());
        });
    if (p.options.stats_path.empty()) return;
    attempt([&] {
        std::ofstream file(p.options.stats_path);
        file << pretty(root) << "\n";
        file.close();
        if (!file)
            throw UserError("cannot write the statistics '" + p.options.stats_path +
                            "': is the disk full?");
    });
}

}  // namespace gen9::platform
