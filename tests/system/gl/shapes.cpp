// SPDX-License-Identifier: Apache-2.0
// What becomes of vertices: topologies, indices, instances, clipping, culling, viewports.
#include <cmath>

#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

const std::vector<float> kTriangle{-0.9f, -0.9f, 0, 1, 0,    0, 1, 0.9f, -0.9f, 0, 0,
                                   1,     0,     1, 0, 0.9f, 0, 0, 0,    1,     1};

/// {x, y, z, r, g, b, a} of a ring of places around the centre, flat colours by place.
std::vector<float> ring(unsigned count, float radius, float turn = 0.1f) {
    std::vector<float> data;
    for (unsigned i = 0; i < count; ++i) {
        const float angle = turn + 6.2831853f * static_cast<float>(i) / static_cast<float>(count);
        const float r = (i & 1) != 0 ? radius * 0.6f : radius;
        data.insert(data.end(), {r * std::cos(angle), r * std::sin(angle), 0, (i & 1) ? 1.f : 0.2f,
                                 (i & 2) ? 1.f : 0.2f, (i & 4) ? 1.f : 0.2f, 1});
    }
    return data;
}

void nothing() {}
void triangle() {
    triangles(kTriangle);
}
void strip() {
    std::vector<float> data;
    for (int i = 0; i < 9; ++i)
        data.insert(data.end(), {-0.9f + 0.22f * static_cast<float>(i), (i & 1) ? 0.7f : -0.7f, 0,
                                 static_cast<float>(i) / 8, 0.5f, (i & 1) ? 1.f : 0.f, 1});
    draw_plain(GL_TRIANGLE_STRIP, data);
}
void fan() {
    std::vector<float> data{0, 0, 0, 1, 1, 1, 1};
    const std::vector<float> edge = ring(9, 0.9f);
    data.insert(data.end(), edge.begin(), edge.end());
    draw_plain(GL_TRIANGLE_FAN, data);
}
void points() {
    draw_plain(GL_POINTS, ring(7, 0.8f));
}
void lines() {
    // Ends on the edges of pixels: where a line ends is not measured here.
    std::vector<float> data;
    for (int i = 0; i < 6; ++i) {
        const float y = -0.875f + 0.25f * static_cast<float>(i);
        data.insert(data.end(), {-0.75f, y, 0, 1, 0, 0, 1, 0.75f, y + 0.125f, 0, 0, 1, 0, 1});
    }
    draw_plain(GL_LINES, data);
}
void line_loop() {
    draw_plain(GL_LINE_LOOP, {-0.75f, -0.75f, 0, 1, 0, 0, 1, 0.75f,  -0.75f, 0, 0, 1, 0, 1,
                              0.75f,  0.75f,  0, 0, 0, 1, 1, -0.75f, 0.75f,  0, 1, 1, 1, 1});
}
void indexed() {
    plain_program();
    vertices({3, 4}, ring(8, 0.9f));
    indices({0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 0, 0, 2, 4, 4, 6, 0});
    glDrawElements(GL_TRIANGLES, 18, GL_UNSIGNED_INT, nullptr);
}
void short_indices() {
    plain_program();
    vertices({3, 4}, ring(8, 0.9f));
    // Two in each word.
    indices({1u << 16 | 0, 3u << 16 | 2, 5u << 16 | 4});
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
}
void base_vertex() {
    plain_program();
    vertices({3, 4}, ring(12, 0.9f));
    indices({0, 1, 2, 2, 3, 4});
    glDrawElementsBaseVertex(GL_TRIANGLES, 6, GL_UNSIGNED_INT, nullptr, 5);
}
void restart() {
    plain_program();
    vertices({3, 4}, ring(12, 0.9f));
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    indices({0, 1, 2, 3, ~0u, 5, 6, 7, ~0u, 9, 10, 11});
    glDrawElements(GL_TRIANGLE_STRIP, 12, GL_UNSIGNED_INT, nullptr);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}
