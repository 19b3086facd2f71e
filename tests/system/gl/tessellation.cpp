// SPDX-License-Identifier: Apache-2.0
// Tessellation: domains, spacings, outputs, what control and evaluation shaders are given.
//
// Vertices are bent, and colours are no linear functions of the place, so that a picture shows which
// triangles there are.
#include <string>

#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

/// A corner at `position`; levels come from the uniforms.
constexpr char kCorner[] =
    "#version 320 es\nlayout(location=0) in vec2 position; out vec2 corner;\n"
    "void main() { corner = position; gl_Position = vec4(position, 0.0, 1.0); }\n";
constexpr char kColored[] =
    "#version 320 es\nprecision highp float; in vec3 color; out vec4 pixel;\n"
    "void main() { pixel = vec4(color, 1.0); }\n";
constexpr char kBend[] =
    "vec2 bend(vec2 p) { return p + 0.08 * vec2(p.y * p.y - p.x * p.y, p.x * p.x); }\n"
    "vec3 shade(vec3 c) { return vec3(c.x * c.x, 4.0 * c.y * (1.0 - c.y), c.z * c.x + 0.5 * c.y); "
    "}\n";

std::string control(int points) {
    return "#version 320 es\nlayout(vertices = " + std::to_string(points) +
           ") out; in vec2 corner[]; out vec2 point[];\n"
           "uniform vec4 outer; uniform vec2 inner;\n"
           "void main() { point[gl_InvocationID] = corner[gl_InvocationID];\n"
           " for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = outer[i];\n"
           " gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = inner.y; }\n";
}
std::string evaluation(const std::string& layout) {
    const bool triangle = layout.starts_with("triangles");
    const bool lines = layout.starts_with("isolines") && !layout.ends_with("point_mode");
    return "#version 320 es\nlayout(" + layout + ") in; in vec2 point[]; out vec3 color;\n" +
           kBend + "void main() { vec3 c = gl_TessCoord;\n" +
           (triangle ? " vec2 p = c.x * point[0] + c.y * point[1] + c.z * point[2];\n"
                     : " vec2 p = mix(mix(point[0], point[1], c.x), mix(point[3], point[2], c.x), "
                       "c.y); c.z = 1.0 - 0.5 * c.x;\n") +
           (lines ? " gl_Position = vec4(p, 0.0, 1.0); color = shade(c.yyy); }\n"
                  : " gl_Position = vec4(bend(p), 0.0, 1.0); color = shade(c); }\n");
}

struct Levels {
    float outer[4];
    float inner[2];
};
GLuint use(const std::string& layout) {
    const bool triangle = layout.starts_with("triangles");
    const GLuint made = program_of({{GL_VERTEX_SHADER, kCorner},
                                    {GL_TESS_CONTROL_SHADER, control(triangle ? 3 : 4)},
                                    {GL_TESS_EVALUATION_SHADER, evaluation(layout)},
                                    {GL_FRAGMENT_SHADER, kColored}});
    glPatchParameteri(GL_PATCH_VERTICES, triangle ? 3 : 4);
    return made;
}
void set_levels(GLuint made, const Levels& levels) {
    glUniform4fv(glGetUniformLocation(made, "outer"), 1, levels.outer);
    glUniform2fv(glGetUniformLocation(made, "inner"), 1, levels.inner);
}
/// A patch over a part of the picture.
void patch(const std::string& layout, const Levels& levels, float left, float bottom, float right,
           float top) {
    const GLuint made = use(layout);
    set_levels(made, levels);
    if (layout.starts_with("triangles"))
        vertices({2}, {left, bottom, right, bottom, left, top});
    else
        vertices({2}, {left, bottom, right, bottom, right, top, left, top});
    glDrawArrays(GL_PATCHES, 0, layout.starts_with("triangles") ? 3 : 4);
}

constexpr const char* kSpacings[] = {"equal_spacing", "fractional_odd_spacing",
                                     "fractional_even_spacing"};

