// SPDX-License-Identifier: Apache-2.0
// Shared memory that is zero when a group begins.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_null_initializer : require
#include "words.glsl"
shared uint sums[8192] = {};
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x, seen = 0;
    for (uint at = l; at < 8192; at += 64) seen |= sums[at];
    barrier();
    atomicAdd(sums[l / 4], from[i]);
    barrier();
    to[2 * i] = seen;
    to[2 * i + 1] = sums[l / 4];
}
