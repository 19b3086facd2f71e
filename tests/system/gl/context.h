// SPDX-License-Identifier: Apache-2.0
/// A context of OpenGL without a display.
#pragma once
#include <EGL/egl.h>

#include <string>

namespace scenes {

/// Ends the program with a sentence, and the errors of EGL and OpenGL.
[[noreturn]] void fail(const std::string& what);
/// Makes a context current and says which driver it is of. `api`: EGL_OPENGL_ES_API or EGL_OPENGL_API.
void open_context(EGLenum api, int major, int minor);

}  // namespace scenes
