// SPDX-License-Identifier: Apache-2.0
#version 450
// The vertices beside a triangle and its number colour it.
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 shades[];
layout(location = 0) out vec4 shade;
void main() {
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) {
            gl_Position = gl_in[2 * i].gl_Position * vec4(1.0 - 0.4 * float(k), 1.0, 1.0, 1.0);
            shade = mix(shades[2 * i + 1], vec4(float(gl_PrimitiveIDIn) / 5.0), 0.5 * float(k));
            EmitVertex();
        }
        EndPrimitive();
    }
}
