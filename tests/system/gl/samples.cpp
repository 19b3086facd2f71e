// SPDX-License-Identifier: Apache-2.0
// Pixels of several samples: four, which both drivers have.
#include <string>

#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

constexpr int kSide = kWidth / 2;
constexpr int kSamples = 4;

/// Binds a framebuffer of 32 x 32 pixels with four samples each while it lives.
class Multisampled {
  public:
    explicit Multisampled(GLenum format = GL_RGBA8, bool depth = false,
                          GLenum depth_format = GL_DEPTH24_STENCIL8) {
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen_);
        glGenFramebuffers(1, &frame_);
        glBindFramebuffer(GL_FRAMEBUFFER, frame_);
        glGenTextures(1, &color);
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, color);
        glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, kSamples, format, kSide, kSide,
                                  GL_TRUE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                               color, 0);
        if (depth) {
            glGenTextures(1, &this->depth);
            glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, this->depth);
            glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, kSamples, depth_format, kSide,
                                      kSide, GL_TRUE);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                                   GL_TEXTURE_2D_MULTISAMPLE, this->depth, 0);
        }
        glViewport(0, 0, kSide, kSide);
        const float background[] = {0.25f, 0.5f, 0.75f, 1};
        if (format == GL_R32UI) {
            const GLuint zero[4] = {};
            glClearBufferuiv(GL_COLOR, 0, zero);
        } else {
            glClearBufferfv(GL_COLOR, 0, background);
        }
        if (depth) glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
    }
    ~Multisampled() { leave(); }
    Multisampled(const Multisampled&) = delete;
    Multisampled& operator=(const Multisampled&) = delete;

    void leave() const {
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen_));
        glViewport(0, 0, kWidth, kHeight);
    }
    GLuint frame() const { return frame_; }
    GLuint screen() const { return static_cast<GLuint>(screen_); }
    GLuint color = 0, depth = 0;

  private:
    GLint screen_ = 0;
    GLuint frame_ = 0;
};

constexpr char kCorners[] =
    "#version 320 es\nlayout(location=0) in vec2 position;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); }\n";

