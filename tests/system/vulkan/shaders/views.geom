// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_multiview : require
// The triangle again, elsewhere in each view.
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 shades[];
layout(location = 0) out vec4 shade;
void main() {
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 3; ++i) {
            gl_Position = gl_in[i].gl_Position * vec4(0.5, 0.5, 1.0, 1.0) +
                          vec4(k == 0 ? -0.5 : 0.5, gl_ViewIndex == 1 ? 0.5 : -0.5, 0.0, 0.0);
            shade = shades[i] * (k == 0 ? 1.0 : 0.5);
            EmitVertex();
        }
        EndPrimitive();
    }
}
