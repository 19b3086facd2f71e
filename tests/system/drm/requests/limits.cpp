// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "platform/host/drm/protocol.h"
#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

std::uint32_t make_context(int file, std::uint32_t vm) {
    drm_i915_gem_context_create_ext_setparam set{};
    set.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM;
    set.param.param = I915_CONTEXT_PARAM_VM;
    set.param.value = vm;
    drm_i915_gem_context_create_ext a{};
    a.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS;
    a.extensions = address_of(&set);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &a), 0);
    return a.ctx_id;
}

/// Contexts of the copy engine, which are the cheapest, up to ENOMEM. One that goes makes room for
/// another.
void of_contexts_without_end(int file) {
    const std::uint32_t batch = make_buffer(file, kPage), end[] = {0x0500'0000, 0};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{batch, 0, 0, sizeof end, address_of(end)});
    drm_i915_gem_vm_control vm{};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
    drm_i915_gem_exec_object2 object{};
    object.handle = batch;
    const auto submit = [&](std::uint32_t context) {
        drm_i915_gem_execbuffer2 a{};
        a.buffers_ptr = address_of(&object);
        a.buffer_count = 1;
        a.flags = I915_EXEC_BLT;
        a.rsvd1 = context;
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    std::vector<std::uint32_t> contexts;
    int error = 0;
    while (contexts.size() < 2 * gen9::drm::kMaxContexts && error == 0) {
        contexts.push_back(make_context(file, vm.vm_id));
        error = submit(contexts.back());
    }
    EXPECT(error, ENOMEM);
    EXPECT(contexts.size(), gen9::drm::kMaxContexts + 1);
    EXPECT(submit(contexts.front()), 0);
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{contexts.front(), 0});
    EXPECT(submit(contexts.back()), 0);
    for (std::size_t i = 1; i < contexts.size(); ++i)
        ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{contexts[i], 0});
    close_buffer(file, batch);
}

/// Buffers of 64 GB that nobody touches, up to ENOMEM.
void of_buffers_without_end(int file, std::uint32_t number) {
    constexpr std::uint64_t kBytes = std::uint64_t{64} << 30;
    constexpr auto kMost = gen9::drm::kMaxBufferMemory / gen9::drm::memory_of(kBytes);
    Batch batch(file, 0x1000);
    EXPECT(batch.submit(number), 0);
    std::vector<std::uint32_t> buffers;
    const auto submit = [&] {
        drm_i915_gem_exec_object2 objects[2]{};
        objects[0].handle = buffers.back();
        objects[0].offset = buffers.size() * kBytes;
        objects[1].handle = batch.handle();
        objects[1].offset = 0x1000;
        objects[0].flags = objects[1].flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
        drm_i915_gem_execbuffer2 a{};
        a.buffers_ptr = address_of(objects);
        a.buffer_count = 2;
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    int error = 0;
    while (buffers.size() < 100 && error == 0) {
        buffers.push_back(make_buffer(file, kBytes));
        error = submit();
    }
    EXPECT(error, ENOMEM);
    EXPECT(buffers.size(), kMost + 1);
    close_buffer(file, buffers.front());
    EXPECT(submit(), 0);
    for (std::size_t i = 1; i < buffers.size(); ++i)
        close_buffer(file, buffers[i]);
    EXPECT(batch.submit(number + 1), 0);
    EXPECT(batch.result(), number + 1);
}

}  // namespace

void of_limits() {
    const int file = open_device();
    of_contexts_without_end(file);
    of_buffers_without_end(file, 4711);
    close(file);
}

}  // namespace requests
