// SPDX-License-Identifier: Apache-2.0
/// Textures in compute shaders of OpenGL ES 3.1: shaders fill them by image stores, others read
/// them by the sampler. What is read is written into files, so that the same program on another
/// driver tells what is right.
///
///   egl_textures DRIVER RESULTS SEED
///
/// DRIVER: a word of the renderer's name; RESULTS: a folder for a file of 32 bit words for each
/// case.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "tests/system/drm/mesa/gl_machine.h"

namespace {

using namespace gl;

constexpr std::uint32_t kRandom = 4096, kReads = 2048;

struct Format {
    const char* name;
    GLenum format;
    const char *kind, *value, *bits;  ///< of the sampler and the image; stored; of what was read
};
constexpr const char *kFloats = "floatBitsToUint", *kBytes = "vec4(v & 255u) * (1.0 / 255.0)",
                     *kHalves = "vec4(v & 255u) / 256.0";
constexpr Format kRgba8{"rgba8", GL_RGBA8, "", kBytes, kFloats},
    kHalf{"rgba16f", GL_RGBA16F, "", kHalves, kFloats};
constexpr Format kFormats[] = {kRgba8,
                               kHalf,
                               {"rgba8_snorm", GL_RGBA8_SNORM, "", kBytes, kFloats},
                               {"rgba32f", GL_RGBA32F, "", kHalves, kFloats},
                               {"r32f", GL_R32F, "", kHalves, kFloats},
                               {"rgba8ui", GL_RGBA8UI, "u", "v & 127u", "uvec4"},
                               {"rgba16i", GL_RGBA16I, "i", "ivec4(v & 0x7FFFu)", "uvec4"},
                               {"rgba32ui", GL_RGBA32UI, "u", "v", "uvec4"},
                               {"r32i", GL_R32I, "i", "ivec4(v)", "uvec4"}};

struct Shape {
    GLenum target;
    const char *name, *place;  ///< the type's, and the texel's as a function of `at`
    GLsizei width, height, depth, levels;
};
constexpr Shape kPlane{GL_TEXTURE_2D, "2D", "at.xy", 64, 32, 1, 1},
    kOdd{GL_TEXTURE_2D, "2D", "at.xy", 61, 27, 1, 1},
    kLevels{GL_TEXTURE_2D, "2D", "at.xy", 64, 32, 1, 4},
    kVolume{GL_TEXTURE_3D, "3D", "at", 16, 8, 8, 1},
    kArray{GL_TEXTURE_2D_ARRAY, "2DArray", "at", 32, 16, 6, 1};

/// Random texels in all levels of a new texture, which is bound.
void fill(const Format& format, const Shape& shape, unsigned& dispatches) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(shape.target, texture);
    if (shape.depth > 1)
        glTexStorage3D(shape.target, shape.levels, format.format, shape.width, shape.height,
                       shape.depth);
    else
        glTexStorage2D(shape.target, shape.levels, format.format, shape.width, shape.height);
    const GLuint program = build(
        "layout(local_size_x = 64) in; uniform uvec3 size; uniform uint first;\n"
        "layout(std430, binding = 0) readonly buffer A { uint from[]; };\n"
        "layout(" +
        std::string(format.name) + ", binding = 0) writeonly uniform highp " + format.kind +
        "image" + shape.name +
        " to;\n"
        "void main() { uint i = gl_GlobalInvocationID.x;\n"
        "  ivec3 at = ivec3(i % size.x, i / size.x % size.y, i / size.x / size.y);\n"
        "  if (uint(at.z) >= size.z) return;\n"
        "  uvec4 v; for (uint c = 0u; c < 4u; ++c) v[c] = from[(4u * i + c + first) % 4096u];\n"
        "  imageStore(to, " +
        shape.place + ", " + format.value + "); }");
    for (GLint level = 0; level < shape.levels; ++level) {
        const bool volume = shape.target == GL_TEXTURE_3D;
        const GLsizei width = std::max(1, shape.width >> level),
                      height = std::max(1, shape.height >> level),
                      depth = volume ? std::max(1, shape.depth >> level) : shape.depth;
        glUniform3ui(glGetUniformLocation(program, "size"), static_cast<GLuint>(width),
                     static_cast<GLuint>(height), static_cast<GLuint>(depth));
        glUniform1ui(glGetUniformLocation(program, "first"), static_cast<GLuint>(99 * level));
        glBindImageTexture(0, texture, level, GL_TRUE, 0, GL_WRITE_ONLY, format.format);
        glDispatchCompute(static_cast<GLuint>(width * height * depth + 63) / 64, 1, 1);
        ++dispatches;
    }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

/// What `look` gives of the bound texture for random words: `at` is a texel's place in level 0;
/// `point` lies in the middle between 16ths of a texel, up to one size beyond the texture.
Words read(const Format& format, const Shape& shape, const std::string& look,
           unsigned& dispatches) {
    const GLuint program = build(
        "precision highp float; layout(local_size_x = 64) in; uniform uvec3 size;\n"
        "layout(std430, binding = 0) readonly buffer A { uint from[]; };\n"
        "layout(std430, binding = 1) buffer B { uvec4 to[]; };\n"
        "uniform highp " +
        std::string(format.kind) + "sampler" + shape.name +
        " texels;\n"
        "void main() { uint i = gl_GlobalInvocationID.x;\n"
        "  uvec3 v; for (uint c = 0u; c < 3u; ++c) v[c] = from[(i + c) % 4096u];\n"
        "  ivec3 at = ivec3(v % size);\n"
        "  vec3 point = ((2.0 * vec3(v % (48u * size)) + 1.0) / 32.0 - vec3(size)) / vec3(size);\n"
        "  float level = float(from[(i + 3u) % 4096u] % 64u) / 16.0, layer = float(at.z);\n"
        "  to[i] = " +
        format.bits + "(" + look + "); }");
    glUniform3ui(glGetUniformLocation(program, "size"), static_cast<GLuint>(shape.width),
                 static_cast<GLuint>(shape.height), static_cast<GLuint>(shape.depth));
    give(1, Words(4 * kReads));
    glDispatchCompute(kReads / 64, 1, 1);
    ++dispatches;
    return take(4 * kReads);
}

void filter(const Shape& shape, GLenum nearby, GLenum outside) {
    const bool linear = nearby == GL_LINEAR;
    glTexParameteri(shape.target, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(nearby));
    glTexParameteri(shape.target, GL_TEXTURE_MIN_FILTER,
                    shape.levels > 1
                        ? (linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_NEAREST)
                        : static_cast<GLint>(nearby));
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTexParameteri(shape.target, axis, static_cast<GLint>(outside));
}

}  // namespace

