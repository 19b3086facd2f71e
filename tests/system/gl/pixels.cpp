// SPDX-License-Identifier: Apache-2.0
// What becomes of a shader's colours: depth, stencil, blending, masks, formats, several targets.
#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

void depth_less() {
    glEnable(GL_DEPTH_TEST);
    rectangle(-0.8f, -0.8f, 0.4f, 0.4f, 0.2f, {1, 0, 0, 1});
    rectangle(-0.4f, -0.4f, 0.8f, 0.8f, 0.5f, {0, 1, 0, 1});
    rectangle(-0.9f, 0, 0.9f, 0.2f, -0.3f, {0, 0, 1, 1});
    glDisable(GL_DEPTH_TEST);
}
void depth_crossing() {
    glEnable(GL_DEPTH_TEST);
    triangles({-1, -1, -1, 1, 0, 0, 1, 1,  -1, 1, 1, 0, 0, 1, -1, 1, -1, 1, 0, 0, 1,
               1,  -1, -1, 0, 0, 1, 1, -1, -1, 1, 0, 0, 1, 1, 1,  1, -1, 0, 0, 1, 1});
    glDisable(GL_DEPTH_TEST);
}
void depth_functions() {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    rectangle(-1, -1, 1, 1, 0.25f, {0, 0, 0, 1});
    const GLenum functions[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
    glDepthMask(GL_FALSE);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 3; ++j) {
            glDepthFunc(functions[i]);
            const float x = -1 + 0.25f * static_cast<float>(i),
                        y = -0.75f + 0.5f * static_cast<float>(j);
            rectangle(x, y, x + 0.2f, y + 0.4f, 0.25f * static_cast<float>(j), {1, 1, 1, 1});
        }
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
}
void depth_written() {
    glEnable(GL_DEPTH_TEST);
    program(
        "#version 310 es\nlayout(location=0) in vec2 position;\n"
        "void main() { gl_Position = vec4(position, 0.0, 1.0); }\n",
        "#version 310 es\nprecision highp float; out vec4 pixel;\n"
        "void main() { gl_FragDepth = gl_FragCoord.x / 64.0; pixel = vec4(1, 0, 0, 1); }\n");
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    rectangle(-1, -0.5f, 1, 0.5f, 0, {0, 1, 0, 1});
    glDisable(GL_DEPTH_TEST);
}
void stencil() {
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    rectangle(-0.8f, -0.8f, 0.3f, 0.3f, 0, {0.2f, 0, 0, 1});
    rectangle(-0.3f, -0.3f, 0.8f, 0.8f, 0, {0, 0.2f, 0, 1});
    glStencilFunc(GL_EQUAL, 2, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    rectangle(-1, -1, 1, 1, 0, {1, 1, 1, 1});
    glDisable(GL_STENCIL_TEST);
}
void blended() {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    rectangle(-0.8f, -0.8f, 0.3f, 0.3f, 0, {1, 0, 0, 0.5f});
    rectangle(-0.3f, -0.3f, 0.8f, 0.8f, 0, {0, 1, 0, 0.25f});
    rectangle(-0.9f, 0, 0.9f, 0.2f, 0, {0, 0, 1, 0.75f});
    glDisable(GL_BLEND);
}
/// Blending whose results are exact in eight bits.
void added() {
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    rectangle(-0.8f, -0.8f, 0.3f, 0.3f, 0, {0.4f, 0.2f, 0, 0});
    rectangle(-0.3f, -0.3f, 0.8f, 0.8f, 0, {0.2f, 0, 0.6f, 0});
    glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    rectangle(-0.9f, 0, 0.9f, 0.2f, 0, {0, 0.2f, 0.2f, 0});
    glBlendEquation(GL_MAX);
    rectangle(-0.1f, -0.9f, 0.1f, 0.9f, 0, {0.6f, 0.4f, 0.2f, 0});
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_DST_ALPHA, GL_SRC_ALPHA);
    rectangle(0.5f, -0.9f, 0.9f, -0.5f, 0, {0.2f, 0.4f, 0.6f, 0});
    glDisable(GL_BLEND);
}
void blend_functions() {
    glEnable(GL_BLEND);
    const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                GL_MAX};
    glBlendColor(0.3f, 0.6f, 0.9f, 0.5f);
    for (int i = 0; i < 5; ++i) {
        glBlendEquation(equations[i]);
        glBlendFuncSeparate(GL_CONSTANT_COLOR, GL_DST_COLOR, GL_ONE, GL_ZERO);
        const float x = -1 + 0.4f * static_cast<float>(i);
        rectangle(x, -1, x + 0.3f, 0.9f, 0, {0.8f, 0.5f, 0.3f, 0.7f});
    }
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
}
void masked() {
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    rectangle(-0.8f, -0.8f, 0.8f, 0.8f, 0, {1, 1, 1, 1});
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
void part_cleared() {
    glEnable(GL_SCISSOR_TEST);
    glScissor(5, 9, 37, 41);
    glClearColor(0.9f, 0.3f, 0.1f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}
/// Draws into a target of another format, and shows it.
void through(GLenum format, const char* fragment) {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint target = 0, frame = 0;
    glGenTextures(1, &target);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, kWidth, kHeight);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    constexpr char kVertex[] =
        "#version 310 es\nlayout(location=0) in vec2 position; out vec2 at;\n"
        "void main() { gl_Position = vec4(position, 0.0, 1.0); at = position * 0.5 + 0.5; }\n";
    program(kVertex, fragment);
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    const bool integer = format == GL_RGBA8UI || format == GL_R32UI || format == GL_RGBA16I;
    program(kVertex,
            !integer ? "#version 310 es\nprecision highp float; uniform sampler2D t; in vec2 at;\n"
                       "out vec4 pixel; void main() { pixel = vec4(texture(t, at).rgb, 1.0); }\n"
            : format == GL_RGBA16I
                ? "#version 310 es\nprecision highp float; precision highp isampler2D; uniform "
                  "isampler2D t;\n"
                  "in vec2 at; out vec4 pixel;\n"
                  "void main() { pixel = vec4(vec3(abs(texture(t, at).rgb)) / 255.0, 1.0); }\n"
                : "#version 310 es\nprecision highp float; precision highp usampler2D; uniform "
                  "usampler2D t;\n"
                  "in vec2 at; out vec4 pixel;\n"
                  "void main() { pixel = vec4(vec3(texture(t, at).rgb & 255u) / 255.0, 1.0); }\n");
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
constexpr char kRamp[] =
    "#version 310 es\nprecision highp float; in vec2 at; out vec4 pixel;\n"
    "void main() { pixel = vec4(floor(at * 16.0) / 15.0, 0.25, 1.0); }\n";
constexpr char kUnsigned[] =
    "#version 310 es\nprecision highp float; precision highp int; in vec2 at; out uvec4 pixel;\n"
    "void main() { pixel = uvec4(uvec2(at * 64.0) * 3u, 77u, 1u); }\n";
constexpr char kSigned[] =
    "#version 310 es\nprecision highp float; precision highp int; in vec2 at; out ivec4 pixel;\n"
    "void main() { pixel = ivec4(-ivec2(at * 64.0) * 3, 77, 1); }\n";
void to_r8() {
    through(GL_R8, kRamp);
}
void to_rg8() {
    through(GL_RG8, kRamp);
}
void to_rgb565() {
    through(GL_RGB565, kRamp);
}
void to_rgba4() {
    through(GL_RGBA4, kRamp);
}
void to_rgb10_a2() {
    through(GL_RGB10_A2, kRamp);
}
void to_srgb() {
    through(GL_SRGB8_ALPHA8, kRamp);
}
void to_rgba8ui() {
    through(GL_RGBA8UI, kUnsigned);
}
void to_r32ui() {
    through(GL_R32UI, kUnsigned);
}
void to_rgba16i() {
    through(GL_RGBA16I, kSigned);
}
void two_targets() {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint targets[2], frame = 0;
    glGenTextures(2, targets);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (unsigned i = 0; i < 2; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, targets[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kWidth, kHeight);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, targets[i],
                               0);
    }
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, both);
    constexpr char kVertex[] =
        "#version 310 es\nlayout(location=0) in vec2 position; out vec2 at;\n"
        "void main() { gl_Position = vec4(position, 0.0, 1.0); at = position * 0.5 + 0.5; }\n";
    program(kVertex,
            "#version 310 es\nprecision highp float; in vec2 at;\n"
            "layout(location=0) out vec4 a; layout(location=1) out vec4 b;\n"
            "void main() { a = vec4(floor(at * 8.0) / 8.0, 0.0, 1.0); b = vec4(0.0, 0.0, 1.0, 1.0) "
            "* (at.x > 0.5 ? 1.0 : 0.5); }\n");
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    const GLuint made = program(kVertex,
                                "#version 310 es\nprecision highp float; uniform sampler2D a; "
                                "uniform sampler2D b; in vec2 at;\n"
                                "out vec4 pixel; void main() { pixel = vec4(texture(a, at).rg, "
                                "texture(b, at).b, 1.0); }\n");
    glUniform1i(glGetUniformLocation(made, "b"), 1);
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glActiveTexture(GL_TEXTURE0);
}
void occlusion() {
    GLuint query = 0;
    glGenQueries(1, &query);
    glEnable(GL_DEPTH_TEST);
    rectangle(-1, -1, 0, 1, -0.5f, {1, 0, 0, 1});
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    rectangle(-1, -1, -0.25f, 1, 0, {0, 1, 0, 1});
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    GLuint hidden = 2, seen = 2;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &hidden);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    rectangle(-1, -1, 0.25f, 1, 0, {0, 1, 0, 1});
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &seen);
    glDisable(GL_DEPTH_TEST);
    rectangle(0.5f, -1, 1, 1, 0, {hidden == 0 ? 0.f : 1.f, seen == 1 ? 1.f : 0.f, 0, 1});
}

}  // namespace

