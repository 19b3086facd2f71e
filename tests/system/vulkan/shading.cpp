// SPDX-License-Identifier: Apache-2.0
// What fragment and vertex shaders see and do.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

const Vertices kPlaces{{{VK_FORMAT_R32G32_SFLOAT, 0}}, {8}};

void whole(Canvas& c, Code fragment, const Resources& resources = {}) {
    c.begin();
    c.use({.vertex = full_vert, .fragment = fragment});
    c.bind(resources);
    c.draw(3);
    c.end();
}

void push_constants(Canvas& c) {
    struct Pushed {
        float place[4];
        Color colors[3];
        int chosen;
    };
    c.begin();
    c.use({.vertex = pushed_vert, .fragment = pushed_frag, .input = kPlaces});
    c.vertices({-1, -1, 1, -1, 0, 1});
    for (int i = 0; i < 6; ++i) {
        const float x = -0.6f + 0.6f * static_cast<float>(i % 3), y = i < 3 ? -0.5f : 0.5f;
        c.push(Pushed{
            {x, y, 0.25f, 0.4f}, {kRed, {1, 1, static_cast<float>(i) / 5, 1}, kBlue}, i % 3});
        c.draw(3);
    }
    // A part of them changes.
    const Color color{0, 0, 0, 1};
    vkCmdPushConstants(c.commands, c.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 48, 16, &color);
    const float place[4]{0, 0, 0.1f, 0.9f};
    vkCmdPushConstants(c.commands, c.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16, place);
    c.draw(3);
    c.end();
}
void uniforms(Canvas& c) {
    std::vector<float> turn(80), colors(80);
    for (std::size_t i = 0; i < 4; ++i)
        turn[i * 5] = 0.9f;
    turn[1] = 0.3f;
    turn[4] = -0.4f;
    turn[15] = 1;
    for (std::size_t i = 0; i < 8; ++i)
        turn[16 + 4 * i] = static_cast<float>(i) / 16;
    for (std::size_t i = 0; i < 64; ++i)
        colors[16 + i] = static_cast<float>(i * 7 % 11) / 22;
    c.begin();
    c.use({.vertex = uniforms_vert, .fragment = uniforms_frag, .input = kPlaces});
    c.bind({.uniforms = {c.buffer(turn), c.buffer(colors)}});
    c.vertices({-0.9f, -0.9f, 0.9f, -0.9f, -0.9f, 0.9f, -0.9f, 0.9f, 0.9f, -0.9f, 0.9f, 0.9f});
    c.draw(6);
    c.end();
}
void descriptor_arrays(Canvas& c) {
    std::vector<Image> images;
    std::vector<Buffer> tints;
    for (unsigned i = 0; i < 4; ++i) {
        std::vector<std::uint32_t> texels;
        for (unsigned t = 0; t < 16; ++t)
            texels.push_back(0xFF000000 | (t * 16) << (8 * (i % 3)) |
                             (i * 60 + 20) << (8 * ((i + 1) % 3)));
        images.push_back(c.image({.width = 4, .height = 4}));
        c.fill(images.back(), c.buffer(texels));
        c.to(images.back(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        tints.push_back(c.buffer(std::vector<float>{1, 1 - 0.2f * static_cast<float>(i), 1, 1}));
    }
    const VkSampler near = c.sampler(VK_FILTER_NEAREST);
    c.begin();
    c.use({.vertex = full_vert, .fragment = arrays_frag});
    c.bind({.uniforms = tints,
            .textures = {
                {&images[0], near}, {&images[1], near}, {&images[2], near}, {&images[3], near}}});
    for (int i = 0; i < 4; ++i) {
        const VkRect2D part{{i % 2 * 32, i / 2 * 32}, {32, 32}};
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.push(i);
        c.draw(3);
    }
    c.end();
}
void specialized(Canvas& c) {
    struct Values {
        std::int32_t steps;
        float scale;
        VkBool32 flip;
    };
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    c.begin();
    for (int i = 0; i < 4; ++i) {
        const Values values{4 + 2 * i, 1 + 0.25f * static_cast<float>(i),
                            i % 2 ? VK_TRUE : VK_FALSE};
        const VkSpecializationInfo info{3, entries, sizeof values, &values};
        c.use({.vertex = full_vert, .fragment = specialized_frag, .constants = &info});
        const VkRect2D part{{0, i * 16}, {64, 16}};
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.draw(3);
    }
    c.end();
}
void coordinates(Canvas& c) {
    c.begin();
    c.use({.vertex = plain_vert, .fragment = coordinates_frag, .input = plain_vertices()});
    // w 2 on the left, 1 / 2 on the right; z / w from 0 to 0.5.
    c.draw_plain({-2,   -2,    0,     2,    0, 0, 0, 0, 0.5f, -0.5f, 0.25f,  0.5f, 0, 0, 0, 0,
                  -2,   2,     1,     2,    0, 0, 0, 0, -2,   2,     1,      2,    0, 0, 0, 0,
                  0.5f, -0.5f, 0.25f, 0.5f, 0, 0, 0, 0, 0.5f, 0.5f,  0.125f, 0.5f, 0, 0, 0, 0});
    c.end();
}
void discards(Canvas& c) {
    whole(c, discards_frag);
}
void derivatives(Canvas& c) {
    whole(c, derivatives_frag);
}
void flow(Canvas& c) {
    whole(c, flow_frag);
}
void interpolated(Canvas& c) {
    c.begin();
    c.use({.vertex = ways_vert, .fragment = ways_frag, .input = plain_vertices()});
    c.draw_plain({-0.9f, -0.9f, 0, 1, 0,     0.9f, 0, 1, 3.6f, -3.6f, 0,    4,
                  1,     0.1f,  1, 1, -0.9f, 0.9f, 0, 1, 0.5f, 0.3f,  0.5f, 1});
    c.end();
}
void stores(Canvas& c) {
    Image places = c.image({.format = VK_FORMAT_R32_UINT, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
    c.to(places, VK_IMAGE_LAYOUT_GENERAL);
    const Buffer counts = c.buffer(32);
    whole(c, stores_frag, {.images = {&places}, .storage = {counts}});
    c.show(places, show_u_frag);
    c.begin({&c.target}, nullptr, false);
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{1024});
    const VkRect2D part{{0, 40}, {64, 24}};
    vkCmdSetScissor(c.commands, 0, 1, &part);
    c.draw(3);
    c.end();
}
void atomics(Canvas& c) {
    Image places = c.image({.format = VK_FORMAT_R32_UINT, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
    c.to(places, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue zero{};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(c.commands, places.image, places.layout, &zero, 1, &all);
    c.to(places, VK_IMAGE_LAYOUT_GENERAL);
    c.begin();
    c.use({.vertex = plain_vert, .fragment = atomics_frag, .input = plain_vertices()});
    c.bind({.images = {&places}});
    for (int i = 0; i < 3; ++i)
        c.rectangle(-0.9f + 0.2f * static_cast<float>(i), -0.9f,
                    0.6f + 0.1f * static_cast<float>(i), -0.1f, 0, kRed);
    c.end();
    c.show(places, show_u_frag);
}
/// Fragments that fail the depth test, or are discarded after it, count or do not.
void early(Canvas& c) {
    Image depth = c.image(
        {.format = VK_FORMAT_D16_UNORM, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const Buffer counts = c.buffer(32);
    c.begin({&c.target}, &depth);
    Look look{.vertex = plain_vert,
              .fragment = plain_frag,
              .input = plain_vertices(),
              .depth_format = depth.kind.format};
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.use(look);
    c.rectangle(-1, -1, 0, 0, 0.25f, kBlue);
    look.fragment = early_frag;
    c.use(look);
    c.bind({.storage = {counts}});
    c.rectangle(-0.6f, -0.6f, 0.8f, 0.8f, 0.5f, kRed);
    look.fragment = plain_frag;
    c.use(look);
    c.rectangle(-1, -1, 1, 1, 0.75f, kGreen);  // what was discarded has a depth
    c.end();
    c.wait_for_all();
    c.begin({&c.target}, nullptr, false);
    c.use({.vertex = full_vert, .fragment = bars_frag});
    c.bind({.storage = {counts}});
    c.push(std::uint32_t{512});
    const VkRect2D part{{0, 60}, {64, 4}};
    vkCmdSetScissor(c.commands, 0, 1, &part);
    c.draw(3);
    c.end();
}

}  // namespace

std::vector<Scene> shading() {
    return {
        {"push_constants", "push constants", 0, push_constants},
        {"uniforms", "uniform buffers in both stages", 1, uniforms},
        {"descriptor_arrays", "arrays of buffers and textures", 1, descriptor_arrays},
        {"specialized", "specialisation constants", 0, specialized},
        {"coordinates", "gl_FragCoord", 1, coordinates},
        {"discards", "discard", 0, discards},
        {"derivatives", "derivatives", 0, derivatives},
        {"flow", "loops and switches", 0, flow},
        {"interpolated", "ways to interpolate", 1, interpolated},
        {"stores", "storage images and buffers", 0, stores},
        {"atomics", "atomics on a storage image", 0, atomics},
        {"early", "tests before the shader", 0, early},
    };
}

}  // namespace scenes
