// SPDX-License-Identifier: Apache-2.0
/// A device of Vulkan's, with all that it can, and memory that both sides see.
#pragma once
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/system/drm/mesa/vulkan_extensions.h"

namespace vulkan {

inline void check(VkResult result, const char* what) {
    if (result == VK_SUCCESS) return;
    std::fprintf(stderr, "%s failed (%d)\n", what, result);
    std::exit(1);
}

/// A structure of Vulkan's with its type set and all else zero.
template <class T>
T make(VkStructureType type) {
    T made{};
    made.sType = type;
    return made;
}

/// A program wants this beside what every one gets.
struct Wishes {
    std::vector<const char*> extensions{};        ///< those that are offered are switched on
    std::vector<VkBaseOutStructure*> features{};  ///< of extensions that are offered
    const void* of_queue = nullptr;               ///< a chain behind the queue's creation
    bool robust_images = false, robust_buffers = false;
    bool robust_2 = false;  ///< both, by VK_EXT_robustness2
};

struct Machine {
    VkInstance instance{};
    VkPhysicalDevice physical{};
    VkDevice device{};
    VkQueue queue{};
    VkCommandPool commands{};
    bool captures = false;  ///< it has VK_EXT_transform_feedback
    bool chooses = false;   ///< it has VK_EXT_conditional_rendering

    /// Ends the program unless the device's name has `wanted` in it: Mesa takes a driver on the
    /// processor without a word.
    /// `computes_only`: its queue is of a family that does not draw.
    explicit Machine(const char* wanted, bool computes_only = false, const Wishes& wishes = {}) {
        auto application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
        application.apiVersion = VK_API_VERSION_1_3;
        auto of_instance = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
        of_instance.pApplicationInfo = &application;
        check(vkCreateInstance(&of_instance, nullptr, &instance), "vkCreateInstance");
        std::uint32_t count = 1;
        vkEnumeratePhysicalDevices(instance, &count, &physical);
        if (count == 0) check(VK_ERROR_DEVICE_LOST, "finding a device");
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(physical, &properties);
        std::printf("%s\n", properties.deviceName);
        if (!std::strstr(properties.deviceName, wanted))
            check(VK_ERROR_INCOMPATIBLE_DRIVER, "finding the driver");

        VkQueueFamilyProperties families[8];
        count = 8;
        vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
        std::uint32_t family = 0;
        while (computes_only && family < count &&
               (families[family].queueFlags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT)) !=
                   VK_QUEUE_COMPUTE_BIT)
            ++family;
        if (family >= count) check(VK_ERROR_FEATURE_NOT_PRESENT, "finding a queue");

        const float priority = 1;
        auto of_queue = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        of_queue.pNext = wishes.of_queue;
        of_queue.queueFamilyIndex = family;
        of_queue.queueCount = 1;
        of_queue.pQueuePriorities = &priority;
        auto of13 = make<VkPhysicalDeviceVulkan13Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
        auto of12 = make<VkPhysicalDeviceVulkan12Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
        auto of11 = make<VkPhysicalDeviceVulkan11Features>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
        auto all = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
        auto of_capture = make<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT);
        auto of_choice = make<VkPhysicalDeviceConditionalRenderingFeaturesEXT>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT);
        OfExtensions more;
        std::vector<const char*> extensions;
        const auto add = [&](const char* name, auto& features) {
            if (!offers(name)) return false;
            extensions.push_back(name);
            features.pNext = of13.pNext;
            of13.pNext = &features;
            return true;
        };
        captures = add(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, of_capture);
        chooses = add(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME, of_choice);
        more.each(add);
        for (const char* const name : kWithoutFeatures)
            if (offers(name)) extensions.push_back(name);
        for (const char* const name : wishes.extensions)
            if (offers(name)) extensions.push_back(name);
        for (VkBaseOutStructure* const features : wishes.features) {
            features->pNext = static_cast<VkBaseOutStructure*>(of13.pNext);
            of13.pNext = features;
        }
        of12.pNext = &of13;
        of11.pNext = &of12;
        all.pNext = &of11;
        vkGetPhysicalDeviceFeatures2(physical, &all);
        all.features.robustBufferAccess &= wishes.robust_buffers || wishes.robust_2;
        of13.robustImageAccess &= wishes.robust_images || wishes.robust_2;
        more.robustness.robustBufferAccess2 &= wishes.robust_2;
        more.robustness.robustImageAccess2 &= wishes.robust_2;
        auto of_device = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
        of_device.pNext = &all;
        of_device.queueCreateInfoCount = 1;
        of_device.pQueueCreateInfos = &of_queue;
        of_device.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        of_device.ppEnabledExtensionNames = extensions.data();
        check(vkCreateDevice(physical, &of_device, nullptr, &device), "vkCreateDevice");
        vkGetDeviceQueue(device, family, 0, &queue);
        auto of_pool = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        of_pool.queueFamilyIndex = family;
        check(vkCreateCommandPool(device, &of_pool, nullptr, &commands), "a command pool");
    }
    ~Machine() {
        vkDeviceWaitIdle(device);
        vkDestroyCommandPool(device, commands, nullptr);
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    bool offers(const char* extension) const {
        std::uint32_t count = 0;
        vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
        std::vector<VkExtensionProperties> all(count);
        vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, all.data());
        return std::ranges::any_of(all, [&](const VkExtensionProperties& offered) {
            return std::strcmp(offered.extensionName, extension) == 0;
        });
    }

    /// Memory of a kind that fits and has `properties`.
    VkDeviceMemory memory(const VkMemoryRequirements& wanted, VkMemoryPropertyFlags properties,
                          bool addressed = false) const {
        VkPhysicalDeviceMemoryProperties types;
        vkGetPhysicalDeviceMemoryProperties(physical, &types);
        auto flags = make<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        auto place = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
        if (addressed) place.pNext = &flags;
        place.allocationSize = wanted.size;
        for (std::uint32_t i = types.memoryTypeCount; i-- > 0;)
            if ((wanted.memoryTypeBits >> i & 1) &&
                (types.memoryTypes[i].propertyFlags & properties) == properties)
                place.memoryTypeIndex = i;
        VkDeviceMemory made{};
        check(vkAllocateMemory(device, &place, nullptr, &made), "memory");
        return made;
    }

    VkSemaphore semaphore(bool line) const {
        auto type = make<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
        type.semaphoreType = line ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
        auto info = make<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
        info.pNext = &type;
        VkSemaphore made{};
        check(vkCreateSemaphore(device, &info, nullptr, &made), "a semaphore");
        return made;
    }
};

/// Memory that both sides see.
struct Words {
    VkBuffer buffer{};
    std::uint32_t* data = nullptr;

    Words(const Machine& m, std::uint32_t count, VkBufferUsageFlags usage) {
        auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
        info.size = std::uint64_t{count} * 4;
        info.usage = usage;
        check(vkCreateBuffer(m.device, &info, nullptr, &buffer), "a buffer");
        VkMemoryRequirements wanted;
        vkGetBufferMemoryRequirements(m.device, buffer, &wanted);
        const VkDeviceMemory memory = m.memory(
            wanted, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
            usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
        check(vkBindBufferMemory(m.device, buffer, memory, 0), "a buffer's memory");
        void* at = nullptr;
        check(vkMapMemory(m.device, memory, 0, VK_WHOLE_SIZE, 0, &at), "a map");
        data = static_cast<std::uint32_t*>(at);
    }
};

}  // namespace vulkan
