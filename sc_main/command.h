// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace gen9::program {

using Arguments = std::vector<std::string>;

/// A subcommand: takes what follows its name on the command line, returns the exit status. Throws
/// UserError.
struct Command {
    const char* name;
    const char* sentence;
    int (*run)(const Arguments& arguments);
};

int run_command(const Arguments& arguments);
int serve_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int replay_socket_command(const Arguments& arguments);
int capture_command(const Arguments& arguments);
int disasm_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int params_command(const Arguments& arguments);

enum ExitStatus : int {
    kSuccess = 0,
    kMismatch = 1,     ///< a replayed capture expected something else
    kUserError = 2,    ///< a wrong option, key or file; said in one line
    kEngineError = 3,  ///< the engine faulted or hung, or needed something not modelled
};
/// A command that was interrupted, as a shell says it.
constexpr int interrupted(int signal) {
    return 128 + signal;
}

}  // namespace gen9::program
