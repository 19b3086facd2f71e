// SPDX-License-Identifier: Apache-2.0
// Texels read by the sampler, by their places. TEXTURE, BITS, POINT as elsewhere.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 1) uniform SAMPLER texels;
void main() {
    uvec3 size = uvec3(numbers.xyz), at;
    uint v = from[item() % 4096];
    at = uvec3(v % size.x, (v >> 8) % size.y, (v >> 16) % size.z);
    uvec4 got = BITS(texelFetch(texels, POINT, 0));
    for (uint i = 0; i < 4; ++i) to[4 * item() + i] = got[i];
}
