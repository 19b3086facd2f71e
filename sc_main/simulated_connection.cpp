// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulated_connection.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "common/check.h"
#include "platform/host/deferred_engine.h"
#include "platform/host/stop.h"
#include "platform/host/tbx_connection.h"
#include "platform/simulation.h"

namespace gen9::program {

using platform::Outcome;
using platform::Simulation;

Outcome simulate_connection(int socket, const SimulationOptions& options,
                            platform::WorkCounter& simulations) {
    Simulation* simulation = nullptr;
    platform::DeferredEngine engine([&] {
        auto built = std::make_unique<Simulation>(options.of_simulation(simulations.next()));
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
        simulation->finish();
        outcome.worked = simulation->worked();
        outcome.failed |= simulation->reporter().failed() || simulation->stopped();
        outcome.summary = simulation->summary();
    }
    return outcome;
}

void check_settings(const SimulationOptions& options) {
    auto pipe = platform::make_pipe();
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        std::string error;
        try {
            auto trial = options.of_simulation(1);
            trial.stats_path = trial.vcd_path = trial.trace_isa_path = "";
            Simulation simulation(std::move(trial));
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

}  // namespace gen9::program
