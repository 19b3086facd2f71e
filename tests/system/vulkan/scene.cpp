// SPDX-License-Identifier: Apache-2.0
#include "tests/system/vulkan/scene.h"

#include "scene_shaders.h"

namespace scenes {
namespace {

constexpr VkImageUsageFlags kCopies =
    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
struct Binding {
    VkDescriptorType type;
    std::uint32_t count;
};
constexpr Binding kBindings[] = {
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4},   {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
    {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1}, {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1},
    {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1}};

bool has_stencil(VkFormat format) {
    return format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT ||
           format == VK_FORMAT_S8_UINT;
}
bool has_depth(VkFormat format) {
    return format >= VK_FORMAT_D16_UNORM && format <= VK_FORMAT_D32_SFLOAT_S8_UINT &&
           format != VK_FORMAT_S8_UINT;
}

}  // namespace

VkImageAspectFlags Image::aspect() const {
    const VkImageAspectFlags depth = has_depth(kind.format) ? VK_IMAGE_ASPECT_DEPTH_BIT : 0,
                             stencil = has_stencil(kind.format) ? VK_IMAGE_ASPECT_STENCIL_BIT : 0;
    return depth || stencil ? depth | stencil : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT};
}

Vertices plain_vertices() {
    return {{{VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {VK_FORMAT_R32G32B32A32_SFLOAT, 16}}, {32}};
}

VkPipelineColorBlendAttachmentState no_blending() {
    VkPipelineColorBlendAttachmentState state{};
    state.colorWriteMask = 0xF;
    return state;
}

Canvas::Canvas(const vulkan::Machine& m) : machine(m), device(m.device) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    std::vector<VkDescriptorPoolSize> sizes;
    for (const auto& [type, count] : kBindings) {
        const bool input = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
        bindings.push_back({static_cast<std::uint32_t>(bindings.size()), type, count,
                            input ? VkShaderStageFlags{VK_SHADER_STAGE_FRAGMENT_BIT}
                                  : VkShaderStageFlags{VK_SHADER_STAGE_ALL_GRAPHICS},
                            nullptr});
        sizes.push_back({type, count * 64});
    }
    auto of_set =
        make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    of_set.bindingCount = static_cast<std::uint32_t>(bindings.size());
    of_set.pBindings = bindings.data();
    check(vkCreateDescriptorSetLayout(device, &of_set, nullptr, &set_layout), "a set's layout");
    const VkPushConstantRange range{VK_SHADER_STAGE_ALL_GRAPHICS, 0, 128};
    auto of_layout =
        make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    of_layout.setLayoutCount = 1;
    of_layout.pSetLayouts = &set_layout;
    of_layout.pushConstantRangeCount = 1;
    of_layout.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device, &of_layout, nullptr, &layout), "a pipeline's layout");
    auto of_pool = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    of_pool.maxSets = 64;
    of_pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    of_pool.pPoolSizes = sizes.data();
    check(vkCreateDescriptorPool(device, &of_pool, nullptr, &pool_), "a pool of sets");
    auto of_cache = make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    check(vkCreatePipelineCache(device, &of_cache, nullptr, &cache_), "a pipeline cache");
    later([this] {
        vkDestroyPipelineCache(device, cache_, nullptr);
        vkDestroyDescriptorPool(device, pool_, nullptr);
        vkDestroyPipelineLayout(device, layout, nullptr);
        vkDestroyDescriptorSetLayout(device, set_layout, nullptr);
    });
    target =
        image({.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT});
    start();
}

Canvas::~Canvas() {
    vkDeviceWaitIdle(device);
    vkFreeCommandBuffers(device, machine.commands, 1, &commands);
    while (!ends_.empty()) {
        ends_.back()();
        ends_.pop_back();
    }
}

void Canvas::start() {
    auto of_commands =
        make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    of_commands.commandPool = machine.commands;
    of_commands.commandBufferCount = 1;
    check(vkAllocateCommandBuffers(device, &of_commands, &commands), "a command buffer");
    auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(vkBeginCommandBuffer(commands, &begin), "a command buffer's begin");
}

void Canvas::submit() {
    wait_for_all();
    check(vkEndCommandBuffer(commands), "a command buffer's end");
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    check(vkQueueSubmit(machine.queue, 1, &info, VK_NULL_HANDLE), "a submission");
    check(vkQueueWaitIdle(machine.queue), "waiting for the queue");
    vkFreeCommandBuffers(device, machine.commands, 1, &commands);
    start();
}

