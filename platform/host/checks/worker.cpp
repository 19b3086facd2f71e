// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "common/check.h"
#include "platform/host/checks/repeater.h"
#include "platform/host/stop.h"

namespace gen9::checks {
namespace {

/// A launch that takes longer waits for something that does not come.
constexpr std::time_t kMostSeconds = 120;
constexpr auto kMostPatience = std::chrono::minutes(10);

bool never() {
    return false;
}

/// Nobody asked for what kernels and compilers print.
void be_silent() {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        dup2(nowhere, standard);
    if (nowhere > STDERR_FILENO) close(nowhere);
}

template <class T>
bool reply(int socket, MessageKind kind, const T& value) {
    return send_message(socket, kind, to_bytes(value), {}, never);
}

bool carry_out(Repeater& repeater, const Message& message, int socket) {
    if (message.kind == MessageKind::Program) {
        if (auto text = from_bytes<ProgramText>(message.fields())) repeater.take(std::move(*text));
        return true;
    }
    if (message.kind == MessageKind::Question) {
        const auto question = from_bytes<KernelQuestion>(message.fields());
        return question && reply(socket, MessageKind::Answer, repeater.answer(*question));
    }
    const auto launch = from_bytes<LaunchRecord>(message.fields());
    return launch && reply(socket, MessageKind::Result, repeater.repeat(*launch, message.behind()));
}

/// Why it cannot do anything, to every question.
void refuse_all(int socket, const std::string& reason) {
    while (const auto message = receive_message(socket, never)) {
        if (message->kind == MessageKind::Question)
            reply(socket, MessageKind::Answer, KernelAnswer{reason, {}});
        if (message->kind == MessageKind::Launch)
            reply(socket, MessageKind::Result, LaunchResult{reason, false, {}});
    }
}

[[noreturn]] void be_worker(int socket, const CheckSettings& settings) {
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGPIPE})
        std::signal(signal, SIG_DFL);
    be_silent();
    try {
        Repeater repeater(settings.vendor_file, settings.ulps);
        while (const auto message = receive_message(socket, never))
            if (!carry_out(repeater, *message, socket)) break;
    } catch (const UserError& error) {
        refuse_all(socket, error.what());
    }
    // Threads of the platform's are left where they are.
    std::_Exit(0);
}

}  // namespace

Worker::~Worker() {
    end();
}

void Worker::end() {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    socket_.close();
}

bool Worker::start() {
    if (process_ >= 0) return true;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    platform::FileDescriptor mine(ends[0]), its(ends[1]);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
        mine.close();
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) raise(SIGKILL);
        be_worker(its.get(), settings_);
    }
    if (process_ < 0) return false;
    socket_ = std::move(mine);
    for (const auto& [id, program] : programs_)
        send_message(socket_.get(), program, never);
    return true;
}

void Worker::take(std::uint32_t id, Message program) {
    if (process_ >= 0) send_message(socket_.get(), program, never);
    programs_[id] = std::move(program);
}

bool Worker::wait(std::string& reason) const {
    const auto seconds = [&] {
        clockid_t clock{};
        timespec used{};
        if (clock_getcpuclockid(process_, &clock) == 0) clock_gettime(clock, &used);
        return used.tv_sec;
    };
    const auto from = seconds();
    const auto begin = std::chrono::steady_clock::now();
    constexpr int kLookMilliseconds = 200;
    for (;;) {
        pollfd watched{socket_.get(), POLLIN, 0};
        if (poll(&watched, 1, kLookMilliseconds) > 0) return true;
        if (platform::stop_requested()) return false;
        if (seconds() - from <= kMostSeconds &&
            std::chrono::steady_clock::now() - begin < kMostPatience)
            continue;
        reason = "it does not end on PoCL";
        return false;
    }
}

std::string Worker::ended() const {
    int status = 0;
    if (waitpid(process_, &status, 0) == process_ && WIFSIGNALED(status))
        return "PoCL ended by " + platform::signal_name(WTERMSIG(status));
    return "PoCL ended";
}

std::optional<Message> Worker::ask(const Message& message, std::string& reason) {
    if (!start()) {
        reason = "there is no process for PoCL";
        return {};
    }
    std::optional<Message> answer;
    if (send_message(socket_.get(), message, never)) {
        if (!wait(reason)) {
            end();
            return {};
        }
        answer = receive_message(socket_.get(), never);
    }
    if (answer) return answer;
    reason = ended();
    process_ = -1;
    return {};
}

}  // namespace gen9::checks
