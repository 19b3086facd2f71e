// SPDX-License-Identifier: Apache-2.0
// Formats of attachments, and several of them.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

constexpr VkImageUsageFlags kColor = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;

/// Draws into a target of another format, and shows it.
void through(Canvas& c, VkFormat format, Code fragment, Code shown, bool blended = false) {
    Image target = c.image({.format = format, .usage = kColor});
    c.begin({&target});
    Look look{.vertex = full_vert, .fragment = fragment, .targets = {format}};
    c.use(look);
    c.draw(3);
    if (blended) {
        look.blends[0] = {VK_TRUE,
                          VK_BLEND_FACTOR_SRC_ALPHA,
                          VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                          VK_BLEND_OP_ADD,
                          VK_BLEND_FACTOR_ONE,
                          VK_BLEND_FACTOR_ZERO,
                          VK_BLEND_OP_ADD,
                          0xF};
        look.vertex = plain_vert;
        look.fragment = plain_frag;
        look.input = plain_vertices();
        c.use(look);
        c.rectangle(-0.5f, -1, 0.5f, 0.5f, 0, {0.9f, 0.5f, 0.1f, 0.5f});
        // A mask that leaves some bits of each texel.
        look.blends[0] = no_blending();
        look.blends[0].colorWriteMask = VK_COLOR_COMPONENT_G_BIT;
        c.use(look);
        c.rectangle(-1, 0.75f, 1, 1, 0, {0.9f, 0.5f, 0.1f, 0.5f});
    }
    c.end();
    c.show(target, shown);
}
void to_r8(Canvas& c) {
    through(c, VK_FORMAT_R8_UNORM, ramp_frag, show_frag, true);
}
void to_rg8(Canvas& c) {
    through(c, VK_FORMAT_R8G8_UNORM, ramp_frag, show_frag, true);
}
void to_bgra8(Canvas& c) {
    through(c, VK_FORMAT_B8G8R8A8_UNORM, ramp_frag, show_all_frag, true);
}
void to_rgba8_snorm(Canvas& c) {
    through(c, VK_FORMAT_R8G8B8A8_SNORM, signed_ramp_frag, show_positive_frag);
}
void to_rgb565(Canvas& c) {
    through(c, VK_FORMAT_R5G6B5_UNORM_PACK16, ramp_frag, show_frag, true);
}
void to_rgb10_a2(Canvas& c) {
    through(c, VK_FORMAT_A2B10G10R10_UNORM_PACK32, ramp_frag, show_all_frag, true);
}
void to_r11g11b10(Canvas& c) {
    through(c, VK_FORMAT_B10G11R11_UFLOAT_PACK32, ramp_frag, show_frag, true);
}
void to_rgba16(Canvas& c) {
    through(c, VK_FORMAT_R16G16B16A16_UNORM, ramp_frag, show_all_frag, true);
}
void to_r16f(Canvas& c) {
    through(c, VK_FORMAT_R16_SFLOAT, signed_ramp_frag, show_positive_frag, true);
}
void to_rgba16f(Canvas& c) {
    through(c, VK_FORMAT_R16G16B16A16_SFLOAT, signed_ramp_frag, show_positive_frag, true);
}
void to_rgba32f(Canvas& c) {
    through(c, VK_FORMAT_R32G32B32A32_SFLOAT, signed_ramp_frag, show_positive_frag, true);
}
void to_r32ui(Canvas& c) {
    through(c, VK_FORMAT_R32_UINT, ramp_u_frag, show_u_frag);
}
void to_rgba8ui(Canvas& c) {
    through(c, VK_FORMAT_R8G8B8A8_UINT, ramp_u_frag, show_u_frag);
}
void to_rg16i(Canvas& c) {
    through(c, VK_FORMAT_R16G16_SINT, ramp_i_frag, show_i_frag);
}
void to_srgb(Canvas& c) {
    through(c, VK_FORMAT_R8G8B8A8_SRGB, ramp_frag, show_frag);
}
/// An sRGB view, and then the bytes as they are.
void srgb_blended(Canvas& c) {
    Image target = c.image({.format = VK_FORMAT_R8G8B8A8_SRGB,
                            .usage = kColor,
                            .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT});
    c.begin({&target});
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .targets = {target.kind.format}};
    c.use(look);
    c.rectangle(-0.9f, -0.9f, 0.9f, 0.1f, 0, {0.5f, 0.1f, 0.02f, 1});
    look.blends[0] = {VK_TRUE,
                      VK_BLEND_FACTOR_SRC_ALPHA,
                      VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                      VK_BLEND_OP_ADD,
                      VK_BLEND_FACTOR_ONE,
                      VK_BLEND_FACTOR_ZERO,
                      VK_BLEND_OP_ADD,
                      0xF};
    c.use(look);
    c.rectangle(-0.5f, -0.5f, 0.5f, 0.9f, 0, {0.2f, 0.8f, 0.4f, 0.25f});
    c.end();
    Image bytes = target;
    bytes.view = c.view(target, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                        VK_FORMAT_R8G8B8A8_UNORM);
    c.show(bytes, show_all_frag);
}
/// Three targets of different formats, each with its own blending and mask.
void three_targets(Canvas& c) {
    Image first = c.image({.usage = kColor}),
          second = c.image({.format = VK_FORMAT_R16G16B16A16_UINT, .usage = kColor}),
          third = c.image({.format = VK_FORMAT_R16G16B16A16_SFLOAT, .usage = kColor});
    c.begin({&first, &second, &third});
    Look look{.vertex = plain_vert,
              .fragment = three_frag,
              .input = plain_vertices(),
              .blends = {no_blending(), no_blending(), no_blending()},
              .targets = {first.kind.format, second.kind.format, third.kind.format}};
    look.blends[0].blendEnable = VK_TRUE;
    look.blends[0].srcColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
    look.blends[0].dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    look.blends[1].colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT;
    look.blends[2].blendEnable = VK_TRUE;
    look.blends[2].srcColorBlendFactor = look.blends[2].dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    c.use(look);
    c.rectangle(-0.9f, -0.9f, 0.4f, 0.4f, 0, {0.5f, 0.25f, 0.75f, 1});
    c.rectangle(-0.4f, -0.4f, 0.9f, 0.9f, 0, {0.25f, 0.5f, 0.125f, 1});
    c.end();
    c.show(first, show_frag);
    for (Image* image : {&second, &third}) {
        c.to(*image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        c.begin({&c.target}, nullptr, false);
        c.use({.vertex = full_vert,
               .fragment = image == &second ? Code(show_u_frag) : Code(show_frag)});
        c.bind({.textures = {{image, c.sampler(VK_FILTER_NEAREST)}}});
        const VkRect2D part{{image == &second ? 22 : 43, 0}, {21, 64}};
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.draw(3);
        c.end();
    }
}
/// A level and a layer as target, the others untouched.
void one_level(Canvas& c) {
    Image image = c.image({.width = 128,
                           .height = 128,
                           .levels = 3,
                           .layers = 2,
                           .usage = kColor,
                           .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    c.to(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue gray{{0.5f, 0.5f, 0.5f, 1}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 0, 2};
    vkCmdClearColorImage(c.commands, image.image, image.layout, &gray, 1, &all);
    Image part = image;
    part.view = c.view(image, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1, 1});
    c.begin({&part}, nullptr, false);
    c.use({.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()});
    c.rectangle(-0.75f, -0.75f, 0.5f, 0.5f, 0, kRed);
    c.end();
    c.to(part, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin();
    c.use({.vertex = full_vert, .fragment = textured_frag});
    c.push(Color{0, 0, 1, 1});
    // Four of the six, a quarter each.
    for (int i = 0; i < 4; ++i) {
        part.view = c.view(image, VK_IMAGE_VIEW_TYPE_2D,
                           {VK_IMAGE_ASPECT_COLOR_BIT,
                            i < 2    ? 1u
                            : i == 2 ? 0u
                                     : 2u,
                            1, i == 0 ? 0u : 1u, 1});
        c.bind({.textures = {{&part, c.sampler(VK_FILTER_NEAREST)}}});
        const VkViewport viewport{
            static_cast<float>(i % 2 * 32), static_cast<float>(i / 2 * 32), 32, 32, 0, 1};
        const VkRect2D scissor{{i % 2 * 32, i / 2 * 32}, {32, 32}};
        vkCmdSetViewport(c.commands, 0, 1, &viewport);
        vkCmdSetScissor(c.commands, 0, 1, &scissor);
        c.draw(3);
    }
    c.end();
}
/// What is drawn is a texture of the next draw.
void drawn_texture(Canvas& c) {
    Image first = c.image({.usage = kColor}), second = c.image({.usage = kColor});
    c.begin({&first});
    c.use({.vertex = full_vert, .fragment = ramp_frag});
    c.draw(3);
    c.end();
    const VkSampler sampler = c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
    Image* images[] = {&first, &second};
    for (int i = 0; i < 5; ++i) {
        c.to(*images[i % 2], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        c.begin({i == 4 ? &c.target : images[1 - i % 2]});
        c.use({.vertex = full_vert, .fragment = textured_frag});
        c.bind({.textures = {{images[i % 2], sampler}}});
        c.push(Color{0.125f, 0.25f, 1, 1});
        c.draw(3);
        c.use({.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()});
        c.rectangle(-0.2f, -0.9f, 0, -0.7f, 0, {static_cast<float>(i) / 4, 1, 0, 1});
        c.end();
    }
}
/// No attachment for colour: depth alone is drawn.
void depth_alone(Canvas& c) {
    Image depth = c.image(
        {.format = VK_FORMAT_D32_SFLOAT, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.begin({}, &depth);
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .blends = {},
              .targets = {},
              .depth_format = depth.kind.format};
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.use(look);
    c.rectangle(-0.5f, -0.5f, 0.5f, 0.9f, 0.25f, kWhite);
    c.draw_plain({-0.9f, -0.9f, 0, 1, 0, 0,    0,    1, 0.9f, -0.9f, 1, 1,
                  0,     0,     0, 1, 0, 0.9f, 0.5f, 1, 0,    0,     0, 1});
    c.end();
    c.show(depth, show_frag);
}

}  // namespace

std::vector<Scene> targets() {
    return {
        {"to_r8", "R8 target", 1, to_r8},
        {"to_rg8", "R8G8 target", 1, to_rg8},
        {"to_bgra8", "B8G8R8A8 target", 1, to_bgra8},
        {"to_rgba8_snorm", "R8G8B8A8_SNORM target", 1, to_rgba8_snorm},
        {"to_rgb565", "R5G6B5 target", 9, to_rgb565},
        {"to_rgb10_a2", "A2B10G10R10 target", 1, to_rgb10_a2},
        {"to_r11g11b10", "B10G11R11 target", 4, to_r11g11b10},
        {"to_rgba16", "R16G16B16A16 target", 1, to_rgba16},
        {"to_r16f", "R16_SFLOAT target", 1, to_r16f},
        {"to_rgba16f", "R16G16B16A16_SFLOAT target", 1, to_rgba16f},
        {"to_rgba32f", "R32G32B32A32_SFLOAT target", 1, to_rgba32f},
        {"to_r32ui", "R32_UINT target", 0, to_r32ui},
        {"to_rgba8ui", "R8G8B8A8_UINT target", 0, to_rgba8ui},
        {"to_rg16i", "R16G16_SINT target", 0, to_rg16i},
        {"to_srgb", "sRGB target", 2, to_srgb},
        {"srgb_blended", "blending in sRGB, its bytes", 2, srgb_blended},
        {"three_targets", "three targets, blended apart", 1, three_targets},
        {"one_level", "a level of a layer as target", 0, one_level},
        {"drawn_texture", "pictures that are textures next", 1, drawn_texture},
        {"depth_alone", "depth without colours", 1, depth_alone},
    };
}

}  // namespace scenes
