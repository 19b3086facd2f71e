// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <tuple>

#include "common/check.h"
#include "cs/params.h"
#include "platform/host/checks/check_connection.h"
#include "platform/host/checks/comparison.h"
#include "platform/host/drm/device_folder.h"
#include "platform/host/drm/protocol.h"
#include "platform/host/program/build_tally.h"
#include "platform/host/program/display.h"
#include "platform/host/program/drm_variables.h"
#include "platform/host/program/kernel_names.h"
#include "platform/host/program/left_behind.h"
#include "platform/host/program/program_file.h"
#include "platform/host/stop.h"
#include "platform/host/tbx/tbx_server.h"
#include "platform/host/temporary_folder.h"
#include "platform/machine/topology.h"
#include "sc_main/command.h"
#include "sc_main/simulated_connection.h"

namespace gen9::program {
namespace {

constexpr const char* kRunHelp =
    R"(Runs a program, unmodified, on the model. The program finds a device of the i915 kernel driver,
and its own driver compiles its kernels and submits them: Intel's for OpenCL (Debian package
intel-opencl-icd), Mesa's for compute shaders of OpenGL and Vulkan. The program's input, output and
exit status are passed through. A summary of what ran is written to standard error.

  gen9sim run -- clinfo
  gen9sim run --timing functional -- ./my_program its arguments
  gen9sim run --device skl-gt4 --stats out.json --vcd out.vcd -- python3 script.py

Each process of the program that runs something has a machine of its own, by either door; its
contexts share that machine. The files of the second one get "-2" before their extension, and so on.

Programs that want a display get one with --display (Debian packages weston and xwayland): Wayland
and X11, in memory, for as long as the program runs.
  --compositor model      Intel's OpenGL driver composes the display on the model. The compositor is
                          then the first process with a machine
  --compositor processor  the processor composes it: frames come, of programs that draw by
                          themselves. OpenGL on a window finds no driver

  gen9sim run --timing functional --display 300x300 --frames pictures -- glxgears

A kernel that never ends is stopped by --max-cycles or ^C. The summary and the statistics then show
what ran so far, and a report says where each thread stands.

Exit status
  0        the program and the engine ended well
  2        wrong usage
  3        the program ended well, but the engine faulted or met something that is not modelled,
           or --check-launches found a difference; or the engine hung or reached --max-cycles, or the
           display ended, and so did the program
  128 + n  gen9sim was interrupted by signal n
  other    the program's own; 128 + n when signal n ended it. Standard error says if the engine
           failed as well
)";

/// System memory that programs are told of.
constexpr std::uint64_t kMemoryBytes = std::uint64_t{16} << 30;

/// How long a program may go on that was told that its device is lost.
constexpr auto kTimeToSaySo = std::chrono::seconds(2);

/// The connections of the program came to this.
struct Results {
    std::map<unsigned, platform::Outcome> by_connection;
    bool failed = false;
    bool stopped = false;
    bool worked = false;
    bool checked = false;  ///< launches, by --check-launches

    /// May what a process had computed be wrong?
    bool flawed_in(pid_t process) const {
        return std::ranges::any_of(by_connection, [&](const auto& entry) {
            return entry.second.flawed && entry.second.peer == process;
        });
    }
    void add(unsigned connection, const platform::Outcome& outcome) {
        failed |= outcome.failed;
        stopped |= outcome.stopped;
        worked |= outcome.worked;
        checked |= checks::is_report(outcome.summary);
        by_connection[connection] = outcome;
    }
    /// `reasons`: why a program may have found no device.
    void print(const std::vector<std::string>& reasons) const {
        for (const auto& [connection, outcome] : by_connection)
            if (!outcome.summary.empty()) std::fprintf(stderr, "%s\n", outcome.summary.c_str());
        if (!by_connection.empty()) return;
        std::fprintf(stderr, "gen9sim: the program submitted no work to the model\n");
        for (const std::string& reason : reasons)
            if (!reason.empty()) std::fprintf(stderr, "gen9sim: %s\n", reason.c_str());
    }
};

/// The way by which a program finds the model.
struct Door {
    platform::FileDescriptor listener;
    platform::Variables variables;
    std::unique_ptr<drm::DeviceFolder> folder;
};

Door tbx_door(const CommandLine& line) {
    const std::string address = "127.0.0.1";
    auto listener = platform::listen_on(address, 0);
    const auto port = platform::port_of(listener);
    return {std::move(listener), platform::tbx_variables(driver_device(line), address, port), {}};
}

