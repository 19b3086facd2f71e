// SPDX-License-Identifier: Apache-2.0
#include <drm.h>
#include <i915_drm.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "platform/host/drm/library/mapping/detile.h"
#include "platform/host/drm/library/objects/buffer_memory.h"
#include "platform/host/drm/library/objects/user_memory.h"
#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/tell.h"
#include "platform/host/drm/library/requests/ioctls.h"
#include "platform/host/drm/library/requests/placement.h"
#include "platform/host/program/drm_variables.h"

extern "C" std::uint32_t* gen9sim_current_launch();

namespace gen9::drm {
namespace {

constexpr std::uint32_t kMaxObjects = 1 << 20;
constexpr std::uint64_t kMaxFences = 1 << 16;
constexpr std::uint32_t kMaxRelocations = 1 << 20;
/// A program may ask for these. Scratch bits of older generations (cliprects) are refused.
constexpr std::uint64_t kKnownFlags =
    I915_EXEC_RING_MASK | I915_EXEC_CONSTANTS_MASK | I915_EXEC_GEN7_SOL_RESET | I915_EXEC_NO_RELOC |
    I915_EXEC_HANDLE_LUT | I915_EXEC_BSD_MASK | I915_EXEC_FENCE_IN | I915_EXEC_FENCE_OUT |
    I915_EXEC_BATCH_FIRST | I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS;

/// A fence of the program's: to wait for, to signal, at a point of a time line.
struct Fence {
    std::shared_ptr<SyncObject> sync;
    std::uint32_t flags = 0;
    std::uint64_t point = 0;
};

/// The buffer of a handle. One of the program's own memory is what is mapped at its address now, as
/// the kernel driver has it by the page tables.
std::shared_ptr<Buffer> find_buffer(Device& all, File& file, std::uint32_t handle) {
    const auto buffer = file.buffers.find(handle);
    if (!buffer || !buffer->of_user || follows_memory(*buffer)) return buffer;
    auto now = share_memory(all, buffer->user_address, buffer->size);
    now->caching = buffer->caching;
    now->last_use = buffer->last_use;
    now->last_write = buffer->last_write;
    file.handle_of.erase(buffer->id);
    file.handle_of[now->id] = handle;
    file.buffers.replace(handle, now);
    return now;
}

int read_objects(Device& all, File& file, const drm_i915_gem_execbuffer2& a,
                 std::vector<Object>& objects) {
    if (a.buffer_count == 0 || a.buffer_count > kMaxObjects) return EINVAL;
    std::vector<drm_i915_gem_exec_object2> given;
    if (!copy_in(a.buffers_ptr, a.buffer_count, given)) return EFAULT;
    for (const auto& object : given) {
        if (object.flags & __EXEC_OBJECT_UNKNOWN_FLAGS) return EINVAL;
        const auto buffer = find_buffer(all, file, object.handle);
        if (!buffer) return ENOENT;
        if (object.alignment & (object.alignment - 1)) return EINVAL;
        if (object.relocation_count > kMaxRelocations) return EINVAL;
        if (object.relocation_count != 0 && buffer->of_user) return EINVAL;
        const std::uint64_t address = object.offset % kAddressSpaceBytes;
        const bool pinned = object.flags & EXEC_OBJECT_PINNED;
        if (pinned && (object.offset != canonical(address) || object.offset % kPage ||
                       buffer->size > kAddressSpaceBytes - address))
            return EINVAL;
        if (buffer->unreachable) return EFAULT;
        if (!give_memory(all, buffer)) return ENOMEM;
        objects.push_back({buffer, pinned ? address : 0, object});
    }
    return 0;
}

/// `values`: where their points are; 0: they have none.
int add_fences(File& file, std::uint64_t count, std::uint64_t handles, std::uint64_t values,
               std::vector<Fence>& fences) {
    if (count > kMaxFences) return EINVAL;
    std::vector<drm_i915_gem_exec_fence> given;
    std::vector<std::uint64_t> points(count, 0);
    if (!copy_in(handles, count, given) || (values && !copy_in(values, count, points)))
        return EFAULT;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (given[i].flags & __I915_EXEC_FENCE_UNKNOWN_FLAGS) return EINVAL;
        Fence fence{file.syncs.find(given[i].handle), given[i].flags, points[i]};
        if (!fence.sync) return ENOENT;
        const bool waits = fence.flags & I915_EXEC_FENCE_WAIT;
        if (waits && !fence.sync->find(fence.point)) return EINVAL;
        fences.push_back(std::move(fence));
    }
    return 0;
}

int read_fences(File& file, const drm_i915_gem_execbuffer2& a, std::vector<Fence>& fences) {
    if (a.flags & I915_EXEC_FENCE_ARRAY && a.flags & I915_EXEC_USE_EXTENSIONS) return EINVAL;
    if (a.flags & I915_EXEC_FENCE_ARRAY)
        return add_fences(file, a.num_cliprects, a.cliprects_ptr, 0, fences);
    if (!(a.flags & I915_EXEC_USE_EXTENSIONS)) return a.num_cliprects ? EINVAL : 0;
    unsigned left = kMaxExtensions;
    for (std::uint64_t next = a.cliprects_ptr; next;) {
        if (left-- == 0) return E2BIG;
        drm_i915_gem_execbuffer_ext_timeline_fences lines;
        if (!copy_in(next, lines.base)) return EFAULT;
        if (lines.base.name != DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES) return EINVAL;
        if (!copy_in(next, lines)) return EFAULT;
        if (const int error =
                add_fences(file, lines.fence_count, lines.handles_ptr, lines.values_ptr, fences))
            return error;
        next = lines.base.next_extension;
    }
    return 0;
}

/// Has the machine room for those of the buffers that it does not have yet?
bool is_room_for(const Device& all, const std::vector<Object>& objects) {
    std::uint64_t more = 0;
    for (const auto& object : objects)
        if (object.buffer->sent_to != all.connection.generation())
            more += memory_of(object.buffer->size);
    return all.buffer_memory + more <= kMaxBufferMemory;
}

bool send_buffer(Device& all, Buffer& buffer) {
    Connection& connection = all.connection;
    if (buffer.sent_to == connection.generation()) return true;
    Message message;
    message.kind = Kind::Buffer;
    message.id = buffer.id;
    message.size = buffer.size;
    message.number = buffer.of_another;
    const bool sent = connection.send(message) && send_parts(connection, buffer);
    buffer.sent_to = connection.generation();
    all.buffer_memory += memory_of(buffer.size);
    return sent;
}

bool bind(Device& all, Vm& vm, const Object& object) {
    if (!send_buffer(all, *object.buffer)) return false;
    const auto* now = vm.bindings.find(object.buffer->id);
    if (now && *now == object.address) return true;
    vm.bindings.bind(object.buffer->id, object.address, object.buffer->size);
    Message message;
    message.kind = Kind::Bind;
    message.vm = vm.id;
    message.id = object.buffer->id;
    message.address = object.address;
    return all.connection.send(message);
}

/// Does it use a buffer that other processes may have? Their machines do not wait for this one's, so
/// whoever is told that the submission was made finds its end as well. A driver that has fences of
/// its own for a buffer says so.
bool needs_implicit_fence(const std::vector<Object>& objects) {
    return std::ranges::any_of(objects, [](const Object& object) {
        return object.buffer->shared && !(object.given.flags & EXEC_OBJECT_ASYNC);
    });
}

}  // namespace

