// SPDX-License-Identifier: Apache-2.0
// What extensions add. Where a driver lacks one, its scene draws what must be seen by other means.
#include <algorithm>

#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

using Point = std::array<float, 2>;

Look plain_look() {
    return {.vertex = plain_vert, .fragment = plain_frag, .input = plain_vertices()};
}
void add(std::vector<float>& data, const Point& at, const Color& color, float depth = 0) {
    data.insert(data.end(), {at[0], at[1], depth, 1});
    data.insert(data.end(), color.begin(), color.end());
}
/// A place in pixels of the target.
Point in_pixels(const Point& at) {
    return {at[0] / 32 - 1, at[1] / 32 - 1};
}
void part(Canvas& c, int x, int y, int width = 32, int height = 32) {
    const VkViewport area{static_cast<float>(x),
                          static_cast<float>(y),
                          static_cast<float>(width),
                          static_cast<float>(height),
                          0,
                          1};
    vkCmdSetViewport(c.commands, 0, 1, &area);
}
/// Each pixel of the target by a rectangle of its own.
template <class ColorOf>
void each_pixel(Canvas& c, const ColorOf& color_of) {
    std::vector<float> data;
    for (int y = 0; y < static_cast<int>(kSize); ++y)
        for (int x = 0; x < static_cast<int>(kSize); ++x)
            for (const auto& [right, below] :
                 {std::pair{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}})
                add(data, in_pixels({static_cast<float>(x + right), static_cast<float>(y + below)}),
                    color_of(x, y));
    c.use(plain_look());
    c.draw_plain(data);
}
void some_triangles(Canvas& c) {
    std::vector<float> data;
    for (const Point at : {Point{-0.9f, -0.8f}, {0.8f, -0.55f}, {-0.3f, 0.9f}})
        add(data, at, kRed);
    for (const Point at : {Point{0.95f, 0.9f}, {-0.2f, 0.1f}, {0.9f, 0.0f}})
        add(data, at, kGreen);
    c.draw_plain(data);
}

