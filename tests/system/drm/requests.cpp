// SPDX-License-Identifier: Apache-2.0
/// Every request of the kernel interface with right and wrong arguments, from several threads, each
/// with a file of its own; meanwhile requests that make no sense go to a file that all share.
///
///   drm_requests [THREADS [ROUNDS]]
///
/// Expected errors are those of i915 (Public: Linux 6.1, drivers/gpu/drm).
#include <drm.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t kPage = 4096;
std::atomic<unsigned> g_wrong{0}, g_asked{0};

std::uint64_t address_of(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at);
}
/// Where no program has memory.
void* nowhere() {
    return reinterpret_cast<void*>(std::uintptr_t{16});
}

int errno_of(int file, unsigned long request, void* argument) {
    ++g_asked;
    return ioctl(file, request, argument) == 0 ? 0 : errno;
}

void expect_at(int line, long is, long must_be) {
    if (is == must_be) return;
    ++g_wrong;
    std::printf("line %d: %ld, must be %ld\n", line, is, must_be);
}
#define EXPECT(is, must_be) expect_at(__LINE__, static_cast<long>(is), static_cast<long>(must_be))
/// The error of a request whose argument is made in place.
#define ASK(request, must_be, ...)                           \
    do {                                                     \
        auto argument = __VA_ARGS__;                         \
        EXPECT(errno_of(file, request, &argument), must_be); \
    } while (false)

std::uint32_t make_buffer(int file, std::uint64_t size) {
    drm_i915_gem_create a{size, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CREATE, &a), 0);
    return a.handle;
}
void close_buffer(int file, std::uint32_t handle) {
    ASK(DRM_IOCTL_GEM_CLOSE, 0, drm_gem_close{handle, 0});
}
std::uint32_t make_sync(int file, std::uint32_t flags) {
    drm_syncobj_create a{0, flags};
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_CREATE, &a), 0);
    return a.handle;
}

void of_the_device(int file) {
    char name[8]{};
    drm_version version{};
    version.name = name;
    version.name_len = sizeof name;
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, &version), 0);
    EXPECT(std::strcmp(name, "i915"), 0);
    version.name = static_cast<char*>(nowhere());
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, &version), EFAULT);
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, nowhere()), EFAULT);
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, nullptr), EFAULT);

    int value = -1;
    ASK(DRM_IOCTL_I915_GETPARAM, 0, drm_i915_getparam{I915_PARAM_HAS_EXEC_SOFTPIN, &value});
    EXPECT(value, 1);
    ASK(DRM_IOCTL_I915_GETPARAM, EINVAL, drm_i915_getparam{9999, &value});
    ASK(DRM_IOCTL_I915_GETPARAM, EFAULT,
        drm_i915_getparam{I915_PARAM_CHIPSET_ID, static_cast<int*>(nowhere())});

    drm_i915_query_item items[2]{};
    items[0].query_id = DRM_I915_QUERY_TOPOLOGY_INFO;
    items[1].query_id = 77;
    ASK(DRM_IOCTL_I915_QUERY, 0, drm_i915_query{2, 0, address_of(items)});
    EXPECT(items[0].length > 16, true);
    EXPECT(items[1].length, -EINVAL);
    items[0].data_ptr = 16;
    ASK(DRM_IOCTL_I915_QUERY, 0, drm_i915_query{1, 0, address_of(items)});
    EXPECT(items[0].length, -EFAULT);
    ASK(DRM_IOCTL_I915_QUERY, EFAULT, drm_i915_query{1, 0, 16});
    ASK(DRM_IOCTL_I915_QUERY, EINVAL, drm_i915_query{1, 1, address_of(items)});

    ASK(DRM_IOCTL_I915_REG_READ, 0, drm_i915_reg_read{0x2358 | 1, 0});
    ASK(DRM_IOCTL_I915_REG_READ, EINVAL, drm_i915_reg_read{0x2000, 0});
    ASK(DRM_IOCTL_GET_CAP, EOPNOTSUPP, drm_get_cap{0xFFFF, 0});
    ASK(DRM_IOCTL_AUTH_MAGIC, EACCES, drm_auth{1});
    ASK(DRM_IOCTL_MODE_GETRESOURCES, EACCES, drm_mode_card_res{});
    ASK(DRM_IOCTL_I915_PERF_OPEN, ENODEV, drm_i915_perf_open_param{});
    ASK(DRM_IO(0x3F), EINVAL, 0);
    EXPECT(errno_of(file, _IO('x', 1), nullptr), ENOTTY);
}

