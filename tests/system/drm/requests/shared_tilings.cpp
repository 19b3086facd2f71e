// SPDX-License-Identifier: Apache-2.0
// What SET_TILING says belongs to the buffer: a process that has it by a descriptor finds it, and
// may change it.
#include <sys/mman.h>
#include <sys/wait.h>

#include <vector>

#include "tests/system/drm/requests/peer.h"

namespace requests {
namespace {

/// Three tiles, one below the other in TileY, side by side in TileX.
constexpr std::uint32_t kBytes = 3 * kPage, kStrideY = 128, kStrideX = 3 * 512;

enum Step : std::uint32_t { kSurface = 200, kPlain, kLooked, kChanged, kNone, kDone };

std::uint32_t tiling_of(int file, std::uint32_t handle) {
    drm_i915_gem_get_tiling a{};
    a.handle = handle;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_GET_TILING, &a), 0);
    return a.tiling_mode;
}

void set_tiling(int file, std::uint32_t handle, std::uint32_t mode, std::uint32_t stride) {
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, 0, drm_i915_gem_set_tiling{handle, mode, stride, 0});
}

/// Each word of the buffer's memory has its place in it.
void write_places(int file, std::uint32_t handle) {
    std::vector<std::uint32_t> words(kBytes / 4);
    for (std::uint32_t i = 0; i < words.size(); ++i)
        words[i] = 4 * i;
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{handle, 0, 0, kBytes, address_of(words.data())});
}

/// Where TileX (512 bytes in 8 rows) and TileY (8 columns of 16 bytes in 32 rows) have a byte.
std::uint32_t place_of(std::uint32_t mode, std::uint32_t x, std::uint32_t y) {
    if (mode == I915_TILING_X) return x / 512 * 4096 + y * 512 + x % 512;
    if (mode == I915_TILING_Y) return y / 32 * 4096 + x / 16 * 512 + y % 32 * 16 + x % 16;
    return y * kStrideX + x;
}

/// A mapping through the aperture shows rows of what write_places wrote.
void expect_rows(int file, std::uint32_t handle, std::uint32_t mode, std::uint32_t stride) {
    drm_i915_gem_mmap_gtt a{handle, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_GTT, &a), 0);
    void* at = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(a.offset));
    EXPECT(at != MAP_FAILED, true);
    if (at == MAP_FAILED) return;
    ASK(DRM_IOCTL_I915_GEM_SET_DOMAIN, 0, drm_i915_gem_set_domain{handle, I915_GEM_DOMAIN_GTT, 0});
    unsigned wrong = 0;
    for (std::uint32_t i = 0; i < kBytes; i += 4)
        wrong += static_cast<std::uint32_t*>(at)[i / 4] != place_of(mode, i % stride, i / stride);
    EXPECT(wrong, 0);
    munmap(at, kBytes);
}

[[noreturn]] void be_child(const Peer& parent) {
    const int file = open_device();
    make_buffer(file, kPage);  // so that handles differ from the parent's
    int descriptor = parent.receive(kSurface);
    const std::uint32_t surface = import_buffer(file, descriptor);
    close(descriptor);
    descriptor = parent.receive(kPlain);
    const std::uint32_t plain = import_buffer(file, descriptor);
    close(descriptor);
    EXPECT(tiling_of(file, surface), I915_TILING_Y);
    expect_rows(file, surface, I915_TILING_Y, kStrideY);
    EXPECT(tiling_of(file, plain), I915_TILING_NONE);
    expect_rows(file, plain, I915_TILING_NONE, kStrideX);
    parent.send(kLooked);
    // Said after it was shared, and by this process.
    parent.receive(kChanged);
    EXPECT(tiling_of(file, plain), I915_TILING_X);
    expect_rows(file, plain, I915_TILING_X, kStrideX);
    set_tiling(file, surface, I915_TILING_X, kStrideX);
    set_tiling(file, plain, I915_TILING_NONE, 0);
    EXPECT(tiling_of(file, surface), I915_TILING_X);
    EXPECT(tiling_of(file, plain), I915_TILING_NONE);
    parent.send(kNone);
    parent.receive(kDone);
    std::fflush(stdout);
    std::_Exit(g_wrong ? 1 : 0);
}

