// SPDX-License-Identifier: Apache-2.0
/// Compute shaders of OpenGL ES 3.1 without a display.
#pragma once
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace gl {

using Words = std::vector<std::uint32_t>;

[[noreturn]] inline void fail(const char* what) {
    std::fprintf(stderr, "%s failed (EGL 0x%x, GL 0x%x)\n", what, eglGetError(), glGetError());
    std::exit(1);
}

/// A context of OpenGL ES without a display. Ends the program unless the renderer's name has
/// `wanted` in it: Mesa takes a driver on the processor without a word.
inline void start(const char* wanted_name) {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display, nullptr, nullptr)) fail("eglInitialize");
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("a context");
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    std::printf("%s\n", renderer);
    if (!std::strstr(renderer, wanted_name)) {
        std::fprintf(stderr, "this is not the wanted driver\n");
        std::exit(1);
    }
}

/// A compute shader's program, which is then used.
inline GLuint build(const std::string& body) {
    const std::string text = "#version 310 es\n" + body;
    const char* lines = text.c_str();
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &lines, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[2000] = "";
        glGetShaderInfoLog(shader, sizeof log, nullptr, log);
        std::fprintf(stderr, "%s\n", log);
        fail("a shader");
    }
    glUseProgram(program);
    return program;
}

/// A storage buffer with these words.
inline void give(GLuint binding, const Words& data) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(4 * data.size()), data.data(),
                 GL_DYNAMIC_COPY);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
}

/// What is in the buffer that was given last.
inline Words take(std::size_t count) {
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    const auto* from = static_cast<const std::uint32_t*>(glMapBufferRange(
        GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(4 * count), GL_MAP_READ_BIT));
    if (!from) fail("a map");
    Words data(from, from + count);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return data;
}

}  // namespace gl
