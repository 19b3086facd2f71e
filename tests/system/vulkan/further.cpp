// SPDX-License-Identifier: Apache-2.0
// Features that no other picture needs: arrays of cubes, anisotropic filters, what secondary command
// buffers inherit, passes of the second form, samples by the pipeline, views of every stage.
#include <array>
#include <functional>
#include <utility>

#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

Look plain_look() {
    return {.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
}
VkPhysicalDeviceFeatures offered(const Canvas& c) {
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(c.machine.physical, &features);
    return features;
}

void cube_arrays(Canvas& c) {
    Image image = c.image({.width = 4,
                           .height = 4,
                           .layers = 12,
                           .view = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
                           .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT});
    for (std::uint32_t layer = 0; layer < 12; ++layer) {
        std::vector<std::uint32_t> texels;
        for (std::uint32_t i = 0; i < 16; ++i)
            texels.push_back(0xFF000000 | ((layer * 16 + i) * 0x9E3779B1u) >> 8);
        c.fill(image, c.buffer(texels), 0, layer);
    }
    c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin();
    c.use({.vertex = full_vert, .fragment = cube_array_frag});
    c.bind({.textures = {{&image, c.sampler(VK_FILTER_NEAREST)}}});
    c.draw(3);
    c.end();
}

bool is_of_the_processor(const Canvas& c) {
    auto driver =
        make<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    auto all = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    all.pNext = &driver;
    vkGetPhysicalDeviceProperties2(c.machine.physical, &all);
    return driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
}
/// The level is the one of the shorter step where the longer one is no more than 4 or 16 of it. Each
/// level has one shade, so that it does not matter where the filter looks. Lavapipe takes other
/// levels, and draws those that Vulkan wants by their numbers.
void anisotropic(Canvas& c) {
    constexpr std::uint32_t kLevels = 7;
    Image image = c.image({.width = 64, .height = 64, .levels = kLevels});
    for (std::uint32_t level = 0; level < kLevels; ++level) {
        const std::uint32_t side = 64 >> level;
        const std::uint32_t shade = 0xFF000000 | level * 40 << 16 | (255 - level * 30) << 8 | level;
        c.fill(image, c.buffer(std::vector<std::uint32_t>(std::size_t{side} * side, shade)), level);
    }
    c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin();
    const bool by_numbers = is_of_the_processor(c);
    c.use({.vertex = full_vert,
           .fragment = by_numbers ? Code(anisotropic_levels_frag) : Code(anisotropic_frag)});
    for (const int half : {0, 1}) {
        const VkSampler sampler = c.sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                            [&](VkSamplerCreateInfo& info) {
                                                info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
                                                info.anisotropyEnable = VK_TRUE;
                                                info.maxAnisotropy = half ? 4 : 16;
                                            });
        const VkViewport area{static_cast<float>(32 * half), 0, 32, 64, 0, 1};
        const VkRect2D part{{32 * half, 0}, {32, 64}};
        vkCmdSetViewport(c.commands, 0, 1, &area);
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.bind({.textures = {{&image, sampler}}});
        c.push(half ? 4.f : 16.f);
        c.draw(3);
    }
    c.end();
}

