// SPDX-License-Identifier: Apache-2.0
#include <drm.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

constexpr std::uint32_t kMaxSyncs = 1 << 16;
constexpr std::uint32_t kWaitFlags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
                                     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                                     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
/// Between two looks at objects to which nothing has been submitted yet.
constexpr std::int64_t kLookNanoseconds = 1'000'000;

int to_descriptor(Call& call) {
    auto& a = call.as<drm_syncobj_handle>();
    const auto sync = call.file.syncs.find(a.handle);
    if (a.flags & ~static_cast<__u32>(DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE))
        return EINVAL;
    if (!sync) return ENOENT;
    if (a.flags) {
        const auto* number = sync->find(0);
        if (!number) return EINVAL;
        a.fd = make_sync_file(call.all, *number);
        return a.fd < 0 ? EMFILE : 0;
    }
    OwnDescriptor file = make_memory("syncobj", kPage);
    struct stat status {};
    if (!file || real().fstat(file.get(), &status) != 0) return EMFILE;
    a.fd = real().fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
    if (a.fd < 0) return EMFILE;
    call.all.shared_syncs[{status.st_dev, status.st_ino}] = sync;
    return 0;
}

int from_descriptor(Call& call) {
    auto& a = call.as<drm_syncobj_handle>();
    if (a.flags & ~static_cast<__u32>(DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
        return EINVAL;
    if (a.flags) {
        const auto sync = call.file.syncs.find(a.handle);
        if (!sync) return ENOENT;
        std::uint64_t number = 0;
        if (const int error = read_sync_file(call.all, a.fd, number, call.lock)) return error;
        sync->set(0, number);
        return 0;
    }
    struct stat status {};
    if (real().fstat(a.fd, &status) != 0) return EINVAL;
    const auto found = call.all.shared_syncs.find({status.st_dev, status.st_ino});
    if (found == call.all.shared_syncs.end()) return EINVAL;
    a.handle = call.file.syncs.add(found->second);
    return 0;
}

/// A request waits for these.
struct Wait {
    std::uint64_t handles, points;  ///< where they are; without points: the binary form
    std::uint32_t count, flags;
    std::int64_t deadline;
};

/// Waits until one or all of the points are signalled; with "available", until they have fences.
int wait(Call& call, const Wait& what, std::uint32_t& first) {
    if (what.flags & ~kWaitFlags || what.count > kMaxSyncs) return EINVAL;
    if (what.count == 0) return 0;
    std::vector<std::uint32_t> handles;
    std::vector<std::uint64_t> points(what.count, 0);
    if (!copy_in(what.handles, what.count, handles) ||
        (what.points && !copy_in(what.points, what.count, points)))
        return EFAULT;
    std::vector<std::shared_ptr<SyncObject>> syncs;
    for (const std::uint32_t handle : handles) {
        syncs.push_back(call.file.syncs.find(handle));
        if (!syncs.back()) return ENOENT;
    }
    const bool available = what.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    const bool patient = available || what.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    const bool all = what.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
    Connection& connection = call.all.connection;
    const EndlessWait endless(connection, what.deadline);
    for (;;) {
        std::uint32_t ready = 0;
        std::uint64_t next = 0;  // the submission to wait for; 0: nobody has submitted
        for (std::uint32_t i = 0; i < what.count; ++i) {
            const auto* number = syncs[i]->find(points[i]);
            if (!number && !patient) return EINVAL;
            if (number && (available || connection.completed(*number))) {
                if (ready++ == 0) first = i;
            } else if (number) {
                next = next == 0 ? *number
                       : all     ? std::max(next, *number)
                                 : std::min(next, *number);
            }
        }
        if (ready == what.count || (ready && !all)) return 0;
        const std::int64_t now = monotonic_ns();
        if (now >= what.deadline) return ETIME;
        const bool someone = next != 0 && next <= connection.submitted();
        const std::int64_t until = someone && (all || what.count == 1)
                                       ? what.deadline
                                       : std::min(what.deadline, now + kLookNanoseconds);
        if (someone) {
            connection.wait(next, until, call.lock);
        } else {
            call.lock.unlock();
            poll(nullptr, 0, 1);
            call.lock.lock();
            connection.look_at_threads();
        }
    }
}

/// RESET, SIGNAL and their kin with points: each object of a list.
template <class Each>
int for_each(Call& call, std::uint64_t list, std::uint32_t count, Each&& each) {
    if (count == 0 || count > kMaxSyncs) return EINVAL;
    std::vector<std::uint32_t> handles;
    if (!copy_in(list, count, handles)) return EFAULT;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!call.file.syncs.find(handles[i])) return ENOENT;
    for (std::uint32_t i = 0; i < count; ++i)
        each(*call.file.syncs.find(handles[i]), i);
    return 0;
}

/// QUERY: the highest point that is signalled, or with the flag, promised.
std::uint64_t highest(const Connection& connection, const SyncObject& sync, bool promised) {
    std::uint64_t point = 0;
    for (const auto& [at_point, number] : sync.fences)
        if (promised || connection.completed(number)) point = at_point;
    return point;
}

int transfer(Call& call) {
    const auto& a = call.as<drm_syncobj_transfer>();
    const auto from = call.file.syncs.find(a.src_handle), to = call.file.syncs.find(a.dst_handle);
    if (!from || !to) return ENOENT;
    const auto* number = from->find(a.src_point);
    if (!number) return EINVAL;
    const std::uint64_t fence = *number;
    to->set(a.dst_point, fence);
    return 0;
}

int with_points(Call& call, bool signal) {
    auto& a = call.as<drm_syncobj_timeline_array>();
    if (!signal && a.flags & ~static_cast<__u32>(DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED))
        return EINVAL;
    if (a.count_handles > kMaxSyncs) return EINVAL;
    std::vector<std::uint64_t> points;
    if (!copy_in(a.points, a.count_handles, points)) return EFAULT;
    const int error =
        for_each(call, a.handles, a.count_handles, [&](SyncObject& sync, std::uint32_t i) {
            if (signal)
                sync.set(points[i], 0);
            else
                points[i] = highest(call.all.connection, sync, a.flags != 0);
        });
    if (error || signal) return error;
    return copy_out(a.points, points.data(), points.size() * sizeof points[0]) ? 0 : EFAULT;
}

}  // namespace

