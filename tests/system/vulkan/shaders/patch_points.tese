// SPDX-License-Identifier: Apache-2.0
#version 450
layout(quads, equal_spacing, point_mode) in;
layout(location = 0) in vec2 point[];
layout(location = 1) patch in float number;
layout(location = 0) out vec4 color;
void main() {
    vec3 c = gl_TessCoord;
    vec2 p = mix(mix(point[0], point[1], c.x), mix(point[3], point[2], c.x), c.y);
    gl_Position = vec4(p + 0.08 * vec2(p.y * p.y, p.x * p.x - p.y), 0.0, 1.0);
    gl_PointSize = 2.0;
    color = vec4(c.x * c.x, 4.0 * c.y * (1.0 - c.y), number / 4.0, 1.0);
}
