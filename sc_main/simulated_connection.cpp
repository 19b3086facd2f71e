// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulated_connection.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>

#include "common/check.h"
#include "platform/host/program/stop.h"
#include "platform/host/tbx/deferred_engine.h"
#include "platform/host/tbx/tbx_connection.h"
#include "platform/simulation.h"

namespace gen9::program {

using platform::Outcome;
using platform::Simulation;

namespace {

/// Builds a machine in a process of its own and throws it away. Throws UserError.
void try_in_a_process(const std::function<void()>& build) {
    auto pipe = platform::make_pipe();
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        std::string error;
        try {
            build();
            std::_Exit(EXIT_SUCCESS);
        } catch (const std::exception& caught) {
            error = caught.what();
        }
        [[maybe_unused]] const auto written =
            write(pipe.write_end.get(), error.data(), error.size());
        std::_Exit(kUserError);
    }
    pipe.write_end.close();
    std::string error;
    char bytes[512];
    for (ssize_t count; (count = read(pipe.read_end.get(), bytes, sizeof bytes)) > 0;)
        error.append(bytes, static_cast<std::size_t>(count));
    int status = 0;
    waitpid(process, &status, 0);
    if (!error.empty()) throw UserError(error);
    GEN9_CHECK(WIFEXITED(status), "the machine cannot be built");
}

}  // namespace

bool failed(Simulation& simulation) {
    return simulation.reporter().failed() || simulation.stop() == platform::Stop::CycleLimit;
}

ReadyMachine::ReadyMachine(const SimulationOptions& options) : options_(options) {
    auto trial = options.of_simulation(1);
    const bool named_first = !trial.vcd_path.empty();
    trial.stats_path = trial.vcd_path = trial.trace_isa_path = "";
    // SystemC elaborates once per process: what is only tried must be built elsewhere.
    if (named_first)
        try_in_a_process([&] { Simulation simulation(std::move(trial)); });
    else
        simulation_ = std::make_unique<Simulation>(std::move(trial));
}

std::unique_ptr<Simulation> ReadyMachine::take(unsigned n) {
    auto options = options_.of_simulation(n);
    if (!simulation_) return std::make_unique<Simulation>(std::move(options));
    simulation_->name_files(options.stats_path, options.trace_isa_path);
    return std::move(simulation_);
}

Outcome simulate_connection(int socket, ReadyMachine& machine, platform::WorkCounter& simulations) {
    Simulation* simulation = nullptr;
    platform::DeferredEngine engine([&] {
        auto built = machine.take(simulations.next());
        simulation = built.get();
        platform::interrupt_on_stop(simulation);
        return built;
    });
    const auto log = [](const std::string& line) {
        std::fprintf(stderr, "gen9sim: %s\n", line.c_str());
    };
    const auto end = platform::serve_tbx_connection(socket, engine, log);
    platform::interrupt_on_stop(nullptr);

    Outcome outcome;
    outcome.failed = end.complaints != 0;
    outcome.stopped = end.gave_up || engine.stopped();
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

}  // namespace gen9::program
