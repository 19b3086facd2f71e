// SPDX-License-Identifier: Apache-2.0
// Buffers and images of arrays, each item's by an index of its own.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require
#include "words.glsl"
layout(set = 1, binding = 0, std430) readonly buffer Many { uint words[]; } many[];
layout(set = 2, binding = 0, r32ui) readonly uniform uimage2D images[];
void main() {
    uint i = gl_GlobalInvocationID.x, which = from[i] >> 8;
    to[2 * i] = many[nonuniformEXT(which % 19 * 2)].words[i % 50];
    to[2 * i + 1] = imageLoad(images[nonuniformEXT(which % 5)], ivec2(i % 4, i / 4 % 4)).x;
}
