// SPDX-License-Identifier: Apache-2.0
#version 450
// Six sides of two cubes, one below the other.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform samplerCubeArray pictures;
layout(location = 0) out vec4 pixel;
void main() {
    int side = int(at.x * 6.0);
    vec2 p = fract(at * vec2(6.0, 2.0)) * 1.8 - 0.9;
    vec3 d = side == 0 ? vec3(1.0, p) : side == 1 ? vec3(-1.0, p) : side == 2 ? vec3(p.x, 1.0, p.y)
           : side == 3 ? vec3(p.x, -1.0, p.y) : side == 4 ? vec3(p, 1.0) : vec3(p, -1.0);
    pixel = textureLod(pictures, vec4(d, floor(at.y * 2.0)), 0.0);
}
