// SPDX-License-Identifier: Apache-2.0
#include <drm.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "platform/host/drm/library/mapping/detile.h"
#include "platform/host/drm/library/mapping/mapping.h"
#include "platform/host/drm/library/objects/buffer_memory.h"
#include "platform/host/drm/library/objects/user_memory.h"
#include "platform/host/drm/library/process/file_limit.h"
#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

int create(Call& call) {
    auto& a = call.as<drm_i915_gem_create>();
    if (a.size == 0 || a.size > kMaxBytes) return a.size ? E2BIG : EINVAL;
    const std::uint64_t size = in_pages(a.size);
    // A program that makes buffers means to submit work.
    call.all.connection.reach();
    const auto buffer = call.all.make_buffer(size);
    a.size = size;
    a.handle = call.file.buffers.add(buffer);
    call.file.handle_of[buffer->id] = a.handle;
    return 0;
}

int of_user_memory(Call& call) {
    auto& a = call.as<drm_i915_gem_userptr>();
    constexpr std::uint32_t kKnown =
        I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | I915_USERPTR_UNSYNCHRONIZED;
    if (a.flags & ~kKnown) return EINVAL;
    if (a.user_size == 0 || a.user_ptr % kPage || a.user_size % kPage) return EINVAL;
    if (a.user_size > kMaxBytes) return E2BIG;
    if (a.user_ptr + a.user_size < a.user_ptr || (a.user_ptr + a.user_size) >> 47) return EFAULT;
    const auto buffer = share_memory(call.all, a.user_ptr, a.user_size);
    if (buffer->unreachable && (a.flags & I915_USERPTR_PROBE)) return EFAULT;
    a.handle = call.file.buffers.add(buffer);
    call.file.handle_of[buffer->id] = a.handle;
    return 0;
}

/// MMAP_OFFSET and the older and shorter MMAP_GTT, which have the same handle and offset.
int give_offset(Call& call) {
    auto& a = call.as<drm_i915_gem_mmap_offset>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (buffer->of_user) return ENODEV;
    const bool aperture =
        call.size < sizeof(drm_i915_gem_mmap_offset) || a.flags == I915_MMAP_OFFSET_GTT;
    a.offset = static_cast<std::uint64_t>(buffer->id) << kOffsetBits | (aperture ? kAperture : 0);
    return 0;
}

/// Before the buffer itself is looked at or used: what was written into its rows is in it.
void settle(Call& call, Buffer& buffer) {
    if (!buffer.rows_written) return;
    call.all.connection.wait(buffer.last_use, INT64_MAX, call.lock);
    if (buffer.rows_written) take_from_rows(buffer);
}

int map_at_once(Call& call) {
    auto& a = call.as<drm_i915_gem_mmap>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (buffer->of_user) return ENXIO;
    if (a.flags & ~static_cast<__u64>(I915_MMAP_WC) || a.size == 0 || a.offset % kPage ||
        a.offset > buffer->size || a.size > buffer->size - a.offset)
        return EINVAL;
    const Buffer::Part* memory = mappable_memory(call.all, buffer);
    if (!memory) return errno;
    void* place =
        real().mmap(nullptr, a.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file->get(),
                    static_cast<off_t>(memory->file_offset + a.offset));
    if (place == MAP_FAILED) return errno;
    a.addr_ptr = reinterpret_cast<std::uintptr_t>(place);
    return 0;
}

/// PREAD and PWRITE, which have the same form.
int copy(Call& call, bool to_buffer) {
    const auto& a = call.as<drm_i915_gem_pread>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (a.offset > buffer->size || a.size > buffer->size - a.offset) return EINVAL;
    if (buffer->of_user) return EINVAL;
    call.all.connection.wait(to_buffer ? buffer->last_use : buffer->last_write, INT64_MAX,
                             call.lock);
    settle(call, *buffer);
    if (!give_memory(call.all, buffer)) return ENOMEM;
    const Buffer::Part& part = buffer->parts[0];
    const int file = part.file->get();
    const FilesMayGrow grow;
    for (std::uint64_t done = 0; done < a.size;) {
        auto* memory = at<char>(a.data_ptr) + done;
        const auto place = static_cast<off_t>(part.file_offset + a.offset + done);
        const ssize_t count = to_buffer ? pwrite(file, memory, a.size - done, place)
                                        : pread(file, memory, a.size - done, place);
        if (count <= 0) return count < 0 ? errno : EFAULT;
        done += static_cast<std::uint64_t>(count);
    }
    return 0;
}

int set_domain(Call& call) {
    const auto& a = call.as<drm_i915_gem_set_domain>();
    const auto buffer = call.file.buffers.find(a.handle);
    constexpr std::uint32_t kAllowed =
        I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT | I915_GEM_DOMAIN_WC;
    if (((a.read_domains | a.write_domain) & ~kAllowed) ||
        (a.write_domain && a.write_domain != a.read_domains))
        return EINVAL;
    if (!buffer) return ENOENT;
    call.all.connection.wait(a.write_domain ? buffer->last_use : buffer->last_write, INT64_MAX,
                             call.lock);
    if (!buffer->rows) return 0;
    const bool aperture = a.read_domains & I915_GEM_DOMAIN_GTT;
    if (!aperture)
        settle(call, *buffer);
    else if (!buffer->rows_written)
        show_in_rows(*buffer);
    buffer->rows_written |= aperture && a.write_domain != 0;
    return 0;
}

int busy(Call& call) {
    auto& a = call.as<drm_i915_gem_busy>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    // High half: a bit for each class of engines that reads; low half: the class that writes, + 1.
    a.busy = call.all.connection.completed(buffer->last_use) ? 0 : 1u << 16;
    if (!call.all.connection.completed(buffer->last_write)) a.busy |= 1;
    return 0;
}

