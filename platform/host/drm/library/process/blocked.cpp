// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/blocked.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "platform/host/drm/library/process/process_maps.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

/// The beginning of a file of /proc/self, empty if there is none.
std::string text_of(const std::string& name) {
    std::FILE* file = real().fopen(("/proc/self/" + name).c_str(), "re");
    if (!file) return {};
    char text[2048];
    const std::size_t count = std::fread(text, 1, sizeof text - 1, file);
    real().fclose(file);  // not the one that is watched: a lock may be held
    return {text, count};
}

bool is_shared(std::uint64_t address) {
    bool shared = true;  // what is not listed
    for_each_mapped_range([&](const MappedRange& range) {
        if (address >= range.end) return true;
        if (address >= range.begin) shared = range.shared;
        return false;
    });
    return shared;
}

/// Does this thread wait for another one, without a time?
bool waits_for_thread(const std::string& task) {
    unsigned long number = 0, address = 0, operation = 0, value = 0, timeout = 0;
    const std::string call = text_of(task + "/syscall");
    if (std::sscanf(call.c_str(), "%lu %lx %lx %lx %lx", &number, &address, &operation, &value,
                    &timeout) != 5 ||
        number != SYS_futex || timeout != 0)
        return false;
    const unsigned long kind = operation & FUTEX_CMD_MASK;
    if (kind != FUTEX_WAIT && kind != FUTEX_WAIT_BITSET) return false;
    return (operation & FUTEX_PRIVATE_FLAG) != 0 || !is_shared(address);
}

/// How often it has been given a processor.
std::optional<std::uint64_t> switches_of(const std::string& task) {
    const std::string status = text_of(task + "/status");
    std::uint64_t sum = 0;
    for (const char* const name : {"\nvoluntary_ctxt_switches:", "\nnonvoluntary_ctxt_switches:"}) {
        const auto at = status.find(name);
        if (at == std::string::npos) return {};
        sum += std::strtoull(status.c_str() + at + std::strlen(name), nullptr, 10);
    }
    return sum;
}

bool timer_runs() {
    itimerval left{};
    if (getitimer(ITIMER_REAL, &left) != 0) return true;
    return left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0 || !text_of("timers").empty();
}

}  // namespace

std::optional<ThreadsLook> all_blocked(const std::map<pid_t, std::uint64_t>& waiting) {
    if (timer_runs()) return {};
    DIR* const tasks = real().opendir("/proc/self/task");
    if (!tasks) return {};
    ThreadsLook look;
    bool all = true;
    while (const dirent* entry = all ? readdir(tasks) : nullptr) {
        const auto thread = static_cast<pid_t>(std::atoi(entry->d_name));
        if (thread == 0) continue;
        const std::string task = std::string("task/") + entry->d_name;
        if (!text_of(task + "/children").empty()) {
            all = false;
        } else if (const auto found = waiting.find(thread); found != waiting.end()) {
            look.emplace_back(thread, found->second);
        } else {
            const auto switches = switches_of(task);
            all = switches && waits_for_thread(task);
            if (all) look.emplace_back(thread, *switches);
        }
    }
    closedir(tasks);
    return all ? std::optional(look) : std::nullopt;
}

}  // namespace gen9::drm
