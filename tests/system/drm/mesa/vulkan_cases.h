// SPDX-License-Identifier: Apache-2.0
/// The cases of vulkan_shaders.
#pragma once
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/drm/mesa/subgroup_reference.h"

namespace vulkan {

struct Image {
    VkFormat format = VK_FORMAT_UNDEFINED;
    std::uint32_t width = 64, height = 32, depth = 1, layers = 1, levels = 1;
    const char* fill = "fill_2d";  ///< the shader that fills a level

    VkImageViewType view() const {
        if (depth > 1) return VK_IMAGE_VIEW_TYPE_3D;
        return layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    }
};

struct Step {
    const char* shader;
    std::uint32_t items = 1024, group = 64;
    std::uint32_t numbers[4] = {};
    bool indirect = false;  ///< groups: the first words of the result
};

struct Case {
    std::string name;
    std::vector<Step> steps;
    std::uint32_t words;  ///< of the result that count
    Image image{};
    VkFilter filter = VK_FILTER_NEAREST;
    VkSamplerAddressMode outside = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    std::uint32_t subgroup = 0;  ///< wanted size; 0: any
};

inline std::vector<Case> all_cases() {
    constexpr auto kNearest = VK_FILTER_NEAREST, kLinear = VK_FILTER_LINEAR;
    std::vector<Case> all{
        {"atomics", {{"atomics", 1024, 128}}, 2048 + 8 * 16},
        {"indirect", {{"count"}, {"groups", 0, 48, {9}, true}}, 16 + 5 * 48 * 3 * 2},
        {"sets", {{"sets", 1024, 64, {2, 17}}}, 1024},
        {"types64", {{"types64", 512}}, 512 * 24},
        {"types16", {{"types16"}}, 1024 * 8},
        {"large_shared", {{"large_shared", 3 * 1024, 1024}}, 3 * 8192},
        {"flow", {{"flow"}}, 1024},
        {"floats", {{"floats"}}, 1024 * 24},
        {"bits", {{"bits"}}, 1024 * 12},
        {"texel_buffers", {{"texel_buffers", 2048}}, 8192 + 2048},
        {"addresses", {{"addresses", 512}}, 4096},
        {"uneven_group", {{"flow", 1001, 91}}, 1001},
    };
    for (const std::uint32_t size : {8u, 16u, 32u})
        all.push_back({"subgroups." + std::to_string(size),
                       {{"subgroups", 512, 128}},
                       512 * subgroups::kWords,
                       {},
                       kNearest,
                       VK_SAMPLER_ADDRESS_MODE_REPEAT,
                       size});
    all.push_back({"image_atomics",
                   {{"image_atomics"}, {"load_r32ui", 2048}},
                   2048 * 4,
                   {VK_FORMAT_R32_UINT, 64, 32, 1, 1, 1, "clear_2d_u"}});
    struct Format {
        const char* name;
        VkFormat format;
        const char *fill, *fetch;
    };
    constexpr Format kStored[] = {
        {"rgba8", VK_FORMAT_R8G8B8A8_UNORM, "fill_2d", "fetch_2d"},
        {"rgba8_snorm", VK_FORMAT_R8G8B8A8_SNORM, "fill_2d", "fetch_2d"},
        {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, "fill_2d_half", "fetch_2d"},
        {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, "fill_2d", "fetch_2d"},
        {"r32f", VK_FORMAT_R32_SFLOAT, "fill_2d", "fetch_2d"},
        {"rg16", VK_FORMAT_R16G16_UNORM, "fill_2d", "fetch_2d"},
        {"r8", VK_FORMAT_R8_UNORM, "fill_2d", "fetch_2d"},
        {"rg16f", VK_FORMAT_R16G16_SFLOAT, "fill_2d_half", "fetch_2d"},
        {"rgb10_a2", VK_FORMAT_A2B10G10R10_UNORM_PACK32, "fill_2d", "fetch_2d"},
        {"r32ui", VK_FORMAT_R32_UINT, "fill_2d_u", "fetch_2d_u"},
        {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT, "fill_2d_u", "fetch_2d_u"},
        {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT, "fill_2d_small_u", "fetch_2d_u"},
        {"rg8ui", VK_FORMAT_R8G8_UINT, "fill_2d_small_u", "fetch_2d_u"},
        {"r32i", VK_FORMAT_R32_SINT, "fill_2d_i", "fetch_2d_i"},
        {"rgba8i", VK_FORMAT_R8G8B8A8_SINT, "fill_2d_small_i", "fetch_2d_i"}};
    for (const auto& [name, format, fill, fetch] : kStored) {
        const Image image{format, 61, 27, 1, 1, 1, fill};
        all.push_back({std::string("load.") + name, {}, 61 * 27 * 4, image});
        all.back().steps = {{nullptr, 61 * 27}};
    }
    for (const auto& [name, format, fill, fetch] : kStored) {
        all.push_back({std::string("fetch.") + name,
                       {{fetch, 2048, 64, {61, 27, 1}}},
                       2048 * 4,
                       {format, 61, 27, 1, 1, 1, fill}});
    }
    all.push_back({"fetch.3d",
                   {{"fetch_3d", 2048, 64, {13, 11, 9}}},
                   2048 * 4,
                   {VK_FORMAT_R8G8B8A8_UNORM, 13, 11, 9, 1, 1, "fill_3d"}});
    all.push_back({"fetch.array",
                   {{"fetch_array", 2048, 64, {19, 23, 6}}},
                   2048 * 4,
                   {VK_FORMAT_R16G16B16A16_SFLOAT, 19, 23, 1, 6, 1, "fill_array_half"}});
    struct Outside {
        const char* name;
        VkSamplerAddressMode mode;
    };
    constexpr Outside kOutside[] = {{"repeat", VK_SAMPLER_ADDRESS_MODE_REPEAT},
                                    {"mirror", VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT},
                                    {"edge", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE},
                                    {"border", VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}};
    for (const auto& [name, mode] : kOutside)
        for (const VkFilter filter : {kNearest, kLinear})
            all.push_back({std::string("sample.") + name + (filter ? ".linear" : ".nearest"),
                           {{"sample_2d", 2048, 64, {64, 32, 1}}},
                           2048 * 4,
                           {VK_FORMAT_R8G8B8A8_UNORM, 64, 32},
                           filter,
                           mode});
    for (const auto& [name, format, fill, fetch] : kStored)
        if (std::strcmp(fetch, "fetch_2d") == 0)
            all.push_back({std::string("sample.") + name,
                           {{"sample_2d", 2048, 64, {64, 32, 1}}},
                           2048 * 4,
                           {format, 64, 32, 1, 1, 1, fill},
                           kLinear,
                           VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE});
    const std::pair<const char*, Image> looks[] = {
        {"levels", {VK_FORMAT_R8G8B8A8_UNORM, 64, 32, 1, 1, 4}},
        {"gather", {VK_FORMAT_R8G8B8A8_UNORM, 64, 32}},
        {"offset", {VK_FORMAT_R8G8B8A8_UNORM, 64, 32}},
        {"grad", {VK_FORMAT_R8G8B8A8_UNORM, 64, 32, 1, 1, 4}},
        {"3d", {VK_FORMAT_R8G8B8A8_UNORM, 16, 8, 8, 1, 1, "fill_3d"}},
        {"array", {VK_FORMAT_R16G16B16A16_SFLOAT, 32, 16, 1, 6, 1, "fill_array_half"}}};
    for (const auto& [name, image] : looks) {
        all.push_back({std::string("sample.") + name,
                       {},
                       2048 * 4,
                       image,
                       kLinear,
                       VK_SAMPLER_ADDRESS_MODE_REPEAT});
        all.back().steps = {{nullptr, 2048, 64, {image.width, image.height, image.depth}}};
    }
    return all;
}

/// The shader's name. A case of a family has one that is named like it, with a line for the dot.
inline std::string shader_of(const Case& of, const Step& step) {
    if (step.shader) return step.shader;
    std::string name = of.name;
    name[name.find('.')] = '_';
    return name;
}

}  // namespace vulkan
