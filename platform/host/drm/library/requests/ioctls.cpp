// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/requests/ioctls.h"

#include <drm.h>
#include <i915_drm.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/host/drm/library/process/program_memory.h"

namespace gen9::drm {
namespace {

constexpr unsigned number_of(unsigned long request) {
    return _IOC_NR(request);
}

/// Gives as much of a text as there is room for, and its whole length.
bool give(const char* to, __kernel_size_t& length, const char* text) {
    const std::size_t whole = std::strlen(text);
    const std::size_t room = to ? std::min<std::size_t>(length, whole) : 0;
    length = whole;
    return room == 0 || copy_out(reinterpret_cast<std::uintptr_t>(to), text, room);
}

int version(drm_version& a) {
    a.version_major = 1;
    a.version_minor = 6;
    a.version_patchlevel = 0;
    const bool given = give(a.name, a.name_len, "i915") && give(a.date, a.date_len, "20201103") &&
                       give(a.desc, a.desc_len, "Intel Graphics");
    return given ? 0 : EFAULT;
}

int capability(drm_get_cap& a) {
    a.value = 1;
    switch (a.capability) {
        case DRM_CAP_PRIME:
            a.value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
            return 0;
        case DRM_CAP_TIMESTAMP_MONOTONIC:
        case DRM_CAP_SYNCOBJ:
        case DRM_CAP_SYNCOBJ_TIMELINE:
        case DRM_CAP_ADDFB2_MODIFIERS:
            return 0;
        default:
            a.value = 0;
            return EOPNOTSUPP;
    }
}

int close_buffer(Call& call, std::uint32_t handle) {
    const auto buffer = call.file.buffers.find(handle);
    if (!buffer) return EINVAL;
    call.file.handle_of.erase(buffer->id);
    call.file.buffers.remove(handle);
    return 0;
}

std::uint32_t handle_of(File& file, const std::shared_ptr<Buffer>& buffer) {
    const auto [place, is_new] = file.handle_of.emplace(buffer->id, 0);
    if (is_new) place->second = file.buffers.add(buffer);
    return place->second;
}

int give_name(Call& call, drm_gem_flink& a) {
    const auto buffer = call.file.buffers.find(a.handle);
    if (!buffer) return ENOENT;
    if (!buffer->name) {
        buffer->name = call.all.next_name++;
        call.all.names[buffer->name] = buffer;
    }
    a.name = buffer->name;
    return 0;
}

int open_name(Call& call, drm_gem_open& a) {
    const auto found = call.all.names.find(a.name);
    const auto buffer = found == call.all.names.end() ? nullptr : found->second.lock();
    if (!buffer) return ENOENT;
    a.handle = handle_of(call.file, buffer);
    a.size = buffer->size;
    return 0;
}

int answer_core(Call& call) {
    switch (call.number) {
        case number_of(DRM_IOCTL_VERSION):
            return version(call.as<drm_version>());
        case number_of(DRM_IOCTL_GET_UNIQUE): {
            auto& a = call.as<drm_unique>();
            return give(a.unique, a.unique_len, "pci:0000:00:02.0") ? 0 : EFAULT;
        }
        case number_of(DRM_IOCTL_SET_VERSION):
        case number_of(DRM_IOCTL_SET_CLIENT_CAP):
            return 0;
        case number_of(DRM_IOCTL_AUTH_MAGIC):
            return EACCES;
        case number_of(DRM_IOCTL_GEM_CLOSE):
            return close_buffer(call, call.as<drm_gem_close>().handle);
        case number_of(DRM_IOCTL_GEM_FLINK):
            return give_name(call, call.as<drm_gem_flink>());
        case number_of(DRM_IOCTL_GEM_OPEN):
            return open_name(call, call.as<drm_gem_open>());
        case number_of(DRM_IOCTL_GET_CAP):
            return capability(call.as<drm_get_cap>());
        case number_of(DRM_IOCTL_PRIME_HANDLE_TO_FD):
            return share_buffer(call);
        case number_of(DRM_IOCTL_PRIME_FD_TO_HANDLE):
            return accept_buffer(call);
        default:
            break;
    }
    if (call.number >= number_of(DRM_IOCTL_SYNCOBJ_CREATE) &&
        call.number <= number_of(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL))
        return answer_sync(call);
    // Mode setting is not for render nodes.
    return call.number >= number_of(DRM_IOCTL_MODE_GETRESOURCES) ? EACCES : EINVAL;
}

int register_read(Call& call, drm_i915_reg_read& a) {
    constexpr std::uint64_t kTimestamp = 0x2358, kFlags = 7;
    if ((a.offset & ~kFlags) != (kTimestamp & ~kFlags)) return EINVAL;
    a.val = call.all.connection.timestamp();
    return 0;
}

int reset_stats(Call& call, drm_i915_reset_stats& a) {
    if (a.flags || a.pad) return EINVAL;
    const auto context = call.file.context(a.ctx_id);
    if (!context) return ENOENT;
    const Connection& connection = call.all.connection;
    a.reset_count = a.batch_active = a.batch_pending = 0;
    // Drivers that go on to wait for what was refused look here now and then.
    if (call.file.generation != connection.generation()) {
        a.batch_active = context->refused;
        return 0;
    }
    if (!connection.lost()) return 0;
    // The engine stopped in the first that has not ended well; what came after it never began.
    const std::uint64_t stopped_in = connection.ended_well() + 1;
    for (const std::uint64_t number : context->submissions) {
        a.batch_active += number == stopped_in;
        a.batch_pending += number > stopped_in;
    }
    return 0;
}

int answer_driver(Call& call) {
    const unsigned number = call.number - DRM_COMMAND_BASE;
    switch (number) {
        case DRM_I915_GETPARAM:
            return answer_parameter(call);
        case DRM_I915_QUERY:
            return answer_query(call);
        case DRM_I915_REG_READ:
            return register_read(call, call.as<drm_i915_reg_read>());
        case DRM_I915_GET_RESET_STATS:
            return reset_stats(call, call.as<drm_i915_reset_stats>());
        case DRM_I915_GEM_EXECBUFFER2:
            return execute(call);
        case DRM_I915_GEM_CONTEXT_CREATE:
        case DRM_I915_GEM_CONTEXT_DESTROY:
        case DRM_I915_GEM_CONTEXT_GETPARAM:
        case DRM_I915_GEM_CONTEXT_SETPARAM:
        case DRM_I915_GEM_VM_CREATE:
        case DRM_I915_GEM_VM_DESTROY:
            return answer_context(call, number);
        case DRM_I915_PERF_OPEN:
            return open_stream(call);
        case DRM_I915_PERF_ADD_CONFIG:
            return add_counters(call);
        case DRM_I915_PERF_REMOVE_CONFIG:
            return remove_counters(call);
        default:
            return answer_buffer(call, number);
    }
}

}  // namespace

int answer(Call& call) {
    if (!call.all.read_facts()) return ENODEV;
    const bool of_driver = call.number >= DRM_COMMAND_BASE && call.number < DRM_COMMAND_END;
    return of_driver ? answer_driver(call) : answer_core(call);
}

}  // namespace gen9::drm
