// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "common/check.h"
#include "platform/chosen_walkers.h"
#include "platform/gpu.h"
#include "platform/instruction_trace.h"
#include "platform/kernel_log.h"
#include "platform/parameters.h"
#include "platform/profile/run_profile.h"
#include "platform/profile/time_series.h"
#include "platform/progress.h"
#include "platform/recording/socket_recorder.h"
#include "platform/report/page.h"
#include "platform/tracks/track_recorder.h"

namespace gen9::platform {
namespace {

/// Most cycles between two looks at the watchdog and at the host: a fraction of a second.
constexpr std::uint64_t kChunkCycles = 50'000;
/// Of the waveform of a failure: cycles in all, and after it.
constexpr std::uint64_t kFailureCycles = 400;
constexpr Cycles kAfterFailure(128);
constexpr const char* kFailureWaveform = "gen9sim_failure.vcd";
constexpr int kStatisticsVersion = 3;
/// Of what the statistics say over time.
constexpr std::uint64_t kOverviewCycles = 250;
constexpr std::size_t kOverviewRows = 512;
constexpr double kProgressSeconds = 1.0, kWantedSeconds = 0.2;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The host's end of the register bus.
struct HostBus : sc_core::sc_module {
    explicit HostBus(sc_core::sc_module_name name) : sc_module(name) {}
    InitiatorSocket<MemoryProtocol> reg_out{"reg_out"};
};

/// Tells several observers of walkers.
struct Walkers : WalkerObserver {
    std::vector<WalkerObserver*> observers;
    void walker_began(const WalkerRecord& walker) override {
        for (WalkerObserver* observer : observers)
            observer->walker_began(walker);
    }
    void walker_ended(const WalkerRecord& walker) override {
        for (WalkerObserver* observer : observers)
            observer->walker_ended(walker);
    }
};

}  // namespace

struct Simulation::Parts {
    Parts(RunOptions given, const std::function<bool()>& still_wanted)
        : options(std::move(given)), wanted(still_wanted) {
        reporter.verbose = options.verbose;
        environment.stop = [this](const std::string& text) { fail(text); };
        gpu = std::make_unique<Gpu>("gpu", environment);
        if (options.profile && environment.timed()) {
            profile = std::make_unique<RunProfile>();
            profile->watch(*gpu);
            overview = std::make_unique<TimeSeries>(stats, kOverviewCycles, kOverviewRows);
            if (options.sample_cycles != 0)
                series = std::make_unique<TimeSeries>(stats, options.sample_cycles);
        }
        host = std::make_unique<HostBus>("host");
        host->reg_out.bind(gpu->cs.reg_in);
        options.config.check_all_used();
        log = std::make_unique<KernelLog>(stats);
        stop_soon();
        waveform = std::make_unique<Waveform>(options.waveform, environment.signals, gpu->clock);
        tracks = std::make_unique<TrackRecorder>(options.tracks, *gpu, stats, names);
        launch = std::make_unique<LaunchProgress>(stats);
        choose_walkers();
        list_observers();
        gpu->observe_walkers(&walkers);
        open_trace(options.trace_isa_path);
        // An engine that waits for its host has nothing to do when it is started.
        sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                                sc_core::SC_DO_NOTHING);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        check_timing();
        open_waveform(options.waveform.path);
        open_tracks(options.tracks.path);
        for (const auto& record : options.records)
            recorders.push_back(SocketRecorder::of(record.socket, gpu->clock));
        open_records();
    }

