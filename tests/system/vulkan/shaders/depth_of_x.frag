// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    gl_FragDepth = gl_FragCoord.x / 64.0;
    pixel = vec4(1.0, 0.5, 0.0, 1.0);
}
