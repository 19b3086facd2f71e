// SPDX-License-Identifier: Apache-2.0
// Numbers of files that are closed in all the ways that there are: what is opened then is no
// device.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

/// A file of the program's that has this number.
void put_file_at(int number) {
    const int file = memfd_create("plain", 0);
    EXPECT(ftruncate(file, static_cast<off_t>(kPage)), 0);
    if (file != number) {
        EXPECT(syscall(SYS_dup2, file, number), number);
        syscall(SYS_close, file);
    }
}

void expect_plain_file(int number) {
    void* const at = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    EXPECT(at != MAP_FAILED, true);
    if (at != MAP_FAILED) munmap(at, kPage);
    drm_i915_gem_create a{kPage, 0, 0};
    EXPECT(errno_of(number, DRM_IOCTL_I915_GEM_CREATE, &a), ENOTTY);
}

/// Closes a device by `end`, and then uses its number for another file.
void of_end(const std::function<void(int)>& end) {
    const int device = open_device();
    make_buffer(device, kPage);
    end(device);
    put_file_at(device);
    expect_plain_file(device);
    close(device);
}

/// A child that closes all before it starts a program, as shells and Python do: by vfork() it has
/// the parent's memory, but not its files.
void of_child() {
    const int device = open_device();
    Batch batch(device, 0x1'0000'0000);
    EXPECT(batch.submit(1), 0);
    if (const pid_t child = vfork(); child == 0) {
        dup2(device, 0);
        close_range(static_cast<unsigned>(device), ~0u, 0);
        close(device);
        _exit(0);
    } else {
        int status = -1;
        EXPECT(waitpid(child, &status, 0), child);
        EXPECT(status, 0);
    }
    EXPECT(batch.result(), 1);
    EXPECT(batch.submit(2), 0);
    EXPECT(batch.result(), 2);
}

/// The library has files of its own, which the program does not know of.
void of_all_closed() {
    const int device = open_device();
    Batch batch(device, 0x1'0000'0000);
    EXPECT(batch.submit(1), 0);
    EXPECT(batch.result(), 1);
    for (int number = device + 1; number < 70'000; ++number)
        close(number);
    EXPECT(batch.submit(2), 0);
    EXPECT(batch.result(), 2);
    EXPECT(close_range(static_cast<unsigned>(device) + 1, ~0u, 0), 0);
    EXPECT(batch.submit(3), 0);
    EXPECT(batch.result(), 3);
    closefrom(device + 1);
    EXPECT(batch.submit(4), 0);
    EXPECT(batch.result(), 4);
    EXPECT(close_range(5, 4, 0), -1);
    EXPECT(errno, EINVAL);
    EXPECT(close_range(static_cast<unsigned>(device), ~0u, CLOSE_RANGE_CLOEXEC), 0);
    EXPECT(batch.submit(5), 0);
    EXPECT(batch.result(), 5);
    EXPECT(fcntl(device, F_GETFD), FD_CLOEXEC);
}

}  // namespace

void of_descriptors() {
    of_end([](int device) { EXPECT(close(device), 0); });
    of_end([](int device) {
        const auto number = static_cast<unsigned>(device);
        EXPECT(close_range(number, number, 0), 0);
    });
    of_end([](int device) { closefrom(device); });
    of_end([](int device) { EXPECT(std::fclose(fdopen(device, "r+")), 0); });
    of_end([](int device) { EXPECT(syscall(SYS_close, device), 0); });
    of_end([](int device) {
        const int plain = memfd_create("plain", 0);
        EXPECT(ftruncate(plain, static_cast<off_t>(kPage)), 0);
        EXPECT(dup2(plain, device), device);
        expect_plain_file(device);
        EXPECT(dup3(plain, device, O_CLOEXEC), device);
        close(plain);
    });
    of_end([](int device) {
        const int plain = memfd_create("plain", 0);
        EXPECT(syscall(SYS_dup2, plain, device), device);
        close(plain);
    });
    // A number that was closed without a word is another open of the device.
    const int first = open_device();
    const std::uint32_t handle = make_buffer(first, kPage);
    syscall(SYS_close, first);
    const int second = open_device();
    EXPECT(second, first);
    const int file = second;
    ASK(DRM_IOCTL_GEM_CLOSE, EINVAL, drm_gem_close{handle, 0});
    close(second);
    of_child();
    of_all_closed();
}

}  // namespace requests
