// SPDX-License-Identifier: Apache-2.0
// Texels read by the sampler at computed coordinates, which are odd multiples of a 32th of a texel of
// level 0, from one image's size before it to one behind it. SAMPLER, POINT as elsewhere; LOOK: how
// it looks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 1) uniform SAMPLER texels;
void main() {
    uint v = from[item() % 4096], w = from[(item() + 1) % 4096], u = from[(item() + 2) % 4096];
    vec3 size = vec3(numbers.xyz);
    vec3 place = vec3(v % (48u * numbers.x), w % (48u * numbers.y), u % (48u * numbers.z));
    vec3 at = ((2.0 * place + 1.0) / 32.0 - size) / size;
    float level = float(from[(item() + 3) % 4096] % 64u) / 16.0;
    uint layer = from[(item() + 4) % 4096] % 6u;
    put(item(), LOOK);
}
