// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/connection.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "platform/host/drm/library/process/file_limit.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tree.h"

namespace gen9::drm {
namespace {

constexpr int kFirstOwn = 8192;
constexpr std::int64_t kNanoseconds = 1'000'000'000;
/// Between two looks whether the machine is still there.
constexpr std::int64_t kLookNanoseconds = 100'000'000;
constexpr int kLookMilliseconds = 100;
/// A wait of a hundred days has no end.
constexpr std::int64_t kEndless = 100 * 86'400 * kNanoseconds;
/// Between two looks at the program's threads.
constexpr std::int64_t kBetweenLooks = 500'000'000;

/// A bit for each number says whether it is the library's own. Every close() of the program's reads
/// them without a lock. There are more than Linux lets a process have, unless it is set up
/// otherwise.
constexpr int kMostNumbers = 1 << 20;
using Bits = std::atomic<std::uint64_t>;
Bits g_own[kMostNumbers / 64];

}  // namespace

int OwnDescriptor::next(int from) {
    for (int at = std::max(from, 0); at < kMostNumbers; at = (at / 64 + 1) * 64)
        if (const std::uint64_t left = g_own[at / 64] >> at % 64)
            return at + std::countr_zero(left);
    return -1;
}

void OwnDescriptor::hold(int descriptor) {
    descriptor_ = descriptor;
    if (descriptor >= 0 && descriptor < kMostNumbers)
        g_own[descriptor / 64] |= std::uint64_t{1} << descriptor % 64;
}

void OwnDescriptor::release() {
    if (descriptor_ < 0) return;
    if (descriptor_ < kMostNumbers)
        g_own[descriptor_ / 64] &= ~(std::uint64_t{1} << descriptor_ % 64);
    real().close(descriptor_);
}

std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kNanoseconds + now.tv_nsec;
}

OwnDescriptor OwnDescriptor::of(int descriptor) {
    OwnDescriptor own;
    int copy = real().fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstOwn);
    if (copy < 0) copy = real().fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    own.hold(copy);
    return own;
}

OwnDescriptor::OwnDescriptor(int descriptor) {
    if (descriptor < 0) return;
    *this = of(descriptor);
    if (descriptor_ < 0)
        hold(descriptor);
    else
        real().close(descriptor);
}

OwnDescriptor::OwnDescriptor(OwnDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

OwnDescriptor& OwnDescriptor::operator=(OwnDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

OwnDescriptor::~OwnDescriptor() {
    release();
}

OwnDescriptor make_memory(const char* name, std::uint64_t bytes) {
    const FilesMayGrow grow;
    OwnDescriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || bytes > INT64_MAX || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
        real().fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        return {};
    return file;
}

std::uint64_t Connection::make_token() {
    std::uint64_t token = 0;
    if (getrandom(&token, sizeof token, 0) != sizeof token)
        token = static_cast<std::uint64_t>(monotonic_ns());
    return token;
}

void Connection::reach() {
    if (reached_) return;
    reached_ = true;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = in_folder(kSocketName);
    OwnDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!socket || name.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, name.c_str(), name.size());
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        socket_ = std::move(socket);
}

bool Connection::connect() {
    if (tried_) return progress_ && !lost();
    tried_ = true;
    reach();
    OwnDescriptor page = make_memory("gen9sim-progress", kPage);
    if (!socket_ || !page) return false;
    void* shared = real().mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0);
    if (shared == MAP_FAILED) return false;
    progress_ = static_cast<Progress*>(shared);
    Message hello;
    hello.kind = Kind::Hello;
    hello.number = kVersion;
    hello.id = static_cast<std::uint32_t>(getpid());
    return transmit(hello, page.get(), 0);
}

bool Connection::transmit(const Message& message, int descriptor, int flags) {
    iovec part{const_cast<Message*>(&message), sizeof message};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))]{};
    if (descriptor >= 0) {
        header.msg_control = room;
        header.msg_controllen = sizeof room;
        cmsghdr* control = CMSG_FIRSTHDR(&header);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
    }
    for (;;) {
        const ssize_t sent = sendmsg(socket_.get(), &header, flags | MSG_NOSIGNAL);
        if (sent >= 0) return true;
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ETOOMANYREFS) lost_ = true;
        return false;
    }
}

