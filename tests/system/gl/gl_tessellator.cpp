// SPDX-License-Identifier: Apache-2.0
/// gl_tessellator PATCHES: random factors, tessellated by Mesa's driver for the processor (captured by
/// transform feedback) and by the model's tessellator: the same points and the same objects, bit for
/// bit. Says which driver it was.
#include <GLES3/gl32.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "geometry/tessellator.h"
#include "tests/system/gl/context.h"

namespace {

using scenes::fail;
using namespace gen9::geometry;

void attach(GLuint program, GLenum kind, const std::string& text) {
    const GLuint shader = glCreateShader(kind);
    const char* const source = text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) fail("a shader does not compile: " + text);
    glAttachShader(program, shader);
}

void use_program(const TessellatorState& state) {
    static const char* const kDomains[] = {"quads", "triangles", "isolines"};
    static const char* const kSpacings[] = {"equal_spacing", "fractional_odd_spacing",
                                            "fractional_even_spacing"};
    std::string layout = kDomains[static_cast<unsigned>(state.domain)];
    layout += std::string(", ") + kSpacings[static_cast<unsigned>(state.partitioning)];
    // GL's origin is below, the tessellator's "clockwise" is meant with v downwards.
    if (state.output == DomainOutput::TriangleCw) layout += ", ccw";
    if (state.output == DomainOutput::TriangleCcw) layout += ", cw";
    if (state.output == DomainOutput::Point) layout += ", point_mode";
    const GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER,
           "#version 320 es\nlayout(location=0) in vec4 outer; layout(location=1) in vec2 inner;\n"
           "out vec4 o; out vec2 i; void main() { o = outer; i = inner; }\n");
    attach(program, GL_TESS_CONTROL_SHADER,
           "#version 320 es\nlayout(vertices = 1) out; in vec4 o[]; in vec2 i[];\n"
           "void main() { for (int n = 0; n < 4; ++n) gl_TessLevelOuter[n] = o[0][n];\n"
           " gl_TessLevelInner[0] = i[0].x; gl_TessLevelInner[1] = i[0].y; }\n");
    attach(program, GL_TESS_EVALUATION_SHADER,
           "#version 320 es\nlayout(" + layout +
               ") in; out vec2 place;\n"
               "void main() { place = gl_TessCoord.xy; gl_Position = vec4(0.0); }\n");
    attach(program, GL_FRAGMENT_SHADER, "#version 320 es\nvoid main() {}\n");
    const char* const captured = "place";
    glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) fail("a program does not link: " + layout);
    glUseProgram(program);
}

/// An object's places, the least first where only their order in a circle counts.
using Object = std::array<DomainPlace, 3>;
bool before(const DomainPlace& a, const DomainPlace& b) {
    return a.u != b.u ? a.u < b.u : a.v < b.v;
}
bool object_before(const Object& a, const Object& b) {
    return std::ranges::lexicographical_compare(a, b, before);
}
void turn(Object& object, unsigned vertices) {
    if (vertices == 3) std::ranges::rotate(object, std::ranges::min_element(object, before));
}

/// Mesa's driver for the processor numbers the points of a draw with 16 bits, and a patch has up to
/// 65 x 65.
constexpr std::size_t kPatchesOfDraw = 15;

