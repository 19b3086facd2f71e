// SPDX-License-Identifier: Apache-2.0
#include "tests/system/drm/requests/requests.h"

#include <sys/mman.h>

#include <cstring>

namespace requests {

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

}  // namespace requests
