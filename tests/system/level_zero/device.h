// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace level_zero {

inline void check(ze_result_t result, const char* what) {
    if (result == ZE_RESULT_SUCCESS) return;
    std::fprintf(stderr, "%s: 0x%x\n", what, static_cast<unsigned>(result));
    std::exit(1);
}

/// The first device, and a context on it.
struct Device {
    Device() {
        check(zeInit(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
        std::uint32_t one = 1;
        ze_driver_handle_t driver;
        check(zeDriverGet(&one, &driver), "zeDriverGet");
        check(zeDeviceGet(driver, &one, &device), "zeDeviceGet");
        const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
        check(zeContextCreate(driver, &desc, &context), "zeContextCreate");
    }
    /// A list whose commands are submitted as they are appended.
    ze_command_list_handle_t immediate_list(ze_command_queue_mode_t mode) const {
        ze_command_queue_desc_t queue{};
        queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        queue.mode = mode;
        ze_command_list_handle_t list;
        check(zeCommandListCreateImmediate(context, device, &queue, &list),
              "zeCommandListCreateImmediate");
        return list;
    }
    void* host_memory(std::size_t bytes) const {
        ze_host_mem_alloc_desc_t desc{};
        desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
        void* memory;
        check(zeMemAllocHost(context, &desc, bytes, 64, &memory), "zeMemAllocHost");
        return memory;
    }

    ze_device_handle_t device;
    ze_context_handle_t context;
};

}  // namespace level_zero