int answer_sync(Call& call) {
    switch (call.number) {
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE): {
            auto& a = call.as<drm_syncobj_create>();
            if (a.flags & ~static_cast<__u32>(DRM_SYNCOBJ_CREATE_SIGNALED)) return EINVAL;
            auto sync = std::make_shared<SyncObject>();
            if (a.flags) sync->set(0, 0);
            a.handle = call.file.syncs.add(std::move(sync));
            return 0;
        }
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY): {
            const auto& a = call.as<drm_syncobj_destroy>();
            return !a.pad && call.file.syncs.remove(a.handle) ? 0 : EINVAL;
        }
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
            return to_descriptor(call);
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
            return from_descriptor(call);
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT): {
            auto& a = call.as<drm_syncobj_wait>();
            return wait(call, {a.handles, 0, a.count_handles, a.flags, a.timeout_nsec},
                        a.first_signaled);
        }
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT): {
            auto& a = call.as<drm_syncobj_timeline_wait>();
            if (a.count_handles && !a.points) return EFAULT;
            return wait(call, {a.handles, a.points, a.count_handles, a.flags, a.timeout_nsec},
                        a.first_signaled);
        }
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL): {
            const auto& a = call.as<drm_syncobj_array>();
            const bool signal = call.number == _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL);
            return for_each(call, a.handles, a.count_handles, [&](SyncObject& sync, std::uint32_t) {
                sync.reset();
                if (signal) sync.set(0, 0);
            });
        }
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
            return with_points(call, false);
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
            return with_points(call, true);
        case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
            return transfer(call);
        default:
            return EINVAL;
    }
}

}  // namespace gen9::drm
