// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/child_program.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/check.h"
#include "platform/host/socket.h"
#include "platform/host/stop.h"

namespace gen9::platform {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr unsigned long kAskPersonality = 0xFFFFFFFF;

/// Gives the terminal to a process group; only the group that has it may.
void give_terminal(pid_t group) {
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGTTOU, &ignore, &before);
    tcsetpgrp(STDIN_FILENO, group);
    sigaction(SIGTTOU, &before, nullptr);
}

void write_to(const std::string& file) {
    constexpr mode_t kOwnersOnly = 0600;
    const int empty = open("/dev/null", O_RDONLY);
    const int output = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, kOwnersOnly);
    dup2(empty, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(empty);
    close(output);
}

[[noreturn]] void become(const std::vector<std::string>& words, const Variables& variables,
                         const std::string& output, bool in_foreground, int error_pipe,
                         pid_t parent) {
    setpgid(0, 0);
    if (!output.empty()) write_to(output);
    if (in_foreground) give_terminal(getpgrp());
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) raise(SIGTERM);
    // The driver gives graphics addresses after its own process's: the same each time, or caches
    // and translation buffers are met in other places and no two runs take the same cycles.
    const int persona = personality(kAskPersonality);
    if (persona >= 0) personality(static_cast<unsigned>(persona) | ADDR_NO_RANDOMIZE);
    for (const int number : {SIGINT, SIGTERM, SIGCHLD, SIGPIPE})
        std::signal(number, SIG_DFL);
    for (const auto& [name, value] : variables)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const auto& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const auto written = write(error_pipe, &error, sizeof error);
    _exit(127);
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& words, const Variables& variables,
                           const std::string& output) {
    auto pipe = make_pipe();
    took_terminal_ = output.empty() && isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
    std::fflush(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0)
        throw UserError(std::string("cannot start a process: ") + std::strerror(errno));
    if (process_ == 0)
        become(words, variables, output, took_terminal_, pipe.write_end.get(), parent);
    setpgid(process_, process_);  // also done by the child; whoever comes first
    add_process_group(process_);
    pipe.write_end.close();
    // Closed by a successful exec; otherwise says why there was none.
    int error = 0;
    ssize_t count;
    while ((count = read(pipe.read_end.get(), &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (count == sizeof error) {
        wait();
        throw UserError("cannot run '" + words[0] + "': " + std::strerror(error));
    }
}

ChildProgram::~ChildProgram() {
    if (status_) return;
    kill(-process_, SIGKILL);
    wait();
}

void ChildProgram::collect(int flags) {
    int status = 0;
    pid_t found;
    while ((found = waitpid(process_, &status, flags)) < 0 && errno == EINTR) {
    }
    if (found != process_) return;
    remove_process_group(process_);
    signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (took_terminal_) give_terminal(getpgrp());
}

bool ChildProgram::ended() {
    if (!status_) collect(WNOHANG);
    if (!status_ && asked_ && std::chrono::steady_clock::now() - *asked_ > kPatience)
        kill(-process_, SIGKILL);
    return status_.has_value();
}

void ChildProgram::wait() {
    if (!status_) collect(0);
}

void ChildProgram::terminate() {
    if (status_ || asked_) return;
    asked_ = std::chrono::steady_clock::now();
    kill(-process_, SIGTERM);
}

}  // namespace gen9::platform