bool same(const TessellatorState& state, const std::vector<TessellationFactors>& patches) {
    use_program(state);
    std::vector<float> data;
    std::vector<Tessellation> made(patches.size());
    std::size_t captured = 0;
    for (std::size_t n = 0; n < patches.size(); ++n) {
        data.insert(data.end(), patches[n].outer.begin(), patches[n].outer.end());
        data.insert(data.end(), patches[n].inside.begin(), patches[n].inside.end());
        tessellate(state, patches[n], made[n]);
        captured += made[n].vertices.size();
    }
    const std::size_t room = (captured + 1000) * 2 * sizeof(float);
    GLuint buffers[2], query = 0;
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(float)), data.data(),
                 GL_STATIC_DRAW);
    constexpr GLsizei stride = 6 * sizeof(float);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, nullptr);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride,
                          reinterpret_cast<const void*>(4 * sizeof(float)));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(room), nullptr,
                 GL_STATIC_READ);
    glGenQueries(1, &query);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(made[0].object_vertices == 1   ? GL_POINTS
                             : made[0].object_vertices == 2 ? GL_LINES
                                                            : GL_TRIANGLES);
    for (std::size_t first = 0; first < patches.size(); first += kPatchesOfDraw)
        glDrawArrays(GL_PATCHES, static_cast<GLint>(first),
                     static_cast<GLsizei>(std::min(kPatchesOfDraw, patches.size() - first)));
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    GLuint written = 0;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    const auto* const there = static_cast<const float*>(glMapBufferRange(
        GL_TRANSFORM_FEEDBACK_BUFFER, 0, static_cast<GLsizeiptr>(room), GL_MAP_READ_BIT));
    if (!there) fail("nothing was captured");
    if (const GLenum error = glGetError()) fail("GL error " + std::to_string(error));

    const unsigned vertices = made[0].object_vertices;
    bool equal = std::size_t{written} * vertices == captured;
    const float* at = there;
    for (std::size_t n = 0; equal && n < patches.size(); ++n) {
        std::vector<Object> have, want;
        for (std::size_t i = 0; i < made[n].objects(); ++i) {
            Object a{}, b{};
            for (unsigned v = 0; v < vertices; ++v, at += 2) {
                a[v] = made[n].points[made[n].vertices[i * vertices + v]];
                b[v] = {static_cast<std::uint32_t>(at[0] * 65536),
                        static_cast<std::uint32_t>(at[1] * 65536)};
            }
            turn(a, vertices);
            turn(b, vertices);
            have.push_back(a);
            want.push_back(b);
        }
        std::ranges::sort(have, object_before);
        std::ranges::sort(want, object_before);
        equal = have == want;
        if (!equal)
            std::fprintf(stderr, "patch %zu: %g %g %g %g, %g %g\n", n, patches[n].outer[0],
                         patches[n].outer[1], patches[n].outer[2], patches[n].outer[3],
                         patches[n].inside[0], patches[n].inside[1]);
    }
    if (!equal)
        std::fprintf(
            stderr, "domain %u, partitioning %u, output %u: %u objects written, %zu made\n",
            static_cast<unsigned>(state.domain), static_cast<unsigned>(state.partitioning),
            static_cast<unsigned>(state.output), written, vertices ? captured / vertices : 0);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    glDeleteBuffers(2, buffers);
    return equal;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: gl_tessellator PATCHES");
    scenes::open_context(EGL_OPENGL_ES_API, 3, 2);
    const auto patches = static_cast<std::size_t>(std::atoi(argv[1]));
    GLuint frame = 0, array = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 8);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 8);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnable(GL_RASTERIZER_DISCARD);
    glPatchParameteri(GL_PATCH_VERTICES, 1);

    std::mt19937 random(3);
    const auto factor = [&]() -> float {
        const auto fraction = static_cast<float>(random() % 65537) / 65536;
        switch (random() % 8) {
            case 0:
                return 1 + fraction / 16384;
            case 1:
                return fraction + 0.01f;
            case 2:
                return static_cast<float>(1 + random() % 64);
            case 3:
                return static_cast<float>(1 + random() % 65) + fraction;
            case 4:
                return 1;
            default:
                return static_cast<float>(1 + random() % 8) + fraction;
        }
    };
    bool equal = true;
    for (unsigned domain = 0; domain < 3; ++domain)
        for (unsigned partitioning = 0; partitioning < 3; ++partitioning)
            for (unsigned output = 0; output < 4; ++output) {
                if (output != 0 && (domain == 2) != (output == 1)) continue;
                std::vector<TessellationFactors> factors(patches);
                for (auto& patch : factors) {
                    for (float& outer : patch.outer)
                        outer = factor();
                    for (float& inside : patch.inside)
                        inside = factor();
                    if (random() % 16 == 0) patch.outer[random() % 4] = 0;
                }
                equal &= same({static_cast<Domain>(domain), static_cast<Partitioning>(partitioning),
                               static_cast<DomainOutput>(output)},
                              factors);
            }
    std::puts(equal ? "the same points and objects" : "NOT the same");
    return equal ? 0 : 1;
}
