// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "platform/host/drm/page_tables.h"
#include "platform/host/tbx/tbx_server.h"
#include "platform/host/work_counter.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {

/// The machine of a run, built before its program starts: a wrong setting is then a user error
/// before anything has begun, and a connection, which is a process forked from this one, finds its
/// engine ready instead of keeping the program waiting for it at its first submission.
class ReadyMachine {
  public:
    /// Throws UserError for settings that do not exist or are not allowed.
    explicit ReadyMachine(const SimulationOptions& options, std::string record_path = "");
    ~ReadyMachine();
    ReadyMachine(const ReadyMachine&) = delete;
    ReadyMachine& operator=(const ReadyMachine&) = delete;
    /// The machine as the n-th simulation of the run, in the process that is to use it. Once.
    std::unique_ptr<platform::Simulation> take(unsigned n);
    /// The file in which the n-th simulation's input is to be recorded; empty: nowhere.
    std::string record_path(unsigned n) const { return numbered(record_path_, n); }
    const SimulationOptions& options() const { return options_; }

  private:
    const SimulationOptions& options_;
    std::string record_path_;
    std::unique_ptr<platform::Simulation> simulation_;
};

/// Did the engine fault or hang, meet something not modelled, or reach --max-cycles?
bool failed(platform::Simulation& simulation);

/// Serves a connection with a simulation, which is taken when there is work for it. For a process
/// of its own (platform/host/tbx/tbx_server.h).
platform::Outcome simulate_connection(int socket, ReadyMachine& machine,
                                      platform::WorkCounter& simulations);

/// The same for a connection of the kernel interface, whose buffers have these frames.
platform::Outcome simulate_drm_connection(int socket, ReadyMachine& machine,
                                          platform::WorkCounter& simulations,
                                          const drm::Frames& frames);

}  // namespace gen9::program