void of_buffers(int file) {
    ASK(DRM_IOCTL_I915_GEM_CREATE, EINVAL, drm_i915_gem_create{0, 0, 0});
    drm_i915_gem_create made{1, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CREATE, &made), 0);
    EXPECT(made.size, kPage);
    ASK(DRM_IOCTL_GEM_CLOSE, EINVAL, drm_gem_close{0, 0});
    ASK(DRM_IOCTL_GEM_CLOSE, EINVAL, drm_gem_close{4711, 0});
    const std::uint32_t handle = made.handle, next = make_buffer(file, 2 * kPage);
    EXPECT(next, handle + 1);
    close_buffer(file, handle);
    ASK(DRM_IOCTL_GEM_CLOSE, EINVAL, drm_gem_close{handle, 0});
    EXPECT(make_buffer(file, kPage), handle);  // the lowest that is free

    drm_i915_gem_mmap_offset place{};
    place.handle = next;
    place.flags = I915_MMAP_OFFSET_WB;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &place), 0);
    const auto offset = static_cast<off_t>(place.offset);
    void* two = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    EXPECT(two != MAP_FAILED, true);
    EXPECT(mmap(nullptr, 3 * kPage, PROT_READ, MAP_SHARED, file, offset) == MAP_FAILED, true);
    EXPECT(mmap(nullptr, kPage, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED, true);
    place.handle = 4711;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &place), ENOENT);

    char text[] = "both ways", back[sizeof text]{};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{next, 0, 100, sizeof text, address_of(text)});
    EXPECT(std::strcmp(static_cast<char*>(two) + 100, text), 0);
    ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
        drm_i915_gem_pread{next, 0, 100, sizeof back, address_of(back)});
    EXPECT(std::strcmp(back, text), 0);
    ASK(DRM_IOCTL_I915_GEM_PREAD, EFAULT, drm_i915_gem_pread{next, 0, 0, 8, 16});
    ASK(DRM_IOCTL_I915_GEM_PREAD, EINVAL,
        drm_i915_gem_pread{next, 0, 2 * kPage - 4, 8, address_of(back)});
    ASK(DRM_IOCTL_I915_GEM_PREAD, EINVAL,
        drm_i915_gem_pread{next, 0, ~std::uint64_t{0}, 8, address_of(back)});
    ASK(DRM_IOCTL_I915_GEM_PREAD, ENOENT, drm_i915_gem_pread{4711, 0, 0, 8, address_of(back)});

    ASK(DRM_IOCTL_I915_GEM_BUSY, 0, drm_i915_gem_busy{next, 0});
    ASK(DRM_IOCTL_I915_GEM_BUSY, ENOENT, drm_i915_gem_busy{4711, 0});
    ASK(DRM_IOCTL_I915_GEM_WAIT, 0, drm_i915_gem_wait{next, 0, -1});
    ASK(DRM_IOCTL_I915_GEM_WAIT, EINVAL, drm_i915_gem_wait{next, 1, 0});
    ASK(DRM_IOCTL_I915_GEM_WAIT, ENOENT, drm_i915_gem_wait{4711, 0, 0});
    ASK(DRM_IOCTL_I915_GEM_SET_DOMAIN, EINVAL, drm_i915_gem_set_domain{next, 1u << 20, 0});
    ASK(DRM_IOCTL_I915_GEM_SET_DOMAIN, ENOENT, drm_i915_gem_set_domain{4711, 1, 0});
    ASK(DRM_IOCTL_I915_GEM_MADVISE, EINVAL, drm_i915_gem_madvise{next, 7, 0});
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, EINVAL, drm_i915_gem_set_tiling{next, 7, 0, 0});
    ASK(DRM_IOCTL_I915_GEM_SET_CACHING, EINVAL, drm_i915_gem_caching{next, 7});
    ASK(DRM_IOCTL_I915_GEM_USERPTR, EINVAL,
        drm_i915_gem_userptr{address_of(text) | 1, kPage, 0, 0});
    ASK(DRM_IOCTL_I915_GEM_USERPTR, EINVAL, drm_i915_gem_userptr{kPage, kPage, 1u << 20, 0});

    drm_prime_handle shared{next, DRM_CLOEXEC, -1};
    EXPECT(errno_of(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &shared), 0);
    EXPECT(lseek(shared.fd, 0, SEEK_END), static_cast<long>(2 * kPage));
    shared.handle = 0;
    EXPECT(errno_of(file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &shared), 0);
    EXPECT(shared.handle, next);  // a file has one handle for a buffer
    close(shared.fd);
    ASK(DRM_IOCTL_PRIME_FD_TO_HANDLE, EBADF, drm_prime_handle{0, 0, -1});
    ASK(DRM_IOCTL_PRIME_FD_TO_HANDLE, EINVAL, drm_prime_handle{0, 0, file});
    ASK(DRM_IOCTL_PRIME_HANDLE_TO_FD, ENOENT, drm_prime_handle{4711, 0, -1});
    munmap(two, 2 * kPage);
    close_buffer(file, next);
    close_buffer(file, handle);
}

