// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "platform/host/drm/drm_session.h"
#include "platform/host/program/stop.h"

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
    while ((!session || !session->ended()) && receive(socket, message, descriptor)) {
        if (!session) {
            platform::Engine& engine = build();
            engine.wanted = [socket] { return !platform::peer_gone(socket); };
            session.emplace(engine, log, frames);
            session->on_launch = on_launch;
        }
        session->take(message, std::move(descriptor));
        descriptor.close();
    }
    if (!session) return {};
    return {session->complaints(), session->ended()};
}

}  // namespace gen9::drm