/// Indices of all 32 bits.
void far_indices(Canvas& c) {
    std::vector<std::uint32_t> indices;
    for (const std::uint32_t first : {0u, 0x7FFFFFF8u, 0xFFFFFFE0u})
        for (std::uint32_t i = 0; i < 6; ++i)
            for (std::uint32_t corner = 0; corner < 3; ++corner)
                indices.push_back(first + i + corner);
    c.begin();
    c.use({.vertex = far_indices_vert, .fragment = plain_frag});
    vkCmdBindIndexBuffer(c.commands, c.buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(c.commands, static_cast<std::uint32_t>(indices.size()), 1, 0, 0, 0);
    c.end();
}

/// Lists of patches that begin anew; values of the first instance for all of them.
void steps_of_none(Canvas& c) {
    c.begin();
    Look patch{.vertex = patch_vert,
               .fragment = plain_frag,
               .input = {{{VK_FORMAT_R32G32_SFLOAT, 0}}, {8}},
               .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
               .restart = true};
    patch.tessellation = {patch_tesc, patch_triangles_tese};
    patch.patch_points = 3;
    c.use(patch);
    c.push(std::array<float, 6>{2, 3, 1, 1, 2, 1});
    c.vertices({-0.9f, -0.9f, -0.1f, -0.8f, -0.8f, -0.1f, 0.1f, -0.9f, 0.9f, -0.8f, 0.2f, -0.1f});
    // One whole patch in a draw: lavapipe numbers patches anew where the list begins anew.
    const Buffer indices =
        c.buffer(std::vector<std::uint32_t>{0, 1, ~0u, 0, 1, 2, 3, ~0u, 0, ~0u, 3, 4, 5});
    vkCmdBindIndexBuffer(c.commands, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(c.commands, 8, 1, 0, 0, 0);
    vkCmdDrawIndexed(c.commands, 5, 1, 8, 0, 0);

    Look steps = plain_look();
    steps.input = {{{VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {VK_FORMAT_R32G32B32A32_SFLOAT, 0, 1}},
                   {16, 16},
                   true};
    steps.vertex = instanced_vert;
    const VkVertexInputBindingDivisorDescriptionEXT none{1, 0};
    auto divisors = make<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
    divisors.vertexBindingDivisorCount = 1;
    divisors.pVertexBindingDivisors = &none;
    steps.change = [&](States& states) { states.input.pNext = &divisors; };
    c.use(steps);
    c.vertices({-0.3f, 0.3f, 0, 1, 0.1f, 0.4f, 0, 1, -0.2f, 0.8f, 0, 1});
    c.vertices(c.buffer(std::vector<float>{-0.3f, 0.1f, 0.1f, 1, 0.1f, 0.3f, 0.5f, 1, 0.4f, 0.6f,
                                           0.3f, 1}),
               1);
    c.draw(3, 3);
    c.end();
}

/// What vertex shaders write is drawn as bars.
void stored_by_vertices(Canvas& c) {
    const Buffer counts = c.buffer(std::vector<std::uint32_t>(8, 0));
    c.begin();
    Look look = plain_look();
    look.vertex = stored_vert;
    c.use(look);
    c.bind({.storage = {counts}});
    c.rectangle(-0.9f, 0.6f, 0.9f, 0.9f, 0, kGreen);
    c.end();
    c.wait_for_all();
    c.begin({&c.target}, nullptr, false);
    const VkRect2D rows{{0, 0}, {kSize, 48}};
    vkCmdSetScissor(c.commands, 0, 1, &rows);
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{4096});
    c.draw(3);
    c.end();
}

/// States that the other pictures of dynamic states leave out: of lines and their first vertices, of
/// clipping by depth, of patches' origins, of samples.
void last_dynamic_states(Canvas& c) {
    const auto mode =
        c.function<PFN_vkCmdSetLineRasterizationModeEXT>("vkCmdSetLineRasterizationModeEXT");
    const auto stipple =
        c.function<PFN_vkCmdSetLineStippleEnableEXT>("vkCmdSetLineStippleEnableEXT");
    const auto pattern = c.function<PFN_vkCmdSetLineStippleEXT>("vkCmdSetLineStippleEXT");
    const auto provoking =
        c.function<PFN_vkCmdSetProvokingVertexModeEXT>("vkCmdSetProvokingVertexModeEXT");
    const auto clip = c.function<PFN_vkCmdSetDepthClipEnableEXT>("vkCmdSetDepthClipEnableEXT");
    const auto both_ways = c.function<PFN_vkCmdSetDepthClipNegativeOneToOneEXT>(
        "vkCmdSetDepthClipNegativeOneToOneEXT");
    const auto origin =
        c.function<PFN_vkCmdSetTessellationDomainOriginEXT>("vkCmdSetTessellationDomainOriginEXT");
    const auto mask = c.function<PFN_vkCmdSetSampleMaskEXT>("vkCmdSetSampleMaskEXT");
    c.begin();
    Look lines = plain_look();
    lines.vertex = flat_vert;
    lines.fragment = flat_frag;
    lines.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    lines.dynamic = {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
                     VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT,
                     VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT};
    c.use(lines);
    for (int i = 0; i < 4; ++i) {
        mode(c.commands, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT);
        stipple(c.commands, i & 1);
        pattern(c.commands, 2, 0x9A3C);
        provoking(c.commands, i & 2 ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                    : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
        const float y = -0.95f + 0.1f * static_cast<float>(i);
        c.draw_plain({-0.93f, y, 0, 1, 1, 0, 0, 1, 0.91f, y + 0.05f, 0, 1, 0, 1, 0, 1});
    }
    Look depths = plain_look();
    depths.depth_clamp = true;
    depths.dynamic = {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
                      VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
                      VK_DYNAMIC_STATE_SAMPLE_MASK_EXT};
    c.use(depths);
    for (int i = 0; i < 8; ++i) {
        clip(c.commands, !(i & 1));
        both_ways(c.commands, i & 2 ? VK_TRUE : VK_FALSE);
        const VkSampleMask samples = i != 5;
        mask(c.commands, VK_SAMPLE_COUNT_1_BIT, &samples);
        const float x = -0.95f + 0.24f * static_cast<float>(i);
        c.rectangle(x, -0.4f, x + 0.2f, -0.2f, -0.5f, kRed);
        c.rectangle(x, -0.15f, x + 0.2f, 0, 0.5f, kBlue);
    }
    Look patch{.vertex = patch_vert,
               .fragment = plain_frag,
               .input = {{{VK_FORMAT_R32G32_SFLOAT, 0}}, {8}},
               .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
    patch.tessellation = {patch_tesc, patch_triangles_tese};
    patch.patch_points = 3;
    patch.cull = VK_CULL_MODE_BACK_BIT;
    patch.dynamic = {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT};
    c.use(patch);
    c.push(std::array<float, 6>{3, 4, 5, 1, 3, 1});
    for (int i = 0; i < 2; ++i) {
        origin(c.commands, i ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                             : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
        const float x = i ? 0 : -0.9f;
        c.vertices({x, 0.1f, x + 0.8f, 0.15f, x + 0.2f, 0.9f});
        c.draw(3);
    }
    c.end();
}

// --- Passes

struct Pass {
    VkRenderPass pass{};
    VkFramebuffer frame{};
};
void keep(Canvas& c, const Pass& made) {
    c.later([device = c.device, made] {
        vkDestroyFramebuffer(device, made.frame, nullptr);
        vkDestroyRenderPass(device, made.pass, nullptr);
    });
}
VkAttachmentDescription2 attachment(VkFormat format, VkImageLayout after) {
    auto made = make<VkAttachmentDescription2>(VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2);
    made.format = format;
    made.samples = VK_SAMPLE_COUNT_1_BIT;
    made.loadOp = made.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    made.storeOp = made.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    made.finalLayout = after;
    return made;
}
VkAttachmentReference2 reference(std::uint32_t attachment, VkImageLayout layout,
                                 VkImageAspectFlags aspect) {
    auto made = make<VkAttachmentReference2>(VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2);
    made.attachment = attachment;
    made.layout = layout;
    made.aspectMask = aspect;
    return made;
}
constexpr auto kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr auto kDepthFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;

/// A pass that clears the target, and depth and stencil, whose layouts are told one by one. Its
/// framebuffer knows the images' kinds only.
Pass second_form(Canvas& c, const Image& depth) {
    Pass made;
    VkAttachmentDescription2 attachments[] = {
        attachment(kTargetFormat, kColor),
        attachment(kDepthFormat, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL)};
    auto stencil_after = make<VkAttachmentDescriptionStencilLayout>(
        VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
    stencil_after.stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
    attachments[1].pNext = &stencil_after;
    const auto color = reference(0, kColor, VK_IMAGE_ASPECT_COLOR_BIT);
    auto deep = reference(1, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, depth.aspect());
    auto stencil = make<VkAttachmentReferenceStencilLayout>(
        VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT);
    stencil.stencilLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
    deep.pNext = &stencil;
    auto subpass = make<VkSubpassDescription2>(VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2);
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &deep;
    auto info = make<VkRenderPassCreateInfo2>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2);
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    check(vkCreateRenderPass2(c.device, &info, nullptr, &made.pass), "a pass");

    VkFramebufferAttachmentImageInfo kinds[2];
    const VkImageUsageFlags usages[] = {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
    constexpr VkFormat kFormats[] = {kTargetFormat, kDepthFormat};
    for (unsigned k = 0; k < 2; ++k) {
        kinds[k] = make<VkFramebufferAttachmentImageInfo>(
            VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO);
        kinds[k].usage = usages[k] | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                         VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
        kinds[k].width = kinds[k].height = kSize;
        kinds[k].layerCount = 1;
        kinds[k].viewFormatCount = 1;
        kinds[k].pViewFormats = &kFormats[k];
    }
    auto all = make<VkFramebufferAttachmentsCreateInfo>(
        VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
    all.attachmentImageInfoCount = 2;
    all.pAttachmentImageInfos = kinds;
    auto of_frame = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    of_frame.pNext = &all;
    of_frame.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    of_frame.renderPass = made.pass;
    of_frame.attachmentCount = 2;
    of_frame.width = of_frame.height = kSize;
    of_frame.layers = 1;
    check(vkCreateFramebuffer(c.device, &of_frame, nullptr, &made.frame), "a framebuffer");
    keep(c, made);
    return made;
}
void imageless(Canvas& c) {
    Image depth =
        c.image({.format = kDepthFormat, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const Pass pass = second_form(c, depth);
    c.target.layout = kColor;
    const VkImageView views[] = {c.target.view, depth.view};
    auto images =
        make<VkRenderPassAttachmentBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    images.attachmentCount = 2;
    images.pAttachments = views;
    VkClearValue values[2]{};
    std::memcpy(values[0].color.float32, kBackground.data(), sizeof kBackground);
    values[1].depthStencil = {0.75f, 5};
    auto info = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.pNext = &images;
    info.renderPass = pass.pass;
    info.framebuffer = pass.frame;
    info.renderArea = {{0, 0}, {kSize, kSize}};
    info.clearValueCount = 2;
    info.pClearValues = values;
    const auto inside = make<VkSubpassBeginInfo>(VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO);
    vkCmdBeginRenderPass2(c.commands, &info, &inside);
    c.whole_viewport();
    Look look = plain_look();
    look.pass = pass.pass;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    look.depth.stencilTestEnable = VK_TRUE;
    look.depth.front = look.depth.back = {VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_COMPARE_OP_EQUAL,
                                          0xFF,
                                          0xFF,
                                          5};
    c.use(look);
    c.rectangle(-0.8f, -0.8f, 0.2f, 0.2f, 0.5f, kRed);
    c.rectangle(-0.3f, -0.3f, 0.6f, 0.6f, 0.25f, kGreen);  // not where red is: its stencil
    c.rectangle(0.3f, -0.9f, 0.9f, 0.9f, 0.8f, kBlue);     // nowhere: it is too deep
    const auto over = make<VkSubpassEndInfo>(VK_STRUCTURE_TYPE_SUBPASS_END_INFO);
    vkCmdEndRenderPass2(c.commands, &over);
}

/// A pass without attachments, whose pipelines say how many samples a pixel has; where they may not
/// differ, a pass for each.
void varying_samples(Canvas& c) {
    const bool differ = offered(c).variableMultisampleRate;
    VkSubpassDescription subpass{};
    Pass pass;
    auto info = make<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    check(vkCreateRenderPass(c.device, &info, nullptr, &pass.pass), "a pass");
    auto of_frame = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    of_frame.renderPass = pass.pass;
    of_frame.width = of_frame.height = kSize;
    of_frame.layers = 1;
    check(vkCreateFramebuffer(c.device, &of_frame, nullptr, &pass.frame), "a framebuffer");
    keep(c, pass);
    auto begins = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begins.renderPass = pass.pass;
    begins.framebuffer = pass.frame;
    begins.renderArea = {{0, 0}, {kSize, kSize}};
    const Buffer counts = c.buffer(std::vector<std::uint32_t>(8, 0));
    const VkSampleCountFlagBits samples[] = {VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_4_BIT,
                                             VK_SAMPLE_COUNT_1_BIT};
    for (std::uint32_t i = 0; i < 3; ++i) {
        if (i == 0 || !differ)
            vkCmdBeginRenderPass(c.commands, &begins, VK_SUBPASS_CONTENTS_INLINE);
        if (i == 0 || !differ) c.whole_viewport();
        Look look = plain_look();
        look.fragment = counted_frag;
        look.pass = pass.pass;
        look.blends.clear();
        look.samples = samples[i];
        c.use(look);
        c.bind({.storage = {counts}});
        c.push(i);
        c.rectangle(-0.5f, -0.5f, 0.25f, 0.25f * static_cast<float>(i), 0, kRed);
        if (i == 2 || !differ) vkCmdEndRenderPass(c.commands);
    }
    c.wait_for_all();
    c.begin();
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{4096});
    c.draw(3);
    c.end();
}

// --- What secondary command buffers inherit

/// Records commands into a buffer of their own, which is executed where a query counts and a word in
/// memory decides; where nothing is inherited, records them in their place.
class Second {
  public:
    Second(Canvas& c, bool inherits, VkBool32 conditional, const std::function<void()>& record)
        : c_(c), record_(record) {
        if (!inherits) return;
        auto wanted =
            make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
        wanted.commandPool = c.machine.commands;
        wanted.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
        wanted.commandBufferCount = 1;
        check(vkAllocateCommandBuffers(c.device, &wanted, &commands_), "a secondary buffer");
        c.later([&machine = c.machine, one = commands_] {
            vkFreeCommandBuffers(machine.device, machine.commands, 1, &one);
        });
        auto decided = make<VkCommandBufferInheritanceConditionalRenderingInfoEXT>(
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
        decided.conditionalRenderingEnable = conditional;
        auto rendering = make<VkCommandBufferInheritanceRenderingInfo>(
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
        rendering.pNext = &decided;
        rendering.colorAttachmentCount = 1;
        rendering.pColorAttachmentFormats = &kTargetFormat;
        rendering.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        auto inherited =
            make<VkCommandBufferInheritanceInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO);
        inherited.pNext = &rendering;
        inherited.occlusionQueryEnable = VK_TRUE;
        inherited.queryFlags = VK_QUERY_CONTROL_PRECISE_BIT;
        auto info = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
        info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
        info.pInheritanceInfo = &inherited;
        check(vkBeginCommandBuffer(commands_, &info), "a secondary buffer");
        const VkCommandBuffer primary = std::exchange(c.commands, commands_);
        record_();
        c.commands = primary;
        check(vkEndCommandBuffer(commands_), "a secondary buffer's end");
    }
    void execute() {
        if (commands_)
            vkCmdExecuteCommands(c_.commands, 1, &commands_);
        else
            record_();
    }

  private:
    Canvas& c_;
    std::function<void()> record_;
    VkCommandBuffer commands_{};
};
void inherited(Canvas& c) {
    const auto begin =
        c.function<PFN_vkCmdBeginConditionalRenderingEXT>("vkCmdBeginConditionalRenderingEXT");
    const auto end =
        c.function<PFN_vkCmdEndConditionalRenderingEXT>("vkCmdEndConditionalRenderingEXT");
    const bool inherits = offered(c).inheritedQueries;
    auto info = make<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_OCCLUSION;
    info.queryCount = 4;
    VkQueryPool pool{};
    check(vkCreateQueryPool(c.device, &info, nullptr, &pool), "a query pool");
    c.later([device = c.device, pool] { vkDestroyQueryPool(device, pool, nullptr); });
    vkCmdResetQueryPool(c.commands, pool, 0, 4);
    const Buffer words = c.buffer(std::vector<std::uint32_t>{0, 1});
    const Buffer counts = c.buffer(std::vector<std::uint32_t>(8, 0));
    c.begin();  // clears
    c.end();
    c.to(c.target, kColor);
    auto color = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = c.target.view;
    color.imageLayout = kColor;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto rendering = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    if (inherits) rendering.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    rendering.renderArea = {{0, 0}, {kSize, kSize}};
    rendering.layerCount = 1;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachments = &color;
    for (std::uint32_t i = 0; i < 4; ++i) {
        Second second(c, inherits, i >= 2, [&] {
            c.whole_viewport();
            c.use(plain_look());
            const float x = -0.9f + 0.4f * static_cast<float>(i);
            c.rectangle(x, -0.5f, x + 0.3f, 0.25f + 0.1f * static_cast<float>(i), 0, kRed);
        });
        vkCmdBeginQuery(c.commands, pool, i, VK_QUERY_CONTROL_PRECISE_BIT);
        auto word = make<VkConditionalRenderingBeginInfoEXT>(
            VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT);
        word.buffer = words.buffer;
        word.offset = VkDeviceSize{4} * (i % 2);
        if (i >= 2) begin(c.commands, &word);
        vkCmdBeginRendering(c.commands, &rendering);
        second.execute();
        vkCmdEndRendering(c.commands);
        if (i >= 2) end(c.commands);
        vkCmdEndQuery(c.commands, pool, i);
    }
    vkCmdCopyQueryPoolResults(c.commands, pool, 0, 4, counts.buffer, 0, 4,
                              VK_QUERY_RESULT_WAIT_BIT);
    c.wait_for_all();
    c.begin({&c.target}, nullptr, false);
    const VkRect2D rows{{0, 48}, {kSize, 16}};
    vkCmdSetScissor(c.commands, 0, 1, &rows);
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{1024});
    c.draw(3);
    c.end();
}

// --- Views

/// Shaders of each stage that know their view: a geometry shader, and patches.
void views_of_stages(Canvas& c) {
    constexpr std::uint32_t kViews = 0b0011;
    Image target = c.image({.layers = 4,
                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    c.to(target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue gray{{0.5f, 0.5f, 0.5f, 1}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 4};
    vkCmdClearColorImage(c.commands, target.image, target.layout, &gray, 1, &all);
    Image first = target, second = target;
    first.view =
        c.view(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 2});
    second.view =
        c.view(target, VK_IMAGE_VIEW_TYPE_2D_ARRAY, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2, 2});
    c.begin({&first}, nullptr, false, 1, kViews);
    Look look = plain_look();
    look.vertex = views_vert;
    look.geometry = {views_geom};
    look.views = kViews;
    c.use(look);
    c.draw_plain({-0.8f, -0.8f, 0, 1, 1, 0,     0, 1, 0.5f, -0.7f, 0, 1,
                  0,     1,     0, 1, 0, 0.75f, 0, 1, 0,    0,     1, 1});
    c.end();
    second.layout = first.layout;
    c.begin({&second}, nullptr, false, 1, kViews);
    Look patch{.vertex = patch_vert,
               .fragment = plain_frag,
               .input = {{{VK_FORMAT_R32G32_SFLOAT, 0}}, {8}},
               .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
    patch.tessellation = {patch_tesc, views_tese};
    patch.patch_points = 4;
    patch.views = kViews;
    c.use(patch);
    c.push(std::array<float, 6>{2, 3, 4, 1, 3, 2});
    c.vertices({-0.9f, -0.8f, 0.2f, -0.85f, 0.1f, 0.1f, -0.8f, 0});
    c.draw(4);
    c.end();
    target.layout = second.layout;
    c.show(target, four_layers_frag);
}

}  // namespace

std::vector<Scene> further() {
    return {
        {"cube_arrays", "an array of cubes", 0, cube_arrays},
        {"anisotropic", "levels of detail of anisotropic filters", 1, anisotropic},
        {"far_indices", "indices of 32 bits", 1, far_indices},
        {"steps_of_none", "restarts between patches, a divisor of zero", 1, steps_of_none},
        {"stored_by_vertices", "stores and atomics of vertex shaders", 0, stored_by_vertices},
        {"last_dynamic_states", "lines, depths, patches and samples by commands", 1,
         last_dynamic_states},
        {"imageless", "a pass of the second form, images told late", 0, imageless},
        {"varying_samples", "pipelines of several sample counts in one pass", 0, varying_samples},
        {"inherited", "queries and conditions of secondary command buffers", 0, inherited},
        {"views_of_stages", "views in geometry and evaluation shaders", 1, views_of_stages},
    };
}

}  // namespace scenes
