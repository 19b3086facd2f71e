// SPDX-License-Identifier: Apache-2.0
// As large and as many as the machine has.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

constexpr VkImageUsageFlags kDrawn = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;

/// Rendering to all of an image's pixels and layers.
void begin_whole(Canvas& c, Image& image) {
    c.to(image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    auto color = make<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = image.view;
    color.imageLayout = image.layout;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto info = make<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    info.renderArea = {{0, 0}, {image.kind.width, image.kind.height}};
    info.layerCount = image.kind.layers;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    vkCmdBeginRendering(c.commands, &info);
    c.whole_viewport(image.kind.width, image.kind.height);
}
void cleared(Canvas& c) {
    c.begin();
    c.end();
}
/// A part of an image to a place of the target.
void copy(Canvas& c, Image& from, VkOffset3D at, std::uint32_t layer, VkOffset3D to,
          VkExtent3D extent) {
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkImageCopy region{};
    region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1};
    region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.srcOffset = at;
    region.dstOffset = to;
    region.extent = extent;
    vkCmdCopyImage(c.commands, from.image, from.layout, c.target.image, c.target.layout, 1,
                   &region);
}

/// Both ends and the middle of the widest and of the highest target.
void largest_targets(Canvas& c) {
    constexpr std::int32_t kMost = 16384, kLow = 4;
    cleared(c);
    for (const bool wide : {true, false}) {
        ImageKind kind{.usage = kDrawn};
        kind.width = wide ? kMost : kLow;
        kind.height = wide ? kLow : kMost;
        Image image = c.image(kind);
        begin_whole(c, image);
        c.use({.vertex = full_vert, .fragment = far_frag});
        c.draw(3);
        c.end();
        std::int32_t row = wide ? 0 : 16;
        for (const std::int32_t at : {0, kMost / 2 - 20, kMost - 40}) {
            copy(c, image, {wide ? at : 0, wide ? 0 : at, 0}, 0,
                 {wide ? 8 : row - 8, wide ? row : 20, 0}, {wide ? 40u : 4u, wide ? 4u : 40u, 1});
            row += 5;
        }
    }
}
/// Each eighth of the most layers, and each of the most viewports.
void most_layers(Canvas& c) {
    Image image = c.image({.width = 4,
                           .height = 4,
                           .layers = 2048,
                           .usage = kDrawn,
                           .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    cleared(c);
    begin_whole(c, image);
    std::vector<VkViewport> viewports;
    for (int i = 0; i < 16; ++i)
        viewports.push_back(
            {static_cast<float>(i % 4 - 1), static_cast<float>(i / 4 - 2), 4, 4, 0, 1});
    const std::vector<VkRect2D> scissors(16, {{0, 0}, {4, 4}});
    vkCmdSetViewport(c.commands, 0, 16, viewports.data());
    vkCmdSetScissor(c.commands, 0, 16, scissors.data());
    c.use({.vertex = each_layer_vert, .fragment = plain_frag, .viewports = 16});
    c.draw(3, 2048);
    c.end();
    for (std::int32_t i = 0; i < 256; ++i)
        copy(c, image, {0, 0, 0}, static_cast<std::uint32_t>(8 * i + (i / 16 + i) % 8),
             {i % 16 * 4, i / 16 * 4, 0}, {4, 4, 1});
}
/// Eight targets of as many formats; each blends in its own way.
void most_targets(Canvas& c) {
    constexpr VkFormat kFormats[] = {VK_FORMAT_R8G8B8A8_UNORM,
                                     VK_FORMAT_B8G8R8A8_UNORM,
                                     VK_FORMAT_R16G16_SFLOAT,
                                     VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                     VK_FORMAT_R5G6B5_UNORM_PACK16,
                                     VK_FORMAT_R16G16B16A16_SFLOAT,
                                     VK_FORMAT_R8_UNORM,
                                     VK_FORMAT_R32G32B32A32_SFLOAT};
    std::vector<Image> images;
    for (const VkFormat format : kFormats)
        images.push_back(c.image({.format = format, .usage = kDrawn}));
    std::vector<Image*> targets;
    Look look{.vertex = plain_vert,
              .fragment = eight_frag,
              .input = plain_vertices(),
              .blends = std::vector(8, no_blending()),
              .targets = {std::begin(kFormats), std::end(kFormats)}};
    for (std::uint32_t i = 0; i < 8; ++i) {
        targets.push_back(&images[i]);
        look.blends[i].blendEnable = i & 1;
        look.blends[i].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
        look.blends[i].dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
        look.blends[i].colorWriteMask = i == 5 ? 5 : 15;
    }
    cleared(c);
    c.begin(targets);
    c.use(look);
    c.rectangle(-0.9f, -0.9f, 0.5f, 0.4f, 0, {1, 0.2f, 0, 1});
    c.rectangle(-0.4f, -0.3f, 0.9f, 0.8f, 0, {0.4f, 0.8f, 0, 1});
    c.end();
    for (std::int32_t i = 0; i < 8; ++i) {
        c.to(images[i], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
        c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        VkImageBlit region{};
        region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.srcOffsets[1] = {64, 64, 1};
        region.dstOffsets[0] = {i % 4 * 16, i / 4 * 32, 0};
        region.dstOffsets[1] = {i % 4 * 16 + 16, i / 4 * 32 + 32, 1};
        vkCmdBlitImage(c.commands, images[i].image, images[i].layout, c.target.image,
                       c.target.layout, 1, &region, VK_FILTER_NEAREST);
    }
}
/// 29 attributes, each from a buffer of its own.
void most_streams(Canvas& c) {
    Look look{.vertex = streams_vert,
              .fragment = plain_frag,
              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
    look.input.attributes = {{VK_FORMAT_R32G32_SFLOAT, 0, 0}};
    look.input.strides = {8};
    c.vertices({-0.9f, -0.8f, 0.8f, -0.7f, -0.7f, 0.9f, 0.9f, 0.7f});
    c.begin();
    for (std::uint32_t i = 1; i < 29; ++i) {
        look.input.attributes.push_back({VK_FORMAT_R32_SFLOAT, 4 * (i % 3), i});
        look.input.strides.push_back(4 * (4 + i % 3));
        std::vector<float> data(28, 100);
        for (std::uint32_t v = 0; v < 4; ++v)
            data[v * (4 + i % 3) + i % 3] = static_cast<float>((v * 5 + i * 3) % 8) / 64;
        c.vertices(c.buffer(data), i);
    }
    c.use(look);
    c.draw(4);
    c.end();
}

}  // namespace

std::vector<Scene> limits() {
    return {
        {"largest_targets", "16384 pixels wide and high", 1, largest_targets},
        {"most_layers", "2048 layers, 16 viewports", 1, most_layers},
        {"most_targets", "eight targets", 8, most_targets},
        {"most_streams", "29 vertex buffers", 1, most_streams},
    };
}

}  // namespace scenes
