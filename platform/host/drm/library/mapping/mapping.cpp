// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/mapping/mapping.h"

#include <i915_drm.h>
#include <sys/mman.h>

#include <cerrno>

#include "platform/host/drm/library/mapping/detile.h"
#include "platform/host/drm/library/objects/buffer_memory.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {

void* map_buffer(Device& all, void* where, std::size_t size, int protection, int flags,
                 std::uint64_t offset, Lock& lock) {
    const bool aperture = offset & kAperture;
    offset &= ~kAperture;
    const auto found = all.buffers.find(static_cast<std::uint32_t>(offset >> kOffsetBits));
    const auto buffer = found == all.buffers.end() ? nullptr : found->second.lock();
    const std::uint64_t within = offset % kMaxBytes;
    if (!buffer || buffer->of_user || within > buffer->size ||
        in_pages(size) > buffer->size - within) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    const auto map = [&](int file, std::uint64_t from) {
        return real().mmap(where, size, protection, flags, file, static_cast<off_t>(from));
    };
    if (aperture && tiling_of(*buffer).mode != I915_TILING_NONE) {
        if (own_file(all, buffer, lock) < 0) return MAP_FAILED;
        const int rows = rows_of(*buffer);
        buffer->rows_written |= (protection & PROT_WRITE) != 0;
        return map(rows, within);
    }
    const Buffer::Part* memory = mappable_memory(all, buffer);
    return memory ? map(memory->file->get(), memory->file_offset + within) : MAP_FAILED;
}

}  // namespace gen9::drm
