// SPDX-License-Identifier: Apache-2.0
// What shaders are given: interpolation, constants, places, derivatives, discard.
#include "tests/system/gl/scene.h"

#include <EGL/egl.h>
#include <GLES2/gl2ext.h>

#include <algorithm>

namespace scenes {
namespace {

constexpr char kPassVertex[] =
    "#version 310 es\n"
    "layout(location=0) in vec4 position; layout(location=1) in vec2 place; out vec2 at;\n"
    "void main() { gl_Position = position; at = place; }\n";

/// A triangle that covers the screen, with the place of each pixel from -1 to 1 in `at`.
void screen(const char* fragment) {
    program(kPassVertex, fragment);
    vertices({4, 2}, {-1, -1, 0, 1, -1, -1, 3, -1, 0, 1, 3, -1, -1, 3, 0, 1, -1, 3});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void perspective() {
    program(kPassVertex,
            "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
            "void main() { vec2 c = floor(at * 4.0 + 0.013); pixel = vec4(vec3(mod(c.x + c.y, "
            "2.0)), 1.0); "
            "}\n");
    vertices({4, 2}, {-1, -1, 0, 1, 0, 0, 1, -1, 0, 1, 1.99f, 0, 3, 3, 0, 4, 1.99f, 3.98f});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
void flat_shading() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec3 position; layout(location=1) in vec4 color;\n"
        "flat out vec4 shade; void main() { gl_Position = vec4(position, 1.0); shade = color; }\n",
        "#version 310 es\nprecision highp float; flat in vec4 shade; out vec4 pixel;\n"
        "void main() { pixel = shade; }\n");
    vertices({3, 4}, {-0.9f, -0.9f, 0, 1, 0, 0, 1, 0.9f,  -0.9f, 0, 0, 1, 0, 1,
                      0.9f,  0.9f,  0, 0, 0, 1, 1, -0.9f, 0.9f,  0, 1, 1, 0, 1});
    glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
}
void uniforms() {
    const GLuint made =
        program(kPassVertex,
                "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
                "uniform vec4 colors[8];\n"
                "void main() { pixel = colors[int(gl_FragCoord.x) / 8]; }\n");
    float colors[32];
    for (int i = 0; i < 32; ++i)
        colors[i] = static_cast<float>((i * 37) % 256) / 255;
    glUniform4fv(glGetUniformLocation(made, "colors"), 8, colors);
    vertices({4, 2}, {-1, -1, 0, 1, -1, -1, 3, -1, 0, 1, 3, -1, -1, 3, 0, 1, -1, 3});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
void uniform_block() {
    const GLuint made = program(
        "#version 310 es\n"
        "layout(std140, binding=0) uniform Places { mat4 turn; vec4 color; };\n"
        "layout(location=0) in vec4 position; out vec4 shade;\n"
        "void main() { gl_Position = turn * position; shade = color; }\n",
        "#version 310 es\nprecision highp float; in vec4 shade; out vec4 pixel;\n"
        "void main() { pixel = shade; }\n");
    (void)made;
    const float data[20] = {0.5f, 0.5f, 0, 0, -0.5f, 0.5f, 0,    0,    0,    0,
                            1,    0,    0, 0, 0,     1,    0.2f, 0.4f, 0.6f, 1};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof data, data, GL_STATIC_DRAW);
    vertices({4}, {-0.9f, -0.9f, 0, 1, 0.9f, -0.9f, 0, 1, 0, 0.9f, 0, 1});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
/// A uniform buffer that the program writes between draws without a word to the driver, each time
/// when what came before has ended.
void written_between() {
    program(
        "#version 310 es\n"
        "layout(std140, binding=0) uniform Places { vec4 place; vec4 color; };\n"
        "layout(location=0) in vec4 position; out vec4 shade;\n"
        "void main() { gl_Position = position + place; shade = color; }\n",
        "#version 310 es\nprecision highp float; in vec4 shade; out vec4 pixel;\n"
        "void main() { pixel = shade; }\n");
    const auto storage =
        reinterpret_cast<PFNGLBUFFERSTORAGEEXTPROC>(eglGetProcAddress("glBufferStorageEXT"));
    constexpr GLbitfield kMapped =
        GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    storage(GL_UNIFORM_BUFFER, 32, nullptr, kMapped);
    auto* const words = static_cast<float*>(glMapBufferRange(GL_UNIFORM_BUFFER, 0, 32, kMapped));
    vertices({4}, {-0.3f, -0.3f, 0, 1, 0.3f, -0.3f, 0, 1, 0, 0.3f, 0, 1});
    for (const int i : {0, 1, 2, 3}) {
        const GLsync all = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glClientWaitSync(all, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
        glDeleteSync(all);
        const float data[] = {i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, 0, 0,
                              i & 1 ? 1.f : 0.2f,   i & 2 ? 1.f : 0.4f,   0, 1};
        std::copy_n(data, 8, words);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glFinish();
    glUnmapBuffer(GL_UNIFORM_BUFFER);
}
void frag_coord() {
    screen(
        "#version 310 es\nprecision highp float; out vec4 pixel;\n"
        "void main() { pixel = vec4((floor(gl_FragCoord.xy) * 4.0) / 255.0, gl_FragCoord.z, 1.0); "
        "}\n");
}
void discarded() {
    screen(
        "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
        "void main() { if (mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 3.0) == 0.0) "
        "discard;\n"
        " pixel = vec4(0.0, 1.0, 0.0, 1.0); }\n");
}
void branches() {
    screen(
        "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
        "void main() { int n = int(gl_FragCoord.x) % 13; float v = 0.0;\n"
        " for (int i = 0; i < n; ++i) { if (i == 7) continue; v += float(i); if (v > 40.0) break; "
        "}\n"
        " pixel = vec4(v / 255.0 * 4.0, 0.0, 0.0, 1.0); }\n");
}
void derivatives() {
    screen(
        "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
        "void main() { float v = gl_FragCoord.x * 3.0 + gl_FragCoord.y * 5.0;\n"
        " pixel = vec4(dFdx(v) / 255.0 * 20.0, dFdy(v) / 255.0 * 20.0, 0.0, 1.0); }\n");
}
void arithmetic() {
    screen(
        "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
        "void main() { float v = sin(at.x * 3.0) * cos(at.y * 2.0) + sqrt(abs(at.x));\n"
        " pixel = vec4(0.5 + 0.5 * v, exp2(-abs(at.y)), fract(at.x * 4.0) > 0.5 ? 1.0 : 0.0, 1.0); "
        "}\n");
}
void integers() {
    screen(
        "#version 310 es\nprecision highp float; precision highp int; out vec4 pixel;\n"
        "void main() { uvec2 p = uvec2(gl_FragCoord.xy); uint h = p.x * 2654435761u ^ p.y * "
        "40503u;\n"
        " pixel = vec4(float(h >> 24), float(h / 7u % 256u), float(bitCount(h)) * 8.0, 255.0) / "
        "255.0; }\n");
}
void long_varyings() {
    program(
        "#version 310 es\n"
        "layout(location=0) in vec4 position; layout(location=1) in vec2 place;\n"
        "out vec4 a[8]; void main() { gl_Position = position;\n"
        " for (int i = 0; i < 8; ++i) a[i] = vec4(place, float(i), 1.0) * float(i + 1); }\n",
        "#version 310 es\nprecision highp float; in vec4 a[8]; out vec4 pixel;\n"
        "void main() { vec4 s = vec4(0.0); for (int i = 0; i < 8; ++i) s += a[i];\n"
        " pixel = vec4(s.x / 72.0 + 0.5, s.y / 72.0 + 0.5, s.z / 255.0, 1.0); }\n");
    vertices({4, 2}, {-1, -1, 0, 1, -1, -1, 3, -1, 0, 1, 3, -1, -1, 3, 0, 1, -1, 3});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
void storage_buffer() {
    const GLuint made = program(kPassVertex,
                                "#version 310 es\nprecision highp float; out vec4 pixel;\n"
                                "layout(std430, binding=0) buffer Counts { uint sums[64]; };\n"
                                "void main() { atomicAdd(sums[int(gl_FragCoord.y)], "
                                "uint(gl_FragCoord.x)); pixel = vec4(0.0); }\n");
    (void)made;
    const unsigned zeros[64] = {};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof zeros, zeros, GL_DYNAMIC_COPY);
    vertices({4, 2}, {-1, -1, 0, 1, -1, -1, 3, -1, 0, 1, 3, -1, -1, 3, 0, 1, -1, 3});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    screen(
        "#version 310 es\nprecision highp float; out vec4 pixel;\n"
        "layout(std430, binding=0) buffer Counts { uint sums[64]; };\n"
        "void main() { uint s = sums[int(gl_FragCoord.y)];\n"
        " pixel = vec4(float(s & 255u), float(s >> 8), 0.0, 255.0) / 255.0; }\n");
}

}  // namespace

std::vector<Scene> shading() {
    return {
        {"perspective", "perspective interpolation", 0, perspective},
        {"flat_shading", "constant interpolation, the provoking vertex", 0, flat_shading},
        {"uniforms", "push constants, indexed", 0, uniforms},
        {"uniform_block", "a uniform buffer in a vertex shader", 0, uniform_block},
        {"written_between", "a uniform buffer that is written between draws", 0, written_between},
        {"frag_coord", "gl_FragCoord", 1, frag_coord},
        {"discarded", "discard", 0, discarded},
        {"branches", "loops and branches that part a thread's pixels", 1, branches},
        {"derivatives", "derivatives", 1, derivatives},
        {"arithmetic", "math functions", 1, arithmetic},
        {"integers", "integer arithmetic", 1, integers},
        {"long_varyings", "eight attributes", 1, long_varyings},
        {"storage_buffer", "atomics of a pixel shader, seen by the next draw", 0, storage_buffer},
    };
}

}  // namespace scenes
