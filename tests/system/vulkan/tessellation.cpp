// SPDX-License-Identifier: Apache-2.0
// Patches: domains, origins, what control shaders exchange.
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

const Vertices kPlaces{{{VK_FORMAT_R32G32_SFLOAT, 0}}, {8}};
const std::vector<float> kTriangle{-0.9f, -0.8f, 0, -0.9f, -0.7f, 0.1f};
const std::vector<float> kQuad{-0.9f, -0.8f, 0, -0.85f, 0.1f, 0.1f, -0.8f, 0};

struct Levels {
    float outside[4];
    float inside[2];
};
Look patches(Code control, Code evaluation, std::uint32_t points) {
    Look look{.vertex = patch_vert,
              .fragment = plain_frag,
              .input = kPlaces,
              .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
    look.tessellation = {control, evaluation};
    look.patch_points = points;
    return look;
}
void draw(Canvas& c, const Look& look, const Levels& levels, std::vector<float> corners, float x,
          float y) {
    for (std::size_t i = 0; i < corners.size(); i += 2) {
        corners[i] += x;
        corners[i + 1] += y;
    }
    c.use(look);
    c.push(levels);
    c.vertices(corners);
    c.draw(static_cast<std::uint32_t>(corners.size() / 2));
}

void patches_of_each_domain(Canvas& c) {
    c.begin();
    draw(c, patches(patch_tesc, patch_triangles_tese, 3), {{2.5f, 4, 5.3f, 1}, {3.7f, 1}},
         kTriangle, 0, 0);
    draw(c, patches(patch_tesc, patch_quads_tese, 4), {{2.5f, 4, 5.3f, 3}, {3.7f, 6}}, kQuad, 0.9f,
         0);
    draw(c, patches(patch_tesc, patch_lines_tese, 4), {{5, 4, 1, 1}, {1, 1}}, kQuad, 0, 0.85f);
    draw(c, patches(patch_tesc, patch_points_tese, 4), {{5, 4, 3, 6}, {4, 3}}, kQuad, 0.9f, 0.85f);
    c.end();
}
void origins(Canvas& c) {
    c.begin();
    for (const bool lower_left : {false, true})
        for (const VkCullModeFlags cull : {VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT}) {
            Look look = patches(patch_tesc, patch_triangles_tese, 3);
            look.cull = cull;
            look.lower_left = lower_left;
            draw(c, look, {{3, 4, 5, 1}, {3, 1}}, kTriangle, lower_left ? 0.9f : 0,
                 cull == VK_CULL_MODE_BACK_BIT ? 0.8f : 0);
        }
    c.end();
}
void exchanges(Canvas& c) {
    const Look look = patches(exchange_tesc, patch_quads_tese, 4);
    std::vector<float> several;
    for (const float x : {0.f, 0.9f})
        for (std::size_t i = 0; i < kQuad.size(); i += 2) {
            several.push_back(kQuad[i] + x);
            several.push_back(kQuad[i + 1] + x);
        }
    c.begin();
    draw(c, look, {{2, 3, 4, 5}, {3, 4}}, several, 0, 0);
    c.end();
}
void instances_of_patches(Canvas& c) {
    c.begin();
    c.use(patches(patch_tesc, patch_quads_tese, 4));
    c.push(Levels{{2.5f, 64, 5.3f, 30}, {33.3f, 6}});
    c.vertices(kQuad);
    c.draw(4, 3);
    // What is culled is not there.
    c.push(Levels{{2.5f, 0, 5.3f, 30}, {33.3f, 6}});
    c.draw(4, 4);
    c.end();
}

}  // namespace

std::vector<Scene> tessellation() {
    return {
        {"patches", "domains, spacings, points", 2, patches_of_each_domain, 4},
        {"patch_origins", "upper and lower left domain origin, culled by facing", 2, origins},
        {"patch_exchange", "32 invocations read what others wrote", 2, exchanges},
        {"patch_instances", "high levels, in instances; a level of 0", 2, instances_of_patches},
    };
}

}  // namespace scenes