void of_contexts(int file) {
    drm_i915_gem_context_create made{};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &made), 0);
    const std::uint32_t id = made.ctx_id;
    const auto set = [&](std::uint64_t which, std::uint64_t value, std::uint32_t of) {
        drm_i915_gem_context_param a{};
        a.ctx_id = of;
        a.param = which;
        a.value = value;
        return errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &a);
    };
    const auto below = [](int priority) { return static_cast<std::uint64_t>(priority); };
    EXPECT(set(I915_CONTEXT_PARAM_RECOVERABLE, 0, id), 0);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, below(-512), id), 0);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, 1, id), EPERM);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, 2000, id), EINVAL);
    EXPECT(set(I915_CONTEXT_PARAM_VM, 4711, id), ENOENT);
    EXPECT(set(999, 0, id), EINVAL);
    EXPECT(set(I915_CONTEXT_PARAM_RECOVERABLE, 0, 4711), ENOENT);

    I915_DEFINE_CONTEXT_PARAM_ENGINES(engines, 2) = {
        0, {{I915_ENGINE_CLASS_RENDER, 0}, {I915_ENGINE_CLASS_RENDER, 0}}};
    drm_i915_gem_context_create_ext_setparam part{};
    part.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM;
    part.param.param = I915_CONTEXT_PARAM_ENGINES;
    part.param.size = sizeof engines;
    part.param.value = address_of(&engines);
    drm_i915_gem_context_create_ext chain{};
    chain.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS;
    chain.extensions = address_of(&part);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), 0);
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{chain.ctx_id, 0});
    part.param.value = 16;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EFAULT);
    engines.engines[1].engine_class = I915_ENGINE_CLASS_VIDEO_ENHANCE + 1;
    part.param.value = address_of(&engines);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), ENOENT);
    engines.engines[1].engine_class = I915_ENGINE_CLASS_RENDER;
    part.base.next_extension = address_of(&part);  // a chain without an end
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), E2BIG);
    chain.extensions = 16;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EFAULT);
    part.base = {};
    part.base.name = 99;
    chain.extensions = address_of(&part);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EINVAL);

    drm_i915_reset_stats stats{};
    stats.ctx_id = id;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
    EXPECT(stats.batch_active, 0);
    stats.ctx_id = 4711;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), ENOENT);
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{id, 0});
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, ENOENT, drm_i915_gem_context_destroy{id, 0});
    ASK(DRM_IOCTL_I915_GEM_VM_CREATE, EINVAL, drm_i915_gem_vm_control{0, 1, 0});
    ASK(DRM_IOCTL_I915_GEM_VM_DESTROY, ENOENT, drm_i915_gem_vm_control{0, 0, 4711});
}

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

