// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) out vec2 at;
layout(location = 1) flat out vec4 shade;
layout(push_constant) uniform Pushed { mat4 matrix; };
void main() {
    int side = gl_VertexIndex / 6, corner = gl_VertexIndex % 6;
    corner = corner < 3 ? corner : 6 - corner;
    at = vec2(corner & 1, corner >> 1);
    vec3 p = vec3(at * 2.0 - 1.0, (side & 1) == 0 ? 1.0 : -1.0);
    p = side < 2 ? p : side < 4 ? p.yzx : p.zxy;
    gl_Position = matrix * vec4(p, 1.0);
    shade = vec4(side & 1, side >> 1 & 1, side >> 2 & 1, 1.0) * 0.5 + 0.5;
}
