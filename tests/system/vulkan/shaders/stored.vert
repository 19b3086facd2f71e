// SPDX-License-Identifier: Apache-2.0
#version 450
// Each vertex leaves a number of its own.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(set = 0, binding = 3) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = position;
    shade = color;
    counts[gl_VertexIndex] = 300u * uint(gl_VertexIndex) + 7u;
    atomicMax(counts[7], uint(gl_VertexIndex) * 500u);
}
