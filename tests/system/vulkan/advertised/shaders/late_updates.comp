// SPDX-License-Identifier: Apache-2.0
// Arrays of every kind; all but constants by an index of each item's.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#include "words.glsl"
// Tightly, as in a storage buffer.
layout(set = 1, binding = 0, std430) uniform Constants { uint16_t some[16]; uint8_t few[32]; } constants[3];
layout(set = 1, binding = 1, std430) readonly buffer Stored { uint words[]; } stored[3];
layout(set = 1, binding = 2) uniform usampler2D sampled[3];
layout(set = 1, binding = 3, r32ui) readonly uniform uimage2D images[3];
layout(set = 1, binding = 4) uniform usamplerBuffer texels[3];
layout(set = 1, binding = 5, r32ui) readonly uniform uimageBuffer stored_texels[3];
layout(set = 1, binding = 6, std140) uniform Block { uint which; };
void main() {
    uint i = gl_GlobalInvocationID.x, at = nonuniformEXT(from[i] >> 8 & 1);
    ivec2 place = ivec2(i % 4, i / 4 % 4);
    to[6 * i] = uint(constants[which].some[i % 16]) | uint(constants[which].few[i % 32]) << 16;
    to[6 * i + 1] = stored[nonuniformEXT(at)].words[i % 50];
    to[6 * i + 2] = texelFetch(sampled[nonuniformEXT(at)], place, 0).x;
    to[6 * i + 3] = imageLoad(images[nonuniformEXT(at)], place).x;
    to[6 * i + 4] = texelFetch(texels[nonuniformEXT(at)], int(i % 60)).x;
    to[6 * i + 5] = imageLoad(stored_texels[nonuniformEXT(at)], int(i % 60)).x;
}
