// SPDX-License-Identifier: Apache-2.0
// Memory, fences and semaphores that devices and the host share; clocks, priorities and budgets.
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

constexpr auto kStoredWords = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

/// What `sums` leaves, of what was there before.
std::uint32_t sum_of(const Lab& lab, std::uint32_t before, std::uint32_t i) {
    return before * 3 + lab.from.data[i] + i;
}
/// `sums` on a buffer instead of the lab's result.
void record_sums(Lab& lab, VkCommandBuffer c, VkBuffer to) {
    const VkDescriptorSet set = lab.set(lab.words_layout);
    lab.give(set, 0, kStoredWords, lab.from.buffer);
    lab.give(set, 1, kStoredWords, to);
    lab.dispatch(c, lab.pipeline("sums", lab.words_only), lab.words_only, {set}, kItems / kGroup);
}
std::uint32_t first_of(std::uint32_t bits) {
    return static_cast<std::uint32_t>(__builtin_ctz(bits));
}

VkBuffer shared_buffer(const Lab& lab, VkExternalMemoryHandleTypeFlags type) {
    auto outer = make<VkExternalMemoryBufferCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    outer.handleTypes = type;
    auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.pNext = &outer;
    info.size = 4 * kWords;
    info.usage = kStorage;
    VkBuffer made{};
    check(vkCreateBuffer(lab.m.device, &info, nullptr, &made), "a buffer");
    return made;
}
VkMemoryRequirements needs(const Lab& lab, VkBuffer buffer) {
    VkMemoryRequirements wanted;
    vkGetBufferMemoryRequirements(lab.m.device, buffer, &wanted);
    return wanted;
}
VkDeviceMemory memory(const Lab& lab, VkDeviceSize size, std::uint32_t types, const void* chain) {
    auto info = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext = chain;
    info.allocationSize = size;
    info.memoryTypeIndex = first_of(types);
    VkDeviceMemory made{};
    check(vkAllocateMemory(lab.m.device, &info, nullptr, &made), "shared memory");
    return made;
}

/// Memory of the program's own.
void host_memory(Lab& lab) {
    constexpr auto kType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    auto of_host = make<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT);
    auto properties =
        make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &of_host;
    vkGetPhysicalDeviceProperties2(lab.m.physical, &properties);
    const std::size_t page = of_host.minImportedHostPointerAlignment, bytes = 4 * kWords;
    lab.expect(page > 0 && bytes % page == 0, "pages of the host");
    auto* const words = static_cast<std::uint32_t*>(std::aligned_alloc(page, bytes));
    for (std::uint32_t i = 0; i < kWords; ++i)
        words[i] = 7 * i;
    auto of_pointer = make<VkMemoryHostPointerPropertiesEXT>(
        VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT);
    check(lab.function<PFN_vkGetMemoryHostPointerPropertiesEXT>(
              "vkGetMemoryHostPointerPropertiesEXT")(lab.m.device, kType, words, &of_pointer),
          "properties of a pointer");
    auto import = make<VkImportMemoryHostPointerInfoEXT>(
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    import.handleType = kType;
    import.pHostPointer = words;
    const VkBuffer buffer = shared_buffer(lab, kType);
    const VkDeviceMemory made =
        memory(lab, bytes, of_pointer.memoryTypeBits & needs(lab, buffer).memoryTypeBits, &import);
    check(vkBindBufferMemory(lab.m.device, buffer, made, 0), "memory of the host's");
    lab.submit([&](VkCommandBuffer c) { record_sums(lab, c, buffer); });
    for (std::uint32_t i = 0; i < kWords; ++i)
        lab.expect(words[i] == (i < kItems ? sum_of(lab, 7 * i, i) : 7 * i),
                   "word " + std::to_string(i) + " of the host's");
    vkDestroyBuffer(lab.m.device, buffer, nullptr);
    vkFreeMemory(lab.m.device, made, nullptr);
    std::free(words);
}

