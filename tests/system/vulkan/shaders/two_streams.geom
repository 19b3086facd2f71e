// SPDX-License-Identifier: Apache-2.0
#version 450
// A point of the first stream for each point, and none to two of the second.
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in vec4 shades[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec4 first;
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 0) out uvec2 second;
void main() {
    first = shades[0];
    EmitStreamVertex(0);
    EndStreamPrimitive(0);
    for (int k = 0; k < gl_PrimitiveIDIn % 3; ++k) {
        second = uvec2(gl_PrimitiveIDIn, k);
        EmitStreamVertex(1);
        EndStreamPrimitive(1);
    }
}
