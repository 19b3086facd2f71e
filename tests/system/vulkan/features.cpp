// SPDX-License-Identifier: Apache-2.0
// More of what extensions add: states by commands, slices of volumes, nothing where something may
// be bound, sub-groups of vertices, atomics of floats.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

Look plain_look() {
    return {.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
}
struct Commands {
    explicit Commands(Canvas& c)
        : restart(c.function<PFN_vkCmdSetPrimitiveRestartEnable>("vkCmdSetPrimitiveRestartEnable")),
          logic(c.function<PFN_vkCmdSetLogicOpEXT>("vkCmdSetLogicOpEXT")),
          logic_on(c.function<PFN_vkCmdSetLogicOpEnableEXT>("vkCmdSetLogicOpEnableEXT")),
          blend_on(c.function<PFN_vkCmdSetColorBlendEnableEXT>("vkCmdSetColorBlendEnableEXT")),
          blend(c.function<PFN_vkCmdSetColorBlendEquationEXT>("vkCmdSetColorBlendEquationEXT")),
          mask(c.function<PFN_vkCmdSetColorWriteMaskEXT>("vkCmdSetColorWriteMaskEXT")),
          write(c.function<PFN_vkCmdSetColorWriteEnableEXT>("vkCmdSetColorWriteEnableEXT")),
          mode(c.function<PFN_vkCmdSetPolygonModeEXT>("vkCmdSetPolygonModeEXT")),
          clamp(c.function<PFN_vkCmdSetDepthClampEnableEXT>("vkCmdSetDepthClampEnableEXT")) {}
    PFN_vkCmdSetPrimitiveRestartEnable restart;
    PFN_vkCmdSetLogicOpEXT logic;
    PFN_vkCmdSetLogicOpEnableEXT logic_on;
    PFN_vkCmdSetColorBlendEnableEXT blend_on;
    PFN_vkCmdSetColorBlendEquationEXT blend;
    PFN_vkCmdSetColorWriteMaskEXT mask;
    PFN_vkCmdSetColorWriteEnableEXT write;
    PFN_vkCmdSetPolygonModeEXT mode;
    PFN_vkCmdSetDepthClampEnableEXT clamp;
};
/// One pipeline; blending, logic, masks, fill modes and clamps by commands.
void more_dynamic_states(Canvas& c) {
    const Commands set(c);
    c.begin();
    Look look = plain_look();
    look.dynamic = {
        VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
        VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,        VK_DYNAMIC_STATE_LOGIC_OP_EXT,
        VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT,      VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
        VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
        VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,   VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
        VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT};
    c.use(look);
    set.restart(c.commands, VK_FALSE);
    vkCmdSetDepthBiasEnable(c.commands, VK_FALSE);
    for (int i = 0; i < 8; ++i) {
        vkCmdSetRasterizerDiscardEnable(c.commands, i == 3);
        // Another operation each time: anv forgets to send what is said of blending alone.
        set.logic(c.commands, i & 1 ? VK_LOGIC_OP_EQUIVALENT : VK_LOGIC_OP_XOR);
        set.logic_on(c.commands, i >= 6);
        const VkBool32 blends = i & 1, writes = i != 4;
        set.blend_on(c.commands, 0, 1, &blends);
        const VkColorBlendEquationEXT equation{
            VK_BLEND_FACTOR_SRC_ALPHA,
            VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
            i & 4 ? VK_BLEND_OP_REVERSE_SUBTRACT : VK_BLEND_OP_ADD,
            VK_BLEND_FACTOR_ONE,
            VK_BLEND_FACTOR_ZERO,
            VK_BLEND_OP_ADD};
        set.blend(c.commands, 0, 1, &equation);
        const VkColorComponentFlags channels = i == 2 ? 5 : 15;
        set.mask(c.commands, 0, 1, &channels);
        set.write(c.commands, 1, &writes);
        set.mode(c.commands, i == 5 ? VK_POLYGON_MODE_POINT : VK_POLYGON_MODE_FILL);
        set.clamp(c.commands, i == 1);
        const float step = static_cast<float>(i) / 8;
        c.rectangle(-1 + step, -1 + step, 0.25f + step, 0.125f + step, i == 1 ? 1.5f : 0.5f,
                    {step, 1 - step, static_cast<float>(i & 1), 0.75f});
    }
    c.end();
}

/// A slice of a volume as a picture.
void slices(Canvas& c) {
    Image volume = c.image({.width = 16,
                            .height = 16,
                            .depth = 4,
                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            .view = VK_IMAGE_VIEW_TYPE_3D,
                            .flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT |
                                     VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT});
    std::vector<std::uint32_t> texels;
    for (std::uint32_t i = 0; i < 1024; ++i)
        texels.push_back(0xFF000000 | (i * 0x9E3779B1u) >> 8);
    c.fill(volume, c.buffer(texels));
    Image drawn = volume;
    drawn.view = c.view(volume, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 3, 1});
    c.begin({&drawn}, nullptr, false);
    c.use({.vertex = full_vert, .fragment = ramp_frag});
    const VkRect2D middle{{4, 4}, {8, 8}};
    vkCmdSetScissor(c.commands, 0, 1, &middle);
    c.draw(3);
    c.end();
    volume.layout = drawn.layout;
    c.to(volume, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    c.begin();
    c.use({.vertex = full_vert, .fragment = textured_frag});
    for (std::uint32_t i = 0; i < 4; ++i) {
        Image slice = volume;
        slice.view = c.view(volume, VK_IMAGE_VIEW_TYPE_2D, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, i, 1});
        const VkViewport area{
            static_cast<float>(i % 2 * 32), static_cast<float>(i / 2 * 32), 32, 32, 0, 1};
        const VkRect2D part{
            {static_cast<std::int32_t>(i % 2 * 32), static_cast<std::int32_t>(i / 2 * 32)},
            {32, 32}};
        vkCmdSetViewport(c.commands, 0, 1, &area);
        vkCmdSetScissor(c.commands, 0, 1, &part);
        c.bind({.textures = {{&slice, c.sampler(VK_FILTER_NEAREST)}}});
        c.push(Color{0, 0, 1, 1});
        c.draw(3);
    }
    c.end();
}

