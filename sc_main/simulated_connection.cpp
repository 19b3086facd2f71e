// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulated_connection.h"

#include <cstdio>

#include "platform/host/drm/drm_connection.h"
#include "platform/host/program/stop.h"
#include "platform/host/tbx/deferred_engine.h"
#include "platform/host/tbx/tbx_connection.h"
#include "platform/simulation.h"

namespace gen9::program {

using platform::Outcome;
using platform::Simulation;

bool failed(Simulation& simulation) {
    return simulation.reporter().failed() || simulation.stop() == platform::Stop::CycleLimit ||
           simulation.stop() == platform::Stop::Failure;
}

ReadyMachine::ReadyMachine(const SimulationOptions& options) : options_(options) {
    auto first = options.of_simulation(1);
    first.stats_path = first.report_path = first.tracks.path = first.waveform.path =
        first.trace_isa_path = "";
    for (auto& record : first.records)
        record.path.clear();
    simulation_ = std::make_unique<Simulation>(std::move(first));
}

std::unique_ptr<Simulation> ReadyMachine::take(unsigned n) {
    simulation_->name_files(options_.of_simulation(n));
    return std::move(simulation_);
}

namespace {

void log(const std::string& line) {
    std::fprintf(stderr, "gen9sim: %s\n", line.c_str());
}

/// What a connection came to; without a simulation, it never had work for one.
Outcome outcome_of(const platform::TbxConnectionEnd& end, Simulation* simulation) {
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
        outcome.summary = simulation->summary();
    }
    return outcome;
}

}  // namespace

Outcome simulate_connection(int socket, ReadyMachine& machine, platform::WorkCounter& simulations) {
    Simulation* simulation = nullptr;
    platform::DeferredEngine engine([&] {
        auto built = machine.take(simulations.next());
        simulation = built.get();
        platform::interrupt_on_stop(simulation);
        return built;
    });
    const auto end = platform::serve_tbx_connection(socket, engine, log);
    return outcome_of(end, simulation);
}

Outcome simulate_drm_connection(int socket, ReadyMachine& machine,
                                platform::WorkCounter& simulations, drm::PageSize largest) {
    std::unique_ptr<Simulation> simulation;
    const auto build = [&]() -> platform::Engine& {
        simulation = machine.take(simulations.next());
        platform::interrupt_on_stop(simulation.get());
        return *simulation;
    };
    const auto end = drm::serve_drm_connection(socket, build, log, largest);
    Outcome outcome = outcome_of(end, simulation.get());
    // Nobody takes a machine apart: its process ends.
    [[maybe_unused]] auto* const left = simulation.release();
    return outcome;
}

}  // namespace gen9::program
