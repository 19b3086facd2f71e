// SPDX-License-Identifier: Apache-2.0
#include <drm.h>
#include <i915_drm.h>

#include <cerrno>
#include <cstddef>

#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

constexpr std::int64_t kMaxPriority = I915_CONTEXT_MAX_USER_PRIORITY;
constexpr std::size_t kMaxEngines = I915_EXEC_RING_MASK + 1;

int set_engines(Context& context, const drm_i915_gem_context_param& a) {
    if (a.size == 0) {
        context.has_engines = false;
        context.engines.clear();
        return 0;
    }
    constexpr std::size_t kHead = offsetof(i915_context_param_engines, engines);
    if (a.size < kHead || (a.size - kHead) % sizeof(EngineSlot) != 0) return EINVAL;
    const std::size_t count = (a.size - kHead) / sizeof(EngineSlot);
    if (count > kMaxEngines) return EINVAL;
    std::vector<i915_engine_class_instance> given;
    if (!a.value || !copy_in(a.value + kHead, count, given)) return EFAULT;
    std::vector<EngineSlot> engines;
    for (const auto& engine : given) {
        const bool none = engine.engine_class == static_cast<__u16>(I915_ENGINE_CLASS_INVALID);
        const bool exists =
            engine.engine_instance == 0 && engine.engine_class <= I915_ENGINE_CLASS_VIDEO_ENHANCE;
        if (!none && !exists) return ENOENT;
        engines.push_back({engine.engine_class, engine.engine_instance});
    }
    context.engines = std::move(engines);
    context.has_engines = true;
    return 0;
}

int set_vm(File& file, Context& context, std::uint64_t id) {
    const auto vm = file.vms.find(static_cast<std::uint32_t>(id));
    if (id >> 32 || !vm) return ENOENT;
    context.vm = vm;
    return 0;
}

int set_parameter(File& file, Context& context, const drm_i915_gem_context_param& a) {
    const auto value = static_cast<std::int64_t>(a.value);
    if (a.param != I915_CONTEXT_PARAM_ENGINES && a.param != I915_CONTEXT_PARAM_SSEU && a.size != 0)
        return EINVAL;
    switch (a.param) {
        case I915_CONTEXT_PARAM_RECOVERABLE:
            context.recoverable = value != 0;
            return 0;
        case I915_CONTEXT_PARAM_BANNABLE:
            context.bannable = value != 0;
            return 0;
        case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
            context.no_error_capture = value != 0;
            return 0;
        case I915_CONTEXT_PARAM_PERSISTENCE:
            context.persistent = value != 0;
            return 0;
        case I915_CONTEXT_PARAM_PRIORITY:
            if (value > kMaxPriority || value < -kMaxPriority) return EINVAL;
            if (value > 0) return EPERM;
            context.priority = value;
            return 0;
        case I915_CONTEXT_PARAM_VM:
            return set_vm(file, context, a.value);
        case I915_CONTEXT_PARAM_ENGINES:
            return set_engines(context, a);
        case I915_CONTEXT_PARAM_SSEU:
            return 0;
        case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
            return ENODEV;
        default:
            return EINVAL;
    }
}

int get_sseu(const Facts& facts, drm_i915_gem_context_param& a) {
    drm_i915_gem_context_param_sseu sseu{};
    if (a.size == 0) {
        a.size = sizeof sseu;
        return 0;
    }
    if (a.size < sizeof sseu) return EINVAL;
    if (!copy_in(a.value, sseu)) return EFAULT;
    sseu.slice_mask = (1u << facts.slices) - 1;
    sseu.subslice_mask = (1u << facts.subslices) - 1;
    sseu.min_eus_per_subslice = sseu.max_eus_per_subslice = static_cast<__u16>(facts.eus);
    a.size = sizeof sseu;
    return copy_out(a.value, sseu) ? 0 : EFAULT;
}

int get_parameter(Call& call, Context& context, drm_i915_gem_context_param& a) {
    if (a.param == I915_CONTEXT_PARAM_SSEU) return get_sseu(call.all.facts, a);
    a.size = 0;
    switch (a.param) {
        case I915_CONTEXT_PARAM_GTT_SIZE:
            a.value = kAddressSpaceBytes;
            return 0;
        case I915_CONTEXT_PARAM_RECOVERABLE:
            a.value = context.recoverable;
            return 0;
        case I915_CONTEXT_PARAM_BANNABLE:
            a.value = context.bannable;
            return 0;
        case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
            a.value = context.no_error_capture;
            return 0;
        case I915_CONTEXT_PARAM_PERSISTENCE:
            a.value = context.persistent;
            return 0;
        case I915_CONTEXT_PARAM_PRIORITY:
            a.value = static_cast<__u64>(context.priority);
            return 0;
        case I915_CONTEXT_PARAM_VM:
            a.value = call.file.vms.add(context.vm);
            return 0;
        default:
            return EINVAL;
    }
}

int create(Call& call) {
    auto& a = call.as<drm_i915_gem_context_create_ext>();
    auto context = std::make_shared<Context>();
    context->vm = call.all.make_vm();
    const bool extended = call.size >= sizeof a;
    if (extended && (a.flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)) return EINVAL;
    if (extended && (a.flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS)) {
        unsigned left = kMaxExtensions;
        for (std::uint64_t next = a.extensions; next;) {
            if (left-- == 0) return E2BIG;
            drm_i915_gem_context_create_ext_setparam set;
            if (!copy_in(next, set.base)) return EFAULT;
            if (set.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM) return EINVAL;
            if (!copy_in(next, set)) return EFAULT;
            if (const int error = set_parameter(call.file, *context, set.param)) return error;
            next = set.base.next_extension;
        }
    }
    a.ctx_id = call.file.contexts.add(std::move(context));
    return 0;
}

}  // namespace

int answer_context(Call& call, unsigned number) {
    switch (number) {
        case DRM_I915_GEM_CONTEXT_CREATE:
            return create(call);
        case DRM_I915_GEM_CONTEXT_DESTROY:
            return call.file.contexts.remove(call.as<drm_i915_gem_context_destroy>().ctx_id)
                       ? 0
                       : ENOENT;
        case DRM_I915_GEM_VM_CREATE: {
            auto& a = call.as<drm_i915_gem_vm_control>();
            if (a.flags || a.extensions) return EINVAL;
            a.vm_id = call.file.vms.add(call.all.make_vm());
            return 0;
        }
        case DRM_I915_GEM_VM_DESTROY:
            return call.file.vms.remove(call.as<drm_i915_gem_vm_control>().vm_id) ? 0 : ENOENT;
        default:
            break;
    }
    auto& a = call.as<drm_i915_gem_context_param>();
    const auto context = call.file.context(a.ctx_id);
    if (!context) return ENOENT;
    return number == DRM_I915_GEM_CONTEXT_SETPARAM ? set_parameter(call.file, *context, a)
                                                   : get_parameter(call, *context, a);
}

}  // namespace gen9::drm
