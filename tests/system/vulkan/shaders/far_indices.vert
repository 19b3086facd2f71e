// SPDX-License-Identifier: Apache-2.0
#version 450
// Indices at both ends of 32 bits, and about the middle, stand for vertices 0 to 15.
layout(location = 0) out vec4 shade;
void main() {
    uint index = uint(gl_VertexIndex);
    uint k = index >= 0xFFFFFFE0u ? index - 0xFFFFFFE0u : index >= 0x7FFFFFF8u ? index - 0x7FFFFFF8u : index;
    gl_Position = vec4(float(k & 7u) / 4.0 - 0.9, (k & 1u) == 0u ? -0.2 : 0.2, 0.0, 1.0);
    gl_Position.y += index >= 0xFFFFFFE0u ? 0.6 : index >= 0x7FFFFFF8u ? 0.0 : -0.6;
    shade = vec4(k & 1u, k >> 1 & 1u, k >> 2 & 1u, 1.0);
}
