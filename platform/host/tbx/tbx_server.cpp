// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/tbx_server.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "common/check.h"
#include "platform/host/program/left_behind.h"
#include "platform/host/stop.h"

namespace gen9::platform {
namespace {

// More wait in the listener's queue; each is a process with an engine.
constexpr std::size_t kMaxConnections = 64;

/// Restarts a system call that a signal interrupted.
template <class Call>
auto uninterrupted(Call&& call) {
    for (;;) {
        const auto result = call();
        if (result >= 0 || errno != EINTR) return result;
    }
}

/// A driver that loses its simulator polls for ever and says so on every turn; whoever hears that
/// the engine has stopped gets some time to end the program first.
void wait_for_peer_to_leave(const FileDescriptor& socket) {
    constexpr int kPatienceMilliseconds = 4000;
    pollfd watched{socket.get(), POLLRDHUP, 0};
    poll(&watched, 1, kPatienceMilliseconds);
}

/// Other users' processes reach a socket of a run that may change its user: only those come in that
/// belong to it. Others than this machine's processes have been asked for.
bool may_come(const FileDescriptor& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid == 0)
        return true;
    return peer.uid == geteuid() || is_descendant(peer.pid);
}

/// The process at the other end of a connection of this machine's own; 0 for others.
pid_t peer_of(const FileDescriptor& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    const int error = getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
    return error ? 0 : peer.pid;
}

/// Says something of a simulation that ended without an outcome.
std::string ended_without_a_word(int status) {
    if (!WIFSIGNALED(status))
        return "gen9sim: internal error: the simulation ended with status " +
               std::to_string(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    constexpr int kOurFault[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const bool ours = std::ranges::find(kOurFault, signal) != std::end(kOurFault);
    return (ours ? "gen9sim: internal error: the simulation ended by "
                 : "gen9sim: the simulation was ended by ") +
           signal_name(signal);
}

}  // namespace

std::string Outcome::to_text() const {
    return boost::json::serialize(boost::json::object{{"worked", worked},
                                                      {"failed", failed},
                                                      {"stopped", stopped},
                                                      {"flawed", flawed},
                                                      {"summary", summary}});
}

Outcome Outcome::from_text(const std::string& text) {
    boost::json::error_code error;
    const auto value = boost::json::parse(text, error);
    Outcome outcome;
    const auto* object = error ? nullptr : value.if_object();
    if (!object) return {.worked = false, .failed = true, .stopped = true, .summary = ""};
    const auto flag = [&](const char* key) {
        const auto* found = object->if_contains(key);
        return found && found->is_bool() && found->get_bool();
    };
    outcome.worked = flag("worked");
    outcome.failed = flag("failed");
    outcome.stopped = flag("stopped");
    outcome.flawed = flag("flawed");
    if (const auto* summary = object->if_contains("summary"); summary && summary->is_string())
        outcome.summary = summary->get_string().c_str();
    return outcome;
}

TbxServer::TbxServer(std::vector<Door> doors, Ended ended)
    : doors_(std::move(doors)), ended_(std::move(ended)) {
    install_stop_handlers();
}

TbxServer::TbxServer(FileDescriptor listener, Handler handler, Ended ended)
    : TbxServer(std::vector<Door>{}, std::move(ended)) {
    doors_.push_back({std::move(listener), std::move(handler)});
}

TbxServer::~TbxServer() {
    for (const pid_t process : leaving_)
        uninterrupted([&] { return waitpid(process, nullptr, 0); });
}

void TbxServer::serve_until(const std::function<bool()>& done) {
    for (;;) {
        for (const Door& door : doors_)
            accept_pending(door);
        for (std::size_t i = 0; i < connections_.size();) {
            if (collect(connections_[i]))
                connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
        std::erase_if(leaving_,
                      [](pid_t process) { return waitpid(process, nullptr, WNOHANG) == process; });
        if (stop_requested()) ask_connections_to_stop();
        if (done()) return;
        if (!accepting_) doors_.clear();
        wait();
    }
}

void TbxServer::wait() {
    std::vector<pollfd> watched;
    watched.push_back({wake_descriptor(), POLLIN, 0});
    if (connections_.size() < kMaxConnections)
        for (const Door& door : doors_)
            watched.push_back({door.listener.get(), POLLIN, 0});
    for (const auto& connection : connections_)
        watched.push_back({connection.result.get(), POLLIN, 0});
    constexpr int kLookUpMilliseconds = 500;
    poll(watched.data(), watched.size(), kLookUpMilliseconds);
    drain_wake_descriptor();
}

void TbxServer::accept_pending(const Door& door) {
    while (accepting_ && connections_.size() < kMaxConnections) {
        FileDescriptor socket(uninterrupted(
            [&] { return accept4(door.listener.get(), nullptr, nullptr, SOCK_CLOEXEC); }));
        if (!socket) return;
        if (!may_come(socket)) continue;
        start(std::move(socket), door.handler);
    }
}

void TbxServer::start(FileDescriptor socket, const Handler& handler) {
    auto pipe = make_pipe();
    ++accepted_;
    std::fflush(nullptr);
    const pid_t server = getpid(), peer = peer_of(socket);
    const pid_t process = fork();
    if (process < 0) {
        ended_(accepted_, {.worked = false,
                           .failed = true,
                           .stopped = true,
                           .summary = std::string("gen9sim: cannot start a process: ") +
                                      std::strerror(errno)});
        return;
    }
    if (process == 0) {
        pipe.read_end.close();
        const Handler mine = handler;
        doors_.clear();
        connections_.clear();
        install_stop_handlers();
        // Nobody takes the result of a connection whose server is gone.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != server) raise(SIGTERM);
        be_connection(std::move(socket), mine, std::move(pipe.write_end));
    }
    connections_.push_back({accepted_, process, peer, std::move(pipe.read_end), ""});
}

void TbxServer::be_connection(FileDescriptor socket, const Handler& handler,
                              FileDescriptor result) {
    Outcome outcome;
    try {
        prepare_connection(socket);
        outcome = handler(socket.get(), accepted_);
    } catch (const UserError& error) {
        outcome = {.worked = false,
                   .failed = true,
                   .stopped = true,
                   .summary = std::string("gen9sim: ") + error.what()};
    } catch (const std::exception& error) {
        outcome = {.worked = false,
                   .failed = true,
                   .stopped = true,
                   .summary = std::string("gen9sim: internal error: ") + error.what()};
    }
    const std::string text = outcome.to_text();
    for (std::size_t done = 0; done < text.size();) {
        const auto written = uninterrupted(
            [&] { return write(result.get(), text.data() + done, text.size() - done); });
        if (written <= 0) break;
        done += static_cast<std::size_t>(written);
    }
    result.close();
    std::fflush(nullptr);
    if (outcome.stopped && !stop_requested()) wait_for_peer_to_leave(socket);
    // Everything of value is written: the engine's memory need not be taken apart.
    std::_Exit(outcome.failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

/// Reads what a connection has to say; true when it has said all.
bool TbxServer::collect(Connection& connection) {
    pollfd watched{connection.result.get(), POLLIN, 0};
    while (poll(&watched, 1, 0) > 0) {
        char bytes[4096];
        const auto count =
            uninterrupted([&] { return read(connection.result.get(), bytes, sizeof bytes); });
        if (count > 0) {
            connection.text.append(bytes, static_cast<std::size_t>(count));
            continue;
        }
        conclude(connection);
        return true;
    }
    return false;
}

void TbxServer::conclude(const Connection& connection) {
    Outcome outcome = Outcome::from_text(connection.text);
    outcome.peer = connection.peer;
    if (!connection.text.empty()) {
        leaving_.push_back(connection.process);
        return ended_(connection.number, outcome);
    }
    // It ended without a word.
    int status = 0;
    uninterrupted([&] { return waitpid(connection.process, &status, 0); });
    outcome.summary = ended_without_a_word(status);
    ended_(connection.number, outcome);
}

void TbxServer::ask_connections_to_stop() {
    stop_accepting();
    if (std::exchange(asked_to_stop_, true)) return;
    for (const auto& connection : connections_)
        kill(connection.process, SIGTERM);
}

}  // namespace gen9::platform