/// Three spacings beside each other, by two sets of levels.
void domain(const std::string& name, const std::string& more, const Levels& low,
            const Levels& high) {
    // Lines end at edges of pixels, where drivers agree which pixels they have.
    float left = -0.9375f;
    for (const char* const spacing : kSpacings) {
        const std::string layout = name + ", " + spacing + more;
        patch(layout, low, left, -0.9f, left + 0.59375f, -0.05f);
        patch(layout, high, left, 0.03f, left + 0.59375f, 0.85f);
        left += 0.625f;
    }
}
void triangles_domain() {
    domain("triangles", "", {{3, 5, 1, 1}, {4, 1}}, {{2.4f, 6.3f, 4.5f, 1}, {3.3f, 1}});
}
void quads_domain() {
    domain("quads", "", {{3, 1, 4, 2}, {3, 5}}, {{2.4f, 6.3f, 4.5f, 1.2f}, {4.3f, 2.6f}});
}
void isolines_domain() {
    domain("isolines", "", {{3, 5, 1, 1}, {1, 1}}, {{4.4f, 3.3f, 1, 1}, {1, 1}});
}
void points_of_domains() {
    patch("triangles, equal_spacing, point_mode", {{3, 5, 4, 1}, {4, 1}}, -0.887f, -0.911f, 0.021f,
          -0.013f);
    patch("quads, fractional_even_spacing, point_mode", {{3.5f, 5, 4, 1}, {4, 5.5f}}, 0.033f,
          -0.887f, 0.891f, -0.017f);
    patch("isolines, fractional_odd_spacing, point_mode", {{5, 6.4f, 1, 1}, {1, 1}}, -0.907f,
          0.117f, 0.823f, 0.819f);
}
void every_level() {
    // The highest levels, the lowest, and what lies beyond both.
    patch("triangles, fractional_odd_spacing", {{64, 63, 62.5f, 1}, {63, 1}}, -0.95f, -0.95f, 0, 0);
    patch("quads, equal_spacing", {{64, 33, 64, 17}, {64, 50}}, 0, -0.95f, 0.9f, 0);
    patch("triangles, equal_spacing", {{1, 1, 1, 1}, {1, 1}}, -0.95f, 0.05f, -0.5f, 0.8f);
    patch("quads, fractional_odd_spacing", {{1, 1, 1, 1}, {1, 1}}, -0.4f, 0.05f, 0, 0.8f);
    patch("quads, fractional_even_spacing", {{0.1f, 0.2f, 1e30f, 100}, {-1, 0}}, 0.1f, 0.05f, 0.5f,
          0.8f);
    patch("triangles, equal_spacing", {{1, 2, 1, 1}, {1, 1}}, 0.55f, 0.05f, 0.9f, 0.8f);
}
void culled_patches() {
    const float nan = __builtin_nanf(""), infinite = __builtin_inff();
    patch("triangles, equal_spacing", {{3, 0, 3, 1}, {3, 1}}, -0.9f, -0.9f, 0, 0);
    patch("triangles, equal_spacing", {{3, nan, 3, 1}, {3, 1}}, -0.9f, 0, 0, 0.9f);
    patch("quads, equal_spacing", {{3, 3, -1, 3}, {3, 3}}, 0, -0.9f, 0.9f, 0);
    patch("isolines, equal_spacing", {{0, 3, 1, 1}, {3, 3}}, 0, -0.9f, 0.9f, 0);
    patch("quads, fractional_odd_spacing", {{infinite, 3, 3, 3}, {nan, 3}}, 0.1f, 0.1f, 0.9f, 0.9f);
}
void winding() {
    glEnable(GL_CULL_FACE);
    const Levels levels{{2, 3, 2, 3}, {3, 2}};
    patch("quads, equal_spacing, cw", levels, -0.9f, -0.9f, -0.1f, -0.1f);
    patch("quads, equal_spacing, ccw", levels, 0.1f, -0.9f, 0.9f, -0.1f);
    patch("triangles, equal_spacing, cw", levels, -0.9f, 0.1f, -0.1f, 0.9f);
    glFrontFace(GL_CW);
    patch("triangles, equal_spacing, cw", levels, 0.1f, 0.1f, 0.9f, 0.9f);
    glFrontFace(GL_CCW);
    glDisable(GL_CULL_FACE);
}

