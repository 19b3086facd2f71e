// SPDX-License-Identifier: Apache-2.0
#include "platform/host/stop.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "platform/host/engine.h"
#include "platform/host/socket.h"

namespace gen9::platform {
namespace {

constexpr std::int64_t kTogetherNanoseconds = 200'000'000;
constexpr std::size_t kMostGroups = 8;

std::atomic<int> g_stop{0};  // the signal
std::atomic<std::int64_t> g_stopped_at{0};
std::atomic<Engine*> g_engine{nullptr};
Pipe g_wake;
// A process that is forked has none of them, and may take their places.
std::atomic<pid_t> g_maker{0};
std::array<std::atomic<pid_t>, kMostGroups> g_groups{};

std::int64_t nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void wake() {
    const int saved = errno;
    const char byte = 0;
    [[maybe_unused]] const auto written = write(g_wake.write_end.get(), &byte, 1);
    errno = saved;
}

void on_stop(int signal) {
    if (g_stop != 0) {
        if (nanoseconds() - g_stopped_at < kTogetherNanoseconds) return;
        if (g_maker == getpid())
            for (const auto& group : g_groups)
                if (group != 0) kill(-group, SIGKILL);
        std::signal(signal, SIG_DFL);
        raise(signal);  // comes when this function has returned
        return;
    }
    g_stopped_at = nanoseconds();
    g_stop = signal;
    if (Engine* engine = g_engine) engine->interrupt();
    wake();
}

void on_child(int) {
    wake();
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

void install_stop_handlers() {
    if (!g_wake.read_end) {
        g_wake = make_pipe();
        fcntl(g_wake.read_end.get(), F_SETFL, O_NONBLOCK);
        fcntl(g_wake.write_end.get(), F_SETFL, O_NONBLOCK);
    }
    handle(SIGINT, on_stop, 0);
    handle(SIGTERM, on_stop, 0);
    handle(SIGCHLD, on_child, SA_RESTART | SA_NOCLDSTOP);
}

void add_process_group(pid_t group) {
    if (g_maker != getpid())
        for (auto& each : g_groups)
            each = 0;
    g_maker = getpid();
    for (auto& each : g_groups)
        if (pid_t none = 0; each.compare_exchange_strong(none, group)) return;
}

void remove_process_group(pid_t group) {
    if (g_maker != getpid()) return;
    for (auto& each : g_groups)
        if (each == group) each = 0;
}

bool stop_requested() {
    return g_stop != 0;
}

int stop_signal() {
    return g_stop;
}

std::string signal_name(int signal) {
    const char* name = sigabbrev_np(signal);
    return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

void interrupt_on_stop(Engine* engine) {
    g_engine = engine;
    if (engine && g_stop) engine->interrupt();
}

int wake_descriptor() {
    return g_wake.read_end.get();
}

void drain_wake_descriptor() {
    char bytes[64];
    while (read(g_wake.read_end.get(), bytes, sizeof bytes) > 0) {
    }
}

void wait_for_wake() {
    constexpr int kLookUpMilliseconds = 500;
    pollfd watched{wake_descriptor(), POLLIN, 0};
    poll(&watched, 1, kLookUpMilliseconds);
    drain_wake_descriptor();
}

}  // namespace gen9::platform
