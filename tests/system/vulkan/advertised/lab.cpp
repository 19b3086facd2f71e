// SPDX-License-Identifier: Apache-2.0
#include "tests/system/vulkan/advertised/lab.h"

#include <fstream>
#include <iterator>

namespace advertised {

Lab::Lab(const Machine& machine, const std::string& folder)
    : m(machine), from(machine, kWords, kStorage), to(machine, kWords, kStorage), shaders(folder) {
    std::uint32_t word = 1;
    for (std::uint32_t i = 0; i < kWords; ++i) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        from.data[i] = word;
    }
    std::fill_n(to.data, kWords, 0);
    std::vector<VkDescriptorPoolSize> sizes;
    for (const auto type :
         {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
          VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
          VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER})
        sizes.push_back({type, 64});
    auto inline_blocks = make<VkDescriptorPoolInlineUniformBlockCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
    inline_blocks.maxInlineUniformBlockBindings = 4;
    sizes.push_back({VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 1024});
    if (m.offers(VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME))
        sizes.push_back({VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 16});
    auto info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    info.pNext = &inline_blocks;
    info.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
    info.maxSets = 64;
    info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    info.pPoolSizes = sizes.data();
    check(vkCreateDescriptorPool(m.device, &info, nullptr, &pool_), "a pool of sets");
    words_layout = set_layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                               binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)});
    words_only = layout({words_layout});
    words = set(words_layout);
    give(words, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, from.buffer);
    give(words, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, to.buffer);
}

VkDescriptorSetLayout Lab::set_layout(const std::vector<Binding>& bindings,
                                      VkDescriptorSetLayoutCreateFlags flags, const void* chain) {
    auto info =
        make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.pNext = chain;
    info.flags = flags;
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayout made{};
    check(vkCreateDescriptorSetLayout(m.device, &info, nullptr, &made), "a set's layout");
    return made;
}

VkPipelineLayout Lab::layout(const std::vector<VkDescriptorSetLayout>& sets) {
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
    info.pSetLayouts = sets.data();
    VkPipelineLayout made{};
    check(vkCreatePipelineLayout(m.device, &info, nullptr, &made), "a layout");
    return made;
}

std::vector<std::uint32_t> Lab::code(const std::string& shader) const {
    std::ifstream file(shaders + "/" + shader + ".spv", std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty()) check(VK_INCOMPLETE, shader.c_str());
    std::vector<std::uint32_t> read(bytes.size() / 4);
    std::memcpy(read.data(), bytes.data(), 4 * read.size());
    return read;
}

VkResult Lab::try_pipeline(const std::string& shader, VkPipelineLayout layout, const void* chain,
                           VkPipelineCreateFlags flags, VkPipelineCache cache,
                           VkPipeline& made) const {
    const std::vector<std::uint32_t> spirv = code(shader);
    auto of_module = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    of_module.codeSize = 4 * spirv.size();
    of_module.pCode = spirv.data();
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.pNext = chain;
    info.flags = flags;
    info.stage =
        make<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    check(vkCreateShaderModule(m.device, &of_module, nullptr, &info.stage.module), "a shader");
    info.layout = layout;
    const VkResult result = vkCreateComputePipelines(m.device, cache, 1, &info, nullptr, &made);
    vkDestroyShaderModule(m.device, info.stage.module, nullptr);
    return result;
}

VkPipeline Lab::pipeline(const std::string& shader, VkPipelineLayout layout, const void* chain,
                         VkPipelineCreateFlags flags) {
    VkPipeline made{};
    check(try_pipeline(shader, layout, chain, flags, VK_NULL_HANDLE, made), "a pipeline");
    return made;
}

VkDescriptorSet Lab::set(VkDescriptorSetLayout layout, const void* chain) {
    auto info = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.pNext = chain;
    info.descriptorPool = pool_;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet made{};
    check(vkAllocateDescriptorSets(m.device, &info, &made), "a set");
    return made;
}

namespace {

VkWriteDescriptorSet write_of(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
                              std::uint32_t element) {
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = binding;
    write.dstArrayElement = element;
    write.descriptorCount = 1;
    write.descriptorType = type;
    return write;
}

}  // namespace

void Lab::give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type, VkBuffer buffer,
               std::uint32_t element, VkDeviceSize offset, VkDeviceSize range) {
    const VkDescriptorBufferInfo place{buffer, offset, range};
    VkWriteDescriptorSet write = write_of(set, binding, type, element);
    write.pBufferInfo = &place;
    vkUpdateDescriptorSets(m.device, 1, &write, 0, nullptr);
}

