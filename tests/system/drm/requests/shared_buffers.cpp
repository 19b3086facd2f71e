// SPDX-License-Identifier: Apache-2.0
// Buffers that two processes have, each with its own open of the device. Descriptors pass through a
// socket.
#include <linux/dma-buf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/system/drm/requests/peer.h"

namespace requests {
namespace {

constexpr std::uint64_t kPages = 3;

/// The render engine stores `value` in the first word of the page, the copy engine in all the
/// others; the buffer is at `address` of the file's address space.
void write_page(int file, std::uint32_t handle, std::uint64_t address, std::uint64_t page,
                std::uint32_t value) {
    constexpr std::uint32_t kEnd = 0x0500'0000, kFill = 0x5430'0005, kRows = 16;
    constexpr std::uint32_t kColour32AndFill = 3u << 24 | 0xF0u << 16;
    const std::uint32_t batch = make_buffer(file, kPage);
    const std::uint64_t to = address + page * kPage;
    const auto low = static_cast<std::uint32_t>(to), high = static_cast<std::uint32_t>(to >> 32);
    const std::vector<std::uint32_t> fill{kFill, kColour32AndFill | kPage / kRows,
                                          0,     kRows << 16 | kPage / kRows / 4,
                                          low,   high,
                                          value, kEnd};
    const std::vector<std::uint32_t> store{0x1000'0002, low, high, value + 1, kEnd, 0};
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = handle;
    objects[0].offset = address;
    objects[0].flags = EXEC_OBJECT_WRITE | EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
    objects[1].handle = batch;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(objects);
    a.buffer_count = 2;
    for (const auto& [commands, engine] :
         {std::pair{fill, I915_EXEC_BLT}, {store, I915_EXEC_RENDER}}) {
        ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
            drm_i915_gem_pwrite{batch, 0, 0, commands.size() * 4, address_of(commands.data())});
        a.flags = static_cast<std::uint64_t>(engine);
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    }
    ASK(DRM_IOCTL_I915_GEM_WAIT, 0, drm_i915_gem_wait{handle, 0, -1});
    close_buffer(file, batch);
}

/// What write_page wrote, or zeros.
void expect_page(int file, std::uint32_t handle, std::uint64_t page, std::uint32_t value) {
    EXPECT(word_of(file, handle, page * kPage), value ? value + 1 : 0);
    EXPECT(word_of(file, handle, page * kPage + 4), value);
    EXPECT(word_of(file, handle, (page + 1) * kPage - 4), value);
}

/// What comes by the descriptor is the whole buffer, and one handle of it.
std::uint32_t take_in(int file, int descriptor) {
    EXPECT(lseek(descriptor, 0, SEEK_END), kPages * kPage);
    const std::uint32_t handle = import_buffer(file, descriptor);
    EXPECT(import_buffer(file, descriptor), handle);
    std::uint32_t word = 0;
    ASK(DRM_IOCTL_I915_GEM_PREAD, EINVAL,
        drm_i915_gem_pread{handle, 0, kPages * kPage - 2, sizeof word, address_of(&word)});
    drm_i915_gem_mmap_offset place{};
    place.handle = handle;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &place), 0);
    const auto offset = static_cast<off_t>(place.offset);
    EXPECT(mmap(nullptr, (kPages + 1) * kPage, PROT_READ, MAP_SHARED, file, offset) == MAP_FAILED,
           true);
    EXPECT(errno, EINVAL);
    return handle;
}

/// Mapped by its descriptor, as other devices' programs do.
std::uint32_t first_word_mapped(int descriptor) {
    void* const at =
        mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    EXPECT(at != MAP_FAILED, true);
    dma_buf_sync sync{DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ};
    EXPECT(ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync), 0);
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    munmap(at, kPages * kPage);
    return word;
}

enum Step : std::uint32_t { kParents = 100, kChildWrote, kChilds, kParentWrote, kDie };

