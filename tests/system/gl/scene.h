// SPDX-License-Identifier: Apache-2.0
/// Pictures that a program draws by OpenGL, to be held against those of a driver on the processor.
#pragma once
#include <GLES3/gl32.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace scenes {

inline constexpr int kWidth = 64, kHeight = 64;

struct Scene {
    const char* name;
    const char* shows;  ///< the feature
    int tolerance;      ///< steps by which a channel of 8 bits may differ
    void (*draw)();     ///< into the framebuffer of kWidth x kHeight that is bound and cleared
};
/// Those of one file, each.
std::vector<Scene> shapes();
std::vector<Scene> shading();
std::vector<Scene> textures();
std::vector<Scene> pixels();
std::vector<Scene> tessellation();
std::vector<Scene> geometry();
std::vector<Scene> feedback();
std::vector<Scene> samples();

/// Ends the program when a shader does not compile or link.
GLuint program(const char* vertex, const char* fragment);
/// The same, of any stages.
struct Stage {
    GLenum kind;
    std::string text;
};
GLuint program_of(const std::vector<Stage>& stages);

/// Vertices with so many floats for each attribute, in order of their locations.
void vertices(std::initializer_list<int> sizes, const std::vector<float>& data);
void indices(const std::vector<unsigned>& data);

/// A program that draws `position` (location 0) in `color` (location 1), both vec4.
GLuint plain_program();
/// Draws triangles of {x, y, z, r, g, b, a}.
void triangles(const std::vector<float>& data);
/// The same, of any kind.
void draw_plain(GLenum kind, const std::vector<float>& data);
/// A rectangle of one colour at a depth.
void rectangle(float left, float bottom, float right, float top, float depth,
               std::initializer_list<float> color);

}  // namespace scenes
