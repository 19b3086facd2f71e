// SPDX-License-Identifier: Apache-2.0
// Pictures that shaders read, and that draws are made into.
#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

constexpr char kVertex[] =
    "#version 310 es\n"
    "layout(location=0) in vec2 position; layout(location=1) in vec2 place; out vec2 at;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); at = place; }\n";

std::vector<unsigned char> checks(int width, int height) {
    std::vector<unsigned char> data;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool on = ((x >> 1) + (y >> 1)) & 1;
            data.push_back(static_cast<unsigned char>(on ? 255 : x * 255 / width));
            data.push_back(static_cast<unsigned char>(on ? y * 255 / height : 40));
            data.push_back(static_cast<unsigned char>(on ? 0 : 200));
            data.push_back(255);
        }
    return data;
}

GLuint texture(int width, int height, GLint filter, GLint wrap = GL_REPEAT) {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 checks(width, height).data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                    filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
    return made;
}

/// The screen, with places from `from` to `to`.
void show(float from, float to, const char* fragment) {
    program(kVertex, fragment);
    vertices({2, 2}, {-1, -1, from, from, 1, -1, to, from, -1, 1, from, to, 1, 1, to, to});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
constexpr char kRead[] =
    "#version 310 es\nprecision highp float; uniform sampler2D picture; in vec2 at; out vec4 "
    "pixel;\n"
    "void main() { pixel = texture(picture, at); }\n";

void nearest() {
    texture(16, 16, GL_NEAREST);
    show(0, 1, kRead);
}
void linear() {
    texture(8, 8, GL_LINEAR, GL_CLAMP_TO_EDGE);
    show(0, 1, kRead);
}
void repeated() {
    texture(8, 8, GL_NEAREST, GL_MIRRORED_REPEAT);
    show(-1.5f, 1.5f, kRead);
}
void mipmaps() {
    texture(128, 128, GL_NEAREST_MIPMAP_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    show(0, 4, kRead);
}
void fetched() {
    texture(64, 64, GL_NEAREST);
    show(0, 1,
         "#version 310 es\nprecision highp float; uniform sampler2D picture; out vec4 pixel;\n"
         "void main() { ivec2 p = ivec2(gl_FragCoord.xy); pixel = texelFetch(picture, p.yx, 0); "
         "}\n");
}
void drawn_into() {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint target = 0, frame = 0;
    glGenTextures(1, &target);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kWidth, kHeight);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glClearColor(0.2f, 0.4f, 0.6f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    triangles({-0.9f, -0.9f, 0, 1, 0, 0, 1, 0.9f, -0.9f, 0, 0, 1, 0, 1, 0, 0.9f, 0, 0, 0, 1, 1});
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    glBindTexture(GL_TEXTURE_2D, target);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    show(1, 0, kRead);
}
void cube() {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_CUBE_MAP, made);
    for (unsigned face = 0; face < 6; ++face) {
        std::vector<unsigned char> data;
        for (int i = 0; i < 16; ++i)
            data.insert(data.end(),
                        {static_cast<unsigned char>(40 * face), static_cast<unsigned char>(i * 16),
                         static_cast<unsigned char>(255 - 40 * face), 255});
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 4, 4, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, data.data());
    }
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    show(-1.95f, 1.95f,
         "#version 310 es\nprecision highp float; uniform samplerCube picture; in vec2 at;\n"
         "out vec4 pixel; void main() { pixel = texture(picture, vec3(at.x, at.y * 1.07 + 0.011, "
         "at.x * at.y - 0.6)); }\n");
}
/// Clears a slice or face, one after the other, in colours of their own; the last is still clear when
/// it is read.
void clear_each(GLuint made, GLenum target, unsigned count) {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint frame = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (unsigned i = 0; i < count; ++i) {
        if (target == GL_TEXTURE_CUBE_MAP)
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                   GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, made, 0);
        else
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, made, 0,
                                      static_cast<GLint>(i));
        const float color[] = {0.125f * static_cast<float>(i + 1), (i & 1) ? 1.f : 0.f, 0.5f, 1};
        glClearBufferfv(GL_COLOR, 0, color);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}