/// Writes the second page of the parent's buffer, gives one of its own, and dies with both.
[[noreturn]] void be_child(const Peer& parent) {
    const int file = open_device();
    make_buffer(file, kPage);  // so that handles differ from the parent's
    const int descriptor = parent.receive(kParents);
    const std::uint32_t parents = take_in(file, descriptor);
    EXPECT(first_word_mapped(descriptor), 11 + 1);
    close(descriptor);
    expect_page(file, parents, 0, 11);
    write_page(file, parents, 0x7'0000'0000, 1, 22);
    expect_page(file, parents, 0, 11);
    parent.send(kChildWrote);

    const std::uint32_t own = make_buffer(file, kPages * kPage);
    write_page(file, own, 0x8'0000'0000, 2, 33);
    const int shared = export_buffer(file, own);
    parent.send(kChilds, shared);
    close(shared);
    parent.receive(kParentWrote);
    expect_page(file, own, 0, 44);
    expect_page(file, own, 2, 33);
    expect_page(file, parents, 2, 55);
    // A handle that is closed leaves the other process's alone.
    close_buffer(file, parents);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_SET_DOMAIN, nowhere()), EFAULT);
    std::fflush(stdout);
    if (g_wrong) std::exit(1);
    parent.send(kDie);
    raise(SIGKILL);
    std::abort();
}

/// A submission that takes the engine a while before it copies the first word of one page to
/// another; the buffers are at these addresses. Nobody waits for it.
void copy_late(int file, std::uint32_t from, std::uint64_t at, std::uint32_t to,
               std::uint64_t to_at) {
    constexpr std::size_t kCopies = 5'000;
    const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); };
    // Of a word that nobody looks at, then that one.
    std::vector<std::uint32_t> commands;
    for (std::size_t copy = 0; copy <= kCopies; ++copy) {
        const std::uint64_t word = copy == kCopies ? 0 : 8;
        commands.insert(commands.end(), {0x1700'0003, low(to_at + word), high(to_at + word),
                                         low(at + word), high(at + word)});
    }
    commands.insert(commands.end(), {0x0500'0000, 0, 0});
    const std::uint64_t bytes = (commands.size() * 4 + kPage - 1) / kPage * kPage;
    const std::uint32_t batch = make_buffer(file, bytes);
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{batch, 0, 0, commands.size() * 4, address_of(commands.data())});
    drm_i915_gem_exec_object2 objects[3]{};
    objects[0].handle = from;
    objects[0].offset = at;
    objects[1].handle = to;
    objects[1].offset = to_at;
    objects[1].flags = EXEC_OBJECT_WRITE;
    for (auto* object : {&objects[0], &objects[1]})
        object->flags |= EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
    objects[2].handle = batch;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(objects);
    a.buffer_count = 3;
    a.flags = I915_EXEC_RENDER;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    close_buffer(file, batch);
}

/// The first word of a shared buffer, in whatever process.
class FirstWord {
  public:
    explicit FirstWord(int descriptor)
        : at_(static_cast<std::uint32_t*>(
              mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))) {
        EXPECT(at_ != MAP_FAILED, true);
    }
    ~FirstWord() { munmap(at_, kPage); }
    std::uint32_t get() const { return *static_cast<volatile std::uint32_t*>(at_); }
    void set(std::uint32_t value) { *static_cast<volatile std::uint32_t*>(at_) = value; }

  private:
    std::uint32_t* at_;
};

enum Frame : std::uint32_t { kSurface = 200, kDrawn, kShown };

/// A compositor: sees the frame of which it is told, and lets the program draw the next one when
/// its own copy is under way.
[[noreturn]] void be_compositor(const Peer& program) {
    const int file = open_device();
    const int descriptor = program.receive(kSurface);
    const std::uint32_t frame = import_buffer(file, descriptor),
                        screen = make_buffer(file, kPages * kPage);
    const FirstWord seen(descriptor);
    close(descriptor);
    program.receive(kDrawn);
    EXPECT(seen.get(), 88);
    copy_late(file, frame, 0x1'0000'0000, screen, 0x2'0000'0000);
    program.send(kShown);
    EXPECT(word_of(file, screen, 0), 88);
    program.receive(kDrawn);
    std::fflush(stdout);
    std::exit(g_wrong ? 1 : 0);
}

/// Whoever is told that something was submitted to a shared buffer finds it done.
void of_implicit_fences() {
    int ends[2];
    EXPECT(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    std::fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        be_compositor(Peer(ends[1]));
    }
    close(ends[1]);
    const Peer compositor(ends[0]);
    const int file = open_device();
    const std::uint32_t frame = make_buffer(file, kPages * kPage),
                        picture = make_buffer(file, kPages * kPage);
    const std::uint32_t value = 88;
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{picture, 0, 0, sizeof value, address_of(&value)});
    const int shared = export_buffer(file, frame);
    compositor.send(kSurface, shared);
    copy_late(file, picture, 0x1'0000'0000, frame, 0x2'0000'0000);
    compositor.send(kDrawn);
    compositor.receive(kShown);
    FirstWord(shared).set(99);
    compositor.send(kDrawn);
    int status = 0;
    EXPECT(waitpid(process, &status, 0), process);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, true);
    // What was submitted before the buffer is shared is done when it is.
    const std::uint32_t late = make_buffer(file, 32 * kPage);
    copy_late(file, picture, 0x1'0000'0000, late, 0x3'0000'0000);
    const int descriptor = export_buffer(file, late);
    EXPECT(FirstWord(descriptor).get(), 88);
    for (const int each : {shared, descriptor, file, ends[0]})
        close(each);
}

