// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "common/check.h"
#include "platform/host/stop.h"
#include "platform/host/tbx/tbx_server.h"
#include "sc_main/command.h"
#include "sc_main/simulated_connection.h"

namespace gen9::program {
namespace {

constexpr const char* kServeHelp =
    R"(Serves the model over Intel's TBX simulator socket to programs started elsewhere. Each connection
is a process with an engine of its own; several may be open at the same time.

A program uses it with the environment variables that are printed at the start (gen9sim run sets
them by itself).

Ends on SIGINT or SIGTERM, with every file written.

Exit status
  0  no engine failed
  2  wrong usage
  3  an engine faulted, hung, reached --max-cycles, or met something that is not modelled
)";

void report(unsigned connection, const platform::Outcome& outcome) {
    if (!outcome.summary.empty())
        std::fprintf(stderr, "gen9sim: connection %u\n%s\n", connection, outcome.summary.c_str());
}

}  // namespace

int serve_command(const Arguments& arguments) {
    namespace po = boost::program_options;
    CommandLine line("serve [options]", kServeHelp);
    auto add = line.group("Server").add_options();
    add("port", po::value<int>()->value_name("N")->default_value(4321),
        "TCP port; 0 takes a free one and prints it");
    add("bind", po::value<std::string>()->value_name("ADDRESS")->default_value("127.0.0.1"),
        "address to listen on; anybody who reaches it can use the model");
    add("once", "serve one connection, then end");
    SimulationOptions options(line);
    if (!line.parse(arguments)) return kSuccess;
    options.read(line);
    const int port = line.get<int>("port");
    if (port < 0 || port > 65535)
        throw UserError("--port " + std::to_string(port) + " is not allowed: 0..65535");
    ReadyMachine machine(options);

    const auto address = line.get<std::string>("bind");
    auto listener = platform::listen_on(address, static_cast<std::uint16_t>(port));
    std::printf("gen9sim: serving TBX on %s:%u\n", address.c_str(), platform::port_of(listener));
    std::printf("gen9sim: a program needs");
    for (const auto& [name, value] :
         platform::tbx_variables(driver_device(line), address, platform::port_of(listener)))
        std::printf(" %s=%s", name.c_str(), value.c_str());
    std::printf("\n");
    std::fflush(stdout);

    bool failed = false;
    platform::WorkCounter simulations;
    platform::TbxServer server(
        std::move(listener),
        [&](int socket, unsigned) { return simulate_connection(socket, machine, simulations); },
        [&](unsigned connection, const platform::Outcome& outcome) {
            report(connection, outcome);
            failed |= outcome.failed;
        });
    const bool once = line.has("once");
    server.serve_until([&] {
        if (once && server.accepted() > 0) server.stop_accepting();
        return server.idle() && (platform::stop_requested() || (once && server.accepted() > 0));
    });
    return failed ? kEngineError : kSuccess;
}

}  // namespace gen9::program
