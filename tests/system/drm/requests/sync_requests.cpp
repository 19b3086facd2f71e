// SPDX-License-Identifier: Apache-2.0
#include "tests/system/drm/requests/requests.h"

#include <linux/sync_file.h>
#include <poll.h>
#include <sys/eventfd.h>

namespace requests {

void of_syncs(int file) {
    const std::uint32_t fresh = make_sync(file, 0),
                        signaled = make_sync(file, DRM_SYNCOBJ_CREATE_SIGNALED);
    const auto wait = [&](std::uint64_t handles, std::uint32_t count, std::uint32_t flags) {
        drm_syncobj_wait a{};
        a.handles = handles;
        a.count_handles = count;
        a.flags = flags;
        return errno_of(file, DRM_IOCTL_SYNCOBJ_WAIT, &a);
    };
    const std::uint32_t both[] = {fresh, signaled}, unknown = 4711;
    constexpr std::uint32_t kPatient = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
    EXPECT(wait(address_of(both + 1), 1, 0), 0);
    EXPECT(wait(address_of(both), 1, 0), EINVAL);
    EXPECT(wait(address_of(both), 1, kPatient), ETIME);
    EXPECT(wait(address_of(both), 2, kPatient), 0);
    EXPECT(wait(address_of(both), 2, kPatient | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL), ETIME);
    EXPECT(wait(address_of(&unknown), 1, 0), ENOENT);
    EXPECT(wait(16, 1, 0), EFAULT);
    EXPECT(wait(address_of(both), 1, 1u << 20), EINVAL);
    ASK(DRM_IOCTL_SYNCOBJ_SIGNAL, EFAULT, drm_syncobj_array{16, 1, 0});
    ASK(DRM_IOCTL_SYNCOBJ_SIGNAL, ENOENT, drm_syncobj_array{address_of(&unknown), 1, 0});
    ASK(DRM_IOCTL_SYNCOBJ_SIGNAL, EINVAL, drm_syncobj_array{address_of(both), 0, 0});

    std::uint64_t points[] = {7};
    drm_syncobj_timeline_array line{};
    line.handles = address_of(both);
    line.points = address_of(points);
    line.count_handles = 1;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &line), 0);
    points[0] = 0;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_QUERY, &line), 0);
    EXPECT(points[0], 7);
    line.points = 16;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_QUERY, &line), EFAULT);
    ASK(DRM_IOCTL_SYNCOBJ_RESET, 0, drm_syncobj_array{address_of(both), 2, 0});
    EXPECT(wait(address_of(both + 1), 1, 0), EINVAL);
    drm_syncobj_handle out{};
    out.handle = fresh;
    out.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &out), EINVAL);
    for (const std::uint32_t handle : both)
        ASK(DRM_IOCTL_SYNCOBJ_DESTROY, 0, drm_syncobj_destroy{handle, 0});
    ASK(DRM_IOCTL_SYNCOBJ_DESTROY, EINVAL, drm_syncobj_destroy{fresh, 0});
}

/// Sync files: only what this interface gave is one, poll sees their end, and two make a third.
void of_sync_files(int file) {
    const std::uint32_t sync = make_sync(file, DRM_SYNCOBJ_CREATE_SIGNALED);
    drm_syncobj_handle out{};
    out.handle = sync;
    out.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &out), 0);
    const auto import = [&](int descriptor) {
        drm_syncobj_handle in{};
        in.handle = sync;
        in.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
        in.fd = descriptor;
        return errno_of(file, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &in);
    };
    int others[2];
    EXPECT(pipe(others), 0);
    const int event = eventfd(0, 0);
    for (const int descriptor : {others[0], others[1], event, file, -1, 1 << 20})
        EXPECT(import(descriptor), EINVAL);
    EXPECT(import(out.fd), 0);
    sync_merge_data merge{};
    merge.fd2 = event;
    EXPECT(errno_of(out.fd, SYNC_IOC_MERGE, &merge), ENOENT);
    EXPECT(errno_of(out.fd, SYNC_IOC_MERGE, nowhere()), EFAULT);
    EXPECT(errno_of(event, SYNC_IOC_MERGE, &merge), ENOTTY);
    merge.fd2 = out.fd;
    EXPECT(errno_of(out.fd, SYNC_IOC_MERGE, &merge), 0);
    EXPECT(import(merge.fence), 0);
    pollfd watched{merge.fence, POLLIN, 0};
    EXPECT(poll(&watched, 1, 10'000), 1);
    EXPECT(watched.revents & (POLLIN | POLLERR | POLLNVAL), POLLIN);
    sync_file_info info{};
    EXPECT(errno_of(merge.fence, SYNC_IOC_FILE_INFO, &info), 0);
    EXPECT(info.status, 1);
    EXPECT(info.num_fences, 1);
    for (const int descriptor : {out.fd, merge.fence, event, others[0], others[1]})
        close(descriptor);
    ASK(DRM_IOCTL_SYNCOBJ_DESTROY, 0, drm_syncobj_destroy{sync, 0});
}

}  // namespace requests
