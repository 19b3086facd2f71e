// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <map>

#include "platform/host/program/child_program.h"
#include "platform/host/program/stop.h"
#include "platform/host/tbx/tbx_server.h"
#include "sc_main/command.h"
#include "sc_main/simulated_connection.h"

namespace gen9::program {
namespace {

constexpr const char* kText =
    "Runs an OpenCL program, unmodified, on the model. Intel's OpenCL driver (Debian package\n"
    "intel-opencl-icd) compiles its kernels and submits them to the model over the driver's own\n"
    "simulator socket; the program's input, output and exit status are passed through. A summary "
    "of\n"
    "what ran is written to standard error.\n"
    "\n"
    "  gen9sim run -- clinfo\n"
    "  gen9sim run --timing functional -- ./my_program its arguments\n"
    "  gen9sim run --device skl-gt4 --stats out.json --vcd out.vcd -- python3 script.py\n"
    "\n"
    "A program with several OpenCL contexts has an engine for each; files of the second one that\n"
    "runs something get \"-2\" before their extension, and so on.\n"
    "\n"
    "Exit status: that of the program if it is not 0; 2 wrong usage; 3 the engine faulted, hung, "
    "or\n"
    "was asked for something that is not modelled; 0 otherwise.\n";

/// What the connections of the program came to.
struct Results {
    std::map<unsigned, platform::Outcome> by_connection;
    bool failed = false;
    bool stopped = false;
    bool worked = false;

    void add(unsigned connection, const platform::Outcome& outcome) {
        failed |= outcome.failed;
        stopped |= outcome.stopped;
        worked |= outcome.worked;
        by_connection[connection] = outcome;
    }
    void print() const {
        for (const auto& [connection, outcome] : by_connection)
            if (!outcome.summary.empty()) std::fprintf(stderr, "%s\n", outcome.summary.c_str());
        if (by_connection.empty())
            std::fprintf(stderr, "gen9sim: the program submitted no work to the model\n");
    }
};

}  // namespace

int run_command(const Arguments& arguments) {
    CommandLine line("run [options] -- PROGRAM [ARGS...]", kText);
    line.take_program();
    SimulationOptions options(line);
    if (!line.parse(arguments)) return kSuccess;
    options.read(line);
    platform::check_driver_installed();
    ReadyMachine machine(options);

    const std::string address = "127.0.0.1";
    auto listener = platform::listen_on(address, 0);
    const auto port = platform::port_of(listener);
    Results results;
    platform::WorkCounter simulations;
    platform::TbxServer server(
        std::move(listener),
        [&](int socket, unsigned) { return simulate_connection(socket, machine, simulations); },
        [&](unsigned connection, const platform::Outcome& outcome) {
            results.add(connection, outcome);
        });

    const auto& product = options.product();
    platform::ChildProgram program(
        line.program(),
        platform::tbx_variables({product.driver_family, product.driver_topology}, address, port));
    server.serve_until([&] {
        // A driver that has lost its engine would poll for ever.
        if (results.stopped || platform::stop_requested()) program.terminate();
        return program.ended() && server.idle();
    });
    results.print();
    if (results.stopped) return kEngineError;
    if (program.exit_status() != 0) return program.exit_status();
    return results.failed ? kEngineError : kSuccess;
}

}  // namespace gen9::program
