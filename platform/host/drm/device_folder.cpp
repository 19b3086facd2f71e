// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/device_folder.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/check.h"

namespace gen9::drm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSlot = "0000:00:02.0";
constexpr const char* kPci = "/sys/devices/pci0000:00/0000:00:02.0";

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%04x\n", value);
    return text;
}

void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw UserError("cannot write '" + path.string() + "'");
}

void link(const fs::path& path, const std::string& to) {
    fs::create_directories(path.parent_path());
    fs::create_symlink(to, path);
}

}  // namespace

DeviceFolder::DeviceFolder(const Facts& facts, std::uint32_t max_mhz) : folder_("gen9sim-") {
    try {
        make_tree(facts, max_mhz);
    } catch (const fs::filesystem_error& error) {
        throw UserError(std::string("cannot make the device's files: ") + error.what());
    }
    put(fs::path(path()) / kFactsName,
        std::string(reinterpret_cast<const char*>(&facts), sizeof facts));
}

/// A program of the superuser's may take another user. The server lets in who belongs to the run.
void DeviceFolder::open_to_all() const {
    if (geteuid() != 0) return;
    constexpr auto kAllRead = static_cast<fs::perms>(0644),
                   kAllWrite = static_cast<fs::perms>(0666),
                   kAllEnter = static_cast<fs::perms>(0755),
                   kAllChange = static_cast<fs::perms>(0777);
    const std::string nodes = path() + "/" + kTreeName + "/dev/dri/";
    const std::string metrics = path() + "/" + kTreeName + kMetricsFolder,
                      sets = path() + "/" + kCounterSetsName;
    fs::permissions(path(), kAllEnter);
    for (const auto& entry : fs::recursive_directory_iterator(path())) {
        if (entry.is_symlink()) continue;
        const bool is_node = entry.path().string().starts_with(nodes) || entry.is_socket();
        const bool is_sets = entry.path() == metrics || entry.path() == sets;
        fs::permissions(entry.path(), is_sets                ? kAllChange
                                      : entry.is_directory() ? kAllEnter
                                      : is_node              ? kAllWrite
                                                             : kAllRead);
    }
}

void DeviceFolder::make_tree(const Facts& facts, std::uint32_t max_mhz) const {
    const std::string tree = path() + "/" + kTreeName, pci = tree + kPci;
    put(pci + "/vendor", "0x8086\n");
    put(pci + "/device", hex(facts.device_id));
    put(pci + "/subsystem_vendor", "0x8086\n");
    put(pci + "/subsystem_device", "0x2015\n");
    put(pci + "/revision", hex(facts.revision).replace(2, 2, ""));
    put(pci + "/class", "0x030000\n");
    put(pci + "/uevent",
        std::string("DRIVER=i915\nPCI_CLASS=30000\nPCI_SLOT_NAME=") + kSlot + "\n");
    put(tree + "/sys/bus/pci/drivers/i915/uevent", "");
    link(pci + "/subsystem", "../../../bus/pci");
    link(pci + "/driver", "../../../bus/pci/drivers/i915");
    link(tree + "/sys/bus/pci/devices/" + kSlot,
         std::string("../../../devices/pci0000:00/") + kSlot);
    // Everybody may use the performance counters, as a superuser may allow it on a machine.
    put(tree + "/proc/sys/dev/i915/perf_stream_paranoid", "0\n");
    put(tree + "/proc/sys/dev/i915/oa_max_sample_rate", std::to_string(kMaxReportHz) + "\n");
    fs::create_directories(tree + kMetricsFolder);
    fs::create_directories(path() + "/" + kCounterSetsName);
    for (const auto& [node, minor] : {std::pair{"card0", 0}, std::pair{"renderD128", 128}}) {
        const std::string number = "226:" + std::to_string(minor);
        const std::string place = std::string("/drm/") + node;
        put(tree + "/dev/dri/" + node, "");
        put(pci + place + "/dev", number + "\n");
        put(pci + place + "/uevent", "MAJOR=226\nMINOR=" + std::to_string(minor) +
                                         "\nDEVNAME=dri/" + node + "\nDEVTYPE=drm_minor\n");
        put(pci + place + "/gt_max_freq_mhz", std::to_string(max_mhz) + "\n");
        put(pci + place + "/gt_min_freq_mhz", std::to_string(max_mhz) + "\n");
        link(pci + place + "/device", std::string("../../../") + kSlot);
        const std::string target = std::string("../../devices/pci0000:00/") + kSlot + place;
        link(tree + "/sys/dev/char/" + number, target);
        link(tree + "/sys/class/drm/" + node, target);
    }
}

platform::FileDescriptor DeviceFolder::listen() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path() + "/" + kSocketName;
    if (name.size() >= sizeof address.sun_path)
        throw UserError("the name of the socket '" + name + "' is too long");
    std::memcpy(address.sun_path, name.c_str(), name.size());
    platform::FileDescriptor listener(
        socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), SOMAXCONN) != 0)
        throw UserError("cannot listen on '" + name + "': " + std::strerror(errno));
    open_to_all();
    return listener;
}

}  // namespace gen9::drm