    void open_records() {
        for (std::size_t i = 0; i < recorders.size(); ++i)
            if (const auto& path = options.records[i].path; !path.empty()) recorders[i]->open(path);
    }
    void open_trace(const std::string& path);
    void open_waveform(const std::string& path) {
        if (!path.empty()) waveform->open(path);
    }
    void open_tracks(const std::string& path) {
        if (!path.empty()) tracks->open(path);
    }
    void list_observers() {
        walkers.observers = {log.get(), waveform.get(), tracks.get(), &names};
        if (profile) walkers.observers.push_back(profile.get());
        if (chosen) walkers.observers.push_back(chosen.get());
        if (options.progress) walkers.observers.push_back(launch.get());
    }
    std::uint32_t access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value);
    void progress_line(bool last);
    /// Where no waveform was asked for: keeps the end of one, for a failure.
    void keep_signals();
    /// Makes the process that ends a chunk when something has failed.
    void stop_soon();
    void fail(const std::string& text);
    void begin_watch();
    Cycles next_chunk() const;
    /// Has the spawner ask for the mode of each walker, if not all are timed.
    void choose_walkers();
    void check_timing();
    /// Changes the mode, if that is what all the machine waits for.
    bool change_timing();
    /// Looks at the engine and at the host, and stops what cannot or must not go on.
    void look();
    void end(Stop why, const std::string& text);
    /// Ends an interval of the time series, if it is over.
    void sample(bool last);
    /// What only counting by walker knows.
    void describe(const WalkerRecord& walker, boost::json::object& entry) const {
        const MemoryUse& memory = profile->memory(walker.number);
        const MemoryUse::Level l3 = memory.at(MemoryLevel::L3);
        entry["l3_hits"] = l3.hits;
        entry["l3_misses"] = l3.accesses - l3.hits;
        entry["l3_bytes"] = memory.l3_bytes();
        entry["slm_bytes"] = memory.slm.bytes;
        const auto eus = static_cast<unsigned>(gpu->eus().size());
        profile->describe(walker, eus * gpu->slices.threads_per_eu(), entry);
    }
    std::vector<KernelLog::Kernel> kernels() const {
        std::vector<KernelLog::Kernel> all = log->kernels(gpu->unfinished());
        for (KernelLog::Kernel& kernel : all) {
            const TimedKernels::Use use = options.timed_kernels.use(kernel.walker.number);
            kernel.name = names.of(kernel.walker.number);
            kernel.timed = options.timing == Timing::Timed && use != TimedKernels::Use::Functional;
            kernel.chosen = use == TimedKernels::Use::Timed;
            kernel.estimate = chosen ? chosen->estimate(kernel.walker.number) : nullptr;
        }
        return all;
    }
    /// Are launches left out?
    bool mixed() const {
        return options.timing == Timing::Timed &&
               (options.timed_kernels.chooses() || options.sample_groups != 0);
    }
    const char* timing_word() const {
        if (mixed()) return "mixed";
        return options.timing == Timing::Timed ? "timed" : "functional";
    }
    /// Bytes of code as the EUs will find them in memory.
    std::size_t read_code(GpuAddr address, std::span<std::uint8_t> to) {
        MemoryAttributes attributes;
        tlm::tlm_generic_payload payload;
        payload.set_extension(&attributes);
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(address.value);
        payload.set_data_ptr(to.data());
        payload.set_data_length(static_cast<unsigned>(to.size()));
        tlm::tlm_fw_transport_if<>& memory = gpu->gti.mem_in[0];
        const std::size_t read = memory.transport_dbg(payload);
        payload.clear_extension(&attributes);
        return read;
    }
    /// The host named physical memory that does not exist; a read then gives what was there before.
    void refuse(PhysAddr address, const char* what) {
        char place[32];
        std::snprintf(place, sizeof place, "0x%llx",
                      static_cast<unsigned long long>(address.value));
        reporter.guest_error("physical address", place,
                             std::string("host ") + what + " beyond 40 bits: dropped");
    }

    RunOptions options;
    const std::function<bool()>& wanted;
    Reporter reporter;
    StatRegistry stats;
    Environment environment{options.config, reporter, stats, options.timing};
    std::unique_ptr<RunProfile> profile;
    std::unique_ptr<TimeSeries> overview, series;  ///< for the statistics; asked for
    std::unique_ptr<Gpu> gpu;
    std::unique_ptr<HostBus> host;
    std::unique_ptr<KernelLog> log;
    LaunchNames names{options.name_launch, [this](GpuAddr address, std::span<std::uint8_t> to) {
                          return read_code(address, to);
                      }};
    Walkers walkers;
    std::unique_ptr<Waveform> waveform;
    std::unique_ptr<TrackRecorder> tracks;
    std::unique_ptr<LaunchProgress> launch;
    std::unique_ptr<ChosenWalkers> chosen;
    std::unique_ptr<InstructionTrace> trace;
    std::vector<std::unique_ptr<SocketRecorder>> recorders;  ///< as in `options`
    MemoryPool pool;
    TraceIds trace_ids{TraceSource::Host};
    Stop stop = Stop::No;
    sc_core::sc_event failed;
    std::string failure;  ///< the first
    bool signals_kept = false, files_lost = false;
    Cycles begun, progressed;  ///< of this submission: its first cycle, the last look with progress
    std::uint64_t progress = 0;             ///< at that look
    std::atomic<bool> interrupted = false;  ///< set by a signal handler
    double host_seconds = 0;                ///< of the submissions that have ended
    std::chrono::steady_clock::time_point submitted;
    std::string started = time_of_day();
    std::chrono::steady_clock::time_point last_line = std::chrono::steady_clock::now(),
                                          last_asked = last_line;
    bool line_shown = false;
};

