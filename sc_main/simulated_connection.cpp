// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulated_connection.h"

#include <cstdio>
#include <new>

#include "common/check.h"
#include "platform/host/aub/capture_recorder.h"
#include "platform/host/deferred_engine.h"
#include "platform/host/drm/drm_connection.h"
#include "platform/host/own_heap.h"
#include "platform/host/stop.h"
#include "platform/host/tbx/tbx_connection.h"
#include "platform/run/simulation.h"

namespace gen9::program {

using platform::Outcome;
using platform::Simulation;

bool failed(Simulation& simulation) {
    return simulation.reporter().failed() || simulation.files_lost() ||
           simulation.stop() == platform::Stop::CycleLimit ||
           simulation.stop() == platform::Stop::Failure;
}

ReadyMachine::ReadyMachine(const SimulationOptions& options, std::string record_path)
    : options_(options), record_path_(std::move(record_path)) {
    auto first = options.of_simulation(1);
    first.stats_path = first.report_path = first.tracks.path = first.waveform.path =
        first.trace_isa_path = "";
    for (auto& record : first.records)
        record.path.clear();
    simulation_ = std::make_unique<Simulation>(std::move(first));
}

// Nobody takes a machine apart, which would take a while: its process ends.
ReadyMachine::~ReadyMachine() {
    [[maybe_unused]] static const Simulation* left;
    left = simulation_.release();
}

std::unique_ptr<Simulation> ReadyMachine::take(unsigned n) {
    simulation_->name_files(options_.of_simulation(n));
    return std::move(simulation_);
}

namespace {

/// The memory in which a machine runs threads, mostly their registers: those of a GT2.
constexpr std::size_t kHeapOfARun = 4 << 20;

void log(const std::string& line) {
    std::fprintf(stderr, "gen9sim: %s\n", line.c_str());
}

/// The machine of a connection, and what it is reached through: itself, or what records it.
struct Machine {
    platform::Simulation* simulation = nullptr;
    platform::CaptureRecorder* recorder = nullptr;

    std::unique_ptr<platform::Engine> take(ReadyMachine& ready, unsigned n) {
        auto taken = ready.take(n);
        simulation = taken.get();
        platform::interrupt_on_stop(simulation);
        const std::string path = ready.record_path(n);
        if (path.empty()) return taken;
        auto recording = std::make_unique<platform::CaptureRecorder>(
            std::move(taken), path, ready.options().program_text(), log);
        recorder = recording.get();
        simulation->on_time_written = [to = recorder](bool global, GpuAddr at, std::size_t bytes) {
            to->wrote_time(global, at, bytes);
        };
        return recording;
    }
    /// Serves the connection. Whatever ends it, what ran until then is reported and written.
    Outcome serve(const std::function<platform::TbxConnectionEnd()>& serve_it) const;
    /// Says what the connection came to; without a simulation, it never had work for one.
    Outcome outcome(const platform::TbxConnectionEnd& end) const;
};

Outcome Machine::serve(const std::function<platform::TbxConnectionEnd()>& serve_it) const {
    constexpr platform::TbxConnectionEnd kCutOff{.complaints = 1, .gave_up = true};
    try {
        return outcome(serve_it());
    } catch (const UserError& error) {
        log(error.what());
    } catch (const std::bad_alloc&) {
        log("this machine has no memory left for the simulation");
    } catch (const std::exception& error) {
        log(std::string("internal error: ") + error.what());
    }
    return outcome(kCutOff);
}

Outcome Machine::outcome(const platform::TbxConnectionEnd& end) const {
    platform::interrupt_on_stop(nullptr);
    Outcome outcome;
    outcome.failed = end.complaints != 0;
    outcome.stopped = end.gave_up || (simulation && simulation->stopped());
    if (simulation) {
        const platform::Stop stop = simulation->stop();
        outcome.stopped &= stop != platform::Stop::Unwanted;
        simulation->finish();
        outcome.worked = simulation->worked();
        outcome.failed |= failed(*simulation);
        outcome.flawed = simulation->reporter().failed();
        outcome.summary = simulation->summary();
    }
    if (recorder) outcome.failed |= !recorder->finish();
    return outcome;
}

}  // namespace

Outcome simulate_connection(int socket, ReadyMachine& ready, platform::WorkCounter& simulations) {
    Machine machine;
    platform::DeferredEngine engine([&] { return machine.take(ready, simulations.next()); });
    return machine.serve([&] {
        return platform::serve_tbx_connection(socket, engine, log, ready.options().on_launch());
    });
}

Outcome simulate_drm_connection(int socket, ReadyMachine& ready, platform::WorkCounter& simulations,
                                const drm::Frames& frames) {
    // The program has opened the device and goes on. It waits when it has work.
    platform::own_heap(kHeapOfARun);
    Machine machine;
    std::unique_ptr<platform::Engine> engine;
    const auto build = [&]() -> platform::Engine& {
        engine = machine.take(ready, simulations.next());
        return *engine;
    };
    Outcome outcome = machine.serve([&] {
        return drm::serve_drm_connection(socket, build, log, ready.options().on_launch(), frames);
    });
    // Nobody takes a machine apart: its process ends.
    [[maybe_unused]] auto* const left = engine.release();
    return outcome;
}

}  // namespace gen9::program