void Lab::give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type, VkImageView view,
               VkSampler sampler, VkImageLayout layout, std::uint32_t element) {
    const VkDescriptorImageInfo place{sampler, view, layout};
    VkWriteDescriptorSet write = write_of(set, binding, type, element);
    write.pImageInfo = &place;
    vkUpdateDescriptorSets(m.device, 1, &write, 0, nullptr);
}

void Lab::give(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
               VkBufferView texels, std::uint32_t element) {
    VkWriteDescriptorSet write = write_of(set, binding, type, element);
    write.pTexelBufferView = &texels;
    vkUpdateDescriptorSets(m.device, 1, &write, 0, nullptr);
}

VkBufferView Lab::texels(VkBuffer buffer, VkFormat format, VkDeviceSize offset,
                         VkDeviceSize range) {
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = buffer;
    info.format = format;
    info.offset = offset;
    info.range = range;
    VkBufferView made{};
    check(vkCreateBufferView(m.device, &info, nullptr, &made), "a view of a buffer");
    return made;
}

VkImage Lab::image(const VkImageCreateInfo& info) {
    VkImage made{};
    check(vkCreateImage(m.device, &info, nullptr, &made), "an image");
    VkMemoryRequirements wanted;
    vkGetImageMemoryRequirements(m.device, made, &wanted);
    check(
        vkBindImageMemory(m.device, made, m.memory(wanted, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
        "an image's memory");
    return made;
}

VkImageView Lab::view(VkImage image, VkFormat format, std::uint32_t layers, const void* chain) {
    auto info = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.pNext = chain;
    info.image = image;
    info.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    info.format = format;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers};
    VkImageView made{};
    check(vkCreateImageView(m.device, &info, nullptr, &made), "a view");
    return made;
}

void Lab::to_general(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                     std::uint32_t layers) {
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.newLayout = kGeneral;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {aspect, 0, 1, 0, layers};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                         &barrier);
}

void Lab::fill(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
               const VkExtent3D& size, std::uint32_t layers, VkBuffer texels, VkDeviceSize offset) {
    to_general(commands, image, aspect, layers);
    VkBufferImageCopy region{};
    region.bufferOffset = offset;
    region.imageSubresource = {aspect, 0, 0, layers};
    region.imageExtent = size;
    vkCmdCopyBufferToImage(commands, texels, image, kGeneral, 1, &region);
    barrier(commands);
}

VkCommandBuffer Lab::begin() {
    auto info = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = m.commands;
    info.commandBufferCount = 1;
    VkCommandBuffer made{};
    check(vkAllocateCommandBuffers(m.device, &info, &made), "a command buffer");
    const auto begins = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    check(vkBeginCommandBuffer(made, &begins), "a command buffer's begin");
    return made;
}

void Lab::end(VkCommandBuffer commands) {
    barrier(commands);
    check(vkEndCommandBuffer(commands), "a command buffer's end");
}

void Lab::submit(const std::function<void(VkCommandBuffer)>& record) {
    const VkCommandBuffer commands = begin();
    record(commands);
    end(commands);
    submit(commands);
}

void Lab::submit(VkCommandBuffer commands) {
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    check(vkQueueSubmit(m.queue, 1, &info, VK_NULL_HANDLE), "a submission");
    check(vkQueueWaitIdle(m.queue), "waiting for the queue");
    vkFreeCommandBuffers(m.device, m.commands, 1, &commands);
}

void Lab::barrier(VkCommandBuffer commands) {
    auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask =
        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
}

void Lab::dispatch(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout,
                   const std::vector<VkDescriptorSet>& sets, std::uint32_t groups) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    if (!sets.empty())
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                                static_cast<std::uint32_t>(sets.size()), sets.data(), 0, nullptr);
    vkCmdDispatch(commands, groups, 1, 1);
    ++dispatches;
    barrier(commands);
}

void Lab::run(const std::string& shader, std::uint32_t groups) {
    submit([&](VkCommandBuffer c) {
        dispatch(c, pipeline(shader, words_only), words_only, {words}, groups);
    });
}

void Lab::expect_word(std::uint32_t place, std::uint32_t must_be) {
    char text[96];
    std::snprintf(text, sizeof text, "word %u is 0x%x, must be 0x%x", place, to.data[place],
                  must_be);
    expect(to.data[place] == must_be, text);
}

}  // namespace advertised
