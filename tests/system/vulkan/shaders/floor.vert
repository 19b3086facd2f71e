// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec2 at;
void main() {
    gl_Position = position;
    at = color.xy;
}
