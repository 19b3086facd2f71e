// SPDX-License-Identifier: Apache-2.0
// Operations between the items of a subgroup: 24 words of each item.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#include "interface.glsl"
uint at;
void next(uint value) { to[at++] = value; }
void main() {
    uint v = from[item()];
    at = 24 * item();
    next(gl_SubgroupInvocationID);
    next(subgroupAdd(v));
    next(subgroupInclusiveAdd(v));
    next(subgroupExclusiveAdd(v));
    next(subgroupMin(v));
    next(subgroupMax(v));
    next(subgroupXor(v));
    next(uint(subgroupInclusiveMax(int(v))));
    next(subgroupBallot((v & 1) != 0).x);
    next(subgroupBallotBitCount(subgroupBallot((v & 2) != 0)));
    next(subgroupBroadcast(v, 5));
    next(subgroupShuffle(v, (v >> 8) % gl_SubgroupSize));
    next(subgroupShuffleXor(v, 3));
    next(gl_SubgroupInvocationID >= 2 ? subgroupShuffleUp(v, 2) : 0);
    next(subgroupClusteredAdd(v, 4));
    next(subgroupQuadSwapHorizontal(v));
    next(subgroupQuadSwapDiagonal(v));
    next(subgroupQuadBroadcast(v, 2));
    next(subgroupAll((v & 0xFF) != 0) ? 1 : 0);
    next(subgroupAny((v & 0x1F) == 0) ? 1 : 0);
    // Within the part of the subgroup that takes this way.
    uint some = 0;
    if ((v & 4) != 0) {
        some = subgroupAdd(v >> 16);
        next(subgroupBroadcastFirst(v));
    } else {
        next(subgroupElect() ? 1 : 0);
    }
    next(some);
    next(subgroupMul(v | 1));
    next(gl_SubgroupSize);
}
