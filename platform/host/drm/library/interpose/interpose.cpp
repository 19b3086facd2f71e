// SPDX-License-Identifier: Apache-2.0
/// Functions of the C library that stand before its own in a program into which this library is
/// preloaded. Paths of the device lead into the tree; open files of the device's node answer as the
/// kernel driver would; everything else goes through.
#include <dirent.h>
#include <drm.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include "platform/host/drm/library/mapping/mapping.h"
#include "platform/host/drm/library/objects/user_memory.h"
#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tell.h"
#include "platform/host/drm/library/process/tree.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

/// Until the device has been opened once, descriptors need not be looked at.
std::atomic<bool> g_opened{false};
constexpr unsigned kStreamRequests = 'i';  // I915_PERF_IOCTL_ENABLE and its like

int opened(int descriptor, const char* path) {
    const int minor = descriptor >= 0 ? node_minor(path) : -1;
    if (minor < 0) return descriptor;
    const int before = errno;
    Lock lock(device().mutex);
    device().open(descriptor, minor);
    g_opened = true;
    errno = before;
    return descriptor;
}

bool is_ours(int descriptor) {
    if (!g_opened) return false;
    Lock lock(device().mutex);
    return device().file_of(descriptor, false) != nullptr;
}

int stat_done(int result, const char* path, struct stat* status) {
    const int minor = result == 0 ? node_minor(path) : -1;
    if (minor >= 0) show_as_device(*status, minor);
    return result;
}

int ioctl_here(int descriptor, unsigned long request, void* argument, int& result, bool& here) {
    Device& all = device();
    Lock lock(all.mutex);
    const auto file = all.file_of(descriptor, true);
    here = file != nullptr;
    if (!here) return 0;
    g_opened = true;
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE) return ENOTTY;
    // The program's argument may be shorter than ours, of another version, or nowhere.
    constexpr unsigned kMaxBytes = 256;
    alignas(std::max_align_t) std::uint8_t copy[kMaxBytes]{};
    const auto place = reinterpret_cast<std::uintptr_t>(argument);
    const unsigned size = _IOC_SIZE(request), bytes = std::min(size, kMaxBytes);
    if ((_IOC_DIR(request) & _IOC_WRITE) && !copy_in(place, copy, bytes)) return EFAULT;
    Call call{all, *file, lock, static_cast<unsigned>(_IOC_NR(request)), size, copy};
    int error = 0;
    try {
        error = answer(call);
    } catch (const std::bad_alloc&) {
        error = ENOMEM;
    }
    if ((_IOC_DIR(request) & _IOC_READ) && !copy_out(place, copy, bytes)) return EFAULT;
    result = call.result;
    return error;
}

/// A function that ends with this error, or with none, returns this.
int failed_with(int error) {
    if (error == 0) return 0;
    errno = error;
    return -1;
}

/// Is it known here which numbers are the device? Not to who has not opened it, and not to a child
/// of vfork().
bool keeps_numbers() {
    return g_opened && device().process == getpid();
}

void duplicated(int from, int to) {
    if (to < 0 || !keeps_numbers()) return;
    const int before = errno;
    Lock lock(device().mutex);
    device().duplicated(from, to);
    errno = before;
}

bool is_own(int descriptor) {
    return descriptor >= 0 && OwnDescriptor::next(descriptor) == descriptor;
}

void closed(int first, int last) {
    if (last < 0 || !keeps_numbers()) return;
    const int before = errno;
    Lock lock(device().mutex);
    device().closed(first, last);
    errno = before;
}

/// close_range() around the library's own files.
int close_numbers(unsigned first, unsigned last, int flags) {
    constexpr unsigned kMost = INT_MAX;
    if (!real().close_range) return failed_with(ENOSYS);
    if (first > kMost || first > last) return real().close_range(first, last, flags);
    const bool closes = (flags & CLOSE_RANGE_CLOEXEC) == 0;
    if (closes) closed(static_cast<int>(first), static_cast<int>(std::min(last, kMost)));
    int result = 0;
    while (first <= last) {
        const int own = OwnDescriptor::next(static_cast<int>(first));
        const bool is_last = own < 0 || static_cast<unsigned>(own) > last;
        const unsigned end = is_last ? last : static_cast<unsigned>(own) - 1;
        if (is_last || static_cast<unsigned>(own) > first)
            result = real().close_range(first, end, flags);
        if (is_last || result != 0) break;
        first = static_cast<unsigned>(own) + 1;
    }
    return result;
}