void whole() {
    vertices({2}, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// Each sample's picture in a quarter of the screen. `value`: GLSL that makes a vec4 of `texel`.
void show_samples(GLuint texture, const char* sampler = "sampler2DMS",
                  const char* value = "vec4(texel.rgb, 1.0)") {
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    const std::string fragment =
        std::string("#version 320 es\nprecision highp float; precision highp int;\n") +
        "uniform highp " + sampler +
        " t; out vec4 pixel;\n"
        "void main() { ivec2 at = ivec2(gl_FragCoord.xy); int s = at.x / 32 + at.y / 32 * 2;\n"
        "highp " +
        (sampler[0] == 'u' ? "uvec4" : "vec4") +
        " texel = texelFetch(t, at % 32, s); pixel = " + value + "; }\n";
    program(kCorners, fragment.c_str());
    whole();
}

void some_triangles() {
    triangles({-0.9f, -0.8f, 0,     1,      0,    0,     1, 0.8f, -0.55f, 0,    1,     0,     0,
               1,     -0.3f, 0.9f,  0,      1,    0,     0, 1,    0.95f,  0.9f, 0,     0,     1,
               0.2f,  1,     -0.2f, 0.1f,   0,    0,     1, 0.2f, 1,      0.9f, 0.0f,  0,     0,
               1,     0.2f,  1,     -0.97f, 0.3f, 0,     0, 0,    1,      1,    -0.9f, 0.33f, 0,
               0,     0,     1,     1,      0.4f, -0.9f, 0, 0,    0,      1,    1});
}

void samples_edges() {
    Multisampled target;
    some_triangles();
    target.leave();
    show_samples(target.color);
}
void samples_resolved() {
    Multisampled target;
    some_triangles();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.screen());
    glBlitFramebuffer(3, 5, 29, 27, 3, 5, 29, 27, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
void samples_cleared() {
    Multisampled target;
    target.leave();
    show_samples(target.color);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.frame());
    glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
/// Planes that cross within pixels: each sample decides for itself.
void samples_depth() {
    Multisampled target(GL_RGBA8, true);
    glEnable(GL_DEPTH_TEST);
    triangles({-1,    -1,    -0.9f, 1, 0, 0, 1, 1,    -1, 0.83f, 1, 0, 0, 1,
               -0.8f, 0.9f,  0.77f, 1, 0, 0, 1, 1,    -1, -0.7f, 0, 0, 1, 1,
               -1,    -0.9f, 0.71f, 0, 0, 1, 1, 0.7f, 1,  -0.8f, 0, 0, 1, 1});
    glDisable(GL_DEPTH_TEST);
    target.leave();
    show_samples(target.color);
}
void samples_depth_texture() {
    Multisampled target(GL_RGBA8, true);
    glEnable(GL_DEPTH_TEST);
    triangles(
        {-1, -1, -0.9f, 1, 0, 0, 1, 1, -1, 0.83f, 1, 0, 0, 1, -0.8f, 0.9f, 0.77f, 1, 0, 0, 1});
    glDisable(GL_DEPTH_TEST);
    target.leave();
    show_samples(target.depth, "sampler2DMS", "vec4(fract(texel.r * 4.0), texel.r, 0.0, 1.0)");
}
void samples_stencil() {
    Multisampled target(GL_RGBA8, true);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    some_triangles();
    glStencilFunc(GL_EQUAL, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    rectangle(-1, -1, 1, 1, 0, {1, 1, 0, 1});
    glStencilFunc(GL_EQUAL, 2, 0xFF);
    rectangle(-1, -1, 1, 1, 0, {0, 1, 1, 1});
    glDisable(GL_STENCIL_TEST);
    target.leave();
    show_samples(target.color);
}
void samples_stencil_texture() {
    Multisampled target(GL_RGBA8, true);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    some_triangles();
    glDisable(GL_STENCIL_TEST);
    target.leave();
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, target.depth);
    glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    show_samples(target.depth, "usampler2DMS", "vec4(float(texel.r) / 3.0, 0.0, 0.0, 1.0)");
}
void samples_masked() {
    Multisampled target;
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 5);
    rectangle(-0.9f, -0.9f, 0.3f, 0.4f, 0, {1, 0, 0, 1});
    glSampleMaski(0, 10);
    rectangle(-0.3f, -0.4f, 0.9f, 0.9f, 0, {0, 1, 0, 1});
    glSampleMaski(0, 0);
    rectangle(-1, -1, 1, 1, 0, {1, 1, 1, 1});
    glSampleMaski(0, ~0u);
    glDisable(GL_SAMPLE_MASK);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0, GL_FALSE);
    rectangle(-1, -1, 1, 0, 0, {1, 1, 1, 1});
    glSampleCoverage(0, GL_TRUE);
    rectangle(-1, 0.7f, 1, 0.9f, 0, {0, 0, 0, 1});
    glDisable(GL_SAMPLE_COVERAGE);
    target.leave();
    show_samples(target.color);
}
void sample_mask_written() {
    Multisampled target;
    program(kCorners,
            "#version 320 es\nprecision highp float; precision highp int; out vec4 pixel;\n"
            "void main() { ivec2 at = ivec2(gl_FragCoord.xy);\n"
            "gl_SampleMask[0] = (at.x + 4 * at.y) & 15; pixel = vec4(1.0, 0.0, 0.0, 1.0); }\n");
    whole();
    target.leave();
    show_samples(target.color);
}
/// The samples of a pixel that each triangle covers, as a colour.
void sample_mask_read() {
    Multisampled target;
    program(kCorners,
            "#version 320 es\nprecision highp float; precision highp int; out vec4 pixel;\n"
            "void main() { pixel = vec4(float(gl_SampleMaskIn[0]) / 15.0, 0.0, 0.0, 1.0); }\n");
    vertices({2}, {-0.9f, -0.8f, 0.8f, -0.55f, -0.3f, 0.9f, 0.95f, 0.9f, -0.2f, 0.1f, 0.9f, 0.0f});
    glDrawArrays(GL_TRIANGLES, 0, 6);
    target.leave();
    show_samples(target.color);
}
void sample_ids() {
    Multisampled target;
    program(kCorners,
            "#version 320 es\nprecision highp float; out vec4 pixel;\n"
            "void main() { pixel = vec4(float(gl_SampleID) / 3.0, gl_SamplePosition, 1.0); }\n");
    vertices({2}, {-0.9f, -0.8f, 0.8f, -0.55f, -0.3f, 0.9f});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    target.leave();
    show_samples(target.color);
}
/// Inside of the triangle everywhere: what a centroid is for.
void varying_of_centroids() {
    Multisampled target;
    program(
        "#version 320 es\nlayout(location=0) in vec2 position; layout(location=1) in vec3 weight;\n"
        "centroid out vec3 w; void main() { gl_Position = vec4(position, 0.0, 1.0); w = weight; "
        "}\n",
        "#version 320 es\nprecision highp float; centroid in vec3 w; out vec4 pixel;\n"
        "void main() { pixel = all(greaterThan(w, vec3(-0.001))) ? vec4(0.0, 1.0, 0.0, 1.0)\n"
        ": vec4(1.0, 0.0, 0.0, 1.0); }\n");
    vertices({2, 3}, {-0.9f, -0.8f, 1, 0, 0, 0.8f, -0.55f, 0, 1, 0, -0.3f, 0.9f, 0, 0, 1});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    target.leave();
    show_samples(target.color);
}
void through(GLenum format, const char* value, const char* sampler = "sampler2DMS",
             const char* shown = "vec4(texel.rgb, 1.0)", const char* type = "vec4") {
    Multisampled target(format);
    const std::string fragment =
        std::string("#version 320 es\nprecision highp float; precision highp int;\nout ") + type +
        " pixel; void main() { vec2 at = floor(gl_FragCoord.xy) / 31.0; pixel = " + value + "; }\n";
    program(kCorners, fragment.c_str());
    vertices({2}, {-0.9f, -0.8f, 0.8f, -0.55f, -0.3f, 0.9f});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    target.leave();
    show_samples(target.color, sampler, shown);
}
void samples_r8() {
    through(GL_R8, "vec4(at.x)");
}
void samples_rgb565() {
    through(GL_RGB565, "vec4(at, 0.5, 1.0)");
}
void samples_rgba16f() {
    through(GL_RGBA16F, "vec4(at, 0.5, 1.0)");
}
void samples_rgb10_a2() {
    through(GL_RGB10_A2, "vec4(at, 0.5, 1.0)");
}
void samples_r32ui() {
    through(GL_R32UI, "uvec4(at * 255.0, 0, 0)", "usampler2DMS",
            "vec4(float(texel.r) / 255.0, 0.0, 0.0, 1.0)", "uvec4");
}
void samples_srgb() {
    through(GL_SRGB8_ALPHA8, "vec4(at, 0.5, 1.0)");
}
void samples_blended() {
    Multisampled target;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    some_triangles();
    glDisable(GL_BLEND);
    target.leave();
    show_samples(target.color);
}
/// Layers of an array, each with its samples.
void samples_of_layers() {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint frame = 0, texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, texture);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, kSamples, GL_RGBA8, kSide, kSide, 3,
                              GL_TRUE);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glViewport(0, 0, kSide, kSide);
    for (int layer = 0; layer < 3; ++layer) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        glClear(GL_COLOR_BUFFER_BIT);
        const float at = 0.3f * static_cast<float>(layer);
        triangles({-0.9f + at, -0.8f, 0, 1,     at,   0, 1, 0.8f, -0.55f, 0, 1,
                   at,         0,     1, -0.3f, 0.9f, 0, 1, at,   0,      1});
    }
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    glViewport(0, 0, kWidth, kHeight);
    program(kCorners,
            "#version 320 es\nprecision highp float; precision highp int;\n"
            "uniform highp sampler2DMSArray t; out vec4 pixel;\n"
            "void main() { ivec2 at = ivec2(gl_FragCoord.xy); int l = at.x / 32 + at.y / 32;\n"
            "pixel = texelFetch(t, ivec3(at % 32, l), (at.x + at.y) & 3); }\n");
    whole();
}
void copy(GLuint from, GLuint to) {
    glCopyImageSubData(from, GL_TEXTURE_2D_MULTISAMPLE, 0, 0, 0, 0, to, GL_TEXTURE_2D_MULTISAMPLE,
                       0, 0, 0, 0, kSide, kSide, 1);
}
void samples_copied() {
    Multisampled from(GL_RGBA8, true);
    some_triangles();
    Multisampled to(GL_RGBA8, true);
    copy(from.color, to.color);
    from.leave();
    show_samples(to.color);
}
void depth_copied() {
    Multisampled from(GL_RGBA8, true);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 3, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    triangles(
        {-1, -1, -0.9f, 1, 0, 0, 1, 1, -1, 0.83f, 1, 0, 0, 1, -0.8f, 0.9f, 0.77f, 1, 0, 0, 1});
    glDisable(GL_STENCIL_TEST);
    Multisampled to(GL_RGBA8, true);
    copy(from.depth, to.depth);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 3, 0xFF);
    rectangle(-1, -1, 1, 1, 0.1f, {1, 1, 0, 1});
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    from.leave();
    show_samples(to.color);
}
/// No attachment: samples are counted by what shaders do.
void without_attachments() {
    GLint screen = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &screen);
    GLuint frame = 0, image = 0;
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSide, kSide);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, kSide);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, kSide);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, kSamples);
    glViewport(0, 0, kSide, kSide);
    program(kCorners,
            "#version 320 es\nprecision highp float; precision highp int;\n"
            "layout(rgba8, binding=0) writeonly uniform highp image2D i;\n"
            "void main() { imageStore(i, ivec2(gl_FragCoord.xy),\n"
            "vec4(float(gl_SampleMaskIn[0]) / 15.0, float(gl_NumSamples) / 4.0, 0.0, 1.0)); }\n");
    vertices({2}, {-0.9f, -0.8f, 0.8f, -0.55f, -0.3f, 0.9f});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
    glViewport(0, 0, kWidth, kHeight);
    program(kCorners,
            "#version 320 es\nprecision highp float; uniform sampler2D t; out vec4 pixel;\n"
            "void main() { pixel = vec4(texelFetch(t, ivec2(gl_FragCoord.xy) / 2, 0).rg, 0.0, "
            "1.0); }\n");
    whole();
}
/// Covered by all samples' alpha or none: what lies between is the driver's own.
void alpha_to_coverage() {
    Multisampled target;
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    rectangle(-0.8f, -0.8f, 0.4f, 0.4f, 0, {1, 0, 0, 1});
    rectangle(-0.4f, -0.4f, 0.8f, 0.8f, 0, {0, 1, 0, 0});
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    target.leave();
    show_samples(target.color);
}
/// Samples that a query counts.
void samples_counted() {
    GLuint query = 0;
    glGenQueries(1, &query);
    bool hidden = false, seen = false;
    {
        Multisampled target(GL_RGBA8, true);
        glEnable(GL_DEPTH_TEST);
        rectangle(-1, -1, 1, 1, -0.5f, {1, 0, 0, 1});
        GLuint result = 2;
        glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
        rectangle(-1, -1, 1, 1, 0, {1, 0, 0, 1});
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
        hidden = result == 0;
        glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
        // A sliver between centres of pixels, which a sample lies in.
        rectangle(-0.99f, -1, -0.97f, 1, -0.7f, {0, 1, 0, 1});
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
        seen = result == 1;
        glDisable(GL_DEPTH_TEST);
    }
    rectangle(-0.5f, -0.5f, 0.5f, 0.5f, 0, {hidden ? 1.f : 0.f, seen ? 1.f : 0.f, 0, 1});
}
void lines_and_points() {
    Multisampled target;
    glLineWidth(3);
    draw_plain(GL_LINES, {-0.9f, -0.7f, 0, 1, 0, 0, 1, 0.8f, 0.2f, 0, 1, 0, 0, 1});
    glLineWidth(1);
    draw_plain(GL_POINTS, {-0.5f, 0.53f, 0, 0, 1, 0, 1, 0.41f, -0.6f, 0, 0, 0, 1, 1});
    target.leave();
    show_samples(target.color);
}

}  // namespace