int wait(Call& call) {
    auto& a = call.as<drm_i915_gem_wait>();
    const auto buffer = call.file.buffers.find(a.bo_handle);
    if (a.flags) return EINVAL;
    if (!buffer) return ENOENT;
    const std::int64_t now = monotonic_ns();
    const std::int64_t deadline =
        a.timeout_ns < 0 || a.timeout_ns > INT64_MAX - now ? INT64_MAX : now + a.timeout_ns;
    const bool ended = call.all.connection.wait(buffer->last_use, deadline, call.lock);
    if (a.timeout_ns > 0) a.timeout_ns = std::max<std::int64_t>(0, deadline - monotonic_ns());
    return ended ? 0 : ETIME;
}

int tiling(Call& call, bool set) {
    auto& a = call.as<drm_i915_gem_set_tiling>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (!set) {
        auto& got = call.as<drm_i915_gem_get_tiling>();
        got.tiling_mode = tiling_of(*buffer).mode;
        got.swizzle_mode = got.phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
        return 0;
    }
    if (buffer->of_user) return ENXIO;
    const Tiling wanted{a.tiling_mode, a.tiling_mode == I915_TILING_NONE ? 0 : a.stride};
    if (!is_possible(wanted)) return EINVAL;
    settle(call, *buffer);
    buffer->rows.reset();
    set_tiling(*buffer, wanted);
    a.stride = wanted.stride;
    a.swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

int caching(Call& call, bool set) {
    auto& a = call.as<drm_i915_gem_caching>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (set && a.caching > I915_CACHING_DISPLAY) return EINVAL;
    (set ? buffer->caching : a.caching) = set ? a.caching : buffer->caching;
    return 0;
}

int advise(Call& call) {
    auto& a = call.as<drm_i915_gem_madvise>();
    if (a.madv > I915_MADV_DONTNEED) return EINVAL;
    if (!call.file.buffers.find(a.handle)) return ENOENT;
    a.retained = 1;
    return 0;
}

}  // namespace

int answer_buffer(Call& call, unsigned number) {
    switch (number) {
        case DRM_I915_GEM_CREATE:
        case DRM_I915_GEM_CREATE_EXT:  // the same first fields; there is one kind of memory
            return create(call);
        case DRM_I915_GEM_USERPTR:
            return of_user_memory(call);
        case DRM_I915_GEM_MMAP_GTT:
            return give_offset(call);
        case DRM_I915_GEM_MMAP:
            return map_at_once(call);
        case DRM_I915_GEM_PREAD:
        case DRM_I915_GEM_PWRITE:
            return copy(call, number == DRM_I915_GEM_PWRITE);
        case DRM_I915_GEM_SET_DOMAIN:
            return set_domain(call);
        case DRM_I915_GEM_SW_FINISH:
        case DRM_I915_GEM_THROTTLE:
            return call.all.connection.lost() ? EIO : 0;
        case DRM_I915_GEM_BUSY:
            return busy(call);
        case DRM_I915_GEM_WAIT:
            return wait(call);
        case DRM_I915_GEM_SET_TILING:
        case DRM_I915_GEM_GET_TILING:
            return tiling(call, number == DRM_I915_GEM_SET_TILING);
        case DRM_I915_GEM_SET_CACHING:
        case DRM_I915_GEM_GET_CACHING:
            return caching(call, number == DRM_I915_GEM_SET_CACHING);
        case DRM_I915_GEM_MADVISE:
            return advise(call);
        case DRM_I915_GEM_GET_APERTURE: {
            auto& a = call.as<drm_i915_gem_get_aperture>();
            a.aper_size = a.aper_available_size = std::uint64_t{4} << 30;
            return 0;
        }
        default:
            return EINVAL;
    }
}

int share_buffer(Call& call) {
    auto& a = call.as<drm_prime_handle>();
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (buffer->of_user) return EINVAL;
    if (a.flags & ~static_cast<__u32>(DRM_CLOEXEC | DRM_RDWR)) return EINVAL;
    const int file = own_file(call.all, buffer, call.lock);
    if (file < 0) return errno;
    call.all.connection.shares_memory();
    // The other process knows nothing of what was submitted before it has the buffer.
    if (!buffer->shared) call.all.connection.wait_for_end_or_host(buffer->last_use, call.lock);
    buffer->shared = true;
    a.fd = real().fcntl(file, a.flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    return a.fd < 0 ? errno : 0;
}

int accept_buffer(Call& call) {
    auto& a = call.as<drm_prime_handle>();
    struct stat status {};
    if (real().fstat(a.fd, &status) != 0) return EBADF;
    auto& known = call.all.by_inode[{status.st_dev, status.st_ino}];
    auto buffer = known.lock();
    if (!buffer) {
        // It comes from another process. A file that is not sealed is no buffer.
        call.all.connection.shares_memory();
        const int seals = real().fcntl(a.fd, F_GET_SEALS);
        if (seals < 0) return errno;  // EBADF of a descriptor that is only a path's
        const auto size = static_cast<std::uint64_t>(status.st_size);
        if (!(seals & F_SEAL_SHRINK) || size == 0 || size % kPage) return EINVAL;
        auto file = std::make_shared<OwnDescriptor>(OwnDescriptor::of(a.fd));
        if (!*file) return EMFILE;
        buffer = call.all.make_buffer(size);
        buffer->shared = buffer->of_another = true;
        set_file(call.all, buffer, std::move(file));
    }
    const auto [place, is_new] = call.file.handle_of.emplace(buffer->id, 0);
    if (is_new) place->second = call.file.buffers.add(buffer);
    a.handle = place->second;
    return 0;
}

}  // namespace gen9::drm
