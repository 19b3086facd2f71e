// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "platform/host/engine.h"

namespace gen9::drm {

struct Progress;

/// An engine's waits for memory that the program is to write.
/// Role     lets the host's time pass, idle, while simulated time stands still; tells the program
///          that the engine waits, and learns from it that nobody there can write (protocol.h:
///          Progress); says for what the engine waits when that takes long.
class HostWait {
  public:
    using Log = std::function<void(const std::string&)>;
    HostWait(platform::Engine& engine, Log log) : engine_(engine), log_(std::move(log)) {}

    /// The page that is shared with the program.
    Progress* progress = nullptr;
    /// Called now and then.
    std::function<void()> meanwhile = [] {};

    /// Waits some milliseconds at most for the render engine. True: run it again. False: it has
    /// been given up.
    bool wait();
    /// Waits for another engine, which `what` names. True: look again. False: nobody will write, or
    /// nobody wants to know.
    bool wait(const std::string& what);
    /// The submission goes on, or has ended.
    void end();

  private:
    using Clock = std::chrono::steady_clock;
    void begin();
    bool given_up();
    void pause(const std::function<std::string()>& what);

    platform::Engine& engine_;
    Log log_;
    std::uint64_t count_ = 0;
    bool waits_ = false, told_ = false, over_ = false;
    Clock::time_point begun_;
    std::chrono::microseconds pause_{};
};

}  // namespace gen9::drm
