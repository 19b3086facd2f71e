// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <string>

namespace gen9::platform {

class Engine;

/// SIGINT and SIGTERM end a run cleanly: whoever waits or works looks here. A later one ends the
/// process at once, so that an impatient user gets what he wants, and the process groups with it
/// that are known here. One that comes with the first is the same: `timeout` sends each twice.
void install_stop_handlers();
/// A process group that this process has made ends with it.
void add_process_group(pid_t group);
void remove_process_group(pid_t group);
bool stop_requested();
/// The signal that asked for it; 0: none did.
int stop_signal();
/// "SIGTERM".
std::string signal_name(int signal);

/// An engine to interrupt when a stop is requested, or null.
void interrupt_on_stop(Engine* engine);

/// Becomes readable when a child process has ended or a stop was requested; -1 before
/// install_stop_handlers().
int wake_descriptor();
void drain_wake_descriptor();
/// Waits for that, or half a second.
void wait_for_wake();

}  // namespace gen9::platform
