// SPDX-License-Identifier: Apache-2.0
// Small buffers that the program maps while the machine uses them. As with i915, a mapping waits
// for nothing, and lives on when its buffer is closed.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

constexpr std::size_t kResultWord = Batch::kResult / 4;

std::uint32_t* map(int file, std::uint32_t handle) {
    drm_i915_gem_mmap_offset place{};
    place.handle = handle;
    place.flags = I915_MMAP_OFFSET_WB;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &place), 0);
    void* at = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                    static_cast<off_t>(place.offset));
    EXPECT(at != MAP_FAILED, true);
    return static_cast<std::uint32_t*>(at);
}

std::uint32_t* map_at_once(int file, std::uint32_t handle) {
    drm_i915_gem_mmap a{};
    a.handle = handle;
    a.size = kPage;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP, &a), 0);
    return reinterpret_cast<std::uint32_t*>(a.addr_ptr);
}

void signal_machine(int number) {
    for (const pid_t process : siblings())
        kill(process, number);
}

/// The machine stands still while this is there. What waits for it is let go after some seconds,
/// and is wrong.
class Standstill {
  public:
    Standstill() {
        signal_machine(SIGSTOP);
        watch_ = std::thread([this] {
            std::unique_lock lock(mutex_);
            if (end_.wait_for(lock, std::chrono::seconds(5), [this] { return ended_; })) return;
            EXPECT(ended_, true);
            signal_machine(SIGCONT);
        });
    }
    ~Standstill() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        end_.notify_one();
        watch_.join();
        signal_machine(SIGCONT);
    }

  private:
    std::mutex mutex_;
    std::condition_variable end_;
    bool ended_ = false;
    std::thread watch_;
};

/// Its own work, and the work of those that lie beside it.
void without_a_wait(int file) {
    Batch busy(file, 0x1'0000'0000), neighbour(file, 0x2'0000'0000);
    EXPECT(busy.submit(1), 0);
    EXPECT(busy.result(), 1);
    EXPECT(neighbour.submit(2), 0);
    EXPECT(neighbour.result(), 2);
    std::uint32_t *own = nullptr, *twice = nullptr, *beside = nullptr;
    {
        const Standstill standstill;
        EXPECT(busy.submit(3), 0);
        own = map(file, busy.handle());
        twice = map_at_once(file, busy.handle());
        beside = map(file, neighbour.handle());
        EXPECT(own[kResultWord], 1);
        EXPECT(beside[kResultWord], 2);
    }
    EXPECT(busy.result(), 3);
    EXPECT(own[kResultWord], 3);
    EXPECT(twice[kResultWord], 3);
    // Both ways, and when the buffer has moved to a file that another process may have.
    for (std::uint32_t round = 0; round < 2; ++round) {
        own[kResultWord + 1] = 4711 + round;
        EXPECT(word_of(file, busy.handle(), Batch::kResult + 4), 4711 + round);
        EXPECT(busy.submit(5 + round), 0);
        EXPECT(busy.result(), 5 + round);
        EXPECT(own[kResultWord], 5 + round);
        EXPECT(twice[kResultWord], 5 + round);
        drm_prime_handle shared{busy.handle(), DRM_CLOEXEC | DRM_RDWR, -1};
        EXPECT(errno_of(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &shared), 0);
        std::uint32_t word = 0;
        EXPECT(pread(shared.fd, &word, sizeof word, Batch::kResult), sizeof word);
        EXPECT(word, 5 + round);
        close(shared.fd);
    }
    EXPECT(beside[kResultWord], 2);
    for (std::uint32_t* at : {own, twice, beside})
        munmap(at, kPage);
}

/// Bytes of memory that small buffers take, whoever has them.
std::uint64_t memory_of_small_buffers() {
    std::uint64_t bytes = 0;
    DIR* const folder = opendir("/proc/self/fd");
    while (const dirent* entry = readdir(folder)) {
        char name[64]{};
        struct stat status {};
        const auto length = readlinkat(dirfd(folder), entry->d_name, name, sizeof name - 1);
        if (length > 0 && std::string_view(name).starts_with("/memfd:i915-small") &&
            fstatat(dirfd(folder), entry->d_name, &status, 0) == 0)
            bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
    }
    closedir(folder);
    return bytes;
}

constexpr unsigned kCount = 200;

/// A mapping keeps what its buffer held, and no other buffer has that memory meanwhile.
void outliving(int file) {
    std::vector<std::uint32_t*> mappings;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        Batch batch(file, 0x1'0000'0000 + i * kPage);
        {
            const Standstill standstill;
            EXPECT(batch.submit(i + 1), 0);
            mappings.push_back(map(file, batch.handle()));
        }
        EXPECT(batch.result(), i + 1);
        if (g_wrong) return;  // or each of them takes its seconds
    }
    const auto look = [&](bool write) {
        std::vector<std::uint32_t> others;
        for (unsigned i = 0; i < 2 * kCount; ++i) {
            others.push_back(make_buffer(file, kPage));
            EXPECT(word_of(file, others.back(), Batch::kResult), 0);
            if (!write) continue;
            const std::uint32_t value = ~0u;
            ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
                drm_i915_gem_pwrite{others.back(), 0, Batch::kResult, 4, address_of(&value)});
        }
        for (const std::uint32_t handle : others)
            close_buffer(file, handle);
    };
    look(true);
    for (std::uint32_t i = 0; i < kCount; ++i)
        EXPECT(mappings[i][kResultWord], i + 1);
    // Half of them go, and their memory is used again.
    for (std::uint32_t i = 0; i < kCount; i += 2)
        munmap(mappings[i], kPage);
    look(true);
    for (std::uint32_t i = 1; i < kCount; i += 2) {
        EXPECT(mappings[i][kResultWord], i + 1);
        munmap(mappings[i], kPage);
    }
    look(false);
}

}  // namespace

void of_busy_mappings() {
    const int file = open_device();
    without_a_wait(file);
    const std::uint64_t before = memory_of_small_buffers();
    for (unsigned round = 0; round < 8; ++round)
        outliving(file);
    // Memory whose last mapping is gone need not be found at once.
    EXPECT(memory_of_small_buffers() <= before + 2 * kCount * kPage, true);
    close(file);
}

}  // namespace requests
