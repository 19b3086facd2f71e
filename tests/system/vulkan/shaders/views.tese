// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_multiview : require
// A patch whose colours and corners are other ones in each view.
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec2 point[];
layout(location = 1) patch in float number;
layout(location = 0) out vec4 color;
void main() {
    vec2 c = gl_TessCoord.xy;
    vec2 p = mix(mix(point[0], point[1], c.x), mix(point[3], point[2], c.x), c.y);
    gl_Position = vec4(p * (gl_ViewIndex == 1 ? -1.0 : 1.0), 0.0, 1.0);
    color = vec4(c, number + float(gl_ViewIndex), 1.0);
}
