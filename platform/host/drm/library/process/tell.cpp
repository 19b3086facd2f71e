// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/tell.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace gen9::drm {
namespace {

/// In which process each was said; a forked child says it again.
std::atomic<pid_t> g_told[8];

}  // namespace

void tell(Topic topic, const char* text) {
    const pid_t process = getpid();
    if (g_told[static_cast<unsigned>(topic)].exchange(process) == process) return;
    dprintf(STDERR_FILENO, "gen9sim: process %d: %s\n", static_cast<int>(process), text);
}

}  // namespace gen9::drm
