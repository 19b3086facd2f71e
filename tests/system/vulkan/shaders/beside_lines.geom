// SPDX-License-Identifier: Apache-2.0
#version 450
layout(lines_adjacency, invocations = 2) in;
layout(line_strip, max_vertices = 3) out;
layout(location = 0) in vec4 shades[];
layout(location = 0) out vec4 shade;
void main() {
    float by = gl_InvocationID == 0 ? 0.0 : 0.13;
    for (int i = 1; i < 4; ++i) {
        gl_Position = gl_in[i].gl_Position + vec4(by, by, 0.0, 0.0);
        shade = shades[3 - i];
        EmitVertex();
    }
}
