// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <systemc>

#include "common/check.h"
#include "sc_main/command.h"

namespace gen9::program {
namespace {

constexpr Command kCommands[] = {
    {"run", "run an OpenCL program on the model", run_command},
    {"serve", "serve the model to programs started elsewhere", serve_command},
    {"replay", "play an AUB capture and check what it expects", replay_command},
    {"replay-socket", "play what was recorded at a socket into its block, and compare",
     replay_socket_command},
    {"capture", "record what an OpenCL program submits as an AUB file", capture_command},
    {"disasm", "disassemble a kernel heap, an ocloc binary or an AUB file", disasm_command},
    {"report", "make a page of a run's statistics", report_command},
    {"compare", "compare runs by their statistics", compare_command},
    {"params", "list every parameter of the model", params_command},
};

void print_help() {
    std::puts(
        "gen9sim: a SystemC model of Intel's Gen9 render engine, driven by Intel's own OpenCL "
        "driver.\n"
        "\n"
        "usage: gen9sim COMMAND [options]\n");
    for (const auto& command : kCommands)
        std::printf("  %-13s %s\n", command.name, command.sentence);
    std::puts("\ngen9sim COMMAND --help says more. A first try: gen9sim run -- clinfo");
}

int dispatch(const Arguments& words) {
    if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        print_help();
        return words.empty() ? kUserError : kSuccess;
    }
    const auto* found =
        std::find_if(std::begin(kCommands), std::end(kCommands),
                     [&](const Command& command) { return words[0] == command.name; });
    if (found == std::end(kCommands))
        throw UserError("'" + words[0] + "' is not a command (gen9sim --help lists them)");
    return found->run({words.begin() + 1, words.end()});
}

}  // namespace
}  // namespace gen9::program

/// A descriptor that is closed would be given to the next file or socket, and what is written to
/// standard output would go there.
void open_standard_descriptors() {
    for (int number = 0; number <= 2; ++number)
        if (fcntl(number, F_GETFD) < 0 && open("/dev/null", O_RDWR) != number) std::abort();
}

int sc_main(int argc, char** argv) {
    // Set by main() for SystemC's banner only; programs run by us are not to see it.
    unsetenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE");
    try {
        return gen9::program::dispatch({argv + 1, argv + argc});
    } catch (const gen9::UserError& error) {
        std::fprintf(stderr, "gen9sim: %s\n", error.what());
        return gen9::program::kUserError;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gen9sim: internal error: %s\n", error.what());
        return EXIT_FAILURE;
    }
}

int main(int argc, char** argv) {
    open_standard_descriptors();
    // Whoever read our output may be gone; the run and its files matter all the same.
    std::signal(SIGPIPE, SIG_IGN);
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
