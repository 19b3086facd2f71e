// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "platform/host/drm/drm_session.h"
#include "platform/host/stop.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;

/// As many as one message can carry (Public: Linux, SCM_MAX_FD).
constexpr std::size_t kMaxDescriptors = 253;

/// All that came with a message, each closed unless it is taken.
std::vector<FileDescriptor> descriptors_of(const msghdr& header) {
    std::vector<FileDescriptor> all;
    for (cmsghdr* control = CMSG_FIRSTHDR(&header); control;
         control = CMSG_NXTHDR(const_cast<msghdr*>(&header), control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(control) + i * sizeof fd, sizeof fd);
            all.emplace_back(fd);
        }
    }
    return all;
}

/// Keeps what comes while the engine waits for its program, which may want to send a lot before it
/// writes.
struct Incoming {
    Message message;
    FileDescriptor descriptor;
};
/// More are left in the socket.
constexpr std::size_t kMostIncoming = 1 << 16, kMostDescriptors = 256;

bool comes(int socket) {
    pollfd watched{socket, POLLIN, 0};
    return poll(&watched, 1, 0) == 1 && watched.revents == POLLIN;
}

/// Waits for a message; false when the peer is gone or this process is asked to stop. A message of
/// another length, or with more than one descriptor, has no kind.
bool receive(int socket, Message& message, FileDescriptor& descriptor) {
    iovec part{&message, sizeof message};
    alignas(cmsghdr) char room[CMSG_SPACE(kMaxDescriptors * sizeof(int))];
    for (;;) {
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = room;
        header.msg_controllen = sizeof room;
        const auto count = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
        if (count < 0) {
            if ((errno == EINTR || errno == EAGAIN) && !platform::stop_requested()) continue;
            return false;
        }
        auto descriptors = descriptors_of(header);
        if (count == 0) return false;
        const bool whole = count == sizeof message && !(header.msg_flags & MSG_TRUNC);
        if (!whole || descriptors.size() > 1) message = {};
        if (descriptors.size() == 1) descriptor = std::move(descriptors.front());
        return true;
    }
}

}  // namespace

platform::TbxConnectionEnd serve_drm_connection(int socket,
                                                const std::function<platform::Engine&()>& build,
                                                const std::function<void(const std::string&)>& log,
                                                const platform::OnLaunch& on_launch,
                                                const Frames& frames) {
    std::optional<DrmSession> session;
    Message message;
    FileDescriptor descriptor;
    std::deque<Incoming> early;
    const auto next = [&] {
        if (early.empty()) return receive(socket, message, descriptor);
        message = early.front().message;
        descriptor = std::move(early.front().descriptor);
        early.pop_front();
        return true;
    };
    const auto take_early = [&] {
        std::size_t descriptors = 0;
        for (const Incoming& one : early)
            descriptors += one.descriptor ? 1 : 0;
        while (early.size() < kMostIncoming && descriptors < kMostDescriptors && comes(socket)) {
            Incoming one;
            if (!receive(socket, one.message, one.descriptor)) return;
            descriptors += one.descriptor ? 1 : 0;
            early.push_back(std::move(one));
        }
    };
    while ((!session || !session->ended()) && next()) {
        if (!session) {
            platform::Engine& engine = build();
            engine.wanted = [socket] { return !platform::peer_gone(socket); };
            engine.host_writes = true;
            session.emplace(engine, log, frames);
            session->on_launch = on_launch;
            session->while_waiting = take_early;
        }
        session->take(message, std::move(descriptor));
    }
    if (!session) return {};
    return {session->complaints(), session->ended()};
}

}  // namespace gen9::drm
