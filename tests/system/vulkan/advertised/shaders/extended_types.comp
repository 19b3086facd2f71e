// SPDX-License-Identifier: Apache-2.0
// What sub-groups do with integers of 8, 16 and 64 bits and with floats of 16.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#include "words.glsl"
void main() {
    uint i = gl_GlobalInvocationID.x, word = from[i], place = 12 * i;
    to[place] = gl_SubgroupSize << 16 | gl_SubgroupID << 8 | gl_SubgroupInvocationID;
    to[place + 1] = uint(subgroupAdd(uint8_t(word)));
    to[place + 2] = uint(int(subgroupMin(int8_t(word))));
    to[place + 3] = uint(subgroupInclusiveAdd(uint16_t(word)));
    to[place + 4] = uint(int(subgroupMax(int16_t(word))));
    uint64_t wide = uint64_t(from[i + 256]) << 32 | word, sum = subgroupAdd(wide), other = subgroupShuffleXor(wide, 3);
    to[place + 5] = uint(sum);
    to[place + 6] = uint(sum >> 32);
    to[place + 7] = uint(other >> 32);
    int64_t least = subgroupMin(int64_t(wide));
    to[place + 8] = uint(least);
    to[place + 9] = uint(least >> 32);
    // Whole numbers up to 480: sums of 32 of them are exact in 16 bits.
    to[place + 10] = uint(subgroupAdd(float16_t(word & 15u)));
    to[place + 11] = uint(subgroupXor(uint16_t(word)));
}
