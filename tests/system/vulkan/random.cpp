// SPDX-License-Identifier: Apache-2.0
// Pictures of random shaders (tests/system/gl/random_shaders.py).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

/// The words of a shader; none if there is no such file.
std::vector<std::uint32_t> spirv(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    std::vector<std::uint32_t> words(bytes.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
}

/// What a file SOURCE.how says (tests/system/gl/gl_shader.cpp).
struct How {
    VkPrimitiveTopology topology;
    std::uint32_t count, of_patch;
};
How how_to_draw(const std::string& source) {
    static const std::map<std::string, VkPrimitiveTopology> kKinds{
        {"triangle", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
        {"points", VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
        {"lines", VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
        {"triangles", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
        {"patches", VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
        {"lines_adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY},
        {"triangles_adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY}};
    std::ifstream file(source + ".how");
    std::string kind;
    std::uint32_t count = 3, of_patch = 0;
    file >> kind;
    if (kind != "triangle") file >> count >> of_patch;
    return {kKinds.at(kind), count, of_patch};
}

}  // namespace

std::vector<unsigned char> draw_random(Canvas& c, const std::string& source) {
    std::vector<std::uint32_t> colors, words;
    for (std::uint32_t i = 0; i < 256; ++i) {
        if (i < 128) colors.push_back(i * 2654435761u);
        words.insert(words.end(), {i * 2246822519u, ~i * 3266489917u});
    }
    Image picture = c.image({.width = 16, .height = 8});
    c.fill(picture, c.buffer(colors));
    c.to(picture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    Image numbers = c.image({.format = VK_FORMAT_R32G32_UINT, .width = 16, .height = 16});
    c.fill(numbers, c.buffer(words));
    c.to(numbers, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    Image second = c.image({.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    const VkSampler nearest = c.sampler(VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
    c.begin({&c.target, &second});
    const std::vector<std::uint32_t> vertex = spirv(source + ".vert.spv"),
                                     fragment = spirv(source + ".frag.spv"),
                                     control = spirv(source + ".tesc.spv"),
                                     evaluation = spirv(source + ".tese.spv"),
                                     geometry = spirv(source + ".geom.spv");
    if (fragment.empty()) {
        std::fprintf(stderr, "vulkan_scenes: there is no %s.frag.spv\n", source.c_str());
        std::exit(1);
    }
    const How how = how_to_draw(source);
    Look look{.vertex = vertex.empty() ? Code(full_vert) : Code(vertex),
              .fragment = Code(fragment),
              .topology = how.topology,
              .blends = {no_blending(), no_blending()},
              .targets = {kTargetFormat, kTargetFormat}};
    if (!control.empty()) look.tessellation = {Code(control), Code(evaluation)};
    look.patch_points = how.of_patch;
    if (!geometry.empty()) look.geometry = {Code(geometry)};
    c.use(look);
    c.bind({.textures = {{&picture, nearest}, {&numbers, nearest}}});
    c.draw(how.count);
    c.end();
    std::vector<unsigned char> both = c.picture();
    const std::vector<unsigned char> other = c.picture(second);
    both.insert(both.end(), other.begin(), other.end());
    return both;
}

}  // namespace scenes