VkSemaphore semaphore(const Lab& lab, VkExternalSemaphoreHandleTypeFlags type, bool line) {
    auto outer = make<VkExportSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    outer.handleTypes = type;
    auto kind = make<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    kind.pNext = type ? &outer : nullptr;
    kind.semaphoreType = line ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
    auto info = make<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &kind;
    VkSemaphore made{};
    check(vkCreateSemaphore(lab.m.device, &info, nullptr, &made), "a semaphore");
    return made;
}
void submit(Lab& lab, VkCommandBuffer commands, VkSemaphore after, VkSemaphore then,
            VkFence fence = VK_NULL_HANDLE, std::uint64_t point = 0) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    auto lines =
        make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    lines.waitSemaphoreValueCount = after ? 1 : 0;
    lines.signalSemaphoreValueCount = then ? 1 : 0;
    lines.pWaitSemaphoreValues = lines.pSignalSemaphoreValues = &point;
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    if (point) info.pNext = &lines;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.waitSemaphoreCount = lines.waitSemaphoreValueCount;
    info.pWaitSemaphores = &after;
    info.pWaitDstStageMask = &stage;
    info.signalSemaphoreCount = lines.signalSemaphoreValueCount;
    info.pSignalSemaphores = &then;
    check(vkQueueSubmit(lab.m.queue, 1, &info, fence), "a submission");
}
void hand_over(const Lab& from, VkSemaphore given, const Lab& to, VkSemaphore taker,
               VkExternalSemaphoreHandleTypeFlagBits type) {
    auto get = make<VkSemaphoreGetFdInfoKHR>(VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
    get.semaphore = given;
    get.handleType = type;
    auto put = make<VkImportSemaphoreFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR);
    check(
        from.function<PFN_vkGetSemaphoreFdKHR>("vkGetSemaphoreFdKHR")(from.m.device, &get, &put.fd),
        "a semaphore's descriptor");
    put.semaphore = taker;
    put.handleType = type;
    if (type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT)
        put.flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
    check(to.function<PFN_vkImportSemaphoreFdKHR>("vkImportSemaphoreFdKHR")(to.m.device, &put),
          "a semaphore of a descriptor");
}

/// One device's memory is another's too, by a descriptor; they take turns by semaphores.
void two_devices(Lab& lab) {
    const Machine machine("", false,
                          {.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                          VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME}});
    Lab other(machine, lab.shaders);
    constexpr auto kType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    const VkBuffer own = shared_buffer(lab, kType), its = shared_buffer(other, kType);
    const VkMemoryRequirements wanted = needs(lab, own);
    auto out = make<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    out.handleTypes = kType;
    auto get = make<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    get.memory = memory(lab, wanted.size, wanted.memoryTypeBits, &out);
    get.handleType = kType;
    auto in = make<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    in.handleType = kType;
    check(lab.function<PFN_vkGetMemoryFdKHR>("vkGetMemoryFdKHR")(lab.m.device, &get, &in.fd),
          "a memory's descriptor");
    const VkDeviceMemory taken = memory(other, wanted.size, wanted.memoryTypeBits, &in);
    check(vkBindBufferMemory(lab.m.device, own, get.memory, 0), "memory");
    check(vkBindBufferMemory(machine.device, its, taken, 0), "memory of a descriptor");

    constexpr auto kSync = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    constexpr auto kWhole = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    VkCommandBuffer c = lab.begin();
    vkCmdFillBuffer(c, own, 0, VK_WHOLE_SIZE, 5);
    lab.barrier(c);
    record_sums(lab, c, own);
    lab.end(c);
    // A moment of the first device's, which the second waits for.
    const VkSemaphore first = semaphore(lab, kSync, false), then = semaphore(other, 0, false);
    submit(lab, c, VK_NULL_HANDLE, first);
    hand_over(lab, first, other, then, kSync);
    // One semaphore of both, back.
    const VkSemaphore second = semaphore(other, kWhole, false), back = semaphore(lab, 0, false);
    hand_over(other, second, lab, back, kWhole);
    c = other.begin();
    record_sums(other, c, its);
    other.end(c);
    submit(other, c, then, second);
    // A time line of both.
    const VkSemaphore line = semaphore(lab, kWhole, true), end = semaphore(other, 0, true);
    hand_over(lab, line, other, end, kWhole);
    c = lab.begin();
    record_sums(lab, c, own);
    lab.end(c);
    submit(lab, c, back, line, VK_NULL_HANDLE, 9);
    const std::uint64_t point = 9;
    auto wait = make<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    wait.semaphoreCount = 1;
    wait.pSemaphores = &end;
    wait.pValues = &point;
    check(vkWaitSemaphores(machine.device, &wait, UINT64_MAX), "a time line of two devices");
    // What the second device sees in the end.
    other.submit([&](VkCommandBuffer copies) {
        const VkBufferCopy all{0, 0, 4 * kWords};
        vkCmdCopyBuffer(copies, its, other.to.buffer, 1, &all);
    });
    for (std::uint32_t i = 0; i < kWords; ++i) {
        std::uint32_t value = 5;
        for (int k = 0; i < kItems && k < 3; ++k)
            value = sum_of(lab, value, i);
        other.expect_word(i, value);
    }
    lab.expect(other.wrong.empty(), other.wrong);
    lab.dispatches += other.dispatches;
    check(vkQueueWaitIdle(lab.m.queue), "waiting for the queue");
}

