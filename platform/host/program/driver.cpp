// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/driver.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/check.h"
#include "platform/host/program/drm_variables.h"

namespace gen9::platform {
namespace {

constexpr std::uint64_t kMega = 1'000'000;
constexpr const char* kLayer = "libgen9sim_opencl_layer.so";
constexpr const char* kDrmLibrary = "libgen9sim_drm.so";
constexpr const char* kTbxLibrary = "libgen9sim_tbx.so";
constexpr const char* kVulkanFile = "/usr/share/vulkan/icd.d/intel_icd.x86_64.json";
constexpr const char* kIcdFile = "/etc/OpenCL/vendors/intel.icd";

// Values of SetCommandStreamReceiver.
constexpr const char* kToAubFile = "1";
constexpr const char* kToTbxServer = "2";

/// A file beside this program.
std::filesystem::path beside_program(const char* name) {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).replace_filename(name);
}

/// These hold for every door.
Variables loader_variables(const DriverDevice& device) {
    Variables variables{{"NEOReadDebugKeys", "1"},
                        // Starts of events are then those of the engine (opencl_layer.cpp).
                        {"EnableDeviceBasedTimestamps", "1"},
                        {"GEN9SIM_CLOCK_MHZ", std::to_string(device.clock_hz / kMega)}};
    std::error_code error;
    const auto layer = beside_program(kLayer);
    if (std::filesystem::exists(layer, error)) {
        const char* others = std::getenv("OPENCL_LAYERS");
        variables.emplace_back("OPENCL_LAYERS",
                               (others ? others + std::string(":") : "") + layer.string());
    }
    // A loader shows every vendor; a program that takes the first platform must find this one.
    if (std::getenv("OCL_ICD_VENDORS") == nullptr && std::filesystem::exists(kIcdFile))
        variables.emplace_back("OCL_ICD_VENDORS", kIcdFile);
    return variables;
}

Variables common_variables(const DriverDevice& device, const char* receiver) {
    auto variables = loader_variables(device);
    variables.emplace_back("SetCommandStreamReceiver", receiver);
    variables.emplace_back("ProductFamilyOverride", device.family);
    variables.emplace_back("HardwareInfoOverride", device.topology);
    return variables;
}

bool level_zero_driver_installed() {
    for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib"})
        if (std::filesystem::exists(std::string(folder) + "/libze_intel_gpu.so.1")) return true;
    return false;
}

/// A library to preload.
std::string preload(const char* name) {
    const auto library = beside_program(name);
    std::error_code error;
    if (!std::filesystem::exists(library, error))
        throw UserError("the library '" + library.string() + "' is missing");
    return library.string();
}

/// Has the person said so, with anything in it?
bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
}

}  // namespace

Variables mesa_variables() {
    Variables variables;
    // Mesa takes a driver on the processor without a word where Intel's is not named or not found.
    if (!is_set("VK_ICD_FILENAMES") && !is_set("VK_DRIVER_FILES") &&
        std::filesystem::exists(kVulkanFile))
        variables.emplace_back("VK_ICD_FILENAMES", kVulkanFile);
    // So does its OpenGL: with a driver that is not there, the program is told that it has none.
    if (!is_set("GALLIUM_DRIVER") && !is_set("LIBGL_ALWAYS_SOFTWARE"))
        variables.emplace_back("GALLIUM_DRIVER", "none");
    if (!is_set("EGL_PLATFORM") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
        variables.emplace_back("EGL_PLATFORM", "surfaceless");
    return variables;
}

Variables tbx_variables(const DriverDevice& device, const std::string& address,
                        std::uint16_t port) {
    auto variables = common_variables(device, kToTbxServer);
    variables.emplace_back("TbxServer", address);
    variables.emplace_back("TbxPort", std::to_string(port));
    return variables;
}

Variables drm_variables(const DriverDevice& device, const std::string& folder, bool tbx) {
    std::string preloaded = preload(kDrmLibrary);
    if (tbx) preloaded.append(":").append(preload(kTbxLibrary));
    if (const char* others = std::getenv("LD_PRELOAD")) preloaded += std::string(":") + others;
    auto variables = loader_variables(device);
    variables.emplace_back("LD_PRELOAD", preloaded);
    // After its queue has gone the driver waits for a word that it does not fetch any more.
    if (tbx) variables.emplace_back(kFinishQueuesVariable, "1");
    variables.emplace_back(drm::kFolderVariable, folder);
    // The driver's thread that closes buffers would take memory at times of its own, and a
    // program's buffers would have other addresses from run to run.
    variables.emplace_back("EnableGemCloseWorker", "0");
    for (auto& variable : mesa_variables())
        variables.push_back(std::move(variable));
    return variables;
}

Variables aub_variables(const DriverDevice& device, const std::string& file) {
    auto variables = common_variables(device, kToAubFile);
    variables.emplace_back("AUBDumpCaptureFileName", file);
    return variables;
}

std::string missing_driver() {
    if (std::getenv("OCL_ICD_VENDORS") != nullptr || level_zero_driver_installed()) return {};
    std::ifstream icd(kIcdFile);
    std::string file = kIcdFile, library;
    if (std::getline(icd, library)) {
        if (!library.starts_with('/') || std::filesystem::exists(library)) return {};
        file = library;
    }
    return "Intel's OpenCL driver is not installed (no " + file +
           "); install the Debian package intel-opencl-icd";
}

}  // namespace gen9::platform
