// SPDX-License-Identifier: Apache-2.0
#version 450
// An instance for each of four layers and viewports.
layout(triangles, invocations = 4) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 shades[];
layout(location = 0) out vec4 shade;
void main() {
    for (int i = 0; i < 3; ++i) {
        gl_Layer = gl_InvocationID;
        gl_ViewportIndex = 3 - gl_InvocationID;
        gl_Position = gl_in[i].gl_Position;
        shade = shades[i] * float(gl_InvocationID + 1) / 4.0;
        EmitVertex();
    }
}
