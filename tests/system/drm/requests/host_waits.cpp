// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <initializer_list>
#include <thread>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

constexpr std::uint32_t kEnd = 0x0500'0000, kStart = 0x1880'0101;
/// Words of the buffer: what is polled, and what the batch writes behind that.
constexpr unsigned kPolled = 64, kWritten = 65;

/// A buffer whose batch waits for the program, which has it mapped.
class WaitingBatch {
  public:
    explicit WaitingBatch(int file) : file_(file), handle_(make_buffer(file, kPage)) {
        drm_i915_gem_mmap map{};
        map.handle = handle_;
        map.size = kPage;
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP, &map), 0);
        words = reinterpret_cast<std::uint32_t*>(map.addr_ptr);
    }
    ~WaitingBatch() {
        munmap(words, kPage);
        close_buffer(file_, handle_);
    }
    WaitingBatch(const WaitingBatch&) = delete;
    WaitingBatch& operator=(const WaitingBatch&) = delete;

    static constexpr std::uint32_t at(unsigned word) { return kAddress + 4 * word; }
    void submit(std::initializer_list<std::uint32_t> batch, std::uint64_t ring) const {
        std::copy(batch.begin(), batch.end(), words);
        drm_i915_gem_exec_object2 object{};
        object.handle = handle_;
        object.offset = kAddress;
        object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE;
        drm_i915_gem_execbuffer2 a{};
        a.buffers_ptr = address_of(&object);
        a.buffer_count = 1;
        a.flags = ring | I915_EXEC_NO_RELOC;
        EXPECT(errno_of(file_, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    }
    /// Its end within a time; ETIME: it has not ended.
    int wait(std::int64_t nanoseconds) const {
        drm_i915_gem_wait a{handle_, 0, nanoseconds};
        return errno_of(file_, DRM_IOCTL_I915_GEM_WAIT, &a);
    }
    void write(unsigned word, std::uint32_t value) const {
        __atomic_store_n(words + word, value, __ATOMIC_RELEASE);
    }
    std::uint32_t* words;

  private:
    static constexpr std::uint32_t kAddress = 0x4000'0000;
    int file_;
    std::uint32_t handle_;
};

}  // namespace

void of_host_waits(const std::string& kind, unsigned milliseconds) {
    const int file = open_device();
    const WaitingBatch batch(file);
    const bool all = kind == "all";
    const auto let_go = [&](unsigned word, std::uint32_t value) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        if (milliseconds != 0) EXPECT(batch.wait(0), ETIME);
        batch.write(word, value);
        EXPECT(batch.wait(-1), 0);
    };
    // A semaphore on each engine that has them.
    for (const auto& [name, ring] : {std::pair{"semaphore", I915_EXEC_RENDER},
                                     {"copy", I915_EXEC_BLT},
                                     {"video", I915_EXEC_BSD}}) {
        if (!all && kind != name) continue;
        batch.words[kPolled] = batch.words[kWritten] = 0;
        batch.submit({0x0E00'C002, 7, WaitingBatch::at(kPolled), 0,  // until it is 7
                      0x1000'0002, WaitingBatch::at(kWritten), 0, 1, kEnd, 0},
                     static_cast<std::uint64_t>(ring));
        let_go(kPolled, 7);
        EXPECT(batch.words[kWritten], 1);
    }
    // More submissions behind the one that waits than a socket holds.
    if (all || kind == "queue") {
        constexpr unsigned kMany = 600;
        batch.words[kPolled] = 0;
        for (unsigned i = 0; i < kMany; ++i)
            batch.submit({0x0E00'C002, 7, WaitingBatch::at(kPolled), 0, kEnd, 0}, I915_EXEC_RENDER);
        let_go(kPolled, 7);
    }
    // A batch that starts itself, until its first command is another one.
    if (all || kind == "loop") {
        batch.submit({0, kStart, WaitingBatch::at(0), 0}, I915_EXEC_RENDER);
        let_go(0, kEnd);
    }
    // The same with MI_CONDITIONAL_BATCH_BUFFER_END: ends when the word is not above 0.
    if (all || kind == "conditional") {
        batch.words[kPolled] = 5;
        batch.submit({0x1B20'0002, 0, WaitingBatch::at(kPolled), 0, kStart, WaitingBatch::at(0), 0},
                     I915_EXEC_RENDER);
        let_go(kPolled, 0);
    }
    Batch after(file, 0x1'0000'0000);
    EXPECT(after.submit(3), 0);
    EXPECT(after.result(), 3);
}

}  // namespace requests
