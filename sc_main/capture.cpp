// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <filesystem>

#include "platform/host/aub/aub_player.h"
#include "platform/host/aub/byte_sink.h"
#include "platform/host/program/child_program.h"
#include "platform/host/program/kernel_finder.h"
#include "platform/host/stop.h"
#include "sc_main/command.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCaptureHelp =
    R"(Records what an OpenCL program submits as an AUB capture, by the capture mode of Intel's own
driver; gen9sim replay plays it without the driver. In this mode nothing computes: the program
reads garbage where it expects results, so it may well say that it failed, and what it submits after
that may be other than in a run. gen9sim run --record records a run that computes, of every driver,
with compares of its results.

  gen9sim capture --output vadd.aub.zst -- ./vector_add

Exit status
  0        a capture was recorded and can be read back
  2        wrong usage
  3        nothing was submitted, or the capture is damaged
  128 + n  interrupted by signal n
)";

/// Reads a capture back: can it be followed from one end to the other?
struct Contents {
    std::uint64_t packets, submissions;
    std::size_t kernels;
};
Contents read_back(const std::string& path) {
    platform::KernelFinder finder;
    platform::AubPlayer player(
        finder,
        [](const std::string& text) { std::fprintf(stderr, "gen9sim: %s\n", text.c_str()); },
        platform::AubPlayer::Checks::Skip);
    platform::AubFile file(path);
    player.play(file);
    return {player.packets(), player.submissions(), finder.kernels().size()};
}

int run_program(const CommandLine& line, const std::string& capture) {
    platform::install_stop_handlers();
    platform::ChildProgram program(line.program(),
                                   platform::aub_variables(driver_device(line), capture));
    while (!program.ended()) {
        if (platform::stop_requested()) program.terminate();
        platform::wait_for_wake();
    }
    return program.exit_status();
}

}  // namespace

int capture_command(const Arguments& arguments) {
    namespace po = boost::program_options;
    CommandLine line("capture [options] -- PROGRAM [ARGS...]", kCaptureHelp);
    line.take_program();
    add_machine_options(line, false);
    auto add = line.group("Capture").add_options();
    add("output", po::value<std::string>()->value_name("FILE.aub"),
        "the file to write (default: the program's name with .aub, in the current folder)");
    add("zstd", "pack it with zstd (also when the name ends in .zst)");
    if (!line.parse(arguments)) return kSuccess;
    read_product(line);
    if (const auto missing = platform::missing_driver(); !missing.empty()) throw UserError(missing);

    const bool named = line.has("output");
    fs::path output = named ? fs::path(line.text("output"))
                            : fs::path(line.program()[0]).filename().concat(".aub");
    const bool packed = line.has("zstd") || output.extension() == ".zst";
    if (packed && output.extension() != ".zst") output += ".zst";
    check_writable("output", output.string());
    output = fs::absolute(output);
    const fs::path plain = packed ? fs::path(output).concat(".part") : output;
    fs::remove(plain);

    const int status = run_program(line, plain.string());
    if (!fs::exists(plain)) {
        std::fprintf(
            stderr,
            "gen9sim: the program submitted nothing to the driver (its exit status was %d)\n",
            status);
        return kEngineError;
    }
    Contents contents{};
    try {
        contents = read_back(plain.string());
        if (packed) platform::pack_file(plain.string(), output.string());
    } catch (...) {
        if (packed) fs::remove(plain);
        throw;
    }
    if (packed) fs::remove(plain);
    std::fprintf(stderr,
                 "gen9sim: recorded %" PRIu64 " submissions of %zu kernels (%" PRIu64
                 " packets, %ju bytes) in %s; "
                 "the program's exit status was %d\n",
                 contents.submissions, contents.kernels, contents.packets,
                 static_cast<std::uintmax_t>(fs::file_size(output)), output.c_str(), status);
    if (const int signal = platform::stop_signal()) return interrupted(signal);
    return contents.submissions != 0 ? kSuccess : kEngineError;
}

}  // namespace gen9::program