void cleared_slices() {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_3D, made);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA8, 64, 64, 4);
    clear_each(made, GL_TEXTURE_3D, 4);
    show(0, 1,
         "#version 310 es\nprecision highp float; precision highp sampler3D;\n"
         "uniform sampler3D picture; in vec2 at; out vec4 pixel;\n"
         "void main() { pixel = texture(picture, vec3(at, at.y)); }\n");
}
void cleared_faces() {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_CUBE_MAP, made);
    glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 64, 64);
    clear_each(made, GL_TEXTURE_CUBE_MAP, 6);
    show(-1.95f, 1.95f,
         "#version 310 es\nprecision highp float; uniform samplerCube picture; in vec2 at;\n"
         "out vec4 pixel; void main() { pixel = texture(picture, vec3(at.x, at.y * 1.07 + 0.011, "
         "at.x * at.y - 0.6)); }\n");
}
void layers() {
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D_ARRAY, made);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 16, 16, 4);
    for (int layer = 0; layer < 4; ++layer) {
        std::vector<unsigned char> data = checks(16, 16);
        for (std::size_t i = 0; i < data.size(); i += 4)
            data[i + 2] = static_cast<unsigned char>(60 * layer);
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, 16, 16, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        data.data());
    }
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    show(0, 1.99f,
         "#version 310 es\nprecision highp float; precision highp sampler2DArray;\n"
         "uniform sampler2DArray picture; in vec2 at; out vec4 pixel;\n"
         "void main() { pixel = texture(picture, vec3(fract(at), floor(at.x) + 2.0 * "
         "floor(at.y))); }\n");
}
void copied() {
    rectangle(-1, -1, 0.25f, 0.5f, 0, {1, 0.5f, 0, 1});
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint target = 0, frame = 0;
    glGenTextures(1, &target);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kWidth, kHeight);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(screen));
    glBlitFramebuffer(0, 0, 32, 32, 32, 32, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
}

/// A cube in perspective, turned about two axes, with a texture on each side and a depth buffer.
void textured_cube() {
    const auto turned = [](float x, float y, float z) {
        constexpr float kCosY = 0.8f, kSinY = 0.6f, kCosX = 0.923077f, kSinX = 0.384615f;
        const float x1 = kCosY * x + kSinY * z, z1 = kCosY * z - kSinY * x;
        const float y1 = kCosX * y - kSinX * z1, z2 = kCosX * z1 + kSinX * y;
        // Seen from (0, 0, 4), planes at 1 and 9.
        const float w = 4 - z2;
        return std::vector<float>{1.5f * x1, 1.5f * y1, 1.25f * w - 2.25f, w};
    };
    const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    std::vector<float> data;
    std::vector<unsigned> list;
    for (unsigned side = 0; side < 6; ++side) {
        const float out = side % 2 == 0 ? 1.0f : -1.0f;
        for (const auto& [u, v] : corners) {
            const std::vector<float> at = side / 2 == 0   ? turned(out, u, v)
                                          : side / 2 == 1 ? turned(u, out, v)
                                                          : turned(u, v, out);
            data.insert(data.end(), at.begin(), at.end());
            data.insert(data.end(), {0.53f + 0.45f * u, 0.52f + 0.46f * v});
        }
        for (const unsigned corner : {0u, 1u, 2u, 0u, 2u, 3u})
            list.push_back(4 * side + corner);
    }
    texture(8, 8, GL_NEAREST, GL_CLAMP_TO_EDGE);
    program(
        "#version 310 es\n"
        "layout(location=0) in vec4 position; layout(location=1) in vec2 place; out vec2 at;\n"
        "void main() { gl_Position = position; at = place; }\n",
        kRead);
    vertices({4, 2}, data);
    indices(list);
    glEnable(GL_DEPTH_TEST);
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(list.size()), GL_UNSIGNED_INT, nullptr);
    glDisable(GL_DEPTH_TEST);
}

}  // namespace

std::vector<Scene> textures() {
    return {
        {"nearest", "a texture", 0, nearest},
        {"linear", "bilinear filter", 1, linear},
        {"repeated", "wrap modes", 0, repeated},
        {"mipmaps", "levels, made by draws and chosen by derivatives", 2, mipmaps},
        {"fetched", "texelFetch", 0, fetched},
        {"drawn_into", "a target that is read as a texture", 1, drawn_into},
        {"cube", "a cube map", 0, cube},
        {"cleared_slices", "clears of a volume's slices", 1, cleared_slices},
        {"cleared_faces", "clears of a cube's faces", 1, cleared_faces},
        {"layers", "an array of textures", 0, layers},
        {"copied", "blits", 0, copied},
        {"textured_cube", "a cube in perspective with depth and textures", 0, textured_cube},
    };
}

}  // namespace scenes
