// SPDX-License-Identifier: Apache-2.0
#include "platform/host/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "common/check.h"
#include "platform/host/stop.h"

namespace gen9::platform {
namespace {

// A driver writes pages without waiting: room for a few hundred of them lets it run ahead.
constexpr int kReceiveBufferBytes = 4 << 20;

std::string place(const std::string& address, std::uint16_t port) {
    return address + ":" + std::to_string(port);
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

AddressList resolve(const std::string& address, std::uint16_t port, int flags) {
    addrinfo hints{};
    hints.ai_family = AF_INET;  // the driver knows no other
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* list = nullptr;
    const int error = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &list);
    if (error != 0)
        throw UserError("'" + address +
                        "' is not an address of this machine: " + gai_strerror(error));
    return {list, freeaddrinfo};
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

void FileDescriptor::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Pipe make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw UserError(std::string("cannot make a pipe: ") + std::strerror(errno));
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Longer than a driver takes from one packet to the next (measured: a few microseconds).
constexpr std::chrono::microseconds kAwake{100};

FileDescriptor listen_on(const std::string& address, std::uint16_t port) {
    const auto list = resolve(address, port, AI_PASSIVE);
    FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBufferBytes,
               sizeof kReceiveBufferBytes);
    if (bind(listener.get(), list->ai_addr, list->ai_addrlen) != 0 ||
        listen(listener.get(), SOMAXCONN) != 0)
        throw UserError("cannot listen on " + place(address, port) + ": " + std::strerror(errno));
    return listener;
}

std::uint16_t port_of(const FileDescriptor& listener) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
}

FileDescriptor connect_to(const std::string& address, std::uint16_t port) {
    const auto list = resolve(address, port, 0);
    FileDescriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(connection.get(), list->ai_addr, list->ai_addrlen) != 0)
        throw UserError("cannot connect to " + place(address, port) + ": " + std::strerror(errno));
    const int on = 1;
    setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connection;
}

void prepare_connection(const FileDescriptor& connection) {
    const timeval patience{.tv_sec = 0, .tv_usec = 200'000};
    const int on = 1;
    setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

bool peer_gone(int socket) {
    pollfd watched{socket, POLLRDHUP, 0};
    return poll(&watched, 1, 0) > 0;
}

std::size_t receive_some(int socket, std::span<std::uint8_t> room) {
    // A driver that uploads sends packet after packet. If this thread slept between them, each
    // would have to wake it, which costs the sender more than the packet.
    const auto until = std::chrono::steady_clock::now() + kAwake;
    do {
        const ssize_t count = recv(socket, room.data(), room.size(), MSG_DONTWAIT);
        if (count >= 0) return static_cast<std::size_t>(count);
        std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < until);
    // A sender may hold a short packet back until what it sent before is acknowledged, which the
    // kernel would put off for 40 milliseconds.
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
    for (;;) {
        const ssize_t count = recv(socket, room.data(), room.size(), 0);
        if (count >= 0) return static_cast<std::size_t>(count);
        if ((errno != EINTR && errno != EAGAIN) || stop_requested()) return 0;
    }
}

bool send_all(int socket, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN) && !stop_requested()) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace gen9::platform
