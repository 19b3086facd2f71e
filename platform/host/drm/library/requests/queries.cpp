// SPDX-License-Identifier: Apache-2.0
#include <drm.h>
#include <i915_drm.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

std::uint32_t ones(std::uint32_t count) {
    return (1u << count) - 1;
}

using Bytes = std::vector<std::uint8_t>;

template <class T>
void append(Bytes& bytes, const T& value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

/// Masks of slices, of each slice's subslices and of each subslice's EUs, a byte each.
Bytes topology(const Facts& facts) {
    drm_i915_query_topology_info info{};
    info.max_slices = static_cast<__u16>(facts.slices);
    info.max_subslices = static_cast<__u16>(facts.subslices);
    info.max_eus_per_subslice = static_cast<__u16>(facts.eus);
    info.subslice_offset = 1;
    info.subslice_stride = 1;
    info.eu_offset = static_cast<__u16>(1 + facts.slices);
    info.eu_stride = 1;
    Bytes bytes;
    append(bytes, info);
    bytes.push_back(static_cast<std::uint8_t>(ones(facts.slices)));
    bytes.insert(bytes.end(), facts.slices, static_cast<std::uint8_t>(ones(facts.subslices)));
    bytes.insert(bytes.end(), std::size_t{facts.slices} * facts.subslices,
                 static_cast<std::uint8_t>(ones(facts.eus)));
    return bytes;
}

Bytes engines() {
    Bytes bytes;
    drm_i915_query_engine_info info{};
    constexpr drm_i915_gem_engine_class kTypes[] = {I915_ENGINE_CLASS_RENDER,
                                                    I915_ENGINE_CLASS_COPY, I915_ENGINE_CLASS_VIDEO,
                                                    I915_ENGINE_CLASS_VIDEO_ENHANCE};
    info.num_engines = std::size(kTypes);
    append(bytes, info);
    for (const auto type : kTypes) {
        drm_i915_engine_info engine{};
        engine.engine.engine_class = static_cast<__u16>(type);
        append(bytes, engine);
    }
    return bytes;
}

Bytes regions(const Facts& facts) {
    Bytes bytes;
    drm_i915_query_memory_regions info{};
    info.num_regions = 1;
    append(bytes, info);
    drm_i915_memory_region_info region{};
    region.region.memory_class = I915_MEMORY_CLASS_SYSTEM;
    region.probed_size = region.unallocated_size = facts.memory_bytes;
    append(bytes, region);
    return bytes;
}

int answer_item(const Facts& facts, const drm_i915_query_item& item) {
    Bytes bytes;
    switch (item.query_id) {
        case DRM_I915_QUERY_TOPOLOGY_INFO:
            bytes = topology(facts);
            break;
        case DRM_I915_QUERY_ENGINE_INFO:
            bytes = engines();
            break;
        case DRM_I915_QUERY_MEMORY_REGIONS:
            bytes = regions(facts);
            break;
        case DRM_I915_QUERY_PERF_CONFIG:
            return query_counters(item);
        default:
            return -EINVAL;
    }
    if (item.flags != 0) return -EINVAL;
    const int size = static_cast<int>(bytes.size());
    if (item.length == 0) return size;
    if (item.length < size) return -EINVAL;
    if (!item.data_ptr) return -EFAULT;
    if (!copy_out(item.data_ptr, bytes.data(), bytes.size())) return -EFAULT;
    return size;
}

/// Younger than the header (Public: Linux 6.2).
constexpr int kOaTimestampFrequency = 57;

/// -1: there is no such parameter.
int parameter(const Facts& facts, int which) {
    switch (which) {
        case I915_PARAM_CHIPSET_ID:
            return static_cast<int>(facts.device_id);
        case I915_PARAM_REVISION:
            return static_cast<int>(facts.revision);
        case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        case kOaTimestampFrequency:
            return static_cast<int>(facts.timestamp_hz);
        case I915_PARAM_SLICE_MASK:
            return static_cast<int>(ones(facts.slices));
        case I915_PARAM_SUBSLICE_MASK:
            return static_cast<int>(ones(facts.subslices));
        case I915_PARAM_SUBSLICE_TOTAL:
            return static_cast<int>(facts.slices * facts.subslices);
        case I915_PARAM_EU_TOTAL:
            return static_cast<int>(facts.slices * facts.subslices * facts.eus);
        case I915_PARAM_NUM_FENCES_AVAIL:
            return 32;
        case I915_PARAM_HAS_ALIASING_PPGTT:
            return 3;  // 48 bits
        case I915_PARAM_CMD_PARSER_VERSION:
            return 10;
        case I915_PARAM_HAS_GPU_RESET:
            return 2;
        case I915_PARAM_MMAP_GTT_VERSION:
            return 4;
        case I915_PARAM_HAS_SCHEDULER:
            return 0x1F;
        case I915_PARAM_HAS_GEM:
        case I915_PARAM_HAS_BSD:
        case I915_PARAM_HAS_BLT:
        case I915_PARAM_HAS_VEBOX:
        case I915_PARAM_HAS_RELAXED_FENCING:
        case I915_PARAM_HAS_COHERENT_RINGS:
        case I915_PARAM_HAS_RELAXED_DELTA:
        case I915_PARAM_HAS_LLC:
        case I915_PARAM_HAS_WAIT_TIMEOUT:
        case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
        case I915_PARAM_HAS_SEMAPHORES:
        case I915_PARAM_HAS_EXECBUF2:
        case I915_PARAM_HAS_EXEC_NO_RELOC:
        case I915_PARAM_HAS_EXEC_HANDLE_LUT:
        case I915_PARAM_MMAP_VERSION:
        case I915_PARAM_HAS_EXEC_SOFTPIN:
        case I915_PARAM_HAS_EXEC_ASYNC:
        case I915_PARAM_HAS_EXEC_FENCE:
        case I915_PARAM_HAS_EXEC_CAPTURE:
        case I915_PARAM_HAS_EXEC_BATCH_FIRST:
        case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
        case I915_PARAM_HAS_CONTEXT_ISOLATION:
        case I915_PARAM_MMAP_GTT_COHERENT:
        case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
        case I915_PARAM_HAS_USERPTR_PROBE:
            return 1;
        case I915_PARAM_HAS_BSD2:
        case I915_PARAM_HAS_RESOURCE_STREAMER:
        case I915_PARAM_HAS_POOLED_EU:
        case I915_PARAM_HAS_SECURE_BATCHES:
        case I915_PARAM_HAS_WT:
            return 0;
        case I915_PARAM_PERF_REVISION:
            return 5;
        default:
            return -1;
    }
}

}  // namespace

int answer_parameter(Call& call) {
    auto& a = call.as<drm_i915_getparam>();
    const int value = parameter(call.all.facts, a.param);
    if (value < 0) return EINVAL;
    return copy_out(reinterpret_cast<std::uintptr_t>(a.value), value) ? 0 : EFAULT;
}

int answer_query(Call& call) {
    auto& a = call.as<drm_i915_query>();
    if (a.flags) return EINVAL;
    for (std::uint32_t i = 0; i < a.num_items; ++i) {
        const std::uint64_t place = a.items_ptr + i * sizeof(drm_i915_query_item);
        drm_i915_query_item item;
        if (!copy_in(place, item)) return EFAULT;
        item.length = answer_item(call.all.facts, item);
        if (!copy_out(place, item)) return EFAULT;
    }
    return 0;
}

}  // namespace gen9::drm
