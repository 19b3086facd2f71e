// SPDX-License-Identifier: Apache-2.0
#version 450
layout(early_fragment_tests) in;
layout(location = 0) in vec4 shade;
layout(set = 0, binding = 3) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 pixel;
void main() {
    atomicAdd(counts[int(gl_FragCoord.x) >> 3], 1u);
    pixel = shade;
    if ((int(gl_FragCoord.y) & 1) != 0) discard;
}
