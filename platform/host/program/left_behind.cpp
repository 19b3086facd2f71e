// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/left_behind.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

namespace gen9::platform {
namespace {

/// How long one that does not use the model is waited for.
constexpr auto kMoment = std::chrono::seconds(3);
/// How long others are waited for without a word.
constexpr auto kSilence = std::chrono::seconds(2);

std::string text_of(pid_t process, const char* name) {
    std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// State and parent: what follows the name in parentheses.
std::pair<char, pid_t> state_of(pid_t process) {
    const std::string stat = text_of(process, "stat");
    const auto name_end = stat.rfind(')');
    char state = 0;
    int parent = 0;
    if (name_end != std::string::npos)
        std::sscanf(stat.c_str() + name_end + 1, " %c %d", &state, &parent);
    return {state, parent};
}

std::string list(const std::vector<pid_t>& processes) {
    std::string text;
    for (const pid_t process : processes) {
        std::string name = text_of(process, "comm");
        if (name.ends_with('\n')) name.pop_back();
        text += (text.empty() ? "" : ", ") + std::to_string(process) + " " + name;
    }
    return text;
}

}  // namespace

LeftBehind::LeftBehind(std::string variable) : variable_(std::move(variable)) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::vector<pid_t> LeftBehind::processes() {
    const pid_t self = getpid();
    std::ifstream children("/proc/self/task/" + std::to_string(self) + "/children");
    std::vector<pid_t> found;
    for (pid_t process = 0; children >> process;) {
        const auto [state, parent] = state_of(process);
        const bool known = std::ranges::find(known_, process) != known_.end();
        if (state == 'Z' || state == 'X') {
            if (known) waitpid(process, nullptr, WNOHANG);
            continue;
        }
        if (!known) {
            const std::string environment = '\0' + text_of(process, "environ");
            if (environment.find('\0' + variable_ + '\0') == std::string::npos) continue;
            known_.push_back(process);
        }
        found.push_back(process);
    }
    return found;
}

bool LeftBehind::run_can_end(bool busy) {
    const auto now = Clock::now();
    if (!ended_) ended_ = busy_ = now;
    if (busy) busy_ = now;
    const auto alive = processes();
    if (alive.empty()) return !busy;
    if (busy) {
        if (now - *ended_ < kSilence || std::exchange(told_, true)) return false;
        std::fprintf(stderr,
                     "gen9sim: the program has ended, but processes that it has left behind use "
                     "the model (%s): the run waits for them; ^C ends it\n",
                     list(alive).c_str());
        return false;
    }
    if (!asked_ && now - busy_ < kMoment) return false;
    std::fprintf(stderr,
                 "gen9sim: the program has ended and has left processes behind (%s): the run ends, "
                 "and they find no device any more\n",
                 list(alive).c_str());
    return true;
}

void LeftBehind::terminate() {
    if (std::exchange(asked_, true)) return;
    for (const pid_t process : processes())
        kill(process, SIGTERM);
}

bool is_descendant(pid_t process) {
    const pid_t self = getpid();
    constexpr unsigned kMostGenerations = 10'000;
    for (unsigned i = 0; i < kMostGenerations && process > 1; ++i) {
        if (process == self) return true;
        process = state_of(process).second;
    }
    return false;
}

}  // namespace gen9::platform
