// SPDX-License-Identifier: Apache-2.0
// A program whose allocator asks the C library for files before it gives memory for the first time,
// and for pages at any time, as jemalloc does: what stands before the C library's functions must not
// need memory itself then. Ends with 0 if all went well, and the device answers.
#include <dirent.h>
#include <drm.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

thread_local bool inside = false;
bool asked_again = false;
bool begun = false;  ///< the program: its allocator has read its settings

void ask_for_files() {
    char text[64];
    struct stat status {};
    [[maybe_unused]] const ssize_t length = readlink("/etc/malloc.conf", text, sizeof text);
    const int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        [[maybe_unused]] const ssize_t got = read(file, text, sizeof text);
        fstat(file, &status);
        close(file);
    }
    stat("/etc/malloc.conf", &status);
    access("/etc/malloc.conf", R_OK);
}

void ask_for_pages() {
    constexpr std::size_t kBytes = 4096;
    void* const page =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) munmap(page, kBytes);
}

/// Memory is never given back. In front of it stands its size.
void* give(std::size_t size, std::size_t alignment) {
    constexpr std::size_t kArena = std::size_t{1} << 30, kHeader = 64;
    static auto* const arena =
        static_cast<std::uint8_t*>(mmap(nullptr, kArena, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    static std::size_t used = 0;
    if (inside) {
        asked_again = true;
    } else {
        inside = true;
        if (!begun) ask_for_files();
        ask_for_pages();
        inside = false;
    }
    alignment = std::max(alignment, kHeader);
    const std::size_t at =
        (__atomic_fetch_add(&used, size + kHeader + alignment, __ATOMIC_RELAXED) + kHeader +
         alignment - 1) /
        alignment * alignment;
    if (at + size > kArena) return nullptr;
    std::memcpy(arena + at - sizeof size, &size, sizeof size);
    return arena + at;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
    return give(size, 1);
}
void free(void*) {}
void* calloc(std::size_t count, std::size_t size) {
    return give(count * size, 1);  // the arena is zeros
}
void* realloc(void* old, std::size_t size) {
    void* const place = give(size, 1);
    std::size_t before = 0;
    if (old != nullptr) {
        std::memcpy(&before, static_cast<std::uint8_t*>(old) - sizeof before, sizeof before);
        std::memcpy(place, old, std::min(before, size));
    }
    return place;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return give(size, alignment);
}
void* memalign(std::size_t alignment, std::size_t size) {
    return give(size, alignment);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
    *place = give(size, alignment);
    return 0;
}
}

int main() {
    begun = true;
    const int device = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    drm_version version{};
    char name[16] = {};
    version.name = name;
    version.name_len = sizeof name - 1;
    const bool answers = device >= 0 && ioctl(device, DRM_IOCTL_VERSION, &version) == 0 &&
                         std::strcmp(name, "i915") == 0;
    std::printf("%s; %s\n", answers ? "the device answers" : "no device",
                asked_again ? "memory was asked for while the allocator asked for files"
                            : "nothing asked for memory meanwhile");
    return answers && !asked_again ? 0 : 1;
}
