// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>

#include "platform/host/aub/aub_player.h"
#include "platform/host/stop.h"
#include "platform/run/simulation.h"
#include "sc_main/command.h"
#include "sc_main/simulated_connection.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

constexpr const char* kReplayHelp =
    R"(Plays an AUB capture (plain, or packed with zstd): gives the model the memory, tables and
submissions that a driver recorded, and checks the polls and compares in it. Captures are made
by gen9sim run --record, by gen9sim capture, by Intel's driver itself, or by Mesa's tools
(intel_dump_gpu). No driver is needed.

  gen9sim replay traces/add_chars/stream.aub.zst

Exit status
  0        everything as expected
  1        a mismatch: packet number, address, expected and found are reported
  2        wrong usage, or not a capture
  3        the engine faulted, hung, reached --max-cycles, or met something that is not modelled
  128 + n  interrupted by signal n
)";

}  // namespace

int replay_command(const Arguments& arguments) {
    CommandLine line("replay [options] FILE.aub", kReplayHelp);
    line.take_operand("FILE.aub");
    SimulationOptions options(line);
    if (!line.parse(arguments)) return kSuccess;
    options.read(line, {line.operand()});
    platform::AubFile file(line.operand());

    platform::Simulation simulation(options.of_simulation(1));
    platform::install_stop_handlers();
    platform::interrupt_on_stop(&simulation);
    platform::AubPlayer player(simulation, [](const std::string& text) {
        std::fprintf(stderr, "gen9sim: %s\n", text.c_str());
    });
    std::string error;
    try {
        player.play(file);
    } catch (const platform::AubError& caught) {
        error = caught.what();
    }
    platform::interrupt_on_stop(nullptr);
    simulation.finish();
    const auto summary = simulation.summary();
    if (!summary.empty()) std::fprintf(stderr, "%s\n", summary.c_str());
    std::fprintf(stderr,
                 "gen9sim: %" PRIu64 " packets, %" PRIu64 " submissions, %" PRIu64
                 " checks, %" PRIu64 " mismatches\n",
                 player.packets(), player.submissions(), player.checks(), player.mismatches());
    if (!error.empty()) throw UserError(error);
    if (const int signal = platform::stop_signal()) return interrupted(signal);
    if (failed(simulation) || player.unsupported() != 0) return kEngineError;
    return player.mismatches() != 0 ? kMismatch : kSuccess;
}

}  // namespace gen9::program
