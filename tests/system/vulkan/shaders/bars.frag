// SPDX-License-Identifier: Apache-2.0
#version 450
// A bar for each number of a buffer, so high as the number's share of a push constant.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 3) readonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Pushed { uint whole; };
layout(location = 0) out vec4 pixel;
void main() {
    uint count = counts[int(gl_FragCoord.x) >> 3];
    pixel = vec4(uint(gl_FragCoord.y) * whole < count * 64u ? 1.0 : 0.0, float(count & 255u) / 255.0,
                 float(count >> 8 & 255u) / 255.0, 1.0);
}
