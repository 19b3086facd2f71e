// SPDX-License-Identifier: Apache-2.0
// A descriptor of a kind that the set does not fix, as a uniform buffer.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 1) uniform Other { uvec4 other[64]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    to[i] = to[i] * 3 + from[i] * other[i / 4 % 64][i % 4];
}
