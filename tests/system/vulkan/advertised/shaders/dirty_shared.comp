// SPDX-License-Identifier: Apache-2.0
// Leaves all of a group's shared memory full of words that are not zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
shared uint left[8192];
void main() {
    for (uint at = gl_LocalInvocationID.x; at < 8192; at += 64) left[at] = 0xDEADBEEFu + at;
    barrier();
    to[gl_GlobalInvocationID.x] = left[8191 - gl_LocalInvocationID.x];
}
