// SPDX-License-Identifier: Apache-2.0
/// Can a thread of this process still do anything by itself?
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gen9::drm {

/// Threads, and how often each has run: two looks that are equal mean that none has run between
/// them.
using ThreadsLook = std::vector<std::pair<pid_t, std::uint64_t>>;

/// Looks at all threads of the process. A thread is blocked if it waits for the engine without an
/// end (`waiting`: such threads, with a number for each wait), or for another thread of the process
/// without one: in a futex, without a time, in memory that no other process shares. No value if one
/// is not, if a timer runs or a child process lives, which may bring about something, or if the
/// kernel does not tell.
std::optional<ThreadsLook> all_blocked(const std::map<pid_t, std::uint64_t>& waiting);

}  // namespace gen9::drm
