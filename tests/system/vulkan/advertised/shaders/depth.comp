// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 0) uniform sampler2D depth;
void main() {
    uint i = gl_GlobalInvocationID.x;
    to[i] = floatBitsToUint(texelFetch(depth, ivec2(i % 16, i / 16), 0).x);
}
