// SPDX-License-Identifier: Apache-2.0
/// gl_speed SCENE FRAMES: draws an animated scene without a display, a frame at a time and each to
/// its end. Prints the seconds of all frames but the first, and the mean of the last picture's
/// channels. Scenes: cube (500 x 500: a cube with a texture, as vkcube's), gears (300 x 300: three lit
/// wheels, as glxgears'), terrain (320 x 240: a grid of 128 x 128 that a texture raises, lit),
/// tessellated (320 x 240: patches of a wave), geometry (320 x 240: points that become squares),
/// samples (300 x 300: the gears with four samples), large (4096 x 4096: the gears).
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/system/gl/context.h"
#include "tests/system/gl/scene.h"

namespace {

using scenes::fail;

using Floats = std::vector<float>;

/// Column by column, as OpenGL takes them.
struct Matrix {
    float at[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    Matrix operator*(const Matrix& right) const {
        Matrix product;
        for (int column = 0; column < 4; ++column)
            for (int row = 0; row < 4; ++row) {
                float& sum = product.at[4 * column + row] = 0;
                for (int i = 0; i < 4; ++i)
                    sum += at[4 * i + row] * right.at[4 * column + i];
            }
        return product;
    }
};
Matrix moved(float x, float y, float z) {
    Matrix matrix;
    matrix.at[12] = x;
    matrix.at[13] = y;
    matrix.at[14] = z;
    return matrix;
}
/// About the axis x (0), y (1) or z (2).
Matrix turned(int axis, float radians) {
    Matrix matrix;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    matrix.at[5 * a] = matrix.at[5 * b] = std::cos(radians);
    matrix.at[4 * a + b] = std::sin(radians);
    matrix.at[4 * b + a] = -std::sin(radians);
    return matrix;
}
/// Planes at 1 and 60; the picture is as high as it is far away.
Matrix perspective(float aspect) {
    constexpr float kNear = 1, kFar = 60;
    Matrix matrix;
    matrix.at[0] = 2 / aspect;
    matrix.at[5] = 2;
    matrix.at[10] = -(kFar + kNear) / (kFar - kNear);
    matrix.at[11] = -1;
    matrix.at[14] = -2 * kFar * kNear / (kFar - kNear);
    matrix.at[15] = 0;
    return matrix;
}

GLuint program_ = 0;
int width = 320, height = 240;

void set(const char* name, const Matrix& matrix) {
    glUniformMatrix4fv(glGetUniformLocation(program_, name), 1, GL_FALSE, matrix.at);
}
float aspect() {
    return static_cast<float>(width) / static_cast<float>(height);
}

void texture(int side, GLenum filter, const std::vector<unsigned>& texels) {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
}

// --- cube

GLsizei cube_vertices = 0;

void make_cube() {
    std::vector<unsigned> texels;
    for (unsigned y = 0; y < 256; ++y)
        for (unsigned x = 0; x < 256; ++x)
            texels.push_back(0xFF000000 | (x ^ y) << 16 | (y << 8) | x);
    texture(256, GL_LINEAR, texels);
    program_ = scenes::program(
        R"(#version 310 es
layout(location=0) in vec3 position; layout(location=1) in vec2 place;
uniform mat4 all; out vec2 at; out vec3 seen;
void main() { gl_Position = all * vec4(position, 1.0); at = place; seen = gl_Position.xyz; }
)",
        R"(#version 310 es
precision highp float; in vec2 at; in vec3 seen; out vec4 color;
uniform sampler2D image;
void main() { vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
 color = max(0.0, dot(vec3(0.424, 0.566, 0.707), normal)) * texture(image, at); }
)");
    Floats data;
    for (int side = 0; side < 6; ++side)
        for (const int corner : {0, 1, 2, 2, 1, 3}) {
            const float u = corner & 1 ? 1.0f : -1.0f, v = corner & 2 ? 1.0f : -1.0f,
                        out = side & 1 ? 1.0f : -1.0f;
            float place[3];
            place[side / 2] = out;
            place[(side / 2 + 1) % 3] = u;
            place[(side / 2 + 2) % 3] = v;
            data.insert(data.end(),
                        {place[0], place[1], place[2], 0.5f + 0.5f * u, 0.5f + 0.5f * v});
        }
    cube_vertices = static_cast<GLsizei>(data.size() / 5);
    scenes::vertices({3, 2}, data);
}
void draw_cube(float time) {
    set("all", perspective(aspect()) * moved(0, 0, -5) * turned(0, 0.5f) * turned(1, time));
    glDrawArrays(GL_TRIANGLES, 0, cube_vertices);
}

// --- gears

struct Gear {
    float inner, outer, width;
    int teeth;
    float color[3], x, y, speed, phase;
    GLint first = 0;
    GLsizei count = 0;
};
Gear gears[] = {{1.0f, 4.0f, 1.0f, 20, {0.8f, 0.1f, 0}, -3.0f, -2.0f, 1, 0},
                {0.5f, 2.0f, 2.0f, 10, {0, 0.8f, 0.2f}, 3.1f, -2.0f, -2, -0.157f},
                {1.3f, 2.0f, 0.5f, 10, {0.2f, 0.2f, 1.0f}, -3.1f, 4.2f, -2, -0.436f}};

/// Two triangles of four corners {x, y, z}, with the normal of their plane.
void add_square(Floats& data, const Floats& corners) {
    const float *a = &corners[0], *b = &corners[3], *c = &corners[6];
    float normal[3];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
    for (const int corner : {0, 1, 2, 0, 2, 3}) {
        data.insert(data.end(), &corners[3 * corner], &corners[3 * corner] + 3);
        data.insert(data.end(), normal, normal + 3);
    }
}

void add_gear(Floats& data, Gear& gear) {
    constexpr float kDepth = 0.7f;
    gear.first = static_cast<GLint>(data.size() / 6);
    const float half = gear.width / 2;
    const int steps = 4 * gear.teeth;
    for (int step = 0; step < steps; ++step) {
        // Outline: up, along the tip, down, along the foot.
        const auto radius = [&](int at) {
            const int part = at % 4;
            return gear.outer + (part == 1 || part == 2 ? kDepth / 2 : -kDepth / 2);
        };
        const auto x = [&](float r, int at) {
            return r *
                   std::cos(2 * 3.14159265f * static_cast<float>(at) / static_cast<float>(steps));
        };
        const auto y = [&](float r, int at) {
            return r *
                   std::sin(2 * 3.14159265f * static_cast<float>(at) / static_cast<float>(steps));
        };
        const float r0 = radius(step), r1 = radius(step + 1);
        for (const float z : {half, -half}) {
            const Floats ring = {x(gear.inner, step),
                                 y(gear.inner, step),
                                 z,
                                 x(r0, step),
                                 y(r0, step),
                                 z,
                                 x(r1, step + 1),
                                 y(r1, step + 1),
                                 z,
                                 x(gear.inner, step + 1),
                                 y(gear.inner, step + 1),
                                 z};
            Floats back;
            for (const int corner : {0, 3, 2, 1})
                back.insert(back.end(), &ring[3 * corner], &ring[3 * corner] + 3);
            add_square(data, z > 0 ? ring : back);
        }
        add_square(data, {x(r0, step), y(r0, step), -half, x(r1, step + 1), y(r1, step + 1), -half,
                          x(r1, step + 1), y(r1, step + 1), half, x(r0, step), y(r0, step), half});
        add_square(data,
                   {x(gear.inner, step), y(gear.inner, step), half, x(gear.inner, step + 1),
                    y(gear.inner, step + 1), half, x(gear.inner, step + 1), y(gear.inner, step + 1),
                    -half, x(gear.inner, step), y(gear.inner, step), -half});
    }
    gear.count = static_cast<GLsizei>(data.size() / 6) - gear.first;
}

void make_gears() {
    program_ = scenes::program(
        R"(#version 310 es
layout(location=0) in vec3 position; layout(location=1) in vec3 normal;
uniform mat4 all, place; uniform vec3 shade; flat out vec3 lit;
void main() { gl_Position = all * vec4(position, 1.0);
 float light = max(0.0, dot(normalize(mat3(place) * normal), normalize(vec3(5, 5, 10))));
 lit = shade * (0.2 + light); }
)",
        R"(#version 310 es
precision highp float; flat in vec3 lit; out vec4 color;
void main() { color = vec4(lit, 1.0); }
)");
    Floats data;
    for (Gear& gear : gears)
        add_gear(data, gear);
    scenes::vertices({3, 3}, data);
    glEnable(GL_CULL_FACE);
}
void draw_gears(float time) {
    const Matrix view = moved(0, 0, -20) * turned(0, 0.35f) * turned(1, 0.52f);
    for (const Gear& gear : gears) {
        const Matrix place =
            view * moved(gear.x, gear.y, 0) * turned(2, gear.speed * time + gear.phase);
        set("all", perspective(aspect()) * place);
        set("place", place);
        glUniform3fv(glGetUniformLocation(program_, "shade"), 1, gear.color);
        glDrawArrays(GL_TRIANGLES, gear.first, gear.count);
    }
}