/// Public: Linux 6.1, i915_gem_tiling.c.
void of_wrong_tilings(int file, std::uint32_t handle) {
    const auto wrong = [&](std::uint32_t mode, std::uint32_t stride) {
        ASK(DRM_IOCTL_I915_GEM_SET_TILING, EINVAL,
            drm_i915_gem_set_tiling{handle, mode, stride, 0});
    };
    wrong(I915_TILING_X, 0);
    wrong(I915_TILING_X, 512 + 128);
    wrong(I915_TILING_X, 0x800 * 128 + 512);
    wrong(I915_TILING_Y, 0);
    wrong(I915_TILING_Y, 64);
    wrong(I915_TILING_Y, 0x801 * 128);
    wrong(3, 512);
    for (const auto& [mode, stride] : {std::pair{I915_TILING_X, 0x800u * 128},
                                       {I915_TILING_Y, 0x800u * 128},
                                       {I915_TILING_Y, 3 * 128u},
                                       {I915_TILING_NONE, 1u}}) {
        set_tiling(file, handle, static_cast<std::uint32_t>(mode), stride);
        EXPECT(tiling_of(file, handle), mode);
    }
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, ENOENT, drm_i915_gem_set_tiling{4711, 0, 0, 0});
    ASK(DRM_IOCTL_I915_GEM_GET_TILING, ENOENT, drm_i915_gem_get_tiling{4711, 0, 0, 0});
    void* const own =
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    drm_i915_gem_userptr of_user{address_of(own), kPage, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_USERPTR, &of_user), 0);
    ASK(DRM_IOCTL_I915_GEM_SET_TILING, ENXIO, drm_i915_gem_set_tiling{of_user.handle, 0, 0, 0});
    close_buffer(file, of_user.handle);
    munmap(own, kPage);
}

}  // namespace

void of_shared_tilings() {
    int ends[2];
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    std::fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        be_child(Peer(ends[1]));
    }
    close(ends[1]);
    const Peer child(ends[0]);
    const int file = open_device();
    const std::uint32_t surface = make_buffer(file, kBytes), plain = make_buffer(file, kBytes);
    // Before the buffer has memory, and a file of its own.
    of_wrong_tilings(file, surface);
    set_tiling(file, surface, I915_TILING_Y, kStrideY);
    const auto give = [&](std::uint32_t handle, Step step) {
        write_places(file, handle);
        const int shared = export_buffer(file, handle);
        child.send(step, shared);
        close(shared);
    };
    give(surface, kSurface);
    give(plain, kPlain);
    EXPECT(tiling_of(file, surface), I915_TILING_Y);
    child.receive(kLooked);
    of_wrong_tilings(file, plain);
    EXPECT(tiling_of(file, plain), I915_TILING_NONE);
    set_tiling(file, plain, I915_TILING_Y, 3 * kStrideY);
    set_tiling(file, plain, I915_TILING_Y, kStrideY);
    expect_rows(file, plain, I915_TILING_Y, kStrideY);
    set_tiling(file, plain, I915_TILING_X, kStrideX);
    child.send(kChanged);
    child.receive(kNone);
    EXPECT(tiling_of(file, surface), I915_TILING_X);
    expect_rows(file, surface, I915_TILING_X, kStrideX);
    EXPECT(tiling_of(file, plain), I915_TILING_NONE);
    expect_rows(file, plain, I915_TILING_NONE, kStrideX);
    child.send(kDone);
    int status = 0;
    EXPECT(waitpid(process, &status, 0), process);
    EXPECT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    // It stays with the buffer when the process that said it has ended.
    EXPECT(tiling_of(file, surface), I915_TILING_X);
    close_buffer(file, surface);
    close_buffer(file, plain);
    close(file);
    close(ends[0]);
}

}  // namespace requests
