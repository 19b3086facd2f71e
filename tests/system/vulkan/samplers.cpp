// SPDX-License-Identifier: Apache-2.0
// What extensions add to samplers and views; resolves of depths.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

Image noise(Canvas& c, const ImageKind& kind) {
    Image made = c.image(kind);
    for (std::uint32_t level = 0; level < kind.levels; ++level)
        for (std::uint32_t layer = 0; layer < kind.layers; ++layer) {
            std::vector<std::uint32_t> texels(kind.width * kind.height);
            std::uint32_t state = 77 + 5 * level + layer;
            for (std::uint32_t& texel : texels) {
                state = state * 1664525 + 1013904223;
                texel = state >> 8 | state << 24;
            }
            c.fill(made, c.buffer(texels), level, layer);
        }
    c.to(made, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    return made;
}
/// An image in a quarter of the target.
void quarter(Canvas& c, int i, Image& image, VkSampler sampler, Code fragment, const Color& place) {
    c.use({.vertex = full_vert, .fragment = fragment});
    const VkViewport area{
        static_cast<float>(i % 2 * 32), static_cast<float>(i / 2 * 32), 32, 32, 0, 1};
    const VkRect2D part{{i % 2 * 32, i / 2 * 32}, {32, 32}};
    vkCmdSetViewport(c.commands, 0, 1, &area);
    vkCmdSetScissor(c.commands, 0, 1, &part);
    c.bind({.textures = {{&image, sampler}}});
    c.push(place);
    c.draw(3);
}

/// Border colours of the program's, through views that exchange channels and formats with few.
void border_colors(Canvas& c) {
    auto border = make<VkSamplerCustomBorderColorCreateInfoEXT>(
        VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    border.customBorderColor = {{0.2f, 0.4f, 0.6f, 0.8f}};
    const VkComponentMapping turned{VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE,
                                    VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G};
    auto names = make<VkSamplerBorderColorComponentMappingCreateInfoEXT>(
        VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT);
    names.components = turned;
    const ImageKind kinds[] = {{.width = 8, .height = 8},
                               {.format = VK_FORMAT_B8G8R8A8_UNORM, .width = 8, .height = 8},
                               {.width = 8, .height = 8, .swizzle = turned},
                               {.format = VK_FORMAT_R16G16_SNORM, .width = 8, .height = 8}};
    std::vector<Image> images;
    for (const ImageKind& kind : kinds)
        images.push_back(noise(c, kind));
    c.begin();
    for (int i = 0; i < 4; ++i) {
        border.format = kinds[i].format;
        border.pNext = i == 2 ? &names : nullptr;
        const VkSampler sampler =
            c.sampler(i & 1 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST,
                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, [&](VkSamplerCreateInfo& info) {
                          info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
                          info.pNext = &border;
                      });
        quarter(c, i, images[i], sampler, textured_frag, {-0.502f, -0.503f, 2, 2});
    }
    c.end();
}
/// The least and the greatest of the texels that a filter takes; coordinates that turn once.
void reduced(Canvas& c) {
    Image image = noise(c, {.width = 8, .height = 8});
    c.begin();
    for (int i = 0; i < 4; ++i) {
        auto reduction = make<VkSamplerReductionModeCreateInfo>(
            VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
        reduction.reductionMode = i & 1   ? VK_SAMPLER_REDUCTION_MODE_MAX
                                  : i < 2 ? VK_SAMPLER_REDUCTION_MODE_MIN
                                          : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
        const VkSampler sampler = c.sampler(
            VK_FILTER_LINEAR,
            i < 2 ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE,
            [&](VkSamplerCreateInfo& info) { info.pNext = &reduction; });
        quarter(c, i, image, sampler, textured_frag, {-1.017f, -1.015f, 2.6f, 2.6f});
    }
    c.end();
}
/// Sides of a cube that end at their edges.
void open_cubes(Canvas& c) {
    Image image = noise(c, {.width = 4,
                            .height = 4,
                            .layers = 6,
                            .view = VK_IMAGE_VIEW_TYPE_CUBE,
                            .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT});
    const VkSampler open = c.sampler(
        VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, [](VkSamplerCreateInfo& info) {
            info.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
        });
    c.begin();
    c.use({.vertex = full_vert, .fragment = cube_frag});
    c.bind({.textures = {{&image, open}}});
    c.push(Color{0, 0, 1, 1});
    c.draw(3);
    c.end();
}
/// Views whose levels begin between two; where there are none, samplers that do.
void least_levels(Canvas& c) {
    Image image = noise(c, {.width = 32, .height = 32, .levels = 6});
    const bool views = c.machine.offers(VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME);
    c.begin();
    c.end();
    c.begin({&c.target}, nullptr, false);
    for (int i = 0; i < 4; ++i) {
        const float least = 0.75f + static_cast<float>(i) * 0.625f;
        Image limited = image;
        if (views) {
            auto limit = make<VkImageViewMinLodCreateInfoEXT>(
                VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
            limit.minLod = least;
            auto info = make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
            info.pNext = &limit;
            info.image = image.image;
            info.viewType = VK_IMAGE_VIEW_TYPE_2D;
            info.format = image.kind.format;
            info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 6, 0, 1};
            check(vkCreateImageView(c.device, &info, nullptr, &limited.view), "a view");
            c.later([&c, view = limited.view] { vkDestroyImageView(c.device, view, nullptr); });
        }
        const VkSampler sampler = c.sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                            [&](VkSamplerCreateInfo& info) {
                                                info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
                                                if (!views) info.minLod = least;
                                            });
        quarter(c, i, limited, sampler, with_level_frag, {0, 0, 1, 1});
    }
    c.end();
}
/// Formats of 16 bits with channels in other orders.
void nibbles(Canvas& c) {
    c.begin();
    c.end();
    int i = 0;
    for (const VkFormat format :
         {VK_FORMAT_A4R4G4B4_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16}) {
        Image image = noise(c, {.format = format, .width = 16, .height = 16});
        c.begin({&c.target}, nullptr, false);
        quarter(c, i++, image, c.sampler(VK_FILTER_NEAREST), textured_frag, {0, 0, 1, 1});
        c.end();
    }
}
bool resolves(const Canvas& c, VkResolveModeFlagBits mode) {
    auto modes = make<VkPhysicalDeviceDepthStencilResolveProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES);
    auto all = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    all.pNext = &modes;
    vkGetPhysicalDeviceProperties2(c.machine.physical, &all);
    return modes.supportedDepthResolveModes & mode;
}
/// Depth resolved to its first sample, its least and its greatest; where a driver has no such mode,
/// a shader does it.
void depth_resolved(Canvas& c) {
    ImageKind one{.format = VK_FORMAT_D32_SFLOAT,
                  .width = 32,
                  .height = 32,
                  .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
    ImageKind four = one;
    four.samples = VK_SAMPLE_COUNT_4_BIT;
    c.begin();
    c.end();
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .blends = {},
              .targets = {},
              .depth_format = one.format,
              .samples = VK_SAMPLE_COUNT_4_BIT};
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    int i = 0;
    for (const VkResolveModeFlagBits mode :
         {VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MAX_BIT}) {
        Image depth = c.image(four), resolved = c.image(one);
        c.to(depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        c.to(resolved, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        auto deep = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
        deep.imageView = depth.view;
        deep.imageLayout = depth.layout;
        const bool by_pass = resolves(c, mode);
        deep.resolveMode = by_pass ? mode : VK_RESOLVE_MODE_NONE;
        deep.resolveImageView = resolved.view;
        deep.resolveImageLayout = resolved.layout;
        deep.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        deep.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        deep.clearValue.depthStencil = {1, 0};
        auto info = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
        info.renderArea = {{0, 0}, {32, 32}};
        info.layerCount = 1;
        info.pDepthAttachment = &deep;
        vkCmdBeginRendering(c.commands, &info);
        c.whole_viewport(32, 32);
        c.use(look);
        c.draw_plain({-1,    -1,    0.05f, 1, 0, 0, 0, 0, 1,    -0.83f, 1,    1, 0, 0, 0, 0,
                      -0.8f, 0.9f,  0.8f,  1, 0, 0, 0, 0, 1,    -0.7f,  0,    1, 0, 0, 0, 0,
                      -1,    -0.9f, 0.8f,  1, 0, 0, 0, 0, 0.7f, 1,      0.1f, 1, 0, 0, 0, 0});
        c.end();
        Image& seen = by_pass ? resolved : depth;
        c.to(seen, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        c.begin({&c.target}, nullptr, false);
        const float greatest = mode == VK_RESOLVE_MODE_MAX_BIT ? 1 : 0;
        quarter(c, i++, seen, c.sampler(VK_FILTER_NEAREST),
                by_pass ? Code(textured_frag) : Code(extreme_sample_frag),
                by_pass ? Color{0, 0, 1, 1} : Color{greatest, 0, 0, 0});
        c.end();
    }
}
/// Alpha that counts as 1 once it has been used for coverage.
void alpha_to_one(Canvas& c) {
    c.begin();
    Look look{.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
    look.change = [](States& states) { states.samples.alphaToOneEnable = VK_TRUE; };
    look.blends[0].blendEnable = VK_TRUE;
    look.blends[0].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    look.blends[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    look.blends[0].srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
    look.blends[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    c.use(look);
    c.rectangle(-0.9f, -0.9f, 0.5f, 0.4f, 0, {1, 0.2f, 0, 0.25f});
    c.rectangle(-0.4f, -0.3f, 0.9f, 0.8f, 0, {0.4f, 0.8f, 0, 0.5f});
    c.end();
}

}  // namespace

std::vector<Scene> samplers() {
    return {
        {"border_colors", "border colours of the program's", 2, border_colors},
        {"reduced", "least and greatest of the texels of a filter", 2, reduced},
        {"open_cubes", "cubes without a filter across edges", 2, open_cubes},
        {"least_levels", "views whose levels begin between two", 3, least_levels},
        {"nibbles", "channels of 4 and 5 bits", 1, nibbles},
        {"depth_resolved", "resolves of depths", 1, depth_resolved},
        {"alpha_to_one", "alpha that counts as 1", 1, alpha_to_one},
    };
}

}  // namespace scenes
