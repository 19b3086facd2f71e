// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

/// Status of a child that has ended.
int status_of(pid_t child) {
    int status = -1;
    EXPECT(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<pid_t> siblings() {
    const std::string of = std::to_string(getppid());
    std::FILE* file = std::fopen(("/proc/" + of + "/task/" + of + "/children").c_str(), "r");
    std::vector<pid_t> found;
    for (int process = 0; file && std::fscanf(file, "%d", &process) == 1;)
        if (process != getpid()) found.push_back(process);
    if (file) std::fclose(file);
    return found;
}

Batch::Batch(int file, std::uint64_t address)
    : file_(file), address_(address), handle_(make_buffer(file, kPage)) {}

Batch::~Batch() {
    close_buffer(file_, handle_);
}

int Batch::submit_words(const std::uint32_t* words, std::uint64_t bytes, std::uint32_t context) {
    const int file = file_;
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0, drm_i915_gem_pwrite{handle_, 0, 0, bytes, address_of(words)});
    drm_i915_gem_exec_object2 object{};
    object.handle = handle_;
    object.offset = address_;
    object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(&object);
    a.buffer_count = 1;
    a.flags = I915_EXEC_NO_RELOC;
    a.rsvd1 = context;
    return errno_of(file_, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
}

int Batch::submit(std::uint32_t number, std::uint32_t context) {
    const auto to = address_ + kResult;
    const std::uint32_t words[] = {0x1000'0002,
                                   static_cast<std::uint32_t>(to),
                                   static_cast<std::uint32_t>(to >> 32),
                                   number,
                                   0x0500'0000,
                                   0};
    return submit_words(words, sizeof words, context);
}

int Batch::submit_endless(std::uint32_t context) {
    // MI_SEMAPHORE_WAIT: polls a word of the batch, which is zero, until it equals one.
    const auto at = address_ + kResult;
    const std::uint32_t words[] = {
        0x0E00'C002, 1, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32),
        0x0500'0000, 0};
    return submit_words(words, sizeof words, context);
}

void of_processes(const char* program) {
    const int file = open_device(O_RDWR);
    Batch batch(file, 0x1'0000'0000);
    EXPECT(batch.submit(1), 0);
    EXPECT(batch.result(), 1);
    std::fflush(stdout);

    if (const pid_t child = fork(); child == 0) {
        // The machine is the parent's; a new file has one of its own.
        EXPECT(batch.submit(2), EIO);
        const int own = open_device();
        {
            Batch other(own, 0x2'0000'0000);
            EXPECT(other.submit(3), 0);
            EXPECT(other.result(), 3);
        }
        close(own);
        close(file);
        std::fflush(stdout);
        _exit(g_wrong != 0);
    } else {
        EXPECT(status_of(child), 0);
        EXPECT(batch.submit(4), 0);
        EXPECT(batch.result(), 4);
    }
    if (const pid_t child = fork(); child == 0) {
        const std::string number = std::to_string(file);
        execl(program, program, "started", number.c_str(), nullptr);
        _exit(127);
    } else {
        EXPECT(status_of(child), 0);
    }
    // A child that dies takes nothing with it.
    if (const pid_t child = fork(); child == 0) {
        const int own = open_device();
        Batch other(own, 0x3'0000'0000);
        other.submit(5);
        raise(SIGKILL);
    } else {
        EXPECT(status_of(child), 128 + SIGKILL);
    }
    EXPECT(batch.submit(6), 0);
    EXPECT(batch.result(), 6);
}

void of_started_process(int file) {
    Batch batch(file, 0x1'0000'0000);
    EXPECT(batch.submit(7), 0);
    EXPECT(batch.result(), 7);
}

void of_killed_machine() {
    const int file = open_device();
    Batch batch(file, 0x1'0000'0000), next(file, 0x2'0000'0000);
    EXPECT(batch.submit(1), 0);
    EXPECT(batch.result(), 1);
    for (const pid_t process : siblings())
        kill(process, SIGSTOP);
    EXPECT(next.submit(2), 0);
    drm_i915_gem_wait wait{next.handle(), 0, 200'000'000};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_WAIT, &wait), ETIME);
    EXPECT(siblings().size(), 1);
    for (const pid_t process : siblings())
        kill(process, SIGKILL);
    wait.timeout_ns = -1;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    EXPECT(next.submit(3), EIO);
    drm_i915_reset_stats stats{};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
    EXPECT(stats.batch_active, 1);
    EXPECT(next.result(), 0);  // buffers are the program's, and stay
}

void of_hang() {
    const int file = open_device();
    std::uint32_t contexts[3];
    for (auto& context : contexts) {
        drm_i915_gem_context_create made{};
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &made), 0);
        context = made.ctx_id;
    }
    const auto [innocent, guilty, waiting] = contexts;
    const auto stats = [&](std::uint32_t context) {
        drm_i915_reset_stats a{};
        a.ctx_id = context;
        EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &a), 0);
        return a;
    };
    Batch good(file, 0x1'0000'0000), bad(file, 0x2'0000'0000), late(file, 0x3'0000'0000);
    EXPECT(good.submit(1, innocent), 0);
    EXPECT(good.result(), 1);
    EXPECT(good.submit(2, guilty), 0);
    for (const std::uint32_t context : contexts)
        EXPECT(stats(context).batch_active + stats(context).batch_pending, 0);
    // The machine is held until both are under way: what comes after a hang is refused.
    for (const pid_t process : siblings())
        kill(process, SIGSTOP);
    EXPECT(bad.submit_endless(guilty), 0);
    EXPECT(late.submit(3, waiting), 0);
    for (const pid_t process : siblings())
        kill(process, SIGCONT);
    // Nobody can write what the batch polls: this thread waits for the machine, the other for a
    // lock that this one holds.
    std::mutex held;
    held.lock();
    std::thread other([&] { const std::lock_guard lock(held); });
    drm_i915_gem_wait wait{late.handle(), 0, -1};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    held.unlock();
    other.join();
    EXPECT(late.result(), 0);
    EXPECT(good.result(), 2);
    EXPECT(stats(innocent).batch_active, 0);
    EXPECT(stats(innocent).batch_pending, 0);
    EXPECT(stats(guilty).batch_active, 1);
    EXPECT(stats(guilty).batch_pending, 0);
    EXPECT(stats(waiting).batch_active, 0);
    EXPECT(stats(waiting).batch_pending, 1);
    for (const std::uint32_t context : contexts)
        EXPECT(good.submit(4, context), EIO);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_THROTTLE, nullptr), EIO);
}

}  // namespace requests