/// The facts that the device tells those who ask its kernel driver.
drm::Facts facts_of(const CommandLine& line) {
    const auto& product = read_product(line);
    const Config config = read_config(line);
    const platform::Topology topology(config, "gpu");
    drm::Facts facts;
    facts.device_id = product.device_id;
    facts.revision = product.revision;
    facts.slices = static_cast<std::uint32_t>(topology.slices);
    facts.subslices = static_cast<std::uint32_t>(topology.subslices);
    facts.eus = static_cast<std::uint32_t>(topology.eus);
    facts.timestamp_hz = static_cast<std::uint32_t>(cs::CsParams(config, "gpu.cs").timestamp_hz);
    facts.memory_bytes = kMemoryBytes;
    return facts;
}

drm::PageSize largest_page(const std::string& text) {
    if (text == "4k") return drm::PageSize::Small;
    if (text == "64k") return drm::PageSize::Medium;
    if (text == "2m") return drm::PageSize::Large;
    throw UserError("--pages '" + text + "' is not allowed: 4k|64k|2m");
}

/// `scattered`, `scattered:SEED` or `scattered:SEED:SIZE`, where SIZE is as 64k or 4m.
std::optional<drm::Frames> scattered(const std::string& text, drm::PageSize largest) {
    static const std::regex form(R"(scattered(:(\d{1,18})(:(\d{1,4})([km]))?)?)");
    std::smatch part;
    if (!std::regex_match(text, part, form)) return {};
    const std::uint64_t seed = part[2].matched ? std::stoull(part[2]) : 1;
    if (!part[3].matched) return drm::Frames(largest, seed);
    const std::uint64_t bytes = std::stoull(part[4]) << (part[5] == "k" ? 10 : 20);
    constexpr std::uint64_t kMost = 1 << 30;
    if (bytes == 0 || bytes % static_cast<std::uint64_t>(largest) != 0 || bytes > kMost) return {};
    return drm::Frames(largest, seed, bytes);
}

drm::Frames frames_of(const CommandLine& line) {
    const auto largest = largest_page(line.text("pages"));
    const std::string text = line.text("placement");
    if (text == "contiguous") return largest;
    if (const auto frames = scattered(text, largest)) return *frames;
    throw UserError("--placement '" + text +
                    "' is not allowed: contiguous|scattered|scattered:SEED|scattered:SEED:SIZE, a "
                    "whole number, and a multiple of the size of pages up to 1024m, as 4m");
}

Door drm_door(const CommandLine& line, bool tbx) {
    constexpr std::uint64_t kMega = 1'000'000;
    const auto device = driver_device(line);
    auto folder = std::make_unique<drm::DeviceFolder>(
        facts_of(line), static_cast<std::uint32_t>(device.clock_hz / kMega));
    auto listener = folder->listen();
    auto variables = platform::drm_variables(device, folder->path(), tbx);
    return {std::move(listener), std::move(variables), std::move(folder)};
}

void add_display_options(CommandLine& line) {
    namespace po = boost::program_options;
    line.group("Display").add_options()("display",
                                        po::value<std::string>()->value_name("WIDTHxHEIGHT"),
                                        "start the program on a display in memory")(
        "compositor", po::value<std::string>()->value_name("WHO"),
        "who composes it: model (the default) or processor")(
        "frames", po::value<std::string>()->value_name("DIR"),
        "write pictures of the display: frame-0001.png and so on")(
        "every", po::value<unsigned>()->value_name("N"),
        "of the first frame and of each Nth after it; 60 unless said");
}

std::optional<platform::DisplayWish> display_of(const CommandLine& line) {
    if (!line.has("display")) {
        for (const char* option : {"compositor", "frames", "every"})
            if (line.has(option)) throw UserError(std::string("--") + option + " needs --display");
        return {};
    }
    platform::DisplayWish wish;
    std::tie(wish.width, wish.height) = platform::display_size(line.text("display"));
    const std::string who = line.has("compositor") ? line.text("compositor") : "model";
    if (who != "model" && who != "processor")
        throw UserError("--compositor '" + who + "' is not allowed: model|processor");
    wish.composed_by_model = who == "model";
    wish.frames = line.text("frames");
    if (line.has("every")) wish.every = line.get<unsigned>("every");
    if (wish.every == 0) throw UserError("--every 0 is not allowed: a number of frames from 1");
    if (line.has("frames") && wish.frames.empty()) throw UserError("--frames '' names no folder");
    return wish;
}

