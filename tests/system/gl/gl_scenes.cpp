// SPDX-License-Identifier: Apache-2.0
/// gl_scenes list | gl_scenes FOLDER SCENE...: draws each scene without a display and writes it as
/// FOLDER/SCENE.png, to be looked at, and as FOLDER/SCENE.rgba, rows from below. Says which driver drew.
#include <png.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/system/gl/context.h"
#include "tests/system/gl/scene.h"

namespace {

using scenes::fail;

std::vector<scenes::Scene> all_scenes() {
    std::vector<scenes::Scene> all;
    for (const auto& some :
         {scenes::shapes(), scenes::shading(), scenes::textures(), scenes::pixels(),
          scenes::feedback(), scenes::samples(), scenes::tessellation(), scenes::geometry()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void open_target() {
    GLuint frame = 0, color = 0, depth = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenTextures(1, &color);
    glBindTexture(GL_TEXTURE_2D, color);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, scenes::kWidth, scenes::kHeight);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, scenes::kWidth, scenes::kHeight);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("the framebuffer is not complete");
    glBindTexture(GL_TEXTURE_2D, 0);
    glViewport(0, 0, scenes::kWidth, scenes::kHeight);
    glDisable(GL_DITHER);
    glClearColor(0.25f, 0.5f, 0.75f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

void draw(const scenes::Scene& scene, const std::string& folder) {
    open_target();
    scene.draw();
    std::vector<unsigned char> picture(std::size_t{4} * scenes::kWidth * scenes::kHeight);
    glReadPixels(0, 0, scenes::kWidth, scenes::kHeight, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    if (const GLenum error = glGetError())
        fail(std::string(scene.name) + ": GL error " + std::to_string(error));
    const std::string raw = folder + "/" + scene.name + ".rgba";
    std::ofstream(raw, std::ios::binary)
        .write(reinterpret_cast<const char*>(picture.data()),
               static_cast<std::streamsize>(picture.size()));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = scenes::kWidth;
    image.height = scenes::kHeight;
    image.format = PNG_FORMAT_RGBA;
    const std::string file = folder + "/" + scene.name + ".png";
    // The lowest row comes first.
    if (!png_image_write_to_file(&image, file.c_str(), 0, picture.data(), -4 * scenes::kWidth,
                                 nullptr))
        fail(file + ": " + image.message);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<scenes::Scene> all = all_scenes();
    if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
        for (const scenes::Scene& scene : all)
            std::printf("%s %d %s\n", scene.name, scene.tolerance, scene.shows);
        return 0;
    }
    if (argc < 3) {
        std::fprintf(stderr, "usage: gl_scenes list | gl_scenes FOLDER SCENE...\n");
        return 2;
    }
    scenes::open_context(EGL_OPENGL_ES_API, 3, 2);
    for (int i = 2; i < argc; ++i) {
        bool known = false;
        for (const scenes::Scene& scene : all)
            if (argv[i] == std::string(scene.name)) {
                draw(scene, argv[1]);
                known = true;
            }
        if (!known) fail(std::string("there is no scene '") + argv[i] + "'");
    }
}
