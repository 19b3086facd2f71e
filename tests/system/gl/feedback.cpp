// SPDX-License-Identifier: Apache-2.0
// Vertices that are written to buffers, and what is counted: the picture's pixels are the bytes.
#include <cstring>

#include "tests/system/gl/scene.h"

namespace scenes {
namespace {

/// A program whose outputs of these names are captured.
GLuint capturing(const char* vertex, std::vector<const char*> names,
                 GLenum layout = GL_INTERLEAVED_ATTRIBS) {
    const GLuint made = program(vertex,
                                "#version 310 es\nprecision highp float; out vec4 pixel;\n"
                                "void main() { pixel = vec4(1.0, 0.5, 0.25, 1.0); }\n");
    glTransformFeedbackVaryings(made, static_cast<GLsizei>(names.size()), names.data(), layout);
    glLinkProgram(made);
    glUseProgram(made);
    return made;
}

/// A buffer at a place of the transform feedback, filled with 0xEE.
GLuint output(GLuint index, std::size_t bytes) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    const std::vector<unsigned char> before(bytes, 0xEE);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(bytes), before.data(),
                 GL_DYNAMIC_READ);
    return buffer;
}

/// Bytes become pixels, from row `row` on.
void show(int row, const void* bytes, std::size_t count) {
    std::vector<unsigned char> rows((count + 4 * kWidth - 1) / (4 * kWidth) * 4 * kWidth, 0);
    std::memcpy(rows.data(), bytes, count);
    GLint texture = 0;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &texture);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, kWidth,
                    static_cast<GLsizei>(rows.size() / (4 * kWidth)), GL_RGBA, GL_UNSIGNED_BYTE,
                    rows.data());
}
void show(int row, GLuint buffer, std::size_t bytes) {
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    const void* mapped =
        glMapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(bytes), GL_MAP_READ_BIT);
    show(row, mapped, bytes);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
}
void show(int row, const std::vector<GLuint>& numbers) {
    show(row, numbers.data(), numbers.size() * sizeof(GLuint));
}

/// Its output `place` tells vertex and instance.
const char* const kNumbers =
    "#version 310 es\n"
    "flat out uvec3 place;\n"
    "void main() { place = uvec3(gl_VertexID, gl_InstanceID, 12345);\n"
    " gl_PointSize = 1.0;\n"
    " gl_Position = vec4(float(gl_VertexID % 5) * 0.375 - 0.9, float(gl_VertexID / 5) * 0.375 - "
    "0.9,"
    " 0.0, 1.0); }\n";

class Query {
  public:
    explicit Query(GLenum kind) : kind_(kind) {
        glGenQueries(1, &query_);
        glBeginQuery(kind, query_);
    }
    void end() { glEndQuery(kind_); }
    [[nodiscard]] GLuint result() const {
        GLuint value = 0;
        glGetQueryObjectuiv(query_, GL_QUERY_RESULT, &value);
        return value;
    }

  private:
    GLenum kind_;
    GLuint query_ = 0;
};

/// Outputs of many kinds, one after the other, and the position.
void interleaved() {
    capturing(
        "#version 310 es\n"
        "layout(location=0) in vec4 given;\n"
        "out vec3 three; flat out ivec2 two; out float one; out mat2x3 matrix;\n"
        "flat out uint list[3];\n"
        "void main() { gl_Position = given.yxzw; three = given.xyz * 2.0;\n"
        " two = ivec2(gl_VertexID, -gl_VertexID); one = given.w;\n"
        " matrix = mat2x3(given.xxy, given.zzw);\n"
        " list = uint[3](7u, uint(gl_VertexID) * 3u, 9u); }\n",
        {"three", "two", "gl_Position", "one", "matrix", "list"});
    std::vector<float> data;
    for (int i = 0; i < 4 * 30; ++i)
        data.push_back(static_cast<float>(i * 37 % 64) / 16 - 2);
    vertices({4}, data);
    const GLuint buffer = output(0, 30 * 76 + 64);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 30);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    show(0, buffer, 30 * 76 + 64);
}