/// Descriptors that are no buffers, and buffers that cannot be given away.
void of_wrong_descriptors(int file) {
    const auto import = [&](int descriptor, int error) {
        ASK(DRM_IOCTL_PRIME_FD_TO_HANDLE, error, drm_prime_handle{0, 0, descriptor});
    };
    int ends[2];
    EXPECT(pipe2(ends, O_CLOEXEC), 0);
    import(ends[0], EINVAL);
    close(ends[0]);
    close(ends[1]);
    import(ends[0], EBADF);
    import(-1, EBADF);
    import(file, EINVAL);
    const int folder = open("/", O_PATH | O_CLOEXEC), memory = memfd_create("i915", MFD_CLOEXEC);
    import(folder, EBADF);  // as of a kernel: such a descriptor leads to no file
    EXPECT(ftruncate(memory, kPage), 0);
    import(memory, EINVAL);
    close(folder);
    close(memory);

    const auto give = [&](std::uint32_t handle, std::uint32_t flags, int error) {
        ASK(DRM_IOCTL_PRIME_HANDLE_TO_FD, error, drm_prime_handle{handle, flags, -1});
    };
    const std::uint32_t buffer = make_buffer(file, kPage);
    give(4711, DRM_CLOEXEC, ENOENT);
    give(buffer, ~0u, EINVAL);
    close_buffer(file, buffer);
    give(buffer, DRM_CLOEXEC, ENOENT);
    // The program's own memory is neither given away nor copied (Linux 6.1, i915_gem_userptr.c).
    void* const own =
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    drm_i915_gem_userptr of_user{address_of(own), kPage, 0, 0};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_USERPTR, &of_user), 0);
    give(of_user.handle, DRM_CLOEXEC, EINVAL);
    std::uint32_t word = 0;
    ASK(DRM_IOCTL_I915_GEM_PREAD, EINVAL,
        drm_i915_gem_pread{of_user.handle, 0, 0, sizeof word, address_of(&word)});
    ASK(DRM_IOCTL_I915_GEM_PWRITE, EINVAL,
        drm_i915_gem_pwrite{of_user.handle, 0, 0, sizeof word, address_of(&word)});
    close_buffer(file, of_user.handle);
    munmap(own, kPage);
}

}  // namespace

void of_shared_buffers() {
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
    const std::uint32_t own = make_buffer(file, kPages * kPage);
    write_page(file, own, 0x1'0000'0000, 0, 11);
    const int shared = export_buffer(file, own);
    child.send(kParents, shared);
    child.receive(kChildWrote);
    expect_page(file, own, 0, 11);
    expect_page(file, own, 1, 22);
    expect_page(file, own, 2, 0);
    EXPECT(first_word_mapped(shared), 11 + 1);
    close(shared);

    const int descriptor = child.receive(kChilds);
    const std::uint32_t childs = take_in(file, descriptor);
    close(descriptor);
    expect_page(file, childs, 0, 0);
    expect_page(file, childs, 2, 33);
    write_page(file, childs, 0x2'0000'0000, 0, 44);
    write_page(file, own, 0x1'0000'0000, 2, 55);
    child.send(kParentWrote);
    child.receive(kDie);
    int status = 0;
    EXPECT(waitpid(process, &status, 0), process);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, true);
    // Both buffers outlive the child, also the one that it made.
    expect_page(file, childs, 2, 33);
    write_page(file, childs, 0x2'0000'0000, 1, 66);
    expect_page(file, childs, 1, 66);
    write_page(file, own, 0x1'0000'0000, 1, 77);
    expect_page(file, own, 1, 77);
    expect_page(file, own, 2, 55);
    of_wrong_descriptors(file);
    close_buffer(file, childs);
    close_buffer(file, own);
    close(file);
    close(ends[0]);
    of_implicit_fences();
}

}  // namespace requests
