// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/user_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "platform/host/drm/library/process/process_maps.h"
#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

constexpr const char* kName = "i915-user";

using FileName = std::pair<dev_t, ino_t>;

/// Files that are memory of the program's. Where they are mapped, only the system knows: a program
/// may map something else there.
std::map<FileName, std::weak_ptr<OwnDescriptor>>& user_files() {
    static auto* const all = new std::map<FileName, std::weak_ptr<OwnDescriptor>>;
    return *all;
}

/// Counts what the program does that may put other memory in the place of what is mapped.
std::atomic<std::uint64_t> g_changes{0};

/// Mapped memory, which is one of our files, or becomes one.
struct Piece {
    std::uint64_t begin, end;
    std::shared_ptr<OwnDescriptor> file;  ///< null: memory of the program's alone
    std::uint64_t offset;                 ///< in the file
};

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
    real().munmap(scratch, size);
    return g_replacement.done;
}

bool is_ours(const MappedRange& range) {
    return range.file_name.find(kName) != std::string_view::npos;
}

/// Adds what is mapped in a range, in order. False where some of it is not there, cannot be
/// written, or is mapped from another file.
bool add_piece(const MappedRange& range, std::uint64_t begin, std::uint64_t end,
               std::vector<Piece>& pieces) {
    constexpr int kBoth = PROT_READ | PROT_WRITE;
    Piece piece{std::max(range.begin, begin), std::min(range.end, end), nullptr, 0};
    if (piece.begin != (pieces.empty() ? begin : pieces.back().end)) return false;
    if (is_ours(range)) {
        const auto found = user_files().find({range.device, range.inode});
        if (found != user_files().end()) piece.file = found->second.lock();
    }
    if (piece.file) {
        piece.offset = range.offset + (piece.begin - range.begin);
    } else {
        const bool anonymous = range.inode == 0 && !range.shared;
        if ((range.protection & kBoth) != kBoth || !(is_ours(range) || anonymous)) return false;
    }
    if (!pieces.empty()) {
        Piece& before = pieces.back();
        const std::uint64_t next = before.offset + (before.end - before.begin);
        if (before.file == piece.file && (!piece.file || next == piece.offset)) {
            before.end = piece.end;
            return true;
        }
    }
    pieces.push_back(std::move(piece));
    return true;
}

/// Empty: not all of the range can be shared. `each` visits what is mapped.
template <class Each>
std::vector<Piece> pieces_of(std::uint64_t begin, std::uint64_t end, Each&& each) {
    std::vector<Piece> pieces;
    each([&](const MappedRange& range) {
        if (range.end <= begin) return true;
        return range.begin < end && add_piece(range, begin, end, pieces);
    });
    if (!pieces.empty() && pieces.back().end != end) pieces.clear();
    return pieces;
}

/// Lists what was mapped after the last change, once for all buffers that are looked at.
const std::vector<MappedRange>& mapped_after(std::uint64_t changes) {
    static auto* const ranges = new std::vector<MappedRange>;
    static std::uint64_t of = 0;
    if (of == changes) return *ranges;
    of = changes;
    ranges->clear();
    for_each_mapped_range([&](MappedRange range) {
        range.file_name = is_ours(range) ? kName : "";
        ranges->push_back(range);
        return true;
    });
    return *ranges;
}

bool make_own(Piece& piece) {
    const std::uint64_t size = piece.end - piece.begin;
    auto file = std::make_shared<OwnDescriptor>(make_memory(kName, size));
    struct stat status {};
    if (!*file || real().fstat(file->get(), &status) != 0 ||
        !replace_pages(piece.begin, size, file->get()))
        return false;
    user_files()[{status.st_dev, status.st_ino}] = file;
    piece.file = std::move(file);
    piece.offset = 0;
    return true;
}

bool is_where_it_was(const Buffer& buffer, std::uint64_t changes) {
    const auto each = [&](auto&& visit) {
        for (const MappedRange& range : mapped_after(changes))
            if (!visit(range)) break;
    };
    const std::uint64_t begin = buffer.user_address;
    const auto pieces = pieces_of(begin, begin + buffer.size, each);
    return std::ranges::equal(pieces, buffer.parts, [](const Piece& piece, const auto& part) {
        return piece.file == part.file && piece.offset == part.file_offset &&
               piece.end - piece.begin == part.size;
    });
}

}  // namespace

void mappings_changed() {
    ++g_changes;
}

std::shared_ptr<Buffer> share_memory(Device& all, std::uint64_t address, std::uint64_t size) {
    auto buffer = all.make_buffer(size);
    buffer->of_user = true;
    buffer->user_address = address;
    buffer->changes_seen = g_changes;
    std::erase_if(user_files(), [](const auto& entry) { return entry.second.expired(); });
    auto pieces = pieces_of(address, address + size, for_each_mapped_range);
    buffer->unreachable = pieces.empty();
    for (Piece& piece : pieces) {
        if (!piece.file && !make_own(piece)) {
            buffer->unreachable = true;
            break;
        }
        buffer->parts.push_back({piece.file, piece.offset, piece.end - piece.begin});
    }
    return buffer;
}

bool follows_memory(Buffer& buffer) {
    const std::uint64_t changes = g_changes;
    if (buffer.unreachable || (buffer.changes_seen != changes && !is_where_it_was(buffer, changes)))
        return false;
    buffer.changes_seen = changes;
    return true;
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
        if (real().mremap(copy, to - from, to - from, MREMAP_MAYMOVE | MREMAP_FIXED,
                          at<void>(from)) == MAP_FAILED)
            real().munmap(copy, to - from);
    }
    user_files().clear();
    mappings_changed();
}

}  // namespace gen9::drm
