// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 3) buffer Sums { uint sums[10]; };
layout(location = 0) out vec4 pixel;
void main() {
    uint word = sums[min(int(gl_FragCoord.x) / 6, 9)];
    pixel = vec4(word & 255u, word >> 8 & 255u, word >> 16 & 255u, 255u) / 255.0;
    if (gl_FragCoord.y < 8.0) pixel = vec4(float(word >> 24) / 255.0, 0.0, 0.0, 1.0);
}
