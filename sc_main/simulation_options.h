// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/host/program/driver.h"
#include "platform/host/program/kernel_names.h"
#include "platform/machine/products/products.h"
#include "platform/run/simulation.h"
#include "sc_main/command_line.h"

namespace gen9::program {

/// The options that run, serve and replay share: which machine, how it is timed, what is written.
class SimulationOptions {
  public:
    /// Adds the options to --help.
    explicit SimulationOptions(CommandLine& line);
    /// Reads them, after CommandLine::parse. `program`: what is run, for the statistics. Throws
    /// UserError.
    void read(const CommandLine& line, const Arguments& program = {});

    /// Launches are to be named by what the program writes into a folder.
    void name_launches(const std::string& folder);
    /// The doors get this, because they know what a submission belongs to.
    platform::OnLaunch on_launch() const;

    /// Options of the n-th simulation of this run, from 1: from the second on, "-n" is put before
    /// the extension of every file.
    platform::RunOptions of_simulation(unsigned n) const;
    /// The program and its arguments.
    std::string program_text() const;

  private:
    platform::RunOptions options_;
    std::shared_ptr<platform::KernelNames> names_;
};

/// The options that choose a machine only (params, capture).
void add_machine_options(CommandLine& line, bool with_settings);
/// Options that change settings only, and their values.
void add_setting_options(CommandLine& line);
void read_settings(const CommandLine& line, Config& config);
const platform::Product& read_product(const CommandLine& line);
Config read_config(const CommandLine& line);
/// The machine as Intel's driver is told of it.
platform::DriverDevice driver_device(const CommandLine& line);

/// A file that cannot be written is better known before a long run than after it. Throws UserError.
void check_writable(const char* option, const std::string& path);

/// "out.json", 2 -> "out-2.json"; 1 leaves the name; an empty name stays empty.
std::string numbered(const std::string& path, unsigned n);

}  // namespace gen9::program