/// Each output has a buffer of its own, and parts of one buffer will do.
void separate() {
    capturing(
        "#version 310 es\n"
        "out vec4 a; out vec2 b; flat out int c; out vec3 d;\n"
        "void main() { gl_Position = vec4(0.0); float v = float(gl_VertexID);\n"
        " a = vec4(v, v * 0.5, 1.0, -v); b = vec2(v, 2.0); c = gl_VertexID * 5;\n"
        " d = vec3(0.25, v, v); }\n",
        {"a", "b", "c", "d"}, GL_SEPARATE_ATTRIBS);
    vertices({1}, std::vector<float>(40));
    const GLuint first = output(0, 1024), second = output(1, 1024), third = output(2, 1024);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 3, first, 640, 384);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, first, 0, 640);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 2, third, 256, 256);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_LINES);
    glDrawArrays(GL_LINES, 0, 32);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    show(0, first, 1024);
    show(4, second, 1024);
    show(8, third, 1024);
}

/// Strips, fans and loops become objects of their own; instances and indices.
void topologies() {
    capturing(kNumbers, {"place"});
    vertices({1}, std::vector<float>(40));
    indices({9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~0u, 20, 21, 22, 23, 24});
    const GLuint buffer = output(0, 12288);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_STRIP, 3, 9);
    glDrawArrays(GL_TRIANGLE_FAN, 2, 7);
    glDrawElements(GL_TRIANGLE_STRIP, 16, GL_UNSIGNED_INT, nullptr);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 7, 3);
    glDrawElementsBaseVertex(GL_TRIANGLE_FAN, 16, GL_UNSIGNED_INT, nullptr, 4);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    show(0, buffer, 2560);
    const GLuint lines = output(0, 4096);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_LINES);
    glDrawArrays(GL_LINE_STRIP, 0, 6);
    glDrawArrays(GL_LINE_LOOP, 10, 5);
    glDrawElementsInstanced(GL_LINE_STRIP, 16, GL_UNSIGNED_INT, nullptr, 2);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    show(20, lines, 2048);
    const GLuint points = output(0, 1024);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 5, 20, 2);
    glEndTransformFeedback();
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    show(40, points, 1024);
}

/// Primitives that have no room are counted only.
void overflow() {
    capturing(kNumbers, {"place"});
    vertices({1}, std::vector<float>(400));
    const GLuint buffer = output(0, 36 * 7 + 20);
    glEnable(GL_RASTERIZER_DISCARD);
    Query written(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN), generated(GL_PRIMITIVES_GENERATED);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 12);
    glDrawArrays(GL_TRIANGLES, 0, 300);
    glEndTransformFeedback();
    written.end();
    generated.end();
    Query none(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN), drawn(GL_PRIMITIVES_GENERATED);
    glDrawArrays(GL_TRIANGLES, 0, 21);
    none.end();
    drawn.end();
    glDisable(GL_RASTERIZER_DISCARD);
    show(0, buffer, 36 * 7 + 20);
    show(4, {written.result(), generated.result(), none.result(), drawn.result()});
}

/// Two objects that take turns, one of which is paused; draws in between are not captured.
void paused() {
    capturing(kNumbers, {"place"});
    vertices({1}, std::vector<float>(100));
    GLuint objects[2], buffers[2];
    glGenTransformFeedbacks(2, objects);
    Query written(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    for (int i = 0; i < 2; ++i) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[i]);
        buffers[i] = output(0, 2048);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 10 * i, 7);
        glPauseTransformFeedback();
    }
    glDrawArrays(GL_POINTS, 11, 9);
    for (int turn = 0; turn < 4; ++turn) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[turn & 1]);
        glResumeTransformFeedback();
        glDrawArrays(GL_POINTS, 20 * turn, 5 + turn);
        glPauseTransformFeedback();
    }
    for (const GLuint object : objects) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
        glResumeTransformFeedback();
        glEndTransformFeedback();
    }
    // A second use begins at the buffer's beginning.
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 90, 2);
    glEndTransformFeedback();
    written.end();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    show(0, buffers[0], 1024);
    show(4, buffers[1], 1024);
    show(8, {written.result()});
}

