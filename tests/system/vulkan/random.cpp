// SPDX-License-Identifier: Apache-2.0
// Pictures of random fragment shaders (tests/system/gl/random_shaders.py).
#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {

std::vector<unsigned char> draw_random(Canvas& c, const std::vector<std::uint32_t>& fragment) {
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
    c.use({.vertex = full_vert,
           .fragment = Code(fragment),
           .blends = {no_blending(), no_blending()},
           .targets = {kTargetFormat, kTargetFormat}});
    c.bind({.textures = {{&picture, nearest}, {&numbers, nearest}}});
    c.draw(3);
    c.end();
    std::vector<unsigned char> both = c.picture();
    const std::vector<unsigned char> other = c.picture(second);
    both.insert(both.end(), other.begin(), other.end());
    return both;
}

}  // namespace scenes
