// SPDX-License-Identifier: Apache-2.0
// Geometry shaders: layers and viewports of instances, adjacency, numbers of primitives.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

/// So many plain vertices on a wavy line, each of another colour.
std::vector<float> line_of(int count, float height) {
    std::vector<float> data;
    for (int i = 0; i < count; ++i) {
        const float x = -0.83f + 1.63f * static_cast<float>(i) / static_cast<float>(count - 1);
        data.insert(data.end(),
                    {x, i % 2 ? height : -height, 0, 1, static_cast<float>(i % 3) / 2,
                     static_cast<float>(i % 5) / 4, static_cast<float>((i + 1) % 4) / 3, 1});
    }
    return data;
}
Look look_of(Code geometry, VkPrimitiveTopology topology, Code fragment = plain_frag) {
    Look look{plain_vert, fragment};
    look.input = plain_vertices();
    look.topology = topology;
    look.geometry = {geometry};
    return look;
}

void spread(Canvas& c) {
    Image target = c.image({.layers = 4,
                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    c.begin({&target}, nullptr, true, 4);
    VkViewport parts[4];
    VkRect2D scissors[4];
    for (unsigned i = 0; i < 4; ++i) {
        const float x = static_cast<float>(i & 1) * 24, y = static_cast<float>(i >> 1) * 24;
        parts[i] = {x, y, 40, 40, 0, 1};
        scissors[i] = {{static_cast<int>(i) * 4, 0}, {40, 64}};
    }
    vkCmdSetViewport(c.commands, 0, 4, parts);
    vkCmdSetScissor(c.commands, 0, 4, scissors);
    Look look = look_of(spread_geom, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    look.viewports = 4;
    c.use(look);
    c.draw_plain(line_of(7, 0.7f));
    c.end();
    c.show(target, four_layers_frag);
}
void beside(Canvas& c) {
    c.begin();
    c.use(look_of(beside_geom, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY));
    c.draw_plain(line_of(16, 0.6f));
    c.use(look_of(beside_geom, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY));
    c.draw_plain(line_of(12, 0.9f));
    c.end();
}
void beside_lines(Canvas& c) {
    c.begin();
    c.use(look_of(beside_lines_geom, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY));
    c.draw_plain(line_of(9, 0.6f));
    c.use(look_of(beside_lines_geom, VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY));
    c.draw_plain(line_of(8, 0.3f));
    c.end();
}
// Some points make nothing.
void squares(Canvas& c) {
    std::vector<float> values;
    for (int i = 0; i < 16; ++i)
        values.insert(values.end(), {0.07f + 0.01f * static_cast<float>(i), 0.19f,
                                     1.0f - 0.05f * static_cast<float>(i), 0});
    const Buffer buffer = c.buffer(values);
    c.begin();
    c.use(look_of(squares_geom, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, primitive_frag));
    c.bind({.uniforms = {buffer}});
    c.draw_plain(line_of(21, 0.55f));
    c.end();
}

}  // namespace

std::vector<Scene> geometry() {
    return {
        {"geometry_spread", "layers and viewports by a geometry shader's instances", 1, spread},
        {"geometry_beside", "triangles with adjacency", 1, beside},
        {"geometry_beside_lines", "lines with adjacency", 1, beside_lines, 24},
        {"geometry_squares", "numbers of primitives; nothing of some", 1, squares},
    };
}

}  // namespace scenes
