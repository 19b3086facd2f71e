// SPDX-License-Identifier: Apache-2.0
#include "platform/run/simulation.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "common/bits.h"
#include "common/check.h"
#include "eu/module.h"
#include "platform/machine/parameters.h"
#include "platform/run/simulation_parts.h"

namespace gen9::platform {
namespace {

/// Most cycles between two looks at the watchdog and at the host: a fraction of a second.
constexpr std::uint64_t kChunkCycles = 50'000;
/// Cycles in the waveform of a failure: in all, and after it.
constexpr std::uint64_t kFailureCycles = 400;
constexpr Cycles kAfterFailure(128);
constexpr const char* kFailureWaveform = "gen9sim_failure.vcd";
/// Cycles of an interval in what the statistics say over time.
constexpr std::uint64_t kOverviewCycles = 250;
constexpr std::size_t kOverviewRows = 512;
constexpr double kWantedSeconds = 0.2;
/// A streamer that has run so long without giving work to anybody is in a loop whose end the host
/// may be to bring about: long against what streams do, short against the watchdog.
constexpr std::uint64_t kLoopCycles = 2'000'000;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Simulation::Parts::Parts(RunOptions given, const std::function<bool()>& still_wanted)
    : options(std::move(given)), wanted(still_wanted) {
    reporter.verbose = options.verbose;
    reporter.log = [this, say = std::move(reporter.log)](const std::string& text) {
        line.clear();
        say(text);
    };
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
    host->reg_out.bind(gpu->cs->sockets().reg_in);
    options.config.check_all_used();
    log.watch(*gpu);
    stop_soon();
    waveform = std::make_unique<Waveform>(options.waveform, environment.signals, gpu->clock);
    tracks = std::make_unique<TrackRecorder>(options.tracks, *gpu, stats, names);
    launch = std::make_unique<LaunchProgress>(stats);
    choose_walkers();
    if (options.check_races && !environment.timed())
        races = std::make_unique<RaceCheck>(*gpu, reporter, names);
    list_observers();
    gpu->observe_work(&work_observers);
    open_trace(options.trace_isa_path);
    gather_crew();
    // An engine that waits for its host has nothing to do when it is started.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                            sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    // Looks for strangers now: a machine is made before its program waits for it.
    gpu->clock.agenda().alone();
    check_timing();
    open_waveform(options.waveform.path);
    open_tracks(options.tracks.path);
    for (const auto& record : options.records)
        recorders.push_back(SocketRecorder::of(record.socket, gpu->clock));
    open_records();
}

void Simulation::Parts::open_trace(const std::string& path) {
    if (path.empty()) return;
    trace = std::make_unique<InstructionTrace>(path);
    for (EuBlock* eu : gpu->eus())
        eu->observe(trace.get());
}

void Simulation::Parts::gather_crew() {
    if (options.threads < 2 || environment.timed()) return;
    crew = std::make_unique<eu::Crew>(options.threads);
    for (EuBlock* const block : gpu->eus())
        if (auto* const eu = dynamic_cast<eu::Eu*>(block)) eu->join(*crew);
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

void Simulation::Parts::refuse(PhysAddr address, const char* what) {
    char place[32];
    std::snprintf(place, sizeof place, "0x%llx", static_cast<unsigned long long>(address.value));
    reporter.guest_error("physical address", place,
                         std::string("host ") + what + " beyond 40 bits: dropped");
}

void Simulation::Parts::show_progress() {
    if (!line.due()) return;
    const double seconds = host_seconds + seconds_since(submitted);
    Progress now{environment.timed(), gpu->clock.now().value, gpu->instructions(), seconds,
                 launch->at(seconds)};
    if (now.launch)
        if (const LaunchName* name = names.of(now.launch->work.number))
            now.launch->kernel = name->kernel;
    line.show(now);
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
                                                 for (const EuBlock* eu : eus)
                                                     sum += eu->instructions_before_now();
                                                 return sum;
                                             });
    gpu->expect_changes();
    gpu->media->timing_choice = chosen.get();
}

// Only of our own blocks is it known that they do nothing when nothing is put.
void Simulation::Parts::check_timing() {
    if (!mixed() || (gpu->clock.agenda().alone() && gpu->l3->can_change_timing())) return;
    throw UserError(
        "--timed-kernels: the mode cannot be changed with RTL or other models of blocks");
}

bool Simulation::Parts::change_timing() {
    const auto wanted = gpu->media->wanted_timing();
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
    if (!failure.empty()) return end(Stop::Failure, failure);
    waiting = waits_for_host();
    if (!waiting && !sc_core::sc_pending_activity())
        return end(Stop::Hang, "everything waits and nothing can happen any more" + since_text());
    if (!waiting && (now - progressed).value >= gpu->topology.watchdog_cycles)
        return end(Stop::Hang,
                   "no command, dispatch, message, instruction or retirement since cycle " +
                       std::to_string(progressed.value) + ", for gpu.watchdog_cycles (" +
                       std::to_string(gpu->topology.watchdog_cycles.get()) + ") or more" +
                       since_text());
    if (options.max_cycles != 0 && now.value >= options.max_cycles)
        return end(Stop::CycleLimit, "stopped by --max-cycles");
    look_at_host();
}

bool Simulation::Parts::waits_for_host() const {
    if (!gpu->cs->host_writes) return false;
    if (gpu->cs->awaits_host()) return !sc_core::sc_pending_activity();
    const std::uint64_t loops = std::min(kLoopCycles, gpu->topology.watchdog_cycles / 2);
    return gpu->cs->works_alone() && (gpu->clock.now() - progressed).value >= loops;
}

void Simulation::Parts::look_at_host() {
    if (interrupted) return end(Stop::Interrupted, "interrupted");
    look_whether_wanted();
}

bool Simulation::Parts::look_beside(std::uint64_t steps) {
    steps_beside += steps;
    if (stop != Stop::No) return false;
    const std::uint64_t limit = options.max_cycles, now = gpu->clock.now().value;
    if (limit != 0 && (now >= limit || steps_beside >= limit - now))
        end(Stop::CycleLimit, "stopped by --max-cycles, in the copy engine");
    else if (interrupted)
        end(Stop::Interrupted, "interrupted, in the copy engine");
    else
        look_whether_wanted();
    return stop == Stop::No;
}

void Simulation::Parts::look_whether_wanted() {
    if (seconds_since(last_asked) < kWantedSeconds) return;
    last_asked = std::chrono::steady_clock::now();
    if (!wanted()) end(Stop::Unwanted, "stopped, for its program is gone");
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
    parts_->gpu->cs->on_time_written = [this](AddressSpace space, GpuAddr at, std::size_t bytes) {
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
    parts_->gpu->gti->write_gtt(index, entry);
}
std::uint64_t Simulation::read_gtt(std::uint32_t index) {
    return parts_->gpu->gti->read_gtt(index);
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
bool Simulation::attach_when_used(PhysAddr page, PageSource& source) {
    return parts_->gpu->memory.attach_when_used(page, source);
}
void Simulation::detach_when_used(PhysAddr page) {
    parts_->gpu->memory.detach_when_used(page);
}
Stop Simulation::stop() const {
    return parts_->stop;
}
void Simulation::interrupt() noexcept {
    parts_->interrupted = true;
}
bool Simulation::goes_on(std::uint64_t steps) {
    return parts_->look_beside(steps);
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
    return !parts_->log.empty();
}

bool Simulation::waits_for_host() const {
    return parts_->waiting && !stopped();
}
bool Simulation::may_go_on() {
    cs::CommandStreamerBlock& cs = *parts_->gpu->cs;
    return !cs.awaits_host() || cs.look_at_host() || sc_core::sc_pending_activity();
}
void Simulation::give_up_waiting(const std::string& why) {
    if (waits_for_host()) parts_->end(Stop::Hang, why + parts_->since_text());
}
std::string Simulation::describe_waiting() const {
    return parts_->gpu->describe_waiting();
}

void Simulation::run() {
    Parts& p = *parts_;
    if (stopped()) return;
    p.gpu->cs->host_writes = host_writes;
    if (p.waiting && !may_go_on()) return p.look_at_host();
    p.keep_signals();
    p.submitted = std::chrono::steady_clock::now();
    // An engine that loops is watched on: it has made no progress since.
    const bool looped = std::exchange(p.waiting, false) && !p.gpu->cs->awaits_host();
    if (!looped) p.begin_watch();
    const Cycles returns = p.gpu->clock.now() + Cycles(looped ? kChunkCycles : 0);
    const auto goes_on = [&] {
        return !p.waiting || (looped && !p.gpu->cs->awaits_host() && p.gpu->clock.now() < returns);
    };
    while (!stopped() && goes_on()) {
        // Beside somebody else's modules, whose clocks may never end, from one event to the next.
        const bool alone = p.gpu->clock.agenda().alone();
        if (!alone && p.gpu->cs->idle() && p.gpu->clock.agenda().empty()) break;
        const Cycles chunk = alone ? p.next_chunk() : Cycles(1);
        p.gpu->clock.agenda().run_ahead(p.gpu->clock.now() + chunk);
        // A submission shorter than a chunk ends by starvation: nothing is left to happen.
        sc_core::sc_start(alone ? p.gpu->clock.time(chunk) : sc_core::sc_time_to_pending_activity(),
                          sc_core::SC_EXIT_ON_STARVATION);
        if (p.failure.empty() && p.gpu->cs->idle() && !sc_core::sc_pending_activity()) break;
        if (!p.change_timing()) p.look();
        p.sample(false);
        if (!stopped()) p.show_progress();
    }
    p.line.clear();
    p.host_seconds += seconds_since(p.submitted);
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