void Simulation::Parts::open_trace(const std::string& path) {
    if (path.empty()) return;
    trace = std::make_unique<InstructionTrace>(path);
    for (eu::Eu* eu : gpu->eus())
        eu->observe(trace.get());
}

std::uint32_t Simulation::Parts::access(tlm::tlm_command command, std::uint32_t offset,
                                        std::uint32_t value) {
    MemoryTransaction* transaction = pool.get();
    transaction->access(command, offset, 4);
    transaction->attributes.requester = Requester::Host;
    transaction->attributes.trace_id = trace_ids.next();
    store(transaction->data, value);
    sc_core::sc_time delay;
    host->reg_out->b_transport(*transaction, delay);
    const auto result = load<std::uint32_t>(transaction->data);
    transaction->release();
    return result;
}

void Simulation::Parts::progress_line(bool last) {
    if (!options.progress) return;
    if (last) {
        if (line_shown) std::fprintf(stderr, "\r\033[K");
        line_shown = false;
        return;
    }
    if (seconds_since(last_line) < kProgressSeconds) return;
    last_line = std::chrono::steady_clock::now();
    line_shown = true;
    const double seconds = host_seconds + seconds_since(submitted);
    const Progress now{environment.timed(), gpu->clock.now().value, gpu->instructions(), seconds,
                       launch->at(seconds)};
    std::fprintf(stderr, "\r\033[K%s", to_text(now).c_str());
    std::fflush(stderr);
}

void Simulation::Parts::keep_signals() {
    if (signals_kept || environment.kept_signals.empty() || !options.waveform.path.empty()) return;
    signals_kept = true;
    WaveformOptions window;
    window.path = kFailureWaveform;
    window.scopes = environment.kept_signals;
    window.last_cycles = kFailureCycles;
    waveform = std::make_unique<Waveform>(window, environment.signals, gpu->clock);
    list_observers();
    open_waveform(window.path);
}

void Simulation::Parts::stop_soon() {
    sc_core::sc_spawn_options process;
    process.spawn_method();
    process.dont_initialize();
    process.set_sensitivity(&failed);
    gpu->clock.agenda().knows(
        sc_core::sc_spawn([] { sc_core::sc_pause(); }, "stop_soon", &process));
}

void Simulation::Parts::fail(const std::string& text) {
    if (!failure.empty()) return;
    const Cycles now = gpu->clock.now();
    failure = "cycle " + std::to_string(now.value) + ": " + text;
    if (signals_kept) failure += std::string("\nwaveform around it: ") + kFailureWaveform;
    waveform->keep();
    gpu->clock.agenda().run_ahead(now + kAfterFailure);
    gpu->clock.notify(failed, now + kAfterFailure);
}

void Simulation::Parts::begin_watch() {
    begun = progressed = gpu->clock.now();
    progress = gpu->progress();
}

Cycles Simulation::Parts::next_chunk() const {
    std::uint64_t cycles = std::min(kChunkCycles, gpu->topology.watchdog_cycles.get());
    const std::uint64_t now = gpu->clock.now().value;
    if (options.max_cycles > now) cycles = std::min(cycles, options.max_cycles - now);
    for (const TimeSeries* table : {overview.get(), series.get()})
        if (table && table->next().value > now)
            cycles = std::min(cycles, table->next().value - now);
    // The kernel's time stands still in a chunk without events.
    if (sc_core::sc_pending_activity())
        cycles =
            std::max(cycles, gpu->clock.cycles(sc_core::sc_time_to_pending_activity()).value + 1);
    return Cycles(cycles);
}

void Simulation::Parts::choose_walkers() {
    if (!mixed()) return;
    chosen = std::make_unique<ChosenWalkers>(options.timed_kernels, options.sample_groups, names,
                                             [eus = gpu->eus()] {
                                                 std::uint64_t sum = 0;
                                                 for (const eu::Eu* eu : eus)
                                                     sum += eu->instructions_before_now();
                                                 return sum;
                                             });
    for (eu::Eu* eu : gpu->eus())
        eu->expect_changes();
    gpu->spawner.timing_choice = chosen.get();
}

