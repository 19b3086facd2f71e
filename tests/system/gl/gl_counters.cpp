// SPDX-License-Identifier: Apache-2.0
/// gl_counters: draws in steps, with a query of GL_INTEL_performance_query around each,
/// and nothing outside of them. Says which driver drew, and a line `STEP COUNTER VALUE` (parts
/// between tabs) for each counter of the query `Render Metrics Basic`.
#include <GLES3/gl32.h>
// The header above has the types.
#include <GLES2/gl2ext.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/system/gl/context.h"

namespace {

using scenes::fail;

constexpr int kSide = 64;
constexpr const char* kQuery = "Render Metrics Basic";

template <class Function>
Function command(const char* name) {
    const auto found = reinterpret_cast<Function>(eglGetProcAddress(name));
    if (!found) fail(std::string("there is no ") + name);
    return found;
}

struct Counter {
    std::string name;
    GLuint offset = 0, size = 0, type = 0;
};

class Queries {
  public:
    Queries() {
        const auto first = command<PFNGLGETFIRSTPERFQUERYIDINTELPROC>("glGetFirstPerfQueryIdINTEL");
        const auto next = command<PFNGLGETNEXTPERFQUERYIDINTELPROC>("glGetNextPerfQueryIdINTEL");
        const auto about = command<PFNGLGETPERFQUERYINFOINTELPROC>("glGetPerfQueryInfoINTEL");
        const auto counter = command<PFNGLGETPERFCOUNTERINFOINTELPROC>("glGetPerfCounterInfoINTEL");
        GLuint id = 0, count = 0;
        for (first(&id); id != 0; next(id, &id)) {
            char name[256]{};
            GLuint instances = 0, capabilities = 0;
            about(id, sizeof name, name, &bytes_, &count, &instances, &capabilities);
            if (std::strstr(name, kQuery)) break;
        }
        if (id == 0) fail(std::string("there is no query ") + kQuery);
        for (GLuint i = 1; i <= count; ++i) {
            char name[256]{}, description[1024];
            Counter one;
            GLuint kind = 0;
            GLuint64 maximum = 0;
            counter(id, i, sizeof name, name, sizeof description, description, &one.offset,
                    &one.size, &kind, &one.type, &maximum);
            one.name = name;
            counters_.push_back(one);
        }
        command<PFNGLCREATEPERFQUERYINTELPROC>("glCreatePerfQueryINTEL")(id, &query_);
    }
    void step(const char* name, const std::function<void()>& work) {
        static const auto begin = command<PFNGLBEGINPERFQUERYINTELPROC>("glBeginPerfQueryINTEL");
        static const auto end = command<PFNGLENDPERFQUERYINTELPROC>("glEndPerfQueryINTEL");
        static const auto get = command<PFNGLGETPERFQUERYDATAINTELPROC>("glGetPerfQueryDataINTEL");
        begin(query_);
        work();
        end(query_);
        std::vector<char> data(bytes_);
        GLuint written = 0;
        get(query_, GL_PERFQUERY_WAIT_INTEL, static_cast<GLsizei>(bytes_), data.data(), &written);
        if (written == 0) fail(std::string("no data of ") + name);
        for (const Counter& one : counters_) {
            std::printf("%s\t%s\t", name, one.name.c_str());
            if (one.type == GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL) {
                float value = 0;
                std::memcpy(&value, data.data() + one.offset, sizeof value);
                std::printf("%f\n", static_cast<double>(value));
            } else {
                std::uint64_t value = 0;
                std::memcpy(&value, data.data() + one.offset, one.size);
                std::printf("%" PRIu64 "\n", value);
            }
        }
    }
    void remove() const {
        command<PFNGLDELETEPERFQUERYINTELPROC>("glDeletePerfQueryINTEL")(query_);
    }

  private:
    GLuint query_ = 0, bytes_ = 0;
    std::vector<Counter> counters_;
};

GLuint program(std::initializer_list<std::pair<GLenum, const char*>> shaders) {
    const GLuint made = glCreateProgram();
    for (const auto& [kind, text] : shaders) {
        const GLuint shader = glCreateShader(kind);
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        glAttachShader(made, shader);
    }
    glLinkProgram(made);
    GLint linked = 0;
    glGetProgramiv(made, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024]{};
        glGetProgramInfoLog(made, sizeof log, nullptr, log);
        fail(log);
    }
    return made;
}

