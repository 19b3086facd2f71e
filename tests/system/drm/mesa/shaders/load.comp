// SPDX-License-Identifier: Apache-2.0
// Texels read by the data port. FORMAT, IMAGE, BITS: the image's format, its type, and the words
// of its texels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 0, FORMAT) readonly uniform IMAGE from_image;
void main() {
    ivec2 size = imageSize(from_image);
    uvec4 v = BITS(imageLoad(from_image, ivec2(item() % size.x, size.y - 1 - item() / size.x)));
    for (uint i = 0; i < 4; ++i) to[4 * item() + i] = v[i];
}
