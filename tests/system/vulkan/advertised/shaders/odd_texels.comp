// SPDX-License-Identifier: Apache-2.0
// Texels of one, two and four bytes, and texels that are stored.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 0) uniform usamplerBuffer bytes;
layout(set = 1, binding = 1) uniform usamplerBuffer halves;
layout(set = 1, binding = 2) uniform samplerBuffer colors;
layout(set = 1, binding = 3, r32ui) uniform uimageBuffer stored;
void main() {
    int i = int(gl_GlobalInvocationID.x);
    to[3 * i] = texelFetch(bytes, i).x;
    to[3 * i + 1] = texelFetch(halves, i).x;
    to[3 * i + 2] = packUnorm4x8(texelFetch(colors, i));
    imageStore(stored, i, imageLoad(stored, i) + 1u);
}
