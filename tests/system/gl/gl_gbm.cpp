// SPDX-License-Identifier: Apache-2.0
/// gl_gbm NODE: draws frames into buffers of GBM, as programs do that show them on a screen of the
/// kernel's: a surface of GBM's, swapped; the buffer in front is locked, mapped, given away as a
/// file and taken back by another import. Each frame is green with a red square that moves. Prints
/// the renderer, and how many frames were right.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <fcntl.h>
#include <gbm.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "tests/system/gl/context.h"

namespace {

using scenes::fail;

constexpr int kWidth = 200, kHeight = 120, kSquare = 24, kFrames = 5;
constexpr std::uint32_t kRed = 0xFFFF0000, kGreen = 0xFF00FF00;

/// Where the square of a frame begins, from the upper left.
constexpr int square_x(int frame) {
    return 10 + 30 * frame;
}
constexpr int square_y(int frame) {
    return 7 + 20 * frame;
}

void draw(int frame) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(square_x(frame), kHeight - square_y(frame) - kSquare, kSquare, kSquare);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

bool is_right(gbm_bo* buffer, int frame) {
    std::uint32_t stride = 0;
    void* mapping = nullptr;
    const auto* const rows = static_cast<const unsigned char*>(
        gbm_bo_map(buffer, 0, 0, kWidth, kHeight, GBM_BO_TRANSFER_READ, &stride, &mapping));
    if (!rows) fail("a buffer cannot be mapped");
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const auto* const row = reinterpret_cast<const std::uint32_t*>(rows + y * stride);
            const bool inside = static_cast<unsigned>(x - square_x(frame)) < kSquare &&
                                static_cast<unsigned>(y - square_y(frame)) < kSquare;
            wrong += (row[x] | 0xFF000000) != (inside ? kRed : kGreen);
        }
    gbm_bo_unmap(buffer, mapping);
    if (wrong) std::printf("frame %d: %d pixels are wrong\n", frame, wrong);
    return wrong == 0;
}

/// The buffer by its file.
bool is_right_elsewhere(gbm_device* device, gbm_bo* buffer, int frame) {
    gbm_import_fd_modifier_data data{};
    data.width = kWidth;
    data.height = kHeight;
    data.format = gbm_bo_get_format(buffer);
    data.num_fds = static_cast<std::uint32_t>(gbm_bo_get_plane_count(buffer));
    data.modifier = gbm_bo_get_modifier(buffer);
    for (int plane = 0; plane < gbm_bo_get_plane_count(buffer); ++plane) {
        data.fds[plane] = gbm_bo_get_fd_for_plane(buffer, plane);
        data.strides[plane] = static_cast<int>(gbm_bo_get_stride_for_plane(buffer, plane));
        data.offsets[plane] = static_cast<int>(gbm_bo_get_offset(buffer, plane));
        if (data.fds[plane] < 0) fail("a buffer is not given away");
    }
    gbm_bo* const taken = gbm_bo_import(device, GBM_BO_IMPORT_FD_MODIFIER, &data, 0);
    if (!taken) fail("a buffer is not taken back");
    const bool right = is_right(taken, frame);
    gbm_bo_destroy(taken);
    for (unsigned plane = 0; plane < data.num_fds; ++plane)
        close(data.fds[plane]);
    return right;
}

EGLConfig config_of(EGLDisplay display, std::uint32_t format) {
    EGLConfig all[256];
    EGLint count = 0;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT, EGL_NONE};
    eglChooseConfig(display, wanted, all, 256, &count);
    for (int i = 0; i < count; ++i) {
        EGLint visual = 0;
        eglGetConfigAttrib(display, all[i], EGL_NATIVE_VISUAL_ID, &visual);
        if (static_cast<std::uint32_t>(visual) == format) return all[i];
    }
    fail("no configuration of this format");
    return nullptr;
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) return 2;
    const int node = open(words[1], O_RDWR | O_CLOEXEC);
    gbm_device* const device = node < 0 ? nullptr : gbm_create_device(node);
    if (!device) fail("no device of GBM");
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, nullptr);
    if (!eglInitialize(display, nullptr, nullptr)) fail("no EGL display");
    eglBindAPI(EGL_OPENGL_ES_API);
    constexpr std::uint32_t kFormat = GBM_FORMAT_XRGB8888;
    const EGLConfig config = config_of(display, kFormat);
    const EGLint of_context[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, of_context);
    gbm_surface* const surface =
        gbm_surface_create(device, kWidth, kHeight, kFormat, GBM_BO_USE_RENDERING);
    const EGLSurface window = eglCreatePlatformWindowSurface(display, config, surface, nullptr);
    if (!eglMakeCurrent(display, window, window, context)) fail("no context");
    std::printf("renderer: %s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    int right = 0;
    gbm_bo* shown = nullptr;
    for (int frame = 0; frame < kFrames; ++frame) {
        draw(frame);
        if (!eglSwapBuffers(display, window)) fail("a frame is not swapped");
        gbm_bo* const next = gbm_surface_lock_front_buffer(surface);
        if (!next) fail("no buffer in front");
        right += is_right(next, frame) && is_right_elsewhere(device, next, frame);
        if (shown) gbm_surface_release_buffer(surface, shown);
        shown = next;
    }
    std::printf("%d of %d frames are right\n", right, kFrames);
    return right == kFrames ? 0 : 1;
}
