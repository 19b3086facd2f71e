// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/host/tbx_server.h"
#include "platform/host/work_counter.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {

/// Serves a connection with a simulation, which is built when there is work for it. For a process
/// of its own (platform/host/tbx_server.h).
platform::Outcome simulate_connection(int socket, const SimulationOptions& options,
                                      platform::WorkCounter& simulations);

/// Builds a machine in a process of its own and throws it away, so that a wrong setting is a user
/// error before anything is started. Throws UserError.
void check_settings(const SimulationOptions& options);

}  // namespace gen9::program