/// Two draws of strips whose triangles overlap and are added up: one that is missing, or drawn
/// twice, is seen.
void summed_strips() {
    constexpr unsigned kColumns = 25, kRows = 24;
    program(
        "#version 310 es\n"
        "flat out vec3 shade;\n"
        "void main() {\n"
        " int column = gl_VertexID % 25, row = gl_VertexID % 600 / 25;\n"
        " vec2 at = 2.5 * vec2(column, row) + vec2(gl_VertexID * 7 % 16, gl_VertexID * 5 % 16) / "
        "8.0;\n"
        " at += 0.5 * float(gl_VertexID / 600);\n"
        " gl_Position = vec4(at / 32.0 - 1.0, 0.0, 1.0);\n"
        " shade = vec3(gl_VertexID % 2, gl_VertexID % 3, gl_VertexID % 5) * 16.0 / 255.0; }\n",
        "#version 310 es\nprecision highp float;\n"
        "flat in vec3 shade; layout(location=0) out vec4 color;\n"
        "void main() { color = vec4(shade, 0.0); }\n");
    std::vector<unsigned> list;
    for (unsigned row = 0; row + 1 < kRows; ++row) {
        for (unsigned column = 0; column < kColumns; ++column) {
            list.push_back(row * kColumns + column);
            list.push_back((row + 1) * kColumns + column);
        }
        list.push_back(~0u);
    }
    indices(list);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (const GLint first : {0, static_cast<GLint>(kColumns * kRows)})
        glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, static_cast<GLsizei>(list.size()),
                                 GL_UNSIGNED_INT, nullptr, first);
    glDisable(GL_BLEND);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}
void many() {
    std::vector<float> data;
    for (int i = 0; i < 300; ++i) {
        const float x = -1 + 0.1f * static_cast<float>(i % 20),
                    y = -1 + 0.13f * static_cast<float>(i / 20);
        const float c = static_cast<float>(i % 7) / 6;
        data.insert(data.end(), {x,     y,    0, c, 1 - c,     0.5f, 1, x + 0.09f, y,    0, c,
                                 1 - c, 0.5f, 1, x, y + 0.12f, 0,    c, 1 - c,     0.5f, 1});
    }
    triangles(data);
}
void instanced() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec2 position; layout(location=1) in vec3 place;\n"
        "layout(location=2) in vec3 color; flat out vec3 shade;\n"
        "void main() { gl_Position = vec4(position * place.z + place.xy, 0.0, 1.0);\n"
        " shade = color * (0.5 + 0.1 * float(gl_InstanceID)); }\n",
        "#version 310 es\nprecision highp float; flat in vec3 shade; out vec4 pixel;\n"
        "void main() { pixel = vec4(shade, 1.0); }\n");
    vertices({2}, {-1, -1, 1, -1, 0, 1});
    const GLuint array = [] {
        GLint bound = 0;
        glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
        return static_cast<GLuint>(bound);
    }();
    glBindVertexArray(array);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    const float data[] = {-0.5f, -0.5f, 0.4f, 1, 0, 0, 0.5f,  -0.5f, 0.3f, 0, 1, 0,
                          0.5f,  0.5f,  0.4f, 0, 0, 1, -0.5f, 0.5f,  0.2f, 1, 1, 0};
    glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
    for (GLuint location : {1u, 2u}) {
        glEnableVertexAttribArray(location);
        glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, 24,
                              reinterpret_cast<const void*>(std::size_t{12} * (location - 1)));
        glVertexAttribDivisor(location, location);
    }
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 4);
}
void vertex_ids() {
    program(
        "#version 310 es\n"
        "flat out vec3 shade;\n"
        "void main() { float a = 1.2566371 * float(gl_VertexID);\n"
        " gl_Position = vec4(0.8 * cos(a), 0.8 * sin(a), 0.0, 1.0);\n"
        " shade = vec3(gl_VertexID & 1, (gl_VertexID >> 1) & 1, 1); }\n",
        "#version 310 es\nprecision highp float; flat in vec3 shade; out vec4 pixel;\n"
        "void main() { pixel = vec4(shade, 1.0); }\n");
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 5);
}
void vertex_formats() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec2 position; layout(location=1) in vec4 color;\n"
        "layout(location=2) in ivec2 number; flat out vec4 shade;\n"
        "void main() { gl_Position = vec4(position, 0.0, 1.0);\n"
        " shade = vec4(color.rgb, 1.0) * vec4(number.x == -300 ? 1.0 : 0.0,\n"
        "   number.y == 1000 ? 1.0 : 0.0, 1.0, 1.0); }\n",
        "#version 310 es\nprecision highp float; flat in vec4 shade; out vec4 pixel;\n"
        "void main() { pixel = shade; }\n");
    struct Vertex {
        GLshort position[2];
        GLubyte color[4];
        GLshort number[2];
    };
    const Vertex data[] = {{{-29000, -29000}, {255, 128, 64, 255}, {-300, 1000}},
                           {{29000, -29000}, {255, 128, 64, 255}, {-300, 1000}},
                           {{0, 29000}, {255, 128, 64, 255}, {-300, 1000}}};
    GLuint array = 0, buffer = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
    for (GLuint location = 0; location < 3; ++location)
        glEnableVertexAttribArray(location);
    glVertexAttribPointer(0, 2, GL_SHORT, GL_TRUE, sizeof(Vertex), nullptr);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex),
                          reinterpret_cast<const void*>(std::size_t{4}));
    glVertexAttribIPointer(2, 2, GL_SHORT, sizeof(Vertex),
                           reinterpret_cast<const void*>(std::size_t{8}));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
