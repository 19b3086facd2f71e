// SPDX-License-Identifier: Apache-2.0
/// Vulkan compute without a display: dispatches that follow each other by barriers, semaphores and
/// points of a time line, with numbers of groups from the command and from memory. The values are
/// compared with the same sums on the processor.
///
/// With `copies` it copies, fills and updates buffers instead, on a queue that only computes; with
/// `copies drawn` on one that draws.
///
/// It fails unless Intel's driver runs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tests/system/drm/mesa/vulkan_copies.h"
#include "tests/system/drm/mesa/vulkan_machine.h"
#include "vulkan_compute_spirv.h"

namespace {

using namespace vulkan;

constexpr std::uint32_t kItems = 1024, kGroups = kItems / 64;

struct Numbers {
    std::uint32_t factor, added;
};

/// The shader with its two buffers.
struct Pipeline {
    VkPipelineLayout layout{};
    VkPipeline pipeline{};
    VkDescriptorSet set{};

    Pipeline(const Machine& m, const Words& from, const Words& to) {
        VkDescriptorSetLayoutBinding bindings[2]{};
        for (std::uint32_t i = 0; i < 2; ++i)
            bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                           nullptr};
        auto of_set = make<VkDescriptorSetLayoutCreateInfo>(
            VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
        of_set.bindingCount = 2;
        of_set.pBindings = bindings;
        VkDescriptorSetLayout set_layout{};
        check(vkCreateDescriptorSetLayout(m.device, &of_set, nullptr, &set_layout), "a set");
        const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Numbers)};
        auto of_layout =
            make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
        of_layout.setLayoutCount = of_layout.pushConstantRangeCount = 1;
        of_layout.pSetLayouts = &set_layout;
        of_layout.pPushConstantRanges = &range;
        check(vkCreatePipelineLayout(m.device, &of_layout, nullptr, &layout), "a layout");
        auto of_module =
            make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
        of_module.codeSize = sizeof vulkan_compute_spirv;
        of_module.pCode = vulkan_compute_spirv;
        auto info =
            make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
        info.stage = make<VkPipelineShaderStageCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.pName = "main";
        check(vkCreateShaderModule(m.device, &of_module, nullptr, &info.stage.module), "a shader");
        info.layout = layout;
        check(vkCreateComputePipelines(m.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
              "a pipeline");

        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
        auto of_pool =
            make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
        of_pool.maxSets = of_pool.poolSizeCount = 1;
        of_pool.pPoolSizes = &size;
        VkDescriptorPool pool{};
        check(vkCreateDescriptorPool(m.device, &of_pool, nullptr, &pool), "a pool");
        auto give =
            make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
        give.descriptorPool = pool;
        give.descriptorSetCount = 1;
        give.pSetLayouts = &set_layout;
        check(vkAllocateDescriptorSets(m.device, &give, &set), "a descriptor set");
        const VkDescriptorBufferInfo buffers[] = {{from.buffer, 0, VK_WHOLE_SIZE},
                                                  {to.buffer, 0, VK_WHOLE_SIZE}};
        auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = set;
        write.descriptorCount = 2;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = buffers;
        vkUpdateDescriptorSets(m.device, 1, &write, 0, nullptr);
    }
};

/// Commands that run the shader `times` times, each time after the time before.
VkCommandBuffer record(const Machine& m, const Pipeline& p, Numbers numbers, unsigned times,
                       const Words* groups) {
    auto give = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    give.commandPool = m.commands;
    give.commandBufferCount = 1;
    VkCommandBuffer c{};
    check(vkAllocateCommandBuffers(m.device, &give, &c), "a command buffer");
    const auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    vkBeginCommandBuffer(c, &begin);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 0, nullptr);
    vkCmdPushConstants(c, p.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof numbers, &numbers);
    for (unsigned i = 0; i < times; ++i) {
        if (groups)
            vkCmdDispatchIndirect(c, groups->buffer, 0);
        else
            vkCmdDispatch(c, kGroups, 1, 1);
        auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
        barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        barrier.dstAccessMask =
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0,
                             1, &barrier, 0, nullptr, 0, nullptr);
    }
    check(vkEndCommandBuffer(c), "commands");
    return c;
}

void submit(const Machine& m, VkCommandBuffer commands, VkSemaphore after, VkSemaphore then,
            std::uint64_t point, VkFence fence) {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.waitSemaphoreCount = after ? 1 : 0;
    info.pWaitSemaphores = &after;
    info.pWaitDstStageMask = &stage;
    info.signalSemaphoreCount = then ? 1 : 0;
    info.pSignalSemaphores = &then;
    auto lines =
        make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    if (point) {
        lines.signalSemaphoreValueCount = 1;
        lines.pSignalSemaphoreValues = &point;
        info.pNext = &lines;
    }
    check(vkQueueSubmit(m.queue, 1, &info, fence), "vkQueueSubmit");
}

}  // namespace

int main(int count, char** words) {
    const bool copies_only = count > 1 && std::strcmp(words[1], "copies") == 0;
    if (copies_only) return copies(Machine("Intel", count == 2));
    const Machine m("Intel");
    const Words from(m, kItems, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const Words to(m, kItems, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const Words groups(m, 3, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    std::vector<std::uint32_t> must_be(kItems);
    for (std::uint32_t i = 0; i < kItems; ++i) {
        from.data[i] = i * 2654435761u;
        to.data[i] = must_be[i] = i ^ 0x5A5A;
    }
    std::copy_n(std::initializer_list<std::uint32_t>{kGroups, 1, 1}.begin(), 3, groups.data);
    const Pipeline p(m, from, to);

    constexpr unsigned kFirst = 3, kSecond = 2, kThird = 1;
    const Numbers first{3, 5}, second{7, 11}, third{13, 17};
    const VkSemaphore between = m.semaphore(false), line = m.semaphore(true);
    VkFence fence{};
    const auto of_fence = make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    check(vkCreateFence(m.device, &of_fence, nullptr, &fence), "a fence");
    submit(m, record(m, p, first, kFirst, nullptr), VK_NULL_HANDLE, between, 0, VK_NULL_HANDLE);
    submit(m, record(m, p, second, kSecond, &groups), between, line, 4, VK_NULL_HANDLE);
    submit(m, record(m, p, third, kThird, nullptr), VK_NULL_HANDLE, VK_NULL_HANDLE, 0, fence);
    check(vkWaitForFences(m.device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    std::uint64_t point = 0;
    check(vkGetSemaphoreCounterValue(m.device, line, &point), "a time line");

    std::uint32_t wrong = point == 4 ? 0 : 1;
    for (std::uint32_t i = 0; i < kItems; ++i) {
        const std::uint32_t read = from.data[i / 64 * 64 + 63 - i % 64];
        must_be[i] += kFirst * (read * first.factor + first.added + i) +
                      kSecond * (read * second.factor + second.added + i) +
                      kThird * (read * third.factor + third.added + i);
        if (to.data[i] != must_be[i] && wrong++ == 0)
            std::printf("[%u] is %u, must be %u\n", i, to.data[i], must_be[i]);
    }
    std::printf("%u of %u right, the time line is at %llu\n", kItems - wrong, kItems,
                static_cast<unsigned long long>(point));
    return wrong ? 1 : 0;
}