// --- terrain

constexpr int kGrid = 128;
GLsizei terrain_indices = 0;

void make_terrain() {
    std::vector<unsigned> heights;
    for (int y = 0; y < kGrid; ++y)
        for (int x = 0; x < kGrid; ++x) {
            const float h =
                std::sin(0.13f * static_cast<float>(x)) * std::cos(0.09f * static_cast<float>(y)) +
                0.3f * std::sin(0.41f * static_cast<float>(x + y));
            heights.push_back(static_cast<unsigned>(90 * h + 128) & 0xFF);
        }
    texture(kGrid, GL_NEAREST, heights);
    program_ = scenes::program(
        R"(#version 310 es
layout(location=0) in vec2 cell; uniform mat4 all; out vec3 place;
uniform sampler2D heights;
void main() { float h = texelFetch(heights, ivec2(cell), 0).r;
 place = vec3(cell.x - 64.0, 24.0 * h - 12.0, cell.y - 64.0) / 8.0;
 gl_Position = all * vec4(place, 1.0); }
)",
        R"(#version 310 es
precision highp float; in vec3 place; out vec4 color;
void main() { vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
 float light = 0.3 + 0.7 * abs(dot(normal, normalize(vec3(1, 2, 1))));
 float grain = 0.9 + 0.1 * sin(20.0 * place.x) * sin(20.0 * place.z);
 color = vec4(mix(vec3(0.2, 0.4, 0.1), vec3(0.9), smoothstep(-0.8, 1.2, place.y)) * light * grain, 1.0); }
)");
    Floats data;
    std::vector<unsigned> list;
    for (unsigned y = 0; y < kGrid; ++y)
        for (unsigned x = 0; x < kGrid; ++x) {
            data.insert(data.end(), {static_cast<float>(x), static_cast<float>(y)});
            if (x + 1 == kGrid || y + 1 == kGrid) continue;
            const unsigned at = y * kGrid + x;
            list.insert(list.end(), {at, at + 1, at + kGrid, at + kGrid, at + 1, at + kGrid + 1});
        }
    scenes::vertices({2}, data);
    scenes::indices(list);
    terrain_indices = static_cast<GLsizei>(list.size());
}
void draw_terrain(float time) {
    set("all", perspective(aspect()) * moved(0, 0, -14) * turned(0, 0.6f) * turned(1, 0.3f * time));
    glDrawElements(GL_TRIANGLES, terrain_indices, GL_UNSIGNED_INT, nullptr);
}

