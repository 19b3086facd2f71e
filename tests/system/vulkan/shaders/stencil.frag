// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    gl_FragStencilRefARB = int(gl_FragCoord.x) / 4 ^ int(gl_FragCoord.y) / 8;
    pixel = vec4(0.5, 0.5, 0.5, 1.0);
}
