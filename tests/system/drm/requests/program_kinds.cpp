// SPDX-License-Identifier: Apache-2.0
// Programs of unusual kinds: each uses the device afterwards, or dies of what it does.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

constexpr uid_t kNobody = 65534;

/// Buffers of both kinds: in a slab, and one of 4 MB, whose last word is written.
void use_device() {
    const int file = open_device();
    {
        Batch batch(file, 0x1'0000'0000);
        EXPECT(batch.submit(11), 0);
        EXPECT(batch.result(), 11);
    }
    constexpr std::uint64_t kLarge = 4 << 20;
    const std::uint32_t large = make_buffer(file, kLarge), number = 12;
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{large, 0, kLarge - 4, sizeof number, address_of(&number)});
    EXPECT(word_of(file, large, kLarge - 4), 12);
    close(file);
}

void limit_files(rlim_t most) {
    constexpr rlim_t kLimit = 1 << 20;
    const rlimit limit{kLimit, most};
    EXPECT(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

int ended(pid_t child) {
    int status = -1;
    EXPECT(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

char* const kEmpty[] = {nullptr};

}  // namespace

bool of_program_kind(const std::string& kind, char* program) {
    char plain[] = "program", how[] = "plain";
    char* const words[] = {program, plain, how, nullptr};
    if (kind == "user") {
        EXPECT(setgid(kNobody) || setuid(kNobody), 0);
    } else if (kind == "environment") {
        clearenv();
    } else if (kind == "exec") {
        execve(program, words, kEmpty);
    } else if (kind == "vfork") {
        const pid_t child = vfork();
        if (child == 0) {
            execle(program, program, plain, how, nullptr, kEmpty);
            _exit(99);
        }
        EXPECT(ended(child), 0);
    } else if (kind == "spawn") {
        pid_t child = -1;
        EXPECT(posix_spawn(&child, program, nullptr, nullptr, words, kEmpty), 0);
        EXPECT(ended(child), 0);
    } else if (kind == "system") {
        clearenv();
        EXPECT(std::system((std::string(program) + " program plain").c_str()), 0);
    } else if (kind == "daemon") {
        if (fork()) _exit(0);
        setsid();
        if (fork()) _exit(0);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    } else if (kind == "idle-daemon") {
        if (fork()) _exit(0);
        setsid();
        for (const int standard : {0, 1, 2})
            close(standard);
        std::this_thread::sleep_for(std::chrono::seconds(15));
        _exit(0);
    } else if (kind == "files") {
        limit_files(RLIM_INFINITY);
    } else if (kind == "files-for-ever") {
        // Whoever may raise the limit again need not be told.
        EXPECT(geteuid() == 0 && setuid(kNobody), 0);
        limit_files(1 << 20);
        const int file = open_device();
        drm_i915_gem_create large{4 << 20, 0, 0};
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CREATE, &large), 0);
        drm_i915_gem_mmap map{};
        map.handle = large.handle;
        map.size = 4 << 20;
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP, &map), ENOMEM);
        return true;
    } else if (kind == "root") {
        EXPECT(chroot("/var/empty") == 0 || chroot("/tmp") == 0, true);
        EXPECT(open("/dev/dri/renderD128", O_RDWR), -1);
        ++g_asked;
        return true;
    } else if (kind == "closed") {
        const int file = open_device();
        close(file);
        EXPECT(errno_of(file, DRM_IOCTL_VERSION, nowhere()), EBADF);
    } else if (kind == "inherited") {
        const int file = open_device();
        Batch batch(file, 0x1'0000'0000);
        EXPECT(batch.submit(1), 0);
        EXPECT(batch.result(), 1);
        const pid_t child = fork();
        if (child == 0) {
            EXPECT(batch.submit(2), EIO);
            drm_i915_gem_wait wait{batch.handle(), 0, -1};
            EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
            drm_i915_reset_stats stats{};
            EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
            EXPECT(stats.batch_active, 1);
            std::fflush(stdout);
            _exit(g_wrong != 0);
        }
        EXPECT(ended(child), 0);
        EXPECT(batch.submit(3), 0);
        EXPECT(batch.result(), 3);
    } else if (kind == "killed") {
        use_device();
        std::fflush(stdout);
        raise(SIGKILL);
    } else if (kind == "crashed") {
        use_device();
        std::fflush(stdout);
        std::signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    } else if (kind != "plain") {
        return false;
    }
    use_device();
    return true;
}

}  // namespace requests