bool Connection::drain() {
    while (!queue_.empty() && !lost()) {
        const Outgoing& next = queue_.front();
        if (!transmit(next.message, next.descriptor.get(), MSG_DONTWAIT)) return lost();
        queue_.pop_front();
    }
    return true;
}

bool Connection::send(const Message& message, int descriptor) {
    if (!connect() || lost()) return false;
    if (drain() && !lost() && transmit(message, descriptor, MSG_DONTWAIT)) return true;
    if (lost()) return false;
    queue_.push_back({message, descriptor < 0 ? OwnDescriptor() : OwnDescriptor::of(descriptor)});
    return true;
}

void Connection::flush(Lock& lock) {
    while (!drain()) {
        pollfd watched{socket_.get(), POLLOUT, 0};
        lock.unlock();
        poll(&watched, 1, kLookMilliseconds);
        lock.lock();
    }
}

bool Connection::completed(std::uint64_t number) const {
    return number == 0 || lost() || (progress_ && progress_->completed >= number);
}

std::uint64_t Connection::ended_well() const {
    if (!progress_) return 0;
    const std::uint64_t completed = progress_->completed;
    return progress_->lost ? progress_->lost_in - 1 : completed;
}

void Connection::look_after_peer() {
    char byte = 0;
    const ssize_t count = recv(socket_.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) lost_ = true;
}

EndlessWait::EndlessWait(Connection& connection, std::int64_t deadline) : connection_(connection) {
    const pid_t thread = gettid();
    if (deadline - monotonic_ns() < kEndless || connection.endless_.contains(thread)) return;
    thread_ = thread;
    connection.endless_[thread] = ++connection.endless_waits_;
}

EndlessWait::~EndlessWait() {
    if (thread_) connection_.endless_.erase(thread_);
}

// One look may meet threads that wake each other in turn. Two that are equal show that none ran
// between them; and the engine, which has waited all that time, looks once more at memory.
void Connection::look_at_threads() {
    if (!progress_ || shares_memory_ || !endless_.contains(gettid())) return;
    const std::uint64_t wait = progress_->engine_waits;
    const std::int64_t now = monotonic_ns();
    if (wait == 0 || (wait == look_wait_ && now - look_at_ < kBetweenLooks)) return;
    const auto before = std::exchange(look_, all_blocked(endless_));
    if (std::exchange(look_wait_, wait) == wait && look_ && look_ == before &&
        progress_->engine_waits == wait)
        progress_->program_waits = wait;
    look_at_ = now;
}

bool Connection::wait(std::uint64_t number, std::int64_t deadline, Lock& lock) {
    const EndlessWait endless(*this, deadline);
    for (;;) {
        if (!progress_ || completed(number)) return true;
        const std::uint32_t seen = progress_->changed;
        if (completed(number)) return true;
        const std::int64_t left = deadline - monotonic_ns();
        if (left <= 0) return false;
        const std::int64_t pause = std::min(left, kLookNanoseconds);
        const timespec time{pause / kNanoseconds, pause % kNanoseconds};
        Progress* progress = progress_;
        lock.unlock();
        const long woken =
            syscall(SYS_futex, &progress->changed, FUTEX_WAIT, seen, &time, nullptr, 0);
        const bool timed_out = woken < 0 && errno == ETIMEDOUT;
        lock.lock();
        if (timed_out) {
            drain();
            look_after_peer();
            look_at_threads();
        }
    }
}

void Connection::wait_for_end_or_host(std::uint64_t number, Lock& lock) {
    constexpr std::int64_t kBetween = 10'000'000;
    while (!wait(number, monotonic_ns() + kBetween, lock) &&
           !(progress_ && progress_->engine_waits != 0)) {
    }
}

void Connection::forget() {
    const std::uint32_t next = generation_ + 1;
    // The page stays mapped: a thread of the parent may have been waiting in it.
    *this = Connection();
    generation_ = next;
}

}  // namespace gen9::drm