int main(int count, char** values) {
    if (count != 4) return 2;
    start(values[1]);
    std::mt19937 random(static_cast<unsigned>(std::atoi(values[3])));
    Words data(kRandom);
    for (auto& word : data)
        word = static_cast<std::uint32_t>(random());
    give(0, data);
    unsigned dispatches = 0;
    bool written = true;
    const auto leave = [&](const std::string& name, const Words& words) {
        std::ofstream file(std::string(values[2]) + "/" + name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));
        written = written && file.good() && glGetError() == GL_NO_ERROR;
    };
    for (const Format& format : kFormats) {
        fill(format, kOdd, dispatches);
        filter(kOdd, GL_NEAREST, GL_REPEAT);
        leave(std::string("fetch.") + format.name,
              read(format, kOdd, "texelFetch(texels, at.xy, 0)", dispatches));
    }
    constexpr std::pair<const char*, GLenum> kOutside[] = {
        {"repeat", GL_REPEAT}, {"mirror", GL_MIRRORED_REPEAT}, {"edge", GL_CLAMP_TO_EDGE}};
    for (const Format& format : {kRgba8, kHalf}) {
        fill(format, kPlane, dispatches);
        for (const auto& [name, outside] : kOutside)
            for (const GLenum nearby : {GL_NEAREST, GL_LINEAR}) {
                filter(kPlane, nearby, outside);
                leave(std::string("sample.") + format.name + "." + name +
                          (nearby == GL_LINEAR ? ".linear" : ".nearest"),
                      read(format, kPlane, "textureLod(texels, point.xy, 0.0)", dispatches));
            }
    }
    const struct {
        const char* name;
        Format format;
        Shape shape;
        const char* look;
    } looks[] = {
        {"gather", kRgba8, kPlane, "textureGather(texels, point.xy, 1)"},
        {"offset", kRgba8, kPlane, "textureLodOffset(texels, point.xy, 0.0, ivec2(-3, 5))"},
        {"levels", kRgba8, kLevels, "textureLod(texels, point.xy, level)"},
        {"fetch_level", kRgba8, kLevels, "texelFetch(texels, at.xy >> 2, 2)"},
        {"volume", kRgba8, kVolume, "textureLod(texels, point, 0.0)"},
        {"array", kHalf, kArray, "textureLod(texels, vec3(point.xy, layer), 0.0)"}};
    for (const auto& [name, format, shape, look] : looks) {
        fill(format, shape, dispatches);
        filter(shape, GL_LINEAR, GL_REPEAT);
        leave(std::string("sample.") + name, read(format, shape, look, dispatches));
    }
    std::printf("%u dispatches\n", dispatches);
    return written ? 0 : 1;
}