std::vector<unsigned char> Canvas::picture(Image& of) {
    const Buffer texels = buffer(VkDeviceSize{4} * kSize * kSize);
    to(of, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {kSize, kSize, 1};
    vkCmdCopyImageToBuffer(commands, of.image, of.layout, texels.buffer, 1, &region);
    submit();
    const auto* bytes = texels.as<unsigned char>();
    return {bytes, bytes + texels.bytes};
}

Buffer Canvas::buffer(VkDeviceSize bytes, const void* contents) {
    Buffer made;
    made.bytes = bytes;
    auto info = make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    if (machine.captures)
        info.usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                      VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
    if (machine.chooses) info.usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
    check(vkCreateBuffer(device, &info, nullptr, &made.buffer), "a buffer");
    VkMemoryRequirements wanted;
    vkGetBufferMemoryRequirements(device, made.buffer, &wanted);
    const VkDeviceMemory memory = machine.memory(
        wanted, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(device, made.buffer, memory, 0), "a buffer's memory");
    check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &made.data), "a map");
    if (contents)
        std::memcpy(made.data, contents, bytes);
    else
        std::memset(made.data, 0, bytes);
    later([this, buffer = made.buffer, memory] {
        vkDestroyBuffer(device, buffer, nullptr);
        vkFreeMemory(device, memory, nullptr);
    });
    return made;
}

Image Canvas::image(const ImageKind& kind) {
    Image made;
    made.kind = kind;
    auto info = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.flags = kind.flags;
    info.imageType = kind.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
    info.format = kind.format;
    info.extent = {kind.width, kind.height, kind.depth};
    info.mipLevels = kind.levels;
    info.arrayLayers = kind.layers;
    info.samples = kind.samples;
    info.usage = kind.usage | kCopies;
    check(vkCreateImage(device, &info, nullptr, &made.image), "an image");
    VkMemoryRequirements wanted;
    vkGetImageMemoryRequirements(device, made.image, &wanted);
    const VkDeviceMemory memory = machine.memory(wanted, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(device, made.image, memory, 0), "an image's memory");
    later([this, image = made.image, memory] {
        vkDestroyImage(device, image, nullptr);
        vkFreeMemory(device, memory, nullptr);
    });
    made.view = view(made, kind.view, {made.aspect(), 0, kind.levels, 0, kind.layers});
    return made;
}

VkImageView Canvas::view(const Image& image, VkImageViewType type, VkImageSubresourceRange range) {
    return view(image, type, range, image.kind.format);
}

VkImageView Canvas::view(const Image& image, VkImageViewType type, VkImageSubresourceRange range,
                         VkFormat format) {
    auto info = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image.image;
    info.viewType = type;
    info.format = format;
    info.components = image.kind.swizzle;
    info.subresourceRange = range;
    VkImageView made{};
    check(vkCreateImageView(device, &info, nullptr, &made), "a view");
    later([this, made] { vkDestroyImageView(device, made, nullptr); });
    return made;
}

VkSampler Canvas::sampler(VkFilter filter, VkSamplerAddressMode mode,
                          const std::function<void(VkSamplerCreateInfo&)>& change) {
    auto info = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    info.magFilter = info.minFilter = filter;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    info.addressModeU = info.addressModeV = info.addressModeW = mode;
    info.maxLod = VK_LOD_CLAMP_NONE;
    if (change) change(info);
    VkSampler made{};
    check(vkCreateSampler(device, &info, nullptr, &made), "a sampler");
    later([this, made] { vkDestroySampler(device, made, nullptr); });
    return made;
}

