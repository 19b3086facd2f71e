// SPDX-License-Identifier: Apache-2.0
#version 450
// Squares of points, whose number, size and colour lie in buffers.
layout(points) in;
layout(triangle_strip, max_vertices = 24) out;
layout(location = 0) in vec4 shades[];
layout(location = 0) out vec4 shade;
layout(set = 0, binding = 0) uniform Values { vec4 values[16]; };
void main() {
    int count = gl_PrimitiveIDIn % 4;
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 4; ++i) {
            vec2 corner = vec2(i & 1, i >> 1) * values[(gl_PrimitiveIDIn + k) % 16].xy;
            gl_Position = gl_in[0].gl_Position + vec4(corner + vec2(0.0, 0.27 * float(k)), 0.0, 0.0);
            gl_PrimitiveID = 7 * k + gl_PrimitiveIDIn;
            shade = shades[0] * values[k].z;
            EmitVertex();
        }
        EndPrimitive();
    }
}
