// SPDX-License-Identifier: Apache-2.0
/// Sync files: ends of submissions as descriptors, which poll finds readable afterwards.
/// Role     a sync file is one end of a pair of sockets. The server has the other end, and closes
/// it
///          when all before has ended, or with the connection. The socket's name says whose end of
///          which submission it is: so it is known in every process, and nothing else passes for
///          it.
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

/// Behind the zero with which names begin that are no files.
constexpr const char* kForm = "gen9sim-fence %" PRIx64 " %" PRIu64 " %" PRIu64;

struct Fence {
    std::uint64_t connection = 0, number = 0;
};

/// Gives a socket its name.
bool name(int socket, const Fence& fence) {
    static std::uint64_t serial = 0;  // under the library's lock
    for (;;) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, kForm,
                                         fence.connection, fence.number, ++serial);
        const auto bytes = offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length);
        if (bind(socket, reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(bytes)) == 0)
            return true;
        if (errno != EADDRINUSE) return false;
    }
}

/// False: the descriptor is no sync file.
bool read_name(int descriptor, Fence& fence) {
    sockaddr_un address{};
    socklen_t length = sizeof address - 1;
    std::uint64_t serial = 0;
    return getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
           address.sun_family == AF_UNIX && address.sun_path[0] == 0 &&
           std::sscanf(address.sun_path + 1, kForm, &fence.connection, &fence.number, &serial) == 3;
}

bool has_ended(int descriptor, int timeout_ms) {
    pollfd watched{descriptor, POLLIN, 0};
    int found = 0;
    while ((found = poll(&watched, 1, timeout_ms)) < 0 && errno == EINTR) {
    }
    return found > 0;
}

/// SYNC_IOC_MERGE: a sync file that ends after both.
int merge(Device& all, int descriptor, sync_merge_data& a, Lock& lock) {
    if (a.flags || a.pad) return EINVAL;
    std::uint64_t one = 0, other = 0;
    if (const int error = read_sync_file(all, descriptor, one, lock)) return error;
    if (read_sync_file(all, a.fd2, other, lock)) return ENOENT;
    a.fence = make_sync_file(all, std::max(one, other));
    return a.fence < 0 ? EMFILE : 0;
}

/// SYNC_IOC_FILE_INFO, of which only the head is given: how many fences there are, and their state.
int tell(Device& all, int descriptor, const Fence& fence, sync_file_info& a) {
    if (a.flags || a.pad) return EINVAL;
    std::strncpy(a.name, "i915", sizeof a.name);
    const bool failed = fence.connection == all.connection.token() && all.connection.lost() &&
                        fence.number > all.connection.ended_well();
    a.status = failed ? -EIO : has_ended(descriptor, 0);
    if (a.num_fences != 0) return EINVAL;
    a.num_fences = 1;
    return 0;
}

}  // namespace

int make_sync_file(Device& all, std::uint64_t number) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    const OwnDescriptor theirs(ends[1]);
    if (!name(ends[0], {all.connection.token(), number})) {
        real().close(ends[0]);
        return -1;
    }
    Message message;
    message.kind = Kind::Wake;
    // The other end is closed here and now if it is not sent.
    if (!all.connection.completed(number)) all.connection.send(message, theirs.get());
    return ends[0];
}

int read_sync_file(Device& all, int descriptor, std::uint64_t& number, Lock& lock) {
    Fence fence;
    if (!read_name(descriptor, fence)) return EINVAL;
    number = fence.number;
    if (fence.connection == all.connection.token()) return 0;
    number = 0;
    lock.unlock();
    const bool ended = has_ended(descriptor, -1);
    lock.lock();
    return ended ? 0 : EINVAL;
}

int answer_sync_file(int descriptor, unsigned long request, void* argument, bool& here) {
    Fence fence;
    here = read_name(descriptor, fence);
    if (!here) return 0;
    Device& all = device();
    Lock lock(all.mutex);
    const auto place = reinterpret_cast<std::uintptr_t>(argument);
    const auto answer = [&](auto data, auto&& with) {
        if (!copy_in(place, data)) return EFAULT;
        const int error = with(data);
        return error == 0 && !copy_out(place, data) ? EFAULT : error;
    };
    switch (request) {
        case SYNC_IOC_MERGE:
            return answer(sync_merge_data{},
                          [&](sync_merge_data& a) { return merge(all, descriptor, a, lock); });
        case SYNC_IOC_FILE_INFO:
            return answer(sync_file_info{},
                          [&](sync_file_info& a) { return tell(all, descriptor, fence, a); });
        default:
            return ENOTTY;
    }
}

}  // namespace gen9::drm