void clipped() {
    triangles({-3, -0.5f, 0, 1, 0, 0, 1, 3, -0.5f, 0, 0, 1, 0, 1, 0, 5, 0, 0, 0, 1, 1});
}
void clipped_near() {
    // It reaches through the near and the far plane.
    triangles({-0.8f, -0.8f, -2, 1, 0, 0, 1, 0.8f, -0.8f, 0, 0, 1, 0, 1, 0, 0.8f, 2, 0, 0, 1, 1});
}
void behind_the_eye() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec4 position; layout(location=1) in vec3 color; out vec3 shade;\n"
        "void main() { gl_Position = position; shade = color; }\n",
        "#version 310 es\nprecision highp float; in vec3 shade; out vec4 pixel;\n"
        "void main() { pixel = vec4(floor(shade * 8.0) / 8.0, 1.0); }\n");
    vertices({4, 3},
             {-0.9f, -0.9f, 0, 1, 1, 0, 0, 0.9f, -0.9f, 0, 1, 0, 1, 0, 0, 0.2f, 0, -0.5f, 0, 0, 1});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
void guard_band() {
    triangles({-3000, -3000, 0, 1, 1, 0, 1, 3000, -3000, 0, 1, 1, 0, 1, 0, 3000, 0, 1, 1, 0, 1});
}
void culled() {
    glEnable(GL_CULL_FACE);
    triangles({-0.9f,  -0.9f, 0, 1, 0, 0, 1, 0,    -0.9f, 0, 1, 0, 0, 1,
               -0.45f, 0.9f,  0, 1, 0, 0, 1, 0.1f, -0.9f, 0, 0, 1, 0, 1,
               0.5f,   0.9f,  0, 0, 1, 0, 1, 0.9f, -0.9f, 0, 0, 1, 0, 1});
    glDisable(GL_CULL_FACE);
}
void front_facing() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec2 position;\n"
        "void main() { gl_Position = vec4(position, 0.0, 1.0); }\n",
        "#version 310 es\nprecision highp float; out vec4 pixel;\n"
        "void main() { pixel = gl_FrontFacing ? vec4(1, 0, 0, 1) : vec4(0, 0, 1, 1); }\n");
    vertices({2}, {-0.9f, -0.9f, 0, -0.9f, -0.45f, 0.9f, 0.1f, -0.9f, 0.5f, 0.9f, 0.9f, -0.9f});
    glDrawArrays(GL_TRIANGLES, 0, 6);
}
void viewport_and_scissor() {
    glViewport(10, 20, 40, 30);
    glEnable(GL_SCISSOR_TEST);
    glScissor(20, 15, 25, 25);
    triangles({-1.5f, -1.5f, 0, 1, 0, 0, 1, 1.5f, -1.5f, 0, 0, 1, 0, 1, 0, 1.5f, 0, 0, 0, 1, 1});
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, kWidth, kHeight);
}
void slivers() {
    std::vector<float> data;
    for (int i = 0; i < 40; ++i) {
        const float x = -0.95f + 0.047f * static_cast<float>(i);
        data.insert(data.end(), {x, -0.9f, 0, 1,         1,    1, 1, x + 0.01f, -0.9f, 0, 1,
                                 1, 1,     1, x + 0.03f, 0.9f, 0, 1, 1,         1,     1});
    }
    triangles(data);
}
void shared_edges() {
    // Each pixel once: they are added.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    std::vector<float> data{0.013f, 0.027f, 0, 0.25f, 0.25f, 0.25f, 1};
    for (int i = 0; i <= 16; ++i) {
        const float angle = 0.3f + 6.2831853f * static_cast<float>(i % 16) / 16;
        data.insert(data.end(),
                    {0.9f * std::cos(angle), 0.9f * std::sin(angle), 0, 0.25f, 0.25f, 0.25f, 1});
    }
    draw_plain(GL_TRIANGLE_FAN, data);
    glDisable(GL_BLEND);
}
void indirect() {
    plain_program();
    vertices({3, 4}, kTriangle);
    const unsigned draw[] = {3, 1, 0, 0};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof draw, draw, GL_STATIC_DRAW);
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

}  // namespace

