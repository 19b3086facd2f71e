// SPDX-License-Identifier: Apache-2.0
// Buffers that are read and written as texels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 2) uniform textureBuffer read;
layout(set = 1, binding = 3, rgba8ui) uniform uimageBuffer written;
void main() {
    uint v = from[item()];
    imageStore(written, int(8192 + item()), uvec4(v, v >> 8, v >> 16, v >> 24) & 127u);
    put(item(), texelFetch(read, int(v % uint(textureSize(read)))));
}
