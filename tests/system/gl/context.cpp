// SPDX-License-Identifier: Apache-2.0
#include "tests/system/gl/context.h"

#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace scenes {

void fail(const std::string& what) {
    std::fprintf(stderr, "%s: %s (EGL 0x%x, GL 0x%x)\n", program_invocation_short_name,
                 what.c_str(), static_cast<unsigned>(eglGetError()), glGetError());
    std::exit(1);
}

void open_context(EGLenum api, int major, int minor) {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display, nullptr, nullptr)) fail("no EGL display");
    eglBindAPI(api);
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor,
                             EGL_NONE};
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("no context");
    std::printf("renderer: %s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}

}  // namespace scenes
