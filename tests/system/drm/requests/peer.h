// SPDX-License-Identifier: Apache-2.0
/// Another process, and buffers that pass to it.
#pragma once
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>

#include "tests/system/drm/requests/requests.h"

namespace requests {

/// One end of the socket between the two.
class Peer {
  public:
    explicit Peer(int socket) : socket_(socket) {}
    /// A word, and a descriptor (-1: none), which stays open here.
    void send(std::uint32_t word, int descriptor = -1) const {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)]{};
        iovec data{&word, sizeof word};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        if (descriptor >= 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr* const head = CMSG_FIRSTHDR(&message);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            head->cmsg_len = CMSG_LEN(sizeof descriptor);
            std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
        }
        EXPECT(sendmsg(socket_, &message, 0), sizeof word);
    }
    /// Waits for the word; the descriptor that came with it, or -1.
    int receive(std::uint32_t must_be) const {
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
        std::uint32_t word = 0;
        iovec data{&word, sizeof word};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(socket_, &message, 0) != sizeof word) {
            EXPECT(false, true);
            std::exit(1);  // the other one has ended
        }
        EXPECT(word, must_be);
        int descriptor = -1;
        if (const cmsghdr* head = CMSG_FIRSTHDR(&message))
            std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
        return descriptor;
    }

  private:
    int socket_;
};

inline int export_buffer(int file, std::uint32_t handle) {
    drm_prime_handle shared{handle, DRM_CLOEXEC | DRM_RDWR, -1};
    EXPECT(errno_of(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &shared), 0);
    return shared.fd;
}

inline std::uint32_t import_buffer(int file, int descriptor) {
    drm_prime_handle shared{0, 0, descriptor};
    EXPECT(errno_of(file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &shared), 0);
    return shared.handle;
}

}  // namespace requests
