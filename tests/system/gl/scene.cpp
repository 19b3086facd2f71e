// SPDX-License-Identifier: Apache-2.0
#include "tests/system/gl/scene.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace scenes {
namespace {

GLuint shader(GLenum kind, const char* text) {
    const GLuint made = glCreateShader(kind);
    glShaderSource(made, 1, &text, nullptr);
    glCompileShader(made);
    GLint good = 0;
    glGetShaderiv(made, GL_COMPILE_STATUS, &good);
    if (good) return made;
    char log[2000] = "";
    glGetShaderInfoLog(made, sizeof log, nullptr, log);
    std::fprintf(stderr, "a shader does not compile: %s\n%s\n", log, text);
    std::exit(1);
}

}  // namespace

GLuint program(const char* vertex, const char* fragment) {
    return program_of({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}});
}

GLuint program_of(const std::vector<Stage>& stages) {
    const GLuint made = glCreateProgram();
    for (const Stage& stage : stages)
        glAttachShader(made, shader(stage.kind, stage.text.c_str()));
    glLinkProgram(made);
    GLint good = 0;
    glGetProgramiv(made, GL_LINK_STATUS, &good);
    if (!good) {
        char log[2000] = "";
        glGetProgramInfoLog(made, sizeof log, nullptr, log);
        std::fprintf(stderr, "a program does not link: %s\n", log);
        std::exit(1);
    }
    glUseProgram(made);
    return made;
}

void vertices(std::initializer_list<int> sizes, const std::vector<float>& data) {
    GLuint array = 0, buffer = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(float)), data.data(),
                 GL_STATIC_DRAW);
    const int stride = std::accumulate(sizes.begin(), sizes.end(), 0);
    GLuint location = 0;
    std::size_t offset = 0;
    for (const int size : sizes) {
        glEnableVertexAttribArray(location);
        glVertexAttribPointer(location++, size, GL_FLOAT, GL_FALSE,
                              stride * static_cast<int>(sizeof(float)),
                              reinterpret_cast<const void*>(offset * sizeof(float)));
        offset += static_cast<std::size_t>(size);
    }
}

void indices(const std::vector<unsigned>& data) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(unsigned)),
                 data.data(), GL_STATIC_DRAW);
}

GLuint plain_program() {
    return program(
        "#version 310 es\n"
        "layout(location=0) in vec3 position; layout(location=1) in vec4 color;\n"
        "out vec4 shade;\n"
        "void main() { gl_Position = vec4(position, 1.0); gl_PointSize = 5.0; shade = color; }\n",
        "#version 310 es\n"
        "precision highp float; in vec4 shade; out vec4 pixel;\n"
        "void main() { pixel = shade; }\n");
}

void draw_plain(GLenum kind, const std::vector<float>& data) {
    plain_program();
    vertices({3, 4}, data);
    glDrawArrays(kind, 0, static_cast<GLsizei>(data.size() / 7));
}

void triangles(const std::vector<float>& data) {
    draw_plain(GL_TRIANGLES, data);
}

void rectangle(float left, float bottom, float right, float top, float depth,
               std::initializer_list<float> color) {
    std::vector<float> data;
    const auto corner = [&](float x, float y) {
        data.insert(data.end(), {x, y, depth});
        data.insert(data.end(), color);
    };
    corner(left, bottom);
    corner(right, bottom);
    corner(left, top);
    corner(right, top);
    draw_plain(GL_TRIANGLE_STRIP, data);
}

}  // namespace scenes