/// Many small patches, each with levels, a colour and a place of its own in the picture.
void many_patches() {
    program_of(
        {{GL_VERTEX_SHADER,
          "#version 320 es\nlayout(location=0) in vec4 where; out vec4 at;\n"
          "void main() { at = where; at.x += 0.02 * float(gl_InstanceID); }\n"},
         {GL_TESS_CONTROL_SHADER,
          "#version 320 es\nlayout(vertices = 1) out; in vec4 at[]; patch out vec4 place; patch "
          "out "
          "vec3 tint;\n"
          "void main() { place = at[0]; float n = float(gl_PrimitiveID % 7) + 0.5;\n"
          " tint = vec3(float(gl_PrimitiveID & 3) / 3.0, n / 8.0, at[0].z);\n"
          " gl_TessLevelOuter[0] = n; gl_TessLevelOuter[1] = at[0].w; gl_TessLevelOuter[2] = 2.0;\n"
          " gl_TessLevelOuter[3] = n; gl_TessLevelInner[0] = n; gl_TessLevelInner[1] = at[0].w; "
          "}\n"},
         {GL_TESS_EVALUATION_SHADER,
          std::string("#version 320 es\nlayout(quads, fractional_even_spacing) in;\n"
                      "patch in vec4 place; patch in vec3 tint; out vec3 color;\n") +
              kBend +
              "void main() { vec2 p = place.xy + 0.17 * bend(gl_TessCoord.xy);\n"
              " gl_Position = vec4(p, place.z - 0.5, 1.0);\n"
              " color = tint + 0.2 * gl_TessCoord.yxx * float(gl_PrimitiveID) / 100.0; }\n"},
         {GL_FRAGMENT_SHADER, kColored}});
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    std::vector<float> data;
    std::vector<unsigned> order;
    for (unsigned i = 0; i < 100; ++i) {
        const auto x = static_cast<float>(i % 10), y = static_cast<float>(i / 10);
        data.insert(data.end(), {-0.98f + 0.19f * x, -0.97f + 0.19f * y, 0.01f * x,
                                 static_cast<float>(i % 9) * 0.7f});
        order.push_back(i * 37 % 100);
    }
    vertices({4}, data);
    indices(order);
    glEnable(GL_DEPTH_TEST);
    glDrawElementsInstanced(GL_PATCHES, 100, GL_UNSIGNED_INT, nullptr, 2);
    glDisable(GL_DEPTH_TEST);
}

/// Invocations read what others wrote before a barrier: 20 of them are more than one thread's.
void barriers() {
    program_of(
        {{GL_VERTEX_SHADER, kCorner},
         {GL_TESS_CONTROL_SHADER,
          "#version 320 es\nlayout(vertices = 20) out; in vec2 corner[]; out vec2 point[]; out "
          "float "
          "sum[]; patch out float total;\n"
          "void main() { int i = gl_InvocationID; point[gl_InvocationID] = corner[i % 4]; "
          "sum[gl_InvocationID] = float(i);\n"
          " barrier(); float near = sum[(i + 11) % 20] + sum[(i + 7) % 20];\n"
          " barrier(); sum[gl_InvocationID] = near; barrier();\n"
          " if (i == 0) { total = 0.0; for (int n = 0; n < 20; ++n) total += sum[n] * float(n);\n"
          "  gl_TessLevelInner[0] = 1.0 + sum[13] / 8.0; gl_TessLevelInner[1] = 3.0; }\n"
          " if (i < 4) gl_TessLevelOuter[i] = 1.0 + sum[19 - i] / 9.0; }\n"},
         {GL_TESS_EVALUATION_SHADER,
          std::string("#version 320 es\nlayout(quads, equal_spacing) in; in vec2 point[];\n"
                      "in float sum[]; patch in float total; out vec3 color;\n") +
              kBend +
              "void main() { vec2 c = gl_TessCoord.xy;\n"
              " vec2 p = mix(mix(point[16], point[17], c.x), mix(point[19], point[18], c.x), "
              "c.y);\n"
              " gl_Position = vec4(bend(p), 0.0, 1.0);\n"
              " color = vec3(c.x * c.x, sum[11] / 40.0, total / 8192.0 + 0.3 * c.y); }\n"},
         {GL_FRAGMENT_SHADER, kColored}});
    glPatchParameteri(GL_PATCH_VERTICES, 4);
    vertices({2}, {-0.9f, -0.9f, 0, -0.9f, 0, 0, -0.9f, 0,  //
                   0.1f, -0.9f, 0.9f, -0.9f, 0.9f, 0.9f, 0.1f, 0.9f});
    glDrawArrays(GL_PATCHES, 0, 8);
}

