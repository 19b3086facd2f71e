// SPDX-License-Identifier: Apache-2.0
// Atomic operations on texels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 0, r32ui) uniform uimage2D image;
void main() {
    uint v = from[item()];
    ivec2 at = ivec2(v % 32, v / 32 % 16);
    uint which = (v / 32 / 16) % 32;
    imageAtomicAdd(image, at, v);
    imageAtomicXor(image, ivec2(at.y + 32, at.x / 4), v);
    imageAtomicMax(image, ivec2(60, which % 16), v);
    imageAtomicMin(image, ivec2(61, which % 16), v);
    to[item()] = imageAtomicCompSwap(image, ivec2(63, 15), 0, 0) & 0;
}