// --- tessellated, geometry

void make_tessellated() {
    program_ = scenes::program_of({{GL_VERTEX_SHADER,
                                    R"(#version 320 es
void main() { gl_Position = vec4(gl_VertexID % 5, gl_VertexID / 5, 0, 1); }
)"},
                                   {GL_TESS_CONTROL_SHADER,
                                    R"(#version 320 es
layout(vertices = 4) out;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
 for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = 12.0;
 for (int i = 0; i < 2; ++i) gl_TessLevelInner[i] = 12.0; }
)"},
                                   {GL_TESS_EVALUATION_SHADER,
                                    R"(#version 320 es
layout(quads, fractional_even_spacing) in; uniform mat4 all; uniform float time;
out vec3 place;
void main() { vec2 at = mix(gl_in[0].gl_Position.xy, gl_in[2].gl_Position.xy, gl_TessCoord.xy);
 place = vec3(at - 2.0, 0.3 * sin(3.0 * at.x + time) * cos(2.0 * at.y));
 gl_Position = all * vec4(place, 1.0); }
)"},
                                   {GL_FRAGMENT_SHADER,
                                    R"(#version 320 es
precision highp float; in vec3 place; out vec4 color;
void main() { vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
 color = vec4(0.5 + 0.5 * normal, 1.0); }
)"}});
    std::vector<unsigned> list;
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const unsigned at = 5 * y + x;
            list.insert(list.end(), {at, at + 1, at + 6, at + 5});
        }
    scenes::vertices({1}, Floats(25));
    scenes::indices(list);
    glPatchParameteri(GL_PATCH_VERTICES, 4);
}
void draw_tessellated(float time) {
    set("all", perspective(aspect()) * moved(0, 0, -6) * turned(0, -0.8f) * turned(2, time));
    glUniform1f(glGetUniformLocation(program_, "time"), time);
    glDrawElements(GL_PATCHES, 64, GL_UNSIGNED_INT, nullptr);
}