/// A batch that writes a number behind itself; then what is wrong with submissions.
void of_submissions(int file, std::uint32_t number) {
    constexpr std::uint64_t kAddress = 0x1'0000'0000, kResult = 256;
    const std::uint32_t handle = make_buffer(file, kPage), sync = make_sync(file, 0);
    const std::uint32_t commands[] = {
        0x1000'0002, kAddress % (1ull << 32) + kResult, 1, number, 0x0500'0000, 0};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{handle, 0, 0, sizeof commands, address_of(commands)});
    drm_i915_gem_exec_object2 object{};
    object.handle = handle;
    object.offset = kAddress;
    object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
    drm_i915_gem_exec_fence fence{sync, I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer2 good{};
    good.buffers_ptr = address_of(&object);
    good.buffer_count = 1;
    good.flags = I915_EXEC_NO_RELOC | I915_EXEC_HANDLE_LUT | I915_EXEC_FENCE_ARRAY;
    good.cliprects_ptr = address_of(&fence);
    good.num_cliprects = 1;
    const auto submit = [&](drm_i915_gem_execbuffer2 a) {
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    const auto with = [&](auto change) {
        auto a = good;
        change(a);
        return submit(a);
    };
    using Exec = drm_i915_gem_execbuffer2;
    EXPECT(with([](Exec& a) { a.buffer_count = 0; }), EINVAL);
    EXPECT(with([](Exec& a) { a.buffers_ptr = 16; }), EFAULT);
    EXPECT(with([](Exec& a) { a.buffer_count = ~0u; }), EINVAL);
    EXPECT(with([](Exec& a) { a.flags |= std::uint64_t{1} << 40; }), EINVAL);
    EXPECT(with([](Exec& a) { a.rsvd1 = 4711; }), ENOENT);
    EXPECT(with([](Exec& a) { a.batch_start_offset = 4; }), EINVAL);
    EXPECT(with([](Exec& a) { a.batch_start_offset = 2 * kPage; }), EINVAL);
    EXPECT(with([](Exec& a) { a.cliprects_ptr = 16; }), EFAULT);
    const auto with_object = [&](auto change) {
        const auto before = object;
        change(object);
        const int error = submit(good);
        object = before;
        return error;
    };
    using Object = drm_i915_gem_exec_object2;
    EXPECT(with_object([](Object& o) { o.handle = 4711; }), ENOENT);
    EXPECT(with_object([](Object& o) { o.offset += 1; }), EINVAL);
    EXPECT(with_object([](Object& o) { o.offset = std::uint64_t{1} << 47; }), EINVAL);
    EXPECT(with_object([](Object& o) { o.flags |= std::uint64_t{1} << 40; }), EINVAL);
    fence.flags = I915_EXEC_FENCE_WAIT;
    EXPECT(submit(good), EINVAL);  // nobody signals it
    fence.handle = 4711;
    EXPECT(submit(good), ENOENT);
    fence = {sync, I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer_ext_timeline_fences lines{};
    lines.base.next_extension = address_of(&lines);
    const auto chained = [&](Exec& a) {
        a.flags = I915_EXEC_NO_RELOC | I915_EXEC_USE_EXTENSIONS;
        a.cliprects_ptr = address_of(&lines);
        a.num_cliprects = 0;
    };
    EXPECT(with(chained), E2BIG);
    lines.base.name = 99;
    EXPECT(with(chained), EINVAL);

    auto fenced = good;
    fenced.flags |= I915_EXEC_FENCE_IN;
    fenced.rsvd2 = static_cast<std::uint32_t>(file);
    EXPECT(submit(fenced), EINVAL);  // no sync file
    fenced.flags = good.flags | I915_EXEC_FENCE_OUT;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &fenced), 0);
    const int first = static_cast<int>(fenced.rsvd2 >> 32);
    fenced.flags |= I915_EXEC_FENCE_IN;
    fenced.rsvd2 = static_cast<std::uint32_t>(first);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &fenced), 0);
    const int second = static_cast<int>(fenced.rsvd2 >> 32);
    pollfd ends[] = {{second, POLLIN, 0}, {first, POLLIN, 0}};
    EXPECT(poll(ends, 1, 60'000), 1);
    EXPECT(poll(ends, 2, 0), 2);
    close(first);
    close(second);

    EXPECT(submit(good), 0);
    drm_syncobj_wait wait{};
    wait.handles = address_of(&sync);
    wait.count_handles = 1;
    wait.timeout_nsec = INT64_MAX;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
    std::uint32_t written = 0;
    ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
        drm_i915_gem_pread{handle, 0, kResult, sizeof written, address_of(&written)});
    EXPECT(written, number);
    ASK(DRM_IOCTL_SYNCOBJ_DESTROY, 0, drm_syncobj_destroy{sync, 0});
    close_buffer(file, handle);
}

