// SPDX-License-Identifier: Apache-2.0
// Cases of what devices tell of themselves, and of what drivers do before anything reaches the engine.
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "tests/system/vulkan/advertised/lab.h"

namespace advertised {
namespace {

template <class T>
T told(const Lab& lab, VkStructureType type) {
    auto wanted = make<T>(type);
    auto properties =
        make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &wanted;
    vkGetPhysicalDeviceProperties2(lab.m.physical, &properties);
    wanted.pNext = nullptr;
    return wanted;
}
void run_sums(Lab& lab, VkPipeline pipeline) {
    std::fill_n(lab.to.data, kItems, 0);
    lab.submit([&](VkCommandBuffer c) {
        lab.dispatch(c, pipeline, lab.words_only, {lab.words}, kItems / kGroup);
    });
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.expect_word(i, lab.from.data[i] + i);
}

/// The driver's name, and the node by which it is reached.
void name(Lab& lab) {
    const auto properties = told<VkPhysicalDeviceDriverProperties>(
        lab, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    lab.expect(properties.driverID == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA ||
                   properties.driverID == VK_DRIVER_ID_MESA_LLVMPIPE,
               "the driver's number");
    lab.expect(std::strncmp(properties.driverInfo, "Mesa ", 5) == 0, "the driver's version");
    lab.expect(properties.conformanceVersion.major == 1, "the version it conforms to");
}
void node(Lab& lab) {
    const auto drm = told<VkPhysicalDeviceDrmPropertiesEXT>(
        lab, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT);
    struct stat file {};
    const std::string file_name = "/dev/dri/renderD" + std::to_string(drm.renderMinor);
    lab.expect(drm.hasRender && stat(file_name.c_str(), &file) == 0, file_name);
    lab.expect(static_cast<std::int64_t>(major(file.st_rdev)) == drm.renderMajor &&
                   static_cast<std::int64_t>(minor(file.st_rdev)) == drm.renderMinor,
               "the node's numbers");
}
void place(Lab& lab) {
    const auto bus = told<VkPhysicalDevicePCIBusInfoPropertiesEXT>(
        lab, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
    // The graphics of these parts are at 0000:00:02.0.
    lab.expect(bus.pciDomain == 0 && bus.pciBus == 0 && bus.pciDevice == 2 && bus.pciFunction == 0,
               "the place on the bus");
}
/// No tool is between the program and the driver.
void tools(Lab& lab) {
    std::uint32_t count = 9;
    check(vkGetPhysicalDeviceToolProperties(lab.m.physical, &count, nullptr), "tools");
    lab.expect(count == 0, "there is a tool");
}

/// Memory for one image alone: what it needs is told of it and of its description; an image and a
/// buffer are bound by one call each.
void dedicated(Lab& lab) {
    const VkImageCreateInfo info =
        picture(VK_FORMAT_R8G8B8A8_UNORM, 64, 48,
                VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    VkImage image{};
    check(vkCreateImage(lab.m.device, &info, nullptr, &image), "an image");
    auto alone =
        make<VkMemoryDedicatedRequirements>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
    auto needs = make<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
    needs.pNext = &alone;
    auto of_image =
        make<VkImageMemoryRequirementsInfo2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2);
    of_image.image = image;
    vkGetImageMemoryRequirements2(lab.m.device, &of_image, &needs);
    const VkMemoryRequirements wanted = needs.memoryRequirements;
    lab.expect(!alone.requiresDedicatedAllocation && wanted.size >= 64 * 48 * 4, "what it needs");
    auto described =
        make<VkDeviceImageMemoryRequirements>(VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS);
    described.pCreateInfo = &info;
    vkGetDeviceImageMemoryRequirements(lab.m.device, &described, &needs);
    lab.expect(needs.memoryRequirements.size == wanted.size &&
                   needs.memoryRequirements.alignment == wanted.alignment &&
                   needs.memoryRequirements.memoryTypeBits == wanted.memoryTypeBits,
               "what one of its description needs");
    auto of_one =
        make<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    of_one.image = image;
    auto allocate = make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.pNext = &of_one;
    allocate.allocationSize = wanted.size;
    while (!(wanted.memoryTypeBits >> allocate.memoryTypeIndex & 1))
        ++allocate.memoryTypeIndex;
    VkDeviceMemory memory{};
    check(vkAllocateMemory(lab.m.device, &allocate, nullptr, &memory), "memory of one image");
    auto bind = make<VkBindImageMemoryInfo>(VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO);
    bind.image = image;
    bind.memory = memory;
    check(vkBindImageMemory2(lab.m.device, 1, &bind), "vkBindImageMemory2");
    lab.submit([&](VkCommandBuffer c) {
        lab.fill(c, image, VK_IMAGE_ASPECT_COLOR_BIT, {64, 48, 1}, 1, lab.from.buffer, 0);
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {64, 48, 1};
        vkCmdCopyImageToBuffer(c, image, kGeneral, lab.to.buffer, 1, &region);
    });
    for (std::uint32_t i = 0; i < 64 * 48; ++i)
        lab.expect_word(i, lab.from.data[i]);
    vkDestroyImage(lab.m.device, image, nullptr);
    vkFreeMemory(lab.m.device, memory, nullptr);
}

VkResult create(const Lab& lab, VkPipelineCache cache, VkPipelineCreateFlags flags,
                const void* chain, VkPipeline& made) {
    return lab.try_pipeline("sums", lab.words_only, chain, flags, cache, made);
}

/// A pipeline's making is told of: it took its time, or was in the cache.
void feedback(Lab& lab) {
    VkPipelineCache cache{};
    const auto of_cache =
        make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    check(vkCreatePipelineCache(lab.m.device, &of_cache, nullptr, &cache), "a cache");
    for (const bool again : {false, true}) {
        VkPipelineCreationFeedback whole{}, stage{};
        auto asked = make<VkPipelineCreationFeedbackCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
        asked.pPipelineCreationFeedback = &whole;
        asked.pipelineStageCreationFeedbackCount = 1;
        asked.pPipelineStageCreationFeedbacks = &stage;
        VkPipeline made{};
        check(create(lab, cache, 0, &asked, made), "a pipeline");
        lab.expect((whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) && whole.duration > 0,
                   "no time of a pipeline's making");
        const bool kept =
            whole.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
        lab.expect(kept == again, again ? "it was not kept" : "it was kept before");
        run_sums(lab, made);
        vkDestroyPipeline(lab.m.device, made, nullptr);
    }
    vkDestroyPipelineCache(lab.m.device, cache, nullptr);
}

/// A pipeline that would have to be compiled is refused where that is wanted; one that is in a cache
/// of the program's own care is not.
void cache_control(Lab& lab) {
    VkPipelineCache cache{};
    auto of_cache = make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    of_cache.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
    check(vkCreatePipelineCache(lab.m.device, &of_cache, nullptr, &cache), "a cache");
    VkPipeline made{};
    constexpr auto kRefuse = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    lab.expect(create(lab, cache, kRefuse, nullptr, made) == VK_PIPELINE_COMPILE_REQUIRED &&
                   made == VK_NULL_HANDLE,
               "it was compiled");
    VkPipeline first{};
    check(create(lab, cache, 0, nullptr, first), "a pipeline");
    lab.expect(create(lab, cache, kRefuse, nullptr, made) == VK_SUCCESS, "it was not kept");
    if (made) run_sums(lab, made);
    vkDestroyPipeline(lab.m.device, made, nullptr);
    vkDestroyPipeline(lab.m.device, first, nullptr);
    vkDestroyPipelineCache(lab.m.device, cache, nullptr);
}

/// The driver's compiler tells of a shader; its instructions are those of the engine.
void executables(Lab& lab) {
    VkPipeline made{};
    check(create(lab, VK_NULL_HANDLE,
                 VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                     VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
                 nullptr, made),
          "a pipeline");
    auto of = make<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
    of.pipeline = made;
    std::uint32_t count = 0;
    const auto properties = lab.function<PFN_vkGetPipelineExecutablePropertiesKHR>(
        "vkGetPipelineExecutablePropertiesKHR");
    check(properties(lab.m.device, &of, &count, nullptr), "executables");
    std::vector<VkPipelineExecutablePropertiesKHR> all(
        count, make<VkPipelineExecutablePropertiesKHR>(
                   VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR));
    check(properties(lab.m.device, &of, &count, all.data()), "executables");
    lab.expect(
        count == 1 && all[0].stages == VK_SHADER_STAGE_COMPUTE_BIT &&
            (all[0].subgroupSize == 8 || all[0].subgroupSize == 16 || all[0].subgroupSize == 32),
        "executables of a compute shader");
    auto one = make<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
    one.pipeline = made;
    VkPipelineExecutableStatisticKHR statistics[32];
    for (auto& statistic : statistics)
        statistic = make<VkPipelineExecutableStatisticKHR>(
            VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR);
    count = 32;
    check(lab.function<PFN_vkGetPipelineExecutableStatisticsKHR>(
              "vkGetPipelineExecutableStatisticsKHR")(lab.m.device, &one, &count, statistics),
          "statistics");
    const VkPipelineExecutableStatisticKHR* const first = statistics;
    const VkPipelineExecutableStatisticKHR* const end = first + count;
    const auto* const instructions = std::find_if(first, end, [](const auto& statistic) {
        return std::strcmp(statistic.name, "Instruction Count") == 0;
    });
    lab.expect(instructions != end && instructions->value.u64 > 5, "a number of instructions");
    VkPipelineExecutableInternalRepresentationKHR texts[16];
    for (auto& text : texts)
        text = make<VkPipelineExecutableInternalRepresentationKHR>(
            VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR);
    count = 16;
    const auto representations =
        lab.function<PFN_vkGetPipelineExecutableInternalRepresentationsKHR>(
            "vkGetPipelineExecutableInternalRepresentationsKHR");
    check(representations(lab.m.device, &one, &count, texts), "representations");
    std::vector<std::string> words;
    for (std::uint32_t i = 0; i < count; ++i)
        words.emplace_back(texts[i].dataSize, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        texts[i].pData = words[i].data();
    check(representations(lab.m.device, &one, &count, texts), "texts of representations");
    const bool assembly = std::ranges::any_of(
        words, [](const std::string& text) { return text.find("send(") != std::string::npos; });
    lab.expect(assembly, "no text of the engine's instructions");
    run_sums(lab, made);
    vkDestroyPipeline(lab.m.device, made, nullptr);
}

/// A pipeline of a shader's identifier alone, which a cache knows. The identifier of a shader is that
/// of its code.
void identified(Lab& lab) {
    const std::vector<std::uint32_t> spirv = lab.code("sums");
    auto of_module = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    of_module.codeSize = 4 * spirv.size();
    of_module.pCode = spirv.data();
    VkShaderModule module{};
    check(vkCreateShaderModule(lab.m.device, &of_module, nullptr, &module), "a shader");
    auto of_shader =
             make<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT),
         of_code = of_shader;
    lab.function<PFN_vkGetShaderModuleIdentifierEXT>("vkGetShaderModuleIdentifierEXT")(
        lab.m.device, module, &of_shader);
    lab.function<PFN_vkGetShaderModuleCreateInfoIdentifierEXT>(
        "vkGetShaderModuleCreateInfoIdentifierEXT")(lab.m.device, &of_module, &of_code);
    lab.expect(
        of_shader.identifierSize > 0 && of_shader.identifierSize == of_code.identifierSize &&
            std::memcmp(of_shader.identifier, of_code.identifier, of_code.identifierSize) == 0,
        "identifiers of a shader and of its code");
    vkDestroyShaderModule(lab.m.device, module, nullptr);
    VkPipelineCache cache{};
    const auto of_cache =
        make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    check(vkCreatePipelineCache(lab.m.device, &of_cache, nullptr, &cache), "a cache");
    auto of_stage = make<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    of_stage.identifierSize = of_code.identifierSize;
    of_stage.pIdentifier = of_code.identifier;
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    info.layout = lab.words_only;
    info.stage =
        make<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.pNext = &of_stage;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    const auto by_name = [&](VkPipeline& made) {
        return vkCreateComputePipelines(lab.m.device, cache, 1, &info, nullptr, &made);
    };
    VkPipeline known{}, named{};
    lab.expect(by_name(named) == VK_PIPELINE_COMPILE_REQUIRED, "a name that no cache knows");
    check(create(lab, cache, 0, nullptr, known), "a pipeline");
    lab.expect(by_name(named) == VK_SUCCESS, "a name that the cache knows");
    if (named) run_sums(lab, named);
    vkDestroyPipeline(lab.m.device, named, nullptr);
    vkDestroyPipeline(lab.m.device, known, nullptr);
    vkDestroyPipelineCache(lab.m.device, cache, nullptr);
}

/// A set by a template; copies, barriers and submissions by the forms that came second.
void second_forms(Lab& lab) {
    const VkDescriptorSet set = lab.set(lab.words_layout);
    constexpr auto kType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    struct Places {
        VkDescriptorBufferInfo to, from;
    } const places{{lab.to.buffer, 0, VK_WHOLE_SIZE}, {lab.from.buffer, 1024, VK_WHOLE_SIZE}};
    const VkDescriptorUpdateTemplateEntry entries[] = {{0, 0, 1, kType, offsetof(Places, from), 0},
                                                       {1, 0, 1, kType, offsetof(Places, to), 0}};
    auto of_template = make<VkDescriptorUpdateTemplateCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO);
    of_template.descriptorUpdateEntryCount = 2;
    of_template.pDescriptorUpdateEntries = entries;
    of_template.descriptorSetLayout = lab.words_layout;
    VkDescriptorUpdateTemplate form{};
    check(vkCreateDescriptorUpdateTemplate(lab.m.device, &of_template, nullptr, &form), "a form");
    vkUpdateDescriptorSetWithTemplate(lab.m.device, set, form, &places);
    const VkCommandBuffer c = lab.begin();
    auto region = make<VkBufferCopy2>(VK_STRUCTURE_TYPE_BUFFER_COPY_2);
    region.srcOffset = 8192;
    region.size = 4 * kItems;
    auto copy = make<VkCopyBufferInfo2>(VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2);
    copy.srcBuffer = lab.from.buffer;
    copy.dstBuffer = lab.to.buffer;
    copy.regionCount = 1;
    copy.pRegions = &region;
    vkCmdCopyBuffer2(c, &copy);
    auto copied = make<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    copied.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    copied.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    copied.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    copied.dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    auto barrier = make<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    barrier.memoryBarrierCount = 1;
    barrier.pMemoryBarriers = &copied;
    vkCmdPipelineBarrier2(c, &barrier);
    lab.dispatch(c, lab.pipeline("sums", lab.words_only), lab.words_only, {set}, kItems / kGroup);
    lab.end(c);
    auto commands = make<VkCommandBufferSubmitInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
    commands.commandBuffer = c;
    auto info = make<VkSubmitInfo2>(VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    check(vkQueueSubmit2(lab.m.queue, 1, &info, VK_NULL_HANDLE), "a submission");
    check(vkQueueWaitIdle(lab.m.queue), "waiting for the queue");
    for (std::uint32_t i = 0; i < kItems; ++i)
        lab.expect_word(i, lab.from.data[2048 + i] * 3 + lab.from.data[256 + i] + i);
    vkDestroyDescriptorUpdateTemplate(lab.m.device, form, nullptr);
}

/// A word of the program's own at an object of the driver's.
void private_data(Lab& lab) {
    const auto info =
        make<VkPrivateDataSlotCreateInfo>(VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO);
    VkPrivateDataSlot slots[2]{};
    for (auto& slot : slots)
        check(vkCreatePrivateDataSlot(lab.m.device, &info, nullptr, &slot), "a slot");
    const auto handle = [](VkBuffer buffer) { return reinterpret_cast<std::uint64_t>(buffer); };
    const auto get = [&](VkBuffer buffer, VkPrivateDataSlot slot) {
        std::uint64_t value = 0;
        vkGetPrivateData(lab.m.device, VK_OBJECT_TYPE_BUFFER, handle(buffer), slot, &value);
        return value;
    };
    check(vkSetPrivateData(lab.m.device, VK_OBJECT_TYPE_BUFFER, handle(lab.from.buffer), slots[0],
                           0x123456789ABCDEF0),
          "a word");
    lab.expect(get(lab.from.buffer, slots[0]) == 0x123456789ABCDEF0, "the word that was set");
    lab.expect(get(lab.from.buffer, slots[1]) == 0 && get(lab.to.buffer, slots[0]) == 0,
               "words that were not set");
    for (const auto slot : slots)
        vkDestroyPrivateDataSlot(lab.m.device, slot, nullptr);
}

/// The engine's counters around a dispatch: its threads are of 8, 16 or 32 items, each waits at one
/// barrier; a group writes 8192 words of shared memory, and an item reads one of them.
void counters(Lab& lab) {
    constexpr std::uint32_t kFamily = 0, kChosen = 6;
    const auto of_instance = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
            vkGetInstanceProcAddr(lab.m.instance, name));
        if (!function) check(VK_ERROR_EXTENSION_NOT_PRESENT, name);
    };
    PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR passes = nullptr;
    of_instance(enumerate, "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
    of_instance(passes, "vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR");
    std::uint32_t count = 0;
    check(enumerate(lab.m.physical, kFamily, &count, nullptr, nullptr), "counters");
    std::vector<VkPerformanceCounterKHR> kinds(
        count, make<VkPerformanceCounterKHR>(VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR));
    std::vector<VkPerformanceCounterDescriptionKHR> texts(
        count, make<VkPerformanceCounterDescriptionKHR>(
                   VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR));
    check(enumerate(lab.m.physical, kFamily, &count, kinds.data(), texts.data()), "counters");
    std::vector<std::uint32_t> chosen;
    for (const char* name : {"CS Threads Dispatched", "VS Threads Dispatched", "GPU Core Clocks",
                             "Shader Barrier Messages", "SLM Bytes Read", "SLM Bytes Written"})
        for (std::uint32_t i = 0; i < count; ++i)
            if (std::strcmp(texts[i].name, name) == 0) {
                chosen.push_back(i);
                lab.expect(kinds[i].storage == VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, name);
                break;
            }
    lab.expect(chosen.size() == kChosen, "the names of counters");
    if (chosen.size() != kChosen) return;
    auto wanted = make<VkQueryPoolPerformanceCreateInfoKHR>(
        VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR);
    wanted.queueFamilyIndex = kFamily;
    wanted.counterIndexCount = static_cast<std::uint32_t>(chosen.size());
    wanted.pCounterIndices = chosen.data();
    std::uint32_t pass_count = 0;
    passes(lab.m.physical, &wanted, &pass_count);
    lab.expect(pass_count == 1, "passes of one set of counters");
    auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.pNext = &wanted;
    info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    info.queryCount = 1;
    VkQueryPool pool{};
    check(vkCreateQueryPool(lab.m.device, &info, nullptr, &pool), "a pool of counters");

    auto lock =
        make<VkAcquireProfilingLockInfoKHR>(VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR);
    lock.timeout = ~std::uint64_t{0};
    check(lab.function<PFN_vkAcquireProfilingLockKHR>("vkAcquireProfilingLockKHR")(lab.m.device,
                                                                                   &lock),
          "the counters for this device");
    vkResetQueryPool(lab.m.device, pool, 0, 1);
    constexpr std::uint32_t kGroups = kItems / kGroup;
    const VkPipeline pipeline = lab.pipeline("dirty_shared", lab.words_only);
    lab.submit([&](VkCommandBuffer c) {
        vkCmdBeginQuery(c, pool, 0, 0);
        lab.dispatch(c, pipeline, lab.words_only, {lab.words}, kGroups);
        vkCmdEndQuery(c, pool, 0);
    });
    VkPerformanceCounterResultKHR results[kChosen]{};
    check(vkGetQueryPoolResults(lab.m.device, pool, 0, 1, sizeof results, results, sizeof results,
                                VK_QUERY_RESULT_WAIT_BIT),
          "results");
    const std::uint64_t threads = results[0].uint64;
    lab.expect(threads == kGroups * kGroup / 8 || threads == kGroups * kGroup / 16 ||
                   threads == kGroups * kGroup / 32,
               "threads: " + std::to_string(threads));
    lab.expect(results[1].uint64 == 0, "threads of vertices");
    lab.expect(results[2].uint64 > 0, "clocks");
    lab.expect(results[3].uint64 == threads, "barriers: " + std::to_string(results[3].uint64));
    lab.expect(results[4].uint64 == kGroups * kGroup * 4,
               "bytes read: " + std::to_string(results[4].uint64));
    lab.expect(results[5].uint64 == kGroups * 8192 * 4,
               "bytes written: " + std::to_string(results[5].uint64));
    lab.function<PFN_vkReleaseProfilingLockKHR>("vkReleaseProfilingLockKHR")(lab.m.device);
    vkDestroyQueryPool(lab.m.device, pool, nullptr);
}

}  // namespace

std::vector<Case> device_cases() {
    return {{"name", VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME, name},
            {"node", VK_EXT_PHYSICAL_DEVICE_DRM_EXTENSION_NAME, node},
            {"place", VK_EXT_PCI_BUS_INFO_EXTENSION_NAME, place},
            {"tools", nullptr, tools},
            {"dedicated", VK_KHR_DEDICATED_ALLOCATION_EXTENSION_NAME, dedicated},
            {"feedback", VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME, feedback},
            {"cache_control", VK_EXT_PIPELINE_CREATION_CACHE_CONTROL_EXTENSION_NAME, cache_control},
            {"executables", VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, executables},
            {"identified", VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME, identified},
            {"second_forms", VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME, second_forms},
            {"private_data", VK_EXT_PRIVATE_DATA_EXTENSION_NAME, private_data},
            {"counters", VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, counters}};
}

}  // namespace advertised
