// SPDX-License-Identifier: Apache-2.0
// From vertices to primitives: fetch, topologies, clipping, viewports, culling.
#include <bit>

#include "scene_shaders.h"
#include "tests/system/vulkan/scene.h"

namespace scenes {
namespace {

const std::vector<float> kTriangle{-0.9f, -0.9f, 0, 1, 1,     0,    0, 1, 0.9f, -0.7f, 0, 1,
                                   0,     1,     0, 1, -0.1f, 0.9f, 0, 1, 0,    0,     1, 1};

Look plain(VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST) {
    return {.vertex = plain_vert,
            .fragment = plain_frag,
            .input = plain_vertices(),
            .topology = topology};
}
Look flat(VkPrimitiveTopology topology) {
    return {.vertex = flat_vert,
            .fragment = flat_frag,
            .input = plain_vertices(),
            .topology = topology};
}
/// A vertex in pixels, of a colour.
void add(std::vector<float>& data, float x, float y, const Color& color, float w = 1) {
    data.insert(data.end(), {x / 32 - 1, y / 32 - 1, 0, w});
    data.insert(data.end(), color.begin(), color.end());
}

void triangle(Canvas& c) {
    c.begin();
    c.use(plain());
    c.draw_plain(kTriangle);
    c.end();
}

/// A vertex per corner of a grid.
std::vector<float> grid() {
    std::vector<float> data;
    for (int y = 0; y <= 4; ++y)
        for (int x = 0; x <= 4; ++x)
            add(data, static_cast<float>(4 + 14 * x), static_cast<float>(5 + 13 * y),
                {static_cast<float>(x) / 4, static_cast<float>(y) / 4, 0.5f, 1});
    return data;
}
void indexed(Canvas& c) {
    const std::vector<std::uint16_t> small{0, 1, 5, 6, 12, 11, 0, 1, 6};
    const std::vector<std::uint32_t> large{2, 3, 8, 9, 14, 13, 17, 18, 22, 0};
    c.begin();
    c.use(flat(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST));
    c.vertices(grid());
    vkCmdBindIndexBuffer(c.commands, c.buffer(small).buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c.commands, 6, 1, 0, 0, 0);
    vkCmdDrawIndexed(c.commands, 3, 1, 6, 15, 0);  // the first index, the first vertex
    vkCmdBindIndexBuffer(c.commands, c.buffer(large).buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(c.commands, 9, 1, 0, 0, 0);
    vkCmdBindIndexBuffer(c.commands, c.buffer(large).buffer, 12, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(c.commands, 3, 1, 1, -6, 0);
    c.end();
}
void instanced(Canvas& c) {
    std::vector<float> places;
    for (int i = 0; i < 12; ++i)
        places.insert(places.end(), {-0.75f + 0.5f * static_cast<float>(i & 3),
                                     -0.7f + 0.6f * static_cast<float>(i >> 2), 0.2f,
                                     static_cast<float>(i) / 16});
    c.begin();
    c.use({.vertex = instanced_vert,
           .fragment = plain_frag,
           .input = {{{VK_FORMAT_R32G32_SFLOAT, 0}, {VK_FORMAT_R32G32B32A32_SFLOAT, 0, 1}},
                     {8, 16},
                     true}});
    c.vertices(std::vector<float>{9, 9, 9, 9, -1, -1, 1, -1, 0, 1, -1, 1, 1, 0.5f});
    c.vertices(c.buffer(places), 1);
    vkCmdDraw(c.commands, 3, 5, 2, 0);
    vkCmdDraw(c.commands, 3, 4, 4, 6);  // the first vertex, the first instance
    c.end();
}
void numbers(Canvas& c) {
    const std::vector<std::uint16_t> indices{0, 1, 2, 3, 0xFFFF, 4, 5, 6, 7, 0xFFFF, 8, 9, 10, 11};
    c.begin();
    c.use({.vertex = numbers_vert,
           .fragment = flat_frag,
           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
           .restart = true});
    vkCmdDraw(c.commands, 4, 3, 0, 0);
    vkCmdDraw(c.commands, 4, 2, 8, 4);
    vkCmdBindIndexBuffer(c.commands, c.buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c.commands, 14, 2, 0, 16, 1);
    vkCmdDrawIndexed(c.commands, 4, 1, 5, 40, 5);
    c.end();
}
void restarted(Canvas& c) {
    const std::vector<std::uint32_t> indices{0,  5,  1,   6,  2,  7,  ~0u, 3,   8,
                                             4,  9,  ~0u, 10, 15, 11, 16,  ~0u, ~0u,
                                             12, 17, ~0u, 18, 23, 19, 24};
    const std::vector<std::uint16_t> fans{12, 16, 17, 18, 0xFFFF, 6, 0, 1, 2, 0xFFFF, 8, 3, 4, 9};
    c.begin();
    Look look = flat(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    look.restart = true;
    c.use(look);
    c.vertices(grid());
    vkCmdBindIndexBuffer(c.commands, c.buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(c.commands, static_cast<std::uint32_t>(indices.size()), 1, 0, 0, 0);
    look.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    c.use(look);
    vkCmdBindIndexBuffer(c.commands, c.buffer(fans).buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c.commands, static_cast<std::uint32_t>(fans.size()), 1, 0, 0, 0);
    c.end();
}
/// The first vertex of each primitive gives its colour.
void provoking(Canvas& c) {
    const std::array<Color, 6> colors{
        kRed, kGreen, kBlue, kWhite, Color{1, 1, 0, 1}, Color{0, 1, 1, 1}};
    const auto row = [&](VkPrimitiveTopology topology, float top) {
        std::vector<float> data;
        for (unsigned i = 0; i < 6; ++i)
            add(data, static_cast<float>(2 + 10 * i), top + (i % 2 ? 14.f : 0.f), colors[i]);
        c.use(flat(topology));
        c.draw_plain(data);
    };
    c.begin();
    row(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 1);
    row(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 17);
    std::vector<float> fan;
    add(fan, 30, 60, colors[0]);
    for (const auto& [x, y, color] : {std::tuple{2.f, 50.f, 1u},
                                      {12.f, 36.f, 2u},
                                      {30.f, 34.f, 3u},
                                      {50.f, 36.f, 4u},
                                      {62.f, 52.f, 5u}})
        add(fan, x, y, colors[color]);
    c.use(flat(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN));
    c.draw_plain(fan);
    c.end();
}
void lines(Canvas& c) {
    std::vector<float> list, strip;
    const auto line = [&](float x0, float y0, float x1, float y1, const Color& color) {
        add(list, x0, y0, color);
        add(list, x1, y1, color);
    };
    line(2, 4.5f, 60, 4.5f, kRed);
    line(4.5f, 8, 4.5f, 60, kGreen);
    line(10, 10, 40, 25, kBlue);
    line(60, 60, 50, 20, kWhite);
    line(20, 60, 45, 35, {1, 1, 0, 1});
    for (const auto& [x, y] :
         {std::pair{10.f, 40.f}, {24.f, 40.f}, {24.f, 52.f}, {12.f, 52.f}, {12.f, 44.f}})
        add(strip, x, y + 0.5f, {0, 0, 0, 1});
    c.begin();
    c.use(flat(VK_PRIMITIVE_TOPOLOGY_LINE_LIST));
    c.draw_plain(list);
    c.use(flat(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP));
    c.draw_plain(strip);
    c.end();
}
void points(Canvas& c) {
    std::vector<float> data;
    for (int i = 0; i < 16; ++i)
        add(data, 8.3f + 16 * static_cast<float>(i & 3), 8.6f + 16 * static_cast<float>(i >> 2),
            {0, 0, static_cast<float>(i) / 15, 1}, 1 + static_cast<float>(i % 8) * 2);
    c.begin();
    c.use({.vertex = points_vert,
           .fragment = plain_frag,
           .input = plain_vertices(),
           .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
    c.draw_plain(data);
    c.end();
}
void point_coordinates(Canvas& c) {
    std::vector<float> data;
    for (int i = 0; i < 4; ++i)
        add(data, 16 + 32 * static_cast<float>(i & 1), 16 + 32 * static_cast<float>(i >> 1),
            {0, 0, static_cast<float>(i) / 4, 1}, 16 + static_cast<float>(i) * 4);
    c.begin();
    c.use({.vertex = points_vert,
           .fragment = points_frag,
           .input = plain_vertices(),
           .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
    c.draw_plain(data);
    c.end();
}
void culled(Canvas& c) {
    c.begin();
    for (int i = 0; i < 8; ++i) {
        Look look = plain();
        look.cull = static_cast<VkCullModeFlags>(i & 3);
        look.front = i & 4 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
        c.use(look);
        const float x = static_cast<float>(i & 3) * 16, y = static_cast<float>(i >> 2) * 32;
        std::vector<float> data;
        add(data, x + 1, y + 2, kRed);
        add(data, x + 14, y + 2, kRed);
        add(data, x + 1, y + 14, kRed);
        add(data, x + 1, y + 17, kGreen);
        add(data, x + 1, y + 29, kGreen);
        add(data, x + 14, y + 17, kGreen);
        c.draw_plain(data);
    }
    c.end();
}
void faces(Canvas& c) {
    c.begin();
    Look look = plain(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    look.fragment = faces_frag;
    c.use(look);
    std::vector<float> data;
    for (int i = 0; i < 8; ++i)
        add(data, static_cast<float>(2 + 8 * i), i % 2 ? 30.f : 2.f, {1, 0.8f, 0, 1});
    for (int i = 0; i < 8; ++i)
        add(data, static_cast<float>(2 + 8 * i), i % 2 ? 34.f : 62.f, {1, 0.8f, 0, 1});
    c.vertices(data);
    vkCmdDraw(c.commands, 8, 1, 0, 0);
    vkCmdDraw(c.commands, 8, 1, 8, 0);
    c.end();
}
void viewports(Canvas& c) {
    c.begin();
    c.use(plain());
    c.vertices(kTriangle);
    const VkViewport parts[] = {{0, 0, 32, 32, 0, 1},
                                {32.5f, 3.25f, 28, 25.5f, 0, 1},
                                {0, 64, 32, -32, 0, 1},  // upside down
                                {20, 24, 60, 60, 0, 1}};
    const VkRect2D scissors[] = {
        {{0, 0}, {64, 64}}, {{35, 5}, {22, 17}}, {{3, 30}, {29, 40}}, {{33, 33}, {100, 100}}};
    for (int i = 0; i < 4; ++i) {
        vkCmdSetViewport(c.commands, 0, 1, &parts[i]);
        vkCmdSetScissor(c.commands, 0, 1, &scissors[i]);
        c.draw(3);
    }
    const VkRect2D nothing{{10, 10}, {0, 0}};
    vkCmdSetScissor(c.commands, 0, 1, &nothing);
    c.draw(3);
    c.end();
}
/// One draw into four layers, each by another of four viewports.
void layers(Canvas& c) {
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
    Look look = plain();
    look.vertex = layers_vert;
    look.viewports = 4;
    c.use(look);
    c.vertices(kTriangle);
    c.draw(3, 4);
    c.end();
    c.show(target, four_layers_frag);
}
/// Not views with a gap in their mask: lavapipe draws them into the wrong layers.
void views(Canvas& c) {
    Image target = c.image({.layers = 4,
                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                            .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
    c.begin({&target}, nullptr, true, 1, 0b0011);
    Look look = plain();
    look.vertex = views_vert;
    look.views = 0b0011;
    c.use(look);
    c.draw_plain(kTriangle);
    c.end();
    c.to(target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue gray{{0.5f, 0.5f, 0.5f, 1}};
    const VkImageSubresourceRange others{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2, 2};
    vkCmdClearColorImage(c.commands, target.image, target.layout, &gray, 1, &others);
    c.show(target, four_layers_frag);
}
void clipped(Canvas& c) {
    c.begin();
    c.use(plain());
    // One beyond every side, one across the near and one across the far plane, one behind the eye.
    c.draw_plain(
        {-3, -2, 0.5f, 1, 1, 0, 0, 1, 4, -1.5f, 0.5f, 1, 0, 1, 0, 1, 0, 0.2f, 0.5f, 1, 0, 0, 1, 1});
    c.draw_plain(
        {-0.8f, 0, -1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, -0.5f, 0.9f, 0.5f, 1, 0, 1, 1, 1});
    c.draw_plain({0.1f, 0.9f, 0.2f, 1, 1,    0,    1,    1, 0.8f, 0.9f, 1.9f, 1,
                  1,    0,    1,    1, 0.5f, 0.3f, 0.9f, 1, 1,    1,    1,    1});
    c.draw_plain({0.2f, 0.2f, 0.1f, 1, 0,    0,    0,     1,     0.4f, 0.9f, 0.1f, 1,
                  1,    1,    1,    1, 0.5f, 0.2f, -0.1f, -0.5f, 1,    0,    0,    1});
    c.end();
}
void distances(Canvas& c) {
    std::vector<float> data;
    for (int i = 0; i < 4; ++i) {
        const float x = static_cast<float>(i % 2) * 32, y = static_cast<float>(i / 2) * 32;
        // The last vertex alone has another distance: only all three outside are culled.
        add(data, x + 1, y + 1, kRed, i & 1 ? -1.f : 1.f);
        add(data, x + 30, y + 3, kGreen, i & 1 ? -0.5f : 1.f);
        add(data, x + 5, y + 30, kBlue, i & 2 ? -1.f : 0.5f);
    }
    c.begin();
    Look look = plain();
    look.vertex = distances_vert;
    c.use(look);
    c.draw_plain(data);
    c.end();
}
void pulled(Canvas& c) {
    const std::vector<float> places{-0.8f, -0.8f, 0.7f, -0.6f, -0.5f, 0.9f,
                                    0.1f,  0.1f,  0.9f, 0.2f,  0.4f,  0.9f};
    const std::vector<std::uint32_t> colors{0xFF0000FF, 0xFF00FF00, 0xFFFF0000,
                                            0xFFFFFFFF, 0xFF00FFFF, 0xFFFFFF00};
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = c.buffer(colors).buffer;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.range = VK_WHOLE_SIZE;
    VkBufferView view{};
    check(vkCreateBufferView(c.device, &info, nullptr, &view), "a buffer's view");
    c.later([device = c.device, view] { vkDestroyBufferView(device, view, nullptr); });
    c.begin();
    c.use({.vertex = pulled_vert, .fragment = plain_frag});
    c.bind({.storage = {c.buffer(places)}, .texels = view});
    c.draw(6);
    c.end();
}
/// Attributes of many formats: a row of quads shows each.
void vertex_formats(Canvas& c) {
    struct Vertex {
        float x, y;
        std::uint8_t first[4];   // R8G8B8A8_UNORM
        std::uint32_t second;    // A2B10G10R10_UNORM or _SNORM
        std::uint8_t third[4];   // R8G8B8A8_UINT
        std::int16_t fourth[2];  // R16G16_SINT
        std::uint16_t fifth[4];  // R16G16B16A16_SFLOAT
    };
    std::vector<Vertex> data;
    for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 8; ++column)
            for (unsigned corner = 0; corner < 4; ++corner) {
                const auto n = static_cast<std::uint8_t>(column * 31);
                const auto half = static_cast<std::uint16_t>(0x3400 + 0x100 * column);
                data.push_back(
                    {static_cast<float>(column * 8 + (corner & 1) * 7) / 32 - 1,
                     static_cast<float>(row * 8 + (corner >> 1) * 7) / 32 - 1,
                     {n, 200, static_cast<std::uint8_t>(255 - n), 255},
                     0x80000000u | column << 6 | 0x155u << 10 | (0x3FFu - column * 17) << 20,
                     {n, 7, 130, 255},
                     {static_cast<std::int16_t>(-9 * static_cast<int>(column)), -100},
                     {half, 0x3800, 0x3A66, 0x3C00}});
            }
    c.begin();
    const Vertices input{{{VK_FORMAT_R32G32_SFLOAT, 0},
                          {VK_FORMAT_R8G8B8A8_UNORM, 8},
                          {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 12},
                          {VK_FORMAT_R8G8B8A8_UINT, 16},
                          {VK_FORMAT_R16G16_SINT, 20},
                          {VK_FORMAT_R16G16B16A16_SFLOAT, 24}},
                         {sizeof(Vertex)}};
    std::vector<std::uint16_t> indices;
    for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 8; ++column) {
            // What a vertex shows depends on its number: rows in turn, by columns.
            const auto base = static_cast<std::uint16_t>((row * 8 + column) * 4);
            for (const unsigned corner : {0u, 1u, 2u, 2u, 1u, 3u})
                indices.push_back(static_cast<std::uint16_t>(base + corner));
        }
    c.use({.vertex = formats_vert, .fragment = flat_frag, .input = input});
    c.vertices(c.buffer(data));
    vkCmdBindIndexBuffer(c.commands, c.buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(c.commands, static_cast<std::uint32_t>(indices.size()), 1, 0, 0, 0);
    c.end();
}
void outlines(Canvas& c) {
    c.begin();
    Look look = flat(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    look.mode = VK_POLYGON_MODE_LINE;
    c.use(look);
    std::vector<float> data;
    add(data, 4.5f, 4.5f, kRed);
    add(data, 58.5f, 4.5f, kRed);
    add(data, 4.5f, 30.5f, kRed);
    c.draw_plain(data);
    look.mode = VK_POLYGON_MODE_POINT;
    c.use(look);
    for (std::size_t i = 1; i < data.size(); i += 8)
        data[i] += 0.9f;
    c.draw_plain(data);
    c.end();
}

}  // namespace

std::vector<Scene> shapes() {
    return {
        {"triangle", "a triangle", 1, triangle},
        {"indexed", "indices of 16 and 32 bits, first index and vertex", 0, indexed},
        {"instanced", "attributes per instance, first vertex and instance", 1, instanced},
        {"numbers", "numbers of vertices and instances alone", 0, numbers},
        {"restarted", "strips and fans that restart", 0, restarted},
        {"provoking", "flat colours by the first vertex", 0, provoking},
        {"lines", "lines and strips of lines", 0, lines},
        {"points", "points of several sizes", 0, points},
        {"point_coordinates", "coordinates within points", 0, point_coordinates},
        {"culled", "culling and front faces", 0, culled},
        {"faces", "gl_FrontFacing", 0, faces},
        {"viewports", "viewports, upside down too, and scissors", 1, viewports},
        {"layers", "layers and viewports by the vertex shader", 1, layers},
        {"views", "several views at once", 1, views},
        {"clipped", "clipping at all planes", 1, clipped, 2},
        {"distances", "clip and cull distances", 1, distances},
        {"pulled", "vertices from storage and texel buffers", 1, pulled},
        {"vertex_formats", "formats of attributes", 1, vertex_formats},
        {"outlines", "triangles as lines and points", 0, outlines, 6},
    };
}

}  // namespace scenes
