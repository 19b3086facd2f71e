// SPDX-License-Identifier: Apache-2.0
// Memory of the program's own as a buffer: it is what is mapped at its address when it is used.
#include <sys/mman.h>

#include <cstring>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

constexpr std::uint64_t kAddress = 0x1'0000'0000;

void* map_at(void* where, std::uint64_t bytes) {
    const int fixed = where ? MAP_FIXED : 0;
    void* const at =
        mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
    EXPECT(at != MAP_FAILED, true);
    return at;
}

std::uint32_t share(int file, void* at, std::uint64_t bytes) {
    drm_i915_gem_userptr a{};
    a.user_ptr = address_of(at);
    a.user_size = bytes;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_USERPTR, &a), 0);
    return a.handle;
}

/// A batch in the memory itself, which writes a number behind itself; its error.
int run(int file, std::uint32_t handle, void* at, std::uint32_t number) {
    const std::uint64_t to = kAddress + Batch::kResult;
    const std::uint32_t words[] = {0x1000'0002,
                                   static_cast<std::uint32_t>(to),
                                   static_cast<std::uint32_t>(to >> 32),
                                   number,
                                   0x0500'0000,
                                   0};
    if (at) std::memcpy(at, words, sizeof words);
    drm_i915_gem_exec_object2 object{};
    object.handle = handle;
    object.offset = kAddress;
    object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(&object);
    a.buffer_count = 1;
    const int error = errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    if (error != 0) return error;
    ASK(DRM_IOCTL_I915_GEM_WAIT, 0, drm_i915_gem_wait{handle, 0, -1});
    return 0;
}

std::uint32_t result_in(const void* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, static_cast<const char*>(at) + Batch::kResult, sizeof value);
    return value;
}

}  // namespace

void of_user_memory() {
    const int file = open_device();
    void* const at = map_at(nullptr, 4 * kPage);
    const std::uint32_t first = share(file, at, 4 * kPage);
    EXPECT(run(file, first, at, 1), 0);
    EXPECT(result_in(at), 1);
    // New memory at the same place, while the first handle is there.
    munmap(at, 4 * kPage);
    EXPECT(run(file, first, nullptr, 0), EFAULT);
    map_at(at, 4 * kPage);
    EXPECT(result_in(at), 0);
    const std::uint32_t second = share(file, at, 4 * kPage);
    EXPECT(run(file, second, at, 2), 0);
    EXPECT(result_in(at), 2);
    // The first one follows as well, and both are the same memory.
    EXPECT(run(file, first, at, 3), 0);
    EXPECT(result_in(at), 3);
    EXPECT(run(file, second, at, 4), 0);
    EXPECT(result_in(at), 4);
    // Another mapping over it, without a munmap before.
    map_at(at, 4 * kPage);
    EXPECT(run(file, first, at, 5), 0);
    EXPECT(result_in(at), 5);
    // Memory that moves takes its buffer along: at its old place there is none.
    void* const moved = mremap(at, 4 * kPage, 4 * kPage, MREMAP_MAYMOVE | MREMAP_FIXED,
                               static_cast<char*>(map_at(nullptr, 8 * kPage)) + kPage);
    EXPECT(run(file, first, nullptr, 0), EFAULT);
    EXPECT(result_in(moved), 5);
    const std::uint32_t there = share(file, moved, 4 * kPage);
    EXPECT(run(file, there, moved, 7), 0);
    EXPECT(result_in(moved), 7);
    // A file is not the program's alone.
    const int plain = memfd_create("plain", 0);
    EXPECT(ftruncate(plain, static_cast<off_t>(4 * kPage)), 0);
    EXPECT(mmap(at, 4 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, plain, 0) == at,
           true);
    EXPECT(run(file, first, at, 8), EFAULT);
    map_at(at, 4 * kPage);
    EXPECT(run(file, first, at, 9), 0);
    EXPECT(result_in(at), 9);
    // A part of it.
    map_at(static_cast<char*>(at) + kPage, kPage);
    EXPECT(run(file, first, at, 10), 0);
    EXPECT(result_in(at), 10);
    for (const std::uint32_t handle : {first, second, there})
        close_buffer(file, handle);
    close(file);
}

}  // namespace requests