/// What is captured is drawn meanwhile, is vertices of a draw, and is the numbers of others.
void reused() {
    const std::vector<float> data{-0.9f, -0.9f, 0, 1,     0,    0, 1, 0.4f, -0.8f, 0, 0,
                                  1,     0,     1, -0.5f, 0.6f, 0, 0, 0,    1,     1};
    capturing(
        "#version 310 es\n"
        "layout(location=0) in vec3 position; layout(location=1) in vec4 color;\n"
        "out vec3 moved; out vec4 shade;\n"
        "void main() { gl_Position = vec4(position, 1.0); moved = position + vec3(0.5, 0.25, 0.0);"
        " shade = color.gbra; }\n",
        {"moved", "shade"});
    vertices({3, 4}, data);
    const GLuint buffer = output(0, 7 * 4 * 6);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    plain_program();
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 28, nullptr);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 28, reinterpret_cast<const void*>(12));
    glDrawArrays(GL_TRIANGLES, 3, 3);
    // Numbers of indirect draws: count, instances, first, and 0.
    capturing(
        "#version 310 es\n"
        "flat out uvec4 numbers; flat out uint fifth;\n"
        "void main() { gl_Position = vec4(2.0);\n"
        " numbers = uvec4(3, gl_VertexID, gl_VertexID * 3 - 3, 0); fifth = 0u; }\n",
        {"numbers", "fifth"});
    const GLuint draws = output(0, 20 * 4);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 3);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    plain_program();
    std::vector<float> more;
    for (int i = 0; i < 6; ++i) {
        const float x = i % 3 == 1 ? 0.4f : -0.2f, y = i % 3 == 2 ? 0.9f : 0.4f;
        more.insert(more.end(), {x + (i < 3 ? 0.f : 0.5f), y, 0, 1, i < 3 ? 1.f : 0.f, 1, 1});
    }
    vertices({3, 4}, more);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, draws);
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);  // no instance
    glDrawArraysIndirect(GL_TRIANGLES, reinterpret_cast<const void*>(20));
    indices({0, 1, 2, 3, 4, 5});
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, reinterpret_cast<const void*>(40));
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

/// Is any sample seen?
void any_samples() {
    glEnable(GL_DEPTH_TEST);
    std::vector<GLuint> seen;
    const auto ask = [&](GLenum kind, float left, float right, float depth) {
        Query query(kind);
        if (left < right) rectangle(left, -0.5f, right, 0.5f, depth, {0, 1, depth, 1});
        query.end();
        seen.push_back(query.result() != 0);
    };
    ask(GL_ANY_SAMPLES_PASSED, -0.8f, 0.3f, 0);
    ask(GL_ANY_SAMPLES_PASSED, -0.7f, 0.2f, 0.5f);  // behind
    ask(GL_ANY_SAMPLES_PASSED, -0.7f, 0.5f, 0.5f);
    ask(GL_ANY_SAMPLES_PASSED, 1.5f, 2.5f, 0);  // outside
    ask(GL_ANY_SAMPLES_PASSED, 1, 0, 0);        // nothing
    ask(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, -0.1f, 0, -0.5f);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    ask(GL_ANY_SAMPLES_PASSED, 0.6f, 0.9f, -0.5f);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    show(0, seen);
}

}  // namespace

std::vector<Scene> feedback() {
    return {
        {"feedback_interleaved", "outputs captured into one buffer", 0, interleaved},
        {"feedback_separate", "outputs captured into four buffers", 0, separate},
        {"feedback_topologies", "strips, fans, loops, indices and instances captured", 0,
         topologies},
        {"feedback_overflow", "primitives counted that have no room", 0, overflow},
        {"feedback_paused", "two captures that take turns", 0, paused},
        {"feedback_reused", "captured vertices and numbers of draws", 1, reused},
        {"any_samples", "occlusion queries", 0, any_samples},
    };
}

}  // namespace scenes
