// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = vec4(position.xyz, 1.0);
    gl_PointSize = position.w;
    shade = color;
}
