// SPDX-License-Identifier: Apache-2.0
// Texels in and around pictures of 13 by 7: read, and written.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "words.glsl"
layout(set = 1, binding = 0, rgba8) uniform image2D stored;
layout(set = 1, binding = 1) uniform sampler2D sampled;
layout(set = 1, binding = 2, rgba8) uniform image2D written;
void main() {
    uint i = gl_GlobalInvocationID.x;
    // Every place from (-1, -1) to (14, 14), and one far away in each direction.
    ivec2 at = ivec2(i % 16, i / 16) - 1;
    if (at.x == 14) at.x = 100000;
    if (at.y == 14) at.y = -100000;
    to[2 * i] = packUnorm4x8(imageLoad(stored, at));
    to[2 * i + 1] = packUnorm4x8(texelFetch(sampled, at, 0));
    imageStore(written, at, vec4(1, 0, 1, 0));
}