std::vector<Scene> samples() {
    return {
        {"samples_edges", "coverage of each sample", 0, samples_edges},
        {"samples_resolved", "samples averaged by a blit", 1, samples_resolved},
        {"samples_cleared", "a fast clear of all samples", 0, samples_cleared},
        {"samples_depth", "each sample has its depth", 0, samples_depth},
        {"samples_depth_texture", "each sample's depth in a shader", 1, samples_depth_texture},
        {"samples_stencil", "each sample has its stencil", 0, samples_stencil},
        {"samples_stencil_texture", "each sample's stencil in a shader", 0,
         samples_stencil_texture},
        {"samples_masked", "masks of samples", 0, samples_masked},
        {"sample_mask_written", "a mask of samples made by a shader", 0, sample_mask_written},
        {"sample_mask_read", "the samples that are covered", 0, sample_mask_read},
        {"sample_ids", "a shader for each sample", 1, sample_ids},
        {"varying_of_centroids", "interpolation within the triangle", 0, varying_of_centroids},
        {"samples_r8", "samples of 8 bits", 1, samples_r8},
        {"samples_rgb565", "samples of 16 bits", 8, samples_rgb565},
        {"samples_rgba16f", "samples of 64 bits", 1, samples_rgba16f},
        {"samples_rgb10_a2", "samples of 10 bits a channel", 1, samples_rgb10_a2},
        {"samples_r32ui", "samples that are integers", 0, samples_r32ui},
        {"samples_srgb", "samples in sRGB", 2, samples_srgb},
        {"samples_blended", "each sample blends", 1, samples_blended},
        {"samples_of_layers", "samples of layers", 1, samples_of_layers},
        {"samples_copied", "a copy of all samples", 0, samples_copied},
        {"depth_copied", "a copy of all depths and stencils", 0, depth_copied},
        {"without_attachments", "samples of no target", 0, without_attachments},
        {"alpha_to_coverage", "alpha to coverage", 0, alpha_to_coverage},
        {"samples_counted", "a query of samples", 0, samples_counted},
        {"lines_and_points", "lines and points of several samples", 0, lines_and_points},
    };
}

}  // namespace scenes