/// A fence waits for another's submission: as one object, and as a moment that is handed over.
void fences(Lab& lab) {
    const auto get_fd = lab.function<PFN_vkGetFenceFdKHR>("vkGetFenceFdKHR");
    const auto import = lab.function<PFN_vkImportFenceFdKHR>("vkImportFenceFdKHR");
    std::uint32_t times = 0;
    for (const auto type :
         {VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT}) {
        const bool whole = type == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
        auto outer = make<VkExportFenceCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO);
        outer.handleTypes = type;
        auto info = make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
        VkFence taker{}, given{};
        check(vkCreateFence(lab.m.device, &info, nullptr, &taker), "a fence");
        info.pNext = &outer;
        check(vkCreateFence(lab.m.device, &info, nullptr, &given), "a fence");
        const auto hand_over = [&] {
            auto get = make<VkFenceGetFdInfoKHR>(VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR);
            get.fence = given;
            get.handleType = type;
            auto put = make<VkImportFenceFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR);
            check(get_fd(lab.m.device, &get, &put.fd), "a fence's descriptor");
            put.fence = taker;
            put.handleType = type;
            if (!whole) put.flags = VK_FENCE_IMPORT_TEMPORARY_BIT;
            check(import(lab.m.device, &put), "a fence of a descriptor");
        };
        if (whole) hand_over();
        lab.expect(vkGetFenceStatus(lab.m.device, taker) == VK_NOT_READY, "a fence is done early");
        const VkCommandBuffer c = lab.begin();
        record_sums(lab, c, lab.to.buffer);
        lab.end(c);
        submit(lab, c, VK_NULL_HANDLE, VK_NULL_HANDLE, given);
        if (!whole) hand_over();
        check(vkWaitForFences(lab.m.device, 1, &taker, VK_TRUE, UINT64_MAX), "a taken fence");
        ++times;
        for (std::uint32_t i = 0; i < kItems; ++i) {
            std::uint32_t value = 0;
            for (std::uint32_t k = 0; k < times; ++k)
                value = sum_of(lab, value, i);
            lab.expect_word(i, value);
        }
        // What was handed over for once is the fence's own again.
        check(vkResetFences(lab.m.device, 1, &taker), "a reset");
        lab.expect(vkGetFenceStatus(lab.m.device, taker) == VK_NOT_READY, "a fence is not reset");
        check(vkQueueWaitIdle(lab.m.queue), "waiting for the queue");
        vkDestroyFence(lab.m.device, given, nullptr);
        vkDestroyFence(lab.m.device, taker, nullptr);
    }
}

