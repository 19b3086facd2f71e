// SPDX-License-Identifier: Apache-2.0
// Copies, blits and clears outside of draws.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

constexpr VkImageSubresourceLayers kFirst{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

Buffer pattern(Canvas& c, std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint32_t> texels;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            texels.push_back(0xFF000000 | (x * 83 + y * 29) % 256 | (y * 131 + x * 17) % 256 << 8 |
                             ((x ^ y) * 37) % 256 << 16);
    return c.buffer(texels);
}
void clear(Canvas& c, Image& image, const Color& color) {
    c.to(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkClearColorValue value;
    std::memcpy(value.float32, color.data(), 16);
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, image.kind.levels, 0,
                                      image.kind.layers};
    vkCmdClearColorImage(c.commands, image.image, image.layout, &value, 1, &all);
}
/// Pieces of a buffer with rows longer than the pieces.
void buffer_to_image(Canvas& c) {
    const Buffer texels = pattern(c, 40, 80);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    const VkBufferImageCopy pieces[] = {
        {0, 40, 0, kFirst, {3, 2, 0}, {37, 20, 1}},
        {4 * (40 * 30 + 5), 40, 60, kFirst, {17, 30, 0}, {11, 31, 1}},
        {4 * (40 * 7 + 9), 40, 0, kFirst, {60, 0, 0}, {4, 64, 1}},
        {0, 0, 0, kFirst, {1, 40, 0}, {7, 13, 1}}};
    vkCmdCopyBufferToImage(c.commands, texels.buffer, c.target.image, c.target.layout, 4, pieces);
}
/// What is drawn goes through a buffer, and back by other pieces.
void image_to_buffer(Canvas& c) {
    c.begin();
    c.use({.vertex = full_vert, .fragment = ramp_frag});
    c.draw(3);
    c.end();
    const Buffer texels = c.buffer(4 * 64 * 64);
    c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const VkBufferImageCopy out[] = {{0, 50, 0, kFirst, {10, 3, 0}, {50, 30, 1}},
                                     {4 * 50 * 30, 0, 0, kFirst, {0, 40, 0}, {64, 20, 1}}};
    vkCmdCopyImageToBuffer(c.commands, c.target.image, c.target.layout, texels.buffer, 2, out);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    const VkBufferImageCopy in[] = {{0, 50, 0, kFirst, {2, 1, 0}, {50, 30, 1}},
                                    {4 * 50 * 30 + 12, 64, 0, kFirst, {5, 35, 0}, {48, 20, 1}}};
    vkCmdCopyBufferToImage(c.commands, texels.buffer, c.target.image, c.target.layout, 2, in);
}
void buffers(Canvas& c) {
    const Buffer from = pattern(c, 64, 64), to = c.buffer(4 * 64 * 64);
    vkCmdFillBuffer(c.commands, to.buffer, 0, VK_WHOLE_SIZE, 0xFF336699);
    c.wait_for_all();
    const VkBufferCopy pieces[] = {{1028, 4096, 4 * 640}, {12, 256 * 40, 2044}, {0, 16000, 256}};
    vkCmdCopyBuffer(c.commands, from.buffer, to.buffer, 3, pieces);
    std::vector<std::uint32_t> words(128, 0xFF00FFFF);
    vkCmdUpdateBuffer(c.commands, to.buffer, 256 * 52, 512, words.data());
    c.wait_for_all();
    c.fill(c.target, to);
}
void image_to_image(Canvas& c) {
    Image from = c.image(
        {.width = 48, .height = 48, .levels = 2, .layers = 2, .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    for (std::uint32_t i = 0; i < 4; ++i)
        c.fill(from, pattern(c, 48 >> (i & 1), 48 >> (i & 1)), i & 1, i >> 1);
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    const VkImageCopy pieces[] = {
        {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {5, 7, 0}, kFirst, {0, 0, 0}, {40, 31, 1}},
        {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1}, {0, 0, 0}, kFirst, {41, 3, 0}, {20, 24, 1}},
        {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1}, {1, 1, 0}, kFirst, {3, 37, 0}, {23, 22, 1}}};
    vkCmdCopyImage(c.commands, from.image, from.layout, c.target.image, c.target.layout, 3, pieces);
}
/// Between formats whose texels have as many bits.
void other_format(Canvas& c) {
    Image from =
        c.image({.format = VK_FORMAT_R16G16_UINT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    c.begin({&from});
    c.use({.vertex = full_vert, .fragment = ramp_u_frag, .targets = {from.kind.format}});
    c.draw(3);
    c.end();
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkImageCopy whole{kFirst, {}, kFirst, {}, {kSize, kSize, 1}};
    vkCmdCopyImage(c.commands, from.image, from.layout, c.target.image, c.target.layout, 1, &whole);
}
VkImageBlit blit(VkOffset3D a, VkOffset3D b, VkOffset3D x, VkOffset3D y) {
    return {kFirst, {a, {b.x, b.y, 1}}, kFirst, {x, {y.x, y.y, 1}}};
}
/// No place of a sample lies on a texel's edge.
void blits(Canvas& c) {
    Image from = c.image({.width = 16, .height = 16});
    c.fill(from, pattern(c, 16, 16));
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    const VkImageBlit pieces[] = {blit({0, 0, 0}, {16, 16, 0}, {0, 0, 0}, {32, 32, 0}),
                                  blit({0, 0, 0}, {16, 16, 0}, {64, 0, 0}, {48, 48, 0}),
                                  blit({3, 2, 0}, {9, 14, 0}, {2, 60, 0}, {26, 36, 0}),
                                  blit({1, 1, 0}, {15, 15, 0}, {52, 52, 0}, {60, 60, 0})};
    vkCmdBlitImage(c.commands, from.image, from.layout, c.target.image, c.target.layout, 4, pieces,
                   VK_FILTER_NEAREST);
}
void smooth_blits(Canvas& c) {
    Image from = c.image({.width = 16, .height = 16});
    c.fill(from, pattern(c, 16, 16));
    c.to(from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    const VkImageBlit pieces[] = {blit({0, 0, 0}, {16, 16, 0}, {0, 0, 0}, {40, 30, 0}),
                                  blit({4, 4, 0}, {12, 8, 0}, {60, 63, 0}, {10, 35, 0})};
    vkCmdBlitImage(c.commands, from.image, from.layout, c.target.image, c.target.layout, 2, pieces,
                   VK_FILTER_LINEAR);
}
/// Levels made one from another, then all of them beside each other.
void generated_levels(Canvas& c) {
    Image image = c.image(
        {.width = 32, .height = 32, .levels = 6, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    c.fill(image, pattern(c, 32, 32));
    c.to(image, VK_IMAGE_LAYOUT_GENERAL);
    for (std::uint32_t level = 1; level < 6; ++level) {
        const int size = 32 >> level;
        const VkImageBlit half{{VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1},
                               {{}, {2 * size, 2 * size, 1}},
                               {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                               {{}, {size, size, 1}}};
        vkCmdBlitImage(c.commands, image.image, image.layout, image.image, image.layout, 1, &half,
                       VK_FILTER_LINEAR);
        c.wait_for_all();
    }
    c.to(image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin();
    c.use({.vertex = full_vert, .fragment = with_level_frag});
    c.bind({.textures = {{&image, c.sampler(VK_FILTER_NEAREST)}}});
    c.draw(3);
    c.end();
}
void cleared_images(Canvas& c) {
    Image image = c.image({.width = 128,
                           .height = 128,
                           .levels = 3,
                           .layers = 2,
                           .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                           .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    clear(c, image, {0.1f, 0.2f, 0.3f, 0.4f});
    c.wait_for_all();
    const VkClearColorValue other{{1, 0.6f, 0.4f, 0.2f}};
    const VkImageSubresourceRange some[] = {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1},
                                            {VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 1, 1}};
    vkCmdClearColorImage(c.commands, image.image, image.layout, &other, 2, some);
    c.to(image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    clear(c, c.target, kBackground);
    c.wait_for_all();
    std::vector<VkImageCopy> pieces;
    for (std::uint32_t i = 0; i < 6; ++i)
        pieces.push_back({{VK_IMAGE_ASPECT_COLOR_BIT, i % 3, i / 3, 1},
                          {},
                          kFirst,
                          {static_cast<int>(i % 3) * 20 + 2, static_cast<int>(i / 3) * 30 + 2, 0},
                          {18, 28, 1}});
    vkCmdCopyImage(c.commands, image.image, image.layout, c.target.image, c.target.layout, 6,
                   pieces.data());
}
void cleared_depth(Canvas& c) {
    Image depth = c.image({.format = VK_FORMAT_D24_UNORM_S8_UINT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.to(depth, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearDepthStencilValue value{0.4f, 0x3C};
    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0,
                                        1, 0, 1};
    vkCmdClearDepthStencilImage(c.commands, depth.image, depth.layout, &value, 1, &whole);
    c.begin();
    c.end();
    c.begin({&c.target}, &depth, false);
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .depth_format = depth.kind.format};
    look.depth.depthTestEnable = look.depth.stencilTestEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    look.depth.front = look.depth.back = {VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_COMPARE_OP_EQUAL,
                                          0xFF,
                                          0,
                                          0x3C};
    c.use(look);
    c.draw_plain({-0.9f, -0.9f, 0, 1, 1, 0,    0,    1, 0.9f, -0.9f, 0.9f, 1,
                  0,     1,     0, 1, 0, 0.9f, 0.5f, 1, 0,    0,     1,    1});
    look.depth.front.reference = look.depth.back.reference = 0x3D;
    c.use(look);
    c.rectangle(-1, -1, 1, 1, 0, kWhite);
    c.end();
    // The stencil's bytes as a picture, in a corner.
    const Buffer bytes = c.buffer(64 * 64);
    c.to(depth, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const VkBufferImageCopy out{0, 0, 0, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, {}, {64, 64, 1}};
    vkCmdCopyImageToBuffer(c.commands, depth.image, depth.layout, bytes.buffer, 1, &out);
    c.wait_for_all();
    c.to(c.target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkBufferImageCopy in{0, 16, 0, kFirst, {48, 48, 0}, {16, 16, 1}};
    vkCmdCopyBufferToImage(c.commands, bytes.buffer, c.target.image, c.target.layout, 1, &in);
}
void linear_image(Canvas& c) {
    // A picture that the host writes and reads without copies of the driver's.
    auto info = make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = kTargetFormat;
    info.extent = {kSize, kSize, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    Image image;
    check(vkCreateImage(c.device, &info, nullptr, &image.image), "a linear image");
    VkMemoryRequirements wanted;
    vkGetImageMemoryRequirements(c.device, image.image, &wanted);
    const VkDeviceMemory memory = c.machine.memory(
        wanted, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindImageMemory(c.device, image.image, memory, 0), "an image's memory");
    c.later([device = c.device, made = image.image, memory] {
        vkDestroyImage(device, made, nullptr);
        vkFreeMemory(device, memory, nullptr);
    });
    image.view = c.view(image, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
    c.begin({&image});
    c.use({.vertex = full_vert, .fragment = ramp_frag});
    c.draw(3);
    c.end();
    c.to(image, VK_IMAGE_LAYOUT_GENERAL);
    c.submit();
    const VkImageSubresource first{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout rows;
    vkGetImageSubresourceLayout(c.device, image.image, &first, &rows);
    void* at = nullptr;
    check(vkMapMemory(c.device, memory, 0, VK_WHOLE_SIZE, 0, &at), "a map");
    for (unsigned i = 20; i < 30; ++i)
        std::memset(static_cast<char*>(at) + rows.offset + i * rows.rowPitch + 40,
                    0x40 + static_cast<int>(i), 80);
    vkUnmapMemory(c.device, memory);
    c.show(image, show_all_frag);
}

}  // namespace

std::vector<Scene> transfers() {
    return {
        {"buffer_to_image", "pieces of a buffer into an image", 0, buffer_to_image},
        {"image_to_buffer", "pieces of an image into a buffer", 1, image_to_buffer},
        {"buffers", "buffers filled, copied, updated", 0, buffers},
        {"image_to_image", "copies between images, levels, layers", 0, image_to_image},
        {"other_format", "a copy into another format", 0, other_format},
        {"blits", "scaled and mirrored blits", 0, blits},
        {"smooth_blits", "blits with a linear filter", 2, smooth_blits},
        {"generated_levels", "levels made by blits", 4, generated_levels},
        {"cleared_images", "clears of levels and layers", 1, cleared_images},
        {"cleared_depth", "clears of depth and stencil", 1, cleared_depth},
        {"linear_image", "a target in rows, which the host changes", 1, linear_image},
    };
}

}  // namespace scenes
