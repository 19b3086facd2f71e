// SPDX-License-Identifier: Apache-2.0
#version 450
// Six sides beside each other, and what lies across their corners.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform samplerCube picture;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 cell = ivec2(at * vec2(3.0, 2.0));
    vec2 p = fract(at * vec2(3.0, 2.0)) * 2.2 - 1.1;
    int side = cell.x + cell.y * 3;
    vec3 d = side == 0 ? vec3(1.0, p) : side == 1 ? vec3(-1.0, p) : side == 2 ? vec3(p.x, 1.0, p.y)
           : side == 3 ? vec3(p.x, -1.0, p.y) : side == 4 ? vec3(p, 1.0) : vec3(p, -1.0);
    pixel = textureLod(picture, d, 0.0);
}
