// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
out gl_PerVertex { layout(xfb_buffer = 0, xfb_stride = 32, xfb_offset = 0) vec4 gl_Position; };
layout(location = 0, xfb_buffer = 0, xfb_offset = 16) out vec4 shade;
layout(location = 1, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 4) flat out ivec2 number;
void main() {
    gl_Position = position;
    shade = color;
    number = ivec2(gl_VertexIndex, gl_InstanceIndex);
}
