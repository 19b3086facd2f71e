// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulation_options.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "common/check.h"
#include "eu/crew.h"
#include "platform/host/program/kernel_names.h"
#include "platform/machine/plugin.h"
#include "platform/machine/topology.h"
#include "sc_main/revision.h"

namespace gen9::program {

namespace po = boost::program_options;

namespace {

std::string product_list() {
    std::string text = "machine to model (default " + std::string(platform::kDefaultProduct) + "):";
    for (const auto& product : platform::products())
        text += " " + product.name;
    return text;
}

/// The cycle an option names.
std::uint64_t cycle_of(const CommandLine& line, const char* option, std::uint64_t otherwise) {
    if (!line.has(option)) return otherwise;
    const auto cycle = line.get<std::int64_t>(option);
    if (cycle < 0)
        throw UserError(std::string("--") + option + " " + std::to_string(cycle) +
                        " is not allowed: 0 or more");
    return static_cast<std::uint64_t>(cycle);
}

void check_kernel(const char* option, const std::string& text) {
    const bool address = text.starts_with("0x");
    const std::string digits = text.substr(address ? 2 : 0);
    const char* const allowed = address ? "0123456789abcdefABCDEF" : "0123456789";
    if (digits.empty() || digits.size() > 15 ||
        digits.find_first_not_of(allowed) != std::string::npos)
        throw UserError(std::string("--") + option + " '" + text +
                        "' is not allowed: the number of a launch, from 0, or a kernel's start "
                        "address 0x...");
}

platform::WaveformOptions read_waveform(const CommandLine& line, Timing timing) {
    platform::WaveformOptions options;
    options.path = line.text("vcd");
    for (const char* option : {"vcd-scope", "vcd-from", "vcd-to", "vcd-kernel"})
        if (options.path.empty() && line.has(option))
            throw UserError(std::string("--") + option + " needs --vcd FILE");
    if (options.path.empty()) return options;
    if (timing == Timing::Functional)
        throw UserError(
            "--vcd '" + options.path +
            "': functional mode has no cycles to show: use --timing timed, which is the default");
    if (!options.path.ends_with(".vcd") && !options.path.ends_with(".fst")) {
        options.path += ".vcd";
        std::fprintf(stderr, "gen9sim: --vcd %s: the waveform is '%s'\n", line.text("vcd").c_str(),
                     options.path.c_str());
    }
    if (line.has("vcd-scope")) options.scopes = line.get<Arguments>("vcd-scope");
    options.from = cycle_of(line, "vcd-from", options.from);
    options.to = cycle_of(line, "vcd-to", options.to);
    if (options.from >= options.to)
        throw UserError("--vcd-to " + std::to_string(options.to) + " is not allowed: more than " +
                        std::to_string(options.from) + ", where the waveform begins");
    if (line.has("vcd-kernel")) options.kernels = line.get<Arguments>("vcd-kernel");
    for (const std::string& kernel : options.kernels)
        check_kernel("vcd-kernel", kernel);
    return options;
}

platform::TrackOptions read_tracks(const CommandLine& line, Timing timing) {
    platform::TrackOptions options;
    options.path = line.text("timeline");
    for (const char* option : {"timeline-from", "timeline-to", "timeline-kernel"})
        if (options.path.empty() && line.has(option))
            throw UserError(std::string("--") + option + " needs --timeline FILE");
    if (options.path.empty()) return options;
    if (timing == Timing::Functional)
        throw UserError(
            "--timeline '" + options.path +
            "': functional mode has no cycles to show: use --timing timed, which is the default");
    options.from = cycle_of(line, "timeline-from", options.from);
    options.to = cycle_of(line, "timeline-to", options.to);
    if (options.from >= options.to)
        throw UserError("--timeline-to " + std::to_string(options.to) +
                        " is not allowed: more than " + std::to_string(options.from) +
                        ", where the timeline begins");
    if (line.has("timeline-kernel")) options.kernels = line.get<Arguments>("timeline-kernel");
    for (const std::string& kernel : options.kernels)
        check_kernel("timeline-kernel", kernel);
    return options;
}

std::vector<platform::RunOptions::SocketRecord> read_records(const CommandLine& line,
                                                             Timing timing) {
    std::vector<platform::RunOptions::SocketRecord> records;
    if (!line.has("record-socket")) return records;
    if (timing == Timing::Functional)
        throw UserError(
            "--record-socket: functional mode has no cycles to record: use --timing timed, which "
            "is the default");
    for (const std::string& text : line.get<Arguments>("record-socket")) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            throw UserError("--record-socket '" + text + "' is not allowed: SOCKET=FILE");
        records.push_back({text.substr(0, equals), text.substr(equals + 1)});
        check_writable("record-socket", records.back().path);
    }
    return records;
}

std::uint64_t read_sample(const CommandLine& line, Timing timing) {
    if (!line.has("sample")) return 0;
    const auto cycles = line.get<std::int64_t>("sample");
    if (cycles < 1)
        throw UserError("--sample " + std::to_string(cycles) + " is not allowed: 1 or more");
    if (line.text("stats").empty())
        throw UserError("--sample needs --stats FILE.json, beside which it writes FILE.csv");
    if (timing == Timing::Functional)
        throw UserError(
            "--sample: functional mode has no cycles to show: use --timing timed, which is the "
            "default");
    return static_cast<std::uint64_t>(cycles);
}

/// Outputs that need the cycles of a whole run do not go together with launches that have none.
platform::TimedKernels read_timed_kernels(const CommandLine& line, Timing timing) {
    constexpr std::int64_t kMostWarm = 1000;
    const auto warm = line.get<std::int64_t>("warm");
    if (warm < 0 || warm > kMostWarm)
        throw UserError("--warm " + std::to_string(warm) + " is not allowed: 0 to " +
                        std::to_string(kMostWarm));
    if (warm != 0 && !line.has("timed-kernels"))
        throw UserError("--warm needs --timed-kernels LIST");
    for (const char* ours : {"timed-kernels", "sample-groups"}) {
        if (!line.has(ours)) continue;
        if (timing == Timing::Functional)
            throw UserError(std::string("--") + ours +
                            ": --timing functional times nothing: leave it out");
        for (const char* option : {"vcd", "timeline", "record-socket", "sample", "report"})
            if (line.has(option))
                throw UserError(std::string("--") + ours + " and --" + option +
                                " do not go together: work without cycles has no place there");
    }
    if (!line.has("timed-kernels")) return {};
    return {line.get<std::string>("timed-kernels"), static_cast<unsigned>(warm)};
}

std::uint64_t read_sample_groups(const CommandLine& line) {
    if (!line.has("sample-groups")) return 0;
    const auto groups = line.get<std::int64_t>("sample-groups");
    if (groups < 1)
        throw UserError("--sample-groups " + std::to_string(groups) + " is not allowed: 1 or more");
    return static_cast<std::uint64_t>(groups);
}

unsigned read_threads(const CommandLine& line, Timing timing) {
    const auto threads = line.get<std::int64_t>("threads");
    if (threads < 1 || threads > eu::Crew::kMostThreads)
        throw UserError("--threads " + std::to_string(threads) + " is not allowed: 1 to " +
                        std::to_string(eu::Crew::kMostThreads));
    if (threads == 1) return 1;
    if (timing == Timing::Timed)
        throw UserError(
            "--threads: timed mode runs on one core of the host: use --timing functional");
    if (line.has("trace-isa"))
        throw UserError(
            "--threads and --trace-isa do not go together: a trace is of one order of "
            "instructions");
    return static_cast<unsigned>(threads);
}

platform::RunDescription describe(const CommandLine& line, const Arguments& program) {
    platform::RunDescription run;
    run.version = GEN9_VERSION;
    run.revision = kRevision;
    run.command = line.name();
    run.program = program;
    run.device = read_product(line).name;
    apply(read_product(line), run.product);
    if (line.has("plugin")) run.plugins = line.get<Arguments>("plugin");
    return run;
}

}  // namespace

