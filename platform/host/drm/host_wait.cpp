// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/host_wait.h"

#include <algorithm>
#include <thread>

#include "platform/host/drm/protocol.h"
#include "platform/host/stop.h"

namespace gen9::drm {
namespace {

// Pauses grow: most waits are short, and long ones must cost nothing.
constexpr std::chrono::microseconds kFirstPause{20}, kLongestPause{4000};
constexpr auto kTellAfter = std::chrono::seconds(5);
constexpr const char* kNobodyWrites =
    "the engine waits for memory that only its program could write, and every thread of the "
    "program waits for the engine or for another thread";

}  // namespace

void HostWait::begin() {
    if (waits_) return;
    waits_ = true;
    told_ = over_ = false;
    begun_ = Clock::now();
    pause_ = kFirstPause;
    if (progress) progress->engine_waits = ++count_;
}

void HostWait::end() {
    if (waits_ && progress) progress->engine_waits = 0;
    waits_ = false;
}

/// In two steps: between them the engine looks once more at memory, which may have been written
/// before the program's threads went to wait.
bool HostWait::given_up() {
    const bool before = over_;
    over_ = progress && progress->program_waits == count_;
    return before && over_;
}

void HostWait::pause(const std::function<std::string()>& what) {
    std::this_thread::sleep_for(pause_);
    meanwhile();
    pause_ = std::min(2 * pause_, kLongestPause);
    if (told_ || Clock::now() - begun_ < kTellAfter) return;
    told_ = true;
    log_("the engine waits for its program to write memory, and simulated time stands still\n" +
         what());
}

bool HostWait::wait() {
    begin();
    if (given_up()) {
        engine_.give_up_waiting(kNobodyWrites);
        return false;
    }
    pause([this] { return engine_.describe_waiting(); });
    return true;
}

bool HostWait::wait(const std::string& what) {
    begin();
    if (given_up()) {
        log_("engine hang: " + what + ": " + kNobodyWrites);
        return false;
    }
    if (platform::stop_requested() || !engine_.wanted()) return false;
    pause([&] { return what; });
    return true;
}

}  // namespace gen9::drm