void make_geometry() {
    program_ = scenes::program_of({{GL_VERTEX_SHADER,
                                    R"(#version 320 es
uniform float time;
void main() { float i = float(gl_VertexID); gl_Position = vec4(sin(0.7 * i + time) * 0.9,
 cos(0.37 * i - time) * 0.9, fract(0.13 * i), 1.0); }
)"},
                                   {GL_GEOMETRY_SHADER,
                                    R"(#version 320 es
layout(points) in; layout(triangle_strip, max_vertices = 4) out;
out vec2 corner;
void main() { for (int i = 0; i < 4; ++i) { corner = vec2(i & 1, i >> 1);
  gl_Position = gl_in[0].gl_Position + vec4(0.06 * corner, 0, 0); EmitVertex(); }
 EndPrimitive(); }
)"},
                                   {GL_FRAGMENT_SHADER,
                                    R"(#version 320 es
precision highp float; in vec2 corner; out vec4 color;
void main() { color = vec4(corner, 0.5, 1.0); }
)"}});
    scenes::vertices({1}, Floats(2000));
}
void draw_geometry(float time) {
    glUniform1f(glGetUniformLocation(program_, "time"), time);
    glDrawArrays(GL_POINTS, 0, 2000);
}

// --- all

struct Animation {
    const char* name;
    int width, height, samples;
    void (*make)();
    void (*draw)(float time);
};
const Animation kAnimations[] = {{"cube", 500, 500, 0, make_cube, draw_cube},
                                 {"gears", 300, 300, 0, make_gears, draw_gears},
                                 {"terrain", 320, 240, 0, make_terrain, draw_terrain},
                                 {"tessellated", 320, 240, 0, make_tessellated, draw_tessellated},
                                 {"geometry", 320, 240, 0, make_geometry, draw_geometry},
                                 {"samples", 300, 300, 4, make_gears, draw_gears},
                                 {"large", 4096, 4096, 0, make_gears, draw_gears}};

GLuint target(int samples) {
    GLuint frame = 0, buffers[2];
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, buffers);
    const GLenum kinds[] = {GL_RGBA8, GL_DEPTH24_STENCIL8},
                 places[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_STENCIL_ATTACHMENT};
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, kinds[i], width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[i], GL_RENDERBUFFER, buffers[i]);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("the framebuffer is not complete");
    return frame;
}

int animate(const Animation& scene, int frames) {
    width = scene.width;
    height = scene.height;
    const GLuint shown = target(0), drawn = scene.samples ? target(scene.samples) : shown;
    glBindFramebuffer(GL_FRAMEBUFFER, drawn);
    glViewport(0, 0, width, height);
    glEnable(GL_DEPTH_TEST);
    scene.make();
    std::chrono::steady_clock::time_point begin;
    for (int frame = 0; frame < frames; ++frame) {
        if (frame == 1) begin = std::chrono::steady_clock::now();
        glBindFramebuffer(GL_FRAMEBUFFER, drawn);
        glClearColor(0.1f, 0.1f, 0.2f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        scene.draw(0.05f * static_cast<float>(frame));
        if (drawn != shown) {
            glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shown);
            glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                              GL_NEAREST);
        }
        glFinish();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    glBindFramebuffer(GL_FRAMEBUFFER, shown);
    std::vector<unsigned char> picture(std::size_t{4} * static_cast<unsigned>(width * height));
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    if (const GLenum error = glGetError()) fail("GL error " + std::to_string(error));
    double mean[3] = {};
    for (std::size_t i = 0; i < picture.size(); ++i)
        if (i % 4 < 3) mean[i % 4] += picture[i];
    for (double& channel : mean)
        channel /= width * height;
    std::printf("seconds %.6f mean %.2f %.2f %.2f\n", took.count(), mean[0], mean[1], mean[2]);
    return 0;
}

}  // namespace

int main(int count, char** words) {
    const int frames = count == 3 ? std::atoi(words[2]) : 0;
    if (frames >= 2)
        for (const Animation& scene : kAnimations)
            if (std::strcmp(scene.name, words[1]) == 0) {
                scenes::open_context(EGL_OPENGL_ES_API, 3, 2);
                return animate(scene, frames);
            }
    std::fprintf(stderr, "usage: gl_speed SCENE FRAMES (2 or more). Scenes:");
    for (const Animation& scene : kAnimations)
        std::fprintf(stderr, " %s", scene.name);
    std::fprintf(stderr, "\n");
    return 2;
}
