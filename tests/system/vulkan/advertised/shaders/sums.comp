// SPDX-License-Identifier: Apache-2.0
// Adds words to words, in an order that matters.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
void main() {
    uint i = gl_GlobalInvocationID.x;
    to[i] = to[i] * 3 + from[i] + i;
}