void add_opencl_options(CommandLine& line) {
    namespace po = boost::program_options;
    line.group("OpenCL").add_options()(
        "opencl-options", po::value<std::string>()->value_name("OPTIONS"),
        "add build options to those of the program, as -cl-opt-disable. Programs made from "
        "binaries are not compiled: there they do nothing")(
        "check-launches", po::value<std::string>()->value_name("WHERE"),
        "repeat each launch on another platform, pocl, and name the first difference: kernel, "
        "argument, element, both values")(
        "check-ulps", po::value<std::int64_t>()->value_name("N"),
        "so many ulps floats may differ by (default 4096): of the larger of the two, or of the "
        "middle one of what the launch wrote; doubles by as many of theirs, halves by a 256th; "
        "0: only equal values agree");
}

std::optional<checks::CheckSettings> checks_of(const CommandLine& line) {
    if (!line.has("check-launches")) {
        if (line.has("check-ulps")) throw UserError("--check-ulps needs --check-launches");
        return {};
    }
    if (const auto where = line.text("check-launches"); where != "pocl")
        throw UserError("--check-launches '" + where + "' is not allowed: pocl");
    if (line.has("sample-groups"))
        throw UserError(
            "--check-launches and --sample-groups do not go together: groups that are left out "
            "have no results");
    constexpr std::int64_t kMostUlps = 1 << 30;
    const auto ulps = line.has("check-ulps") ? line.get<std::int64_t>("check-ulps")
                                             : std::int64_t{checks::kDefaultUlps};
    if (ulps < 0 || ulps > kMostUlps)
        throw UserError("--check-ulps " + std::to_string(ulps) + " is not allowed: 0 to " +
                        std::to_string(kMostUlps));
    return checks::CheckSettings{checks::pocl_vendor_file(), static_cast<unsigned>(ulps)};
}

/// Tells OpenCL's layer what to do with builds and launches, and says who checks these.
void prepare_opencl(const CommandLine& line, const std::optional<checks::CheckSettings>& checks,
                    const std::string& folder, platform::Variables& variables,
                    std::vector<platform::TbxServer::Door>& doors) {
    if (line.has("opencl-options"))
        variables.emplace_back(platform::kOptionsVariable, line.text("opencl-options"));
    if (checks) {
        auto [listener, name] = checks::listen_in(folder);
        variables.emplace_back(checks::kSocketVariable, name);
        doors.push_back({std::move(listener), [settings = *checks](int socket, unsigned) {
                             return checks::serve_checks(socket, settings);
                         }});
    }
    // pyopencl keeps binaries of what it has compiled, which have no source and are not compiled.
    if ((checks || line.has("opencl-options")) && !std::getenv("PYOPENCL_NO_CACHE"))
        variables.emplace_back("PYOPENCL_NO_CACHE", "1");
}

void tell_opencl(const CommandLine& line, const std::string& folder, const Results& results) {
    if (line.has("check-launches") && !results.checked && !platform::stop_requested())
        std::fprintf(
            stderr, "gen9sim: --check-launches: the program launched nothing by OpenCL's loader\n");
    if (line.has("opencl-options"))
        std::fprintf(stderr, "gen9sim: %s\n",
                     platform::build_tally(folder, line.text("opencl-options")).c_str());
}

/// Tells what came of the display's frames.
void tell_frames(const platform::ProgramOnDisplay& program, const CommandLine& line,
                 const Results& results) {
    if (!program.display() || !line.has("frames")) return;
    const bool in_vain = results.flawed_in(program.display()->process());
    std::fprintf(stderr, "gen9sim: %s\n", program.display()->frames_text(in_vain).c_str());
}

/// Shells say so as well, but not all who call this program are shells.
void tell_signal(int signal) {
    const char* why = "";
    if (signal == SIGKILL) why = ": another process did so, or the system for want of memory";
    if (signal == SIGXFSZ) why = ": a file would have grown beyond the limit (ulimit -f)";
    if (signal == SIGXCPU) why = ": it used up its processor time (ulimit -t)";
    std::fprintf(stderr, "gen9sim: the program was ended by %s%s\n",
                 platform::signal_name(signal).c_str(), why);
}

}  // namespace