bool wants_mode(int flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/// Opens by the path in the tree.
template <class Open>
auto in_tree(const char* path, Open&& open_path) {
    const TreePath inside(path);
    const auto result = open_path(inside.get());
    if constexpr (std::is_pointer_v<decltype(result)>) {
        if (!result) look_for_folder(inside);
    } else {
        if (result < 0) look_for_folder(inside);
    }
    return result;
}

/// A path relative to an open folder of the tree, as a whole path; else empty.
std::string below_tree(int folder_descriptor, const char* path) {
    if (!path || path[0] == '/' || folder_descriptor < 0 || tree().empty()) return {};
    char link[64], name[PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", folder_descriptor);
    const ssize_t length = real().readlink(link, name, sizeof name - 1);
    if (length <= 0) return {};
    const std::string folder(name, static_cast<std::size_t>(length));
    return folder.starts_with(tree()) ? folder + "/" + path : std::string();
}

}  // namespace
}  // namespace gen9::drm

using namespace gen9::drm;

#define GEN9_EXPORT extern "C" __attribute__((visibility("default")))

/// The mode of a file that is to be made, behind the flags.
#define GEN9_MODE(flags)             \
    mode_t mode = 0;                 \
    if (wants_mode(flags)) {         \
        va_list list;                \
        va_start(list, flags);       \
        mode = va_arg(list, mode_t); \
        va_end(list);                \
    }

// Written by the layer of the OpenCL loader (program/current_launch.h).
GEN9_EXPORT std::uint32_t* gen9sim_current_launch() {
    static thread_local std::uint32_t number = 0;
    return &number;
}

GEN9_EXPORT int open64(const char* path, int flags, ...) {
    GEN9_MODE(flags)
    return opened(in_tree(path, [&](auto* at) { return real().open(at, flags, mode); }), path);
}
GEN9_EXPORT int open(const char* path, int flags, ...) {
    GEN9_MODE(flags)
    return opened(in_tree(path, [&](auto* at) { return real().open(at, flags, mode); }), path);
}
GEN9_EXPORT int __open_2(const char* path, int flags) {
    return opened(real().open(TreePath(path).get(), flags), path);
}
GEN9_EXPORT int __open64_2(const char* path, int flags) {
    return opened(real().open(TreePath(path).get(), flags), path);
}
GEN9_EXPORT int openat64(int at, const char* path, int flags, ...) {
    GEN9_MODE(flags)
    const std::string below = below_tree(at, path);
    return opened(real().openat(at, TreePath(path).get(), flags, mode),
                  below.empty() ? path : below.c_str());
}
GEN9_EXPORT int openat(int at, const char* path, int flags, ...) {
    GEN9_MODE(flags)
    return openat64(at, path, flags, mode);
}
GEN9_EXPORT int __openat_2(int at, const char* path, int flags) {
    return openat64(at, path, flags);
}
GEN9_EXPORT int __openat64_2(int at, const char* path, int flags) {
    return openat64(at, path, flags);
}
GEN9_EXPORT FILE* fopen64(const char* path, const char* mode) {
    return real().fopen(TreePath(path).get(), mode);
}
GEN9_EXPORT FILE* fopen(const char* path, const char* mode) {
    return real().fopen(TreePath(path).get(), mode);
}
GEN9_EXPORT int access(const char* path, int mode) {
    return real().access(TreePath(path).get(), mode);
}
GEN9_EXPORT int faccessat(int at, const char* path, int mode, int flags) {
    return real().faccessat(at, TreePath(path).get(), mode, flags);
}
GEN9_EXPORT ssize_t readlink(const char* path, char* to, size_t size) {
    return real().readlink(TreePath(path).get(), to, size);
}
GEN9_EXPORT ssize_t readlinkat(int at, const char* path, char* to, size_t size) {
    return real().readlinkat(at, TreePath(path).get(), to, size);
}
GEN9_EXPORT DIR* opendir(const char* path) {
    return in_tree(path, [](auto* at) { return real().opendir(at); });
}
GEN9_EXPORT int scandir64(const char* path, struct dirent64*** list,
                          int (*keep)(const struct dirent64*),
                          int (*order)(const struct dirent64**, const struct dirent64**)) {
    // On this machine dirent and dirent64 are the same.
    return real().scandir(
        TreePath(path).get(), reinterpret_cast<struct dirent***>(list),
        reinterpret_cast<int (*)(const struct dirent*)>(keep),
        reinterpret_cast<int (*)(const struct dirent**, const struct dirent**)>(order));
}
GEN9_EXPORT int scandir(const char* path, struct dirent*** list, int (*keep)(const struct dirent*),
                        int (*order)(const struct dirent**, const struct dirent**)) {
    return real().scandir(TreePath(path).get(), list, keep, order);
}

