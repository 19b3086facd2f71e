// SPDX-License-Identifier: Apache-2.0
/// As many buffers as there is memory for, as with i915: a limit of open files or mappings is met
/// only by those that the program maps.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

constexpr std::uint64_t kFirst = 0x10'0000'0000, kCommands = 0x1'0000'0000;
constexpr std::uint64_t kPinned =
    EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;

unsigned open_files() {
    unsigned count = 0;
    DIR* folder = opendir("/proc/self/fd");
    while (readdir(folder))
        ++count;
    closedir(folder);
    return count;
}

/// A mapping of a buffer; null and errno: none.
std::uint32_t* map(int file, std::uint32_t handle) {
    drm_i915_gem_mmap_offset place{};
    place.handle = handle;
    place.flags = I915_MMAP_OFFSET_WB;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &place), 0);
    void* at = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                    static_cast<off_t>(place.offset));
    return at == MAP_FAILED ? nullptr : static_cast<std::uint32_t*>(at);
}

void write_word(int file, std::uint32_t handle, std::uint64_t offset, std::uint32_t value) {
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{handle, 0, offset, sizeof value, address_of(&value)});
}

/// Buffers that are there at the same time, all of one page.
class Crowd {
  public:
    Crowd(int file, unsigned count) : file_(file), commands_(make_buffer(file, kPage)) {
        for (unsigned i = 0; i < count; ++i)
            handles_.push_back(make_buffer(file, kPage));
    }
    std::uint32_t operator[](std::size_t i) const { return handles_[i]; }
    std::size_t size() const { return handles_.size(); }
    /// A submission that names buffers from `begin` to `end`; the machine writes a number to the
    /// second word of the first, the last and one between.
    void submit(std::size_t begin, std::size_t end, std::uint32_t number) {
        std::vector<std::uint32_t> words;
        for (const std::size_t i : written(begin, end)) {
            const std::uint64_t to = kFirst + i * kPage + 4;
            words.insert(words.end(), {0x1000'0002, static_cast<std::uint32_t>(to),
                                       static_cast<std::uint32_t>(to >> 32), number});
        }
        words.insert(words.end(), {0x0500'0000, 0});
        const int file = file_;
        ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
            drm_i915_gem_pwrite{commands_, 0, 0, words.size() * 4, address_of(words.data())});
        std::vector<drm_i915_gem_exec_object2> objects(end - begin + 1);
        for (std::size_t i = begin; i < end; ++i) {
            objects[i - begin].handle = handles_[i];
            objects[i - begin].offset = kFirst + i * kPage;
            objects[i - begin].flags = kPinned;
        }
        objects.back().handle = commands_;
        objects.back().offset = kCommands;
        objects.back().flags = kPinned;
        drm_i915_gem_execbuffer2 a{};
        a.buffers_ptr = address_of(objects.data());
        a.buffer_count = static_cast<std::uint32_t>(objects.size());
        EXPECT(errno_of(file_, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    }
    static std::vector<std::size_t> written(std::size_t begin, std::size_t end) {
        return {begin, (begin + end) / 2, end - 1};
    }

  private:
    int file_;
    std::uint32_t commands_;
    std::vector<std::uint32_t> handles_;
};

/// One after the other.
void in_turn(int file, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t handle = make_buffer(file, kPage << i % 12);
        EXPECT(handle, 1);  // the lowest that is free
        close_buffer(file, handle);
    }
    // The machine knows of those that are submitted.
    for (unsigned i = 0; i < count / 100; ++i) {
        Batch batch(file, 0x1'0000'0000 + i % 64 * kPage);
        EXPECT(batch.submit(i + 1), 0);
        if (i % 256 == 0) EXPECT(batch.result(), i + 1);
    }
}

/// Each has what was written to it, by the program and by the machine.
void at_once(int file, Crowd& crowd) {
    constexpr std::size_t kGroup = 5000;
    for (std::size_t i = 0; i < crowd.size(); ++i)
        write_word(file, crowd[i], 0, static_cast<std::uint32_t>(i) + 1);
    for (std::size_t begin = 0; begin < crowd.size(); begin += kGroup)
        crowd.submit(begin, std::min(begin + kGroup, crowd.size()),
                     static_cast<std::uint32_t>(begin) + 7);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < crowd.size(); ++i)
        wrong += word_of(file, crowd[i]) != i + 1;
    for (std::size_t begin = 0; begin < crowd.size(); begin += kGroup)
        for (const auto i : Crowd::written(begin, std::min(begin + kGroup, crowd.size())))
            wrong += word_of(file, crowd[i], 4) != begin + 7;
    EXPECT(wrong, 0);
}

/// A mapping shows what was written before, and what is written after. Then until no more can be
/// mapped.
void mapped(int file, Crowd& crowd) {
    if (std::uint32_t* const at = map(file, crowd[0])) {
        EXPECT(at[0], 1);
        EXPECT(at[1], 7);
        crowd.submit(0, std::min<std::size_t>(3, crowd.size()), 4711);
        EXPECT(word_of(file, crowd[0], 4), 4711);
        EXPECT(at[1], 4711);
        EXPECT(word_of(file, crowd[1], 4), 4711);
        munmap(at, kPage);
    }
    std::size_t count = 0;
    int error = 0;
    while (count < crowd.size()) {
        std::uint32_t* const at = map(file, crowd[count]);
        if (!at) {
            error = errno;
            break;
        }
        EXPECT(at[0], count + 1);
        munmap(at, kPage);
        ++count;
    }
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    EXPECT(count == crowd.size() || count > files.rlim_cur / 2 || count > 50000, true);
    if (count == crowd.size()) return;
    EXPECT(error, ENOMEM);
    // The program can still open files, and a buffer less is room for another.
    EXPECT(close(dup(file)), 0);
    close_buffer(file, crowd[0]);
    std::uint32_t* const at = map(file, crowd[count]);
    EXPECT(at != nullptr, true);
    if (at) munmap(at, kPage);
}

/// Memory of a buffer that was closed is zero for the next, and not before the machine is done.
void used_again() {
    const int file = open_device();
    const std::uint32_t first = make_buffer(file, kPage), other = make_buffer(file, kPage);
    write_word(file, other, 0, 1);
    write_word(file, first, 8, 4711);
    close_buffer(file, first);
    EXPECT(word_of(file, make_buffer(file, kPage), 8), 0);
    {
        Batch closed(file, kCommands);
        EXPECT(closed.submit(1), 0);
        EXPECT(closed.result(), 1);
        for (const pid_t process : siblings())
            kill(process, SIGSTOP);
        EXPECT(closed.submit(2), 0);
    }
    const std::uint32_t next = make_buffer(file, kPage);
    write_word(file, next, Batch::kResult, 3);
    for (const pid_t process : siblings())
        kill(process, SIGCONT);
    {
        Batch last(file, kCommands + kPage);
        EXPECT(last.submit(4), 0);
        EXPECT(last.result(), 4);
    }
    EXPECT(word_of(file, next, Batch::kResult), 3);
    close(file);
}

}  // namespace

void of_many_buffers(unsigned count) {
    used_again();
    const unsigned before = open_files();
    const int file = open_device();
    in_turn(file, count);
    Crowd crowd(file, count);
    at_once(file, crowd);
    mapped(file, crowd);
    // With the file go its buffers.
    close(file);
    EXPECT(open_files() <= before + 4, true);  // the connection's own
}

}  // namespace requests