VkPipeline Canvas::pipeline(const Look& look) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    const auto add = [&](VkShaderStageFlagBits stage, const Code& code) {
        auto of_module =
            make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
        of_module.codeSize = code.bytes;
        of_module.pCode = code.words;
        auto& made = stages.emplace_back(make<VkPipelineShaderStageCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
        made.stage = stage;
        check(vkCreateShaderModule(device, &of_module, nullptr, &made.module), "a shader");
        made.pName = "main";
        made.pSpecializationInfo = look.constants;
    };
    add(VK_SHADER_STAGE_VERTEX_BIT, look.vertex);
    if (!look.tessellation.empty()) {
        add(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, look.tessellation[0]);
        add(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, look.tessellation[1]);
    }
    if (!look.geometry.empty()) add(VK_SHADER_STAGE_GEOMETRY_BIT, look.geometry[0]);
    add(VK_SHADER_STAGE_FRAGMENT_BIT, look.fragment);
    auto origin = make<VkPipelineTessellationDomainOriginStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
    origin.domainOrigin = look.lower_left ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                          : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
    auto tessellation = make<VkPipelineTessellationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO);
    tessellation.pNext = &origin;
    tessellation.patchControlPoints = look.patch_points;
    std::vector<VkVertexInputAttributeDescription> attributes;
    std::uint32_t location = 0;
    for (const auto& [format, offset, binding] : look.input.attributes) {
        attributes.push_back({location, binding, format, offset});
        const bool wide =
            format == VK_FORMAT_R64G64B64_SFLOAT || format == VK_FORMAT_R64G64B64A64_SFLOAT;
        location += wide ? 2 : 1;
    }
    std::vector<VkVertexInputBindingDescription> bindings;
    for (const std::uint32_t stride : look.input.strides) {
        const auto number = static_cast<std::uint32_t>(bindings.size());
        bindings.push_back({number, stride,
                            number == 1 && look.input.second_per_instance
                                ? VK_VERTEX_INPUT_RATE_INSTANCE
                                : VK_VERTEX_INPUT_RATE_VERTEX});
    }
    auto input = make<VkPipelineVertexInputStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
    input.pVertexAttributeDescriptions = attributes.data();
    input.vertexBindingDescriptionCount = static_cast<std::uint32_t>(bindings.size());
    input.pVertexBindingDescriptions = bindings.data();
    auto assembly = make<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    assembly.topology = look.topology;
    assembly.primitiveRestartEnable = look.restart;
    auto viewport = make<VkPipelineViewportStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    viewport.viewportCount = viewport.scissorCount = look.viewports;
    auto raster = make<VkPipelineRasterizationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    raster.depthClampEnable = look.depth_clamp;
    raster.polygonMode = look.mode;
    raster.cullMode = look.cull;
    raster.frontFace = look.front;
    raster.depthBiasEnable = look.depth_bias;
    raster.rasterizerDiscardEnable = look.discard;
    raster.lineWidth = 1;
    auto samples = make<VkPipelineMultisampleStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    samples.rasterizationSamples = look.samples;
    samples.pSampleMask = &look.sample_mask;
    samples.sampleShadingEnable = look.sample_shading;
    samples.minSampleShading = 1;
    samples.alphaToCoverageEnable = look.alpha_to_coverage;
    VkPipelineDepthStencilStateCreateInfo depth = look.depth;
    depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    auto blend = make<VkPipelineColorBlendStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    blend.logicOpEnable = look.logic_operation >= 0;
    if (blend.logicOpEnable) blend.logicOp = static_cast<VkLogicOp>(look.logic_operation);
    blend.attachmentCount = static_cast<std::uint32_t>(look.blends.size());
    blend.pAttachments = look.blends.data();
    std::vector<VkDynamicState> states = look.dynamic;
    states.insert(states.end(), {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR});
    auto dynamic = make<VkPipelineDynamicStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
    dynamic.dynamicStateCount = static_cast<std::uint32_t>(states.size());
    dynamic.pDynamicStates = states.data();
    auto rendering =
        make<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    rendering.viewMask = look.views;
    rendering.colorAttachmentCount = static_cast<std::uint32_t>(look.targets.size());
    rendering.pColorAttachmentFormats = look.targets.data();
    if (has_depth(look.depth_format)) rendering.depthAttachmentFormat = look.depth_format;
    if (has_stencil(look.depth_format)) rendering.stencilAttachmentFormat = look.depth_format;
    auto info = make<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    if (!look.pass) info.pNext = &rendering;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    if (!look.tessellation.empty()) info.pTessellationState = &tessellation;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout;
    info.renderPass = look.pass;
    info.subpass = look.subpass;
    States changed{input, assembly, viewport, raster, samples};
    if (look.change) look.change(changed);
    VkPipeline made{};
    check(vkCreateGraphicsPipelines(device, cache_, 1, &info, nullptr, &made), "a pipeline");
    for (const auto& stage : stages)
        vkDestroyShaderModule(device, stage.module, nullptr);
    later([this, made] { vkDestroyPipeline(device, made, nullptr); });
    return made;
}

void Canvas::wait_for_all() {
    auto barrier = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask =
        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
}

void Canvas::to(Image& image, VkImageLayout wanted) {
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.oldLayout = image.layout;
    barrier.newLayout = image.layout = wanted;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image.image;
    barrier.subresourceRange = {image.aspect(), 0, image.kind.levels, 0, image.kind.layers};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                         &barrier);
}

