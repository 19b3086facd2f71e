// SPDX-License-Identifier: Apache-2.0
/// gl_samples COUNT FOLDER < TRIANGLES: draws triangles into pixels of COUNT samples by OpenGL, in
/// several ways, and writes FOLDER/WAY: the RGBA bytes of each sample's picture, 32 x 32 from below,
/// one behind the other. `resolved` is one picture: their average by a blit. A line of TRIANGLES has
/// x and y of three places in 1/256 pixel, three depths of 1/65536, and a colour of three bytes.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/gl/context.h"
#include "tests/system/gl/scene.h"

namespace {

using scenes::fail;

constexpr int kSide = 32;
// Of desktop OpenGL.
constexpr GLenum kMultisample = 0x809D, kAlphaToOne = 0x809F;

int samples = 4;
GLuint frame = 0, color = 0, depth = 0, shown_frame = 0;
std::vector<std::array<int, 12>> triangles;

GLuint texture_of_samples(GLenum format) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, format, kSide, kSide, GL_TRUE);
    return texture;
}

void attach(GLuint texture, GLenum target) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("a framebuffer is not complete");
}

void make_targets() {
    color = texture_of_samples(GL_RGBA8);
    depth = texture_of_samples(GL_DEPTH24_STENCIL8);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    attach(color, GL_TEXTURE_2D_MULTISAMPLE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D_MULTISAMPLE,
                           depth, 0);
    GLuint shown = 0;
    glGenTextures(1, &shown);
    glBindTexture(GL_TEXTURE_2D, shown);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSide, kSide);
    glGenFramebuffers(1, &shown_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, shown_frame);
    attach(shown, GL_TEXTURE_2D);
    glViewport(0, 0, kSide, kSide);
    glDisable(GL_DITHER);
}

void append_picture(std::vector<unsigned char>& to) {
    const std::size_t at = to.size();
    to.resize(at + std::size_t{4} * kSide * kSide);
    glBindFramebuffer(GL_FRAMEBUFFER, shown_frame);
    glReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, to.data() + at);
}

void write(const std::string& file, const std::vector<unsigned char>& bytes) {
    if (const GLenum error = glGetError()) fail(file + ": GL error " + std::to_string(error));
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

constexpr char kCorners[] =
    "#version 450\nlayout(location=0) in vec2 position;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); }\n";

/// Each sample of `texture` is drawn, and its picture read.
void write_samples(const std::string& file, GLuint texture) {
    std::vector<unsigned char> bytes;
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    const GLuint shows =
        scenes::program(kCorners,
                        "#version 450\nuniform sampler2DMS t; uniform int s; out vec4 pixel;\n"
                        "void main() { pixel = texelFetch(t, ivec2(gl_FragCoord.xy), s); }\n");
    scenes::vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    for (int s = 0; s < samples; ++s) {
        glBindFramebuffer(GL_FRAMEBUFFER, shown_frame);
        glUniform1i(glGetUniformLocation(shows, "s"), s);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        append_picture(bytes);
    }
    write(file, bytes);
}

enum class Varyings { Plain, Sample, Centroid };

/// `body`: of a fragment shader that makes `pixel`. It has `shade`, the triangle's colour, `at`, the
/// place in 1/32 of the picture, and `flat_at`, the same without perspective.
void draw(const char* body, Varyings varyings = Varyings::Plain, const char* out = "out",
          bool layered = false) {
    const char* const qualifier = varyings == Varyings::Sample     ? "sample "
                                  : varyings == Varyings::Centroid ? "centroid "
                                                                   : "";
    const std::string vertex =
        std::string("#version 450\n") +
        (layered ? "#extension GL_ARB_shader_viewport_layer_array : require\n" : "") +
        "layout(location=0) in vec4 position; " +
        "layout(location=1) in vec3 color; flat out vec3 shade; " + qualifier +
        "out vec2 at; noperspective " + qualifier +
        "out vec2 flat_at;\nvoid main() { gl_Position = position;\n"
        "at = flat_at = position.xy / position.w * 16.0 + 16.0; shade = color;\n" +
        (layered ? "gl_Layer = gl_VertexID / 3 % 3; }\n" : "}\n");
    const std::string fragment =
        std::string("#version 450\n") +
        (out[0] == 'i' ? "#extension GL_EXT_shader_framebuffer_fetch : require\n" : "") +
        "flat in vec3 shade; " + qualifier + "in vec2 at; noperspective " + qualifier +
        "in vec2 flat_at; " + out + " vec4 pixel;\nvoid main() { " + body + " }\n";
    scenes::program(vertex.c_str(), fragment.c_str());
    std::vector<float> data;
    float w = 1;
    for (const auto& t : triangles)
        for (unsigned corner = 0; corner < 3; ++corner) {
            const float x = static_cast<float>(t[2 * corner]) / 4096 - 1,
                        y = static_cast<float>(t[2 * corner + 1]) / 4096 - 1,
                        z = static_cast<float>(t[6 + corner]) / 32768 - 1;
            data.insert(data.end(), {x * w, y * w, z * w, w});
            for (unsigned c = 0; c < 3; ++c)
                data.push_back(static_cast<float>(t[9 + c]) / 255);
            w = w == 4 ? 1 : 2 * w;
        }
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    const float background[] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, background);
    if (!layered) glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
    scenes::vertices({4, 3}, data);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * triangles.size()));
}