void add_machine_options(CommandLine& line, bool with_settings) {
    auto add = line.group("Machine").add_options();
    add("device",
        po::value<std::string>()->value_name("NAME")->default_value(platform::kDefaultProduct, ""),
        product_list().c_str());
    if (with_settings) add_setting_options(line);
}

void add_setting_options(CommandLine& line) {
    auto add = line.group("Settings").add_options();
    add("config", po::value<Arguments>()->value_name("FILE.json")->composing(),
        "settings as a JSON object of names and values; may be given several times");
    add("set", po::value<Arguments>()->value_name("NAME=VALUE")->composing(),
        "one setting, as gen9sim params lists them: a dotted name that may leave out leading parts "
        "and "
        "indices (eu.threads=4, slice0.subslice1.eu.threads=4); wins over --config");
    add("plugin", po::value<Arguments>()->value_name("LIBRARY.so")->composing(),
        "a shared library with further models of blocks, which --set BLOCK.model=NAME then takes; "
        "may be given several times");
}

const platform::Product& read_product(const CommandLine& line) {
    return platform::find_product(line.get<std::string>("device"));
}

void read_settings(const CommandLine& line, Config& config) {
    if (line.has("plugin"))
        for (const auto& library : line.get<Arguments>("plugin"))
            platform::load_plugin(library);
    if (line.has("config"))
        for (const auto& file : line.get<Arguments>("config"))
            config.load_file(file);
    if (line.has("set"))
        for (const auto& setting : line.get<Arguments>("set"))
            config.set_text(setting, "--set");
}