int hardware_context(Device& all, Context& context, std::uint32_t slot, std::uint32_t& number,
                     std::uint32_t& engine) {
    constexpr std::uint16_t kClasses[] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_RENDER,
                                          I915_ENGINE_CLASS_VIDEO, I915_ENGINE_CLASS_COPY,
                                          I915_ENGINE_CLASS_VIDEO_ENHANCE};
    if (slot >= (context.has_engines ? context.engines.size() : std::size(kClasses))) return EINVAL;
    engine = context.has_engines ? context.engines[slot].type : kClasses[slot];
    if (engine > I915_ENGINE_CLASS_VIDEO_ENHANCE) return EINVAL;
    if (!context.has_engines && slot == I915_EXEC_DEFAULT) slot = I915_EXEC_RENDER;
    const auto found = context.hardware.find(slot);
    if (found == context.hardware.end()) {
        if (all.contexts >= kMaxContexts) return ENOMEM;
        ++all.contexts;
        context.generation = all.connection.generation();
        context.hardware[slot] = number = all.next_context++;
    } else {
        number = found->second;
    }
    return 0;
}

int execute(Call& call) {
    auto& a = call.as<drm_i915_gem_execbuffer2>();
    Connection& connection = call.all.connection;
    if (a.flags & ~kKnownFlags) return EINVAL;
    if (a.batch_start_offset % 8 || a.batch_len % 8 || a.DR1 || a.DR4) return EINVAL;
    const auto context = call.file.context(static_cast<std::uint32_t>(a.rsvd1));
    if (!context) return ENOENT;
    if (call.file.generation != connection.generation()) {
        context->refused = true;
        tell(Topic::Forked,
             "it was forked from a process that had opened the device, and uses what it inherited, "
             "contexts for one, which are its parent's alone: the submission fails (EIO); what is "
             "to use the device opens it after fork()");
        return EIO;
    }
    if (connection.lost()) return EIO;
    std::uint32_t hardware = 0, engine = 0;
    if (const int error = hardware_context(
            call.all, *context, static_cast<std::uint32_t>(a.flags & I915_EXEC_RING_MASK), hardware,
            engine))
        return error;
    std::vector<Object> objects;
    if (const int error = read_objects(call.all, call.file, a, objects)) return error;
    if (!is_room_for(call.all, objects)) return ENOMEM;
    std::vector<Fence> fences;
    if (const int error = read_fences(call.file, a, fences)) return error;
    const Object& batch = a.flags & I915_EXEC_BATCH_FIRST ? objects.front() : objects.back();
    if (a.batch_start_offset >= batch.buffer->size ||
        a.batch_len > batch.buffer->size - a.batch_start_offset)
        return EINVAL;
    // Submissions of this process run one after the other: none of its own has to be waited for.
    std::uint64_t before = 0;
    if (a.flags & I915_EXEC_FENCE_IN)
        if (const int error =
                read_sync_file(call.all, static_cast<int>(a.rsvd2), before, call.lock))
            return error;

    // Waits release the lock: what follows them happens at once.
    for (const auto& object : objects)
        if (object.given.relocation_count != 0 || object.buffer->rows_written)
            connection.wait(object.buffer->last_use, INT64_MAX, call.lock);
    for (const auto& object : objects)
        if (object.buffer->rows_written) take_from_rows(*object.buffer);
    context->vm->generation = connection.generation();
    const auto bound = [&](const Object& object) { return bind(call.all, *context->vm, object); };
    if (const int error = place(call.all, *context->vm, objects, bound)) return error;
    if (const int error = relocate(objects, a)) return error;
    Message message;
    message.kind = Kind::Submit;
    message.id = engine;
    message.context = hardware;
    message.vm = context->vm->id;
    message.address = batch.address + a.batch_start_offset;
    message.offset = *gen9sim_current_launch();
    const std::uint64_t number = message.number = connection.next_number();
    if (!connection.send(message)) return EIO;
    auto& under_way = context->submissions;
    while (!under_way.empty() && under_way.front() <= connection.ended_well())
        under_way.pop_front();
    under_way.push_back(number);
    for (const auto& object : objects) {
        object.buffer->last_use = number;
        if (object.given.flags & EXEC_OBJECT_WRITE) object.buffer->last_write = number;
    }
    for (const auto& fence : fences)
        if (fence.flags & I915_EXEC_FENCE_SIGNAL) fence.sync->set(fence.point, number);
    if (a.flags & I915_EXEC_FENCE_OUT) {
        const int event = make_sync_file(call.all, number);
        if (event < 0) return EMFILE;
        a.rsvd2 = (a.rsvd2 & 0xFFFF'FFFF) | static_cast<std::uint64_t>(event) << 32;
    }
    connection.flush(call.lock);
    static const bool waits = std::getenv(kWaitVariable) != nullptr;
    if (waits || needs_implicit_fence(objects)) connection.wait_for_end_or_host(number, call.lock);
    return 0;
}

}  // namespace gen9::drm
