// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 position;
layout(set = 0, binding = 0) uniform Turn { mat4 matrix; vec4 colors[16]; } turns[2];
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = turns[0].matrix * vec4(position, 0.0, 1.0);
    shade = turns[1].colors[gl_VertexIndex % 16];
}