/// Vertices of many sub-groups, some of which are part full.
void subgroups_of_vertices(Canvas& c) {
    Look look = plain_look();
    look.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    VkPhysicalDeviceSubgroupProperties offered = make<VkPhysicalDeviceSubgroupProperties>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    auto all = make<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    all.pNext = &offered;
    vkGetPhysicalDeviceProperties2(c.machine.physical, &all);
    if (offered.supportedStages & VK_SHADER_STAGE_VERTEX_BIT) look.vertex = subgroups_vert;
    std::vector<float> data;
    for (int i = 0; i < 43; ++i)
        data.insert(data.end(), {-0.95f + 0.045f * static_cast<float>(i), i & 1 ? 0.9f : -0.8f, 0,
                                 1, 0, 1, 0.5f, 1});
    c.begin();
    c.use(look);
    c.draw_plain(data);
    c.end();
}

/// A shader's atomics over all of the target, and then, over most of it, what they have left.
void sum_up(Canvas& c, Code fragment, Code shown) {
    const Buffer sums = c.buffer(std::vector<float>(24, 0));
    c.begin();
    c.use({.vertex = full_vert, .fragment = fragment});
    c.bind({.storage = {sums}});
    c.draw(3);
    c.end();
    c.wait_for_all();
    c.begin({&c.target}, nullptr, false);
    const VkRect2D rows{{0, 0}, {kSize, 40}};
    vkCmdSetScissor(c.commands, 0, 1, &rows);
    c.use({.vertex = full_vert, .fragment = shown});
    c.bind({.storage = {sums}});
    c.draw(3);
    c.end();
}

void float_atomics(Canvas& c) {
    sum_up(c, numbers_frag, float_bars_frag);
}
void wide_atomics(Canvas& c) {
    sum_up(c, wide_atomics_frag, wide_bars_frag);
}

/// Descriptors of nothing.
void nothing_bound(Canvas& c) {
    Image nothing;
    c.begin();
    c.use({.vertex = full_vert, .fragment = nothing_frag});
    c.bind({.uniforms = {Buffer{}},
            .textures = {{&nothing, c.sampler(VK_FILTER_NEAREST)}},
            .images = {&nothing},
            .storage = {Buffer{}}});
    c.draw(3);
    c.end();
}

}  // namespace

std::vector<Scene> features() {
    return {
        {"more_dynamic_states", "blending, logic, masks and modes by commands", 1,
         more_dynamic_states},
        {"slices", "slices of a volume as pictures and as targets", 1, slices},
        {"subgroups_of_vertices", "sub-groups of vertices", 0, subgroups_of_vertices},
        {"float_atomics", "atomics of floats, a shader's clock", 1, float_atomics},
        {"wide_atomics", "atomics of 64 bits, invocations that end", 1, wide_atomics},
        {"nothing_bound", "descriptors of nothing", 1, nothing_bound},
    };
}

}  // namespace scenes
