// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = position + vec4(0.75, 0.25, 0.0, 0.0);
    shade = color.brga;
}