/// The program must not see the tree.
GEN9_EXPORT char* realpath(const char* path, char* to) {
    const TreePath inside(path);
    if (!inside.inside()) return real().realpath(path, to);
    char found[PATH_MAX], top[PATH_MAX];
    if (!real().realpath(inside.get(), found) || !real().realpath(tree().data(), top))
        return nullptr;
    const char* shown =
        std::strncmp(found, top, std::strlen(top)) == 0 ? found + std::strlen(top) : found;
    return to ? std::strcpy(to, shown) : strdup(shown);
}
GEN9_EXPORT char* __realpath_chk(const char* path, char* to, size_t) {
    return realpath(path, to);
}

GEN9_EXPORT int stat(const char* path, struct stat* status) {
    return stat_done(in_tree(path, [&](auto* at) { return real().stat(at, status); }), path,
                     status);
}
GEN9_EXPORT int lstat(const char* path, struct stat* status) {
    return stat_done(real().lstat(TreePath(path).get(), status), path, status);
}
GEN9_EXPORT int fstat(int descriptor, struct stat* status) {
    const int result = real().fstat(descriptor, status);
    if (result != 0 || !S_ISREG(status->st_mode) || status->st_size != 0 || tree().empty())
        return result;
    const int before = errno;
    if (const int minor = node_minor(descriptor); minor >= 0) show_as_device(*status, minor);
    errno = before;
    return result;
}
GEN9_EXPORT int fstatat(int at, const char* path, struct stat* status, int flags) {
    const std::string below = below_tree(at, path);
    return stat_done(real().fstatat(at, TreePath(path).get(), status, flags),
                     below.empty() ? path : below.c_str(), status);
}
// On this machine stat and stat64 are the same.
static_assert(sizeof(struct stat) == sizeof(struct stat64));
GEN9_EXPORT int stat64(const char* path, struct stat64* status) {
    return stat(path, reinterpret_cast<struct stat*>(status));
}
GEN9_EXPORT int lstat64(const char* path, struct stat64* status) {
    return lstat(path, reinterpret_cast<struct stat*>(status));
}
GEN9_EXPORT int fstat64(int descriptor, struct stat64* status) {
    return fstat(descriptor, reinterpret_cast<struct stat*>(status));
}
GEN9_EXPORT int fstatat64(int at, const char* path, struct stat64* status, int flags) {
    return fstatat(at, path, reinterpret_cast<struct stat*>(status), flags);
}
// Programs built for a C library before 2.33.
GEN9_EXPORT int __xstat(int, const char* path, struct stat* status) {
    return stat(path, status);
}
GEN9_EXPORT int __xstat64(int, const char* path, struct stat64* status) {
    return stat64(path, status);
}
GEN9_EXPORT int __lxstat(int, const char* path, struct stat* status) {
    return lstat(path, status);
}
GEN9_EXPORT int __lxstat64(int, const char* path, struct stat64* status) {
    return lstat64(path, status);
}
GEN9_EXPORT int __fxstat(int, int descriptor, struct stat* status) {
    return fstat(descriptor, status);
}
GEN9_EXPORT int __fxstat64(int, int descriptor, struct stat64* status) {
    return fstat64(descriptor, status);
}