/// Buffers whose places the kernel chooses: a batch writes a number into another buffer, whose
/// address the kernel writes into it.
void of_placement(int file, std::uint32_t number) {
    const std::uint32_t target = make_buffer(file, 2 * kPage), batch = make_buffer(file, kPage);
    const std::uint32_t commands[] = {0x1000'0002, 0, 0, number, 0x0500'0000, 0};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{batch, 0, 0, sizeof commands, address_of(commands)});
    drm_i915_gem_relocation_entry relocation{};
    relocation.target_handle = target;
    relocation.delta = kPage;
    relocation.offset = 4;
    relocation.presumed_offset = ~std::uint64_t{0};
    relocation.read_domains = relocation.write_domain = I915_GEM_DOMAIN_RENDER;
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = target;
    objects[0].flags = EXEC_OBJECT_WRITE;
    objects[0].alignment = 1 << 16;
    objects[1].handle = batch;
    objects[1].relocation_count = 1;
    objects[1].relocs_ptr = address_of(&relocation);
    drm_i915_gem_execbuffer2 good{};
    good.buffers_ptr = address_of(objects);
    good.buffer_count = 2;
    good.flags = I915_EXEC_RENDER;
    const auto with = [&](auto change) {
        const auto before = relocation;
        auto a = good;
        change(relocation, a);
        const int error = errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
        relocation = before;
        return error;
    };
    using Entry = drm_i915_gem_relocation_entry;
    using Exec = drm_i915_gem_execbuffer2;
    EXPECT(with([](Entry& e, Exec&) { e.target_handle = 4711; }), ENOENT);
    EXPECT(with([](Entry& e, Exec&) { e.offset = kPage - 4; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.offset = 2; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.write_domain = 6; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.read_domains = I915_GEM_DOMAIN_CPU; }), EINVAL);
    const auto by_place = [](std::uint32_t place) {
        return [=](Entry& e, Exec& a) {
            e.target_handle = place;
            a.flags |= I915_EXEC_HANDLE_LUT;
        };
    };
    EXPECT(with(by_place(2)), ENOENT);
    EXPECT(with(by_place(0)), 0);
    objects[1].relocs_ptr = 16;
    EXPECT(with([](Entry&, Exec&) {}), EFAULT);
    objects[1].relocs_ptr = address_of(&relocation);
    objects[0].alignment = 3;
    EXPECT(with([](Entry&, Exec&) {}), EINVAL);
    objects[0].alignment = 1 << 16;

    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &good), 0);
    EXPECT(relocation.presumed_offset, objects[0].offset);
    EXPECT(objects[0].offset % (1 << 16), 0);
    EXPECT(objects[0].offset != objects[1].offset && objects[1].offset >> 32 == 0, true);
    const auto word = [&](std::uint32_t handle, std::uint64_t offset) {
        std::uint32_t value = 0;
        ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
            drm_i915_gem_pread{handle, 0, offset, sizeof value, address_of(&value)});
        return value;
    };
    EXPECT(word(batch, 4), objects[0].offset + kPage);
    EXPECT(word(target, kPage - 4), 0);
    EXPECT(word(target, kPage), number);
    // What is right already is left alone; nothing moves.
    const std::uint64_t places[] = {objects[0].offset, objects[1].offset};
    good.flags |= I915_EXEC_NO_RELOC;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &good), 0);
    EXPECT(objects[0].offset, places[0]);
    EXPECT(objects[1].offset, places[1]);
    close_buffer(file, target);
    close_buffer(file, batch);
}

