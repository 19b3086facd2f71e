// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    uint x = uint(gl_FragCoord.x), y = uint(gl_FragCoord.y), n = x * 64u + y + 1u, steps = 0u;
    while (n != 1u && steps < 100u) {
        n = (n & 1u) == 0u ? n >> 1 : n * 3u + 1u;
        ++steps;
        if (n == 5u * y) break;
    }
    switch (int(steps & 3u)) {
        case 0: pixel = vec4(1.0, 0.0, 0.0, 1.0); break;
        case 1: pixel = vec4(0.0, 1.0, 0.0, 1.0); break;
        case 2: pixel = vec4(0.0, 0.0, 1.0, 1.0); break;
        default: pixel = vec4(float(steps) / 255.0);
    }
}
