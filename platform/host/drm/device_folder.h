// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "platform/host/drm/protocol.h"
#include "platform/host/program/driver.h"
#include "platform/host/socket.h"
#include "platform/host/temporary_folder.h"

namespace gen9::drm {

/// The folder by which programs find the device: a tree of files as a kernel would show it in /dev
/// and /sys, the facts, and the socket. It goes when this goes.
class DeviceFolder {
  public:
    /// Throws UserError when it cannot be made.
    explicit DeviceFolder(const Facts& facts, std::uint32_t max_mhz);
    const std::string& path() const { return folder_.path(); }
    /// Listens for connections of the library. It is called once.
    platform::FileDescriptor listen() const;

  private:
    void open_to_all() const;
    void make_tree(const Facts& facts, std::uint32_t max_mhz) const;
    platform::TemporaryFolder folder_;
};

}  // namespace gen9::drm