// Only of our own blocks is it known that they do nothing when nothing is put.
void Simulation::Parts::check_timing() {
    if (!mixed() || (gpu->clock.agenda().alone() && gpu->l3.can_change_timing())) return;
    throw UserError(
        "--timed-kernels: the mode cannot be changed with RTL or other models of blocks");
}

bool Simulation::Parts::change_timing() {
    const auto wanted = gpu->spawner.wanted_timing();
    if (!wanted || sc_core::sc_pending_activity()) return false;
    gpu->settle();
    environment.timing = *wanted;
    gpu->change_timing();
    if (profile) profile->count_walkers(environment.timed());
    return true;
}

void Simulation::Parts::look() {
    const Cycles now = gpu->clock.now();
    if (gpu->progress() != progress) {
        progress = gpu->progress();
        progressed = now;
    }
    const std::string since =
        " (the submission began at cycle " + std::to_string(begun.value) + ")";
    if (!failure.empty()) return end(Stop::Failure, failure);
    if (!sc_core::sc_pending_activity())
        return end(Stop::Hang, "everything waits and nothing can happen any more" + since);
    if ((now - progressed).value >= gpu->topology.watchdog_cycles)
        return end(Stop::Hang,
                   "no command, dispatch, message, instruction or retirement since cycle " +
                       std::to_string(progressed.value) + ", for gpu.watchdog_cycles (" +
                       std::to_string(gpu->topology.watchdog_cycles.get()) + ") or more" + since);
    if (options.max_cycles != 0 && now.value >= options.max_cycles)
        return end(Stop::CycleLimit, "stopped by --max-cycles");
    if (interrupted) return end(Stop::Interrupted, "interrupted");
    if (seconds_since(last_asked) < kWantedSeconds) return;
    last_asked = std::chrono::steady_clock::now();
    if (!wanted()) end(Stop::Unwanted, "stopped, for its program is gone");
}

