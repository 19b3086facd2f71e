// SPDX-License-Identifier: Apache-2.0
/// How Intel's driver is told to use a simulator instead of a device: by variables of the
/// environment of the program that loads it (public: compute-runtime 22.43,
/// shared/source/debug_settings).
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gen9::platform {

/// Variables a program is given, name and value.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Names the folder in which OpenCL's layer says what the program's launches are
/// (opencl_launches.h).
inline constexpr const char* kLaunchesVariable = "GEN9SIM_LAUNCHES";

/// Set where the layer keeps device binaries there, too, which say what kernels' arguments are.
inline constexpr const char* kBinariesVariable = "GEN9SIM_BINARIES";

/// The device the driver is to believe in: a product family, slices x subslices x EUs, and a clock.
struct DriverDevice {
    std::string family;
    std::string topology;
    std::uint64_t clock_hz = 0;
};

/// The driver speaks TBX to a server.
Variables tbx_variables(const DriverDevice& device, const std::string& address, std::uint16_t port);

/// Build options that OpenCL's layer adds to the program's (added_options.h).
inline constexpr const char* kOptionsVariable = "GEN9SIM_OPENCL_OPTIONS";

/// Set for programs whose queues are finished before they go (opencl_layer.cpp).
inline constexpr const char* kFinishQueuesVariable = "GEN9SIM_FINISH_QUEUES";

/// These take Mesa's drivers to this device, without a display where there is none.
Variables mesa_variables();

/// The driver, or any other of this device, finds it by the kernel interface: `folder` holds the
/// device's files (drm/device_folder.h). `tbx`: OpenCL's driver is told to speak TBX all the same,
/// and the library that makes its transactions whole is preloaded too (tbx/library). Throws
/// UserError when a library to preload is missing.
Variables drm_variables(const DriverDevice& device, const std::string& folder, bool tbx);

/// The driver writes what it submits into an AUB file, and runs nothing.
Variables aub_variables(const DriverDevice& device, const std::string& file);

/// When Intel's OpenCL driver is not on this machine: a sentence that names the package to install.
std::string missing_driver();

}  // namespace gen9::platform
