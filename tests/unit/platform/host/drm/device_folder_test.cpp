// SPDX-License-Identifier: Apache-2.0
// The files that programs look at before they open a device, as Linux shows them.
#include "platform/host/drm/device_folder.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace gen9::drm {
namespace {

namespace fs = std::filesystem;

struct DrmDeviceFolder : testing::Test {
    static Facts facts() {
        Facts facts;
        facts.device_id = 0x1912;
        facts.revision = 6;
        facts.eus = 8;
        return facts;
    }
    DeviceFolder folder{facts(), 1150};

    std::string text(const std::string& path) const {
        std::ifstream file(folder.path() + "/" + path, std::ios::binary);
        EXPECT_TRUE(file.good()) << path;
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(DrmDeviceFolder, TheDeviceIsTheSameByEachOfItsNames) {
    for (const char* name :
         {"sys/devices/pci0000:00/0000:00:02.0", "sys/bus/pci/devices/0000:00:02.0",
          "sys/dev/char/226:0/device", "sys/dev/char/226:128/device", "sys/class/drm/card0/device",
          "sys/class/drm/renderD128/device"}) {
        const std::string at = std::string("tree/") + name;
        EXPECT_EQ(text(at + "/vendor"), "0x8086\n");
        EXPECT_EQ(text(at + "/device"), "0x1912\n");
        EXPECT_EQ(text(at + "/subsystem_vendor"), "0x8086\n");
        EXPECT_EQ(text(at + "/subsystem_device"), "0x2015\n");
        EXPECT_EQ(text(at + "/revision"), "0x06\n");
        EXPECT_EQ(text(at + "/class"), "0x030000\n");
        EXPECT_EQ(text(at + "/uevent"),
                  "DRIVER=i915\nPCI_CLASS=30000\nPCI_SLOT_NAME=0000:00:02.0\n");
        EXPECT_EQ(fs::canonical(folder.path() + "/" + at + "/driver").filename(), "i915");
        EXPECT_EQ(fs::canonical(folder.path() + "/" + at + "/subsystem").filename(), "pci");
    }
}

TEST_F(DrmDeviceFolder, ANodeHasItsNumberByEachOfItsNames) {
    for (const auto& [node, number] : {std::pair{"card0", "0"}, {"renderD128", "128"}}) {
        EXPECT_EQ(text(std::string("tree/dev/dri/") + node), "");
        for (const std::string& at : {std::string("tree/sys/class/drm/") + node,
                                      std::string("tree/sys/dev/char/226:") + number}) {
            EXPECT_EQ(text(at + "/dev"), std::string("226:") + number + "\n");
            EXPECT_EQ(text(at + "/uevent"), std::string("MAJOR=226\nMINOR=") + number +
                                                "\nDEVNAME=dri/" + node + "\nDEVTYPE=drm_minor\n");
            EXPECT_EQ(text(at + "/gt_max_freq_mhz"), "1150\n");
            EXPECT_EQ(text(at + "/gt_min_freq_mhz"), "1150\n");
        }
    }
}

TEST_F(DrmDeviceFolder, EverybodyMayCountAndAddSetsOfCounters) {
    EXPECT_EQ(text("tree/proc/sys/dev/i915/perf_stream_paranoid"), "0\n");
    EXPECT_EQ(text("tree/proc/sys/dev/i915/oa_max_sample_rate"), "100000\n");
    EXPECT_TRUE(
        fs::is_empty(folder.path() + "/tree/sys/dev/char/226:128/device/drm/card0/metrics"));
    EXPECT_TRUE(fs::is_empty(folder.path() + "/" + kCounterSetsName));
}

TEST_F(DrmDeviceFolder, TheFactsAreThereAndTheSocketIsListenedAt) {
    const std::string bytes = text(kFactsName);
    Facts read;
    ASSERT_EQ(bytes.size(), sizeof read);
    std::memcpy(&read, bytes.data(), sizeof read);
    EXPECT_EQ(read.version, kVersion);
    EXPECT_EQ(read.device_id, 0x1912u);
    EXPECT_EQ(read.eus, 8u);
    const auto listener = folder.listen();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder.path() + "/" + kSocketName).c_str());
    const platform::FileDescriptor peer(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    EXPECT_EQ(connect(peer.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const platform::FileDescriptor accepted(accept(listener.get(), nullptr, nullptr));
    EXPECT_TRUE(accepted);
    EXPECT_LT(accept(listener.get(), nullptr, nullptr), 0) << "who listens does not wait";
}

}  // namespace
}  // namespace gen9::drm
