// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "platform/host/checks/channel.h"
#include "platform/host/socket.h"

namespace gen9::checks {

struct CheckSettings {
    std::string vendor_file;  ///< of the other platform, as in /etc/OpenCL/vendors
    unsigned ulps = 0;
};

/// A process that repeats launches (repeater.h), and another one when a kernel has taken it down.
class Worker {
  public:
    explicit Worker(CheckSettings settings) : settings_(std::move(settings)) {}
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Every process of it knows the program.
    void take(std::uint32_t id, Message program);
    /// Its answer; or why there is none.
    std::optional<Message> ask(const Message& message, std::string& reason);

  private:
    bool start();
    void end();
    /// Waits for an answer as long as it makes sense.
    bool wait(std::string& reason) const;
    std::string ended() const;

    CheckSettings settings_;
    platform::FileDescriptor socket_;
    pid_t process_ = -1;
    std::map<std::uint32_t, Message> programs_;
};

}  // namespace gen9::checks
