// SPDX-License-Identifier: Apache-2.0
/// Memory of the program as a buffer: its pages are replaced, where they lie, by those of a file in
/// memory with the same contents, which the machine maps as well.
#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>

#include "platform/host/drm/library/ioctls.h"
#include "platform/host/drm/library/process_maps.h"
#include "platform/host/drm/library/real.h"

namespace gen9::drm {
namespace {

constexpr const char* kName = "i915-user";

/// A stretch of the program's memory that is in a file.
struct Stretch {
    std::uint64_t end;
    std::weak_ptr<OwnDescriptor> file;
};
using Stretches = std::map<std::uint64_t, Stretch>;

Stretches& stretches() {
    static auto* const all = new Stretches;
    return *all;
}

struct Replacement {
    std::uint64_t begin, size;
    int file;
    void* scratch;
    bool done;
};
Replacement g_replacement;

/// Runs on a stack of its own: the one that called it may lie in the memory that is replaced.
void replace() {
    auto& what = g_replacement;
    std::memcpy(what.scratch, at<void>(what.begin), what.size);
    what.done = real().mmap(at<void>(what.begin), what.size, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_FIXED, what.file, 0) != MAP_FAILED;
}

/// Under the library's lock.
bool replace_pages(std::uint64_t begin, std::uint64_t size, int file) {
    constexpr std::size_t kStackBytes = 64 << 10;
    alignas(16) static char stack[kStackBytes];
    void* scratch = real().mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (scratch == MAP_FAILED) return false;
    g_replacement = {begin, size, file, scratch, false};
    ucontext_t here{}, there{};
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, replace, 0);
    swapcontext(&here, &there);
    munmap(scratch, size);
    return g_replacement.done;
}

bool is_ours(const MappedRange& range) {
    return range.file_name.find(kName) != std::string_view::npos;
}

/// Can all of a range be read and written, and is it the program's alone? What is mapped from a
/// file, or cannot be written, is not.
bool is_private(std::uint64_t begin, std::uint64_t end) {
    constexpr int kBoth = PROT_READ | PROT_WRITE;
    std::uint64_t reached = begin;
    for_each_mapped_range([&](const MappedRange& range) {
        if (range.end <= reached) return true;
        const bool anonymous = range.inode == 0 && !range.shared;
        if (range.begin > reached || (range.protection & kBoth) != kBoth ||
            !(is_ours(range) || anonymous))
            return false;
        reached = range.end;
        return reached < end;
    });
    return reached >= end;
}

bool add_part(Buffer& buffer, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t size = end - begin;
    auto file = std::make_shared<OwnDescriptor>(make_memory(kName, size));
    if (!*file || !is_private(begin, end) || !replace_pages(begin, size, file->get())) return false;
    stretches()[begin] = {end, file};
    buffer.parts.push_back({std::move(file), 0, size});
    return true;
}

}  // namespace

std::shared_ptr<Buffer> share_memory(Device& all, std::uint64_t address, std::uint64_t size) {
    auto buffer = all.make_buffer(size);
    buffer->of_user = true;
    const std::uint64_t end = address + size;
    std::erase_if(stretches(), [](const auto& entry) { return entry.second.file.expired(); });
    for (std::uint64_t from = address; from < end && !buffer->unreachable;) {
        auto next = stretches().upper_bound(from);
        std::uint64_t to = next == stretches().end() ? end : std::min(end, next->first);
        if (next != stretches().begin())
            if (const auto before = std::prev(next); before->second.end > from) {
                // Part of another buffer already: the same file.
                to = std::min(end, before->second.end);
                buffer->parts.push_back(
                    {before->second.file.lock(), from - before->first, to - from});
                from = to;
                continue;
            }
        buffer->unreachable = !add_part(*buffer, from, to);
        from = to;
    }
    return buffer;
}

void keep_user_memory_private() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for_each_mapped_range([&](const MappedRange& range) {
        if (is_ours(range)) found.emplace_back(range.begin, range.end);
        return true;
    });
    for (const auto& [from, to] : found) {
        void* copy = real().mmap(nullptr, to - from, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (copy == MAP_FAILED) continue;
        std::memcpy(copy, at<void>(from), to - from);
        if (mremap(copy, to - from, to - from, MREMAP_MAYMOVE | MREMAP_FIXED, at<void>(from)) ==
            MAP_FAILED)
            munmap(copy, to - from);
    }
    stretches().clear();
}

}  // namespace gen9::drm
