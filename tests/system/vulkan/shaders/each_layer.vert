// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// An instance for each layer, and for each of 16 viewports.
layout(location = 0) out vec4 shade;
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
    gl_Layer = gl_InstanceIndex;
    gl_ViewportIndex = gl_InstanceIndex & 15;
    shade = vec4(ivec3(gl_InstanceIndex, gl_InstanceIndex >> 4, gl_InstanceIndex >> 8) & 15, 15) / 15.0;
}
