// SPDX-License-Identifier: Apache-2.0
/// Every request of the kernel interface with right and wrong arguments. Expected errors are those
/// of i915 (Public: Linux 6.1, drivers/gpu/drm).
#pragma once
#include <drm.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace requests {

constexpr std::uint64_t kPage = 4096;
inline std::atomic<unsigned> g_wrong{0}, g_asked{0};

inline std::uint64_t address_of(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at);
}
/// Where no program has memory.
inline void* nowhere() {
    return reinterpret_cast<void*>(std::uintptr_t{16});
}

inline int errno_of(int file, unsigned long request, void* argument) {
    ++g_asked;
    return ioctl(file, request, argument) == 0 ? 0 : errno;
}

inline void expect_at(const char* file, int line, long is, long must_be) {
    if (is == must_be) return;
    ++g_wrong;
    std::printf("%s:%d: %ld, must be %ld\n", file, line, is, must_be);
}
#define EXPECT(is, must_be) \
    expect_at(__FILE__, __LINE__, static_cast<long>(is), static_cast<long>(must_be))
/// The error of a request whose argument is made in place.
#define ASK(request, must_be, ...)                           \
    do {                                                     \
        auto argument = __VA_ARGS__;                         \
        EXPECT(errno_of(file, request, &argument), must_be); \
    } while (false)

inline std::uint32_t make_buffer(int file, std::uint64_t size) {
    drm_i915_gem_create a{size, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CREATE, &a), 0);
    return a.handle;
}
inline void close_buffer(int file, std::uint32_t handle) {
    ASK(DRM_IOCTL_GEM_CLOSE, 0, drm_gem_close{handle, 0});
}
inline std::uint32_t make_sync(int file, std::uint32_t flags) {
    drm_syncobj_create a{0, flags};
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_CREATE, &a), 0);
    return a.handle;
}

/// The device, opened anew.
inline int open_device(int flags = O_RDWR | O_CLOEXEC) {
    const int file = open("/dev/dri/renderD128", flags);
    EXPECT(file >= 0, true);
    return file;
}
/// The first word of a buffer; a wait for what writes it is part of the request.
inline std::uint32_t word_of(int file, std::uint32_t handle, std::uint64_t offset = 0) {
    std::uint32_t value = 0;
    ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
        drm_i915_gem_pread{handle, 0, offset, sizeof value, address_of(&value)});
    return value;
}

void of_the_device(int file);
void of_buffers(int file);
void of_contexts(int file);
void of_syncs(int file);
void of_sync_files(int file);
void of_submissions(int file, std::uint32_t number);
void of_placement(int file, std::uint32_t number);
void of_tilings(int file);
void of_other_engines(int file, std::uint32_t colour);

/// A buffer whose batch writes a number behind itself, at kResult.
class Batch {
  public:
    static constexpr std::uint64_t kResult = 256;
    Batch(int file, std::uint64_t address);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    /// The error of submitting it.
    int submit(std::uint32_t number, std::uint32_t context = 0);
    /// The error of submitting a batch that waits for what never comes.
    int submit_endless(std::uint32_t context = 0);
    std::uint32_t result() const { return word_of(file_, handle_, kResult); }
    std::uint32_t handle() const { return handle_; }

  private:
    int submit_words(const std::uint32_t* words, std::uint64_t bytes, std::uint32_t context);
    int file_;
    std::uint64_t address_;
    std::uint32_t handle_;
};

/// Processes that the parent of this one has, but for this one.
std::vector<pid_t> siblings();
/// A buffer after the other, and as many at once; nothing is left of them.
void of_many_buffers(unsigned count);
/// A buffer of 1 GB that a batch names and does not touch costs no memory.
void of_untouched_buffer();
/// Processes: a child that was forked, one that was started, and a machine that is killed.
void of_processes(const char* program);
/// In a process that was started with the device open as this descriptor.
void of_started_process(int file);
/// Buffers that two processes have: written by either, and left by one that dies.
void of_shared_buffers();
/// Tilings of such buffers.
void of_shared_tilings();
/// Batches that wait for what the program writes so long after it has submitted them. `kind`:
/// semaphore, copy, video, queue, loop, conditional, or all of them, one after the other.
void of_host_waits(const std::string& kind, unsigned milliseconds);
/// A program that changes what it runs with, then uses the device. False: there is no such kind.
bool of_program_kind(const std::string& kind, char* program);
/// Buffers that are mapped while the machine uses them.
void of_busy_mappings();
/// The machine's process is ended while it works.
void of_killed_machine();
/// More contexts and more memory of buffers than the machine has room for.
void of_limits();
/// Sets of performance counters, and streams of their reports.
void of_performance();
/// Numbers of files that are closed, and used again.
void of_descriptors();
/// Memory of the program's own, in whose place it maps other memory.
void of_user_memory();
void of_raw_descriptors();
void of_raw_bindings();
void of_endless_copies(bool slow, bool waits);
/// A batch that never ends: what its context and the others are told.
void of_hang();

}  // namespace requests