void Canvas::fill(Image& image, const Buffer& from, std::uint32_t level, std::uint32_t layer) {
    to(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkBufferImageCopy region{};
    region.imageSubresource = {image.aspect(), level, layer, 1};
    region.imageExtent = {std::max(image.kind.width >> level, 1u),
                          std::max(image.kind.height >> level, 1u),
                          std::max(image.kind.depth >> level, 1u)};
    vkCmdCopyBufferToImage(commands, from.buffer, image.image, image.layout, 1, &region);
}

void Canvas::whole_viewport(std::uint32_t width, std::uint32_t height) {
    const VkViewport viewport{0, 0, static_cast<float>(width), static_cast<float>(height), 0, 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    const VkRect2D scissor{{0, 0}, {width, height}};
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

void Canvas::begin(const std::vector<Image*>& targets, Image* depth, bool clear,
                   std::uint32_t layers, std::uint32_t views, Image* resolved) {
    std::vector<VkRenderingAttachmentInfo> colors;
    const auto load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
    for (Image* image : targets) {
        to(*image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        auto one = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
        one.imageView = image->view;
        one.imageLayout = image->layout;
        one.loadOp = load;
        one.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        if (image == &target) std::memcpy(one.clearValue.color.float32, kBackground.data(), 16);
        if (resolved) {
            to(*resolved, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
            one.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
            one.resolveImageView = resolved->view;
            one.resolveImageLayout = resolved->layout;
        }
        colors.push_back(one);
    }
    auto deep = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    auto info = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    if (depth) {
        to(*depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        deep.imageView = depth->view;
        deep.imageLayout = depth->layout;
        deep.loadOp = load;
        deep.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        deep.clearValue.depthStencil = {1, 0};
        if (has_depth(depth->kind.format)) info.pDepthAttachment = &deep;
        if (has_stencil(depth->kind.format)) info.pStencilAttachment = &deep;
    }
    // The view may be of a smaller level than the image's first.
    const Image* const first = !targets.empty() ? targets.front() : depth;
    const std::uint32_t width = first ? std::min(first->kind.width, kSize) : kSize,
                        height = first ? std::min(first->kind.height, kSize) : kSize;
    info.renderArea = {{0, 0}, {width, height}};
    info.layerCount = views ? 1 : layers;
    info.viewMask = views;
    info.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
    info.pColorAttachments = colors.data();
    vkCmdBeginRendering(commands, &info);
    whole_viewport(width, height);
}

void Canvas::bind(const Resources& resources) {
    auto info = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pool_;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &set_layout;
    VkDescriptorSet set{};
    check(vkAllocateDescriptorSets(device, &info, &set), "a descriptor set");
    const auto each = [&](std::uint32_t binding, std::size_t given, const auto& put) {
        for (std::uint32_t i = 0; given && i < kBindings[binding].count; ++i) {
            auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
            write.dstSet = set;
            write.dstBinding = binding;
            write.dstArrayElement = i;
            write.descriptorCount = 1;
            write.descriptorType = kBindings[binding].type;
            put(write, std::min<std::size_t>(i, given - 1));
            vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
        }
    };
    const auto buffers = [&](std::uint32_t binding, const std::vector<Buffer>& given) {
        each(binding, given.size(), [&](VkWriteDescriptorSet& write, std::size_t i) {
            static thread_local VkDescriptorBufferInfo place;
            place = {given[i].buffer, 0, VK_WHOLE_SIZE};
            write.pBufferInfo = &place;
        });
    };
    VkDescriptorImageInfo place{};
    buffers(0, resources.uniforms);
    // Lavapipe looks at every sampler of a set, also at those that no shader uses.
    const std::vector<Sampled> textures =
        resources.textures.empty() ? std::vector<Sampled>{{&target, sampler(VK_FILTER_NEAREST)}}
                                   : resources.textures;
    each(1, textures.size(), [&](VkWriteDescriptorSet& write, std::size_t i) {
        place = {textures[i].sampler, textures[i].image->view,
                 resources.textures.empty() ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                                            : textures[i].image->layout};
        write.pImageInfo = &place;
    });
    const auto images = [&](std::uint32_t binding, const std::vector<Image*>& given) {
        each(binding, given.size(), [&](VkWriteDescriptorSet& write, std::size_t i) {
            place = {VK_NULL_HANDLE, given[i]->view, given[i]->layout};
            write.pImageInfo = &place;
        });
    };
    images(2, resources.images);
    buffers(3, resources.storage);
    for (std::size_t i = 0; i < resources.inputs.size(); ++i)
        images(i ? 6 : 4, {resources.inputs[i]});
    each(5, resources.texels ? 1 : 0, [&](VkWriteDescriptorSet& write, std::size_t) {
        write.pTexelBufferView = &resources.texels;
    });
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                            nullptr);
}

void Canvas::vertices(const Buffer& data, std::uint32_t binding) {
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(commands, binding, 1, &data.buffer, &zero);
}

void Canvas::rectangle(float left, float top, float right, float bottom, float depth,
                       const Color& color) {
    std::vector<float> data;
    for (const auto& [x, y] : {std::pair{left, top},
                               {right, top},
                               {left, bottom},
                               {left, bottom},
                               {right, top},
                               {right, bottom}}) {
        data.insert(data.end(), {x, y, depth, 1});
        data.insert(data.end(), color.begin(), color.end());
    }
    draw_plain(data);
}

void Canvas::show(Image& image, Code fragment, VkSampler how) {
    to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    begin();
    use({.vertex = full_vert, .fragment = fragment});
    bind({.textures = {{&image, how ? how : sampler(VK_FILTER_NEAREST)}}});
    draw(3);
    end();
}

}  // namespace scenes