/// A surface of 32 points in, and 32 out.
void thirty_two_points() {
    const GLuint made = program_of(
        {{GL_VERTEX_SHADER, kCorner},
         {GL_TESS_CONTROL_SHADER, control(32)},
         {GL_TESS_EVALUATION_SHADER,
          "#version 320 es\nlayout(quads, fractional_odd_spacing) in; in vec2 point[]; out vec3 "
          "color;\n"
          "void main() { vec2 c = gl_TessCoord.xy; vec2 p = vec2(0.0);\n"
          " for (int i = 0; i < 32; ++i) { float u = float(i % 8) / 7.0, v = float(i / 8) / 3.0;\n"
          "  float w = max(0.0, 1.0 - 7.0 * abs(c.x - u)) * max(0.0, 1.0 - 3.0 * abs(c.y - v));\n"
          "  p += w * point[i]; }\n"
          " gl_Position = vec4(p, 0.0, 1.0); color = vec3(c, 1.0 - c.x * c.y); }\n"},
         {GL_FRAGMENT_SHADER, kColored}});
    set_levels(made, {{9, 7, 5, 8}, {7, 9}});
    glPatchParameteri(GL_PATCH_VERTICES, 32);
    std::vector<float> data;
    for (unsigned i = 0; i < 32; ++i) {
        const auto x = static_cast<float>(i % 8), y = static_cast<float>(i / 8);
        data.insert(data.end(),
                    {-0.9f + 0.25f * x + 0.03f * y * y, -0.8f + 0.5f * y - 0.02f * x * x});
    }
    vertices({2}, data);
    glDrawArrays(GL_PATCHES, 0, 32);
}