/// A triangle over all pixels, at the depth of a uniform; its left half; or points in 2x2 pixels of
/// their own.
constexpr char kWhole[] = R"(#version 320 es
uniform float depth;
void main() {
    gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID & 2) * 2.0 - 1.0, depth, 1.0);
})";
constexpr char kPoints[] = R"(#version 320 es
void main() {
    vec2 pixel = vec2(float(gl_VertexID % 10), float(gl_VertexID / 10)) * 4.0 + 0.5;
    gl_Position = vec4(pixel / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
})";
constexpr char kPlain[] = R"(#version 320 es
precision highp float;
layout(location = 0) out vec4 color;
void main() { color = vec4(0.25, 0.5, 0.75, 0.5); })";
constexpr char kDiscards[] = R"(#version 320 es
precision highp float;
layout(location = 0) out vec4 color;
void main() {
    if (gl_FragCoord.x < 32.0) discard;
    color = vec4(1.0);
})";
constexpr char kLate[] = R"(#version 320 es
precision highp float;
layout(location = 0) out vec4 color;
void main() {
    gl_FragDepth = 0.5 + 0.0001 * gl_FragCoord.y;
    color = vec4(1.0);
})";
constexpr char kFetches[] = R"(#version 320 es
precision highp float;
uniform highp sampler2D texels;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(texels, ivec2(gl_FragCoord.xy), 0); })";

}  // namespace

int main() {
    scenes::open_context(EGL_OPENGL_ES_API, 3, 2);
    Queries queries;
    GLuint frame = 0, textures[3];
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenTextures(3, textures);
    const auto texture = [&](unsigned i, GLenum format) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, format, kSide, kSide);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    };
    texture(0, GL_RGBA8);
    texture(1, GL_DEPTH_COMPONENT24);
    texture(2, GL_RGBA8);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, textures[1], 0);
    glViewport(0, 0, kSide, kSide);
    glDisable(GL_DITHER);
    const GLuint plain = program({{GL_VERTEX_SHADER, kWhole}, {GL_FRAGMENT_SHADER, kPlain}});
    const auto whole = [](GLuint which, float depth) {
        glUseProgram(which);
        glUniform1f(glGetUniformLocation(which, "depth"), depth);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    };
    const GLuint points = program({{GL_VERTEX_SHADER, kPoints}, {GL_FRAGMENT_SHADER, kPlain}});
    const GLuint discards = program({{GL_VERTEX_SHADER, kWhole}, {GL_FRAGMENT_SHADER, kDiscards}});
    const GLuint late = program({{GL_VERTEX_SHADER, kWhole}, {GL_FRAGMENT_SHADER, kLate}});
    const GLuint fetches = program({{GL_VERTEX_SHADER, kWhole}, {GL_FRAGMENT_SHADER, kFetches}});

    queries.step("cleared", [] { glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT); });
    queries.step("whole", [&] { whole(plain, 0.0f); });
    queries.step("points", [&] {
        glUseProgram(points);
        glDrawArrays(GL_POINTS, 0, 100);
    });
    queries.step("discarded", [&] { whole(discards, 0.0f); });
    queries.step("blended", [&] {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        whole(plain, 0.0f);
        glDisable(GL_BLEND);
    });
    queries.step("near", [&] {  // the left half
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, kSide / 2, kSide);
        whole(plain, -0.5f);
        glDisable(GL_SCISSOR_TEST);
    });
    queries.step("far", [&] { whole(plain, 0.25f); });
    queries.step("late", [&] {
        glDepthFunc(GL_LEQUAL);
        glDepthMask(GL_FALSE);
        whole(late, 0.0f);
        glDisable(GL_DEPTH_TEST);
    });
    queries.step("fetched", [&] {
        glBindTexture(GL_TEXTURE_2D, textures[2]);
        whole(fetches, 0.0f);
    });
    if (const GLenum error = glGetError()) fail("OpenGL has an error: " + std::to_string(error));
    queries.remove();
}
