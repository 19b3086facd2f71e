// SPDX-License-Identifier: Apache-2.0
// Constants that lie in the set itself.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 0) uniform First { uvec4 first[8]; };
layout(set = 1, binding = 2) uniform Second { uint second; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    to[i] = (from[i] ^ first[i % 8][i / 8 % 4]) + first[5].y * second;
}
