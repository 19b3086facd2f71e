// SPDX-License-Identifier: Apache-2.0
// Pixels of several samples: four, which both drivers have.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

constexpr std::uint32_t kSide = kSize / 2;
constexpr VkSampleCountFlagBits kFour = VK_SAMPLE_COUNT_4_BIT;

ImageKind kind_of(VkFormat format, bool depth = false) {
    return {
        .format = format,
        .width = kSide,
        .height = kSide,
        .usage = static_cast<VkImageUsageFlags>(depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                      : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
        .samples = kFour};
}
Look plain_look(VkFormat format = kTargetFormat) {
    return {.vertex = plain_vert,
            .fragment = plain_frag,
            .input = plain_vertices(),
            .targets = {format},
            .samples = kFour};
}
void triangle(Canvas& c, const std::array<float, 9>& at, const Color& color) {
    std::vector<float> data;
    for (unsigned v = 0; v < 3; ++v) {
        data.insert(data.end(), {at[3 * v], at[3 * v + 1], at[3 * v + 2], 1});
        data.insert(data.end(), color.begin(), color.end());
    }
    c.draw_plain(data);
}
void some_triangles(Canvas& c) {
    triangle(c, {-0.9f, -0.8f, 0, 0.8f, -0.55f, 0, -0.3f, 0.9f, 0}, kRed);
    triangle(c, {0.95f, 0.9f, 0, -0.2f, 0.1f, 0, 0.9f, 0.0f, 0}, {0, 1, 0.2f, 1});
    triangle(c, {-0.97f, 0.3f, 0, -0.9f, 0.33f, 0, 0.4f, -0.9f, 0}, kBlue);
}
void crossing(Canvas& c) {
    triangle(c, {-1, -1, 0.05f, 1, -0.83f, 1, -0.8f, 0.9f, 0.8f}, kRed);
    triangle(c, {1, -0.7f, 0, -1, -0.9f, 0.8f, 0.7f, 1, 0.1f}, kBlue);
}

void samples_edges(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat));
    c.begin({&image});
    c.use(plain_look());
    some_triangles(c);
    c.end();
    c.show(image, samples_frag);
}
void samples_resolved(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat));
    ImageKind one = kind_of(kTargetFormat);
    one.samples = VK_SAMPLE_COUNT_1_BIT;
    Image by_pass = c.image(one);
    c.begin({&image}, nullptr, true, 1, 0, &by_pass);
    c.use(plain_look());
    some_triangles(c);
    c.end();
    c.begin();
    c.end();
    // By a copy too, of a part.
    c.to(image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    c.to(by_pass, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkImageResolve part{};
    part.srcSubresource = part.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    part.srcOffset = {3, 5, 0};
    part.dstOffset = {35, 9, 0};
    part.extent = {27, 21, 1};
    vkCmdResolveImage(c.commands, image.image, image.layout, c.target.image, c.target.layout, 1,
                      &part);
    VkImageCopy whole{};
    whole.srcSubresource = whole.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    whole.dstOffset = {0, 32, 0};
    whole.extent = {kSide, kSide, 1};
    vkCmdCopyImage(c.commands, by_pass.image, by_pass.layout, c.target.image, c.target.layout, 1,
                   &whole);
}
void samples_depth(Canvas& c, VkFormat format) {
    Image image = c.image(kind_of(kTargetFormat)), depth = c.image(kind_of(format, true));
    Look look = plain_look();
    look.depth_format = format;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.begin({&image}, &depth);
    c.use(look);
    crossing(c);
    c.end();
    c.show(image, samples_frag);
}
void samples_depth_16(Canvas& c) {
    samples_depth(c, VK_FORMAT_D16_UNORM);
}
void samples_depth_32(Canvas& c) {
    samples_depth(c, VK_FORMAT_D32_SFLOAT);
}
void samples_depth_texture(Canvas& c) {
    Image depth = c.image(kind_of(VK_FORMAT_D32_SFLOAT, true));
    Look look = plain_look();
    look.targets = {};
    look.blends = {};
    look.depth_format = depth.kind.format;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.begin({}, &depth);
    c.use(look);
    crossing(c);
    c.end();
    c.show(depth, samples_frag);
}
void samples_stencil(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat)),
          stencil = c.image(kind_of(VK_FORMAT_S8_UINT, true));
    Look look = plain_look();
    look.depth_format = stencil.kind.format;
    look.depth.stencilTestEnable = VK_TRUE;
    look.depth.front = {VK_STENCIL_OP_KEEP,
                        VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                        VK_STENCIL_OP_KEEP,
                        VK_COMPARE_OP_ALWAYS,
                        0xFF,
                        0xFF,
                        0};
    look.depth.back = look.depth.front;
    c.begin({&image}, &stencil);
    c.use(look);
    some_triangles(c);
    look.depth.front.compareOp = VK_COMPARE_OP_EQUAL;
    look.depth.front.passOp = VK_STENCIL_OP_KEEP;
    look.depth.front.reference = 2;
    look.depth.back = look.depth.front;
    c.use(look);
    c.rectangle(-1, -1, 1, 1, 0, kWhite);
    c.end();
    c.show(image, samples_frag);
}
void samples_masked(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat));
    Look look = plain_look();
    c.begin({&image});
    for (const auto& [mask, at] : {std::pair{6u, 0.0f}, {9u, 0.5f}, {0u, -0.5f}}) {
        look.sample_mask = mask;
        c.use(look);
        c.rectangle(at - 0.4f, -0.8f, at + 0.3f, 0.9f, 0, {1, at, 0, 1});
    }
    c.end();
    c.show(image, samples_frag);
}
void with_shader(Canvas& c, Code fragment, bool each_sample) {
    Image image = c.image(kind_of(kTargetFormat));
    Look look = plain_look();
    look.fragment = fragment;
    look.sample_shading = each_sample;
    c.begin({&image});
    c.use(look);
    some_triangles(c);
    c.end();
    c.show(image, samples_frag);
}
void samples_named(Canvas& c) {
    with_shader(c, sample_ids_frag, true);
}
void samples_masked_by_shaders(Canvas& c) {
    with_shader(c, sample_masks_frag, false);
}
void samples_covered_by_alpha(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat));
    Look look = plain_look();
    look.alpha_to_coverage = true;
    c.begin({&image});
    c.use(look);
    c.rectangle(-0.8f, -0.8f, 0.4f, 0.4f, 0, {1, 0, 0, 1});
    c.rectangle(-0.4f, -0.4f, 0.8f, 0.8f, 0, {0, 1, 0, 0});
    c.end();
    c.show(image, samples_frag);
}
void through(Canvas& c, VkFormat format, Code fragment, Code shown) {
    Image image = c.image(kind_of(format));
    c.begin({&image});
    c.use({.vertex = full_vert, .fragment = fragment, .targets = {format}, .samples = kFour});
    c.draw(3);
    Look look = plain_look(format);
    look.sample_mask = 5;
    if (format != VK_FORMAT_R32_UINT) {
        c.use(look);
        some_triangles(c);
    }
    c.end();
    c.show(image, shown);
}
void samples_r8(Canvas& c) {
    through(c, VK_FORMAT_R8_UNORM, ramp_frag, samples_frag);
}
void samples_rgb565(Canvas& c) {
    through(c, VK_FORMAT_R5G6B5_UNORM_PACK16, ramp_frag, samples_frag);
}
void samples_rgba16f(Canvas& c) {
    through(c, VK_FORMAT_R16G16B16A16_SFLOAT, ramp_frag, samples_frag);
}
void samples_rgba32f(Canvas& c) {
    through(c, VK_FORMAT_R32G32B32A32_SFLOAT, ramp_frag, samples_frag);
}
void samples_r32ui(Canvas& c) {
    through(c, VK_FORMAT_R32_UINT, ramp_u_frag, samples_u_frag);
}
void samples_of_layers(Canvas& c) {
    ImageKind kind = kind_of(kTargetFormat);
    kind.layers = 2;
    kind.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    Image image = c.image(kind);
    for (std::uint32_t layer = 0; layer < 2; ++layer) {
        Image one = image;
        one.view =
            c.view(image, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, layer, 1});
        c.begin({&one});
        c.use(plain_look());
        some_triangles(c);
        if (layer) c.rectangle(-0.51f, -0.52f, 0.53f, 0.54f, 0, kWhite);
        c.end();
        image.layout = one.layout;
    }
    c.show(image, samples_of_layers_frag);
}
void samples_copied(Canvas& c) {
    Image from = c.image(kind_of(kTargetFormat)), to = c.image(kind_of(kTargetFormat));
    c.begin({&from});
    c.use(plain_look());
    some_triangles(c);
    c.end();
    c.to(to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue color{{0.2f, 0.4f, 0.6f, 1}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(c.commands, to.image, to.layout, &color, 1, &all);
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    c.to(to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkImageCopy part{};
    part.srcSubresource = part.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    part.srcOffset = {3, 5, 0};
    part.dstOffset = {1, 2, 0};
    part.extent = {27, 21, 1};
    vkCmdCopyImage(c.commands, from.image, from.layout, to.image, to.layout, 1, &part);
    c.show(to, samples_frag);
}
void samples_cleared(Canvas& c) {
    Image image = c.image(kind_of(kTargetFormat));
    c.begin({&image});
    VkClearAttachment clear{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
    clear.clearValue.color = {{0, 1, 0.5f, 1}};
    const VkClearRect rect{{{5, 7}, {19, 11}}, 0, 1};
    vkCmdClearAttachments(c.commands, 1, &clear, 1, &rect);
    c.end();
    c.show(image, samples_frag);
}

}  // namespace

std::vector<Scene> samples() {
    return {
        {"samples_edges", "coverage of each sample", 0, samples_edges},
        {"samples_resolved", "samples averaged by a pass and by a command", 1, samples_resolved},
        {"samples_depth_16", "each sample has its depth", 0, samples_depth_16},
        {"samples_depth_32", "each sample has its depth, a float", 0, samples_depth_32},
        {"samples_depth_texture", "each sample's depth in a shader", 1, samples_depth_texture},
        {"samples_stencil", "each sample has its stencil", 0, samples_stencil},
        {"samples_masked", "masks of samples", 0, samples_masked},
        {"samples_named", "a shader for each sample", 1, samples_named},
        {"samples_masked_by_shaders", "masks of samples read and made", 0,
         samples_masked_by_shaders},
        {"samples_covered_by_alpha", "alpha to coverage", 0, samples_covered_by_alpha},
        {"samples_r8", "samples of 8 bits", 1, samples_r8},
        {"samples_rgb565", "samples of 16 bits", 8, samples_rgb565},
        {"samples_rgba16f", "samples of 64 bits", 1, samples_rgba16f},
        {"samples_rgba32f", "samples of 128 bits", 1, samples_rgba32f},
        {"samples_r32ui", "samples that are integers", 0, samples_r32ui},
        {"samples_of_layers", "samples of layers", 0, samples_of_layers},
        {"samples_copied", "a clear and a copy of all samples", 0, samples_copied},
        {"samples_cleared", "samples cleared in a pass", 0, samples_cleared},
    };
}

}  // namespace scenes
