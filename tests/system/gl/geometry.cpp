// SPDX-License-Identifier: Apache-2.0
// Geometry shaders: what goes in, what comes out, instances, layers.
#include <cmath>
#include <string>
#include <tuple>

#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

/// Hands on a place, a colour.
constexpr char kVertex[] =
    "#version 320 es\nlayout(location=0) in vec2 position; layout(location=1) in vec3 color;\n"
    "out vec3 vertex_color;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); gl_PointSize = 1.0;\n"
    " vertex_color = color; }\n";
constexpr char kFragment[] =
    "#version 320 es\nprecision highp float; in vec3 shade; out vec4 pixel;\n"
    "void main() { pixel = vec4(shade, 1.0); }\n";

GLuint use(const std::string& geometry, const std::string& fragment = kFragment) {
    return program_of({{GL_VERTEX_SHADER, kVertex},
                       {GL_GEOMETRY_SHADER,
                        "#version 320 es\nin vec3 vertex_color[]; out vec3 shade;\n" + geometry},
                       {GL_FRAGMENT_SHADER, fragment}});
}
/// So many vertices on a wavy line, each of another colour. Those of lines lie on corners of pixels:
/// where a line ends is not measured here.
void line_of(int count, float height = 0.55f, bool on_corners = false) {
    std::vector<float> data;
    for (int i = 0; i < count; ++i) {
        float x = -0.83f + 1.63f * static_cast<float>(i) / static_cast<float>(count - 1);
        if (on_corners) x = std::round(x * 32) / 32;
        data.insert(data.end(),
                    {x, i % 2 ? height : -height, static_cast<float>(i % 3) / 2,
                     static_cast<float>(i % 5) / 4, static_cast<float>((i + 1) % 4) / 3});
    }
    vertices({2, 3}, data);
}

