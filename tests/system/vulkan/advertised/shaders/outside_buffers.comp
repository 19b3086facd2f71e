// SPDX-License-Identifier: Apache-2.0
// Words in and behind parts of buffers: read, and written.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 0, std430) readonly buffer Stored { uint stored[]; };
layout(set = 1, binding = 1, std140) uniform Constants { uvec4 constants[64]; };
layout(set = 1, binding = 2) uniform usamplerBuffer texels;
layout(set = 1, binding = 3, std430) writeonly buffer Written { uint written[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint at = i < 250 ? i : i * 100000;
    to[4 * i] = stored[at];
    to[4 * i + 1] = constants[at / 4 % 64][at % 4];
    to[4 * i + 2] = texelFetch(texels, int(at)).x;
    written[at] = i;
}