Config read_config(const CommandLine& line) {
    Config config;
    apply(read_product(line), config);
    read_settings(line, config);
    return config;
}

platform::DriverDevice driver_device(const CommandLine& line) {
    const auto& product = read_product(line);
    return {product.driver_family, product.driver_topology,
            platform::Topology(read_config(line), "gpu").clock_hz};
}

SimulationOptions::SimulationOptions(CommandLine& line) {
    add_machine_options(line, true);
    auto run = line.group("Simulation").add_options();
    run("timing", po::value<std::string>()->value_name("MODE")->default_value("timed"),
        "timed: queues, arbitration and latencies are modelled; functional: only results, much "
        "faster");
    run("timed-kernels", po::value<std::string>()->value_name("LIST"),
        "time only these launches and run the others in functional mode: numbers and ranges, from "
        "0 in the order of their beginning (3,7-9); names, with * ? [] (mm*); or of the launches "
        "of such names those of a list (mm*:3,7-9); several such with ; between");
    run("warm", po::value<std::int64_t>()->value_name("N")->default_value(0, ""),
        "with --timed-kernels: also time the N launches before each of a list, to warm the caches "
        "(default: none)");
    run("sample-groups", po::value<std::int64_t>()->value_name("N"),
        "of launches with more than N thread groups time about N, the others in functional mode, "
        "and say from them how many cycles the launch takes, and how sure that is");
    run("threads", po::value<std::int64_t>()->value_name("N")->default_value(1, ""),
        "with --timing functional: cores of the host that run EUs at once; the results are the "
        "same (default: 1)");
    run("check-races",
        "with --timing functional: report data races of kernels, with the instructions; status 3 "
        "if there are any");
    run("max-cycles", po::value<std::int64_t>()->value_name("N")->default_value(0, ""),
        "stop a simulation after so many cycles of the engine's clock (default: never)");
    run("verbose", "also say what the program asks for that has no effect in the model");
    run("no-progress", "no progress line (there is one when standard error is a terminal)");
    auto files = line.group("Files").add_options();
    files("stats", po::value<std::string>()->value_name("FILE.json"),
          "write the statistics of the simulation; in timed mode with what each launch did");
    files("sample", po::value<std::int64_t>()->value_name("CYCLES"),
          "write beside the statistics, as FILE.csv, what happened in each interval of so many "
          "cycles; after 10,000 intervals they become twice as long");
    files("report", po::value<std::string>()->value_name("FILE.html"),
          "write a page that shows where the time went: kernels, causes, memory, instructions");
    files("vcd", po::value<std::string>()->value_name("FILE"),
          "write a waveform, as VCD or, when the name ends in .fst, as FST, and beside it a save "
          "file for gtkwave (gtkwave FILE FILE.gtkw); .vcd is appended to a name that ends in "
          "neither");
    files(
        "vcd-scope", po::value<Arguments>()->value_name("PATTERN")->composing(),
        "only of modules and sockets of this name and what is within them; the name may leave out "
        "leading parts and indices (cs, eu, subslice0.hdc, eu0.msg_out0); may be given several "
        "times");
    files("vcd-from", po::value<std::int64_t>()->value_name("CYCLE"), "only from this cycle on");
    files("vcd-to", po::value<std::int64_t>()->value_name("CYCLE"), "only before this cycle");
    files("vcd-kernel", po::value<Arguments>()->value_name("N|ADDRESS")->composing(),
          "only while a kernel runs: a launch by its number, from 0, or all of the kernel that "
          "starts at an address (0x...), as the statistics list them; may be given several times");
    files(
        "timeline", po::value<std::string>()->value_name("FILE"),
        "write a timeline that opens in ui.perfetto.dev: launches, threads, messages, what each EU "
        "waits for, counters");
    files("timeline-from", po::value<std::int64_t>()->value_name("CYCLE"),
          "only from this cycle on");
    files("timeline-to", po::value<std::int64_t>()->value_name("CYCLE"), "only before this cycle");
    files("timeline-kernel", po::value<Arguments>()->value_name("N|ADDRESS")->composing(),
          "only while a kernel runs, as for --vcd-kernel");
    files("trace-isa", po::value<std::string>()->value_name("FILE"),
          "write every instruction that is executed, with its masks and results");
    files("record-socket", po::value<Arguments>()->value_name("NAME=FILE")->composing(),
          "write every transaction of a socket with its cycle (gpu.slice0.subslice0.hdc.slm_out; "
          "leading parts may be left out), for gen9sim replay-socket and RTL testbenches; may be "
          "given several times");
}

