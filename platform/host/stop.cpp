// SPDX-License-Identifier: Apache-2.0
#include "platform/host/stop.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "platform/host/engine.h"
#include "platform/host/socket.h"

namespace gen9::platform {
namespace {

std::atomic<int> g_stop{0};  // the signal
std::atomic<Engine*> g_engine{nullptr};
Pipe g_wake;

void wake() {
    const int saved = errno;
    const char byte = 0;
    [[maybe_unused]] const auto written = write(g_wake.write_end.get(), &byte, 1);
    errno = saved;
}

void on_stop(int signal) {
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
    handle(SIGINT, on_stop, static_cast<int>(SA_RESETHAND));
    handle(SIGTERM, on_stop, static_cast<int>(SA_RESETHAND));
    handle(SIGCHLD, on_child, SA_RESTART | SA_NOCLDSTOP);
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