std::vector<Scene> pixels() {
    return {
        {"depth_less", "depth test", 0, depth_less},
        {"depth_crossing", "triangles that cross", 0, depth_crossing},
        {"depth_functions", "depth functions, no writes", 0, depth_functions},
        {"depth_written", "a shader's depth", 0, depth_written},
        {"stencil", "stencil test and operations", 0, stencil},
        {"blended", "alpha blending", 1, blended},
        {"added", "blending, exact", 0, added},
        {"blend_functions", "blend functions, constant colour", 1, blend_functions},
        {"masked", "write masks", 0, masked},
        {"part_cleared", "a clear within a scissor", 0, part_cleared},
        {"to_r8", "R8 target", 1, to_r8},
        {"to_rg8", "RG8 target", 1, to_rg8},
        {"to_rgb565", "RGB565 target", 8, to_rgb565},
        {"to_rgba4", "RGBA4 target", 1, to_rgba4},
        {"to_rgb10_a2", "RGB10_A2 target", 1, to_rgb10_a2},
        {"to_srgb", "sRGB target", 2, to_srgb},
        {"to_rgba8ui", "RGBA8UI target", 0, to_rgba8ui},
        {"to_r32ui", "R32UI target", 0, to_r32ui},
        {"to_rgba16i", "RGBA16I target", 0, to_rgba16i},
        {"two_targets", "two render targets", 1, two_targets},
        {"occlusion", "occlusion queries", 0, occlusion},
    };
}

}  // namespace scenes
