// SPDX-License-Identifier: Apache-2.0
// What samplers make of images.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

/// Texels that differ from all their neighbours.
std::vector<std::uint32_t> pattern(std::uint32_t width, std::uint32_t height,
                                   std::uint32_t seed = 0) {
    std::vector<std::uint32_t> texels;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            texels.push_back(0xFF000000 | (x * 83 + y * 29 + seed * 57) % 256 |
                             (y * 131 + x * 17) % 256 << 8 |
                             ((x ^ y) * 37 + seed * 91) % 256 << 16);
    return texels;
}
Image picture(Canvas& c, const ImageKind& kind) {
    Image made = c.image(kind);
    for (std::uint32_t level = 0; level < kind.levels; ++level)
        for (std::uint32_t layer = 0; layer < kind.layers; ++layer)
            c.fill(made,
                   c.buffer(pattern(
                       std::max(kind.width >> level, 1u),
                       std::max(kind.height >> level, 1u) * std::max(kind.depth >> level, 1u),
                       level * 3 + layer)),
                   level, layer);
    c.to(made, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    return made;
}
/// The image over the whole target.
void look_at(Canvas& c, Image& image, VkSampler sampler, Code fragment,
             const Color& place = {0, 0, 1, 1}) {
    c.begin();
    c.use({.vertex = full_vert, .fragment = fragment});
    c.bind({.textures = {{&image, sampler}}});
    c.push(place);
    c.draw(3);
    c.end();
}
void nearest(Canvas& c) {
    Image image = picture(c, {.width = 13, .height = 7});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), textured_frag, {0.003f, 0.004f, 1, 1});
}
void linear(Canvas& c) {
    Image image = picture(c, {.width = 8, .height = 4});
    look_at(c, image, c.sampler(VK_FILTER_LINEAR), textured_frag);
}
void addressed(Canvas& c) {
    Image image = picture(c, {.width = 8, .height = 8});
    const VkSamplerAddressMode modes[] = {
        VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    c.begin();
    c.use({.vertex = full_vert, .fragment = textured_frag});
    c.push(Color{-1.002f, -1.003f, 3, 3});
    for (int i = 0; i < 4; ++i) {
        c.bind({.textures = {
                    {&image, c.sampler(VK_FILTER_NEAREST, modes[i], [](VkSamplerCreateInfo& info) {
                         info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
                     })}}});
        const VkViewport part{
            static_cast<float>(i % 2 * 32), static_cast<float>(i / 2 * 32), 32, 32, 0, 1};
        const VkRect2D scissor{{i % 2 * 32, i / 2 * 32}, {32, 32}};
        vkCmdSetViewport(c.commands, 0, 1, &part);
        vkCmdSetScissor(c.commands, 0, 1, &scissor);
        c.draw(3);
    }
    c.end();
}
void mip_levels(Canvas& c) {
    Image image = picture(c, {.width = 32, .height = 16, .levels = 5});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), with_level_frag);
}
void between_levels(Canvas& c) {
    Image image = picture(c, {.width = 16, .height = 16, .levels = 5});
    look_at(c, image,
            c.sampler(
                VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                [](VkSamplerCreateInfo& info) { info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR; }),
            with_level_frag);
}
void limited_levels(Canvas& c) {
    Image image = picture(c, {.width = 32, .height = 32, .levels = 6});
    look_at(c, image,
            c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                      [](VkSamplerCreateInfo& info) {
                          info.minLod = 1;
                          info.maxLod = 3;
                          info.mipLodBias = 1;
                      }),
            with_level_frag);
}
void gradients(Canvas& c) {
    Image image = picture(c, {.width = 32, .height = 32, .levels = 6});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), gradient_frag);
}
void arrays(Canvas& c) {
    Image image =
        picture(c, {.width = 8, .height = 8, .layers = 5, .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT), array_frag);
}
ImageKind cube() {
    return {.width = 8,
            .height = 8,
            .layers = 6,
            .view = VK_IMAGE_VIEW_TYPE_CUBE,
            .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT};
}
void cubes(Canvas& c) {
    Image image = picture(c, cube());
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), cube_frag);
}
void smooth_cubes(Canvas& c) {
    Image image = picture(c, cube());
    look_at(c, image, c.sampler(VK_FILTER_LINEAR), cube_frag);
}
void volumes(Canvas& c) {
    Image image = picture(c, {.width = 8, .height = 4, .depth = 4, .view = VK_IMAGE_VIEW_TYPE_3D});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), volume_frag);
}
void smooth_volumes(Canvas& c) {
    Image image = picture(c, {.width = 8, .height = 4, .depth = 4, .view = VK_IMAGE_VIEW_TYPE_3D});
    look_at(c, image, c.sampler(VK_FILTER_LINEAR), volume_frag);
}
void compared(Canvas& c) {
    Image image = c.image({.format = VK_FORMAT_D32_SFLOAT,
                           .width = 8,
                           .height = 8,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    std::vector<float> texels;
    for (int i = 0; i < 64; ++i)
        texels.push_back(static_cast<float>(i * 29 % 64) / 64);
    c.fill(image, c.buffer(texels));
    c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    look_at(c, image,
            c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                      [](VkSamplerCreateInfo& info) {
                          info.compareEnable = VK_TRUE;
                          info.compareOp = VK_COMPARE_OP_LESS;
                      }),
            compared_frag);
}
void gathered(Canvas& c) {
    Image image = picture(c, {.width = 16, .height = 16, .levels = 2});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), gathered_frag);
}
void swizzled(Canvas& c) {
    Image image = picture(c, {.width = 16,
                              .height = 16,
                              .swizzle = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE,
                                          VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ZERO}});
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), textured_frag);
}
/// Several formats of texels, each in a strip.
void formats(Canvas& c) {
    const VkFormat kinds[] = {VK_FORMAT_R8_UNORM,
                              VK_FORMAT_B8G8R8A8_UNORM,
                              VK_FORMAT_R8G8B8A8_SRGB,
                              VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                              VK_FORMAT_R5G6B5_UNORM_PACK16,
                              VK_FORMAT_R16G16_UNORM,
                              VK_FORMAT_B10G11R11_UFLOAT_PACK32,
                              VK_FORMAT_E5B9G9R9_UFLOAT_PACK32};
    c.begin();
    c.end();
    int row = 0;
    for (const VkFormat format : kinds) {
        Image image = c.image({.format = format, .width = 16, .height = 8});
        std::vector<std::uint32_t> texels = pattern(16, 8);
        // No infinities and numbers too large for a picture.
        if (format == VK_FORMAT_B10G11R11_UFLOAT_PACK32)
            for (std::uint32_t& texel : texels)
                texel = (texel & 0x7F) | (texel >> 8 & 0x3F) << 4 | 0x1C0 |
                        (0x1C0u | (texel & 0x3F)) << 11 | (0x0E0u | (texel >> 3 & 0x1F)) << 22;
        if (format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
            for (std::uint32_t& texel : texels)
                texel = (texel & 0x07FFFFFF) | 15u << 27;
        c.fill(image, c.buffer(texels));
        c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        c.begin({&c.target}, nullptr, false);
        c.use({.vertex = full_vert, .fragment = textured_frag});
        c.bind({.textures = {{&image, c.sampler(VK_FILTER_NEAREST)}}});
        c.push(Color{0, 0, 1, 1});
        const VkRect2D part{{0, row++ * 8}, {64, 8}};
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.draw(3);
        c.end();
    }
}
/// Texels in compressed blocks.
void blocks(Canvas& c) {
    Image image = c.image({.format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, .width = 16, .height = 16});
    std::vector<std::uint32_t> data;
    for (std::uint32_t i = 0; i < 16; ++i) {
        data.push_back((i & 1 ? 0xF800u : 0x07E0u) | (i & 1 ? 0x001Fu : 0xF81Fu) << 16);
        data.push_back(0x1B4E72D8u * (2 * i + 1));
    }
    c.fill(image, c.buffer(data));
    c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    look_at(c, image, c.sampler(VK_FILTER_NEAREST), textured_frag);
}
/// A floor that goes away from the eye, levels by its derivatives.
void perspective(Canvas& c) {
    Image image = picture(c, {.width = 8, .height = 8});
    const VkSampler sampler = c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
    c.begin();
    c.use({.vertex = floor_vert,
           .fragment = textured_frag,
           .input = plain_vertices(),
           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
    c.bind({.textures = {{&image, sampler}}});
    c.push(Color{0.013f, 0.017f, 1, 1});
    c.draw_plain({-1, 1,     0,    1, 0, 0, 0, 0, 1, 1,     0,    1, 1, 0, 0, 0,
                  -1, -0.5f, 0.9f, 4, 0, 2, 0, 0, 1, -0.5f, 0.9f, 4, 1, 2, 0, 0});
    c.end();
}
/// A cube with depth and texture, seen from a corner.
void textured_cube(Canvas& c) {
    Image image = picture(c, {.width = 4, .height = 4});
    Image depth = c.image(
        {.format = VK_FORMAT_D16_UNORM, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.begin({&c.target}, &depth);
    Look look{.vertex = cubes_vert, .fragment = cubes_frag, .depth_format = depth.kind.format};
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
    c.use(look);
    c.bind({.textures = {{&image, c.sampler(VK_FILTER_NEAREST)}}});
    // Turned about two axes, in perspective: columns.
    const float matrix[16] = {0.81f,  0.31f, 0.21f, 0.43f, 0,     1.02f, -0.28f, -0.56f,
                              -0.53f, 0.47f, 0.35f, 0.71f, 0.02f, 0.03f, 2.4f,   3.1f};
    c.push(matrix);
    c.draw(36);
    c.end();
}

}  // namespace

std::vector<Scene> textures() {
    return {
        {"nearest", "nearest texels", 0, nearest},
        {"linear", "linear filter", 2, linear},
        {"addressed", "address modes, border colour", 0, addressed},
        {"mip_levels", "levels by number", 0, mip_levels},
        {"between_levels", "linear between levels", 3, between_levels},
        {"limited_levels", "bias and limits of levels", 0, limited_levels},
        {"gradients", "levels by derivatives", 0, gradients},
        {"arrays", "layers", 0, arrays},
        {"cubes", "cube", 0, cubes},
        {"smooth_cubes", "linear filter across a cube's edges", 2, smooth_cubes},
        {"volumes", "volume", 0, volumes},
        {"smooth_volumes", "linear filter in a volume", 2, smooth_volumes},
        {"compared", "comparison with depths", 0, compared},
        {"gathered", "gather, offsets, size", 1, gathered},
        {"swizzled", "channels exchanged by the view", 0, swizzled},
        {"formats", "formats of texels", 1, formats},
        {"blocks", "compressed blocks", 1, blocks},
        {"perspective", "coordinates in perspective", 0, perspective},
        {"textured_cube", "a textured cube with depth", 1, textured_cube},
    };
}

}  // namespace scenes