/// Varyings beyond what is pushed, arrays of them, clip of what lies outside; gl_in and gl_out.
void many_outputs() {
    const GLuint made = program_of(
        {{GL_VERTEX_SHADER,
          "#version 320 es\nlayout(location=0) in vec2 position; out Given { vec4 a[7]; } made;\n"
          "void main() { gl_Position = vec4(position, 0.0, 1.0);\n"
          " for (int i = 0; i < 7; ++i) made.a[i] = vec4(position * float(i + 1), float(i), 1.0); "
          "}\n"},
         {GL_TESS_CONTROL_SHADER,
          "#version 320 es\nlayout(vertices = 9) out;\n"
          "in Given { vec4 a[7]; } given[]; out Kept { vec4 b[6]; } kept[]; patch out vec4 c[9];\n"
          "uniform vec4 outer; uniform vec2 inner;\n"
          "void main() { int n = gl_InvocationID;\n"
          " for (int i = 0; i < 6; ++i) kept[gl_InvocationID].b[i] = given[n % 3].a[i] + "
          "given[(n + 1) % 3].a[i + 1];\n"
          " gl_out[gl_InvocationID].gl_Position = gl_in[n % 3].gl_Position * (1.0 + 0.05 * "
          "float(n));\n"
          " c[n] = vec4(float(n), given[n % 3].a[n % 7].xy, 2.0);\n"
          " for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = outer[i];\n"
          " gl_TessLevelInner[0] = inner.x; gl_TessLevelInner[1] = inner.y; }\n"},
         {GL_TESS_EVALUATION_SHADER,
          "#version 320 es\nlayout(triangles, equal_spacing) in; in Kept { vec4 b[6]; } kept[];\n"
          "patch in vec4 c[9]; out vec3 color;\n"
          "void main() { vec3 t = gl_TessCoord; int pick = gl_PatchVerticesIn - 1;\n"
          " gl_Position = t.x * gl_in[3].gl_Position + t.y * gl_in[4].gl_Position + t.z * "
          "gl_in[pick].gl_Position;\n"
          " vec4 s = vec4(0.0);\n"
          " for (int i = 0; i < 6; ++i) s += kept[i].b[i] * t.x + kept[8].b[5 - i] * t.y;\n"
          " for (int i = 0; i < 9; ++i) s += c[i] * t.z;\n"
          " color = abs(s.xyz) / vec3(40.0, 30.0, 30.0); }\n"},
         {GL_FRAGMENT_SHADER, kColored}});
    set_levels(made, {{3, 4, 5, 1}, {4, 1}});
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    vertices({2}, {-0.9f, -0.8f, 1.3f, -0.7f, -0.2f, 1.2f});
    glDrawArrays(GL_PATCHES, 0, 3);
}

/// The default levels of a program without any; a cracked edge would show.
void shared_edges() {
    const GLuint made = use("triangles, fractional_even_spacing");
    set_levels(made, {{5.5f, 5.5f, 5.5f, 1}, {3, 1}});
    std::vector<float> data;
    for (unsigned i = 0; i < 4; ++i) {
        const float corners[5][2] = {
            {-0.9f, -0.85f}, {0.85f, -0.9f}, {0.9f, 0.85f}, {-0.85f, 0.9f}, {-0.9f, -0.85f}};
        data.insert(data.end(), {0.1f, 0.05f, corners[i][0], corners[i][1], corners[i + 1][0],
                                 corners[i + 1][1]});
    }
    vertices({2}, data);
    glDrawArrays(GL_PATCHES, 0, 12);
}

/// A counted draw: the colour is the number of primitives.
void counted() {
    GLuint query = 0, primitives = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query);
    patch("quads, equal_spacing", {{3, 1, 4, 2}, {3, 5}}, -0.9f, -0.9f, 0, 0.9f);
    patch("triangles, fractional_odd_spacing", {{3, 1, 4, 2}, {3, 5}}, -0.9f, -0.9f, 0, 0.9f);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
    rectangle(0.1f, -0.9f, 0.9f, 0.9f, 0, {static_cast<float>(primitives) / 255, 0, 1, 1});
}

}  // namespace

std::vector<Scene> tessellation() {
    return {
        {"tess_triangles", "triangles of each spacing", 2, triangles_domain},
        {"tess_quads", "quads of each spacing", 2, quads_domain},
        {"tess_isolines", "isolines of each spacing", 2, isolines_domain},
        {"tess_points", "point mode of each domain", 2, points_of_domains},
        {"tess_levels", "highest and lowest levels", 2, every_level},
        {"tess_culled", "levels that cull a patch, infinite ones", 2, culled_patches},
        {"tess_winding", "cw and ccw, culled by their facing", 2, winding},
        {"tess_many", "patches with outputs of their own, indexed, in instances", 2, many_patches},
        {"tess_barriers", "20 invocations that wait for each other", 2, barriers},
        {"tess_points_32", "32 control points in and out", 2, thirty_two_points},
        {"tess_outputs", "more outputs than are pushed", 2, many_outputs},
        {"tess_edges", "patches that share edges", 2, shared_edges},
        {"tess_counted", "primitives generated", 2, counted},
    };
}

}  // namespace scenes
