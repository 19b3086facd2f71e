// SPDX-License-Identifier: Apache-2.0
#include "tests/system/drm/requests/requests.h"

#include <cstring>

namespace requests {

void of_the_device(int file) {
    char name[8]{};
    drm_version version{};
    version.name = name;
    version.name_len = sizeof name;
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, &version), 0);
    EXPECT(std::strcmp(name, "i915"), 0);
    version.name = static_cast<char*>(nowhere());
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, &version), EFAULT);
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, nowhere()), EFAULT);
    EXPECT(errno_of(file, DRM_IOCTL_VERSION, nullptr), EFAULT);

    int value = -1;
    ASK(DRM_IOCTL_I915_GETPARAM, 0, drm_i915_getparam{I915_PARAM_HAS_EXEC_SOFTPIN, &value});
    EXPECT(value, 1);
    ASK(DRM_IOCTL_I915_GETPARAM, EINVAL, drm_i915_getparam{9999, &value});
    ASK(DRM_IOCTL_I915_GETPARAM, EFAULT,
        drm_i915_getparam{I915_PARAM_CHIPSET_ID, static_cast<int*>(nowhere())});

    drm_i915_query_item items[2]{};
    items[0].query_id = DRM_I915_QUERY_TOPOLOGY_INFO;
    items[1].query_id = 77;
    ASK(DRM_IOCTL_I915_QUERY, 0, drm_i915_query{2, 0, address_of(items)});
    EXPECT(items[0].length > 16, true);
    EXPECT(items[1].length, -EINVAL);
    items[0].data_ptr = 16;
    ASK(DRM_IOCTL_I915_QUERY, 0, drm_i915_query{1, 0, address_of(items)});
    EXPECT(items[0].length, -EFAULT);
    ASK(DRM_IOCTL_I915_QUERY, EFAULT, drm_i915_query{1, 0, 16});
    ASK(DRM_IOCTL_I915_QUERY, EINVAL, drm_i915_query{1, 1, address_of(items)});

    ASK(DRM_IOCTL_I915_REG_READ, 0, drm_i915_reg_read{0x2358 | 1, 0});
    ASK(DRM_IOCTL_I915_REG_READ, EINVAL, drm_i915_reg_read{0x2000, 0});
    ASK(DRM_IOCTL_GET_CAP, EOPNOTSUPP, drm_get_cap{0xFFFF, 0});
    ASK(DRM_IOCTL_AUTH_MAGIC, EACCES, drm_auth{1});
    ASK(DRM_IOCTL_MODE_GETRESOURCES, EACCES, drm_mode_card_res{});
    ASK(DRM_IOCTL_I915_PERF_OPEN, EINVAL, drm_i915_perf_open_param{});
    ASK(DRM_IO(0x3F), EINVAL, 0);
    EXPECT(errno_of(file, _IO('x', 1), nullptr), ENOTTY);
}

void of_contexts(int file) {
    drm_i915_gem_context_create made{};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &made), 0);
    const std::uint32_t id = made.ctx_id;
    const auto set = [&](std::uint64_t which, std::uint64_t value, std::uint32_t of) {
        drm_i915_gem_context_param a{};
        a.ctx_id = of;
        a.param = which;
        a.value = value;
        return errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &a);
    };
    const auto below = [](int priority) { return static_cast<std::uint64_t>(priority); };
    EXPECT(set(I915_CONTEXT_PARAM_RECOVERABLE, 0, id), 0);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, below(-512), id), 0);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, 1, id), EPERM);
    EXPECT(set(I915_CONTEXT_PARAM_PRIORITY, 2000, id), EINVAL);
    EXPECT(set(I915_CONTEXT_PARAM_VM, 4711, id), ENOENT);
    EXPECT(set(999, 0, id), EINVAL);
    EXPECT(set(I915_CONTEXT_PARAM_RECOVERABLE, 0, 4711), ENOENT);

    I915_DEFINE_CONTEXT_PARAM_ENGINES(engines, 2) = {
        0, {{I915_ENGINE_CLASS_RENDER, 0}, {I915_ENGINE_CLASS_RENDER, 0}}};
    drm_i915_gem_context_create_ext_setparam part{};
    part.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM;
    part.param.param = I915_CONTEXT_PARAM_ENGINES;
    part.param.size = sizeof engines;
    part.param.value = address_of(&engines);
    drm_i915_gem_context_create_ext chain{};
    chain.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS;
    chain.extensions = address_of(&part);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), 0);
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{chain.ctx_id, 0});
    part.param.value = 16;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EFAULT);
    engines.engines[1].engine_class = I915_ENGINE_CLASS_VIDEO_ENHANCE + 1;
    part.param.value = address_of(&engines);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), ENOENT);
    engines.engines[1].engine_class = I915_ENGINE_CLASS_RENDER;
    part.base.next_extension = address_of(&part);  // a chain without an end
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), E2BIG);
    chain.extensions = 16;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EFAULT);
    part.base = {};
    part.base.name = 99;
    chain.extensions = address_of(&part);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &chain), EINVAL);

    drm_i915_reset_stats stats{};
    stats.ctx_id = id;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
    EXPECT(stats.batch_active, 0);
    stats.ctx_id = 4711;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GET_RESET_STATS, &stats), ENOENT);
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, 0, drm_i915_gem_context_destroy{id, 0});
    ASK(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, ENOENT, drm_i915_gem_context_destroy{id, 0});
    ASK(DRM_IOCTL_I915_GEM_VM_CREATE, EINVAL, drm_i915_gem_vm_control{0, 1, 0});
    ASK(DRM_IOCTL_I915_GEM_VM_DESTROY, ENOENT, drm_i915_gem_vm_control{0, 0, 4711});
}

}  // namespace requests
