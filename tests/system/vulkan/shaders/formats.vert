// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 first;
layout(location = 2) in vec4 second;
layout(location = 3) in uvec4 third;
layout(location = 4) in ivec2 fourth;
layout(location = 5) in vec3 fifth;
layout(location = 0) flat out vec4 shade;
void main() {
    gl_Position = vec4(position, 0.0, 1.0);
    int row = gl_VertexIndex >> 2 & 7;
    shade = row == 0 ? first : row == 1 ? abs(second) : row == 2 ? vec4(third) / 255.0
          : row == 3 ? vec4(vec2(-fourth) / 255.0, 0.0, 1.0) : vec4(fifth, 1.0);
}