void SimulationOptions::read(const CommandLine& line, const Arguments& program) {
    options_.config = read_config(line);
    options_.description = describe(line, program);
    const auto timing = line.get<std::string>("timing");
    if (timing != "timed" && timing != "functional")
        throw UserError("--timing '" + timing + "' is not allowed: functional|timed");
    options_.timing = timing == "timed" ? Timing::Timed : Timing::Functional;
    options_.timed_kernels = read_timed_kernels(line, options_.timing);
    options_.sample_groups = read_sample_groups(line);
    options_.threads = read_threads(line, options_.timing);
    options_.check_races = line.has("check-races");
    if (options_.check_races && (options_.timing == Timing::Timed || options_.threads != 1))
        throw UserError("--check-races needs --timing functional, without --threads");
    const auto max_cycles = line.get<std::int64_t>("max-cycles");
    if (max_cycles < 0)
        throw UserError("--max-cycles " + std::to_string(max_cycles) +
                        " is not allowed: 0 or more");
    options_.max_cycles = static_cast<std::uint64_t>(max_cycles);
    options_.verbose = line.has("verbose");
    options_.progress = !line.has("no-progress") && isatty(STDERR_FILENO);
    options_.stats_path = line.text("stats");
    options_.sample_cycles = read_sample(line, options_.timing);
    options_.waveform = read_waveform(line, options_.timing);
    options_.report_path = line.text("report");
    options_.profile = !options_.stats_path.empty() || !options_.report_path.empty();
    options_.trace_isa_path = line.text("trace-isa");
    options_.records = read_records(line, options_.timing);
    check_writable("stats", options_.stats_path);
    check_writable("report", options_.report_path);
    options_.tracks = read_tracks(line, options_.timing);
    check_writable("timeline", options_.tracks.path);
    check_writable("vcd", options_.waveform.path);
    check_writable("trace-isa", options_.trace_isa_path);
}

void SimulationOptions::name_launches(const std::string& folder) {
    names_ = std::make_shared<platform::KernelNames>(folder);
    options_.name_launch = [names = names_](GpuAddr start, const auto& groups) {
        return names->take(start, groups);
    };
}

platform::OnLaunch SimulationOptions::on_launch() const {
    return [names = names_](std::uint32_t process, std::uint32_t launch) {
        if (names) names->submits(process, launch);
    };
}

platform::RunOptions SimulationOptions::of_simulation(unsigned n) const {
    auto options = options_;
    options.stats_path = numbered(options.stats_path, n);
    options.report_path = numbered(options.report_path, n);
    options.tracks.path = numbered(options.tracks.path, n);
    options.waveform.path = numbered(options.waveform.path, n);
    options.trace_isa_path = numbered(options.trace_isa_path, n);
    for (auto& record : options.records)
        record.path = numbered(record.path, n);
    return options;
}

std::string SimulationOptions::program_text() const {
    std::string text;
    for (const std::string& word : options_.description.program)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

void check_writable(const char* option, const std::string& path) {
    if (path.empty()) return;
    const auto folder = std::filesystem::path(path).parent_path();
    const std::string at = folder.empty() ? "." : folder.string();
    if (std::filesystem::is_directory(path) || access(at.c_str(), W_OK) != 0)
        throw UserError(std::string("--") + option + " '" + path + "': cannot be written");
}

std::string numbered(const std::string& path, unsigned n) {
    if (path.empty() || n <= 1) return path;
    std::filesystem::path name(path);
    std::string extension = name.extension().string();
    name.replace_extension();
    if (extension == ".zst") {
        extension = name.extension().string() + extension;
        name.replace_extension();
    }
    return name.string() + "-" + std::to_string(n) + extension;
}

}  // namespace gen9::program