std::vector<Scene> shapes() {
    return {
        {"clear", "a clear of the whole target", 0, nothing},
        {"triangle", "a triangle with colours at its corners", 1, triangle},
        {"strip", "TRISTRIP", 1, strip},
        {"fan", "TRIFAN", 1, fan},
        {"points", "POINTLIST, width from the shader", 0, points},
        {"lines", "LINELIST", 1, lines},
        {"line_loop", "LINELOOP", 1, line_loop},
        {"indexed", "indices of 32 bits", 1, indexed},
        {"short_indices", "indices of 16 bits", 1, short_indices},
        {"base_vertex", "BaseVertexLocation", 1, base_vertex},
        {"restart", "primitive restart", 1, restart},
        {"summed_strips", "draws of many strips, added up", 0, summed_strips},
        {"many", "more vertices than URB entries", 1, many},
        {"instanced", "instances, step rates, InstanceID", 1, instanced},
        {"vertex_ids", "VertexID, no vertex buffer", 0, vertex_ids},
        {"vertex_formats", "SNORM16, UNORM8, SINT16 elements", 0, vertex_formats},
        {"clipped", "a triangle beyond the view", 1, clipped},
        {"clipped_near", "near and far planes", 1, clipped_near},
        {"behind_the_eye", "a vertex with negative w", 32, behind_the_eye},
        {"guard_band", "a triangle of many screens", 0, guard_band},
        {"culled", "back faces are culled", 0, culled},
        {"front_facing", "gl_FrontFacing", 0, front_facing},
        {"viewport_and_scissor", "viewport, scissor", 1, viewport_and_scissor},
        {"slivers", "triangles thinner than a pixel", 0, slivers},
        {"shared_edges", "a pixel of a shared edge belongs to one triangle", 1, shared_edges},
        {"indirect", "an indirect draw", 1, indirect},
    };
}

}  // namespace scenes
