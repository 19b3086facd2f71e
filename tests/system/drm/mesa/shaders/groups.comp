// SPDX-License-Identifier: Apache-2.0
// Each item of three dimensions leaves its number at its place behind the numbers of groups.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
void main() {
    uvec3 n = gl_NumWorkGroups * gl_WorkGroupSize, g = gl_GlobalInvocationID;
    to[16 + (g.z * n.y + g.y) * n.x + g.x] = g.x | g.y << 8 | g.z << 16 | numbers.x << 24;
}
