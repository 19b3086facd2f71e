// SPDX-License-Identifier: Apache-2.0
/// Preloaded by `run --door tbx`: makes the driver's transactions on the simulator socket whole,
/// and takes from the socket what the driver gave no writable memory for. All other sockets are
/// left alone.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

#include "platform/host/program/current_launch.h"
#include "platform/host/tbx/library/transactions.h"

namespace {

using gen9::tbx_library::Transactions;

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// Connections to the simulator, by descriptor. Never ends: programs use them while they exit.
struct Connections {
    std::mutex mutex;
    std::map<int, std::shared_ptr<Transactions>> by_descriptor;
    std::atomic<bool> any{false};
    pid_t process = 0;  ///< that has connected
};
Connections& connections() {
    static auto* const all = new Connections;
    return *all;
}

std::shared_ptr<Transactions> find(int descriptor) {
    Connections& all = connections();
    if (!all.any) return nullptr;
    const std::scoped_lock lock(all.mutex);
    const auto found = all.by_descriptor.find(descriptor);
    return found == all.by_descriptor.end() ? nullptr : found->second;
}

/// A forked child's messages would mingle with its parent's, and a driver without answers asks for
/// ever.
void must_be_ours() {
    if (connections().process == getpid()) return;
    dprintf(
        STDERR_FILENO,
        "gen9sim: process %d: it was forked from a process that had opened the device, and uses "
        "what it inherited, which is its parent's alone: the process ends; what is to use the "
        "device opens it after fork()\n",
        static_cast<int>(getpid()));
    constexpr int kEngineError = 3;
    _exit(kEngineError);
}

bool is_simulator(const sockaddr* address, socklen_t length) {
    const char* port = std::getenv("TbxPort");
    if (!port || !address || length < sizeof(sockaddr_in) || address->sa_family != AF_INET)
        return false;
    const auto* to = reinterpret_cast<const sockaddr_in*>(address);
    return ntohs(to->sin_port) == std::atoi(port) && ntohl(to->sin_addr.s_addr) == INADDR_LOOPBACK;
}

/// Bytes that cannot be put where the program wants them are lost to the program only.
ssize_t pass_over(int socket, std::size_t size, int flags, Transactions& transactions) {
    std::array<std::uint8_t, 4096> bytes;
    const auto count =
        real<decltype(&recv)>("recv")(socket, bytes.data(), std::min(size, bytes.size()), flags);
    if (count > 0) transactions.received(bytes.data(), static_cast<std::size_t>(count));
    return count;
}

/// The messages that the thread sends from here on belong to a launch.
void tell_launch(int socket, Transactions& transactions) {
    using namespace gen9::platform;
    const std::uint32_t* const launch = current_launch();
    if (!launch || !transactions.must_tell(*launch)) return;
    std::array<std::uint8_t, tbx::Header::kBytes + tbx::Launch::kBytes> message;
    tbx::Header{tbx::Type::CurrentLaunch, 0, tbx::Launch::kBytes}.put(message.data());
    tbx::Launch{static_cast<std::uint32_t>(getpid()), *launch}.put(message.data() +
                                                                   tbx::Header::kBytes);
    const auto count =
        real<decltype(&send)>("send")(socket, message.data(), message.size(), MSG_NOSIGNAL);
    if (count != static_cast<ssize_t>(message.size())) transactions.fail();
}

}  // namespace

#define GEN9_EXPORT extern "C" __attribute__((visibility("default")))

GEN9_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t length) {
    static const auto next = real<decltype(&connect)>("connect");
    const int result = next(descriptor, address, length);
    if (result == 0 && is_simulator(address, length)) {
        Connections& all = connections();
        const std::scoped_lock lock(all.mutex);
        all.by_descriptor[descriptor] = std::make_shared<Transactions>();
        all.any = true;
        all.process = getpid();
    }
    return result;
}

GEN9_EXPORT ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
    static const auto next = real<decltype(&send)>("send");
    const auto transactions = find(descriptor);
    if (!transactions) return next(descriptor, bytes, size, flags);
    must_be_ours();
    transactions->enter();
    tell_launch(descriptor, *transactions);
    const ssize_t count = next(descriptor, bytes, size, flags | MSG_NOSIGNAL);
    if (count > 0)
        transactions->sent(bytes, static_cast<std::size_t>(count));
    else if (errno != EINTR)
        transactions->fail();
    return count;
}

GEN9_EXPORT ssize_t recv(int descriptor, void* bytes, size_t size, int flags) {
    static const auto next = real<decltype(&recv)>("recv");
    const auto transactions = find(descriptor);
    if (!transactions) return next(descriptor, bytes, size, flags);
    must_be_ours();
    transactions->enter();
    const ssize_t count = next(descriptor, bytes, size, flags);
    if (count > 0)
        transactions->received(bytes, static_cast<std::size_t>(count));
    else if (count < 0 && errno == EFAULT)
        return pass_over(descriptor, size, flags, *transactions);
    else if (count == 0 || errno != EINTR)
        transactions->fail();
    return count;
}

GEN9_EXPORT int close(int descriptor) {
    static const auto next = real<decltype(&close)>("close");
    if (const auto transactions = find(descriptor)) {
        Connections& all = connections();
        const std::scoped_lock lock(all.mutex);
        all.by_descriptor.erase(descriptor);
        transactions->fail();
    }
    return next(descriptor);
}
