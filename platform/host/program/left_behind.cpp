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

struct State {
    char letter = 0;
    pid_t parent = 0;
    unsigned flags = 0;

    bool dead() const { return letter == 0 || letter == 'Z' || letter == 'X'; }
    /// Its environment is gone, or will be, but its children may not be adopted yet.
    bool exiting() const { return (flags & 4) != 0; }  // PF_EXITING
};

/// What follows the name in parentheses.
State state_of(pid_t process) {
    const std::string stat = text_of(process, "stat");
    const auto name_end = stat.rfind(')');
    State state;
    if (name_end != std::string::npos)
        std::sscanf(stat.c_str() + name_end + 1, " %c %d %*d %*d %*d %*d %u", &state.letter,
                    &state.parent, &state.flags);
    return state;
}

std::vector<pid_t> children() {
    std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
    return {std::istream_iterator<pid_t>(file), {}};
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

std::vector<pid_t> LeftBehind::living(const std::vector<pid_t>& children) {
    std::vector<pid_t> found;
    for (const pid_t process : children) {
        const bool known = std::ranges::find(known_, process) != known_.end();
        const std::string environment = known ? "" : text_of(process, "environ");
        const State state = state_of(process);
        if (state.dead()) {
            if (known) waitpid(process, nullptr, WNOHANG);
            continue;
        }
        const bool begun = ('\0' + environment).find('\0' + variable_ + '\0') != std::string::npos;
        if (begun) known_.push_back(process);
        if (!known && !begun && !(environment.empty() && state.exiting())) continue;
        found.push_back(process);
    }
    return found;
}

std::vector<pid_t> LeftBehind::processes() {
    // One that has died since it was listed has left its children to this process.
    std::vector<pid_t> listed, found;
    while (found.empty() && listed != children()) {
        listed = children();
        found = living(listed);
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
        process = state_of(process).parent;
    }
    return false;
}

}  // namespace gen9::platform
