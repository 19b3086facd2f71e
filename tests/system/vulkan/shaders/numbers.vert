// SPDX-License-Identifier: Apache-2.0
#version 450
// Cells in a grid of eight by eight, made from the numbers of vertices and instances alone.
layout(location = 0) flat out vec4 shade;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
    int cell = gl_InstanceIndex + (gl_VertexIndex >> 2) * 8;
    gl_Position = vec4((vec2(cell & 7, cell >> 3) + corner * 0.75) / 4.0 - 1.0, 0.0, 1.0);
    shade = vec4(float(gl_VertexIndex) / 63.0, float(gl_InstanceIndex) / 15.0, 0.5, 1.0);
}
