// SPDX-License-Identifier: Apache-2.0
/// gl_shader SOURCES FOLDER NUMBER...: draws with the shaders SOURCES/NUMBER.frag, .vert, .geom, .tesc
/// and .tese into two targets and writes them one behind the other as FOLDER/NUMBER.rgba. Says which
/// driver drew. SOURCES/NUMBER.how says what is drawn: the kind of primitive, how many vertices, and
/// how many a patch has; or `triangle`, one over both targets.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/system/gl/context.h"
#include "tests/system/gl/scene.h"

namespace {

using scenes::fail;
using scenes::kHeight;
using scenes::kWidth;

GLuint texture(unsigned unit, GLenum format, int width, int height, GLenum kind, GLenum type,
               const void* texels) {
    GLuint made = 0;
    glGenTextures(1, &made);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (texels) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, kind, type, texels);
    return made;
}

std::string text_of(const std::string& name) {
    std::ifstream file(name);
    return {std::istreambuf_iterator<char>(file), {}};
}

void open(bool every_stage) {
    scenes::open_context(EGL_OPENGL_ES_API, 3, every_stage ? 2 : 1);
    std::vector<unsigned> colors, words;
    for (unsigned i = 0; i < 256; ++i) {
        if (i < 128) colors.push_back(i * 2654435761u);
        words.insert(words.end(), {i * 2246822519u, ~i * 3266489917u});
    }
    texture(0, GL_RGBA8, 16, 8, GL_RGBA, GL_UNSIGNED_BYTE, colors.data());
    texture(1, GL_RG32UI, 16, 16, GL_RG_INTEGER, GL_UNSIGNED_INT, words.data());
    GLuint frame = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (unsigned i = 0; i < 2; ++i)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D,
                               texture(2 + i, GL_RGBA8, kWidth, kHeight, 0, 0, nullptr), 0);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, both);
    glViewport(0, 0, kWidth, kHeight);
    glDisable(GL_DITHER);
}

constexpr char kWhole[] =
    "#version 310 es\nlayout(location=0) in vec2 position; out vec2 at;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); at = position; }\n";

void use_program(const std::string& source) {
    const std::pair<const char*, GLenum> kinds[] = {{".vert", GL_VERTEX_SHADER},
                                                    {".tesc", GL_TESS_CONTROL_SHADER},
                                                    {".tese", GL_TESS_EVALUATION_SHADER},
                                                    {".geom", GL_GEOMETRY_SHADER},
                                                    {".frag", GL_FRAGMENT_SHADER}};
    std::vector<scenes::Stage> stages;
    for (const auto& [end, kind] : kinds) {
        std::string text = text_of(source + end);
        if (text.empty() && kind == GL_VERTEX_SHADER) text = kWhole;
        if (!text.empty()) stages.push_back({kind, text});
    }
    glUniform1i(glGetUniformLocation(scenes::program_of(stages), "words"), 1);
}

void draw_as_told(const std::string& source) {
    std::string kind;
    GLsizei count = 0;
    GLint of_patch = 0;
    if (!(std::ifstream(source + ".how") >> kind)) fail(source + ".how");
    if (kind == "triangle") {
        scenes::vertices({2}, {-1, -1, 3, -1, -1, 3});
        glDrawArrays(GL_TRIANGLES, 0, 3);
        return;
    }
    static const std::map<std::string, GLenum> kKinds{
        {"points", GL_POINTS},
        {"lines", GL_LINES},
        {"triangles", GL_TRIANGLES},
        {"patches", GL_PATCHES},
        {"lines_adjacency", GL_LINES_ADJACENCY},
        {"triangles_adjacency", GL_TRIANGLES_ADJACENCY}};
    std::ifstream(source + ".how") >> kind >> count >> of_patch;
    if (of_patch) glPatchParameteri(GL_PATCH_VERTICES, of_patch);
    scenes::vertices({}, {});
    glDrawArrays(kKinds.at(kind), 0, count);
}

void draw(const std::string& source, const std::string& picture) {
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    use_program(source);
    draw_as_told(source);
    std::vector<char> pixels(std::size_t{4} * kWidth * kHeight);
    std::ofstream out(picture, std::ios::binary);
    for (const GLenum target : {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1}) {
        glReadBuffer(target);
        glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        out.write(pixels.data(), static_cast<std::streamsize>(pixels.size()));
    }
    if (glGetError()) fail(source.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: gl_shader SOURCES FOLDER NUMBER...\n");
        return 2;
    }
    const std::string sources = argv[1] + std::string("/"), folder = argv[2] + std::string("/");
    const bool every_stage = !text_of(sources + argv[3] + ".geom").empty() ||
                             !text_of(sources + argv[3] + ".tese").empty();
    open(every_stage);
    for (int i = 3; i < argc; ++i)
        draw(sources + argv[i], folder + argv[i] + ".rgba");
}
