// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = position;
    gl_Layer = gl_InstanceIndex & 3;
    gl_ViewportIndex = 3 - (gl_InstanceIndex & 3);
    shade = color * float(gl_InstanceIndex + 1) / 4.0;
}