/// A mapping through the aperture shows tiles in rows; another shows the buffer as it is.
void of_tilings(int file) {
    constexpr std::uint32_t kStride = 512, kRows = 64;
    const std::uint32_t handle = make_buffer(file, kStride * kRows);
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, 0,
        drm_i915_gem_set_tiling{handle, I915_TILING_Y, kStride, 0});
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, EINVAL, drm_i915_gem_set_tiling{handle, 3, kStride, 0});
    const auto map = [&](std::uint64_t flags) {
        drm_i915_gem_mmap_offset a{};
        a.handle = handle;
        a.flags = flags;
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a), 0);
        void* at = mmap(nullptr, kStride * kRows, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                        static_cast<off_t>(a.offset));
        EXPECT(at != MAP_FAILED, true);
        return static_cast<std::uint32_t*>(at);
    };
    const auto in_tiles = [](std::uint32_t x, std::uint32_t y) {
        return (y / 32 * (kStride / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 +
               x % 16;
    };
    const auto domain = [&](std::uint32_t which, bool write) {
        ASK(DRM_IOCTL_I915_GEM_SET_DOMAIN, 0,
            drm_i915_gem_set_domain{handle, which, write ? which : 0});
    };
    std::uint32_t *rows = map(I915_MMAP_OFFSET_GTT), *tiles = map(I915_MMAP_OFFSET_WB);
    if (rows == MAP_FAILED || tiles == MAP_FAILED) return;
    domain(I915_GEM_DOMAIN_GTT, true);
    for (std::uint32_t i = 0; i < kStride * kRows / 4; ++i)
        rows[i] = i;
    domain(I915_GEM_DOMAIN_CPU, true);
    unsigned wrong = 0;
    for (std::uint32_t y = 0; y < kRows; ++y)
        for (std::uint32_t x = 0; x < kStride; x += 4) {
            wrong += tiles[in_tiles(x, y) / 4] != y * kStride / 4 + x / 4;
            tiles[in_tiles(x, y) / 4] = ~(y << 16 | x);
        }
    EXPECT(wrong, 0);
    domain(I915_GEM_DOMAIN_GTT, false);
    for (std::uint32_t y = 0; y < kRows; ++y)
        for (std::uint32_t x = 0; x < kStride; x += 4)
            wrong += rows[y * kStride / 4 + x / 4] != ~(y << 16 | x);
    EXPECT(wrong, 0);
    // What is in the rows is in the buffer when the device has it.
    domain(I915_GEM_DOMAIN_GTT, true);
    rows[kStride / 4 * 33 + 40] = 4711;
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = handle;
    objects[1].handle = make_buffer(file, kPage);
    const std::uint64_t end = 0x0500'0000;
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{objects[1].handle, 0, 0, sizeof end, address_of(&end)});
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(objects);
    a.buffer_count = 2;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    EXPECT(tiles[in_tiles(160, 33) / 4], 4711);
    munmap(rows, kStride * kRows);
    munmap(tiles, kStride * kRows);
    close_buffer(file, handle);
    close_buffer(file, objects[1].handle);
}