constexpr char kShade[] = "pixel = vec4(shade, 1.0);";
// What is left of a pixel, and the whole pixels, as bytes.
constexpr char kPlace[] = "vec2 p = PLACE; pixel = vec4(fract(p), floor(p) / 255.0);";
std::string place(const std::string& value) {
    std::string body = kPlace;
    return body.replace(body.find("PLACE"), 5, value);
}

/// Each triangle into the next of three layers; their samples, layer by layer.
void draw_layers(const std::string& folder) {
    constexpr int kLayers = 3;
    GLuint layers = 0;
    glGenTextures(1, &layers);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, layers);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, samples, GL_RGBA8, kSide, kSide,
                              kLayers, GL_TRUE);
    GLuint of_layers = 0;
    glGenFramebuffers(1, &of_layers);
    glBindFramebuffer(GL_FRAMEBUFFER, of_layers);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, layers, 0);
    const GLuint plain = std::exchange(frame, of_layers);
    draw(kShade, Varyings::Plain, "out", true);
    frame = plain;
    std::vector<unsigned char> bytes;
    const GLuint shows = scenes::program(
        kCorners,
        "#version 450\nuniform sampler2DMSArray t; uniform int s; uniform int l; out vec4 pixel;\n"
        "void main() { pixel = texelFetch(t, ivec3(gl_FragCoord.xy, l), s); }\n");
    scenes::vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    for (int l = 0; l < kLayers; ++l)
        for (int s = 0; s < samples; ++s) {
            glBindFramebuffer(GL_FRAMEBUFFER, shown_frame);
            glUniform1i(glGetUniformLocation(shows, "s"), s);
            glUniform1i(glGetUniformLocation(shows, "l"), l);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            append_picture(bytes);
        }
    write(folder + "layers", bytes);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: gl_samples COUNT FOLDER < TRIANGLES\n");
        return 2;
    }
    samples = std::atoi(argv[1]);
    const std::string folder = std::string(argv[2]) + "/";
    for (std::array<int, 12> t;;) {
        for (int& value : t)
            if (!(std::cin >> value)) value = -1 << 30;
        if (!std::cin) break;
        triangles.push_back(t);
    }
    scenes::open_context(EGL_OPENGL_API, 4, 5);
    make_targets();

    draw(kShade);
    write_samples(folder + "covered", color);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shown_frame);
    glBlitFramebuffer(0, 0, kSide, kSide, 0, 0, kSide, kSide, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    std::vector<unsigned char> average;
    append_picture(average);
    write(folder + "resolved", average);
    // All samples as they are, into another target.
    const GLuint other = texture_of_samples(GL_RGBA8);
    GLuint other_frame = 0;
    glGenFramebuffers(1, &other_frame);
    glBindFramebuffer(GL_FRAMEBUFFER, other_frame);
    attach(other, GL_TEXTURE_2D_MULTISAMPLE);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    glBlitFramebuffer(0, 0, kSide, kSide, 0, 0, kSide, kSide, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    write_samples(folder + "copied", other);

    glEnable(GL_DEPTH_TEST);
    draw(kShade);
    glDisable(GL_DEPTH_TEST);
    write_samples(folder + "depth", color);
    write_samples(folder + "depth_values", depth);

    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 0xA5C6);
    draw(kShade);
    glSampleMaski(0, ~0u);
    glDisable(GL_SAMPLE_MASK);
    write_samples(folder + "masked", color);

    draw(
        "gl_SampleMask[0] = int(gl_FragCoord.x) * 2111 + int(gl_FragCoord.y) * 9973;"
        "pixel = vec4(shade, 1.0);");
    write_samples(folder + "mask_written", color);
    draw("pixel = vec4(gl_SampleMaskIn[0] & 255, gl_SampleMaskIn[0] >> 8, 0, 255) / 255.0;");
    write_samples(folder + "mask_read", color);
    draw("pixel = vec4(gl_SampleID * 16, gl_SamplePosition * 128.0, 255) / 255.0;");
    write_samples(folder + "ids", color);

    glDisable(kMultisample);
    draw(kShade);
    glEnable(kMultisample);
    write_samples(folder + "whole_pixels", color);

    for (const bool to_one : {false, true}) {
        glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        if (to_one) glEnable(kAlphaToOne);
        draw("pixel = vec4(shade, floor(gl_FragCoord.x) / 31.0);");
        glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        glDisable(kAlphaToOne);
        write_samples(folder + (to_one ? "alpha_to_one" : "alpha"), color);
    }

    draw(place("at").c_str(), Varyings::Sample);
    write_samples(folder + "at_sample", color);
    draw(place("flat_at").c_str(), Varyings::Sample);
    write_samples(folder + "flat_at_sample", color);
    draw(place("at").c_str(), Varyings::Centroid);
    write_samples(folder + "at_centroid", color);
    draw(place("at").c_str());
    write_samples(folder + "at_pixel", color);
    draw(place("interpolateAtSample(at, 1)").c_str());
    write_samples(folder + "asked_sample", color);
    draw(place("interpolateAtSample(flat_at, gl_SampleID)").c_str());
    write_samples(folder + "asked_each_sample", color);
    draw(place("interpolateAtCentroid(at)").c_str());
    write_samples(folder + "asked_centroid", color);
    draw(place("interpolateAtOffset(at, vec2(-0.25, 0.375))").c_str());
    write_samples(folder + "asked_offset", color);
    draw(place("interpolateAtOffset(flat_at, vec2(mod(floor(gl_FragCoord.x), 16.0) - 8.0,"
               "mod(floor(gl_FragCoord.y) * 3.0, 16.0) - 8.0) / 16.0)")
             .c_str());
    write_samples(folder + "asked_own_offset", color);

    glEnable(GL_SAMPLE_SHADING);
    glMinSampleShading(1);
    draw(place("at").c_str());
    glDisable(GL_SAMPLE_SHADING);
    write_samples(folder + "shaded_samples", color);

    // What is there comes to the shader, which turns its channels round.
    draw("pixel = vec4(pixel.b, shade.g, shade.r, 1.0);", Varyings::Plain, "inout");
    write_samples(folder + "fetched", color);
    draw_layers(folder);
}
