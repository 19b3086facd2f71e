// SPDX-License-Identifier: Apache-2.0
/// The checker of a program's launches (gen9sim run --check-launches).
/// Role     OpenCL's layer in the program (launch_checker.h) sends what each launch was given and
///          what it left; a worker repeats it on PoCL (worker.h, repeater.h) and compares
///          (comparison.h); the report goes to the person (check_report.h).
#pragma once
#include <string>
#include <utility>

#include "platform/host/checks/worker.h"
#include "platform/host/tbx/tbx_server.h"

namespace gen9::checks {

/// Names the file by which the loader finds PoCL. Throws UserError where it is not installed.
std::string pocl_vendor_file();

/// A socket in a folder for programs to connect to, and its name.
std::pair<platform::FileDescriptor, std::string> listen_in(const std::string& folder);

/// Is this the summary of such a connection that saw launches?
bool is_report(const std::string& summary);

/// Serves a program. For a process of its own (platform/host/tbx/tbx_server.h).
platform::Outcome serve_checks(int socket, const CheckSettings& settings);

}  // namespace gen9::checks