int run_command(const Arguments& arguments) {
    CommandLine line("run [options] -- PROGRAM [ARGS...]", kRunHelp);
    line.take_program();
    SimulationOptions options(line);
    line.group("Simulation")
        .add_options()(
            "door",
            boost::program_options::value<std::string>()->value_name("DOOR")->default_value("drm"),
            "how the program reaches the model: drm, by the interface of the i915 kernel driver; "
            "tbx, by the simulator socket of Intel's OpenCL driver")(
            "pages",
            boost::program_options::value<std::string>()->value_name("SIZE")->default_value("2m"),
            "largest pages of memory by the drm door: 4k, 64k or 2m. The kernel driver has large "
            "ones where the system's memory is contiguous")(
            "placement",
            boost::program_options::value<std::string>()->value_name("HOW")->default_value(
                "contiguous"),
            "where these pages lie in physical memory: contiguous, scattered or scattered:SEED, "
            "which gives each page a frame from anywhere, the same for the same seed (1), or "
            "scattered:SEED:SIZE, where so much lies together, as 4m");
    line.group("Capture").add_options()(
        "record", boost::program_options::value<std::string>()->value_name("FILE.aub"),
        "record what the driver submits while the program computes, and what must then be in "
        "memory, for gen9sim replay, which checks it; packed with zstd when the name ends in .zst");
    add_opencl_options(line);
    add_display_options(line);
    if (!line.parse(arguments)) return kSuccess;
    options.read(line, line.program());
    check_writable("record", line.text("record"));
    if (const auto door = line.text("door"); door != "tbx" && door != "drm")
        throw UserError("--door '" + door + "' is not allowed: drm|tbx");
    const bool by_drm = line.text("door") == "drm";
    const drm::Frames frames = frames_of(line);
    const auto display = display_of(line);
    const auto checks = checks_of(line);
    const std::string missing = platform::missing_driver();
    if (!by_drm && !missing.empty()) throw UserError(missing);
    // The program writes here of its launches.
    const platform::TemporaryFolder launches("gen9sim-launches-");
    launches.open_to_other_users();
    options.name_launches(launches.path());
    ReadyMachine machine(options, line.text("record"));

    Results results;
    platform::WorkCounter simulations;
    std::vector<platform::TbxServer::Door> doors;
    Door drm = drm_door(line, !by_drm);
    auto variables = drm.variables;
    variables.emplace_back(platform::kLaunchesVariable, launches.path());
    if (line.has("check-races")) variables.emplace_back(platform::kBinariesVariable, "1");
    // The program's next writes are not to be mistaken for the engine's.
    if (line.has("record")) variables.emplace_back(drm::kWaitVariable, "1");
    doors.push_back({std::move(drm.listener), [&](int socket, unsigned) {
                         return simulate_drm_connection(socket, machine, simulations, frames);
                     }});
    if (!by_drm) {
        // Only OpenCL's driver knows this one; all others go by the first in the same run.
        Door tbx = tbx_door(line);
        variables.insert(variables.end(), tbx.variables.begin(), tbx.variables.end());
        doors.push_back({std::move(tbx.listener), [&](int socket, unsigned) {
                             return simulate_connection(socket, machine, simulations);
                         }});
    }
    prepare_opencl(line, checks, launches.path(), variables, doors);
    platform::TbxServer server(std::move(doors),
                               [&](unsigned connection, const platform::Outcome& outcome) {
                                   results.add(connection, outcome);
                               });

    std::string given = drm::kGivenVariable;
    for (const auto& [name, value] : variables)
        given += ":" + name;
    variables.emplace_back(drm::kGivenVariable, given);
    if (line.has("verbose"))
        for (const auto& [name, value] : variables)
            std::fprintf(stderr, "gen9sim: the program is given %s=%s\n", name.c_str(),
                         value.c_str());
    platform::LeftBehind left_behind(std::string(drm::kFolderVariable) + "=" + drm.folder->path());
    platform::ProgramOnDisplay program(line.program(), variables, display);
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> lost;
    server.serve_until([&] {
        // A driver that has lost its engine would poll for ever; by the kernel interface it is told
        // that it has, so that the program can say so itself.
        if (results.stopped && !lost) lost = Clock::now();
        const bool told = by_drm && lost && Clock::now() - *lost < kTimeToSaySo;
        if ((results.stopped && !told) || platform::stop_requested()) {
            program.terminate();
            left_behind.terminate();
        }
        return program.ended() && left_behind.run_can_end(!server.idle());
    });
    results.print({missing, platform::why_not_preloaded(line.program()[0])});
    tell_opencl(line, launches.path(), results);
    tell_frames(program, line, results);
    if (const int signal = platform::stop_signal()) return interrupted(signal);
    if (!results.stopped && program.end_signal() != 0) tell_signal(program.end_signal());
    if (results.stopped || program.display_lost()) return kEngineError;
    if (program.exit_status() == 0) return results.failed ? kEngineError : kSuccess;
    if (results.failed)
        std::fprintf(stderr,
                     "gen9sim: the %s failed, as reported above, and the program's exit status is "
                     "%d\n",
                     checks ? "run" : "engine", program.exit_status());
    return program.exit_status();
}

}  // namespace gen9::program
