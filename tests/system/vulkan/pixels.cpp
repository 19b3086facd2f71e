// SPDX-License-Identifier: Apache-2.0
// What becomes of a shader's colours: depth, stencil, blending, logic operations, masks.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

Look plain() {
    return {.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
}
Image depth_image(Canvas& c, VkFormat format) {
    return c.image({.format = format, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
}
Look tested(const Image& depth, VkCompareOp how, bool write = true) {
    Look look = plain();
    look.depth_format = depth.kind.format;
    look.depth.depthTestEnable = VK_TRUE;
    look.depth.depthWriteEnable = write;
    look.depth.depthCompareOp = how;
    return look;
}
/// A rectangle in pixels.
void cell(Canvas& c, int x, int y, int width, int height, float depth, const Color& color) {
    c.rectangle(static_cast<float>(x) / 32 - 1, static_cast<float>(y) / 32 - 1,
                static_cast<float>(x + width) / 32 - 1, static_cast<float>(y + height) / 32 - 1,
                depth, color);
}
void depth_order(Canvas& c, VkFormat format) {
    Image depth = depth_image(c, format);
    c.begin({&c.target}, &depth);
    c.use(tested(depth, VK_COMPARE_OP_LESS));
    c.rectangle(-0.8f, -0.8f, 0.4f, 0.4f, 0.4f, kRed);
    c.rectangle(-0.4f, -0.4f, 0.8f, 0.8f, 0.6f, kGreen);
    c.rectangle(-0.9f, 0, 0.9f, 0.2f, 0.2f, kBlue);
    // Two that cross.
    c.draw_plain({-1, 0.4f, 0.1f, 1, 1, 1, 0, 1, -1, 0.9f, 0.1f, 1, 1, 1, 0, 1,
                  1,  0.6f, 0.9f, 1, 1, 1, 0, 1, 1,  0.4f, 0.1f, 1, 0, 1, 1, 1,
                  1,  0.9f, 0.1f, 1, 0, 1, 1, 1, -1, 0.6f, 0.9f, 1, 0, 1, 1, 1});
    c.end();
}
void depth_d16(Canvas& c) {
    depth_order(c, VK_FORMAT_D16_UNORM);
}
void depth_d24(Canvas& c) {
    depth_order(c, VK_FORMAT_X8_D24_UNORM_PACK32);
}
void depth_d32(Canvas& c) {
    depth_order(c, VK_FORMAT_D32_SFLOAT);
}
void depth_functions(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D24_UNORM_S8_UINT);
    c.begin({&c.target}, &depth);
    c.use(tested(depth, VK_COMPARE_OP_ALWAYS));
    cell(c, 0, 0, 64, 64, 0.5f, {0, 0, 0, 1});
    for (int i = 0; i < 8; ++i) {
        c.use(tested(depth, static_cast<VkCompareOp>(i), false));
        for (int j = 0; j < 3; ++j)
            cell(c, 8 * i, 4 + 20 * j, 6, 16, 0.25f + 0.25f * static_cast<float>(j), kWhite);
    }
    c.end();
}
void depth_bias(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D32_SFLOAT);
    c.begin({&c.target}, &depth);
    c.use(tested(depth, VK_COMPARE_OP_ALWAYS));
    c.draw_plain({-1, -1, 0, 1, 0, 0, 0, 1, 3, -1, 1, 1, 0, 0, 0, 1, -1, 3, 0, 1, 0, 0, 0, 1});
    Look look = tested(depth, VK_COMPARE_OP_LESS, false);
    look.depth_bias = true;
    look.dynamic = {VK_DYNAMIC_STATE_DEPTH_BIAS};
    c.use(look);
    for (int i = 0; i < 8; ++i) {
        vkCmdSetDepthBias(c.commands, static_cast<float>((i & 3) - 2) * 10000, i & 1 ? 0.05f : 0,
                          i & 4 ? -2.f : 1.f);
        const VkRect2D part{{8 * i, 8}, {6, 48}};
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.draw_plain({-1, -1, 0, 1, 1, 1, 0, 1, 3, -1, 1, 1, 1, 1, 0, 1, -1, 3, 0, 1, 1, 1, 0, 1});
    }
    c.end();
}
void depth_clamp(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D16_UNORM);
    c.begin({&c.target}, &depth);
    const auto look = [&](bool clamp) {
        Look made = tested(depth, VK_COMPARE_OP_LESS);
        made.depth_clamp = clamp;
        c.use(made);
    };
    const VkViewport part{0, 0, 64, 64, 0.25f, 0.75f};
    vkCmdSetViewport(c.commands, 0, 1, &part);
    look(true);
    c.draw_plain({-0.9f, -0.9f, -1, 1, 1,     0,    0,    1, 0.9f, -0.9f, 2, 1,
                  0,     1,     0,  1, -0.9f, 0.9f, 0.5f, 1, 0,    0,     1, 1});
    look(false);
    c.draw_plain({0.9f, 0.9f, -1, 1, 1,    1,     0,    1, -0.9f, 0.9f, 2, 1,
                  1,    1,    0,  1, 0.9f, -0.9f, 0.5f, 1, 1,     1,    1, 1});
    c.whole_viewport();
    cell(c, 20, 0, 20, 64, 0.26f, {0, 0, 0, 1});
    c.end();
    c.to(depth, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin({&c.target}, nullptr, false);
    c.use({.vertex = full_vert, .fragment = show_frag});
    c.bind({.textures = {{&depth, c.sampler(VK_FILTER_NEAREST)}}});
    const VkRect2D half{{32, 0}, {32, 64}};
    vkCmdSetScissor(c.commands, 0, 1, &half);
    c.draw(3);
    c.end();
}
void depth_written(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D32_SFLOAT);
    c.begin({&c.target}, &depth);
    Look look = tested(depth, VK_COMPARE_OP_LESS);
    look.vertex = full_vert;
    look.fragment = depth_of_x_frag;
    look.input = {};
    c.use(look);
    c.draw(3);
    c.use(tested(depth, VK_COMPARE_OP_LESS));
    c.rectangle(-1, -0.5f, 1, 0.5f, 0.5f, kGreen);
    c.end();
}
Look stencilled(const Image& depth, VkStencilOp fail, VkStencilOp pass, VkCompareOp how) {
    Look look = plain();
    look.depth_format = depth.kind.format;
    look.depth.stencilTestEnable = VK_TRUE;
    look.depth.front = look.depth.back = {fail, pass, VK_STENCIL_OP_KEEP, how, 0xFF, 0xFF, 0};
    look.dynamic = {VK_DYNAMIC_STATE_STENCIL_REFERENCE, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
                    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK};
    return look;
}
void stencil_values(Canvas& c, std::uint32_t reference, std::uint32_t compare = 0xFF,
                    std::uint32_t write = 0xFF) {
    vkCmdSetStencilReference(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, reference);
    vkCmdSetStencilCompareMask(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, compare);
    vkCmdSetStencilWriteMask(c.commands, VK_STENCIL_FACE_FRONT_AND_BACK, write);
}
/// Each operation on a value and at its limits, then the values as colours.
void stencil_operations(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D24_UNORM_S8_UINT);
    c.begin({&c.target}, &depth);
    const std::uint32_t starts[] = {0, 1, 77, 255};
    for (int y = 0; y < 4; ++y) {
        c.use(stencilled(depth, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_COMPARE_OP_ALWAYS));
        stencil_values(c, starts[y]);
        cell(c, 0, 16 * y, 64, 16, 0, {0, 0, 0, 1});
    }
    for (int x = 0; x < 8; ++x) {
        const auto operation = static_cast<VkStencilOp>(x);
        c.use(stencilled(depth, VK_STENCIL_OP_KEEP, operation, VK_COMPARE_OP_ALWAYS));
        stencil_values(c, 0x5A, 0xFF, x & 1 ? 0x0F : 0xFF);
        cell(c, 8 * x, 0, 6, 60, 0, {0, 0, 0, 1});
    }
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
        Look look = stencilled(depth, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL);
        look.blends[0].blendEnable = VK_TRUE;
        look.blends[0].srcColorBlendFactor = look.blends[0].dstColorBlendFactor =
            VK_BLEND_FACTOR_ONE;
        c.use(look);
        stencil_values(c, 0xFF, 1u << bit);
        const float step = static_cast<float>(1u << bit) / 255;
        cell(c, 0, 0, 64, 64, 0, {step, step, 0, 1});
    }
    c.end();
}
void stencil_faces(Canvas& c) {
    Image depth = depth_image(c, VK_FORMAT_D32_SFLOAT_S8_UINT);
    c.begin({&c.target}, &depth);
    Look look = stencilled(depth, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                           VK_COMPARE_OP_ALWAYS);
    look.depth.depthTestEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    look.depth.back.passOp = VK_STENCIL_OP_DECREMENT_AND_WRAP;
    look.depth.front.depthFailOp = VK_STENCIL_OP_INVERT;
    c.use(look);
    stencil_values(c, 0);
    c.draw_plain({-0.9f, -0.9f, 0.5f, 1, 1, 0,    0,    1, 0.9f, -0.9f, 0.5f, 1,
                  1,     0,     0,    1, 0, 0.5f, 0.5f, 1, 1,    0,     0,    1});
    c.draw_plain({-0.9f, 0.9f, 0.5f, 1, 0, 1,     0,    1, 0.9f, 0.9f, 0.5f, 1,
                  0,     1,    0,    1, 0, -0.5f, 0.5f, 1, 0,    1,    0,    1});
    c.draw_plain({0.9f, -0.2f, 1.5f, 2, 0,    0,    1, 1, -0.9f, -0.2f, 3, 2,
                  0,    0,     1,    1, 0.9f, 0.4f, 4, 2, 0,     0,     1, 1});
    for (const std::uint32_t value : {1u, 255u, 254u}) {
        c.use(stencilled(depth, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL));
        stencil_values(c, value);
        const float shade = static_cast<float>(value) / 255;
        cell(c, 0, 32, 64, 16, 0, {shade, 1 - shade, 1, 1});
    }
    c.end();
}
VkPipelineColorBlendAttachmentState blend(VkBlendFactor source, VkBlendFactor target,
                                          VkBlendOp how = VK_BLEND_OP_ADD) {
    return {VK_TRUE, source, target, how, source, target, how, 0xF};
}
constexpr float kConstants[4] = {0.3f, 0.6f, 0.9f, 0.45f};
/// All factors: of source colour, of target colour, of both alphas, and of colour and alpha apart.
void blend_factors(Canvas& c) {
    c.begin();
    c.use(plain());
    for (int i = 0; i < 16; ++i)
        cell(c, 0, 4 * i, 64, 4, 0,
             {static_cast<float>(i) / 15, 0.7f - static_cast<float>(i) / 30, 0.4f,
              static_cast<float>(i) / 20 + 0.1f});
    Look look = plain();
    look.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    for (int i = 0; i < 15; ++i)
        for (int j = 0; j < 4; ++j) {
            const auto factor = static_cast<VkBlendFactor>(i),
                       next = static_cast<VkBlendFactor>((i + 4) % 15);
            look.blends[0] =
                j == 0   ? blend(factor, VK_BLEND_FACTOR_ZERO)
                : j == 1 ? blend(VK_BLEND_FACTOR_ZERO, factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE
                                                           ? VK_BLEND_FACTOR_ONE
                                                           : factor)
                : j == 2 ? blend(factor, next)
                         : blend(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO);
            if (j == 3) {
                look.blends[0].srcAlphaBlendFactor = factor;
                look.blends[0].dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
            }
            c.use(look);
            vkCmdSetBlendConstants(c.commands, kConstants);
            cell(c, 4 * i, 16 * j, 4, 15, 0, {0.8f, 0.55f, 0.2f, 0.35f});
        }
    c.end();
}
void blend_operations(Canvas& c) {
    c.begin();
    Look look = plain();
    look.dynamic = {VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) {
            look.blends[0] = blend(VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_CONSTANT_COLOR,
                                   static_cast<VkBlendOp>(i));
            look.blends[0].alphaBlendOp = static_cast<VkBlendOp>(j);
            c.use(look);
            vkCmdSetBlendConstants(c.commands, kConstants);
            cell(c, 12 * i + 2, 12 * j + 2, 10, 10, 0, {0.9f, 0.4f, 0.7f, 0.6f});
        }
    c.end();
}
void dual_source(Canvas& c) {
    c.begin();
    Look look = plain();
    look.fragment = dual_frag;
    const VkBlendFactor factors[] = {
        VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
        VK_BLEND_FACTOR_SRC1_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
    for (int i = 0; i < 4; ++i) {
        look.blends[0] = blend(factors[i], factors[(i + 1) % 4]);
        c.use(look);
        cell(c, 16 * i, 4, 14, 56, 0, {0.9f, 0.4f, 0.7f, 0.6f});
    }
    c.end();
}
void blended_in_order(Canvas& c) {
    c.begin();
    Look look = plain();
    look.blends[0] = blend(VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA);
    c.use(look);
    std::vector<float> data;
    for (int i = 0; i < 12; ++i) {
        const float x = -1 + 0.1f * static_cast<float>(i);
        const Color color{static_cast<float>(i % 3) / 2, static_cast<float>(i % 4) / 3,
                          static_cast<float>(i % 2), 0.5f};
        for (const auto& [u, v] : {std::pair{x, -0.9f}, {x + 0.9f, -0.5f}, {x + 0.1f, 0.9f}}) {
            data.insert(data.end(), {u, v, 0, 1});
            data.insert(data.end(), color.begin(), color.end());
        }
    }
    c.draw_plain(data);
    c.end();
}
void logic_operations(Canvas& c) {
    c.begin();
    for (int i = 0; i < 16; ++i) {
        Look look = plain();
        look.logic_operation = i;
        c.use(look);
        cell(c, i % 4 * 16 + 1, i / 4 * 16 + 1, 14, 14, 0,
             {204 / 255.f, 15 / 255.f, 170 / 255.f, 51 / 255.f});
    }
    c.end();
}
void masks(Canvas& c) {
    c.begin();
    for (int i = 0; i < 16; ++i) {
        Look look = plain();
        look.blends[0].colorWriteMask = static_cast<VkColorComponentFlags>(i);
        if (i & 1) {
            look.blends[0] =
                blend(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_REVERSE_SUBTRACT);
            look.blends[0].colorWriteMask = static_cast<VkColorComponentFlags>(i);
        }
        c.use(look);
        cell(c, i % 4 * 16 + 1, i / 4 * 16 + 1, 14, 14, 0, {0.2f, 0.4f, 0.6f, 0.2f});
    }
    c.end();
}

}  // namespace

std::vector<Scene> pixels() {
    return {
        {"depth_d16", "depth test in 16 bits", 0, depth_d16},
        {"depth_d24", "depth test in 24 bits", 0, depth_d24},
        {"depth_d32", "depth test in floats", 0, depth_d32},
        {"depth_functions", "depth functions, no writes", 0, depth_functions},
        {"depth_bias", "depth bias: constant, slope, clamp", 0, depth_bias},
        {"depth_clamp", "depth clamp, the viewport's range", 1, depth_clamp},
        {"depth_written", "a shader's depth", 0, depth_written},
        {"stencil_operations", "stencil operations and masks", 0, stencil_operations},
        {"stencil_faces", "stencil of front and back", 0, stencil_faces},
        {"blend_factors", "all blend factors", 1, blend_factors},
        {"blend_operations", "blend operations of colour and alpha", 1, blend_operations},
        {"dual_source", "two colours for one target", 1, dual_source},
        {"blended_in_order", "primitives that overlap", 2, blended_in_order},
        {"logic_operations", "logic operations", 0, logic_operations},
        {"masks", "write masks", 1, masks},
    };
}

}  // namespace scenes
