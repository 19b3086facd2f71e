// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) flat out vec4 shade;
void main() {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
    int cell = gl_DrawIDARB * 16 + gl_InstanceIndex;
    gl_Position = vec4((vec2(cell & 7, cell >> 3) + corner * 0.75) / 4.0 - 1.0, 0.0, 1.0);
    shade = vec4(gl_DrawIDARB * 0.25, gl_BaseVertexARB / 16.0, gl_BaseInstanceARB / 8.0, 1.0);
}
