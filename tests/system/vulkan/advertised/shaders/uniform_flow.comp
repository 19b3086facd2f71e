// SPDX-License-Identifier: Apache-2.0
// Items of a sub-group that part in a branch and in a loop are together again behind it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_subgroup_uniform_control_flow : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "words.glsl"
void main() [[subgroup_uniform_control_flow]] {
    uint i = gl_GlobalInvocationID.x, word = from[i], steps = 0;
    to[4 * i] = gl_SubgroupSize;
    if (word % 3 == 0) word = word / 3;
    else if (word % 3 == 1) word = word * 5 + 1;
    to[4 * i + 1] = subgroupAdd(1);
    while (true) {
        if (word % 16 == 0) break;
        ++word;
        ++steps;
    }
    to[4 * i + 2] = subgroupAdd(1);
    to[4 * i + 3] = steps;
}