/// The copy engine fills a buffer; what a video engine is given is passed over.
void of_other_engines(int file, std::uint32_t colour) {
    constexpr std::uint32_t kFill = 0x5430'0005, kColour32 = 3u << 24, kRop = 0xF0u << 16,
                            kEnd = 0x0500'0000, kTo = 0x2000'0000;
    const std::uint32_t target = make_buffer(file, 2 * kPage), batch = make_buffer(file, kPage);
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = target;
    objects[0].offset = kTo;
    objects[0].flags = EXEC_OBJECT_WRITE | EXEC_OBJECT_PINNED;
    objects[1].handle = batch;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(objects);
    a.buffer_count = 2;
    const auto submit = [&](const std::vector<std::uint32_t>& commands, std::uint64_t ring) {
        ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
            drm_i915_gem_pwrite{batch, 0, 0, commands.size() * 4, address_of(commands.data())});
        a.flags = ring;
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    const auto word = [&](std::uint64_t offset) {
        std::uint32_t value = 0;
        ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
            drm_i915_gem_pread{target, 0, offset, sizeof value, address_of(&value)});
        return value;
    };
    EXPECT(submit({kFill, kColour32 | kRop | 256, 0, 16u << 16 | 64, kTo + kPage, 0, colour, kEnd},
                  I915_EXEC_BLT),
           0);
    EXPECT(word(kPage - 4), 0);
    EXPECT(word(kPage), colour);
    EXPECT(word(2 * kPage - 4), colour);
    // A command of a coder, then a write of a number.
    EXPECT(submit({0x7000'0001, kEnd, kEnd, 0x1000'0002, kTo, 0, colour, kEnd}, I915_EXEC_BSD), 0);
    EXPECT(word(0), colour);
    EXPECT(submit({0x1000'0002, kTo + 4, 0, colour, kEnd, 0}, I915_EXEC_VEBOX), 0);
    EXPECT(word(4), colour);
    EXPECT(submit({kEnd, 0}, 5), EINVAL);
    close_buffer(file, target);
    close_buffer(file, batch);
}

/// Anything but what may wait for ever, or makes the memory of the program's a buffer.
void nonsense(int file, unsigned seed, unsigned times) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < times; ++i) {
        std::uint64_t argument[32];
        for (auto& word : argument) {
            constexpr std::uint64_t kPick[] = {0, 1, 2, 3, 16, 4096, 1ull << 32, ~0ull};
            word = random() % 3 ? kPick[random() % 8] : random();
        }
        const unsigned number = random() % 0xD0, of_driver = number - DRM_COMMAND_BASE;
        const bool waits = (number >= 0xC1 && number <= 0xC3) || number == 0xCA;
        if (waits || of_driver == DRM_I915_GEM_USERPTR || of_driver == DRM_I915_GEM_EXECBUFFER2 ||
            of_driver == DRM_I915_GEM_MMAP)
            continue;
        const unsigned long size = random() % sizeof argument;
        errno_of(file, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, size),
                 random() % 8 ? argument : nowhere());
    }
}

}  // namespace

int main(int count, char** values) {
    const unsigned threads = count > 1 ? static_cast<unsigned>(std::atoi(values[1])) : 8;
    const unsigned rounds = count > 2 ? static_cast<unsigned>(std::atoi(values[2])) : 20;
    const int shared = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    if (shared < 0) {
        std::printf("there is no device\n");
        return 1;
    }
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([=] {
            for (unsigned round = 0; round < rounds; ++round) {
                const int file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
                of_the_device(file);
                of_buffers(file);
                of_contexts(file);
                of_syncs(file);
                of_sync_files(file);
                of_submissions(file, t * 1000 + round + 1);
                of_tilings(file);
                of_other_engines(file, t * 1000 + round + 1);
                of_placement(file, t * 1000 + round + 1);
                nonsense(shared, t * 1000 + round + 1, 200);
                close(file);
                EXPECT(errno_of(file, DRM_IOCTL_VERSION, nowhere()) != 0, true);
            }
        });
    for (auto& thread : all)
        thread.join();
    std::printf("%u requests, %u wrong answers\n", g_asked.load(), g_wrong.load());
    return g_wrong ? 1 : 0;
}