/// Samples at other places than usual: four pictures of one sample, moved, show the same.
void sample_positions(Canvas& c) {
    constexpr VkSampleLocationEXT kPlaces[] = {
        {0.0625f, 0.9375f}, {0.5f, 0.25f}, {0.9375f, 0.5f}, {0.3125f, 0}};
    const ImageKind one{.width = 32, .height = 32, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    if (c.machine.offers(VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME)) {
        auto places = make<VkPipelineSampleLocationsStateCreateInfoEXT>(
            VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
        places.sampleLocationsEnable = VK_TRUE;
        places.sampleLocationsInfo =
            make<VkSampleLocationsInfoEXT>(VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT);
        places.sampleLocationsInfo.sampleLocationsPerPixel = VK_SAMPLE_COUNT_4_BIT;
        places.sampleLocationsInfo.sampleLocationGridSize = {1, 1};
        places.sampleLocationsInfo.sampleLocationsCount = 4;
        places.sampleLocationsInfo.pSampleLocations = kPlaces;
        ImageKind four = one;
        four.samples = VK_SAMPLE_COUNT_4_BIT;
        Image image = c.image(four);
        Look look = plain_look();
        look.samples = four.samples;
        look.change = [&](States& states) { states.samples.pNext = &places; };
        c.begin({&image});
        c.use(look);
        some_triangles(c);
        c.end();
        c.show(image, samples_frag);
        return;
    }
    std::vector<Image> images;
    for (unsigned i = 0; i < 4; ++i)
        images.push_back(c.image(one));
    std::vector<Sampled> seen;
    for (unsigned i = 0; i < 4; ++i) {
        c.begin({&images[i]});
        c.use(plain_look());
        const VkViewport moved{0.5f - kPlaces[i].x, 0.5f - kPlaces[i].y, 32, 32, 0, 1};
        vkCmdSetViewport(c.commands, 0, 1, &moved);
        some_triangles(c);
        c.end();
        c.to(images[i], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        seen.push_back({&images[i], c.sampler(VK_FILTER_NEAREST)});
    }
    c.begin();
    c.use({.vertex = full_vert, .fragment = quarters_frag});
    c.bind({.textures = seen});
    c.draw(3);
    c.end();
}

using Corners = std::array<Point, 3>;
/// Whether a triangle and a pixel's square have a point in common: no axis separates them.
bool touches(const Corners& triangle, int x, int y) {
    std::vector<Point> axes{{1, 0}, {0, 1}};
    for (unsigned i = 0; i < 3; ++i) {
        const Point &a = triangle[i], &b = triangle[(i + 1) % 3];
        axes.push_back({b[1] - a[1], a[0] - b[0]});
    }
    return std::ranges::none_of(axes, [&](const Point& axis) {
        const auto along = [&](float u, float v) { return axis[0] * u + axis[1] * v; };
        const auto [low, high] = std::minmax({along(triangle[0][0], triangle[0][1]),
                                              along(triangle[1][0], triangle[1][1]),
                                              along(triangle[2][0], triangle[2][1])});
        const auto left = static_cast<float>(x), top = static_cast<float>(y);
        const auto [least, most] = std::minmax({along(left, top), along(left + 1, top),
                                                along(left, top + 1), along(left + 1, top + 1)});
        return high < least || most < low;
    });
}
/// All pixels that a triangle touches. The last is smaller than a pixel.
void touched(Canvas& c) {
    constexpr Corners kTriangles[] = {{{{5.3f, 4.7f}, {40.4f, 9.6f}, {12.7f, 38.3f}}},
                                      {{{60.6f, 20.3f}, {30.3f, 58.7f}, {62.4f, 61.3f}}},
                                      {{{3.3f, 50.6f}, {25.7f, 57.4f}, {4.6f, 51.3f}}},
                                      {{{50.3f, 5.4f}, {50.6f, 5.6f}, {50.4f, 5.7f}}}};
    const auto color = [](int i) { return Color{i & 1 ? 1.f : 0.f, i & 2 ? 1.f : 0.f, 0.5f, 1}; };
    c.begin();
    if (!c.machine.offers(VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME)) {
        each_pixel(c, [&](int x, int y) {
            for (int i = 3; i >= 0; --i)
                if (touches(kTriangles[i], x, y)) return color(i);
            return kBackground;
        });
    } else {
        auto wide = make<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
        wide.conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
        Look look = plain_look();
        look.change = [&](States& states) { states.raster.pNext = &wide; };
        c.use(look);
        std::vector<float> data;
        for (int i = 0; i < 4; ++i)
            for (const Point& at : kTriangles[i])
                add(data, in_pixels(at), color(i));
        c.draw_plain(data);
    }
    c.end();
}

/// Lines with a stipple, of Bresenham's and smooth, and wide ones.
void line_kinds(Canvas& c) {
    const auto draw = [&](VkLineRasterizationModeEXT mode, bool stipple, float width, int x,
                          int y) {
        auto lines = make<VkPipelineRasterizationLineStateCreateInfoEXT>(
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
        lines.lineRasterizationMode = mode;
        lines.stippledLineEnable = stipple;
        lines.lineStippleFactor = 2;
        lines.lineStipplePattern = 0x9A3C;
        Look look = plain_look();
        look.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
        look.change = [&](States& states) {
            states.raster.pNext = &lines;
            states.raster.lineWidth = width;
        };
        part(c, x, y);
        c.use(look);
        std::vector<float> data;
        // Ends between pixels: elsewhere drivers differ in the first and last pixel.
        for (const Point at : {Point{2, 2}, {29, 6}, {6, 17}, {27, 30}})
            add(data, {at[0] / 16 - 1, at[1] / 16 - 1}, kRed);
        c.draw_plain(data);
    };
    c.begin();
    draw(VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, false, 1, 0, 0);
    draw(VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, true, 1, 32, 0);
    draw(VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, false, 3, 0, 32);
    draw(VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT, true, 3, 32, 32);
    c.end();
}

/// The last vertex decides; steps of instances; several draws of one command; lists that restart.
void drawing_orders(Canvas& c) {
    c.begin();
    auto provoking = make<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
    provoking.provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
    Look flat = plain_look();
    flat.vertex = flat_vert;
    flat.fragment = flat_frag;
    flat.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    flat.change = [&](States& states) { states.raster.pNext = &provoking; };
    std::vector<float> strip;
    for (int i = 0; i < 7; ++i)
        add(strip, {-0.9f + 0.28f * static_cast<float>(i), i & 1 ? 0.8f : -0.75f},
            {i & 1 ? 1.f : 0.f, i & 2 ? 1.f : 0.f, i & 4 ? 1.f : 0.f, 1});
    part(c, 0, 0);
    c.use(flat);
    c.draw_plain(strip);
    part(c, 32, 0);
    flat.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    c.use(flat);
    c.draw_plain(strip);

    part(c, 0, 32);
    Look steps = plain_look();
    steps.input = {{{VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {VK_FORMAT_R32G32B32A32_SFLOAT, 0, 1}},
                   {16, 16},
                   true};
    steps.vertex = instanced_vert;
    const VkVertexInputBindingDivisorDescriptionEXT each{1, 3};
    auto divisors = make<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
    divisors.vertexBindingDivisorCount = 1;
    divisors.pVertexBindingDivisors = &each;
    steps.change = [&](States& states) { states.input.pNext = &divisors; };
    c.use(steps);
    c.vertices({-0.3f, -0.3f, 0, 1, 0.1f, -0.2f, 0, 1, -0.2f, 0.2f, 0, 1});
    c.vertices(
        c.buffer(std::vector<float>{-0.5f, -0.5f, 0, 1, 0.1f, 0.3f, 0.5f, 1, 0.4f, 0.6f, 0.3f, 1}),
        1);
    c.draw(3, 8);

    part(c, 32, 32);
    Look list = plain_look();
    list.restart = true;
    c.use(list);
    const auto several = c.function<PFN_vkCmdDrawMultiIndexedEXT>("vkCmdDrawMultiIndexedEXT");
    c.vertices(strip);
    const Buffer indices =
        c.buffer(std::vector<std::uint32_t>{0, 1, ~0u, 2, 3, 4, 1, 2, ~0u, 4, 5, 6});
    vkCmdBindIndexBuffer(c.commands, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    const VkMultiDrawIndexedInfoEXT draws[] = {{0, 6, 0}, {6, 3, -1}, {9, 3, 0}};
    several(c.commands, 3, draws, 1, 0, sizeof draws[0], nullptr);
    c.end();
}

/// Depths from -1 to 1; depths that are not clipped, clamped to the viewport's or not tested.
void depth_ranges(Canvas& c) {
    Image depth = c.image(
        {.format = VK_FORMAT_D32_SFLOAT, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    c.begin({&c.target}, &depth);
    for (int i = 0; i < 4; ++i) {
        auto range = make<VkPipelineViewportDepthClipControlCreateInfoEXT>(
            VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);
        range.negativeOneToOne = i & 1;
        auto clip = make<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
        clip.depthClipEnable = i < 2;
        Look look = plain_look();
        look.depth_format = depth.kind.format;
        look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
        look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
        look.depth_clamp = i >= 2;
        look.change = [&](States& states) {
            states.viewport.pNext = &range;
            states.raster.pNext = &clip;
        };
        const VkViewport area{
            static_cast<float>(i % 2 * 32), static_cast<float>(i / 2 * 32), 32, 32, 0.25f, 0.75f};
        vkCmdSetViewport(c.commands, 0, 1, &area);
        c.use(look);
        std::vector<float> data;
        add(data, {-0.9f, -0.8f}, kRed, -1.7f);
        add(data, {0.9f, -0.7f}, kGreen, 1.8f);
        add(data, {0.1f, 0.9f}, kBlue, 0.3f);
        c.draw_plain(data);
        c.rectangle(-0.7f, -0.5f, 0.7f, 0.2f, 0.1f, kWhite);
    }
    c.end();
}

/// Depths of a shader's below 0 and above 1 are kept as 0 and 1: rectangles of just these show where.
void depths_to_one(Canvas& c) {
    Image depth = c.image(
        {.format = VK_FORMAT_D32_SFLOAT, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const VkBool32 clamped = !c.machine.offers(VK_EXT_DEPTH_CLAMP_ZERO_ONE_EXTENSION_NAME);
    const VkSpecializationMapEntry entry{0, 0, sizeof clamped};
    const VkSpecializationInfo constants{1, &entry, sizeof clamped, &clamped};
    Look beyond{.vertex = full_vert, .fragment = depth_beyond_frag, .constants = &constants};
    Look just = plain_look();
    for (Look* const look : {&beyond, &just}) {
        look->depth_format = depth.kind.format;
        look->depth.depthTestEnable = VK_TRUE;
    }
    beyond.depth.depthWriteEnable = VK_TRUE;
    beyond.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    just.depth.depthCompareOp = VK_COMPARE_OP_EQUAL;
    c.begin({&c.target}, &depth);
    c.use(beyond);
    c.draw(3);
    c.use(just);
    c.rectangle(-1, -1, 1, 0, 0, kBlue);
    c.rectangle(-1, -1, 1, 0.5f, 1, kGreen);
    c.end();
}

/// Numbers that depend on the order of primitives, by stores that wait for each other.
void stored_in_order(Canvas& c) {
    std::vector<std::array<int, 5>> rectangles;
    for (int i = 0; i < 12; ++i)
        rectangles.push_back({i * 7 % 40, i * 11 % 36, 20 + i * 5 % 24, 18 + i * 3 % 28, i + 1});
    if (!c.machine.offers(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME)) {
        c.begin();
        each_pixel(c, [&](int x, int y) {
            std::uint32_t value = 0;
            for (const auto& [left, top, width, height, number] : rectangles)
                if (x >= left && x < left + width && y >= top && y < top + height)
                    value = value * 3 + static_cast<std::uint32_t>(number);
            const auto low = [&](int bit) { return static_cast<float>(value >> bit & 15) / 15; };
            return Color{low(0), low(4), low(8), 1};
        });
        c.end();
        return;
    }
    Image values = c.image({.format = VK_FORMAT_R32_UINT, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
    c.to(values, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue zero{};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(c.commands, values.image, values.layout, &zero, 1, &all);
    c.to(values, VK_IMAGE_LAYOUT_GENERAL);
    c.begin();
    Look look = plain_look();
    look.fragment = ordered_frag;
    c.use(look);
    c.bind({.images = {&values}});
    std::vector<float> data;
    for (const auto& [left, top, width, height, number] : rectangles)
        for (const auto& [right, below] : {std::pair{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}})
            add(data,
                in_pixels({static_cast<float>(left + right * width),
                           static_cast<float>(top + below * height)}),
                {static_cast<float>(number) / 16, 0, 0, 1});
    c.draw_plain(data);
    c.end();
    c.show(values, show_low_frag);
}

/// A shader's stencil: what it writes, and what it is compared with.
void stencil_by_shader(Canvas& c) {
    Image stencil = c.image(
        {.format = VK_FORMAT_S8_UINT, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const auto look_with = [&](VkCompareOp compare, VkStencilOp pass, std::uint32_t reference) {
        Look look = plain_look();
        look.depth_format = stencil.kind.format;
        look.depth.stencilTestEnable = VK_TRUE;
        look.depth.front = {VK_STENCIL_OP_KEEP, pass, VK_STENCIL_OP_KEEP, compare, 0xFF, 0xFF,
                            reference};
        look.depth.back = look.depth.front;
        return look;
    };
    c.begin({&c.target}, &stencil);
    Look write = look_with(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_REPLACE, 77);
    write.vertex = full_vert;
    write.input = {};
    write.fragment = stencil_frag;
    c.use(write);
    c.draw(3);
    for (std::uint32_t value = 0; value < 16; value += 3) {
        c.use(look_with(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, value));
        c.rectangle(-1, -1, 1, 1, 0, {static_cast<float>(value) / 15, 1, 0, 1});
    }
    Look less = look_with(VK_COMPARE_OP_LESS, VK_STENCIL_OP_INVERT, 0);
    less.vertex = full_vert;
    less.input = {};
    less.fragment = stencil_frag;
    const VkRect2D below{{0, 40}, {kSize, 24}};
    vkCmdSetScissor(c.commands, 0, 1, &below);
    c.use(look_with(VK_COMPARE_OP_ALWAYS, VK_STENCIL_OP_REPLACE, 9));
    c.rectangle(-1, -1, 0, 1, 0, kWhite);
    c.use(less);
    c.draw(3);
    c.use(look_with(VK_COMPARE_OP_EQUAL, VK_STENCIL_OP_KEEP, 0xF6));
    c.rectangle(-1, -1, 1, 1, 0, kBlue);
    c.end();
}

/// Masks of samples as depth left them.
void left_after_depth(Canvas& c) {
    const ImageKind kind{.width = 32,
                         .height = 32,
                         .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                         .samples = VK_SAMPLE_COUNT_4_BIT};
    ImageKind deep = kind;
    deep.format = VK_FORMAT_D32_SFLOAT;
    deep.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    Image image = c.image(kind), depth = c.image(deep);
    Look look = plain_look();
    look.samples = kind.samples;
    look.depth_format = deep.format;
    look.depth.depthTestEnable = look.depth.depthWriteEnable = VK_TRUE;
    look.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    c.begin({&image}, &depth);
    for (int i = 0; i < 2; ++i) {
        if (i) look.fragment = left_after_depth_frag;
        c.use(look);
        std::vector<float> data;
        add(data, {-1, -1}, kRed, i ? 0.9f : 0.05f);
        add(data, {1, -0.83f}, kRed, i ? 0.1f : 0.9f);
        add(data, {-0.8f, 0.9f}, kRed, i ? 0.2f : 0.8f);
        c.draw_plain(data);
    }
    c.end();
    c.show(image, samples_frag);
}

void types(Canvas& c) {
    c.begin();
    c.use({.vertex = full_vert, .fragment = types_frag});
    c.draw(3);
    c.end();
}

}  // namespace

std::vector<Scene> extensions() {
    return {
        {"sample_positions", "samples at places of the program's", 0, sample_positions},
        {"touched", "conservative rasterisation", 1, touched},
        {"line_kinds", "stippled and wide lines", 0, line_kinds, 8},
        {"drawing_orders", "last provoking vertex, divisors, several draws, lists that restart", 1,
         drawing_orders},
        {"depth_ranges", "depths from -1, without clipping, clamped", 2, depth_ranges, 8},
        {"depths_to_one", "a shader's depths beyond 0 and 1", 0, depths_to_one},
        {"stored_in_order", "stores in the order of primitives", 1, stored_in_order},
        {"stencil_by_shader", "a shader's stencil", 0, stencil_by_shader},
        {"left_after_depth", "masks of samples after the depth test", 1, left_after_depth},
        {"types", "numbers of 8, 16 and 64 bits, quads, channels that leave", 1, types},
    };
}

}  // namespace scenes