/// The device's time before, in and after commands; the host's with it.
void timestamps(Lab& lab) {
    const auto domains = reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
        vkGetInstanceProcAddr(lab.m.instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"));
    VkTimeDomainEXT offered[8]{};
    std::uint32_t count = 8;
    check(domains(lab.m.physical, &count, offered), "time domains");
    for (const auto wanted : {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT})
        lab.expect(std::find(offered, offered + count, wanted) != offered + count,
                   "a time domain is not offered");
    struct Moment {
        std::uint64_t device, host;
    };
    const auto calibrated =
        lab.function<PFN_vkGetCalibratedTimestampsEXT>("vkGetCalibratedTimestampsEXT");
    const auto now = [&] {
        VkCalibratedTimestampInfoEXT infos[2]{};
        for (auto& info : infos)
            info.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
        infos[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
        infos[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
        std::uint64_t times[2], deviation = 0;
        check(calibrated(lab.m.device, 2, infos, times, &deviation), "calibrated times");
        return Moment{times[0], times[1]};
    };
    const auto of_host = [] {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u +
               static_cast<std::uint64_t>(time.tv_nsec);
    };
    auto of_pool = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    of_pool.queryType = VK_QUERY_TYPE_TIMESTAMP;
    of_pool.queryCount = 2;
    VkQueryPool pool{};
    check(vkCreateQueryPool(lab.m.device, &of_pool, nullptr, &pool), "a pool of queries");
    vkResetQueryPool(lab.m.device, pool, 0, 2);
    const std::uint64_t start = of_host();
    const Moment before = now();
    lab.submit([&](VkCommandBuffer c) {
        vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
        record_sums(lab, c, lab.to.buffer);
        vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    });
    const Moment after = now();
    const std::uint64_t end = of_host();
    std::uint64_t in[2]{};
    check(vkGetQueryPoolResults(lab.m.device, pool, 0, 2, sizeof in, in, 8,
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
          "results of queries");
    char text[160];
    std::snprintf(text, sizeof text, "device: %llu, commands: %llu to %llu, device: %llu",
                  static_cast<unsigned long long>(before.device),
                  static_cast<unsigned long long>(in[0]), static_cast<unsigned long long>(in[1]),
                  static_cast<unsigned long long>(after.device));
    lab.expect(before.device <= in[0] && in[0] < in[1] && in[1] <= after.device, text);
    lab.expect(start <= before.host && before.host < after.host && after.host <= end,
               "the host's time");
    vkDestroyQueryPool(lab.m.device, pool, nullptr);
}

/// Queues of every priority that the device names.
void priorities(Lab& lab) {
    auto named = make<VkQueueFamilyGlobalPriorityPropertiesKHR>(
        VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES_KHR);
    auto family = make<VkQueueFamilyProperties2>(VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2);
    family.pNext = &named;
    std::uint32_t count = 1;
    vkGetPhysicalDeviceQueueFamilyProperties2(lab.m.physical, &count, &family);
    lab.expect(named.priorityCount > 0, "no priority");
    for (std::uint32_t k = 0; k < named.priorityCount; ++k) {
        auto priority = make<VkDeviceQueueGlobalPriorityCreateInfoKHR>(
            VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO_KHR);
        priority.globalPriority = named.priorities[k];
        const Machine machine(
            "", false,
            {.extensions = {VK_EXT_GLOBAL_PRIORITY_EXTENSION_NAME}, .of_queue = &priority});
        Lab other(machine, lab.shaders);
        other.run("sums");
        for (std::uint32_t i = 0; i < kItems; ++i)
            other.expect_word(i, sum_of(lab, 0, i));
        lab.expect(other.wrong.empty(), other.wrong);
        lab.dispatches += other.dispatches;
    }
}

/// What is allocated counts, until it is freed.
void budget(Lab& lab) {
    constexpr VkDeviceSize kSize = 16 << 20;
    const auto now = [&] {
        auto of_heaps = make<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
        auto properties = make<VkPhysicalDeviceMemoryProperties2>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
        properties.pNext = &of_heaps;
        vkGetPhysicalDeviceMemoryProperties2(lab.m.physical, &properties);
        const auto& heaps = properties.memoryProperties;
        lab.expect(heaps.memoryHeapCount > 0, "no heap");
        for (std::uint32_t k = 0; k < heaps.memoryHeapCount; ++k)
            lab.expect(
                of_heaps.heapBudget[k] > 0 && of_heaps.heapBudget[k] <= heaps.memoryHeaps[k].size,
                "a budget that is not a part of its heap");
        return of_heaps.heapUsage[heaps.memoryTypes[0].heapIndex];
    };
    const VkDeviceSize before = now();
    const VkDeviceMemory some = memory(lab, kSize, 1, nullptr);
    lab.expect(now() == before + kSize, "an allocation does not count");
    vkFreeMemory(lab.m.device, some, nullptr);
    lab.expect(now() == before, "what was freed counts");
}

}  // namespace

std::vector<Case> sharing_cases() {
    return {{"host_memory", VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME, host_memory},
            {"two_devices", VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, two_devices},
            {"fences", VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME, fences},
            {"timestamps", VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, timestamps},
            {"priorities", VK_EXT_GLOBAL_PRIORITY_EXTENSION_NAME, priorities},
            {"budget", VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, budget}};
}

}  // namespace advertised