void Simulation::Parts::sample(bool last) {
    const Cycles now = gpu->clock.now();
    for (TimeSeries* table : {overview.get(), series.get()}) {
        if (!table || (now < table->next() && !last)) continue;
        for (eu::Eu* eu : gpu->eus())
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

void Simulation::Parts::end(Stop why, const std::string& text) {
    stop = why;
    if (why == Stop::Failure) return reporter.log("gen9sim: " + text);
    const std::string report = "cycle " + std::to_string(gpu->clock.now().value) + ": " + text +
                               "\n" + gpu->describe_waiting();
    if (why == Stop::Hang)
        reporter.hang(report);
    else
        reporter.log("gen9sim: " + report);
}

Simulation::Simulation(RunOptions options)
    : parts_(std::make_unique<Parts>(std::move(options), wanted)) {
    parts_->gpu->cs.on_time_written = [this](AddressSpace space, GpuAddr at, std::size_t bytes) {
        if (on_time_written) on_time_written(space == AddressSpace::Ggtt, at, bytes);
    };
}
Simulation::~Simulation() = default;

void Simulation::name_files(const RunOptions& named) {
    RunOptions& options = parts_->options;
    options.stats_path = named.stats_path;
    options.report_path = named.report_path;
    options.waveform.path = named.waveform.path;
    parts_->open_waveform(named.waveform.path);
    parts_->open_tracks(named.tracks.path);
    parts_->open_trace(named.trace_isa_path);
    options.records = named.records;
    parts_->open_records();
}

void Simulation::write_register(std::uint32_t offset, std::uint32_t value) {
    parts_->access(tlm::TLM_WRITE_COMMAND, offset, value);
}
std::uint32_t Simulation::read_register(std::uint32_t offset) {
    return parts_->access(tlm::TLM_READ_COMMAND, offset, 0);
}
void Simulation::write_gtt(std::uint32_t index, std::uint64_t entry) {
    parts_->gpu->gti.write_gtt(index, entry);
}
std::uint64_t Simulation::read_gtt(std::uint32_t index) {
    return parts_->gpu->gti.read_gtt(index);
}
void Simulation::write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) {
    if (!parts_->gpu->memory.write(address, bytes)) parts_->refuse(address, "write");
}
void Simulation::read_memory(PhysAddr address, std::span<std::uint8_t> bytes) {
    if (!parts_->gpu->memory.read(address, bytes)) parts_->refuse(address, "read");
}
bool Simulation::attach_memory(PhysAddr address, std::span<std::uint8_t> bytes) {
    return parts_->gpu->memory.attach(address, bytes);
}
void Simulation::detach_memory(PhysAddr address, std::uint64_t bytes) {
    parts_->gpu->memory.detach(address, bytes);
}
Stop Simulation::stop() const {
    return parts_->stop;
}
void Simulation::interrupt() noexcept {
    parts_->interrupted = true;
}
Reporter& Simulation::reporter() {
    return parts_->reporter;
}
Agenda& Simulation::agenda() {
    return parts_->gpu->clock.agenda();
}
bool Simulation::files_lost() const {
    return parts_->files_lost;
}
bool Simulation::worked() const {
    return !parts_->log->empty();
}

void Simulation::run() {
    Parts& p = *parts_;
    if (stopped()) return;
    p.keep_signals();
    p.submitted = std::chrono::steady_clock::now();
    p.begin_watch();
    while (!stopped()) {
        // Beside somebody else's modules, whose clocks may never end, from one event to the next.
        const bool alone = p.gpu->clock.agenda().alone();
        if (!alone && p.gpu->cs.idle() && p.gpu->clock.agenda().empty()) break;
        const Cycles chunk = alone ? p.next_chunk() : Cycles(1);
        p.gpu->clock.agenda().run_ahead(p.gpu->clock.now() + chunk);
        // A submission shorter than a chunk ends by starvation: nothing is left to happen.
        sc_core::sc_start(alone ? p.gpu->clock.time(chunk) : sc_core::sc_time_to_pending_activity(),
                          sc_core::SC_EXIT_ON_STARVATION);
        if (p.failure.empty() && p.gpu->cs.idle() && !sc_core::sc_pending_activity()) break;
        if (!p.change_timing()) p.look();
        p.sample(false);
        p.progress_line(false);
    }
    p.progress_line(true);
    p.host_seconds += seconds_since(p.submitted);
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
    std::uint64_t instructions = 0, cycles = 0;
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
        add(" %10llu %10llu", static_cast<unsigned long long>(row.l3_bytes),
            static_cast<unsigned long long>(row.slm_bytes));
        if (row.unfinished)
            add(" %llu unfinished", static_cast<unsigned long long>(row.unfinished));
        // Reports name a kernel by its address.
        if (row.named && p.reporter.failed())
            add(" at 0x%llx", static_cast<unsigned long long>(row.kernel_start.value));
        text += "\n";
        instructions += row.instructions;
        cycles += row.cycles;
    }
    add("total: %llu EU instructions", static_cast<unsigned long long>(instructions));
    if (timed)
        add(" in %llu kernel cycles; engine at cycle %llu", static_cast<unsigned long long>(cycles),
            static_cast<unsigned long long>(p.gpu->clock.now().value));
    add("\n%s mode: %.2f s of host time, %s\n", p.timing_word(), p.host_seconds,
        with_unit(p.host_seconds > 0 ? static_cast<double>(instructions) / p.host_seconds : 0.0,
                  "EU instructions per second")
            .c_str());
    return text;
}

boost::json::object Simulation::statistics() const {
    const Parts& p = *parts_;
    const bool timed = p.options.timing == Timing::Timed;
    boost::json::array kernels;
    std::uint64_t instructions = 0, cycles = 0;
    const std::vector<KernelLog::Kernel> ran = p.kernels();
    for (const KernelLog::Kernel& kernel : ran) {
        instructions += kernel.walker.instructions;
        if (kernel.timed && kernel.chosen) cycles += KernelLog::cycles(kernel);
        boost::json::object entry = KernelLog::to_json(kernel);
        if (p.mixed())
            entry["timing"] = kernel.estimate
                                  ? "sampled"
                                  : to_text(p.options.timed_kernels.use(kernel.walker.number));
        if (p.profile && kernel.timed && !kernel.estimate) p.describe(kernel.walker, entry);
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
        std::vector<WalkerRecord> walkers;
        for (const KernelLog::Kernel& kernel : ran)
            walkers.push_back(kernel.walker);
        root["outside"] = p.profile->outside();
        root["code"] = p.profile->code(walkers, kernels, p.names);
        root["over_time"] = p.overview->to_json();
    }
    root["kernels"] = std::move(kernels);
    root["counters"] = timed ? p.stats.to_json() : counters_without_cycles(p.stats);
    return root;
}

void Simulation::finish() {
    Parts& p = *parts_;
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

std::string parameters_text(const Config& config, bool markdown, const std::string& block) {
    Reporter reporter;
    StatRegistry stats;
    Environment environment{config, reporter, stats};
    Gpu gpu("gpu", environment);
    config.check_all_used();
    return parameter_table(environment.params, markdown, block);
}

}  // namespace gen9::platform