GEN9_EXPORT int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void* argument = va_arg(list, void*);
    va_end(list);
    if (!tree().empty() && (_IOC_TYPE(request) == DRM_IOCTL_BASE || is_ours(descriptor))) {
        bool here = false;
        int result = 0;
        const int error = ioctl_here(descriptor, request, argument, result, here);
        if (here) return error ? failed_with(error) : result;
    }
    if (g_opened && device().any_stream && _IOC_TYPE(request) == kStreamRequests) {
        bool here = false;
        int result = 0;
        const int error = answer_stream(descriptor, request,
                                        reinterpret_cast<std::uintptr_t>(argument), result, here);
        if (here) return error ? failed_with(error) : result;
    }
    if (!tree().empty() && _IOC_TYPE(request) == SYNC_IOC_MAGIC) {
        bool here = false;
        const int error = answer_sync_file(descriptor, request, argument, here);
        if (here) return failed_with(error);
    }
    const int result = real().ioctl(descriptor, request, argument);
    if (result != 0 && errno == EBADF && g_opened && _IOC_TYPE(request) == DRM_IOCTL_BASE) {
        tell(Topic::Closed,
             "it asks the device by a descriptor that it has closed, perhaps with others that were "
             "not its own: the driver cannot go on");
        errno = EBADF;
    }
    // A shared buffer is a file in memory, which needs no synchronisation.
    if (result != 0 && request == DMA_BUF_IOCTL_SYNC && errno == ENOTTY) return 0;
    return result;
}

/// Before the device is open, this asks for nothing: a program's own allocator may read files.
GEN9_EXPORT ssize_t read(int descriptor, void* to, size_t size) {
    if (g_opened && device().any_stream) {
        bool here = false;
        const ssize_t got = read_stream(descriptor, to, size, here);
        if (here) return got;
    }
    return real().read(descriptor, to, size);
}
GEN9_EXPORT ssize_t __read_chk(int descriptor, void* to, size_t size, size_t) {
    return read(descriptor, to, size);
}

GEN9_EXPORT void* mmap64(void* where, size_t size, int protection, int flags, int descriptor,
                         off64_t offset) {
    if (descriptor < 0 || !g_opened || !is_ours(descriptor)) {
        void* const result = real().mmap(where, size, protection, flags, descriptor, offset);
        if (g_opened && (flags & MAP_FIXED)) mappings_changed();
        return result;
    }
    Lock lock(device().mutex);
    void* const result = map_buffer(device(), where, size, protection, flags,
                                    static_cast<std::uint64_t>(offset), lock);
    if (flags & MAP_FIXED) mappings_changed();
    return result;
}
GEN9_EXPORT void* mmap(void* where, size_t size, int protection, int flags, int descriptor,
                       off_t offset) {
    return mmap64(where, size, protection, flags, descriptor, offset);
}
GEN9_EXPORT int munmap(void* where, size_t size) __THROW {
    const int result = real().munmap(where, size);
    if (g_opened) mappings_changed();
    return result;
}
GEN9_EXPORT void* mremap(void* where, size_t size, size_t new_size, int flags, ...) __THROW {
    va_list list;
    va_start(list, flags);
    void* to = va_arg(list, void*);
    va_end(list);
    void* const result = real().mremap(where, size, new_size, flags, to);
    if (g_opened) mappings_changed();
    return result;
}

GEN9_EXPORT int dup(int descriptor) {
    const int copy = real().dup(descriptor);
    duplicated(descriptor, copy);
    return copy;
}
GEN9_EXPORT int dup2(int descriptor, int to) {
    if (is_own(to)) return failed_with(EBADF);
    const int copy = real().dup2(descriptor, to);
    duplicated(descriptor, copy);
    return copy;
}
GEN9_EXPORT int dup3(int descriptor, int to, int flags) {
    if (is_own(to)) return failed_with(EBADF);
    const int copy = real().dup3(descriptor, to, flags);
    duplicated(descriptor, copy);
    return copy;
}
GEN9_EXPORT int fcntl64(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void* argument = va_arg(list, void*);
    va_end(list);
    const int result = real().fcntl(descriptor, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) duplicated(descriptor, result);
    return result;
}
GEN9_EXPORT int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void* argument = va_arg(list, void*);
    va_end(list);
    return fcntl64(descriptor, command, argument);
}
GEN9_EXPORT int close(int descriptor) {
    if (is_own(descriptor)) return failed_with(EBADF);
    closed(descriptor, descriptor);
    return real().close(descriptor);
}
GEN9_EXPORT int fclose(FILE* stream) {
    if (stream) {
        const int descriptor = fileno(stream);
        closed(descriptor, descriptor);
    }
    return real().fclose(stream);
}
GEN9_EXPORT int close_range(unsigned first, unsigned last, int flags) __THROW {
    return close_numbers(first, last, flags);
}
GEN9_EXPORT void closefrom(int first) __THROW {
    close_numbers(static_cast<unsigned>(std::max(first, 0)), ~0u, 0);
}
