// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "platform/host/drm/drm_session.h"
#include "platform/host/program/stop.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;

/// Waits for a message; false when the peer is gone or this process is asked to stop. A message of
/// another length has no kind.
bool receive(int socket, Message& message, FileDescriptor& descriptor) {
    iovec part{&message, sizeof message};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))];
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
        const cmsghdr* control = CMSG_FIRSTHDR(&header);
        if (control && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS &&
            control->cmsg_len == CMSG_LEN(sizeof(int))) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(control), sizeof fd);
            descriptor = FileDescriptor(fd);
        }
        if (count == 0) return false;
        if (count != sizeof message || (header.msg_flags & MSG_TRUNC)) message = {};
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
            engine.host_writes = true;
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
