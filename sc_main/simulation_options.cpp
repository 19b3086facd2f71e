// SPDX-License-Identifier: Apache-2.0
#include "sc_main/simulation_options.h"

#include <unistd.h>

#include <filesystem>

#include "common/check.h"
#include "platform/plugin.h"

namespace gen9::program {

namespace po = boost::program_options;

namespace {

std::string product_list() {
    std::string text = "machine to model (default " + std::string(platform::kDefaultProduct) + "):";
    for (const auto& product : platform::products())
        text += " " + product.name;
    return text;
}

}  // namespace

void add_machine_options(CommandLine& line, bool with_settings) {
    auto add = line.group("Machine").add_options();
    add("device",
        po::value<std::string>()->value_name("NAME")->default_value(platform::kDefaultProduct, ""),
        product_list().c_str());
    if (!with_settings) return;
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

Config read_config(const CommandLine& line) {
    if (line.has("plugin"))
        for (const auto& library : line.get<Arguments>("plugin"))
            platform::load_plugin(library);
    Config config;
    apply(read_product(line), config);
    if (line.has("config"))
        for (const auto& file : line.get<Arguments>("config"))
            config.load_file(file);
    if (line.has("set"))
        for (const auto& setting : line.get<Arguments>("set"))
            config.set_text(setting, "--set");
    return config;
}

SimulationOptions::SimulationOptions(CommandLine& line) {
    add_machine_options(line, true);
    auto run = line.group("Simulation").add_options();
    run("timing", po::value<std::string>()->value_name("MODE")->default_value("timed"),
        "timed: queues, arbitration and latencies are modelled; functional: only results, much "
        "faster");
    run("max-cycles", po::value<std::int64_t>()->value_name("N")->default_value(0, ""),
        "stop a simulation after so many cycles of the engine's clock (default: never)");
    run("no-progress", "no progress line (there is one when standard error is a terminal)");
    auto files = line.group("Files").add_options();
    files("stats", po::value<std::string>()->value_name("FILE.json"),
          "write the statistics of the simulation");
    files("vcd", po::value<std::string>()->value_name("FILE.vcd"),
          "write a waveform, and beside it a save file for gtkwave (FILE.gtkw)");
    files("trace-isa", po::value<std::string>()->value_name("FILE"),
          "write every instruction that is executed, with its masks and results");
}

void SimulationOptions::read(const CommandLine& line) {
    product_ = &read_product(line);
    options_.config = read_config(line);
    const auto timing = line.get<std::string>("timing");
    if (timing != "timed" && timing != "functional")
        throw UserError("--timing '" + timing + "' is not allowed: functional|timed");
    options_.timing = timing == "timed" ? Timing::Timed : Timing::Functional;
    const auto max_cycles = line.get<std::int64_t>("max-cycles");
    if (max_cycles < 0)
        throw UserError("--max-cycles " + std::to_string(max_cycles) +
                        " is not allowed: 0 or more");
    options_.max_cycles = static_cast<std::uint64_t>(max_cycles);
    options_.progress = !line.has("no-progress") && isatty(STDERR_FILENO);
    options_.stats_path = line.text("stats");
    options_.vcd_path = line.text("vcd");
    options_.trace_isa_path = line.text("trace-isa");
    check_writable("stats", options_.stats_path);
    check_writable("vcd", options_.vcd_path);
    check_writable("trace-isa", options_.trace_isa_path);
}

platform::RunOptions SimulationOptions::of_simulation(unsigned n) const {
    auto options = options_;
    options.stats_path = numbered(options.stats_path, n);
    options.vcd_path = numbered(options.vcd_path, n);
    options.trace_isa_path = numbered(options.trace_isa_path, n);
    return options;
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
    const auto extension = name.extension().string();
    name.replace_extension();
    return name.string() + "-" + std::to_string(n) + extension;
}

}  // namespace gen9::program