// Two strips of each point, cut in between, of which one has an odd triangle.
void geometry_points() {
    use("layout(points) in; layout(triangle_strip, max_vertices = 8) out;\n"
        "void put(float x, float y) { gl_Position = gl_in[0].gl_Position + vec4(x, y, 0.0, 0.0);\n"
        " shade = vertex_color[0] * (0.7 + x); EmitVertex(); }\n"
        "void main() { put(-0.11, -0.13); put(0.12, -0.1); put(-0.09, 0.17); put(0.13, 0.11);\n"
        " EndPrimitive(); put(-0.07, 0.31); put(0.11, 0.29); put(0.02, 0.43); }\n");
    line_of(19);
    glDrawArrays(GL_POINTS, 0, 19);
}
// More of them than a thread has channels.
void geometry_instances() {
    use("layout(triangles, invocations = 11) in; layout(triangle_strip, max_vertices = 3) out;\n"
        "void main() { float by = 1.0 - 0.083 * float(gl_InvocationID);\n"
        " for (int i = 0; i < 3; ++i) {\n"
        "  gl_Position = vec4(gl_in[i].gl_Position.xy * by, 0.0, 1.0);\n"
        "  shade = vec3(float(gl_InvocationID) / 10.0, vertex_color[i].y, 1.0 - by); EmitVertex(); "
        "} "
        "}\n");
    line_of(5, 0.87f);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 5);
}
/// The adjacent vertices give the colour.
void beside(GLenum kind, int count, const char* in, int stride) {
    const bool lines = stride == 1;
    const std::string own = lines ? "i + 1" : "2 * i", adjacent = lines ? "3 * i" : "2 * i + 1";
    use(std::string("layout(") + in + ") in; layout(" +
        (lines ? "line_strip, max_vertices = 2" : "triangle_strip, max_vertices = 3") +
        ") out;\nvoid main() { for (int i = 0; i < " + (lines ? "2" : "3") +
        "; ++i) { gl_Position = gl_in[" + own + "].gl_Position; shade = vertex_color[" + adjacent +
        "] * 0.7 + 0.3 * vec3(float(gl_PrimitiveIDIn % 2)); EmitVertex(); } }\n");
    line_of(count, lines ? 0.625f : 0.61f, lines);
    glLineWidth(3);
    glDrawArrays(kind, 0, count);
    glLineWidth(1);
}
void geometry_lines_adjacency() {
    beside(GL_LINES_ADJACENCY, 12, "lines_adjacency", 1);
}
void geometry_line_strip_adjacency() {
    beside(GL_LINE_STRIP_ADJACENCY, 9, "lines_adjacency", 1);
}
void geometry_triangles_adjacency() {
    beside(GL_TRIANGLES_ADJACENCY, 12, "triangles_adjacency", 2);
}
void geometry_strip_adjacency() {
    beside(GL_TRIANGLE_STRIP_ADJACENCY, 16, "triangles_adjacency", 2);
}
// Without a geometry shader the vertices beside an object do nothing.
void adjacency() {
    plain_program();
    for (const auto& [kind, first, count] : {std::tuple{GL_TRIANGLES_ADJACENCY, 0, 6},
                                             {GL_TRIANGLE_STRIP_ADJACENCY, 6, 8},
                                             {GL_LINES_ADJACENCY, 14, 4},
                                             {GL_LINE_STRIP_ADJACENCY, 18, 6}}) {
        std::vector<float> data;
        for (int i = 0; i < count; ++i)
            data.insert(data.end(),
                        {-0.9f + 0.23f * static_cast<float>(i),
                         -0.83f + 0.06f * static_cast<float>(first) + (i % 4 < 2 ? 0.0f : 0.31f), 0,
                         static_cast<float>(i % 2), 0.4f, static_cast<float>(i % 3) / 2, 1});
        vertices({3, 4}, data);
        glDrawArrays(kind, 0, count);
    }
}
// Each triangle goes to a layer; then the layers are shown side by side.
void geometry_layers() {
    GLint screen = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    GLuint layers = 0, frame = 0;
    glGenTextures(1, &layers);
    glBindTexture(GL_TEXTURE_2D_ARRAY, layers);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 32, 32, 4);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, layers, 0);
    glViewport(0, 0, 32, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    use("layout(triangles, invocations = 2) in; layout(triangle_strip, max_vertices = 6) out;\n"
        "void main() { for (int k = 0; k < 2; ++k) { for (int i = 0; i < 3; ++i) {\n"
        "  gl_Layer = 2 * gl_InvocationID + k;\n"
        "  gl_Position = gl_in[i].gl_Position * vec4(1.0 - 0.2 * float(gl_Layer), 1.0, 1.0, 1.0);\n"
        "  shade = vertex_color[i] * (1.0 - 0.3 * float(k)); EmitVertex(); } EndPrimitive(); } }\n",
        "#version 320 es\nprecision highp float; in vec3 shade; out vec4 pixel;\n"
        "void main() { pixel = vec4(shade, 1.0 - 0.25 * float(gl_Layer)); }\n");
    line_of(4, 0.77f);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    glViewport(0, 0, kWidth, kHeight);
    program(
        "#version 320 es\nlayout(location=0) in vec2 position; void main() { gl_Position = "
        "vec4(position, 0.0, 1.0); }\n",
        "#version 320 es\nprecision highp float; precision highp sampler2DArray;\n"
        "uniform sampler2DArray layers; out vec4 pixel; void main() { ivec2 at = "
        "ivec2(gl_FragCoord.xy);\n"
        " pixel = texelFetch(layers, ivec3(at % 32, at.x / 32 + at.y / 32 * 2), 0); }\n");
    vertices({2}, {-1, -1, 3, -1, -1, 3});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
// Numbers of primitives for both shaders.
void geometry_primitive_id() {
    use("layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
        "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;\n"
        "  gl_PrimitiveID = 3 * gl_PrimitiveIDIn + 1; shade = vertex_color[i]; EmitVertex(); } }\n",
        "#version 320 es\nprecision highp float; in vec3 shade; out vec4 pixel;\n"
        "void main() { pixel = vec4(float(gl_PrimitiveID % 16) / 15.0, float(gl_PrimitiveID / 16), "
        "shade.x, 1.0); }\n");
    line_of(23, 0.8f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 23, 2);
}
// Some make nothing, one as much as it may; the number is known when it runs.
void geometry_amounts() {
    const GLuint made =
        use("layout(points) in; layout(points, max_vertices = 200) out; uniform int amounts[5];\n"
            "void main() { int n = amounts[gl_PrimitiveIDIn % 5]; for (int i = 0; i < n; ++i) {\n"
            "  gl_Position = gl_in[0].gl_Position + vec4(0.017 * float(i % 20), 0.0171 * float(i / "
            "20), 0.0, 0.0);\n"
            "  shade = vertex_color[0] * float(i % 20) / 19.0; EmitVertex(); } "
            "}\n");
    const GLint amounts[5] = {0, 37, 200, 0, 1};
    glUniform1iv(glGetUniformLocation(made, "amounts"), 5, amounts);
    line_of(15, 0.4f);
    glDrawArrays(GL_POINTS, 0, 15);
}
// Flat colours come from the provoking vertex of each triangle of a strip.
void geometry_flat() {
    program_of(
        {{GL_VERTEX_SHADER, kVertex},
         {GL_GEOMETRY_SHADER,
          "#version 320 es\nin vec3 vertex_color[]; flat out vec3 shade;\n"
          "layout(lines) in; layout(triangle_strip, max_vertices = 6) out;\n"
          "void main() { for (int i = 0; i < 6; ++i) {\n"
          "  vec2 at = mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, float(i) / 5.0);\n"
          "  gl_Position = vec4(at + vec2(i % 2 == 0 ? 0.13 : -0.11, 0.0), 0.0, 1.0);\n"
          "  shade = vertex_color[i % 2] * float(i + 1) / 6.0; EmitVertex(); } }\n"},
         {GL_FRAGMENT_SHADER,
          "#version 320 es\nprecision highp float; flat in vec3 shade; out vec4 pixel;\n"
          "void main() { pixel = vec4(shade, gl_FrontFacing ? 1.0 : 0.5); }\n"}});
    line_of(8, 0.73f);
    glDrawArrays(GL_LINES, 0, 8);
}
// A texture and a uniform block of a geometry shader.
void geometry_resources() {
    GLuint texture = 0, block = 0;
    const unsigned char texels[16] = {255, 40, 40,  255, 40,  255, 40, 255,
                                      40,  40, 255, 255, 200, 200, 40, 255};
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2, 2);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    std::vector<float> sizes;
    for (int i = 0; i < 64; ++i)
        sizes.insert(sizes.end(), {0.05f + 0.01f * static_cast<float>(i % 13), 0.09f, 0, 0});
    glGenBuffers(1, &block);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, block);
    glBufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(sizes.size() * sizeof(float)),
                 sizes.data(), GL_STATIC_DRAW);
    const std::string geometry =
        "layout(points) in; layout(triangle_strip, max_vertices = 4) out;\n"
        "layout(std140, binding = 0) uniform Sizes { vec4 sizes[64]; };\n"
        "uniform sampler2D colors;\n"
        "void main() { int i = gl_PrimitiveIDIn; for (int k = 0; k < 4; ++k) {\n"
        "  gl_Position = gl_in[0].gl_Position + vec4(float(k % 2) * sizes[i * 3].x, float(k / 2) * "
        "sizes[i].y, 0.0, 0.0);\n"
        "  shade = texelFetch(colors, ivec2(i % 2, i / 2 % 2), 0).xyz; EmitVertex(); } }\n";
    use(geometry);
    line_of(17, 0.66f);
    glDrawArrays(GL_POINTS, 0, 17);
}

}  // namespace

std::vector<Scene> geometry() {
    return {
        {"geometry_points", "strips of points, cut", 1, geometry_points},
        {"geometry_instances", "instances of a geometry shader", 1, geometry_instances},
        {"geometry_lines_adjacency", "LINELIST_ADJ into a geometry shader", 1,
         geometry_lines_adjacency},
        {"geometry_line_strip_adjacency", "LINESTRIP_ADJ", 1, geometry_line_strip_adjacency},
        {"geometry_triangles_adjacency", "TRILIST_ADJ", 1, geometry_triangles_adjacency},
        {"geometry_strip_adjacency", "TRISTRIP_ADJ", 1, geometry_strip_adjacency},
        {"adjacency", "topologies with adjacency, no geometry shader", 8, adjacency},
        {"geometry_layers", "gl_Layer", 1, geometry_layers},
        {"geometry_primitive_id", "gl_PrimitiveIDIn, gl_PrimitiveID", 1, geometry_primitive_id},
        {"geometry_amounts", "nothing, and as much as may be", 1, geometry_amounts},
        {"geometry_flat", "provoking vertices and facing of strips", 1, geometry_flat},
        {"geometry_resources", "textures and uniform blocks", 1, geometry_resources},
    };
}

}  // namespace scenes
